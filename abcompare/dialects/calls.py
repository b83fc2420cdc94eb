"""What every tool's command line for a job needs: the URL, header lines and numbers, checked before anything starts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from abcompare.errors import EngineError
from abcompare.jobs import Job
from abcompare.records import Number, Target

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, 5.6.2: methods and names of headers
_PORTS = {"http": 80, "https": 443}
_FRAMING = ("content-length", "transfer-encoding")  # the tool counts the body itself


def insist(tool: str, asked: Iterable[tuple[bool, str, str]]) -> None:
    """Raises EngineError for the first (whether it is asked for, the option, the engines that can) that is asked for."""
    for wanted, option, able in asked:
        if wanted:
            raise EngineError(f"{tool} cannot do {option}", hint=f"use --engine {able}" if able else None)


def unable(job: Job) -> list[tuple[bool, str, str]]:
    """What neither ab nor wrk nor wrk2 can do."""
    verified = job.target.scheme == "https" and not job.insecure
    return [
        (job.load.script is not None, f"the script {job.load.script}: it may do anything, and is not run", ""),
        (job.unix_socket is not None, "--unix-socket", "curl"),
        (job.connect_to is not None, "--connect-to", "curl"),
        (job.ca_file is not None, "--ca-file: it verifies no certificates", "curl"),
        (verified, "https without --insecure: it verifies no certificates", "curl, or say --insecure"),
    ]


def url(target: Target, tool: str) -> str:
    """The URL of a target. Raises EngineError for one that is not http or https, or that no request line can hold."""
    host, path = target.host or "", target.path or "/"
    path = path if path.startswith("/") else f"/{path}"
    if target.scheme not in _PORTS:
        raise EngineError(f"{tool} asks http and https only, not {target.scheme or 'a URL without a scheme'}")
    if not re.fullmatch(r"[\w.:%-]+", host, re.ASCII):
        raise EngineError(f"{host!r} is no host that {tool} could ask")
    if not re.fullmatch(r"[!-~]+", path):
        raise EngineError(f"the path {path!r} holds what a URL cannot", hint="write it percent-encoded, as %20")
    name = f"[{host}]" if ":" in host else host
    port = "" if target.port in (None, _PORTS[target.scheme]) else f":{target.port}"
    return f"{target.scheme}://{name}{port}{path}"


def header_lines(job: Job, tool: str) -> list[str]:
    """The job's headers as "Name: value". Raises EngineError for what would break the request apart."""
    for name, value in job.headers:
        if not _TOKEN.fullmatch(name) or re.search(r"[\r\n\0]", value):
            raise EngineError(f"the header {name!r} cannot be sent: its name or value would break the request")
        if name.lower() in _FRAMING:
            raise EngineError(f"the header {name} is {tool}'s own: it counts the body itself", hint="leave it out")
    return [f"{name}: {value}" for name, value in job.headers]


def method(job: Job) -> str:
    """The method, GET where the job names none. Raises EngineError for what is no method."""
    name = (job.load.method or "GET").upper()
    if not _TOKEN.fullmatch(name):
        raise EngineError(f"{name!r} is no method")
    return name


def whole(value: Number, option: str, tool: str, able: str) -> str:
    """A number of 1 or more without decimals, as typed. Raises EngineError for another, with the engines that can."""
    if value < 1 or value != int(value):
        raise EngineError(f"{tool} takes whole numbers of 1 or more as {option}, not {value}", hint=f"use --engine {able}")
    return str(int(value))
