"""Lark grammars, built when first used, over a lexer that searches.

A report stands between prose, prompts and markup, so the lexer looks for the grammar's terminals anywhere in the
text and turns what lies between them into TEXT tokens: unknown text is reported, never dropped, and never an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer

from abcompare.errors import ReportError
from abcompare.search import Patterns

if TYPE_CHECKING:
    from lark.common import LexerConf

_REST = "TEXT"


class _Found(Token):
    """A token with its offset and no lines, which nobody asks for: a Token takes three times as long to make."""

    __slots__ = ()
    line = column = end_line = end_column = end_pos = None

    def __new__(cls, type_: str, value: str, start: int) -> _Found:
        made = str.__new__(cls, value)
        made.type, made.value, made.start_pos = type_, value, start
        return made


class SearchLexer(Lexer):
    """Finds the grammar's terminals by search; the text between two of them is one TEXT token.

    At one place the terminal of higher priority wins, then the one that stands first in the grammar.
    """

    def __init__(self, lexer_conf: LexerConf) -> None:
        terminals = sorted((one for one in lexer_conf.terminals if one.name != _REST), key=lambda one: -one.priority)
        self._patterns = Patterns([(one.name, one.pattern.to_regexp()) for one in terminals])

    def lex(self, data: str) -> Iterator[Token]:  # type: ignore[override]
        """The tokens of `data`, in order, with their offsets."""
        end = 0
        names = self._patterns.names
        for number, found in self._patterns.find(data):
            start = found.start()
            if start > end and not (between := data[end:start]).isspace():
                yield _Found(_REST, between, end)
            end = found.end()
            yield _Found(names[number], found[0], start)
        if end < len(data) and not data[end:].isspace():
            yield _Found(_REST, data[end:], end)


def grammar_path(name: str) -> Path:
    """The .lark file of a grammar: in the installed package, or in a checkout's `grammar/` folder."""
    for folder in (Path(str(resources.files("abcompare"))) / "grammar", Path(__file__).parents[2] / "grammar"):
        path = folder / f"{name}.lark"
        if path.is_file():
            return path
    raise FileNotFoundError(f"{name}.lark is neither in the package nor in a checkout")


class Grammar:
    """A grammar ready to use: `parse` gives the tree of a text, `groups` the pieces of a token."""

    def __init__(self, path: Path) -> None:
        self.lark = Lark(
            path.read_text(encoding="utf-8"), parser="lalr", lexer=SearchLexer, import_paths=[str(path.parent)],
            maybe_placeholders=False, source_path=str(path),
        )
        for rule in self.lark.rules:  # the parser looks this up at every step, and a Token is slow to compare
            rule.origin.name = str(rule.origin.name)
        self._patterns = {one.name: re.compile(one.pattern.to_regexp()) for one in self.lark.terminals}

    def parse(self, text: str) -> Tree[Token]:
        """The tree of `text`: never fails for a grammar whose items come in any order. Raises ReportError."""
        try:
            return self.lark.parse(text)
        except UnexpectedInput as error:
            raise ReportError(f"unexpected text: {error.get_context(text).strip()}") from error

    def groups(self, token: Token, text: str) -> tuple[Any, ...]:
        """What the parentheses of the terminal of a token of `text` hold; None for those that took no part."""
        found = self._patterns[token.type].match(text, token.start_pos or 0)
        return found.groups() if found else ()


@cache
def grammar(name: str) -> Grammar:
    """The built grammar of a tool (10–30 ms the first time)."""
    return Grammar(grammar_path(name))
