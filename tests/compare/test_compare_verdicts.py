"""Each verdict with a case just inside and just outside, in the order of statistics.md 3; and the swap."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abcompare.compare import Options, diff
from abcompare.comparison import Comparison, Row
from tests.compare.made import run, side

BASE = [1000.0, 1004.0, 998.0, 1002.0, 1001.0]


def times(factor: float, values: list[float] = BASE) -> list[float]:
    return [round(value * factor, 2) for value in values]


def compared(base: list[float], new: list[float], options: Options | None = None, **more: object) -> Comparison:
    return diff([side("a", base, **more), side("b", new, **more)], options or Options())


def primary(comparison: Comparison) -> Row:
    return comparison.scenarios[0].metrics[0]


@pytest.mark.parametrize(
    ("factor", "verdict", "uncertain", "code"),
    [
        (0.90, "worse", False, 1), (0.94, "worse", False, 1), (0.955, "negligible", False, 0), (0.951, "worse", True, 0),
        (1.10, "better", False, 0), (1.045, "negligible", False, 0), (1.0, "equivalent", False, 0),
    ],
)  # fmt: skip
def test_firm_verdicts(factor: float, verdict: str, uncertain: bool, code: int) -> None:
    found = compared(BASE, times(factor))
    row = primary(found)
    assert (row.verdict, row.size_uncertain, found.exit_code) == (verdict, uncertain, code)
    assert row.ratio == pytest.approx(factor, rel=1e-4)
    assert row.method == "welch-log"
    assert row.reason


def test_inconclusive_says_what_it_would_take() -> None:
    row = primary(compared([812.4, 845.9, 790.3, 828.7, 861.2], [835.1, 802.6, 858.8, 871.5, 829.9]))
    assert row.verdict == "inconclusive"
    assert row.p == pytest.approx(0.5108576, abs=1e-4)
    assert row.reason.startswith("cannot tell: [−3.3")
    assert "this design detects ≥ 6.88" in row.reason
    assert "runs per side for 5 %" in row.reason


@pytest.mark.parametrize(("count", "verdict"), [(2, "provisional"), (3, "provisional"), (4, "worse")])
def test_fewer_than_four_runs_are_provisional_and_never_gate(count: int, verdict: str) -> None:
    found = compared(BASE[:count], times(0.8)[:count])
    assert primary(found).verdict == verdict
    assert found.exit_code == (1 if verdict == "worse" else 3)


def test_one_run_a_side_is_not_testable() -> None:
    found = compared([4210.35], [4388.12])
    row = primary(found)
    assert row.verdict == "not-testable"
    assert row.break_even_run_cv == pytest.approx(0.0149199, rel=1e-4)
    assert "+4.22 %" in row.reason
    assert "1.49 %" in row.reason
    assert row.p is None
    assert found.exit_code == 3


def test_one_run_against_many_is_provisional() -> None:
    row = primary(compared([4190.2, 4265.7, 4158.9, 4231.4, 4302.6, 4207.8], [4388.12]))
    assert row.verdict == "provisional"
    assert row.p == pytest.approx(0.0365926, abs=1e-4)


def test_without_variation_and_resolution_nothing_is_tested() -> None:
    found = compared([100.0] * 5, [101.0] * 5, step=0.0)
    assert primary(found).verdict == "not-testable"
    assert "do not vary" in primary(found).reason


def test_constants_are_identical_at_the_resolution() -> None:
    row = primary(compared([100.0] * 5, [100.0] * 5, step=1.0))
    assert row.verdict == "equivalent"
    assert row.reason.startswith("identical at the tool's resolution")


def test_a_value_within_its_half_unit_is_not_testable() -> None:
    runs = [diff([("a", side("a", BASE, p50=p)[1]), ("b", side("b", times(1.1), p50=p)[1])]) for p in (0.5, 1.0)]
    rows = [next(row for row in one.scenarios[0].metrics if row.metric == "latency.p50") for one in runs]
    assert rows[0].verdict == "not-testable"
    assert rows[1].verdict != "not-testable"


def test_whole_milliseconds_never_make_better_or_worse_of_one_percent() -> None:
    """True medians of 5.47 and 5.53 ms print as 5 and 6: a tight +20 % that is rounding."""
    found = diff([side("a", BASE, p50=5), side("b", BASE, p50=6)])
    row = next(row for row in found.scenarios[0].metrics if row.metric == "latency.p50")
    assert row.verdict == "inconclusive"
    assert row.resolution_low is not None
    assert row.resolution_low <= 1


@pytest.mark.parametrize(("complete", "tested"), [(20, True), (19, False)])
def test_a_percentile_needs_ten_requests_beyond_it(complete: int, tested: bool) -> None:
    found = diff([side("a", BASE, p50=100, complete=complete), side("b", BASE, p50=101, complete=complete)])
    row = next(row for row in found.scenarios[0].metrics if row.metric == "latency.p50")
    assert (row.p is not None) == tested


@pytest.mark.parametrize(("margin", "verdict"), [(0.12, "negligible"), (0.08, "worse")])
def test_the_margin_decides(margin: float, verdict: str) -> None:
    assert primary(compared(BASE, times(0.9), Options(margin=margin))).verdict == verdict


def test_pairs_are_used_when_the_design_has_blocks() -> None:
    a, b = [4210.0, 4105.0, 3990.0, 4150.0, 4302.0, 4055.0], [4291.0, 4170.0, 4078.0, 4219.0, 4371.0, 4148.0]
    sides = [
        (name, side(name, [])[1].__class__(runs=tuple(run(value, at, label=name, block=at, order=2 * at + shift) for at, value in enumerate(values))))
        for name, values, shift in (("a", a, 0), ("b", b, 1))
    ]
    row = primary(diff(sides))
    assert row.method == "paired-log"
    assert row.p == pytest.approx(2.514424e-05, rel=1e-3)
    unpaired = primary(diff(sides, Options(paired=False)))
    assert unpaired.p == pytest.approx(0.2420209, rel=1e-3)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(500, 2000), min_size=2, max_size=6, unique=True),
    st.lists(st.floats(500, 2000), min_size=2, max_size=6, unique=True),
)
def test_swapping_the_sides_swaps_everything(a: list[float], b: list[float]) -> None:
    there, back = primary(compared(a, b)), primary(compared(b, a))
    assert there.p == pytest.approx(back.p, rel=1e-9)
    assert there.ratio is not None
    assert there.ratio * (back.ratio or 0) == pytest.approx(1, rel=1e-9)
    assert (there.ratio_low or 0) * (back.ratio_high or 0) == pytest.approx(1, rel=1e-9)
    mirror = {"better": "worse", "worse": "better"}
    assert back.verdict == mirror.get(there.verdict or "", there.verdict)
