"""The index of a set of logs: what people read in them, a row a run."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from benchmarks.wild.columns import AB, MEASURES_NOTHING, WRK, Cell

# Rows that may be a run or not; when there is one, its values count.
OPTIONAL: dict[tuple[str, str], str] = {
    ("092-ssl-old-cipher-line-cloud-function.txt", "2"): "cut above its measures: 'Finished 1000 requests' is all",
    ("102-three-parallel-runs-merged-by-hand.txt", "1"): "a sum of three processes: a finding by reading rule 7",
    ("076-wrk-fullwidth-glossary-repeats-numbers.txt", "1"): "the values stand in a glossary only; no run is right too",
}
_WITH_BANNER = {"full", "duplicate", "aborted", "truncated"}
_NO_RUN = {"none", "prose", "invented", "average", "work-alike"}


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
    cells = {column: _cell(raw[column]) for column in AB if column != "tool_version"}
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
    cells = {column: _cell(raw[column]) for column in WRK if column in raw}
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
    measures = [cell for column, cell in cells.items() if column not in MEASURES_NOTHING]
    return "run" if any(cell is not None for cell in measures) else "none"


def owed_versions(rows: Sequence[Row], text: str) -> list[Row]:
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
