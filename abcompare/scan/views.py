"""Views: the same text with everything blanked that does not belong to one of its readings.

A prefix before every line, the two sides of a diff and the columns of a table are one mechanism: each view has the
length and the line ends of the text, so that an offset means the same place in all of them.
"""

from __future__ import annotations


def views(text: str) -> list[str]:
    """The readings of `text`; the text itself where there is but one."""
    return [text]
