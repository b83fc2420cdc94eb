"""Views: the same text with everything blanked that does not belong to one of its readings.

A prefix before every line, the two sides of a diff, interleaved services and the columns of a table are one mechanism:
each view has the length and the line ends of the text, so that an offset means the same place in all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from abcompare.scan.beside import MOST, beside, side_by_side
from abcompare.scan.columns import columns

# What may stand before a line, or between columns: most texts have none of it, and are their only view.
# Begins literally, with the line end above: a search for "^" tries every character.
_SUSPECT = re.compile(r"\n[ \t]*(?:[>#*+•\-|;%]|//|/\*|\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d)")

_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d+)?"
_STAMP = re.compile(
    rf"[ \t]*(?:\[?\d{{4}}[-/]\d\d[-/]\d\d[T ]{_CLOCK}(?:Z|[ ]?[+-]\d\d:?\d\d)?\]?(?=[ \t]|$)"
    rf"|\[?{_CLOCK}\]?(?=[ \t]|$)"
    rf"|[A-Z][a-z]{{2}} [ \d]\d {_CLOCK}(?: \S+)?(?: [\w./@-]+(?:\[\d+\])?:)?(?=[ \t]|$))"
)
# Quotation and comment marks, then list marks: a mark is one only before a blank, so that "-1" and "#[Mean" stay.
_QUOTE = re.compile(r"(?:[ \t]*(?:>+|//[/!]?|/\*+|\*/?|#{1,6}|--|;+|%)(?=[ \t]|$))+")
_PREFIX = re.compile(r"[ \t]*+(?:[\[\d>/*#\-;%]|[A-Z][a-z]{2} [ \d]\d )")  # what both begin with
_LISTED = re.compile(r"\n[ \t]*[-+•*>#;%/]+(?=[ \t\n]|\Z)")  # like `_SUSPECT`, for "\n" and the text
_MARK = re.compile(r"^(?:[ \t]*(?:>+|//[/!]?|/\*+|\*/?|#{1,6}|--|;+|%|[-+•])(?=[ \t]|$))+", re.MULTILINE)
_SERVICE = re.compile(r"[ \t]*(?:[-+•*][ \t]+)?([A-Za-z][\w.-]{0,39}) *\|(?=[ \t]|$)")

# What a line of a report looks like, whoever prints it: a label and a number, or a percentage and a number.
_REPORTED = re.compile(r"\W*(?:[A-Za-z][A-Za-z0-9/ +-]{2,40}(?::|[ \t]{2,})[ \t]*[-+<]?\d|\d{1,3}(?:\.\d+)?%[ \t]+\d|[A-Za-z/ ]*\d\S* requests )")
_MOST = 64  # services that are taken apart: each is a view, and as long as the text

_HUNK = re.compile(r"^[ \t]*@@ -\d", re.MULTILINE)
_SIGNED = re.compile(r"^[ \t]*([-+])(?=[ \t]*[\w|(\"])", re.MULTILINE)
_SIGN = re.compile(r"\n[ \t]*[-+]")  # like `_SUSPECT`


class Views(NamedTuple):
    """The readings of a text, and how many columns at least are in none of them, for there are too many."""

    texts: list[str]
    unread: int = 0


def views(text: str) -> Views:
    """The readings of `text`, up to `MOST`; the text itself where there is but one and nothing stands before its lines."""
    if "|" not in text and not _SUSPECT.search("\n" + text) and not side_by_side(text):
        return Views([text])
    texts: list[str] = []
    unread = 0
    for found, left in _views(text):
        unread += left + max(0, len(texts) + len(found) - MOST)
        texts += found[: MOST - len(texts)]
        if unread and len(texts) == MOST:  # what follows is not made, so that nobody counts it
            break
    return Views(texts, unread)


def _views(text: str) -> Iterator[tuple[list[str], int]]:
    """Views that belong together, each time with the number of those that are not made."""
    plain = _without_prefixes(text)
    for side in _sides(plain):
        for service in _services(side):
            pages, left = beside(service if service is plain else _without_prefixes(service))
            yield [], left
            for page in pages:
                yield columns(_without_lists(page))


def blank(text: str) -> str:
    """`text` with every character but line ends replaced by a blank."""
    return re.sub(r"[^\n]", " ", text)


# -- services ----------------------------------------------------------------------------------------------------------


def _services(text: str) -> list[str]:
    """One view for each service of a container log ("bench_1  | ") whose lines hold numbers of a report, up to
    `_MOST`; then one of all other services. The first one keeps what no service says.
    """
    if "|" not in text:
        return [text]
    lines = text.split("\n")
    marks = [_SERVICE.match(line) for line in lines]
    counts = Counter(mark[1] for mark in marks if mark)
    names = {name for name, count in counts.items() if count >= 3}
    if not names:
        return [text]
    own: dict[str, dict[int, str]] = {}  # the lines of a service by their numbers, without its name
    reported: Counter[str] = Counter()
    outside: dict[int, str] = {}
    for number, (line, mark) in enumerate(zip(lines, marks, strict=True)):
        if mark and mark[1] in names:
            own.setdefault(mark[1], {})[number] = " " * mark.end() + line[mark.end() :]
            reported[mark[1]] += bool(_REPORTED.match(line, mark.end()))
        else:
            outside[number] = line
    chosen = {name for name, count in reported.most_common(_MOST) if count}
    kept = [said for name, said in own.items() if name in chosen]
    rest = {number: line for name, said in own.items() if name not in chosen for number, line in said.items()}
    kept += [rest] if rest else []
    blanks = [" " * len(line) for line in lines]
    views = []
    for said in (kept[0] | outside, *kept[1:]):
        page = list(blanks)
        for number, line in said.items():
            page[number] = line
        views.append("\n".join(page))
    return views


# -- diffs -------------------------------------------------------------------------------------------------------------


def _sides(text: str) -> list[str]:
    """The two sides of a diff, the second without what stands outside of it; one sign alone is a prefix."""
    signs = Counter(found[1] for found in _SIGNED.finditer(text)) if _SIGN.search("\n" + text) else None
    if not signs:
        return [text]
    if min(signs["-"], signs["+"]) < 2 or not (_HUNK.search(text) or _alternating(text)):
        return [_unsigned(text, signs)]
    first, last = _extent(text)
    inside = text[first:last]
    old = re.sub(r"^[ \t]*(?:\+[^\n]*|-{3} [^\n]*|@@[^\n]*)", lambda found: " " * len(found[0]), inside, flags=re.MULTILINE)
    new = re.sub(r"^[ \t]*(?:-[^\n]*|\+{3} [^\n]*|@@[^\n]*)", lambda found: " " * len(found[0]), inside, flags=re.MULTILINE)
    return [
        text[:first] + re.sub(r"^([ \t]*)-", r"\1 ", old, flags=re.MULTILINE) + text[last:],
        blank(text[:first]) + re.sub(r"^([ \t]*)\+", r"\1 ", new, flags=re.MULTILINE) + blank(text[last:]),
    ]


def _unsigned(text: str, signs: Counter[str]) -> str:
    """`text` without a sign that stands directly before most of its lines."""
    lines = sum(1 for line in text.split("\n") if line.strip())
    for sign in "-+":
        glued = len(re.findall(rf"^[ \t]*\{sign}[ \t]*\S", text, re.MULTILINE))
        if signs[sign] >= 5 and glued * 2 > lines:
            return re.sub(rf"^([ \t]*)\{sign}(?!\{sign})", r"\1 ", text, flags=re.MULTILINE)
    return text


def _alternating(text: str) -> bool:
    """Whether both signs stand before the same words: two runs interleaved by hand, and not a list."""
    words: dict[str, set[str]] = {"-": set(), "+": set()}
    for found in re.finditer(r"^[ \t]*([-+])[ \t]*([A-Za-z][A-Za-z/ ]+)", text, re.MULTILINE):
        words[found[1]].add(found[2].strip())
    return len(words["-"] & words["+"]) >= 2


def _extent(text: str) -> tuple[int, int]:
    """From the paragraph of the first signed line to the end of the last one's."""
    places = [found.start() for found in _SIGNED.finditer(text)]
    above = text.rfind("\n\n", 0, places[0])
    below = text.find("\n\n", places[-1])
    return (above + 2 if above >= 0 else 0), (below if below >= 0 else len(text))


# -- prefixes ----------------------------------------------------------------------------------------------------------


def _without_prefixes(text: str) -> str:
    """`text` with time stamps and quotation and comment marks blanked at the start of its lines."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not _PREFIX.match(line):
            continue
        stamp = _STAMP.match(line)
        end = stamp.end() if stamp else 0
        mark = _QUOTE.match(line, end)
        end = mark.end() if mark else end
        if end:
            lines[number] = " " * end + line[end:]
    return "\n".join(lines)


def _without_lists(text: str) -> str:
    """`text` with list marks blanked at the start of its lines, and what marks stand around them."""
    if not _LISTED.search("\n" + text):
        return text
    return _MARK.sub(lambda found: " " * len(found[0]), text)
