"""Cutting: the anchors found in a text become blocks, one a report, each with the command line above it.

A report is cut where the next begins: at a banner or a command line that follows measures, and where a label stands
again that a report holds once. When it does, the cut is made at the place between the two where the order of the
labels falls back the furthest, for a report may begin with labels that the one before it lacked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from abcompare.blocks import Anchor, Claims
from abcompare.scan.commands import Command, commands

FAR = 3_000  # characters without an anchor after which a report that holds measures is over


@dataclass(frozen=True, slots=True)
class Hit:
    """An anchor in a text."""

    start: int
    end: int
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Cut:
    """One block: the tool that claims it, where it stands in the text, its command line, and the names of its anchors.

    `whole` is False for a few labels with numbers that do not suffice to name their tool: a finding, not a report.
    """

    tool: str
    start: int
    end: int
    command: Command | None
    names: frozenset[str]
    whole: bool = True


_COMMAND = Anchor("command", "", 0, "head", times=0)


class Anchors:
    """The anchors of one tool, ready to search for."""

    def __init__(self, tool: str, claims: Claims) -> None:
        self.tool = tool
        self.claims = claims
        self._table = list(claims.anchors)
        self._search = re.compile("|".join(f"({one.pattern})" for one in self._table), re.MULTILINE)
        self._words = claims.words
        self._mention = re.compile(claims.mention) if claims.mention else None

    def mentioned(self, text: str) -> bool:
        """Whether `text` names the tool."""
        return self._mention is not None and self._mention.search(text) is not None

    def hits(self, text: str, after: int) -> list[Hit]:
        """The anchors in `text` from offset `after` on, in order."""
        if not any(word in text for word in self._words):
            return []
        return [
            Hit(found.start(), found.end(), self._table[(found.lastindex or 1) - 1])
            for found in self._search.finditer(text, after)
        ]


def cut(text: str, tools: Sequence[Anchors], after: int = 0) -> list[Cut]:
    """The blocks of `text`, in order, none overlapping; what stands before offset `after` is context only.

    Where two tools claim the same place, the one with more distinct anchors there has it.
    """
    found: list[Cut] = []
    for tool in tools:
        hits = tool.hits(text, after)
        if hits:
            typed = commands(text, tool.claims.programs)
            found += _blocks(text, tool, _segments(text, hits, typed), typed, after)
    if len(tools) == 1 or len({one.tool for one in found}) < 2:
        return found
    kept: list[Cut] = []
    for one in sorted(found, key=lambda one: (not one.whole, -len(one.names))):
        if all(one.end <= other.start or one.start >= other.end for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def _segments(text: str, hits: list[Hit], typed: list[Command]) -> list[list[Hit]]:
    """The hits of each report."""
    heads = [Hit(one.start, one.end, _COMMAND) for one in typed if one.opens_line and one.start >= 0]
    segments: list[list[Hit]] = []
    current: list[Hit] = []
    for hit in sorted([*hits, *heads], key=lambda hit: hit.start):
        if current:
            at = _break(current, hit)
            if at is not None:
                if current[:at]:
                    segments.append(current[:at])
                current = current[at:]
        current.append(hit)
    segments.append(current)
    return [one for one in segments if any(hit.anchor is not _COMMAND for hit in one)]


def _break(current: list[Hit], hit: Hit) -> int | None:
    """Where `current` must be cut before `hit` can join what is left of it; None when it joins as it is."""
    anchor = hit.anchor
    measured = any(one.anchor.role in ("measure", "failure") for one in current)
    if anchor.role == "head":
        repeated = anchor.times and any(one.anchor.name == anchor.name for one in current)
        return len(current) if measured or repeated else None
    if measured and hit.start - current[-1].end > FAR:
        return len(current)
    if anchor.role == "failure" and current[-1].anchor.rank > anchor.rank and measured:
        return len(current)
    if anchor.times == 0:
        alone = anchor.role == "measure" and {one.anchor.name for one in current} == {anchor.name}
        return len(current) if alone else None
    same = [at for at, one in enumerate(current) if one.anchor.name == anchor.name]
    if len(same) < anchor.times:
        return None
    ranks = [one.anchor.rank for one in current] + [anchor.rank]
    places = range(same[-anchor.times] + 1, len(current) + 1)
    return max(places, key=lambda at: (ranks[at - 1] - ranks[at], at))


def _blocks(text: str, tool: Anchors, segments: list[list[Hit]], typed: list[Command], after: int) -> list[Cut]:
    """The segments that are reports or failures of the tool, with their bounds and commands."""
    blocks: list[Cut] = []
    floor = after  # where the block before ends
    for number, segment in enumerate(segments):
        real = [hit for hit in segment if hit.anchor is not _COMMAND]
        following = segments[number + 1][0].start if number + 1 < len(segments) else len(text)
        start, end = real[0].start, max(hit.end for hit in real)
        line_start = text.rfind("\n", 0, start) + 1
        start = max(line_start, floor) if start - max(line_start, floor) < 200 else start
        end = _end(text, end, following, tail=tool.claims.tail)
        command = _above(typed, blocks[-1].end if blocks else 0, real)
        whole = _enough(text, real, command, tool)
        if whole or any(hit.anchor.role == "measure" for hit in real):
            blocks.append(Cut(tool.tool, start, end, command, frozenset(hit.anchor.name for hit in real), whole))
            floor = end
    return blocks


def _enough(text: str, hits: list[Hit], command: Command | None, tool: Anchors) -> bool:
    """Whether these anchors name their tool: a strong one, or enough different weak ones that open their lines.

    In running prose ("Complete requests: 30397; Failed requests: 30387") labels are talk about a report, not one.
    """
    if any(hit.anchor.strong for hit in hits):
        return True
    names = {hit.anchor.name for hit in hits if hit.anchor.role in ("measure", "failure") and _opens_line(text, hit.start)}
    company = len(names)
    if 0 < company < tool.claims.company:
        near = text[max(0, hits[0].start - FAR) : hits[-1].end + FAR]
        company += command is not None or tool.mentioned(near)
    return company >= tool.claims.company


def _opens_line(text: str, at: int) -> bool:
    return not re.search(r"\w", text[text.rfind("\n", 0, at) + 1 : at])


def _end(text: str, end: int, limit: int, *, tail: bool) -> int:
    """The end of the last anchor's line; with `tail`, of the last line before a blank one, a fence or a prompt."""
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    while tail and stop < min(limit, len(text)):
        following = text.find("\n", stop + 1)
        following = len(text) if following < 0 else following
        line = text[stop + 1 : following].strip()
        if not line or re.match(r"```|~~~|[\w.@:~/-]*[#$%>]\s|\[\S+@", line):
            break
        stop = following
    return min(stop, limit) if limit > end else max(end, min(stop, limit))


def _above(typed: list[Command], reach: int, hits: list[Hit]) -> Command | None:
    """The command line of a block: the last one below the block before and above the first measure."""
    measures = [hit.start for hit in hits if hit.anchor.role != "head"] or [hits[-1].end]
    above = [one for one in typed if reach <= one.start < measures[0]]
    return above[-1] if above else None
