"""ab's command line for a job (formats.md 5.1): what ab cannot do is an error before anything starts."""

from __future__ import annotations

from abcompare.dialects.calls import header_lines, insist, method, unable, url, whole
from abcompare.errors import EngineError
from abcompare.jobs import Invocation, Job

CAPABILITIES = frozenset(
    {"requests", "duration", "keep-alive", "http/1.0", "tls", "body", "headers", "any-method", "variable-length", "warm-up"}
)
_BODY = "body"
_STALL_S = 30  # what ab does without -s
# -t alone sets -n to 50000. ab allocates 40 bytes for each of -n before it starts, and makes fewer than this a second.
_RATE, _MOST = 300_000, 50_000_000


def invocation(job: Job) -> Invocation:
    """The call of ab that makes a job. Raises EngineError for what ab cannot do, with the option and who can."""
    insist("ab", _refused(job))
    words = ["ab", *_amount(job), *_connection(job), *_request(job), *_proxy(job)]
    if job.certificate is not None:
        words += ["-E", job.certificate]
    return Invocation((*words, url(job.target, "ab")), {} if job.body is None else {_BODY: job.body})


def _refused(job: Job) -> list[tuple[bool, str, str]]:
    load = job.load
    return [
        (load.rate_per_s is not None, "--rate: it has no open loop", "curl or wrk2"),
        (load.http_version not in (None, "1.0"), f"--http {load.http_version}: it speaks HTTP/1.0 only", "curl or wrk"),
        (load.timeout_s is not None, "--timeout: its -s is --stall, the silence of all connections together", "curl or wrk"),
        ((load.threads or 1) > 1, "--threads: it has one", "curl (--processes) or wrk"),
        (job.processes != 1, "--processes: it is one", "curl"),
        (job.private_key is not None, "--key: certificate and key stand in one file for it, --cert", "curl"),
        (job.body is not None and method(job) == "HEAD", "--body with HEAD", "curl"),
        (job.proxy is not None and job.target.scheme == "https", "--proxy with https", "curl"),
        *unable(job),
    ]


def _amount(job: Job) -> list[str]:
    """-c, -t and -n, which stands behind -t, for -t sets it."""
    load = job.load
    words = ["-c", whole(load.concurrency or 1, "--concurrency", "ab", "curl")]
    if load.duration_s is None and load.requests is None:
        raise EngineError("the load says neither how many requests to make nor for how long", hint="say --requests or --duration")
    most = load.requests
    if load.duration_s is not None:
        words += ["-t", whole(load.duration_s, "--duration", "ab", "curl")]
        most = min(_MOST, _RATE * int(load.duration_s)) if most is None else most
    return [*words, "-n", whole(most or 0, "--requests", "ab", "curl")]


def _connection(job: Job) -> list[str]:
    """-s, -k, -l and -r."""
    words = [] if job.stall_s == _STALL_S else ["-s", whole(job.stall_s, "--stall", "ab", "curl")]
    words += ["-k"] if job.load.keep_alive else []
    words += ["-l"] if job.load.variable_length else []
    return words if job.stop_on_error else [*words, "-r"]


def _request(job: Job) -> list[str]:
    """The method, the body's file, and the headers. -m stands behind -p, for ab refuses them the other way round."""
    name, body = method(job), job.body is not None
    words: list[str] = []
    if body:
        words += ["-u" if name == "PUT" else "-p", _BODY]
    if name == "HEAD":
        words.append("-i")
    elif name != {True: "POST", False: "GET"}[body] and not (body and name == "PUT"):
        words += ["-m", name]
    for line in header_lines(job, "ab"):
        typed = body and line.lower().startswith("content-type:")  # as -H ab would send it beside its own
        words += ["-T", line.partition(":")[2].strip()] if typed else ["-H", line]
    return words if job.user is None else [*words, "-A", job.user]


def _proxy(job: Job) -> list[str]:
    if job.proxy is None:
        return []
    address = job.proxy.removeprefix("http://").rstrip("/")
    if "://" in address or "@" in address:
        raise EngineError("ab takes a proxy as host:port, by http", hint="use --engine curl")
    return ["-X", address, *([] if job.proxy_user is None else ["-P", job.proxy_user])]
