"""Outlier flags: which runs to look at. Nothing is ever dropped by the program."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from abcompare.stats.inputs import Floats, Numbers, fraction, not_negative, positive, whole

LEAST = 8
"""Runs a side needs before its median absolute deviation can call one of them odd."""
SEED = 20_040
SIMULATED = 20_000
NUMBERS = 4_000_000
"""Simulations are fewer for very many runs, so that no more numbers than this are drawn."""


def flag_outliers(
    a: Numbers, b: Numbers, *, resolution_a: float = 0.0, resolution_b: float | None = None, rate: float = 0.05
) -> tuple[list[bool], list[bool]]:
    """For every run of A and of B, whether it lies oddly far from the median of its side on the log scale.

    |x - median|/MAD above `outlier_threshold`, so that `rate` of clean comparisons have any flag. MAD is floored at the
    print resolution (its step relative to the centre). A side of fewer than 8 runs, or with MAD 0 and no known
    resolution, has no flags: there is no scale to judge by.
    Raises ValueError for an empty side or values not finite and positive.
    """
    y_a, y_b = positive(a, "A"), positive(b, "B")
    threshold = outlier_threshold(y_a.size, y_b.size, rate=rate)
    resolution_b = resolution_a if resolution_b is None else resolution_b
    return _flags(y_a, threshold, resolution_a), _flags(y_b, threshold, resolution_b)


def outlier_threshold(n_a: int, n_b: int, *, rate: float = 0.05) -> float:
    """The |x - median|/MAD that `rate` of comparisons of `n_a` with `n_b` normal runs exceed anywhere.

    Simulated once per pair of sizes with a fixed seed; symmetric in the sides. Sides of fewer than 8 runs are left out,
    and infinity is returned when both are.
    """
    sizes = sorted((whole(n_a, "n_a"), whole(n_b, "n_b")))
    return _simulated(sizes[0], sizes[1], fraction(rate, "rate"))


@lru_cache(maxsize=256)
def _simulated(few: int, many: int, rate: float) -> float:
    sizes = [n for n in (few, many) if n >= LEAST]
    if not sizes:
        return math.inf
    rng = np.random.default_rng(SEED)
    simulations = max(1_000, min(SIMULATED, NUMBERS // sum(sizes)))
    largest = np.zeros(simulations)
    block = max(1, 1_000_000 // sum(sizes))
    for start in range(0, simulations, block):
        rows = slice(start, min(start + block, simulations))
        for n in sizes:
            x = rng.standard_normal((rows.stop - rows.start, n))
            distance = np.abs(x - np.median(x, axis=1, keepdims=True))
            largest[rows] = np.maximum(largest[rows], distance.max(axis=1) / np.median(distance, axis=1))
    return float(np.quantile(largest, 1 - rate))


def _flags(y: Floats, threshold: float, resolution: float) -> list[bool]:
    if y.size < LEAST:
        return [False] * y.size
    x = np.log(y)
    distance = np.abs(x - np.median(x))
    step = not_negative(resolution, "resolution") / math.exp(float(np.median(x)))
    scale = max(float(np.median(distance)), step)
    if not scale:
        return [False] * y.size
    return [bool(flag) for flag in distance > threshold * scale]
