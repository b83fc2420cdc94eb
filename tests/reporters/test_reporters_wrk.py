"""A run printed as wrk would print it: the bytes of the real tool, and the same run when it is read again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import abcompare
from abcompare.errors import UsageError
from abcompare.records import Measure, Run, Source, Target, Tool
from abcompare.reporters.wrk_units import in_column, planned_text, rate_text, size_text, time_text

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
LOGS = sorted((FIXTURES / "wrk").glob("*.txt")) + sorted((FIXTURES / "wrk2").glob("*.txt"))

LATENCY = """\
Running 1s test @ http://127.0.0.1:18080/
  1 threads and 4 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    57.10us   89.07us   2.53ms   98.38%
    Req/Sec    78.46k    12.85k   87.56k    81.82%
  Latency Distribution
     50%   46.00us
     75%   55.00us
     90%   67.00us
     99%  349.00us
  85574 requests in 1.10s, 69.37MB read
Requests/sec:  77836.08
Transfer/sec:     63.10MB
"""
TROUBLE = """\
Running 2m test @ https://example.test/drop?a=1
  2 threads and 9 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   1000.00m   79.12us   1.50s    75.00%
    Req/Sec     0.00      0.00     0.00      -nan%
  100 requests in 1.67m, 0.85KB read
  Socket errors: connect 0, read 24904, write 0, timeout 0
  Non-2xx or 3xx responses: 9
Requests/sec:      1.00
Transfer/sec:       8.70B
"""
HDR = """\
Running 12s test @ http://127.0.0.1:18095/
  2 threads and 4 connections
  Thread calibration: mean lat.: 21.254ms, rate sampling interval: 43ms
  Thread calibration: mean lat.: 21.289ms, rate sampling interval: 43ms
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    21.29ms  343.47us  22.40ms   66.50%
    Req/Sec    50.53      8.75    71.00     82.61%
  Latency Distribution (HdrHistogram - Recorded Latency)
 50.000%   21.30ms
100.000%   22.42ms

  Detailed Percentile spectrum:
       Value   Percentile   TotalCount 1/(1-Percentile)

      20.399     0.000000            1         1.00
      20.399     0.100000            1         1.11
      20.399     0.200000            1         1.25
      22.415     0.300000            4         1.43
      22.415     1.000000            4          inf
  1200 requests in 12.01s, 127.73KB read
