"""Secrets: found in whatever a log holds, and shown as REDACTED. Nothing of them reaches a record.

What counts as one: the values of names that say so (`Authorization: …`, `"token": "…"`, `?api_key=…`, `--password …`),
the user and password of an address (`http://user:…@host/`, with or without the scheme), what follows "Bearer", and on
command lines the values of the options that hold credentials (ab's -A, -C and -P). In doubt more is hidden than less;
all else stays as it is typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from abcompare.dialects.argv import login_end, words
from abcompare.dialects.secrets.commandline import VALUED, hidden_in, retyped, spans_of
from abcompare.dialects.secrets.names import is_secret, may_hold
from abcompare.dialects.secrets.spans import REDACTED, replaced
from abcompare.records import Target

__all__ = ["REDACTED", "VALUED", "arguments", "command", "folded", "headers", "may_hold", "redact", "target"]

_HEADER = re.compile(r"\W*([\w.-]+)[\"']?\s*[:=]\s*(.*)", re.DOTALL)


def redact(text: str, before: str = "") -> str:
    """`text` without secrets; `before` is what stands before it on its line, and tells what it is."""
    whole = before + text
    if not may_hold(whole):
        return text
    spans = [(max(0, start - len(before)), end - len(before)) for start, end in spans_of(whole)]
    return replaced(text, [span for span in spans if span[1] > 0])


def headers(given: Iterable[str]) -> dict[str, str]:
    """Header lines by name, without secrets."""
    found: dict[str, str] = {}
    for text in given:
        name, colon, value = text.partition(":")
        if name.strip() and colon:
            found[name.strip()] = REDACTED if is_secret(name) else redact(value.strip(), f"{name.strip()}: ")
    return found


def command(typed: str) -> str:
    """A command line as typed, without secrets: only the words that hold one are changed."""
    found, closed = words(typed)
    pieces: list[str] = []
    end = 0
    for word, spans in zip(found, hidden_in([word.text for word in found], loose=not closed), strict=True):
        if spans:
            pieces += (typed[end : word.start], retyped(typed, word, spans))
            end = word.end
    return "".join((*pieces, typed[end:]))


def arguments(argv: Sequence[str]) -> list[str]:
    """The words of a command line; those that are secrets as a whole are replaced."""
    hidden = hidden_in(argv, loose=False)
    return [REDACTED if spans == [(0, len(word))] else word for word, spans in zip(argv, hidden, strict=True)]


def target(asked: Target) -> Target:
    """A target without secrets: its host without user and password, its path without those of its parameters."""
    host, path, server, tls = asked.host, asked.path, asked.server_software, asked.tls
    if host and "@" in host:
        host = host.rpartition("@")[2]
    if path and may_hold(path):
        login = login_end(f"{asked.host}:{asked.port}{path}") - len(f"{asked.host}:{asked.port}")
        path = redact(f"/{REDACTED}{path[login:]}" if 0 < login < len(path) else path)
    if tls and tls.server_name and "@" in tls.server_name:
        tls = type(tls)(tls.protocol, tls.cipher, tls.key_bits, tls.server_temp_key, tls.server_name.rpartition("@")[2], tls.cipher_bits)
    return Target(asked.scheme, host, asked.port, path, redact(server) if server else server, tls)


def folded(line: str, above: str) -> bool:
    """Whether `line` goes on with the value of a secret header that stands `above`: it is further to the right, or
    nothing stands behind the header's name."""
    found = _HEADER.match(above)
    if not found or not is_secret(found[1], found[2]):
        return False
    return _column(line) > _column(above) or (not found[2].strip("\"' \t\r") and not _HEADER.match(line))


def _column(line: str) -> int:
    found = re.search(r"\w", line)
    return found.start() if found else 0
