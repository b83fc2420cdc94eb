"""Durations (`500ms 30s 5m`), counts (`10k 1M`) and rates, as typed or as numbers."""

from __future__ import annotations

import math
import re

from abcompare.errors import UsageError
from abcompare.records import Number

_TIMES = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:us|µs|ms|s|m|h))+", re.ASCII)
_PART = re.compile(r"(\d+(?:\.\d+)?)(us|µs|ms|s|m|h)", re.ASCII)
_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_COUNT = re.compile(r"(\d+(?:[_,]\d{3})*(?:\.\d+)?)\s*([kKmMgG]?)", re.ASCII)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
_MOST = 10**15  # of anything; beyond it a double no longer counts one by one


def seconds(given: str | Number, option: str) -> Number:
    """A duration in seconds: "500ms", "1m30s", or a number of seconds. Raises UsageError for anything else, and for 0."""
    text = str(given).strip()
    if _DURATION.fullmatch(text):
        found = math.fsum(float(number) * _TIMES[unit] for number, unit in _PART.findall(text))
    elif _NUMBER.fullmatch(text):
        found = float(text)
    else:
        raise UsageError(f"{option}: {text!r} is no duration", hint="write 500ms, 30s, 5m or a number of seconds")
    if not 0 < found <= _MOST:
        raise UsageError(f"{option}: {text} is not longer than nothing" if found <= 0 else f"{option}: {text} is too long")
    return int(found) if found.is_integer() else found


def count(given: str | int, option: str, *, least: int = 1) -> int:
    """A whole number: "1000", "10k", "1.5M". Raises UsageError for anything else, and below `least`."""
    found = _scaled(given, option)
    if not found.is_integer():
        raise UsageError(f"{option}: {given} is no whole number")
    if found < least:
        raise UsageError(f"{option}: {given} is below {least}")
    return int(found)


def rate(given: str | Number, option: str) -> Number:
    """Requests a second: "500", "2.5k", "500/s". Raises UsageError for anything else, and for 0."""
    found = _scaled(str(given).strip().removesuffix("/s"), option)
    if found <= 0:
        raise UsageError(f"{option}: {given} requests a second are none")
    return int(found) if found.is_integer() else found


def warm_up(given: str | Number, option: str) -> tuple[float, int]:
    """What precedes a run: (seconds, requests), one of them 0. A text with a unit of time is a duration, all else a count."""
    text = str(given).strip()
    if text == "0":
        return 0.0, 0
    if _DURATION.fullmatch(text):
        return float(seconds(text, option)), 0
    try:
        return 0.0, count(text, option)
    except UsageError as error:
        raise UsageError(error.message, hint="write 2s, or a number of requests") from None


def within(name: str, value: Number | None, *, least: int = 0) -> None:
    """Raises UsageError for a number of an archive that no option would take: below `least`, or beyond all counting."""
    if value is None:
        return
    if not value <= _MOST:  # NaN too
        raise UsageError(f"{name}: {value:g} is too much" if value < 1e300 else f"{name}: more than {_MOST:,} is too much")
    if value < least:
        raise UsageError(f"{name}: {value:g} is below {least}")


def _scaled(given: str | Number, option: str) -> float:
    found = _COUNT.fullmatch(str(given).strip())
    if not found:
        raise UsageError(f"{option}: {str(given)!r} is no count", hint="write 1000, 10k or 1M")
    value = float(re.sub("[_,]", "", found[1])) * _UNITS[found[2].lower()]
    if value > _MOST:
        raise UsageError(f"{option}: {given} is too many")
    return value
