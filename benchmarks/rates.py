"""How often `diff` says what of simulated runs: error rates, coverage, power, and the gate's claim."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from abcompare import stats
from abcompare.compare import Options, diff
from abcompare.comparison import Comparison, Row
from abcompare.records import Archive
from benchmarks.simulated import CONCURRENCY, Truth, comparisons, simulated_many, simulated_sides


def primary(comparison: Comparison, scenario: int = 0) -> Row:
    """The primary row of a scenario."""
    return next(row for row in comparison.scenarios[scenario].metrics if row.role == "primary")


def request_level_p(sides: Sequence[tuple[str | None, Archive]]) -> float:
    """What autocannon-compare does: Welch over the requests, from n, mean and sd of each run, pooled by side."""
    found = []
    for _, archive in sides:
        means = np.array([CONCURRENCY / float(run.value("throughput") or math.nan) for run in archive.runs])
        sds = np.array([float(run.value("latency.sd") or 0.0) for run in archive.runs])
        counts = np.array([float(run.value("requests.complete") or 0) for run in archive.runs])
        centre = float(counts @ means / counts.sum())
        variance = float(counts @ (sds**2 + (means - centre) ** 2) / counts.sum())
        found.append((centre, variance / counts.sum()))
    z = (found[1][0] - found[0][0]) / math.sqrt(found[0][1] + found[1][1])
    return float(2 * special.ndtr(-abs(z)))


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of `repeats` simulated comparisons."""

    repeats: int
    rejected: float  # p < alpha
    covered: float  # the 95 % interval holds the true ratio
    called: float  # better or worse
    failed: float  # exit code 1
    request_level: float  # p < alpha by request-level Welch

    def __str__(self) -> str:
        return (
            f"p<0.05 {self.rejected:.1%}, covered {self.covered:.1%}, better/worse {self.called:.1%}, exit 1 {self.failed:.1%}; "
            f"request-level Welch p<0.05 {self.request_level:.1%}"
        )


def shares(truth: Truth, repeats: int, seed: int, options: Options | None = None) -> Shares:
    """How often `diff` says what of one truth."""
    counts = np.zeros(5)
    for comparison, sides in comparisons(truth, repeats, seed, options):
        row = primary(comparison)
        assert row.p is not None and row.ratio_low is not None and row.ratio_high is not None
        counts += (
            row.p < comparison.alpha, row.ratio_low <= truth.ratio <= row.ratio_high, row.verdict in ("better", "worse"),
            comparison.exit_code == 1, request_level_p(sides) < comparison.alpha,
        )
    return Shares(repeats, *(float(share) for share in counts / repeats))


@dataclass(frozen=True, slots=True)
class Many:
    """Shares of comparisons of many scenarios at once."""

    failed: float  # exit code 1
    any_row: float  # some primary of a scenario better or worse, whatever its size
    overall: float  # the global primary p < alpha
    request_level: float  # some scenario p < alpha by request-level Welch


def shares_of_many(truths: Sequence[Truth], repeats: int, seed: int) -> Many:
    """How often a comparison of many scenarios says what."""
    rng = np.random.default_rng(seed)
    counts = np.zeros(4)
    for _ in range(repeats):
        sides = simulated_many(rng, truths)
        found = diff(sides)
        rows = [primary(found, number) for number in range(len(truths))]
        naive = [[(name, Archive(runs=archive.runs[at * truths[0].n : (at + 1) * truths[0].n])) for name, archive in sides] for at in range(len(truths))]
        counts += (
            found.exit_code == 1, any(row.verdict in ("better", "worse") for row in rows),
            any((row.p or 1) < found.alpha for row in found.overall), any(request_level_p(one) < found.alpha for one in naive),
        )
    return Many(*(float(share) for share in counts / repeats))


@dataclass(frozen=True, slots=True)
class Quantised:
    """Latency rows of comparisons whose true difference is 1 %: how many, and what was said of them."""

    rows: int
    called: int  # better or worse
    naive: int  # p < alpha by the t test alone


def quantised(repeats: int, seed: int) -> Quantised:
    """Whole milliseconds around true percentiles of 1–15 ms that differ by 1 %, from steady runs to CVs of 2 %."""
    rng = np.random.default_rng(seed)
    rows = called = naive = 0
    for _ in range(repeats):
        truth = Truth(ratio=1 / 1.01, cv=float(rng.choice([0.0005, 0.002, 0.005, 0.02])), rps=CONCURRENCY / rng.uniform(0.0015, 0.005))
        for row in diff(simulated_sides(rng, truth)).scenarios[0].metrics:
            if row.role == "secondary":
                rows += 1
                called += row.verdict in ("better", "worse")
                naive += row.p is not None and row.p < 0.05
    return Quantised(rows, called, naive)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the gate sees of a true loss: shares of exit code 1, of `worse` of any size, and of any exit but 0 with --require-decision."""

    failed: float
    worse: float
    strict: float


def seen(truth: Truth, repeats: int, seed: int) -> Seen:
    """How often a true loss is found. --require-decision turns exit code 0 into 3 and leaves 1 as it is."""
    counts = np.zeros(3)
    for found, _ in comparisons(truth, repeats, seed, Options(require_decision=True)):
        counts += (found.exit_code == 1, primary(found).verdict == "worse", found.exit_code != 0)
    return Seen(*(float(share) for share in counts / repeats))


@dataclass(frozen=True, slots=True)
class Claim:
    """The gate's last line against the truth.

    `stated` is the median of the losses that it states, `found` how often a loss of the size stated is found by the
    next comparison of the same design, `exact` the loss that the design finds in 80 % of cases by theory (the CV being
    known) and `exact_found` how often that one is.
    """

    stated: float
    found: float
    exact: float
    exact_found: float

    def __str__(self) -> str:
        return f"states {self.stated:.1%}, found {self.found:.1%}; by theory {self.exact:.1%}, found {self.exact_found:.1%}"


def claim(truth: Truth, repeats: int, seed: int, *, others: int = 0, theory: bool = True) -> Claim:
    """Whether "this gate finds a loss of X or more in 80 % of cases" is true, for a design without a true difference.

    A comparison of A with itself states X; another one in which B loses X is made, and its exit code looked at. With
    `others` the loss stands in one scenario among that many without one. Without `theory` its share is nan, in less time.
    """
    rng = np.random.default_rng(seed)
    said, hits, exact_hits = [], 0, 0
    exact = _exact(truth)
    rest = [truth] * others

    def fails(loss: float) -> bool:
        return diff(simulated_many(rng, [_losing(truth, loss), *rest])).exit_code == 1

    for _ in range(repeats):
        stated = diff(simulated_many(rng, [truth, *rest])).gate_detects
        assert stated is not None
        said.append(stated)
        hits += fails(stated)
        exact_hits += theory and fails(exact)
    return Claim(statistics.median(said), hits / repeats, exact, exact_hits / repeats if theory else math.nan)


def _losing(truth: Truth, loss: float) -> Truth:
    return Truth(1 - loss, truth.cv, truth.n, truth.rps, truth.drift, truth.paired, truth.apart)


def _exact(truth: Truth, margin: float = 0.05) -> float:
    """The loss whose interval clears the margin in 80 % of cases, the run-to-run CV being known."""
    change = stats.detectable_effect_of(stats.sd_of_cv(truth.cv), truth.n, paired=truth.paired)
    return 1 - 1 / ((1 + margin) * (1 + change))
