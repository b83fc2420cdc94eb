"""Cleaning: markup, entities, colours and typographic characters out, with a map back to the lines of the file.

Separators (`<br>`, `<td>`, no-break blanks, a literal backslash-n) become blanks or line ends; inline markup (colours,
`<span>`, `**`) is deleted, for blanking it inside a number would make two numbers of one. What is struck out, overwritten
in the terminal or a footnote's mark goes with its text: it would be read as a number, or glued to one.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, count
from typing import NamedTuple

# Characters that are another of the same length: no-break and ideographic blanks, full-width forms, Arabic separators.
_SAME_LENGTH = {
    **dict.fromkeys((160, *range(8192, 8203), 8239, 8287, 12288), " "),
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    0x2028: "\n", 0x2029: "\n", 0x066A: "%", 0x066B: ".", 0x066C: ",",
}
_DISGUISED = re.compile("[" + "".join(map(chr, _SAME_LENGTH)) + "]")
_DIGIT = re.compile(r"[^\x00-\x7f\D]")  # a decimal digit of another script
# Characters that are nothing: soft hyphens, zero-width blanks and joiners, marks of direction, byte-order marks.
_NOTHING = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")

_ESCAPED = r"(?:<|&(?:amp;)*lt;)"
_CLOSED = r"(?:>|&(?:amp;)*gt;)"
_LINE_TAGS = r"br|p|div|tr|li|ul|ol|pre|table|tbody|thead|h[1-6]|blockquote|hr|code-block|dd|dt|section|article|caption"
_CELL_TAGS = r"td|th"
_MORE = r"(?:\s[^<>\n]{0,400}?)?"  # a tag's attributes
# A footnote's mark, and what it must stand behind to be one.
_NOTE = r"(?:<[^<>\n]{0,200}>){0,3}[\[(]?(?:\d{1,3}|[*†‡§a-z])[\])]?(?:<[^<>\n]{0,200}>){0,3}"
_BEHIND = r"(?:(?<=[\w.%\])])|(?<=</[bi]>)|(?<=</em>)|(?<=</code>)|(?<=</span>)|(?<=</strong>))"
_SUP = rf"{_ESCAPED}sup{_MORE}{_CLOSED}{_NOTE}{_ESCAPED}/sup\s*{_CLOSED}"

_CSI = r"\[(?P<count>[0-?]*)[ -/]*(?P<final>[@-~])"
_COLOUR = rf"(?P<colour>(?:\x1b|\\u001[bB]|\\x1[bB]|\\033|\\e){_CSI}|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/][0-~]|\x1b[0-Z\\-~])"
# The commonest tags as most pages write them: what the patterns below say of them as well, for three times the time.
_COMMON_TAGS = (
    r"(?P<row></?(?:p|tr|br|div|li|table)[ /]{0,2}>)|(?P<cell></?t[dh]>)"
    r"|(?P<plain></?(?:span|code|strong|em|b|i)(?: class=\"[^<>&\"\n]{0,99}\")?>)"
)
_TAGS = "|".join(
    (
        _COMMON_TAGS,
        rf"(?P<struck>(?i:{_ESCAPED}(?P<name>s|del|strike){_MORE}{_CLOSED}[^\n]{{0,200}}?{_ESCAPED}/(?P=name)\s*{_CLOSED}))",
        rf"(?P<note>(?i:{_BEHIND}{_SUP}|{_SUP}(?=\d)|{_BEHIND}{_ESCAPED}a\s[^<>\n]{{0,400}}?href=\\?[\"']?#[^<>\n]{{0,400}}?{_CLOSED}{_NOTE}{_ESCAPED}/a\s*{_CLOSED}))",
        # what frameworks leave between two parts of a text: <!-- -->, <!--$-->, <!-- react-text: 7 -->
        rf"(?P<seam>{_ESCAPED}!--(?:\s{{0,40}}|[^\w\n]{{0,8}}?|\s*/?react-text[^\n<>]{{0,30}}?)--{_CLOSED}|(?<=\d){_ESCAPED}!--[^\n<>]{{0,80}}?--{_CLOSED}(?=[\d.,]))",
        rf"(?P<comment>{_ESCAPED}!--|--{_CLOSED})",
        rf"(?P<line_tag>{_ESCAPED}/?(?i:{_LINE_TAGS})(?:[\s/][^<>\n]{{0,400}}?)?{_CLOSED})",
        rf"(?P<cell_tag>{_ESCAPED}/?(?i:{_CELL_TAGS})(?:[\s/][^<>\n]{{0,400}}?)?{_CLOSED})",
        # any other tag: <strong>, </code>, <span class="mtk1">; "<$Revision" and "<none>" in prose are kept as text
        rf"(?P<tag>{_ESCAPED}/?(?:[a-zA-Z][\w.:-]*)(?:\s+[\w:@.-]+\s*=\s*(?:&(?:amp;)*quot;[^&\n]{{0,400}}?&(?:amp;)*quot;|\\?\"[^\"\n]{{0,400}}\"|'[^'\n]{{0,400}}'|\{{[^}}\n]{{0,400}}\}}|[^\s<>\"']+))*\s*/?{_CLOSED})",
    )
)
_ENTITY = r"&(?:amp;)*(?:#\d{1,6}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,16}\d?);"


class _Kind(NamedTuple):
    """What is edited: the characters without one of which none of it can be there, and what must be there besides, so
    that a text is searched for what it may hold only; what it begins with, and the whole of it.
    """

    signs: tuple[str, ...]
    gate: re.Pattern[str] | None
    begins: str
    pattern: str


_KINDS = (
    _Kind(("\x1b", "\\"), None, r"\x1b|\\", _COLOUR),
    _Kind(("\r",), None, r"\r", r"(?P<line>\r+\n|\r)"),
    _Kind(("&",), None, "&", rf"(?P<sign>(?!(?i:&(?:amp;)*lt;)){_ENTITY})"),  # no tag: it need not be tried as one
    _Kind(("<", "lt;"), re.compile(r"<[A-Za-z/!]|-->|&(?:amp;)*lt;"), "<|&|-(?=-[>&])", _TAGS),  # "<$Revision: 1.146 $>" is no tag
    _Kind(("&",), None, "&", rf"(?P<entity>{_ENTITY})"),
    _Kind(("\\",), None, r"\\", r"(?P<literal>\\r\\n|\\[rn](?![a-z]{2})|\\t(?![a-z]{2})|\\u[0-9a-fA-F]{4})"),
    # Markdown with everything escaped: 12613\.68 \[\#/sec\]
    _Kind(("\\",), re.compile(r"\d\\\.\d|\\\[\\?(?:#|\+|ms|Kb|K?bytes)"), r"\\", r"(?P<backslash>\\(?=[.\[\]()#*_+\-!>~{}=]))"),
    _Kind(("*",), re.compile(r"\*\*"), r"\*(?=\*)", r"(?P<bold>\*\*)"),
    _Kind(("~",), re.compile("~~"), "~(?=~)", r"(?P<crossed>(?<!~)~~(?=[^\s~])[^\n~]{0,198}[^\s~]~~(?!~))"),
    _Kind(("`",), None, "`", r"(?P<code>`)"),
    _Kind(("\x07",), None, r"\x07", r"(?P<bell>\x07)"),
    _Kind((), None, _NOTHING.pattern, f"(?P<nothing>{_NOTHING.pattern})"),
)


@cache
def _editor(wanted: tuple[int, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Two patterns for the kinds of these numbers: what they begin with, and the whole of them.

    A search for the second alone would try every alternative at every character.
    """
    begins = dict.fromkeys(begin for number in wanted for begin in _KINDS[number].begins.split("|"))
    return re.compile("|".join(begins)), re.compile("|".join(_KINDS[number].pattern for number in wanted))


