"""Little's law, L = throughput · mean / C: a check of the log, and no detector of a slow client (statistics.md 4.9)."""

from __future__ import annotations

from collections.abc import Sequence

from abcompare.audit.little import connections, in_flight
from abcompare.compare.scenarios import Meeting
from abcompare.records import Finding, Run

_ENOUGH = 50  # requests for each unit of concurrency
_SLACK = 0.02


def occupancy(run: Run) -> tuple[float, float] | None:
    """The interval of L that the printed digits allow; None where the check does not apply."""
    flight, opened, complete = in_flight(run), connections(run), run.value("requests.complete")
    failed = (run.value("requests.failed") or 0) + sum(run.value(f"errors.{name}") or 0 for name in ("connect", "read", "write", "timeout"))
    if flight is None or not opened or not complete or failed:
        return None
    if complete < _ENOUGH * opened or run.load.rate_per_s is not None:
        return None
    return flight.low / opened, flight.high / opened


def holds(run: Run) -> bool:
    """Whether the mean latency is C / throughput; true where the check does not apply."""
    found = occupancy(run)
    if found is None:
        return True
    mean, duration = run.value("latency.mean") or 0, run.value("duration") or 0
    in_flight = mean / duration if duration else 0.0
    return found[1] >= 1 - in_flight - _SLACK and found[0] <= 1 + _SLACK


def check_little(meeting: Meeting) -> list[Finding]:
    """A finding for a side whose logs do not meet the law: throughput and mean are two numbers there."""
    found = []
    for side, runs in (("base", meeting.base), (meeting.label, meeting.new)):
        outside = [run for run in runs if not holds(run)]
        if outside:
            found.append(_said(side, outside, runs))
    return found


def _said(side: str, outside: Sequence[Run], runs: Sequence[Run]) -> Finding:
    low, high = occupancy(outside[0]) or (0.0, 0.0)
    added = low > 1 + _SLACK and outside[0].tool.name.startswith("wrk")
    why = "wrk's added samples" if added else "the ramp-up, or the client waited between requests"
    return Finding(
        "LITTLE", "info",
        f"in {len(outside)} of {len(runs)} runs of {side} throughput · mean / concurrency is {low:.2f}–{high:.2f} and not 1: {why}; the mean is not C/throughput there",
    )
