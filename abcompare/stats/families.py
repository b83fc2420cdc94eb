"""Several tests at once: p-values adjusted for the size of their family."""

from __future__ import annotations

import numpy as np

from abcompare.stats.inputs import Floats, Numbers, finite


def holm(p: Numbers) -> list[float]:
    """Holm-adjusted p-values in the order given: family-wise error, under any dependence (Holm 1979).

    An empty family gives an empty list. Raises ValueError for a p that is not a number from 0 to 1.
    """
    values, order = _sorted(p)
    m = values.size
    adjusted = np.maximum.accumulate(values[order] * np.arange(m, 0, -1))
    return _restored(adjusted, order)


def benjamini_hochberg(p: Numbers) -> list[float]:
    """Benjamini-Hochberg-adjusted p-values in the order given: false discovery rate (1995).

    An empty family gives an empty list. Raises ValueError for a p that is not a number from 0 to 1.
    """
    values, order = _sorted(p)
    m = values.size
    scaled = values[order] * m / np.arange(1, m + 1)
    adjusted = np.minimum.accumulate(scaled[::-1])[::-1]
    # p·m/m may round below p.
    return _restored(np.maximum(adjusted, values[order]), order)


def _sorted(p: Numbers) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.intp]]]:
    values = finite(p, "p", least=0)
    bad = np.flatnonzero((values < 0) | (values > 1))
    if bad.size:
        raise ValueError(f"p: value {bad[0] + 1} is {values[bad[0]]:g}, not a probability")
    return values, np.argsort(values, kind="stable")


def _restored(adjusted: Floats, order: np.ndarray[tuple[int], np.dtype[np.intp]]) -> list[float]:
    result = np.empty_like(adjusted)
    result[order] = np.minimum(adjusted, 1.0)
    return [float(value) for value in result]
