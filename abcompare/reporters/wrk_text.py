"""A run as wrk would print it (formats.md 2.1–2.2), one of wrk2 with its histograms: read again, it is the same run.

What the run does not have is not printed. A run of another tool begins with a line that says whose it is; a run with
nothing that wrk prints is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from abcompare.errors import UsageError
from abcompare.metrics import percentile_of
from abcompare.records import GENERATOR, Archive, Run
from abcompare.reporters.cells import MOST, visible
from abcompare.reporters.overview import tool_of
from abcompare.reporters.style import Style
from abcompare.reporters.wrk_spectrum import in_part, whole
from abcompare.reporters.wrk_units import in_column, measure_text, planned_text

_HEADER = "  Thread Stats   Avg      Stdev     {}   +/- Stdev"
_CALIBRATED = re.compile(r"mean latency (\S+?)(?: to (\S+?))?, sampling interval (\S+?)(?: to (\S+?))?;")
_ROWS = {"Latency": "latency", "Req/Sec": "interval_throughput"}
_WIDTHS = (8, 10, 9, 9)
_HDR = {
    "latency": "HdrHistogram - Recorded Latency",
    "uncorrected_latency": "HdrHistogram - Uncorrected Latency (measured without taking delayed starts into account)",
}
_ERRORS = ("connect", "read", "write", "timeout")
_PORTS = {"http": 80, "https": 443}


class Wrk:
    """The reporter."""

    name = "wrk"
    suffix = ""

    def render(self, document: Archive | Run, style: Style) -> str:
        """The report of a run, or of all of an archive's, a blank line between two. Raises UsageError."""
        runs = (document,) if isinstance(document, Run) else document.runs
        return "\n".join(_Report(run).text() for run in runs)


