"""Markup: tags, entities, colours, escapes and Markdown, and what stands in the cleaned text for each."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from abcompare.scan.characters import NOTHING, same
from abcompare.scan.edits import Edit
from abcompare.scan.terminals import COLOUR, moved

_ESCAPED = r"(?:<|&(?:amp;)*lt;)"
_CLOSED = r"(?:>|&(?:amp;)*gt;)"
_LINE_TAGS = r"br|p|div|tr|li|ul|ol|pre|table|tbody|thead|h[1-6]|blockquote|hr|code-block|dd|dt|section|article|caption"
_CELL_TAGS = r"td|th"
_MORE = r"(?:\s[^<>\n]{0,400}?)?"  # a tag's attributes
# A footnote's mark, and what it must stand behind to be one.
_NOTE = r"(?:<[^<>\n]{0,200}>){0,3}[\[(]?(?:\d{1,3}|[*†‡§a-z])[\])]?(?:<[^<>\n]{0,200}>){0,3}"
_BEHIND = r"(?:(?<=[\w.%\])])|(?<=</[bi]>)|(?<=</em>)|(?<=</code>)|(?<=</span>)|(?<=</strong>))"
_SUP = rf"{_ESCAPED}sup{_MORE}{_CLOSED}{_NOTE}{_ESCAPED}/sup\s*{_CLOSED}"
# The commonest tags as most pages write them: what the patterns below say of them as well, for three times the time.
_COMMON_TAGS = (
    r"(?P<row></?(?:p|tr|br|div|li|table)[ /]{0,2}>)|(?P<cell></?t[dh]>)"
    r"|(?P<plain></?(?:span|code|strong|em|b|i)(?: class=\"[^<>&\"\n]{0,99}\")?>)"
)
_TAGS = "|".join(
    (
        _COMMON_TAGS,
        rf"(?P<struck>(?i:{_ESCAPED}(?P<name>s|del|strike){_MORE}{_CLOSED}[^\n]{{0,200}}?{_ESCAPED}/(?P=name)\s*{_CLOSED}))",
        rf"(?P<note>(?i:{_BEHIND}{_SUP}|{_SUP}(?=\d)|{_BEHIND}{_ESCAPED}a\s[^<>\n]{{0,400}}?href=\\?[\"']?#[^<>\n]{{0,400}}?{_CLOSED}{_NOTE}{_ESCAPED}/a\s*{_CLOSED}))",
        # what frameworks leave between two parts of a text: <!-- -->, <!--$-->, <!-- react-text: 7 -->
        rf"(?P<seam>{_ESCAPED}!--(?:\s{{0,40}}|[^\w\n]{{0,8}}?|\s*/?react-text[^\n<>]{{0,30}}?)--{_CLOSED}|(?<=\d){_ESCAPED}!--[^\n<>]{{0,80}}?--{_CLOSED}(?=[\d.,]))",
        rf"(?P<comment>{_ESCAPED}!--|--{_CLOSED})",
        rf"(?P<line_tag>{_ESCAPED}/?(?i:{_LINE_TAGS})(?:[\s/][^<>\n]{{0,400}}?)?{_CLOSED})",
        rf"(?P<cell_tag>{_ESCAPED}/?(?i:{_CELL_TAGS})(?:[\s/][^<>\n]{{0,400}}?)?{_CLOSED})",
        # any other tag: <strong>, </code>, <span class="mtk1">; "<$Revision" and "<none>" in prose are kept as text
        rf"(?P<tag>{_ESCAPED}/?(?:[a-zA-Z][\w.:-]*)(?:\s+[\w:@.-]+\s*=\s*(?:&(?:amp;)*quot;[^&\n]{{0,400}}?&(?:amp;)*quot;|\\?\"[^\"\n]{{0,400}}\"|'[^'\n]{{0,400}}'|\{{[^}}\n]{{0,400}}\}}|[^\s<>\"']+))*\s*/?{_CLOSED})",
    )
)
_ENTITY = r"&(?:amp;)*(?:#\d{1,6}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,16}\d?);"


class _Kind(NamedTuple):
    """What is edited: the characters without one of which none of it can be there, and what must be there besides, so
    that a text is searched for what it may hold only; what it begins with, and the whole of it.
    """

    signs: tuple[str, ...]
    gate: re.Pattern[str] | None
    begins: str
    pattern: str


_KINDS = (
    _Kind(("\x1b", "\\"), None, r"\x1b|\\", COLOUR),
    _Kind(("\r",), None, r"\r", r"(?P<line>\r+\n|\r)"),
    _Kind(("&",), None, "&", rf"(?P<sign>(?!(?i:&(?:amp;)*lt;)){_ENTITY})"),  # no tag: it need not be tried as one
    _Kind(("<", "lt;"), re.compile(r"<[A-Za-z/!]|-->|&(?:amp;)*lt;"), "<|&|-(?=-[>&])", _TAGS),  # "<$Revision: 1.146 $>" is no tag
    _Kind(("&",), None, "&", rf"(?P<entity>{_ENTITY})"),
    _Kind(("\\",), None, r"\\", r"(?P<literal>\\r\\n|\\[rn](?![a-z]{2})|\\t(?![a-z]{2})|\\u[0-9a-fA-F]{4})"),
    # Markdown with everything escaped: 12613\.68 \[\#/sec\]
    _Kind(("\\",), re.compile(r"\d\\\.\d|\\\[\\?(?:#|\+|ms|Kb|K?bytes)"), r"\\", r"(?P<backslash>\\(?=[.\[\]()#*_+\-!>~{}=]))"),
    _Kind(("*",), re.compile(r"\*\*"), r"\*(?=\*)", r"(?P<bold>\*\*)"),
    _Kind(("~",), re.compile("~~"), "~(?=~)", r"(?P<crossed>(?<!~)~~(?=[^\s~])[^\n~]{0,198}[^\s~]~~(?!~))"),
    _Kind(("`",), None, "`", r"(?P<code>`)"),
    _Kind(("\x07",), None, r"\x07", r"(?P<bell>\x07)"),
    _Kind((), None, NOTHING.pattern, f"(?P<nothing>{NOTHING.pattern})"),
)


@cache
def _editor(wanted: tuple[int, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Two patterns for the kinds of these numbers: what they begin with, and the whole of them.

    A search for the second alone would try every alternative at every character.
    """
    begins = dict.fromkeys(begin for number in wanted for begin in _KINDS[number].begins.split("|"))
    return re.compile("|".join(begins)), re.compile("|".join(_KINDS[number].pattern for number in wanted))


