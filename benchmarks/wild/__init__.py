"""Scores the parser on every value that people read in the logs of `logs/wild`.

    python -m benchmarks.wild [SHARED] [-v]

SHARED is the folder that holds `logs/wild` (else $ABCOMPARE_SHARED, else `../shared` beside the checkout). The runs of
a file are aligned with the rows of its index by the cheapest edit, so that one missing run does not spoil the rest.
Exit code 1 when a floor is not reached: 98 % of the values equal, at most 3 wrong or invented, the number of runs right
in 95 % of the files.
"""

from __future__ import annotations

import os
from pathlib import Path


def default_shared() -> Path:
    """$ABCOMPARE_SHARED, or the folder beside the checkout."""
    return Path(os.environ.get("ABCOMPARE_SHARED") or Path(__file__).resolve().parents[3] / "shared")
