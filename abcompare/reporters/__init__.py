"""Reporters draw: an archive, a run or a comparison becomes text or bytes. They return, and never print.

Built-in reporters stand in a table, third parties' are entry points of the group `abcompare.reporters`. Comparisons
have reporters of their own, in `comparisons`.
"""

from __future__ import annotations

from importlib import import_module, metadata
from typing import Protocol

from abcompare.comparison import Comparison
from abcompare.errors import PluginError, UsageError
from abcompare.records import Archive, Run
from abcompare.reporters.style import Style

__all__ = ["Reporter", "Style", "formats", "render", "reporter"]

_REPORTERS = {
    "text": "abcompare.reporters.text:reporter",
    "markdown": "abcompare.reporters.markdown:reporter",
    "csv": "abcompare.reporters.separated:comma",
    "tsv": "abcompare.reporters.separated:tab",
    "json": "abcompare.reporters.json:document",
    "ndjson": "abcompare.reporters.json:lines",
    "ab": "abcompare.reporters.ab_text:reporter",
    "wrk": "abcompare.reporters.wrk_text:reporter",
}
_GROUP = "abcompare.reporters"


class Reporter(Protocol):
    """What draws: its name (`-f NAME`), the suffix of its files ("" for none), and how it renders."""

    @property
    def name(self) -> str:
        """The format's name."""

    @property
    def suffix(self) -> str:
        """The suffix of files of this format."""

    def render(self, document: Archive | Run, style: Style) -> str | bytes:
        """The document, drawn."""


def render(document: Archive | Run | Comparison, format: str = "text", style: Style | None = None) -> str | bytes:
    """An archive, one run in full, or a comparison, in a format: text, or bytes of UTF-8.

    Raises UsageError for a format that is unknown, or not one of comparisons.
    """
    if isinstance(document, Comparison):
        from abcompare.reporters.comparisons import render_comparison

        return render_comparison(document, format, style)
    return reporter(format).render(document, style or Style())


def reporter(name: str) -> Reporter:
    """The reporter of that name. Raises UsageError when there is none, PluginError when it does not load."""
    if name in _REPORTERS:
        module, _, attribute = _REPORTERS[name].partition(":")
        found: Reporter = getattr(import_module(module), attribute)
        return found
    for entry in metadata.entry_points(group=_GROUP, name=name):
        origin = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown distribution"
        try:
            loaded: Reporter = entry.load()
        except Exception as error:
            hint = f"from {origin}: update or remove it"
            raise PluginError(f"the reporter {name} does not load: {error}", hint=hint) from error
        return loaded
    raise UsageError(f"there is no format {name!r}", hint=f"known: {', '.join(formats())}")


def formats() -> list[str]:
    """The names of all formats, built in and third parties'."""
    return [*_REPORTERS, *(entry.name for entry in metadata.entry_points(group=_GROUP) if entry.name not in _REPORTERS)]
