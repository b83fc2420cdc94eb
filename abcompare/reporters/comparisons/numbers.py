"""Numbers of a comparison for people: changes with a true minus sign, intervals, p-values that are never 0.000."""

from __future__ import annotations

import math
from decimal import Decimal

from abcompare.comparison import Centre
from abcompare.records import Number
from abcompare.reporters.cells import number_of

MINUS = "−"
_TIMES = 100  # from this ratio on a change is said as a factor
_HUGE = 10.0  # a half-width, as a fraction
_WIDE = 1e6  # a half-width that makes any digit meaningless
_DIGITS = 20  # digits end where the half-width does: two of its own


def signed(number: float, decimals: int) -> str:
    """`number` with its sign, be it positive; no sign where it rounds to zero."""
    text = f"{abs(number):,.{decimals}f}"
    if not any(digit in text for digit in "123456789"):
        return text
    return f"{MINUS if number < 0 else '+'}{text}"


def change(ratio: float | None, low: float | None = None, high: float | None = None) -> str:
    """A ratio as a change, "−65.3 %", with as many decimals as its interval has; "×120" for a hundredfold."""
    if ratio is None or not math.isfinite(ratio):
        return ""
    if ratio >= _TIMES:
        return f"×{ratio:,.0f}"
    percent = (ratio - 1) * 100
    known = None if low is None or high is None else _decimals(low, high)
    return f"{signed(percent, _plain(percent) if known is None else known)} %"


def interval(low: float | None, high: float | None) -> str:
    """The interval of a ratio as changes in percent: "[−68.1, −62.2]"; "" without one, ∞ for no bound."""
    if low is None or high is None:
        return ""
    decimals = _decimals(low, high)
    return f"[{_end(low, decimals)}, {_end(high, decimals)}]"


def _end(ratio: float, decimals: int) -> str:
    if not math.isfinite(ratio):
        return "∞"
    return f"×{ratio:,.0f}" if ratio >= _TIMES else signed((ratio - 1) * 100, decimals)


def _plain(percent: float) -> int:
    size = abs(percent)
    return 2 if size < 9.995 else 1 if size < 99.95 else 0


def _decimals(low: float, high: float) -> int:
    """How many decimals of a percentage an interval is worth."""
    width = (high - low) * 100
    if not math.isfinite(width) or max(abs(low - 1), abs(high - 1)) >= 0.9995:
        return 0
    return 1 if width >= 1 else 2


def points(low: float, high: float) -> str:
    """An interval of differences of shares, in percentage points."""
    return f"[{signed(low * 100, 2)}, {signed(high * 100, 2)}]"


def share(fraction: float, digits: int = 2) -> str:
    """A share in percent: "0.6 %", "9 %", "153 %"."""
    percent = fraction * 100
    if not math.isfinite(percent):
        return "∞ %"
    return f"{percent:,.{1 if digits > 2 and abs(percent) < 100 else 0}f} %" if abs(percent) >= 10 else f"{percent:.{digits}g} %"


def at_most(fraction: float) -> str:
    """An upper bound in percent with two digits, rounded up: a bound that is rounded down is none."""
    percent = fraction * 100
    if not 0 < percent < math.inf:
        return share(fraction)
    unit = 10.0 ** min(0, math.floor(math.log10(percent)) - 1)
    return share(math.ceil(percent / unit - 1e-9) * unit / 100)


def p_value(p: float, alpha: float) -> str:
    """A p-value: "p=0.012", "p<0.001" and never 0.000; never rounded onto alpha."""
    if p < 0.001:
        return "p<0.001"
    if p >= 0.995:
        return "p=1"
    text = f"{p:.2f}" if p >= 0.1 else f"{p:.3f}"
    return f"p={text}" if float(text) != alpha or p == alpha else f"p={p:.5f}"


def half_width(centre: Centre) -> float | None:
    """The half-width of a geometric mean's interval as a fraction of it; None without an interval."""
    low, high, middle = centre.low, centre.high, centre.centre
    if low is None or high is None or not middle:
        return None
    if low > 0 and math.isfinite(high):
        return math.sqrt(high / low) - 1
    return (high - low) / 2 / middle


def centre_text(centre: Centre, unit: str, step: float | None = None, *, spread: bool = True) -> str:
    """One side of a row: "6.36/s ±0.7 %"; in parentheses where too few requests support it; "" without a value.

    Values of which there is no geometric mean, for one of them is 0, are shown as their range; a printed 0 is less than
    `step`, half a unit of the last printed digit. Digits end where the interval makes them meaningless; without an
    interval at `step`.
    """
    if centre.centre is None:
        ends = sorted({min(centre.values), max(centre.values)}) if centre.values else []
        return "–".join(_printed(one, unit, step) for one in ends)
    half = half_width(centre)
    if half is not None:
        step = centre.centre * half / _DIGITS if 0 < half < _WIDE else None
    text = number_of(centre.centre, unit, step)
    if not centre.supported:
        return f"({text})"
    return f"{text} ±{_spread(half)}" if spread and half is not None else text


def _spread(half: float) -> str:
    """A half-width; beyond ten times the value its digits say nothing."""
    return share(half) if half < _HUGE else f">{share(_HUGE)}"


def _printed(value: Number, unit: str, step: float | None) -> str:
    """A value as printed, "1 ms"; "<0.5 ms" for a duration printed as 0, which no duration is."""
    if unit == "s" and step is not None and 0 <= value <= step:
        digit, _, name = number_of(2 * step, unit, step).partition(" ")
        return f"<{float(digit) / 2:g} {name}"
    return number_of(value, unit, step)


def printed_step(*centres: Centre) -> float | None:
    """Half a unit of the last printed digit of the runs' values (that of 6.36 and 6.4, which was 6.40, is 0.005).

    None where nothing but 0 was printed, whose digits are not known.
    """
    found = [_exponent(one) for centre in centres for one in centre.values if one]
    known = [one for one in found if one is not None]
    return 0.5 * 10.0 ** min(known) if known else None


def _exponent(value: Number) -> int | None:
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return exponent if isinstance(exponent, int) else None
