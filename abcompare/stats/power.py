"""What a design can see: power, detectable effect and runs needed, by the noncentral t."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from abcompare.stats.inputs import Floats, above_zero, degrees, fraction, not_negative, whole
from abcompare.stats.student import t_quantile

NODES = 1024
LARGEST = 700.0
"""A log-ratio above this has no ratio that a float can hold."""
KNOWN = 1e7
"""From this many degrees of freedom on, the variance counts as known."""
QUANTILES = 64
"""Equally likely values of an estimated standard error: a power to about 0.001."""


def sd_of_cv(cv: float) -> float:
    """√ln(1 + CV²): the standard deviation of ln y for a coefficient of variation of y, both as fractions."""
    return math.sqrt(math.log1p(above_zero(cv, "cv") ** 2))


def chance_to_reject(shift: float, df: float, *, alpha: float = 0.05) -> float:
    """Power: the chance that a two-sided t test at `alpha` rejects if the truth is `shift` standard errors from zero.

    The noncentral t with both tails, `df` of 1 or more (infinity: the normal law). Raises ValueError otherwise.
    """
    if not math.isfinite(shift):
        raise ValueError(f"shift must be finite, got {shift}")
    return _power(abs(shift), *_law(degrees(df), fraction(alpha, "alpha")))[0]


def detectable_effect(se: float, df: float, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The effect found with probability `power`, as a fraction (0.069 for 6.9 %), given the `se` of a log-ratio.

    Noncentral t with both tails, and so a little above exp((t₁ + t₂)·se) - 1. May be infinite.
    """
    shift = _shift(degrees(df), fraction(power, "power"), fraction(alpha, "alpha"))
    log_ratio = shift * above_zero(se, "se")
    return math.expm1(log_ratio) if log_ratio < LARGEST else math.inf


def detectable_effect_of(sd: float, n: int, *, paired: bool = False, power: float = 0.8, alpha: float = 0.05) -> float:
    """`detectable_effect` of a design: `n` runs per side (or pairs), each with standard deviation `sd` of ln y.

    df = 2n - 2, or n - 1 with `paired`; n is 2 or more. For a CV give `sd_of_cv(cv)`.
    """
    whole(n, "n", least=2)
    df = n - 1 if paired else 2 * n - 2
    return detectable_effect(above_zero(sd, "sd") * math.sqrt(2 / n), df, power=power, alpha=alpha)


def shown_beyond(
    se: float, df: float, margin: float = 0.0, *, power: float = 0.8, alpha: float = 0.05, adjusted: float | None = None
) -> float:
    """The |log-ratio| that the next comparison of the same design shows to lie beyond `margin` with probability `power`.

    Shown means: the whole interval at 1 - `alpha` is beyond the log-ratio `margin`, and p is below `adjusted` (default:
    `alpha`; alpha/k in a Holm family of k). `se` is an estimate with `df`: that it may be too small, and that the next
    comparison has an estimate of its own, both count. `detectable_effect` takes the se as the truth, and at 5 runs a
    side what it names is found in 73 % of cases, with 5 pairs in 69 %. `margin` is on the log scale.
    """
    above_zero(se, "se")
    not_negative(margin, "margin")
    limits = t_quantile(1 - fraction(alpha, "alpha") / 2, degrees(df)), t_quantile(1 - fraction(adjusted or alpha, "adjusted") / 2, df)
    estimates = _estimates(df)
    true = se / estimates[:, None]
    bound = np.maximum(margin + limits[0] * true * estimates, limits[1] * true * estimates) / true
    low, high = 0.0, math.inf
    found = margin + se * (max(limits) + t_quantile(fraction(power, "power"), df))
    for _ in range(100):
        z = found / true - bound
        value = float(special.ndtr(z).mean())
        slope = float((np.exp(-z * z / 2) / true).mean()) / math.sqrt(2 * math.pi)
        low, high = (found, high) if value < power else (low, found)
        guess = found + (power - value) / slope if slope else math.nan
        if not low <= guess <= high:
            guess = 2 * found if math.isinf(high) else (low + high) / 2
        if abs(guess - found) <= 1e-9 * found:
            break
        found = guess
    return guess


def _estimates(df: float) -> Floats:
    """Equally likely values of S = √(χ²/df): an estimated standard error by the true one."""
    if df >= KNOWN:
        return np.ones(1)
    chances = (np.arange(QUANTILES) + 0.5) / QUANTILES
    found: Floats = np.sqrt(2 / df * special.gammaincinv(df / 2, chances))
    return found


def runs_needed(sd: float, margin: float, *, paired: bool = False, power: float = 0.8, alpha: float = 0.05) -> int:
    """Runs per side (or pairs) that find an effect of `margin` (a fraction) with probability `power`; 2 or more.

    `sd` as in `detectable_effect_of`, or `Effect.sd`.
    """
    fraction(power, "power")
    step = math.log1p(above_zero(margin, "margin")) / (above_zero(sd, "sd") * math.sqrt(2))

    def enough(n: int) -> bool:
        law = _law(n - 1 if paired else 2 * n - 2, fraction(alpha, "alpha"))
        return _power(step * math.sqrt(n), *law)[0] >= power

    # The normal law is right to a run or two, and always too low but for the neglected tail.
    n = max(2, math.floor((_shift(math.inf, power, alpha) / step) ** 2))
    while not enough(n):
        n += 1
    while n > 2 and enough(n - 1):
        n -= 1
    return n


def _law(df: float, alpha: float) -> tuple[float, Floats, Floats]:
    """Critical t, and nodes of S = √(χ²/df) with weights that sum to 1.

    Trapezoid rule in ln S², where the density is smooth and decays exponentially or faster, so that the rule
    converges geometrically. scipy.special.nctdtr is not used: it returns NaN and even 3.0 in the far tails.
    """
    critical = t_quantile(1 - alpha / 2, df)
    if df >= KNOWN:
        return critical, np.ones(1), np.ones(1)
    side = math.sqrt(128 / df)
    v = np.linspace(-side - 64 / df - 1, side, NODES)
    weights = np.exp(df / 2 * (v - np.expm1(v)))
    return critical, np.exp(v / 2), weights / weights.sum()


def _power(shift: float, critical: float, scale: Floats, weights: Floats) -> tuple[float, float]:
    """Power at `shift` standard errors, and its derivative."""
    near, far = shift - critical * scale, -shift - critical * scale
    value = weights @ (special.ndtr(near) + special.ndtr(far))
    slope = weights @ (np.exp(-near * near / 2) - np.exp(-far * far / 2)) / math.sqrt(2 * math.pi)
    return float(value), float(slope)


def _shift(df: float, target: float, alpha: float) -> float:
    """The shift with power `target`: Newton, with bisection where that would leave the bracket."""
    if target <= alpha:
        raise ValueError(f"power must be above alpha, got {target} and {alpha}")
    law = _law(df, alpha)
    low, high = 0.0, math.inf
    shift = law[0] + t_quantile(target, df)
    for _ in range(200):
        value, slope = _power(shift, *law)
        low, high = (shift, high) if value < target else (low, shift)
        guess = shift + (target - value) / slope if slope else math.nan
        if not low <= guess <= high:
            guess = 2 * shift + 1 if math.isinf(high) else (low + high) / 2
        if abs(guess - shift) <= 1e-13 * shift:
            break
        shift = guess
    return guess
