"""An ab report: from what is printed to a run."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import msgspec

from abcompare.blocks import Attachment, Block, Reading
from abcompare.dialects.ab import command as line
from abcompare.dialects.ab.doubt import doubt
from abcompare.dialects.ab.files import quantiles, samples
from abcompare.dialects.ab.printed import Gatherer, Printed
from abcompare.dialects.ab.tables import enter_percentiles, enter_rows
from abcompare.dialects.ab.timing import Timing
from abcompare.dialects.ab.versions import Traits, traits
from abcompare.dialects.argv import merged, split
from abcompare.dialects.draft import Draft
from abcompare.dialects.secrets import headers
from abcompare.records import Finding, Load, Target, Tls, Tool

_COUNTS = {
    "COMPLETE": "requests.complete", "FAILED": "requests.failed", "WRITE_ERRORS": "errors.write",
    "NON_2XX": "requests.non_2xx", "KEPT": "requests.keep_alive", "KEEP_ABORTS": "requests.keep_alive_aborted",
    "CONNECT_ERRORS": "errors.connect", "RECEIVE_ERRORS": "errors.receive", "LENGTH_ERRORS": "errors.length",
    "EXCEPTIONS": "errors.exception",
}


def read(block: Block) -> Reading:
    """The run of a block, or the finding that says why there is none; and the -e and -g files that stand in it."""
    draft = Draft(block)
    printed = Gatherer(block, draft).gather()
    known = _traits(block, printed)
    for label, name in _COUNTS.items():
        item = printed.items.get(label)
        if item:
            draft.number(name, item.text, unit="", base="1")
    _complete_elsewhere(printed, draft)
    Timing(printed, known, draft).enter()
    enter_rows(printed, known, draft)
    enter_percentiles(printed, known, draft)
    _say_ramp(printed, draft)
    files = _files(block, printed)
    if not draft.measures.keys() - ({"document_length"} if not {"BENCHMARKED", "VERSION"} & printed.items.keys() else set()):
        return Reading(None, (), (), files) if files else _nothing(printed, draft)
    argv = split(block.command) if block.command else None
    asked = line.load_of(argv) if argv else None
    doubted = doubt(block, printed, draft, asked)
    if doubted:
        code, reason = doubted
        return Reading(None, (Finding(code, "warning", reason, line=block.line(0), path=block.path),), draft.unrecognised(), files)
    asked = _checked(asked, printed, draft) if asked else None
    load = merged(_dumped(printed, _load(printed), draft), asked)
    complete = _is_complete(printed, known, draft, asked)
    reading = draft.run(
        Tool("ab", printed.text("VERSION"), printed.text("REVISION")), _target(printed, known, argv, draft),
        load, complete=complete, last=printed.last, status_codes=_statuses(printed, draft),
    )
    return Reading(reading.run, reading.findings, reading.unrecognised, files)


def _traits(block: Block, printed: Printed) -> Traits:
    """The version's traits; where the banner is lost, 1.x is known by its units and labels (formats.md 1.3).

    -w prints "kb/s received" without "[#/sec]" and without Time per request. 1.3c prints so in text as well, where
    it makes no difference.
    """
    version = printed.text("VERSION")
    bare = "kb/s received" in block.text and "#/sec" not in block.text and not printed.requests
    printed.html = (bare or block.tabled) and not printed.requests and not printed.wide
    if version is None and printed.text("WRITE_ERRORS_LABEL") == "Broken pipe errors":
        return traits("1.3d", None)
    if version == "2.3" and not (printed.text("REVISION") or "").isdigit() and printed.text("WRITE_ERRORS") == "0":
        return replace(traits(version, None), processing_derived=True, html_bytes=True)  # printed at 0 up to 2.4.6
    if version is None and bare:
        return Traits(None, rate_unit="1000B/s")
    return traits(version, printed.text("REVISION"))


def _complete_elsewhere(printed: Printed, draft: Draft) -> None:
    """The count of an aborted run: the report is missing, but ab says how many requests it had completed."""
    item = printed.items.get("TOTAL_OF")
    if item and "COMPLETE" not in printed.items:
        draft.number("requests.complete", item.text, unit="", base="1")


def _say_ramp(printed: Printed, draft: Draft) -> None:
    """Trunk's lines on the concurrency that was reached and the delay between starts, which no metric holds."""
    reached, delay = printed.items.get("ACHIEVED"), printed.items.get("RAMP")
    if reached and delay:
        said = f"concurrency achieved {reached.text}, with a ramp-up delay of {delay.text} ms between starts"
        draft.find("AB-RAMP", "info", said, at=reached.at)


