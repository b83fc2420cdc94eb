"""What -v adds to a row: how it was tested, what the design can find, and the checks beside the verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator

from abcompare.comparison import Row
from abcompare.reporters.cells import visible
from abcompare.reporters.comparisons.numbers import at_most, change, interval, share


def details(row: Row) -> str:
    """One sentence with every number that the table has no column for; "" where there is none."""
    return "; ".join(_told(row))


def _told(row: Row) -> Iterator[str]:
    if row.method:
        degrees = f" with {row.df:.4g} df" if row.df is not None and math.isfinite(row.df) else ""
        yield f"{visible(row.method)}{degrees}"
    if row.p is not None:
        adjusted = f", adjusted {_p(row.p_adjusted)}" if row.p_adjusted not in (None, row.p) else ""
        yield f"p {_p(row.p)}{adjusted} in a family of {row.family_size or 1}"
    if row.permutation_p is not None:
        drawn = "exact" if row.permutation_seed is None else f"seed {row.permutation_seed}"
        yield f"permutation p {_p(row.permutation_p)} ({drawn})"
    if row.equivalence_p is not None:
        yield f"equivalence p {_p(row.equivalence_p)}"
    if row.margin_shown is not None:
        yield f"same within ±{at_most(row.margin_shown)} shown"
    if row.detectable_change is not None:
        yield f"detects ≥ {share(row.detectable_change)}"
    if row.runs_needed is not None:
        margin = f" for {share(row.margin)}" if row.margin is not None else ""
        yield f"{row.runs_needed:,} runs per side needed{margin}"
    if row.resolution_low is not None:
        yield f"printed digits leave {interval(row.resolution_low, row.resolution_high)} % open"
    sizes = row.effect_sizes or {}
    if "ratio_of_means" in sizes:
        bounds = interval(sizes.get("ratio_of_means_low"), sizes.get("ratio_of_means_high"))
        yield f"ratio of means {change(sizes['ratio_of_means'])} {bounds}".rstrip()
    if row.without_outliers:
        yield _without(row.without_outliers)


def _without(other: dict[str, object]) -> str:
    """The verdict without the values that were flagged."""
    told = [str(other["verdict"])] if other.get("verdict") else []
    ratio = other.get("ratio")
    if isinstance(ratio, float):
        told.append(change(ratio))
    plain = ", ".join(told) or ", ".join(f"{name} {value}" for name, value in other.items())
    return f"without the flagged values: {visible(plain)}"


def _p(p: float | None) -> str:
    return "—" if p is None else "<0.001" if p < 0.001 else f"{p:.3g}"
