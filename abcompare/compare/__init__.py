"""Two labelled sets of runs to a Comparison: pairing, guards, tests, verdicts, gate."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from abcompare import stats
from abcompare.compare.audited import check_link, check_runs
from abcompare.compare.calibrating import borrowed, calibrate
from abcompare.compare.failing import failures
from abcompare.compare.gate import detects, exit_code, gating, passes_equal
from abcompare.compare.guards import also_differs, differs, order, same, shared, short, unpairable, varies
from abcompare.compare.little import check_little
from abcompare.compare.options import Options
from abcompare.compare.scenarios import Meeting, Sided, meet, sides
from abcompare.compare.trials import Trial, trials
from abcompare.compare.verdicts import Family, row
from abcompare.comparison import Comparison, Row, Scenario, Side, Unpaired
from abcompare.errors import UsageError
from abcompare.records import Archive, Finding
from abcompare.stats import Effect

__all__ = ["Options", "calibrate", "diff"]

_MODERATED = 5  # more scenarios than this share what they know of the noise


class _Case:
    """A scenario on its way: what was found before any p-value is adjusted."""

    def __init__(self, meeting: Meeting, options: Options) -> None:
        self.meeting = meeting
        self.failures = failures(meeting, options)
        self.trials = trials(meeting, options)
        self.incomparable = same(meeting) or differs(meeting, options)
        blocked = [one for one in self.failures if one.blocked]
        if blocked and not options.accept_failures:
            said = f"{blocked[0].reason}: errors are often the fastest responses (--accept-failures compares all the same)"
            self.incomparable = self.incomparable or said
        self.findings: list[Finding] = [
            *also_differs(meeting, options), *shared(meeting), *unpairable(meeting, options), *order(meeting), *short([*meeting.base, *meeting.new]), *check_little(meeting),
            *check_link(meeting), *check_runs(meeting),
        ]

    def testable(self, *roles: str) -> list[Trial]:
        """The trials of these roles that take part in a family."""
        return [one for one in self.trials if one.role in roles and one.effect is not None and not self.incomparable]


def diff(archives: Sequence[tuple[str | None, Archive]], options: Options | None = None) -> Comparison:
    """The comparison of labelled archives, the first being the base; with `options.by`, of the parts of one.

    Raises UsageError where there are fewer than two sides or an option makes no sense.
    """
    options = options or Options()
    found, excluded = sides(archives, options)
    base, others = found[0], found[1:]
    unmet: list[Finding] = []
    if options.borrow_noise and not options.calibration:
        options = borrowed(found, options)
        if not options.calibration:
            unmet.append(Finding("NO-NOISE", "warning", "--borrow-noise: no scenario has several runs a side, so there is no noise to borrow"))
    cases: list[_Case] = []
    unpaired: list[Unpaired] = []
    for new in others:
        meetings, alone = meet(base, new)
        cases += [_Case(meeting, options) for meeting in meetings]
        unpaired += [one for one in alone if one not in unpaired]
    _moderate(cases)
    adjusted = _adjusted(cases, options)
    scenarios = tuple(_scenario(case, adjusted, options, base.label) for case in cases)
    overall = tuple(one for new in others if (one := _overall(new.label, cases, options)))
    code, why = exit_code(scenarios, overall, unpaired, base.label, options)
    empty = next((side for side in found if not side.groups), None)
    if empty is not None and (empty is base or not any(side.groups for side in others)):
        why = f": {len(excluded)} excluded, the first as {excluded[0]['reason']}" if excluded else ""
        raise UsageError(f"nothing to compare: no run of {empty.label} takes part{why}")
    return Comparison(
        options.alpha, options.margin, options.seed, _ids(base), tuple(_ids(new) for new in others), scenarios,
        overall=overall, unpaired=tuple(unpaired), excluded=tuple(excluded), findings=(*_varying(found, options), *unmet),
        exit_code=code, exit_reason=why, gate_detects=detects(scenarios, options),
        gate_passes_equal=passes_equal(scenarios, options),
    )


def _ids(side: Sided) -> Side:
    return Side(side.label, tuple(run.id for group in side.groups for run in group.runs))


def _varying(found: Sequence[Sided], options: Options) -> list[Finding]:
    said = [one for side in found for group in side.groups if len(group.runs) > 1 for one in varies(side.label, group.runs, options)]
    return list(dict.fromkeys(said))


def _moderate(cases: Sequence[_Case]) -> None:
    """With many scenarios the variances of the primaries are drawn together (Smyth 2004)."""
    primaries = [one for case in cases for one in case.testable("primary") if not one.calibrated]
    if len(primaries) > _MODERATED:
        effects = [one.effect for one in primaries if one.effect is not None]
        for trial, effect in zip(primaries, stats.moderate(effects), strict=True):
            trial.note = trial.note or ""
            trial.effect = effect


def _adjusted(cases: Sequence[_Case], options: Options) -> dict[int, Family]:
    """The adjusted p of each trial, by its identity: primaries over all scenarios, the others within theirs."""
    adjust: Callable[[Sequence[float]], list[float]] = stats.benjamini_hochberg if options.fdr else stats.holm
    name = "benjamini-hochberg" if options.fdr else "holm"
    families = [("primary metrics of all scenarios", [one for case in cases for one in case.testable("primary")])]
    families += [("secondary metrics of the scenario", case.testable("secondary")) for case in cases]
    found: dict[int, Family] = {}
    for title, members in families:
        values = [one.effect.p for one in members if one.effect is not None]
        for trial, p in zip(members, adjust(values) if values else [], strict=True):
            found[id(trial)] = Family(title, len(members), name if len(members) > 1 else "none", p)
    return found


def _scenario(case: _Case, adjusted: dict[int, Family], options: Options, base: str) -> Scenario:
    rows = tuple(
        row(
            trial, options, family=adjusted.get(id(trial)), incomparable=case.incomparable,
            gates=gating(trial.metric, trial.role, options),
        )
        for trial in case.trials
    )
    checked = tuple(_permuted(one, options) for one in rows)
    return Scenario(case.meeting.key, case.meeting.label, checked, case.failures, tuple(case.findings))


def _permuted(one: Row, options: Options) -> Row:
    """A permutation p on the other side of alpha than the test's is a finding on the row, never a verdict."""
    if one.p is None or one.permutation_p is None or _least_permuted(one) >= options.alpha or (one.p < options.alpha) == (one.permutation_p < options.alpha):
        return one
    said = f"the permutation check says p={one.permutation_p:.3g}, the test p={one.p:.3g}: on the two sides of {options.alpha:g}"
    return replace(one, findings=(*one.findings, Finding("PERMUTATION", "info", said, measure=one.metric)))


