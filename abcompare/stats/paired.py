"""Paired t on logarithms: used instead of Welch when the runs were made in blocks of one A and one B."""

from __future__ import annotations

import math

import numpy as np

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.effect import Effect
from abcompare.stats.inputs import Numbers
from abcompare.stats.logs import log_summary, spread
from abcompare.stats.resolution import variance_floor


def paired_test(a: Numbers, b: Numbers, *, resolution_a: float = 0.0, resolution_b: float | None = None) -> Effect:
    """Effect of B over A from adjacent pairs, method "paired-log"; a[i] and b[i] are one block. df = pairs - 1.

    The design decides between this and Welch, never the smaller p. Resolutions as in `welch_test`: rounding of
    both runs floors the variance of a difference.
    Raises ValueError for unequal lengths, fewer than 2 pairs or values not finite and positive; DegenerateError when
    every pair has the same ratio and no resolution is known.
    """
    resolution_b = resolution_a if resolution_b is None else resolution_b
    side_a = log_summary(a, resolution=resolution_a, name="A", least=2)
    side_b = log_summary(b, resolution=resolution_b, name="B", least=2)
    if side_a.n != side_b.n:
        raise ValueError(f"A and B: {side_a.n} and {side_b.n} runs do not make pairs")
    difference = np.log(np.asarray(b, dtype=np.float64)) - np.log(np.asarray(a, dtype=np.float64))
    floor = variance_floor(math.exp(side_a.mean), resolution_a) + variance_floor(math.exp(side_b.mean), resolution_b)
    variance = max(spread(difference), floor)
    if not variance:
        raise DegenerateError("A and B: every pair has the same ratio, and no print resolution is known")
    n = side_a.n
    return Effect(float(difference.mean()), math.sqrt(variance / n), n - 1, n, n, "paired-log")
