"""What stands in a wrk or wrk2 report, as printed: the tree of the grammar, gathered before anything is understood."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from lark import Token, Tree

from abcompare.blocks import Block
from abcompare.dialects.draft import Draft
from abcompare.dialects.grammars import grammar
from abcompare.dialects.secrets import redact
from abcompare.dialects.wrk.amounts import Amount

_STEP = re.compile(r"(\d{1,3}(?:\.\d+)?)%\s*(\d[\d,.]*(?:[ \t]?(?:[nuµμm]?s|[mh])(?![A-Za-z%]))?)")

RECORDED, UNCORRECTED = "latency", "uncorrected_latency"


@dataclass(slots=True)
class Family:
    """What is printed of one kind of latency: percentiles in their order, the histogram, and wrk2's footers."""

    percentiles: dict[str, Amount] = field(default_factory=dict)
    spectrum: list[str] = field(default_factory=list)  # value, fraction, cumulative count, odds of each row
    footers: dict[str, Amount] = field(default_factory=dict)  # mean, sd, max (in ms) and count


@dataclass(slots=True)
class Printed:
    """The items of a report. Where a label stands twice the first value counts, and a finding says so."""

    items: dict[str, Amount] = field(default_factory=dict)
    urls: list[str] = field(default_factory=list)  # of the heads, the last one nearest to the table
    rows: dict[str, tuple[list[Amount], int]] = field(default_factory=dict)  # up to three values and the share
    column: str = "Max"  # the head of the third column
    families: dict[str, Family] = field(default_factory=dict)
    errors: dict[str, Amount] = field(default_factory=dict)
    calibrations: list[tuple[Amount, Amount]] = field(default_factory=list)  # mean latency, sampling interval
    failures: list[tuple[str, int]] = field(default_factory=list)
    overall: bool = False  # a sum over several URLs
    hdr: bool = False  # something that only wrk2 prints
    stopped: bool = False
    foreign: str = ""  # what another program prints and wrk never does
    last: int = 0  # the offset behind the last item

    def number(self, name: str) -> int | None:
        """The value of an item that is a whole number."""
        item = self.items.get(name)
        return None if item is None else int(item.number)


