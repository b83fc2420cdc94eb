"""An archived run as a job: what is known is asked for again, what is not known is said (design: engine.md, rerun)."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from abcompare.jobs import Job
from abcompare.plan import amounts, request
from abcompare.plan.hosts import Hosts
from abcompare.plan.scaling import scaled
from abcompare.records import Load, Run, Target

_HIDDEN = "REDACTED"  # what the dialects write in place of a secret
_VERSIONS = ("1.0", "1.1", "2", "3")
_MOST_FILLED = 64 * 1024**2  # bytes: a body that an archive only claims is not worth more memory

Missing = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Again:
    """A run, the job that repeats it (None: nothing tells how much to ask for), and how the two differ.

    `not_reproduced` has a (key, why) for each thing that the record does not tell, with what is done instead; `scaled`
    says which amounts --scale changed.
    """

    run: Run
    job: Job | None
    not_reproduced: tuple[Missing, ...]
    scaled: tuple[str, ...] = ()


def again(run: Run, hosts: Hosts, *, scale: float = 1.0, body: bytes | None = None) -> Again:
    """The job that repeats a run against the server that `hosts` has for it, which it must have (`Hosts.check`).

    `body` is sent with every request that has one, in place of what the log does not hold. Raises UsageError for a load
    of numbers that `run` would not take either.
    """
    target = hosts.of(run.target)
    assert target is not None, "Hosts.check was not asked"
    _check(run.load, f"run {run.id[:8]}")
    missing: list[Missing] = [*_of_the_target(run.target, target), *_of_the_run(run)]
    load = _amounts(run, missing)
    if load is None:
        return Again(run, None, (*missing, ("load", "neither requests nor a duration are known: the run is left out")))
    method = _method(run, missing)
    payload = _body(run.load, method, body, missing)
    load = replace(
        load, method=method, concurrency=_concurrency(run.load, missing), request_body_bytes=None if payload is None else len(payload),
        **_protocol(run, missing),
    )
    _check(load, f"run {run.id[:8]}")  # what was measured may stand in it now
    load, changed = scaled(load, scale)
    _check(load, f"run {run.id[:8]}, scaled")
    job = Job(target=target, load=load, headers=_headers(run, payload, missing), body=payload, label=run.label, stall_s=_stall(run))
    return Again(run, job, tuple(missing), changed)


def _check(load: Load, whose: str) -> None:
    """Raises UsageError where a number of the load is none that anybody could have asked for."""
    for key in ("requests", "duration_s", "concurrency", "rate_per_s", "timeout_s", "threads", "request_body_bytes"):
        amounts.within(f"{whose}: {key}", getattr(load, key))


def _of_the_target(asked: Target, target: Target) -> list[Missing]:
    found = []
    if asked.path is None:
        found.append(("path", "the log does not tell it: / is asked for"))
    elif _HIDDEN in asked.path:
        found.append(("path", "a secret in it was hidden when the log was read: it is asked for as it stands"))
    elif asked.path != target.path:
        found.append(("path", "it is asked for as a request line can hold it, from / on: diff takes that for another load (--ignore path)"))
    if (asked.scheme == "https" or asked.tls) and target.scheme == "http":
        found.append(("TLS", "the archived run had it, the target has not"))
    if asked.scheme == "http" and target.scheme == "https":
        found.append(("TLS", "the target has it, the archived run had not"))
    return found


def _of_the_run(run: Run) -> list[Missing]:
    found = []
    if not run.complete:
        found.append(("the end", "the archived run was interrupted: the load that it asked for is made in full"))
    if run.load.script:
        found.append(("script", "a Lua script can change every request, and is not run: the request is sent as it is without"))
    return found


def _amounts(run: Run, missing: list[Missing]) -> Load | None:
    """A load with requests, duration and rate; what was measured stands in where nothing says what was asked for."""
    load = Load(requests=run.load.requests, duration_s=run.load.duration_s, rate_per_s=run.load.rate_per_s, threads=run.load.threads)
    if load.requests or load.duration_s:
        return load
    complete, lasted = run.value("requests.complete"), run.value("duration")
    timed = run.tool.name != "ab"  # wrk and its kin run for a time
    if lasted and (timed or not complete):
        missing.append(("duration", "the log does not tell what was asked for: it takes as long as was measured"))
        return replace(load, duration_s=max(1, round(lasted)))
    if complete:
        missing.append(("requests", "the log does not tell what was asked for: as many as were complete"))
        return replace(load, requests=int(complete))
    return None


def _method(run: Run, missing: list[Missing]) -> str:
    method = run.load.method
    if method and request.is_header(method, ""):
        return method.upper()
    guess = "POST" if run.load.request_body_bytes else "GET"
    missing.append(("method", f"the log does not tell it: {guess} is sent"))
    return guess


def _concurrency(load: Load, missing: list[Missing]) -> int:
    if not load.concurrency or load.concurrency < 1:
        missing.append(("concurrency", "the log does not tell it: 1"))
    return max(1, load.concurrency or 1)


def _protocol(run: Run, missing: list[Missing]) -> dict[str, object]:
    """HTTP version, keep-alive, time limit, and whether lengths are compared."""
    load, is_ab = run.load, run.tool.name == "ab"
    version = load.http_version if load.http_version in _VERSIONS else "1.0" if is_ab else "1.1"
    if load.http_version is None:
        missing.append(("HTTP version", f"the log does not tell it: {version}"))
    elif version != load.http_version:
        missing.append(("HTTP version", f"HTTP/{load.http_version} is not spoken: {version}"))
    keep_alive = load.keep_alive
    if keep_alive is None:
        keep_alive = version != "1.0"
        missing.append(("keep-alive", f"the log does not tell it: {'yes' if keep_alive else 'no'}"))
    return {
        "http_version": version, "keep_alive": keep_alive, "timeout_s": None if is_ab else load.timeout_s,
        "variable_length": bool(load.variable_length) if is_ab else load.variable_length is not False,  # ab alone compares them
    }


def _stall(run: Run) -> float:
    """ab's -s, which is no limit of a request: it ends a run in which nothing happens."""
    told = run.load.timeout_s if run.tool.name == "ab" else None
    return float(told) if told else 30.0


