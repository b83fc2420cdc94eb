"""Verdicts: each row gets exactly one, in the order of statistics.md 3, with the sentence that says why."""

from __future__ import annotations

import math
from dataclasses import dataclass

from msgspec.structs import replace

from abcompare import stats
from abcompare.compare.options import Options
from abcompare.compare.trials import Trial, centre
from abcompare.comparison import Centre, Row, Verdict
from abcompare.stats import DegenerateError, Effect, Interval

_FIRM = 4  # runs a side below which a verdict is provisional


@dataclass(frozen=True, slots=True)
class Family:
    """A family of tests: its name, its size, how the p-values were adjusted, and this one's adjusted p."""

    name: str
    size: int
    adjustment: str
    p: float


def margin_of(name: str, options: Options) -> float:
    """The margin of a metric, as a fraction."""
    return options.margins.get(name, options.margin)


def row(trial: Trial, options: Options, *, family: Family | None, incomparable: str, gates: bool) -> Row:
    """The row of a trial; `incomparable` says what stands against comparing the scenario at all."""
    base = centre(trial.base, 2 * trial.half[0], trial.supported[0])
    new = centre(trial.new, 2 * trial.half[1], trial.supported[1])
    ratio = new.centre / base.centre if base.centre and new.centre else None
    bare = Row(
        trial.metric, trial.role, trial.better, trial.unit, base, new, None, trial.reason, ratio=ratio,  # type: ignore[arg-type]
        margin=margin_of(trial.metric, options), findings=tuple(trial.findings),
    )
    bare = replace(bare, **_resolution(trial, base, new))
    if trial.role == "shown":
        return bare
    if incomparable:
        return _with(bare, "not-comparable", incomparable)
    if trial.effect is None or family is None:
        return _untestable(bare, trial, options)
    return _judged(bare, trial, trial.effect, family, options, gates=gates)


def _with(bare: Row, verdict: Verdict, reason: str, **more: object) -> Row:
    return replace(bare, verdict=verdict, reason=reason, **more)


def _resolution(trial: Trial, base: Centre, new: Centre) -> dict[str, float]:
    if not base.centre or not new.centre or not any(trial.half):
        return {}
    try:
        low, high = stats.resolution_interval(base.centre, new.centre, *trial.half)
    except DegenerateError:
        return {}
    return {"resolution_low": low, "resolution_high": high}


def _untestable(bare: Row, trial: Trial, options: Options) -> Row:
    """One run a side, a constant, too few requests: the ratio, and what is missing."""
    if bare.ratio is None or not trial.base or not trial.new or "side" not in trial.reason:
        return _with(bare, "not-testable", trial.reason)
    if bare.resolution_low is not None and bare.resolution_high is not None and bare.resolution_low <= 1 <= bare.resolution_high and bare.ratio != 1:
        return _with(bare, "not-testable", f"{percent(bare.ratio)} is below the resolution of what was printed")
    if bare.ratio == 1:
        return _with(bare, "not-testable", "the same number on both sides; one run per side cannot show that this is so every time")
    cv = stats.break_even_cv(bare.base.centre or 1, bare.new.centre or 1, alpha=options.alpha)
    said = f"{percent(bare.ratio)}: {trial.reason} cannot show that this is real: it would be significant only if it varied by less than {share(cv)} from run to run here"
    return _with(bare, "not-testable", said, break_even_run_cv=cv)


def _judged(bare: Row, trial: Trial, effect: Effect, family: Family, options: Options, *, gates: bool) -> Row:
    """The verdict of a tested row. Intervals are widened by the resolution before anything is decided."""
    margin = margin_of(trial.metric, options)
    wide = _widened(effect.interval(1 - options.alpha), trial, bare)
    inner = _widened(effect.interval(1 - 2 * options.alpha), trial, bare)
    equivalence = stats.equivalence_test(effect, margin, alpha=options.alpha)
    farthest = max(inner.high, 1 / inner.low if inner.low > 0 else math.inf) - 1
    detects = stats.detectable_effect(effect.se, effect.df, alpha=options.alpha) if math.isfinite(effect.df) else None
    fields: dict[str, object] = {
        "ratio": effect.ratio, "ratio_low": wide.low, "ratio_high": wide.high, "p": effect.p, "p_adjusted": family.p,
        "family": family.name, "family_size": family.size, "adjustment": family.adjustment, "method": effect.method, "df": effect.df,
        "equivalence_p": equivalence.p, "margin_shown": farthest, "detectable_change": detects, "gates": gates,
        **_needed(effect, trial, margin, options), **_checked(trial, options),
    }
    firm = min(len(trial.base), len(trial.new)) >= _FIRM and not trial.calibrated
    inside = inner.low >= 1 / (1 + margin) and inner.high <= 1 + margin
    significant = family.p < options.alpha and not wide.low <= 1 <= wide.high
    bounds = f"{percent(effect.ratio)} [{percent(wide.low)}, {percent(wide.high)}]"
    if not firm:
        why = f"{trial.calibrated}: provisional, {_FIRM} runs per side decide" if trial.calibrated else f"below {_FIRM} runs per side this is provisional"
        return _with(bare, "provisional", f"{bounds}, {p_value(family.p)}; {why}", **fields)
    if trial.note:
        verdict: Verdict = "equivalent" if inside else "inconclusive"
        return _with(bare, verdict, f"{trial.note} (±{share(farthest, up=True)})", **fields)
    if significant and inside:
        return _with(bare, "negligible", f"real, but within ±{share(margin)}: {bounds}", **fields)
    if significant:
        uncertain = wide.low < 1 + margin and wide.high > 1 / (1 + margin)
        good = (effect.ratio > 1) == (trial.better == "higher")
        said = f"{bounds}{', size uncertain' if uncertain else ''}"
        return _with(bare, "better" if good else "worse", said, size_uncertain=uncertain, **fields)
    if inside:
        return _with(bare, "equivalent", f"same within ±{share(margin)} (shown: ±{share(farthest, up=True)})", **fields)
    return _with(bare, "inconclusive", _cannot_tell(wide, margin, fields, family, options), **fields)


