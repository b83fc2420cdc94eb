"""The tail: percentiles that too few requests make, waits of retransmission timers, stalls, two populations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from abcompare.audit.rows import percentiles
from abcompare.audit.rules import Note, rule
from abcompare.records import Run

_BEYOND = 10  # requests beyond a percentile, at the least
_TIMERS = (1.0, 3.0, 7.0, 9.0, 15.0, 21.0, 31.0)  # s: sums of 1, 2, 4 … (Linux since 3.1) and of 3, 6, 12 … (before)
_EARLY, _LATE = 0.01, 0.04  # how much sooner a timer may fire, and how much longer the rest of a connect may take
_JUMP = 5  # between neighbouring percentiles
_STALL = 10  # the longest request, in p99s
_NOTABLE = 0.2  # s
_DIGITS = 5  # resolutions that a time must be long for its ratio to say anything


@rule("TAIL-UNSUPPORTED", "warning", "a percentile of a few requests")
def tail_unsupported(run: Run) -> Iterator[Note]:
    """The 99 % row of 100 requests is one request. A percentile with fewer than ten requests beyond it moves at random
    from run to run, and says nothing of a server.

    What to do: make more requests, or look at the highest percentile that is supported.
    """
    complete = run.value("requests.complete")
    if not complete:
        return
    found = [(percent, name) for percent, name in percentiles(run) if 50 <= percent < 100]
    weak = [(percent, name) for percent, name in found if complete * (100 - percent) < _BEYOND * 100 - 1e-9]
    if weak:
        held = [percent for percent, _ in found if (percent, _) not in weak]
        rest = f"up to p{held[-1]:g} is supported" if held else "no percentile is supported"
        percent, name = weak[0]
        beyond = complete * (100 - percent) / 100
        yield Note(f"{beyond:.3g} of {complete:,} requests lie beyond p{percent:g}, ten are needed: {rest}", name)


@rule("SYN-RETRANSMIT", "warning", "connections waited for a retransmission timer")
def syn_retransmit(run: Run) -> Iterator[Note]:
    """A connection request that is dropped is sent again after 1 s, then after 2 and 4 more (3, 6 and 12 before 2011).

    Connect times of just over 1, 3, 7, 9 or 21 seconds are those timers, and no work of the server: its listen
    backlog was full (somaxconn, and the backlog in its configuration), or packets were lost.

    What to do: look at ListenOverflows in /proc/net/netstat, raise the backlog, and make the run again; the tail and
    the mean of this run are the timer's.
    """
    longest = run.value("connect.max")
    if longest is not None:
        timer = _timer(longest)
        if timer:
            yield Note(f"the slowest connect took {longest * 1000:,.0f} ms: {timer:g} s of retransmission timers", "connect.max")
        return
    if run.tool.name.startswith("wrk"):
        return  # its latency begins behind the connect
    for (_, one), (percent, other) in pairwise(percentiles(run)):
        low, high = run.value(one) or 0, run.value(other) or 0
        if low < 0.5 * high and (timer := _timer(high)):
            yield Note(f"p{percent:g} jumps from {low * 1000:,.0f} to {high * 1000:,.0f} ms: {timer:g} s of retransmission timers, perhaps", other)
            return


def _timer(seconds: float) -> float | None:
    """The sum of timers that a time is of."""
    return next((one for one in _TIMERS if one * (1 - _EARLY) <= seconds <= one * (1 + _LATE)), None)


@rule("STALL", "warning", "everything stood still for a while")
def stall(run: Run) -> Iterator[Note]:
    """A longest request of ten times p99 or more, in a closed loop: while it waited its connection sent nothing.

    A generator that waits for answers measures a stall once for each connection, though in the same time hundreds of
    requests would have come (coordinated omission). All percentiles below the maximum look better than they are.

    What to do: look for the cause (garbage collection, a full disk, a lock), and measure latency with a fixed rate.
    """
    top, high = run.value("latency.max"), run.value("latency.p99")
    if run.tool.name != "wrk2" and run.load.rate_per_s is None and top and high and top >= _STALL * high and top - high >= _NOTABLE:
        yield Note(f"the longest request took {top:.4g} s, {top / high:.3g} times p99", "latency.max")


@rule("BIMODAL", "info", "two populations of requests")
def bimodal(run: Run) -> Iterator[Note]:
    """A deviation above the mean, a mean of three medians, or a fivefold jump between neighbouring percentiles: there
    are two kinds of requests, say of a cache and of a disk, or of good connections and of timers.

    What to do: find what divides them and measure each; the mean of both describes neither.
    """
    mean, sd, median = (run.measures.get(f"latency.{name}") for name in ("mean", "sd", "median"))
    said = []
    if mean and mean.value and mean.value >= _DIGITS * (mean.resolution or 0):
        if sd and sd.value and sd.value > mean.value:
            said.append(f"the deviation ({sd.value:.4g} s) is above the mean ({mean.value:.4g} s)")
        if median and median.value and mean.value > 3 * median.value >= 3 * _DIGITS * (median.resolution or 0):
            said.append(f"the mean ({mean.value:.4g} s) is {mean.value / median.value:.3g} medians")
    for (lower, one), (upper, other) in pairwise(percentiles(run)):
        low, high = run.measures[one], run.measures[other]
        if low.value and high.value and low.value >= _DIGITS * (low.resolution or 0) and high.value >= _JUMP * low.value and upper < 100:
            said.append(f"p{lower:g} is {low.value:.4g} s and p{upper:g} {high.value:.4g} s")
    if said:
        yield Note("; ".join(said), "latency.sd" if sd else None)
