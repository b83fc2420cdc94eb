"""What the versions of ab print differently (formats.md 1.1–1.3), and their numbers as C prints them."""

from __future__ import annotations

from dataclasses import dataclass

from abcompare.dialects.ab.versions import Era, Traits, traits
from abcompare.records import Measure, Run
from abcompare.reporters.cells import MOST

_CARRIAGE = "\r" + " " * 75 + "\r"  # erases the progress line of old versions
_OLDEST: tuple[Era | None, ...] = ("1.3c", "1.3d", "2.0.16")
_NEW: tuple[Era | None, ...] = (None, "2.2.9", "2.4")
_ZEUS = "Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/"
_ARCHIVED = "Adam Twiss, Zeus Technology Ltd, http://web.archive.org/web/20000304112933/http://www.zeustech.net/"
_FOUNDATION = "The Apache Software Foundation, http://www.apache.org/"


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of the version that a run's banner names; of 2.4 where there is none, or where another tool ran."""

    known: Traits
    own: bool  # whether ab itself measured the run
    version: str | None
    revision: str | None
    workers: bool  # whether this is trunk, which has threads

    @property
    def era(self) -> Era | None:
        """The first release of the versions that print alike."""
        return self.known.era

    @property
    def bare(self) -> bool:
        """Whether rates stand without their unit."""
        return self.era == "1.3c"

    @property
    def banner(self) -> list[str]:
        """The first lines; none where the version is not known.

        The third line names the year of the release, which the version does not settle between 1.3d and 2.2.8.
        """
        if self.version is None or not self.own:
            return []
        first = f"This is ApacheBench, Version {self.version}{self._revision}"
        if self.era in _NEW:
            return [first, f"Copyright 1996 {_ARCHIVED if self.workers else _ZEUS}", f"Licensed to {_FOUNDATION}"]
        if self.era == "2.1":
            return [first, f"Copyright 1996 {_ZEUS}"]
        lines = [first, f"Copyright (c) 1996 {_ZEUS}"]
        if self.bare:
            years = "1998" if self.version in ("1.1", "1.2") else "1998-1999"
            lines.append(f"Copyright (c) {years} The Apache Group, http://www.apache.org/")
        return lines

    @property
    def _revision(self) -> str:
        if self.revision is None:
            return " <$Revision$>" if self.version == "2.3" else ""
        branch = "" if self.era in _NEW else " apache-1.3" if self.era in ("1.3c", "1.3d") else " apache-2.0"
        return f" <$Revision: {self.revision} $>{branch}"

    @property
    def silent(self) -> bool:
        """Whether this version says nothing at the end of a run."""
        return self.era == "1.3c" and self.version is not None

    @property
    def beats_at_end(self) -> bool:
        """Whether the last heartbeat may be the end itself."""
        return self.era in _NEW

    @property
    def separator(self) -> str:
        """What stands between the progress and the report."""
        if self.silent:
            return _CARRIAGE
        return f"\n{_CARRIAGE}" if self.version and self.era in ("1.3d", "2.0.16", "2.0.17") else "\n\n\n"

    def label(self, text: str) -> str:
        """A label, padded to column 24, in the spelling of the version."""
        if self.version == "1.1":
            text = text.replace("Concurrency", "Concurency").replace("transferred", "transfered")
            text = text.replace("per second", "per seconds")
        return f"{text}:".ljust(24)

    @property
    def times(self) -> str:
        """The heading of the table of times."""
        return "Connnection Times (ms)" if self.era in _OLDEST else "Connection Times (ms)"

    def header(self, wide: bool) -> str:
        """The heads of its columns."""
        if not wide:
            return "              min   avg   max"
        return f"{'' if self.era == '2.0.17' else '  '}            min  mean[+/-sd] median   max"

    def columns(self, wide: bool) -> tuple[str, ...]:
        """How each number of a row is laid out."""
        if not wide:
            return ("{:>5}", " {:>5}", " {:>5}" if self.era in _OLDEST else "{:>5}")
        if self.era in _OLDEST:
            return ("{:>5}", " {:>5}", " {:>6}", "  {:>5}", " {:>5}")
        if self.era == "2.0.17":
            return ("{}", " {:>5}", " {:>6}", " {}", " {}")
        return ("{:>5}", " {:>4}", " {:>5}", " {:>6}", " {:>7}")

    @property
    def longest(self) -> str:
        """What stands behind the last percentile."""
        return "(last request)" if self.era in _OLDEST else "(longest request)"

    @property
    def probably(self) -> str:
        """The spelling of a warning's last word but four."""
        return "propably" if self.era in ("1.3d", "2.0.16", "2.0.17") else "probably"


def layout(run: Run) -> Layout:
    """The layout for a run. Where the banner is lost, a rate in thousands of bytes shows that it was a 1.3."""
    own = run.tool.name == "ab"
    version, revision = (run.tool.version, run.tool.revision) if own else (None, None)
    known = traits(version, revision)
    if own and version is None and any(one.code == "AB-RATE-UNIT" for one in run.findings):
        known = traits("1.3d" if "errors.write" in run.measures else "1.3c", None)
    return Layout(known, own, version, revision, own and run.load.threads is not None)


class Numbers:
    """The numbers of a run as text: what ab printed, where it did; else the value, as this version would print it.

    What was printed in HTML only (-w), by other rules, is printed from its value.
    """

    def __init__(self, run: Run, layout: Layout) -> None:
        self._run = run
        self._own = layout.own
        self._known = layout.known
        self._html = {one.measure for one in run.findings if self._only_in_html(one.code)}

    def _only_in_html(self, code: str) -> bool:
        return code.startswith("AB-HTML-") or (code == "AB-TIME-MILLISECONDS" and self._known.time != "thousandth")

    def __contains__(self, name: str) -> bool:
        return self.text(name) is not None

    def text(self, name: str) -> str | None:
        """The text of a measure; None when the run does not have it."""
        measure = self._run.measures.get(name)
        if measure is None:
            return None
        if self._own and measure.text and name not in self._html:
            return measure.text
        printable = measure.value is not None and abs(measure.value) < MOST
        return self._printed(name, measure, measure.value or 0) if printable else None

    def _printed(self, name: str, measure: Measure, value: float) -> str:
        if name == "duration":
            return self._duration(value)
        if name in ("latency.closed_loop_mean", "latency.per_request_mean"):
            decimals = 2 if self._known.era in ("1.3d", "2.0.16") else 3
            return f"{value if self._known.request_unit == 's' else value * 1000:.{decimals}f}"
        if measure.unit == "1/s":
            return f"{value:.2f}"
        if measure.unit == "B/s":
            return f"{value / (1000 if self._known.rate_unit == '1000B/s' else 1024):.2f}"
        if measure.unit == "s":
            return f"{value * 1000:.1f}" if name.endswith(".sd") else str(self._milliseconds(value))
        return f"{value:.0f}"

    def _duration(self, seconds: float) -> str:
        """T1 and T2: "%ld.%03ld" of seconds and microseconds, or of milliseconds taken for microseconds."""
        if self._known.time == "plain":
            return f"{seconds:.3f}"
        count = round(seconds * (1e6 if self._known.time == "padded" else 1e3))
        return f"{count // 10**6}.{count % 10**6:03d}"

    def _milliseconds(self, seconds: float) -> int:
        micro = round(seconds * 1e6)
        return micro // 1000 if self._known.truncates else (micro + 500) // 1000
