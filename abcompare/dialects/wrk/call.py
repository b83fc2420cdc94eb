"""wrk's and wrk2's command lines for a job (formats.md 5.2 and 5.3): what they cannot do is an error before anything starts."""

from __future__ import annotations

import os
from base64 import b64encode

from abcompare.dialects.calls import header_lines, insist, method, unable, url, whole
from abcompare.errors import EngineError
from abcompare.jobs import Invocation, Job

_BOTH = frozenset({"duration", "keep-alive", "http/1.1", "tls", "body", "headers", "any-method", "processes", "warm-up"})
CAPABILITIES = {"wrk": _BOTH, "wrk2": _BOTH | {"rate"}}
_BODY, _SCRIPT = "body", "request.lua"
_READ_BODY = f'local file = assert(io.open("{_BODY}", "rb"))\nwrk.body = file:read("*a")\nfile:close()\n'


def invocation(job: Job, tool: str) -> Invocation:
    """The call of wrk or wrk2 that makes a job. Raises EngineError for what it cannot do, with the option and who can."""
    insist(tool, _refused(job, tool))
    load = job.load
    if load.duration_s is None:
        raise EngineError(f"{tool} needs to be told for how long to run", hint="say --duration")
    connections = load.concurrency or 1
    words = [tool, "-t", _threads(job, connections, tool), "-c", whole(connections, "--concurrency", tool, "curl")]
    words += ["-d", f"{whole(load.duration_s, '--duration', tool, 'curl')}s"]
    if load.timeout_s is not None:
        words += ["-T", f"{whole(load.timeout_s, '--timeout', tool, 'curl')}s"]
    if load.rate_per_s is not None:
        words += ["-R", whole(load.rate_per_s, "--rate", tool, "curl")]
    files = _files(job)
    if files:
        words += ["-s", _SCRIPT]
    for line in _headers(job, tool):
        words += ["-H", line]
    words += ["--latency"] if tool == "wrk" else ["--latency", "--u_latency"]
    return Invocation((*words, url(job.target, tool)), files)


def _refused(job: Job, tool: str) -> list[tuple[bool, str, str]]:
    load = job.load
    return [
        (load.rate_per_s is not None and tool == "wrk", "--rate: it has no open loop", "curl or wrk2"),
        (load.rate_per_s is None and tool == "wrk2", "a load without --rate: it has no closed loop", "curl or wrk"),
        (load.requests is not None, "--requests: it runs for a time", "curl or ab"),
        (load.http_version not in (None, "1.1"), f"--http {load.http_version}: it speaks HTTP/1.1 only", "curl or ab"),
        # Its parser waits for a body of the length that the answer to HEAD names, for ever (4.1.0).
        (method(job) == "HEAD", "HEAD: it waits for the body that the answer announces", "curl or ab"),
        (job.stop_on_error, "--stop-on-error", "curl or ab"),
        (job.proxy is not None, "--proxy", "curl or ab"),
        (job.certificate is not None, "--cert", "curl or ab"),
        (job.private_key is not None, "--key", "curl"),
        *unable(job),
    ]


def _threads(job: Job, connections: int, tool: str) -> str:
    """-t: as asked, else one for each process, else the most that cores and connections allow.

    wrk opens the same number of connections on each thread, so that the threads should divide them.
    """
    if job.load.threads is not None:
        return whole(job.load.threads, "--threads", tool, "curl")
    most = job.processes or os.cpu_count() or 1
    return str(max(count for count in range(1, max(1, most) + 1) if connections % count == 0))


def _headers(job: Job, tool: str) -> list[str]:
    """The header lines, with the login, and with what makes the server close when connections are not kept."""
    lines = header_lines(job, tool)
    if job.user is not None:
        lines.append(f"Authorization: Basic {b64encode(job.user.encode()).decode()}")
    named = any(line.lower().startswith("connection:") for line in lines)
    return lines if named or job.load.keep_alive is not False else [*lines, "Connection: close"]


def _files(job: Job) -> dict[str, bytes]:
    """The script that sets method and body, and the body; none for a bare GET. A method is a token: it needs no escapes."""
    name = method(job)
    if name == "GET" and job.body is None:
        return {}
    script = f'wrk.method = "{name}"\n' + ("" if job.body is None else _READ_BODY)
    return {_SCRIPT: script.encode(), **({} if job.body is None else {_BODY: job.body})}
