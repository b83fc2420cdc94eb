"""The score: equal, missing, wrong and invented values, the number of runs of each file, and the floors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from abcompare.reading import parse
from abcompare.records import Run
from benchmarks.wild.aligning import Entry, Outcome, align, compare
from benchmarks.wild.columns import GET, Cell, Get
from benchmarks.wild.index import Row, owed_versions, rows_of

SETS = ("ab", "wrk")
FLOOR_EQUAL, FLOOR_WRONG, FLOOR_FILES = 0.98, 3, 0.95

# Disagreements that have a reason: (file, run, column) → reason. They are printed with it, and count all the same.
REASONS: dict[tuple[str, str, str], str] = {}


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
            rows = owed_versions(rows, data.decode("utf-8", "replace"))
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
    get = GET[part.name]
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
