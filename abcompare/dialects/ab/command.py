"""ab's option table: a command line as a load and a target (formats.md 5.1)."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import msgspec

from abcompare.dialects.argv import options
from abcompare.dialects.draft import REDACTED
from abcompare.records import Load, Target

_FLAGS = "kirdSqVhwlQDIa"
_VALUES = "nctsbTpuvHCAPXgexyzmfZBEWRo"
_TIMED_REQUESTS = 50_000  # MAX_REQUESTS: what -t sets -n to, unless -n stands behind it
_SECRET = re.compile(r"(?i)authorization|cookie|api-key|token|secret")


def load_of(argv: list[str]) -> Load:
    """The load that an ab command line asks for; what ab does when an option is absent is filled in."""
    given, _ = options(argv[1:], _FLAGS, _VALUES)
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
    _, words = options(argv[1:], _FLAGS, _VALUES)
    for word in words:
        url = word.strip("\"'<>()[]")
        if "/" not in url and ":" not in url and "." not in url:
            continue
        try:
            parts = urlsplit(url if "://" in url else f"http://{url}")
            port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:
            continue
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return Target(scheme=parts.scheme, host=parts.hostname, port=port, path=path)
    return Target()


def files_of(argv: list[str]) -> list[str]:
    """The names of the files that -e and -g write."""
    given, _ = options(argv[1:], _FLAGS, _VALUES)
    return [name for letter in "eg" for name in given.get(letter, [])]


def _integer(given: dict[str, list[str]], letter: str) -> int | None:
    text = given.get(letter, [""])[-1]
    return int(text) if text.isdigit() and len(text) < 16 else None


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
    headers: dict[str, str] = {}
    for text in given.get("H", []):
        name, _, value = text.partition(":")
        if name.strip() and _:
            headers[name.strip()] = REDACTED if _SECRET.search(name) else value.strip()
    if "C" in given:
        headers["Cookie"] = REDACTED
    if "A" in given:
        headers["Authorization"] = REDACTED
    if "P" in given:
        headers["Proxy-Authorization"] = REDACTED
    if "T" in given:
        headers["Content-Type"] = given["T"][-1]
    return headers


def redacted(command: str) -> str:
    """An ab command line without the values of -C, -A, -P and of secret headers."""
    command = re.sub(r"(\s-[CAP])(\s*)(\"[^\"]*\"|'[^']*'|\S+)", rf"\1\2{REDACTED}", command)
    return re.sub(r"(\s-H\s*[\"']?)((?i:[\w-]*(?:authorization|cookie|api-key|token|secret)[\w-]*))(\s*:\s*)[^\"'\n]*", rf"\1\2\3{REDACTED}", command)


def merged(printed: Load, asked: Load | None) -> Load:
    """What the report prints, and where it is silent what the command line says."""
    if asked is None:
        return printed
    fields = {name: getattr(asked, name) for name in Load.__struct_fields__ if getattr(printed, name) in (None, {})}
    return msgspec.structs.replace(printed, **fields)
