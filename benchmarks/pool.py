"""A/A and a real 10 % change on a real server: pools of ab runs, made once, from which comparisons are drawn.

    python -m benchmarks.pool           shares of the archived pools (seconds; no server)
    python -m benchmarks.pool make      makes both pools anew (about 5 minutes; needs nginx and ab, loopback only)

One nginx process answers one page. The page's cost is a number of regular expressions that nginx tries before it answers;
the body is the same. `fixtures/archives/aa.json.xz` holds pairs of runs of one port, labelled A and A'; `ab.json.xz` pairs
in which B is a port whose page has more expressions, so many that throughput falls by 10 %. A pair is two runs side by
side in random order; it is its runs' block. Comparisons draw 5 pairs of a pool.
"""

from __future__ import annotations

import argparse
import lzma
import math
import shlex
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from abcompare import parse
from abcompare.archive import dumps, loads
from abcompare.compare import Options, diff
from abcompare.comparison import Comparison, Row
from abcompare.records import Archive, Run, Source
from benchmarks.rates import primary, request_level_p

FOLDER = Path(__file__).parents[1] / "fixtures" / "archives"
PORTS = (18471, 18472)
BASE, LOSS = 80, 0.10  # regular expressions of the base's page; what B shall lose
PAIRS, CONCURRENCY, SECONDS = 60, 20, 0.85
ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"
KEPT = (
    "requests.complete", "requests.failed", "duration", "throughput", "latency.closed_loop_mean", "document_length",
    "latency.mean", "latency.sd", "latency.p50", "latency.p90", "latency.p95", "latency.p99", "latency.max",
)  # fmt: skip

Pair = tuple[Run, Run]


# -- making ------------------------------------------------------------------------------------------------------------


def _server(port: int, expressions: int) -> str:
    work = "".join(f'if ($http_accept ~ "^(.*),(.*)x{number}$") {{ set $never {number}; }}\n' for number in range(expressions))
    return f'server {{ listen 127.0.0.1:{port}; location = /page {{ set $never 0;\n{work} return 200 "{"x" * 1024}"; }} }}\n'


@contextmanager
def nginx(folder: Path, expressions: tuple[int, int]) -> Iterator[None]:
    """One nginx process with the two pages, ended when done."""
    servers = "".join(_server(port, count) for port, count in zip(PORTS, expressions, strict=True))
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;\n"
        "events { worker_connections 256; }\n"
        f"http {{ access_log off; keepalive_requests 1000000000; default_type text/plain; {servers} }}\n"
    )
    process = subprocess.Popen(["nginx", "-e", f"{folder}/error.log", "-p", str(folder), "-c", str(config)])
    try:
        time.sleep(0.7)
        yield
    finally:
        process.terminate()
        process.wait(10)


def measured(port: int, requests: int) -> Run:
    """One run of ab, parsed."""
    command = ["ab", "-k", "-c", str(CONCURRENCY), "-n", str(requests), "-H", f"Accept: {ACCEPT}", f"http://127.0.0.1:{port}/page"]
    started = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    out = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    (run,) = parse(f"$ {shlex.join(command)}\n{out}").runs
    return replace(run, started_at=started)


def requests_for(port: int) -> int:
    """How many requests take about SECONDS."""
    measured(port, 4_000)
    rates = [run.value("throughput") or 1.0 for run in (measured(port, 4_000) for _ in range(5))]
    return round(statistics.median(rates) * SECONDS / 500) * 500


def change(folder: Path, expressions: tuple[int, int], rounds: int) -> float:
    """B's throughput by A's: the median over adjacent pairs of short runs."""
    with nginx(folder, expressions):
        measured(PORTS[0], 4_000)
        ratios = []
        for at in range(rounds):
            rates = {port: measured(port, 4_000).value("throughput") or 1.0 for port in (PORTS if at % 2 else PORTS[::-1])}
            ratios.append(rates[PORTS[1]] / rates[PORTS[0]])
    return statistics.median(ratios)


