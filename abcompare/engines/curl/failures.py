"""Requests that had no whole answer: in which phase they failed, and why."""

from __future__ import annotations

import errno
import os
from collections import Counter

import pycurl

from abcompare.dialects.secrets import redact  # libcurl quotes addresses
from abcompare.errors import EngineError
from abcompare.records import Finding

PHASES = ("connect", "receive", "timeout")
_CONNECT = frozenset(
    {
        pycurl.E_COULDNT_RESOLVE_PROXY, pycurl.E_COULDNT_RESOLVE_HOST, pycurl.E_COULDNT_CONNECT, pycurl.E_INTERFACE_FAILED,
        pycurl.E_SSL_CONNECT_ERROR, pycurl.E_PEER_FAILED_VERIFICATION, pycurl.E_SSL_CACERT_BADFILE, pycurl.E_SSL_CERTPROBLEM,
        pycurl.E_SSL_CIPHER, pycurl.E_SSL_ISSUER_ERROR, pycurl.E_UNSUPPORTED_PROTOCOL, pycurl.E_URL_MALFORMAT,
        pycurl.E_FAILED_INIT, pycurl.E_OUT_OF_MEMORY,
    }
)
NO_ANSWER, CUT_SHORT = "the connection was closed without an answer", "the connection was closed before the end of the answer"
SLOW_CONNECT, SLOW_ANSWER = "connecting took too long", "the answer took too long"
_HOW = {
    "connect": "could not connect",
    "receive": "had no whole answer",
    "timeout": "were not answered in time",
}
_HINTS = {
    errno.EADDRNOTAVAIL: "the ports of this machine are used up: keep connections alive, or send fewer requests a second",
    errno.EMFILE: "this process has no more file descriptors: ulimit -n",
    errno.ENFILE: "this machine has no more file descriptors",
}


class Failures:
    """What failed: how many in each phase, and how many for each cause."""

    def __init__(self) -> None:
        self.phases: Counter[str] = Counter()
        self.causes: Counter[tuple[str, str]] = Counter()

    def add(self, phase: str, why: str) -> None:
        """Counts a request that failed in this phase, for this cause."""
        self.phases[phase] += 1
        self.causes[phase, why] += 1

    def merge(self, other: Failures) -> None:
        """Takes the counts of another process."""
        self.phases.update(other.phases)
        self.causes.update(other.causes)

    def total(self) -> int:
        """How many requests failed."""
        return self.phases.total()

    def only_to_connect(self) -> bool:
        """Whether something failed, and all of it to connect."""
        return 0 < self.phases["connect"] == self.total()

    def unreachable(self) -> EngineError:
        """The error where nobody answers at all, with the most frequent cause."""
        why = Counter({text: many for (where, text), many in self.causes.items() if where == "connect"}).most_common(1)[0][0]
        return EngineError(f"the target cannot be reached: {redact(why)}", hint="is the server running, and is the address right?")

    def findings(self) -> list[Finding]:
        """One finding a phase, with its causes, the most frequent first."""
        found = []
        for phase in PHASES:
            count = self.phases[phase]
            if not count:
                continue
            causes = Counter({text: many for (where, text), many in self.causes.items() if where == phase}).most_common(3)
            why = "; ".join(f"{redact(text)} ({many})" for text, many in causes)
            found.append(
                Finding("REQUESTS-FAILED", "warning", f"{count} requests {_HOW[phase]}: {why}", measure=f"errors.{phase}", value=count)
            )
        return found


def phase(code: int) -> str:
    """The phase in which a transfer failed that libcurl gave up with this code."""
    return "timeout" if code == pycurl.E_OPERATION_TIMEDOUT else "connect" if code in _CONNECT else "receive"


def of_system(number: int | None) -> str:
    """What an error of the system means."""
    return _HINTS.get(number or 0) or os.strerror(number or 0)


def cause(handle: pycurl.Curl, code: int, message: str) -> str:
    """Why a transfer failed, without its times and counts, so that equal causes are equal texts."""
    number = handle.getinfo(pycurl.OS_ERRNO)
    if code == pycurl.E_OPERATION_TIMEDOUT:
        return SLOW_CONNECT if not handle.getinfo(pycurl.PRETRANSFER_TIME_T) else SLOW_ANSWER
    if code == pycurl.E_GOT_NOTHING:
        return NO_ANSWER
    if code == pycurl.E_PARTIAL_FILE:
        return CUT_SHORT
    if number and code in (pycurl.E_COULDNT_CONNECT, pycurl.E_RECV_ERROR, pycurl.E_SEND_ERROR):
        return of_system(number)
    return message or f"libcurl's error {code}"
