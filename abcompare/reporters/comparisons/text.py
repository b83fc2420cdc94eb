"""A comparison for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import partial

from abcompare.comparison import Comparison
from abcompare.records import Finding
from abcompare.reporters.cells import visible
from abcompare.reporters.comparisons.page import Block, Page, page
from abcompare.reporters.style import Style
from abcompare.reporters.table import as_text, width_of

_INDENT = "  "
_NO_BREAK = "\u00a0"
_LEAST = 40  # below this width sentences are not wrapped


class Text:
    """The reporter."""

    name = "text"
    suffix = ".txt"

    def render(self, document: Comparison, style: Style) -> str:
        """A table a scenario, footnotes, and the outcome as the last line."""
        drawn = _page(document, style)
        blocks = ["\n".join(_block(one, style)) for one in drawn.blocks]
        notes = "\n".join(_wrapped(one, style, "") for one in drawn.footnotes)
        last = style.paint(drawn.outcome, "worse") if document.exit_code == 1 else drawn.outcome
        return "\n\n".join([*blocks, *filter(None, [notes]), last]) + "\n"


def _page(comparison: Comparison, style: Style) -> Page:
    """The page that fits the terminal: the ± gives way first, then the loads move out of the tables' heads."""
    drawing = partial(page, comparison, verbose=style.verbose, quiet=style.quiet)
    drawn = drawing(headed=False)
    if style.width is not None and not _fits(drawn, style.width):
        drawn = drawing(headed=False, spread=False)
        if not _fits(drawn, style.width):
            drawn = drawing(headed=True, spread=False, narrow=True)
    return drawn


def _fits(drawn: Page, width: int) -> bool:
    """Whether every table fits as it is, but for the column that tells which direction is better."""
    return all(width_of([column for column in one.table if column.title != "better"]) <= width for one in drawn.blocks)


def _block(block: Block, style: Style) -> Iterator[str]:
    if block.title:
        yield style.paint(block.title, "title")
    if block.table:
        yield as_text(block.table, style)
    for name, said in block.sentences:
        yield _wrapped(f"{name}: {said}" if name else said, style, _INDENT)
    for name, finding in block.findings:
        yield _found(name, finding, style)


def _found(name: str, finding: Finding, style: Style) -> str:
    about = f" ({name})" if name else ""
    line = _wrapped(f"{finding.severity} {visible(finding.code)}{about}: {visible(finding.message)}", style, _INDENT)
    start = len(_INDENT) + len(finding.severity)
    return _INDENT + style.paint(finding.severity, finding.severity) + line[start:]


def _wrapped(text: str, style: Style, indent: str) -> str:
    """`text` on as many lines as the width asks for; those after the first stand further in."""
    if style.width is None or style.width < _LEAST:
        return indent + text
    filled = textwrap.fill(
        text.replace(" %", f"{_NO_BREAK}%"), style.width, initial_indent=indent, subsequent_indent=indent + _INDENT,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return filled.replace(_NO_BREAK, " ")


reporter = Text()
