"""Secrets on command lines, alone or in a text: the words that options and addresses make one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from abcompare.dialects.argv import Word, login_end, words
from abcompare.dialects.secrets.names import NAME
from abcompare.dialects.secrets.spans import REDACTED, Span, joined, replaced
from abcompare.dialects.secrets.text import written

# The letters with a value, and those among them whose value is a secret, of each program.
VALUED = {
    "ab": "nctsbTpuvHCAPXgexyzmfZBEWRo",
    "wrk": "cdtsHTRrnMbp",  # "n" was the name of "r" before 1.0
    "curl": "AbcCdDeEFhHKmoPQrtTuUwxXyYz",
    "http": "apAsoH",
    "hey": "ncqzothmHTAaxdDU",
}
_SECRET = {"ab": "CAP", "curl": "uUb", "http": "a", "hey": "a"}
_SAME = {"abs": "ab", "apachebench": "ab", "wrk2": "wrk", "https": "http", "xh": "http", "oha": "hey"}
_PROGRAM = re.compile(r"(?i)(?<![\w.-])(?P<name>abs?|apachebench|wrk2?|curl|https?|xh|hey|oha)(?:\d[\w.]*|-trunk)?(?:\.exe)?[ \t]+(?=\S)")
_OPTION = re.compile(r"(?<![^\s\"'(])-[a-zA-Z]{0,8}?(?:(?P<ab>[AP])[ \t]*[\"']?[^\s:]+:|(?P<curl>[uU])[ \t]*[\"']?[^\s:]+:|C[ \t]*[\"'“]?[^\s=]+=)(?=\S)")
_USERS = ("user", "proxy-user", "proxy_user", "login")
_SCHEMES = ("basic", "bearer", "digest", "token", "negotiate", "ntlm", "apikey")
_EMPTY = re.compile(r"\s*([\w.-]+)\s*[:=]\s*([A-Za-z]*)\s*")
_ENDS = re.compile(r"-[-A-Za-z]|[A-Za-z][\w+.-]*://|(?:localhost|[\w-]+(?:\.[\w-]+)+|[\w.-]+(?=:\d))(?::\d+)?/")


def spans_of(text: str) -> list[Span]:
    """Where secrets stand in a text."""
    return joined([*written(text), *_commands(text)])


def _commands(text: str) -> Iterator[Span]:
    """What the command lines in a text hold."""
    if "-" not in text and "@" not in text:
        return
    starts = [(found.start(), found["name"].lower()) for found in _PROGRAM.finditer(text)]
    option = _OPTION.search(text, 0, starts[0][0] if starts else len(text))
    if option:
        starts.insert(0, (option.start(), "curl" if option["curl"] else "ab"))
    for number, (start, name) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(text)
        part = text[start:end].rstrip(" \\")  # where a line goes on
        if "-" not in part and "@" not in part:
            continue
        found, closed = words(part)
        argv = [word.text for word in found]
        bare = option is not None and number == 0
        hidden = hidden_in([name, *argv], loose=not closed)[1:] if bare else hidden_in(argv, loose=not closed)
        for word, spans in zip(found, hidden, strict=True):
            for first, last in spans:
                if first < last <= len(word.text):
                    yield start + word.places[first][0], start + word.places[last - 1][1]


def _program(name: str) -> str:
    """The program whose option table counts."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".exe")
    found = re.match(r"abs?(?![a-z])|apachebench|wrk2?|[a-z]+", last)
    return _SAME.get(found.group(), found.group()) if found else ""


def hidden_in(argv: Sequence[str], *, loose: bool) -> list[list[Span]]:
    """Where secrets stand in each word. `loose` says that the quotes do not close, so that words are parts of words."""
    if not argv:
        return []
    walk = _Walk(_program(argv[0]), loose)
    return [[], *(joined(walk.step(word)) for word in argv[1:])]


