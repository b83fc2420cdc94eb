"""What counts hide: requests that are complete and no success, failures counted twice, limits that ended a run."""

from __future__ import annotations

from collections.abc import Iterator

from abcompare.audit.rules import Note, rule
from abcompare.dialects.argv import split
from abcompare.records import Run

_AT_ONCE = 10  # requests for each unit of concurrency, below which ramp-up and end are most of a run
_RAMP = 0.25  # the share of the run time that the slowest connect may take
_IN_TIME = 0.98  # of the time limit: a run that ends before was ended by another limit
_TIMED_REQUESTS = 50_000  # ab's MAX_REQUESTS, which -t sets -n to


@rule("ALL-NON-2XX", "warning", "no answer was a success")
def all_non_2xx(run: Run) -> Iterator[Note]:
    """ab counts an error page as a complete request and does not call it failed; wrk reports it in a line of its own.

    A server that answers 404, 301 or 503 to everything is often much faster than one that does its work.

    What to do: look at the URL and its final slash with curl, and make the run again; this one compares error pages.
    """
    complete, odd = run.value("requests.complete"), run.value("requests.non_2xx")
    if complete and odd and odd >= complete:
        failed = run.value("requests.failed")
        told = f", and {failed:,} count as failed" if failed is not None else ""
        yield Note(f"all {complete:,} answers are redirects or errors{told}", "requests.non_2xx")


@rule("EMPTY-REPLIES", "error", "requests were complete, and nothing was received")
def empty_replies(run: Run) -> Iterator[Note]:
    """ab counts a connection that is closed without an answer as a complete request, and often as a fast one.

    It happens when the server drops connections, when TLS is spoken to a plain port or a plain request to a TLS port,
    and, with -r, when every connection is refused.

    What to do: look at the server's error log and at the URL's scheme and port; nothing was served in this run.
    """
    complete = run.value("requests.complete")
    if complete and run.value("bytes.received") == 0:
        yield Note(f"{complete:,} requests count as complete, and 0 bytes were received", "bytes.received")


@rule("FIRST-ANSWER-ODD", "warning", "the first answer was the odd one out")
def first_answer(run: Run) -> Iterator[Note]:
    """ab takes the length of the first answer for the length of the document, and calls every other length a failure.

    When the first answer was an error page, the good answers are the failures: errors and failures add up to all.

    What to do: make the run again with -l and a warm server; read the failures of this one as successes.
    """
    complete, odd, length = (run.value(name) for name in ("requests.complete", "requests.non_2xx", "errors.length"))
    if complete and odd and length and odd + length == complete:
        yield Note(f"{length:,} answers differ in length from the first, and {odd:,} are no 2xx: together all {complete:,}", "errors.length")


@rule("LENGTH-ONLY-FAILURES", "info", "all failures are answers of another length")
def length_only(run: Run) -> Iterator[Note]:
    """ab calls an answer failed when its length is not that of the first one. Pages with a date, a session or a
    counter in them are of any length, and nothing is wrong with them.

    What to do: look whether the page is dynamic, and run ab with -l; "diff" keeps these failures beside the gate.
    """
    failed, length = run.value("requests.failed"), run.value("errors.length")
    if failed and failed == length:
        said = f"all {failed:,} failures are answers" if failed > 1 else "the only failure is an answer"
        yield Note(f"{said} of another length than the first", "requests.failed")


@rule("FAILURES-COUNTED-TWICE", "warning", "more failures than requests")
def counted_twice(run: Run) -> Iterator[Note]:
    """With -r one request that is reset counts as a Receive failure, as a Length failure, and perhaps as an Exception.

    The number of failed requests is then up to three times what it says, and may exceed all requests.

    What to do: take the largest of the kinds for the number of requests that failed, at the least.
    """
    complete, failed = run.value("requests.complete"), run.value("requests.failed")
    kinds = [run.value(f"errors.{name}") or 0 for name in ("connect", "receive", "length", "exception")]
    if complete and failed and (failed > complete or (kinds[1] and kinds[1] <= kinds[2] and failed >= 2 * kinds[1])):
        least = max(kinds)
        yield Note(f"{failed:,} failures of {complete:,} requests; at least {least:,} requests failed, the rest may be the same ones", "requests.failed")


@rule("STOPPED-EARLY", "warning", "another limit ended the run than the one that was meant")
def stopped_early(run: Run) -> Iterator[Note]:
    """ab's -t sets the number of requests to 50,000, so that a run of 60 seconds ends after 28 when the server is fast.

    A run that was to make n requests and made fewer was interrupted, or gave up.

    What to do: put -n behind -t, large enough; compare rates, and not counts, of such runs.
    """
    complete, duration = run.value("requests.complete"), run.value("duration")
    seconds, requests = run.load.duration_s, run.load.requests
    if not complete or run.tool.name != "ab":
        return
    if seconds and duration and duration < _IN_TIME * seconds and complete >= (requests or _TIMED_REQUESTS):
        yield Note(f"{complete:,} requests were done after {duration:.6g} s of {seconds:g} s: their number ended the run, not the time", "duration")
    elif requests and not seconds and complete < requests:
        yield Note(f"{complete:,} of {requests:,} requests were made", "requests.complete")


@rule("TIME-LIMIT-ORDER", "info", "-t behind -n replaces it")
def limit_order(run: Run) -> Iterator[Note]:
    """ab's -t sets the number of requests to 50,000 where it stands, so that an -n before it is forgotten.

    "-n 3000 -t 10" makes up to 50,000 requests; "-t 10 -n 3000" stops at 3,000 or after 10 s.

    What to do: put -n behind -t.
    """
    if run.tool.name != "ab" or not run.command:
        return
    letters = [word[:2] for word in split(run.command) if word[:2] in ("-n", "-t")]
    if letters[-2:] == ["-n", "-t"]:
        yield Note("-t stands behind -n in the command: the limit was 50,000 requests, whatever -n said", "requests.complete")


@rule("TOO-SHORT", "warning", "the run was too short for a steady state")
def too_short(run: Run) -> Iterator[Note]:
    """Start-up and end are a large part of a short run: connections are opened at once, caches are cold, and at the
    end ever fewer connections are busy. A second, or ten requests for each connection, is the least.

    What to do: make runs of ten seconds or more, and several of them.
    """
    complete, duration, concurrency = run.value("requests.complete"), run.value("duration"), run.load.concurrency
    if not complete or duration is None:
        return
    slowest = run.value("connect.max") or 0
    if duration < 1:
        yield Note(f"the run took {duration:.3g} s", "duration")
    elif concurrency and complete < _AT_ONCE * concurrency:
        yield Note(f"{complete:,} requests over {concurrency:,} connections are {complete / concurrency:.3g} for each", "requests.complete")
    elif slowest >= _RAMP * duration:
        yield Note(f"the slowest connect took {slowest:.4g} s of the {duration:.4g} s of the run", "connect.max")
