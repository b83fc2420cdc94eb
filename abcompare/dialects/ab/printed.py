"""What stands in an ab report, as printed: the tree of the grammar, gathered by name, before anything is understood."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from lark import Token, Tree

from abcompare.blocks import Block
from abcompare.dialects.draft import Draft
from abcompare.dialects.grammars import grammar
from abcompare.dialects.secrets import redact

_STEP = re.compile(r"(50|66|75|80|90|95|98|99|100)%\s*(\d+?)(?=(?:66|75|80|90|95|98|99|100)%|(?!\d))")


class Item(NamedTuple):
    """A number or a word as printed, and its offset in the block."""

    text: str
    at: int


@dataclass(slots=True)
class Printed:
    """The items of a report. Where a label stands twice the first value counts, and a finding says so."""

    items: dict[str, Item] = field(default_factory=dict)
    requests: list[tuple[Item, str]] = field(default_factory=list)  # Time per request: value and qualifier
    rows: dict[str, tuple[list[str], int]] = field(default_factory=dict)
    ladders: list[list[tuple[str, Item]]] = field(default_factory=list)
    wide: bool | None = None  # whether the header names mean, sd and median
    tls: tuple[str, ...] | None = None
    failures: list[Item] = field(default_factory=list)
    html: bool = False
    dots: bool = False  # "(be patient)..." : the report ends that line with "..done"
    progress: int = 0
    finished: bool = False
    interrupted: bool = False
    dumps: list[tuple[int, int]] = field(default_factory=list)
    request: list[str] | None = None  # the first request that -v 2 shows: its line and headers
    statuses: list[tuple[str, str]] = field(default_factory=list)
    quantiles: Item | None = None
    samples: Item | None = None
    last: int = 0  # the offset behind the last item

    def text(self, name: str) -> str | None:
        """The text of an item."""
        item = self.items.get(name)
        return item.text if item else None

    def integer(self, name: str) -> int | None:
        """The value of an item that is a whole number."""
        text = self.text(name)
        return None if text is None else int(float(text.replace(",", "")))


class Gatherer:
    """Walks the tree of one block and fills a `Printed`; findings and unrecognised lines go to the draft."""

    def __init__(self, block: Block, draft: Draft) -> None:
        self.grammar = grammar("ab")
        self.block = block
        self.draft = draft
        self.printed = Printed()
        self._table_open = False
        self._headed = False

    def gather(self) -> Printed:
        """What is printed in the block."""
        tree: Tree[Token] = self.grammar.parse(self.block.text)
        last = len(tree.children) - 1
        for number, item in enumerate(tree.children):
            if isinstance(item, Token):  # what no rule claims; below the last item it is not the report's, behind it it is
                self.draft.text(item.value.split("\n", 1)[0] if number == last else item.value, item.start_pos or 0)
                continue
            token = item.children[0]
            if isinstance(token, Token):
                self.printed.last = (token.start_pos or 0) + len(token)
                _HANDLERS[item.data](self, token)
        self._without_strays()
        return self.printed

    def _without_strays(self) -> None:
        """One or two percents with numbers ("CPU 99% 4") are no table of percentiles, unless its head or end stands there."""
        if self._headed or re.search(r"\((?:longest|last)\s+request\)", self.block.text):
            return
        for table in self.printed.ladders:
            if len(table) < 3:
                for percent, item in table:
                    self.draft.text(f"{percent}% {item.text}", item.at)
        self.printed.ladders = [table for table in self.printed.ladders if len(table) >= 3]

    # Each handler takes the one token of its rule.

    def _keep(self, name: str, text: str | None, token: Token) -> None:
        if text is None:
            return
        at = token.start_pos or 0
        old = self.printed.items.get(name)
        if old is None:
            self.printed.items[name] = Item(text, at)
        elif old.text != text:
            label = re.split(r"\s*:", str(token), maxsplit=1)[0]
            self.draft.find("AB-REPEATED", "warning", f"{label} stands here again with another value, {text}; the first, {old.text}, is used", at=at, printed=text)

    def simple(self, token: Token) -> None:
        """An item with one value."""
        groups = self.grammar.groups(token, self.block.text)
        text = next((group for group in groups if group is not None), "" if token.type == "SOFTWARE" else None)
        self._keep("VARIABLE" if text == "Variable" else token.type, text, token)
        if token.type in ("SENT", "WRITE_ERRORS"):
            self._keep(f"{token.type}_LABEL", re.sub(r"\s+", " ", str(token).split(":")[0]).strip(), token)

    def banner(self, token: Token) -> None:
        """Version, revision and branch."""
        version, revision, branch = self.grammar.groups(token, self.block.text)
        self._keep("VERSION", version, token)
        self._keep("REVISION", revision or None, token)
        self._keep("BRANCH", branch, token)

    def notice(self, token: Token) -> None:
        """Copyright lines, and the line that names the host."""
        if token.type == "BENCHMARKING":
            host, proxy, dots = self.grammar.groups(token, self.block.text)
            self._keep("BENCHMARKED", host, token)
            self._keep("PROXY", proxy, token)
            self.printed.dots = self.printed.dots or bool(dots)

    def progress(self, token: Token) -> None:
        """Heartbeats, several in a row; the last one tells how far the run had come."""
        self.printed.progress = max(self.printed.progress, int(token.split()[-2]))

    def end(self, token: Token) -> None:
        """The end of the run: "Finished N requests" or "..done"."""
        self.printed.finished = True
        if "interrupted" in token:
            self.printed.interrupted = True
        if token.type == "FINISHED":
            self._keep("FINISHED", self.grammar.groups(token, self.block.text)[0], token)

    def transfer(self, token: Token) -> None:
        """The transfer rates, and the remarks between them, which no rule claims."""
        groups = self.grammar.groups(token, self.block.text)
        start = token.start_pos or 0
        behind = 0
        for name, text in (("TRANSFER", groups[0]), ("TRANSFER_SENT", groups[2]), ("TRANSFER_TOTAL", groups[4])):
            if text is not None:
                behind = str(token).index(text, behind)
                self.printed.items.setdefault(name, Item(text, start + behind))
                behind += len(text)
        for remark in (groups[1], groups[3]):
            if remark:
                self.draft.text(remark, (token.start_pos or 0) + str(token).index(remark))

    def tls(self, token: Token) -> None:
        """Protocol, cipher and key sizes; temporary key; server name."""
        if token.type == "TLS_PROTOCOL":
            self.printed.tls = tuple(self.grammar.groups(token, self.block.text))
        else:
            self._keep(token.type, self.grammar.groups(token, self.block.text)[0].strip(), token)

    def planned(self, token: Token) -> None:
        """Trunk's number of requests; with "(window)" no limit was set, and the number is only a buffer's size."""
        count, window = self.grammar.groups(token, self.block.text)
        self._keep("WINDOW" if window else "PLANNED", count, token)

    def breakdown(self, token: Token) -> None:
        """The causes of the failures."""
        names = ("CONNECT_ERRORS", "RECEIVE_ERRORS", "LENGTH_ERRORS", "EXCEPTIONS")
        for name, text in zip(names, self.grammar.groups(token, self.block.text), strict=True):
            self._keep(name, text, token)

    def latency(self, token: Token) -> None:
        """Time per request, with what tells the two lines of it apart."""
        before, value, _, across = self.grammar.groups(token, self.block.text)
        qualifier = "across" if across or (before and "across" in before) else ""
        self.printed.requests.append((Item(value, token.start_pos or 0), qualifier))

    def header(self, token: Token) -> None:
        """The head of the table of times, or its columns."""
        if token.type == "COLUMNS" and self.printed.wide is None:
            self.printed.wide = self.grammar.groups(token, self.block.text)[0] is not None

    def row(self, token: Token) -> None:
        """A row of the table of times; of two the fuller one counts. One number alone is a row only below its header."""
        name, found = self.grammar.groups(token, self.block.text)
        numbers = found.split()
        if len(numbers) == 1 and self.printed.wide is None:
            self.draft.text(str(token), token.start_pos or 0)
            return
        known = self.printed.rows.get(name)
        if known and len(known[0]) >= len(numbers):
            if known[0] != numbers:
                said = f"the row {name} stands here again; the first one is used"
                self.draft.find("AB-REPEATED", "warning", said, at=token.start_pos, printed=str(token))
            return
        self.printed.rows[name] = (numbers, token.start_pos or 0)

    def served(self, token: Token) -> None:
        """The head of the table of percentiles: a new table begins."""
        self._table_open = False
        self._headed = True

    def ladder(self, token: Token) -> None:
        """Rows of the table of percentiles."""
        start = token.start_pos or 0
        for found in _STEP.finditer(str(token)):
            step = (found[1], Item(found[2], start + found.start()))
            tables = self.printed.ladders
            if not self._table_open or not tables or int(tables[-1][-1][0]) >= int(found[1]):
                tables.append([])
                self._table_open = True
            tables[-1].append(step)

    def warning(self, token: Token) -> None:
        """ab's own remark on the spread of the times."""
        level, what = self.grammar.groups(token, self.block.text)
        kind = "more than two standard deviations" if level == "ERROR" else "more than one standard deviation"
        self.draft.find("AB-SPREAD", "info", f"ab says {level}: mean and median of {' '.join(what.split())} are {kind} apart", at=token.start_pos)

    def failure(self, token: Token) -> None:
        """What ab prints when something fails."""
        self.printed.failures.append(Item(" ".join(str(token).split()), token.start_pos or 0))

    def dump(self, token: Token) -> None:
        """What -v shows: the request as it was sent, the head of an answer, its status."""
        start = token.start_pos or 0
        self.printed.dumps.append((start, start + len(token)))
        if token.type == "REQUEST_DUMP" and self.printed.request is None:
            self.printed.request = [line.strip() for line in str(token).split("\n")[2:-1]]
        elif token.type == "STATUS_DUMP":
            self.printed.statuses.append(("LOG" if token.startswith("LOG") else "WARNING", re.findall(r"\d+", token)[-1]))

    def quantiles(self, token: Token) -> None:
        """The content of a -e file."""
        self.printed.quantiles = self.printed.quantiles or Item(str(token), token.start_pos or 0)

    def samples(self, token: Token) -> None:
        """The content of a -g file."""
        self.printed.samples = self.printed.samples or Item(str(token), token.start_pos or 0)

    def broken(self, token: Token) -> None:
        """A label without its number."""
        label = re.sub(r"\s+", " ", str(token)).rstrip(": ")
        end = (token.start_pos or 0) + len(token)
        rest = redact(self.block.text[end : end + 200].split("\n", 1)[0].strip())[:40]
        got = f"{rest!r}" if rest else "the end of the line"
        self.draft.find("AB-BROKEN-FIELD", "warning", f'expected a number after "{label}:", found {got}', at=token.start_pos, printed=rest)


_Handler = Callable[[Gatherer, Token], None]
_HANDLERS: dict[str, _Handler] = {
    name: getattr(Gatherer, name)
    for name in (
        "banner", "notice", "progress", "end", "tls", "breakdown", "latency", "transfer", "planned", "header", "row", "served", "ladder",
        "warning", "failure", "dump", "quantiles", "samples", "broken",
    )
} | dict.fromkeys(("identity", "load", "count", "bytes", "time", "rate"), Gatherer.simple)
