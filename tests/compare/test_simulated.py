"""Error rates, coverage, power and the gate's claim on simulated runs: small, seeded versions of benchmarks/diff.py.

The bounds are the floors of the full simulation, whose figures stand in docs/power.md, where the smaller number of
comparisons allows it; elsewhere they are wider by two standard errors.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from abcompare import stats
from abcompare.compare import diff
from benchmarks.rates import claim, primary, quantised, seen, shares, shares_of_many
from benchmarks.simulated import Truth, simulated_sides


@pytest.mark.parametrize("truth", [Truth(), Truth(drift=0.04, paired=True)], ids=["welch", "pairs under drift"])
def test_a_server_against_itself(truth: Truth) -> None:
    found = shares(truth, 400, 11)
    assert 0.03 <= found.rejected <= 0.07
    assert 0.93 <= found.covered <= 0.97
    assert found.called <= 0.025
    assert found.failed == 0
    assert found.request_level > 0.6  # what a test that takes requests for replicates says


def test_the_interval_covers_a_true_loss() -> None:
    found = shares(Truth(ratio=0.9), 200, 12)
    assert 0.92 <= found.covered <= 0.98
    assert found.rejected == 1


def test_drift_that_is_taken_for_a_difference_is_told_of() -> None:
    found = shares(Truth(drift=0.04, apart=True), 100, 13)
    assert found.rejected > 0.15
    comparison = diff(simulated_sides(np.random.default_rng(0), Truth(apart=True)))
    assert "NOT-INTERLEAVED" in [one.code for one in comparison.scenarios[0].findings]


def test_the_design_decides_the_test() -> None:
    rng = np.random.default_rng(0)
    assert primary(diff(simulated_sides(rng, Truth()))).method == "welch-log"
    assert primary(diff(simulated_sides(rng, Truth(paired=True)))).method == "paired-log"


@pytest.mark.parametrize("cv", [0.02, 0.10])
def test_fifty_scenarios_at_once(cv: float) -> None:
    found = shares_of_many([Truth(cv=cv)] * 50, 4, 14)
    assert found.failed == 0
    assert found.request_level == 1


def test_whole_milliseconds_never_make_a_verdict() -> None:
    found = quantised(250, 15)
    assert found.rows == 1000
    assert found.called == 0
    assert found.naive > 5  # the t test alone, with a variance floored at the resolution, would make some


def test_the_gate_finds_large_losses_and_no_small_ones() -> None:
    assert seen(Truth(), 60, 16).failed == 0
    assert seen(Truth(ratio=0.95), 100, 17).failed <= 0.08  # the interval must lie beyond the margin
    ten = seen(Truth(ratio=0.90), 100, 18)
    assert ten.failed >= 0.9 and ten.worse == 1
    assert seen(Truth(ratio=0.85), 60, 19).failed == 1


@pytest.mark.parametrize(
    ("truth", "others"), [(Truth(), 0), (Truth(paired=True, drift=0.04), 0), (Truth(cv=0.1), 6)], ids=["welch", "pairs", "one of seven"]
)
def test_what_the_gate_claims_is_true(truth: Truth, others: int) -> None:
    repeats = 150 if not others else 24
    found = claim(truth, repeats, 20, others=others, theory=False)
    assert abs(found.found - 0.8) <= 2.5 * math.sqrt(0.8 * 0.2 / repeats)


@pytest.mark.parametrize(("df", "margin", "adjusted"), [(4, 0.0, 0.05), (8, 2.0, 0.05), (8, 0.5, 0.005), (18, 1.0, 0.001)])
def test_shown_beyond_has_the_power_asked_for(df: float, margin: float, adjusted: float) -> None:
    rng = np.random.default_rng(21)
    count = 20_000
    first, later = np.sqrt(rng.chisquare(df, (2, count)) / df)  # estimates of a standard error of 1
    unique = np.quantile(first, (np.arange(200) + 0.5) / 200)
    change = np.interp(first, unique, [stats.shown_beyond(se, df, margin, adjusted=adjusted) for se in unique.tolist()])
    estimate = change + rng.standard_normal(count)
    inside, outside = stats.t_quantile(0.975, df) * later, stats.t_quantile(1 - adjusted / 2, df) * later
    assert np.mean((estimate - inside > margin) & (estimate > outside)) == pytest.approx(0.8, abs=0.01)
