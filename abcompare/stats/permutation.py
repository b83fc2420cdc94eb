"""Permutation tests: the check on Welch and on paired t that assumes no distribution, only exchangeable runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.inputs import Floats, Numbers, positive, whole
from abcompare.stats.logs import SAME
from abcompare.stats.splits import Indices, exact_signs, exact_splits, random_splits

MAX_SPLITS = 20_000
DRAWS = 9_999
TIE = 1e-9
"""Statistics closer than this (relative) are the same split of tied values, apart by rounding."""
NOISE = 1e-14
"""Rounding of a mean or a variance of values scaled to [-1, 1]."""

Statistic = Literal["studentised", "difference"]


@dataclass(frozen=True, slots=True)
class Permutation:
    """Two-sided result: `count` of `total` splits are at least as extreme as the one observed.

    `exact`: all splits were looked at and p = count/total. Otherwise `total` were drawn and p = (count+1)/(total+1)
    (Phipson and Smyth 2010). p is never 0.
    """

    p: float
    count: int
    total: int
    exact: bool


def permutation_test(
    a: Numbers,
    b: Numbers,
    *,
    statistic: Statistic = "studentised",
    max_splits: int = MAX_SPLITS,
    draws: int = DRAWS,
    seed: int = 0,
) -> Permutation:
    """Permutation test of ln A against ln B over the splits of the sorted pooled values.

    "studentised" compares |t| of Welch (Janssen 1997), which keeps its level when the variances differ, and needs 2
    runs a side; "difference" compares |mean ln B - mean ln A| and does not keep it, and needs 1. Up to
    `max_splits` splits all are taken, above it `draws` random ones from `seed`. Ties count as extreme.
    Raises ValueError for too few runs, values not finite and positive or an unknown statistic; DegenerateError
    when all values are one constant.
    """
    if statistic not in ("studentised", "difference"):
        raise ValueError(f'statistic must be "studentised" or "difference", got {statistic!r}')
    least = 2 if statistic == "studentised" else 1
    x_a, x_b = np.log(positive(a, "A", least=least)), np.log(positive(b, "B", least=least))
    small, large = (x_a, x_b) if x_a.size <= x_b.size else (x_b, x_a)
    pooled = np.concatenate((small, large))
    if np.ptp(pooled) <= SAME:
        raise DegenerateError("A and B: all values are equal, so every split is the same")
    # Sorted, so that neither the order of the runs nor the order of the sides changes which splits are drawn.
    order = np.argsort(pooled, kind="stable")
    z = pooled[order] - pooled.mean()
    z /= np.abs(z).max()
    observed = np.flatnonzero(order < small.size)
    test = _Extreme(z, observed, studentised=statistic == "studentised")
    total = math.comb(z.size, small.size)
    if total <= whole(max_splits, "max_splits"):
        mirror = 2 if 2 * small.size == z.size else 1
        return _exact(mirror * test.count(exact_splits(z.size, small.size)), total)
    drawn = sum(test.count(block) for block in random_splits(z.size, small.size, whole(draws, "draws", least=1), seed))
    return _drawn(drawn, draws)


def sign_flip_test(
    a: Numbers, b: Numbers, *, max_splits: int = MAX_SPLITS, draws: int = DRAWS, seed: int = 0
) -> Permutation:
    """Permutation test of pairs: the sign of each ln b[i] - ln a[i] may be either.

    |mean difference| and |t| order the patterns alike, so there is one statistic. Exact up to `max_splits` patterns
    (14 pairs), else `draws` random ones. Raises ValueError for unequal lengths, no pairs or values not finite and
    positive; DegenerateError when every difference is zero.
    """
    x_a, x_b = positive(a, "A"), positive(b, "B")
    if x_a.size != x_b.size:
        raise ValueError(f"A and B: {x_a.size} and {x_b.size} runs do not make pairs")
    difference = np.log(x_b) - np.log(x_a)
    if np.abs(difference).max() <= SAME:
        raise DegenerateError("A and B: every pair is equal, so every sign is the same")
    n = difference.size
    bound = abs(float(difference.sum())) - TIE * float(np.abs(difference).sum())
    if 2**n <= whole(max_splits, "max_splits"):
        return _exact(2 * _reaching(exact_signs(n) @ difference, bound), 2**n)
    rng = np.random.default_rng(seed)
    count, block = 0, max(1, 1_000_000 // n)
    for start in range(0, whole(draws, "draws", least=1), block):
        signs = 1.0 - 2.0 * rng.integers(0, 2, size=(min(block, draws - start), n))
        count += _reaching(signs @ difference, bound)
    return _drawn(count, draws)


def smallest_p(n_a: int, n_b: int) -> float:
    """The smallest two-sided p that an exact permutation test of `n_a` against `n_b` runs can give.

    2/C(2n, n) for equal sides (the mirror image is as extreme), 1/C(n_a+n_b, n_a) for unequal ones.
    """
    splits = math.comb(whole(n_a, "n_a", least=1) + whole(n_b, "n_b", least=1), n_a)
    return (2 if n_a == n_b else 1) / splits


def smallest_paired_p(pairs: int) -> float:
    """2/2ⁿ: the smallest two-sided p that an exact sign-flip test of `pairs` pairs can give."""
    return math.ldexp(2.0, -whole(pairs, "pairs", least=1))


class _Extreme:
    """Counts splits at least as extreme as the observed one; z is scaled to [-1, 1] with mean near 0."""

    def __init__(self, z: Floats, observed: Indices, *, studentised: bool) -> None:
        self._z, self._squares = z, z * z
        self._sum, self._square_sum = float(z.sum()), float(self._squares.sum())
        self._studentised = studentised
        distance, error = self._measure(observed[None, :])
        self._distance, self._error = float(distance[0]), float(error[0])

    def count(self, splits: Indices) -> int:
        distance, error = self._measure(splits)
        distance += NOISE
        if not self._studentised:
            return int(np.count_nonzero(distance >= self._distance * (1 - TIE)))
        # d²/e >= D²/E multiplied out, so that a split without any variance (e = 0) needs no case of its own. What
        # rounding leaves undecided counts as extreme: a p may be too large but not too small.
        ours = distance * distance * (self._error + NOISE)
        theirs = self._distance * self._distance * (error * (1 - TIE) - NOISE)
        return int(np.count_nonzero(ours >= theirs))

    def _measure(self, splits: Indices) -> tuple[Floats, Floats]:
        """|difference of means| and its squared standard error, both of shape (splits,)."""
        k = splits.shape[1]
        rest = self._z.size - k
        part = self._z[splits].sum(axis=1)
        other = self._sum - part
        distance = np.abs(part / k - other / rest)
        if not self._studentised:
            return distance, np.zeros_like(distance)
        part_squares = self._squares[splits].sum(axis=1)
        within = np.maximum(part_squares - part * part / k, 0) / (k - 1) / k
        within += np.maximum(self._square_sum - part_squares - other * other / rest, 0) / (rest - 1) / rest
        return distance, within


def _reaching(sums: NDArray[np.float64], bound: float) -> int:
    return int(np.count_nonzero(np.abs(sums) >= bound))


def _exact(count: int, total: int) -> Permutation:
    return Permutation(count / total, count, total, True)


def _drawn(count: int, total: int) -> Permutation:
    return Permutation((count + 1) / (total + 1), count, total, False)
