"""Numbers as wrk prints them (src/units.c): the unit chosen by size, and columns that take it into account."""

from __future__ import annotations

from collections.abc import Sequence

from abcompare.records import Measure
from abcompare.reporters.cells import MOST

_STEP_AT = 0.85  # of the next unit


def _scaled(amount: float, scale: float, base: str, units: Sequence[str], decimals: int) -> str:
    """format_units: divides while a unit follows."""
    unit = base
    for bigger in units:
        if amount < _STEP_AT * scale:
            break
        amount, unit = amount / scale, bigger
    return f"{amount:.{decimals}f}{unit}"


def time_text(seconds: float) -> str:
    """format_time_us: 57.1e-6 → "57.10us", 60 → "1.00m"."""
    if seconds >= 1:
        return _scaled(seconds, 60, "s", ("m",), 2)
    return _scaled(seconds * 1e6, 1000, "us", ("ms",), 2)


def planned_text(seconds: float) -> str:
    """format_time_s without decimals: 30 → "30s", 90 → "2m"."""
    return _scaled(seconds, 60, "s", ("m",), 0)


def size_text(count: float) -> str:
    """format_binary: 84500 → "82.52KB"."""
    return _scaled(count, 1024, "", "KMGT", 2) + "B"


def rate_text(rate: float) -> str:
    """format_metric: 78460 → "78.46k"."""
    return _scaled(rate, 1000, "", "kMGT", 2)


def measure_text(measure: Measure | None, own: bool) -> str | None:
    """A measure as wrk printed it, or would print it; None when there is none, or nothing to print of it."""
    if measure is None or (own and measure.text):
        return measure.text if measure else None
    if measure.value is None or abs(measure.value) > MOST:
        return None
    return {"s": time_text, "B": size_text, "B/s": size_text}.get(measure.unit, rate_text)(measure.value)


def in_column(text: str, width: int) -> str:
    """print_units: the number ends where a unit of two letters would begin, whatever the unit."""
    letters = len(text) - len(text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    blanks = max(0, 2 - letters)
    return text.rjust(width - blanks).ljust(width)
