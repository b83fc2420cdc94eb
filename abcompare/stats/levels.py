"""Two levels of variation, samples within runs and runs: more runs, or longer ones?

Kalibera and Jones (2013), Rigorous benchmarking in reasonable time, ISMM.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.inputs import Numbers, above_zero, finite, fraction
from abcompare.stats.student import t_quantile


@dataclass(frozen=True, slots=True)
class TwoLevels:
    """Result of `two_levels`: `runs` runs of `samples` samples each, variances in the squared unit of the samples.

    `within` is the variance of samples in a run (Kalibera and Jones' S1² = T1²), `of_means` that of the run means
    (S2²), `between` what the runs add, S2² - S1²/samples (T2²; it may be negative, which is an estimate of none).
    `share_between` is the intraclass correlation, 0 to 1; `design_effect` = 1 + (samples-1)·share: how many times a
    pooled variance is too small. `half_width` is that of the interval of `mean` by run, `naive_half_width` by sample.
    """

    runs: int
    samples: int
    mean: float
    within: float
    of_means: float
    between: float
    share_between: float
    design_effect: float
    half_width: float
    naive_half_width: float


def two_levels(runs: Sequence[Numbers], *, confidence: float = 0.95) -> TwoLevels:
    """Split the variance of `runs` (each a list of samples, all of one length) into within and between.

    Raises ValueError for fewer than 2 runs, fewer than 2 samples, unequal lengths or values not finite;
    DegenerateError when nothing varies.
    """
    rows = [finite(run, f"run {i + 1}", least=2) for i, run in enumerate(runs)]
    if len(rows) < 2 or len({row.size for row in rows}) != 1:
        raise ValueError("runs: at least 2 are needed, all with the same number of samples")
    x = np.stack(rows)
    k, m = x.shape
    if np.ptp(x) == 0:
        raise DegenerateError("runs: all samples are equal")
    within = float(x.var(axis=1, ddof=1).mean())
    of_means = float(x.mean(axis=1).var(ddof=1))
    between = of_means - within / m
    share = max(0.0, between) / (max(0.0, between) + within)
    upper = (1 + fraction(confidence, "confidence")) / 2
    return TwoLevels(
        runs=k,
        samples=m,
        mean=float(x.mean()),
        within=within,
        of_means=of_means,
        between=between,
        share_between=share,
        design_effect=1 + (m - 1) * share,
        half_width=t_quantile(upper, k - 1) * math.sqrt(of_means / k),
        naive_half_width=t_quantile(upper, k * m - 1) * float(x.std(ddof=1)) / math.sqrt(k * m),
    )


def optimal_samples(levels: TwoLevels, *, sample_cost: float, run_cost: float) -> float:
    """Samples per run that give the tightest interval for the time spent: √(run_cost/sample_cost · T1²/T2²).

    Costs in one unit, say seconds for one more sample and for starting one more run. Round up. Infinite when
    the runs add no variance: then longer runs are as good as more.
    """
    cost = above_zero(run_cost, "run_cost") / above_zero(sample_cost, "sample_cost")
    return math.sqrt(cost * levels.within / levels.between) if levels.between > 0 else math.inf
