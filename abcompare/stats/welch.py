"""Welch's t on logarithms: the test of the product when the runs of the two sides are independent."""

from __future__ import annotations

import math

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.effect import Effect
from abcompare.stats.inputs import Numbers
from abcompare.stats.logs import log_summary


def welch_test(a: Numbers, b: Numbers, *, resolution_a: float = 0.0, resolution_b: float | None = None) -> Effect:
    """Effect of B over A from independent runs, method "welch-log".

    se = √(s_A²/n_A + s_B²/n_B) of ln y, df by Welch (1947) and Satterthwaite (1946): equal variances are not assumed.
    `resolution_a` and `resolution_b` are the print steps in the unit of the values (`resolution_b` defaults to
    `resolution_a`); a known step floors the variance, so that constant sides still have a standard error.
    Raises ValueError for fewer than 2 runs on a side or values not finite and positive; DegenerateError when
    neither side varies and no resolution is known, whether or not the two constants agree.
    """
    side_a = log_summary(a, resolution=resolution_a, name="A", least=2)
    side_b = log_summary(b, resolution=resolution_a if resolution_b is None else resolution_b, name="B", least=2)
    error_a, error_b = side_a.squared_error, side_b.squared_error
    total = error_a + error_b
    if not total:
        raise DegenerateError("A and B: neither side varies, and no print resolution is known to bound the variance")
    # By shares of the total: squares of tiny variances would underflow.
    share_a, share_b = error_a / total, error_b / total
    df = 1 / (share_a**2 / (side_a.n - 1) + share_b**2 / (side_b.n - 1))
    return Effect(side_b.mean - side_a.mean, math.sqrt(total), df, side_a.n, side_b.n, "welch-log")
