"""A load generator's command line as a job: `run --like 'wrk -t4 -c100 -d30s URL'`. Read as data, never executed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Protocol

from msgspec.structs import replace

from abcompare.errors import UsageError
from abcompare.jobs import Job, Sent
from abcompare.plan import request
from abcompare.plan.urls import PORTS, host_name, path, proxy
from abcompare.records import Load, Target

_SHELL = re.compile(r"[|;&]+|\d?>{1,2}.*|<.*|&?>.*")  # words with which a shell would leave the command
_VERSION = re.compile(r"(?:-?\d[\w.]*|-trunk)?(?:\.exe)?\Z")  # ab-2.4, wrk.exe
_HIDDEN = "REDACTED"


class Reads(Protocol):
    """A dialect, as far as its command line goes. One with `sent_of` tells headers and bodies too."""

    def load_of(self, argv: list[str]) -> Load:
        """The load of a command line, its words split."""

    def target_of(self, argv: list[str]) -> Target:
        """The URL of a command line, taken apart."""


def typed(command: str, tools: Iterable[str]) -> tuple[str, list[str]]:
    """The tool of a command line and its words, from the program on: what stands before it (`time`, `sudo`) and what a
    shell would do with its output is left out. Raises UsageError when it is no command line of these tools.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--like: {str(error).lower()} in the command line") from None
    known = sorted(tools, key=len, reverse=True)
    for at, word in enumerate(words):
        name = re.split(r"[/\\]", word)[-1]
        tool = next((one for one in known if name.startswith(one) and _VERSION.match(name, len(one))), None)
        if tool:
            return tool, _own(words[at:])
    raise UsageError(f"--like: this is no command line of {', '.join(sorted(known))}", hint="--like 'ab -n 1000 -c 10 http://127.0.0.1/'")


def like(argv: list[str], dialect: Reads) -> tuple[Job, tuple[tuple[str, str], ...]]:
    """The job that a command line asks for, and what of it is not done, as (key, why). Raises UsageError, InputError."""
    load, target = dialect.load_of(argv), dialect.target_of(argv)
    if not target.host:
        raise UsageError("--like: there is no URL in the command line", hint="it stands behind the options")
    if target.scheme not in PORTS:
        raise UsageError(f"--like: {target.scheme}:// is not supported", hint="http:// and https:// are")
    read = getattr(dialect, "sent_of", None)
    sent: Sent = read(argv) if read else _sent(load)
    missing = list(sent.left_out)
    if load.script:
        missing.append(("script", "a Lua script can change every request, and is not run: the request is sent as it is without"))
    body = request.body_of(sent.body_file) if sent.body_file is not None else sent.body
    where = Target(target.scheme, host_name(target.host, "--like"), target.port or PORTS[target.scheme or "http"], path(target.path))
    headers = request.headers(sent.headers, "--like")
    if body is not None and not request.has(headers, "Content-Type"):
        headers = (*headers, ("Content-Type", "text/plain"))
    plain = replace(
        load, script=None, headers={}, method=load.method or ("GET" if body is None else "POST"),
        request_body_bytes=None if body is None else len(body), timeout_s=None if sent.stall_s is not None else load.timeout_s,
    )
    made = Job(
        target=where, load=plain, headers=headers, body=body, user=sent.user,
        proxy=None if sent.proxy is None else proxy(sent.proxy, "--like"), proxy_user=sent.proxy_user,
        certificate=sent.certificate, stop_on_error=sent.stop_on_error, stall_s=sent.stall_s or 30.0,
    )
    return made, tuple(missing)


def _own(words: list[str]) -> list[str]:
    end = next((at for at, word in enumerate(words) if _SHELL.fullmatch(word)), len(words))
    return words[:end]


def _sent(load: Load) -> Sent:
    """Of a dialect that tells no more: the headers of the load, of which the secret ones are hidden."""
    shown = tuple((name, value) for name, value in load.headers.items() if _HIDDEN not in value)
    hidden = [name for name in load.headers if name not in dict(shown)]
    return Sent(headers=shown, left_out=tuple((f"header {name}", "its value is hidden: it is not sent; --header gives it") for name in hidden))
