"""Windows: the parts of a byte stream that may hold a report, found at the speed of a byte search.

Memory is bounded by the window: a gigabyte of prose costs one chunk, and a file that is all reports is cut into
windows at a report's head.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

CHUNK = 1 << 20
SMALL = 1 << 16  # a text up to this size is one window: nothing can be too far from its report
GAP, GAP_LINES = 20_000, 60  # two anchors further apart than this, in bytes and in lines, stand in different windows
BEFORE = 4_000  # bytes of context above an anchor: prompts and command lines stand there
AFTER, ROWS = 2_000, 16  # bytes and lines below the last anchor that may be rows of its table, whichever is more
LINE = 1 << 14  # a line longer than this may be cut anywhere
LARGEST = 1 << 20  # a window that grows past this is cut


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a file: its bytes, the line (1-based) of the first, and how many bytes are context only."""

    data: bytes
    line: int
    context: int = 0


class Words:
    """The prefilter: literal fragments of the anchors, and the ones at which a long window may be cut.

    A long text is searched for `rare` alone, the fragments that begin with no small letter: a search is as fast as
    the first characters of what it looks for are rare (30 MB/s with all of them, 200 without).
    """

    def __init__(self, words: Iterable[str], heads: Iterable[str]) -> None:
        self.any = _either(words)
        self.rare = _either(word for word in words if not word[0].islower())
        self.head = _either(heads)
        self.overlap = max(len(word.encode()) for word in words)


def _either(words: Iterable[str]) -> re.Pattern[bytes]:
    return re.compile(b"|".join(re.escape(word.encode()) for word in sorted(set(words))))


def windows(stream: BinaryIO, words: Words) -> Iterator[Window]:
    """The windows of `stream`, in order; they overlap in context only."""
    data = stream.read(SMALL)
    if len(data) < SMALL:
        if words.any.search(data):
            yield Window(data, 1)
        return
    yield from _long(data, stream, words)


def _long(data: bytes, stream: BinaryIO, words: Words) -> Iterator[Window]:
    base, line = 0, 1  # the absolute offset and the line of data[0]
    context = 0  # how much of data, from its start, was part of an earlier window
    first = last = -1  # the anchors of the open window, as offsets in data
    scanned = 0
    while True:
        for found in words.rare.finditer(data, max(0, scanned - words.overlap)):
            at = found.start()
            if at < context:
                continue
            if first >= 0 and _far(data, last, at):
                yield _window(data, line, first, last, context)
                context = min(_below(data, last), at)
                first = -1
            first = at if first < 0 else first
            last = at
            if last - first > LARGEST:
                end = _head(data, words, first, last)
                yield _window(data, line, first, end, context, cut=True)
                context, first, last = end, end, at
        scanned = len(data)
        if first >= 0 and _far(data, last, scanned):  # what follows is too far to be of this window
            yield _window(data, line, first, last, context)
            context, first = _below(data, last), -1
        keep = max(0, (first if first >= 0 else scanned) - BEFORE)
        keep = _line_start(data, keep)
        line += data.count(b"\n", 0, keep)
        data, base = data[keep:], base + keep
        context, scanned = max(0, context - keep), scanned - keep
        if first >= 0:
            first, last = first - keep, last - keep
        more = stream.read(CHUNK)
        if not more:
            break
        data += more
    if first >= 0:
        yield _window(data, line, first, last, context)


def _head(data: bytes, words: Words, first: int, last: int) -> int:
    """Where a window that has grown too long is cut: at the line of the last head in it, else at its last anchor."""
    heads = [found.start() for found in words.head.finditer(data, first + 1, last + words.overlap)]
    at = _line_start(data, heads[-1]) if heads else 0
    return at if at > first else last


def _line_start(data: bytes, at: int) -> int:
    """The start of the line at `at`; `at` itself where the line is so long that its start does not matter."""
    start = data.rfind(b"\n", max(0, at - LINE), at)
    return start + 1 if start >= 0 or at <= LINE else at


def _far(data: bytes, last: int, at: int) -> bool:
    """Whether `at` is too far from the anchor at `last` to be of its report. Lines may be wide: for a log's frame, or
    for other reports that stand beside it."""
    return at - last > GAP and (at - last > LARGEST or data.count(b"\n", last, at) > GAP_LINES)


def _below(data: bytes, last: int) -> int:
    """The end of what may belong to the anchor at `last`: rows of its table, which are lines without an anchor."""
    end = last
    for _ in range(ROWS):
        end = data.find(b"\n", end + 1, last + LARGEST)
        if end < 0:
            return min(len(data), last + LARGEST)
    return max(end, last + AFTER)


def _window(data: bytes, line: int, first: int, last: int, context: int, *, cut: bool = False) -> Window:
    """The window from BEFORE bytes above `first` to what may belong to `last`, or to `last` itself where it is cut."""
    start = _line_start(data, max(0, first - BEFORE))
    end = last if cut else data.find(b"\n", _below(data, last))
    part = data[start:] if end < 0 else data[start:end]
    return Window(part, line + data.count(b"\n", 0, start), max(0, context - start))
