"""What things are called: metrics, scenarios, sides and verdicts, as visible text."""

from __future__ import annotations

from typing import Any

from abcompare.comparison import Comparison, Failures, Row, Scenario
from abcompare.metrics import percentile_of
from abcompare.reporters.cells import visible

_MOST = 24  # characters of a label at the head of a column
_FEW = 8  # where there is little room
_KINDS = {"failed": "failed", "length": "other length", "non_2xx": "non-2xx"}


def metric_name(name: str) -> str:
    """`latency.p99` → "p99", `latency.max` → "max", `latency.mean` → "latency mean"."""
    family, _, statistic = name.partition(".")
    if family == "latency" and (percentile_of(name) is not None or statistic in ("max", "min", "median")):
        return visible(statistic)
    return visible(name.replace(".", " "))


def kind_name(failures: Failures) -> str:
    """What is counted: "failed", "other length", "non-2xx"."""
    return _KINDS[failures.kind]


def load_name(key: dict[str, Any]) -> str:
    """A scenario's key for people: "/a.zip c=10", "POST /form c=50 keep-alive body=120 B"; GET and nulls go unsaid."""
    told: list[str] = []
    for path, value in key.items():
        name = path.removeprefix("load.").removeprefix("target.")
        if value is not None and not (name == "method" and value == "GET"):
            told.append(_fact(name, value))
    return visible(" ".join(filter(None, told))) or "all runs"


def _fact(name: str, value: Any) -> str:
    if name in ("method", "path"):
        return str(value)
    if name == "concurrency":
        return f"c={value}"
    if name == "keep_alive":
        return "keep-alive" if value else ""
    if name == "request_body_bytes":
        return f"body={value:,} B" if value else ""
    if name == "mode":
        return "" if value == "count" else f"by {value}"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"{name}={text}"


def load_names(scenarios: tuple[Scenario, ...]) -> list[str]:
    """The names of all scenarios; what tells two loads apart is said of both."""
    names = [load_name(one.key) for one in scenarios]
    by_name: dict[str, set[str]] = {}
    for name, one in zip(names, scenarios, strict=True):
        by_name.setdefault(name, set()).add(repr(one.key))
    return [
        visible(" ".join(f"{key.rpartition('.')[2]}={value}" for key, value in one.key.items()))
        if len(by_name[name]) > 1 else name
        for name, one in zip(names, scenarios, strict=True)
    ]  # fmt: skip


def side_title(label: str, n: int) -> str:
    """The head of a side's column, "aio on (n=5)"; a long label is cut."""
    plain = visible(label)
    return f"{plain if len(plain) <= _MOST else plain[: _MOST - 1] + '…'} (n={n})"


def brief(label: str) -> bool:
    """Whether a label has room at the head of a column of a narrow table."""
    return len(visible(label)) <= _FEW


def cut_labels(comparison: Comparison) -> list[str]:
    """The labels that columns have no room for, in full."""
    labels = [comparison.base.label, *(one.label for one in comparison.new)]
    return [visible(one) for one in labels if len(visible(one)) > _MOST]


def verdict_name(row: Row) -> str:
    """The verdict as it stands in the JSON; "" for a row that is only shown."""
    return f"{row.verdict or ''}{', size uncertain' if row.size_uncertain else ''}"
