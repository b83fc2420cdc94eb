"""How the engine itself was: its share of a core, its wait for one, and the limits that it needs."""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec

from abcompare.errors import EngineError
from abcompare.records import Finding

BUSY, WAITING = 0.9, 0.1  # shares of the run: beyond them the engine was the limit
_SPARE = 64  # descriptors beside the connections: files, epoll, what the program has open anyway


class Health(msgspec.Struct, frozen=True):
    """One process: CPU seconds by the run's, and seconds ready to run without a core, by the same."""

    cpu_share: float
    queue_share: float | None
    cpu_s: float

    def bound(self) -> bool:
        """Whether the process was what limited the load."""
        return self.cpu_share >= BUSY or (self.queue_share or 0) >= WAITING


@dataclass(slots=True)
class Watch:
    """Measures from when it is made."""

    began_ns: int
    cpu_s: float
    queue_ns: int | None

    def end(self) -> Health:
        """The health since then."""
        wall = max(1, time.perf_counter_ns() - self.began_ns) / 1e9
        queue, cpu = _queue_ns(), time.thread_time() - self.cpu_s
        waited = None if queue is None or self.queue_ns is None else round((queue - self.queue_ns) / 1e9 / wall, 4)
        return Health(round(cpu / wall, 4), waited, round(cpu, 6))


def watch() -> Watch:
    """A watch of this thread."""
    return Watch(time.perf_counter_ns(), time.thread_time(), _queue_ns())


def _queue_ns() -> int | None:
    """How long this thread has waited for a core; None where the kernel does not tell."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return None


def descriptors(needed: int) -> None:
    """Makes room for so many connections. Raises EngineError where the system does not let it."""
    needed += _SPARE + needed // 25
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise EngineError(
            f"so many connections need {needed} open files, and this process may have {hard}",
            hint="raise the limit (ulimit -n), or lower the concurrency",
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def findings(processes: list[Health]) -> list[Finding]:
    """CLIENT-BOUND where a process was the limit."""
    bound = [one for one in processes if one.bound()]
    if not bound:
        return []
    worst = max(bound, key=lambda one: one.cpu_share + (one.queue_share or 0))
    queue = "" if worst.queue_share is None else f" and waited {worst.queue_share:.0%} of the time for one"
    many = f"{len(bound)} of {len(processes)} processes of the load generator" if len(processes) > 1 else "the load generator"
    was = "was the limit" if worst.cpu_share >= BUSY else "may have been the limit, on a crowded machine"
    return [
        Finding(
            "CLIENT-BOUND", "warning", f"{many} {was}: it used {worst.cpu_share:.0%} of a core{queue}, so that the server may be faster than this",
            value=worst.cpu_share,
        )
    ]
