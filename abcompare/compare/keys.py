"""Keys of a record: `target.path`, `load.concurrency`, `label`, `latency.p99`, or a short alias (`path`, `c`, `p99`)."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from abcompare.errors import UsageError
from abcompare.metrics import metric
from abcompare.records import Load, Run, Source, Target, Tls, Tool

_ALIASES = {
    "tool": "tool.name",
    "c": "load.concurrency",
    "version": "tool.version",
    "revision": "tool.revision",
    "file": "source.path",
    "body": "load.request_body_bytes",
    "rate": "load.rate_per_s",
    "duration": "load.duration_s",
    "tls": "target.tls.protocol",
}
_ROOTS = ("label", "command", "started_at", "order", "block", "complete", "id")
_DERIVED = ("mode", "origin")
_RECORDS: dict[str, type[msgspec.Struct]] = {"load": Load, "target": Target, "tool": Tool, "source": Source}
_UNPREFIXED = ("load", "target")  # their fields are keys by themselves as well: path, concurrency
_HINT = "as in concurrency, path, server_software, label, p99; docs/keys.md lists them all"

# What makes a scenario: runs of the two sides that agree in all of these meet (cli.md).
SCENARIO = (
    "load.method", "target.path", "load.concurrency", "load.keep_alive", "mode", "load.request_body_bytes",
)  # fmt: skip
# What must agree besides, unless it is named as what is being compared (statistics.md 8).
ALIKE = ("tool.name", "load.threads", "target.tls.protocol", "load.rate_per_s", "document_length")
# What may differ from side to side; said where it does.
NAMED = (
    "tool.version", "target.scheme", "target.host", "target.port", "target.server_software", "load.http_version",
    "load.variable_length", "load.script", "load.duration_s", "load.requests",
)  # fmt: skip


def key(name: str) -> str:
    """The full path of a key. Raises UsageError for a name that is none."""
    name = name.strip()
    if name in _ROOTS or name in _DERIVED:
        return name
    if name in _ALIASES:
        return _ALIASES[name]
    found = _field(name)
    if found:
        return found
    known = metric(name)
    if known:
        return known.name
    raise UsageError(f"there is no key {name!r}", hint=_HINT)


def _field(name: str) -> str | None:
    """The full path of a field of the record; None for what is none, as requests.failed, which is a metric."""
    prefix, _, rest = name.partition(".")
    if prefix in _RECORDS and _has(_RECORDS[prefix], rest):
        return name
    return next((f"{prefix}.{name}" for prefix in _UNPREFIXED if _has(_RECORDS[prefix], name)), None)


def _has(record: type[msgspec.Struct], path: str) -> bool:
    """Whether a record has a field of this path. Headers and tls are not values, and their parts are."""
    name, dot, part = path.partition(".")
    if name not in record.__struct_fields__:
        return False
    if name == "tls":
        return part in Tls.__struct_fields__
    return bool(part) if name == "headers" else not dot


@cache
def _taken_apart(path: str) -> tuple[str | None, tuple[str, ...]]:
    """The metric that a key names, if it names one, and the parts of its path."""
    known = metric(path)
    return known.name if known else None, tuple(path.split("."))


def value(run: Run, path: str) -> Any:
    """The value of a key in a run; None where it is not known."""
    if path == "mode":
        return mode(run)
    if path == "origin":  # of an archived run and of its reruns: the archived one's id
        return (run.extra or {}).get("rerun_of", run.id)
    known, parts = _taken_apart(path)
    if known:
        return run.value(known)
    found: Any = run
    for part in parts:
        found = found.get(part) if isinstance(found, dict) else getattr(found, part, None)
        if found is None:
            return None
    return found


def mode(run: Run) -> str | None:
    """How the load was bounded: "rate", "duration" or "count"; None where nothing tells."""
    load = run.load
    if load.rate_per_s is not None:
        return "rate"
    if load.duration_s is not None:
        return "duration"
    return "count" if load.requests is not None else None


_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Condition:
    """A filter as typed, the key that it looks at, and whether a run meets it."""

    text: str
    path: str
    holds: Callable[[Run], bool]


def condition(text: str) -> Condition:
    """A filter "key=value"; also != < <= > >=. Raises UsageError."""
    found = re.fullmatch(r"\s*([\w.-]+)\s*(!=|<=|>=|=|<|>)\s*(.*?)\s*", text)
    if not found:
        raise UsageError(f"not a filter: {text!r}", hint="write key=value, as in concurrency=100")
    path, compare, wanted = key(found[1]), _COMPARE[found[2]], found[3]

    def holds(run: Run) -> bool:
        got = value(run, path)
        if got is None:
            return found[2] == "!=" if wanted else found[2] == "="
        if isinstance(got, bool):
            return bool(compare(str(got).lower(), wanted.lower().replace("yes", "true").replace("no", "false")))
        if isinstance(got, (int, float)):
            try:
                return bool(compare(float(got), float(wanted)))
            except ValueError:
                raise UsageError(f"{found[1]} is a number, and {wanted!r} is none") from None
        return bool(compare(str(got), wanted))

    return Condition(text, path, holds)