def kinds_in(text: str) -> tuple[int, ...]:
    """The numbers of the kinds of edits that `text` may need."""
    found = []
    for number, (signs, gate, _, _) in enumerate(_KINDS):
        for sign in signs:
            if sign in text:
                if gate is None or gate.search(text):
                    found.append(number)
                break
    if not text.isascii() and NOTHING.search(text):
        found.append(len(_KINDS) - 1)
    return tuple(found)


def unmarked(text: str, wanted: tuple[int, ...]) -> Iterator[Edit]:
    """Edits of these kinds: separators become blanks or line ends, inline markup is deleted, codes are characters."""
    begins, whole = _editor(wanted)
    end = 0
    for begin in begins.finditer(text):
        start = begin.start()
        if start >= end and (found := whole.match(text, start)):
            end = found.end()
            put = _INSTEAD.get(found.lastgroup or "", "")
            new = put if isinstance(put, str) else put(found)
            if new is not None:
                yield start, end, new


def _literal(old: str) -> str:
    if old.startswith("\\u"):
        return _character(chr(int(old[2:], 16)))
    return "\t" if old == "\\t" else "\n"


def _entity(old: str) -> str | None:
    """The character that an entity stands for; None where it stands for none, and is text."""
    return _short_entity(old) if len(old) < 40 else _unescaped(old)  # one that was escaped for ever is not kept


def _unescaped(old: str) -> str | None:
    new = html.unescape(old)
    for _ in range(3):  # "&amp;amp;lt;" was escaped by one page after the other
        new = html.unescape(new)
    if new == old:
        return None
    return " " if new.isspace() else _character(new)


_short_entity = lru_cache(256)(_unescaped)  # a text has few different ones


def _character(written: str) -> str:
    """What a character that was written as a code stands for."""
    new = same(NOTHING.sub("", written))
    return " " if new.isspace() and new != "\n" else new


# What stands in the cleaned text for each kind of edit, nothing unless said; None leaves the text as it is.
_INSTEAD: dict[str, str | Callable[[re.Match[str]], str | None]] = {
    "line": "\n", "line_tag": "\n", "row": "\n", "cell_tag": " ", "cell": " ", "comment": " ",
    "colour": lambda found: moved(found["count"], found["final"]),
    "literal": lambda found: _literal(found[0]),
    "entity": lambda found: _entity(found[0]),
    "sign": lambda found: _entity(found[0]),
}
