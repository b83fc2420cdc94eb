"""Failed requests over several runs: a test by run, since failures clump."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from abcompare.stats.inputs import Floats
from abcompare.stats.proportions import counted
from abcompare.stats.student import t_two_sided

Counts = Sequence[int]


@dataclass(frozen=True, slots=True)
class FailureTest:
    """Result of `failure_test`; shares are fractions of requests, `difference` = share B - share A.

    `phi_a`, `phi_b` and `phi` (pooled) are overdispersions: 1 when failures are independent; a side of one run has
    None. `z` and `p_naive` are what independent requests would give, `t`, `df` and `p` the test by run.
    """

    share_a: float
    share_b: float
    difference: float
    phi_a: float | None
    phi_b: float | None
    phi: float
    z: float
    p_naive: float
    t: float
    df: int
    p: float


def failure_test(failures_a: Counts, n_a: Counts, failures_b: Counts, n_b: Counts) -> FailureTest:
    """Two-sided test of equal failure shares from runs: t = z/√max(1, φ) with k_A + k_B - 2 degrees of freedom.

    `failures_a[i]` of the `n_a[i]` requests of run i failed. z is the pooled two-proportion z; φ the pooled Pearson
    χ²/df of the runs about the share of their side (Finney 1971; McCullagh and Nelder 1989, 4.5). When the shares are
    equal, and so when nothing failed at all, z = t = 0 and p = 1; a side without failures adds nothing to χ².
    Raises ValueError for impossible counts, lists of different length, an empty side or one run on both.
    """
    side_a, side_b = _side(failures_a, n_a, "A"), _side(failures_b, n_b, "B")
    df = len(side_a[0]) + len(side_b[0]) - 2
    if not df:
        raise ValueError("A and B: one run on each side, so overdispersion is unknown; at least one needs 2")
    (share_a, chi_a), (share_b, chi_b) = _pearson(*side_a), _pearson(*side_b)
    total_a, total_b = side_a[1].sum(), side_b[1].sum()
    pooled = (share_a * total_a + share_b * total_b) / (total_a + total_b)
    difference = share_b - share_a
    error = math.sqrt(pooled * (1 - pooled) * (1 / total_a + 1 / total_b))
    z = difference / error if difference else 0.0
    phi = (chi_a + chi_b) / df
    t = z / math.sqrt(max(1.0, phi))
    return FailureTest(
        share_a=share_a,
        share_b=share_b,
        difference=difference,
        phi_a=chi_a / (len(side_a[0]) - 1) if len(side_a[0]) > 1 else None,
        phi_b=chi_b / (len(side_b[0]) - 1) if len(side_b[0]) > 1 else None,
        phi=phi,
        z=z,
        p_naive=min(1.0, 2 * float(special.ndtr(-abs(z)))),
        t=t,
        df=df,
        p=t_two_sided(t, df),
    )


def _side(failures: Counts, n: Counts, name: str) -> tuple[Floats, Floats]:
    if len(failures) != len(n) or not len(n):
        raise ValueError(f"{name}: {len(failures)} failure counts for {len(n)} runs")
    pairs = [counted(f, m, f"{name}, run {i + 1}") for i, (f, m) in enumerate(zip(failures, n, strict=True))]
    array = np.asarray(pairs, dtype=np.float64)
    return array[:, 0], array[:, 1]


def _pearson(failures: Floats, n: Floats) -> tuple[float, float]:
    """Share of the side, and the Pearson χ² of its runs about it; 0 where the share leaves no variance."""
    share = float(failures.sum() / n.sum())
    if share in (0.0, 1.0):
        return share, 0.0
    return share, float((((failures - n * share) ** 2) / (n * share * (1 - share))).sum())
