"""Whether the numbers of a report can be of one run: each that contains the run time bounds it (formats.md 1.10)."""

from __future__ import annotations

from itertools import permutations

from abcompare.bounds import COMPLETE, bounds
from abcompare.dialects.draft import Draft
from abcompare.records import Measure

_TITLES = {
    "duration": "Time taken", "throughput": "Requests per second",
    "latency.closed_loop_mean": "Time per request", "latency.per_request_mean": "Time per request across all",
}  # fmt: skip


def contradiction(draft: Draft, complete: float | None, concurrency: int | None) -> str:
    """Two numbers that no run time fits, each within its printed digits; "" where all agree.

    `complete` is the number of requests, which the command line tells where the report has lost it.
    """
    if not complete:
        return ""
    measures = {name: draft.measures[name] for name in _TITLES if name in draft.measures}
    found = bounds({**measures, COMPLETE: Measure(complete, "1", f"{complete:.0f}", 0.5)}, concurrency)
    for one, other in permutations(found, 2):
        if (one.time & other.time).empty and one.time.low > other.time.high:
            ours, theirs = (f"{_TITLES[name]} {measures[name].text}" for name in (one.name, other.name))
            return f"by {ours} the {complete:.0f} requests took {one.time.low:.6g} s or more, by {theirs} {other.time.high:.6g} s or less"
    return ""
