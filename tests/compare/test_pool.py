"""Comparisons drawn from runs of a real server (fixtures/archives, made by benchmarks/pool.py): the floors of issue 4."""

from __future__ import annotations

from abcompare.compare import Options
from benchmarks.pool import FOLDER, PAIRS, compared, drawn, noise, pairs_of, whole


def test_the_pools_are_pairs_in_random_order() -> None:
    for name in ("aa", "ab"):
        pairs = pairs_of(name)
        assert len(pairs) == PAIRS
        assert all(abs((one.order or 0) - (other.order or 0)) == 1 and one.block == other.block for one, other in pairs)
        assert 0.25 * PAIRS < sum((one.order or 0) < (other.order or 0) for one, other in pairs) < 0.75 * PAIRS
        assert all(run.complete and run.value("requests.failed") == 0 for pair in pairs for run in pair)
        assert (FOLDER / f"{name}.json.xz").stat().st_size < 100_000


def test_a_real_server_against_itself() -> None:
    for relabel in (False, True):  # the labels as they were made, and by coin
        found = drawn("aa", relabel=relabel)
        assert found.rejected <= 0.085
        assert found.called <= 0.025
        assert found.failed <= 0.025


def test_a_real_change_is_found_with_its_sign() -> None:
    found = drawn("ab")
    assert found.found >= 0.9
    assert found.found == found.rejected  # never with the other sign


def test_all_pairs_tell_how_large_the_change_is() -> None:
    row = whole("ab")
    assert row.ratio_low is not None and row.ratio_high is not None
    assert row.ratio_low < 0.9 < row.ratio_high or abs((row.ratio or 0) - 0.9) < 0.02
    same = whole("aa")
    assert same.ratio_low is not None and same.ratio_high is not None and same.ratio_low < 1 < same.ratio_high


def test_pairs_are_what_finds_it() -> None:
    _, of_a_pair, correlation = noise("ab")
    assert of_a_pair > 0 and correlation > 0
    assert drawn("ab").found >= drawn("ab", options=Options(paired=False)).found


def test_no_pair_is_a_copy() -> None:
    comparison, _ = compared(pairs_of("aa"))
    assert len(comparison.base.runs) == len(comparison.new[0].runs) == PAIRS