def _wanted(text: str) -> tuple[int, ...]:
    """The numbers of the kinds of edits that `text` may need."""
    found = []
    for number, (signs, gate, _, _) in enumerate(_KINDS):
        for sign in signs:
            if sign in text:
                if gate is None or gate.search(text):
                    found.append(number)
                break
    if not text.isascii() and _NOTHING.search(text):
        found.append(len(_KINDS) - 1)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without markup; `lines` maps offsets of `text` to lines of the file: sorted (offset, line) pairs."""

    text: str
    lines: list[tuple[int, int]]
    ends: tuple[int, ...] = (0,)  # behind the offset ends[k] of the text before, it is shifted by shifts[k]
    shifts: tuple[int, ...] = (0,)
    before: Cleaned | None = None  # the step before, which this one's offsets are of

    def offset(self, original: int) -> int:
        """The offset in the cleaned text of an offset of the original."""
        if self.before:
            original = self.before.offset(original)
        return max(0, original + self.shifts[bisect_right(self.ends, original) - 1])

    def line(self, offset: int) -> int:
        """The line of the file that the character at `offset` of the cleaned text stands on."""
        return self.lines[max(0, bisect_right(self.lines, (offset, 1 << 62)) - 1)][1]

    def lines_between(self, start: int, end: int) -> list[tuple[int, int]]:
        """The map of lines of a part of the text, offsets counted from `start`."""
        first = max(0, bisect_right(self.lines, (start, 1 << 62)) - 1)
        last = bisect_right(self.lines, (end, 1 << 62))
        found = self.lines[first:last]
        return [(max(0, offset - start), line) for offset, line in found] if start else found


def clean(text: str, line: int = 1) -> Cleaned:
    """`text`, whose first line is the file's `line`, cleaned. A clean text comes back as it is."""
    starts = accumulate((len(one) + 1 for one in text.split("\n")[:-1]), initial=0)
    result = Cleaned(_same(text), list(zip(starts, count(line), strict=False)))
    returns = "\r" in text
    if "=\n" in text or (returns and "=\r\n" in text):
        result = _edited(result, _unquoted(result.text))
    if "\x08" in text or "\x1b" in text:
        result = _edited(result, _redrawn(result.text))
    if returns:
        result = _edited(result, _overwritten(result.text))
    if wanted := _wanted(result.text):
        result = _edited(result, _replaced(result.text, wanted))
    return result


