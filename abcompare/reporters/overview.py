"""An archive as one table: a row a run, columns that are empty everywhere left out by the renderer."""

from __future__ import annotations

from abcompare.records import Archive, Run
from abcompare.reporters.cells import value_of, visible
from abcompare.reporters.table import Column

ID_LENGTH = 8  # as much of an id as tells the runs of most archives apart


def overview(archive: Archive) -> list[Column]:
    """The columns of the table of runs."""
    runs = archive.runs
    digits = _telling(runs)
    return [
        Column("label", [visible(run.label or "") for run in runs], least=8),
        Column("source", [_source(run) for run in runs], least=14, keep_end=True),
        Column("tool", [visible(tool_of(run)) for run in runs], least=6, rank=3),
        Column("command or target", [visible(_what(run)) for run in runs], least=17, rank=9),
        Column("C", [str(run.load.concurrency or "") for run in runs], right=True, rank=5),
        _measure("requests", "requests.complete", runs, 6),
        _measure("duration", "duration", runs, 7),
        _measure("throughput", "throughput", runs, 0),
        _measure("mean", "latency.mean", runs, 4),
        _measure("p50", "latency.p50", runs, 8),
        _measure("p99", "latency.p99", runs, 1),
        _measure("failed", "requests.failed", runs, 2),
        Column("errors", [_errors(run) for run in runs], right=True, rank=2),
        _measure("non-2xx", "requests.non_2xx", runs, 2),
        Column("findings", [str(len(run.findings) or "") for run in runs], right=True, rank=6),
        Column("note", ["" if run.complete else "incomplete" for run in runs], rank=2),
        Column("id", [visible(run.id)[:digits] for run in runs], rank=10),
    ]


def tool_of(run: Run) -> str:
    """The name and version of a run's tool."""
    return f"{run.tool.name} {run.tool.version}" if run.tool.version else run.tool.name


def source_of(path: str, line: int | None) -> str:
    """A place in an input, as messages write it."""
    return visible(f"{path}:{line}" if line else path)


def _source(run: Run) -> str:
    copies = f" ×{1 + len(run.source.copies)}" if run.source.copies else ""
    return source_of(run.source.path, run.source.first_line) + copies


def _what(run: Run) -> str:
    """The command line of a run; of one without, as engines make them, its URL, as far as it is known."""
    target = run.target
    if run.command or not (target.scheme and target.host):
        return run.command or target.path or target.host or ""
    host = f"[{target.host}]" if ":" in target.host else target.host
    port = "" if target.port in (None, {"http": 80, "https": 443}.get(target.scheme)) else f":{target.port}"
    return f"{target.scheme}://{host}{port}{target.path or ''}"


def _measure(title: str, name: str, runs: tuple[Run, ...], rank: int) -> Column:
    return Column(title, [value_of(run.measures.get(name)) for run in runs], right=True, rank=rank)


def _errors(run: Run) -> str:
    """The sum of the errors by kind, for a tool that prints no number of failed requests."""
    kinds = [one.value for name, one in run.measures.items() if name.startswith("errors.") and one.value is not None]
    return f"{sum(kinds):,}" if kinds and "requests.failed" not in run.measures else ""


def _telling(runs: tuple[Run, ...]) -> int:
    """How many digits of the ids tell the runs apart, ID_LENGTH at least."""
    ids = {run.id for run in runs}
    longest = max((len(one) for one in ids), default=ID_LENGTH)
    lengths = range(ID_LENGTH, longest)
    return next((length for length in lengths if len({one[:length] for one in ids}) == len(ids)), longest)
