"""Columns: pipe tables, values joined by pipes, and reports pasted side by side, each column a view of the text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

# Rows and heads whose cells belong to one run: min, mean and max of a connection time, Avg and Stdev of a latency.
_OF_ONE_RUN = re.compile(r"(?i)^\W*(?:connect|processing|waiting|total|latency|req/sec|\d{1,3}(?:\.\d+)?\s*%)\W*$")
_STATISTIC = re.compile(r"(?i)^\W*(?:min|max|mean|avg|average|median|std ?dev|stdev|sd|\[?\+/- ?(?:sd|stdev)\]?|\d{1,3}(?:\.\d+)?\s*%|p\d\d)\W*$")
_LABEL = re.compile(r"[A-Z][A-Za-z0-9/+-]*(?: [A-Za-z0-9/+-]+){0,4}(?::|(?= +-?[\d.]+ ?(?:[num]?s|[kKMG]?B)?\b))")
_VALUE = re.compile(r"\s*(.*?:)\s*(\S.*)")


@dataclass(frozen=True, slots=True)
class _Row:
    """A table row: its line number and the (start, end) of its cells in the line."""

    number: int
    cells: tuple[tuple[int, int], ...]


def columns(text: str) -> list[str]:
    """The views of `text`: one for each column of values where its tables have several, else one."""
    found = _piped(text) if "|" in text else [text]
    return [view for one in found for view in _beside(one)]


# -- pipes -------------------------------------------------------------------------------------------------------------


def _piped(text: str) -> list[str]:
    """Pipe tables: pipes become blanks, and columns of several runs become views."""
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
                    kept[row.number] = re.sub(r"\|", " ", lines[row.number])
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
    """The cells of a line: what stands between its pipes, without the empty ends."""
    places = [-1, *(found.start() for found in re.finditer(r"(?<!\\)\|", line)), len(line)]
    cells = [(start + 1, end) for start, end in zip(places, places[1:], strict=False)]
    if cells and not line[slice(*cells[0])].strip():
        cells = cells[1:]
    if cells and not line[slice(*cells[-1])].strip():
        cells = cells[:-1]
    return tuple(cells)


def _runs(lines: list[str], table: list[_Row]) -> int:
    """How many runs stand in the columns of a table; 1 for a table of one run.

    Several do where every cell of a row holds what a report holds: a label with its value in each cell (reports
    side by side), or one label and then a value in each.
    """
    beside = Counter(len(row.cells) for row in table if _labelled_each(lines, row))
    if beside and sum(beside.values()) >= 3:
        return max(beside)
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


def _labelled_each(lines: list[str], row: _Row) -> bool:
    """Whether two or more cells of a row begin alike, as lines of reports that stand side by side do."""
    heads = [found[0] for text in _texts(lines, row) if (found := re.match(r"[A-Z][A-Za-z/]+(?: [A-Za-z/]+)*", text))]
    return len(row.cells) > 1 and len(heads) == len(row.cells) and len(set(heads)) == 1


def _values(lines: list[str], row: _Row) -> int:
    """How many cells of a row hold a value: all but the label, which may have the first value in its cell."""
    texts = _texts(lines, row)
    if not re.search(r"[A-Za-z]", texts[0]):
        return 0
    first = _VALUE.match(texts[0])
    numbers = [text for text in texts[1:] if re.match(r"[-+]?[\d.]", text)]
    if len(numbers) != len(texts) - 1:
        return 0
    return len(numbers) + (1 if first and re.match(r"[-+]?[\d.]", first[2]) else 0)


def _column(line: str, row: _Row, view: int) -> str:
    """A line with the label and one value left: of cells that are all labelled, the one cell."""
    cells = list(row.cells)
    texts = [line[start:end] for start, end in cells]
    label: tuple[int, int] | None = None
    head = re.match(r"[A-Z][A-Za-z/]+(?: [A-Za-z/]+)*", texts[0].strip()) if texts else None
    alike = head is not None and len(texts) > 1 and all(text.strip().startswith(head[0]) for text in texts[1:])
    if not alike and re.search(r"[A-Za-z]", texts[0] if texts else "") and not re.match(r"\s*[\d.]", texts[0]):
        start, end = cells.pop(0)
        first = _VALUE.match(line[start:end])
        if first and re.match(r"[-+]?[\d.]", first[2]) and len(cells) >= 1:
            label = (start, start + first.end(1))
            cells.insert(0, (start + first.start(2), end))
        else:
            label = (start, end)
    kept = [one for one in (label, cells[view] if view < len(cells) else None) if one]
    return "".join(character if any(start <= at < end for start, end in kept) else " " for at, character in enumerate(line))


# -- side by side ------------------------------------------------------------------------------------------------------


def _beside(text: str) -> list[str]:
    """Reports side by side, told apart by blanks alone: a label that repeats on its line, at the same places in many."""
    lines = text.split("\n")
    starts: Counter[tuple[int, ...]] = Counter()
    places: dict[int, tuple[int, ...]] = {}
    for number, line in enumerate(lines):
        if len(line) < 40 or "  " not in line:
            continue
        labels = [(found[0], found.start()) for found in _LABEL.finditer(line)]
        repeated = [name for name, count in Counter(name for name, _ in labels).items() if count > 1]
        if repeated:
            at = tuple(start for name, start in labels if name == repeated[0])
            places[number] = at
            starts[(len(at), *at[1:])] += 1
    if len(places) < 3:
        return [text]
    return _sliced(lines, places)


def _sliced(lines: list[str], places: dict[int, tuple[int, ...]]) -> list[str]:
    """A view for each column of the stretch of lines where labels repeat; the first one keeps the rest of the text."""
    count = Counter(len(at) for at in places.values()).most_common(1)[0][0]
    agreeing = [at for at in places.values() if len(at) == count]
    cuts = [0, *(min(at[column] for at in agreeing) for column in range(1, count))]
    spread = max(max(at[column] for at in agreeing) - min(at[column] for at in agreeing) for column in range(1, count))
    if spread > 12:  # a one-line report that stands twice on its line has no columns
        return ["\n".join(lines)]
    first, last = min(places), max(places)
    while first > 0 and lines[first - 1].strip():
        first -= 1
    while last + 1 < len(lines) and (lines[last + 1].strip() or (last + 2 < len(lines) and lines[last + 2].strip())):
        last += 1
    views = []
    for column in range(count):
        end = cuts[column + 1] if column + 1 < count else None
        kept = []
        for number, line in enumerate(lines):
            if first <= number <= last:
                part = line[cuts[column] : end]
                kept.append((" " * cuts[column] + part).ljust(len(line))[: len(line)] if line[cuts[column] :] else " " * len(line))
            else:
                kept.append(line if column == 0 else " " * len(line))
        views.append("\n".join(kept))
    return views
