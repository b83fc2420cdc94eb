"""Fisher's exact test for failures within one run a side; labelled "within this run" wherever it is shown."""

from __future__ import annotations

import math

import numpy as np

from abcompare.stats.inputs import Floats
from abcompare.stats.proportions import counted

REACH = 60
"""Standard deviations (plus 5) from the mode beyond which the law, at its widest Poisson, is below any float."""


def fisher_test(failures_a: int, n_a: int, failures_b: int, n_b: int) -> float:
    """Two-sided p of equal shares: the probability of all tables no likelier than the one observed (Fisher 1935).

    1.0 when neither side or every request failed. May underflow to 0.0. It treats requests as independent, which
    failures are not: with several runs use `failure_test`. Raises ValueError for impossible counts.
    """
    failures_a, n_a = counted(failures_a, n_a, "A")
    failures_b, n_b = counted(failures_b, n_b, "B")
    failures, n = failures_a + failures_b, n_a + n_b
    lowest, highest = max(0, failures - n_b), min(failures, n_a)
    if lowest == highest:
        return 1.0
    mode = min(highest, max(lowest, (failures + 1) * (n_a + 1) // (n + 2)))
    sd = math.sqrt(failures * (n_a / n) * (n_b / n) * ((n - failures) / (n - 1)))
    reach = math.ceil(REACH * (sd + 5))
    start, stop = max(lowest, mode - reach), min(highest, mode + reach)
    if not start <= failures_a <= stop:
        return 0.0
    density = _density(start, stop, mode, failures, n_a, n_b)
    # Tables that tie with the observed one belong to it, rounding or not.
    p = density[density <= density[failures_a - start] * (1 + 1e-7)].sum() / density.sum()
    return min(1.0, float(p))


def _density(start: int, stop: int, mode: int, failures: int, n_a: int, n_b: int) -> Floats:
    """Hypergeometric law on start..stop relative to the mode, from ratios of neighbours: no large factorials."""
    x = np.arange(start, stop, dtype=np.float64)
    up = np.log((failures - x) * (n_a - x)) - np.log((x + 1) * (n_b - failures + x + 1))
    logs = np.concatenate(([0.0], np.cumsum(up)))
    return np.asarray(np.exp(logs - logs[mode - start]))
