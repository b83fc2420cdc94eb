"""What passes between the scanner and the dialects: the anchors a dialect claims, a block, and what was made of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from abcompare.records import Finding, Run, Unrecognised

Role = Literal["head", "measure", "fact", "noise", "failure"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A text by which the scanner knows a report: a label, a banner, an error.

    `pattern` is a regular expression without groups, words separated by `\\s+`; `rank` its place in a report that
    stands whole; `role` what it is: a head (banner) opens a report, a measure or a fact is part of one, noise may
    repeat, a failure is what a tool prints instead of a report. `strong` anchors name their tool, the others need
    company. `times` is how often the anchor may occur in one report (0: any number). `rows` is a pattern of lines
    that follow it and belong to it (a CSV file below its header).
    """

    name: str
    pattern: str
    rank: int
    role: Role = "measure"
    strong: bool = False
    times: int = 1
    rows: str = ""


@dataclass(frozen=True, slots=True)
class Claims:
    """How the scanner finds a tool's reports.

    `words` are literal fragments without blanks, one of which stands in every report: the prefilter looks for their
    bytes; a window that grows too long is cut at one of `heads`. `programs` are the names that command lines of the tool begin with. `mention` is a
    pattern of the tool's names in prose. `company` is how many weak anchors make a report; a command line above or a
    mention of the tool counts as one. `reach` is how many lines below the last anchor may hold items of the
    report. `tail` says that lines below the last anchor, up to a blank line, belong to the report (wrk's Lua output).
    """

    words: tuple[str, ...]
    heads: tuple[str, ...]
    anchors: tuple[Anchor, ...]
    programs: tuple[str, ...] = ()
    mention: str = ""
    company: int = 2
    reach: int = 0
    tail: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """One report as it stands in a text: what the scanner hands to a dialect.

    `text` is cleaned (no markup, prefixes or colours); `lines` maps its offsets to lines of the file as it is:
    sorted (offset, line) pairs. `command` is the command line above it, as typed; `tabled` says that table cells of HTML stood in it.
    """

    text: str
    path: str = "-"
    lines: Sequence[tuple[int, int]] = ((0, 1),)
    command: str | None = None
    command_line: int | None = None
    tabled: bool = False
    findings: tuple[Finding, ...] = ()

    def line(self, offset: int) -> int:
        """The line of the file (1-based) that the character at `offset` of `text` stands on."""
        return self.lines[max(0, bisect_right(self.lines, (offset, 1 << 62)) - 1)][1]


class Attachment(Protocol):
    """What a tool writes beside its report (ab's -e and -g files), looking for the run that it belongs to."""

    @property
    def path(self) -> str:
        """The file that it stands in."""

    def attach(self, run: Run) -> Run | None:
        """`run` with this attached; None where the numbers do not agree."""

    def alone(self) -> Reading:
        """What it is without its run: a run of its own, or a finding."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a dialect made of a block: a run, or none with the reasons; and the lines that no rule claims."""

    run: Run | None
    findings: tuple[Finding, ...] = ()
    unrecognised: tuple[Unrecognised, ...] = ()
    attachments: tuple[Attachment, ...] = ()
