"""Welch and paired t on logs, and the Effect they return."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pytest import approx
from scipy import stats as reference

from abcompare.stats import DegenerateError, Effect, geometric_mean, paired_test, welch_test

runs = st.lists(st.floats(1e-3, 1e6), min_size=2, max_size=12)


@pytest.mark.parametrize("case", ["E4_welch_log", "E5_not_significant", "E6_equivalent"])
def test_welch_oracle(oracles, case):
    o = oracles[case]
    effect = welch_test(o["A"], o["B"])
    assert effect.method == "welch-log"
    assert (effect.ratio, effect.t, effect.df, effect.p) == approx((o["ratio"], o["t"], o["df"], o["p"]), rel=1e-9)
    assert effect.interval() == approx((o["lo"], o["hi"]), rel=1e-12)
    assert effect.interval(0.90) == approx((o["lo90"], o["hi90"]), rel=1e-12)
    if "se" in o:
        assert (effect.log_ratio, effect.se) == approx((o["logdiff"], o["se"]), rel=1e-9)
    if "lo99" in o:
        assert effect.interval(0.99) == approx((o["lo99"], o["hi99"]), rel=1e-12)


def test_paired_oracle(oracles):
    o = oracles["E7_paired"]
    effect = paired_test(o["A"], o["B"])
    assert (effect.ratio, effect.t, effect.df, effect.p) == approx((o["ratio"], o["t"], o["df"], o["p"]), rel=1e-9)
    assert effect.interval() == approx((o["lo"], o["hi"]), rel=1e-12)
    unpaired = welch_test(o["A"], o["B"])
    assert unpaired.p == approx(o["unpaired_p"], rel=1e-9)
    assert unpaired.interval() == approx((o["unpaired_lo"], o["unpaired_hi"]), rel=1e-12)


def test_three_against_three_oracle(oracles):
    # The inputs are not in the oracle; these are the ones that give its p.
    effect = welch_test([100, 101, 102], [104, 105, 106])
    assert effect.p == approx(oracles["E8_sep3"]["welch_log_p"], rel=1e-9)


def test_agrees_with_scipy_on_random_data():
    rng = np.random.default_rng(1)
    for _ in range(50):
        n_a, n_b = rng.integers(2, 20, 2)
        a, b = rng.lognormal(3, rng.uniform(0.01, 1), n_a), rng.lognormal(3, rng.uniform(0.01, 1), n_b)
        expected = reference.ttest_ind(np.log(b), np.log(a), equal_var=False)
        effect = welch_test(a, b)
        assert (effect.t, effect.df, effect.p) == approx((expected.statistic, expected.df, expected.pvalue), rel=1e-8)
        c = a * rng.lognormal(0.1, 0.2, n_a)
        expected = reference.ttest_rel(np.log(c), np.log(a))
        effect = paired_test(a, c)
        interval = expected.confidence_interval(0.9)
        assert (effect.t, effect.df, effect.p) == approx((expected.statistic, expected.df, expected.pvalue), rel=1e-8)
        assert np.log(effect.interval(0.9)) == approx((interval.low, interval.high), rel=1e-8, abs=1e-12)


def assert_mirrored(one: Effect, other: Effect) -> None:
    assert one.log_ratio == approx(-other.log_ratio, rel=1e-9, abs=1e-15)
    assert (one.se, one.df, one.p) == approx((other.se, other.df, other.p), rel=1e-9)
    low, high = one.interval()
    if low > 0 and math.isfinite(high):
        assert other.interval() == approx((1 / high, 1 / low), rel=1e-9)


@settings(deadline=None, max_examples=60)
@given(runs, runs)
def test_swapping_the_sides_mirrors_welch(a, b):
    try:
        effect = welch_test(a, b)
    except DegenerateError:
        with pytest.raises(DegenerateError):
            welch_test(b, a)
        return
    assert_mirrored(effect, welch_test(b, a))
    assert 0 <= effect.p <= 1
    assert min(len(a), len(b)) - 1 <= effect.df * (1 + 1e-12)
    assert effect.df <= (len(a) + len(b) - 2) * (1 + 1e-12)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.floats(1e-3, 1e6), st.floats(1e-3, 1e6)), min_size=2, max_size=12))
def test_swapping_the_sides_mirrors_pairs(pairs):
    a, b = zip(*pairs, strict=True)
    try:
        effect = paired_test(a, b)
    except DegenerateError:
        assume(False)
    assert_mirrored(effect, paired_test(b, a))


@settings(deadline=None, max_examples=30)
@given(runs, runs, st.floats(1e-3, 1e3))
def test_the_unit_of_measurement_does_not_matter(a, b, scale):
    try:
        effect = welch_test(a, b)
    except DegenerateError:
        assume(False)
    # Variation near the limit that counts as none may fall on either side of it.
    assume(effect.se > 1e-9)
    scaled = welch_test([scale * y for y in a], [scale * y for y in b])
    assert scaled.log_ratio == approx(effect.log_ratio, rel=1e-6, abs=1e-12)
    assert scaled.se == approx(effect.se, rel=1e-5)


@pytest.mark.parametrize("test", [welch_test, paired_test])
def test_refuses_what_has_no_answer(test):
    with pytest.raises(ValueError, match="A: 0 values, at least 2 needed"):
        test([], [1, 2])
    with pytest.raises(ValueError, match="B: 1 value, at least 2 needed"):
        test([1, 2], [1])
    with pytest.raises(ValueError, match="B: value 2 is nan"):
        test([1, 2], [1, math.nan])
    with pytest.raises(ValueError, match="A: value 1 is inf"):
        test([math.inf, 2], [1, 2])
    with pytest.raises(ValueError, match="A: value 2 is 0; a ratio needs values above zero"):
        test([1, 0], [1, 2])
    with pytest.raises(ValueError, match="B: value 1 is -3"):
        test([1, 2], [-3, 2])
    with pytest.raises(ValueError, match="flat list"):
        test([[1, 2], [3, 4]], [1, 2])
    with pytest.raises(DegenerateError, match="no print resolution"):
        test([5, 5, 5], [5, 5, 5])
    with pytest.raises(DegenerateError, match="no print resolution"):
        test([5, 5, 5], [6, 6, 6])
    with pytest.raises(DegenerateError, match="not above half a unit"):
        test([0.5, 2], [1, 2], resolution_a=1)


def test_pairs_must_match():
    with pytest.raises(ValueError, match="2 and 3 runs do not make pairs"):
        paired_test([1, 2], [1, 2, 3])
    with pytest.raises(DegenerateError, match="same ratio"):
        paired_test([10, 20, 40], [11, 22, 44])


def test_values_apart_by_float_noise_do_not_vary():
    with pytest.raises(DegenerateError):
        welch_test([0.1 + 0.2, 0.3], [0.3, 0.3])


def test_one_side_may_be_constant():
    effect = welch_test([10, 10, 10], [11, 12, 13])
    assert effect.df == approx(2)
    assert 0 < effect.p < 1


def test_a_known_resolution_floors_the_variance():
    effect = welch_test([5, 5, 5, 5], [6, 6, 6, 6], resolution_a=1)
    assert effect.se == approx(math.sqrt((1 / 25 + 1 / 36) / 12 / 4))
    same = welch_test([5, 5], [5, 5], resolution_a=1)
    assert (same.ratio, same.p) == (1, 1)
    pairs = paired_test([5, 5, 5], [6, 6, 6], resolution_a=1)
    assert pairs.se == approx(math.sqrt((1 / 25 + 1 / 36) / 12 / 3))
    noisy = welch_test([500, 540, 480], [500, 550, 520], resolution_a=1)
    assert noisy == welch_test([500, 540, 480], [500, 550, 520])
    assert welch_test([5, 5], [6, 6], resolution_a=0, resolution_b=1).df == approx(1)


def test_bounds_that_overflow_are_infinite():
    effect = welch_test([1e-300, 1e300], [1e-300, 1e300])
    assert effect.interval() == (0, math.inf)
    assert effect.p == 1


def test_an_effect_cannot_be_made_of_nonsense():
    for wrong in ({"log_ratio": math.nan}, {"se": 0.0}, {"se": math.inf}, {"df": 0.0}, {"df": math.nan}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Effect(**({"log_ratio": 0.1, "se": 0.1, "df": 3.0, "n_a": 2, "n_b": 2, "method": "x"} | wrong))
    with pytest.raises(ValueError, match="confidence"):
        Effect(0.1, 0.1, 3.0, 2, 2, "x").interval(1)


def test_known_variance_is_the_normal_law():
    effect = Effect(1.96, 1.0, math.inf, 5, 5, "x")
    assert effect.p == approx(2 * reference.norm.sf(1.96), rel=1e-12)
    assert np.log(effect.interval()) == approx((1.96 - 1.959963985, 1.96 + 1.959963985), abs=1e-8)


def test_geometric_mean_oracle(oracles, e4):
    assert geometric_mean(oracles["E16_geomean"]["ratios"]).centre == approx(oracles["E16_geomean"]["geomean"])
    a, b = geometric_mean(e4["A"]), geometric_mean(e4["B"])
    assert (a.centre, b.centre) == approx((e4["geomean_A"], e4["geomean_B"]), rel=1e-12)
    # The design's JSON prints 4187.1 and 4244.9 here, which is not Student's interval of these five values.
    half = reference.t.ppf(0.975, 4) * np.log(e4["A"]).std(ddof=1) / math.sqrt(5)
    assert (a.low, a.high) == approx((a.centre / math.exp(half), a.centre * math.exp(half)), rel=1e-12)


def test_geometric_mean_of_few_or_constant_values():
    one = geometric_mean([4.0])
    assert (one.n, one.centre, one.low, one.high) == (1, approx(4), None, None)
    constant = geometric_mean([4.0, 4.0])
    assert constant.low == constant.centre == constant.high
    with pytest.raises(ValueError, match="0 values"):
        geometric_mean([])


@pytest.mark.parametrize("true_ratio", [1.0, 1.05])
def test_error_rate_and_coverage(true_ratio):
    rng = np.random.default_rng(20)
    sd, sims = math.sqrt(math.log1p(0.02**2)), 2_000
    logs = rng.normal(0, sd, (sims, 2, 5)) + np.array([0, math.log(true_ratio)])[:, None]
    effects = [welch_test(*np.exp(pair)) for pair in logs]
    covered = np.mean([e.interval()[0] <= true_ratio <= e.interval()[1] for e in effects])
    assert 0.93 <= covered <= 0.97
    if true_ratio == 1:
        assert 0.03 <= np.mean([e.p < 0.05 for e in effects]) <= 0.07
