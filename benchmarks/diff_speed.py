"""How long a comparison takes, by the imports that it needs, and one of many runs."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from abcompare.archive import dumps
from abcompare.compare import diff
from benchmarks.simulated import Truth, simulated_many, simulated_sides

LIBRARY = (
    "import sys, abcompare; from abcompare.compare import diff\n"
    "diff([(None, abcompare.parse_file(path)) for path in sys.argv[1:3]])\n"
)
PROGRAM = (
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