def _files(block: Block, printed: Printed) -> tuple[Attachment, ...]:
    found: list[Attachment | None] = []
    if printed.quantiles:
        found.append(quantiles(_part(block, printed.quantiles.at), printed.quantiles.text))
    if printed.samples:
        found.append(samples(_part(block, printed.samples.at), printed.samples.text))
    return tuple(one for one in found if one is not None)


def _part(block: Block, at: int) -> Block:
    """A block for a place inside another one: its line, without the text."""
    return Block("", block.path, ((0, block.line(at)),))


def _nothing(printed: Printed, draft: Draft) -> Reading:
    texts = list(dict.fromkeys(item.text for item in printed.failures))
    told = [text for text in texts if not text.startswith("Usage:")] or texts
    reason = "; ".join(told)
    if not reason:
        reason = "its report is cut off" if printed.finished else "it was stopped before its report" if "BENCHMARKED" in printed.items else "there is no report below its banner"
    return draft.nothing("ab", reason, at=printed.failures[0].at if printed.failures else 0)


def _target(printed: Printed, known: Traits, argv: list[str] | None, draft: Draft) -> Target:
    """Host, port and path as printed; what is missing there comes from the command line's URL."""
    asked = line.target_of(argv) if argv else Target()
    _say_target(printed, asked, draft)
    port = printed.integer("PORT")
    if port is not None and port < 0:
        item = printed.items["PORT"]
        draft.find("AB-PORT-NEGATIVE", "corrected", f"this ab prints ports above 32767 below zero: {port} is {port + 65536}", at=item.at, printed=item.text, value=port + 65536)
        port += 65536
    tls = _tls(printed)
    reported = "HOSTNAME" in printed.items and "PORT" in printed.items
    secured = tls or any(item.text.startswith("SSL ") for item in printed.failures)
    # From 2.1.5 on a text report has a line on TLS whenever there was any; before, and in HTML, its lack says nothing.
    plain = reported and known.era in ("2.1", "2.2.9", "2.4") and not printed.html and bool(draft.measures.get("bytes.received"))
    plain = plain and draft.measures["bytes.received"].value != 0
    scheme = "https" if secured else asked.scheme or ("http" if plain else None)
    return Target(
        scheme=scheme,
        host=printed.text("HOSTNAME") or printed.text("BENCHMARKED") or asked.host,
        port=port if port is not None else asked.port,
        path=printed.text("PATH") or asked.path,
        server_software=printed.text("SOFTWARE") or None,
        tls=tls,
    )


def _tls(printed: Printed) -> Tls | None:
    key, name = printed.text("TLS_TEMP_KEY"), printed.text("TLS_NAME")
    if printed.tls is None:
        return Tls(server_temp_key=key, server_name=name) if key or name else None
    protocol, cipher, key_bits, cipher_bits = printed.tls
    return Tls(protocol, cipher, int(key_bits), key, name, int(cipher_bits))


def _load(printed: Printed) -> Load:
    """The load as far as the report itself tells it. ab prints a line on keep-alive whenever -k was given."""
    around = "FAILED" in printed.items and "RECEIVED" in printed.items
    keep_alive = True if "KEPT" in printed.items else False if around else None
    label = printed.text("SENT_LABEL")
    variable = True if "VARIABLE" in printed.items else False if "LENGTH" in printed.items else None
    return Load(
        method={"Total POSTed": "POST", "Total PUT": "PUT"}.get(label) if label else None,
        concurrency=printed.integer("CONCURRENCY"), threads=printed.integer("WORKERS"), requests=printed.integer("PLANNED"),
        keep_alive=keep_alive, http_version="1.0", variable_length=variable,
    )


def _checked(asked: Load, printed: Printed, draft: Draft) -> Load:
    """The command line's load, checked against what was printed: a number that cannot be the run's is left out."""
    concurrency, complete = printed.integer("CONCURRENCY"), printed.integer("COMPLETE")
    if concurrency is not None and asked.concurrency != concurrency:
        said = f"the command line above says -c {asked.concurrency}, the report {concurrency}; the report counts"
        draft.find("COMMAND-MISMATCH", "warning", said, at=printed.items["CONCURRENCY"].at)
    if complete is not None and asked.requests is not None and complete != asked.requests:
        timed = asked.duration_s is not None and complete < asked.requests
        cut_short = not printed.finished and complete < asked.requests
        if not timed and not cut_short:
            said = f"the command line above says -n {asked.requests}, the report has {complete} complete requests; the report counts"
            draft.find("COMMAND-MISMATCH", "warning", said, at=printed.items["COMPLETE"].at)
            asked = msgspec.structs.replace(asked, requests=None)
    at = printed.items["FAILED"].at if "FAILED" in printed.items else 0
    if asked.keep_alive != ("KEPT" in printed.items) and "FAILED" in printed.items and "RECEIVED" in printed.items:
        said = "-k" if asked.keep_alive else "no -k"
        draft.find("COMMAND-MISMATCH", "warning", f"the command line above says {said}, the report {'no ' if asked.keep_alive else ''}Keep-Alive requests; the report counts", at=at)
    return asked


