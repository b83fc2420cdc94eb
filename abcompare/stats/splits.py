"""Which runs go to which side: the index arrays of the permutation tests, made once and kept.

They depend on the sizes only, so hundreds of scenarios with the same numbers of runs share one array.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]
KEPT = 1_000_000
"""Random splits are kept up to this many random numbers, and made block by block above."""


@lru_cache(maxsize=16)
def exact_splits(n: int, k: int) -> Indices:
    """Every choice of `k` of `n` positions with 2k <= n, shape (splits, k).

    For 2k = n only those that hold position 0: the others are their mirror images, with the same two-sided
    statistic, and count double.
    """
    choices: Iterable[tuple[int, ...]] = combinations(range(n), k)
    if 2 * k == n:
        choices = ((0, *rest) for rest in combinations(range(1, n), k - 1))
    array = np.fromiter(chain.from_iterable(choices), np.intp).reshape(-1, k)
    array.flags.writeable = False
    return array


def random_splits(n: int, k: int, draws: int, seed: int) -> Iterator[Indices]:
    """`draws` random choices of `k` of `n` positions, in blocks of shape (some, k); the same for the same seed."""
    if n * draws <= KEPT:
        yield _random(n, k, draws, seed)
        return
    rng = np.random.default_rng(seed)
    block = max(1, KEPT // n)
    for start in range(0, draws, block):
        yield _choose(rng, n, k, min(block, draws - start))


@lru_cache(maxsize=8)
def _random(n: int, k: int, draws: int, seed: int) -> Indices:
    return _choose(np.random.default_rng(seed), n, k, draws)


def _choose(rng: np.random.Generator, n: int, k: int, draws: int) -> Indices:
    array = np.ascontiguousarray(rng.random((draws, n)).argpartition(k - 1, axis=1)[:, :k])
    array.flags.writeable = False
    return array


@lru_cache(maxsize=8)
def exact_signs(n: int) -> NDArray[np.float64]:
    """Every pattern of `n` signs whose first is +1, shape (2**(n-1), n); the rest are mirror images."""
    patterns = np.arange(2 ** (n - 1))[:, None] >> np.arange(n) & 1
    # The highest bit of 2**(n-1) patterns is always 0, so reversing puts the fixed sign first.
    array = np.where(patterns[:, ::-1] == 1, -1.0, 1.0)
    array.flags.writeable = False
    return array
