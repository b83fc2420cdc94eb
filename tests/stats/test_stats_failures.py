"""Failed requests: intervals of shares, Fisher and the test by run."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx
from scipy import stats as reference

from abcompare.stats import (
    DegenerateError,
    clopper_pearson_upper,
    failure_test,
    fisher_test,
    newcombe_interval,
    risk_ratio_interval,
    wilson_interval,
)

share = st.integers(1, 3_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_single_run_oracle(oracles):
    o = oracles["E9_fail_single"]
    counts = (o["x1"], o["n1"], o["x2"], o["n2"])
    assert fisher_test(*counts) == approx(o["fisher_p"], rel=1e-9)
    assert newcombe_interval(*counts) == approx((o["newcombe_lo"], o["newcombe_hi"]), rel=1e-9)
    assert newcombe_interval(*counts) == approx(o["newcombe_hand"], rel=1e-9)
    assert wilson_interval(*counts[:2]) == approx(o["wilson1"], rel=1e-9)
    assert wilson_interval(*counts[2:]) == approx(o["wilson2"], rel=1e-9)
    assert risk_ratio_interval(*counts) == approx((o["rr_lo"], o["rr_hi"]), rel=1e-9)
    result = failure_test([o["x1"]] * 2, [o["n1"]] * 2, [o["x2"]] * 2, [o["n2"]] * 2)
    assert (result.difference, result.share_b / result.share_a) == approx((o["diff"], o["rr"]))


def test_runs_oracle(oracles):
    o = oracles["E9_fail_runs"]
    n = [o["n_per_run"]] * 5
    result = failure_test(o["fa"], n, o["fb"], n)
    assert (result.phi_a, result.phi_b, result.phi) == approx((o["phi_A"], o["phi_B"], o["phi"]), rel=1e-12)
    assert (result.z, result.p_naive) == approx((o["z_naive"], o["p_naive"]), rel=1e-9)
    assert (result.t, result.df, result.p) == approx((o["t_od"], o["df"], o["p_od"]), rel=1e-9)
    assert fisher_test(sum(o["fa"]), sum(n), sum(o["fb"]), sum(n)) == approx(o["fisher_p"], rel=1e-9)
    ranks = reference.mannwhitneyu(o["fa"], o["fb"])
    assert ranks.pvalue == approx(o["mwu_p"])


def test_zero_failures_oracle(oracles):
    o = oracles["E9_zero"]
    assert clopper_pearson_upper(0, o["n"]) == approx(o["clopper_upper95_one_sided"], rel=1e-9)
    assert 3 / o["n"] == approx(o["rule_of_three"])


@settings(deadline=None, max_examples=60)
@given(share, share)
def test_against_scipy_and_swapped(a, b):
    expected = reference.fisher_exact([[a[0], a[1] - a[0]], [b[0], b[1] - b[0]]]).pvalue
    assert fisher_test(*a, *b) == approx(expected, rel=1e-6, abs=1e-300)
    assert fisher_test(*b, *a) == approx(fisher_test(*a, *b), rel=1e-9)
    one, other = newcombe_interval(*a, *b), newcombe_interval(*b, *a)
    assert one == approx((-other.high, -other.low), rel=1e-9, abs=1e-15)
    assert -1 <= one.low <= b[0] / b[1] - a[0] / a[1] <= one.high <= 1
    test = reference.binomtest(*a)
    wilson = test.proportion_ci(method="wilson")
    assert wilson_interval(*a) == approx((wilson.low, wilson.high), rel=1e-6, abs=1e-15)
    upper = reference.binomtest(*a, alternative="less").proportion_ci(method="exact")
    assert clopper_pearson_upper(*a) == approx(upper.high, rel=1e-6)
    if a[0] and b[0]:
        one, other = risk_ratio_interval(*a, *b), risk_ratio_interval(*b, *a)
        assert one == approx((1 / other.high, 1 / other.low), rel=1e-9)


def test_fisher_with_very_many_requests():
    expected = reference.fisher_exact([[1_000, 10**8 - 1_000], [1_150, 10**8 - 1_150]]).pvalue
    assert fisher_test(1_000, 10**8, 1_150, 10**8) == approx(expected, rel=1e-4)
    assert fisher_test(0, 10**7, 10**6, 10**7) == 0
    assert fisher_test(10**6, 10**7, 10**6 + 500, 10**7) == approx(0.7093, abs=0.001)


def test_fisher_where_nothing_can_differ():
    assert fisher_test(0, 5, 0, 9) == fisher_test(5, 5, 9, 9) == 1


runs = st.lists(st.tuples(st.integers(0, 50), st.integers(50, 500)), min_size=2, max_size=6)


@settings(deadline=None, max_examples=40)
@given(runs, runs)
def test_by_run_swapped(a, b):
    sides = [list(column) for side in (a, b) for column in zip(*side, strict=True)]
    one, other = failure_test(*sides), failure_test(*sides[2:], *sides[:2])
    assert (one.t, one.difference) == approx((-other.t, -other.difference), rel=1e-9, abs=1e-15)
    assert (one.p, one.p_naive, one.phi) == approx((other.p, other.p_naive, other.phi), rel=1e-9)
    assert one.p_naive <= one.p * (1 + 1e-9) <= 1 + 1e-9
    if one.difference:
        pooled = sum(sides[0] + sides[2]) / sum(sides[1] + sides[3])
        error = pooled * (1 - pooled) * (1 / sum(sides[1]) + 1 / sum(sides[3]))
        assert one.z == approx(one.difference / math.sqrt(error))


def test_clumped_failures_keep_the_level_by_run():
    rng = np.random.default_rng(1)
    n = [4_000] * 5
    naive = by_run = 0
    for _ in range(500):
        a, b = (rng.poisson(rng.gamma(0.5, 12, 5)).tolist() for _ in "ab")
        result = failure_test(a, n, b, n)
        naive += result.p_naive < 0.05
        by_run += result.p < 0.05
    assert by_run < 0.08 * 500 < 0.3 * 500 < naive


def test_by_run_at_the_edges():
    nothing = failure_test([0, 0], [10, 10], [0, 0, 0], [10, 10, 10])
    assert (nothing.p, nothing.z, nothing.phi, nothing.df) == (1, 0, 0, 3)
    everything = failure_test([10, 10], [10, 10], [10, 10], [10, 10])
    assert (everything.p, everything.share_a) == (1, 1)
    all_or_none = failure_test([0, 0], [10, 10], [10, 10], [10, 10])
    assert all_or_none.difference == 1 and all_or_none.p < 0.05
    single = failure_test([1], [10], [2, 3], [10, 10])
    assert single.phi_a is None and single.phi_b is not None and single.df == 1
    with pytest.raises(ValueError, match="one run on each side"):
        failure_test([1], [10], [2], [10])
    with pytest.raises(ValueError, match="A: 0 failure counts for 0 runs"):
        failure_test([], [], [1, 2], [10, 10])
    with pytest.raises(ValueError, match="B: 2 failure counts for 1 runs"):
        failure_test([1, 2], [10, 10], [1, 2], [10])
    with pytest.raises(ValueError, match="B, run 2: 11 failures in 10 requests"):
        failure_test([1, 2], [10, 10], [1, 11], [10, 10])


def test_shares_refuse():
    with pytest.raises(ValueError, match="number of requests"):
        wilson_interval(0, 0)
    with pytest.raises(ValueError, match="A: number of failures"):
        newcombe_interval(-1, 10, 1, 10)
    with pytest.raises(ValueError, match="B: 11 failures in 10"):
        fisher_test(1, 10, 11, 10)
    with pytest.raises(ValueError, match="whole number"):
        clopper_pearson_upper(0.5, 10)
    with pytest.raises(ValueError, match="confidence"):
        clopper_pearson_upper(0, 10, confidence=0)
    with pytest.raises(DegenerateError, match="A: no failures"):
        risk_ratio_interval(0, 10, 1, 10)
    with pytest.raises(DegenerateError, match="B: no failures"):
        risk_ratio_interval(1, 10, 0, 10)
    assert clopper_pearson_upper(10, 10) == 1
    assert wilson_interval(0, 10).low == 0 and wilson_interval(10, 10).high == 1
