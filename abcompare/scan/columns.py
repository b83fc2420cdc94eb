"""Columns: pipe tables and values joined by pipes, each column of values a view of the text."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

# Rows and heads whose cells belong to one run: min, mean and max of a connection time, Avg and Stdev of a latency.
_OF_ONE_RUN = re.compile(r"(?i)^\W*(?:connect|processing|waiting|total|latency|req/sec)\W*$")
_STATISTIC = re.compile(r"(?i)^\W*(?:min|max|mean|avg|average|median|std ?dev|stdev|sd|\[?\+/- ?(?:sd|stdev)\]?|\d{1,3}(?:\.\d+)?\s*%|p\d\d)\W*$")
_HEAD = re.compile(r"\s*(?:[^\W\d]|\d{1,3}(?:\.\d+)?\s*%\s*$)")
_VALUE = re.compile(r"\s*(.*?:)\s*(?=[-+]?[\d.])")
_NUMBER = re.compile(r"\s*(?:[-+]?[\d.]|-?nan|[-–—]\s*$|[nN]/?[aA]\s*$)")  # or what says that there is none
_PIPE = re.compile(r"(?<!\\)\|")
_EDGE = re.compile(r"[\s\"']*")

_MOST = 64  # columns that become views: each is as long as the text

_Span = tuple[int, int]


class _Row(NamedTuple):
    """A table row: its line number, where its label and its values stand in the line, and the texts of all cells."""

    number: int
    label: _Span | None
    values: list[_Span]
    texts: list[str]

    def runs(self) -> int:
        """How many runs this row can hold a value of: the values behind a label, when all of them are numbers."""
        if self.label is None or not all(_NUMBER.match(text) for text in self.texts[1:]):
            return 0
        return 0 if _OF_ONE_RUN.match(self.texts[0]) and len(self.values) > 1 else len(self.values)


def columns(text: str) -> tuple[list[str], int]:
    """The views of `text`: one for each column of values where its tables have several (the first `_MOST` of them, and
    how many more there are), else one without its pipes.
    """
    if "|" not in text:
        return [text], 0
    lines = text.split("\n")
    tables = [(table, _runs(table)) for table in _tables(lines)]
    blanks = [" " * len(line) for line in lines]
    views = []
    widest = max((runs for _, runs in tables), default=1)
    for view in range(min(_MOST, widest)):
        kept = list(lines) if view == 0 else list(blanks)
        for table, runs in tables:
            for row in table:
                if runs > 1:
                    kept[row.number] = _column(lines[row.number], row, view)
                elif view == 0:
                    kept[row.number] = lines[row.number].replace("|", " ")
        views.append("\n".join(kept))
    return views, max(0, widest - _MOST)


def _tables(lines: list[str]) -> list[list[_Row]]:
    """Runs of lines with pipes; a blank line between two of them does not end a table."""
    tables: list[list[_Row]] = []
    open_until = -1
    for number, line in enumerate(lines):
        if "|" not in line:
            continue
        if number > open_until:
            tables.append([])
        tables[-1].append(_row(number, line))
        open_until = number + 2
    return tables


def _row(number: int, line: str) -> _Row:
    """The row of a line: its cells are what stands between its pipes, without the empty ends."""
    places = [-1, *(found.start() for found in _PIPE.finditer(line)), len(line)]
    cells = [(start + 1, end) for start, end in pairwise(places)]
    if _EDGE.fullmatch(line, *cells[0]):
        cells = cells[1:]
    if cells and _EDGE.fullmatch(line, *cells[-1]):
        cells = cells[:-1]
    texts = [line[start:end].strip() for start, end in cells]
    if not texts or not texts[0]:
        return _Row(number, None, cells[1:], texts)
    start, end = cells[0]
    if not _HEAD.match(line[start:end]):
        return _Row(number, None, cells, texts)
    first = _VALUE.match(line, start, end) if len(cells) > 1 else None
    if first:  # the label has the first value in its cell
        return _Row(number, (start, first.end(1)), [(first.end(), end), *cells[1:]], texts)
    return _Row(number, (start, end), cells[1:], texts)


def _runs(table: list[_Row]) -> int:
    """How many runs stand in the columns of a table: 1, or as many as have a value behind a label in row after row."""
    if any(len(row.texts) > 2 and all(_STATISTIC.match(text) for text in row.texts[1:]) for row in table):
        return 1
    runs = [row.runs() for row in table]
    wide = Counter(count for count in runs if count > 1)
    if wide.total() < 2 or wide.total() * 2 < sum(1 for count in runs if count):
        return 1
    return wide.most_common(1)[0][0]


def _column(line: str, row: _Row, view: int) -> str:
    """A line with its label and one of its values left."""
    kept = ([row.label] if row.label else []) + row.values[view : view + 1]
    parts: list[str] = []
    at = 0
    for start, end in kept:
        parts += (" " * (start - at), line[start:end])
        at = end
    return "".join(parts) + " " * (len(line) - at)
