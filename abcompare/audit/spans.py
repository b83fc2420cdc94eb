"""Printed numbers as intervals: what a value can have been before a tool rounded it."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from abcompare.records import Measure, Run

# What single-precision arithmetic loses (ab 2.0.17–2.2.8), as a share; newer versions lose far less.
FLOAT = 3e-7


_MOST = 1e18  # no count, size or time of a run is larger; an archive may hold anything


class Span(NamedTuple):
    """A closed interval; no value at all lies in one whose low end is above its high end."""

    low: float
    high: float

    def __and__(self, other: Span) -> Span:
        return Span(max(self.low, other.low), min(self.high, other.high))

    @property
    def empty(self) -> bool:
        """Whether no value lies in it, rounding of floating-point arithmetic aside."""
        return self.low > self.high * (1 + 2 * FLOAT)

    @property
    def middle(self) -> float:
        """The middle of it."""
        return (self.low + self.high) / 2


def span_of(measure: Measure | None) -> Span | None:
    """What the value of a measure can have been; None when there is none, or nobody knows how it was rounded.

    Counts are exact, though they have a resolution: half a request is none.
    """
    if measure is None or measure.value is None or measure.resolution is None:
        return None
    value = float(measure.value)
    if (measure.unit == "1" and measure.text.isdigit()) or (measure.unit == "B" and measure.resolution <= 0.5):
        return Span(value, value)
    if measure.rounding == "down":
        return Span(value, value + 2 * measure.resolution)
    return Span(max(0.0, value - measure.resolution), value + measure.resolution)


def span(run: Run, name: str) -> Span | None:
    """The interval of one measure of a run."""
    return span_of(run.measures.get(name))


def above(run: Run, one: str, other: str, slack: float = 0.0) -> bool:
    """Whether `one` is larger than `other` by more than their printed digits and `slack` allow; False without either.

    Rounding keeps the order: of two numbers that are rounded alike the larger one is never printed smaller.
    """
    a, b = run.measures.get(one), run.measures.get(other)
    if a is None or b is None or a.value is None or b.value is None:
        return False
    if not slack and a.resolution is not None and a.resolution == b.resolution and a.rounding == b.rounding:
        return a.value > b.value * (1 + 1e-12)
    first, second = span_of(a), span_of(b)
    if first is None or second is None:
        return False
    return first.low > (second.high + slack) * (1 + FLOAT)


def shown(run: Run, name: str) -> str:
    """A measure as it was printed, with its name."""
    return f"{name} {run.measures[name].text}"


def plausible(run: Run) -> Run:
    """The run without numbers that none can have: below zero, or beyond all measure."""
    measures = {name: one for name, one in run.measures.items() if one.value is None or 0 <= one.value <= _MOST}
    counts = {name: getattr(run.load, name) for name in ("concurrency", "threads", "requests", "duration_s", "rate_per_s")}
    odd = {name: None for name, count in counts.items() if count is not None and not 0 <= count <= _MOST}
    if len(measures) == len(run.measures) and not odd:
        return run
    return msgspec.structs.replace(run, measures=measures, load=msgspec.structs.replace(run.load, **odd))
