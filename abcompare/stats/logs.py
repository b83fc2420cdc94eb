"""One side on the log scale: count, mean and variance of ln y, and its geometric mean with an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.effect import Interval, exp_or_inf
from abcompare.stats.inputs import Floats, Numbers, fraction, not_negative, positive
from abcompare.stats.resolution import variance_floor
from abcompare.stats.student import t_quantile

SAME = 1e-12
"""Logarithms closer than this are one printed number that went through arithmetic, not variation."""


@dataclass(frozen=True, slots=True)
class LogSummary:
    """`n` values on the log scale: `mean` of ln y and its `variance` (divisor n-1; 0 for a single value)."""

    n: int
    mean: float
    variance: float

    @property
    def sd(self) -> float:
        """Standard deviation of ln y: near the coefficient of variation when small."""
        return math.sqrt(self.variance)

    @property
    def squared_error(self) -> float:
        """Variance of the mean."""
        return self.variance / self.n


@dataclass(frozen=True, slots=True)
class GeometricMean:
    """The centre of one side in the unit of its values; `low` and `high` are None for a single run."""

    n: int
    centre: float
    low: float | None
    high: float | None


def spread(x: Floats) -> float:
    """Variance of `x` (divisor n-1), exactly 0 for a single value or for values that differ by rounding only."""
    if x.size < 2 or np.ptp(x) <= SAME:
        return 0.0
    return float(x.var(ddof=1))


def log_summary(values: Numbers, *, resolution: float = 0.0, name: str = "values", least: int = 1) -> LogSummary:
    """Summary of ln `values`, its variance floored at what rounding to `resolution` produces.

    `resolution` is the print step in the unit of the values (1 for ab's whole milliseconds, 0: unknown).
    Raises ValueError for fewer than `least` values or any not finite and positive; DegenerateError for a value
    at or below half a unit of its resolution.
    """
    array = positive(values, name, least=least)
    half = not_negative(resolution, "resolution") / 2
    if half and array.min() <= half:
        raise DegenerateError(f"{name}: {array.min():g} is not above half a unit of its resolution ({half:g})")
    x = np.log(array)
    mean = float(x.mean())
    variance = spread(x)
    if resolution and array.size > 1:
        variance = max(variance, variance_floor(exp_or_inf(mean), resolution))
    return LogSummary(array.size, mean, variance)


def geometric_mean(values: Numbers, *, confidence: float = 0.95, resolution: float = 0.0) -> GeometricMean:
    """Geometric mean of `values` with its Student interval, in their unit.

    One value has a centre and no interval; equal values without a `resolution` have low = centre = high.
    Also the mean of ratios over scenarios. Raises ValueError for no values or any not finite and positive.
    """
    side = log_summary(values, resolution=resolution)
    fraction(confidence, "confidence")
    centre = exp_or_inf(side.mean)
    if side.n < 2:
        return GeometricMean(side.n, centre, None, None)
    half = t_quantile((1 + confidence) / 2, side.n - 1) * math.sqrt(side.squared_error)
    return GeometricMean(side.n, centre, exp_or_inf(side.mean - half), exp_or_inf(side.mean + half))


def prediction_interval(values: Numbers, *, confidence: float = 0.95, resolution: float = 0.0) -> Interval:
    """Where one more run of the same configuration falls: exp(mean ± t·s·√(1 + 1/m)), in the unit of `values`.

    Raises ValueError for fewer than 2 values, DegenerateError when they do not vary and no resolution is given.
    """
    side = log_summary(values, resolution=resolution, least=2)
    if not side.variance:
        raise DegenerateError("values: no variation, and no print resolution to bound it")
    quantile = t_quantile((1 + fraction(confidence, "confidence")) / 2, side.n - 1)
    half = quantile * side.sd * math.sqrt(1 + 1 / side.n)
    return Interval(exp_or_inf(side.mean - half), exp_or_inf(side.mean + half))
