"""A comparison for GitHub and the like: tables, lists, and whatever a log says stays text."""

from __future__ import annotations

from collections.abc import Iterator

from abcompare.comparison import Comparison
from abcompare.reporters.cells import for_markdown
from abcompare.reporters.comparisons.page import Block, page
from abcompare.reporters.style import Style
from abcompare.reporters.table import as_markdown


class Markdown:
    """The reporter."""

    name = "markdown"
    suffix = ".md"

    def render(self, document: Comparison, style: Style) -> str:
        """A heading and a table for each scenario, footnotes, and the outcome as the last line."""
        drawn = page(document, headed=True, verbose=style.verbose, quiet=style.quiet)
        parts = [part for block in drawn.blocks for part in _block(block)]
        notes = "\\\n".join(for_markdown(one) for one in drawn.footnotes)
        return "\n\n".join([*parts, *filter(None, [notes]), for_markdown(drawn.outcome)]) + "\n"


def _block(block: Block) -> Iterator[str]:
    if block.title:
        yield f"### {for_markdown(block.title)}"
    if block.table:
        yield as_markdown(block.table)
    listed = [f"- {for_markdown(name)}: {for_markdown(said)}" if name else f"- {for_markdown(said)}" for name, said in block.sentences]
    for name, one in block.findings:
        about = f" ({for_markdown(name)})" if name else ""
        listed.append(f"- {one.severity} `{_code(one.code)}`{about}: {for_markdown(one.message)}")
    if listed:
        yield "\n".join(listed)


def _code(text: str) -> str:
    """A finding's code between backticks, whatever a plug-in put into it."""
    return "".join(sign for sign in text if sign.isalnum() or sign in "-_.")


reporter = Markdown()
