"""When a run is over, and who is told how far it is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from abcompare.engines.curl.failures import Failures
from abcompare.engines.curl.samples import Row, Samples
from abcompare.jobs import Progress

clock = time.perf_counter_ns  # CLOCK_MONOTONIC: the same in all processes of a machine
NS = 1_000_000_000
_PROGRESS_NS = NS // 4
_RECENT = 1000
_ABORT = 10  # failures to connect before anything was answered: there is nobody there (ab's number)


@dataclass(slots=True)
class Limits:
    """What ends a run: requests ended, seconds since its start, and seconds in which nothing ends."""

    requests: int | None
    duration_s: float | None
    stall_s: float
    stop_on_error: bool = False


@dataclass(slots=True)
class Pace:
    """The clock of a run: rows not taken over yet, what failed, and why it ended early (`reason`, None if it did not)."""

    limits: Limits
    samples: Samples
    failures: Failures
    progress: Callable[[Progress], None] | None = None
    stop: Callable[[], bool] | None = None
    rows: list[Row] = field(default_factory=list)
    begun: int = 0
    deadline: int | None = None
    ended: int = 0
    reason: str | None = None
    _said: int = 0
    _seen: int = 0
    _before: int = 0
    _counted: tuple[int, int] = (0, 0)

    def begin(self, at: int | None = None) -> int:
        """Starts the clock; returns its time."""
        self.begun = self._said = self._seen = at or clock()
        if self.limits.duration_s is not None:
            self.deadline = self.begun + round(self.limits.duration_s * NS)
        return self.begun

    def failed(self, phase: str, why: str, now: int) -> None:
        """Notes a request that failed in this phase. Raises EngineError once it is clear that nobody answers at all."""
        self.failures.add(phase, why)
        self.samples.error_seconds[(now - self.begun) // NS] += 1
        if self.limits.stop_on_error:
            self.reason = "the first error ended it"
        failures = self.failures
        if phase == "connect" and not self.samples.complete and not self.rows:
            most = min(_ABORT, self.limits.requests or _ABORT)
            if failures.phases["connect"] >= most:
                raise failures.unreachable()

    def goes_on(self, now: int) -> bool:
        """Whether the run goes on; to be asked every tick. Takes rows over, and tells how far it is."""
        rows = self.rows
        if rows:
            self.samples.take(rows)
        ended = (self.samples.complete, self.failures.total())
        if ended != self._counted:
            self._counted, self._seen = ended, now
        elif now - self._seen > self.limits.stall_s * NS:
            self.reason = f"nothing happened for {self.limits.stall_s:g} s"
        if self.stop is not None and self.stop():
            self.reason = "it was stopped"
        if self.progress is not None and now - self._said >= _PROGRESS_NS:
            self.progress(self._so_far(now, ended))
        return self.reason is None and (self.deadline is None or now < self.deadline)

    def _so_far(self, now: int, ended: tuple[int, int]) -> Progress:
        """The progress, with the rate since the last one and the quantiles of the last thousand latencies."""
        rate = (ended[0] - self._before) / max(1e-9, (now - self._said) / NS)
        self._said, self._before = now, ended[0]
        recent = sorted(self.samples.columns[1][-_RECENT:])
        if not recent:
            return Progress((now - self.begun) / NS, *ended, rate)
        p50, p99 = recent[(len(recent) - 1) // 2], recent[math.ceil(len(recent) * 0.99) - 1]
        return Progress((now - self.begun) / NS, *ended, rate, p50 / 1e6, p99 / 1e6)

    def alive(self, now: int) -> None:
        """Notes that nothing has to end at the moment."""
        self._seen = now

    def finish(self, now: int) -> None:
        """Stops the clock."""
        self.samples.take(self.rows)
        self.ended = min(now, self.deadline) if self.deadline is not None else now
