"""How a document is drawn: width, colour, explanations. The one place for colour, which is never the only sign."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["error", "warning", "corrected", "info", "title", "hint", "better", "worse"]

_CODES: dict[Role, str] = {
    "error": "31", "warning": "33", "corrected": "36", "info": "2", "title": "1", "hint": "32",
    "better": "32", "worse": "31",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """`width` of the terminal in characters (None: as wide as it gets), `color`, metrics explained in words, `verbose`:
    all that is known of a test, and `quiet`: no findings of severity info.
    """

    width: int | None = None
    color: bool = False
    explain: bool = False
    verbose: bool = False
    quiet: bool = False

    def paint(self, text: str, role: Role) -> str:
        """`text` in the colour of its role, where colours are wanted."""
        return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if self.color and text else text
