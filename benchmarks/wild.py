"""Scores the parser on every value that people read in the logs of `logs/wild`.

    python benchmarks/wild.py [SHARED] [-v]

SHARED is the folder that holds `logs/wild` (else $ABCOMPARE_SHARED, else `../shared` beside the checkout). The runs of
a file are aligned with the rows of its index by the cheapest edit, so that one missing run does not spoil the rest.
Exit code 1 when a floor is not reached: 98 % of the values equal, at most 3 wrong or invented, the number of runs right
in 95 % of the files.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from abcompare.reading import parse
from abcompare.records import Run

SETS = ("ab", "wrk")
FLOOR_EQUAL, FLOOR_WRONG, FLOOR_FILES = 0.98, 3, 0.95

Outcome = Literal["equal", "missing", "wrong", "invented"]
Cell = float | str | None
Get = Callable[[Run], Cell]

# Disagreements that have a reason: (file, run, column) → reason. They are printed with it, and count all the same.
REASONS: dict[tuple[str, str, str], str] = {}

# Rows that may be a run or not; when there is one, its values count.
OPTIONAL: dict[tuple[str, str], str] = {
    ("092-ssl-old-cipher-line-cloud-function.txt", "2"): "cut above its measures: 'Finished 1000 requests' is all",
    ("102-three-parallel-runs-merged-by-hand.txt", "1"): "a sum of three processes: a finding by reading rule 7",
    ("076-wrk-fullwidth-glossary-repeats-numbers.txt", "1"): "the values stand in a glossary only; no run is right too",
}
_WITH_BANNER = {"full", "duplicate", "aborted", "truncated"}
_NO_RUN = {"none", "prose", "invented", "average", "work-alike"}


# -- columns -----------------------------------------------------------------------------------------------------------


def _value(*names: str, scale: float = 1.0) -> Get:
    """The value of the first of these measures that is there."""

    def get(run: Run) -> Cell:
        found = [one for name in names if (one := run.value(name)) is not None]
        return found[0] * scale if found else None

    return get


def _printed_duration(run: Run) -> Cell:
    measure = run.measures.get("duration")
    return float(measure.text.replace(",", "")) if measure else None


def _document_length(run: Run) -> Cell:
    return "Variable" if run.load.variable_length else run.value("document_length")


def _version(run: Run) -> Cell:
    return " ".join(part for part in (run.tool.version, run.tool.revision) if part) or None


_AB: dict[str, Get] = {
    "complete": _value("requests.complete"),
    "failed": _value("requests.failed"),
    "time_taken_s_printed": _printed_duration,
    "time_taken_s_true": _value("duration"),
    "rps": _value("throughput"),
    "document_length": _document_length,
    "concurrency": lambda run: run.load.concurrency,
    "mean_total_ms": _value("latency.mean", scale=1e3),
    "p50_ms": _value("latency.p50", scale=1e3),
    "p99_ms": _value("latency.p99", scale=1e3),
    "tool_version": _version,
}
_WRK: dict[str, Get] = {
    "total_requests": _value("requests.complete"),
    "duration_s": _value("duration"),
    "rps": _value("throughput"),
    "lat_mean_ms": _value("latency.mean", scale=1e3),
    "lat_stdev_ms": _value("latency.sd", scale=1e3),
    "lat_max_ms": _value("latency.max", "latency.p100", scale=1e3),
    "p50_ms": _value("latency.p50", scale=1e3),
    "p99_ms": _value("latency.p99", scale=1e3),
    "connections": lambda run: run.load.concurrency,
    "threads": lambda run: run.load.threads,
    "errors.connect": _value("errors.connect"),
    "errors.read": _value("errors.read"),
    "errors.write": _value("errors.write"),
    "errors.timeout": _value("errors.timeout"),
    "non_2xx": _value("requests.non_2xx"),
}
_GET = {"ab": _AB, "wrk": _WRK}
_MEASURES_NOTHING = {"connections", "threads", "concurrency", "tool_version"}  # facts of the load alone make no run
_KNOWN_FROM_COMMAND = {"connections", "threads", "concurrency"}


@dataclass(frozen=True, slots=True)
class Row:
    """What is expected of one run: a cell a column (None: it is not in the text), and whether there is a run at all.

    `free` columns are not looked at; `doubtful` ones hold what was printed but cannot be: None is right as well.
    """

    file: str
    run: str
    cells: dict[str, Cell]
    wanted: Literal["run", "copy", "optional", "none"]
    why: str = ""
    free: frozenset[str] = frozenset()
    doubtful: frozenset[str] = frozenset()

    @property
    def expected(self) -> int:
        """How many values stand in the row."""
        return sum(cell is not None for cell in self.cells.values())


@dataclass(frozen=True, slots=True)
class Entry:
    """A run where it stands, or one of its copies."""

    run: Run
    line: int
    copy: bool = False


# -- the index ---------------------------------------------------------------------------------------------------------


def rows_of(folder: Path, name: str) -> dict[str, list[Row]]:
    """The rows of an index by file, in its order; for wrk, of the files that hold a run of a "wrk…"."""
    found: dict[str, list[Row]] = {}
    for raw in _records(folder / "INDEX.tsv"):
        if name == "wrk" and not raw["tool"].startswith("wrk"):
            continue
        found.setdefault(raw["file"], []).append(_ab_row(raw) if name == "ab" else _wrk_row(raw))
    return found


def _records(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a TSV file; a lone quotation mark repeats the cell above."""
    above: dict[str, str] = {}
    with path.open(encoding="utf-8", newline="") as stream:
        for record in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            above = {key: above[key] if cell == '"' else cell or "" for key, cell in record.items()}
            yield above