Requests/sec:     99.90
Transfer/sec:     10.63KB
"""
FORK = LATENCY.replace("Max", "99%").replace("  2.53ms", "349.00us").replace("  Latency Distribution\n", "")
FORK = "".join(line for line in FORK.splitlines(keepends=True) if not line.startswith("     "))


def same(run: Run) -> Run:
    """A run without where it stands and what was said of it."""
    return msgspec.structs.replace(run, source=Source(""), findings=())


@pytest.mark.parametrize("text", [LATENCY, TROUBLE, HDR, FORK], ids=["latency", "trouble", "hdr", "fork"])
def test_every_byte_of_the_real_tool(text: str) -> None:
    assert abcompare.render(abcompare.parse(text), "wrk") == text


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.stem)
def test_printed_and_read_again_it_is_the_same_run(log: Path) -> None:
    for run in abcompare.parse_file(log).runs:
        again = abcompare.parse(abcompare.render(run, "wrk")).runs
        assert [same(one) for one in again] == [same(run)]


@pytest.mark.parametrize("row", ["0.000000", "0.200000", "1.000000"])
def test_rows_that_were_left_out_are_not_made_up(row: str) -> None:
    cut = "".join(line for line in HDR.splitlines(keepends=True) if f" {row} " not in line)
    run = abcompare.parse(cut).runs[0]
    assert [one.code for one in run.findings if one.severity == "warning"] == ["WRK2-SPECTRUM-CUT"]
    printed = str(abcompare.render(run, "wrk"))
    assert [line.split()[::2] for line in printed.splitlines() if line.startswith("      2")] == [
        ["20.399", "1"], ["22.415", "4"],
    ]  # fmt: skip
    assert abcompare.parse(printed).runs[0].histograms == run.histograms


def test_the_command_and_the_version_are_kept() -> None:
    text = f"$ wrk -t1 -c4 -d1s --latency http://127.0.0.1:18080/\n{LATENCY}"
    run = abcompare.parse(text).runs[0]
    assert abcompare.render(run, "wrk") == text
    known = msgspec.structs.replace(run, tool=Tool("wrk", "4.2.0"))
    assert abcompare.parse(abcompare.render(known, "wrk")).runs[0].tool == Tool("wrk", "4.2.0")


def test_another_tool_is_named_and_its_values_are_in_wrks_units() -> None:
    run = abcompare.parse_file(FIXTURES / "ab/ab-k.txt").runs[0]
    text = abcompare.render(run, "wrk")
    assert isinstance(text, str)
    assert text.startswith("# measured by ab 2.3, printed in wrk's layout by abcompare ")
    assert "\n  3000 requests in 76.00ms, 2.43MB read\n" in text
    assert f"\nRequests/sec:  {run.value('throughput')}\n" in text


def test_a_run_with_nothing_to_print_is_refused() -> None:
    measures = {"document_length": Measure(1, "B", "1", 0.5)}
    with pytest.raises(UsageError, match="run feed has nothing that wrk prints"):
        abcompare.render(Run(id="feed", tool=Tool("ab"), source=Source("x"), measures=measures), "wrk")


@pytest.mark.parametrize(
    ("host", "port", "scheme", "url"),
    [
        ("h", 80, "http", "http://h/"), ("h", 443, "https", "https://h/"), ("h", 8080, None, "http://h:8080/"),
        ("::1", 80, "http", "http://[::1]/"), ("h", None, "http", "http://h/"),
    ],
)  # fmt: skip
def test_urls(host: str, port: int | None, scheme: str | None, url: str) -> None:
    run = msgspec.structs.replace(abcompare.parse(LATENCY).runs[0], target=Target(scheme, host, port, "/"))
    assert str(abcompare.render(run, "wrk")).startswith(f"Running 1s test @ {url}\n")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.00us"), (57.1e-6, "57.10us"), (849e-6, "849.00us"), (850e-6, "0.85ms"), (0.9999, "999.90ms"),
        (1, "1.00s"), (50.9, "50.90s"), (51, "0.85m"), (7200, "120.00m"),
    ],
)  # fmt: skip
def test_times(seconds: float, text: str) -> None:
    assert time_text(seconds) == text


def test_other_units() -> None:
    assert [planned_text(seconds) for seconds in (30, 55, 90, 100, 7200)] == ["30s", "1m", "2m", "2m", "120m"]
    assert [size_text(count) for count in (0, 216.77, 870.4, 1.5 * 2**30)] == ["0.00B", "216.77B", "0.85KB", "1.50GB"]
    assert [rate_text(rate) for rate in (49.04, 850, 78460)] == ["49.04", "0.85k", "78.46k"]


@pytest.mark.parametrize(
    ("text", "cell"), [("57.10us", " 57.10us"), ("1.50s", "  1.50s "), ("49.04", " 49.04  "), ("1000.00m", "1000.00m")]
)
def test_columns(text: str, cell: str) -> None:
    assert in_column(text, 8) == cell


@given(st.floats(0, 1e7))
def test_a_time_reads_back_as_precisely_as_it_is_printed(seconds: float) -> None:
    text = LATENCY.replace("  50%   46.00us", f"  50%{in_column(time_text(seconds), 10)}")
    measure = abcompare.parse(text).runs[0].measures["latency.p50"]
    assert measure.text == time_text(seconds)
    if measure.value is not None:
        assert abs(measure.value - seconds) <= 1.001 * (measure.resolution or 0) + 1e-12 * seconds
