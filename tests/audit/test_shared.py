"""The team's logs, where they are: honest ones do not contradict themselves, and of those from the wild few do."""

from __future__ import annotations

from pathlib import Path

import abcompare
from abcompare.audit import audit, rules
from benchmarks.wild import default_shared

LOGS = default_shared() / "logs"
ARITHMETIC = frozenset(one.code for one in rules()[0] if one.severity == "error") - {"EMPTY-REPLIES"}


def contradictions(folder: Path) -> tuple[int, dict[str, set[str]]]:
    """How many runs the logs of a folder hold, and the codes of the rules that they break, by the log's number."""
    found: dict[str, set[str]] = {}
    runs = 0
    for log in sorted(folder.rglob("*.*")):
        for run in abcompare.parse_file(log).runs if log.is_file() and log.suffix in (".txt", ".csv") else ():
            runs += 1
            for one in audit(run, ARITHMETIC):
                found.setdefault(log.name[:3], set()).add(one.code)
    return runs, found


if LOGS.is_dir():

    def test_real_tools_never_contradict_themselves() -> None:
        runs, found = contradictions(LOGS / "real")
        assert runs > 200
        assert found == {}

    def test_logs_from_the_wild() -> None:
        """003: waiting above processing; 051: a parser's fixture of ones. Both stand in INDEX.tsv as inconsistent."""
        runs, found = contradictions(LOGS / "wild" / "ab")
        assert runs > 100
        assert found == {"003": {"ROW-SUM"}, "051": {"RUN-TIME", "LITTLE"}}
        assert contradictions(LOGS / "wild" / "wrk")[1] == {}
