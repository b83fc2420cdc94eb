"""The rows that HdrHistogram prints of a histogram (hdr_percentiles_print, five ticks a half)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

_TICKS = 5  # in each half of what is left to 100 %


def ticks() -> Iterator[float]:
    """The percents at which a row is printed, the same for every histogram; they come ever closer to 100."""
    percent = 0.0
    while percent < 100:
        yield percent
        halves = int(math.log(100 / (100 - percent)) / math.log(2)) + 1
        percent += 100 / (_TICKS * 2**halves)
    yield 100.0


def missing(fractions: Sequence[str]) -> str:
    """What shows that rows of a printed histogram are missing; empty when it stands whole.

    Only the last row is 1.000000, and the rows before it are the ticks in their order.
    """
    *rows, last = fractions
    for row, tick in zip(rows, ticks(), strict=False):
        if abs(float(row) - tick / 100) > 1e-6:  # one unit of the last printed digit
            return f"the row of {row} stands where that of {tick / 100:.6f} would be"
    return "" if float(last) == 1 else f"the last row is that of {last}"
