"""The effect: a log-ratio with its standard error and degrees of freedom, whichever test it came from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from abcompare.stats.inputs import degrees, fraction
from abcompare.stats.student import t_quantile, t_two_sided


class Interval(NamedTuple):
    """Two ends, low <= high, in the unit of whatever they enclose."""

    low: float
    high: float


def exp_or_inf(x: float) -> float:
    """e**x, and infinity where that overflows: the upper end of an interval may well be "no bound"."""
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of B over A on the log scale: `log_ratio` = mean ln B - mean ln A.

    `se` is its standard error and `df` the degrees of freedom of that (infinity: known). `n_a` and `n_b` are
    the runs (pairs count once on each side). `method` names the test: "welch-log", "paired-log", …
    Exchanging A and B negates `log_ratio` and changes nothing else.
    Raises ValueError if it is built from numbers that no test could have produced.
    """

    log_ratio: float
    se: float
    df: float
    n_a: int
    n_b: int
    method: str

    def __post_init__(self) -> None:
        if not math.isfinite(self.log_ratio):
            raise ValueError(f"log_ratio must be finite, got {self.log_ratio}")
        if not (math.isfinite(self.se) and self.se > 0):
            raise ValueError(f"se must be finite and above zero, got {self.se}")
        degrees(self.df)

    @property
    def ratio(self) -> float:
        """Geometric mean of B over geometric mean of A (1.05: B is 5 % more)."""
        return exp_or_inf(self.log_ratio)

    @property
    def t(self) -> float:
        """Student's t: the log-ratio in standard errors."""
        return self.log_ratio / self.se

    @property
    def p(self) -> float:
        """Two-sided p of "the ratio is 1"."""
        return t_two_sided(self.t, self.df)

    @property
    def leverage(self) -> float:
        """1/n_a + 1/n_b: the variance of the log-ratio for a run variance of one."""
        return 1 / self.n_a + 1 / self.n_b

    @property
    def sd(self) -> float:
        """Standard deviation of ln y from run to run that `se` implies (for pairs: with what they share removed)."""
        return self.se / math.sqrt(self.leverage)

    def interval(self, confidence: float = 0.95) -> Interval:
        """Two-sided confidence interval of the ratio; an end may be 0 or infinity when the data say so little."""
        half = t_quantile((1 + fraction(confidence, "confidence")) / 2, self.df) * self.se
        return Interval(exp_or_inf(self.log_ratio - half), exp_or_inf(self.log_ratio + half))
