"""Moderated variance: many scenarios with few runs each lend one another what they know about the noise.

Smyth (2004), Linear models and empirical Bayes methods for assessing differential expression, SAGMB 3(1), section 6.2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.effect import Effect
from abcompare.stats.inputs import Floats, Numbers, finite

ZERO_SHARE = 1e-5
"""A variance of zero is taken as this share of the median: its logarithm must not decide the fit alone (as limma)."""


@dataclass(frozen=True, slots=True)
class Shrinkage:
    """Result of `shrink_variances`: the posterior `variances` with their `dfs`, in the order given.

    `prior_df` and `prior_variance` are Smyth's d0 and s0². d0 = 0: nothing was borrowed (one scenario);
    infinity: the scenarios do not differ by more than chance, and all get the pooled variance.
    """

    variances: tuple[float, ...]
    dfs: tuple[float, ...]
    prior_df: float
    prior_variance: float


def shrink_variances(variances: Numbers, dfs: Numbers) -> Shrinkage:
    """Empirical-Bayes variances s̃² = (d0·s0² + d·s²)/(d0 + d), with d0 + d degrees of freedom.

    d0 and s0² come from the mean and the variance of ln s², which under the model is the logarithm of an F variable.
    The degrees of freedom never exceed the sum that went in. With a single variance it is returned as it is.
    Raises ValueError for unequal lengths, negative variances or df not above 0; DegenerateError if all are zero.
    """
    s2, d = finite(variances, "variances"), finite(dfs, "dfs")
    if s2.size != d.size:
        raise ValueError(f"variances and dfs: {s2.size} and {d.size} values do not match")
    if s2.min() < 0 or d.min() <= 0:
        raise ValueError("variances must not be negative, and dfs must be above zero")
    if not s2.any():
        raise DegenerateError("variances: all are zero, so there is no noise to estimate")
    s2 = np.maximum(s2, ZERO_SHARE * float(np.median(s2[s2 > 0]))) if s2.size > 1 else s2
    prior_df, prior_variance = _prior(s2, d)
    if math.isinf(prior_df):
        posterior = np.full(s2.size, prior_variance)
    else:
        posterior = (prior_df * prior_variance + d * s2) / (prior_df + d)
    total = np.minimum(prior_df + d, d.sum())
    return Shrinkage(tuple(posterior.tolist()), tuple(total.tolist()), prior_df, prior_variance)


def moderate(effects: Sequence[Effect]) -> list[Effect]:
    """`effects` of several scenarios with moderated standard errors, method "moderated-log", in the order given.

    What is shrunk is the run variance implied by each standard error, with the df of its own test. So unequal
    variances and unequal runs stay as Welch treats them, and pairs stay pairs. Fewer than 2: returned unchanged.
    Raises ValueError for an effect of known variance (infinite df): it has nothing to learn.
    """
    if len(effects) < 2:
        return list(effects)
    shrunk = shrink_variances([e.se**2 / e.leverage for e in effects], [e.df for e in effects])
    return [
        replace(e, se=math.sqrt(variance * e.leverage), df=df, method="moderated-log")
        for e, variance, df in zip(effects, shrunk.variances, shrunk.dfs, strict=True)
    ]


def _prior(s2: Floats, d: Floats) -> tuple[float, float]:
    """d0 and s0² by matching the first two moments of ln s² (Smyth's e_g has mean ln s0² + ψ(d0/2) - ln(d0/2))."""
    if s2.size < 2:
        return 0.0, float(s2[0])
    e = np.log(s2) - special.digamma(d / 2) + np.log(d / 2)
    excess = float(e.var(ddof=1) - special.polygamma(1, d / 2).mean())
    if excess <= 0:
        # The pooled variance, not exp(mean e): it is the one that has the pooled degrees of freedom.
        return math.inf, float(d @ s2 / d.sum())
    half = _trigamma_inverse(excess)
    return 2 * half, math.exp(float(e.mean()) + float(special.digamma(half)) - math.log(half))


def _trigamma_inverse(x: float) -> float:
    """y with ψ'(y) = x, by the monotone Newton iteration of Smyth's appendix; x > 0."""
    if x > 1e7:
        return 1 / math.sqrt(x)
    if x < 1e-6:
        return 1 / x
    y = 0.5 + 1 / x
    for _ in range(50):
        trigamma = float(special.polygamma(1, y))
        step = trigamma * (1 - trigamma / x) / float(special.polygamma(2, y))
        y += step
        if -step < 1e-10 * y:
            break
    return y
