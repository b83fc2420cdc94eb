"""Command lines as words and options: read as data, never executed and never near a shell."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from abcompare.records import Load, Target

_HOST = r"(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|\[[\da-fA-F:.]+\]|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?"
_AT_HOST = re.compile(rf"@(?={_HOST}(?:[/?#]|\Z))")
_AUTHORITY = re.compile(r"(?:\[[^\]]*\]|[^:]*)(?::\d{0,5})?")
_QUOTES = {"'": "'", '"': '"', "“": "”", "‘": "’"}


class Word(NamedTuple):
    """A word of a command line: its text, where it is typed, and where each character of its text is: (start, end,
    the quotation mark that it stands in)."""

    text: str
    start: int
    end: int
    places: list[tuple[int, int, str]]


def words(command: str) -> tuple[list[Word], bool]:
    """The words of a command line as a POSIX shell would split them, and whether its quotes close.

    Where they do not it is split by blanks and quotes. Typographic quotes, as web pages make them, count as quotes.
    """
    found: list[Word] = []
    text: list[str] = []
    places: list[tuple[int, int, str]] = []
    begun, quote, at = -1, "", 0
    last = {mark: command.rfind(closing) for mark, closing in _QUOTES.items()}
    while at < len(command):
        char = command[at]
        nothing = False
        width = 1
        if quote:
            if char == _QUOTES[quote]:
                quote, nothing = "", True
            elif quote == '"' and char == "\\" and command[at + 1 : at + 2] in ('"', "\\"):
                width, char = 2, command[at + 1]
        elif char in " \t\r\n":
            if begun >= 0:
                found.append(Word("".join(text), begun, at, places))
            text, places, begun, at = [], [], -1, at + 1
            continue
        elif char in ("'", '"') or last.get(char, -1) > at:
            quote, nothing = char, True
        elif char == "\\":
            if at + 1 == len(command):
                return _unclosed(command), False
            width, char = 2, command[at + 1]
        begun = at if begun < 0 else begun
        if not nothing:
            text.append(char)
            places.append((at, at + width, quote))
        at += width
    if quote:
        return _unclosed(command), False
    if begun >= 0:
        found.append(Word("".join(text), begun, len(command), places))
    return found, True


def _unclosed(command: str) -> list[Word]:
    found = re.finditer(r"[^\s\"']+", command)
    return [Word(one.group(), one.start(), one.end(), [(at, at + 1, "") for at in range(*one.span())]) for one in found]


def split(command: str) -> list[str]:
    """The words of a command line as a POSIX shell would split them; by blanks where the quotes do not close."""
    return [word.text for word in words(command)[0]]


def options(argv: Iterable[str], flags: str, values: str) -> tuple[dict[str, list[str]], list[str]]:
    """getopt for tools that take single letters: ({letter: values in order}, the words that are no options).

    `flags` are the letters without a value, `values` those with one, joined ("-n100") or apart ("-n 100"). A letter
    in neither is kept as a flag. Options may stand behind the URL, as people type them.
    """
    given: dict[str, list[str]] = {}
    rest: list[str] = []
    words = iter(argv)
    for word in words:
        if not word.startswith("-") or word in ("-", "--"):
            rest.append(word)
            continue
        letters = word[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in values:
                given.setdefault(letter, []).append(letters or next(words, ""))
                break
            given.setdefault(letter, []).append("")
    return given, rest


def login_end(address: str) -> int:
    """Where user and password end in an address without its scheme: at the "@" before the host; -1 without any.

    Passwords that hold an "@" or a "/" are as people type them, not as a URL may be.
    """
    stop = re.search(r"[/?#\\]", address)
    authority = address[: stop.start()] if stop else address
    query = re.search(r"[?#]", address)
    path = [found.start() for found in _AT_HOST.finditer(address, len(authority), query.start() if query else len(address))]
    at = authority.rfind("@")
    if at >= 0:
        return path[-1] if path else at
    if _AUTHORITY.fullmatch(authority):
        dotted = re.match(r"localhost\b|\[|[^:]*\.|[^:]*\Z", authority)
        return -1 if dotted or not path else path[-1]
    at = address.rfind("@")
    if at >= 0 or stop:
        return at
    # What is quoted may end before the "@".
    user, _, rest = authority.rstrip(".,;:)]}\"'*…").partition(":")
    cut = rest and not re.match(r"\d{1,5}(?!\w)|[${<%]|(?i:port)", rest) and not re.match(r"localhost\b|\[|.*\.", user)
    return len(user) + 1 + len(rest) if cut else -1


def target(url: str | None) -> Target:
    """A URL taken apart, without user and password; an empty target for None and for what is no URL."""
    scheme, _, address = (url or "").partition("://") if url and "://" in url else ("", "", url or "")
    address = address[max(0, login_end(address)) :].removeprefix("@")
    try:
        parts = urlsplit(f"{scheme}://{address}" if scheme else f"//{address}")
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return Target()
    if not parts.hostname:
        return Target()
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(scheme=parts.scheme or None, host=parts.hostname, port=port, path=path)


def merged(printed: Load, asked: Load | None) -> Load:
    """What a report prints, and where it is silent what its command line says."""
    if asked is None:
        return printed
    fields = {name: getattr(asked, name) for name in Load.__struct_fields__ if getattr(printed, name) in (None, {})}
    return msgspec.structs.replace(printed, **fields)
