"""The numbers of a run as intervals, and which of two is larger whatever their last digits were."""

from __future__ import annotations

import msgspec

from abcompare.bounds import FLOAT, Span, span_of
from abcompare.records import Run

_MOST = 1e18  # no count, size or time of a run is larger; an archive may hold anything


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
