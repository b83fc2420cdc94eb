"""The report: `python -m benchmarks.wild`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.wild import default_shared
from benchmarks.wild.scoring import SETS, Score, score


def report(found: Score, *, verbose: bool) -> str:
    """The score as text; with `verbose`, every disagreement."""
    lines = ["set   equal  missing  wrong  invented   % equal   files with the right number of runs"]
    for part in found.parts:
        counts = [part.count(outcome) for outcome in ("equal", "missing", "wrong", "invented")]
        files = f"{part.files - len(part.miscounted)} of {part.files} ({part.right:.1%})"
        lines.append("{:4} {:6} {:8} {:6} {:9}".format(part.name, *counts) + f"   {part.share:7.2%}   {files}")
    for part in found.parts:
        lines += [f"  runs: {part.name}/{file}: {why}" for file, why in part.miscounted.items()]
        if verbose:
            lines += [f"  {part.name}/{one}" for one in part.disagreements]
    return "\n".join(lines)


def main() -> int:
    """Prints the score; 1 when a floor is not reached."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wild", description="score the parser on logs/wild")
    parser.add_argument("shared", nargs="?", type=Path, default=default_shared())
    parser.add_argument("-v", "--verbose", action="store_true", help="list every disagreement")
    parser.add_argument("--set", choices=SETS, action="append", help="this set only")
    arguments = parser.parse_args()
    if not (arguments.shared / "logs" / "wild").is_dir():
        parser.error(f"{arguments.shared} holds no logs/wild: name the folder that does")
    found = score(arguments.shared, arguments.set or SETS)
    print(report(found, verbose=arguments.verbose))
    return 0 if found.reached else 1


if __name__ == "__main__":
    sys.exit(main())
