"""What `diff` may be believed: error rates, coverage, power and speed, through `abcompare.compare.diff` itself.

    python -m benchmarks.diff                     every simulated figure of docs/power.md (about 20 minutes on one core)
    python -m benchmarks.diff errors gate         some of them: errors, many, quantised, power, gate, speed
    python -m benchmarks.diff --repeats 200       a quick look

Runs are generated as ab prints them: throughput with two decimals, latencies in whole milliseconds, each number with its
half unit. What the simulation knows and a log does not is the truth: the run-to-run CV and the ratio of the sides.
"""

from __future__ import annotations

import argparse
import time

from benchmarks.diff_speed import LIBRARY, PROGRAM, large, start_to_answer
from benchmarks.rates import claim, quantised, seen, shares, shares_of_many
from benchmarks.simulated import Truth

REPEATS = 2_000
LOSSES = (0.05, 0.08, 0.10, 0.15)


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
    for name, code in (("library", LIBRARY), ("abcompare diff", PROGRAM)):
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
