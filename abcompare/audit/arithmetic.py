"""Counts and sizes that must add up (formats.md 1.10 and 2.4)."""

from __future__ import annotations

from collections.abc import Iterator

from abcompare.audit.rules import Note, rule
from abcompare.audit.spans import above, shown
from abcompare.records import Run

_BREAKDOWN = ("errors.connect", "errors.receive", "errors.length", "errors.exception")
_OLD_2_3 = "655654"  # the revision of 2.2.9 to 2.2.34 and 2.3, whose banner is that of 2.4 (formats.md 1.1)


@rule("FAILED-SUM", "error", "failed requests are not the sum of their kinds")
def failed_sum(run: Run) -> Iterator[Note]:
    """ab's "Failed requests" is the sum of the kinds that it prints in brackets below.

    Over-long headers alone are counted without a kind, and each of them in "Non-2xx responses" too, so that the sum
    may be short by that many. Anything else was edited or belongs to another report.

    What to do: get the original output.
    """
    failed = run.value("requests.failed")
    kinds = [run.value(name) for name in _BREAKDOWN if name in run.measures]
    if run.tool.name != "ab" or failed is None or len(kinds) < 3 or None in kinds:
        return
    total = sum(kind or 0 for kind in kinds)
    if not total <= failed <= total + (run.value("requests.non_2xx") or 0):
        yield Note(f"{failed:,} requests failed, and their kinds add up to {total:,}", "requests.failed")


@rule("COUNT-ABOVE-TOTAL", "error", "a part is larger than the whole")
def parts(run: Run) -> Iterator[Note]:
    """Answers over kept connections, answers that are not 2xx and body bytes are parts of a whole that is printed too.

    ab counts an over-long header as an answer that is not 2xx, so that those may exceed the requests by the failures.

    What to do: get the original output; a number was edited, or two reports were mixed.
    """
    extra = _extra(run)
    failed = float(run.value("requests.failed") or 0)
    for part, whole, slack in (
        ("requests.keep_alive", "requests.complete", extra), ("requests.non_2xx", "requests.complete", failed + extra),
        ("bytes.body", "bytes.received", 0.0),
    ):
        if above(run, part, whole, slack):
            yield Note(f"{shown(run, part)} is more than {shown(run, whole)}", part)


@rule("NONE-AT-ALL", "error", "no connection or no request, and yet a rate")
def none_at_all(run: Run) -> Iterator[Note]:
    """A rate above zero needs a request, and a request needs a connection. ab refuses more connections than requests.

    What to do: get the original output; a digit was lost.
    """
    complete, rate, concurrency = run.value("requests.complete"), run.value("throughput"), run.load.concurrency
    if complete == 0 and rate:
        yield Note(f"0 requests were complete, and throughput is {rate:,.6g}/s", "requests.complete")
    if concurrency == 0 and (complete or rate):
        yield Note("the concurrency is 0, and requests were made", "requests.complete")


@rule("BODY-LENGTH", "error", "the bytes of the bodies are not answers of the document's length")
def body_length(run: Run) -> Iterator[Note]:
    """Where nothing failed every answer had the document's length, so "HTML transferred" is their number times it.

    Versions before 2.4 also count what came of answers after the last request (EXTRA-ANSWERS says so): up to as many
    more as connections. Bytes outside of that were edited or are of another run; or the document length is.

    What to do: get the original output; the transfer rate is no better than these bytes.
    """
    found = _answers(run)
    if found is None:
        return
    complete, most, length, body = found
    if not complete * length <= body <= most * length:
        said = f"{body:,} body bytes are {body / length:,.6g} answers of {length:,} bytes" if length else f"{body:,} body bytes are of empty answers"
        yield Note(f"{said}, and {complete:,} requests were complete without a failure", "bytes.body")


@rule("EXTRA-ANSWERS", "info", "bytes of answers that are not among the complete requests")
def extra_answers(run: Run) -> Iterator[Note]:
    """Old versions of ab, and -t in all of them, count the bytes of answers that came after the last counted request.

    The transfer rate and the bytes are then of a few more answers than the requests, some of them in part. With few
    requests and a large document that matters: of 100 requests, 3 more are 3 % of the transfer rate.

    What to do: compare requests per second, or divide the bytes by the answers named here.
    """
    found = _answers(run, timed=True)
    if found is None:
        return
    complete, most, length, body = found
    if complete * length < body <= most * length:
        extra = body / length - complete
        yield Note(f"the bytes are of {extra:,.4g} more answers than the {complete:,} complete requests ({extra / complete:.2%})", "bytes.body")


def _answers(run: Run, *, timed: bool = False) -> tuple[int, int, int, int] | None:
    """Complete requests, the most answers that may be counted, document length and body bytes of an ab run.

    None where the bytes need not be a multiple: something failed, lengths may vary, or there is no body.
    """
    names = ("requests.complete", "document_length", "bytes.body")
    values = [run.value(name) for name in names]
    if run.tool.name != "ab" or None in values or run.load.variable_length or not run.complete:
        return None
    if run.load.threads is not None:  # trunk compares no lengths
        return None
    if run.value("requests.failed") != 0 or run.value("requests.non_2xx") or run.load.method == "HEAD" or run.value("errors.write"):
        return None
    if not timed and run.load.duration_s is not None:
        return None
    complete, length, body = (int(value or 0) for value in values)
    open_end = timed or run.load.requests is None  # without the command nobody knows whether -t ended the run
    most = complete + (_extra(run) or (run.load.concurrency or 1 if open_end else 0))
    return (complete, most, length, body) if complete else None


def _extra(run: Run) -> int:
    """Answers beyond the last counted request that a version may count: ab up to 2.2.x opens connections for them."""
    exact = run.tool.version == "2.3" and run.tool.revision != _OLD_2_3 and run.load.threads is None
    return 0 if exact or run.tool.name != "ab" else max(run.load.concurrency or 0, 1)
