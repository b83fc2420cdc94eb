"""For a terminal: an archive as a table, a run in full."""

from __future__ import annotations

from abcompare.records import Archive, Run
from abcompare.reporters.full import Section, sections
from abcompare.reporters.overview import overview
from abcompare.reporters.style import Style
from abcompare.reporters.table import as_text

_INDENT = "  "


class Text:
    """The reporter."""

    name = "text"
    suffix = ".txt"

    def render(self, document: Archive | Run, style: Style) -> str:
        """The table of an archive's runs, or all of one run."""
        if isinstance(document, Run):
            return "\n".join(_drawn(one, style) for one in sections(document, explain=style.explain))
        return f"{as_text(overview(document), style)}\n" if document.runs else "no runs\n"


def _drawn(section: Section, style: Style) -> str:
    widest = max((len(name) for name, _ in section.facts), default=0)
    lines = [f"{name:<{widest}}{_INDENT}{value}" for name, value in section.facts]
    if section.table:
        inner = Style(None if style.width is None else style.width - len(_INDENT), style.color)
        lines += as_text(section.table, inner).splitlines()
    body = "".join(f"{_INDENT}{line}\n" for line in lines)
    return f"{style.paint(section.title, 'title')}\n{body}"


reporter = Text()
