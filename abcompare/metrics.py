"""The one table of metrics: name, unit, which direction is better, what it means, short alias; and units.

A metric's name is a dotted path of the record (`latency.p99`). Families of names that differ in the statistic
only (`latency.min`, `connect.min`, …) are generated from one row. Percentiles exist for any number
(`latency.p99.99`) and are parsed here and nowhere else.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from typing import Literal

Better = Literal["higher", "lower", "neither"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: its name, base unit ("s", "B", "1/s", "B/s" or "1" for a count or a share), and its meaning."""

    name: str
    unit: str
    better: Better
    meaning: str
    alias: str | None = None


_SINGLE = (
    Metric("duration", "s", "neither", "time from the first request's start to the end of the run"),
    Metric("throughput", "1/s", "higher", "complete requests per second of the run", "rps"),
    Metric("requests.complete", "1", "neither", "requests that the tool counts as complete, whatever their status", "complete"),
    Metric("requests.failed", "1", "lower", "failures as the tool counts them; one request can count several times", "failed"),
    Metric("requests.started", "1", "neither", "requests that were sent, answered or not"),
    Metric("requests.not_started", "1", "lower", "requests that were due on the schedule and could not start before the end"),
    Metric("requests.succeeded", "1", "neither", "requests that the tool counts as successful"),
    Metric("requests.keep_alive", "1", "neither", "requests answered over a connection that the server kept open"),
    Metric("requests.keep_alive_aborted", "1", "lower", "kept connections that the server closed as a request was sent"),
    Metric("requests.non_2xx", "1", "lower", "answers outside 2xx (ab) or above 399 (wrk)", "non_2xx"),
    Metric("connections.opened", "1", "neither", "connections that were made in the run"),
    Metric("errors.connect", "1", "lower", "connections that could not be made"),
    Metric("errors.receive", "1", "lower", "failed receives (ab -r)"),
    Metric("errors.length", "1", "lower", "answers whose length differs from the first answer's"),
    Metric("errors.exception", "1", "lower", "exceptions reported by the poll"),
    Metric("errors.write", "1", "lower", "failed writes"),
    Metric("errors.read", "1", "lower", "failed reads"),
    Metric("errors.timeout", "1", "lower", "time-outs as the tool counts them"),
    Metric("document_length", "B", "neither", "body length of the first answer"),
    Metric("bytes.received", "B", "neither", "bytes received, headers included"),
    Metric("bytes.body", "B", "neither", "body bytes received"),
    Metric("bytes.sent", "B", "neither", "bytes sent with the requests"),
    Metric("transfer_rate.received", "B/s", "higher", "bytes received per second", "transfer_rate"),
    Metric("transfer_rate.sent", "B/s", "higher", "bytes sent per second"),
    Metric("transfer_rate.total", "B/s", "higher", "bytes received and sent per second"),
    Metric("latency.closed_loop_mean", "s", "lower", "concurrency / throughput: the same number as the throughput"),
    Metric("latency.per_request_mean", "s", "lower", "1 / throughput: the same number as the throughput"),
)

_STATISTICS = {
    "min": "smallest", "mean": "arithmetic mean of", "sd": "standard deviation of",
    "median": "median (the tool's own definition) of", "max": "largest", "within_sd": "share within one sd of the mean of",
}

_FAMILIES = {
    "latency": ("s", "time from a request's start to the end of its answer"),
    "uncorrected_latency": ("s", "wrk2's service time, measured without the wait for a late start"),
    "connect": ("s", "time to connect, TLS included"),
    "processing": ("s", "time from connected to the end of the answer"),
    "waiting": ("s", "time from the request sent to the first byte"),
    "first_byte": ("s", "time from the request's start to the first byte"),
    "interval_throughput": ("1/s", "throughput of short intervals (wrk: per thread, 100 ms)"),
}

_PERCENTILE = re.compile(r"p(\d{1,3}(?:\.\d+)?)")
_ALIAS_FAMILY = "latency"


def percentile_name(family: str, percent: str) -> str:
    """`latency`, "99.900" → `latency.p99.9`: the metric of a percentile as a tool prints it (no `%`)."""
    if "." in percent:
        percent = percent.rstrip("0").rstrip(".")
    return f"{family}.p{percent}"


@lru_cache(maxsize=4096)
def percentile_of(name: str) -> float | None:
    """`latency.p99.9` → 99.9; None when the name is not a percentile between 0 and 100."""
    _, _, statistic = name.partition(".")
    found = _PERCENTILE.fullmatch(statistic)
    if not found:
        return None
    percent = float(found[1])
    return percent if percent <= 100 else None


