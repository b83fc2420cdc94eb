"""What a terminal does with control characters: colours, a cursor that moves, lines that are drawn anew."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abcompare.scan.edits import Edit

# A control sequence behind its escape character, and any sequence, as it is or written out.
CSI = r"\[(?P<count>[0-?]*)[ -/]*(?P<final>[@-~])"
COLOUR = rf"(?P<colour>(?:\x1b|\\u001[bB]|\\x1[bB]|\\033|\\e){CSI}|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/][0-~]|\x1b[0-Z\\-~])"
_BACK = re.compile(r"\x08|\x1b\[\d*[DG`]")
_DRAWN = re.compile(rf"\x1b{CSI}|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/][0-~]|\x1b[0-Z\\-~]|(?P<back>\x08)|[^\x08\x1b]+|\x1b")
_FARTHEST = 200  # columns that a sequence moves at most
_LINE_END = re.compile("[\r\n]")
_SEGMENT = re.compile(r"[^\r\n]*(?:\r+\n|[\r\n]|\Z)")


def moved(count: str | None, final: str | None) -> str:
    """What stands for a terminal's control sequence: nothing for a colour, a blank or a line end for a move."""
    if final is None or final not in "ABCDEFGHadef`":
        return ""
    if final in "Ca":
        return " " * _columns(count)
    return " " if final in "DG`" else "\n"


def _columns(count: str | None) -> int:
    return min(int(count), _FARTHEST) if count and count.isdecimal() and len(count) < 9 else 1


def redrawn(text: str) -> Iterator[Edit]:
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


def overwritten(text: str) -> Iterator[Edit]:
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
        earlier, later = (re.sub(COLOUR, "", one) for one in (earlier, later))
    one, other = (" ".join(text.split()) for text in (earlier, later))
    if len(one) > len(other) or not re.search(r"[A-Za-z]{3}[^\n]*?\d", one):
        return False
    one, other = (re.sub(r"\d+(?:[.,]\d+)*", "0", text) for text in (one, other))
    return other.startswith(one)
