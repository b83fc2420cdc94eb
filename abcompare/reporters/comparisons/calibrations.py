"""Calibrations: how much a set-up varies from run to run, what that lets a comparison find, and whether it held still."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import msgspec

from abcompare.comparison import Calibration
from abcompare.metrics import metric
from abcompare.reporters import table
from abcompare.reporters.cells import for_markdown, number_of, visible
from abcompare.reporters.comparisons.names import load_name, metric_name
from abcompare.reporters.comparisons.numbers import share
from abcompare.reporters.style import Style
from abcompare.reporters.table import Column

_NOTE = (
    "CV: run-to-run variation of one configuration, from the sd of ln y. Detected: the change that 5 or 10 runs a side "
    "find in 80 % of cases."
)
_Known = dict[str, float | int | None]


def as_text(made: Sequence[Calibration], style: Style) -> str:
    """A table and a verdict on steadiness for each load."""
    blocks = []
    for one in made:
        lines = [style.paint(_title(one), "title"), table.as_text(_columns(one), style)]
        lines.append(f"  {style.paint(_steadiness(one), 'info' if one.steady else 'warning')}")
        lines += [f"  {said}" for said in _rounded(one)]
        blocks.append("\n".join(lines))
    return "\n\n".join([*blocks, _NOTE]) + "\n"


def as_markdown(made: Sequence[Calibration], style: Style) -> str:
    """The same as headings, tables and lists."""
    return "\n\n".join(_parts(made)) + "\n"


def _parts(made: Sequence[Calibration]) -> Iterator[str]:
    for one in made:
        yield f"### {for_markdown(_title(one))}"
        yield table.as_markdown(_columns(one))
        yield "\n".join(f"- {for_markdown(said)}" for said in (_steadiness(one), *_rounded(one)))
    yield _NOTE


def as_json(made: Sequence[Calibration], style: Style) -> bytes:
    """A list of calibrations, as `diff --calibration` reads it."""
    return msgspec.json.format(msgspec.json.encode(list(made)), indent=2) + b"\n"


def _title(one: Calibration) -> str:
    host = f" on {visible(one.host)}" if one.host else ""
    made_at = f", {visible(one.made_at)}" if one.made_at else ""
    return f"{load_name(one.key)}{host} ({len(one.runs)} runs{made_at})"


def _steadiness(one: Calibration) -> str:
    return f"{'steady' if one.steady else 'not steady'}: {visible(one.reason)}"


def _rounded(one: Calibration) -> Iterator[str]:
    """The metrics of which every run printed the same: nothing of their variation was seen but the rounding."""
    alike = [metric_name(name) for name, known in one.metrics.items() if known.get("distinct") == 1]
    if alike:
        yield f"{', '.join(alike)}: the same in all {len(one.runs)} runs, so the CV is that of rounding alone; a tool that prints more digits shows the noise"


def _columns(one: Calibration) -> list[Column]:
    known = list(one.metrics.values())
    return [
        Column("metric", [metric_name(name) for name in one.metrics]),
        Column("centre", [_centre(name, of) for name, of in one.metrics.items()], right=True, rank=2),
        Column("CV", [_cv(of.get("sd")) for of in known], right=True),
        Column("95 % CI", [_bounds(of) for of in known], rank=1),
        Column("5 a side detect", [_least(of.get("detectable_5")) for of in known], right=True),
        Column("10 a side detect", [_least(of.get("detectable_10")) for of in known], right=True),
    ]


def _centre(name: str, known: _Known) -> str:
    found, value = metric(name), known.get("centre")
    return "" if value is None else number_of(value, found.unit if found else "1")


def _cv(sd: float | None) -> str:
    """The sd of ln y as a coefficient of variation: √(exp(sd²) − 1)."""
    return "" if sd is None else share(math.sqrt(math.expm1(sd * sd)), 3) if sd < 20 else share(math.inf)


def _bounds(known: _Known) -> str:
    low, high = known.get("sd_low"), known.get("sd_high")
    return "" if low is None or high is None else f"[{_cv(low)}, {_cv(high)}]"


def _least(change: float | None) -> str:
    return "" if change is None else f"≥ {share(change)}"
