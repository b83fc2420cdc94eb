"""What `diff` may be believed: error rates, coverage, power and speed, through `abcompare.compare.diff` itself.

    python -m benchmarks.diff                     every simulated figure of docs/power.md (about 20 minutes on one core)
    python -m benchmarks.diff errors gate         some of them: errors, many, quantised, power, gate, speed
    python -m benchmarks.diff --repeats 200       a quick look

Runs are generated as ab prints them: throughput with two decimals, latencies in whole milliseconds, each number with its
half unit. What the simulation knows and a log does not is the truth: the run-to-run CV and the ratio of the sides.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import special

from abcompare import stats
from abcompare.archive import dumps
from abcompare.compare import Options, diff
from abcompare.comparison import Comparison, Row
from abcompare.records import Archive, Load, Measure, Run, Source, Target, Tool

REPEATS = 2_000
CONCURRENCY, REQUESTS = 20, 20_000
SHAPE = {"p50": 0.9, "p90": 1.6, "p95": 2.0, "p99": 3.1, "max": 6.0}  # percentiles by the mean: a plausible service
WITHIN = 0.5  # sd of the latencies of one run, by their mean
LOSSES = (0.05, 0.08, 0.10, 0.15)


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


# -- speed -------------------------------------------------------------------------------------------------------------

_LIBRARY = (
    "import sys, abcompare; from abcompare.compare import diff\n"
    "diff([(None, abcompare.parse_file(path)) for path in sys.argv[1:3]])\n"
)
_PROGRAM = (
    "import sys; from abcompare.cli import main\n"
    "given, sys.argv = sys.argv, ['abcompare', 'diff', *sys.argv[1:3]]\n"
    "try: main()\n"
    "except SystemExit as end: assert end.code == 0, end\n"
    "sys.argv = given\n"
)
_TELL = "print(*sys.modules, file=open(sys.argv[3], 'w'))\n"
_IMPORTS = (
    "import sys, importlib\n"
    "for name in open(sys.argv[3]).read().split():\n"
    "    if name != '__main__': importlib.import_module(name)\n"
)


def seconds(job: Callable[[], object]) -> float:
    """How long a job takes."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def start_to_answer(code: str, rounds: int) -> tuple[float, float, float]:
    """Two archives of 5 runs, compared in a process of its own, and one that only imports the modules that it ends with.

    (seconds to answer, seconds of the imports, median of their ratios over paired rounds)
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given = [str(folder / one) for one in ("A.json", "B.json", "modules")]
        for path, (_, archive) in zip(given, simulated_sides(np.random.default_rng(0), Truth()), strict=False):
            Path(path).write_bytes(dumps(archive))

        def process(code: str) -> float:
            environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
            return seconds(lambda: subprocess.run([sys.executable, "-c", code, *given], check=True, env=environment, stdout=subprocess.DEVNULL))

        process(code + _TELL)
        pairs = [(process(code), process(_IMPORTS)) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs), statistics.median(a / b for a, b in pairs)


def large(rounds: int) -> float:
    """Median seconds of a comparison of 2 × 5,000 runs in 200 scenarios."""
    sides = simulated_many(np.random.default_rng(0), [Truth(n=25)] * 200)
    return statistics.median(seconds(lambda: diff(sides)) for _ in range(rounds))


# -- figures -----------------------------------------------------------------------------------------------------------


def show_errors(repeats: int) -> None:
    """A/A: the floors of issue 4."""
    print(f"A/A, n=5, CV 2 %, {repeats} comparisons (floors: p<0.05 in 3–7 %, covered 93–97 %)")
    print("  Welch, random order:            ", shares(Truth(), repeats, 1))
    print("  pairs, drift 4 %:               ", shares(Truth(drift=0.04, paired=True), repeats, 2))
    print("  for comparison, AAAAABBBBB, drift 4 %:", shares(Truth(drift=0.04, apart=True), repeats, 3))
    print("  a true 10 % loss:               ", shares(Truth(ratio=0.9), repeats, 4))


def show_many(repeats: int) -> None:
    """A/A in 50 scenarios at once."""
    some = max(20, repeats // 10)
    for cv in (0.02, 0.10):
        print(f"A/A, 50 scenarios at once, CV {cv:.0%}, {some} comparisons (floor: exit 1 in under 5 %):", shares_of_many([Truth(cv=cv)] * 50, some, 5), flush=True)


def show_quantised(repeats: int) -> None:
    """ab's whole milliseconds."""
    print("Whole ms, true difference 1 % (floor: none better/worse):", quantised(repeats, 6))


def show_power(repeats: int) -> None:
    """The table of docs/power.md."""
    print(f"Share of exit code 1 [worse of any size] (not 0 with --require-decision), CV 2 %, {repeats} comparisons a cell")
    print("  n  ", *(f"{f'−{loss:.0%}':>24}" for loss in (0.0, *LOSSES)))
    for n in (5, 10):
        cells = [seen(Truth(ratio=1 - loss, n=n), repeats, 100 + n) for loss in (0.0, *LOSSES)]
        print(f"  {n:2} ", *(f"{f'{one.failed:.1%} [{one.worse:.1%}] ({one.strict:.1%})':>24}" for one in cells), flush=True)


def show_gate(repeats: int) -> None:
    """The gate's claim."""
    print(f"The gate's claim (80 %), {repeats} comparisons each")
    designs = [
        Truth(), Truth(n=10), Truth(cv=0.05), Truth(cv=0.10, n=10), Truth(paired=True, drift=0.04), Truth(n=10, paired=True, drift=0.04),
    ]
    for number, truth in enumerate(designs):
        print(f"  n={truth.n} CV {truth.cv:.0%} {'pairs' if truth.paired else 'Welch'}:", claim(truth, repeats, 200 + number), flush=True)
    for cv in (0.02, 0.10):
        print(f"  n=5 CV {cv:.0%}, one of 20 scenarios:", claim(Truth(cv=cv), max(20, repeats // 8), 210, others=19), flush=True)


def show_speed(_: int) -> None:
    """Both floors of speed."""
    for name, code in (("library", _LIBRARY), ("abcompare diff", _PROGRAM)):
        answer, imports, ratio = start_to_answer(code, 15)
        print(f"two archives of 5 runs, {name}: {answer:.3f} s, the imports alone {imports:.3f} s, ratio {ratio:.2f} (floor 2)", flush=True)
    print(f"2 × 5,000 runs in 200 scenarios: {large(3):.2f} s (floor 5)")


SECTIONS = {"errors": show_errors, "many": show_many, "quantised": show_quantised, "power": show_power, "gate": show_gate, "speed": show_speed}


def main() -> None:
    """Prints the figures asked for."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("sections", nargs="*", choices=[[], *SECTIONS], default=[])
    arguments.add_argument("--repeats", type=int, default=REPEATS)
    given = arguments.parse_args()
    for name in given.sections or SECTIONS:
        start = time.perf_counter()
        SECTIONS[name](given.repeats)
        print(f"  ({time.perf_counter() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