def _body(load: Load, method: str, given: bytes | None, missing: list[Missing]) -> bytes | None:
    """The body: the one that is given, else filler of the archived length."""
    length = load.request_body_bytes
    if length is None and method not in request.WITH_BODY:
        return None
    if given is not None:
        if length not in (None, len(given)):
            missing.append(("body length", f"{length:,} bytes then, {len(given):,} now: diff takes that for another load (--ignore body)"))
        return given
    if length is None:
        missing.append(("body", "neither its bytes nor their number are known: none is sent; --body-file names one"))
        return None
    if length > _MOST_FILLED:
        missing.append(("body", f"{length:,} bytes of it are not in the log: none is sent; --body-file names one"))
        return None
    if length:
        missing.append(("body", "its bytes are not in the log: filler of the same length is sent; --body-file names the real one"))
    return b"x" * length


def _headers(run: Run, body: bytes | None, missing: list[Missing]) -> tuple[tuple[str, str], ...]:
    """The archived headers, without those that were hidden, and without those that follow from the load."""
    sent = []
    for name, value in run.load.headers.items():
        if name.lower() in (*request.FRAMING, "connection"):
            continue
        if _HIDDEN in value:
            missing.append((f"header {name}", "its value was hidden when the log was read: it is not sent; --header gives it"))
        elif not request.is_header(name, value):
            missing.append((f"header {name}", "it would break the request apart: it is not sent"))
        else:
            sent.append((name, value))
    if body is not None and not request.has(sent, "Content-Type"):
        sent.append(("Content-Type", "text/plain"))
    return tuple(sent)