def _cell(text: str) -> Cell:
    if text in ("-", ""):
        return None
    try:
        return float(text)
    except ValueError:
        return text


def _ab_row(raw: dict[str, str]) -> Row:
    cells = {column: _cell(raw[column]) for column in _AB if column != "tool_version"}
    kind = raw["kind"]
    exact = kind in _WITH_BANNER and re.fullmatch(r"[\w.-]+ \d[\d.]*", raw["tool_version"])
    free = set() if exact else {"tool_version"}
    if cells["time_taken_s_printed"] is not None and cells["time_taken_s_true"] is None:
        free.add("time_taken_s_true")  # "0.000": what it truly was is not in the text, and a reader may work it out
    cells["tool_version"] = raw["tool_version"] if exact else None
    key = (raw["file"], raw["run_no"])
    wanted = "copy" if kind == "duplicate" else "none" if kind in _NO_RUN else _wanted(cells, key)
    return Row(*key, cells, wanted, kind, frozenset(free))


def _wrk_row(raw: dict[str, str]) -> Row:
    note = raw["run_note"]
    errors = (raw["socket_errors(c/r/w/t)"].split("/") + ["-"] * 3)[:4]
    cells = {column: _cell(raw[column]) for column in _WRK if column in raw}
    names = ("errors.connect", "errors.read", "errors.write", "errors.timeout")
    cells |= {name: _cell(text) for name, text in zip(names, errors, strict=True)}
    if "printed 0.00us" in note and "invalid" in note:
        cells |= {column: None for column in ("p50_ms", "p99_ms") if cells[column] == 0}
    said = {"duration_s": "duration impossible", "rps": "rps 0.00 false"}
    doubtful = {column for column, words in said.items() if words in note}
    key = (raw["file"], raw["run"])
    return Row(*key, cells, _wanted(cells, key), note, frozenset(), frozenset(doubtful))


def _wanted(cells: dict[str, Cell], key: tuple[str, str]) -> Literal["run", "optional", "none"]:
    if key in OPTIONAL:
        return "optional"
    measures = [cell for column, cell in cells.items() if column not in _MEASURES_NOTHING]
    return "run" if any(cell is not None for cell in measures) else "none"


def _owed_versions(rows: Sequence[Row], text: str) -> list[Row]:
    """The rows with a version expected of as many runs only as there are banners in the text, from the first on."""
    left = len(re.findall(r"ApacheBench,?\s+Version", text))
    found: list[Row] = []
    for row in rows:
        owed = row.cells.get("tool_version") is not None
        bare = owed and left == 0
        left -= 1 if owed and left else 0
        cells = row.cells | {"tool_version": None} if bare else row.cells
        found.append(replace(row, cells=cells, free=row.free | {"tool_version"} if bare else row.free))
    return found


# -- comparing ---------------------------------------------------------------------------------------------------------