_Edit = tuple[int, int, str]  # start, end, and what stands there instead


def _edited(given: Cleaned, edits: Iterable[_Edit]) -> Cleaned:
    """`given` with these edits, in order, made to its text."""
    pieces: list[str] = []
    ends, shifts = [0], [0]  # behind the original offset ends[k], clean = original + shifts[k]
    position = length = 0
    for start, end, new in edits:
        pieces += (given.text[position:start], new)
        length += start - position + len(new)
        position = end
        ends.append(position)
        shifts.append(length - position)
    if not pieces:
        return given
    pieces.append(given.text[position:])
    lines = [(max(0, start + shifts[bisect_right(ends, start) - 1]), line) for start, line in given.lines]
    return Cleaned("".join(pieces), lines, tuple(ends), tuple(shifts), given)


def _same(text: str) -> str:
    """`text` with characters that are others in disguise as these others: its length stays."""
    if text.isascii():
        return text
    if _DISGUISED.search(text):  # a search is ten times faster
        text = text.translate(_SAME_LENGTH)
    return _DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), text)


def _replaced(text: str, wanted: tuple[int, ...]) -> Iterator[_Edit]:
    begins, whole = _editor(wanted)
    end = 0
    for begin in begins.finditer(text):
        start = begin.start()
        if start >= end and (found := whole.match(text, start)):
            end = found.end()
            put = _INSTEAD.get(found.lastgroup or "", "")
            new = put if isinstance(put, str) else put(found)
            if new is not None:
                yield start, end, new


def _literal(old: str) -> str:
    if old.startswith("\\u"):
        return _character(chr(int(old[2:], 16)))
    return "\t" if old == "\\t" else "\n"


def _entity(old: str) -> str | None:
    """The character that an entity stands for; None where it stands for none, and is text."""
    return _short_entity(old) if len(old) < 40 else _unescaped(old)  # one that was escaped for ever is not kept


def _unescaped(old: str) -> str | None:
    new = html.unescape(old)
    for _ in range(3):  # "&amp;amp;lt;" was escaped by one page after the other
        new = html.unescape(new)
    if new == old:
        return None
    return " " if new.isspace() else _character(new)


_short_entity = lru_cache(256)(_unescaped)  # a text has few different ones


def _character(written: str) -> str:
    """What a character that was written as a code stands for."""
    new = _same(_NOTHING.sub("", written))
    return " " if new.isspace() and new != "\n" else new


# What stands in the cleaned text for each kind of edit, nothing unless said; None leaves the text as it is.
_INSTEAD: dict[str, str | Callable[[re.Match[str]], str | None]] = {
    "line": "\n", "line_tag": "\n", "row": "\n", "cell_tag": " ", "cell": " ", "comment": " ",
    "colour": lambda found: _moved(found["count"], found["final"]),
    "literal": lambda found: _literal(found[0]),
    "entity": lambda found: _entity(found[0]),
    "sign": lambda found: _entity(found[0]),
}


# -- quoted-printable --------------------------------------------------------------------------------------------------

