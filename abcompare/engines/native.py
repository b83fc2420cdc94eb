"""The real tools as engines: ab, wrk, wrk2, and any tool whose dialect can write its command line.

The dialect says how the tool is called and reads what it prints, so that a run made here and a log of the same tool
become the same record.
"""

from __future__ import annotations

import math
import re
import shlex
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from abcompare.blocks import Block, Reading
from abcompare.dialects import secrets
from abcompare.dialects.secrets import redact
from abcompare.engines.process import Ended, call
from abcompare.engines.sent import headers_of
from abcompare.errors import EngineError
from abcompare.jobs import Invocation, Job, Progress
from abcompare.records import Finding, Load, Run
from abcompare.registry import Runnable, runnable

_PACKAGES = {"ab": "apache2-utils", "wrk": "wrk", "h2load": "nghttp2-client", "hey": "hey"}  # Debian's
_VERSION = {"ab": "-V", "wrk": "-v", "wrk2": "-v", "h2load": "--version"}
_NO_PACKAGE = {"wrk2": "Debian has no package of it: build https://github.com/giltene/wrk2, and name the program wrk2"}
_GRACE_S = 10.0  # beyond what a load can take: starting, resolving, printing
_PROBE_S = 2.0


@dataclass(frozen=True, slots=True)
class NativeEngine:
    """A tool, by the name of its dialect, which is its program's name too."""

    name: str

    @property
    def capabilities(self) -> frozenset[str]:
        """What the tool can do."""
        return runnable(self.name).capabilities

    def state(self) -> str:
        """Whether the program is installed: "ok: 2.3, /usr/bin/ab", or what to install."""
        try:
            program = self._program()
        except EngineError as error:
            return f"missing: {error.hint}"
        return f"ok: {', '.join([*_version(self.name, program), program])}"

    def run(
        self, job: Job, *, progress: Callable[[Progress], None] | None = None, stop: Callable[[], bool] | None = None,
    ) -> Run:
        """Runs the tool once and returns what it told, with its output in `extra`. `progress` has the time only.

        The run is marked incomplete where the tool failed, was stopped, or did not end in time. Raises EngineError
        where the tool is missing, cannot make such a load, or measured nothing; then with the tool's own message.
        """
        tool = runnable(self.name)
        job = _placed(job)
        invocation = tool.invocation(job)
        warm_up = _warm_up(job)
        before = tool.invocation(warm_up) if warm_up else None
        program = self._program()
        if before and warm_up:
            call(program, before, _limit_s(warm_up), stop=stop)
        started = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        ended = call(program, invocation, _limit_s(job), progress=progress, stop=stop)
        run = _read(tool, job, invocation, ended)
        return replace(run, started_at=started, label=job.label)

    def _program(self) -> str:
        """The program's path. Raises EngineError with the package that has it."""
        found = shutil.which(self.name)
        if found:
            return str(Path(found).resolve() if not Path(found).is_absolute() else found)
        package = _PACKAGES.get(self.name)
        hint = f"apt install {package}" if package else _NO_PACKAGE.get(self.name, "install it, or say where it is in PATH")
        raise EngineError(f"{self.name} is not installed", hint=hint)


