"""The same load, smaller or larger: counts and durations times a factor, never so small that nothing is loaded."""

from __future__ import annotations

import math

from msgspec.structs import replace

from abcompare.errors import UsageError
from abcompare.plan import amounts
from abcompare.records import Load, Number

_LEAST_S = 1  # a shorter run is mostly its beginning and its end


def factor(given: str | float, option: str) -> float:
    """A factor above 0: 0.1, "0.1" or "10%". Raises UsageError for anything else."""
    text = str(given).strip()
    try:
        found = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        found = math.nan
    if not (math.isfinite(found) and found > 0):
        raise UsageError(f"{option}: {given!r} is no factor above 0", hint="as in 0.1")
    amounts.within(option, found)
    return found


def scaled(load: Load, by: float) -> tuple[Load, tuple[str, ...]]:
    """A load times a factor, and what changed: "1,000 requests in place of 50,000".

    Each connection makes one request at least, and a time is one second at least, unless the archived run made less.
    Times of a second or more are whole seconds, which is what every tool takes.
    """
    if by == 1:
        return load, ()
    requests = None if load.requests is None else _requests(load.requests, load.concurrency or 1, by)
    duration = None if load.duration_s is None else _seconds(load.duration_s, by)
    said = []
    if load.requests is not None and requests != load.requests:
        said.append(f"{requests:,} requests in place of {load.requests:,}")
    if load.duration_s is not None and duration != load.duration_s:
        said.append(f"{duration:g} s in place of {load.duration_s:g} s")
    return replace(load, requests=requests, duration_s=duration), tuple(said)


def _requests(requests: int, concurrency: int, by: float) -> int:
    return max(round(requests * by), min(requests, concurrency), 1)


def _seconds(duration: Number, by: float) -> Number:
    wanted = duration * by
    return max(round(wanted), min(duration, _LEAST_S))
