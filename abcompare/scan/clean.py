"""Cleaning: markup, entities, colours and typographic characters out, with a map back to the lines of the file.

Separators (`<br>`, `<td>`, no-break blanks, a literal backslash-n) become blanks or line ends; inline markup (colours,
`<span>`, `**`) is deleted, for blanking it inside a number would make two numbers of one.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache

# Characters that are another of the same length: no-break and ideographic blanks, full-width forms.
_SAME_LENGTH = {
    **dict.fromkeys((160, *range(8192, 8203), 8239, 8287, 12288), " "),
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    0x2028: "\n", 0x2029: "\n",
}

_ESCAPED = r"(?:<|&(?:amp;)*lt;)"
_CLOSED = r"(?:>|&(?:amp;)*gt;)"
_LINE_TAGS = r"br|p|div|tr|li|ul|ol|pre|table|tbody|thead|h[1-6]|blockquote|hr|code-block|dd|dt|section|article|caption"
_CELL_TAGS = r"td|th"

_COLOUR = r"(?P<colour>(?:\x1b|\\u001[bB]|\\x1[bB]|\\033|\\e)\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_])"
_TAGS = "|".join(
    (
        rf"(?P<comment>{_ESCAPED}!--|--{_CLOSED})",
        rf"(?P<line_tag>{_ESCAPED}/?(?i:{_LINE_TAGS})(?:[\s/][^<>\n]{{0,400}}?)?{_CLOSED})",
        rf"(?P<cell_tag>{_ESCAPED}/?(?i:{_CELL_TAGS})(?:[\s/][^<>\n]{{0,400}}?)?{_CLOSED})",
        # any other tag: <strong>, </code>, <span class="mtk1">; "<$Revision" and "<none>" in prose are kept as text
        rf"(?P<tag>{_ESCAPED}/?(?:[a-zA-Z][\w.:-]*)(?:\s+[\w:@.-]+\s*=\s*(?:&(?:amp;)*quot;[^&\n]{{0,400}}?&(?:amp;)*quot;|\\?\"[^\"\n]{{0,400}}\"|'[^'\n]{{0,400}}'|\{{[^}}\n]{{0,400}}\}}|[^\s<>\"']+))*\s*/?{_CLOSED})",
    )
)
# What is edited, by a character without which none of it can be there: a text is searched for what it may hold only.
_EDITS = (
    ("\x1b", _COLOUR),
    ("\x08", r"(?P<erase>[^\n\x08]\x08)"),
    ("\r", r"(?P<line>\r+\n|\r)"),
    ("<", _TAGS),
    ("&", r"(?P<entity>&(?:amp;)*(?:#\d{1,6}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8}\d?);)"),
    ("\\", r"(?P<literal>\\r\\n|\\[rn](?![a-z]{2})|\\t(?![a-z]{2})|\\u[0-9a-fA-F]{4})"),
    ("**", r"(?P<bold>\*\*)"),
    ("`", r"(?P<code>`)"),
    ("\ufeff", r"(?P<mark>\ufeff)"),
    ("\u200b", r"(?P<nothing>[\u200b-\u200f\u2060])"),
    ("\x07", r"(?P<bell>\x07)"),
)


_MARKUP = re.compile(r"<[A-Za-z/!]|-->")


@cache
def _editor(wanted: tuple[int, ...]) -> re.Pattern[str]:
    """One pattern for the edits of these numbers."""
    return re.compile("|".join(_EDITS[number][1] for number in wanted))


def _wanted(text: str) -> tuple[int, ...]:
    """The numbers of the edits that `text` may need."""
    found = [number for number, (sign, _) in enumerate(_EDITS) if sign in text]
    if 3 in found and not _MARKUP.search(text):
        found.remove(3)  # "<$Revision: 1.146 $>" is no tag
    if "&" in text and 3 not in found and "&lt;" in text.replace("amp;", ""):
        found.append(3)
    if "\\" in text and 0 not in found:
        found.append(0)
    return tuple(sorted(found))


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without markup; `lines` maps offsets of `text` to lines of the file: sorted (offset, line) pairs."""

    text: str
    lines: list[tuple[int, int]]
    ends: tuple[int, ...] = (0,)  # behind the original offset ends[k] the text is shifted by shifts[k]
    shifts: tuple[int, ...] = (0,)

    def offset(self, original: int) -> int:
        """The offset in the cleaned text of an offset of the original."""
        return max(0, original + self.shifts[bisect_right(self.ends, original) - 1])

    def line(self, offset: int) -> int:
        """The line of the file that the character at `offset` of the cleaned text stands on."""
        return self.lines[max(0, bisect_right(self.lines, (offset, 1 << 62)) - 1)][1]

    def lines_between(self, start: int, end: int) -> list[tuple[int, int]]:
        """The map of lines of a part of the text, offsets counted from `start`."""
        first = max(0, bisect_right(self.lines, (start, 1 << 62)) - 1)
        last = bisect_right(self.lines, (end, 1 << 62))
        return [(max(0, offset - start), line) for offset, line in self.lines[first:last]]


def clean(text: str, line: int = 1) -> Cleaned:
    """`text`, whose first line is the file's `line`, cleaned. A clean text comes back as it is."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    if not text.isascii():
        text = text.translate(_SAME_LENGTH)
    wanted = _wanted(text)
    if not wanted:
        return Cleaned(text, [(start, line + number) for number, start in enumerate(starts)])
    pieces: list[str] = []
    ends, shifts = [0], [0]  # behind the original offset ends[k], clean = original + shifts[k]
    position = length = 0
    for found in _editor(wanted).finditer(text):
        new = _replacement(found)
        if new is None:
            continue
        pieces += (text[position : found.start()], new)
        length += found.start() - position + len(new)
        position = found.end()
        ends.append(position)
        shifts.append(length - position)
    if not pieces:
        return Cleaned(text, [(start, line + number) for number, start in enumerate(starts)])
    pieces.append(text[position:])
    cleaned = "".join(pieces)
    result = Cleaned(cleaned, [], tuple(ends), tuple(shifts))
    result.lines.extend((result.offset(start), line + number) for number, start in enumerate(starts))
    return result


def _replacement(found: re.Match[str]) -> str | None:
    """What stands in the cleaned text for an edit; None to leave the text as it is."""
    old = found.group()
    match found.lastgroup:
        case "line" | "line_tag":
            return "\n"
        case "cell_tag" | "comment":
            return " "
        case "literal":
            return _literal(old)
        case "entity":
            return _entity(old)
        case _:
            return ""


def _literal(old: str) -> str:
    if old.startswith("\\u"):
        new = chr(int(old[2:], 16))
        return chr(ord(new) - 0xFEE0) if "\uff01" <= new <= "\uff5e" else " " if new.isspace() and new != "\n" else new
    return "\t" if old == "\\t" else "\n"


def _entity(old: str) -> str | None:
    new = html.unescape(old)
    for _ in range(3):  # "&amp;amp;lt;" was escaped by one page after the other
        new = html.unescape(new)
    if new == old:
        return None
    return " " if new.isspace() else new
