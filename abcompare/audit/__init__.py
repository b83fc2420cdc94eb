"""What an expert sees in a log: one rule a thing, computed anew each time and never stored (design: audit.md)."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from abcompare.audit.rules import Note, Rule, named, rule, rules
from abcompare.audit.run_time import run_time
from abcompare.audit.spans import plausible
from abcompare.records import Archive, Finding, Run

__all__ = ["Note", "Rule", "archive_findings", "audit", "named", "plausible", "rule", "rules", "run_time"]


def audit(run: Run, codes: Collection[str] | None = None) -> tuple[Finding, ...]:
    """What the rules have to say of a run, in their order; only the rules of `codes`, when they are given."""
    run = plausible(run)
    return tuple(finding for one in rules()[0] if codes is None or one.code in codes for finding in one.findings(run))


def archive_findings(archive: Archive, only: Collection[str] = (), ignored: Collection[str] = ()) -> list[Finding]:
    """The findings of all runs of an archive, by place: those of reading, then those of the rules, then those of no run.

    `only` and `ignored` are codes of rules or of findings of reading. Raises UsageError for a rule that is none.
    """
    known = {one.code for one in rules()[0]}
    of_reading = {one.code for run in archive.runs for one in run.findings} | {one.code for one in archive.findings}
    for code in (*only, *ignored):
        if code.upper() not in of_reading:
            named(code)
    wanted, unwanted = {code.upper() for code in only}, {code.upper() for code in ignored}
    found = []
    for run in archive.runs:
        found += [_placed(one, run) for one in run.findings]
        found += audit(run, known)
    found += [*archive.findings, *rules()[1]]
    return [one for one in found if one.code not in unwanted and (not wanted or one.code in wanted)]


def _placed(finding: Finding, run: Run) -> Finding:
    if finding.path:
        return finding
    return msgspec.structs.replace(finding, path=run.source.path, line=finding.line or run.source.first_line)
