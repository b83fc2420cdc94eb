"""wrk: what a report says, and what it only seems to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from abcompare.reading import parse
from abcompare.records import Archive, Run

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

HEAD = "Running 30s test @ http://127.0.0.1:8080/a?b=1\n  12 threads and 400 connections\n"
TABLE = """\
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   635.91us    0.89ms  12.92ms   93.69%
    Req/Sec    56.20k     8.07k   62.00k    86.54%
"""
LADDER = """\
  Latency Distribution
     50%  250.00us
     75%  491.00us
     90%  700.00us
     99%    5.80ms
"""
TOTALS = """\
  22464657 requests in 30.00s, 17.76GB read
Requests/sec: 748868.53
Transfer/sec:    606.33MB
"""
REPORT = HEAD + TABLE + LADDER + TOTALS


def fixture(name: str) -> Archive:
    folder = name.partition("-")[0]
    return parse((FIXTURES / folder / f"{name}.txt").read_bytes(), path=f"{name}.txt")


def one(archive: Archive) -> Run:
    assert len(archive.runs) == 1
    return archive.runs[0]


def run_of(text: str) -> Run:
    return one(parse(text))


def codes(run: Run) -> list[str]:
    return [found.code for found in run.findings]


# -- a whole report ----------------------------------------------------------------------------------------------------


def test_every_number_of_a_report() -> None:
    run = run_of(REPORT)
    assert {name: measure.value for name, measure in run.measures.items()} == {
        "latency.mean": 0.00063591, "latency.sd": 0.00089, "latency.max": 0.01292, "latency.within_sd": 0.9369,
        "interval_throughput.mean": 56_200, "interval_throughput.sd": 8_070, "interval_throughput.max": 62_000,
        "interval_throughput.within_sd": 0.8654,
        "latency.p50": 0.00025, "latency.p75": 0.000491, "latency.p90": 0.0007, "latency.p99": 0.0058,
        "requests.complete": 22_464_657, "duration": 30, "bytes.received": 17.76 * 1024**3,
        "throughput": 748_868.53, "transfer_rate.received": 606.33 * 1024**2,
    }
    assert run.complete
    assert run.tool.name == "wrk"


def test_text_is_as_printed_and_resolution_is_half_its_last_digit() -> None:
    measures = run_of(REPORT).measures
    assert (measures["latency.mean"].text, measures["latency.mean"].resolution) == ("635.91us", 5e-9)
    assert (measures["interval_throughput.mean"].text, measures["interval_throughput.mean"].resolution) == ("56.20k", 5)
    assert (measures["bytes.received"].text, measures["bytes.received"].resolution) == ("17.76GB", 0.005 * 1024**3)
    assert measures["latency.within_sd"].text == "93.69%"


def test_methods_say_what_a_statistic_is_of() -> None:
    measures = run_of(REPORT).measures
    assert measures["latency.mean"].method == "wrk-corrected"
    assert measures["latency.max"].method is None
    assert measures["latency.p99"].method == "wrk-rank-corrected"
    assert measures["interval_throughput.mean"].method == "per-thread-100ms"


def test_head_gives_target_and_load() -> None:
    run = run_of(REPORT)
    target, load = run.target, run.load
    assert (target.scheme, target.host, target.port, target.path) == ("http", "127.0.0.1", 8080, "/a?b=1")
    assert (load.threads, load.concurrency, load.duration_s) == (12, 400, 30)
    assert (load.keep_alive, load.http_version) == (None, "1.1")
    assert load.method is None  # a script could have changed it


def test_connections_that_threads_do_not_divide() -> None:
    run = run_of(REPORT)
    found = next(found for found in run.findings if found.code == "WRK-CONNECTIONS")
    assert (found.severity, found.value) == ("info", 396)
    assert run.load.concurrency == 400


def test_ipv6_target() -> None:
    run = run_of(REPORT.replace("http://127.0.0.1:8080/a?b=1", "https://[::1]/"))
    assert (run.target.host, run.target.port, run.target.scheme) == ("::1", 443, "https")


def test_making_requests_is_1_x() -> None:
    run = run_of(
        "$ wrk -r 10k -c 10 http://127.0.0.1:8000/hi\n"
        "Making 10000 requests to http://127.0.0.1:8000/hi\n  2 threads and 10 connections\n" + TABLE
        + "  10000 requests in 908.18ms, 2.77MB read\nRequests/sec:  11011.04\nTransfer/sec:    3.05MB\n"
    )
    assert (run.load.requests, run.load.duration_s) == (10_000, None)
    assert run.value("duration") == 0.90818
    assert run.measures["latency.mean"].method == "wrk-sampled"


def test_minutes_are_coarse() -> None:
    run = one(fixture("wrk-55s-20ms"))
    duration = run.measures["duration"]
    assert (duration.value, duration.text, duration.resolution) == (pytest.approx(55.2), "0.92m", 0.3)
    assert "WRK-DURATION-ROUNDED" in codes(run)
    assert run.complete


def test_errors_and_answers_above_399() -> None:
    run = run_of(
        HEAD + TABLE + "  22689 requests in 30.09s, 4.20MB read\n"
        "  Socket errors: connect 40, read 143671, write 41, timeout 0\n  Non-2xx or 3xx responses: 7\n"
        "Requests/sec:    753.92\nTransfer/sec:    142.80KB\n"
    )
    names = ("connect", "read", "write", "timeout")
    assert [run.value(f"errors.{name}") for name in names] == [40, 143_671, 41, 0]
    assert run.value("requests.non_2xx") == 7


def test_what_is_not_printed_is_absent() -> None:
    run = run_of(REPORT)
    assert not [name for name in run.measures if name.startswith("errors.") or name == "requests.non_2xx"]


# -- numbers that are none ---------------------------------------------------------------------------------------------


def test_statistics_over_nothing_have_no_value() -> None:
    run = one(fixture("wrk-timeout"))
    for name in ("mean", "sd", "max", "within_sd", "p50", "p99"):
        assert run.measures[f"latency.{name}"].value is None
    assert run.measures["latency.mean"].text == "0.00us"
    assert run.measures["latency.within_sd"].text == "-nan%"
    assert run.value("interval_throughput.mean") == 2
    assert run.value("errors.timeout") == run.value("requests.complete") == 8
    assert codes(run) == ["WRK-NO-SAMPLES"]


def test_a_share_of_100_percent_does_not_make_zeros_samples() -> None:
    text = REPORT.replace("635.91us    0.89ms  12.92ms   93.69%", "  0.00us    0.00us   0.00us  100.00%")
    assert run_of(text).measures["latency.max"].value is None


def test_no_requests_at_all() -> None:
    run = one(fixture("wrk-drop"))
    assert (run.value("requests.complete"), run.value("throughput")) == (0, 0)
    assert run.value("errors.read") == 24_904
    assert run.measures["interval_throughput.mean"].value is None


def test_a_percentile_of_zero_is_not_known() -> None:
    run = run_of(REPORT.replace("99%    5.80ms", "99%    0.00us"))
    assert (run.measures["latency.p99"].value, run.measures["latency.p99"].text) == (None, "0.00us")
    assert run.value("latency.p90") == 0.0007
    assert "WRK-PERCENTILE-ZERO" in codes(run)


@pytest.mark.parametrize("largest", ["1.20s", "1000.00ms"])
def test_a_cut_unit_is_milliseconds_where_minutes_cannot_be(largest: str) -> None:
    run = run_of(REPORT.replace("635.91us    0.89ms  12.92ms", f"1000.00m  292.15ms {largest}"))
    mean = run.measures["latency.mean"]
    assert (mean.value, mean.text, mean.resolution) == (1.0, "1000.00m", 5e-6)
    found = next(found for found in run.findings if found.code == "WRK-UNIT-CUT")
    assert (found.severity, found.printed, found.value) == ("corrected", "1000.00m", 1.0)


def test_minutes_stay_minutes_where_the_maximum_allows_them() -> None:
    run = run_of(REPORT.replace("635.91us    0.89ms  12.92ms", "   1.20m    13.69s    1.95m"))
    assert run.value("latency.mean") == 72
    assert "WRK-UNIT-CUT" not in codes(run)


def test_a_lost_unit_is_never_guessed() -> None:
    run = run_of(REPORT.replace("635.91us    0.89ms  12.92ms", " 1531867 122203062 30744573"))
    assert [run.measures[f"latency.{name}"].value for name in ("mean", "sd", "max")] == [None, None, None]
    assert run.measures["latency.sd"].text == "122203062"
    assert codes(run).count("WRK-UNIT-LOST") == 3
    assert run.value("latency.p50") == 0.00025


def test_columns_may_touch() -> None:
    run = run_of(REPORT.replace("635.91us    0.89ms  12.92ms", "902.10ms  292.15ms1000.00ms"))
    assert [run.value(f"latency.{name}") for name in ("mean", "sd", "max")] == [0.9021, 0.29215, 1.0]


def test_a_clock_set_back() -> None:
    text = REPORT.replace("30.00s", "307445734491.24m").replace("748868.53", "     0.00")
    run = run_of(text.replace("606.33MB", "   0.00B"))
    assert [run.measures[name].value for name in ("duration", "throughput", "transfer_rate.received")] == [None] * 3
    assert codes(run).count("WRK-CLOCK-STEP") == 3
    assert run.value("requests.complete") == 22_464_657


def test_a_row_that_was_cut() -> None:
    run = run_of(REPORT.replace("12.92ms   93.69%", "").replace("    0.89ms  ", "    0.89ms"))
    assert (run.value("latency.mean"), run.value("latency.sd")) == (0.00063591, 0.00089)
    assert "latency.max" not in run.measures
    assert "WRK-ROW-CUT" in codes(run)


def test_a_label_without_its_number() -> None:
    run = run_of(REPORT.replace("606.33MB", "lots"))
    found = next(found for found in run.findings if found.code == "WRK-BROKEN-FIELD")
    assert found.printed == "lots"
    assert run.value("throughput") == 748_868.53


# -- runs that are not whole, and no runs ------------------------------------------------------------------------------


def test_interrupted_runs_are_not_complete() -> None:
    run = one(fixture("wrk-sigint"))
    assert not run.complete
    assert codes(run) == ["WRK-INTERRUPTED"]


def test_the_echo_of_an_interrupt() -> None:
    run = run_of((TABLE + TOTALS).replace("  Thread Stats", "^C  Thread Stats", 1))
    assert not run.complete


def test_a_report_without_its_last_lines() -> None:
    run = run_of(HEAD + TABLE + LADDER)
    assert not run.complete
    assert "WRK-TRUNCATED" in codes(run)
    assert run.value("latency.p99") == 0.0058


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("wrk-refused", "Connection refused"), ("wrk-badhost", "Name or service not known"),
        ("wrk-badurl", "invalid URL: 127.0.0.1:18080"), ("wrk-c-lt-t", "must be >= threads"), ("wrk-usage", "usage"),
        ("wrk-v", "usage"), ("wrk2-noR", "--rate or -R"),
    ],
)
def test_an_error_is_a_finding_and_no_run(name: str, reason: str) -> None:
    archive = fixture(name)
    assert archive.runs == ()
    assert archive.unrecognised == ()
    assert [found.code for found in archive.findings] == ["NO-RESULT"]
    assert reason in archive.findings[0].message


def test_a_killed_run_is_no_result() -> None:
    archive = parse(HEAD + "Killed\n\n" + REPORT)
    assert len(archive.runs) == 1
    assert [found.code for found in archive.findings] == ["NO-RESULT"]


def test_what_a_script_prints_is_listed() -> None:
    archive = fixture("wrk-lua-report")
    assert [line.text for line in archive.unrecognised] == ["50%,47", "90%,60", "99%,93", "99.999%,2813"]
    assert {line.run for line in archive.unrecognised} == {archive.runs[0].id}


def test_percentiles_that_a_script_prints_are_not_the_reports() -> None:
    run = run_of(HEAD + TABLE + TOTALS + "99.9% 77.00ms\n")
    assert "latency.p99.9" not in run.measures


@pytest.mark.parametrize(
    "text",
    [
        "Running 10s test @ http://localhost:3000\n10 connections\n\n384 requests in 2.01s, 41.4 kB read\n",
        "59k requests in 11s, 12.42 MB read\n",
        "Summary:\n  Total:\t1.9036 secs\n  Requests/sec:\t105.0640\n\n  50% in 0.0500 secs\n  99% in 0.0700 secs\n",
        "Statistics        Avg      Stdev        Max\n  Reqs/sec      5.2     1.1      9.0\n"
        "  Latency      1.92ms     1.50ms    40.12ms\n  Latency Distribution\n"
        "     50%     1.00ms\n     99%     5.00ms\n",
        "50000 requests in 0.293019s\n",
    ],
    ids=["autocannon", "autocannon-0", "hey", "bombardier", "weighttp-wrapper"],
)
def test_other_tools_are_not_wrk(text: str) -> None:
    assert parse(text).runs == ()


@pytest.mark.parametrize(
    "text",
    [
        "Running 10s test @ http://h/\n    2048 goroutine(s) running concurrently\n"
        "439977 requests in 10.01s, 52.45MB read\nRequests/sec:\t\t43940.79\nTransfer/sec:\t\t5.24MB\n"
        "Fastest Request:\t98µs\nAvg Req Time:\t\t46.608ms\n",
        HEAD + TABLE + "  10 requests in 5.008s, 380.00B  read\nRequests/sec: 2.00\nTransfer/sec:  75.88B\n",
    ],
    ids=["go-wrk", "hyperfoil"],
)
def test_work_alikes_are_a_finding(text: str) -> None:
    archive = parse(text)
    assert archive.runs == ()
    assert [found.code for found in archive.findings] == ["WORK-ALIKE"]
