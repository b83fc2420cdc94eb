"""The sentence of a row: its reason, without the numbers that the row itself shows."""

from __future__ import annotations

import re

from abcompare.comparison import Row
from abcompare.reporters.cells import visible

_BOUNDS = r"[+−]?[\d.,]+ % \[[^\]]*\]"
_LEADING = re.compile(rf"^{_BOUNDS}(?:, p[<=][\d.]+)?(?:, size uncertain)?(?:[;,.] *|$)")
_TRAILING = re.compile(rf": {_BOUNDS}$")


def sentence(row: Row) -> str:
    """What the row says beside its numbers; "" where the numbers are all there is to say."""
    reason = visible(row.reason)
    if row.verdict in ("better", "worse", "negligible", "provisional"):
        reason = _TRAILING.sub("", _LEADING.sub("", reason))
    return reason
