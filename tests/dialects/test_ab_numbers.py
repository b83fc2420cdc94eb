"""A number is read whole or not at all: what a locale, a person or a cut makes of it is said, and never half of it taken."""

from __future__ import annotations

import pytest

from abcompare.reading import parse
from tests.golden import FIXTURES

LOG = (FIXTURES / "ab" / "ab-basic-n2000-c10.txt").read_text(encoding="utf-8")
WRK = (FIXTURES / "wrk" / "wrk-latency.txt").read_text(encoding="utf-8")


def _with(line: str, value: str) -> str:
    label = line.split(":")[0]
    lines = [line if one.startswith(f"{label}:") else one for one in LOG.split("\n")]
    assert line in lines
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("requests.complete", f"Complete requests:      {text}")
        for text in ("2.000", "2 000", "2'000", "2’000", "2_000", "2\u202f000", "2k", "2e3", "2OOO", "20O0")
    ] + [
        ("throughput", f"Requests per second:    {text} [#/sec] (mean)")
        for text in ("12 613.68", "12'613.68", "12.61k", "1.261e+04", "12613,68")
    ] + [
        ("duration", f"Time taken for tests:   {text}")
        for text in ("0,159 seconds", "159 ms", "2 minutes", "0h 2m 3s", "00:02:03", "1.59e-1", "0. 159 seconds", "1,159 seconds")
    ] + [
        ("bytes.received", f"Total transferred:      {text}") for text in ("1690 KB", "1 690 000 bytes", "1.69MB")
    ] + [("document_length", "Document Length:        12 KB"), ("transfer_rate.received", "Transfer rate:          10.16 [Mbytes/sec] received")],
)  # fmt: skip
def test_half_a_number_is_none(name: str, line: str) -> None:
    archive = parse(_with(line, line))
    assert [run.value(name) for run in archive.runs] == [None]
    said = [one.printed for one in archive.runs[0].findings if one.code == "AB-BROKEN-FIELD"]
    assert len(said) == 1


@pytest.mark.parametrize(
    ("name", "line", "value"),
    [
        ("requests.complete", "Complete requests:      2,000", 2000), ("requests.complete", "Complete requests:      2000.0", 2000),
        ("throughput", "Requests per second:    12,613.68 [#/sec] (mean)", 12613.68),
        ("bytes.received", "Total transferred:      1,690,000 bytes", 1690000),
        ("bytes.received", "Total transferred:      1690000bytes", 1690000),
    ],
)  # fmt: skip
def test_marks_of_thousands_in_their_places_are_read(name: str, line: str, value: float) -> None:
    assert [run.value(name) for run in parse(_with(line, line)).runs] == [value]


@pytest.mark.parametrize("text", ["12.345,67", "12 345.67", "12,34", "1.2k", "1OO.5", "12345,678"])
def test_wrk_s_throughput_too(text: str) -> None:
    lines = [f"Requests/sec:  {text}" if one.startswith("Requests/sec:") else one for one in WRK.split("\n")]
    assert [run.value("throughput") for run in parse("\n".join(lines)).runs] == [None]


def test_line_numbers_are_no_values() -> None:
    """`cat -n` of a table of three columns: the next line's number is no fourth value."""
    text = (FIXTURES / "ab" / "ab-S.txt").read_text(encoding="utf-8")
    numbered = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(text.split("\n"), 1))
    clean, got = parse(text).runs[0], parse(numbered).runs[0]
    assert {name: one.value for name, one in got.measures.items()} == {name: one.value for name, one in clean.measures.items()}


@pytest.mark.parametrize("line", ["Total: 5", "Connect: 10", "CPU 99% 4"])
def test_a_line_of_prose_is_no_row(line: str) -> None:
    text = (FIXTURES / "ab" / "ab-d.txt").read_text(encoding="utf-8")
    clean = parse(text).runs[0]
    for place in ("Server Software:", "Connection Times", "Concurrency Level:"):
        runs = parse(text.replace(place, f"{line}\n{place}", 1)).runs
        assert [run.id for run in runs] == [clean.id]


def test_a_line_pasted_twice_does_not_tear_a_report() -> None:
    clean = parse(LOG).runs[0]
    for line in ("Failed requests:        0", "Concurrency Level:      10"):
        assert [run.id for run in parse(LOG.replace(line, f"{line}\n{line}")).runs] == [clean.id]


def test_a_run_that_equals_the_mean_of_two_others_is_a_run() -> None:
    def scaled(factor: float) -> str:
        return LOG.replace("0.159", f"{0.159 * factor:.3f}").replace("12613.68", f"{12613.68 / factor:.2f}").replace("1690000", f"{1690000 * factor:.0f}")

    runs = parse("\n".join(f"$ ab -n 2000 -c 10 http://h/{factor}\n{scaled(factor)}" for factor in (1, 3, 2))).runs
    assert len(runs) == 3


@pytest.mark.parametrize("version", ["2.0.59", "2.2.7"])
def test_html_that_is_cut_is_not_corrected_as_text(version: str) -> None:
    text = (FIXTURES / "ab" / f"ab{version}-w.txt").read_text(encoding="utf-8")
    whole = parse(text).runs[0]
    lines = text.split("\n")
    end = next(number for number, line in enumerate(lines) if "Requests per second" in line)
    cut = parse("\n".join(lines[:end])).runs[0]
    assert cut.value("duration") == whole.value("duration")
    assert [one.code for one in cut.findings if one.code == "AB-TIME-PADDING"] == []
