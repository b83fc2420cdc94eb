"""Permutation and sign-flip tests."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pytest import approx
from scipy import stats as reference

from abcompare.stats import DegenerateError, permutation_test, sign_flip_test, smallest_p, smallest_paired_p

tied = st.lists(st.integers(1, 6), min_size=2, max_size=5)


def by_hand(a, b, statistic):
    """The definition, split by split, with no shortcut."""
    x = np.log(np.concatenate((a, b)))

    def value(chosen):
        one, two = x[list(chosen)], np.delete(x, list(chosen))
        d = abs(one.mean() - two.mean())
        d = d if d > 1e-12 else 0.0
        if statistic == "difference":
            return d
        e = one.var(ddof=1) / one.size + two.var(ddof=1) / two.size
        return d / math.sqrt(e) if e > 1e-25 else (math.inf if d else 0.0)

    observed = value(range(len(a)))
    values = [value(c) for c in itertools.combinations(range(x.size), len(a))]
    return sum(v >= observed * (1 - 1e-9) if math.isfinite(observed) else v == observed for v in values), len(values)


@pytest.mark.parametrize("case", ["E4_welch_log", "E5_not_significant"])
def test_oracle_p_of_the_difference(oracles, case):
    o = oracles[case]
    result = permutation_test(o["A"], o["B"], statistic="difference")
    assert result.exact and result.total == 252
    assert result.p == approx(o["perm_p"], rel=1e-12)
    if "scipy_perm_p" in o:
        assert (result.p, result.count) == (approx(o["scipy_perm_p"]), o["perm_count"])
    # On ranks the difference of means is Mann-Whitney's U.
    ranks = np.exp(reference.rankdata(np.concatenate((o["A"], o["B"]))))
    assert permutation_test(ranks[:5], ranks[5:], statistic="difference").p == approx(o["mwu_p_exact"])


def test_oracle_minimum_p(oracles):
    for name, p in oracles["E8_min_p_two_sided"].items():
        assert smallest_p(int(name[1:]), int(name[1:])) == approx(p, rel=1e-12)
    for name, p in oracles["E8_min_p_signflip"].items():
        assert smallest_paired_p(int(name[1:])) == approx(p, rel=1e-12)
    for statistic in ("studentised", "difference"):
        assert permutation_test([100, 101, 102], [104, 105, 106], statistic=statistic).p == approx(
            oracles["E8_sep3"]["perm"]
        )
    assert smallest_p(4, 12) == 1 / math.comb(16, 4)


def test_oracle_pairs(oracles):
    o = oracles["E7_paired"]
    assert sign_flip_test(o["A"], o["B"]).p == approx(o["signflip_p"])
    assert reference.wilcoxon(o["A"], o["B"]).pvalue == approx(o["wilcoxon_p_exact"])


@settings(deadline=None, max_examples=60)
@given(tied, tied, st.sampled_from(["studentised", "difference"]))
def test_counts_as_the_definition_does_with_ties(a, b, statistic):
    assume(len({*a, *b}) > 1)
    result = permutation_test(a, b, statistic=statistic)
    assert (result.count, result.total) == by_hand(a, b, statistic)
    assert result.p == result.count / result.total > 0


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=9),
    st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=9),
    st.sampled_from([20_000, 10]),
)
def test_swapping_the_sides_keeps_p(a, b, max_splits):
    try:
        one = permutation_test(a, b, max_splits=max_splits, draws=99)
    except DegenerateError:
        assume(False)
    # Not equality: rounding can decide a near tie either way, but only by splits that tie.
    assert permutation_test(b, a, max_splits=max_splits, draws=99) == one
    assert 0 < one.p <= 1


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=16))
def test_sign_flips_by_definition_and_swapped(pairs):
    a, b = zip(*pairs, strict=True)
    assume(a != b)
    result = sign_flip_test(a, b)
    assert result == sign_flip_test(b, a)
    if len(pairs) <= 8:
        d = np.log(b) - np.log(a)
        signs = np.array(list(itertools.product((1, -1), repeat=len(pairs))))
        assert result.count == np.count_nonzero(np.abs(signs @ d) >= abs(d.sum()) - 1e-9)
        assert result.total == 2 ** len(pairs)


def test_exact_up_to_eight_a_side_and_drawn_above():
    rng = np.random.default_rng(3)
    a, b = rng.lognormal(0, 0.02, 8), rng.lognormal(0.02, 0.02, 8)
    exact = permutation_test(a, b)
    assert exact.exact and exact.total == 12_870
    drawn = permutation_test(a, b, max_splits=0)
    assert not drawn.exact
    assert drawn.p == (drawn.count + 1) / 10_000
    assert drawn.p == approx(exact.p, abs=4 * math.sqrt(exact.p / 10_000))
    nine = permutation_test(rng.lognormal(0, 0.02, 9), b)
    assert not nine.exact and nine.total == 9_999


def test_drawn_splits_repeat_with_the_seed_and_not_without():
    rng = np.random.default_rng(4)
    a, b = rng.lognormal(0, 0.02, 12), rng.lognormal(0.01, 0.02, 12)
    assert permutation_test(a, b, seed=5) == permutation_test(a, b, seed=5)
    assert len({permutation_test(a, b, seed=s).count for s in range(5)}) > 1
    pairs = [sign_flip_test(a[:12].repeat(2), b[:12].repeat(2), seed=s) for s in (1, 1, 2)]
    assert pairs[0] == pairs[1] != pairs[2]


def test_many_runs_are_drawn_in_blocks():
    rng = np.random.default_rng(5)
    a, b = rng.lognormal(0, 0.02, 300), rng.lognormal(0.05, 0.02, 400)
    result = permutation_test(a, b)
    assert (result.count, result.total, result.p) == (0, 9_999, 1e-4)


def test_agrees_with_scipy_on_random_data():
    rng = np.random.default_rng(6)
    for n_a, n_b in ((4, 4), (3, 6), (5, 7)):
        a, b = rng.lognormal(0, 0.1, n_a), rng.lognormal(0.1, 0.3, n_b)

        def t(x, y, axis):
            error = x.var(axis=axis, ddof=1) / x.shape[axis] + y.var(axis=axis, ddof=1) / y.shape[axis]
            return np.abs(y.mean(axis=axis) - x.mean(axis=axis)) / np.sqrt(error)

        expected = reference.permutation_test(
            (np.log(a), np.log(b)), t, vectorized=True, n_resamples=np.inf, alternative="greater"
        )
        assert permutation_test(a, b).p == approx(expected.pvalue)


def test_the_raw_difference_fails_where_the_studentised_one_holds():
    # 12 quiet runs against 4 noisy ones: the reason for studentising (section 5).
    rng = np.random.default_rng(7)
    rejected = dict.fromkeys(("difference", "studentised"), 0)
    for _ in range(200):
        a, b = rng.lognormal(0, 0.01, 12), rng.lognormal(0, 0.05, 4)
        for statistic in rejected:
            rejected[statistic] += permutation_test(a, b, statistic=statistic).p < 0.05
    assert rejected["difference"] > 40
    assert rejected["studentised"] < 30


def test_refuses_what_has_no_answer():
    with pytest.raises(ValueError, match="A: 1 value, at least 2 needed"):
        permutation_test([1], [2, 3])
    assert permutation_test([1], [2, 3], statistic="difference").p == approx(1 / 3)
    with pytest.raises(ValueError, match="B: 0 values"):
        permutation_test([1, 2], [], statistic="difference")
    with pytest.raises(ValueError, match="statistic must be"):
        permutation_test([1, 2], [2, 3], statistic="median")
    with pytest.raises(ValueError, match="value 1 is 0"):
        permutation_test([0, 2], [2, 3])
    with pytest.raises(DegenerateError, match="every split is the same"):
        permutation_test([2, 2], [2, 2, 2])
    with pytest.raises(DegenerateError, match="every pair is equal"):
        sign_flip_test([2, 3], [2, 3])
    with pytest.raises(ValueError, match="do not make pairs"):
        sign_flip_test([2, 3], [2])
    with pytest.raises(ValueError, match="A: 0 values"):
        sign_flip_test([], [])


def test_perfectly_separated_constants():
    assert permutation_test([5, 5, 5, 5], [6, 6, 6, 6]).p == approx(smallest_p(4, 4))
