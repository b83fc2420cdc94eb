"""Equivalence by two one-sided tests: "the same within ±5 %" as a finding and not as a failure to find."""

from __future__ import annotations

import math
from dataclasses import dataclass

from abcompare.stats.effect import Effect, Interval
from abcompare.stats.inputs import above_zero, fraction
from abcompare.stats.student import t_tail


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Result of `equivalence_test`.

    `p` is the larger of `p_lower` (ratio not below 1/(1+margin)) and `p_upper` (not above 1+margin).
    `interval` has confidence 1-2·alpha (CI90 by default); `margin_shown` is the smallest margin that would have
    passed, as a fraction.
    """

    p: float
    p_lower: float
    p_upper: float
    interval: Interval
    margin: float
    margin_shown: float


def equivalence_test(effect: Effect, margin: float, *, alpha: float = 0.05) -> Equivalence:
    """Two one-sided tests of `effect` against [1/(1+margin), 1+margin] (Schuirmann 1987).

    `margin` is a fraction (0.05 for 5 %). p < alpha exactly when the interval lies inside the margin.
    Raises ValueError for a margin not above zero or an alpha outside (0, 0.5).
    """
    bound = math.log1p(above_zero(margin, "margin"))
    if fraction(alpha, "alpha") >= 0.5:
        raise ValueError(f"alpha must be below 0.5 for an equivalence test, got {alpha}")
    lower = t_tail((effect.log_ratio + bound) / effect.se, effect.df)
    upper = t_tail((bound - effect.log_ratio) / effect.se, effect.df)
    interval = effect.interval(1 - 2 * alpha)
    farthest = max(interval.high, 1 / interval.low if interval.low else math.inf)
    return Equivalence(max(lower, upper), lower, upper, interval, margin, farthest - 1)
