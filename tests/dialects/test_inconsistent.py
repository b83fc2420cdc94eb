"""Numbers of one report that no run time fits are said; numbers that fit within their printed digits never are."""

from __future__ import annotations

from pathlib import Path

import pytest

from abcompare.reading import parse
from abcompare.records import Finding
from tests.golden import FIXTURES

AB = (FIXTURES / "ab" / "ab-k.txt").read_text(encoding="utf-8")  # 3000 requests in 0.076 s, c = 10
WRK = (FIXTURES / "wrk" / "wrk-latency.txt").read_text(encoding="utf-8")
MEANS = ("Time per request:       0.253 [ms] (mean)\n", "Time per request:       0.025 [ms] (mean, across all concurrent requests)\n")


def contradictions(text: str) -> list[Finding]:
    return [found for run in parse(text).runs for found in run.findings if found.code.endswith("-INCONSISTENT")]


def rate(number: str) -> str:
    text = AB.replace("39541.84", number)
    for line in MEANS:
        text = text.replace(line, "")
    return text


@pytest.mark.parametrize("number", ["39215.69", "39541.84", "39735.09"])  # 3000 / 0.0765 … 3000 / 0.0755
def test_a_rate_within_the_digits_of_the_run_time(number: str) -> None:
    assert contradictions(rate(number)) == []


@pytest.mark.parametrize(
    ("number", "low", "high"),
    [("39215.60", "0.0765002", "0.0765"), ("39735.20", "0.0755", "0.0754998"), ("20000.00", "0.15", "0.0765")],
)
def test_a_rate_beyond_them(number: str, low: str, high: str) -> None:
    (found,) = contradictions(rate(number))
    assert (found.code, found.severity) == ("AB-INCONSISTENT", "warning")
    assert f"took {low} s or more" in found.message
    assert f" {high} s or less" in found.message
    assert AB.split("\n")[(found.line or 0) - 1].startswith("Complete requests:")
    run = parse(rate(number)).runs[0]
    assert (run.value("duration"), run.value("throughput")) == (0.076, float(number))


@pytest.mark.parametrize("at", [0, 1])
def test_a_mean_that_is_of_another_run(at: int) -> None:
    wrong = MEANS[at].replace("0.253", "0.353").replace("0.025", "0.035")
    (found,) = contradictions(AB.replace(MEANS[at], wrong))
    assert ("Time per request across all 0.035" if at else "Time per request 0.353") in found.message


def test_wrks_rate() -> None:
    line = next(line for line in WRK.splitlines() if line.startswith("Requests/sec:"))
    (found,) = contradictions(WRK.replace(line, "Requests/sec:   1234.56"))
    assert (found.code, found.severity) == ("WRK-INCONSISTENT", "warning")
    assert "Requests/sec is 1234.56; edited or misread" in found.message
    assert WRK.splitlines()[(found.line or 0) - 1] == line


@pytest.mark.parametrize("log", sorted(FIXTURES.glob("*/*.txt")), ids=lambda log: log.stem)
def test_no_honest_log_contradicts_itself(log: Path) -> None:
    assert contradictions(log.read_text(encoding="utf-8", errors="replace")) == []
