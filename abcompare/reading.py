"""Text to Archive: the scanner finds and cuts, the dialects read, and what stands twice is one run."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import accumulate
from pathlib import PurePath
from typing import BinaryIO

import msgspec

from abcompare.blocks import Attachment, Block, Reading
from abcompare.dialects.secrets import redact
from abcompare.merging import believed, in_order, merge, without_averages, without_quotations
from abcompare.records import Archive, Finding, Run, Unrecognised
from abcompare.registry import Dialect, dialects
from abcompare.scan import Anchors, Window, Words, clean, cut, decode, utf8_stream, views, windows

_CELL = re.compile(r"(?:<|&lt;)/?t[dh][\s>&]")
_AT_THE_END = re.compile(r"(?<![\w.,:/])\d[\d,]*(?:(?P<half>\.\d?[mkKMGT]?|\.\d+[mkKMGT])|(?P<decimals>\.\d+))?\Z")
_OF_A_NUMBER = "0123456789,.mkKMGT"  # what the pattern above consists of
_DECIMAL = re.compile(r"(?:/sec|\bper\s|\brate|\btaken\s)[^\n\d]*\Z")  # labels of what every tool prints with decimals
_WITH_UNIT = re.compile(r"Transfer/sec[^\n\d]*\Z")  # and this with a unit that changes the number

_FRAGMENTS = 20  # findings of that kind that are kept of one text


@dataclass(frozen=True, slots=True)
class _Tools:
    """The dialects, ready to scan for."""

    by_name: dict[str, Dialect]
    anchors: tuple[Anchors, ...]
    words: Words
    findings: tuple[Finding, ...]


@cache
def _tools() -> _Tools:
    found, failed = dialects()
    claims = [one.claims for one in found]
    words = Words([word for one in claims for word in one.words], [word for one in claims for word in one.heads])
    return _Tools({one.name: one for one in found}, tuple(Anchors(one.name, one.claims) for one in found), words, failed)


@dataclass(slots=True)
class Part:
    """What was read of one file, before attachments and duplicates are settled across all of them."""

    runs: list[Run]
    findings: list[Finding]
    unrecognised: list[Unrecognised]
    attachments: list[Attachment]
    label: str | None = None


def parse(text: str | bytes, *, path: str = "-", label: str | None = None) -> Archive:
    """The archive of a text: every run in it, with findings and the lines that no rule claims. Never raises for any text."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return settle([read_part(BytesIO(data), path=path, label=label)])


def read_part(stream: BinaryIO, *, path: str, label: str | None = None) -> Part:
    """What a stream holds. Memory is bounded by its largest report, not by its size."""
    tools = _tools()
    part = Part([], [], [], [], label)
    encodings: set[str] = set()
    source = utf8_stream(stream)
    fragments = 0
    for window in windows(source, tools.words):
        text, context, encoding = _decoded(window)
        encodings.add(encoding)
        for block, name, whole in _blocks(text, window.line, context, path, tools, part.findings):
            if whole:
                _add(part, tools.by_name[name].parse(block), label)
            else:
                fragments += 1
                if fragments <= _FRAGMENTS:
                    part.findings.append(_fragment(block, name))
    if fragments > _FRAGMENTS:
        said = f"{fragments - _FRAGMENTS} more places with numbers, too few for a report"
        part.findings.append(Finding("FRAGMENT", "info", said, path=path))
    part.runs = believed(without_quotations(without_averages(in_order(part.runs), part.findings)), part.findings)
    known = {run.id for run in part.runs}  # a quotation's lines belong to no run of their own
    part.unrecognised = [one if one.run in known else msgspec.structs.replace(one, run=None) for one in part.unrecognised]
    if not part.runs and not part.attachments and not part.findings:
        part.findings.append(Finding("NO-RESULT", "warning", "no report of a known load generator stands in this text", path=path))
    for encoding in sorted(encodings - {"utf-8"}):
        part.findings.append(Finding("ENCODING", "info", f"not UTF-8: read as {encoding}", path=path))
    if note := source.note():
        part.findings.append(Finding("ENCODING", "info", note, path=path))
    return part


def _decoded(window: Window) -> tuple[str, int, str]:
    """The window's text, the offset at which its context ends, and its encoding."""
    text, encoding = decode(window.data)
    if not window.context:
        return text, 0, encoding
    return text, len(window.data[: window.context].decode(encoding, "replace")), encoding


def _blocks(
    text: str, line: int, context: int, path: str, tools: _Tools, findings: list[Finding]
) -> Iterator[tuple[Block, str, bool]]:
    """The blocks of a window, each with the name of the tool that claims it, and whether it is a report; what is not
    read of the window goes to the `findings`.
    """
    cleaned = clean(text, line)
    after = cleaned.offset(context) if context else 0
    raw = text.split("\n") if _has_cells(text) else None
    seen = views(cleaned.text)
    if seen.unread:
        said = f"at least {seen.unread} columns are not read: too many stand beside each other from this line on"
        findings.append(Finding("COLUMNS", "warning", said, line=line, path=path))
    for view in seen.texts:
        for one in cut(view, tools.anchors, after, cleaned.text):
            command = one.command
            lines = cleaned.lines_between(one.start, one.end)
            tabled = raw is not None and any(_CELL.search(raw[number - line]) for _, number in lines if number - line < len(raw))
            shown, cut_findings = _without_half_a_number(view[one.start : one.end], last=one.end == len(view), line=lines[-1][1])
            if len(seen.texts) > 1:
                shown, lines = _narrowed(shown, lines)
            yield (
                Block(
                    shown, path, lines,
                    command.text if command else None, cleaned.line(command.start) if command else None, tabled, cut_findings,
                ),
                one.tool,
                one.whole,
            )