@cache
def metric(name: str) -> Metric | None:
    """The metric of a full name or an alias (`p99`, `rps`); None for a name that is in no table."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    if _PERCENTILE.fullmatch(name):
        name = f"{_ALIAS_FAMILY}.{name}"
    family, _, statistic = name.partition(".")
    if family not in _FAMILIES:
        return None
    unit, what = _FAMILIES[family]
    better: Better = "higher" if family == "interval_throughput" else "lower"
    percent = percentile_of(name)
    if percent is not None:
        alias = statistic if family == _ALIAS_FAMILY else None
        return Metric(name, unit, better, f"the {percent:g} % quantile of: {what}", alias)
    if statistic not in _STATISTICS:
        return None
    if statistic == "within_sd":
        unit, better = "1", "neither"
    return Metric(name, unit, better, f"{_STATISTICS[statistic]}: {what}")


_BY_NAME = {one.name: one for one in _SINGLE} | {one.alias: one for one in _SINGLE if one.alias}


def table() -> list[Metric]:
    """Every metric but the percentiles, which exist for any number, in the order of the documentation."""
    families = [metric(f"{family}.{statistic}") for family in _FAMILIES for statistic in _STATISTICS]
    return [*_SINGLE, *(one for one in families if one)]


# -- units -------------------------------------------------------------------------------------------------------------

# (decimal exponent, factor): a value in the unit is text·10^exponent·factor in the base unit. The decimal part is
# applied to the text, so that 2.552 ms is 0.002552 s and not 0.0025520000000000002.
_UNITS: dict[str, tuple[int, int]] = {
    "ns": (-9, 1), "us": (-6, 1), "µs": (-6, 1), "μs": (-6, 1), "ms": (-3, 1), "s": (0, 1), "m": (0, 60), "h": (0, 3600),
    "": (0, 1), "k": (3, 1), "M": (6, 1), "G": (9, 1), "T": (12, 1),
    "B": (0, 1), "KB": (0, 1024), "MB": (0, 1024**2), "GB": (0, 1024**3), "TB": (0, 1024**4), "PB": (0, 1024**5),
    "kB/s": (0, 1024), "1000B/s": (3, 1), "B/s": (0, 1), "%": (-2, 1),
}


def quantity(text: str, unit: str) -> float:
    """The number `text` ("2.552") in `unit` ("ms", "KB", "k", …), in base units. Raises ValueError and KeyError."""
    exponent, factor = _UNITS[unit]
    if "e" in text:
        text, _, power = text.partition("e")
        exponent += int(power)
    if factor in (60, 3600):
        return float(Decimal(text) * factor)  # 116.62 m is 6997.2 s, and not 6997.200000000001
    value = float(f"{text}e{exponent}") if exponent else float(text)
    return value * factor


def half_unit(text: str, unit: str) -> float:
    """Half a unit of the last printed digit of `text` in `unit`, in base units: 15.711915 s → 5e-7."""
    exponent, factor = _UNITS[unit]
    if "e" in text:
        text, _, power = text.partition("e")
        exponent += int(power)
    decimals = len(text) - text.index(".") - 1 if "." in text else 0
    return float(f"5e{exponent - decimals - 1}") * factor


def known_unit(unit: str) -> bool:
    """Whether `quantity` takes this unit."""
    return unit in _UNITS


_SCALES: dict[str, tuple[tuple[float, str], ...]] = {
    "s": ((1e-6, "µs"), (1e-3, "ms"), (1.0, "s")),
    "B": ((1.0, "B"), (1024.0, "KiB"), (1024.0**2, "MiB"), (1024.0**3, "GiB"), (1024.0**4, "TiB")),
    "B/s": ((1.0, "B/s"), (1024.0, "KiB/s"), (1024.0**2, "MiB/s"), (1024.0**3, "GiB/s")),
}


def human(value: float | None, unit: str, resolution: float | None = None) -> str:
    """A value in base units for people, in the fitting unit; "—" for None.

    Four significant digits, and never one that was not measured: with a `resolution` (half a unit of the last printed
    digit, in `unit`) the digits end where the printed ones do, so that 6.36/s is not shown as 6.360.
    """
    if value is None:
        return "—"
    if unit == "1":
        return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4g}"
    if value == 0:
        return "0/s" if unit == "1/s" else f"0 {unit}"
    factor, name = (1.0, "/s") if unit == "1/s" else _SCALES[unit][0]
    for scale, label in _SCALES.get(unit, ()):
        if abs(value) >= scale:
            factor, name = scale, label
    digits = _digits(value / factor, None if resolution is None else resolution / factor)
    return f"{digits}{name}" if unit == "1/s" else f"{digits} {name}"


def _digits(value: float, half: float | None) -> str:
    """`value` without an exponent: four significant digits, fewer where `half` a unit of the last one is larger."""
    if not math.isfinite(value):
        return f"{value:g}"
    decimals = max(0, 3 - math.floor(math.log10(abs(value))))
    if half:
        decimals = min(decimals, max(0, -math.floor(math.log10(2 * half) + 1e-6)))
    return f"{value:,.{decimals}f}"
