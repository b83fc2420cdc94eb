"""Each number of a run in plain words, with the run's own figures; the same table makes docs/glossary.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from abcompare.audit import plausible, run_time
from abcompare.metrics import percentile_of
from abcompare.records import Run
from abcompare.reporters.cells import value_of

# From where to where a time is taken, by tool: all of them on the client's side of the wire.
_CLOCKS = {
    "ab": "from just before connect to the last byte (with -k on a kept connection: from the end of the answer before)",
    "wrk": "from the first write of the request to the end of its answer; connect and TLS are not in it",
    "wrk2": "from the moment the request was planned for, whether it could be sent then or not, to the end of its answer",
    "abcompare": "from handing the request to the engine to the end of its answer; with a rate, from its planned start",
}
_KINDS = ("connect", "receive", "length", "exception", "read", "write", "timeout")


@dataclass(frozen=True, slots=True)
class Term:
    """A metric or a family of them ("latency.p"): its title, what it is, and what it is in one run (None: nothing more)."""

    name: str
    title: str
    what: str
    own: Callable[[Run], str | None] = lambda run: None


def _known(run: Run, *names: str) -> list[float] | None:
    """The values of measures; None when one of them is not there."""
    values = [run.value(name) for name in names]
    return None if None in values else [float(value or 0) for value in values]


def _shown(run: Run, name: str) -> str:
    return value_of(run.measures[name])


def _duration(run: Run) -> str | None:
    time = run_time(run)
    return f"by all numbers that contain it: {time.low:.7g} to {time.high:.7g} s" if time and time.low > 0 else None


def _throughput(run: Run) -> str | None:
    known = _known(run, "requests.complete", "duration")
    return f"{known[0]:,.0f} requests / {_shown(run, 'duration')}" if known else None


def _closed(run: Run) -> str | None:
    return f"{run.load.concurrency} connections / {_shown(run, 'throughput')}" if run.load.concurrency and _known(run, "throughput") else None


def _across(run: Run) -> str | None:
    return f"1 / {_shown(run, 'throughput')}" if _known(run, "throughput") else None


def _failed(run: Run) -> str | None:
    kinds = [f"{name} {run.value(f'errors.{name}'):,}" for name in _KINDS if run.value(f"errors.{name}")]
    length = run.value("document_length")
    other = f"; the first answer had {length:,} bytes, and every other length counts" if run.value("errors.length") and length is not None else ""
    return f"{', '.join(kinds)}{other}" if kinds else None


def _non_2xx(run: Run) -> str | None:
    known = _known(run, "requests.non_2xx", "requests.complete")
    return f"{known[0] / known[1]:.2%} of the {known[1]:,.0f} complete requests" if known and known[1] else None


def _clock(run: Run) -> str | None:
    clock = _CLOCKS.get(run.tool.name)
    return f"{run.tool.name} takes it {clock}" if clock else None


def _percentiles(run: Run) -> str | None:
    complete = run.value("requests.complete")
    found = [(percent, name) for name in run.measures if name.startswith("latency.p") and (percent := percentile_of(name)) and percent < 100]
    if not found or not complete:
        return None
    percent, name = max(found)
    beyond = complete * (100 - percent) / 100
    return f"{percent:g} % of {complete:,} requests took {_shown(run, name)} or less; at most {beyond:,.4g} took longer"


def _rate(run: Run) -> str | None:
    known = _known(run, "bytes.received", "duration")
    return f"{_shown(run, 'bytes.received')} / {_shown(run, 'duration')}, headers included" if known else None


def _share(run: Run) -> str | None:
    connect, whole = run.value("connect.mean"), run.value("latency.mean")
    return f"{connect / whole:.0%} of the mean time of a request" if connect is not None and whole else None


TERMS = (
    Term("duration", "run time", "From the start of the first request to the end of the last answer, on the client's clock.", _duration),
    Term("throughput", "requests per second", "Complete requests divided by the run time. Error pages are complete requests.", _throughput),
    Term("requests.complete", "complete requests", "Requests that got an answer, or that the tool took for answered: ab counts a connection that was closed without one."),
    Term("requests.failed", "failed requests", "ab: could not connect, could not receive, or the answer's length was not that of the first one. One request can count twice. A 404 is no failure.", _failed),
    Term("requests.non_2xx", "non-2xx answers", "Answers that are errors, and for ab redirects too. They are among the complete requests.", _non_2xx),
    Term("requests.keep_alive", "keep-alive requests", "Requests whose answer said that the connection may be used again."),
    Term("latency.closed_loop_mean", "time per request (mean)", "ab's first line: concurrency · run time / requests. It is computed and not measured, and the same number as the throughput.", _closed),
    Term("latency.per_request_mean", "time per request (across all)", "ab's second line: run time / requests, one over the throughput. No request took this long.", _across),
    Term("latency.mean", "mean latency", "The arithmetic mean of what single requests took, seen from the client: network, queue and server together.", _clock),
    Term("latency.p", "percentiles", "So many percent of the requests took this long or less. A percentile with fewer than ten requests beyond it is chance.", _percentiles),
    Term("latency.max", "longest request", "One single request. In a closed loop the clients wait meanwhile, so that a stall counts once for each connection."),
    Term("connect.mean", "connect", "From the start of a request to the connection, TLS included. Not measured again on a kept connection.", _share),
    Term("processing.mean", "processing", "From the connection to the end of the answer: waiting and the transfer of the body."),
    Term("waiting.mean", "waiting", "From the request sent to the first byte of its answer: the server's work, and one way there and back."),
    Term("interval_throughput.mean", "requests per second of intervals", "wrk counts each thread's answers every 100 ms. The mean is of one thread; times the threads it is about the throughput."),
    Term("transfer_rate.received", "transfer rate", "Bytes received divided by the run time, headers included. Packets' own headers are not in it.", _rate),
    Term("bytes.body", "body bytes", "Bytes of the bodies alone. ab's \"HTML transferred\", whatever the document is."),
    Term("document_length", "document length", "The body's length in the first answer."),
)


def in_words(run: Run) -> Iterator[tuple[str, str]]:
    """(title, explanation) of each thing that a run has a number of."""
    run = plausible(run)
    for term in TERMS:
        there = any(name == term.name or (term.name.endswith(".p") and name.startswith(term.name) and percentile_of(name) is not None) for name in run.measures)
        if there:
            own = term.own(run)
            yield term.title, f"{term.what} Here: {own}." if own else term.what


def glossary() -> str:
    """docs/glossary.md: what each number of a report is."""
    rows = "".join(f"| {term.title} | `{term.name}{'NN' if term.name.endswith('.p') else ''}` | {term.what} |\n" for term in TERMS)
    clocks = "".join(f"- **{tool}**: {clock}.\n" for tool, clock in _CLOCKS.items())
    return (
        "# What the numbers mean\n\n`abcompare show FILE ID --explain` says the same of a run, with its own figures.\n\n"
        f"| number | metric | what it is |\n|---|---|---|\n{rows}\n## Where a time begins and ends\n\nEvery time is taken by the client.\n\n{clocks}"
    )
