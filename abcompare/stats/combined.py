"""The global primary: the geometric mean of the ratios over all scenarios."""

from __future__ import annotations

import math
from collections.abc import Sequence

from abcompare.stats.effect import Effect


def combine_effects(effects: Sequence[Effect]) -> Effect:
    """Mean of the log-ratios of independent scenarios, each weighing the same, method "global".

    se = √Σse²/k, df by Satterthwaite (1946): (Σse²)² / Σ(se⁴/df). n_a and n_b are sums. The claim is about these
    scenarios and no others. Give it the effects as tested one by one: moderated ones share a variance, so that
    their errors are not independent and the df would be counted k times.
    Raises ValueError for no effects.
    """
    if not effects:
        raise ValueError("effects: none given, at least 1 needed")
    squares = [effect.se**2 for effect in effects]
    total = math.fsum(squares)
    # As shares of the total; an infinite df contributes nothing.
    reciprocal = math.fsum((square / total) ** 2 / effect.df for square, effect in zip(squares, effects, strict=True))
    mean = math.fsum(effect.log_ratio for effect in effects) / len(effects)
    return Effect(
        mean,
        math.sqrt(total) / len(effects),
        1 / reciprocal if reciprocal else math.inf,
        sum(effect.n_a for effect in effects),
        sum(effect.n_b for effect in effects),
        "global",
    )
