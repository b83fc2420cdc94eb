"""The rows of wrk2's spectrum from the steps of a histogram."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from abcompare.dialects.wrk.ticks import ticks

Row = tuple[float, float, int]  # value in s, share of the samples, cumulative count


def whole(steps: Sequence[tuple[float, int]]) -> list[Row]:
    """The rows of a histogram that was printed whole: one for each tick up to the last step, and that of 100 %.

    Each has the first step that reaches its tick. The ticks are the same for every histogram, so that a record of
    its steps has all that was printed.
    """
    counts = list(accumulate(count for _, count in steps))
    rows = list[Row]()
    at = 0
    for percent in ticks():
        while 100.0 * counts[at] / counts[-1] < percent:
            at += 1
        rows.append((steps[at][0], percent / 100, counts[at]))
        if at == len(steps) - 1:
            break
    return [*rows, (steps[-1][0], 1.0, counts[-1])]


def in_part(steps: Sequence[tuple[float, int]]) -> list[Row]:
    """The rows of what is left of a histogram: its steps, each with the share of the samples up to it."""
    counts = list(accumulate(count for _, count in steps))
    return [(bound, seen / counts[-1], seen) for (bound, _), seen in zip(steps, counts, strict=True)]
