"""Places in a text: in order, and shown as REDACTED."""

from __future__ import annotations

from collections.abc import Iterable

REDACTED = "REDACTED"
Span = tuple[int, int]


def replaced(text: str, spans: list[Span]) -> str:
    """`text` with REDACTED in the place of each of these spans."""
    pieces: list[str] = []
    end = 0
    for start, stop in joined(spans):
        pieces += (text[end:start], REDACTED)
        end = stop
    return "".join((*pieces, text[end:])) if pieces else text


def joined(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that touch as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
