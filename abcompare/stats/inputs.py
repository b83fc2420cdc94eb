"""Checks at the door: what every function of this package demands of the numbers it is given."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = Sequence[float] | Sequence[int] | NDArray[np.float64]


def finite(values: Numbers, name: str, *, least: int = 1) -> Floats:
    """`values` as a float64 array of shape (n,).

    Raises ValueError, naming the side and the position, for fewer than `least` values, more than one
    dimension, NaN or infinity.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name}: expected a flat list of numbers, got {array.ndim} dimensions")
    if array.size < least:
        raise ValueError(f"{name}: {array.size} value{'s' * (array.size != 1)}, at least {least} needed")
    bad = np.flatnonzero(~np.isfinite(array))
    if bad.size:
        raise ValueError(f"{name}: value {bad[0] + 1} is {array[bad[0]]}, not a finite number")
    return array


def positive(values: Numbers, name: str, *, least: int = 1) -> Floats:
    """Like `finite`, and every value above zero: a ratio has no meaning otherwise."""
    array = finite(values, name, least=least)
    bad = np.flatnonzero(array <= 0)
    if bad.size:
        raise ValueError(f"{name}: value {bad[0] + 1} is {array[bad[0]]:g}; a ratio needs values above zero")
    return array


def fraction(value: float, name: str) -> float:
    """`value` if it lies strictly between 0 and 1 (a confidence, an alpha, a quantile), else ValueError."""
    if not 0 < value < 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {value}")
    return float(value)


def above_zero(value: float, name: str) -> float:
    """`value` if it is finite and above zero, else ValueError."""
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"{name} must be a finite number above zero, got {value}")
    return float(value)


def not_negative(value: float, name: str) -> float:
    """`value` if it is finite and not below zero, else ValueError."""
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{name} must be a finite number, zero or more, got {value}")
    return float(value)


def degrees(value: float, name: str = "df") -> float:
    """`value` if it can be a number of degrees of freedom (above zero, infinity allowed), else ValueError."""
    if not value > 0:
        raise ValueError(f"{name} must be above zero, got {value}")
    return float(value)


def whole(value: int, name: str, *, least: int = 0) -> int:
    """`value` as an int of at least `least`, else ValueError."""
    if value != int(value) or value < least:
        raise ValueError(f"{name} must be a whole number, {least} or more, got {value}")
    return int(value)
