"""A run in this process: the loop that fits the load, and what it came to."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pycurl

from abcompare.engines.curl.closed import Closed
from abcompare.engines.curl.failures import Failures
from abcompare.engines.curl.health import descriptors, watch
from abcompare.engines.curl.open import Open
from abcompare.engines.curl.outcome import Outcome
from abcompare.engines.curl.pace import NS, Limits, Pace, clock
from abcompare.engines.curl.plain import PlainLoop
from abcompare.engines.curl.pool import Pool
from abcompare.engines.curl.samples import Samples
from abcompare.engines.curl.schedule import Schedule
from abcompare.engines.curl.wires import PlainPool, usable
from abcompare.jobs import Job, Progress

Told = Callable[[Progress], None]


class Local:
    """The connections of a job in this process. `prepare` warms up, `run` measures, `close` ends it.

    `driver` is "sockets" (plain HTTP/1 only), "libcurl" (everything), or "auto": the first where it can.
    """

    def __init__(self, job: Job, stop: Callable[[], bool] | None = None, driver: str = "auto") -> None:
        size = job.load.concurrency or 1
        size = min(size, job.load.requests) if job.load.requests else size
        descriptors(size)
        self.job = job
        self.stop = stop
        self.plain = driver != "libcurl" and usable(job)
        self.pool: PlainPool | Pool = PlainPool(job, size) if self.plain else Pool(job, size)

    def prepare(self) -> None:
        """Makes the requests of the warm-up and waits for all of them; they are counted nowhere. Raises EngineError."""
        job = self.job
        if not job.warmup_s and not job.warmup_requests:
            return
        limits = Limits(job.warmup_requests or None, job.warmup_s or None, job.stall_s)
        self._loop(Pace(limits, Samples(0), Failures(), stop=self._heard), None)
        self.pool.opened = self.pool.resent = 0

    def run(self, progress: Told | None = None, begin: int | None = None, share: tuple[int, int] = (0, 1)) -> Outcome:
        """Measures; from `begin` (ns of the clock) on where it is said. Raises EngineError where nobody answers."""
        job, load, pool = self.job, self.job.load, self.pool
        limits = Limits(load.requests, load.duration_s, job.stall_s, job.stop_on_error)
        pace = Pace(limits, Samples(job.max_samples), Failures(), progress, self._heard)
        schedule = Schedule(float(load.rate_per_s), *share) if load.rate_per_s else None
        open_before = pool.open_now()
        if begin is not None:
            time.sleep(max(0.0, (begin - clock()) / NS))
        began = watch()
        loop = self._loop(pace, schedule, begin)
        health = began.end()
        pool.observed.end()
        pace.samples.settled()
        seen = pool.observed
        outcome = Outcome(
            pace.samples, pace.failures, pace.begun, pace.ended, "sockets" if self.plain else "libcurl", pool.opened,
            open_before + pool.opened - loop.open_at_end, pool.resent, pace.reason, seen.server, seen.protocol, seen.tls, seen.sent_bytes, [health],
        )
        outcome.under_way, outcome.unanswered_bytes = _under_way(loop, pace), _unanswered(loop, pool)
        if schedule:
            outcome.late, outcome.latest_us, outcome.not_started = schedule.late, schedule.latest_us, schedule.not_started
        return outcome

    def _loop(self, pace: Pace, schedule: Schedule | None, begin: int | None = None) -> PlainLoop | Closed:
        """Runs one loop to its end, and returns it.

        Python's garbage collector is off meanwhile: its pauses would be the server's latency.
        """
        loop = _made(self.pool, pace, schedule, secure=self.job.target.scheme == "https")
        collecting = gc.isenabled()
        gc.disable()
        try:
            loop.run(begin)
        except KeyboardInterrupt:
            pace.reason = "it was interrupted"
            loop.end()
        finally:
            if collecting:
                gc.enable()
        return loop

    def _heard(self) -> bool:
        self.pool.observed.end()
        return self.stop is not None and self.stop()

    def close(self) -> None:
        """Closes all connections."""
        self.pool.close()


def _under_way(loop: PlainLoop | Closed, pace: Pace) -> int:
    """How many requests had been started and not ended when the run did."""
    asked = 1 << 62 if pace.limits.requests is None else pace.limits.requests
    return max(0, asked - loop.left - pace.samples.complete - pace.failures.total())


def _unanswered(loop: PlainLoop | Closed, pool: PlainPool | Pool) -> int:
    """The bytes that were sent of requests under way; with libcurl they are known where no request has ended at all.

    Its REQUEST_SIZE has the body, or a part of it, or not.
    """
    if isinstance(pool, PlainPool):
        return sum(len(pool.request) - len(wire.rest) for wire in pool.wires if wire.start)
    assert isinstance(loop, Closed)
    head = pool.observed.sent_bytes or 0
    return sum(head + one.getinfo(pycurl.SIZE_UPLOAD_T) for one in loop.starts if one.getinfo(pycurl.REQUEST_SIZE))


def _made(pool: PlainPool | Pool, pace: Pace, schedule: Schedule | None, *, secure: bool) -> PlainLoop | Closed:
    if isinstance(pool, PlainPool):
        return PlainLoop(pool, pace, schedule)
    connected = pycurl.APPCONNECT_TIME_T if secure else pycurl.CONNECT_TIME_T
    return Open(pool, pace, connected, schedule) if schedule else Closed(pool, pace, connected)
