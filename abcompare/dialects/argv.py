"""Command lines as words and options: read as data, never executed and never near a shell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from urllib.parse import urlsplit

import msgspec

from abcompare.records import Load, Target

REDACTED = "REDACTED"
_SECRET = r"(?:authorization|cookie|api-key|token|secret)"


def split(command: str) -> list[str]:
    """The words of a command line as a POSIX shell would split them; by blanks where the quotes do not close."""
    try:
        return shlex.split(command, posix=True)
    except ValueError:
        return command.replace('"', " ").replace("'", " ").split()


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


def target(url: str | None) -> Target:
    """A URL taken apart; an empty target for None and for what is no URL."""
    try:
        parts = urlsplit(url if url and "://" in url else f"//{url or ''}")
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return Target()
    if not parts.hostname:
        return Target()
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(scheme=parts.scheme or None, host=parts.hostname, port=port, path=path)


def headers(given: Iterable[str]) -> dict[str, str]:
    """-H options as headers; the values of those that hold secrets are replaced."""
    found: dict[str, str] = {}
    for text in given:
        name, colon, value = text.partition(":")
        if name.strip() and colon:
            found[name.strip()] = REDACTED if re.search(_SECRET, name, re.IGNORECASE) else value.strip()
    return found


def without_secret_headers(command: str) -> str:
    """A command line without the values of -H options that hold secrets."""
    secret = rf"(\s(?:-H|--header[= ])\s*[\"']?[\w-]*{_SECRET}[\w-]*\s*:\s*)[^\"'\n]*"
    return re.sub(secret, rf"\1{REDACTED}", command, flags=re.IGNORECASE)


def merged(printed: Load, asked: Load | None) -> Load:
    """What a report prints, and where it is silent what its command line says."""
    if asked is None:
        return printed
    fields = {name: getattr(asked, name) for name in Load.__struct_fields__ if getattr(printed, name) in (None, {})}
    return msgspec.structs.replace(printed, **fields)
