"""Columns: pipe tables and values joined by pipes, each column of values a view of the text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

# Rows and heads whose cells belong to one run: min, mean and max of a connection time, Avg and Stdev of a latency.
_OF_ONE_RUN = re.compile(r"(?i)^\W*(?:connect|processing|waiting|total|latency|req/sec)\W*$")
_STATISTIC = re.compile(r"(?i)^\W*(?:min|max|mean|avg|average|median|std ?dev|stdev|sd|\[?\+/- ?(?:sd|stdev)\]?|\d{1,3}(?:\.\d+)?\s*%|p\d\d)\W*$")
_HEAD = re.compile(r"\s*(?:[^\W\d]|\d{1,3}(?:\.\d+)?\s*%\s*$)")
_VALUE = re.compile(r"\s*(.*?:)\s*(\S.*)")


@dataclass(frozen=True, slots=True)
class _Row:
    """A table row: its line number and the (start, end) of its cells in the line."""

    number: int
    cells: tuple[tuple[int, int], ...]


def columns(text: str) -> list[str]:
    """The views of `text`: one for each column of values where its tables have several, else one without its pipes."""
    if "|" not in text:
        return [text]
    lines = text.split("\n")
    tables = _tables(lines)
    wide = [table for table in tables if _runs(lines, table) > 1]
    count = max((_runs(lines, table) for table in wide), default=1)
    views = []
    for view in range(count):
        kept = list(lines) if view == 0 else [" " * len(line) for line in lines]
        for table in tables:
            if table in wide:
                for row in table:
                    kept[row.number] = _column(lines[row.number], row, view)
            elif view == 0:
                for row in table:
                    kept[row.number] = lines[row.number].replace("|", " ")
        views.append("\n".join(kept))
    return views


def _tables(lines: list[str]) -> list[list[_Row]]:
    """Runs of lines with pipes; a blank line between two of them does not end a table."""
    tables: list[list[_Row]] = []
    open_until = -1
    for number, line in enumerate(lines):
        if "|" not in line:
            continue
        row = _Row(number, _cells(line))
        if number > open_until:
            tables.append([])
        tables[-1].append(row)
        open_until = number + 2
    return tables


def _cells(line: str) -> tuple[tuple[int, int], ...]:
    """The cells of a line: what stands between its pipes, without the wordless ends."""
    places = [-1, *(found.start() for found in re.finditer(r"(?<!\\)\|", line)), len(line)]
    cells = [(start + 1, end) for start, end in zip(places, places[1:], strict=False)]
    if cells and not re.search(r"\w", line[slice(*cells[0])]):
        cells = cells[1:]
    if cells and not re.search(r"\w", line[slice(*cells[-1])]):
        cells = cells[:-1]
    return tuple(cells)


def _runs(lines: list[str], table: list[_Row]) -> int:
    """How many runs stand in the columns of a table; 1 for a table of one run.

    Several do where a label is followed by a value in each cell, row after row.
    """
    rows = [row for row in table if len(row.cells) > 1 and not _ruler(lines, row)]
    if any(all(_STATISTIC.match(cell) for cell in _texts(lines, row)[1:]) for row in rows if len(row.cells) > 2):
        return 1
    wide = [row for row in rows if _values(lines, row) > 1 and not _OF_ONE_RUN.match(_texts(lines, row)[0])]
    counts = Counter(_values(lines, row) for row in wide)
    if len(wide) < 2 or len(wide) * 2 < len([row for row in rows if _values(lines, row)]):
        return 1
    return counts.most_common(1)[0][0]


def _texts(lines: list[str], row: _Row) -> list[str]:
    return [lines[row.number][start:end].strip() for start, end in row.cells]


def _ruler(lines: list[str], row: _Row) -> bool:
    return not re.search(r"\w", lines[row.number])


def _values(lines: list[str], row: _Row) -> int:
    """How many cells of a row hold a value: all but the label, which may have the first value in its cell."""
    texts = _texts(lines, row)
    if not _HEAD.match(texts[0]):
        return 0
    first = _VALUE.match(texts[0])
    numbers = [text for text in texts[1:] if re.match(r"[-+]?[\d.]", text)]
    if len(numbers) != len(texts) - 1:
        return 0
    return len(numbers) + (1 if first and re.match(r"[-+]?[\d.]", first[2]) else 0)


def _column(line: str, row: _Row, view: int) -> str:
    """A line with its label and one of its values left."""
    cells = list(row.cells)
    kept: list[tuple[int, int]] = []
    text = line[slice(*cells[0])] if cells else ""
    if not text.strip():
        cells = cells[1:]
    elif _HEAD.match(text):
        start, end = cells.pop(0)
        first = _VALUE.match(text)
        if first and re.match(r"[-+]?[\d.]", first[2]) and cells:
            kept.append((start, start + first.end(1)))
            cells.insert(0, (start + first.start(2), end))
        else:
            kept.append((start, end))
    kept += cells[view : view + 1]
    return "".join(
        character if any(start <= at < end for start, end in kept) else " " for at, character in enumerate(line)
    )
