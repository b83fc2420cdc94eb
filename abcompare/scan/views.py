"""Views: the same text with everything blanked that does not belong to one of its readings.

A prefix before every line, the two sides of a diff and the columns of a table are one mechanism: each view has the
length and the line ends of the text, so that an offset means the same place in all of them.
"""

from __future__ import annotations

import re
from collections import Counter

from abcompare.scan.columns import columns

# What may stand before a line, or between columns: most texts have none of it, and are their only view.
_SUSPECT = re.compile(r"^[ \t]*(?:[>#*+•\-|;%]|//|/\*|\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d)", re.MULTILINE)

_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d+)?"
_STAMP = re.compile(
    rf"[ \t]*(?:\[?\d{{4}}[-/]\d\d[-/]\d\d[T ]{_CLOCK}(?:Z|[ ]?[+-]\d\d:?\d\d)?\]?(?=[ \t]|$)"
    rf"|\[?{_CLOCK}\]?(?=[ \t]|$)"
    rf"|[A-Z][a-z]{{2}} [ \d]\d {_CLOCK}(?: \S+)?(?: [\w./@-]+(?:\[\d+\])?:)?(?=[ \t]|$))"
)
# Quotation, comment and list marks; a mark is one only before a blank, so that "-1" and "#[Mean" stay.
_MARK = re.compile(r"(?:[ \t]*(?:>+|//[/!]?|/\*+|\*/?|#{1,6}|--|;|%|[-+•])(?=[ \t]|$))+")
_SERVICE = re.compile(r"[ \t]*([\w.-]{1,40}) *\|(?=[ \t]|$)")

_HUNK = re.compile(r"^@@ -\d", re.MULTILINE)
_SIGNED = re.compile(r"^([-+])(?=[ \t]*[A-Za-z\d])", re.MULTILINE)


def views(text: str) -> list[str]:
    """The readings of `text`; the text itself where there is but one and nothing stands before its lines."""
    if "|" not in text and not _SUSPECT.search(text):
        return [text]
    found: list[str] = []
    for side in _sides(text):
        found += columns(_without_prefixes(side))
    return found


def blank(text: str) -> str:
    """`text` with every character but line ends replaced by a blank."""
    return re.sub(r"[^\n]", " ", text)


def _sides(text: str) -> list[str]:
    """The two sides of a diff, the second without what stands outside of it; or the text."""
    signs = Counter(found[1] for found in _SIGNED.finditer(text))
    if min(signs["-"], signs["+"]) < 2 or not (_HUNK.search(text) or _alternating(text)):
        return [text]
    first, last = _extent(text)
    inside = text[first:last]
    old = re.sub(r"^\+[^\n]*|^-{3} [^\n]*|^@@[^\n]*", lambda found: " " * len(found[0]), inside, flags=re.MULTILINE)
    new = re.sub(r"^-[^\n]*|^\+{3} [^\n]*|^@@[^\n]*", lambda found: " " * len(found[0]), inside, flags=re.MULTILINE)
    return [
        text[:first] + re.sub(r"^-", " ", old, flags=re.MULTILINE) + text[last:],
        blank(text[:first]) + re.sub(r"^\+", " ", new, flags=re.MULTILINE) + blank(text[last:]),
    ]


def _alternating(text: str) -> bool:
    """Whether both signs stand before the same words: two runs interleaved by hand, and not a list."""
    words: dict[str, set[str]] = {"-": set(), "+": set()}
    for found in re.finditer(r"^([-+])[ \t]*([A-Za-z][A-Za-z/ ]+)", text, re.MULTILINE):
        words[found[1]].add(found[2].strip())
    return len(words["-"] & words["+"]) >= 2


def _extent(text: str) -> tuple[int, int]:
    """From the paragraph of the first signed line to the end of the last one's."""
    places = [found.start() for found in _SIGNED.finditer(text)]
    first = max(text.rfind("\n\n", 0, places[0]) + 2, 0) if text.rfind("\n\n", 0, places[0]) >= 0 else 0
    last = text.find("\n\n", places[-1])
    return first, len(text) if last < 0 else last


def _without_prefixes(text: str) -> str:
    """`text` with time stamps, service names and quotation, comment and list marks blanked at the start of lines."""
    lines = text.split("\n")
    services = Counter(found[1] for line in lines if (found := _SERVICE.match(line)))
    for number, line in enumerate(lines):
        end = 0
        found = _SERVICE.match(line)
        if found and services[found[1]] >= 3:
            end = found.end()
        stamp = _STAMP.match(line, end)
        if stamp:
            end = stamp.end()
        mark = _MARK.match(line, end)
        if mark:
            end = mark.end()
        if end:
            lines[number] = " " * end + line[end:]
    return "\n".join(lines)
