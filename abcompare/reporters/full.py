"""One run in full, as sections of rows: what text and Markdown draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from abcompare.records import Finding, Run
from abcompare.reporters.cells import meaning, number_of, value_of, visible
from abcompare.reporters.overview import source_of, tool_of
from abcompare.reporters.table import Column
from abcompare.reporters.words import in_words


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and below it named facts or a table."""

    title: str
    facts: list[tuple[str, str]] = field(default_factory=list)
    table: list[Column] = field(default_factory=list)


def sections(run: Run, *, explain: bool = False) -> Iterator[Section]:
    """All that a run holds, in reading order; what it does not hold has no line. `explain` adds what metrics mean."""
    yield Section(f"run {visible(run.id)}", list(_identity(run)))
    parts = (
        Section("target", list(_target(run))),
        Section("load", list(_load(run))),
        Section("measures", table=_measures(run, explain) if run.measures else []),
        Section("in words", table=_words(run) if explain and run.measures else []),
        Section("status codes", [(visible(code), f"{count:,}") for code, count in (run.status_codes or {}).items()]),
        Section("distributions", list(_distributions(run))),
        Section("host", [(visible(name), visible(str(value))) for name, value in (run.host or {}).items()]),
        Section("findings", table=_findings(run.findings) if run.findings else []),
    )
    yield from (part for part in parts if part.facts or part.table)


def _identity(run: Run) -> Iterator[tuple[str, str]]:
    revision = f" (revision {run.tool.revision})" if run.tool.revision else ""
    lines = f"–{run.source.last_line}" if run.source.last_line not in (None, run.source.first_line) else ""
    place = source_of(run.source.path, run.source.first_line)
    copies = ", ".join(source_of(path, line) for path, line in run.source.copies)
    yield "tool", visible(f"{tool_of(run)}{revision}")
    yield "source", f"{place}{lines}"
    yield from _given(
        ("copies", copies), ("label", run.label), ("command", run.command), ("started", run.started_at),
        ("order", run.order), ("block", run.block),
        ("incomplete", None if run.complete else "the run was stopped, or its report is cut"),
    )  # fmt: skip


def _target(run: Run) -> Iterator[tuple[str, str]]:
    target = run.target
    port = f":{target.port}" if target.port is not None else ""
    url = f"{target.scheme or 'http'}://{target.host}{port}{target.path or ''}" if target.host else target.path
    yield from _given(("URL", url), ("server", target.server_software))
    if target.tls:
        yield from _given(*((f"TLS {name.replace('_', ' ')}", value) for name, value in _fields(target.tls)))


_UNITS = {"duration_s": "s", "timeout_s": "s", "rate_per_s": "1/s", "request_body_bytes": "B", "requests": "1"}


def _load(run: Run) -> Iterator[tuple[str, str]]:
    for name, value in _fields(run.load):
        title = name.removesuffix("_per_s").removesuffix("_s").removesuffix("_bytes").replace("_", " ")
        if name == "headers":
            yield from ((f"header {visible(key)}", visible(text)) for key, text in value.items())
        elif isinstance(value, bool):
            yield title, "yes" if value else "no"
        elif name in _UNITS:
            yield title, number_of(value, _UNITS[name])
        else:
            yield title, visible(str(value))


def _measures(run: Run, explain: bool) -> list[Column]:
    names, measures = list(run.measures), list(run.measures.values())
    columns = [
        Column("metric", [visible(name) for name in names]),
        Column("value", [value_of(one) for one in measures], right=True),
        Column("printed", [visible(one.text) for one in measures], right=True, least=12),
        Column("method", [visible(one.method or "") for one in measures], rank=1),
    ]
    return [*columns, Column("meaning", [meaning(name) for name in names], least=30, wrap=True)] if explain else columns


def _words(run: Run) -> list[Column]:
    told = list(in_words(run))
    titles, texts = [title for title, _ in told], [text for _, text in told]
    return [Column("number", titles), Column("what it is", texts, least=30, wrap=True)] if told else []


def _distributions(run: Run) -> Iterator[tuple[str, str]]:
    for name, steps in (run.histograms or {}).items():
        yield visible(name), f"histogram: {sum(count for _, count in steps):,} samples in {len(steps):,} steps"
    for name, series in (run.series or {}).items():
        lists = series.values() if isinstance(series, dict) else [series]
        longest = max((len(one) for one in lists if isinstance(one, list)), default=0)
        yield visible(name), f"series of {longest:,} values" if longest else "series"


def _findings(findings: tuple[Finding, ...]) -> list[Column]:
    return [
        Column("severity", [one.severity for one in findings]),
        Column("code", [visible(one.code) for one in findings]),
        Column("line", [str(one.line or "") for one in findings], right=True),
        Column("what", [visible(one.message) for one in findings], least=30, wrap=True),
    ]


def _fields(record: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a record that say something."""
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if value is not None and value != {}:
            yield name, value


def _given(*facts: tuple[str, Any]) -> Iterator[tuple[str, str]]:
    """The facts that are known, as visible text."""
    yield from ((name, visible(str(value))) for name, value in facts if value not in (None, ""))