def _narrowed(text: str, lines: list[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """A block without the blanks that a view leaves at both sides of its lines, and its map of lines.

    Behind 63 columns they are most of the text, and every pattern would search them.
    """
    rows = text.split("\n")
    shown = [row.rstrip(" ") for row in rows]
    indents = [len(row) - len(row.lstrip(" ")) for row in shown]
    indent = min((one for one, row in zip(indents[1:], shown[1:], strict=True) if row), default=0)
    first = min(indent, indents[0])  # a block may begin within its first line
    shown = [shown[0][first:], *(row[indent:] for row in shown[1:])]
    starts = list(accumulate((len(row) + 1 for row in rows), initial=0))
    begins = list(accumulate((len(row) + 1 for row in shown), initial=0))
    known = dict(zip(starts, begins, strict=True))

    def moved(offset: int) -> int:
        """The new offset of one within a row: a line of the file may begin anywhere in a text without markup."""
        at = min(bisect_right(starts, offset), len(rows)) - 1
        return begins[at] + min(max(offset - starts[at] - (indent if at else first), 0), len(shown[at]))

    return "\n".join(shown), [(known[offset] if offset in known else moved(offset), line) for offset, line in lines]


def _has_cells(text: str) -> bool:
    """Whether a cell's tag stands in a text; most texts have nothing that such a tag begins with."""
    return ("<t" in text or "</t" in text or "&lt;" in text) and _CELL.search(text) is not None


def _without_half_a_number(text: str, *, last: bool, line: int) -> tuple[str, tuple[Finding, ...]]:
    """The text of a block, without the number that the end of the file cuts; a number that may be cut is said to be.

    A file that ends without a newline, right behind a digit, may have lost more of them. Every tool prints two
    decimals or more of a rate or a time, so that "2.5" is half of one; of "17255.66" and of counts nobody can tell.
    """
    # a search from the last run of such characters on: one through the text takes longer than all else that is done here
    number = _AT_THE_END.search(text, len(text.rstrip(_OF_A_NUMBER))) if last else None
    if number is None:
        return text, ()
    printed = number[0]
    label = text[max(0, number.start() - 100) : number.start()]
    if number["half"] is None and not (_WITH_UNIT if number["decimals"] else _DECIMAL).search(label):
        return text, (Finding("CUT-NUMBER", "info", f"the text ends right behind {printed}: if it was cut there, so was the number", line=line),)
    message = f"the text ends within a number, which is not taken: {printed}"
    return text[: number.start()], (Finding("CUT-NUMBER", "warning", message, line=line, printed=printed),)


def _fragment(block: Block, name: str) -> Finding:
    """A few labels with numbers that do not suffice to say whose they are."""
    text = redact(" ".join(block.text[:1000].split()))[:80]
    return Finding("FRAGMENT", "info", f"numbers as {name} labels them, too few for a report: {text!r}", line=block.line(0), path=block.path)


def _add(part: Part, reading: Reading, label: str | None) -> None:
    if reading.run:
        part.runs.append(_labelled(reading.run, label))
    part.findings += reading.findings
    part.unrecognised += reading.unrecognised
    part.attachments += reading.attachments


def _labelled(run: Run, label: str | None) -> Run:
    return run if label is None else msgspec.structs.replace(run, label=label)


def settle(parts: Iterable[Part]) -> Archive:
    """One archive of all parts: -e and -g files find their runs, and duplicates collapse."""
    parts = list(parts)
    runs = [run for part in parts for run in part.runs]
    findings = [*_tools().findings, *(one for part in parts for one in part.findings)]
    unrecognised = [one for part in parts for one in part.unrecognised]
    for label, attachment in ((part.label, one) for part in parts for one in part.attachments):
        places = [(at, changed) for at, run in enumerate(runs) if (changed := attachment.attach(run)) is not None]
        if len({changed.id for _, changed in places}) > 1:  # several agree: the one whose command line names the file
            name = PurePath(attachment.path).name
            places = [(at, changed) for at, changed in places if changed.command and name in changed.command] or places
        if len({changed.id for _, changed in places}) == 1:
            for at, changed in places:
                runs[at] = changed
            continue
        alone = attachment.alone()
        runs += [_labelled(alone.run, label)] if alone.run else []
        findings += alone.findings
        unrecognised += alone.unrecognised
    return merge([Archive(findings=tuple(findings), unrecognised=tuple(unrecognised), runs=tuple(runs))])
