"""What one process of a run hands over when it is done."""

from __future__ import annotations

from dataclasses import dataclass, field

from abcompare.engines.curl.failures import Failures
from abcompare.engines.curl.health import Health
from abcompare.engines.curl.samples import Samples
from abcompare.records import Tls


@dataclass(slots=True)
class Outcome:
    """Counts and samples of one process, or of several merged. Times are of the machine's monotonic clock, in ns."""

    samples: Samples
    failures: Failures
    begun: int
    ended: int
    driver: str
    opened: int = 0
    closed: int = 0
    resent: int = 0  # requests that were sent again, for a kept connection was closed under them
    reason: str | None = None
    server: str | None = None
    protocol: str | None = None
    tls: Tls | None = None
    sent_bytes: int | None = None  # of one request, its body not included
    health: list[Health] = field(default_factory=list)
    late: int = 0  # open loop: starts later than a millisecond after they were due
    latest_us: int = 0
    not_started: int | None = None  # open loop: due, and not started before the end

    under_way: int = 0  # requests that had not ended when the run did
    unanswered_bytes: int = 0  # that were sent of them
    died: str | None = None  # "1 of 2 processes": what they had counted is not here

    @property
    def duration_s(self) -> float:
        """Seconds from the first request's start to the end."""
        return (self.ended - self.begun) / 1e9

    def merge(self, other: Outcome) -> None:
        """Takes another process's outcome."""
        self.samples.merge(other.samples)
        self.failures.merge(other.failures)
        self.begun, self.ended = min(self.begun, other.begun), max(self.ended, other.ended)
        self.opened += other.opened
        self.closed += other.closed
        self.resent += other.resent
        self.under_way += other.under_way
        self.unanswered_bytes += other.unanswered_bytes
        self.late += other.late
        self.latest_us = max(self.latest_us, other.latest_us)
        if other.not_started is not None:
            self.not_started = (self.not_started or 0) + other.not_started
        self.health += other.health
        for name in ("reason", "server", "protocol", "tls", "sent_bytes"):
            if getattr(self, name) is None:
                setattr(self, name, getattr(other, name))
