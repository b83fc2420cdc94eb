"""Cleaning: markup, entities, colours and typographic characters out, with a map back to the lines of the file.

Separators (`<br>`, `<td>`, no-break blanks, a literal backslash-n) become blanks or line ends; inline markup (colours,
`<span>`, `**`) is deleted, for blanking it inside a number would make two numbers of one. What is struck out, overwritten
in the terminal or a footnote's mark goes with its text: it would be read as a number, or glued to one.
"""

from __future__ import annotations

from itertools import accumulate, count

from abcompare.scan.characters import same
from abcompare.scan.edits import Cleaned, edited
from abcompare.scan.markup import kinds_in, unmarked
from abcompare.scan.quoted import unquoted
from abcompare.scan.terminals import overwritten, redrawn


def clean(text: str, line: int = 1) -> Cleaned:
    """`text`, whose first line is the file's `line`, cleaned. A clean text comes back as it is."""
    starts = accumulate((len(one) + 1 for one in text.split("\n")[:-1]), initial=0)
    result = Cleaned(same(text), list(zip(starts, count(line), strict=False)))
    returns = "\r" in text
    if "=\n" in text or (returns and "=\r\n" in text):
        result = edited(result, unquoted(result.text))
    if "\x08" in text or "\x1b" in text:
        result = edited(result, redrawn(result.text))
    if returns:
        result = edited(result, overwritten(result.text))
    if wanted := kinds_in(result.text):
        result = edited(result, unmarked(result.text, wanted))
    return result