def _least_permuted(one: Row) -> float:
    """The smallest p that the permutations of a design this small can give."""
    if one.method and one.method.startswith("paired"):
        return 2.0 ** (1 - one.base.n)
    return 2 / math.comb(one.base.n + one.new.n, one.base.n)


def _overall(label: str, cases: Sequence[_Case], options: Options) -> Row | None:
    """The geometric mean of the primary ratios over all scenarios of one new side; None for fewer than two."""
    primaries = [one for case in cases if case.meeting.label == label for one in case.testable("primary") if not one.calibrated]
    if len(primaries) < 2 or len({one.metric for one in primaries}) > 1:
        return None
    effects: list[Effect] = [_own(one) for one in primaries]
    combined = stats.combine_effects(effects)
    few = min(primaries, key=lambda one: min(len(one.base), len(one.new)))
    trial = Trial(primaries[0].metric, "global", few.base, few.new, (0.0, 0.0), effect=combined)
    found = row(trial, options, family=Family("global primary", 1, "none", combined.p), incomparable="", gates=True)
    empty = replace(found.base, n=0, centre=None, low=None, high=None, values=())
    return replace(found, base=empty, new=empty, permutation_p=None, effect_sizes=None, runs_needed=None, detectable_change=None)


def _own(trial: Trial) -> Effect:
    """The effect by the scenario's own variance: moderated ones would count the shared df again and again."""
    steps = (2 * trial.half[0], 2 * trial.half[1])
    test = stats.paired_test if trial.paired else stats.welch_test
    return test(trial.base, trial.new, resolution_a=steps[0], resolution_b=steps[1])
