"""Too few runs for a test of their own: one against one, with or without a calibration, and one against many."""

from __future__ import annotations

import math

from scipy import special

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.effect import Effect
from abcompare.stats.inputs import Numbers, above_zero, degrees, fraction, positive
from abcompare.stats.logs import log_summary


def break_even_cv(a: float, b: float, *, alpha: float = 0.05) -> float:
    """|ln(b/a)| / (z·√2): the run-to-run CV below which one run a side would be significant, as a fraction.

    0.0149 reads "only if it varies by less than 1.49 % from run to run". 0 for equal values, of which no CV makes
    a difference. Raises ValueError for values not finite and positive.
    """
    z = float(special.ndtri(1 - fraction(alpha, "alpha") / 2))
    return abs(math.log(above_zero(b, "B")) - math.log(above_zero(a, "A"))) / (z * math.sqrt(2))


def calibrated_test(a: float, b: float, sd: float, df: float) -> Effect:
    """Effect of one run B over one run A, method "calibrated": se = sd·√2.

    `sd` is the standard deviation of ln y from calibration runs of this set-up and `df` its degrees of freedom
    (`calibrate`, `pooled_noise`). Raises ValueError for values not finite and positive, DegenerateError for sd = 0.
    """
    difference = math.log(above_zero(b, "B")) - math.log(above_zero(a, "A"))
    if sd == 0:
        raise DegenerateError("calibration: its runs do not vary, so it bounds nothing")
    return Effect(difference, above_zero(sd, "sd") * math.sqrt(2), degrees(df), 1, 1, "calibrated")


def one_against_many_test(a: Numbers, b: Numbers, *, resolution: float = 0.0) -> Effect:
    """Effect of B over A where one side is a single run and the other has m >= 2, method "one-against-many".

    se = s·√(1 + 1/m), df = m - 1, assuming that the single run varies as the many do: its share of a prediction
    interval. `resolution` is the print step of the many.
    Raises ValueError unless exactly one side has one run, DegenerateError when the many do not vary.
    """
    n_a, n_b = positive(a, "A").size, positive(b, "B").size
    if (n_a == 1) == (n_b == 1):
        raise ValueError(f"exactly one side must be a single run, got {n_a} and {n_b}")
    many, one, name = (b, a, "B") if n_a == 1 else (a, b, "A")
    base = log_summary(many, resolution=resolution, name=name)
    if not base.variance:
        raise DegenerateError(f"{name}: its runs do not vary, and no print resolution is known")
    difference = math.log(one[0]) - base.mean
    se = base.sd * math.sqrt(1 + 1 / base.n)
    return Effect(difference if n_b == 1 else -difference, se, base.n - 1, n_a, n_b, "one-against-many")
