"""Cutting: the anchors found in a text become blocks, one a report, each with the command line above it.

A report is cut where the next begins: at a banner or a command line that follows measures, and where a label stands
again that a report holds once. When it does, the cut is made at the place between the two where the order of the
labels falls back the furthest, for a report may begin with labels that the one before it lacked.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from abcompare.blocks import Anchor, Claims
from abcompare.scan.commands import Command, commands
from abcompare.search import Patterns

FAR = 3_000  # characters without an anchor after which a report that holds measures is over


class Hit(NamedTuple):
    """An anchor in a text."""

    start: int
    end: int
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Cut:
    """One block: the tool that claims it, where it stands in the text, and its command line.

    `whole` is False for a few labels with numbers that do not suffice to name their tool: a finding, not a report.
    """

    tool: str
    start: int
    end: int
    command: Command | None
    whole: bool = True


_END_OF = attrgetter("end")
_PROMPT = re.compile(r"```|~~~|[\w.@:~/-]*[#$%>]\s|\[\S+@")
_COMMAND = Anchor("command", "", 0, "head", times=0)


class Anchors:
    """The anchors of one tool, ready to search for."""

    def __init__(self, tool: str, claims: Claims) -> None:
        self.tool = tool
        self.claims = claims
        self._table = list(claims.anchors)
        self._patterns = Patterns([(one.name, one.pattern) for one in self._table], re.MULTILINE)
        self._rows = {
            at: re.compile(rf"(?:\s*\n{one.rows})*", re.MULTILINE) for at, one in enumerate(self._table) if one.rows
        }
        self._words = claims.words
        self._mention = re.compile(claims.mention) if claims.mention else None

    def mentions(self, text: str) -> list[int]:
        """The offsets at which `text` names the tool."""
        return [found.start() for found in self._mention.finditer(text)] if self._mention else []

    def hits(self, text: str, after: int) -> list[Hit]:
        """The anchors in `text` from offset `after` on, in order."""
        for word in self._words:
            if word in text:
                break
        else:
            return []
        hits = []
        table, below = self._table, self._rows
        for number, found in self._patterns.find(text, after):
            start, end = found.span()
            if number in below and (rows := below[number].match(text, end)):
                end = rows.end()
            hits.append(Hit(start, end, table[number]))
        return hits


@dataclass(frozen=True, slots=True)
class _Claim:
    """The hits of one report of one tool; `start` and `end` bound those that define it (no row of a table alone does)."""

    tool: Anchors
    hits: list[Hit]
    start: int
    end: int
    command: Command | None
    whole: bool

    @property
    def names(self) -> frozenset[str]:
        """The names of its anchors."""
        return frozenset(hit.anchor.name for hit in self.hits)


def cut(text: str, tools: Sequence[Anchors], after: int = 0, raw: str | None = None) -> list[Cut]:
    """The blocks of `text`, in order, none overlapping; what stands before offset `after` is context only.

    `raw` is the text of which this is a view. Where two tools claim the same place, the one with more distinct anchors
    has it; rows that both might have printed (percentiles) go to the report that they stand in.
    """
    claims: list[_Claim] = []
    for tool in tools:
        hits = tool.hits(text, after)
        if hits:
            typed = commands(text, tool.claims.programs, raw)
            claims += _claims(text, tool, _segments(text, hits, typed), typed)
    kept = sorted(_settled(claims), key=lambda one: one.start)
    blocks: list[Cut] = []
    floor = after
    for number, claim in enumerate(kept):
        limit = _limit(claim, kept[number + 1]) if number + 1 < len(kept) else len(text)
        block = _block(text, claim, floor, limit)
        blocks.append(block)
        floor = block.end
    return blocks


def _limit(claim: _Claim, following: _Claim) -> int:
    """Where a report ends at the latest: all the next one's hits are its own, unless another tool might have printed them."""
    return following.hits[0].start if claim.tool is following.tool else following.start


def _settled(claims: list[_Claim]) -> list[_Claim]:
    """The claims without those that stand where another tool has the better claim."""
    if len({claim.tool.tool for claim in claims}) < 2:
        return claims
    kept: list[_Claim] = []
    for one in sorted(claims, key=lambda one: (not one.whole, -len(one.names))):
        if all(one.tool is other.tool or one.end <= other.start or one.start >= other.end for other in kept):
            kept.append(one)
    return kept


class _Segment:
    """The hits of one report as they come, with what is asked of them at each step."""

    def __init__(self, text: str, hits: list[Hit]) -> None:
        self.text = text
        self.hits: list[Hit] = []
        self.places: dict[str, list[int]] = {}
        self.measured = False
        for hit in hits:
            self.add(hit)

    def add(self, hit: Hit) -> None:
        """Takes the next hit."""
        anchor, hits = hit.anchor, self.hits
        if anchor.name in self.places:
            self.places[anchor.name].append(len(hits))
        else:
            self.places[anchor.name] = [len(hits)]
        self.measured = self.measured or anchor.role in ("measure", "failure")
        hits.append(hit)

    def cut_before(self, hit: Hit) -> int | None:
        """Where these hits must be cut before `hit` can join what is left; None when it joins as they are."""
        anchor, last = hit.anchor, self.hits[-1]
        if anchor.role == "head":
            repeated = anchor.times and anchor.name in self.places
            return len(self.hits) if self.measured or repeated else None
        if self.measured and hit.start - last.end > FAR and self._far(last.end, hit.start):
            return len(self.hits)
        if anchor.role == "failure" and last.anchor.rank > anchor.rank and self.measured:
            return len(self.hits)
        if anchor.times == 0:
            alone = anchor.role == "measure" and self.places.keys() == {anchor.name}
            return len(self.hits) if alone else None
        same = self.places.get(anchor.name, ())
        if len(same) < anchor.times or self._again(hit, last):
            return None
        ranks = [one.anchor.rank for one in self.hits] + [anchor.rank]
        places = range(same[-anchor.times] + 1, len(self.hits) + 1)
        return max(places, key=lambda at: (ranks[at - 1] - ranks[at], at))


    def _again(self, hit: Hit, last: Hit) -> bool:
        """Whether the line before says the very same, in a report that says more: a line that was pasted twice."""
        if last.anchor.name != hit.anchor.name or len(self.places) < 2:
            return False
        return _line(self.text, last.start) == _line(self.text, hit.start)

    def _far(self, start: int, end: int) -> bool:
        """Whether much text stands between two hits; blanks, as views leave them, are no distance."""
        return sum(map(len, self.text[start:end].split())) > FAR


