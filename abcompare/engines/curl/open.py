"""The open loop: requests are due on a schedule, whatever the answers do.

The latency runs from the instant at which a request was due: one that had to wait for a free connection has waited. The
service time runs from its real start.
"""

from __future__ import annotations

import select
from collections import deque

import pycurl

from abcompare.engines.curl.closed import Closed
from abcompare.engines.curl.pace import NS, Pace, clock
from abcompare.engines.curl.pool import Group, Pool
from abcompare.engines.curl.samples import CHUNK
from abcompare.engines.curl.schedule import Schedule

_STATUS, _BODY, _HEAD = pycurl.RESPONSE_CODE, pycurl.SIZE_DOWNLOAD_T, pycurl.HEADER_SIZE
_PRE, _FIRST = pycurl.PRETRANSFER_TIME_T, pycurl.STARTTRANSFER_TIME_T


class Open(Closed):
    """An open loop over a pool."""

    def __init__(self, pool: Pool, pace: Pace, connected: int, schedule: Schedule) -> None:
        super().__init__(pool, pace, connected)
        self._schedule = schedule
        self._free: deque[pycurl.Curl] = deque(reversed(pool.handles))  # a stack: what was used last is used next
        self._planned: dict[pycurl.Curl, int] = {}

    def run(self, begun: int | None = None) -> None:
        """Makes the requests; what is under way when the time is over is dropped. Raises EngineError."""
        pace = self.pace
        self._schedule.begin(pace.begin(begun))
        while (self.left > 0 or self.under_way) and pace.reason is None:
            self._start(clock())
            news = self._news()
            if self.under_way == 0 and self.left > 0:
                pace.alive(clock())  # an idle schedule is no stall
            if not self._step(news):
                break
        self.end()

    def end(self) -> None:
        """Stops the clock, and counts what was due and had not started."""
        super().end()
        self._schedule.end(self.pace)

    def _news(self) -> set[Group]:
        """The groups with something to do, waiting for them until the next request is due."""
        pool, again = self.pool, self._again
        if again:
            self._again = set()
            return pool.heard(0) | again
        wait = pool.tick_s
        if self.left > 0 and self._free:
            wait = min(wait, (self._schedule.when() - clock()) / NS)
        if self.pace.deadline is not None:
            wait = min(wait, (self.pace.deadline - clock()) / NS)
        if wait > 0:  # select keeps microseconds, epoll's own wait whole milliseconds only
            select.select([pool], [], [], wait)
        return pool.heard(0)

    def _start(self, now: int) -> None:
        """Starts what is due, as far as there are handles."""
        touched = set()
        deadline = self.pace.deadline
        while self._free and self.left > 0:
            when = self._schedule.when()
            if when > now or (deadline is not None and when >= deadline):
                break
            handle = self._free.pop()
            self._schedule.started(when, now)
            self.left -= 1
            self.under_way += 1
            self.starts[handle], self._planned[handle] = now, when
            group = self.pool.group_of[handle]
            group.multi.add_handle(handle)
            group.running += 1
            touched.add(group)
        for group in touched:
            self.turn(group)

    def turn(self, group: Group) -> None:
        """Lets the transfers of a group go on, and notes what has ended."""
        pace = self.pace
        while group.perform()[1] != group.running:
            _, done, failed = group.info(1 << 20)
            now = clock()
            if pace.deadline is not None and now > pace.deadline:
                break
            for handle in done:
                self._note(handle, now)
                group.multi.remove_handle(handle)
            for handle, code, message in failed:
                self._failed(group, handle, code, message, now)
            ended = [*done, *(one[0] for one in failed)]
            self._free.extend(ended)
            group.running -= len(ended)
            self.under_way -= len(ended)
            if len(pace.rows) >= CHUNK:
                pace.samples.take(pace.rows)
        if group.goes_on(sending=self.pool.sending):
            self._again.add(group)

    def _note(self, handle: pycurl.Curl, now: int) -> None:
        info, connect = handle.getinfo, 0
        if handle in self.pool.fresh:
            self.pool.connected(handle)
            connect = info(self.connected)
        service, latency = (now - self.starts[handle]) // 1000, (now - self._planned[handle]) // 1000
        end = (now - self.pace.begun) // 1000
        self.pace.rows.append((end, latency, info(_STATUS), info(_BODY), info(_HEAD), info(_PRE), info(_FIRST), connect, service))
