"""An engine without a network: scripted latencies, failures and clock, for tests and documentation.

The same engine made anew gives the same runs, number by number, and takes no time for them. It plays a server that
answers any number of requests at once, each after the next latency of the script.
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from abcompare.dialects.draft import run_id
from abcompare.dialects.secrets import headers, target
from abcompare.errors import EngineError
from abcompare.jobs import Job, Progress
from abcompare.metrics import half_unit
from abcompare.records import Finding, Load, Measure, Run, Source, Tool
from abcompare.version import __version__

_SPREAD = 0.3  # of the log-normal latencies: their logarithms' standard deviation
_SECOND = 1_000_000_000  # the scripted clock counts whole nanoseconds, so that a hundred times 10 ms is one second
_LEAST = 1_000  # no answer comes sooner: a run for a time has to end
_BEAT = _SECOND // 4
_PERCENTS = (50, 75, 90, 95, 99, 100)
_ANSWER_B, _HEAD_B = 1024, 150  # body and header of every answer
_FIRST = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class _Tally:
    """What the requests of one run came to; times in nanoseconds, from their start and from the run's."""

    latencies: list[int] = field(default_factory=list)
    service: list[int] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    end: int = 0
    stopped: bool = False


class FakeEngine:
    """Request k of a run (from 0) takes `latencies[k % len(latencies)]` seconds; without a script they are log-normal
    around `median_s`, from `seed` and the number of the run.

    `failures` says which requests fail, and with which error ("connect", "read", "timeout", …): {7: "timeout"}.
    `statuses` says which answers are not 200. `refusal` is the message of an EngineError that every run raises. The
    clock begins at the start of 2026 and goes on from run to run.
    """

    name = "fake"
    capabilities = frozenset(
        {
            "rate", "duration", "requests", "keep-alive", "http/1.0", "http/1.1", "http/2", "http/3", "tls", "body", "headers",
            "unix-socket", "warm-up", "processes", "any-method", "variable-length",
        }
    )

    def __init__(
        self, latencies: Sequence[float] = (), *, failures: Mapping[int, str] | None = None, statuses: Mapping[int, int] | None = None,
        median_s: float = 0.010, seed: int = 0, refusal: str | None = None,
    ) -> None:
        self._latencies = tuple(latencies)
        self._failures = dict(failures or {})
        self._statuses = dict(statuses or {})
        self._median_s = median_s
        self._seed = seed
        self._refusal = refusal
        self._runs = 0
        self._clock_s = 0.0

    def run(
        self, job: Job, *, progress: Callable[[Progress], None] | None = None, stop: Callable[[], bool] | None = None,
    ) -> Run:
        """The run of a job, as the script has it. `progress` is called every 0.25 s of the scripted clock."""
        if self._refusal:
            raise EngineError(self._refusal)
        if job.load.requests is None and job.load.duration_s is None:
            raise EngineError("the load says neither how many requests to make nor for how long", hint="say --requests or --duration")
        self._clock_s += job.warmup_s
        started = _FIRST + timedelta(seconds=self._clock_s)
        tally = self._played(job, progress, stop)
        self._runs += 1
        self._clock_s += tally.end / _SECOND
        return _run(job, tally, started)

    def _times(self) -> Iterator[int]:
        chance = random.Random(f"{self._seed}/{self._runs}")
        for count in itertools.count():
            scripted = self._latencies[count % len(self._latencies)] if self._latencies else None
            seconds = chance.lognormvariate(math.log(self._median_s), _SPREAD) if scripted is None else scripted
            yield max(_LEAST, round(seconds * _SECOND))

    def _played(self, job: Job, progress: Callable[[Progress], None] | None, stop: Callable[[], bool] | None) -> _Tally:
        """Plays the load: each connection starts its next request when the last is answered, or, with a rate, when it is due."""
        load, tally, times = job.load, _Tally(), self._times()
        free = [0] * (load.concurrency or 1)  # a heap: when each connection is free again
        deadline = None if load.duration_s is None else round(load.duration_s * _SECOND)
        beat = _BEAT
        for number in itertools.count() if load.requests is None else range(load.requests):
            due = round(number * _SECOND / load.rate_per_s) if load.rate_per_s else free[0]
            start = max(due, free[0])
            while beat <= (start if deadline is None else min(start, deadline)):
                if progress:
                    progress(Progress(beat / _SECOND, len(tally.latencies), tally.failed.total()))
                if stop and stop():
                    tally.stopped, tally.end = True, beat
                    return tally
                beat += _BEAT
            if deadline is not None and start >= deadline:
                tally.end = deadline
                break
            end = start + next(times)
            heapq.heapreplace(free, end)
            if deadline is not None and end > deadline:  # under way when the time is over: counts nowhere
                tally.end = deadline
                continue
            self._count(tally, number, end - due, end - start)
            tally.end = max(tally.end, end)
        return tally

    def _count(self, tally: _Tally, number: int, latency: int, took: int) -> None:
        if number in self._failures:
            tally.failed[self._failures[number]] += 1
            return
        tally.latencies.append(latency)
        tally.service.append(took)
        tally.statuses[str(self._statuses.get(number, 200))] += 1