def _segments(text: str, hits: list[Hit], typed: list[Command]) -> list[list[Hit]]:
    """The hits of each report, and of the command lines above them."""
    heads = [Hit(one.start, one.end, _COMMAND) for one in typed if one.opens_line]
    segments: list[list[Hit]] = []
    current = _Segment(text, [])
    for hit in sorted([*hits, *heads], key=lambda hit: hit.start) if heads else hits:
        at = current.cut_before(hit) if current.hits else None
        if at is not None:
            if at:
                segments.append(current.hits[:at])
            current = _Segment(text, current.hits[at:])
        current.add(hit)
    segments.append(current.hits)
    return [one for one in segments if any(hit.anchor is not _COMMAND for hit in one)]


def _claims(text: str, tool: Anchors, segments: list[list[Hit]], typed: list[Command]) -> list[_Claim]:
    """The segments that are reports or failures of the tool, or a few labels that may be."""
    claims: list[_Claim] = []
    mentions = cache(lambda: tool.mentions(text))  # few texts need them
    reach = 0
    for segment in segments:
        real = [hit for hit in segment if hit.anchor is not _COMMAND]
        defining = [hit for hit in real if hit.anchor.role in ("head", "measure", "failure") or hit.anchor.strong]
        if not defining:
            continue
        command = _above(typed, reach, real)
        whole = _enough(text, real, command, mentions, tool.claims.company)
        if whole or any(hit.anchor.role == "measure" for hit in real):
            claims.append(_Claim(tool, real, defining[0].start, max(map(_END_OF, defining)), command, whole))
            reach = claims[-1].end
    return claims


def _block(text: str, claim: _Claim, floor: int, limit: int) -> Cut:
    """The bounds of a claim: from the line of its first hit above `floor` to what belongs to its last one below `limit`."""
    hits = claim.hits
    if hits[0].start < floor or hits[-1].start >= limit:
        hits = [hit for hit in hits if floor <= hit.start < limit]
    start, end = hits[0].start, max(map(_END_OF, hits))
    line_start = max(text.rfind("\n", max(0, start - 200), start) + 1, floor)
    start = line_start if start - line_start < 200 else start
    return Cut(claim.tool.tool, start, _end(text, end, limit, claim.tool.claims), claim.command, claim.whole)


def _enough(text: str, hits: list[Hit], command: Command | None, mentions: Callable[[], list[int]], wanted: int) -> bool:
    """Whether these anchors name their tool: a strong one, or enough different weak ones that open their lines.

    In running prose ("Complete requests: 30397; Failed requests: 30387") labels are talk about a report, not one.
    """
    if any(hit.anchor.strong for hit in hits):
        return True
    names = {hit.anchor.name for hit in hits if hit.anchor.role in ("measure", "failure") and _opens_line(text, hit.start)}
    company = len(names)
    if 0 < company < wanted:
        named = mentions()
        at = bisect_left(named, hits[0].start - FAR)
        company += command is not None or (at < len(named) and named[at] < hits[-1].end + FAR)
    return company >= wanted


def _line(text: str, at: int) -> str:
    """What stands on a line from `at` on, up to 200 characters."""
    return text[at : at + 200].split("\n", 1)[0].strip()


def _opens_line(text: str, at: int) -> bool:
    """Whether only marks and blanks stand before `at` on its line; a line's first 200 characters decide."""
    return not re.search(r"\w", text[max(at - 200, text.rfind("\n", max(0, at - 200), at) + 1) : at])


def _end(text: str, end: int, limit: int, claims: Claims) -> int:
    """The end of the last anchor's line, or of the last line that may belong to the report: up to `reach` lines on, or
    with `tail` any number up to a blank line, a fence or a prompt."""
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    left = claims.reach
    while (claims.tail or left > 0) and stop < min(limit, len(text)):
        following = text.find("\n", stop + 1)
        following = len(text) if following < 0 else following
        line = text[stop + 1 : following].strip()
        if claims.tail and (not line or _PROMPT.match(line)):
            break
        stop, left = following, left - 1
    return min(stop, limit) if limit > end else max(end, min(stop, limit))


def _above(typed: list[Command], reach: int, hits: list[Hit]) -> Command | None:
    """The command line of a block: the last one below the block before and above the first measure."""
    measures = [hit.start for hit in hits if hit.anchor.role != "head"] or [hits[-1].end]
    at = bisect_left(typed, measures[0], key=lambda one: one.start) - 1
    return typed[at] if at >= 0 and typed[at].start >= reach else None
