"""A URL and options as a job: the library's twin of `abcompare run`'s command line."""

from __future__ import annotations

from os import PathLike
from typing import Any

from msgspec.structs import replace

from abcompare.errors import UsageError
from abcompare.jobs import Job
from abcompare.plan import amounts, request
from abcompare.plan.request import Headers
from abcompare.plan.urls import address, proxy
from abcompare.records import Load, Number, Target

_DEFAULT_S = 10  # a run for which nobody said how long it is
_VERSIONS = {"1.0": "1.0", "1.1": "1.1", "1": "1.1", "2": "2", "2.0": "2", "3": "3"}


def job(
    url: str | None = None,
    *,
    base: Job | None = None,
    requests: int | str | None = None,
    duration: Number | str | None = None,
    concurrency: int | str | None = None,
    rate: Number | str | None = None,
    threads: int | None = None,
    method: str | None = None,
    header: Headers = (),
    cookie: str | None = None,
    content_type: str | None = None,
    body: bytes | str | None = None,
    body_file: str | PathLike[str] | None = None,
    user: str | None = None,
    keep_alive: bool | None = None,
    http: str | None = None,
    timeout: Number | str | None = None,
    stall: Number | str | None = None,
    warmup: Number | str | None = None,
    variable_length: bool | None = None,
    stop_on_error: bool | None = None,
    processes: int | str | None = None,
    max_samples: int | str | None = None,
    **connection: Any,
) -> Job:
    """The job that a URL and options ask for; None leaves a thing to `base`, or to its default.

    Without `requests` and `duration` it takes 10 seconds; one of them alone replaces both of `base`. HTTP version and
    keep-alive stay open when nothing asks for them: the engine that runs the job has its own.
    `connection` is any of proxy, proxy_user, unix_socket, connect_to, ca_file, certificate, private_key, insecure, label.
    Raises UsageError for what makes no sense, InputError for a body that cannot be read.
    """
    start = base or Job(target=Target(), load=Load())
    target, login = start.target, None
    if url is not None:
        target, login = address(url, "URL")
    if not target.host:
        raise UsageError("there is no URL", hint="abcompare run -n 1000 -c 10 http://127.0.0.1:8080/")
    sent = request.added(start.headers, request.headers(header, "--header"))
    sent = sent if cookie is None else request.added(sent, (("Cookie", cookie),))
    new = _payload(body, body_file)
    payload = start.body if new is None else new
    made = replace(
        start, target=target, headers=_typed(sent, content_type, payload), body=payload,
        user=user or login or start.user, load=_load(start.load, requests, duration, concurrency, rate, timeout),
    )
    load = replace(
        made.load, method=_method(method, start.load.method, new), threads=threads or start.load.threads,
        keep_alive=_first(keep_alive, start.load.keep_alive), http_version=_version(http) or start.load.http_version,
        variable_length=_first(variable_length, start.load.variable_length), request_body_bytes=None if payload is None else len(payload),
    )
    return replace(made, load=load, **_rest(stall, warmup, stop_on_error, processes, max_samples), **_connection(connection))


def _load(
    base: Load, requests: int | str | None, duration: Number | str | None, concurrency: int | str | None,
    rate: Number | str | None, timeout: Number | str | None,
) -> Load:
    """The amounts of a load."""
    if requests is not None or duration is not None:
        base = replace(
            base, requests=None if requests is None else amounts.count(requests, "--requests"),
            duration_s=None if duration is None else amounts.seconds(duration, "--duration"),
        )
    elif base.requests is None and base.duration_s is None:
        base = replace(base, duration_s=_DEFAULT_S)
    at_once = base.concurrency or 1 if concurrency is None else amounts.count(concurrency, "--concurrency")
    if base.requests is not None and base.requests < at_once and (requests is not None or concurrency is not None):
        raise UsageError(f"{base.requests} requests are fewer than {at_once} at once", hint="a larger -n, or a smaller -c")
    return replace(
        base, concurrency=at_once, rate_per_s=base.rate_per_s if rate is None else amounts.rate(rate, "--rate"),
        timeout_s=base.timeout_s if timeout is None else amounts.seconds(timeout, "--timeout"),
    )


def _rest(
    stall: Number | str | None, warmup: Number | str | None, stop_on_error: bool | None, processes: int | str | None,
    max_samples: int | str | None,
) -> dict[str, Any]:
    """The fields of a job besides its load that are given."""
    found: dict[str, Any] = {}
    if stall is not None:
        found["stall_s"] = float(amounts.seconds(stall, "--stall"))
    if warmup is not None:
        found["warmup_s"], found["warmup_requests"] = amounts.warm_up(warmup, "--warmup")
    if stop_on_error is not None:
        found["stop_on_error"] = stop_on_error
    if processes is not None:
        found["processes"] = 0 if processes == "auto" else amounts.count(processes, "--processes")
    if max_samples is not None:
        found["max_samples"] = amounts.count(max_samples, "--max-samples", least=0)
    return found


_CONNECTION = ("proxy", "proxy_user", "unix_socket", "connect_to", "ca_file", "certificate", "private_key", "insecure", "label")


def _connection(given: dict[str, Any]) -> dict[str, Any]:
    unknown = next((name for name in given if name not in _CONNECTION), None)
    if unknown:
        raise UsageError(f"there is no option {unknown!r}", hint=f"known besides the load's: {', '.join(_CONNECTION)}")
    found = {name: value for name, value in given.items() if value is not None}
    return {**found, "proxy": proxy(found["proxy"], "--proxy")} if "proxy" in found else found


def _payload(body: bytes | str | None, file: str | PathLike[str] | None) -> bytes | None:
    if body is not None and file is not None:
        raise UsageError("--body and --body-file are two bodies: choose one")
    if file is not None:
        return request.body_of(file)
    return body.encode("utf-8", "surrogateescape") if isinstance(body, str) else body


def _method(given: str | None, base: str | None, body: bytes | None) -> str:
    """The method: as given, else POST for a body that is given, as ab has it, where `base` has no method of its own."""
    if given is not None:
        return request.method(given, "--method")
    return "POST" if body is not None and base in (None, "GET") else base or "GET"


def _typed(sent: tuple[tuple[str, str], ...], content_type: str | None, body: bytes | None) -> tuple[tuple[str, str], ...]:
    """The headers with the body's type; text/plain when nothing says it, as ab does."""
    if content_type is not None:
        sent = tuple(one for one in sent if one[0].lower() != "content-type")
        return (*sent, *request.headers((("Content-Type", content_type),), "--content-type"))
    return (*sent, ("Content-Type", "text/plain")) if body is not None and not request.has(sent, "Content-Type") else sent


def _version(http: str | None) -> str | None:
    if http is None:
        return None
    found = _VERSIONS.get(str(http).removeprefix("HTTP/"))
    if found is None:
        raise UsageError(f"--http: {http!r} is no version of HTTP", hint="1.0, 1.1, 2 or 3")
    return found


def _first(given: bool | None, base: bool | None) -> bool | None:
    return base if given is None else given