def _say_target(printed: Printed, asked: Target, draft: Draft) -> None:
    """A command line above that names another host, port or path than the report."""
    told = [("HOSTNAME", asked.host), ("PORT", asked.port), ("PATH", asked.path)]
    for label, wanted in told:
        item = printed.items.get(label)
        if item and wanted is not None and asked.host and str(wanted).lower() != item.text.lower():
            what = {"HOSTNAME": "host", "PORT": "port", "PATH": "path"}[label]
            said = f"the command line above names the {what} {wanted}, the report {item.text}; the report counts"
            draft.find("COMMAND-MISMATCH", "warning", said, at=item.at)


def _is_complete(printed: Printed, known: Traits, draft: Draft, asked: Load | None) -> bool:
    """Whether the run came to its end and its report is all there; the findings say why not."""
    _say_failures(printed, draft)
    gave_up = next((item for item in printed.failures if item.text.startswith("Test aborted")), None)
    if "COMPLETE" not in printed.items and "TOTAL_OF" in printed.items:
        said = "the run was aborted and has no report: only the number of its requests is known"
        draft.find("AB-ABORTED", "warning", said, at=printed.items["TOTAL_OF"].at)
        return False
    if gave_up and not printed.finished:
        draft.find("AB-GAVE-UP", "warning", f"ab gave up: {gave_up.text}", at=gave_up.at)
        return False
    begun = printed.items.get("BENCHMARKED") or printed.items.get("VERSION")
    open_end = begun is not None and not printed.finished and known.era != "1.3c"
    stopped = printed.interrupted or (open_end and (printed.dots or printed.progress > 0))
    if not stopped and open_end and asked and asked.requests and not asked.duration_s:
        complete = printed.integer("COMPLETE")
        stopped = complete is not None and complete < asked.requests
    if stopped:
        draft.find("AB-INTERRUPTED", "warning", "ab was interrupted: its line Finished (or ..done) is missing", at=begun.at if begun else 0)
        return False
    if "COMPLETE" in printed.items and "THROUGHPUT" not in printed.items and not printed.rows and not printed.ladders:
        draft.find("AB-TRUNCATED", "warning", "the report ends before Requests per second", at=max(0, printed.last - 1))
        return False
    if open_end and "BENCHMARKED" in printed.items:
        draft.find("AB-NO-END", "info", "there is no line Finished or ..done: stderr was not kept, or ab was interrupted", at=begun.at if begun else 0)
    return True


def _say_failures(printed: Printed, draft: Draft) -> None:
    """What ab printed about failures, each text once with how often it stands there."""
    counts = Counter(item.text for item in printed.failures)
    if not counts:
        return
    told = [text if count == 1 else f"{text} ({count} times)" for text, count in counts.most_common(5)]
    last = draft.block.line(printed.failures[-1].at)
    until = f" (lines {draft.block.line(printed.failures[0].at)}–{last})" if len(printed.failures) > 1 else ""
    draft.find("AB-TOOL-ERROR", "warning", f"ab printed: {'; '.join(told)}{until}", at=printed.failures[0].at)


def _dumped(printed: Printed, load: Load, draft: Draft) -> Load:
    """The load with what -v shows of the request: its method and the headers that ab does not send of itself."""
    if printed.dumps:
        first, last = draft.block.line(printed.dumps[0][0]), draft.block.line(printed.dumps[-1][1])
        said = f"{len(printed.dumps)} dumps of requests, answers and statuses that -v prints stand in lines {first}–{last}"
        draft.find("AB-DUMP", "info", said, at=printed.dumps[0][0])
    if not printed.request or not re.fullmatch(r"[A-Z]{3,10} \S+ HTTP/\S+", printed.request[0]):
        return load
    own = ("user-agent", "accept", "connection", "content-length", "content-type")
    lines = [line for line in printed.request[1:] if ":" in line and line.split(":")[0].lower() not in own]
    host = printed.text("HOSTNAME") or ""
    sent = {name: value for name, value in headers(lines).items() if name != "Host" or not value.startswith(host)}
    return msgspec.structs.replace(load, method=printed.request[0].split()[0], headers={**load.headers, **sent})


def _statuses(printed: Printed, draft: Draft) -> dict[str, int] | None:
    """The status codes, where -v names every answer's."""
    for kind, name in (("LOG", "requests.complete"), ("WARNING", "requests.non_2xx")):
        codes = Counter(code for what, code in printed.statuses if what == kind)
        measure = draft.measures.get(name)
        if codes and measure and codes.total() == measure.value:
            return dict(codes)
    return None
