"""`abcompare calibrate`: the noise of a set-up, and `diff` with it. And what `diff` loads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

import abcompare
from abcompare.records import Archive, Run
from tests.cli.conftest import Call
from tests.cli.test_cli_diff import Log, runs, write
from tests.cli.test_cli_process import loaded


@pytest.fixture
def one(log: Log, call: Call) -> Run:
    return abcompare.parse_file(log("ab-k", "a.log")).runs[0]


@pytest.fixture
def aa(one: Run) -> str:
    return write(runs(one, 8, cv=0.02), "aa.json")


@pytest.fixture
def two_loads(one: Run) -> str:
    more = runs(one, 8, cv=0.03, seed=2, load=replace(one.load, concurrency=7))
    return write(Archive(runs=(*runs(one, 8, cv=0.02).runs, *more.runs)), "two.json")


def test_a_table(call: Call, aa: str) -> None:
    result = call("calibrate", aa)
    assert result.exit_code == 0
    title, head, _, first, *_ = result.stdout.splitlines()
    assert "(8 runs)" in title
    assert head.split() == ["metric", "centre", "CV", "95", "%", "CI", "5", "a", "side", "detect", "10", "a", "side", "detect"]
    assert first.startswith("throughput")
    assert "steady" in result.stdout


def test_one_run_a_side_is_judged_by_a_calibration(call: Call, one: Run, aa: str) -> None:
    result = call("calibrate", aa, "-o", "noise.json")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "noise.json: the calibration of a load\n")
    old, new = write(runs(one, 1), "old.json"), write(runs(one, 1, 0.5), "new.json")
    assert "not-testable" in call("diff", old, new).stdout
    judged = call("diff", old, new, "--calibration", "noise.json").stdout
    assert "provisional" in judged
    assert "[" in judged
    assert abcompare.diff(old, new, calibration="noise.json").scenarios[0].metrics[0].verdict == "provisional"


def test_several_loads(call: Call, two_loads: str) -> None:
    assert call("calibrate", two_loads).stdout.count("(8 runs)") == 2
    assert call("calibrate", two_loads, "-o", "two-loads.json").stderr == "two-loads.json: the calibration of 2 loads\n"
    refused = call("diff", two_loads, two_loads, "--calibration", "two-loads.json")
    assert refused.exit_code == 2
    assert "holds the calibrations of 2 loads" in refused.stderr
    call("calibrate", two_loads, "--filter", "concurrency=7", "-o", "seven.json")
    assert [one["key"]["load.concurrency"] for one in json.loads(Path("seven.json").read_text())] == [7]


def test_the_library(aa: str, two_loads: str) -> None:
    (noise,) = abcompare.calibrate(aa)
    assert noise.metrics["throughput"]["df"] == 7
    assert len(abcompare.calibrate(abcompare.load(aa), two_loads)) == 2


@pytest.mark.parametrize("format", ["text", "markdown", "json"])
def test_formats(call: Call, aa: str, format: str) -> None:
    assert call("calibrate", aa, "-f", format).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("http://127.0.0.1/",), "http://127.0.0.1/ is a URL: live calibration comes with the engine"),
        (("a.log",), "no scenario has 4 runs or more"),
        (("gone.json",), "gone.json: there is no such file or folder"),
        (("article.txt",), "there is no run in the input"),
        (("aa.json", "-f", "csv"), "there is no format 'csv' of a calibration"),
        (("aa.json", "-o", "aa.json"), "aa.json: this file exists"),
        (("aa.json", "--force"), "--force is about a file"),
        (("aa.json", "--filter", "x"), "not a filter: 'x'"),
    ],
)
def test_usage_and_useless_input_are_2(call: Call, aa: str, arguments: tuple[str, ...], said: str) -> None:
    Path("article.txt").write_text("nothing was measured here\n")
    result = call("calibrate", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


# -- what is loaded ----------------------------------------------------------------------------------------------------


def test_diff_loads_only_what_it_needs(one: Run, aa: str) -> None:
    modules = loaded("diff", str(Path(aa).resolve()), str(Path(aa).resolve()))
    assert {"numpy", "scipy", "tabulate"} <= modules
    assert not modules & {"lark", "rich", "zstandard"}


def test_wrong_usage_needs_no_mathematics(aa: str) -> None:
    assert not loaded("diff", aa, "gone.json") & {"numpy", "scipy", "lark"}
    assert not loaded("diff", "--help") & {"numpy", "scipy", "lark", "msgspec"}
