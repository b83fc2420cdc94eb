"""The run time by every printed number that contains it (formats.md 1.10 and 2.4): the intervals must have a point in common."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from abcompare.audit.rules import Note, rule
from abcompare.audit.spans import FLOAT, Span, span
from abcompare.records import Run

_RATES = (
    ("transfer_rate.received", ("bytes.received",)),
    ("transfer_rate.sent", ("bytes.sent",)),
    ("transfer_rate.total", ("bytes.received", "bytes.sent")),
)
_COMPLETE, _CONCURRENCY = "requests.complete", "load.concurrency"


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
            return Span(_ratio(self.amount.low, time.high), _ratio(self.amount.high, time.low))
        return Span(_ratio(time.low, self.amount.high), _ratio(time.high, self.amount.low))

    def amount_needed(self, time: Span, number: Span) -> Span:
        """What the amount would have to be for a run time."""
        if self.inverse:
            return Span(number.low * time.low, number.high * time.high)
        return Span(_ratio(time.low, number.high), _ratio(time.high, number.low))


def bounds(run: Run) -> list[Bound]:
    """The bounds that the numbers of a run put on its time; at most one a number."""
    found = []
    complete = span(run, _COMPLETE)
    one = Span(1.0, 1.0)
    concurrency = run.load.concurrency
    if (duration := span(run, "duration")) is not None:
        found.append(Bound("duration", (), duration, one, False))
    if complete and complete.low > 0:
        if (rate := span(run, "throughput")) is not None:
            found.append(_by_rate("throughput", (_COMPLETE,), rate, complete))
        if (each := span(run, "latency.per_request_mean")) is not None:
            found.append(_by_mean("latency.per_request_mean", (_COMPLETE,), each, complete))
        if concurrency and (closed := span(run, "latency.closed_loop_mean")) is not None:
            share = Span(complete.low / concurrency, complete.high / concurrency)
            found.append(_by_mean("latency.closed_loop_mean", (_COMPLETE, _CONCURRENCY), closed, share))
    for name, parts in _RATES:
        rate, sizes = span(run, name), [span(run, part) for part in parts]
        if rate is None or None in sizes:
            continue
        size = Span(sum(one.low for one in sizes if one), sum(one.high for one in sizes if one))
        if name == "transfer_rate.received" and run.tool.name == "ab" and run.tool.version is None:
            size = Span(size.low - size.low % 1024, size.high)  # as 2.0.17 to 2.2.8 do, and this may be one of them
        if size.low > 0:
            found.append(_by_rate(name, parts, rate, size))
    return found


def _by_rate(name: str, of: tuple[str, ...], rate: Span, amount: Span) -> Bound:
    return Bound(name, of, _widened(Span(_ratio(amount.low, rate.high), _ratio(amount.high, rate.low))), amount, True)


def _by_mean(name: str, of: tuple[str, ...], mean: Span, amount: Span) -> Bound:
    return Bound(name, of, _widened(Span(mean.low * amount.low, mean.high * amount.high)), amount, False)


def _widened(time: Span) -> Span:
    return Span(time.low * (1 - FLOAT), time.high * (1 + FLOAT))


def _ratio(one: float, other: float) -> float:
    return one / other if other else math.inf if one else 0.0


def run_time(run: Run) -> Span | None:
    """The run time in s that every printed number allows, usually with four digits or more; None when there is none."""
    return _common(bounds(run))


def _common(found: list[Bound]) -> Span | None:
    time = Span(0.0, math.inf)
    for one in found:
        time &= one.time
    return None if not found or time.empty or time.high == math.inf else time


class Suspect(NamedTuple):
    """A number without which the others agree, the run time that they allow, and what it would have to be."""

    name: str
    time: Span
    needed: Span


def suspects(found: list[Bound], run: Run) -> Iterator[Suspect]:
    """The numbers of which one alone can be wrong."""
    for name in dict.fromkeys([one.name for one in found] + [part for one in found for part in one.of]):
        rest = [one for one in found if name != one.name and name not in one.of]
        time = _common(rest)
        if time is None:
            continue
        needed = Span(0.0, math.inf)
        for one in found:
            if one.name == name:
                needed &= one.needed(time)
            elif name in one.of and (number := span(run, one.name)) is not None:
                needed &= _part(name, one, one.amount_needed(time, number), run)
        if not needed.empty and needed.high > 0:
            yield Suspect(name, time, needed)


def _part(name: str, bound: Bound, amount: Span, run: Run) -> Span:
    """What one of the numbers that an amount is made of would have to be."""
    if name == _CONCURRENCY:  # the amount is requests / concurrency
        complete = span(run, _COMPLETE) or Span(0, 0)
        return Span(_ratio(complete.low, amount.high), _ratio(complete.high, amount.low))
    if bound.of == (_COMPLETE, _CONCURRENCY):
        concurrency = run.load.concurrency or 1
        return Span(amount.low * concurrency, amount.high * concurrency)
    others = [span(run, other) or Span(0, 0) for other in bound.of if other != name]
    return Span(amount.low - sum(one.high for one in others), amount.high - sum(one.low for one in others))


@rule("RUN-TIME", "error", "the numbers of a report do not agree on how long the run took")
def run_time_rule(run: Run) -> Iterator[Note]:
    """Throughput, both "Time per request" lines and the transfer rate are all made from the same run time.

    Each printed number that contains it bounds the true run time within its printed digits: requests / throughput,
    mean · requests / concurrency, bytes / transfer rate, and the time itself. The intervals of an honest report have
    a point in common. Where they have none, a number was edited, mistyped, or belongs to another run.

    What to do: get the original output. The message names the one number that does not fit, when there is one, and
    what it would have to be; where two numbers stand against each other nobody can tell which is right.
    """
    found = bounds(run)
    if _common(found) is not None or not found or all(one.time.high == math.inf for one in found):
        return
    odd = list(suspects(found, run))
    if len(odd) > 3:
        odd = []
    if not odd:
        told = ", ".join(f"{_printed(run, one.name)} → {_seconds(one.time)}" for one in found)
        yield Note(f"no run time fits these numbers, and no single one is to blame: {told}")
        return
    told = " or ".join(f"{_printed(run, one.name)} does not fit: it would have to be {_needed(run, one)}" for one in odd)
    yield Note(f"{told}; by the other numbers the run took {_seconds(odd[0].time)}", odd[0].name)


def _printed(run: Run, name: str) -> str:
    return f"{name} {run.measures[name].text if name in run.measures else run.load.concurrency}"


def _seconds(time: Span) -> str:
    return _range(time, 1.0) + " s"


def _needed(run: Run, one: Suspect) -> str:
    """An interval in the unit that the number was printed in."""
    measure = run.measures.get(one.name)
    if measure is None or measure.value is None:
        return _range(one.needed, 1.0)
    try:
        scale = float(measure.text) / float(measure.value)
    except (ValueError, ZeroDivisionError):
        return f"{_range(one.needed, 1.0)} {measure.unit}"
    return _range(one.needed, scale)


def _range(of: Span, scale: float) -> str:
    low, high = (f"{end * scale:.6g}" for end in of)
    return low if low == high else f"{low} to {high}"
