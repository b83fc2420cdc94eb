"""Characters that are others in disguise, and those that are nothing."""

from __future__ import annotations

import re
import unicodedata

# Characters that are another of the same length: no-break and ideographic blanks, full-width forms, Arabic separators.
_SAME_LENGTH = {
    **dict.fromkeys((160, *range(8192, 8203), 8239, 8287, 12288), " "),
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    0x2028: "\n", 0x2029: "\n", 0x066A: "%", 0x066B: ".", 0x066C: ",",
}
_DISGUISED = re.compile("[" + "".join(map(chr, _SAME_LENGTH)) + "]")
_DIGIT = re.compile(r"[^\x00-\x7f\D]")  # a decimal digit of another script
# Characters that are nothing: soft hyphens, zero-width blanks and joiners, marks of direction, byte-order marks.
NOTHING = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")


def same(text: str) -> str:
    """`text` with characters that are others in disguise as these others: its length stays."""
    if text.isascii():
        return text
    if _DISGUISED.search(text):  # a search is ten times faster
        text = text.translate(_SAME_LENGTH)
    return _DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), text)