def _run(job: Job, tally: _Tally, started: datetime) -> Run:
    measures = _measures(job.load, tally)
    findings = [Finding("RUN-STOPPED", "warning", f"stopped after {tally.end / _SECOND:g} s of the scripted clock")] if tally.stopped else []
    sent = headers(f"{name}: {value}" for name, value in job.headers)
    return Run(
        id=run_id("fake", ((name, one.text) for name, one in measures.items())), tool=Tool("fake", __version__), source=Source("fake"),
        label=job.label, started_at=started.isoformat(timespec="milliseconds").replace("+00:00", "Z"), complete=not tally.stopped,
        target=target(job.target), measures=measures, status_codes=dict(sorted(tally.statuses.items())), findings=tuple(findings),
        load=_recorded(job, sent),
    )


def _recorded(job: Job, sent: dict[str, str]) -> Load:
    body = job.load.request_body_bytes if job.body is None else len(job.body)
    return replace(job.load, request_body_bytes=body, headers=sent)


def _measures(load: Load, tally: _Tally) -> dict[str, Measure]:
    """The measures of a run, to the microsecond. Means and percentiles are left out where nothing was answered."""
    complete, failed = len(tally.latencies), tally.failed.total()
    found = {
        "duration": _time(tally.end / _SECOND), "requests.complete": _count(complete), "requests.failed": _count(failed),
        "requests.non_2xx": _count(sum(many for code, many in tally.statuses.items() if code[0] != "2")),
        **{f"errors.{kind}": _count(many) for kind, many in sorted(tally.failed.items())},
        "bytes.received": _count(complete * (_ANSWER_B + _HEAD_B), "B"), "bytes.body": _count(complete * _ANSWER_B, "B"),
    }
    if tally.end > 0:
        found["throughput"] = _rounded(complete * _SECOND / tally.end, "1/s")
    if complete:
        found["document_length"] = _count(_ANSWER_B, "B")
        found |= _statistics("latency", tally.latencies)
        found |= _statistics("uncorrected_latency", tally.service) if load.rate_per_s else {}
    return found


def _statistics(family: str, values: list[int]) -> dict[str, Measure]:
    ranked = [value / _SECOND for value in sorted(values)]
    mean = math.fsum(ranked) / len(ranked)
    found = {f"{family}.min": _time(ranked[0]), f"{family}.mean": _time(mean), f"{family}.max": _time(ranked[-1])}
    if len(ranked) > 1:
        found[f"{family}.sd"] = _time(math.sqrt(math.fsum((one - mean) ** 2 for one in ranked) / (len(ranked) - 1)))
    for percent in _PERCENTS:
        at = math.ceil(len(ranked) * percent / 100) - 1
        found[f"{family}.p{percent}"] = _time(ranked[at], method="nearest-rank")
    return found


def _time(seconds: float, method: str | None = None) -> Measure:
    return _rounded(seconds, "s", method)


def _rounded(value: float, unit: str, method: str | None = None) -> Measure:
    text = f"{value:.6f}"
    return Measure(float(text), unit, text, half_unit(text, ""), method=method)


def _count(value: int, unit: str = "1") -> Measure:
    return Measure(value, unit, str(value), 0.5)


engine = FakeEngine()
