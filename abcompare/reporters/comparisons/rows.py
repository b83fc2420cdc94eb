"""Rows of a comparison as cells of a table: base, new, change, interval, test and verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from abcompare.comparison import Centre, Comparison, Failures, Row, Scenario
from abcompare.metrics import percentile_of
from abcompare.reporters.cells import visible
from abcompare.reporters.comparisons.names import kind_name, metric_name, verdict_name
from abcompare.reporters.comparisons.notes import Marks
from abcompare.reporters.comparisons.numbers import (
    at_most,
    centre_text,
    change,
    interval,
    p_value,
    points,
    printed_step,
    share,
    signed,
)
from abcompare.reporters.style import Role
from abcompare.reporters.table import Column

LAW = "= C/throughput"
LAW_NOTE = "the throughput in other words: concurrency / throughput"
_LAW_SLACK = 0.05  # by which throughput · mean / concurrency may miss 1: the last requests in flight (statistics.md 4.9)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table; `role` colours what is significant, and nothing else."""

    name: str
    better: str = ""
    base: str = ""
    new: str = ""
    change: str = ""
    interval: str = ""
    break_even: str = ""
    test: str = ""
    verdict: str = ""
    role: Role | None = None


def line_of(row: Row, marks: Marks, *, n: tuple[int, int], spread: bool, step: float | None = None) -> Line:
    """The line of a metric; `n` runs stand in the heads of the columns, and what has another number says so.

    `step` is half a unit of the last printed digit of its values, where that is known.
    """
    return Line(
        metric_name(row.metric),
        better=row.better if row.role != "shown" else "",
        base=_side(row.base, row.unit, n[0], step, spread),
        new=_side(row.new, row.unit, n[1], step, spread),
        change=change(row.ratio, row.ratio_low, row.ratio_high),
        interval=interval(row.ratio_low, row.ratio_high),
        break_even="" if row.break_even_run_cv is None else share(row.break_even_run_cv, 3),
        test=marks.test(row),
        verdict=verdict_name(row),
        role=row.verdict if row.verdict in ("better", "worse") else None,
    )


def _side(centre: Centre, unit: str, n: int, step: float | None, spread: bool) -> str:
    text = centre_text(centre, unit, step, spread=spread)
    return f"{text} (n={centre.n})" if text and centre.n != n else text


def step_of(row: Row, scenario: Scenario) -> float | None:
    """Half a unit of the last printed digit of a row's values.

    Of zeros alone it is that of the other percentiles: ab prints them in one table, all in whole milliseconds.
    """
    own = printed_step(row.base, row.new)
    if own is not None or not _percentile(row):
        return own
    return printed_step(*(side for one in scenario.metrics if _percentile(one) for side in (one.base, one.new)))


def _percentile(row: Row) -> bool:
    return row.metric == "latency.max" or percentile_of(row.metric) is not None


def follows_throughput(row: Row, scenario: Scenario) -> bool:
    """Whether a mean latency is C/throughput on both sides, so that it tells nothing of its own (Little's law)."""
    first = next((one for one in scenario.metrics if one.metric == "throughput" and one.role == "primary"), None)
    concurrency = scenario.key.get("load.concurrency", scenario.key.get("concurrency"))
    if row.metric != "latency.mean" or row.role != "shown" or first is None or not isinstance(concurrency, int):
        return False
    if any(one.code == "LITTLE" for one in scenario.findings):
        return False
    pairs = ((first.base.centre, row.base.centre), (first.new.centre, row.new.centre))
    return all(x and r and abs(x * r / concurrency - 1) <= _LAW_SLACK for x, r in pairs)


def failure_line(failures: Failures, alpha: float, *, bounds: bool) -> Line:
    """The line of a kind of failures: counts, with `bounds` that of none, and the difference in percentage points."""
    difference = "" if not failures.difference else f"{signed(failures.difference * 100, 2)} points"
    limits = "" if failures.low is None or failures.high is None or not difference else points(failures.low, failures.high)
    within = " within this run" if failures.method and "within" in failures.method else ""
    blocked = f"blocked: {' and '.join(failures.blocked)}" if failures.blocked else ""
    return Line(
        kind_name(failures), "lower",
        base=_count(failures.base, failures.base_high if bounds else None),
        new=_count(failures.new, failures.new_high if bounds else None),
        change=difference, interval=limits,
        test=p_value(failures.p, alpha) + within if failures.p is not None and difference else "",
        verdict="worse: new failures" if failures.regression else blocked,
        role="worse" if failures.regression else None,
    )  # fmt: skip


def _count(runs: Sequence[tuple[int, int]], high: float | None) -> str:
    """As in "0 of 500 (<0.6 %)", "12 of 500 (2.4 %)"."""
    failed, asked = sum(one for one, _ in runs), sum(one for _, one in runs)
    if not asked:
        return f"{failed:,} of 0"
    said = share(failed / asked) if failed else "" if high is None else f"<{at_most(high)}"
    return f"{failed:,} of {asked:,}{f' ({said})' if said else ''}"


def columns(first: str, sides: tuple[str, str], lines: Sequence[Line], comparison: Comparison) -> list[Column]:
    """The columns of a table whose first head is `first`; sides' heads come before change, interval and verdict."""
    confidence = f"{(1 - comparison.alpha) * 100:g} % CI"
    roles = [line.role for line in lines]
    return [
        Column(visible(first), [line.name for line in lines]),
        Column("better", [line.better for line in lines], rank=5),
        Column(sides[0], [line.base for line in lines], rank=2),
        Column(sides[1], [line.new for line in lines], rank=3),
        Column("change", [line.change for line in lines], right=True, roles=roles),
        Column(confidence, [line.interval for line in lines], rank=1),
        Column("break-even CV", [line.break_even for line in lines], right=True, rank=1),
        Column("test", [line.test for line in lines], rank=4),
        Column("verdict", [line.verdict for line in lines], roles=roles),
    ]
