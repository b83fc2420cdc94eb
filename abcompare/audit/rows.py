"""The tables of times: rows, columns and percentiles that must be in order (formats.md 1.10, 2.4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from abcompare.audit.rules import Note, rule
from abcompare.audit.spans import above, shown, span
from abcompare.metrics import percentile_of
from abcompare.records import Run

_FAMILIES = ("latency", "connect", "processing", "waiting", "uncorrected_latency")
_HDR = 0.001  # what an HdrHistogram of three digits loses, as a share


def percentiles(run: Run, family: str = "latency") -> list[tuple[float, str]]:
    """The percentiles of a family with a value, in their order: (percent, name of the measure)."""
    start = f"{family}.p"
    found = [
        (percent, name) for name, one in run.measures.items()
        if name.startswith(start) and one.value is not None and (percent := percentile_of(name)) is not None
    ]  # fmt: skip
    return sorted(found)


@rule("PERCENTILE-ORDER", "error", "a percentile is below a smaller one")
def percentile_order(run: Run) -> Iterator[Note]:
    """The share of requests served within a time grows with the time, so percentiles never fall.

    A row that is below the one before it was edited, or belongs to another table.

    What to do: get the original output; nothing about the tail can be said from this table.
    """
    for family in ("latency", "uncorrected_latency"):
        for (_, one), (_, other) in pairwise(percentiles(run, family)):
            if above(run, one, other):
                yield Note(f"{shown(run, one)} is more than {shown(run, other)}", other)


@rule("ROW-ORDER", "error", "a mean or a median outside of minimum and maximum")
def row_order(run: Run) -> Iterator[Note]:
    """In each row of times the smallest is at most the mean and the median, and they are at most the largest.

    What to do: get the original output; one of the numbers was edited, or a column was lost and the others moved.
    """
    for family in _FAMILIES:
        for low, high in (("min", "mean"), ("min", "median"), ("mean", "max"), ("median", "max"), ("min", "max")):
            slack = _HDR * (run.value(f"{family}.max") or 0) if run.tool.name == "wrk2" else 0.0
            if above(run, f"{family}.{low}", f"{family}.{high}", slack):
                yield Note(f"{shown(run, f'{family}.{low}')} is more than {shown(run, f'{family}.{high}')}", f"{family}.{high}")


@rule("PERCENTILE-RANGE", "error", "a percentile outside of minimum and maximum, or unlike median and maximum")
def percentile_range(run: Run) -> Iterator[Note]:
    """Every percentile is a time that was measured: between the smallest and the largest, and the 100 % row is the largest.

    ab's 50 % row is its median when the requests are even in number, and at most its median when they are odd.

    What to do: get the original output; the two tables are not of one run, or a number was edited.
    """
    found = percentiles(run)
    slack = _HDR * (run.value("latency.max") or 0) if run.tool.name == "wrk2" else 0.0
    for _, name in found[:1]:
        if above(run, "latency.min", name):
            yield Note(f"{shown(run, name)} is less than {shown(run, 'latency.min')}", name)
    for percent, name in found[-1:]:
        if above(run, name, "latency.max", slack):
            yield Note(f"{shown(run, name)} is more than {shown(run, 'latency.max')}", name)
        elif run.tool.name == "ab" and percent == 100 and above(run, "latency.max", name):
            yield Note(f"{shown(run, name)} is less than {shown(run, 'latency.max')}, and both are the longest request", name)
    complete = run.value("requests.complete")
    if run.tool.name != "ab" or not complete or run.load.threads is not None:
        return
    if above(run, "latency.p50", "latency.median"):
        yield Note(f"{shown(run, 'latency.p50')} is more than {shown(run, 'latency.median')}", "latency.median")
    elif complete % 2 == 0 and above(run, "latency.median", "latency.p50"):
        yield Note(f"{shown(run, 'latency.p50')} is less than {shown(run, 'latency.median')}, and of an even number of requests both are the same", "latency.median")


@rule("ROW-SUM", "error", "Connect and Processing do not add up to Total")
def row_sum(run: Run) -> Iterator[Note]:
    """ab's Total is Connect plus Processing for each request, so the means add up; Waiting is a part of Processing.

    Minimum and maximum of the sum lie between the sums of theirs. All within the rounding of whole milliseconds.

    What to do: get the original output; a row was edited, or rows of two runs were mixed.
    """
    if run.tool.name != "ab":
        return
    for column in ("mean", "min", "max"):
        total, connect, processing = (span(run, f"{family}.{column}") for family in ("latency", "connect", "processing"))
        if total is None or connect is None or processing is None:
            continue
        slack = total.high - total.low + 1e-9
        low, high = connect.low + processing.low - slack, connect.high + processing.high + slack
        wrong = (total.high < low and column != "max") or (total.low > high and column != "min")
        if wrong:
            parts = " and ".join(shown(run, f"{family}.{column}") for family in ("connect", "processing"))
            yield Note(f"{parts} do not add up to {shown(run, f'latency.{column}')}", f"latency.{column}")
    if run.measures.get("processing.mean") and run.measures["processing.mean"].method == "difference":
        return  # the row was made from Total and Connect, column by column
    for column in ("mean", "min", "median", "max"):
        if above(run, f"waiting.{column}", f"processing.{column}"):
            yield Note(f"{shown(run, f'waiting.{column}')} is more than {shown(run, f'processing.{column}')}, of which it is a part", f"waiting.{column}")


@rule("DEVIATION", "error", "a standard deviation that no such times can have")
def deviation(run: Run) -> Iterator[Note]:
    """Times between a smallest and a largest around a mean can spread only so far (the inequality of Bhatia and Davis).

    The variance is at most (max − mean)·(mean − min), within the printed digits.

    What to do: get the original output; the deviation or an end of the range was edited.
    """
    complete = run.value("requests.complete")
    for family in _FAMILIES:
        low, mean, high, sd = (span(run, f"{family}.{column}") for column in ("min", "mean", "max", "sd"))
        if low is None or mean is None or high is None or sd is None or not complete or complete < 2 or run.load.threads is not None:
            continue
        widest = mean.high - mean.low
        most = (high.high - mean.low + widest / 2) * (mean.high + widest / 2 - low.low) * complete / (complete - 1)
        if sd.low > 0 and sd.low**2 > most:
            yield Note(f"{shown(run, f'{family}.sd')} is more than times from {shown(run, f'{family}.min')} to {shown(run, f'{family}.max')} can have", f"{family}.sd")


@rule("WRK-TABLE", "error", "wrk's table of latencies contradicts itself")
def wrk_table(run: Run) -> Iterator[Note]:
    """wrk's mean and its deviation are at most the maximum, and no percentile is above it.

    wrk prints each number in its own unit, so that each is compared within its own digits.

    What to do: get the original output; a unit was lost or a number was edited.
    """
    if not run.tool.name.startswith("wrk"):
        return
    slack = _HDR * (run.value("latency.max") or 0) if run.tool.name == "wrk2" else 0.0
    for column in ("mean", "sd"):
        if above(run, f"latency.{column}", "latency.max", slack):
            yield Note(f"{shown(run, f'latency.{column}')} is more than {shown(run, 'latency.max')}", f"latency.{column}")