def compare(row: Row, run: Run, get: dict[str, Get]) -> dict[str, tuple[Outcome, Cell]]:
    """What became of each column of the row that says something: its outcome, and what was read."""
    found: dict[str, tuple[Outcome, Cell]] = {}
    for column, expected in row.cells.items():
        got = get[column](run)
        if column in row.free or (expected is None and got is None):
            continue
        if expected is None:
            if not (column in _KNOWN_FROM_COMMAND and run.command):
                found[column] = ("invented", got)
        elif got is None:
            found[column] = ("equal" if column in row.doubtful else "missing", got)
        else:
            found[column] = ("equal" if _same(expected, got) else "wrong", got)
    return found


def _same(expected: Cell, got: Cell) -> bool:
    if isinstance(expected, float) and isinstance(got, (int, float)):
        return math.isclose(expected, got, rel_tol=1e-9, abs_tol=1e-12)
    return expected == got


_COST = {"equal": 0.0, "missing": 1.0, "invented": 1.0, "wrong": 2.0}


def align(rows: Sequence[Row], entries: Sequence[Entry], get: dict[str, Get]) -> list[tuple[Row | None, Entry | None]]:
    """The rows and the runs in their order, paired so that as little as possible differs."""
    best: list[list[tuple[float, list[tuple[Row | None, Entry | None]]]]] = [[(0.0, [])]]
    for at in range(len(rows) + 1):
        if at:
            best.append([])
        for to in range(len(entries) + 1):
            if not at and not to:
                continue
            choices: list[tuple[float, list[tuple[Row | None, Entry | None]]]] = []
            if at:
                cost, path = best[at - 1][to]
                choices.append((cost + _without_run(rows[at - 1]), [*path, (rows[at - 1], None)]))
            if to:
                cost, path = best[at][to - 1]
                choices.append((cost + _without_row(entries[to - 1], get), [*path, (None, entries[to - 1])]))
            if at and to:
                cost, path = best[at - 1][to - 1]
                pair = (rows[at - 1], entries[to - 1])
                choices.append((cost + _together(*pair, get), [*path, pair]))
            best[at].append(min(choices, key=lambda choice: choice[0]))
    return best[-1][-1][1]


def _without_run(row: Row) -> float:
    return row.expected + 0.5 if row.wanted in ("run", "copy") else 0.0


def _without_row(entry: Entry, get: dict[str, Get]) -> float:
    return 0.1 if entry.copy else 0.5 + sum(one(entry.run) is not None for one in get.values())


def _together(row: Row, entry: Entry, get: dict[str, Get]) -> float:
    outcomes = [outcome for outcome, _ in compare(row, entry.run, get).values()]
    cost = sum(_COST[outcome] for outcome in outcomes)
    if row.wanted in ("none", "optional"):
        cost = sum(_COST[outcome] for outcome in outcomes if outcome != "missing")
    return cost + (0.25 if entry.copy != (row.wanted == "copy") else 0.0)


# -- scoring -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One value that is not as expected."""

    file: str
    run: str
    column: str
    outcome: Outcome
    expected: Cell
    got: Cell

    def __str__(self) -> str:
        reason = REASONS.get((self.file, self.run, self.column))
        said = f"{self.outcome:8} {self.file} run {self.run} {self.column}"
        said += f": expected {_shown(self.expected)}, got {_shown(self.got)}"
        return f"{said}  [{reason}]" if reason else said


def _shown(cell: Cell) -> str:
    return "-" if cell is None else repr(cell) if isinstance(cell, str) else f"{cell:.17g}"


