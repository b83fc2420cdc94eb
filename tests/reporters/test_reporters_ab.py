"""A run printed as ab would print it: the bytes of the real tool, and the same run when it is read again."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import abcompare
from abcompare.errors import UsageError
from abcompare.records import Archive, Finding, Load, Measure, Run, Source, Target, Tool

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
LOGS = sorted((FIXTURES / "ab").glob("*.txt"))
HTML = [log for log in LOGS if b"<table" in log.read_bytes()]
AB = [log for log in LOGS if log not in HTML]
# Output of the real programs without -v, -w or a lost line, n and the heartbeats known: every byte is reproduced.
EXACT = (
    "ab-404", "ab-S-10s", "ab-S", "ab-d", "ab-dS", "ab-dyn-l", "ab-dyn", "ab-https-name", "ab-https", "ab-k",
    "ab-n1-c1", "ab-n2-c1", "ab-post", "ab-sigint", "ab1.3c-basic", "ab1.3c-post", "ab1.3d-S", "ab1.3d-post",
    "ab1.3d-slow", "ab2.0.59-S", "ab2.0.59-slow", "ab2.2.14-post", "ab2.2.14-put", "ab2.2.7-20ms", "ab2.2.7-S",
    "ab2.2.7-basic", "ab2.4.3-dyn",
)  # fmt: skip


def same(run: Run, printed: Run) -> Run:
    """A run without where it stands, what was said of it, and what -v dumps and error lines told beside `printed`'s report."""
    lost = any(one.code in ("AB-DUMP", "AB-TOOL-ERROR", "AB-GAVE-UP") for one in printed.findings)
    load = msgspec.structs.replace(run.load, method=None, headers={})
    target = msgspec.structs.replace(run.target, scheme=None) if lost else run.target
    return msgspec.structs.replace(
        run, source=Source(""), findings=(), load=load, target=target, status_codes=None, complete=lost or run.complete,
    )


def again(run: Run) -> Run:
    text = abcompare.render(run, "ab")
    assert isinstance(text, str)
    runs = abcompare.parse(text).runs
    assert len(runs) == 1, text
    return runs[0]


@pytest.mark.parametrize("name", EXACT)
def test_every_byte_of_the_real_tool(name: str) -> None:
    log = (FIXTURES / "ab" / f"{name}.txt").read_bytes()
    printed = abcompare.render(abcompare.parse(log), "ab")
    assert isinstance(printed, str)
    assert printed.encode() == re.sub(rb"(?m)^Copyright (?:\(c\) )?2006 .*\n", b"", log)  # the year of a release: in no record


@pytest.mark.parametrize("log", AB, ids=lambda path: path.stem)
def test_printed_and_read_again_it_is_the_same_run(log: Path) -> None:
    for run in abcompare.parse_file(log).runs:
        assert same(again(run), run) == same(run, run)


@pytest.mark.parametrize("log", HTML, ids=lambda path: path.stem)
def test_html_is_printed_as_text_with_the_same_values(log: Path) -> None:
    """But not the same id, for the text prints rates in other units, and Processing is no difference there."""
    run = abcompare.parse_file(log).runs[0]
    read = again(run)
    assert set(read.measures) == set(run.measures)
    for name, measure in read.measures.items():
        assert measure.value == pytest.approx(run.value(name), abs=1.001 * (measure.resolution or 0))


def test_runs_of_an_archive_one_below_the_other() -> None:
    archive = abcompare.parse_files([FIXTURES / "ab/ab-k.txt", FIXTURES / "ab/ab2.2.7-basic.txt"])
    text = abcompare.render(archive, "ab")
    assert [run.id for run in abcompare.parse(text).runs] == [run.id for run in archive.runs]


def test_the_command_above_it_is_kept() -> None:
    log = "$ ab -k -n 3000 -c 10 http://127.0.0.1:18080/\n" + (FIXTURES / "ab/ab-k.txt").read_text()
    run = abcompare.parse(log).runs[0]
    assert run.load.requests == 3000
    assert abcompare.render(run, "ab") == log
    assert again(run).load == run.load


VERSIONS = {
    "2.4": ("2.3", "1913912"),
    "2.2": ("2.3", "655654"),
    "2.1": ("2.0.40-dev", "1.146"),
    "2.0.51": ("2.0.41-dev", "1.121.2.12"),
    "2.0.37": ("2.0.40-dev", "1.121.2.1"),
    "2.0.35": ("2.0.36", "1.95"),
    "2.0.16": ("1.3e", "1.69"),
    "1.3d": ("1.3d", "1.73"),
    "1.3c": ("1.3c", "1.41"),
    "1.1": ("1.1", None),
    "unknown": (None, None),
}


def exact(value: float | int, unit: str) -> Measure:
    """A measure that was never printed."""
    return Measure(value, unit, "", None)


