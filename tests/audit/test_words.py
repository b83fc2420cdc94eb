"""Numbers in plain words, the glossary made of them, and a third party's rule."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import abcompare
from abcompare.metrics import metric
from abcompare.reporters.words import TERMS, glossary, in_words
from tests.audit.pages import ROOT
from tests.plugins import distribution

RULE = '''
from abcompare.audit import Note, rule


@rule("TOO-ROUND", "info", "a round number of requests")
def too_round(run):
    """Round numbers are chosen. What to do: nothing."""
    if run.value("requests.complete") == 3000:
        yield Note("3,000 requests", "requests.complete")
'''
AUDIT = """
import json, sys, abcompare
from abcompare.audit import archive_findings
print(json.dumps([[one.code, one.severity, one.message] for one in archive_findings(abcompare.parse_file(sys.argv[1]))]))
"""


def test_a_runs_own_figures() -> None:
    told = dict(in_words(abcompare.parse_file(ROOT / "fixtures/ab/ab-dyn.txt").runs[0]))
    assert told["failed requests"].endswith("Here: length 528; the first answer had 5 bytes, and every other length counts.")
    assert told["time per request (mean)"].endswith("Here: 10 connections / 16,956/s.")
    assert told["percentiles"].endswith("Here: 99 % of 1,000 requests took 1 ms or less; at most 10 took longer.")
    wrk = dict(in_words(abcompare.parse_file(ROOT / "fixtures/wrk/wrk-404.txt").runs[0]))
    assert "connect and TLS are not in it" in wrk["mean latency"]
    assert "100.00% of the" in wrk["non-2xx answers"]
    assert "time per request (mean)" not in wrk


def test_every_run_of_the_fixtures_is_explained() -> None:
    for log in [*(ROOT / "fixtures").glob("ab/*.txt"), *(ROOT / "fixtures").glob("wrk*/*.txt")]:
        for run in abcompare.parse_file(log).runs:
            assert "None" not in " ".join(text for _, text in in_words(run))


def test_terms_are_metrics_and_the_glossary_is_theirs() -> None:
    assert [term.name for term in TERMS if not metric(f"{term.name}50" if term.name.endswith(".p") else term.name)] == []
    assert (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8") == glossary(), "python -m tests.audit.pages"


def _installed(folder: Path, text: str) -> list[list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", AUDIT, str(ROOT / "fixtures/ab/ab-k.txt")], check=True, capture_output=True, text=True,
        env=distribution(folder, "rounds", text, "abcompare.rules", "too-round = rounds:too_round"),
    )  # fmt: skip
    found: list[list[str]] = json.loads(done.stdout)
    return found


def test_a_third_partys_rule(tmp_path: Path) -> None:
    assert ["TOO-ROUND", "info", "3,000 requests"] in _installed(tmp_path, RULE)


def test_a_rule_that_does_not_load_is_said(tmp_path: Path) -> None:
    found = _installed(tmp_path, "raise ValueError('broken')")
    assert ["PLUGIN-FAILED", "error", "the rule too-round does not load: broken (from rounds 1.0: update or remove it)"] in found


def test_a_rule_that_is_none_is_said(tmp_path: Path) -> None:
    found = _installed(tmp_path, "too_round = 3")
    assert ["PLUGIN-FAILED", "error", "the rule too-round is of type int, and no Rule (from rounds 1.0: update or remove it)"] in found
