"""Effect sizes, Fieller, resolution and outlier flags."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pytest import approx
from scipy import stats as reference

from abcompare.stats import (
    DegenerateError,
    Interval,
    cliffs_delta,
    fieller_ratio,
    flag_outliers,
    hedges_g,
    hodges_lehmann_ratio,
    identical,
    outlier_threshold,
    resolution_interval,
    variance_floor,
    welch_test,
    widen,
)

runs = st.lists(st.floats(0.1, 1e3), min_size=2, max_size=9)


def test_sizes_oracle(e4):
    a, b = e4["A"], e4["B"]
    assert hodges_lehmann_ratio(a, b) == approx(e4["hodges_lehmann_ratio"], rel=1e-12)
    assert cliffs_delta(a, b) == e4["cliffs_delta"]
    assert hedges_g(a, b) == approx(e4["hedges_g_log"], rel=1e-9)
    assert reference.mannwhitneyu(b, a).statistic == e4["mwu_U"]


def test_fieller_oracle(oracles, e4):
    o = oracles["E4_fieller"]
    found = fieller_ratio(e4["A"], e4["B"])
    assert (found.ratio, found.low, found.high, found.g, found.df) == approx(
        (o["ratio"], o["lo"], o["hi"], o["g"], o["df"]), rel=1e-9
    )
    raw = reference.ttest_ind(e4["B"], e4["A"], equal_var=False)
    o = oracles["E4_welch_raw"]
    assert (raw.pvalue, raw.statistic, found.df) == approx((o["p"], o["t"], o["df"]), rel=1e-9)


@settings(deadline=None, max_examples=60)
@given(runs, runs)
def test_swapping_the_sides(a, b):
    assert hodges_lehmann_ratio(a, b) == approx(1 / hodges_lehmann_ratio(b, a), rel=1e-9)
    assert cliffs_delta(a, b) == -cliffs_delta(b, a)
    by_pairs = np.sign(np.subtract.outer(b, a)).mean()
    assert cliffs_delta(a, b) == approx(by_pairs, abs=1e-12)
    assume(np.ptp(np.log(a)) > 1e-9 and np.ptp(np.log(b)) > 1e-9)
    assert hedges_g(a, b) == approx(-hedges_g(b, a), rel=1e-9, abs=1e-12)
    try:
        one = fieller_ratio(a, b)
    except DegenerateError as error:
        with pytest.raises(DegenerateError, match=str(error)[2:]):
            fieller_ratio(b, a)
        return
    other = fieller_ratio(b, a)
    assert (one.ratio, one.df) == approx((1 / other.ratio, other.df), rel=1e-6)
    assert (one.low, one.high) == approx((1 / other.high, 1 / other.low), rel=1e-6)
    assert 0 < one.low <= one.ratio <= one.high


def test_fieller_contains_exactly_the_ratios_that_welch_does_not_reject(e4):
    found = fieller_ratio(e4["A"], e4["B"])
    a, b = np.array(e4["A"]), np.array(e4["B"])
    t = (b.mean() - found.low * a.mean()) / math.sqrt(b.var(ddof=1) / 5 + found.low**2 * a.var(ddof=1) / 5)
    assert t == approx(reference.t.ppf(0.975, found.df), rel=1e-9)


def test_sizes_refuse():
    with pytest.raises(ValueError, match="A: 0 values"):
        hodges_lehmann_ratio([], [1])
    with pytest.raises(ValueError, match="B: value 1 is 0"):
        cliffs_delta([1], [0])
    with pytest.raises(ValueError, match="3 runs in all, at least 4 needed"):
        hedges_g([1, 2], [3])
    with pytest.raises(DegenerateError):
        hedges_g([1, 1], [2, 2])
    assert hedges_g([1, 2, 3], [3]) > 0
    with pytest.raises(DegenerateError, match="neither side varies"):
        fieller_ratio([1, 1], [2, 2])
    with pytest.raises(DegenerateError, match="A: its mean cannot be told from zero"):
        fieller_ratio([0.01, 100], [5, 6])
    with pytest.raises(ValueError, match="A: 1 value"):
        fieller_ratio([1], [2, 3])
    same = fieller_ratio([1, 2, 3], [1, 2, 3])
    assert same.ratio == 1 and same.low < 1 < same.high


def test_resolution_oracle(oracles):
    o = oracles["E17_rounding"]
    found = resolution_interval(o["a"], o["b"], 0.5)
    assert found == approx((o["ratio_lo"], o["ratio_hi"]))
    # Exactly 1 is contained: 3 and 4 may both have been 3.5.
    assert found.low <= 1


@settings(deadline=None, max_examples=40)
@given(st.floats(1, 1e3), st.floats(1, 1e3), st.floats(0, 0.9), st.floats(0, 0.9), runs, runs)
def test_resolution_mirrors_and_only_widens(a, b, half_a, half_b, runs_a, runs_b):
    one, other = resolution_interval(a, b, half_a, half_b), resolution_interval(b, a, half_b, half_a)
    assert one == approx((1 / other.high, 1 / other.low), rel=1e-9)
    assert one.low <= b / a * (1 + 1e-12) and one.high >= b / a * (1 - 1e-12)
    try:
        interval = welch_test(runs_a, runs_b).interval()
    except DegenerateError:
        return
    wider = widen(interval, a, b, half_a, half_b)
    assert wider.low <= interval.low * (1 + 1e-12) and wider.high >= interval.high * (1 - 1e-12)


def test_widening():
    assert widen(Interval(0.9, 1.1), 5, 6, 0) == approx((0.9, 1.1))
    # A point at the printed ratio becomes the resolution interval itself.
    assert widen(Interval(4 / 3, 4 / 3), 3, 4, 0.5) == approx((1.0, 1.8))


def test_resolution_refuses():
    with pytest.raises(DegenerateError, match=r"B: 0\.5 is not above half a unit"):
        resolution_interval(3, 0.5, 0.5)
    with pytest.raises(ValueError, match="A must be"):
        resolution_interval(0, 1, 0.5)
    with pytest.raises(ValueError, match="half unit of B"):
        resolution_interval(1, 1, 0.5, -1)
    with pytest.raises(ValueError, match="resolution"):
        variance_floor(1, math.nan)
    assert variance_floor(5, 1) == approx(1 / 300)


def test_identical():
    assert identical([5, 5], [5.0])
    assert not identical([5, 5], [6, 6])
    assert not identical([5, 6], [5, 6])
    with pytest.raises(ValueError, match="A: 0 values"):
        identical([], [5])


def test_outliers_are_found():
    clean = [100, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.1]
    a, b = flag_outliers([*clean[:-1], 150], clean)
    assert a == [False] * 7 + [True]
    assert b == [False] * 8
    assert flag_outliers(clean, [*clean[:-1], 150]) == (b, a)


def test_outliers_at_the_edges():
    assert flag_outliers([1, 1, 1, 1, 1, 1, 9], [1, 2]) == ([False] * 7, [False] * 2)
    assert flag_outliers([1] * 8, [1] * 8) == ([False] * 8, [False] * 8)
    # Without a resolution there is no scale; with one, a step of one unit is no outlier, but twenty are.
    assert not any(flag_outliers([50] * 7 + [60], [50] * 8)[0])
    assert not any(flag_outliers([50] * 7 + [51], [50] * 8, resolution_a=1)[0])
    assert flag_outliers([50] * 7 + [70], [50] * 8, resolution_a=1)[0][-1]
    with pytest.raises(ValueError, match="A: 0 values"):
        flag_outliers([], [1])
    with pytest.raises(ValueError, match="B: value 1 is -1"):
        flag_outliers([1], [-1])


def test_outlier_threshold():
    assert math.isinf(outlier_threshold(7, 2))
    assert outlier_threshold(8, 12) == outlier_threshold(12, 8)
    assert outlier_threshold(8, 8) > outlier_threshold(8, 3)
    assert outlier_threshold(8, 8, rate=0.01) > outlier_threshold(8, 8)
    # Many runs: the extreme of a normal sample in units of its MAD.
    assert 5 < outlier_threshold(1_000, 1_000) < 8


@pytest.mark.parametrize(("n_a", "n_b"), [(8, 8), (10, 20), (12, 4)])
def test_one_in_twenty_clean_comparisons_is_flagged(n_a, n_b):
    rng = np.random.default_rng(1)
    sims = 1_500
    flagged = sum(
        any(map(any, flag_outliers(rng.lognormal(0, 0.03, n_a), rng.lognormal(0, 0.01, n_b)))) for _ in range(sims)
    )
    assert 0.035 < flagged / sims < 0.065
