"""The last lines of a wrk or wrk2 report: totals, errors and rates; and whether the run came to its end."""

from __future__ import annotations

from abcompare.dialects.draft import Draft
from abcompare.dialects.wrk.amounts import enter
from abcompare.dialects.wrk.load import planned
from abcompare.dialects.wrk.printed import Printed
from abcompare.records import Load

_TOTALS = (
    ("COMPLETE", "requests.complete", "1"), ("DURATION", "duration", "s"), ("BYTES", "bytes.received", "B"),
    ("THROUGHPUT", "throughput", "1/s"), ("TRANSFER", "transfer_rate.received", "B/s"),
    ("NON_2XX", "requests.non_2xx", "1"),
)
_ERRORS = ("connect", "read", "write", "timeout")
_OVERFLOWN = 2.0**63 / 1e6  # seconds: the run time is an unsigned count of microseconds, and this one was below zero


def enter_totals(printed: Printed, draft: Draft) -> None:
    """Requests, run time, bytes, rates and answers above 399."""
    for label, name, base in _TOTALS:
        if label in printed.items:
            enter(draft, name, printed.items[label], base)
    duration = printed.items.get("DURATION")
    if duration is None or (duration.value or 0) < _OVERFLOWN:
        return
    told = "the clock was set back while wrk ran"
    draft.correct("duration", None, "WRK-CLOCK-STEP", f"{told}: {duration.text} is a time below zero", at=duration.at)
    for name in ("throughput", "transfer_rate.received"):
        if name in draft.measures:
            said = f"{told}: {draft.measures[name].text} is divided by a time below zero"
            draft.correct(name, None, "WRK-CLOCK-STEP", said, at=duration.at)


def enter_errors(printed: Printed, draft: Draft) -> None:
    """The socket errors; a fork's further counters are a finding."""
    for name in _ERRORS:
        if name in printed.errors:
            enter(draft, f"errors.{name}", printed.errors[name], "1")
    others = [f"{name} {one.text}" for name, one in printed.errors.items() if name not in _ERRORS]
    if others:
        said = f"counters of errors that wrk does not have: {', '.join(others)}"
        draft.find("WRK-OTHER-ERRORS", "info", said, at=next(iter(printed.errors.values())).at)


def is_complete(printed: Printed, asked: Load | None, draft: Draft) -> bool:
    """Whether the run came to its planned end and its report is all there; the findings say why not."""
    if printed.failures:
        said = "; ".join(dict.fromkeys(text for text, _ in printed.failures))
        draft.find("WRK-TOOL-ERROR", "warning", f"wrk printed: {said}", at=printed.failures[0][1])
    interrupted = _interrupted(printed, asked)
    if interrupted:
        at = printed.items["DURATION"].at if "DURATION" in printed.items else 0
        draft.find("WRK-INTERRUPTED", "warning", f"wrk was interrupted: {interrupted}", at=at)
    labels = (("COMPLETE", "N requests in …"), ("THROUGHPUT", "Requests/sec"))
    missing = [label for key, label in labels if key not in printed.items]
    if missing:
        said = f"the report is cut: it has no line {' and no line '.join(missing)}"
        draft.find("WRK-TRUNCATED", "warning", said, at=max(0, printed.last - 1))
    return not missing and not interrupted


def _interrupted(printed: Printed, asked: Load | None) -> str:
    """What tells that a run ended before its time, or "". An interrupted wrk prints a report like any other.

    wrk stops at the first of its ticks (100 ms) after the planned end, 1.x when each thread has its share of requests.
    """
    duration, seconds = printed.items.get("DURATION"), planned(printed, asked)
    if duration and duration.value and seconds and duration.value + duration.half < 0.99 * seconds.least - 0.05:
        return f"it ran for {duration.text} of {seconds.value} s"
    complete, requests = printed.number("COMPLETE"), printed.number("REQUESTS")
    if complete is not None and requests and complete < requests - (printed.number("THREADS") or 0):
        return f"it made {complete} of {requests} requests"
    over = duration and duration.value and seconds and duration.value >= seconds.value
    return "the terminal shows ^C" if printed.stopped and not over else ""
