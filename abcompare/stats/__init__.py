"""Numbers in, numbers out: what `diff` computes, without a word about verdicts.

Functions take plain lists of one metric's values, one number a run, side A first; they return frozen dataclasses or
numbers. Ratios are B over A; shares, margins and CVs are fractions (0.05 for 5 %); p-values are two-sided unless named
otherwise. Exchanging A and B gives 1/ratio, 1/high, 1/low and the same p, everywhere.

Wrong input (NaN, a negative time, too few runs) raises ValueError; valid input without an answer (no variation)
raises DegenerateError, which is one. No function returns NaN.

Names are loaded on first use: numpy and scipy.special cost 0.3 s that `--help` and `parse` need not pay.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from abcompare.stats.degenerate import DegenerateError

if TYPE_CHECKING:
    from abcompare.stats.calibration import Calibration, Noise, calibrate, pooled_noise
    from abcompare.stats.combined import combine_effects
    from abcompare.stats.dependence import (
        BatchMeans,
        EffectiveSize,
        autocorrelation,
        batch_means,
        effective_size,
        fifo_effective_size,
    )
    from abcompare.stats.effect import Effect, Interval
    from abcompare.stats.failures import FailureTest, failure_test
    from abcompare.stats.families import benjamini_hochberg, holm
    from abcompare.stats.fieller import MeanRatio, fieller_ratio
    from abcompare.stats.fisher import fisher_test
    from abcompare.stats.levels import TwoLevels, optimal_samples, two_levels
    from abcompare.stats.logs import GeometricMean, LogSummary, geometric_mean, log_summary, prediction_interval
    from abcompare.stats.moderated import Shrinkage, moderate, shrink_variances
    from abcompare.stats.outliers import flag_outliers, outlier_threshold
    from abcompare.stats.paired import paired_test
    from abcompare.stats.percentiles import (
        OrderInterval,
        QuantileInterval,
        min_n_for_upper_bound,
        order_interval,
        quantile_interval,
    )
    from abcompare.stats.permutation import (
        Permutation,
        permutation_test,
        sign_flip_test,
        smallest_p,
        smallest_paired_p,
    )
    from abcompare.stats.power import (
        chance_to_reject,
        detectable_effect,
        detectable_effect_of,
        runs_needed,
        sd_of_cv,
        shown_beyond,
    )
    from abcompare.stats.proportions import (
        clopper_pearson_upper,
        newcombe_interval,
        risk_ratio_interval,
        wilson_interval,
    )
    from abcompare.stats.resolution import identical, resolution_interval, variance_floor, widen
    from abcompare.stats.single import break_even_cv, calibrated_test, one_against_many_test
    from abcompare.stats.sizes import cliffs_delta, hedges_g, hodges_lehmann_ratio
    from abcompare.stats.student import t_quantile, t_tail, t_two_sided
    from abcompare.stats.tost import Equivalence, equivalence_test
    from abcompare.stats.welch import welch_test

_HOMES = {
    "calibration": "Calibration Noise calibrate pooled_noise",
    "combined": "combine_effects",
    "dependence": "BatchMeans EffectiveSize autocorrelation batch_means effective_size fifo_effective_size",
    "effect": "Effect Interval",
    "failures": "FailureTest failure_test",
    "families": "benjamini_hochberg holm",
    "fieller": "MeanRatio fieller_ratio",
    "fisher": "fisher_test",
    "levels": "TwoLevels optimal_samples two_levels",
    "logs": "GeometricMean LogSummary geometric_mean log_summary prediction_interval",
    "moderated": "Shrinkage moderate shrink_variances",
    "outliers": "flag_outliers outlier_threshold",
    "paired": "paired_test",
    "percentiles": "OrderInterval QuantileInterval min_n_for_upper_bound order_interval quantile_interval",
    "permutation": "Permutation permutation_test sign_flip_test smallest_p smallest_paired_p",
    "power": "chance_to_reject detectable_effect detectable_effect_of runs_needed sd_of_cv shown_beyond",
    "proportions": "clopper_pearson_upper newcombe_interval risk_ratio_interval wilson_interval",
    "resolution": "identical resolution_interval variance_floor widen",
    "single": "break_even_cv calibrated_test one_against_many_test",
    "sizes": "cliffs_delta hedges_g hodges_lehmann_ratio",
    "student": "t_quantile t_tail t_two_sided",
    "tost": "Equivalence equivalence_test",
    "welch": "welch_test",
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "BatchMeans",
    "Calibration",
    "DegenerateError",
    "Effect",
    "EffectiveSize",
    "Equivalence",
    "FailureTest",
    "GeometricMean",
    "Interval",
    "LogSummary",
    "MeanRatio",
    "Noise",
    "OrderInterval",
    "Permutation",
    "QuantileInterval",
    "Shrinkage",
    "TwoLevels",
    "autocorrelation",
    "batch_means",
    "benjamini_hochberg",
    "break_even_cv",
    "calibrate",
    "calibrated_test",
    "chance_to_reject",
    "cliffs_delta",
    "clopper_pearson_upper",
    "combine_effects",
    "detectable_effect",
    "detectable_effect_of",
    "effective_size",
    "equivalence_test",
    "failure_test",
    "fieller_ratio",
    "fifo_effective_size",
    "fisher_test",
    "flag_outliers",
    "geometric_mean",
    "hedges_g",
    "hodges_lehmann_ratio",
    "holm",
    "identical",
    "log_summary",
    "min_n_for_upper_bound",
    "moderate",
    "newcombe_interval",
    "one_against_many_test",
    "optimal_samples",
    "order_interval",
    "outlier_threshold",
    "paired_test",
    "permutation_test",
    "pooled_noise",
    "prediction_interval",
    "quantile_interval",
    "resolution_interval",
    "risk_ratio_interval",
    "runs_needed",
    "sd_of_cv",
    "shown_beyond",
    "shrink_variances",
    "sign_flip_test",
    "smallest_p",
    "smallest_paired_p",
    "t_quantile",
    "t_tail",
    "t_two_sided",
    "two_levels",
    "variance_floor",
    "welch_test",
    "widen",
    "wilson_interval",
]


def __getattr__(name: str) -> object:
    """Load the module that holds `name`, and keep the name here so that this happens once."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
