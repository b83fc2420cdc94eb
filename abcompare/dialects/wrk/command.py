"""wrk's and wrk2's option table: a command line as a load and a target (formats.md 5.2 and 5.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abcompare.dialects.argv import options
from abcompare.dialects.secrets import VALUED, headers
from abcompare.records import Load

# Long names of wrk 1.0 to 4.2, wrk2 and the fork wrk-pipeline, and the letter that each stands for here.
_LONG = {
    "connections": "c", "duration": "d", "threads": "t", "script": "s", "header": "H", "timeout": "T", "rate": "R",
    "requests": "r", "method": "M", "body": "b", "pipeline": "p", "latency": "L", "u_latency": "U",
    "batch_latency": "B", "version": "v", "help": "h",
}
_VALUES = VALUED["wrk"]
_FLAGS = "LUBvh"
_METRIC = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9}
_TIME = {"": 1, "s": 1, "m": 60, "h": 3600}


def load_of(argv: list[str]) -> Load:
    """The load that a command line asks for; what wrk does when an option is absent is filled in.

    Without a URL the line was cut, and what is absent is not known. A script may change method, body and headers of
    each request: then the method is None.
    """
    given, _ = given_in(argv)
    whole = url_of(argv) is not None
    requests = _metric(given, "r") or _metric(given, "n")
    script = given.get("s", [None])[-1]
    sent = headers(given.get("H", []))
    close = any(name.lower() == "connection" and value.lower() == "close" for name, value in sent.items())
    return Load(
        method=given["M"][-1].upper() if "M" in given else "GET" if whole and not script else None,
        concurrency=_metric(given, "c") if "c" in given else 10 if whole else None,
        threads=_metric(given, "t") if "t" in given else 2 if whole else None,
        requests=requests,
        duration_s=_time(given, "d") if "d" in given else 10 if whole and not requests else None,
        rate_per_s=_metric(given, "R"),
        keep_alive=not close,
        http_version="1.1",
        request_body_bytes=len(given["b"][-1].encode()) if "b" in given else None,
        timeout_s=_time(given, "T") if "T" in given else 2 if whole else None,
        script=script,
        headers=sent,
    )


def url_of(argv: list[str]) -> str | None:
    """The URL of a command line; None when there is none."""
    _, words = given_in(argv)
    found = (re.search(r"https?://(?:\[[\da-fA-F:.]+\])?[^\s\])>\"']*", word) for word in words)
    return next((one.group() for one in found if one), None)


def is_wrk2(argv: list[str]) -> bool:
    """Whether a command line is of wrk2: by the program's name or an option that only wrk2 has."""
    given, _ = given_in(argv)
    return bool(re.search(r"wrk2", argv[0].replace("\\", "/").rsplit("/", 1)[-1])) or "R" in given or "U" in given


def given_in(argv: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """getopt_long: the options by letter, and the words that are none; what stands behind "--" is the script's."""
    words = argv[1:]
    own = words[: words.index("--")] if "--" in words else words
    return options(_short(own), _FLAGS, _VALUES)


def _short(words: list[str]) -> Iterator[str]:
    """The words with long options as short ones: "--threads=4" as "-t4". getopt takes unambiguous beginnings too."""
    for word in words:
        name, equals, value = word[2:].partition("=")
        known = {_LONG[name]} if name in _LONG else {letter for long, letter in _LONG.items() if long.startswith(name)}
        if not word.startswith("--"):
            yield word
        elif len(known) == 1:
            yield f"-{known.pop()}" + (value if equals else "")


def _metric(given: dict[str, list[str]], letter: str) -> int | None:
    """A count with an SI unit (scan_metric): "10k"."""
    return metric(given.get(letter, [""])[-1])


def metric(text: str) -> int | None:
    """A count with an SI unit as typed; None for what is none."""
    found = re.fullmatch(r"([0-9]{1,15})([kKMG]?)", text)
    return int(found[1]) * _METRIC[found[2]] if found else None


def _time(given: dict[str, list[str]], letter: str) -> int | None:
    """Whole seconds, minutes or hours (scan_time): "2m". wrk refuses "1.5s"."""
    return time(given.get(letter, [""])[-1])


def time(text: str) -> int | None:
    """A time in seconds as typed; None for what is none."""
    found = re.fullmatch(r"([0-9]{1,15})([smh]?)", text)
    return int(found[1]) * _TIME[found[2]] if found else None
