"""Rows of the index and runs of the parser: what became of each value, and which row is which run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from abcompare.records import Run
from benchmarks.wild.columns import KNOWN_FROM_COMMAND, Cell, Get
from benchmarks.wild.index import Row

Outcome = Literal["equal", "missing", "wrong", "invented"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A run where it stands, or one of its copies."""

    run: Run
    line: int
    copy: bool = False


def compare(row: Row, run: Run, get: dict[str, Get]) -> dict[str, tuple[Outcome, Cell]]:
    """What became of each column of the row that says something: its outcome, and what was read."""
    found: dict[str, tuple[Outcome, Cell]] = {}
    for column, expected in row.cells.items():
        got = get[column](run)
        if column in row.free or (expected is None and got is None):
            continue
        if expected is None:
            if not (column in KNOWN_FROM_COMMAND and run.command):
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
