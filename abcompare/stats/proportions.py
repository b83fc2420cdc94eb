"""Shares of failed requests within one run: intervals for one share, for a difference and for a ratio."""

from __future__ import annotations

import math

from scipy import special

from abcompare.stats.degenerate import DegenerateError
from abcompare.stats.effect import Interval
from abcompare.stats.inputs import fraction, whole


def counted(failures: int, n: int, name: str = "") -> tuple[int, int]:
    """`failures` and `n` as ints with 0 <= failures <= n and n >= 1, else ValueError naming the side."""
    prefix = f"{name}: " if name else ""
    n = whole(n, f"{prefix}number of requests", least=1)
    failures = whole(failures, f"{prefix}number of failures")
    if failures > n:
        raise ValueError(f"{prefix}{failures} failures in {n} requests")
    return failures, n


def wilson_interval(failures: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Two-sided interval of a share, within [0, 1] (Wilson 1927); usable at 0 and at n."""
    failures, n = counted(failures, n)
    z = _z(confidence)
    share = failures / n
    scale = 1 + z * z / n
    middle = (share + z * z / (2 * n)) / scale
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    # Exactly 0 and 1 at the ends, where rounding would leave 1e-20.
    return Interval(max(0.0, middle - half) if failures else 0.0, min(1.0, middle + half) if failures < n else 1.0)


def newcombe_interval(failures_a: int, n_a: int, failures_b: int, n_b: int, *, confidence: float = 0.95) -> Interval:
    """Interval of the difference share B - share A from the two Wilson intervals (Newcombe 1998, method 10)."""
    failures_a, n_a = counted(failures_a, n_a, "A")
    failures_b, n_b = counted(failures_b, n_b, "B")
    share_a, share_b = failures_a / n_a, failures_b / n_b
    a = wilson_interval(failures_a, n_a, confidence=confidence)
    b = wilson_interval(failures_b, n_b, confidence=confidence)
    difference = share_b - share_a
    return Interval(
        difference - math.hypot(share_b - b.low, a.high - share_a),
        difference + math.hypot(b.high - share_b, share_a - a.low),
    )


def clopper_pearson_upper(failures: int, n: int, *, confidence: float = 0.95) -> float:
    """One-sided exact upper bound of a share (Clopper and Pearson 1934).

    For no failures 1 - (1-confidence)^(1/n): "0 of 20,000 (95 %: < 0.015 %)". 1 when all failed.
    """
    failures, n = counted(failures, n)
    fraction(confidence, "confidence")
    if failures == 0:
        return -math.expm1(math.log1p(-confidence) / n)
    if failures == n:
        return 1.0
    return float(special.betaincinv(failures + 1, n - failures, confidence))


def risk_ratio_interval(failures_a: int, n_a: int, failures_b: int, n_b: int, *, confidence: float = 0.95) -> Interval:
    """Interval of share B / share A, by logarithms with half a failure and half a request added (Walter 1975).

    For display within one run; shares are tested as a difference. Raises DegenerateError when a side has no
    failures: the ratio is then 0 or without bound.
    """
    failures_a, n_a = counted(failures_a, n_a, "A")
    failures_b, n_b = counted(failures_b, n_b, "B")
    if not (failures_a and failures_b):
        raise DegenerateError(f"{'B' if failures_a else 'A'}: no failures, so a ratio of shares says nothing")
    a, b, m_a, m_b = failures_a + 0.5, failures_b + 0.5, n_a + 0.5, n_b + 0.5
    centre = math.log(b / m_b) - math.log(a / m_a)
    half = _z(confidence) * math.sqrt(max(0.0, 1 / a - 1 / m_a + 1 / b - 1 / m_b))
    return Interval(math.exp(centre - half), math.exp(centre + half))


def _z(confidence: float) -> float:
    return float(special.ndtri((1 + fraction(confidence, "confidence")) / 2))
