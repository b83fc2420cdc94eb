"""Little's law: requests in flight are throughput times mean time, and no more than the connections (statistics.md 4.9)."""

from __future__ import annotations

from collections.abc import Iterator

from abcompare.audit.rules import Note, rule
from abcompare.audit.spans import above, shown, span
from abcompare.bounds import Span
from abcompare.records import Run

_MORE, _IDLE, _ENOUGH = 1.02, 0.8, 50  # shares of the connections, and the requests for each from which on the law speaks


def connections(run: Run) -> int | None:
    """The connections that were really open: wrk opens threads·floor(connections/threads)."""
    concurrency, threads = run.load.concurrency, run.load.threads
    if concurrency and threads and run.tool.name.startswith("wrk"):
        return threads * (concurrency // threads) or concurrency
    return concurrency


def in_flight(run: Run) -> Span | None:
    """Throughput times mean latency, as far as the printed digits of the mean tell; None without both."""
    rate, mean = run.value("throughput"), span(run, "latency.mean")
    return Span(rate * mean.low, rate * mean.high) if rate and mean else None


@rule("LITTLE", "error", "the mean time of a request is longer than the run allows")
def little(run: Run) -> Iterator[Note]:
    """In a closed loop each of the C connections is busy with one request at a time.

    All times together therefore fit in C times the run time, and the mean of "Total" cannot exceed the first "Time
    per request", which is just that: C · run time / requests. A larger mean was edited, or the numbers are of two runs.
    wrk's own mean may be larger, for wrk adds samples that it did not measure; LITTLE-ADDED says so.

    What to do: get the original output.
    """
    if run.tool.name != "ab" or run.load.rate_per_s is not None:
        return
    if above(run, "latency.mean", "latency.closed_loop_mean", slack=0.001):
        yield Note(f"{shown(run, 'latency.mean')} ms is more than {shown(run, 'latency.closed_loop_mean')} ms for each connection", "latency.mean")


@rule("LITTLE-ADDED", "info", "wrk added samples to its latencies")
def added(run: Run) -> Iterator[Note]:
    """Requests per second times the mean latency is the number of requests in flight, and cannot exceed the connections.

    Where it does by more than 2 %, wrk added latencies that nobody measured: since 4.0.0 it corrects for the
    requests that a slow answer kept from being sent. Its mean and percentiles are then longer than what clients saw,
    and no match for those of ab or another tool.

    What to do: compare requests per second; compare latencies with wrk of the same version only.
    """
    flight, opened = in_flight(run), connections(run)
    if run.tool.name == "wrk" and flight and opened and run.value("requests.complete") and flight.low > _MORE * opened:
        rate, mean = run.value("throughput") or 0, run.measures["latency.mean"].text
        yield Note(f"{rate:,.2f}/s · {mean} are {flight.low:,.1f} requests in flight, and {opened} connections were open", "latency.mean")


@rule("CLIENT-BOUND", "info", "the load generator may have been the limit")
def client_bound(run: Run) -> Iterator[Note]:
    """By Little's law, requests in flight are throughput times mean time. Where they are much fewer than the
    connections, these were often idle: the generator did not keep up, or it took long to start them all.

    From a log alone this is possible and not certain.

    What to do: look at the generator's CPU during the run; use several processes (wrk -t, abcompare run --processes).
    """
    flight, opened, complete = in_flight(run), connections(run), run.value("requests.complete")
    if flight is None or not opened or not complete or run.load.rate_per_s is not None:
        return
    if run.tool.name in ("wrk2", "abcompare"):  # an open loop, and the engine that knows its own CPU
        return
    if complete < _ENOUGH * opened or run.value("requests.failed"):
        return
    if flight.high < _IDLE * opened:
        rate, mean = run.value("throughput") or 0, run.value("latency.mean") or 0
        told = f"{flight.high:.3g} requests were in flight at the most, of {opened:,} connections"
        yield Note(f"possible: {told} ({rate:,.6g}/s · {mean:.4g} s)", "latency.mean")
