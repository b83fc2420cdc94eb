"""Calibration: the run-to-run noise of a set-up, read from an archive, or borrowed from other scenarios (statistics.md 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from abcompare import stats
from abcompare.compare.noise import BORROWED
from abcompare.compare.options import Options
from abcompare.compare.scenarios import Sided, sides
from abcompare.compare.trials import SECONDARY
from abcompare.compare.verdicts import p_value
from abcompare.comparison import Calibration
from abcompare.errors import UsageError
from abcompare.records import Archive, Run
from abcompare.stats import DegenerateError

METRICS = ("throughput", *SECONDARY)
_LEAST = 4


def calibrate(archive: Archive, options: Options | None = None) -> list[Calibration]:
    """The calibration of each scenario with at least 4 runs of one configuration. Raises UsageError when there is none."""
    options = options or Options()
    found, _ = sides([("runs", archive), ("none", Archive())], options)
    many = [group for group in found[0].groups if len(group.runs) >= _LEAST]
    if not many:
        raise UsageError("no scenario has 4 runs or more of one configuration", hint="8 runs make a good calibration")
    made = [one for group in many if (one := _calibration(group.key, group.runs, options)).metrics]
    if not made:
        said = "no metric stands in every run of a scenario, above half a unit of its last printed digit, and varies"
        raise UsageError(said, hint="look at the runs with abcompare show, and leave out with --filter what was cut short")
    return made


def _calibration(key: dict[str, object], runs: Sequence[Run], options: Options) -> Calibration:
    metrics: dict[str, dict[str, float | int | None]] = {}
    doubts: list[str] = []
    for name in METRICS:
        measures = [run.measures[name] for run in runs if name in run.measures and run.value(name)]
        values = [float(one.value or 0) for one in measures]
        if len(values) < _LEAST or len(values) != len(runs):
            continue
        step = 2 * max(float(one.resolution or 0) for one in measures)
        try:
            known = stats.calibrate(values, resolution=step, seed=options.seed)
        except (DegenerateError, ValueError):
            continue
        metrics[name] = {
            "n": known.n, "centre": known.centre, "sd": known.sd, "df": known.df, "sd_low": known.sd_low, "sd_high": known.sd_high,
            "detectable_5": known.detectable_5, "detectable_10": known.detectable_10, "lag1": known.lag1, "lag1_p": known.lag1_p,
            "slope": known.slope, "slope_p": known.slope_p, "halves_p": known.halves.p if known.halves else None,
            "distinct": len(set(values)),  # 1: the sd is that of rounding, for nothing else was seen
        }
        if name == "throughput":
            doubts += _doubts(metrics[name], options.alpha)
    made_at = max((run.started_at for run in runs if run.started_at), default=None)
    host = next((run.target.host for run in runs if run.target.host), None)
    return Calibration(dict(key), host, made_at, metrics, not doubts, "; ".join(doubts) or "no drift seen", tuple(run.id for run in runs))


def _doubts(known: dict[str, float | int | None], alpha: float) -> list[str]:
    told = {"halves_p": "the second half differs from the first", "lag1_p": "neighbouring runs resemble one another", "slope_p": "the runs drift"}
    return [f"{said} ({p_value(p)})" for name, said in told.items() if (p := known[name]) is not None and p < alpha]


def borrowed(found: Sequence[Sided], options: Options) -> Options:
    """Options with the pooled noise of the scenarios that have replicates, for those that have none."""
    metrics: dict[str, dict[str, float | int | None]] = {}
    for name in METRICS:
        groups = [[float(run.value(name) or 0) for run in group.runs] for side in found for group in side.groups]
        usable = [values for values in groups if len(values) > 1 and min(values) > 0]
        if not usable:
            continue
        try:
            noise = stats.pooled_noise(usable)
        except (DegenerateError, ValueError):
            continue
        metrics[name] = {"sd": noise.sd, "df": noise.df}
    if not metrics:
        return options
    return replace(options, calibration=(Calibration({}, None, None, metrics, True, BORROWED, ()),))
