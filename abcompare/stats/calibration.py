"""Calibration: how much one configuration varies from run to run here, and whether the set-up held still."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.effect import Effect
from abcompare.stats.inputs import Floats, Numbers, fraction
from abcompare.stats.logs import SAME, log_summary
from abcompare.stats.power import detectable_effect_of
from abcompare.stats.student import t_two_sided
from abcompare.stats.welch import welch_test

DRAWS = 9_999


@dataclass(frozen=True, slots=True)
class Noise:
    """Run-to-run standard deviation `sd` of ln y with its degrees of freedom."""

    sd: float
    df: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """What `n` runs of one configuration, in the order they were made, say about the noise of the set-up.

    `centre` is their geometric mean. `sd` is of ln y, with `df` = n - 1 and a chi-square interval.
    `detectable_5` and `detectable_10` are the effects found in 80 % of cases with 5 and 10 runs per side, as fractions.
    Steadiness: `halves` is the effect of the second half over the first (None when neither half varies; the
    middle run of an odd number is left out), `lag1` the lag-1 autocorrelation, `slope` the change of ln y per
    run; each p is two-sided (`lag1_p` over random orders, `slope_p` by t).
    """

    n: int
    centre: float
    sd: float
    df: int
    sd_low: float
    sd_high: float
    detectable_5: float
    detectable_10: float
    halves: Effect | None
    lag1: float
    lag1_p: float
    slope: float
    slope_p: float


def calibrate(values: Numbers, *, resolution: float = 0.0, confidence: float = 0.95, seed: int = 0) -> Calibration:
    """Calibration from `values` of one metric in the order of the runs.

    `resolution` is the print step, which floors the sd. Raises ValueError for fewer than 4 values or any not finite and
    positive; DegenerateError when they do not vary and no resolution is given.
    """
    side = log_summary(values, resolution=resolution, least=4)
    if not side.variance:
        raise DegenerateError("values: no variation, and no print resolution to bound it")
    tail, df = (1 - fraction(confidence, "confidence")) / 2, side.n - 1
    x = np.log(np.asarray(values, dtype=np.float64))
    lag1, lag1_p = _lag_one(x, seed)
    slope, slope_p = _slope(x)
    return Calibration(
        n=side.n,
        centre=math.exp(side.mean),
        sd=side.sd,
        df=df,
        # chdtri takes the upper tail.
        sd_low=side.sd * math.sqrt(df / float(special.chdtri(df, tail))),
        sd_high=side.sd * math.sqrt(df / float(special.chdtri(df, 1 - tail))),
        detectable_5=detectable_effect_of(side.sd, 5),
        detectable_10=detectable_effect_of(side.sd, 10),
        halves=_halves(values, resolution),
        lag1=lag1,
        lag1_p=lag1_p,
        slope=slope,
        slope_p=slope_p,
    )


def pooled_noise(groups: Sequence[Numbers]) -> Noise:
    """Pooled within-group standard deviation of ln y, for `--borrow-noise`: groups are scenarios with replicates.

    Groups of one run contribute nothing. Raises ValueError for values not finite and positive or when no group
    has 2 runs; DegenerateError when no group varies.
    """
    sides = [log_summary(group, name=f"group {i + 1}") for i, group in enumerate(groups)]
    df = sum(side.n - 1 for side in sides)
    if not df:
        raise ValueError("groups: none has 2 runs")
    variance = math.fsum((side.n - 1) * side.variance for side in sides) / df
    if not variance:
        raise DegenerateError("groups: none varies")
    return Noise(math.sqrt(variance), df)


def _halves(values: Numbers, resolution: float) -> Effect | None:
    half = len(values) // 2
    try:
        return welch_test(values[:half], values[-half:], resolution_a=resolution)
    except DegenerateError:
        return None


def _lag_one(x: Floats, seed: int) -> tuple[float, float]:
    """Lag-1 autocorrelation, and its p among random orders of the same values; 0 and 1 for constants."""
    d = x - x.mean()
    square = float(d @ d)
    if np.ptp(x) <= SAME:
        return 0.0, 1.0
    lag1 = float(d[1:] @ d[:-1]) / square
    # Its expectation over all orders is -1/n and not 0.
    extreme = abs(lag1 + 1 / x.size) * (1 - 1e-9)
    rng = np.random.default_rng(seed)
    count, block = 0, max(1, 1_000_000 // x.size)
    for start in range(0, DRAWS, block):
        orders = rng.permuted(np.tile(d, (min(block, DRAWS - start), 1)), axis=1)
        drawn = (orders[:, 1:] * orders[:, :-1]).sum(axis=1) / square
        count += int(np.count_nonzero(np.abs(drawn + 1 / x.size) >= extreme))
    return lag1, (count + 1) / (DRAWS + 1)


def _slope(x: Floats) -> tuple[float, float]:
    """Least-squares slope of x on its order, with a two-sided p from n - 2 df; 0 and 1 for constants."""
    if np.ptp(x) <= SAME:
        return 0.0, 1.0
    order = np.arange(x.size) - (x.size - 1) / 2
    squares = float(order @ order)
    slope = float(order @ x) / squares
    residual = x - x.mean() - slope * order
    se = math.sqrt(float(residual @ residual) / (x.size - 2) / squares)
    return slope, t_two_sided(slope / se if se else math.inf, x.size - 2)
