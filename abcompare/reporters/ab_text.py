"""A run as ab would print it, in the layout and with the faults of its version: read again, it is the same run.

What the run does not have is not printed. A run of another tool gets no banner but a line that says whose it is; a run
with nothing that ab prints is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from abcompare.errors import UsageError
from abcompare.records import GENERATOR, Archive, Run, Tls
from abcompare.reporters.ab_layout import Layout, Numbers, layout
from abcompare.reporters.cells import MOST, visible
from abcompare.reporters.overview import tool_of
from abcompare.reporters.style import Style

_FAMILIES = {"Connect": "connect", "Processing": "processing", "Waiting": "waiting", "Total": "latency"}
_WIDE = ("min", "mean", "sd", "median", "max")
_NARROW = ("min", "mean", "max")
_LADDER = (50, 66, 75, 80, 90, 95, 98, 99, 100)
_OURS = ("abcompare", "fake")  # the tools that our engines are
_QUANTILES = "ab-e-index"  # the method of percentiles from a -e file
_SAID = re.compile(r"ab says (\w+): mean and median of (?:the )?(.+?) are more than (two|one)")
_CAUSES = {
    "Connect": "errors.connect",
    "Receive": "errors.receive",
    "Length": "errors.length",
    "Exceptions": "errors.exception",
}


class Ab:
    """The reporter."""

    name = "ab"
    suffix = ""

    def render(self, document: Archive | Run, style: Style) -> str:
        """The report of a run, or of all of an archive's, a blank line between two. Raises UsageError."""
        runs = (document,) if isinstance(document, Run) else document.runs
        return "\n".join(_Report(run).text() for run in runs)


