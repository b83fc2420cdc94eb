"""Secrets in free text: behind the names that say so, before a host, and behind "Bearer" and "Basic"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abcompare.dialects.argv import login_end
from abcompare.dialects.secrets.names import NAME, is_secret
from abcompare.dialects.secrets.spans import Span

# A name and its sign: `name:`, `"name":`, `name=`, `["name"] =`, `name =>`, `"name", "…"`, `--name …`.
_NAMED = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]{1,200}+)(?P<close>\\{0,8}[\"'”’`]\]?|\]?)"
    r"(?P<sign>[ \t]{0,40}+(?::(?!//)|=>?|：|,(?=[ \t]{0,40}\\{0,8}[\"'“‘]))[ \t]*+|(?<=\w)(?<!\")(?<!')[ \t]++)"
)
_OPENING = re.compile(r"(\\{0,8})([\"'“‘`])")
_CLOSING = {"“": "”", "‘": "’"}
_BEHIND = re.compile(r"[\s,;:)\]}>|.&]|\Z")  # what may stand behind a quotation
_QUERY = re.compile(r"[^\s&#\"'<>`]*(?:[\"'`](?=[\w])[^\s&#\"'<>`]*)*")
_PARAMETER = re.compile(r"[^\s&#\"'<>`;]*")  # of a path, or a cookie among others
_BARE = re.compile(r"(?i)\bbearer[ \t]+(?P<bearer>[^\s\"',;\\]{4,})|\bbasic[ \t]+(?P<basic>(?=[a-z\d+/]*[\d=])[a-z\d+/]{8,}={0,2})(?![\w.])")

_LINE_END = re.compile(r"[\r\n]")
_BLANK = re.compile(r"\s")

_LONGEST = 400  # characters of an address that are looked at
_URL_END = re.compile(r"[\s<>]")
_URL_ENDS = {mark: re.compile(rf"[\s<>{mark}]") for mark in "\"'`"}  # an address in quotation marks ends at the next
_SCHEME = re.compile(r"[A-Za-z][\w+.-]{0,20}://")
_LOGIN = re.compile(r"(?<![\w%!$&*+,;=.~/-])(?P<user>[\w%!$&*+,;=.~-]{1,80}+):(?!//|\d{1,5}[/?#]|[A-Za-z]{1,20}+://)\S{1,200}@(?=[\w\[])")
_NAMES_HOST = re.compile(r"(?:\b(?:for|to|resolve|Benchmarking|host|report)|Hostname:)[ \t]+(?P<user>[^\s@/:]{1,200}+)@(?=[\w\[])")


def written(text: str) -> list[Span]:
    """Where secrets stand in a text, but for what its command lines hold."""
    found = [*_named(text), *_logins(text)]
    found += [one.span(one.lastgroup or 0) for one in _BARE.finditer(text)]
    return found


def _named(text: str) -> Iterator[Span]:
    """The values of names that hold secrets."""
    at, line = 0, -1
    while found := _NAMED.search(text, at):
        at = found.end()
        if line < at:
            stop = _LINE_END.search(text, at)
            line = stop.start() if stop else len(text)
        name, sign = found["name"], found["sign"].strip()
        option = name.startswith("-")
        if (not sign and not option) or not NAME.search(name):
            if not sign or name.lower() != "key" or text[found.start() - 1 : found.start()] not in ("?", "&"):
                continue
            end = _QUERY.match(text, at).end()  # type: ignore[union-attr]
            if end - at >= 20:  # "?key=3" is a record's, "?key=AIza…" an account's
                yield at, end
            continue
        start, end = _value(text, found, line, option=option and sign in ("", "="))
        if end > start and is_secret(name, text[start:end]):
            yield start, end
            at = max(at, end)


def _value(text: str, found: re.Match[str], end: int, *, option: bool) -> Span:
    """Where the value behind a name stands: as quotation marks, its place in a URL, or the `end` of its line bound it."""
    start, at = found.span()[::-1]
    opened = _OPENING.match(text, start)
    # A quoted header value ends where its line does, unless the name is quoted as well: Cookie: "a"; b=c
    if opened and (found["close"] or "=" in found["sign"] or option):
        return opened.end(), _closing(text, opened.end(), end, opened[1], opened[2])
    before = text[at - 1 : at]
    if before in ("?", "&", "#", ";") and "=" in found["sign"]:
        end = (_PARAMETER if before == ";" else _QUERY).match(text, start, end).end()  # type: ignore[union-attr]
        while end > start and text[end - 1] in ".,;:)]}":
            end -= 1
        return start, end
    if before in ("\"", "'", "“", "‘", "`") and not found["close"]:
        return start, _closing(text, start, end, "\\" * _slashes(text, at - 1), before)
    if option:
        blank = _BLANK.search(text, start, end)
        return start, blank.start() if blank else end
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _closing(text: str, start: int, end: int, slashes: str, mark: str) -> int:
    """Where a quotation ends that began before `start`: at the next of its marks (behind as many backslashes as stood
    before the first) with an end of a word behind it; at `end` where there is none."""
    mark = _CLOSING.get(mark, mark)
    at = text.find(mark, start, end)
    while at >= 0:
        behind = text[at + 1 : at + 2]
        if _slashes(text, at, start) == len(slashes) and (_BEHIND.match(behind) or (slashes and behind == "\\")):
            return at - len(slashes)
        at = text.find(mark, at + 1, end)
    return end


def _slashes(text: str, at: int, least: int = 0) -> int:
    """How many backslashes, nine at most, stand before `at`."""
    count = 0
    while count < 9 and at - count > least and text[at - count - 1] == "\\":
        count += 1
    return count


def _logins(text: str) -> Iterator[Span]:
    """Users and passwords before a host."""
    for found in _SCHEME.finditer(text):
        stop = _URL_ENDS.get(text[found.start() - 1 : found.start()], _URL_END).search(text, found.end(), found.end() + _LONGEST)
        end = stop.start() if stop else min(len(text), found.end() + _LONGEST)
        login = login_end(text[found.end() : end])
        if login > 0:
            yield found.end(), found.end() + login
    if "@" in text:
        for found in _LOGIN.finditer(text):
            yield found.start(), found.end() - 1
        for found in _NAMES_HOST.finditer(text):
            yield found.span("user")
