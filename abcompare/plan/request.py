"""What is sent with each request: methods, header lines and bodies, checked before anything starts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

from abcompare.errors import InputError, Position, UsageError

Headers = str | Mapping[str, str] | Iterable[str | tuple[str, str]]
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, 5.6.2
_BREAKING = re.compile(r"[\r\n\0\ud800-\udfff]")  # surrogates stand for bytes that are no text
FRAMING = ("content-length", "transfer-encoding")  # the engine's own: it counts the body itself
WITH_BODY = ("POST", "PUT", "PATCH")


def method(given: str, option: str) -> str:
    """A method in upper case. Raises UsageError for what is none."""
    if not _TOKEN.fullmatch(given):
        raise UsageError(f"{option}: {given!r} is no method", hint="as in GET, HEAD, POST, PUT")
    return given.upper()


def is_header(name: str, value: str) -> bool:
    """Whether a header can be sent without breaking the request apart."""
    return bool(_TOKEN.fullmatch(name)) and not _BREAKING.search(value)


def headers(given: Headers, option: str) -> tuple[tuple[str, str], ...]:
    """Header lines "Name: value", pairs, or a mapping, in order. Raises UsageError for what cannot be sent."""
    lines: Iterable[str | tuple[str, str]] = [given] if isinstance(given, str) else given.items() if isinstance(given, Mapping) else given
    return tuple(_header(line, option) for line in lines)


def _header(line: str | tuple[str, str], option: str) -> tuple[str, str]:
    if isinstance(line, str):
        name, colon, value = line.partition(":")
        if not colon:
            raise UsageError(f"{option}: a text without a colon is no header", hint=f"{option} 'Name: value'")
        line = (name.strip(), value.strip())
    if not is_header(*line):
        raise UsageError(f"{option}: the header {line[0]!r} cannot be sent: its name or its value would break the request")
    if line[0].lower() in FRAMING:
        raise UsageError(f"{option}: the header {line[0]} is the engine's own", hint="it follows from the body")
    return line


def body_of(file: str | PathLike[str]) -> bytes:
    """The bytes of a body's file. Raises InputError."""
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", position=Position(str(file))) from error


def has(headers: Iterable[tuple[str, str]], name: str) -> bool:
    """Whether a header of that name is among them."""
    return any(one.lower() == name.lower() for one, _ in headers)


def added(headers: Iterable[tuple[str, str]], more: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Headers with more of them, which take the place of those of their names."""
    return (*(one for one in headers if not has(more, one[0])), *more)