class _Report:
    """One report in the making."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.layout: Layout = layout(run)
        self.numbers = Numbers(run, self.layout)

    def text(self) -> str:
        """The report."""
        if self.layout.own and {one.method for one in self.run.measures.values()} == {_QUANTILES}:
            return _quantiles(self.run)
        preface = "".join(f"{line}\n" for line in self._preface())
        if self.layout.own and any(one.code == "AB-ABORTED" for one in self.run.findings):
            host = self.run.target.host
            opening = f"Benchmarking {visible(host)} (be patient)...\n" if host else ""
            return f"{preface}{opening}Total of {self.numbers.text('requests.complete')} requests completed\n"
        document, results = self._document(), [*self._counts(), *self._rates()]
        times, percentiles = self._times(), self._percentiles()
        if not (document or results or times or percentiles):
            raise UsageError(f"run {visible(self.run.id)} has nothing that ab prints: no requests, rates or times")
        groups = (self._identity(), document, [*self._load(), *results], times, percentiles)
        report = "\n\n".join("\n".join(lines) for lines in groups if lines)
        return f"{preface}{self._head()}{report}\n"

    # -- above the report --------------------------------------------------------------------------------------------

    def _preface(self) -> Iterator[str]:
        if not self.layout.own:
            whose = visible(tool_of(self.run))
            yield f"# measured by {whose}, printed in ab's layout by {GENERATOR}: times are rounded to ms"
        elif self.run.command:
            yield f"$ {visible(self.run.command)}"
        yield from map(visible, self.layout.banner)
        if self.layout.banner:
            yield ""

    def _head(self) -> str:
        """The progress, which says whether the run came to its end; none where the host is not known."""
        host = self.run.target.host
        if not host or not self.layout.own:
            return ""
        count = self.run.value("requests.complete")
        opening = f"Benchmarking {visible(host)} (be patient)"
        if self.layout.silent:
            return f"{opening}...{self.layout.separator}"
        if not self.run.complete:
            return f"{opening}...{self.layout.separator[1:]}"
        planned = self.run.load.requests or count or 0
        if count is None or planned <= 150 or count > MOST:
            return f"{opening}.....done{self.layout.separator}"
        beats = "".join(f"Completed {at} requests\n" for at in self._heartbeats(int(planned), int(count)))
        return f"{opening}\n{beats}Finished {count:.0f} requests{self.layout.separator}"

    def _heartbeats(self, planned: int, count: int) -> Iterable[int]:
        """Every tenth of the requests, 100 at least; before 2.2.9 one fewer when the last is the end."""
        step, last = max(100, planned // 10), min(planned, count)
        return range(step, last + 1 if self.layout.beats_at_end else last, step)

    # -- what was asked ----------------------------------------------------------------------------------------------

    def _line(self, label: str, value: object, unit: str = "") -> str:
        return f"{self.layout.label(label)}{visible(str(value))}{unit}"

    def _counted(self, label: str, name: str, unit: str = "") -> Iterator[str]:
        """The line of a measure, where the run has it."""
        text = self.numbers.text(name)
        if text is not None:
            yield self._line(label, text, unit)

    def _noted(self, label: str, name: str) -> Iterator[str]:
        """The line of a number that ab mentions when there is one: another tool's 0 is not printed."""
        if self.layout.own or self.run.value(name):
            yield from self._counted(label, name)

    def _identity(self) -> list[str]:
        target, lines = self.run.target, []
        if target.host:
            lines.append(self._line("Server Software", target.server_software or ""))
            lines.append(self._line("Server Hostname", target.host))
        if target.port is not None:
            negative = any(one.code == "AB-PORT-NEGATIVE" for one in self.run.findings)
            lines.append(self._line("Server Port", target.port - 65536 if negative else target.port))
        return lines + (list(self._tls(target.tls)) if target.tls else [])

    def _tls(self, tls: Tls) -> Iterator[str]:
        if tls.protocol and tls.cipher and tls.key_bits is not None:
            bits = tls.cipher_bits or 128
            yield self._line("SSL/TLS Protocol", f"{tls.protocol},{tls.cipher},{tls.key_bits},{bits}")
        if tls.server_temp_key:
            yield self._line("Server Temp Key", tls.server_temp_key)
        if tls.server_name:
            yield self._line("TLS Server Name", tls.server_name)

    def _document(self) -> list[str]:
        lines = [self._line("Document Path", self.run.target.path)] if self.run.target.path else []
        if self.run.load.variable_length:
            return [*lines, self._line("Document Length", "Variable")]
        return [*lines, *self._counted("Document Length", "document_length", " bytes")]

    # -- what was measured -------------------------------------------------------------------------------------------

    def _load(self) -> Iterator[str]:
        if self.layout.workers:
            yield self._line("Number of workers", self.run.load.threads)
        if self.run.load.concurrency is not None:
            yield self._line("Concurrency Level", self.run.load.concurrency)

    def _counts(self) -> Iterator[str]:
        yield from self._counted("Time taken for tests", "duration", " seconds")
        if self.layout.workers and self.run.load.requests is not None:
            yield self._line("Number of requests", self.run.load.requests)
        yield from self._counted("Complete requests", "requests.complete")
        yield from self._counted("Failed requests", "requests.failed")
        yield from self._breakdown()
        broken = "Broken pipe errors" if self.layout.era == "1.3d" else "Write errors"
        yield from self._noted(broken, "errors.write")
        yield from self._noted("Non-2xx responses", "requests.non_2xx")
        yield from self._counted("Keep-Alive requests", "requests.keep_alive")
        yield from self._counted("Keep-Alive aborts", "requests.keep_alive_aborted")
        yield from self._counted("Total transferred", "bytes.received", " bytes")
        if self.layout.own or self.run.load.request_body_bytes is not None:
            yield from self._counted(self._sent(), "bytes.sent")
        yield from self._counted("HTML transferred", "bytes.body", " bytes")

    def _breakdown(self) -> Iterator[str]:
        causes = [f"{title}: {self.numbers.text(name)}" for title, name in _CAUSES.items() if name in self.numbers]
        if "errors.length" in self.numbers and (self.layout.own or self.run.value("requests.failed")):
            yield f"   ({', '.join(causes)})"

    def _sent(self) -> str:
        """The label of the bytes sent, which tells the method in old versions."""
        method = self.run.load.method
        if self.layout.era == "2.4" and (self.run.command or method is None):
            return "Total body sent"
        return "Total PUT" if method == "PUT" else "Total POSTed" if self.layout.own and method else "Total body sent"

    def _rates(self) -> Iterator[str]:
        bare = self.layout.bare
        yield from self._counted("Requests per second", "throughput", "" if bare else " [#/sec] (mean)")
        yield from self._counted("Time per request", "latency.closed_loop_mean", " [ms] (mean)")
        yield from self._per_request()
        across = f" [ms] (mean, across all {'concurent' if self.layout.era == '2.0.16' else 'concurrent'} requests)"
        yield from self._counted("Time per request", "latency.per_request_mean", across)
        received = " kb/s" if self.layout.version == "1.1" else " kb/s received" if bare else " [Kbytes/sec] received"
        yield from self._counted("Transfer rate", "transfer_rate.received", received)
        for name in ("sent", "total"):
            text = self.numbers.text(f"transfer_rate.{name}")
            if text is not None:
                yield f"{'':24}{text} kb/s {name}"

    def _per_request(self) -> Iterator[str]:
        """What ab works out of requests, time and concurrency, for a run that our own engines made."""
        complete, lasted, at_once = self.run.value("requests.complete"), self.run.value("duration"), self.run.load.concurrency
        if self.run.tool.name in _OURS and complete and lasted and at_once:
            yield self._line("Time per request", f"{at_once * lasted / complete * 1000:.3f}", " [ms] (mean)")
            yield self._line("Time per request", f"{lasted / complete * 1000:.3f}", " [ms] (mean, across all concurrent requests)")

    def _times(self) -> list[str]:
        wide = any(f"{family}.{column}" in self.numbers for family in _FAMILIES.values() for column in ("sd", "median"))
        rows = [row for title, family in _FAMILIES.items() if (row := self._row(title, family, wide))]
        return [self.layout.times, self.layout.header(wide), *rows, *self._remarks()] if rows else []

    def _row(self, title: str, family: str, wide: bool) -> str:
        """The columns up to the first that is not there; another tool's row only when it is whole."""
        cells = []
        for column, form in zip(_WIDE if wide else _NARROW, self.layout.columns(wide), strict=True):
            text = self.numbers.text(f"{family}.{column}")
            if text is None:
                break
            cells.append(form.format(text))
        whole = len(cells) == len(_WIDE if wide else _NARROW)
        return f"{title + ':':<12}{''.join(cells)}" if cells and (whole or self.layout.own) else ""

    def _remarks(self) -> Iterator[str]:
        """ab's own remarks on the spread of the times."""
        for finding in self.run.findings:
            said = _SAID.match(finding.message) if finding.code == "AB-SPREAD" else None
            if said and said[1] == "ERROR":
                yield f"ERROR: The median and mean for the {said[2]} time are more than twice the standard"
                yield "       deviation apart. These results are NOT reliable."
            elif said:
                yield f"{said[1]}: The median and mean for the {said[2]} time are not within a normal deviation"
                yield f"        These results are {self.layout.probably} not that reliable."

    def _percentiles(self) -> list[str]:
        steps = [(step, text) for step in _LADDER if (text := self.numbers.text(f"latency.p{step}")) is not None]
        lines = [f"{step:>4}%  {text:>5}{f' {self.layout.longest}' if step == 100 else ''}" for step, text in steps]
        return ["Percentage of the requests served within a certain time (ms)", *lines] if lines else []


def _quantiles(run: Run) -> str:
    """A run that was read from a -e file is one again."""
    rows = "".join(f"{name.removeprefix('latency.p')},{one.text}\n" for name, one in run.measures.items())
    return f"Percentage served,Time in ms\n{rows}"


reporter = Ab()
