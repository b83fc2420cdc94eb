"""The one table renderer: columns of visible text, fitted to a width, drawn by tabulate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from abcompare.reporters.cells import for_markdown
from abcompare.reporters.style import Role, Style

_GAP = 2  # blanks between columns
_CUT = "…"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title and cells.

    `right` aligns numbers; `least` is the width that it may be cut to (0: never), at its start with `keep_end`;
    where the table is too wide, columns of the highest `rank` are left out first (0: never); `wrap` breaks long
    cells into lines; `roles` colour the cells of a terminal, one by one, where there are any.
    """

    title: str
    cells: Sequence[str] = field(default_factory=list)
    right: bool = False
    least: int = 0
    keep_end: bool = False
    rank: int = 0
    wrap: bool = False
    roles: Sequence[Role | None] = ()

    @property
    def width(self) -> int:
        """The width of the widest cell, in characters."""
        return max(len(self.title), *(len(cell) for cell in self.cells), 0)

    @property
    def narrowest(self) -> int:
        """The width that it can be cut to."""
        return min(self.width, max(self.least, len(self.title))) if self.least or self.wrap else self.width

    def painted(self, style: Style) -> Sequence[str]:
        """The cells in the colours of their roles."""
        if not self.roles:
            return self.cells
        return [style.paint(cell, role) if role else cell for cell, role in zip(self.cells, self.roles, strict=True)]

    def cut(self, width: int) -> Column:
        """The column with no cell wider than `width`."""
        return replace(self, cells=[_shortened(cell, width, self.keep_end) for cell in self.cells])


def as_text(columns: Sequence[Column], style: Style) -> str:
    """The table for a terminal; a line below says which columns were left out for want of width."""
    kept = [column for column in columns if any(column.cells)]
    if style.width is None:
        return _drawn(kept, style, "plain", [column.width for column in kept])
    fitting = _fitting(kept, style.width)
    limits = _limits(fitting, style.width)
    cut = [one if one.wrap else one.cut(limit) for one, limit in zip(fitting, limits, strict=True)]
    left_out = [column.title for column in kept if column not in fitting]
    note = f"\n(left out for want of width: {', '.join(left_out)})" if left_out else ""
    return _drawn(cut, style, "plain", limits) + note


def width_of(columns: Sequence[Column]) -> int:
    """The width of the table where nothing is cut, in characters."""
    widths = [column.width for column in columns if any(column.cells)]
    return sum(widths) + _GAP * (len(widths) - 1) if widths else 0


def as_markdown(columns: Sequence[Column]) -> str:
    """The table as Markdown, every cell escaped."""
    kept = [column for column in columns if any(column.cells)]
    escaped = [
        replace(column, title=for_markdown(column.title), cells=[for_markdown(cell) for cell in column.cells])
        for column in kept
    ]
    return _drawn(escaped, Style(), "pipe", None)


def _drawn(columns: Sequence[Column], style: Style, kind: str, limits: list[int] | None) -> str:
    from tabulate import tabulate

    if not columns:
        return ""
    titles = [style.paint(column.title, "title") for column in columns]
    rows = list(zip(*(column.painted(style) for column in columns), strict=True))
    if kind == "plain":  # as rows, for tabulate makes columns wider than their heads
        rows = [tuple(titles), tuple("-" * width for width in limits or ()), *rows]
    wraps = [limit if column.wrap else None for column, limit in zip(columns, limits or (), strict=False)]
    drawn: str = tabulate(
        rows,
        headers=() if kind == "plain" else titles,
        tablefmt=kind,
        disable_numparse=True,
        colalign=["right" if column.right else "left" for column in columns],
        maxcolwidths=wraps if any(wraps) else None,
    )
    return "\n".join(line.rstrip() for line in drawn.splitlines())


def _fitting(columns: Sequence[Column], width: int) -> list[Column]:
    """The columns without those that have to go for the others to fit, be they cut."""
    kept = list(columns)
    while sum(one.narrowest + _GAP for one in kept) - _GAP > width:
        droppable = [one for one in kept if one.rank]
        if not droppable:
            break
        kept.remove(max(droppable, key=lambda one: one.rank))
    return kept


def _limits(columns: Sequence[Column], width: int) -> list[int]:
    """The width of each column: the widest of those that can be cut give first."""
    limits = [column.width for column in columns]
    excess = sum(limits) + _GAP * (len(columns) - 1) - width
    while excess > 0:
        spare = [limit - column.narrowest for column, limit in zip(columns, limits, strict=True)]
        widest = max(range(len(columns)), key=lambda at: (spare[at] > 0, limits[at]))
        if spare[widest] <= 0:
            break
        limits[widest] -= 1
        excess -= 1
    return limits


def _shortened(text: str, width: int, keep_end: bool) -> str:
    if len(text) <= width:
        return text
    return _CUT + text[len(text) - width + 1 :] if keep_end else text[: width - 1] + _CUT
