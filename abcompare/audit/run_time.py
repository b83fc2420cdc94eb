"""The run time by every printed number that contains it (formats.md 1.10 and 2.4): the intervals must have a point in common."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from abcompare.audit.rules import Note, rule
from abcompare.audit.spans import span
from abcompare.bounds import ALL, COMPLETE, CONCURRENCY, Bound, Span, bounds, common, ratio
from abcompare.records import Run


def bounds_of(run: Run) -> list[Bound]:
    """The bounds that a run's numbers put on its time. An ab whose banner is lost may be one that cuts bytes to KiB."""
    return bounds(run.measures, run.load.concurrency, floored=run.tool.name == "ab" and run.tool.version is None)


def run_time(run: Run) -> Span | None:
    """The run time in s that every printed number allows, usually with four digits or more; None when there is none."""
    return _known(bounds_of(run))


def _known(found: list[Bound]) -> Span | None:
    time = common(found)
    return None if time.empty or time.high == math.inf else time


class Suspect(NamedTuple):
    """A number without which the others agree, the run time that they allow, and what it would have to be."""

    name: str
    time: Span
    needed: Span


def suspects(found: list[Bound], run: Run) -> Iterator[Suspect]:
    """The numbers of which one alone can be wrong."""
    for name in dict.fromkeys([one.name for one in found] + [part for one in found for part in one.of]):
        rest = [one for one in found if name != one.name and name not in one.of]
        time = _known(rest)
        if time is None:
            continue
        needed = ALL
        for one in found:
            if one.name == name:
                needed &= one.needed(time)
            elif name in one.of and (number := span(run, one.name)) is not None:
                needed &= _part(name, one, one.amount_needed(time, number), run)
        if not needed.empty and needed.high > 0:
            yield Suspect(name, time, needed)


def _part(name: str, bound: Bound, amount: Span, run: Run) -> Span:
    """What one of the numbers that an amount is made of would have to be."""
    if name == CONCURRENCY:  # the amount is requests / concurrency
        complete = span(run, COMPLETE) or Span(0, 0)
        return Span(ratio(complete.low, amount.high), ratio(complete.high, amount.low))
    if bound.of == (COMPLETE, CONCURRENCY):
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
    found = bounds_of(run)
    if _known(found) is not None or not found or all(one.time.high == math.inf for one in found):
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
