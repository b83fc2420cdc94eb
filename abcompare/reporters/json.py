"""JSON and NDJSON: the archive itself, as `load` reads it back."""

from __future__ import annotations

from abcompare.archive import dump_lines, dumps
from abcompare.records import Archive, Run
from abcompare.reporters.style import Style


class Json:
    """The whole archive as one document."""

    name = "json"
    suffix = ".json"

    def render(self, document: Archive | Run, style: Style) -> bytes:
        """UTF-8; a run alone is an archive of one."""
        return dumps(_archive(document))


class Ndjson:
    """The runs, one a line."""

    name = "ndjson"
    suffix = ".ndjson"

    def render(self, document: Archive | Run, style: Style) -> bytes:
        """UTF-8; findings that belong to no run have no place here."""
        return dump_lines(_archive(document))


def _archive(document: Archive | Run) -> Archive:
    return Archive(runs=(document,)) if isinstance(document, Run) else document


document = Json()
lines = Ndjson()
