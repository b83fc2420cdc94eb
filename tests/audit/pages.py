"""Writes docs/audit/ and docs/glossary.md anew, from rules, fixtures and terms. `python -m tests.audit.pages`"""

from __future__ import annotations

from pathlib import Path

import abcompare
from abcompare.audit import Rule, rules
from abcompare.reporters.words import glossary

ROOT = Path(__file__).resolve().parents[2]
FIXTURES, PAGES = ROOT / "fixtures" / "audit", ROOT / "docs" / "audit"


def messages(one: Rule, name: str) -> list[str]:
    """What a rule says of the runs of a fixture."""
    archive = abcompare.parse_file(FIXTURES / name)
    assert archive.runs, name
    return [finding.message for run in archive.runs for finding in one.findings(run)]


def page(one: Rule) -> str:
    """The page of a rule: what it means, a log that triggers it with the numbers, and the near miss."""
    said = "".join(f"    {one.severity} {one.code}: {message}\n" for message in messages(one, f"{one.code}.txt"))
    return (
        f"# {one.code}: {one.title}\n\nSeverity: {one.severity}.\n\n{one.page}\n\n## A log that triggers it\n\n"
        f"[fixtures/audit/{one.code}.txt](../../fixtures/audit/{one.code}.txt)\n\n{said}\n"
        f"## A near miss\n\n[fixtures/audit/{one.code}.near.txt](../../fixtures/audit/{one.code}.near.txt) does not trigger it.\n"
    )


def index() -> str:
    """The list of all rules."""
    rows = "".join(f"| [{one.code}]({one.code}.md) | {one.severity} | {one.title} |\n" for one in rules()[0])
    return (
        "# The rules of `abcompare audit`\n\n`abcompare audit FILE` applies them; `abcompare audit --explain CODE` prints a page.\n"
        "An `error` says that numbers cannot be of one run, or that nothing was served; a `warning` that the result says\n"
        "something else than it seems to.\n\n| rule | severity | what it says |\n|---|---|---|\n" + rows
    )


def pages() -> dict[str, str]:
    """Every page by the name of its file."""
    return {"README.md": index()} | {f"{one.code}.md": page(one) for one in rules()[0]}


if __name__ == "__main__":
    PAGES.mkdir(exist_ok=True)
    for name, text in pages().items():
        (PAGES / name).write_text(text, encoding="utf-8")
    (ROOT / "docs" / "glossary.md").write_text(glossary(), encoding="utf-8")
