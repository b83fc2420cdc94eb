"""Comparisons and calibrations, drawn: text, Markdown, CSV, TSV, JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Protocol

from abcompare.comparison import Calibration, Comparison
from abcompare.errors import UsageError
from abcompare.reporters.style import Style

_REPORTERS = {
    "text": "abcompare.reporters.comparisons.text:reporter",
    "markdown": "abcompare.reporters.comparisons.markdown:reporter",
    "csv": "abcompare.reporters.comparisons.separated:comma",
    "tsv": "abcompare.reporters.comparisons.separated:tab",
    "json": "abcompare.reporters.comparisons.json:reporter",
}
_CALIBRATIONS = ("text", "markdown", "json")


class ComparisonReporter(Protocol):
    """What draws a comparison."""

    def render(self, document: Comparison, style: Style) -> str | bytes:
        """The comparison, drawn."""


def render_comparison(comparison: Comparison, format: str = "text", style: Style | None = None) -> str | bytes:
    """A comparison in a format: text, or bytes of UTF-8. Raises UsageError for an unknown one."""
    return reporter(format).render(comparison, style or Style())


def reporter(name: str) -> ComparisonReporter:
    """The reporter of that name. Raises UsageError when there is none."""
    if name not in _REPORTERS:
        raise UsageError(f"there is no format {name!r} of a comparison", hint=f"known: {', '.join(_REPORTERS)}")
    module, _, attribute = _REPORTERS[name].partition(":")
    found: ComparisonReporter = getattr(import_module(module), attribute)
    return found


def render_calibrations(made: Sequence[Calibration], format: str = "text", style: Style | None = None) -> str | bytes:
    """Calibrations in a format: text, markdown or json. Raises UsageError for another one."""
    return calibration_reporter(format)(made, style or Style())


def calibration_reporter(name: str) -> Callable[[Sequence[Calibration], Style], str | bytes]:
    """What draws calibrations in that format. Raises UsageError when there is none."""
    if name not in _CALIBRATIONS:
        raise UsageError(f"there is no format {name!r} of a calibration", hint=f"known: {', '.join(_CALIBRATIONS)}")
    found: Callable[[Sequence[Calibration], Style], str | bytes]
    found = getattr(import_module("abcompare.reporters.comparisons.calibrations"), f"as_{name}")
    return found
