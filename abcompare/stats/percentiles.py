"""Quantiles of independent samples: which order statistics enclose one, and when there are enough samples."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from abcompare.stats.inputs import Numbers, finite, fraction, whole


@dataclass(frozen=True, slots=True)
class OrderInterval:
    """Ranks (from 1) of the sorted samples that enclose a quantile; None where no sample bounds it.

    `coverage` is the exact probability, at least the confidence asked for; an end that is None counts as unbounded.
    """

    lower_rank: int | None
    upper_rank: int | None
    coverage: float


@dataclass(frozen=True, slots=True)
class QuantileInterval:
    """A nearest-rank `quantile` and its bounds in the unit of the samples; None where no sample bounds it."""

    quantile: float
    low: float | None
    high: float | None
    coverage: float


def order_interval(n: int, q: float, *, confidence: float = 0.95) -> OrderInterval:
    """Distribution-free two-sided interval for quantile `q` of `n` independent samples, tails of equal probability.

    Binomial: the largest lower rank l with P(Bin(n, q) < l) <= alpha/2, the smallest upper rank u with
    P(Bin(n, q) >= u) <= alpha/2 (David and Nagaraja 2003, 7.1). For dependent samples pass an effective size.
    """
    n, q = whole(n, "n", least=1), fraction(q, "q")
    tail = (1 - fraction(confidence, "confidence")) / 2
    lower = _first(n, lambda rank: special.bdtr(rank - 1, n, q) > tail) - 1
    upper = _first(n, lambda rank: special.bdtrc(rank - 1, n, q) <= tail)
    below = float(special.bdtr(lower - 1, n, q)) if lower else 0.0
    above = float(special.bdtrc(upper - 1, n, q)) if upper <= n else 0.0
    return OrderInterval(lower or None, upper if upper <= n else None, 1 - below - above)


def quantile_interval(samples: Numbers, q: float, *, confidence: float = 0.95) -> QuantileInterval:
    """Nearest-rank quantile `q` of `samples` (numpy's inverted_cdf) with its order-statistic interval.

    Raises ValueError for no samples or any not finite.
    """
    x = np.sort(finite(samples, "samples"))
    ranks = order_interval(x.size, q, confidence=confidence)
    return QuantileInterval(
        float(np.quantile(x, q, method="inverted_cdf")),
        None if ranks.lower_rank is None else float(x[ranks.lower_rank - 1]),
        None if ranks.upper_rank is None else float(x[ranks.upper_rank - 1]),
        ranks.coverage,
    )


def min_n_for_upper_bound(q: float, *, confidence: float = 0.95) -> int:
    """The fewest independent samples whose two-sided interval for quantile `q` has an upper end: 368 for p99.

    ln((1-confidence)/2) / ln q, rounded up: below it the maximum is too likely to lie under the quantile.
    """
    tail = (1 - fraction(confidence, "confidence")) / 2
    # Without the small slack an exact power, such as .5 at 5 samples, would round up once too often.
    return max(1, math.ceil(math.log(tail) / math.log(fraction(q, "q")) - 1e-9))


def _first(n: int, holds: Callable[[int], bool]) -> int:
    """The first rank in 1..n at which `holds`, which never turns back; n + 1 if none."""
    low, high = 1, n + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