@dataclass(slots=True)
class Part:
    """The score of one set of logs; `miscounted` says of files whose number of runs differs what was seen."""

    name: str
    equal: int = 0
    files: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)
    miscounted: dict[str, str] = field(default_factory=dict)

    def count(self, outcome: Outcome) -> int:
        """How many values came out so."""
        return self.equal if outcome == "equal" else sum(one.outcome == outcome for one in self.disagreements)

    @property
    def share(self) -> float:
        """Equal values as a share of the expected ones."""
        return self.equal / max(1, self.equal + self.count("missing") + self.count("wrong"))

    @property
    def right(self) -> float:
        """The share of the files whose number of runs is right."""
        return 1 - len(self.miscounted) / max(1, self.files)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of all sets."""

    parts: tuple[Part, ...]

    @property
    def wrong(self) -> int:
        """Values that are wrong or invented, in all."""
        return sum(part.count("wrong") + part.count("invented") for part in self.parts)

    @property
    def reached(self) -> bool:
        """Whether every floor is reached, in each set."""
        shares = all(part.share >= FLOOR_EQUAL and part.right >= FLOOR_FILES for part in self.parts)
        return shares and self.wrong <= FLOOR_WRONG


def score(shared: Path, sets: Sequence[str] = SETS) -> Score:
    """The score of the parser on `shared/logs/wild`."""
    return Score(tuple(_score_set(shared / "logs" / "wild" / name, name) for name in sets))


def _score_set(folder: Path, name: str) -> Part:
    part = Part(name)
    for file, rows in rows_of(folder, name).items():
        part.files += 1
        data = (folder / file).read_bytes()
        if name == "ab":
            rows = _owed_versions(rows, data.decode("utf-8", "replace"))
        try:
            runs = parse(data, path=file).runs
        except Exception as error:  # noqa: BLE001 a crash is the worst score, not the end of the scoring
            part.miscounted[file] = f"parse raised {error!r}"
            runs = ()
        if name == "wrk":
            runs = tuple(run for run in runs if run.tool.name.startswith("wrk"))
        _score_file(part, file, rows, _entries(runs, file))
    return part


def _entries(runs: Sequence[Run], file: str) -> list[Entry]:
    """The runs and their copies in the order in which they stand in the file."""
    found = [Entry(run, run.source.first_line or 0) for run in runs]
    found += [Entry(run, line, copy=True) for run in runs for path, line in run.source.copies if path == file]
    return sorted(found, key=lambda entry: entry.line)


def _score_file(part: Part, file: str, rows: Sequence[Row], entries: Sequence[Entry]) -> None:
    get = _GET[part.name]
    seen: list[str] = []
    for row, entry in align(rows, entries, get):
        if row is not None and row.wanted in ("run", "copy", "optional"):
            _score_row(part, row, entry, get)
        seen += _count_problem(row, entry)
    if seen:
        part.miscounted.setdefault(file, "; ".join(seen))


def _score_row(part: Part, row: Row, entry: Entry | None, get: dict[str, Get]) -> None:
    if entry is None:
        if row.wanted != "optional":
            for column, cell in row.cells.items():
                if cell is not None and column not in row.doubtful:
                    part.disagreements.append(Disagreement(row.file, row.run, column, "missing", cell, None))
        return
    for column, (outcome, got) in compare(row, entry.run, get).items():
        if outcome == "equal":
            part.equal += 1
        else:
            part.disagreements.append(Disagreement(row.file, row.run, column, outcome, row.cells[column], got))


def _count_problem(row: Row | None, entry: Entry | None) -> list[str]:
    """Why the number of runs is not right, for one pair of the alignment."""
    if row is None:
        return [] if entry is None or entry.copy else [f"a run too many at line {entry.line}"]
    if entry is None:
        return [] if row.wanted in ("none", "optional") else [f"{row.wanted} {row.run} ({row.why}) is missing"]
    if row.wanted == "none":
        said = f"row {row.run} ({row.why or 'no values'}) is no run, and one was read at line {entry.line}"
        return [] if entry.copy else [said]
    if row.wanted == "copy":
        return [] if entry.copy else [f"row {row.run} is a copy, and was read as a run of its own"]
    return [f"row {row.run} is a run, and was read as a copy"] if entry.copy else []


# -- the report --------------------------------------------------------------------------------------------------------


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


def default_shared() -> Path:
    """$ABCOMPARE_SHARED, or the folder beside the checkout."""
    return Path(os.environ.get("ABCOMPARE_SHARED") or Path(__file__).resolve().parents[2] / "shared")


def main() -> int:
    """Prints the score; 1 when a floor is not reached."""
    parser = argparse.ArgumentParser(description="score the parser on logs/wild")
    parser.add_argument("shared", nargs="?", type=Path, default=default_shared())
    parser.add_argument("-v", "--verbose", action="store_true", help="list every disagreement")
    parser.add_argument("--set", choices=SETS, action="append", help="this set only")
    arguments = parser.parse_args()
    found = score(arguments.shared, arguments.set or SETS)
    print(report(found, verbose=arguments.verbose))
    return 0 if found.reached else 1


if __name__ == "__main__":
    sys.exit(main())
