"""Simulated runs as ab prints them, whose truth is known, and their comparisons."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from abcompare import stats
from abcompare.compare import Options, diff
from abcompare.comparison import Comparison
from abcompare.records import Archive, Load, Measure, Run, Source, Target, Tool

CONCURRENCY, REQUESTS = 20, 20_000
SHAPE = {"p50": 0.9, "p90": 1.6, "p95": 2.0, "p99": 3.1, "max": 6.0}  # percentiles by the mean: a plausible service
WITHIN = 0.5  # sd of the latencies of one run, by their mean


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of a simulated comparison: `ratio` of the sides' throughput, run-to-run `cv`, `n` runs a side.

    `rps` is the base's throughput; `drift` the log change over the whole session; `paired` makes adjacent pairs in
    random order (blocks), otherwise all of A is run before all of B if `apart`, else in random order.
    """

    ratio: float = 1.0
    cv: float = 0.02
    n: int = 5
    rps: float = 1_000.0
    drift: float = 0.0
    paired: bool = False
    apart: bool = False


def simulated_run(rng: np.random.Generator, rps: float, *, name: str, path: str = "/", order: int, block: int | None = None) -> Run:
    """One run as ab prints it whose true throughput is `rps`; the tails vary a little more than the throughput."""
    mean = CONCURRENCY / rps
    measures = {
        "requests.complete": Measure(REQUESTS, "1", str(REQUESTS), 0.5),
        "requests.failed": Measure(0, "1", "0", 0.5),
        "duration": _printed(REQUESTS / rps, "s", 3),
        "throughput": _printed(rps, "1/s", 2),
        "latency.closed_loop_mean": _printed(mean, "s", 6),
        "latency.mean": _printed(mean, "s", 3),
        "latency.sd": _printed(WITHIN * mean, "s", 4),
        "document_length": Measure(612, "B", "612", 0.5),
    }
    for number, (percentile, factor) in enumerate(SHAPE.items()):
        own = math.exp(rng.normal(0.0, 0.004 * (number + 1)))
        measures[f"latency.{percentile}"] = _printed(mean * factor * own, "s", 3)
    load = Load(concurrency=CONCURRENCY, requests=REQUESTS, keep_alive=True)
    target = Target("http", "127.0.0.1", 80, path)
    return Run(f"{name}-{order}", Tool("ab", "2.3"), Source(f"{name}.txt", order), order=order, block=block, target=target, load=load, measures=measures)


def _printed(value: float, unit: str, decimals: int) -> Measure:
    text = f"{value:.{decimals}f}"
    return Measure(float(text), unit, text, 0.5 * 10.0**-decimals)


def simulated_sides(rng: np.random.Generator, truth: Truth, *, path: str = "/") -> list[tuple[str | None, Archive]]:
    """The runs of both sides of one scenario, as two labelled archives."""
    places = _places(rng, truth)
    sd = stats.sd_of_cv(truth.cv)
    last = max(1, 2 * truth.n - 1)
    sides: list[tuple[str | None, Archive]] = []
    for name, ratio, orders in (("A", 1.0, places[0]), ("B", truth.ratio, places[1])):
        runs: list[Run] = []
        for number, order in enumerate(orders):
            speed = truth.rps * ratio * math.exp(rng.normal(0.0, sd) + truth.drift * order / last)
            runs.append(simulated_run(rng, speed, name=f"{name}{path}", path=path, order=order, block=number if truth.paired else None))
        sides.append((name, Archive(runs=tuple(runs))))
    return sides


def _places(rng: np.random.Generator, truth: Truth) -> tuple[list[int], list[int]]:
    """The places of the runs of A and of B in the session."""
    if truth.paired:
        first = rng.integers(0, 2, truth.n).tolist()
        return [2 * at + turn for at, turn in enumerate(first)], [2 * at + 1 - turn for at, turn in enumerate(first)]
    places = list(range(2 * truth.n)) if truth.apart else rng.permutation(2 * truth.n).tolist()
    return places[: truth.n], places[truth.n :]


def simulated_many(rng: np.random.Generator, truths: Sequence[Truth]) -> list[tuple[str | None, Archive]]:
    """Both sides of many scenarios, one a path."""
    parts = [simulated_sides(rng, truth, path=f"/{number}") for number, truth in enumerate(truths)]
    return [(name, Archive(runs=tuple(run for part in parts for run in part[side][1].runs))) for side, name in enumerate("AB")]


def comparisons(truth: Truth, repeats: int, seed: int, options: Options | None = None) -> Iterator[tuple[Comparison, list[tuple[str | None, Archive]]]]:
    """Simulated comparisons of one truth, each with the runs that it was made of."""
    rng = np.random.default_rng(seed)
    for _ in range(repeats):
        sides = simulated_sides(rng, truth)
        yield diff(sides, options), sides
