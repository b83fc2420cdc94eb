"""Samples that follow one another: how many independent ones they are worth.

Queueing alone makes neighbouring latencies alike; a standard error that ignores it is too small.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.inputs import Floats, Numbers, finite, whole


@dataclass(frozen=True, slots=True)
class EffectiveSize:
    """`n` samples in time order are worth `n_eff` = n/`iact`; standard errors of their mean without and with that."""

    n: int
    iact: float
    n_eff: float
    naive_se: float
    corrected_se: float


@dataclass(frozen=True, slots=True)
class BatchMeans:
    """Means of consecutive batches, the standard error of the overall mean from them, and its degrees of freedom.

    `lag1` is the correlation of neighbouring batches: far from 0 means that they are too short. None for fewer
    than 3 batches or where it is undefined.
    """

    means: tuple[float, ...]
    se: float
    df: int
    lag1: float | None


def autocorrelation(samples: Numbers, max_lag: int) -> list[float]:
    """Autocorrelations at lags 0..`max_lag`, with divisor n at every lag (the biased and positive-definite form).

    Raises ValueError for fewer than 2 samples or a lag not below n, DegenerateError for constant samples.
    """
    d, square = _centred(samples)
    if whole(max_lag, "max_lag") >= d.size:
        raise ValueError(f"max_lag must be below the number of samples ({d.size}), got {max_lag}")
    return [_at_lag(d, lag) / square for lag in range(max_lag + 1)]


def effective_size(samples: Numbers) -> EffectiveSize:
    """Effective size by the initial positive sequence: iact = -1 + 2·Σ Γ, with Γ_m = ρ_2m + ρ_2m+1, while Γ > 0.

    Geyer (1992), Practical Markov chain Monte Carlo, section 3.3. iact is at least 1: alternating samples are
    given no credit. `samples` in time order. Errors as in `autocorrelation`.
    """
    d, square = _centred(samples)
    total = 0.0
    for lag in range(0, d.size - 1, 2):
        pair = (_at_lag(d, lag) + _at_lag(d, lag + 1)) / square
        if pair <= 0:
            break
        total += pair
    iact = max(1.0, 2 * total - 1)
    naive = math.sqrt(square / (d.size - 1) / d.size)
    return EffectiveSize(d.size, iact, d.size / iact, naive, naive * math.sqrt(iact))


def batch_means(samples: Numbers, batches: int) -> BatchMeans:
    """Standard error of the mean of `samples` (in time order) from the means of equal `batches`, 2 or more.

    What does not fill the last batch is left out at the end. Raises ValueError for fewer samples than batches.
    """
    batches = whole(batches, "batches", least=2)
    x = finite(samples, "samples", least=batches)
    size = x.size // batches
    means = x[: size * batches].reshape(batches, size).mean(axis=1)
    lag1 = None
    if batches > 2 and np.ptp(means[1:]) > 0 and np.ptp(means[:-1]) > 0:
        lag1 = float(np.corrcoef(means[1:], means[:-1])[0, 1])
    return BatchMeans(tuple(means.tolist()), float(means.std(ddof=1)) / math.sqrt(batches), batches - 1, lag1)


def fifo_effective_size(n: int, concurrency: int) -> float:
    """n/min(C, n): the effective size of `n` latencies from `concurrency` clients in a loop on one FIFO server.

    The worst case: every request waits for the same C - 1 others. With independent delays it is n itself.
    """
    n = whole(n, "n", least=1)
    return n / min(whole(concurrency, "concurrency", least=1), n)


def _centred(samples: Numbers) -> tuple[Floats, float]:
    x = finite(samples, "samples", least=2)
    if np.ptp(x) == 0:
        raise DegenerateError("samples: all equal, so their correlation is undefined")
    d = x - x.mean()
    return d, float(d @ d)


def _at_lag(d: Floats, lag: int) -> float:
    return float(d[lag:] @ d[: d.size - lag])