def _cannot_tell(wide: Interval, margin: float, fields: dict[str, object], family: Family, options: Options) -> str:
    said = f"cannot tell: [{percent(wide.low)}, {percent(wide.high)}]"
    if family.p < options.alpha:
        said += "; below the resolution of what was printed"
    detects, needed = fields["detectable_change"], fields["runs_needed"]
    if isinstance(detects, float):
        said += f"; this design detects ≥ {share(detects)}"
    if isinstance(needed, int):
        said += f"; about {needed} runs per side for {share(margin)}"
    return said


def _widened(interval: Interval, trial: Trial, bare: Row) -> Interval:
    if not any(trial.half) or not bare.base.centre or not bare.new.centre:
        return interval
    return stats.widen(interval, bare.base.centre, bare.new.centre, *trial.half)


def _needed(effect: Effect, trial: Trial, margin: float, options: Options) -> dict[str, object]:
    try:
        return {"runs_needed": stats.runs_needed(effect.sd, margin, paired=trial.paired, alpha=options.alpha)}
    except (ValueError, OverflowError):
        return {}


def _checked(trial: Trial, options: Options) -> dict[str, object]:
    """What goes into the JSON beside the verdict: the permutation check and effect sizes."""
    if min(len(trial.base), len(trial.new)) < 2:
        return {}
    fields: dict[str, object] = {}
    try:
        if trial.paired:
            test = stats.sign_flip_test(trial.base, trial.new, seed=options.seed)
        else:
            test = stats.permutation_test(trial.base, trial.new, seed=options.seed)
        fields |= {"permutation_p": test.p, "permutation_seed": None if test.exact else options.seed}
    except DegenerateError:
        pass
    sizes = {"hodges_lehmann_ratio": stats.hodges_lehmann_ratio, "cliffs_delta": stats.cliffs_delta, "hedges_g": stats.hedges_g}
    found: dict[str, float] = {}
    for name, function in sizes.items():
        try:
            found[name] = function(trial.base, trial.new)
        except (ValueError, OverflowError):
            continue
    if options.ratio_of_means:
        try:
            means = stats.fieller_ratio(trial.base, trial.new)
            found |= {"ratio_of_means": means.ratio, "ratio_of_means_low": means.low, "ratio_of_means_high": means.high}
        except (ValueError, OverflowError):
            pass
    return fields | {"effect_sizes": found or None}


def percent(ratio: float) -> str:
    """A ratio as a change: 1.0422 → "+4.22 %", with a true minus sign."""
    change = (ratio - 1) * 100
    if not math.isfinite(change):
        return "no bound"
    digits = 0 if abs(change) >= 100 else 1 if abs(change) >= 10 else 2
    return f"{change:+.{digits}f} %".replace("-", "−")


def share(value: float, *, up: bool = False) -> str:
    """A fraction as a percentage with two or three digits: 0.0149 → "1.49 %"; `up` for an upper bound, never less than it."""
    if not math.isfinite(value):
        return "no bound"
    scaled = value * 100
    digits = 0 if scaled >= 100 or float(scaled).is_integer() else 1 if scaled >= 10 else 2
    if up:
        scaled = math.ceil(scaled * 10**digits - 1e-9) / 10**digits
    return f"{scaled:.{digits}f} %"


def p_value(p: float) -> str:
    """A p-value for people; never p = 0.000."""
    return "p<0.001" if p < 0.001 else f"p={p:.3f}"
