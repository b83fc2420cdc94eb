"""The records of a comparison: what `diff` says, as JSON (`abcompare.diff/1`). Frozen; shares are fractions, not percent.

A `Comparison` has a `Scenario` for each load that both sides ran, and a `Row` for each metric of it, with exactly one
verdict. `Failures` stand before the rows, for a side that fails is not compared. Ratios are new / base.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from abcompare.records import GENERATOR, Finding, Number

DIFF_SCHEMA = "abcompare.diff/1"

Verdict = Literal[
    "not-comparable", "not-testable", "provisional", "negligible", "better", "worse", "equivalent", "inconclusive"
]
Role = Literal["primary", "secondary", "shown", "global"]


class Side(msgspec.Struct, frozen=True):
    """One configuration: its label and the ids of the runs that took part."""

    label: str
    runs: tuple[str, ...] = ()


class Centre(msgspec.Struct, frozen=True):
    """One side of a row: the geometric mean of the runs with its confidence interval (None below 2 runs).

    `supported` is False where a percentile is made of fewer requests than it needs: shown in parentheses.
    """

    n: int
    centre: float | None
    low: float | None
    high: float | None
    values: tuple[Number, ...] = ()
    supported: bool = True


class Row(msgspec.Struct, frozen=True):
    """One metric of a scenario.

    `ratio_low` and `ratio_high` are the confidence interval of the ratio, widened by what the printed digits leave
    open. `p` is two-sided; `p_adjusted` within a family of `family_size` tests by `adjustment`. `df` may be fractional.
    `margin_shown` is the smallest margin that equivalence is shown for; `detectable_change` what this design finds in
    80 % of cases; `runs_needed` how many runs a side would find the margin; `break_even_run_cv` the run-to-run CV below
    which one run a side would be significant. `permutation_p` is a check and never a verdict.
    """

    metric: str
    role: Role
    better: Literal["higher", "lower", "neither"]
    unit: str
    base: Centre
    new: Centre
    verdict: Verdict | None
    reason: str
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    family: str | None = None
    family_size: int | None = None
    adjustment: str | None = None
    method: str | None = None
    df: float | None = None
    size_uncertain: bool = False
    margin: float | None = None
    equivalence_p: float | None = None
    margin_shown: float | None = None
    permutation_p: float | None = None
    permutation_seed: int | None = None
    break_even_run_cv: float | None = None
    detectable_change: float | None = None
    runs_needed: int | None = None
    resolution_low: float | None = None
    resolution_high: float | None = None
    effect_sizes: dict[str, float] | None = None
    without_outliers: dict[str, Any] | None = None
    gates: bool = False
    findings: tuple[Finding, ...] = ()


class Failures(msgspec.Struct, frozen=True):
    """Failures of one kind: "failed" (all but ab's Length), "length", "non_2xx".

    `base` and `new` count by run: (failures, requests). `low` and `high` bound the difference of the shares where one
    run stands on each side; with several, `p` is the test by run, `method` says which. `blocked` names the sides that
    fail too often to be compared; `regression` says that the new side fails and the base does not.
    """

    kind: Literal["failed", "length", "non_2xx"]
    base: tuple[tuple[int, int], ...]
    new: tuple[tuple[int, int], ...]
    base_share: float | None
    new_share: float | None
    base_high: float | None = None
    new_high: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    df: float | None = None
    dispersion: float | None = None
    method: str | None = None
    blocked: tuple[str, ...] = ()
    regression: bool = False
    reason: str = ""


class Scenario(msgspec.Struct, frozen=True):
    """One load that both sides ran: its key, the label of the new side, failures, rows and findings."""

    key: dict[str, Any]
    label: str
    metrics: tuple[Row, ...]
    failures: tuple[Failures, ...] = ()
    findings: tuple[Finding, ...] = ()


class Unpaired(msgspec.Struct, frozen=True):
    """A load that only one side ran: its side's label, key and the ids of its runs."""

    label: str
    key: dict[str, Any]
    runs: tuple[str, ...]


class Comparison(msgspec.Struct, frozen=True):
    """What a comparison says. `overall` holds the geometric mean of the primary ratios over all scenarios, one a new side.

    `gate_detects` is the loss that the gate finds in 80 % of cases (a fraction), None when nothing can gate.
    `gate_passes_equal` is the share of cases in which equal sides pass `--gate not-worse`, None without it.
    """

    alpha: float
    margin: float
    seed: int
    base: Side
    new: tuple[Side, ...]
    scenarios: tuple[Scenario, ...]
    overall: tuple[Row, ...] = ()
    unpaired: tuple[Unpaired, ...] = ()
    excluded: tuple[dict[str, str], ...] = ()
    findings: tuple[Finding, ...] = ()
    exit_code: int = 0
    exit_reason: str = ""
    gate_detects: float | None = None
    gate_passes_equal: float | None = None
    schema: str = DIFF_SCHEMA
    generator: str = GENERATOR


class Calibration(msgspec.Struct, frozen=True):
    """Run-to-run noise of one set-up (statistics.md 9): by metric the sd of ln y, its df and interval.

    `key` is the scenario it holds for; `steady` is False where the runs drift, and `reason` says how.
    """

    key: dict[str, Any]
    host: str | None
    made_at: str | None
    metrics: dict[str, dict[str, float | int | None]]
    steady: bool
    reason: str
    runs: tuple[str, ...]
    schema: str = "abcompare.calibration/1"
    generator: str = GENERATOR
