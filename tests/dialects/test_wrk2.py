"""wrk2: corrected and uncorrected latencies, histograms, and how it is told from wrk."""

from __future__ import annotations

import pytest

from abcompare.blocks import Block
from abcompare.reading import parse
from abcompare.registry import dialect
from tests.dialects.test_wrk import HEAD, REPORT, TABLE, TOTALS, codes, fixture, one, run_of

RECORDED = """\
  Latency Distribution (HdrHistogram - Recorded Latency)
 50.000%    1.10ms
 99.000%    2.60ms
100.000%    2.63ms

  Detailed Percentile spectrum:
       Value   Percentile   TotalCount 1/(1-Percentile)

       0.038     0.000000            1         1.00
       1.101     0.500000           60         2.00
       1.101     0.550000           60         2.22
       2.635     1.000000          100          inf
#[Mean    =        1.101, StdDeviation   =        0.499]
#[Max     =        2.634, Total count    =          100]
#[Buckets =           27, SubBuckets     =         2048]
----------------------------------------------------------
"""
UNCORRECTED = (
    RECORDED.replace("Recorded Latency", "Uncorrected Latency (measured without taking delayed starts into account)")
    .replace("1.10ms", "206.00us").replace("1.101, Std", "0.207, Std").replace("1.101", "0.206")
)


def test_both_latencies_of_one_report() -> None:
    run = one(fixture("wrk2-U"))
    assert run.tool.name == "wrk2"
    assert run.value("latency.p50") == 0.0213
    assert run.value("uncorrected_latency.p50") == 0.02048
    assert run.value("latency.p99.999") == 0.02242
    assert run.value("uncorrected_latency.p100") == 0.02177
    assert run.measures["latency.p99"].method == "hdr"


def test_footers_are_measures_where_the_table_does_not_tell() -> None:
    run = one(fixture("wrk2-U"))
    names = ("mean", "sd", "max")
    assert [run.value(f"uncorrected_latency.{name}") for name in names] == [0.020507, 0.000172, 0.02176]
    assert [run.measures[f"latency.{name}"].text for name in names] == ["21.29ms", "343.47us", "22.40ms"]


def test_footers_beside_the_table_are_kept_in_a_finding() -> None:
    run = one(fixture("wrk2-U"))
    found = [found for found in run.findings if found.code == "WRK2-HISTOGRAM"]
    assert [found.measure for found in found] == ["latency", "uncorrected_latency"]
    assert "200 latencies of 1200 requests" in found[0].message
    assert "mean 21.286 ms, sd 0.343 ms, max 22.400 ms" in found[0].message


def test_footers_that_disagree_with_the_table() -> None:
    run = run_of(HEAD + TABLE + RECORDED + TOTALS)
    found = next(found for found in run.findings if found.code == "WRK2-FOOTER-DIFFERS")
    assert "mean 635.91us and 1.101 ms" in found.message


def test_a_histogram_holds_the_counts_of_its_steps() -> None:
    run = run_of(HEAD + RECORDED + UNCORRECTED + TOTALS)
    assert run.histograms is not None
    assert run.histograms["latency"] == [(3.8e-05, 1), (0.001101, 59), (0.002635, 40)]
    assert run.histograms["uncorrected_latency"][1] == (0.000206, 59)


def test_histograms_of_real_logs_add_up() -> None:
    for name, total in (("wrk2-12s", 396), ("wrk2-short", 1497), ("wrk2-overload", 196)):
        histograms = one(fixture(name)).histograms
        assert histograms is not None
        bounds = [bound for bound, _ in histograms["latency"]]
        assert sum(count for _, count in histograms["latency"]) == total
        assert bounds == sorted(set(bounds))


def test_a_histogram_whose_counts_fall_is_none() -> None:
    run = run_of(HEAD + RECORDED.replace("           60         2.22", "           40         2.22") + TOTALS)
    assert run.histograms is None
    assert "WRK2-SPECTRUM-BROKEN" in codes(run)


def test_uncorrected_percentiles_alone_are_not_the_latencys() -> None:
    run = run_of(UNCORRECTED)
    assert run.value("uncorrected_latency.p50") == 0.000206
    assert not [name for name in run.measures if name.startswith("latency.")]


def test_marks_that_markdown_ate() -> None:
    run = run_of(RECORDED.replace("#[", "").replace("]\n", "\n") + TOTALS)
    assert [run.value(f"latency.{name}") for name in ("mean", "sd", "max")] == [0.001101, 0.000499, 0.002634]


@pytest.mark.parametrize(
    "line",
    ["mean lat.: 0.735ms, rate sampling interval: 10ms", "mean lat.: 9747 usec, rate sampling interval: 21 msec"],
)
def test_calibration_tells_wrk2(line: str) -> None:
    archive = parse(HEAD + f"  Thread calibration: {line}\n" + TABLE + TOTALS)
    run = one(archive)
    assert run.tool.name == "wrk2"
    assert "WRK2-CALIBRATION" in codes(run)
    assert archive.unrecognised == ()
    assert run.measures["interval_throughput.mean"].method == "per-thread-interval"


def test_a_rate_on_the_command_line_tells_wrk2() -> None:
    run = run_of("$ ./wrk -t12 -c400 -d30s -R 2000 'http://127.0.0.1:8080/a?b=1'\n" + HEAD + TABLE + TOTALS)
    assert (run.tool.name, run.load.rate_per_s) == ("wrk2", 2000)
    assert run.measures["latency.mean"].method == "hdr"


def test_its_dialect_knows_what_the_report_does_not_tell() -> None:
    assert dialect("wrk").parse(Block(REPORT)).run.tool.name == "wrk"  # type: ignore[union-attr]
    assert dialect("wrk2").parse(Block(REPORT)).run.tool.name == "wrk2"  # type: ignore[union-attr]


def test_nan_where_the_run_was_shorter_than_its_calibration() -> None:
    run = one(fixture("wrk2-short"))
    row = [run.measures[f"interval_throughput.{name}"] for name in ("mean", "sd", "max", "within_sd")]
    assert [one.value for one in row] == [None] * 4
    assert [one.text for one in row] == ["-nan", "-nan", "0.00", "0.00%"]
    assert run.value("latency.mean") == 0.00082327


def test_a_fork_with_a_percentile_for_its_third_column() -> None:
    run = run_of(HEAD + TABLE.replace("  Max ", "  99% ") + RECORDED.replace(" 99.000%    2.60ms\n", "") + TOTALS)
    assert run.value("latency.p99") == 0.01292
    assert run.value("interval_throughput.p99") == 62_000
    assert run.value("latency.max") == 0.002634


def test_a_sum_over_several_urls_has_no_target() -> None:
    text = HEAD + "---Overall Statistics---\n" + TABLE + "  Overall 119466 requests in 30.00s, 226.27MB read\n"
    run = run_of(text + "Requests/sec:   3981.70\nTransfer/sec:      7.54MB\n")
    assert (run.target.host, run.load.concurrency) == (None, None)
    assert run.value("requests.complete") == 119_466
