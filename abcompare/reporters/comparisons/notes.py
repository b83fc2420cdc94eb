"""What stands below the tables: marks of adjusted p-values, footnotes, and the last line."""

from __future__ import annotations

from collections.abc import Iterator

from abcompare.comparison import Comparison, Row
from abcompare.reporters.cells import visible
from abcompare.reporters.comparisons.names import cut_labels
from abcompare.reporters.comparisons.numbers import half_width, p_value, share

_MARKS = "*†‡§¶"
_ADJUSTMENTS = {
    "holm": "Holm-adjusted", "benjamini-hochberg": "Benjamini–Hochberg-adjusted",
}  # fmt: skip
_Family = tuple[str, str, int]


def rows_of(comparison: Comparison) -> Iterator[Row]:
    """Every row that has a place in a table, in order."""
    for scenario in comparison.scenarios:
        yield from scenario.metrics
    yield from comparison.overall


class Marks:
    """The mark of each family of tests: secondary metrics of a scenario, primary ones across scenarios, …"""

    def __init__(self, comparison: Comparison) -> None:
        found = (family_of(row) for row in rows_of(comparison))
        families = dict.fromkeys(one for one in found if one)
        self._marks = {one: _mark(at) for at, one in enumerate(sorted(families, key=lambda one: "secondary" not in one[1]))}
        self._alone = any(row.p is not None and family_of(row) is None for row in rows_of(comparison))
        self._alpha = comparison.alpha

    def test(self, row: Row) -> str:
        """The adjusted p-value of a row with the mark of its family; "" where nothing was tested."""
        p = row.p if row.p_adjusted is None else row.p_adjusted
        if p is None:
            return ""
        family = family_of(row)
        return p_value(p, self._alpha) + (self._marks[family] if family else "")

    def footnotes(self) -> Iterator[str]:
        """What each mark means, with the size of the family."""
        for (adjustment, family, size), mark in self._marks.items():
            how = _ADJUSTMENTS.get(adjustment.lower(), f"{visible(adjustment)}-adjusted")
            yield f"{mark} {how} over {size} {visible(family)}."
        if self._alone:
            yield "A p without a mark is a family of one test: not adjusted."


def _mark(at: int) -> str:
    return _MARKS[at] if at < len(_MARKS) else f"[{at + 1}]"


def family_of(row: Row) -> _Family | None:
    """The family of a row's test: adjustment, name and size; None for a test that stands alone."""
    if row.p is None or (row.family_size or 1) < 2:
        return None
    return row.adjustment or "not", row.family or "tests", row.family_size or 0



def footnotes(comparison: Comparison, marks: Marks) -> Iterator[str]:
    """The footnotes that the tables need, each once."""
    for label in cut_labels(comparison):
        yield f"Label in full: {label}"
    yield from marks.footnotes()
    centres = [side for row in rows_of(comparison) for side in (row.base, row.new)]
    if any(half_width(side) is not None for side in centres):
        yield "± is the 95 % CI half-width of the geometric mean, not a standard deviation; intervals are not adjusted."
    elif any(row.ratio_low is not None for row in rows_of(comparison)):
        yield "Intervals are not adjusted."
    if any(not side.supported and side.centre is not None for side in centres):
        yield "In parentheses: a percentile of fewer requests than it needs."


def outcome(comparison: Comparison) -> str:
    """The last line: the exit code, why, and what the gate can see."""
    reason = visible(comparison.exit_reason).rstrip(".")
    told = f"exit {comparison.exit_code}{f': {reason}' if reason else ''}"
    return f"{told}; {sight(comparison)}"


def sight(comparison: Comparison) -> str:
    """What the gate can see."""
    if comparison.gate_detects is None:
        return "this gate sees no loss of any size"
    if comparison.gate_passes_equal is not None:
        loss = share(comparison.gate_detects)
        return f"this gate stops a loss of {loss} in 95 % of cases (one-sided), and passes equal sides in {comparison.gate_passes_equal:.0%} of cases"
    return f"this gate finds a loss of {share(comparison.gate_detects)} or more in 80 % of cases"
