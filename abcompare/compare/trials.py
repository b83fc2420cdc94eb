"""One metric of one scenario: its values, its effect, and what stands in the way of testing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from abcompare import stats
from abcompare.compare.guards import blocks
from abcompare.compare.keys import key
from abcompare.compare.noise import noise, refusal
from abcompare.compare.options import Options
from abcompare.compare.scenarios import Meeting
from abcompare.comparison import Centre, Role
from abcompare.metrics import metric, percentile_of
from abcompare.records import Finding, Run
from abcompare.stats import DegenerateError, Effect

SECONDARY = ("latency.p50", "latency.p90", "latency.p95", "latency.p99")
SHOWN = ("latency.mean", "latency.max")
_COARSEST = 1e150  # a hand-made archive may say more: its double and its square are numbers still
_TAIL = 10  # requests beyond a percentile that each run must have for it to be tested between runs


@dataclass(slots=True)
class Trial:
    """The values of a metric on both sides, and the effect where it can be had; `reason` says why it cannot.

    `half` is the largest half unit of the printed digits, by side. `calibrated` says where the noise comes from
    when it comes from elsewhere, so that the verdict can be provisional at best.
    """

    metric: str
    role: Role
    base: list[float]
    new: list[float]
    half: tuple[float, float]
    supported: tuple[bool, bool] = (True, True)
    effect: Effect | None = None
    reason: str = ""
    note: str = ""
    calibrated: str = ""
    paired: bool = False
    complete: bool = True  # every run of both sides has the metric
    findings: list[Finding] = field(default_factory=list)

    @property
    def better(self) -> str:
        """Which direction is better."""
        known = metric(self.metric)
        return known.better if known else "neither"

    @property
    def unit(self) -> str:
        """The base unit."""
        known = metric(self.metric)
        return known.unit if known else "1"


def primary_of(meeting: Meeting) -> str:
    """The primary metric: throughput in a closed loop, p99 where the rate was given (statistics.md 2)."""
    rated = any(run.load.rate_per_s is not None for run in (*meeting.base, *meeting.new))
    return "latency.p99" if rated else "throughput"


def trials(meeting: Meeting, options: Options) -> list[Trial]:
    """The trials of a scenario: the primary metric, the secondary ones that a run has, and what is only shown."""
    first = primary_of(meeting)
    names: list[tuple[str, Role]] = [(first, "primary")]
    if first != "throughput":
        names.append(("throughput", "shown"))
    names += [(name, "secondary") for name in SECONDARY if name != first]
    gating = [key(name) for name in options.gate]
    names += [(name, "secondary") for name in dict.fromkeys(gating) if name not in {known for known, _ in names}]
    names += [(name, "shown") for name in SHOWN if name not in gating]
    made = [_trial(name, role, meeting, options) for name, role in names]
    return [one for one in made if one.role == "primary" or one.base or one.new]


def _trial(name: str, role: Role, meeting: Meeting, options: Options) -> Trial:
    pairs = _pairs(meeting, options) if role != "shown" else None
    base_runs, new_runs = (list(meeting.base), list(meeting.new)) if pairs is None else ([a for a, _ in pairs], [b for _, b in pairs])
    base, new = _values(base_runs, name), _values(new_runs, name)
    half = (_half(base_runs, name), _half(new_runs, name))
    trial = Trial(name, role, base, new, half, supported=(_supported(base_runs, name), _supported(new_runs, name)))
    trial.complete = len(base) == len(base_runs) and len(new) == len(new_runs)
    trial.paired = pairs is not None and trial.complete
    if role != "shown":
        trial.reason = _hindrance(trial, base_runs, new_runs)
        if not trial.reason:
            _test(trial, meeting, options)
    return trial


def _pairs(meeting: Meeting, options: Options) -> list[tuple[Run, Run]] | None:
    """The pairs of the design, or those that --paired makes by order; None for unpaired sides."""
    if options.paired is False:
        return None
    found = blocks(meeting)
    if found is None and options.paired and len(meeting.base) == len(meeting.new) > 1:
        return list(zip(meeting.base, meeting.new, strict=True))
    return found


def _values(runs: Sequence[Run], name: str) -> list[float]:
    return [float(value) for run in runs if (value := run.value(name)) is not None]


def _half(runs: Sequence[Run], name: str) -> float:
    """The largest half unit of the last printed digit; a number that a tool cut off is uncertain by twice that."""
    found = [run.measures[name] for run in runs if name in run.measures]
    half = max((float(one.resolution or 0) * (2 if one.rounding == "down" else 1) for one in found), default=0.0)
    return min(half, _COARSEST)


def _supported(runs: Sequence[Run], name: str) -> bool:
    """Whether every run has the requests that its percentile needs at the least (statistics.md 4.7)."""
    percent = percentile_of(name)
    if percent is None or not 0 < percent < 100:
        return True
    least = stats.min_n_for_upper_bound(percent / 100)
    counts = [run.value("requests.complete") for run in runs if name in run.measures]
    return all(count is None or count >= least for count in counts)


def _hindrance(trial: Trial, base_runs: Sequence[Run], new_runs: Sequence[Run]) -> str:
    """Why a metric cannot be tested; empty when it can."""
    if not trial.base or not trial.new:
        side = "neither side has" if not trial.base and not trial.new else "the base lacks" if not trial.base else "the new side lacks"
        return f"{side} it"
    for values, half in ((trial.base, trial.half[0]), (trial.new, trial.half[1])):
        low = min(values)
        if low <= half or low <= 0:
            return f"a value of {low:g} is not above half a unit of its last printed digit"
    percent = percentile_of(trial.metric)
    if percent is not None and percent < 100 and trial.role == "secondary":
        counts = [run.value("requests.complete") for run in (*base_runs, *new_runs)]
        fewest = min((count for count in counts if count is not None), default=None)
        if fewest is not None and fewest * (100 - percent) < _TAIL * 100 - 1e-9:
            beyond = fewest * (100 - percent) / 100
            return f"the tail beyond {percent:g} % of {fewest:,.0f} requests is {beyond:.3g} requests; {_TAIL} a run are needed"
    return ""


def _test(trial: Trial, meeting: Meeting, options: Options) -> None:
    """The effect: the design decides which test, never the p."""
    base, new, steps = trial.base, trial.new, (2 * trial.half[0], 2 * trial.half[1])
    try:
        if trial.paired:
            trial.effect = stats.paired_test(base, new, resolution_a=steps[0], resolution_b=steps[1])
        elif len(base) > 1 and len(new) > 1:
            trial.effect = stats.welch_test(base, new, resolution_a=steps[0], resolution_b=steps[1])
        elif len(base) == 1 == len(new) and (known := noise(trial.metric, meeting, options)):
            trial.effect = stats.calibrated_test(base[0], new[0], known.sd, known.df)
            trial.calibrated = known.origin
        elif max(len(base), len(new)) >= 4:
            trial.effect = stats.one_against_many_test(base, new, resolution=max(steps))
            trial.calibrated = "one run on a side"
        else:
            refused = refusal(trial.metric, meeting, options) if len(base) == 1 == len(new) else ""
            trial.reason = f"one run on a side{f' ({refused})' if refused else ''}" if min(len(base), len(new)) == 1 else "fewer than 2 runs"
        if len(base) > 1 < len(new) and stats.identical(base, new):
            trial.note = "identical at the tool's resolution"
    except DegenerateError:
        trial.reason = "the values do not vary, and the resolution of the print is not known"


def centre(values: Sequence[float], step: float, supported: bool) -> Centre:
    """One side of a row."""
    if not values or min(values) <= 0:
        return Centre(len(values), None, None, None, tuple(values), supported)
    if len(values) == 1:
        return Centre(1, values[0], None, None, tuple(values), supported)  # exp(log(y)) is not always y
    try:
        mean = stats.geometric_mean(values, resolution=step)
    except DegenerateError:
        middle = stats.geometric_mean(values[:1])
        return Centre(len(values), middle.centre, None, None, tuple(values), supported)
    return Centre(mean.n, mean.centre, mean.low, mean.high, tuple(values), supported)
