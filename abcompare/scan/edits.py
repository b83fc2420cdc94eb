"""Edits of a text, and the map from what they leave to the lines of the file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

Edit = tuple[int, int, str]  # start, end, and what stands there instead


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without markup; `lines` maps offsets of `text` to lines of the file: sorted (offset, line) pairs."""

    text: str
    lines: list[tuple[int, int]]
    ends: tuple[int, ...] = (0,)  # behind the offset ends[k] of the text before, it is shifted by shifts[k]
    shifts: tuple[int, ...] = (0,)
    before: Cleaned | None = None  # the step before, which this one's offsets are of

    def offset(self, original: int) -> int:
        """The offset in the cleaned text of an offset of the original."""
        if self.before:
            original = self.before.offset(original)
        return max(0, original + self.shifts[bisect_right(self.ends, original) - 1])

    def line(self, offset: int) -> int:
        """The line of the file that the character at `offset` of the cleaned text stands on."""
        return self.lines[max(0, bisect_right(self.lines, (offset, 1 << 62)) - 1)][1]

    def lines_between(self, start: int, end: int) -> list[tuple[int, int]]:
        """The map of lines of a part of the text, offsets counted from `start`."""
        first = max(0, bisect_right(self.lines, (start, 1 << 62)) - 1)
        last = bisect_right(self.lines, (end, 1 << 62))
        found = self.lines[first:last]
        return [(max(0, offset - start), line) for offset, line in found] if start else found


def edited(given: Cleaned, edits: Iterable[Edit]) -> Cleaned:
    """`given` with these edits, in order, made to its text."""
    pieces: list[str] = []
    ends, shifts = [0], [0]  # behind the original offset ends[k], clean = original + shifts[k]
    position = length = 0
    for start, end, new in edits:
        pieces += (given.text[position:start], new)
        length += start - position + len(new)
        position = end
        ends.append(position)
        shifts.append(length - position)
    if not pieces:
        return given
    pieces.append(given.text[position:])
    lines = [(max(0, start + shifts[bisect_right(ends, start) - 1]), line) for start, line in given.lines]
    return Cleaned("".join(pieces), lines, tuple(ends), tuple(shifts), given)
