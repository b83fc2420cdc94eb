"""Findings and unrecognised lines on stderr: the worst first, a few of a kind, all of them with -v."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from abcompare.cli.console import Console
from abcompare.records import Archive, Finding
from abcompare.reporters.audits import said
from abcompare.reporters.cells import visible
from abcompare.reporters.overview import source_of

_ORDER = ("error", "warning", "corrected", "info")
_FEW = 3  # findings of one kind, and files with unrecognised lines, before the rest is a number
_BROKEN = "-BROKEN-FIELD"  # what the dialects call a label without its number


def show(archive: Archive, console: Console, *, verbose: bool, audited: bool = False) -> None:
    """Prints the findings of an archive and its runs, those of the audit too, and how many lines no rule claims.

    Of the audit only errors are told in full without -v: the rest is how many of each.
    """
    found = _audit(archive) if audited else []
    told = [one for one in found if verbose or one[1].severity == "error"]
    console.say(_findings(archive, told, console, verbose))
    counts = Counter(visible(one.code) for _, one in found if one.severity == "warning")
    if counts and not verbose and not console.quiet:
        console.say([f"audit: {', '.join(f'{count} {code}' for code, count in sorted(counts.items()))} (abcompare audit says more)"])
    console.say(_unrecognised(archive, verbose))


def _audit(archive: Archive) -> list[tuple[str, Finding]]:
    """What the rules say of each run, computed anew."""
    from abcompare.audit import audit

    return [(run.source.path, one) for run in archive.runs for one in audit(run)]


def unparsable(archive: Archive) -> str | None:
    """The first thing that could not be read, an input, a field or a line of a report; None when everything was."""
    for path, finding in _placed(archive):
        if finding.severity == "error" or finding.code.endswith(_BROKEN):
            return f"{source_of(path, finding.line)}: {visible(finding.code)}" if path else visible(finding.code)
    for one in archive.unrecognised:
        return f"{source_of(one.path, one.line)}: not recognised: {visible(one.text)}"
    return None


def _placed(archive: Archive) -> Iterator[tuple[str, Finding]]:
    """Every finding with the path that it is about."""
    for run in archive.runs:
        for finding in run.findings:
            yield finding.path or run.source.path, finding
    for finding in archive.findings:
        yield finding.path or "", finding


def _findings(archive: Archive, audited: list[tuple[str, Finding]], console: Console, verbose: bool) -> Iterator[str]:
    placed = [*_placed(archive), *audited]
    wanted = [one for one in placed if not (console.quiet and one[1].severity == "info")]
    wanted.sort(key=lambda one: (_ORDER.index(one[1].severity), one[1].code))
    for (severity, code), group in groupby(wanted, key=lambda one: (one[1].severity, one[1].code)):
        alike = list(group)
        shown = alike if verbose else alike[:_FEW]
        for path, finding in shown:
            yield said(finding, path, console.aside)
        if len(alike) > len(shown):
            yield f"… and {len(alike) - len(shown)} more {severity} {visible(code)} (-v lists all)"


def _unrecognised(archive: Archive, verbose: bool) -> Iterator[str]:
    if verbose:
        for one in archive.unrecognised:
            yield f"{source_of(one.path, one.line)}: unrecognised: {visible(one.text)}"
        return
    files = Counter(one.path for one in archive.unrecognised)
    for path, count in files.most_common(_FEW):
        lines = "a line" if count == 1 else f"{count} lines"
        yield f"{visible(path)}: {lines} of a report not recognised (-v lists them)"
    if len(files) > _FEW:
        rest = sum(files.values()) - sum(count for _, count in files.most_common(_FEW))
        yield f"… and {rest} more unrecognised lines in {len(files) - _FEW} other files (-v lists all)"