def calibrated(folder: Path) -> int:
    """The number of expressions with which throughput falls by LOSS, to the nearest one.

    Each number tried gives the cost of one expression, by the base's request; the next is chosen by the median of all.
    """
    tried, costs = BASE, []
    for rounds in (12, 24, 24, 24):
        ratio = change(folder, (BASE, BASE + tried), rounds)
        print(f"{BASE + tried} expressions instead of {BASE}: throughput × {ratio:.3f}", flush=True)
        costs.append((1 / ratio - 1) / tried)
        tried = max(1, round((1 / (1 - LOSS) - 1) / statistics.median(costs)))
    print(f"chosen: {BASE + tried}")
    return BASE + tried


def pool(ports: Sequence[int], labels: Sequence[str], requests: int, name: str, seed: int) -> Archive:
    """PAIRS adjacent pairs in seeded random order; `ports` and `labels` are those of the two sides."""
    rng = np.random.default_rng(seed)
    runs: list[Run] = []
    for block in range(PAIRS):
        for side in rng.permutation(2).tolist():
            order = len(runs)
            run = measured(ports[side], requests)
            source = Source(f"{name}-{order:03}.txt", run.source.first_line, run.source.last_line)
            runs.append(_stripped(replace(run, label=labels[side], order=order, block=block, source=source)))
    return Archive(runs=tuple(runs))


def _stripped(run: Run) -> Run:
    """A run with what a comparison needs."""
    kept = {name: run.measures[name] for name in KEPT if name in run.measures}
    return replace(run, measures=kept, histograms=None, series=None)


def make() -> None:
    """Both pools, archived."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dearer = calibrated(folder)
        with nginx(folder, (BASE, dearer)):
            requests = requests_for(PORTS[0])
            print(f"{requests} requests a run")
            made = {
                "aa": pool((PORTS[0], PORTS[0]), ("A", "A'"), requests, "aa", 1),
                "ab": pool(PORTS, ("A", "B"), requests, "ab", 2),
            }
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, archive in made.items():
        data = lzma.compress(dumps(archive), preset=9 | lzma.PRESET_EXTREME)
        (FOLDER / f"{name}.json.xz").write_bytes(data)
        print(f"{name}.json.xz: {len(archive.runs)} runs, {len(data):,} bytes")


# -- drawing -----------------------------------------------------------------------------------------------------------


def pairs_of(name: str) -> list[Pair]:
    """The pairs of an archived pool, in the order in which they were made: (A, A') or (A, B)."""
    runs = loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes())).runs
    found: dict[int, dict[str, Run]] = {}
    for run in runs:
        assert run.block is not None and run.label is not None
        found.setdefault(run.block, {})[run.label] = run
    return [(sides["A"], next(run for label, run in sides.items() if label != "A")) for _, sides in sorted(found.items())]


def compared(pairs: Sequence[Pair], options: Options | None = None) -> tuple[Comparison, list[tuple[str | None, Archive]]]:
    """The comparison of the sides of some pairs, and the sides."""
    sides: list[tuple[str | None, Archive]] = [(name, Archive(runs=tuple(pair[side] for pair in pairs))) for side, name in enumerate(("A", "B"))]
    return diff(sides, options), sides


