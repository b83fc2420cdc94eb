"""A text cut at any character: every number in it is the whole report's, or is said to be possibly cut."""

from __future__ import annotations

import pytest

from abcompare.reading import parse
from tests.golden import FIXTURES

NAMES = ("ab/ab-404", "ab/ab2.2.9-w", "wrk/wrk-latency", "wrk/wrk-20ms")


@pytest.mark.parametrize("name", NAMES)
def test_cut_at_every_character(name: str) -> None:
    text = (FIXTURES / f"{name}.txt").read_text(encoding="utf-8")
    (whole,) = parse(text).runs
    for end in range(len(text)):
        runs = parse(text[:end]).runs
        assert len(runs) <= 1
        for run in runs:
            wrong = {key for key, measure in run.measures.items() if measure.value != whole.value(key)}
            said = {found.code for found in run.findings}
            assert not wrong or "CUT-NUMBER" in said, (text[max(0, end - 40) : end], wrong)
            assert not wrong & {"throughput", "transfer_rate.received"}, text[max(0, end - 40) : end]
            assert not wrong or not text[:end].endswith("\n")


def test_a_number_before_a_newline_is_whole() -> None:
    (run,) = parse("Running 10s test @ http://h/\n  2 threads and 10 connections\n  15 requests in 10.0s, 69MB read\nRequests/sec: 7783\n").runs
    assert run.value("throughput") == 7783.0


@pytest.mark.parametrize(("printed", "value"), [("7783.41", 7783.41), ("7783.4", None), ("7783.", None), ("7783", None)])
def test_the_last_number_of_a_text(printed: str, value: float | None) -> None:
    (run,) = parse(f"Running 10s test @ http://h/\n  2 threads and 10 connections\n  15 requests in 10.0s, 69MB read\nRequests/sec: {printed}").runs
    assert run.value("throughput") == value
    assert [found.severity for found in run.findings if found.code == "CUT-NUMBER"] == ["warning" if value is None else "info"]
