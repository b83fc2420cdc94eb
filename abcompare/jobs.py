"""What an engine is asked to do, and what every engine is (design: engine.md).

A `Job` is a `Load` that can be made: the load as a record keeps it, and beside it what a record never holds, the
bytes and the secrets that are sent. An `Engine` makes the requests of a job and returns a `Run`, the same record that
reading a log gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from abcompare.records import Load, Run, Target


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Requests to make: where, what is sent with each, how many at once, and when it is enough.

    `target` has scheme, host, port and path (with its query). `load` has the method, concurrency, requests or
    duration_s (both: whichever ends first), rate_per_s for an open loop, keep_alive, http_version ("1.0", "1.1", "2",
    "3"), timeout_s of a request and variable_length. What stands below is not part of a record.
    """

    target: Target
    load: Load
    headers: tuple[tuple[str, str], ...] = ()  # as sent, Cookie and Authorization too
    body: bytes | None = None
    user: str | None = None  # "user:password" of basic authentication
    proxy: str | None = None
    proxy_user: str | None = None
    unix_socket: str | None = None  # path of a socket to connect to in place of host and port
    connect_to: str | None = None  # "host:port" to connect to; the request and TLS name the target's all the same
    insecure: bool = False  # whether certificates go unverified
    ca_file: str | None = None
    certificate: str | None = None
    private_key: str | None = None
    warmup_s: float = 0.0
    warmup_requests: int = 0
    processes: int = 1  # 0: one a core
    max_samples: int = 1_000_000  # requests kept one by one; beyond them an HdrHistogram has the distribution
    stall_s: float = 30.0  # ab's -s: the run ends when nothing at all happens for so long
    stop_on_error: bool = False  # ab without -r: the first error that is not an answer ends the run
    label: str | None = None


class Invocation(msgspec.Struct, frozen=True):
    """A call of a real tool that makes a job: its words, for no shell, and the files that they name.

    The tool is started in a folder of its own that holds `files`, so that the words name them without a path.
    """

    argv: tuple[str, ...]
    files: dict[str, bytes] = {}


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool's command line says beside its load (`sent_of` of a dialect): headers and secrets as typed.

    `stall_s` is set where the tool's time limit is one of the whole run (ab's -s); `left_out` has a (key, why) for each
    option that nothing here does. Certificates are verified here, whatever the tool does. `sent_of` raises UsageError for
    numbers that the tool would refuse, or read as another load.
    """

    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    body_file: str | None = None
    user: str | None = None
    proxy: str | None = None
    proxy_user: str | None = None
    certificate: str | None = None
    stall_s: float | None = None
    stop_on_error: bool = False
    left_out: tuple[tuple[str, str], ...] = ()


class Progress(msgspec.Struct, frozen=True):
    """How far a run is: seconds and requests done, what was asked for, and the last second's rate and latencies."""

    elapsed_s: float
    complete: int
    errors: int
    rate_per_s: float | None = None
    p50_s: float | None = None
    p99_s: float | None = None


class Engine(Protocol):
    """What makes requests. Picklable, so that it can be sent to another process or host."""

    @property
    def name(self) -> str:
        """The name behind --engine."""

    @property
    def capabilities(self) -> frozenset[str]:
        """What it can do of: "rate", "duration", "requests", "keep-alive", "http/1.0" … "http/3", "tls", "body",
        "headers", "unix-socket", "warm-up", "processes", "any-method", "variable-length"."""

    def run(
        self,
        job: Job,
        *,
        progress: Callable[[Progress], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Run:
        """Makes the requests and returns the run; an interrupted or broken run is marked incomplete, with its findings.

        `progress` is called about four times a second; the run ends early once `stop` returns True. Raises EngineError
        when the load cannot be made at all: the target refuses, a program is missing, a capability is not there.
        """
