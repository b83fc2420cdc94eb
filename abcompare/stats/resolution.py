"""What rounding by the tool does to a value, a variance and a ratio.

Rounding is a shared bias and not noise: it does not shrink with more runs, so it widens an interval as a whole.
"""

from __future__ import annotations

import numpy as np

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.effect import Interval
from abcompare.stats.inputs import Numbers, above_zero, not_negative, positive


def variance_floor(value: float, resolution: float) -> float:
    """q²/(12·y²): the variance of ln y that rounding `value` to steps of `resolution` alone produces.

    The variance of a uniform error of width q, carried to the log scale. Both in the unit of the value; 0 for an
    unknown resolution (0).
    """
    relative = not_negative(resolution, "resolution") / above_zero(value, "value")
    return relative * relative / 12


def resolution_interval(a: float, b: float, half_a: float, half_b: float | None = None) -> Interval:
    """Every ratio b/a that the printed numbers allow: [(b-h)/(a+h), (b+h)/(a-h)].

    `half_a` and `half_b` are half a unit of the last printed digit (0.5 for ab's whole milliseconds; `half_b`
    defaults to `half_a`). When the result contains 1, the two are below the resolution of the tool.
    Raises DegenerateError when a value is not above its half unit: the ratio then has no bound.
    """
    half_b = half_a if half_b is None else half_b
    for name, value, half in (("A", a, half_a), ("B", b, half_b)):
        above_zero(value, name)
        if not_negative(half, f"half unit of {name}") >= value:
            raise DegenerateError(f"{name}: {value:g} is not above half a unit of its resolution ({half:g})")
    return Interval((b - half_b) / (a + half_a), (b + half_b) / (a - half_a))


def widen(interval: Interval, a: float, b: float, half_a: float, half_b: float | None = None) -> Interval:
    """`interval` of the ratio b/a, moved outwards by the resolution interval of the two centres `a` and `b`.

    Each end is multiplied by how far rounding alone may carry the ratio that way. Errors as in
    `resolution_interval`.
    """
    low, high = resolution_interval(a, b, half_a, half_b)
    return Interval(interval.low * low * a / b, interval.high * high * a / b)


def identical(a: Numbers, b: Numbers) -> bool:
    """Whether both sides are one and the same constant: "identical at the tool's resolution", and no p = 1."""
    pooled = np.concatenate((positive(a, "A"), positive(b, "B")))
    return bool(pooled.min() == pooled.max())
