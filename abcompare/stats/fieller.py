"""The ratio of arithmetic means, for `--ratio-of-means`, with Fieller's interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.inputs import Numbers, fraction, positive
from abcompare.stats.logs import spread
from abcompare.stats.student import t_quantile


@dataclass(frozen=True, slots=True)
class MeanRatio:
    """Mean of B over mean of A with its interval; `g` is the squared relative error of A's mean that t allows.

    Near 0 for a well-measured A; `df` is Welch's, of the untransformed values.
    """

    ratio: float
    low: float
    high: float
    g: float
    df: float


def fieller_ratio(a: Numbers, b: Numbers, *, confidence: float = 0.95) -> MeanRatio:
    """Ratio of the arithmetic means of independent runs, variances unequal (Fieller 1954; df by Welch).

    Raises ValueError for fewer than 2 runs on a side or values not finite and positive; DegenerateError when neither
    side varies, or when the mean of A or of B cannot be told from zero (the interval or its inverse has no bound).
    """
    x_a, x_b = positive(a, "A", least=2), positive(b, "B", least=2)
    mean_a, mean_b = float(x_a.mean()), float(x_b.mean())
    # In units of the means, which keeps every square within range whatever the unit of the values.
    error_a, error_b = spread(x_a / mean_a) / x_a.size, spread(x_b / mean_b) / x_b.size
    ratio = mean_b / mean_a
    absolute_b = error_b * ratio * ratio
    total = error_a + absolute_b
    if not total:
        raise DegenerateError("A and B: neither side varies")
    df = 1 / ((error_a / total) ** 2 / (x_a.size - 1) + (absolute_b / total) ** 2 / (x_b.size - 1))
    return _solved(ratio, error_a, error_b, df, confidence)


def _solved(ratio: float, error_a: float, error_b: float, df: float, confidence: float) -> MeanRatio:
    """Roots of (1 - r)² = t²·(e_B + r²·e_A) in units of `ratio`."""
    t = t_quantile((1 + fraction(confidence, "confidence")) / 2, df)
    g, g_b = t * t * error_a, t * t * error_b
    if g >= 1 or g_b >= 1:
        raise DegenerateError(f"{'A' if g >= 1 else 'B'}: its mean cannot be told from zero at this confidence")
    half = t * math.sqrt(error_b + error_a - g * error_b)
    return MeanRatio(ratio, ratio * (1 - half) / (1 - g), ratio * (1 + half) / (1 - g), g, df)