class _Walk:
    """Goes through the words behind a program's name."""

    def __init__(self, program: str, loose: bool) -> None:
        self._valued = VALUED.get(program, "")
        self._secret = _SECRET.get(program, "")
        self._loose = loose
        self._own = True  # what stands behind "--" is a script's
        self._due = False  # this word is a secret
        self._rest = False  # and so are the next ones, up to an option or a URL
        self._next: Callable[[str], list[Span]] | None = None  # how the value of an option is read

    def step(self, word: str) -> list[Span]:
        """The secrets of the next word."""
        if self._due or (self._rest and not _ENDS.match(word)):
            return self._whole(word)
        self._rest = False
        read, self._next = self._next, None
        if read:
            return self._then(word, read(word))
        if word == "--":
            self._own = False
            return []
        if word.startswith("--"):
            return self._long(word)
        if word.startswith("-") and len(word) > 1 and self._own:
            return self._letters(word)
        if word.startswith("-"):
            return self._long(word)
        return self._then(word, _address(word))

    def _whole(self, word: str) -> list[Span]:
        """A word that is a secret. What follows an unclosed quotation or a bare "Basic" is one as well."""
        more = self._loose or self._rest or word[-1:] in (":", "=", ";", ",")
        self._due = word.lower().rstrip(":") in _SCHEMES or word in (":", "=")
        self._rest = more
        return [(0, len(word))]

    def _long(self, word: str) -> list[Span]:
        name, equals, value = word.partition("=")
        plain = name.lstrip("-")
        secret = bool(NAME.search(plain)) or (plain.lower() in _USERS and (not equals or ":" in value))
        if not secret:
            if not equals and plain in ("header", "proxy", "url", "data", "body"):
                self._next = _header if plain == "header" else _address
            return self._then(word, spans_of(word))
        if equals:
            self._rest = self._loose
            return [(len(name) + 1, len(word))]
        self._due = plain.lower() not in _USERS
        self._next = _login_only
        return []

    def _letters(self, word: str) -> list[Span]:
        for at in range(1, len(word)):
            letter, rest = word[at], at + 1
            if letter not in self._valued:
                continue
            if letter in self._secret:
                if rest == len(word):
                    self._due = True
                    return []
                self._whole(word[rest:])
                return [(rest, len(word))]
            read = _header if letter == "H" else _address if letter in "Xx" else spans_of
            if rest == len(word):
                self._next = read
                return []
            return [(start + rest, end + rest) for start, end in self._then(word[rest:], read(word[rest:]))]
        return self._long(word)  # "-password", as some programs have it

    def _then(self, word: str, spans: list[Span]) -> list[Span]:
        """Whether a word says that the next one is a secret: `Authorization:`, `Authorization: Basic`."""
        found = _EMPTY.fullmatch(word)
        if found and NAME.search(found[1]) and (not found[2] or found[2].lower() in _SCHEMES):
            self._due = self._rest = True
        elif self._loose and spans and spans[-1][1] >= len(word):
            self._rest = True
        elif spans == [(0, 0)]:
            self._due = self._rest = True
        return spans


def _header(text: str) -> list[Span]:
    """A header's value; an empty span where only the name of a secret one stands."""
    return [(0, 0)] if re.fullmatch(r"[\w-]+", text) and NAME.search(text) else spans_of(text)


def _address(text: str) -> list[Span]:
    """An address, or what may be one: with user and password even where the scheme lacks."""
    spans = spans_of(text)
    if "@" in text and "://" not in text and not re.search(r"\s", text):
        spans.append((0, max(0, login_end(text))))
    return spans


def _login_only(text: str) -> list[Span]:
    """The value of --user, where it is more than a name."""
    return [(0, len(text))] if ":" in text else spans_of(text)


def retyped(typed: str, word: Word, spans: list[Span]) -> str:
    """A word with its secrets replaced, in the quotation marks that it is typed in."""
    pieces: list[str] = []
    end = word.start
    for first, last in spans:
        start, stop = word.places[first], word.places[last - 1]
        if start[2] != stop[2]:  # begins and ends in different quotations
            return _quoted(replaced(word.text, spans))
        pieces += (typed[end : start[0]], REDACTED)
        end = stop[1]
    return "".join((*pieces, typed[end : word.end]))


def _quoted(text: str) -> str:
    if re.fullmatch(r"[\w@%+=:,./-]+", text):
        return text
    return "'" + text.replace("'", "'\"'\"'") + "'"
