"""Numbers of a comparison as people read them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abcompare.comparison import Centre
from abcompare.reporters.comparisons.numbers import (
    at_most,
    centre_text,
    change,
    half_width,
    interval,
    p_value,
    printed_step,
    share,
    signed,
)


@pytest.mark.parametrize(
    ("ratio", "said"),
    [
        (1.0422, "+4.22 %"), (0.347, "−65.3 %"), (2.95, "+195 %"), (1.0, "0.00 %"), (0.99999, "0.00 %"), (0.9961, "−0.39 %"),
        (1.1, "+10.0 %"), (1.09996, "+10.0 %"), (39.82, "+3,882 %"), (250.0, "×250"), (None, ""), (math.inf, ""), (math.nan, ""),
    ],
)  # fmt: skip
def test_changes(ratio: float | None, said: str) -> None:
    assert change(ratio) == said


@pytest.mark.parametrize(
    ("bounds", "said", "middle"),
    [
        ((0.319, 0.378), "[−68.1, −62.2]", "−65.3 %"), ((2.71, 3.22), "[+171, +222]", "+195 %"), ((1.098, 1.145), "[+9.8, +14.5]", "+12.1 %"),
        ((0.967, 1.064), "[−3.3, +6.4]", "+1.4 %"), ((0.997, 1.003), "[−0.30, +0.30]", "0.00 %"), ((0.5, math.inf), "[−50, ∞]", ""),
    ],
)  # fmt: skip
def test_intervals_have_the_digits_of_their_width(bounds: tuple[float, float], said: str, middle: str) -> None:
    assert interval(*bounds) == said
    ratios = {"−65.3 %": 0.347, "+195 %": 2.95, "+12.1 %": 1.121, "+1.4 %": 1.014, "0.00 %": 1.0}
    if middle:
        assert change(ratios[middle], *bounds) == middle
    assert interval(None, None) == ""


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.0, "p<0.001"), (0.00099, "p<0.001"), (0.001, "p=0.001"), (0.0123, "p=0.012"), (0.24, "p=0.24"), (0.996, "p=1"), (1.0, "p=1"),
        (0.0496, "p=0.04960"), (0.0504, "p=0.05040"), (0.05, "p=0.050"),
    ],
)  # fmt: skip
def test_p_values_keep_to_their_side_of_alpha(p: float, said: str) -> None:
    assert p_value(p, 0.05) == said


@given(st.floats(0, 1))
def test_no_p_value_is_zero(p: float) -> None:
    assert "0.000" not in p_value(p, 0.05).replace("<0.001", "")


@pytest.mark.parametrize(("value", "said"), [(0.006, "0.6 %"), (0.09, "9 %"), (0.0149, "1.5 %"), (1.53, "153 %"), (math.inf, "∞ %"), (0.0, "0 %")])
def test_shares(value: float, said: str) -> None:
    assert share(value) == said


def test_break_even_cvs_have_three_digits() -> None:
    assert (share(0.0149, 3), share(0.381, 3), share(1.4, 3)) == ("1.49 %", "38.1 %", "140 %")


def test_the_spread_is_that_of_the_geometric_mean() -> None:
    assert half_width(Centre(5, 100.0, 100 / 1.02, 102.0)) == pytest.approx(0.02)
    assert half_width(Centre(5, 100.0, -1.0, 201.0)) == pytest.approx(1.01)
    assert half_width(Centre(1, 100.0, None, None)) is None


@pytest.mark.parametrize(
    ("centre", "said"),
    [
        (Centre(5, 6.36, 6.3157, 6.4046), "6.360/s ±0.7 %"),
        (Centre(5, 2.21345, 2.0307, 2.4127), "2.21/s ±9 %"),
        (Centre(5, 4215.93, 4187.1, 4244.9), "4,216/s ±0.69 %"),
        (Centre(5, 4215.93, 4187.1, 4244.9, supported=False), "(4,216/s)"),
        (Centre(0, None, None, None), ""),
        (Centre(2, None, None, None, (0, 2.0)), "0/s–2.000/s"),
        (Centre(1, None, None, None, (0,)), "0/s"),
    ],
)
def test_centres(centre: Centre, said: str) -> None:
    assert centre_text(centre, "1/s") == said


def test_single_runs_have_the_digits_that_were_printed() -> None:
    base, new = Centre(1, 6.4, None, None, (6.4,)), Centre(1, 6.15, None, None, (6.15,))
    step = printed_step(base, new)
    assert step == pytest.approx(0.005)
    assert centre_text(base, "1/s", step) == "6.40/s"
    assert printed_step(Centre(2, None, None, None, (0, 0.001))) == pytest.approx(0.0005)
    assert printed_step(Centre(1, None, None, None, (0.0,))) is None
    assert printed_step(Centre(1, math.inf, None, None, (math.inf,))) is None


@pytest.mark.parametrize(
    ("values", "step", "said"),
    [
        ((0.0,), 0.0005, "<0.5 ms"), ((0, 0.001), 0.0005, "<0.5 ms–1 ms"), ((0,), 5e-7, "<0.5 µs"), ((0,), 5e-5, "<50 µs"), ((0,), 0.5, "<0.5 s"),
        ((0,), None, "0 s"),
    ],
)  # fmt: skip
def test_no_duration_is_zero(values: tuple[float, ...], step: float | None, said: str) -> None:
    assert centre_text(Centre(len(values), None, None, None, values), "s", step) == said


def test_whole_milliseconds_stay_whole() -> None:
    one, two = Centre(1, 0.001, None, None, (0.001,)), Centre(1, 0.002, None, None, (0.002,))
    step = printed_step(one, two)
    assert (centre_text(one, "s", step), centre_text(two, "s", step)) == ("1 ms", "2 ms")


@given(st.floats(allow_nan=False), st.integers(0, 4))
def test_signs(number: float, decimals: int) -> None:
    text = signed(number, decimals)
    assert "-" not in text
    if math.isfinite(number):
        assert text[0] == ("−" if number < 0 else "+") or float(text.replace(",", "")) == 0


@given(st.floats(0, math.inf), st.floats(0, math.inf), st.floats(0, math.inf))
def test_nothing_raises(ratio: float, low: float, high: float) -> None:
    low, high = sorted((low, high))
    change(ratio, low, high)
    interval(low, high)
    centre_text(Centre(3, ratio, low, high, (low, high, ratio)), "s", printed_step(Centre(1, ratio, None, None, (ratio,))))


@given(st.floats(1e-9, 0.999))
def test_an_upper_bound_is_never_rounded_down(fraction: float) -> None:
    shown = float(at_most(fraction).removesuffix(" %").replace(",", "")) / 100
    assert fraction * (1 - 1e-9) <= shown <= fraction * 1.11 + 0.01 * (fraction >= 0.1)


def test_upper_bounds() -> None:
    assert [at_most(one) for one in (8.4477e-6, 0.0295, 0.03, 0.1001, 0.5, 0.0)] == ["0.00085 %", "3 %", "3 %", "11 %", "50 %", "0 %"]


def test_a_half_width_beyond_all_digits() -> None:
    assert centre_text(Centre(2, 250.5, 1.0, 1e12, (1.0, 2.0)), "1/s").endswith(" ±>1,000 %")
