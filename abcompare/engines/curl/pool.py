"""The multi handles: which of them have something to do, and what has ended in them.

Of the two ways to drive libcurl (benchmarks/engine.py has both measured), `perform` on groups of up to 50 handles won
at every concurrency: no Python call for each change of a socket, and a group is short enough for libcurl to walk.
Sockets are registered with epoll once, when they are made, edge-triggered for both directions. An edge can be used
up by a transfer that has not read to the end; libcurl says then that it wants to go on at once (`timeout() == 0`).
"""

from __future__ import annotations

import select
from collections.abc import Callable
from contextlib import suppress

import pycurl

from abcompare.engines.curl.observed import Observed
from abcompare.engines.curl.options import ONE_BUFFER, Options, handle, options
from abcompare.jobs import Job

GROUP = 50  # handles of a multi handle
_EDGES = select.EPOLLIN | select.EPOLLOUT | select.EPOLLRDHUP | select.EPOLLET
_TICK_S, _QUIC_TICK_S = 0.025, 0.001  # between two looks at libcurl's own timers: TCP needs them for time-outs only
_LOOK_AGAIN = 20  # ticks after which a group is looked at whether or not it was heard of


class Group:
    """One multi handle, and how many of its handles are under way."""

    __slots__ = ("handles", "info", "multi", "perform", "running", "uploaded")

    def __init__(self, handles: list[pycurl.Curl]) -> None:
        self.multi = pycurl.CurlMulti()
        self.multi.setopt(pycurl.M_MAXCONNECTS, 2 * len(handles) + 4)
        self.multi.setopt(pycurl.M_PIPELINING, pycurl.PIPE_NOTHING)  # a request, a connection: HTTP/2 too
        self.perform = self.multi.perform
        self.info = self.multi.info_read
        self.handles = handles
        self.running = 0
        self.uploaded = 0

    def goes_on(self, *, sending: bool) -> bool:
        """Whether transfers want to go on without news: libcurl says so of what it has not read to the end.

        Of a body that it is `sending` it does not: it sends a buffer at a time, and a socket that stays writable has
        no edge. So a group goes on as long as more was sent than when this was last asked.
        """
        if not self.running:
            return False
        before = self.uploaded
        if sending:
            self.uploaded = sum(one.getinfo(pycurl.SIZE_UPLOAD_T) for one in self.handles)
        return bool(self.multi.timeout() == 0 or self.uploaded != before)


class Pool:
    """All handles of a run, in groups. `opened` counts connections; `fresh` has the handles that made one.

    `resent` counts the requests that libcurl sent again, because a kept connection was closed under them.
    """

    def __init__(self, job: Job, size: int) -> None:
        self.opened = self.resent = 0
        self._request_bytes = 0
        self.fresh: set[pycurl.Curl] = set()
        self.group_of: dict[pycurl.Curl, Group] = {}
        self.groups: list[Group] = []
        self._owner: dict[int, Group] = {}
        self._epoll = select.epoll()
        self._ticks = 0
        self.tick_s = _QUIC_TICK_S if job.load.http_version == "3" else _TICK_S
        self.sending = len(job.body or b"") > ONE_BUFFER
        settings = options(job)
        for start in range(0, size, GROUP):
            self._add_group(settings, min(GROUP, size - start))
        self.handles = list(self.group_of)
        self.observed = Observed(self.handles[0])

    def _add_group(self, settings: Options, size: int) -> None:
        group = Group([handle(settings) for _ in range(size)])
        for one in group.handles:
            one.setopt(pycurl.SOCKOPTFUNCTION, self._opening(group, one))
            self.group_of[one] = group
        self.groups.append(group)

    def _opening(self, group: Group, one: pycurl.Curl) -> Callable[[int, int], int]:
        """What libcurl calls with each socket that it makes."""
        owner, fresh, register = self._owner, self.fresh, self._epoll.register

        def opened(fd: int, _purpose: int) -> int:
            owner[fd] = group
            register(fd, _EDGES)
            fresh.add(one)
            self.opened += 1
            return int(pycurl.SOCKOPT_OK)

        return opened

    def connected(self, one: pycurl.Curl) -> None:
        """Notes that a transfer has ended that made a connection: one that has sent its request twice lost one first."""
        self.fresh.discard(one)
        size = one.getinfo(pycurl.REQUEST_SIZE)
        self._request_bytes = self._request_bytes or size
        self.resent += 2 * size > 3 * self._request_bytes

    def open_now(self) -> int:
        """How many of the connections that were opened are open still: what epoll has forgotten is closed."""
        found = 0
        for fd in self._owner:
            with suppress(OSError):
                self._epoll.modify(fd, _EDGES)
                found += 1
        return found

    def fileno(self) -> int:
        """A descriptor that is readable once `heard` has something."""
        return self._epoll.fileno()

    def heard(self, wait_s: float) -> set[Group]:
        """The groups with news, waiting for them for so long."""
        owner = self._owner
        return {owner[fd] for fd, _ in self._epoll.poll(wait_s, 256)}

    def due(self) -> list[Group]:
        """The groups whose timers are due; called every `tick_s`. Every so often all that are under way."""
        self._ticks += 1
        everyone = self._ticks % _LOOK_AGAIN == 0
        return [group for group in self.groups if group.running and (everyone or 0 <= group.multi.timeout() <= 1)]

    def drop(self) -> int:
        """Takes back what is under way, and returns how much it was."""
        dropped = 0
        for group in self.groups:
            dropped += group.running
            for one in group.handles:
                if one in group.multi:
                    group.multi.remove_handle(one)
            group.running = 0
        return dropped

    def close(self) -> None:
        """Closes all connections."""
        self.drop()
        for group in self.groups:
            group.multi.close()
            for one in group.handles:
                one.close()
        self._epoll.close()