def draws(pairs: Sequence[Pair], count: int, size: int, seed: int, *, relabel: bool = False) -> Iterator[list[Pair]]:
    """Draws of `size` pairs, in their order; with `relabel` a coin says which run of a pair is A."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        drawn = [pairs[at] for at in sorted(rng.choice(len(pairs), size, replace=False))]
        turns = rng.integers(0, 2, size) if relabel else np.zeros(size, int)
        yield [pair[::-1] if turn else pair for pair, turn in zip(drawn, turns, strict=True)]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Shares of the comparisons drawn from a pool; the secondary rows' are of all rows that were tested."""

    rejected: float  # primary: p < alpha
    called: float  # primary: better or worse
    found: float  # primary: p < alpha, and worse or negligible with the ratio below 1
    failed: float  # exit code 1
    secondary: float  # secondary rows: better or worse
    request_level: float  # request-level Welch: p < alpha

    def __str__(self) -> str:
        return (
            f"p<0.05 {self.rejected:.1%}, better/worse {self.called:.1%}, a loss found {self.found:.1%}, exit 1 {self.failed:.1%}; "
            f"latency rows better/worse {self.secondary:.1%}; request-level Welch p<0.05 {self.request_level:.1%}"
        )


def drawn(name: str, *, count: int = 200, size: int = 5, seed: int = 0, relabel: bool = False, options: Options | None = None) -> Drawn:
    """What `diff` says of draws from a pool."""
    counts, secondary, tested = np.zeros(5), 0, 0
    for pairs in draws(pairs_of(name), count, size, seed, relabel=relabel):
        comparison, sides = compared(pairs, options)
        row = primary(comparison)
        assert row.method == ("welch-log" if options and options.paired is False else "paired-log"), row
        significant = row.p is not None and row.p < comparison.alpha
        counts += (
            significant, row.verdict in ("better", "worse"), significant and (row.ratio or 1) < 1,
            comparison.exit_code == 1, request_level_p(sides) < comparison.alpha,
        )
        rows = [one for one in comparison.scenarios[0].metrics if one.role == "secondary" and one.p is not None]
        tested += len(rows)
        secondary += sum(one.verdict in ("better", "worse") for one in rows)
    one, two, three, four, five = (float(share) for share in counts / count)
    return Drawn(one, two, three, four, secondary / max(1, tested), five)


def whole(name: str) -> Row:
    """The primary row of a pool as one comparison of all its pairs."""
    return primary(compared(pairs_of(name))[0])


def noise(name: str) -> tuple[float, float, float]:
    """(CV of the runs of A, CV of the ratio of a pair, correlation of the two runs of a pair), on the log scale."""
    x = np.log([[run.value("throughput") for run in pair] for pair in pairs_of(name)])
    return float(x[:, 0].std(ddof=1)), float((x[:, 1] - x[:, 0]).std(ddof=1)), float(np.corrcoef(x.T)[0, 1])


def figures() -> None:
    """Prints what docs/power.md quotes."""
    for name in ("aa", "ab"):
        row, (cv, pair_cv, correlation) = whole(name), noise(name)
        rate = math.exp(statistics.mean(math.log(run.value("throughput") or 1) for run, _ in pairs_of(name)))
        print(f"{name}: {len(pairs_of(name))} pairs, A {rate:,.0f}/s, run CV {cv:.1%}, CV of a pair's ratio {pair_cv:.1%}, correlation in a pair {correlation:.2f}; all pairs: {row.reason} ({row.verdict})")
    unpaired = Options(paired=False)
    print("A/A, 200 draws of 5 pairs (floors: p<0.05 at most 8.5 %, better/worse at most 2.5 %)")
    print("  as they were made:  ", drawn("aa"))
    print("  labels by coin:     ", drawn("aa", relabel=True))
    print("  2,000 by coin:      ", drawn("aa", relabel=True, count=2_000, seed=1))
    print("  2,000 by coin, as if unpaired:", drawn("aa", relabel=True, count=2_000, seed=1, options=unpaired))
    print("A real 10 % change, 200 draws of 5 pairs (floor: a loss found in at least 90 %)")
    print("  as pairs:           ", drawn("ab"))
    print("  as if unpaired:     ", drawn("ab", options=unpaired))


def main() -> None:
    """Makes the pools, or prints their figures."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", nargs="?", choices=("figures", "make"), default="figures")
    if arguments.parse_args().what == "make":
        make()
    figures()


if __name__ == "__main__":
    main()