@pytest.mark.parametrize("version", VERSIONS)
@given(st.integers(1, 3_000_000), st.floats(0.1, 5000), st.integers(1, 500), st.integers(0, 60_000))
@settings(deadline=None, max_examples=25)
def test_values_are_printed_with_the_faults_of_the_version(
    version: str, complete: int, duration: float, concurrency: int, slowest: int
) -> None:
    name, revision = VERSIONS[version]
    rate = complete / duration
    # A mean across all requests is printed in ms with two or three decimals: rates must leave some digits of it.
    run = Run(
        id="x", tool=Tool("ab", name, revision), source=Source("x"),
        target=Target("http", "h", 80, "/"), load=Load(concurrency=concurrency),
        measures={
            "duration": exact(duration, "s"), "requests.complete": exact(complete, "1"),
            "requests.failed": exact(0, "1"), "bytes.received": exact(complete * 1000, "B"),
            "throughput": exact(rate, "1/s"), "latency.closed_loop_mean": exact(concurrency / rate, "s"),
            "latency.per_request_mean": exact(1 / rate, "s"), "transfer_rate.received": exact(rate * 1000, "B/s"),
            "latency.min": exact(0, "s"), "latency.mean": exact(slowest / 2000, "s"), "latency.sd": exact(0.01, "s"),
            "latency.median": exact(slowest / 2000, "s"), "latency.max": exact(slowest / 1000, "s"),
            "latency.p50": exact(slowest / 2000, "s"), "latency.p100": exact(slowest / 1000, "s"),
        },
    )  # fmt: skip
    read = again(run)
    assert (read.tool, read.complete, read.load.concurrency) == (run.tool, True, concurrency)
    for metric, measure in run.measures.items():
        if metric == "duration" and version == "unknown":
            continue  # nothing but its digits tells how it is meant
        got = read.measures.get(metric)
        assert got is not None, metric
        assert got.value is not None
        slack = 2.001 * (got.resolution or 0) if got.rounding == "down" else 1.001 * (got.resolution or 0)
        assert abs(got.value - (measure.value or 0)) <= slack + 1e-9 * abs(got.value), metric


def test_another_tool_gets_no_banner_and_its_name_instead() -> None:
    run = Run(
        id="x", tool=Tool("wrk", "4.2.0"), source=Source("x"), target=Target("http", "h", 80, "/"),
        load=Load(concurrency=4, threads=2),
        measures={
            "requests.complete": exact(100, "1"), "throughput": exact(50.0, "1/s"), "duration": exact(2.0, "s"),
            "latency.mean": exact(0.0204, "s"), "latency.sd": exact(0.001, "s"), "latency.max": exact(0.04, "s"),
            "latency.p50": exact(0.0206, "s"), "latency.p99": exact(0.0399, "s"),
        },
    )  # fmt: skip
    text = abcompare.render(run, "ab")
    assert isinstance(text, str)
    assert text.startswith("# measured by wrk 4.2.0, printed in ab's layout by abcompare ")
    assert "ApacheBench" not in text
    assert "Total:" not in text, "a row that wrk has only a part of"
    assert "  50%     21\n  99%     40\n" in text
    read = again(run)
    assert read.value("throughput") == 50.0
    assert read.tool.version is None


def test_what_the_run_does_not_have_is_not_printed() -> None:
    run = Run(id="x", tool=Tool("ab", "2.3"), source=Source("x"), measures={"throughput": exact(6.364, "1/s")})
    text = abcompare.render(run, "ab")
    assert isinstance(text, str)
    assert text.splitlines()[-1] == "Requests per second:    6.36 [#/sec] (mean)"
    assert len(text.splitlines()) == len(["banner"] * 3 + ["blank", "rate"])


def test_a_run_with_nothing_to_print_is_refused() -> None:
    run = Run(id="feed", tool=Tool("x"), source=Source("x"), measures={"interval_throughput.mean": exact(1, "1/s")})
    with pytest.raises(UsageError, match="run feed has nothing that ab prints"):
        abcompare.render(run, "ab")


def test_numbers_that_no_ab_prints_do_not_stop_it() -> None:
    measures = {"throughput": exact(1, "1/s"), "duration": exact(float("inf"), "s"), "latency.p50": exact(1e308, "s")}
    text = abcompare.render(Run(id="x", tool=Tool("x"), source=Source("x"), measures=measures), "ab")
    assert "Requests per second:    1.00" in str(text)


def test_a_log_cannot_talk_to_the_terminal() -> None:
    run = Run(
        id="x", tool=Tool("ab", "2.3\x1b]0;x\x07"), source=Source("x"), command="ab \x1b[2J http://h/\nrm -rf /",
        target=Target(host="h\x9b31m", path="/\r\n", server_software="nginx\x1b[31m"),
        measures={"requests.complete": Measure(1, "1", "1\x1b[0m", None)},
        findings=(Finding("AB-SPREAD", "info", "ab says ERROR: mean and median of \x1b are more than two"),),
    )  # fmt: skip
    text = abcompare.render(Archive(runs=(run,)), "ab")
    assert isinstance(text, str)
    assert not {character for character in text if ord(character) < 32 or 127 <= ord(character) < 160} - {"\n"}
    assert "\nrm" not in text
