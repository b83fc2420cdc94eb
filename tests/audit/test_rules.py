"""Every rule both ways, the seeds' figures, and the digits that the arithmetic holds fast."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings

import abcompare
from abcompare.audit import Rule, archive_findings, audit, named, rules, run_time
from abcompare.audit.network import saturated
from abcompare.errors import UsageError
from abcompare.records import Run
from tests.audit.pages import FIXTURES, PAGES, messages, pages
from tests.reporters.archives import ARCHIVES

ROOT = FIXTURES.parents[1]
RULES = rules()[0]
ERRORS = frozenset(one.code for one in RULES if one.severity == "error")
SEEDS = ROOT / "fixtures" / "seeds"
LOGS = sorted((ROOT / "fixtures" / "ab").glob("*.txt")) + sorted((ROOT / "fixtures").glob("wrk*/*.txt"))


def of(name: str) -> tuple[Run, ...]:
    return abcompare.parse_file(SEEDS / f"{name}.txt").runs


def said(runs: tuple[Run, ...], code: str) -> list[int]:
    """The places, in their order, of the runs that a rule speaks of."""
    return [at for at, run in enumerate(runs) if any(one.code == code for one in audit(run))]


@pytest.mark.parametrize("one", RULES, ids=lambda one: one.code)
def test_a_rule_both_ways(one: Rule) -> None:
    assert messages(one, f"{one.code}.txt") != []
    assert messages(one, f"{one.code}.near.txt") == []


@pytest.mark.parametrize("name", sorted(pages()))
def test_pages_are_what_the_rules_say(name: str) -> None:
    assert (PAGES / name).read_text(encoding="utf-8") == pages()[name], "python -m tests.audit.pages"


def test_no_page_is_of_a_rule_that_is_gone() -> None:
    assert {path.name for path in PAGES.iterdir()} == set(pages())


def test_rules_are_short_and_told_apart() -> None:
    assert [code for code, count in Counter(one.code for one in RULES).items() if count > 1] == []
    for one in RULES:
        assert one.check.__code__.co_code
        assert "What to do:" in one.page
        lines = Path(one.check.__code__.co_filename).read_text().splitlines()[one.check.__code__.co_firstlineno - 1 :]
        body = next((at for at, line in enumerate(lines[2:], 2) if line and not line[0].isspace()), len(lines))
        assert body < 45, one.code


# -- what an expert sees in the five articles --------------------------------------------------------------------------


def test_the_link_of_nine_runs() -> None:
    shares = {name: [round(found[1] * 100, 1) if (found := saturated(run)) else None for run in of(name)] for name in ("aio", "sizes", "apache", "keepalive")}
    assert shares == {
        "aio": [98.4, 99.1, 99.1, None, 95.1, 98.7],
        "sizes": [None, None, 97.2, 100.2, 98.8, 99.6],
        "apache": [None] * 4, "keepalive": [None],
    }  # fmt: skip


def test_what_the_link_means_for_a_comparison() -> None:
    text = (SEEDS / "aio.txt").read_text()
    runs = abcompare.parse(text).runs
    off, on = (abcompare.records.Archive(runs=part) for part in (runs[:3], runs[3:]))
    told = [one.message for scenario in abcompare.diff(off, on).scenarios for one in scenario.findings if one.code == "LINK-SATURATED"]
    assert told[0] == "the base is at the link's limit (98.4% of 1 Gbit/s): the real loss is at least this"
    assert [re.findall(r"[\d.]+%", one) for one in told[1:]] == [["99.1%", "95.1%"], ["99.1%", "98.7%"]]


def test_timers_limits_and_tails_of_the_seeds() -> None:
    aio, apache, keepalive = of("aio"), of("apache"), of("keepalive")
    assert said(apache, "SYN-RETRANSMIT") == [0, 1, 2, 3]
    assert said(aio, "SYN-RETRANSMIT") == [2, 5]
    assert said(keepalive, "TOO-SHORT") == [0]
    assert said(apache, "STOPPED-EARLY") == [0, 2]
    assert said(aio, "TAIL-UNSUPPORTED") == [0, 3]
    assert 0 in said(apache, "STALL") + said(apache, "BIMODAL")
    assert [one.message for one in audit(apache[1]) if one.code == "EXTRA-ANSWERS"] == [
        "the bytes are of 3 more answers than the 39,842 complete requests (0.01%)"
    ]
    archive = abcompare.parse_file(SEEDS / "apache.txt")
    codes = Counter(one.code for one in archive_findings(archive))
    assert (codes["AB-TIME-PADDING"], codes["DUPLICATE"]) == (1, 4)


# -- arithmetic --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_no_honest_log_contradicts_itself(log: Path) -> None:
    found = [one for run in abcompare.parse_file(log).runs for one in audit(run, ERRORS - {"EMPTY-REPLIES"})]
    assert found == []


def test_the_run_time_is_known_better_than_it_is_printed() -> None:
    run = abcompare.parse_file(ROOT / "fixtures/ab/ab-k.txt").runs[0]
    found = run_time(run)
    assert found is not None
    assert run.measures["duration"].text == "0.076"
    assert found == pytest.approx((2550000 / 1024 / 32822.825, 2550000 / 1024 / 32822.815), rel=1e-6)
    assert run_time(abcompare.parse_file(FIXTURES / "RUN-TIME.txt").runs[0]) is None


@pytest.mark.parametrize(
    ("old", "new", "about"),
    [
        ("0.076 seconds", "0.176 seconds", "duration 0.176 does not fit: it would have to be 0.075869"),
        ("Complete requests:      3000", "Complete requests:      3300", "requests.complete 3300 does not fit: it would have to be 30"),
        ("Concurrency Level:      10", "Concurrency Level:      20", "load.concurrency 20 does not fit: it would have to be 9.9"),
        ("0.253 [ms] (mean)", "0.283 [ms] (mean)", "latency.closed_loop_mean 0.283 does not fit: it would have to be 0.25289"),
        ("0.025 [ms] (mean,", "0.035 [ms] (mean,", "latency.per_request_mean 0.035 does not fit: it would have to be 0.025289"),
        ("32822.82 [Kb", "42822.82 [Kb", "transfer_rate.received 42822.82 does not fit: it would have to be 32822.8"),
    ],
)
def test_the_number_that_does_not_fit_and_what_it_would_have_to_be(old: str, new: str, about: str) -> None:
    text = (ROOT / "fixtures/ab/ab-k.txt").read_text()
    assert old in text
    told = [one.message for one in audit(abcompare.parse(text.replace(old, new)).runs[0]) if one.code == "RUN-TIME"]
    assert len(told) == 1
    assert about in told[0]


FIELDS = {
    "duration": r"(?m)^Time taken for tests:\s+([\d.]+)", "complete": r"(?m)^Complete requests:\s+(\d+)",
    "concurrency": r"(?m)^Concurrency Level:\s+(\d+)", "closed": r"(?m)^Time per request:\s+([\d.]+) \[ms\] \(mean\)",
    "across": r"(?m)^Time per request:\s+([\d.]+) \[ms\] \(mean, across", "rate": r"(?m)^Requests per second:\s+([\d.]+)",
    "median": r"(?m)^Total:\s+\d+\s+\d+\s+[\d.]+\s+(\d+)\s+\d+", "longest": r"(?m)^ 100%\s+(\d+)",
}  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
def test_one_digit_of_a_number_is_changed(field: str) -> None:
    """Beyond rounding: a change of the last two digits of a rate may be less than the other numbers can tell."""
    made = random.Random(field)
    tried = caught = 0
    for log in (log for log in LOGS if log.parent.name == "ab"):
        text = log.read_text(errors="replace")
        number = re.search(FIELDS[field], text)
        runs = abcompare.parse(text).runs
        if not number or len(runs) != 1 or not runs[0].value("throughput") or audit(runs[0], ERRORS):
            continue
        for _ in range(3):
            end = -3 if field == "rate" else None  # the decimals of a rate
            at = made.choice([at for at, char in enumerate(number[1][:end]) if char.isdigit()])
            digit = made.choice([char for char in "0123456789" if char != number[1][at]])
            edited = number[1][:at] + digit + number[1][at + 1 :]
            found = abcompare.parse(text[: number.start(1)] + edited + text[number.end(1) :]).runs
            tried += 1
            caught += not found or any(audit(run, ERRORS) for run in found)
    assert tried > 150
    assert caught >= 0.95 * tried, f"{caught} of {tried}"


# -- the table of rules ------------------------------------------------------------------------------------------------


def test_names() -> None:
    assert named("link-saturated").code == "LINK-SATURATED"
    with pytest.raises(UsageError, match="no rule 'nonsense'") as caught:
        named("nonsense")
    assert "LINK-SATURATED" in (caught.value.hint or "")


def test_findings_have_their_places_and_are_chosen() -> None:
    archive = abcompare.parse_file(SEEDS / "aio.txt")
    found = archive_findings(archive, only=["tail-unsupported"])
    assert [(one.code, one.path, one.line) for one in found] == [("TAIL-UNSUPPORTED", str(SEEDS / "aio.txt"), line) for line in (2, 158)]
    assert "TAIL-UNSUPPORTED" not in {one.code for one in archive_findings(archive, ignored=["TAIL-UNSUPPORTED"])}
    assert json.dumps([one.message for one in found])


@given(ARCHIVES)
@settings(deadline=None)
def test_no_archive_breaks_a_rule(archive: abcompare.Archive) -> None:
    for run in archive.runs:
        assert all(one.message for one in audit(run))
    assert len(archive_findings(archive)) >= len(archive.findings)
