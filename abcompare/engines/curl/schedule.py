"""When requests are due in an open loop, and how late they were."""

from __future__ import annotations

from abcompare.engines.curl.pace import NS, Pace

_LATE_US = 1_000


class Schedule:
    """`rate` requests a second in all; of them this process, `which` of `of`, has every n-th."""

    def __init__(self, rate: float, which: int, of: int) -> None:
        self._period = NS / rate
        self._which, self._of = which, of
        self._begun = 0
        self.number = 0  # of requests that were started
        self.late = self.latest_us = self.not_started = 0

    def begin(self, at: int) -> None:
        """The schedule runs from here."""
        self._begun = at

    def when(self) -> int:
        """When the next request is due."""
        return self._begun + round((self.number * self._of + self._which) * self._period)

    def started(self, due: int, now: int) -> None:
        """Notes that a request was started."""
        self.number += 1
        late = (now - due) // 1000
        if late > _LATE_US:
            self.late += 1
            self.latest_us = max(self.latest_us, late)

    def end(self, pace: Pace) -> None:
        """Counts what was due before the end and had not started."""
        most = pace.limits.requests
        while self.when() < pace.ended and (most is None or self.number < most):
            self.number += 1
            self.not_started += 1
