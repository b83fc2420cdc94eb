"""Student's t from scipy.special: scipy.stats would cost half a second of every `diff`."""

from __future__ import annotations

import math

from scipy import special

from abcompare.stats.inputs import degrees


def t_tail(t: float, df: float) -> float:
    """P(T > t) for Student's t with `df` degrees of freedom; infinite `df` is the normal law."""
    if math.isinf(degrees(df)):
        return float(special.ndtr(-t))
    return float(special.stdtr(df, -t))


def t_quantile(probability: float, df: float) -> float:
    """The t with P(T <= t) = `probability`; infinite `df` is the normal law."""
    if math.isinf(degrees(df)):
        return float(special.ndtri(probability))
    return float(special.stdtrit(df, probability))


def t_two_sided(t: float, df: float) -> float:
    """P(|T| >= |t|), at most 1. It may underflow to 0.0 but is never NaN for a finite or infinite t."""
    return min(1.0, 2 * t_tail(abs(t), df))
