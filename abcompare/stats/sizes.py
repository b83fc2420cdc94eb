"""Effect sizes for the JSON: shown beside the ratio, never the ground of a verdict."""

from __future__ import annotations

import math

import numpy as np

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.inputs import Numbers, positive
from abcompare.stats.logs import log_summary


def hodges_lehmann_ratio(a: Numbers, b: Numbers) -> float:
    """Median of all n_A·n_B ratios b/a, taken on the log scale (Hodges and Lehmann 1963).

    Raises ValueError for an empty side or values not finite and positive.
    """
    x_a, x_b = np.log(positive(a, "A")), np.log(positive(b, "B"))
    return math.exp(float(np.median(x_b[:, None] - x_a[None, :])))


def cliffs_delta(a: Numbers, b: Numbers) -> float:
    """P(b > a) - P(b < a) over all pairs, from -1 to 1 (Cliff 1993). Raises as `hodges_lehmann_ratio`."""
    x_a, x_b = np.sort(positive(a, "A")), positive(b, "B")
    below = np.searchsorted(x_a, x_b, side="left").sum()
    above = (x_a.size - np.searchsorted(x_a, x_b, side="right")).sum()
    return float(int(below) - int(above)) / (x_a.size * x_b.size)


def hedges_g(a: Numbers, b: Numbers) -> float:
    """Difference of the means of ln y in pooled standard deviations, corrected for small samples (Hedges 1981).

    The correction is 1 - 3/(4·df - 1). Raises ValueError for an empty side, fewer than 4 runs in all (the correction
    is 0 at df = 1) or values not finite and positive; DegenerateError when neither side varies.
    """
    side_a, side_b = log_summary(a, name="A"), log_summary(b, name="B")
    df = side_a.n + side_b.n - 2
    if df < 2:
        raise ValueError(f"A and B: {df + 2} runs in all, at least 4 needed")
    pooled = ((side_a.n - 1) * side_a.variance + (side_b.n - 1) * side_b.variance) / df
    if not pooled:
        raise DegenerateError("A and B: neither side varies")
    return (side_b.mean - side_a.mean) / math.sqrt(pooled) * (1 - 3 / (4 * df - 1))