class _Report:
    """One report in the making."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.own = run.tool.name in ("wrk", "wrk2")
        self.hdr = run.tool.name == "wrk2"
        self.third = self._third()

    def _third(self) -> str:
        """The third column of the table: the maximum, or a percentile that a fork prints in its place."""
        rates = [name.partition(".")[2] for name in self.run.measures if name.startswith("interval_throughput.p")]
        return rates[0] if rates and "interval_throughput.max" not in self.run.measures else "max"

    def text(self) -> str:
        """The report."""
        measured = [*self._rows(), *self._distributions(), *self._totals()]
        if not measured:
            raise UsageError(f"run {visible(self.run.id)} has nothing that wrk prints: no requests, rates or times")
        return "".join(f"{line}\n" for line in (*self._preface(), *self._head(), *measured))

    def _printed(self, name: str) -> str | None:
        text = measure_text(self.run.measures.get(name), self.own)
        return None if text is None else visible(text)

    def _preface(self) -> Iterator[str]:
        if not self.own:
            yield f"# measured by {visible(tool_of(self.run))}, printed in wrk's layout by {GENERATOR}"
            return
        if self.run.command:
            yield f"$ {visible(self.run.command)}"
        if self.run.tool.version:
            yield f"wrk {visible(self.run.tool.version)} [epoll] Copyright (C) 2012 Will Glozer"

    def _head(self) -> Iterator[str]:
        load = self.run.load
        url = self._url()
        if url and load.duration_s is not None and abs(load.duration_s) < MOST:
            yield f"Running {planned_text(load.duration_s)} test @ {url}"
        elif url and load.requests is not None:
            yield f"Making {load.requests} requests to {url}"
        if load.threads is not None and load.concurrency is not None:
            yield f"  {load.threads} threads and {load.concurrency} connections"
        for finding in self.run.findings:
            if finding.code == "WRK2-CALIBRATION" and (found := _CALIBRATED.search(finding.message)):
                low, high, least, most = map(visible, found.groups(""))
                yield f"  Thread calibration: mean lat.: {low}, rate sampling interval: {least}"
                if high or most:
                    yield f"  Thread calibration: mean lat.: {high or low}, rate sampling interval: {most or least}"

    def _url(self) -> str:
        target = self.run.target
        if not target.host:
            return ""
        port = "" if target.port in (None, _PORTS.get(target.scheme or "http")) else f":{target.port}"
        host = f"[{target.host}]" if ":" in target.host else target.host
        return visible(f"{target.scheme or 'http'}://{host}{port}{target.path or ''}")

    # -- what was measured -------------------------------------------------------------------------------------------

    def _rows(self) -> list[str]:
        rows = [f"    {label:<10}{cells}" for label, family in _ROWS.items() if (cells := self._row(family))]
        third = "Max" if self.third == "max" else f"{self.third[1:]}%"
        return [_HEADER.format(visible(third)), *rows] if rows else []

    def _row(self, family: str) -> str:
        """The columns up to the first that is not there."""
        cells = []
        for column, width in zip(("mean", "sd", self.third, "within_sd"), _WIDTHS, strict=True):
            name = f"{family}.{column}"
            text = self._printed(name)
            if text is None or self._of_footer(name):
                break
            cells.append(text.rjust(width) if column == "within_sd" else in_column(text, width))
        return "".join(cells).rstrip() if cells else ""

    def _of_footer(self, name: str) -> bool:
        """Whether a time was printed below a histogram, in ms without a unit, and not in the table."""
        measure = self.run.measures.get(name)
        return self.hdr and measure is not None and measure.unit == "s" and measure.text[-1:].isdigit()

    def _distributions(self) -> Iterator[str]:
        for family, title in _HDR.items() if self.hdr else (("latency", ""),):
            steps = self._percentiles(family)
            if steps:
                yield f"  Latency Distribution{f' ({title})' if title else ''}"
                yield from steps
            if self.hdr:
                yield from self._spectrum(family)
                yield from self._footers(family)

    def _percentiles(self, family: str) -> list[str]:
        """A line for each; none when the only one stands in the table."""
        lines = {}
        for name in self.run.measures:
            percent = percentile_of(name) if name.startswith(f"{family}.") else None
            text = None if percent is None else self._printed(name)
            if text is not None:
                step = f"{percent:7.3f}%" if self.hdr else f"{percent:7g}%"
                lines[name] = f"{step}{in_column(text, 10)}"
        return [] if list(lines) == [f"{family}.{self.third}"] else list(lines.values())

    def _spectrum(self, family: str) -> Iterator[str]:
        steps = (self.run.histograms or {}).get(family)
        if not steps:
            return
        yield from ("", "  Detailed Percentile spectrum:")
        yield from ("       Value   Percentile   TotalCount 1/(1-Percentile)", "")
        lost = any(one.code == "WRK2-SPECTRUM-CUT" and one.measure == family for one in self.run.findings)
        for bound, share, seen in in_part(steps) if lost else whole(steps):
            odds = f"{1 / (1 - share):12.2f}" if share < 1 else f"{'inf':>12}"
            yield f"{bound * 1000:12.3f} {share:12f} {seen:12d} {odds}"

    def _footers(self, family: str) -> Iterator[str]:
        """Mean, deviation and maximum of a histogram, where no table has them."""
        mean, sd, top = (
            self.run.measures[name].text if self._of_footer(name := f"{family}.{column}") else None
            for column in ("mean", "sd", "max")
        )
        if mean and sd:
            yield f"#[Mean    = {mean:>12}, StdDeviation   = {sd:>12}]"
        if top:
            total = sum(count for _, count in (self.run.histograms or {}).get(family, ()))
            yield f"#[Max     = {top:>12}, Total count    = {total:>12}]"

    def _totals(self) -> Iterator[str]:
        complete, duration, size = map(self._count, ("requests.complete", "duration", "bytes.received"))
        if complete and duration:
            yield f"  {complete} requests in {duration}{f', {size} read' if size else ''}"
        errors = [f"{name} {text}" for name in _ERRORS if (text := self._count(f"errors.{name}"))]
        if errors:
            yield f"  Socket errors: {', '.join(errors)}"
        if text := self._count("requests.non_2xx"):
            yield f"  Non-2xx or 3xx responses: {text}"
        if text := self._in_full("throughput", 2):
            yield f"Requests/sec: {text:>9}"
        if text := self._count("transfer_rate.received"):
            yield f"Transfer/sec: {text:>11}"

    def _count(self, name: str) -> str | None:
        """A count in full; what is no count as it is."""
        measure = self.run.measures.get(name)
        return self._in_full(name, 0) if measure and measure.unit == "1" else self._printed(name)

    def _in_full(self, name: str, decimals: int) -> str | None:
        """A number without a unit: as wrk printed it, or with so many decimals."""
        value = self.run.value(name)
        if self.own or value is None or abs(value) > MOST:
            return self._printed(name)
        return f"{value:.{decimals}f}"


reporter = Wrk()
