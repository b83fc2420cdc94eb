"""CSV and TSV: a row a run, every measure a column under its full name, in base units; empty: not printed."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from io import StringIO

from abcompare.metrics import percentile_of, table
from abcompare.records import Archive, Load, Number, Run, Target, Tls
from abcompare.reporters.cells import for_sheet, visible
from abcompare.reporters.style import Style

_TLS = tuple(f"target.tls.{name}" for name in Tls.__struct_fields__)
_TARGET = tuple(f"target.{name}" for name in Target.__struct_fields__ if name != "tls")
_LOAD = tuple(f"load.{name}" for name in Load.__struct_fields__ if name != "headers")
_IDENTITY: dict[str, Callable[[Run], str | int | bool | None]] = {
    "id": lambda run: run.id,
    "label": lambda run: run.label,
    "tool": lambda run: run.tool.name,
    "version": lambda run: run.tool.version,
    "path": lambda run: run.source.path,
    "line": lambda run: run.source.first_line,
    "copies": lambda run: len(run.source.copies),
    "complete": lambda run: run.complete,
    "command": lambda run: run.command,
    "started_at": lambda run: run.started_at,
    "findings": lambda run: len(run.findings),
}


class Separated:
    """A reporter for one separator."""

    def __init__(self, name: str, suffix: str, line: Callable[[list[str]], str]) -> None:
        self.name = name
        self.suffix = suffix
        self._line = line

    def render(self, document: Archive | Run, style: Style) -> str:
        """The head line and a line a run, each ended by a line feed."""
        runs = (document,) if isinstance(document, Run) else document.runs
        measures = sorted({name for run in runs for name in run.measures}, key=_place)
        head = [*_IDENTITY, *_TARGET, *_TLS, *_LOAD, *map(for_sheet, measures)]
        return "".join(self._line(cells) for cells in (head, *(_cells(run, measures) for run in runs)))


def _commas(cells: list[str]) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


def _tabs(cells: list[str]) -> str:
    return "\t".join(cells) + "\n"  # no cell holds a tab or a line end, so that nothing needs quotes


def _cells(run: Run, measures: list[str]) -> list[str]:
    return [
        *(_cell(read(run)) for read in _IDENTITY.values()),
        *_fields(run.target, _TARGET),
        *_fields(run.target.tls, _TLS),
        *_fields(run.load, _LOAD),
        *(_cell(run.value(name)) for name in measures),
    ]


def _fields(record: object, names: Iterable[str]) -> Iterable[str]:
    return (_cell(getattr(record, name.rpartition(".")[2], None)) for name in names)


def _cell(value: Number | str | bool | None) -> str:
    """A cell: numbers as the shortest text that reads back as the same number."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return for_sheet(value) if isinstance(value, str) else repr(value)


_ORDER = {one.name: at for at, one in enumerate(table())}


def _place(name: str) -> tuple[int, str, float, str]:
    """Columns in the order of the documentation, percentiles by their number behind their family, unknown ones last."""
    percent = percentile_of(name)
    family = name.partition(".")[0]
    if percent is not None:
        behind = max((at for other, at in _ORDER.items() if other.startswith(f"{family}.")), default=len(_ORDER))
        return behind, family, percent, name
    return _ORDER.get(name, len(_ORDER)), family, -1.0, visible(name)


comma = Separated("csv", ".csv", _commas)
tab = Separated("tsv", ".tsv", _tabs)
