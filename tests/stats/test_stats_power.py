"""Equivalence, power, detectable effects and runs needed."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx
from scipy import stats as reference

from abcompare.stats import (
    Effect,
    chance_to_reject,
    detectable_effect,
    detectable_effect_of,
    equivalence_test,
    runs_needed,
    sd_of_cv,
    t_quantile,
    t_tail,
    t_two_sided,
    welch_test,
)


def test_equivalence_oracle(oracles, e5):
    result = equivalence_test(welch_test(e5["A"], e5["B"]), e5["margin_pct"] / 100)
    assert (result.p_lower, result.p_upper, result.p) == approx(
        (e5["tost_p_lower"], e5["tost_p_upper"], e5["tost_p"]), rel=1e-9
    )
    assert 100 * result.margin_shown == approx(e5["smallest_margin_pct"], rel=1e-9)
    assert result.interval == approx((e5["lo90"], e5["hi90"]), rel=1e-12)
    o = oracles["E6_equivalent"]
    result = equivalence_test(welch_test(o["A"], o["B"]), o["margin_pct"] / 100)
    assert result.p == approx(o["tost_p"], rel=1e-8)
    assert 100 * result.margin_shown == approx(o["smallest_margin_pct"], rel=1e-9)


def test_the_json_example_of_the_design(e4):
    effect = welch_test(e4["A"], e4["B"])
    result = equivalence_test(effect, 0.05)
    # Its equivalence_p, 0.0166488, is 0.01665021 by SciPy's t with the E4 numbers.
    assert (result.p, result.margin_shown) == approx((0.01665021087510754, 0.0456562), rel=1e-6)
    assert detectable_effect(effect.se, effect.df) == approx(0.0178, abs=5e-5)


@settings(deadline=None, max_examples=60)
@given(st.floats(-1, 1), st.floats(1e-3, 1), st.floats(1, 50), st.floats(0.001, 1))
def test_equivalence_mirrors_and_agrees_with_its_interval(d, se, df, margin):
    one = equivalence_test(Effect(d, se, df, 5, 5, "x"), margin)
    other = equivalence_test(Effect(-d, se, df, 5, 5, "x"), margin)
    assert (one.p, one.p_lower) == (other.p, other.p_upper)
    assert one.margin_shown == approx(other.margin_shown, rel=1e-9)
    if abs(one.p - 0.05) > 1e-9:
        low, high = one.interval
        assert (one.p < 0.05) == (1 / (1 + margin) < low and high < 1 + margin) == (one.margin_shown < margin)


def test_equivalence_refuses():
    effect = Effect(0.01, 0.01, 5, 5, 5, "x")
    for margin in (0, -0.05, math.nan, math.inf):
        with pytest.raises(ValueError, match="margin"):
            equivalence_test(effect, margin)
    with pytest.raises(ValueError, match=r"below 0\.5"):
        equivalence_test(effect, 0.05, alpha=0.5)


def test_detectable_effect_oracle(oracles, e5):
    for n, row in oracles["E13_mde_pct"].items():
        for cv, percent in row.items():
            found = detectable_effect_of(sd_of_cv(float(cv[2:])), int(n))
            assert 100 * found == approx(percent, rel=1e-9), (n, cv)
    effect = welch_test(e5["A"], e5["B"])
    assert effect.sd == approx(e5["pooled_sd_log"], rel=1e-9)
    assert 100 * detectable_effect(effect.se, effect.df) == approx(e5["mde80_exact_pct"], rel=1e-9)
    printed = math.expm1((t_quantile(0.975, effect.df) + t_quantile(0.8, effect.df)) * effect.se)
    assert 100 * printed == approx(e5["mde80_approx_pct"], rel=1e-9)


def test_runs_needed_oracle(oracles, e5):
    for cv, row in oracles["E13_n_per_side"].items():
        for percent, n in row.items():
            assert runs_needed(sd_of_cv(float(cv[2:])), float(percent[:-1]) / 100) == n, (cv, percent)
    sd = welch_test(e5["A"], e5["B"]).sd
    assert (runs_needed(sd, 0.02), runs_needed(sd, 0.05)) == (e5["n_needed_2pct"], e5["n_needed_5pct"])


def test_student_oracle(oracles):
    for name, t in oracles["E18_t"].items():
        p, df = (float(part[1:].removeprefix("f")) for part in name.split("_"))
        assert t_quantile(p, df) == approx(t, rel=1e-12)
        assert t_tail(t, df) == approx(1 - p, rel=1e-9)


def test_student_against_scipy():
    for df in (1, 1.5, 4, 7.3, 100, 1e6, math.inf):
        for t in (0, 0.1, 1, 3, 30):
            assert t_two_sided(-t, df) == approx(min(1, 2 * reference.t.sf(t, df)), rel=1e-9)
        for p in (1e-6, 0.1, 0.5, 0.975):
            assert t_quantile(p, df) == approx(reference.t.ppf(p, df), rel=1e-8, abs=1e-12)
    for df in (0, -1, math.nan):
        with pytest.raises(ValueError, match="df"):
            t_tail(1, df)


def test_power_against_the_noncentral_t_of_scipy():
    for df in (1, 2.5, 4, 8, 30, 1_000):
        for alpha in (0.01, 0.05):
            critical = reference.t.isf(alpha / 2, df)
            for shift in (0, 0.5, 2, 4):
                expected = reference.nct.sf(critical, df, shift) + reference.nct.cdf(-critical, df, shift)
                assert chance_to_reject(shift, df, alpha=alpha) == approx(expected, rel=1e-8)
    assert chance_to_reject(0, 3) == approx(0.05, rel=1e-10)
    assert chance_to_reject(2.8, math.inf) == approx(chance_to_reject(2.8, 9e6), rel=1e-5)
    assert chance_to_reject(1e6, 2) == approx(1)


@settings(deadline=None, max_examples=40)
@given(st.floats(1, 200), st.floats(0.2, 0.99), st.floats(0.001, 0.1), st.floats(1e-4, 0.5))
def test_the_detectable_effect_has_the_power_asked_for(df, power, alpha, se):
    effect = detectable_effect(se, df, power=power, alpha=alpha)
    if math.isfinite(effect):
        # The quadrature is good to 1e-6 even where alpha .001 on one degree of freedom puts t at 636.
        assert chance_to_reject(math.log1p(effect) / se, df, alpha=alpha) == approx(power, rel=1e-6)


@settings(deadline=None, max_examples=40)
@given(st.floats(1e-4, 3), st.floats(0.005, 1), st.booleans())
def test_runs_needed_is_the_first_number_that_suffices(sd, margin, paired):
    n = runs_needed(sd, margin, paired=paired)
    assert detectable_effect_of(sd, n, paired=paired) <= margin * (1 + 1e-9)
    assert n == 2 or detectable_effect_of(sd, n - 1, paired=paired) > margin * (1 - 1e-9)


def test_power_by_simulation():
    rng = np.random.default_rng(1)
    sd, n = sd_of_cv(0.02), 5
    shift = math.log1p(detectable_effect_of(sd, n))
    found = [welch_test(np.exp(rng.normal(0, sd, n)), np.exp(rng.normal(shift, sd, n))).p < 0.05 for _ in range(1_000)]
    # Welch pays for its df with a little power.
    assert 0.74 < np.mean(found) < 0.84


def test_more_runs_than_anyone_will_make():
    assert runs_needed(50, 0.001) > 1e10


def test_power_refuses():
    with pytest.raises(ValueError, match="se must"):
        detectable_effect(0, 5)
    with pytest.raises(ValueError, match="above alpha"):
        detectable_effect(0.1, 5, power=0.01)
    with pytest.raises(ValueError, match="n must be a whole number, 2 or more"):
        detectable_effect_of(0.1, 1)
    with pytest.raises(ValueError, match="sd must"):
        runs_needed(0, 0.05)
    with pytest.raises(ValueError, match="margin must"):
        runs_needed(0.1, 0)
    with pytest.raises(ValueError, match="cv must"):
        sd_of_cv(-1)
    with pytest.raises(ValueError, match="shift"):
        chance_to_reject(math.nan, 5)
