"""Printed numbers as intervals, and the run time that each of them allows (formats.md 1.10 and 2.4).

Throughput, both "Time per request" lines and the transfer rates are made from one run time, so that each bounds it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from abcompare.records import Measure

# What single-precision arithmetic loses (ab 2.0.17–2.2.8), as a share; newer versions lose far less.
FLOAT = 3e-7
_KIB = 1024
_RATES = (
    ("transfer_rate.received", ("bytes.received",)),
    ("transfer_rate.sent", ("bytes.sent",)),
    ("transfer_rate.total", ("bytes.received", "bytes.sent")),
)
COMPLETE, CONCURRENCY = "requests.complete", "load.concurrency"


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

    def holds(self, value: float, slack: float) -> bool:
        """Whether `value`, itself known to ± `slack`, can lie here."""
        return self.low - slack <= value <= self.high + slack


ALL = Span(0.0, math.inf)


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


class Bound(NamedTuple):
    """The run time in s that some numbers allow: time = amount / rate, or amount · number.

    `amount` is what the run time is multiplied or divided by, with the names of the numbers that it is made of.
    """

    name: str
    of: tuple[str, ...]
    time: Span
    amount: Span
    inverse: bool  # whether the number is amount / time, and not time / amount

    def needed(self, time: Span) -> Span:
        """What the number would have to be for a run time."""
        if self.inverse:
            return Span(ratio(self.amount.low, time.high), ratio(self.amount.high, time.low))
        return Span(ratio(time.low, self.amount.high), ratio(time.high, self.amount.low))

    def amount_needed(self, time: Span, number: Span) -> Span:
        """What the amount would have to be for a run time."""
        if self.inverse:
            return Span(number.low * time.low, number.high * time.high)
        return Span(ratio(time.low, number.high), ratio(time.high, number.low))


def bounds(measures: Mapping[str, Measure], concurrency: int | None, *, floored: bool = False) -> list[Bound]:
    """The bounds that numbers put on the run time; at most one a number.

    `floored` says that the bytes received may have been cut to whole KiB before they were divided (ab 2.0.17–2.2.8).
    """
    found = []
    complete = span_of(measures.get(COMPLETE))
    if (duration := span_of(measures.get("duration"))) is not None:
        found.append(Bound("duration", (), duration, Span(1.0, 1.0), False))
    if complete and complete.low > 0:
        if (rate := span_of(measures.get("throughput"))) is not None:
            found.append(_by_rate("throughput", (COMPLETE,), rate, complete))
        if concurrency and (closed := span_of(measures.get("latency.closed_loop_mean"))) is not None:
            share = Span(complete.low / concurrency, complete.high / concurrency)
            found.append(_by_mean("latency.closed_loop_mean", (COMPLETE, CONCURRENCY), closed, share))
        if (each := span_of(measures.get("latency.per_request_mean"))) is not None:
            found.append(_by_mean("latency.per_request_mean", (COMPLETE,), each, complete))
    for name, parts in _RATES:
        rate, sizes = span_of(measures.get(name)), [span_of(measures.get(part)) for part in parts]
        if rate is None or None in sizes:
            continue
        size = Span(sum(one.low for one in sizes if one), sum(one.high for one in sizes if one))
        if floored and name == "transfer_rate.received":
            size = Span(size.low - size.low % _KIB, size.high)
        if size.low > 0:
            found.append(_by_rate(name, parts, rate, size))
    return found


def common(found: Iterable[Bound]) -> Span:
    """The run time that all of them allow; an empty span where they have none in common."""
    time = ALL
    for one in found:
        time &= one.time
    return time


def ratio(one: float, other: float) -> float:
    """A quotient; without a divisor infinite, or 0 of 0."""
    return one / other if other else math.inf if one else 0.0


def _by_rate(name: str, of: tuple[str, ...], rate: Span, amount: Span) -> Bound:
    return Bound(name, of, _widened(Span(ratio(amount.low, rate.high), ratio(amount.high, rate.low))), amount, True)


def _by_mean(name: str, of: tuple[str, ...], mean: Span, amount: Span) -> Bound:
    return Bound(name, of, _widened(Span(mean.low * amount.low, mean.high * amount.high)), amount, False)


def _widened(time: Span) -> Span:
    return Span(time.low * (1 - FLOAT), time.high * (1 + FLOAT))
