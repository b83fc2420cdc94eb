"""Plain HTTP/1 over sockets of our own: the fast way, with half of libcurl's work for each request.

libcurl builds its request, its connection's match, its time-outs and its headers' list anew for each transfer: 13 µs
where ab needs 6, and as much again without keep-alive (benchmarks/engine.py). A load over plain HTTP/1.0 or 1.1 sends the
same bytes each time, so that they are made once here; all else (TLS, HTTP/2 and 3, proxies, Unix sockets) is libcurl's.
"""

from __future__ import annotations

import select
import socket

from abcompare.engines.curl.failures import SLOW_ANSWER, SLOW_CONNECT, of_system
from abcompare.engines.curl.pace import NS, Pace, clock
from abcompare.engines.curl.receiving import SMALL, Receiver
from abcompare.engines.curl.samples import CHUNK
from abcompare.engines.curl.schedule import Schedule
from abcompare.engines.curl.wires import PlainPool, Wire

_GONE = select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR
_TICK_S = 0.025


class PlainLoop(Receiver):
    """One loop over a pool."""

    def __init__(self, pool: PlainPool, pace: Pace, schedule: Schedule | None) -> None:
        super().__init__(pool, pace)
        self.schedule = schedule
        self.left = pace.limits.requests if pace.limits.requests is not None else 1 << 62
        self.open_at_end = 0

    def run(self, begin: int | None) -> None:
        """Makes the requests; what is under way when the time is over is dropped. Raises EngineError."""
        pace, now = self.pace, self.pace.begin(begin)
        if self.schedule:
            self.schedule.begin(now)
        tick = round(_TICK_S * NS)
        due = now + tick
        self._start_free(clock())
        while (self.under_way or self.left > 0) and pace.reason is None:
            self._serve(self._wait_s())
            now = clock()
            if self.free and self.left > 0:
                self._start_free(now)
            if now >= due or (pace.deadline is not None and now >= pace.deadline):
                due = now + tick
                if not self.under_way:
                    pace.alive(now)  # an idle schedule is no stall
                if not pace.goes_on(now):
                    break
                self._late(now)
        self.end()

    def end(self) -> None:
        """Stops the clock, and drops what is under way."""
        self.pace.finish(clock())
        self.open_at_end = self.pool.open_now()
        if self.schedule:
            self.schedule.end(self.pace)
        for wire in self.pool.wires:
            if wire.start:
                self.pool.hang_up(wire)

    # -- requests ------------------------------------------------------------------------------------------------------

    def _wait_s(self) -> float:
        wait = _TICK_S
        if self.schedule and self.left > 0 and self.free:
            wait = min(wait, (self.schedule.when() - clock()) / NS)
        if self.pace.deadline is not None:
            wait = min(wait, (self.pace.deadline - clock()) / NS)
        return wait

    def _start_free(self, now: int) -> None:
        """Starts what is due, as far as there are free connections."""
        deadline, schedule = self.pace.deadline, self.schedule
        for _ in range(len(self.free)):
            if self.left <= 0 or self.pace.reason is not None:
                return
            due = schedule.when() if schedule else now
            if due > now or (deadline is not None and due >= deadline):
                return
            if schedule:
                schedule.started(due, now)
            self.left -= 1
            self.under_way += 1
            wire = self.free.pop()
            wire.due, wire.start, wire.connected = due, now, 0
            self.again(wire)
            now = clock()

    # -- events --------------------------------------------------------------------------------------------------------

    def _serve(self, wait_s: float) -> None:
        """Handles what has come: the hot path, for an answer that comes in one piece with a head that is known."""
        pool, pace, heads = self.pool, self.pace, self.heads
        by_fd, rows, begun, deadline = pool.by_fd, pace.rows, pace.begun, pace.deadline
        sending, keep, closed = pool.request, pool.keep, self.schedule is None
        if wait_s > 0 and not closed:  # select keeps microseconds, epoll's own wait whole milliseconds only
            select.select([pool.epoll], [], [], wait_s)
            wait_s = 0
        for fd, event in pool.epoll.poll(max(0.0, wait_s), 256):
            wire = by_fd.get(fd)
            if wire is None:
                continue
            if not wire.sent and not self._unsent(wire, event):
                continue
            if wire.head is not None or wire.part or wire.sock is None:
                self.read(wire)
                continue
            try:
                data = wire.sock.recv(SMALL)
            except BlockingIOError:
                continue
            except OSError as error:
                self.broken(wire, of_system(error.errno))
                continue
            now = clock()
            size = data.find(b"\r\n\r\n") + 4
            known = heads.get(data[:size])
            if known is None or len(data) - size != known.length:
                self.take(wire, data, now)
                continue
            if deadline is not None and now > deadline:
                return
            start = wire.start
            wait = (now - start) // 1000
            rows.append(
                ((now - begun) // 1000, (now - wire.due) // 1000, known.status, known.length, size, (wire.sent - start) // 1000, wait, wire.connected, wait)
            )
            if keep and known.keep and closed and self.left > 0:
                self.left -= 1
                wire.answered += 1
                wire.connected = 0
                wire.start = wire.due = wire.sent = now
                try:
                    count = wire.sock.send(sending)
                except OSError:
                    self.again(wire)
                    continue
                if count != len(sending):
                    wire.rest, wire.sent = sending[count:], 0
            else:
                self.over(wire, known.keep)
            if len(rows) >= CHUNK:
                pace.samples.take(rows)

    def _unsent(self, wire: Wire, event: int) -> bool:
        """An event on a wire that has not sent all of its request yet, or has none; whether there may be an answer."""
        if not wire.start:
            if event & _GONE:  # the server has closed what was not in use
                self.pool.hang_up(wire)
            return False
        assert wire.sock is not None
        if not wire.answered and not wire.connected:
            error = wire.sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if error:
                self.unconnected(wire, error)
                return False
            if event & select.EPOLLOUT:
                wire.connected = max(1, (clock() - wire.start) // 1000)
        if event & select.EPOLLOUT:
            self.send(wire)
        return bool(wire.sent and event & select.EPOLLIN)

    def _late(self, now: int) -> None:
        """Gives up what takes too long."""
        limit = self.pool.limit_ns
        for wire in self.pool.wires:
            if wire.start and now - wire.start > limit:
                connected = wire.sent or wire.answered or wire.connected
                self.fail(wire, "timeout", SLOW_ANSWER if connected else SLOW_CONNECT)
