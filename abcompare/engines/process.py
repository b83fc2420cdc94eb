"""One call of a program: without a shell, in a process group of its own, within a time limit, its output kept."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from abcompare.errors import EngineError
from abcompare.jobs import Invocation, Progress

_TICK_S = 0.05
_PROGRESS_S = 0.25
# SIGINT first: ab and wrk print what they have measured so far.
_SIGNALS = ((signal.SIGINT, 5.0), (signal.SIGTERM, 2.0), (signal.SIGKILL, 5.0))
_KEPT = 256 * 1024  # bytes of output: a report has some thousand


@dataclass(frozen=True, slots=True)
class Ended:
    """What a call came to: stdout and stderr as they came, the exit status (below 0: a signal's number), seconds, and
    whether it was ended from here: because the caller stopped it, or because it was late."""

    output: str
    status: int
    elapsed_s: float
    ended: Literal["itself", "stopped", "late"]


def call(
    program: str, invocation: Invocation, limit_s: float, *,
    progress: Callable[[Progress], None] | None = None, stop: Callable[[], bool] | None = None,
) -> Ended:
    """Runs a program in a folder that holds the invocation's files, until it ends, `stop` says so, or `limit_s` is over.

    No process of it is left behind, whatever happens. Raises EngineError when it cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="abcompare-") as folder, tempfile.TemporaryFile() as output:
        for name, data in invocation.files.items():
            (Path(folder) / name).write_bytes(data)
        begun = time.monotonic()
        process = _started(program, invocation, folder, output)
        try:
            ended = _watched(process, begun, limit_s, progress, stop)
        finally:
            _end(process, _SIGNALS[-1:])
        elapsed = time.monotonic() - begun
        return Ended(_text(output), process.returncode, elapsed, ended)


def _started(program: str, invocation: Invocation, folder: str, output: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            invocation.argv, executable=program, cwd=folder, env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, process_group=0,
        )
    except OSError as error:
        raise EngineError(f"{program} does not start: {error.strerror}") from error


def _watched(
    process: subprocess.Popen[bytes], begun: float, limit_s: float,
    progress: Callable[[Progress], None] | None, stop: Callable[[], bool] | None,
) -> Literal["itself", "stopped", "late"]:
    said = begun
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_TICK_S)
            return "itself"
        now = time.monotonic()
        if progress and now - said >= _PROGRESS_S:
            said = now
            progress(Progress(now - begun, 0, 0))  # the tools say nothing of what they count before they end
        stopped = stop is not None and stop()
        if stopped or now - begun > limit_s:
            _end(process, _SIGNALS)
            with suppress(ProcessLookupError):  # what it had started itself, and did not end
                os.killpg(process.pid, signal.SIGKILL)
            return "stopped" if stopped else "late"


def _end(process: subprocess.Popen[bytes], signals: tuple[tuple[signal.Signals, float], ...]) -> None:
    """Sends the signals to the group one after the other, until the program has ended."""
    for number, patience in signals:
        if process.poll() is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)


def _text(output: IO[bytes]) -> str:
    """What was printed; of very much the beginning and the end, and a line that says how much is missing."""
    size = output.seek(0, os.SEEK_END)
    output.seek(0)
    if size <= _KEPT:
        return output.read().decode("utf-8", "replace")
    first = output.read(_KEPT // 2).rpartition(b"\n")[0]
    output.seek(size - _KEPT // 2)
    last = output.read().partition(b"\n")[2]
    left_out = size - len(first) - len(last)
    return f"{first.decode('utf-8', 'replace')}\n[{left_out} bytes are left out here]\n{last.decode('utf-8', 'replace')}"
