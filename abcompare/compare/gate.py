"""The gate: which rows can fail a build, the exit code, and what the gate can see (statistics.md 10)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from abcompare import stats
from abcompare.compare.keys import key
from abcompare.compare.options import Options
from abcompare.compare.verdicts import margin_of, share
from abcompare.comparison import Row, Scenario, Unpaired

_UNDECIDED = ("inconclusive", "provisional", "not-testable", "not-comparable")


def gating(metric: str, role: str, options: Options) -> bool:
    """Whether a row of this metric gates: the primary and the global one do, others when --gate names them."""
    return role in ("primary", "global") or metric in {key(name) for name in options.gate}


def exit_code(
    scenarios: Sequence[Scenario], overall: Sequence[Row], unpaired: Sequence[Unpaired], base: str, options: Options,
) -> tuple[int, str]:
    """The exit code of a comparison and why."""
    several = len({scenario.label for scenario in scenarios}) > 1

    def name_of(scenario: Scenario) -> str:
        return _key(scenario.key) + (f" of {scenario.label}" if several else "")

    rows = [(scenario, row) for scenario in scenarios for row in scenario.metrics if gating(row.metric, row.role, options)]
    failing = [scenario for scenario in scenarios if any(one.regression for one in scenario.failures)]
    if failing and not options.accept_failures:
        return 1, f"failures are new in {name_of(failing[0])}: {next(one.reason for one in failing[0].failures if one.regression)}"
    for scenario, row in rows:
        if row.verdict == "worse" and not row.size_uncertain:
            return 1, f"{row.metric} is worse in {name_of(scenario)}: {row.reason}"
        if options.not_worse is not None and _may_lose(row, options.not_worse):
            return 1, f"{row.metric} in {name_of(scenario)}: a loss of {share(options.not_worse)} is not excluded"
    for row in overall:
        if row.verdict == "worse" and not row.size_uncertain:
            return 1, f"{row.metric} is worse over all scenarios: {row.reason}"
    missing = [one for one in unpaired if one.label == base]
    if missing:
        said = "1 load of the base has" if len(missing) == 1 else f"{len(missing)} loads of the base have"
        return 3, f"{said} no partner: {', '.join(_key(one.key) for one in missing[:3])}"
    for name in sorted({key(name) for name in options.gate}):
        if not any(row.metric == name and row.p is not None for _, row in rows):
            known = next((row.reason for _, row in rows if row.metric == name and row.reason), "no run has it")
            return 3, f"{name}, which --gate names, could not gate: {known}"
    able = [row for _, row in rows if row.p is not None and row.verdict not in ("provisional", "not-testable", "not-comparable")]
    if not able:
        return 3, "no row could gate: " + (f"{rows[0][1].metric} {rows[0][1].reason}" if rows else "the sides share no load")
    if options.require_decision:
        for scenario, row in rows:
            if row.verdict in _UNDECIDED or row.size_uncertain:
                return 3, f"undecided: {row.metric} in {name_of(scenario)} is {row.verdict}{', size uncertain' if row.size_uncertain else ''}"
            if any(one.code == "NOT-INTERLEAVED" for one in scenario.findings):
                return 3, f"undecided: sides not interleaved in {name_of(scenario)}"
    if options.not_worse is not None:
        return 0, f"no regression shown, a loss of {share(options.not_worse)} is excluded"
    return 0, "no regression shown"


def _may_lose(row: Row, loss: float) -> bool:
    """Whether a loss of that size is inside the CI90: for a metric where less is better, a gain."""
    if row.p is None or row.margin_shown is None or row.ratio is None or row.verdict == "provisional":
        return row.verdict not in ("not-comparable",)
    effect_low, effect_high = _ninety(row)
    return effect_low < 1 - loss if row.better == "higher" else effect_high > 1 + loss


def _ninety(row: Row) -> tuple[float, float]:
    """The CI90, rebuilt from the CI95: both are symmetric on the log scale."""
    if not row.ratio_low or not row.ratio_high or not row.df:
        return 0.0, math.inf
    narrow = stats.t_quantile(0.95, row.df) / stats.t_quantile(0.975, row.df)
    middle = (math.log(row.ratio_low) + math.log(row.ratio_high)) / 2
    half = (math.log(row.ratio_high) - math.log(row.ratio_low)) / 2 * narrow
    return math.exp(middle - half), math.exp(middle + half)


def detects(scenarios: Sequence[Scenario], options: Options) -> float | None:
    """The loss (a fraction) that every gating row finds in 80 % of cases: its interval must clear the margin."""
    able = _able(scenarios)
    if options.not_worse is not None:
        return options.not_worse if able else None  # a loss of that size is inside the CI90 in 95 % of cases
    found = []
    for row in able:
        total = _shown(row, options)
        found.append(1 - math.exp(-total) if row.better == "higher" else math.expm1(min(total, 700.0)))
    return max(found) if found else None


def passes_equal(scenarios: Sequence[Scenario], options: Options) -> float | None:
    """The share of cases in which sides that are equal pass `--gate not-worse`: the CI90 must exclude the loss."""
    if options.not_worse is None:
        return None
    found = []
    for row in _able(scenarios):
        loss = -math.log1p(-options.not_worse) if row.better == "higher" else math.log1p(options.not_worse)
        se = _se(row, options)
        found.append(stats.chance_to_reject(loss / se, row.df or 1.0, alpha=0.1) if math.isfinite(se) and se > 0 else 0.0)
    return min(found) if found else None


def _able(scenarios: Sequence[Scenario]) -> list[Row]:
    """The primary rows that can gate."""
    return [
        row for scenario in scenarios for row in scenario.metrics
        if row.role == "primary" and row.detectable_change is not None and row.verdict not in ("provisional", None)
    ]  # fmt: skip


def _shown(row: Row, options: Options) -> float:
    """The log of the change that the next comparison like this one shows beyond the margin in 80 % of cases."""
    df, se = row.df or 1.0, _se(row, options)
    if not math.isfinite(se):
        return math.inf
    margin = math.log1p(margin_of(row.metric, options)) + _rounding(row)
    if not math.isfinite(margin):
        return math.inf
    return stats.shown_beyond(se, df, margin, alpha=options.alpha, adjusted=options.alpha / (row.family_size or 1))


def _se(row: Row, options: Options) -> float:
    """The standard error of the log-ratio, from the change that it detects; infinite where that is."""
    if not math.isfinite(row.detectable_change or 0.0):
        return math.inf
    return math.log1p(row.detectable_change or 0.0) / math.log1p(stats.detectable_effect(1.0, row.df or 1.0, alpha=options.alpha))


def _rounding(row: Row) -> float:
    """How far on the log scale the interval is widened, at the wider end, for what the printed digits leave open."""
    if not row.resolution_low or not row.resolution_high or not row.base.centre or not row.new.centre:
        return 0.0
    ratio = row.new.centre / row.base.centre
    return max(math.log(ratio / row.resolution_low), math.log(row.resolution_high / ratio))


def _key(fields: dict[str, object]) -> str:
    told = [f"{name.rsplit('.', 1)[-1]}={value}" for name, value in fields.items() if value is not None]
    return " ".join(told) or "the only load"
