"""Samples within a run: quantiles, dependence, and samples within runs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx
from scipy import stats as reference

from abcompare.stats import (
    DegenerateError,
    autocorrelation,
    batch_means,
    effective_size,
    fifo_effective_size,
    min_n_for_upper_bound,
    optimal_samples,
    order_interval,
    quantile_interval,
    two_levels,
)


def test_order_interval_oracle(oracles):
    cases = [(name.split("_"), o) for name, o in oracles.items() if name.startswith("E10_order_ci")]
    assert len(cases) == 8
    for (*_, n, q), o in cases:
        found = order_interval(int(n[1:]), float(q[1:]))
        assert (found.lower_rank, found.upper_rank) == (o["lower_rank"], o["upper_rank"])
        assert found.coverage == approx(o["coverage"], rel=1e-9)
    ends = quantile_interval(range(1, 1_001), 0.99)
    assert (ends.low, ends.high) == tuple(oracles["E10_scipy_quantile_test_ci"].values())


def test_min_n_oracle(oracles):
    for name, n in oracles["E10_min_n_for_upper_bound"].items():
        q = float(name[1:])
        assert min_n_for_upper_bound(q) == n
        assert order_interval(n, q).upper_rank == n
        assert order_interval(n - 1, q).upper_rank is None


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 3_000), st.floats(0.01, 0.999), st.sampled_from([0.9, 0.95, 0.99]))
def test_order_interval_covers_and_mirrors(n, q, confidence):
    found = order_interval(n, q, confidence=confidence)
    assert found.coverage >= confidence
    low = reference.binom.cdf((found.lower_rank or 0) - 1, n, q) if found.lower_rank else 0
    high = reference.binom.cdf(found.upper_rank - 1, n, q) if found.upper_rank else 1
    assert found.coverage == approx(high - low, rel=1e-8)
    # The quantile q counted from above is the quantile 1-q counted from below.
    mirrored = order_interval(n, 1 - q, confidence=confidence)
    assert mirrored.lower_rank == (found.upper_rank and n + 1 - found.upper_rank)
    assert mirrored.upper_rank == (found.lower_rank and n + 1 - found.lower_rank)


def test_quantiles_by_nearest_rank():
    found = quantile_interval([5, 1, 3, 2, 4], 0.5)
    assert (found.quantile, found.low, found.high) == (3, None, None)
    assert quantile_interval([7.0], 0.99).quantile == 7
    with pytest.raises(ValueError, match="samples: 0 values"):
        quantile_interval([], 0.5)
    with pytest.raises(ValueError, match="samples: value 1 is nan"):
        quantile_interval([math.nan], 0.5)
    for q in (0, 1, math.nan):
        with pytest.raises(ValueError, match="q must"):
            order_interval(10, q)
    with pytest.raises(ValueError, match="n must"):
        order_interval(0, 0.5)


def test_dependence_oracle(oracles):
    o = oracles["E11_iact"]
    assert autocorrelation(o["x"], 3) == approx([1, o["acf1"], o["acf2"], o["acf3"]], rel=1e-12)
    found = effective_size(o["x"])
    assert (found.iact, found.n_eff) == approx((o["iact_geyer"], o["n_eff"]), rel=1e-12)
    assert (found.naive_se, found.corrected_se) == approx((o["naive_se"], o["corrected_se"]), rel=1e-12)
    batches = oracles["E11_batch"]
    found = batch_means(o["x"], 8)
    assert found.means == approx(batches["batches"])
    assert (found.se, found.df, found.lag1) == approx((batches["se"], batches["df"], batches["lag1"]), rel=1e-9)


def test_fifo_oracle(oracles):
    for name, inflation in oracles["E11_closed_fifo"].items():
        assert 10_000 / fifo_effective_size(10_000, int(name[1:])) == approx(inflation)
    assert fifo_effective_size(10, 100) == 1
    with pytest.raises(ValueError, match="concurrency"):
        fifo_effective_size(10, 0)


def test_effective_size_of_known_processes():
    rng = np.random.default_rng(1)
    white = rng.normal(size=20_000)
    assert effective_size(white).iact == approx(1, abs=0.15)
    rho, ar = 0.8, np.empty(20_000)
    ar[0] = white[0]
    for i in range(1, ar.size):
        ar[i] = rho * ar[i - 1] + white[i]
    assert effective_size(ar).iact == approx((1 + rho) / (1 - rho), rel=0.25)
    assert batch_means(ar, 20).se == approx(effective_size(ar).corrected_se, rel=0.5)


def test_dependence_at_the_edges():
    alternating = effective_size([1, 2] * 20)
    assert (alternating.iact, alternating.n_eff) == (1, 40)
    assert effective_size([1, 2]).n == 2
    with pytest.raises(DegenerateError):
        effective_size([3, 3, 3])
    with pytest.raises(ValueError, match="at least 2"):
        effective_size([3])
    with pytest.raises(ValueError, match="max_lag"):
        autocorrelation([1, 2], 2)
    with pytest.raises(ValueError, match="at least 4"):
        batch_means([1, 2, 3], 4)
    with pytest.raises(ValueError, match="batches"):
        batch_means([1, 2, 3], 1)
    assert batch_means([1, 1, 1, 1], 4).lag1 is None
    assert batch_means([1, 2, 3, 4, 9], 2).means == (1.5, 3.5)


def test_two_levels_oracle(oracles):
    o = oracles["E14_kj"]
    found = two_levels(o["runs"])
    assert (found.within, found.of_means, found.between) == approx((o["S1sq"], o["S2sq"], o["T2sq"]), rel=1e-12)
    assert o["T1sq"] == o["S1sq"]
    assert (found.share_between, found.design_effect) == approx((o["icc"], o["deff"]), rel=1e-12)
    assert (found.mean, found.half_width) == approx((o["mean"], o["ci_half"]), rel=1e-9)
    assert found.naive_half_width == approx(o["naive_half"], rel=1e-9)
    best = optimal_samples(found, sample_cost=o["c1"], run_cost=o["c2"])
    assert best == approx(o["r1_opt_raw"], rel=1e-12)
    assert math.ceil(best) == o["r1_opt"]


def test_two_levels_at_the_edges():
    alike = two_levels([[1, 2, 3], [1, 2, 3], [3, 2, 1]])
    assert alike.between < 0 and alike.share_between == 0 and alike.design_effect == 1
    assert math.isinf(optimal_samples(alike, sample_cost=1, run_cost=10))
    constant_runs = two_levels([[1, 1], [2, 2]])
    assert constant_runs.share_between == 1
    assert optimal_samples(constant_runs, sample_cost=1, run_cost=10) == 0
    with pytest.raises(ValueError, match="at least 2 are needed"):
        two_levels([[1, 2]])
    with pytest.raises(ValueError, match="same number"):
        two_levels([[1, 2], [1, 2, 3]])
    with pytest.raises(ValueError, match="run 2: 1 value"):
        two_levels([[1, 2], [1]])
    with pytest.raises(DegenerateError):
        two_levels([[1, 1], [1, 1]])
    with pytest.raises(ValueError, match="run_cost"):
        optimal_samples(alike, sample_cost=1, run_cost=0)
