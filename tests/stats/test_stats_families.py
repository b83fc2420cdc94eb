"""Many tests at once: adjustment, moderated variance and the global effect."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx
from scipy import stats as reference

from abcompare.stats import (
    DegenerateError,
    Effect,
    benjamini_hochberg,
    combine_effects,
    holm,
    moderate,
    paired_test,
    shrink_variances,
    welch_test,
)

probabilities = st.lists(st.floats(0, 1), max_size=12)


def test_oracle(oracles):
    o = oracles["E12_multi"]
    assert holm(o["p"]) == approx(o["holm"], rel=1e-12)
    assert benjamini_hochberg(o["p"]) == approx(o["bh"], rel=1e-12)


@settings(deadline=None, max_examples=60)
@given(probabilities, st.randoms(use_true_random=False))
def test_adjustment(p, random):
    order = list(range(len(p)))
    random.shuffle(order)
    for adjust in (holm, benjamini_hochberg):
        adjusted = adjust(p)
        assert all(q <= r <= 1 for q, r in zip(p, adjusted, strict=True))
        assert adjust([p[i] for i in order]) == [adjusted[i] for i in order]
    assert all(h >= b * (1 - 1e-12) for h, b in zip(holm(p), benjamini_hochberg(p), strict=True))
    if p:
        assert benjamini_hochberg(p) == approx(reference.false_discovery_control(p), rel=1e-9)
        assert min(holm(p)) == approx(min(1, len(p) * min(p)))


def test_adjustment_refuses():
    for wrong in ([0.1, math.nan], [1.1], [-0.1]):
        with pytest.raises(ValueError, match="p: value"):
            holm(wrong)
    assert holm([]) == benjamini_hochberg([]) == []


def test_shrinkage_recovers_the_prior():
    rng = np.random.default_rng(1)
    d0, s0, d = 8.0, 4e-4, 8
    sigma2 = d0 * s0 / rng.chisquare(d0, 4_000)
    fit = shrink_variances(sigma2 * rng.chisquare(d, 4_000) / d, [d] * 4_000)
    assert fit.prior_df == approx(d0, rel=0.15)
    assert fit.prior_variance == approx(s0, rel=0.05)
    assert fit.dfs[0] == approx(fit.prior_df + d)


def test_shrinkage_moves_towards_the_prior_and_keeps_the_order():
    variances = [1e-4, 2e-4, 4e-4, 4e-3]
    fit = shrink_variances(variances, [4, 4, 4, 4])
    for before, after in zip(variances, fit.variances, strict=True):
        assert min(before, fit.prior_variance) <= after <= max(before, fit.prior_variance)
    assert list(fit.variances) == sorted(fit.variances)


def test_shrinkage_at_the_edges():
    one = shrink_variances([3e-4], [4])
    assert (one.variances, one.dfs, one.prior_df) == ((3e-4,), (4,), 0)
    equal = shrink_variances([3e-4] * 6, [4, 4, 4, 8, 8, 8])
    assert math.isinf(equal.prior_df)
    assert equal.variances == approx([3e-4] * 6)
    assert equal.dfs == (36,) * 6
    zero = shrink_variances([0, 0, 2e-4, 3e-4, 1e-4, 2e-4], [4] * 6)
    assert min(zero.variances) > 0 and all(math.isfinite(v) for v in zero.variances)
    with pytest.raises(DegenerateError, match="all are zero"):
        shrink_variances([0, 0], [4, 4])
    with pytest.raises(DegenerateError):
        shrink_variances([0], [4])
    with pytest.raises(ValueError, match="do not match"):
        shrink_variances([1, 2], [4])
    with pytest.raises(ValueError, match="must not be negative"):
        shrink_variances([1, -2], [4, 4])
    with pytest.raises(ValueError, match="above zero"):
        shrink_variances([1, 2], [4, 0])
    with pytest.raises(ValueError, match="0 values"):
        shrink_variances([], [])
    wild = shrink_variances([1e-12, 1e12], [1, 1])
    assert all(math.isfinite(v) and v > 0 for v in wild.variances)


def test_moderating_effects():
    assert moderate([]) == []
    single = welch_test([1, 2, 3], [2, 3, 4])
    assert moderate([single]) == [single]
    with pytest.raises(ValueError, match="dfs: value 2 is inf"):
        moderate([single, Effect(0.1, 0.1, math.inf, 3, 3, "x")])
    rng = np.random.default_rng(2)
    effects = [welch_test(rng.lognormal(0, 0.02, 5), rng.lognormal(0, 0.02, n)) for n in (3, 5, 9, 5, 5, 5, 4)]
    effects.append(paired_test(rng.lognormal(0, 0.02, 6), rng.lognormal(0, 0.02, 6)))
    moderated = moderate(effects)
    assert [m.log_ratio for m in moderated] == [e.log_ratio for e in effects]
    assert all(m.df > e.df and m.method == "moderated-log" for m, e in zip(moderated, effects, strict=True))
    spread = [np.ptp([math.log(e.sd) for e in es]) for es in (effects, moderated)]
    assert spread[1] < spread[0]


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.tuples(st.lists(st.floats(1, 9), min_size=2, max_size=5), st.lists(st.floats(1, 9), min_size=2, max_size=5)),
        min_size=1,
        max_size=7,
    )
)
def test_swapping_the_sides(sides):
    try:
        one = [welch_test(a, b) for a, b in sides]
        other = [welch_test(b, a) for a, b in sides]
    except DegenerateError:
        return
    for x, y in zip([*moderate(one), combine_effects(one)], [*moderate(other), combine_effects(other)], strict=True):
        assert x.log_ratio == approx(-y.log_ratio, rel=1e-9, abs=1e-12)
        assert (x.se, x.df) == approx((y.se, y.df), rel=1e-6)


def family(rng, k, n, sd, loss=0.0):
    logs = rng.normal(0, sd, (k, 2, n))
    logs[0, 1] += loss
    return [welch_test(*np.exp(pair)) for pair in logs]


def test_fifty_scenarios_moderated():
    """Family-wise error stays at 5 %, and one loss of 5 % is found far oftener than without pooling (section 2)."""
    rng = np.random.default_rng(3)
    sims, wrong, found, alone = 120, 0, 0, 0
    for _ in range(sims):
        sd = np.repeat(np.exp(rng.normal(math.log(0.02), 0.15, (50, 1, 1))), 2, axis=1)
        effects = family(rng, 50, 5, sd, math.log(0.95))
        p = holm([e.p for e in moderate(effects)])
        wrong += min(p[1:]) < 0.05
        found += p[0] < 0.05
        alone += holm([e.p for e in effects])[0] < 0.05
    assert wrong / sims < 0.11
    assert found / sims > 0.55
    assert alone / sims < 0.40


def test_global_effect():
    effect = welch_test([1, 2, 3], [2, 3, 4])
    alone = combine_effects([effect])
    assert (alone.log_ratio, alone.se, alone.df) == approx((effect.log_ratio, effect.se, effect.df))
    four = combine_effects([effect] * 4)
    assert (four.log_ratio, four.se, four.df) == approx((effect.log_ratio, effect.se / 2, effect.df * 4))
    assert four.sd == approx(effect.sd)
    ratios = [1.1, 0.95, 1.02]
    known = combine_effects([Effect(math.log(r), 0.01, math.inf, 3, 3, "x") for r in ratios])
    assert known.ratio == approx(reference.gmean(ratios))
    assert math.isinf(known.df)
    with pytest.raises(ValueError, match="none given"):
        combine_effects([])


def test_global_effect_keeps_its_level():
    rng = np.random.default_rng(4)
    sd = np.array([0.01, 0.02, 0.02, 0.05, 0.1, 0.01])[:, None, None]
    rejected = [combine_effects(family(rng, 6, 4, sd)).p < 0.05 for _ in range(1_000)]
    assert 0.03 < np.mean(rejected) < 0.07
