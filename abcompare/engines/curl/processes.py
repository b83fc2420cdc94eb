"""Several processes: each has its own handles, a share of the concurrency and of the requests, and one common start.

The workers are programs of their own (`worker.py`) that speak in frames over their standard input and output: no fork of
a process with threads, and no second import of the caller's program.
"""

from __future__ import annotations

import os
import pickle
import selectors
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import IO

import msgspec
from msgspec.structs import replace

from abcompare.engines.curl.outcome import Outcome
from abcompare.engines.curl.pace import NS, clock
from abcompare.errors import EngineError
from abcompare.jobs import Job, Progress

READY, TOLD, DONE, FAILED = b"R", b"P", b"D", b"E"
_HEAD = struct.Struct("!cQ")
_LEAD_NS = NS // 20  # between the last worker's readiness and the common start
_BEAT_S = 0.25
_PATIENCE_S = 5.0  # for a worker to hand over what it has, once it was told to stop


class Order(msgspec.Struct, frozen=True):
    """What a worker is told first: its job, and which of how many it is."""

    job: Job
    driver: str
    which: int
    of: int


def write(stream: IO[bytes], kind: bytes, data: bytes = b"") -> None:
    """Writes a frame."""
    stream.write(_HEAD.pack(kind, len(data)) + data)
    stream.flush()


def read(stream: IO[bytes]) -> tuple[bytes, bytes]:
    """Reads a frame: kind and data. Raises EOFError when the other side is gone."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        raise EOFError
    kind, size = _HEAD.unpack(head)
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return kind, data


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0))


def shares(job: Job, many: int) -> list[Job]:
    """The job in parts: concurrency, requests, warm-up and samples; the rate stays whole, for each takes every n-th of it."""
    load = job.load

    def part(whole: int, which: int) -> int:
        return whole // many + (which < whole % many)

    return [
        replace(
            job, processes=1, max_samples=part(job.max_samples, which), warmup_requests=part(job.warmup_requests, which),
            load=replace(
                load, concurrency=part(load.concurrency or 1, which), requests=None if load.requests is None else part(load.requests, which),
            ),
        )
        for which in range(many)
    ]


def spread(
    job: Job, many: int, driver: str, progress: Callable[[Progress], None] | None, stop: Callable[[], bool] | None,
) -> tuple[datetime, Outcome]:
    """Runs a job in so many processes; returns when it began and what it came to. Raises EngineError."""
    if job.load.requests is not None:
        many = min(many, job.load.requests)
    with _workers(shares(job, many), driver) as workers:
        for worker in workers:
            _expect(worker, READY)
        started, begin = datetime.now(UTC), clock() + _LEAD_NS
        for worker in workers:
            write(_stdin(worker), READY, str(begin).encode())
        outcomes, lost = _gathered(workers, begin, progress, stop)
    if not outcomes:
        raise EngineError("all processes of the load generator have died")
    merged = outcomes[0]
    for other in outcomes[1:]:
        merged.merge(other)
    if lost:
        merged.died = f"{lost} of {many} processes"
    return started, merged


@contextmanager
def _workers(jobs: list[Job], driver: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """The workers, started; none is left behind."""
    workers: list[subprocess.Popen[bytes]] = []
    try:
        for which, job in enumerate(jobs):
            worker = subprocess.Popen(
                [sys.executable, "-m", "abcompare.engines.curl.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0,
            )
            workers.append(worker)
            write(_stdin(worker), READY, msgspec.msgpack.encode(Order(job, driver, which, len(jobs))))
        yield workers
    finally:
        for worker in workers:
            _end(worker)


def _end(worker: subprocess.Popen[bytes]) -> None:
    for stream in (worker.stdin, worker.stdout):
        if stream:
            with suppress(OSError):
                stream.close()
    try:
        worker.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.wait()


def _stdin(worker: subprocess.Popen[bytes]) -> IO[bytes]:
    assert worker.stdin is not None
    return worker.stdin


def _expect(worker: subprocess.Popen[bytes], wanted: bytes) -> bytes:
    """The data of the next frame, which has to be of this kind. Raises EngineError, the worker's own too."""
    assert worker.stdout is not None
    try:
        kind, data = read(worker.stdout)
    except EOFError:
        raise EngineError("a process of the load generator has died before the start") from None
    if kind == FAILED:
        message, hint = msgspec.json.decode(data, type=tuple[str, str | None])
        raise EngineError(message, hint=hint)
    assert kind == wanted
    return data


def _gathered(
    workers: list[subprocess.Popen[bytes]], begin: int, progress: Callable[[Progress], None] | None, stop: Callable[[], bool] | None,
) -> tuple[list[Outcome], int]:
    """What the workers hand over, and how many of them died. Raises a worker's EngineError."""
    outcomes: list[Outcome] = []
    told: dict[int, Progress] = {}
    lost, stopped = 0, False
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            assert worker.stdout is not None
            selector.register(worker.stdout, selectors.EVENT_READ, worker)
        while selector.get_map():
            try:
                for key, _ in selector.select(_BEAT_S):
                    lost += _heard(key.data, told, outcomes, selector)
                if progress and told:
                    progress(_together(told, (clock() - begin) / NS))
                asked = stop is not None and stop()
            except KeyboardInterrupt:
                asked = True
            if asked and not stopped:
                stopped = True
                for worker in workers:
                    with suppress(OSError):
                        _stdin(worker).close()
    return outcomes, lost


def _heard(worker: subprocess.Popen[bytes], told: dict[int, Progress], outcomes: list[Outcome], selector: selectors.BaseSelector) -> bool:
    """Takes one frame of a worker; returns whether the worker has died."""
    assert worker.stdout is not None
    try:
        kind, data = read(worker.stdout)
    except EOFError:
        selector.unregister(worker.stdout)
        return True
    if kind == TOLD:
        told[worker.pid] = msgspec.msgpack.decode(data, type=Progress)
        return False
    selector.unregister(worker.stdout)
    if kind == FAILED:
        message, hint = msgspec.json.decode(data, type=tuple[str, str | None])
        raise EngineError(message, hint=hint)
    outcomes.append(pickle.loads(data))
    return False


def _together(told: dict[int, Progress], elapsed_s: float) -> Progress:
    """The progress of all: sums of counts and rates, and the worst of the latencies."""
    all_of = list(told.values())
    rates = [one.rate_per_s for one in all_of if one.rate_per_s is not None]
    p50 = [one.p50_s for one in all_of if one.p50_s is not None]
    p99 = [one.p99_s for one in all_of if one.p99_s is not None]
    return Progress(
        elapsed_s, sum(one.complete for one in all_of), sum(one.errors for one in all_of), sum(rates) if rates else None,
        max(p50, default=None), max(p99, default=None),
    )
