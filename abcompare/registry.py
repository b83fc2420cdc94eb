"""Names to dialects: the built-in ones in a literal table, third parties' by entry points. Nothing is imported early."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module, metadata
from typing import Protocol

from abcompare.blocks import Block, Claims, Reading
from abcompare.errors import PluginError
from abcompare.records import Finding, Load, Target

_DIALECTS = {
    "ab": "abcompare.dialects.ab:dialect",
    "wrk": "abcompare.dialects.wrk:dialect",
    "wrk2": "abcompare.dialects.wrk:wrk2",
}
_GROUP = "abcompare.dialects"


class Dialect(Protocol):
    """What a tool's module provides: its claims, and how its blocks and command lines are read."""

    @property
    def name(self) -> str:
        """The tool's name, as in `tool.name`."""

    @property
    def claims(self) -> Claims:
        """How the scanner finds its reports."""

    def parse(self, block: Block) -> Reading:
        """The run of a block; never raises for any text."""

    def load_of(self, argv: list[str]) -> Load:
        """The load of a command line of the tool, its words split."""

    def target_of(self, argv: list[str]) -> Target:
        """The URL of a command line of the tool, taken apart."""


@cache
def dialect(name: str) -> Dialect:
    """The dialect of that name. Raises PluginError when there is none, or when it does not load."""
    place = _DIALECTS.get(name)
    try:
        if place:
            module, _, attribute = place.partition(":")
            found: Dialect = getattr(import_module(module), attribute)
            return found
        for entry in _third_parties():
            if entry.name == name:
                loaded: Dialect = entry.load()
                return loaded
    except Exception as error:
        raise PluginError(f"the dialect {name} does not load: {error}", hint=_origin(name)) from error
    raise PluginError(f"there is no dialect {name}", hint=f"known: {', '.join(names())}")


def names() -> list[str]:
    """The names of all dialects, built in and third parties'."""
    return [*_DIALECTS, *(entry.name for entry in _third_parties() if entry.name not in _DIALECTS)]


@cache
def dialects() -> tuple[tuple[Dialect, ...], tuple[Finding, ...]]:
    """Every dialect that loads, and a finding for each that does not."""
    found, failed = [], []
    for name in names():
        try:
            found.append(dialect(name))
        except PluginError as error:
            failed.append(Finding("PLUGIN-FAILED", "error", f"{error.message} ({error.hint})"))
    return tuple(found), tuple(failed)


def _third_parties() -> Iterator[metadata.EntryPoint]:
    yield from metadata.entry_points(group=_GROUP)


def _origin(name: str) -> str:
    """The distribution that a plug-in comes from, for the message."""
    for entry in _third_parties():
        if entry.name == name and entry.dist is not None:
            return f"from {entry.dist.name} {entry.dist.version}: update or remove it"
    return "built in: this is a fault of abcompare"
