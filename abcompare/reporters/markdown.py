"""For GitHub and the like: an archive as a table, a run in full; whatever a log says stays text."""

from __future__ import annotations

from abcompare.records import Archive, Run
from abcompare.reporters.cells import for_markdown
from abcompare.reporters.full import Section, sections
from abcompare.reporters.overview import overview
from abcompare.reporters.style import Style
from abcompare.reporters.table import as_markdown


class Markdown:
    """The reporter."""

    name = "markdown"
    suffix = ".md"

    def render(self, document: Archive | Run, style: Style) -> str:
        """The table of an archive's runs, or all of one run."""
        if isinstance(document, Run):
            return "\n".join(_drawn(one) for one in sections(document, explain=style.explain))
        return f"{as_markdown(overview(document))}\n" if document.runs else "no runs\n"


def _drawn(section: Section) -> str:
    facts = "".join(f"- {for_markdown(name)}: {for_markdown(value)}\n" for name, value in section.facts)
    table = f"{as_markdown(section.table)}\n" if section.table else ""
    return f"## {for_markdown(section.title)}\n\n{facts}{table}"


reporter = Markdown()
