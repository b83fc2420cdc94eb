"""A comparison as CSV and TSV: a row a metric, with every number, its method, n, df, family and seed.

Failures, and loads without a partner, have rows of their own (`role` says so). Numbers are the shortest text that reads
back as the same number, in base units; lists stand in one cell, separated by blanks; empty: not there.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

from abcompare.comparison import Centre, Comparison, Failures, Row, Scenario
from abcompare.reporters.cells import for_sheet
from abcompare.reporters.style import Style

_CENTRE = ("n", "centre", "low", "high", "supported", "values")
_FIRST = ("metric", "role", "better", "unit", "verdict", "size_uncertain")
_LAST = ("effect_sizes", "without_outliers", "findings", "reason")
_ROW = tuple(name for name in Row.__struct_fields__ if name not in (*_FIRST, *_LAST, "base", "new"))
_SIZES = ("ratio_of_means", "ratio_of_means_low", "ratio_of_means_high")
_FAILURES = ("base_failed", "base_requests", "new_failed", "new_requests", "difference", "dispersion", "blocked", "regression")
_Cells = dict[str, Any]


class Separated:
    """A reporter for one separator."""

    def __init__(self, name: str, suffix: str, line: Callable[[list[str]], str]) -> None:
        self.name = name
        self.suffix = suffix
        self._line = line

    def render(self, document: Comparison, style: Style) -> str:
        """The head line and a line a metric, each ended by a line feed."""
        rows = list(_rows(document))
        keys = dict.fromkeys(name for one in rows for name in one if name.startswith("key."))
        head = [
            "base", "new", *keys, *_FIRST, *(f"base_{name}" for name in _CENTRE), *(f"new_{name}" for name in _CENTRE),
            *_ROW, *_SIZES, "without_outliers", *_FAILURES, "alpha", "seed", "exit_code", "findings", "reason",
        ]  # fmt: skip
        lines = [head, *([_cell(one.get(name)) for name in head] for one in rows)]
        return "".join(self._line([for_sheet(name) for name in head] if at == 0 else cells) for at, cells in enumerate(lines))


def _rows(comparison: Comparison) -> Iterator[_Cells]:
    common: _Cells = {"base": comparison.base.label, "alpha": comparison.alpha, "seed": comparison.seed, "exit_code": comparison.exit_code}
    for scenario in comparison.scenarios:
        beside = common | {"new": scenario.label} | _key(scenario.key)
        yield from (beside | _metric(row, scenario) for row in scenario.metrics)
        yield from (beside | _failures(one) for one in scenario.failures)
    named = len(comparison.overall) == len(comparison.new)
    for at, row in enumerate(comparison.overall):
        yield common | {"new": comparison.new[at].label if named else None} | _metric(row, None)
    for one in comparison.unpaired:
        sides = {"base": one.label, "new": None} if one.label == comparison.base.label else {"base": None, "new": one.label}
        yield common | sides | _key(one.key) | {"role": "unpaired", "reason": f"no partner; runs: {' '.join(one.runs)}"}


def _key(key: dict[str, Any]) -> _Cells:
    return {f"key.{name}": value for name, value in key.items()}


def _metric(row: Row, scenario: Scenario | None) -> _Cells:
    cells: _Cells = {name: getattr(row, name) for name in (*_FIRST, *_ROW, "reason")}
    cells |= {f"base_{name}": value for name, value in _centre(row.base)}
    cells |= {f"new_{name}": value for name, value in _centre(row.new)}
    cells |= {name: value for name, value in (row.effect_sizes or {}).items() if name in _SIZES}
    if row.without_outliers:
        cells["without_outliers"] = ", ".join(f"{name} {value}" for name, value in row.without_outliers.items())
    found = [*row.findings, *(scenario.findings if scenario else ())]
    return cells | {"findings": " ".join(dict.fromkeys(one.code for one in found))}


def _centre(centre: Centre) -> Iterator[tuple[str, Any]]:
    for name in _CENTRE:
        value = getattr(centre, name)
        yield name, " ".join(map(repr, value)) if name == "values" else value


def _failures(one: Failures) -> _Cells:
    """Shares as centres (`high` is their upper bound), and the counts behind them."""
    return {
        "metric": one.kind, "role": "failures", "better": "lower", "unit": "1", "base_n": len(one.base), "new_n": len(one.new),
        "base_centre": one.base_share, "new_centre": one.new_share, "base_high": one.base_high, "new_high": one.new_high,
        "base_failed": sum(part for part, _ in one.base), "base_requests": sum(whole for _, whole in one.base),
        "new_failed": sum(part for part, _ in one.new), "new_requests": sum(whole for _, whole in one.new),
        "difference": one.difference, "p": one.p, "df": one.df, "dispersion": one.dispersion, "method": one.method,
        "blocked": " ".join(one.blocked), "regression": one.regression, "reason": one.reason,
    }  # fmt: skip


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, (int, float)) else for_sheet(str(value))


def _commas(cells: list[str]) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


def _tabs(cells: list[str]) -> str:
    return "\t".join(cells) + "\n"  # no cell holds a tab or a line end, so that nothing needs quotes


comma = Separated("csv", ".csv", _commas)
tab = Separated("tsv", ".tsv", _tabs)
