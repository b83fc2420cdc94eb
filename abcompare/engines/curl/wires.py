"""The connections of plain HTTP/1: sockets of our own, registered with epoll once, edge-triggered for both directions."""

from __future__ import annotations

import select
import socket
from errno import EINPROGRESS

from abcompare.engines.curl.answers import Chunks, Head
from abcompare.engines.curl.observed import Seen
from abcompare.engines.curl.options import endpoints, http_version, kept_alive, request, timeout_s
from abcompare.engines.curl.pace import NS
from abcompare.jobs import Job

_EDGES = select.EPOLLIN | select.EPOLLOUT | select.EPOLLRDHUP | select.EPOLLET


def usable(job: Job) -> bool:
    """Whether a job is one for this module."""
    return job.target.scheme == "http" and http_version(job) in ("1.0", "1.1") and not job.proxy and not job.unix_socket


class Wire:
    """One connection and the request on it. Times in ns; `sent` is 0 until the request has left."""

    __slots__ = ("answered", "body", "chunks", "connected", "due", "first", "head", "need", "part", "rest", "sent", "sock", "start")

    def __init__(self) -> None:
        self.sock: socket.socket | None = None
        self.answered = 0  # answers that this connection has had
        self.connected = 0  # µs; 0 when it was open already
        self.start = self.due = self.sent = self.first = 0
        self.clear()

    def clear(self) -> None:
        """Ready for another answer."""
        self.head: Head | None = None
        self.chunks: Chunks | None = None
        self.part = b""  # of a head
        self.rest = b""  # of the request, not sent yet
        self.body = self.need = 0


class PlainPool:
    """All connections of a run; `opened` counts those that were made, `resent` the requests that a closed one had had."""

    def __init__(self, job: Job, size: int) -> None:
        self.opened = self.resent = 0
        self.request = request(job)
        self.observed = Seen(self.request, len(job.body or b""))
        self.keep = kept_alive(job)
        self.bodiless = (job.load.method or "").upper() == "HEAD"
        self.limit_ns = round(timeout_s(job) * NS)
        self.endpoints = endpoints(job)
        self.endpoint = 0
        self.wires = [Wire() for _ in range(size)]
        self.by_fd: dict[int, Wire] = {}
        self.epoll = select.epoll()

    def open_now(self) -> int:
        """How many connections are open."""
        return len(self.by_fd)

    def connect(self, wire: Wire) -> int:
        """Begins to connect; returns the error's number, 0 for none."""
        family, address = self.endpoints[self.endpoint]
        sock = wire.sock = socket.socket(family, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        error = sock.connect_ex(address)
        self.opened += 1
        wire.answered = 0
        fd = sock.fileno()
        self.by_fd[fd] = wire
        self.epoll.register(fd, _EDGES)
        return 0 if error == EINPROGRESS else error

    def hang_up(self, wire: Wire) -> None:
        """Closes a connection, if there is one."""
        if wire.sock is not None:
            self.by_fd.pop(wire.sock.fileno(), None)
            wire.sock.close()
            wire.sock = None

    def close(self) -> None:
        """Closes all connections."""
        for wire in self.wires:
            self.hang_up(wire)
        self.epoll.close()
