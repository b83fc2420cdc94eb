"""The logs from the wild that people have read (`../shared/logs/wild`), where they are: the floors hold."""

from __future__ import annotations

from benchmarks.wild import default_shared
from benchmarks.wild.scoring import score

SHARED = default_shared()

if (SHARED / "logs" / "wild").is_dir():

    def test_floors() -> None:
        found = score(SHARED)
        assert found.reached
