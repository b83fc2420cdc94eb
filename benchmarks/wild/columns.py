"""The columns of an index, and how the value of each is read from a run."""

from __future__ import annotations

from collections.abc import Callable

from abcompare.records import Run

Cell = float | str | None
Get = Callable[[Run], Cell]


def _value(*names: str, scale: float = 1.0) -> Get:
    """The value of the first of these measures that is there."""

    def get(run: Run) -> Cell:
        found = [one for name in names if (one := run.value(name)) is not None]
        return found[0] * scale if found else None

    return get


def _printed_duration(run: Run) -> Cell:
    measure = run.measures.get("duration")
    return float(measure.text.replace(",", "")) if measure else None


def _document_length(run: Run) -> Cell:
    return "Variable" if run.load.variable_length else run.value("document_length")


def _version(run: Run) -> Cell:
    return " ".join(part for part in (run.tool.version, run.tool.revision) if part) or None


AB: dict[str, Get] = {
    "complete": _value("requests.complete"),
    "failed": _value("requests.failed"),
    "time_taken_s_printed": _printed_duration,
    "time_taken_s_true": _value("duration"),
    "rps": _value("throughput"),
    "document_length": _document_length,
    "concurrency": lambda run: run.load.concurrency,
    "mean_total_ms": _value("latency.mean", scale=1e3),
    "p50_ms": _value("latency.p50", scale=1e3),
    "p99_ms": _value("latency.p99", scale=1e3),
    "tool_version": _version,
}
WRK: dict[str, Get] = {
    "total_requests": _value("requests.complete"),
    "duration_s": _value("duration"),
    "rps": _value("throughput"),
    "lat_mean_ms": _value("latency.mean", scale=1e3),
    "lat_stdev_ms": _value("latency.sd", scale=1e3),
    "lat_max_ms": _value("latency.max", "latency.p100", scale=1e3),
    "p50_ms": _value("latency.p50", scale=1e3),
    "p99_ms": _value("latency.p99", scale=1e3),
    "connections": lambda run: run.load.concurrency,
    "threads": lambda run: run.load.threads,
    "errors.connect": _value("errors.connect"),
    "errors.read": _value("errors.read"),
    "errors.write": _value("errors.write"),
    "errors.timeout": _value("errors.timeout"),
    "non_2xx": _value("requests.non_2xx"),
}
GET = {"ab": AB, "wrk": WRK}
MEASURES_NOTHING = {"connections", "threads", "concurrency", "tool_version"}  # facts of the load alone make no run
KNOWN_FROM_COMMAND = {"connections", "threads", "concurrency"}