def _version(name: str, program: str) -> list[str]:
    """The version that the program names; nothing when it names none."""
    if name not in _VERSION:
        return []
    try:
        done = subprocess.run([program, _VERSION[name]], capture_output=True, text=True, errors="replace", timeout=_PROBE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    found = re.search(r"(?:[Vv]ersion |^wrk |nghttp2/)(\S+)", done.stdout + done.stderr, re.MULTILINE)
    return [found[1]] if found else []


# -- before the call ---------------------------------------------------------------------------------------------------


def _placed(job: Job) -> Job:
    """The job with the certificate's path in full, for the tool is started in another folder."""
    return replace(job, certificate=str(Path(job.certificate).absolute())) if job.certificate else job


def _warm_up(job: Job) -> Job | None:
    """The job that warms up: the tools cannot, so that it is a call of its own, whose numbers are not kept."""
    if not job.warmup_s and not job.warmup_requests:
        return None
    requests = job.warmup_requests or None
    most = min(job.load.concurrency or 1, requests or job.load.concurrency or 1)
    load = replace(job.load, requests=requests, duration_s=math.ceil(job.warmup_s) or None, concurrency=most)
    return replace(job, load=load)


def _limit_s(job: Job) -> float:
    """Seconds after which a call is ended: what the load can take at most when every request waits as long as it may."""
    load = job.load
    waits = max(load.timeout_s or 0, job.stall_s)
    if load.duration_s is not None:
        return load.duration_s + waits + _GRACE_S
    return math.ceil((load.requests or 1) / (load.concurrency or 1)) * waits + _GRACE_S


# -- after it ----------------------------------------------------------------------------------------------------------


def _read(tool: Runnable, job: Job, invocation: Invocation, ended: Ended) -> Run:
    """The run that the tool printed. Raises EngineError where nothing was measured or nobody answered."""
    name, command = tool.name, shlex.join(invocation.argv)
    reading = tool.parse(Block(ended.output, name, _lines(ended.output), command))
    run = reading.run
    if run is None:
        raise EngineError(_why_nothing(name, reading, ended), hint=f"the call was: {secrets.command(command)}")
    if run.value("bytes.received") == 0 and run.value("requests.failed"):
        raise EngineError(f"{name} got no answer from {run.target.host}:{run.target.port}{_why_silent(job)}")
    findings = [*run.findings, *_says(name, ended)]
    return replace(
        run, load=_as_asked(run.load, job), findings=tuple(findings), complete=run.complete and len(findings) == len(run.findings),
        extra={"output": redact(ended.output), "exit_status": ended.status},
    )


def _lines(text: str) -> list[tuple[int, int]]:
    """Where the lines of the output begin."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    return [(start, number) for number, start in enumerate(starts, 1)]


def _why_nothing(name: str, reading: Reading, ended: Ended) -> str:
    """One sentence on a call without a report: the tool's own message, where it printed one."""
    if ended.ended == "late":
        return f"{name} measured nothing in {ended.elapsed_s:.0f} s, and was ended"
    if ended.ended == "stopped":
        return f"{name} was stopped after {ended.elapsed_s:.1f} s, before it had measured anything"
    if not ended.output.strip():
        return f"{name}: no output, {_status(ended.status)}"
    told = next((one.message for one in reading.findings if one.code == "NO-RESULT"), "")
    own = told.partition(" printed no result here: ")[2]
    return f"{name}: {own or redact(ended.output.strip().splitlines()[-1])}"


def _why_silent(job: Job) -> str:
    """What a connection of our own says: ab -r keeps the reason for itself."""
    if job.proxy or not job.target.host:
        return ""
    port = job.target.port or (443 if job.target.scheme == "https" else 80)
    try:
        socket.create_connection((job.target.host, port), _PROBE_S).close()
    except OSError as error:
        return f": {error.strerror or error}"
    return ": it accepts connections, and closes them without a byte"


def _says(name: str, ended: Ended) -> list[Finding]:
    """What makes the run incomplete from outside of its report."""
    after = f"after {ended.elapsed_s:.1f} s"
    if ended.ended == "stopped":
        return [Finding("RUN-STOPPED", "warning", f"{name} was stopped {after}: what it had measured until then is kept")]
    if ended.ended == "late":
        return [Finding("RUN-LATE", "warning", f"{name} had not ended {after}, longer than its load can take, and was ended")]
    if ended.status:
        return [Finding("RUN-FAILED", "warning", f"{name} ended with {_status(ended.status)}: its numbers may not be all")]
    return []


def _status(status: int) -> str:
    return f"exit status {status}" if status >= 0 else f"signal {-status} ({signal.strsignal(-status)})"


def _as_asked(told: Load, job: Job) -> Load:
    """The load as the report and the command line tell it, and from the job what these hide.

    The method and the body stand in files, and -n behind ab's -t may be a number that only has to be large enough.
    """
    asked = job.load
    body = None if job.body is None else len(job.body)
    return replace(
        told, method=(asked.method or "GET").upper(), requests=asked.requests, duration_s=asked.duration_s, request_body_bytes=body,
        script=None, headers=headers_of(job),
    )


ab = NativeEngine("ab")
wrk = NativeEngine("wrk")
wrk2 = NativeEngine("wrk2")
