"""Whether the numbers of a report can be of one run: each that contains the run time bounds it (formats.md 1.10)."""

from __future__ import annotations

from itertools import permutations

from abcompare.dialects.ab.evidence import Interval
from abcompare.dialects.draft import Draft

_FLOAT = 1e-6  # what ab's own arithmetic may lose, as a share
_TITLES = {
    "duration": "Time taken", "throughput": "Requests per second",
    "latency.closed_loop_mean": "Time per request", "latency.per_request_mean": "Time per request across all",
}  # fmt: skip


def contradiction(draft: Draft, complete: float | None, concurrency: int | None) -> str:
    """Two numbers that no run time fits, each within its printed digits; "" where all agree."""
    if not complete:
        return ""
    bounds = {}
    for name in _TITLES:
        measure = draft.measures.get(name)
        if measure is not None and measure.value is not None and measure.resolution is not None:
            interval = _run_time(name, measure.value, measure.resolution, complete, concurrency)
            if interval is not None:
                bounds[f"{_TITLES[name]} {measure.text}"] = interval
    for (name, one), (other, two) in permutations(bounds.items(), 2):
        if one.low * (1 - _FLOAT) > two.high * (1 + _FLOAT):
            return f"by {name} the {complete:.0f} requests took {one.low:.6g} s or more, by {other} {two.high:.6g} s or less"
    return ""


def _run_time(name: str, value: float, half: float, complete: float, concurrency: int | None) -> Interval | None:
    """The run time in seconds that a number allows; None where it allows any."""
    low, high = max(0.0, value - half), value + half
    if name == "throughput":
        return Interval(complete / high, complete / low) if low > 0 else None
    if name == "latency.closed_loop_mean":
        return Interval(low * complete / concurrency, high * complete / concurrency) if concurrency else None
    return Interval(low * complete, high * complete) if name == "latency.per_request_mean" else Interval(low, high)
