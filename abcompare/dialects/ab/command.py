"""ab's option table: a command line as a load and a target (formats.md 5.1)."""

from __future__ import annotations

import re

from abcompare.dialects.argv import options, target
from abcompare.dialects.secrets import REDACTED, VALUED, arguments, headers, redact
from abcompare.records import Load, Target

FLAGS = "kirdSqVhwlQDIa"
VALUES = VALUED["ab"]
_TIMED_REQUESTS = 50_000  # MAX_REQUESTS: what -t sets -n to, unless -n stands behind it


def load_of(argv: list[str]) -> Load:
    """The load that an ab command line asks for; what ab does when an option is absent is filled in."""
    given, _ = options(argv[1:], FLAGS, VALUES)
    seconds = _integer(given, "t")
    return Load(
        method=_method(given),
        concurrency=_integer(given, "c") if "c" in given else 1,
        threads=_integer(given, "W"),
        requests=_requests(argv, given),
        duration_s=seconds,
        keep_alive="k" in given,
        http_version="1.0",
        timeout_s=_integer(given, "s"),
        variable_length="l" in given,
        headers=_headers(given),
    )


def target_of(argv: list[str]) -> Target:
    """The URL of an ab command line; an empty target when there is none. ab takes URLs without a scheme."""
    _, words = options(arguments(argv)[1:], FLAGS, VALUES)
    for word in words:
        url = word.strip("\"'<>()[]")
        if "/" in url or ":" in url or "." in url:
            found = target(url if "://" in url else f"http://{url}")
            if found.host:
                return found
    return Target()


def _integer(given: dict[str, list[str]], letter: str) -> int | None:
    return whole(given.get(letter, [""])[-1])


def whole(text: str) -> int | None:
    """A whole number as typed, of 15 digits at most; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def _requests(argv: list[str], given: dict[str, list[str]]) -> int | None:
    """-n, 50000 where -t stands behind it, 1 where neither stands."""
    if "n" in given and "t" not in given:
        return _integer(given, "n")
    if "t" not in given:
        return 1
    order = [word[1] for word in argv[1:] if re.match(r"-[nt]", word)]
    return _integer(given, "n") if order and order[-1] == "n" else _TIMED_REQUESTS


def _method(given: dict[str, list[str]]) -> str:
    if given.get("m", [""])[-1]:
        return given["m"][-1].upper()
    return "HEAD" if "i" in given else "POST" if "p" in given else "PUT" if "u" in given else "GET"


def _headers(given: dict[str, list[str]]) -> dict[str, str]:
    sent = headers(given.get("H", []))
    for letter, name in (("C", "Cookie"), ("A", "Authorization"), ("P", "Proxy-Authorization")):
        if letter in given:
            sent[name] = REDACTED
    if "T" in given:
        sent["Content-Type"] = redact(given["T"][-1])
    return sent
