"""The curl engine: requests by libcurl's multi interface, in one process or several; plain HTTP/1 over sockets of its own.

Both ways count and measure the same (`tests/engines/test_curl.py` runs on both), and `host.engine.driver` says which was
taken: `plain.py` has the reason, `CurlEngine("libcurl")` takes libcurl always.

What is counted:

- A request is *complete* when its answer is whole, whatever the status. It has *failed* when there was no whole answer:
  `errors.connect` (the connection, TLS included, could not be made), `errors.receive` (reset, closed early or without
  an answer, broken framing), `errors.timeout`. A request counts in one of the four, and `requests` of a load are the
  requests that ended either way, so that a server that dies does not make a run endless.
- An answer whose body is not as long as the first one's is complete, and counts as `errors.length` too, as ab has it.
  `requests.failed` is the sum of the four errors; answers outside 2xx stand beside it.
- Times are of complete requests only, by a monotonic clock from the instant at which a request is handed to libcurl to the
  one at which its end is known. What was under way when the time was over counts nowhere.
- A warm-up is made before, on the same connections, to its end: `connections.opened` has what was opened after it.
- When nothing was ever answered and the first requests (ten, or all that ended) cannot connect, there is no run but an
  EngineError.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

from abcompare.engines.curl.local import Local
from abcompare.engines.curl.outcome import Outcome
from abcompare.engines.curl.processes import cores, spread
from abcompare.engines.curl.result import run_of
from abcompare.errors import EngineError
from abcompare.jobs import Job, Progress
from abcompare.records import Run


class CurlEngine:
    """The engine. `driver` is "auto" (its own sockets for plain HTTP/1, libcurl for all else) or "libcurl" (always)."""

    name = "curl"

    def __init__(self, driver: Literal["auto", "libcurl"] = "auto") -> None:
        self.driver = driver

    @property
    def capabilities(self) -> frozenset[str]:
        """What it can do; "http/3" where libcurl can."""
        import pycurl

        known = {
            "rate", "duration", "requests", "keep-alive", "http/1.0", "http/1.1", "http/2", "tls", "body", "headers",
            "unix-socket", "warm-up", "processes", "any-method", "variable-length",
        }
        if pycurl.version_info()[4] & pycurl.VERSION_HTTP3:
            known.add("http/3")
        return frozenset(known)

    def run(
        self, job: Job, *, progress: Callable[[Progress], None] | None = None, stop: Callable[[], bool] | None = None,
    ) -> Run:
        """Makes the requests and returns the run; one that ended early is marked incomplete and has the finding RUN-STOPPED.

        Raises EngineError when the target cannot be reached, or this machine or libcurl cannot make such a load.
        """
        check(job)
        many = min(job.processes or cores(), job.load.concurrency or 1)
        if many > 1:
            started, outcome = spread(job, many, self.driver, progress, stop)
            return _measured(job, outcome, started)
        local = Local(job, stop, self.driver)
        try:
            local.prepare()
            started = datetime.fromtimestamp(time.time(), UTC)
            return _measured(job, local.run(progress), started)
        finally:
            local.close()


def _measured(job: Job, outcome: Outcome, started: datetime) -> Run:
    """The run of an outcome. Raises EngineError where nothing was answered and nobody let anyone connect."""
    if not outcome.samples.complete and outcome.failures.only_to_connect():
        raise outcome.failures.unreachable()
    return run_of(job, outcome, started)


def check(job: Job) -> None:
    """Raises EngineError for a load that says nothing of its end, or has numbers that make no sense."""
    load = job.load
    if load.requests is None and load.duration_s is None:
        raise EngineError("the load says neither how many requests to make nor for how long", hint="say --requests or --duration")
    for name, value in (("concurrency", load.concurrency), ("requests", load.requests), ("duration", load.duration_s), ("rate", load.rate_per_s)):
        if value is not None and value <= 0:
            raise EngineError(f"a {name} of {value} is no load")
    if job.max_samples < 0 or job.processes < 0:
        raise EngineError("processes and max_samples are numbers of zero or more")


engine = CurlEngine()
