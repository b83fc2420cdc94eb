"""One run a side, a calibration, and one against many."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx
from scipy import stats as reference

from abcompare.stats import (
    DegenerateError,
    break_even_cv,
    calibrate,
    calibrated_test,
    detectable_effect,
    one_against_many_test,
    pooled_noise,
    prediction_interval,
)

positive = st.floats(1e-3, 1e6)


def test_break_even_oracle(oracles):
    o = oracles["E1_break_even"]
    assert break_even_cv(o["A"], o["B"]) == approx(o["break_even_cv_95"], rel=1e-12)
    assert break_even_cv(o["A"], o["B"], alpha=0.01) == approx(o["break_even_cv_99"], rel=1e-12)
    assert (o["B"] / o["A"], math.log(o["B"] / o["A"])) == approx((o["ratio"], o["logratio"]))


def test_calibrated_oracle(oracles):
    o, pair = oracles["E2_calibrated_1v1"], oracles["E1_break_even"]
    calibration = calibrate(o["calibration"])
    assert (calibration.sd, calibration.df) == approx((o["s_log"], o["nu"]), rel=1e-12)
    assert 100 * math.sqrt(math.expm1(calibration.sd**2)) == approx(o["cv_pct"], rel=1e-9)
    effect = calibrated_test(pair["A"], pair["B"], calibration.sd, calibration.df)
    assert (effect.ratio, effect.t, effect.p) == approx((o["ratio"], o["t"], o["p"]), rel=1e-9)
    assert effect.interval() == approx((o["lo"], o["hi"]), rel=1e-12)
    assert 100 * detectable_effect(effect.se, effect.df) == approx(o["mde_pct"], rel=1e-9)


def test_one_against_many_oracle(oracles):
    o, base = oracles["E3_1vm"], oracles["E2_calibrated_1v1"]["calibration"]
    effect = one_against_many_test(base, [o["new"]])
    assert (effect.t, effect.df, effect.p) == approx((o["t"], o["df"], o["p"]), rel=1e-9)
    assert o["new"] / effect.ratio == approx(o["geomean"], rel=1e-12)
    assert prediction_interval(base) == approx((o["pi_lo"], o["pi_hi"]), rel=1e-12)
    assert (effect.n_a, effect.n_b) == (o["m"], 1)


@settings(deadline=None, max_examples=40)
@given(positive, positive, st.lists(positive, min_size=2, max_size=8))
def test_swapping_the_sides(a, b, many):
    assert break_even_cv(a, b) == approx(break_even_cv(b, a), rel=1e-12)
    one, other = calibrated_test(a, b, 0.02, 5), calibrated_test(b, a, 0.02, 5)
    assert (one.log_ratio, one.p) == approx((-other.log_ratio, other.p), rel=1e-12)
    try:
        one, other = one_against_many_test([a], many), one_against_many_test(many, [a])
    except DegenerateError:
        return
    assert (one.log_ratio, one.se, one.df, one.p) == (-other.log_ratio, other.se, other.df, other.p)


def test_refuses_what_has_no_answer():
    assert break_even_cv(3, 3) == 0
    with pytest.raises(ValueError, match="B must be a finite number above zero"):
        break_even_cv(3, 0)
    with pytest.raises(ValueError, match="alpha"):
        break_even_cv(3, 4, alpha=0)
    with pytest.raises(ValueError, match="A must be"):
        calibrated_test(math.nan, 1, 0.1, 3)
    with pytest.raises(DegenerateError, match="calibration"):
        calibrated_test(1, 2, 0.0, 3)
    with pytest.raises(ValueError, match="df"):
        calibrated_test(1, 2, 0.1, 0)
    with pytest.raises(ValueError, match="exactly one side"):
        one_against_many_test([1, 2], [1, 2])
    with pytest.raises(ValueError, match="exactly one side"):
        one_against_many_test([1], [2])
    with pytest.raises(ValueError, match="B: 0 values"):
        one_against_many_test([1], [])
    with pytest.raises(DegenerateError, match="A: its runs do not vary"):
        one_against_many_test([2, 2, 2], [3])
    assert one_against_many_test([2, 2, 2], [3], resolution=1).p < 1
    with pytest.raises(ValueError, match="at least 2"):
        prediction_interval([1])
    with pytest.raises(DegenerateError):
        prediction_interval([1, 1])


def test_calibration_interval_and_detectable_effects():
    rng = np.random.default_rng(1)
    y = rng.lognormal(3, 0.02, 10)
    c = calibrate(y)
    s = np.log(y).std(ddof=1)
    low, high = reference.chi2.ppf([0.025, 0.975], 9)
    assert (c.sd, c.sd_low, c.sd_high) == approx((s, s * math.sqrt(9 / high), s * math.sqrt(9 / low)), rel=1e-9)
    assert c.detectable_10 < c.detectable_5
    assert c.centre == approx(reference.gmean(y))


def test_calibration_steadiness_against_scipy():
    rng = np.random.default_rng(2)
    y = rng.lognormal(3, 0.02, 11)
    c = calibrate(y)
    line = reference.linregress(np.arange(11), np.log(y))
    assert (c.slope, c.slope_p) == approx((line.slope, line.pvalue), rel=1e-8)
    halves = reference.ttest_ind(np.log(y[6:]), np.log(y[:5]), equal_var=False)
    assert c.halves is not None
    assert (c.halves.t, c.halves.p) == approx((halves.statistic, halves.pvalue), rel=1e-8)


def test_calibration_sees_drift():
    drift = calibrate([100 + i for i in range(12)])
    assert drift.slope_p < 1e-6 and drift.lag1_p < 0.01 and drift.lag1 > 0.5
    assert drift.halves is not None and drift.halves.p < 0.001
    steady = calibrate([100, 103, 99, 101, 100, 102, 98, 101])
    assert min(steady.slope_p, steady.lag1_p) > 0.05
    exponential = calibrate([2.0**i for i in range(8)])
    assert exponential.slope == approx(math.log(2))
    assert exponential.slope_p < 1e-12


def test_calibration_lag_p_keeps_its_level():
    rng = np.random.default_rng(3)
    rejected = sum(calibrate(rng.lognormal(0, 0.02, 8)).lag1_p < 0.05 for _ in range(200))
    assert rejected <= 22


def test_calibration_of_constants():
    with pytest.raises(DegenerateError):
        calibrate([5, 5, 5, 5])
    with pytest.raises(ValueError, match="3 values, at least 4"):
        calibrate([5, 5, 6])
    c = calibrate([5, 5, 5, 5], resolution=1)
    assert c.sd == approx(math.sqrt(1 / 12 / 25))
    assert (c.lag1, c.lag1_p, c.slope, c.slope_p) == (0, 1, 0, 1)
    assert c.halves is not None and c.halves.p == 1
    assert calibrate([5, 5, 6, 6]).halves is None


def test_pooled_noise():
    noise = pooled_noise([[1, 2, 3], [5], [7, 7.5]])
    variances = [np.log(g).var(ddof=1) for g in ([1, 2, 3], [7, 7.5])]
    assert (noise.sd, noise.df) == (approx(math.sqrt((2 * variances[0] + variances[1]) / 3)), 3)
    with pytest.raises(ValueError, match="none has 2 runs"):
        pooled_noise([[1], [2]])
    with pytest.raises(ValueError, match="none has 2 runs"):
        pooled_noise([])
    with pytest.raises(DegenerateError):
        pooled_noise([[1, 1], [2, 2]])
    with pytest.raises(ValueError, match="group 2: value 1 is -1"):
        pooled_noise([[1, 2], [-1, 2]])