class Gatherer:
    """Walks the tree of one block and fills a `Printed`; findings and unrecognised lines go to the draft."""

    def __init__(self, block: Block, draft: Draft) -> None:
        self.grammar = grammar("wrk")
        self.block = block
        self.draft = draft
        self.printed = Printed()
        self._family: str | None = None  # that the next rows belong to, once a heading named it

    def gather(self) -> Printed:
        """What is printed in the block."""
        tree: Tree[Token] = self.grammar.parse(self.block.text)
        for item in tree.children:
            if isinstance(item, Token):
                self.text(item)
                continue
            token = item.children[0]
            if isinstance(token, Token):
                if item.data != "other":
                    self.printed.last = (token.start_pos or 0) + len(token)
                _HANDLERS[item.data](self, token)
        return self.printed

    def _groups(self, token: Token) -> tuple[str | None, ...]:
        return self.grammar.groups(token, self.block.text)

    def _keep(self, name: str, text: str | None, token: Token) -> None:
        if text is None:
            return
        self._enter(self.printed.items, name, Amount.of(text, token.start_pos or 0), name.lower(), token)

    def _enter(self, table: dict[str, Amount], name: str, new: Amount, what: str, token: Token) -> None:
        old = table.setdefault(name, new)
        if old.text != new.text:
            self._again(f"{what}, {new.text},", old.text, token)

    def _again(self, what: str, first: str, token: Token) -> None:
        said = f"{what} stands here again with another value; the first, {first}, is used"
        self.draft.find("WRK-REPEATED", "warning", said, at=token.start_pos, printed=" ".join(token.split())[:120])

    # Each handler takes the one token of its rule.

    def running(self, token: Token) -> None:
        """The planned duration and the URL."""
        number, unit, url = self._groups(token)
        self._keep("PLANNED", f"{number}{unit or 's'}", token)
        self.printed.urls.append(url or "")

    def making(self, token: Token) -> None:
        """The planned number of requests and the URL (1.x)."""
        count, url = self._groups(token)
        self._keep("REQUESTS", count, token)
        self.printed.urls.append(url or "")

    def results(self, token: Token) -> None:
        """The URL of one of several tables, in a fork of wrk2."""
        self.printed.hdr = True
        self.printed.urls.append(self._groups(token)[0] or "")

    def threads(self, token: Token) -> None:
        """Threads and connections."""
        self._keep("THREADS", token.split()[0], token)
        self._keep("CONNECTIONS", self._groups(token)[0], token)

    def notice(self, token: Token) -> None:
        """Headings and the layout of the histogram, which is always the same."""
        self.printed.hdr = self.printed.hdr or token.type != "OVERALL"
        self.printed.overall = self.printed.overall or token.type == "OVERALL"

    def calibration(self, token: Token) -> None:
        """wrk2's calibration of a thread."""
        lateness, interval = (Amount.of(text or "", token.start_pos or 0) for text in self._groups(token))
        self.printed.calibrations.append((lateness, interval))
        self.printed.hdr = True

    def header(self, token: Token) -> None:
        """The head of the table of statistics; a percentile in its third column is a fork of wrk2's."""
        self.printed.column = self._groups(token)[0] or "Max"
        self.printed.hdr = self.printed.hdr or self.printed.column != "Max"

    def row(self, token: Token) -> None:
        """A row of the table of statistics."""
        label, *texts = self._groups(token)
        at = token.start_pos or 0
        amounts = [Amount.of(text, at) for text in texts if text is not None]
        old, _ = self.printed.rows.setdefault(label or "", (amounts, at))
        if [one.text for one in old] != [one.text for one in amounts]:
            self._again(f"the row {label}", " ".join(one.text for one in old), token)

    def distribution(self, token: Token) -> None:
        """The heading of a table of percentiles."""
        kind = self._groups(token)[0]
        self._family = UNCORRECTED if kind == "Uncorrected" else RECORDED
        self.printed.hdr = self.printed.hdr or kind is not None

    def _open(self) -> Family:
        return self.printed.families.setdefault(self._family or RECORDED, Family())

    def ladder(self, token: Token) -> None:
        """Rows of a table of percentiles; without a heading below the totals they are the script's own."""
        if self._family is None and "THROUGHPUT" in self.printed.items:
            self.text(token)
            return
        start = token.start_pos or 0
        table = self._open().percentiles
        for percent, text in _STEP.findall(str(token)):
            self.printed.hdr = self.printed.hdr or len(percent.partition(".")[2]) == 3  # "50.000%"
            if float(percent) <= 100:
                self._enter(table, percent, Amount.of(text, start), f"the percentile {percent} %", token)

    def spectrum(self, token: Token) -> None:
        """Rows of the histogram."""
        family = self._open()
        self.printed.hdr = True
        if not family.footers:  # behind the footer the histogram is a repetition
            family.spectrum += str(token).split()

    def footer(self, token: Token) -> None:
        """A footer of a histogram: mean and standard deviation, or maximum and number of samples."""
        self.printed.hdr = True
        names = (("mean", "ms"), ("sd", "ms")) if token.type == "MEAN" else (("max", "ms"), ("count", ""))
        for (name, unit), text in zip(names, self._groups(token), strict=True):
            new = Amount.of(text or "", token.start_pos or 0, unit)
            self._enter(self._open().footers, name, new, f"the {name} of the histogram", token)

    def total(self, token: Token) -> None:
        """Requests, run time and bytes."""
        duration, size = self._groups(token)
        for name, text in (("COMPLETE", token.split()[0]), ("DURATION", duration), ("BYTES", size)):
            self._keep(name, text, token)
        self._family = None

    def errors(self, token: Token) -> None:
        """The counters of socket errors by name."""
        for pair in (self._groups(token)[0] or "").split(","):
            name, count = pair.split()
            self._enter(self.printed.errors, name, Amount.of(count, token.start_pos or 0), f"{name} errors", token)

    def simple(self, token: Token) -> None:
        """An item with one value."""
        self._keep(token.type, self._groups(token)[0], token)

    def failure(self, token: Token) -> None:
        """What wrk prints when something fails."""
        text = "its usage" if token.type == "USAGE" else " ".join(token.split())
        self.printed.failures.append((text, token.start_pos or 0))

    def stop(self, token: Token) -> None:
        """The terminal's echo of an interrupt."""
        self.printed.stopped = True

    def foreign(self, token: Token) -> None:
        """A label of another program."""
        self.printed.foreign = self.printed.foreign or " ".join(token.split())

    def broken(self, token: Token) -> None:
        """A label without its number."""
        label = " ".join(token.split()).rstrip(": ")
        end = (token.start_pos or 0) + len(token)
        rest = redact(self.block.text[end : end + 200].split("\n", 1)[0].strip())[:40]
        said = f'expected a number after "{label}:", found {repr(rest) if rest else "the end of the line"}'
        self.draft.find("WRK-BROKEN-FIELD", "warning", said, at=token.start_pos, printed=rest)

    def text(self, token: Token) -> None:
        """What no rule claims."""
        self.draft.text(str(token), token.start_pos or 0)


_Handler = Callable[[Gatherer, Token], None]
_HANDLERS: dict[str, _Handler] = {
    name: getattr(Gatherer, name)
    for name in (
        "running", "making", "results", "threads", "notice", "calibration", "header", "row", "distribution", "ladder",
        "spectrum", "total", "errors", "failure", "stop", "foreign", "broken",
    )
} | {
    "cut_row": Gatherer.row, "mean": Gatherer.footer, "largest": Gatherer.footer, "other": Gatherer.text,
    "version": Gatherer.simple, "count": Gatherer.simple, "rate": Gatherer.simple, "transfer": Gatherer.simple,
}
