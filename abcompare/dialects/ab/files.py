"""The files that ab writes beside its report: -e (percentiles, CSV) and -g (every request, TSV); formats.md 1.5."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from abcompare.blocks import Block, Reading
from abcompare.dialects.draft import Draft
from abcompare.metrics import quantity
from abcompare.records import Finding, Load, Run, Target, Tool

QUANTILE_METHOD = "ab-e-index"  # sorted[int(0.5 + n·i/100)]
_PAIR = re.compile(r"(?<![\d.])(\d{1,3}),(-?\d{1,12}(?:\.\d{1,9})?(?:e[+-]\d{1,2})?)(?![\d.])")
_SAMPLE = re.compile(r"\d{1,2}:\d{2}:\d{2}\s+\d{1,4}\s+(\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)")


@dataclass(frozen=True, slots=True)
class Quantiles:
    """A -e file: the printed milliseconds of 0 to 99 or 100 percent."""

    block: Block
    rows: tuple[tuple[int, str], ...]

    @property
    def path(self) -> str:
        """The file that it stands in."""
        return self.block.path

    def attach(self, run: Run) -> Run | None:
        """`run` with these quantiles in its series, where they agree with its table of percentiles."""
        own = {percent: run.value(f"latency.p{percent}") for percent in (50, 66, 75, 80, 90, 95, 98, 99, 100)}
        printed = {percent: quantity(text, "ms") for percent, text in self.rows}
        shared = [percent for percent, value in own.items() if value is not None and percent in printed]
        complete = run.value("requests.complete")
        usable = self._usable(complete)
        # The two tables index differently, so a quantile may be a neighbour's: its value lies between neighbours.
        agree = [
            percent for percent in shared if percent in usable
            and printed.get(percent - 1, 0) - 0.0011 <= (own[percent] or 0) <= printed.get(min(percent + 1, max(usable)), 1e9) + 0.0011
        ]
        if run.tool.name != "ab" or len(shared) < 5 or len(agree) < len([one for one in shared if one in usable]):
            return None
        series = dict(run.series or {})
        series["latency.quantiles"] = {
            "method": QUANTILE_METHOD, "unit": "s", "percent": usable, "value": [printed[percent] for percent in usable],
        }
        findings = run.findings
        if len(usable) < len(printed):
            dropped = len(printed) - len(usable)
            findings = (*findings, Finding(
                "AB-E-PAST-END", "corrected", f"ab -e reads past its {complete} samples in the last {dropped} rows: they are left out",
                line=self.block.line(0), path=self.block.path,
            ))
        return msgspec.structs.replace(run, series=series, findings=findings)

    def _in_order(self) -> list[int]:
        """The percents before the first row that falls or is above the last request's, and 100: the rest are no samples."""
        printed = [(percent, quantity(text, "ms")) for percent, text in sorted(self.rows)]
        most = next((value for percent, value in printed if percent == 100), float("inf"))
        usable: list[int] = []
        before = 0.0
        for percent, value in printed:
            if percent < 100 and (value < before or value > most):
                return usable + [100 for last, _ in printed[-1:] if last == 100]
            usable.append(percent)
            before = value
        return usable

    def _usable(self, complete: int | float | None) -> list[int]:
        """The percents whose row is a sample: index int(0.5 + n·i/100) within the n samples; 0 and 100 are always."""
        percents = [percent for percent, _ in self.rows]
        if not complete:
            return percents
        return [percent for percent in percents if percent in (0, 100) or int(0.5 + complete * percent / 100) < complete]

    def alone(self) -> Reading:
        """A run of its own where the file stands whole; a finding where it is only a part."""
        rows = dict(self.rows)
        draft = Draft(self.block)
        if 99 not in rows:
            return draft.nothing("ab -e", f"{len(rows)} rows of percentiles without their report")
        usable = self._in_order()
        if len(usable) < len(self.rows):
            said = f"rows that fall show that ab -e read past its samples: the last {len(self.rows) - len(usable)} before 100 are left out"
            draft.find("AB-E-PAST-END", "corrected", said)
        for percent, text in self.rows:
            if percent in usable:
                draft.number(f"latency.p{percent}", text, unit="ms", base="s", method=QUANTILE_METHOD)
        draft.find("AB-FILE-ALONE", "info", "percentiles of ab -e without their report; parse both together to attach them")
        return draft.run(Tool("ab"), Target(), Load(), complete=True)


@dataclass(frozen=True, slots=True)
class Samples:
    """A -g file, reduced: counts of whole milliseconds, the first start (epoch seconds) and the number of requests."""

    block: Block
    requests: int
    first: float
    histograms: dict[str, list[tuple[float, int]]]

    @property
    def path(self) -> str:
        """The file that it stands in."""
        return self.block.path

    def attach(self, run: Run) -> Run | None:
        """`run` with these histograms, where count and largest time agree."""
        top = run.value("latency.p100")
        top = run.value("latency.max") if top is None else top
        if run.tool.name != "ab" or self.requests not in (run.value("requests.complete"), run.load.requests) or top != self.histograms["latency"][-1][0]:
            return None
        median = run.value("latency.median")
        if median is not None and not self._holds(float(median)):
            return None
        started = datetime.fromtimestamp(self.first, UTC).isoformat().replace("+00:00", "Z")
        return msgspec.structs.replace(run, histograms={**(run.histograms or {}), **self.histograms}, started_at=run.started_at or started)

    def _holds(self, median: float) -> bool:
        """Whether `median` is where the samples have theirs, to a millisecond."""
        seen = 0
        for value, count in self.histograms["latency"]:
            seen += count
            if seen * 2 >= self.requests:
                return median >= value - 0.0011 and (seen * 2 <= self.requests + 2 or median <= value + 0.0011)
        return False

    def alone(self) -> Reading:
        """A finding: a report is needed to know what was measured."""
        return Draft(self.block).nothing("ab -g", f"{self.requests} requests without their report; parse both together to attach them")


def quantiles(block: Block, text: str) -> Quantiles | None:
    """The rows of a -e file; None where there are none."""
    rows = tuple((int(found[1]), found[2]) for found in _PAIR.finditer(text) if int(found[1]) <= 100)
    return Quantiles(block, rows) if rows else None


def samples(block: Block, text: str) -> Samples | None:
    """The rows of a -g file as histograms of whole milliseconds; None where there are none.

    The epoch is in seconds, or in microseconds in 2.0.16–2.2.8 (formats.md 1.5).
    """
    counts: dict[str, Counter[int]] = {name: Counter() for name in ("connect", "processing", "latency", "waiting")}
    first, requests = float("inf"), 0
    for found in _SAMPLE.finditer(text):
        stamp, *times = (int(group) for group in found.groups())
        first = min(first, stamp / 1e6 if stamp > 10**12 else float(stamp))
        requests += 1
        for counter, value in zip(counts.values(), times, strict=True):
            counter[value] += 1
    if not requests:
        return None
    histograms = {name: [(value / 1000, count) for value, count in sorted(counter.items())] for name, counter in counts.items()}
    return Samples(block, requests, first, histograms)


