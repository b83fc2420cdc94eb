"""The load of a wrk run: what the report prints, held against the command line above it."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from abcompare.dialects.draft import Draft
from abcompare.dialects.wrk import command as line
from abcompare.dialects.wrk.amounts import Amount
from abcompare.dialects.wrk.printed import Printed
from abcompare.records import Load, Number

_MINUTES_FROM = 51  # seconds: what wrk prints in minutes (format_time_s)


def checked(argv: list[str], printed: Printed, draft: Draft) -> Load | None:
    """The command line's load, held against the report, which counts where they differ.

    Where they differ in two things or more the command line is another run's, and None is returned.
    """
    asked = line.load_of(argv)
    if "REQUESTS" in printed.items:  # 1.x runs for a number of requests and has no -d
        asked = msgspec.structs.replace(asked, duration_s=None)
    seconds = printed.items.get("PLANNED")
    typed = (
        ("-t", asked.threads, "THREADS"), ("-c", asked.concurrency, "CONNECTIONS"), ("-r", asked.requests, "REQUESTS"),
    )
    differing = [
        (f"{option} {value}", printed.items[label].text)
        for option, value, label in typed
        if value is not None and label in printed.items and printed.number(label) != value
    ]
    if seconds and asked.duration_s is not None and not _agree(asked.duration_s, seconds):
        differing.append((f"-d {asked.duration_s}s", seconds.text))
    url = line.url_of(argv)
    if url and printed.urls and not any(one.startswith(url) for one in printed.urls):  # a line that wraps loses its end
        differing.append((url, printed.urls[-1]))
    if not differing:
        return asked
    other = len(differing) > 1
    told = [", ".join(texts) for texts in zip(*differing, strict=True)]
    verdict = "it is another run's, and not used" if other else "the report counts"
    heads = [printed.items[label].at for label in ("PLANNED", "REQUESTS", "THREADS") if label in printed.items]
    said = f"the command line above says {told[0]}, the report {told[1]}: {verdict}"
    draft.find("COMMAND-MISMATCH", "warning", said, at=min(heads, default=0))
    return None if other else asked


@dataclass(frozen=True, slots=True)
class Planned:
    """The planned duration in seconds; `least` is the least that it can be, `exact` whether that is the same."""

    value: Number
    least: float
    exact: bool


def planned(printed: Printed, asked: Load | None) -> Planned | None:
    """The planned duration: the command line's, else the report's, which is in whole minutes from 51 s on."""
    item = printed.items.get("PLANNED")
    typed = asked.duration_s if asked else None
    if item is None or item.value is None:
        return Planned(typed, float(typed), True) if typed else None
    if typed is not None and item.unit != "s" and _agree(typed, item):
        return Planned(typed, float(typed), True)
    value = int(item.value) if item.value.is_integer() else item.value
    return Planned(value, value if item.unit == "s" else max(_MINUTES_FROM, value - 30), item.unit == "s")


def _agree(seconds: Number, item: Amount) -> bool:
    """Whether a duration as typed is printed like this (format_time_s, without decimals)."""
    value = item.value or 0
    return value == seconds if item.unit == "s" else abs(seconds - value) <= 30


def printed_load(printed: Printed, asked: Load | None, draft: Draft) -> Load:
    """The load as far as the report itself tells it. The method is not printed, and a script can change it."""
    _say_connections(printed, draft)
    seconds = planned(printed, asked)
    if seconds and not seconds.exact:
        item = printed.items["PLANNED"]
        said = f"the planned duration, {item.text}, is rounded to whole minutes: it can be off by 30 s"
        draft.find("WRK-DURATION-ROUNDED", "info", said, at=item.at, printed=item.text)
    one = not printed.overall  # the threads and connections above a sum over several URLs are those of each
    return Load(
        concurrency=printed.number("CONNECTIONS") if one else None,
        threads=printed.number("THREADS") if one else None,
        requests=printed.number("REQUESTS"),
        duration_s=seconds.value if seconds else None,
        keep_alive=asked.keep_alive if asked else None,
        http_version="1.1",
    )


def _say_connections(printed: Printed, draft: Draft) -> None:
    threads, connections = printed.number("THREADS"), printed.number("CONNECTIONS")
    if threads and connections and connections % threads:
        real = connections // threads * threads
        said = f"wrk opens {real} connections, {connections // threads} on each of {threads} threads, not {connections}"
        at = printed.items["CONNECTIONS"].at
        draft.find("WRK-CONNECTIONS", "info", said, at=at, printed=str(connections), value=real)
