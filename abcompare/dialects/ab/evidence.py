"""The run time as the other numbers of a report tell it: what corrections are checked against.

Every rate that ab prints is a count divided by the same run time, so each bounds it (`formats.md` 1.10). The printed
duration is not used here, for it is the number in doubt.
"""

from __future__ import annotations

from abcompare.bounds import Span


def run_time(complete: int | None, throughput: float | None, per_request_s: float | None, half: float) -> Span | None:
    """The run time in seconds from n/throughput (± 0.005/s) and from the mean across all (± `half` s); None without both.

    The two are intersected where they agree, else the throughput's is taken: it is the better one by far.
    """
    if not complete:
        return None
    found: list[Span] = []
    if throughput and throughput > 0.005:
        found.append(Span(complete / (throughput + 0.005), complete / (throughput - 0.005)))
    if per_request_s:
        found.append(Span(complete * (per_request_s - half), complete * (per_request_s + half)))
    if not found:
        return None
    low, high = max(one.low for one in found), min(one.high for one in found)
    return Span(low, high) if low <= high else found[0]


def padded(text: str) -> float:
    """Old ab's seconds and microseconds, printed "%ld.%03ld": "60.74169" is 60 s and 74,169 µs."""
    seconds, _, micro = text.partition(".")
    return float(f"{seconds}.{micro:0>6}") if micro else float(seconds)


def thousandth(text: str) -> float:
    """2.0.16's and old -w's milliseconds, printed as if they were microseconds: "0.60074" is 60.074 s, "0.018" 18 ms."""
    millions, _, rest = text.partition(".")
    return (int(millions) * 1_000_000 + int(rest or 0)) / 1000