_SOFT = re.compile(r"(?<![=\n])=\r?\n|(?P<code>(?:=[0-9A-F]{2})+)")
_QUOTED = re.compile(r"=(?:3D|[CD][0-9A-F]=[89AB][0-9A-F]|E[0-9A-F]=[89AB][0-9A-F])|(?i:^Content-Transfer-Encoding: *quoted-printable)", re.MULTILINE)
_BROKEN = re.compile(r"^(?!\w+=\r?$)[^\n]*[\w.]=\r?\n(?=[\w.])", re.MULTILINE)  # "HOME=" is a variable without a value


def _unquoted(text: str) -> Iterator[_Edit]:
    """Quoted-printable (mail) undone, where the text has more of it than a line that ends with "=": RFC 2045, 6.7."""
    if not _QUOTED.search(text) and len(_BROKEN.findall(text)) < 2:
        return
    for found in _SOFT.finditer(text):
        codes = found["code"]
        new = bytes.fromhex(codes.replace("=", "")).decode("utf-8", "replace") if codes else ""
        yield found.start(), found.end(), _same(new.replace("\r\n", "\n"))


# -- terminals ---------------------------------------------------------------------------------------------------------

_BACK = re.compile(r"\x08|\x1b\[\d*[DG`]")
_DRAWN = re.compile(rf"\x1b{_CSI}|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/][0-~]|\x1b[0-Z\\-~]|(?P<back>\x08)|[^\x08\x1b]+|\x1b")
_FARTHEST = 200  # columns that a sequence moves at most
_LINE_END = re.compile("[\r\n]")
_SEGMENT = re.compile(r"[^\r\n]*(?:\r+\n|[\r\n]|\Z)")


def _moved(count: str | None, final: str | None) -> str:
    """What stands for a terminal's control sequence: nothing for a colour, a blank or a line end for a move."""
    if final is None or final not in "ABCDEFGHadef`":
        return ""
    if final in "Ca":
        return " " * _columns(count)
    return " " if final in "DG`" else "\n"


def _columns(count: str | None) -> int:
    return min(int(count), _FARTHEST) if count and count.isdecimal() and len(count) < 9 else 1


def _redrawn(text: str) -> Iterator[_Edit]:
    """Lines in which the cursor goes back, as they stood on the screen in the end."""
    done = 0
    for found in _BACK.finditer(text):
        if found.start() < done:
            continue
        start = max(text.rfind("\n", done, found.start()), text.rfind("\r", done, found.start()), done - 1) + 1
        end = _LINE_END.search(text, found.end())
        done = end.start() if end else len(text)
        yield start, done, _screen(text[start:done])


def _screen(line: str) -> str:
    """A line as a terminal shows it; colours are gone."""
    cells: list[str] = []
    at = 0
    for found in _DRAWN.finditer(line):
        final = found["final"]
        if found["back"] or final == "D":
            at = max(0, at - (_columns(found["count"]) if final else 1))
        elif final in ("C", "a"):
            at += _columns(found["count"])
        elif final in ("G", "`"):
            at = _columns(found["count"]) - 1
        elif final == "K" and found["count"] == "2":
            cells, at = [], 0
        elif final == "K" and found["count"] in ("", "0"):
            del cells[at:]
        elif not found[0].startswith("\x1b"):
            cells += " " * (at - len(cells))
            cells[at : at + len(found[0])] = found[0]
            at += len(found[0])
    return "".join(cells)


def _overwritten(text: str) -> Iterator[_Edit]:
    """What a line had said before a carriage return, where the same words follow with another number.

    Other carriage returns stay: they are line ends in as many logs.
    """
    last = None
    for found in _SEGMENT.finditer(text):
        if last and last[0].endswith("\r") and _same_words(last[0], found[0]):
            yield last.start(), last.end(), ""
        last = found


def _same_words(earlier: str, later: str) -> bool:
    """Whether one text hides the other on a terminal and says the same of other numbers."""
    if "\x1b" in earlier or "\x1b" in later:
        earlier, later = (re.sub(_COLOUR, "", one) for one in (earlier, later))
    one, other = (" ".join(text.split()) for text in (earlier, later))
    if len(one) > len(other) or not re.search(r"[A-Za-z]{3}[^\n]*?\d", one):
        return False
    one, other = (re.sub(r"\d+(?:[.,]\d+)*", "0", text) for text in (one, other))
    return other.startswith(one)
