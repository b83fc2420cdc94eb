"""Reports pasted side by side: each becomes a view, cut out where a gutter of blanks or bars runs down the lines."""

from __future__ import annotations

import re
from collections import defaultdict

# What a line of a report begins with: words with a colon, or with a wide gap to what they label.
_LABEL = r"([A-Z][A-Za-z\d/+-]*(?: [A-Za-z\d/+-]+){0,4})(?=:|  +\S)"
_LEFT = re.compile(r"[^\w\n]{0,80}" + _LABEL)
_CELL = re.compile(r"[ \t]*" + _LABEL)
_BEHIND = re.compile(r"(?<=[^\s|])(?: {2,}|\t)" + _LABEL)
_CANDIDATE = re.compile(r"  [A-Z][A-Za-z\d/+-]*(?: [A-Za-z\d/+-]+){0,4}(?::|  +\S)")  # begins literally: fast
_GAPPED = re.compile(r" (?= [A-Z])|\t(?=[A-Z])")  # what `_BEHIND` needs, in a quick search
_SHOWN = re.compile(r"\S")
_ALIKE = 3  # labels that two columns must share
_INDENT = 6  # columns that a line of a report is indented at most
MOST = 128  # views that are made: each is as long as the text
_QUIET = 20  # lines with nothing behind a gutter that do not end it (progress lines)


def beside(text: str) -> tuple[list[str], int]:
    """A view for each report of a text where reports stand side by side, up to `MOST`, and how many more there are; the
    text itself where none do.

    The first view is the text without the slices of the others, so that nothing is lost that is no column.
    """
    if "|" not in text and not side_by_side(text):
        return [text], 0
    lines = text.split("\n")
    gutters = _bars(lines)
    gutters |= {number: cuts for number, cuts in _gaps(lines).items() if number not in gutters}
    if not gutters:
        return [text], 0
    count = 1 + max(len(cuts) for cuts in gutters.values())
    blanks = [" " * len(line) for line in lines]
    views = [list(lines), *(list(blanks) for _ in range(min(count, MOST) - 1))]
    for number, cuts in gutters.items():
        line = lines[number]
        ends = [*cuts[1:], len(line)]
        for view, (start, end) in enumerate(zip(cuts[: MOST - 1], ends, strict=False), 1):
            part = line[start:end].replace("|", " ") if line[start : start + 1] == "|" else line[start:end]
            views[view][number] = (" " * start + part).ljust(len(line))
        views[0][number] = line[: cuts[0]].ljust(len(line))
    return ["\n".join(view) for view in views], max(0, count - MOST)


def side_by_side(text: str) -> bool:
    """Whether a label stands behind other text and a gap on some line: the cheap question that comes first."""
    for found in _CANDIDATE.finditer(text):
        if text[text.rfind("\n", 0, found.start()) + 1 : found.start()].strip():
            return True
    return False


def _bars(lines: list[str]) -> dict[int, list[int]]:
    """Line number → offsets of the bars that part its reports, for stretches of lines parted by bars."""
    found: dict[int, list[int]] = {}
    stretch: list[int] = []
    for number in range(len(lines) + 1):
        if number < len(lines) and "|" in lines[number]:
            stretch.append(number)
        elif stretch and (number == len(lines) or number - stretch[-1] > 2):
            found |= _parted(lines, stretch)
            stretch = []
    return found


def _parted(lines: list[str], stretch: list[int]) -> dict[int, list[int]]:
    """The bars of a stretch, when the cells behind them begin with the labels of the cells at the left."""
    cells = {number: lines[number].split("|") for number in stretch}
    left = {label[1] for first, *_ in cells.values() if (label := _LEFT.match(first))}
    if len(left) < _ALIKE:  # as in a table, whose lines begin with a bar
        return {}
    names: dict[int, set[str]] = defaultdict(set)
    for _, *behind in cells.values():
        for column, cell in enumerate(behind, 1):
            if label := _CELL.match(cell):
                names[column].add(label[1])
    alike = {column for column, labels in names.items() if len(left & labels) >= _ALIKE}
    if not alike:
        return {}
    places = {number: [found.start() for found in re.finditer(r"\|", lines[number])] for number in stretch}
    return {number: [at for column, at in enumerate(bars, 1) if column in alike] or bars for number, bars in places.items()}


def _gaps(lines: list[str]) -> dict[int, list[int]]:
    """Line number → offsets at which the columns behind the first begin, where blanks alone part the reports."""
    hits: dict[int, list[tuple[int, str]]] = defaultdict(list)
    left: set[str] = set()
    for number, line in enumerate(lines):
        if len(line) < 20:
            continue
        if label := _LEFT.match(line):
            left.add(label[1])
        if not _GAPPED.search(line, 12):
            continue
        for found in _BEHIND.finditer(line, 12):
            hits[found.start(1)].append((number, found[1]))
    found_gutters: dict[int, list[int]] = {}
    for start, places in _clusters(hits):
        if len({name for _, name in places} & left) >= _ALIKE:
            first, last = places[0][0], places[-1][0]
            start = _leftmost(lines, start, first, last)
            for number in _stretch(lines, start, first, last):
                found_gutters.setdefault(number, []).append(start)
    return found_gutters


def _clusters(hits: dict[int, list[tuple[int, str]]]) -> list[tuple[int, list[tuple[int, str]]]]:
    """The labels behind gaps by the column that their report begins at: lines of a report are indented differently."""
    clusters: list[tuple[int, list[tuple[int, str]]]] = []
    for start, places in sorted(hits.items()):
        if clusters and start - clusters[-1][0] <= _INDENT:
            clusters[-1][1].extend(places)
        else:
            clusters.append((start, list(places)))
    return [(start, sorted(places)) for start, places in clusters]


def _leftmost(lines: list[str], start: int, first: int, last: int) -> int:
    """Where the column itself begins: lines with nothing at the left of them may be indented less than those with."""
    near = lines[max(0, first - _QUIET) : last + _QUIET]
    for at in range(start - _INDENT, start):
        if at > 2 and any(line[at : at + 1].strip() for line in near) and all(_open(line, at) for line in near):
            return at
    return start


def _stretch(lines: list[str], start: int, first: int, last: int) -> list[int]:
    """The lines with something behind the gutter at `start`, from `first` to `last` and beyond as far as it goes on."""
    found = [number for number in range(first, last + 1) if _open(lines[number], start) and _SHOWN.search(lines[number], start)]
    for step, number in ((-1, first - 1), (1, last + 1)):
        quiet = 0
        while 0 <= number < len(lines) and quiet < _QUIET and _open(lines[number], start):
            if _SHOWN.search(lines[number], start):
                found.append(number)
                quiet = 0
            else:
                quiet += 1
            number += step
    return found


def _open(line: str, start: int) -> bool:
    """Whether blanks alone stand in the two columns before `start`."""
    return not line[max(0, start - 2) : start].strip()
