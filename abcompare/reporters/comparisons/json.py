"""A comparison as JSON: the record itself, its format named first. Its schema is docs/abcompare.diff.schema.json."""

from __future__ import annotations

import msgspec

from abcompare.comparison import Comparison
from abcompare.reporters.style import Style

_FIRST = ("schema", "generator")


class Json:
    """The whole comparison as one document."""

    name = "json"
    suffix = ".json"

    def render(self, document: Comparison, style: Style) -> bytes:
        """UTF-8, two blanks of indentation; a number without bound is null."""
        names = (*_FIRST, *(name for name in document.__struct_fields__ if name not in _FIRST))
        ordered = {name: getattr(document, name) for name in names}
        return msgspec.json.format(msgspec.json.encode(ordered), indent=2) + b"\n"


reporter = Json()
