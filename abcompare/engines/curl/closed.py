"""The closed loop: as many requests under way as there are handles, until enough have ended or the time is over.

This is the hot path: what is done for each request is a few lines, and no function of Python's own is called in them.
"""

from __future__ import annotations

import pycurl

from abcompare.engines.curl.failures import cause, phase
from abcompare.engines.curl.pace import NS, Pace, clock
from abcompare.engines.curl.pool import Group, Pool
from abcompare.engines.curl.samples import CHUNK

_STATUS, _BODY, _HEAD = pycurl.RESPONSE_CODE, pycurl.SIZE_DOWNLOAD_T, pycurl.HEADER_SIZE
_PRE, _FIRST = pycurl.PRETRANSFER_TIME_T, pycurl.STARTTRANSFER_TIME_T


class Closed:
    """A closed loop over a pool. `connected` is libcurl's number for the time to connect, TLS included."""

    def __init__(self, pool: Pool, pace: Pace, connected: int) -> None:
        self.pool = pool
        self.pace = pace
        self.connected = connected
        self.left = pace.limits.requests if pace.limits.requests is not None else 1 << 62
        self.under_way = self.open_at_end = 0
        self.starts: dict[pycurl.Curl, int] = {}
        self._again: set[Group] = set()
        self._tick = round(pool.tick_s * NS)
        self._due = 0

    def run(self, begun: int | None = None) -> None:
        """Makes the requests; what is under way when the time is over is dropped. Raises EngineError."""
        self.pace.begin(begun)
        for group in self.pool.groups:
            self._fill(group)
            self.turn(group)
        while self.under_way and self._step(self._next()):
            pass
        self.end()

    def _step(self, news: set[Group]) -> bool:
        """Lets the groups with news go on, and every tick those whose timers are due; returns whether the run goes on."""
        for group in news:
            self.turn(group)
        now = clock()
        if now >= self._due:
            self._due = now + self._tick
            if not self.pace.goes_on(now):
                return False
            for group in self.pool.due():
                self.turn(group)
        return True

    def end(self) -> None:
        """Stops the clock, and drops what is under way."""
        self.pace.finish(clock())
        self.open_at_end = self.pool.open_now()
        self.pool.drop()
        self.under_way = 0

    def _next(self) -> set[Group]:
        """The groups with something to do, waiting for them a tick at most, and never beyond the end of the time."""
        again, self._again = self._again, set()
        wait = 0.0 if again else self.pool.tick_s
        if self.pace.deadline is not None and not again:
            wait = max(0.0, min(wait, (self.pace.deadline - clock()) / NS))
        heard = self.pool.heard(wait)
        return heard | again if again else heard

    def _fill(self, group: Group) -> None:
        for handle in group.handles:
            if self.left <= 0:
                return
            self.left -= 1
            self.starts[handle] = clock()
            group.multi.add_handle(handle)
            group.running += 1
            self.under_way += 1

    def turn(self, group: Group) -> None:
        """Lets the transfers of a group go on, notes what has ended, and starts as many anew."""
        starts, fresh, connected, pace = self.starts, self.pool.fresh, self.pool.connected, self.pace
        rows, begun, deadline = pace.rows, pace.begun, pace.deadline
        add, remove = group.multi.add_handle, group.multi.remove_handle
        while group.perform()[1] != group.running:
            _, done, failed = group.info(1 << 20)
            now = clock()
            if deadline is not None and now > deadline:
                break
            end = (now - begun) // 1000
            for handle in done:
                info = handle.getinfo
                took = (now - starts[handle]) // 1000
                connect = 0
                if handle in fresh:
                    connected(handle)
                    connect = info(self.connected)
                rows.append((end, took, info(_STATUS), info(_BODY), info(_HEAD), info(_PRE), info(_FIRST), connect, took))
                remove(handle)
            for handle, code, message in failed:
                self._failed(group, handle, code, message, now)
                done.append(handle)
            ended = len(done)
            if self.left < ended or pace.reason is not None:
                del done[self.left if pace.reason is None else 0 :]
            for handle in done:
                starts[handle] = now
                add(handle)
            self.left -= len(done)
            group.running -= ended - len(done)
            self.under_way -= ended - len(done)
            if len(rows) >= CHUNK:
                pace.samples.take(rows)
        if group.goes_on(sending=self.pool.sending):
            self._again.add(group)

    def _failed(self, group: Group, handle: pycurl.Curl, code: int, message: str, now: int) -> None:
        where, why = phase(code), cause(handle, code, message)
        self.pool.fresh.discard(handle)
        group.multi.remove_handle(handle)
        self.pace.failed(where, why, now)
