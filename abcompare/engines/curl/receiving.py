"""What comes over the connections of plain HTTP/1: answers in parts, and all the ways in which a request ends."""

from __future__ import annotations

import socket

from abcompare.engines.curl.answers import CHUNKED, TO_THE_END, Chunks, Head, head, server
from abcompare.engines.curl.failures import CUT_SHORT, NO_ANSWER, of_system
from abcompare.engines.curl.pace import Pace, clock
from abcompare.engines.curl.wires import PlainPool, Wire

SMALL, LARGE = 16 << 10, 4 << 20  # bytes that are read at once, of bodies that are small or not
_DISCARD = socket.MSG_TRUNC  # Linux: what was received is dropped and not copied out, and the buffer stays untouched
_HEADS = 1_000  # heads that are known by their bytes: those of a second are mostly the same
_LONGEST_HEAD = 256 << 10


class Receiver:
    """Sends requests and takes answers, whatever they are; `under_way` counts requests, `free` has the idle wires."""

    def __init__(self, pool: PlainPool, pace: Pace) -> None:
        self.pool = pool
        self.pace = pace
        self.under_way = 0
        self.free = list(reversed(pool.wires))  # a stack: what was used last is used next
        self.heads: dict[bytes, Head] = {}
        self._buffer = bytearray(LARGE)

    # -- requests ------------------------------------------------------------------------------------------------------

    def again(self, wire: Wire) -> None:
        """Sends the request of a wire, over a new connection where there is none."""
        wire.sent = wire.first = 0
        wire.clear()
        wire.rest = self.pool.request
        if wire.sock is None:
            try:
                error = self.pool.connect(wire)
            except OSError as problem:
                error = problem.errno or 0
            if error:
                self.unconnected(wire, error)
            return
        self.send(wire)

    def send(self, wire: Wire) -> None:
        """Sends what is left of the request, as far as it goes."""
        assert wire.sock is not None
        try:
            while wire.rest:
                count = wire.sock.send(wire.rest)
                wire.rest = wire.rest[count:]
        except BlockingIOError:
            return
        except OSError as error:
            self.broken(wire, of_system(error.errno))
            return
        wire.sent = clock()

    # -- answers -------------------------------------------------------------------------------------------------------

    def read(self, wire: Wire) -> None:
        """Reads until the answer is whole or nothing is left."""
        buffer = self._buffer
        while wire.sock is not None and wire.start:
            try:
                if wire.need > SMALL:
                    count = wire.sock.recv_into(buffer, min(wire.need, LARGE), _DISCARD)
                    if count:
                        wire.body += count
                        wire.need -= count
                        if not wire.need:
                            self._whole(wire, clock())
                        continue
                    data = b""
                else:
                    data = wire.sock.recv(SMALL)
            except BlockingIOError:
                return
            except OSError as error:
                self.broken(wire, of_system(error.errno))
                return
            if not self._part(wire, data, clock()):
                return

    def take(self, wire: Wire, data: bytes, now: int) -> None:
        """Takes what came first of an answer, and reads on."""
        if self._part(wire, data, now):
            self.read(wire)

    def _part(self, wire: Wire, data: bytes, now: int) -> bool:
        """Takes a part of an answer, an empty one for the connection's end; returns whether more is wanted."""
        if not data:
            if wire.head is not None and wire.head.length == TO_THE_END:
                self._whole(wire, now)
            else:
                self.broken(wire, CUT_SHORT if wire.head or wire.part else NO_ANSWER)
            return False
        wire.first = wire.first or now
        if wire.head is None:
            text = wire.part + data
            size = text.find(b"\r\n\r\n") + 4
            if size < 4:
                wire.part = text
                if len(text) > _LONGEST_HEAD:
                    self.fail(wire, "receive", "the answer's head has no end")
                    return False
                return True
            found = self._known(text[:size])
            if found is None:
                self.fail(wire, "receive", "the answer is not HTTP/1")
                return False
            wire.part, data = b"", text[size:]
            if found.status < 200:
                return self._part(wire, data, now) if data else True
            wire.head, wire.need = found, max(0, found.length)
            wire.chunks = Chunks() if found.length == CHUNKED else None
        return self._body(wire, data, now)

    def _known(self, text: bytes) -> Head | None:
        found = self.heads.get(text)
        if found is None:
            found = head(text, bodiless=self.pool.bodiless)
            if found is not None and found.status >= 200:
                if len(self.heads) > _HEADS:
                    self.heads.clear()
                self.heads[text] = found
                self.pool.observed.hear(text, server(text))
        return found

    def _body(self, wire: Wire, data: bytes, now: int) -> bool:
        assert wire.head is not None
        if wire.chunks is not None:
            rest = wire.chunks.feed(data)
            wire.body = wire.chunks.body
            if rest is None:
                self.fail(wire, "receive", "the answer's chunks are none")
                return False
            done = wire.chunks.done
        elif wire.head.length == TO_THE_END:
            wire.body += len(data)
            return True
        else:
            taken = min(wire.need, len(data))
            wire.body += taken
            wire.need -= taken
            rest, done = data[taken:], not wire.need
        if done:
            if rest:
                wire.head = wire.head._replace(keep=False)  # nobody asked for that
            self._whole(wire, now)
        return not done

    # -- ends ----------------------------------------------------------------------------------------------------------

    def _whole(self, wire: Wire, now: int) -> None:
        """Notes a whole answer."""
        pace, found = self.pace, wire.head
        assert found is not None
        if pace.deadline is not None and now > pace.deadline:
            return
        start = wire.start
        service = (now - start) // 1000
        pace.rows.append(
            (
                (now - pace.begun) // 1000, (now - wire.due) // 1000, found.status, wire.body, found.size, (wire.sent - start) // 1000,
                (wire.first - start) // 1000, wire.connected, service,
            )
        )
        self.over(wire, found.keep)

    def broken(self, wire: Wire, why: str) -> None:
        """The connection broke. One that had answers before and none now was closed as it was asked: asked anew, and counted."""
        if not wire.start:
            self.pool.hang_up(wire)
        elif wire.answered and wire.head is None and not wire.part:
            self.pool.hang_up(wire)
            self.pool.resent += 1
            self.again(wire)
        else:
            self.fail(wire, "receive", why)

    def unconnected(self, wire: Wire, error: int) -> None:
        """Nobody there: the next address of the name, if there is one."""
        pool = self.pool
        if pool.endpoint + 1 < len(pool.endpoints):
            pool.endpoint += 1
            pool.hang_up(wire)
            pool.opened -= 1
            self.again(wire)
        else:
            self.fail(wire, "connect", of_system(error))

    def fail(self, wire: Wire, phase: str, why: str) -> None:
        """Notes a request that failed."""
        self.pace.failed(phase, why, clock())
        self.over(wire, False)

    def over(self, wire: Wire, keep: bool) -> None:
        """The request has ended, one way or the other: the wire is free."""
        if keep and self.pool.keep:
            wire.answered += 1
        else:
            self.pool.hang_up(wire)
        wire.start = wire.sent = 0
        wire.clear()
        self.under_way -= 1
        self.free.append(wire)
