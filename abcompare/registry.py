"""Names to dialects and engines: built-in ones in literal tables, third parties' by entry points. Nothing is imported early."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module, metadata
from typing import Any, Protocol, TypeVar

from abcompare.blocks import Block, Claims, Reading
from abcompare.errors import PluginError, UsageError
from abcompare.jobs import Engine, Invocation, Job
from abcompare.records import Finding, Load, Target

_DIALECTS = {
    "ab": "abcompare.dialects.ab:dialect",
    "wrk": "abcompare.dialects.wrk:dialect",
    "wrk2": "abcompare.dialects.wrk:wrk2",
}
_ENGINES = {
    "curl": "abcompare.engines.curl:engine",
    "ab": "abcompare.engines.native:ab",
    "wrk": "abcompare.engines.native:wrk",
    "wrk2": "abcompare.engines.native:wrk2",
    "fake": "abcompare.engines.fake:engine",
}

Plugin = TypeVar("Plugin")


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


class Runnable(Dialect, Protocol):
    """A dialect whose tool can be run as well as read, which makes it an engine (`abcompare.engines.native`)."""

    @property
    def capabilities(self) -> frozenset[str]:
        """What the tool can do, in the words of `Engine.capabilities`."""

    def invocation(self, job: Job) -> Invocation:
        """The call of the tool that makes a job; raises EngineError for what the tool cannot do."""


@cache
def dialect(name: str) -> Dialect:
    """The dialect of that name. Raises PluginError when there is none, or when it does not load."""
    found: Dialect | None = _loaded("dialect", _DIALECTS, name)
    if found is None:
        raise PluginError(f"there is no dialect {name}", hint=f"known: {', '.join(names())}")
    return found


def runnable(name: str) -> Runnable:
    """The dialect of that name, if its tool can be run. Raises PluginError when there is none, or when it only reads."""
    found: Any = dialect(name)
    if not hasattr(found, "invocation"):
        raise PluginError(f"the dialect {name} reads what its tool prints, and cannot run it", hint=f"known engines: {', '.join(engine_names())}")
    ready: Runnable = found
    return ready


def names() -> list[str]:
    """The names of all dialects, built in and third parties'."""
    return _names("dialect", _DIALECTS)


@cache
def dialects() -> tuple[tuple[Dialect, ...], tuple[Finding, ...]]:
    """Every dialect that loads, and a finding for each that does not."""
    found, failed = [], []
    for name in names():
        try:
            found.append(dialect(name))
        except PluginError as error:
            failed.append(_unloadable(error))
    return tuple(found), tuple(failed)


def engine(name: str) -> Engine:
    """The engine of that name. Raises UsageError when there is none, PluginError when it does not load."""
    found: Engine | None = _loaded("engine", _ENGINES, name)
    if found is None:
        raise UsageError(f"there is no engine {name!r}", hint=f"known: {', '.join(engine_names())}")
    return found


def engine_names() -> list[str]:
    """The names of all engines, built in and third parties'."""
    return _names("engine", _ENGINES)


def third_parties(kind: str, what: type[Plugin]) -> tuple[list[Plugin], list[Finding]]:
    """What third parties provide of a kind ("rule"), and a finding for each plug-in that does not load or is something else."""
    found, failed = list[Plugin](), []
    for name in _names(kind, {}):
        try:
            loaded = _loaded(kind, {}, name)
            if not isinstance(loaded, what):
                raise PluginError(f"the {kind} {name} is of type {type(loaded).__name__}, and no {what.__name__}", hint=_origin(kind, name))
            found.append(loaded)
        except PluginError as error:
            failed.append(_unloadable(error))
    return found, failed


def _unloadable(error: PluginError) -> Finding:
    return Finding("PLUGIN-FAILED", "error", f"{error.message} ({error.hint})")


def _loaded(kind: str, places: dict[str, str], name: str) -> Any:
    """The object of that name, built in or a third party's; None when there is none. Raises PluginError."""
    try:
        if name in places:
            module, _, attribute = places[name].partition(":")
            return getattr(import_module(module), attribute)
        for entry in _third_parties(kind):
            if entry.name == name:
                return entry.load()
    except Exception as error:
        raise PluginError(f"the {kind} {name} does not load: {error}", hint=_origin(kind, name)) from error
    return None


def _names(kind: str, places: dict[str, str]) -> list[str]:
    return [*places, *(entry.name for entry in _third_parties(kind) if entry.name not in places)]


def _third_parties(kind: str) -> Iterator[metadata.EntryPoint]:
    yield from metadata.entry_points(group=f"abcompare.{kind}s")


def _origin(kind: str, name: str) -> str:
    """The distribution that a plug-in comes from, for the message."""
    for entry in _third_parties(kind):
        if entry.name == name and entry.dist is not None:
            return f"from {entry.dist.name} {entry.dist.version}: update or remove it"
    return "built in: this is a fault of abcompare"
