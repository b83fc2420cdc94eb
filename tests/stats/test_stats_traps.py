"""What must not be done: oracles of wrong methods, computed here because no public function should offer them."""

import math

import numpy as np
import pytest
from pytest import approx
from scipy import stats as reference

import abcompare.stats


def test_a_test_by_request_takes_queueing_for_evidence(oracles):
    o = oracles["E1_trap"]
    by_request = reference.ttest_ind_from_stats(
        o["mean2"], o["sd2"], o["n2"], o["mean1"], o["sd1"], o["n1"], equal_var=False
    )
    assert (by_request.statistic, by_request.pvalue) == approx((o["welch_t"], o["welch_p"]), rel=1e-9)
    # With the effective size of one FIFO server, n/C, nothing is left of it.
    deflation = o["n1"] / abcompare.stats.fifo_effective_size(o["n1"], o["C"])
    t = by_request.statistic / math.sqrt(deflation)
    assert t == approx(o["t_deflated"], rel=1e-9)
    assert abcompare.stats.t_two_sided(t, math.inf) == approx(o["p_deflated"], rel=1e-9)


def test_autocannon_compare_takes_requests_for_seconds(oracles):
    # The inputs are not in the oracle; these reproduce it: 2000 and 2004 req/s, sd 80, 10 s.
    o = oracles["E15_autocannon_compare"]
    assert o["diff_pct"] == approx(100 * (2004 / 2000 - 1))
    as_requests = reference.ttest_ind_from_stats(2000, 80, 20_000, 2004, 80, 20_040, equal_var=False)
    as_seconds = reference.ttest_ind_from_stats(2000, 80, 10, 2004, 80, 10, equal_var=False)
    assert (as_requests.pvalue, as_seconds.pvalue) == approx((o["p_n_total"], o["p_n_seconds"]), rel=1e-6)


def test_otava_divides_by_n(oracles):
    # The inputs are not in the oracle; a difference of two sample standard deviations, 3 against 3, reproduces it.
    o = oracles["E15_otava_ddof"]
    a, b = np.array([99.0, 100, 101]), np.array([101.0, 102, 103])
    for ddof, p in ((0, o["p_ddof0"]), (1, o["p_correct"])):
        t = (b.mean() - a.mean()) / math.sqrt(a.var(ddof=ddof) / 3 + b.var(ddof=ddof) / 3)
        assert 2 * reference.t.sf(t, 4) == approx(p, rel=1e-9)


def test_the_bootstrap_interval_is_too_narrow(oracles, e4):
    o = oracles["E19_bootstrap"]
    # BCa, 9,999 resamples, default_rng(12345).
    result = reference.bootstrap(
        (np.log(e4["A"]), np.log(e4["B"])),
        lambda a, b, axis=-1: b.mean(axis) - a.mean(axis),
        n_resamples=9_999,
        rng=np.random.default_rng(12345),
    )
    low, high = np.exp(result.confidence_interval)
    assert (low, high) == approx((o["lo"], o["hi"]), rel=1e-9)
    assert high - low < 0.8 * (e4["hi"] - e4["lo"])


@pytest.mark.parametrize("word", ["bootstrap", "mannwhitney", "wilcoxon"])
def test_no_public_function_offers_them(word):
    assert not [name for name in abcompare.stats.__all__ if word in name]
