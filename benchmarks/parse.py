"""Speed of reading: paired runs in one process, medians of ratios. `make bench` prints what benchmarks/README.md quotes.

The yardstick is a scan that a careful person writes in ten minutes: ab's 20 label patterns, tried in order on each
line, the first number kept. It finds no report's beginning, knows no version and misses every pasted log.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO
from pathlib import Path

from abcompare.reading import Part, read_part, settle
from tests.variants import TROUBLES, vary

FIXTURES = Path(__file__).parents[1] / "fixtures" / "ab"
LABELS = (
    r"Server Software:\s+(\S+)", r"Server Hostname:\s+(\S+)", r"Server Port:\s+(\d+)", r"Document Path:\s+(\S+)",
    r"Document Length:\s+(\d+)", r"Concurrency Level:\s+(\d+)", r"Time taken for tests:\s+([\d.]+)",
    r"Complete requests:\s+(\d+)", r"Failed requests:\s+(\d+)", r"Total transferred:\s+(\d+)", r"HTML transferred:\s+(\d+)",
    r"Requests per second:\s+([\d.]+)", r"Time per request:\s+([\d.]+) \[ms\] \(mean\)$", r"Time per request:\s+([\d.]+)",
    r"Transfer rate:\s+([\d.]+)", r"Connect:\s+(.*)", r"Processing:\s+(.*)", r"Waiting:\s+(.*)", r"Total:\s+(.*)", r"\s+(\d+)%\s+(\d+)",
)
PATTERNS = [re.compile(label) for label in LABELS]


def yardstick(texts: Iterable[str]) -> list[dict[str, str]]:
    """The scan that the reader is measured against."""
    found = []
    for text in texts:
        values: dict[str, str] = {}
        for line in text.splitlines():
            for label, pattern in zip(LABELS, PATTERNS, strict=True):
                match = pattern.search(line)
                if match:
                    values[label] = match[1]
                    break
        found.append(values)
    return found


def reports(count: int) -> list[str]:
    """`count` ab reports, all different: real ones with other rates."""
    bases = [path.read_text() for path in sorted(FIXTURES.glob("ab-[kdn4]*.txt")) if "Requests per second" in path.read_text()]
    made = []
    for number in range(count):
        base = bases[number % len(bases)]
        made.append(re.sub(r"(Requests per second:\s+)[\d.]+", rf"\g<1>{1000 + number}.{number % 90 + 10}", base))
    return made


def read_all(texts: list[str]) -> int:
    """Reads every text as a file of its own; the number of runs."""
    return len(settle([read_part(BytesIO(text.encode()), path=f"{number}.txt") for number, text in enumerate(texts)]).runs)


def seconds(job: Callable[[], object]) -> float:
    """How long a job takes."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def ratio(one: Callable[[], object], other: Callable[[], object], rounds: int) -> float:
    """The median over paired rounds of the time of `one` by that of `other`."""
    return statistics.median(seconds(one) / seconds(other) for _ in range(rounds))


def _chunk(texts: list[str]) -> list[Part]:
    return [read_part(BytesIO(text.encode()), path=f"{number}.txt") for number, text in enumerate(texts)]


def jobs(texts: list[str]) -> float:
    """How much faster two processes are than one (here two cores)."""
    half = len(texts) // 2
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(_chunk, [texts[:10], texts[:10]]))  # workers up, grammars built
        return ratio(lambda: _chunk(texts), lambda: list(pool.map(_chunk, [texts[:half], texts[half:]])), 3)


def prose(megabytes: int) -> tuple[float, float]:
    """(MB/s of prose without a report, peak MB of a process that finds the one report in the middle of it)."""
    line = b"The quick brown server answers the lazy client over a slow line, and nobody counts the times. 0123456789 ab\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prose.log"
        report = (FIXTURES / "ab-k.txt").read_bytes()
        half = line * (megabytes * 500_000 // len(line))
        path.write_bytes(half + report + half)
        code = (
            "import re,sys,time; from abcompare import parse_file\n"
            "import abcompare.reading; abcompare.reading.parse('Requests per second: 1')\n"
            "start=time.perf_counter(); runs=parse_file(sys.argv[1]).runs; took=time.perf_counter()-start\n"
            "assert len(runs)==1, runs\n"
            "print(took, int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]) / 1024)"
        )
        out = subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True).stdout.split()
        return path.stat().st_size / 1e6 / float(out[0]), float(out[1])


def troubles(rounds: int) -> list[tuple[float, str]]:
    """(time a report by that of the clean report, name) for every mechanical trouble, dearest first."""
    text = (FIXTURES / "ab-k.txt").read_text()
    others = [text.replace("39541.84", "39541.85"), text.replace("39541.84", "39541.86")]
    clean = text.encode()
    found = []
    for trouble in TROUBLES:
        variant = vary([text, *others], trouble)
        if variant:
            many = max(trouble.reports, 1) + trouble.copies
            data = variant.data
            cost = ratio(lambda data=data: [_once(data) for _ in range(20)], lambda: [_once(clean) for _ in range(20)], rounds)
            found.append((cost / many, trouble.name))
    return sorted(found, reverse=True)


def _once(data: bytes) -> None:
    read_part(BytesIO(data), path="x")


def start_up() -> tuple[float, float]:
    """(seconds of `abcompare --help`, seconds of a bare Python), medians of 7."""
    program = str(Path(sys.executable).with_name("abcompare"))
    quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "COLUMNS": "100"}}
    helped = [seconds(lambda: subprocess.run([program, "--help"], check=True, **quiet)) for _ in range(7)]
    bare = [seconds(lambda: subprocess.run([sys.executable, "-c", ""], check=True, **quiet)) for _ in range(7)]
    return statistics.median(helped), statistics.median(bare)


def main() -> None:
    """Prints every figure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--reports", type=int, default=10_000)
    arguments.add_argument("--megabytes", type=int, default=300)
    arguments.add_argument("--rounds", type=int, default=5)
    given = arguments.parse_args()
    texts = reports(given.reports)
    assert read_all(texts) == len(texts)
    reading = statistics.median(seconds(lambda: read_all(texts)) for _ in range(given.rounds)) / len(texts) * 1000
    print(f"{len(texts)} reports: {ratio(lambda: read_all(texts), lambda: yardstick(texts), given.rounds):.2f} x the yardstick's time (floor 8); {reading:.2f} ms each")
    print(f"two processes: {jobs(texts):.2f} x one")
    speed, peak = prose(given.megabytes)
    print(f"{given.megabytes} MB of prose with a report in its middle: {speed:.0f} MB/s (floor 100), peak {peak:.0f} MB (floor 200)")
    helped, bare = start_up()
    print(f"abcompare --help: {helped:.3f} s (floor 0.25), bare Python {bare:.3f} s")
    dearest = troubles(given.rounds)
    print("dearest troubles, by the clean report's time (floor 2): " + ", ".join(f"{name} {cost:.2f}" for cost, name in dearest[:8]))


if __name__ == "__main__":
    main()
