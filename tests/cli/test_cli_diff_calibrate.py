"""`abcompare calibrate`: the noise of a set-up, and `diff` with it. And what `diff` loads."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import abcompare
from abcompare.records import Archive, Measure, Run
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
        (("http://127.0.0.1/", "aa.json"), "a URL is calibrated alone"),
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


# -- which calibration, and how old ------------------------------------------------------------------------------------


def pair(one: Run, **changes: object) -> tuple[str, str]:
    """One run a side of each of the two loads."""
    made = []
    for name, factor in (("old.json", 1.0), ("new.json", 0.5)):
        both = (runs(one, 1, factor, **changes), runs(one, 1, factor, seed=3, load=replace(one.load, concurrency=7), **changes))
        made.append(write(Archive(runs=tuple(run for archive in both for run in archive.runs)), name))
    return made[0], made[1]


def test_each_load_takes_its_own_calibration(call: Call, one: Run, two_loads: str) -> None:
    call("calibrate", two_loads, "-o", "noise.json")
    sds = {each.key["load.concurrency"]: each.metrics["throughput"]["sd"] for each in abcompare.load_calibrations("noise.json")}
    found = abcompare.diff(*pair(one), calibration="noise.json")
    for scenario in found.scenarios:
        row = scenario.metrics[0]
        sd = sds[scenario.key["load.concurrency"]]
        assert row.ratio_high and row.ratio_low and sd
        assert math.log(row.ratio_high / row.ratio_low) / 2 == pytest.approx(2.364624 * math.sqrt(2) * sd, rel=1e-3)
        assert (row.verdict, row.method) == ("provisional", "calibrated")
    assert "  throughput, p99: calibrated by 8 runs: provisional" in call("diff", *pair(one), "--calibration", "noise.json").stdout


def test_a_load_without_a_calibration_says_so(call: Call, one: Run, two_loads: str) -> None:
    call("calibrate", two_loads, "--filter", "c=7", "-o", "seven.json")
    rows = {each.key["load.concurrency"]: each.metrics[0] for each in abcompare.diff(*pair(one), calibration="seven.json").scenarios}
    assert rows[7].verdict == "provisional"
    (other,) = [row for concurrency, row in rows.items() if concurrency != 7]
    assert other.verdict == "not-testable"
    assert "the calibration is of concurrency 7, not" in other.reason


def test_a_calibration_of_another_path_is_named(one: Run, aa: str) -> None:
    elsewhere = [write(runs(one, 1, factor, target=replace(one.target, path="/other")), name) for name, factor in (("p.json", 1.0), ("q.json", 0.5))]
    row = abcompare.diff(*elsewhere, calibration=abcompare.calibrate(aa)).scenarios[0].metrics[0]
    assert f"calibrated by 8 runs of path={one.target.path}: provisional" in row.reason


@pytest.mark.parametrize(
    ("made_at", "ran_at", "max_age", "said"),
    [
        ("2020-01-01T00:00:00Z", "2020-01-20T00:00:00Z", "30d", ""),
        ("2020-01-01T00:00:00Z", "2020-02-15T00:00:00+00:00", "30d", "the calibration is 45 days older than the runs, and the limit is 30 days: calibrate anew, or --max-age 46d"),
        ("2020-01-01T00:00:00Z", "2020-02-15T00:00:00", "46d", ""),
        ("2020-01-01T00:00:00Z", "2020-01-01T12:00:00Z", "6h", "is 0.5 days older than the runs, and the limit is 0.2 days"),
        ("2020-01-01T00:00:00Z", None, "30d", "days old, and the limit is 30 days"),
        ("2020-01-01T00:00:00Z", None, "5200w", ""),
        ("2020-02-01T00:00:00Z", "2020-01-01T00:00:00Z", "0d", ""),
        (None, "2020-01-01T00:00:00Z", "0d", ""),
        ("yesterday", "2020-01-01T00:00:00Z", "0d", ""),
    ],
)
def test_how_old_a_calibration_may_be(call: Call, one: Run, aa: str, made_at: str | None, ran_at: str | None, max_age: str, said: str) -> None:
    (noise,) = abcompare.calibrate(aa)
    Path("noise.json").write_bytes(msgspec.json.encode(replace(noise, made_at=made_at)))
    sides = [write(runs(one, 1, factor, started_at=ran_at), name) for name, factor in (("p.json", 1.0), ("q.json", 0.5))]
    last = call("diff", *sides, "--calibration", "noise.json", "--max-age", max_age).stdout.splitlines()[-1]
    assert said in last
    assert ("calibrated by 8 runs" in last) == (not said)


def test_an_old_calibration_yields_to_a_new_one(one: Run, aa: str) -> None:
    (noise,) = abcompare.calibrate(aa)
    old, new = replace(noise, made_at="2020-01-01T00:00:00Z", runs=noise.runs[1:]), replace(noise, made_at="2020-03-01T00:00:00Z")
    sides = [write(runs(one, 1, factor, started_at="2020-03-02T00:00:00Z"), name) for name, factor in (("p.json", 1.0), ("q.json", 0.5))]
    for both in ([old, new], [new, old]):
        assert "calibrated by 8 runs" in abcompare.diff(*sides, calibration=both).scenarios[0].metrics[0].reason
    refused = abcompare.diff(*sides, calibration=[old, old]).scenarios[0].metrics[0].reason
    assert "none of 2 calibrations fits, the nearest is 61 days older than the runs" in refused


@pytest.mark.parametrize("sd", [-1.0, 0.0, 1e308])
def test_a_calibration_whose_noise_is_none(one: Run, aa: str, sd: float) -> None:
    (noise,) = abcompare.calibrate(aa)
    bad = replace(noise, metrics={"throughput": noise.metrics["throughput"] | {"sd": sd}})
    row = abcompare.diff(*pair(one), calibration=bad, filter="c!=7").scenarios[0].metrics[0]
    assert (row.verdict, "the calibration has no noise of throughput" in row.reason) == ("not-testable", True)


def test_borrowed_noise_is_named(call: Call, one: Run) -> None:
    other = replace(one.target, path="/other")
    sides = [
        write(Archive(runs=(*runs(one, 5, seed=seed).runs, *runs(one, 1, seed=seed, target=other).runs)), name)
        for seed, name in ((1, "p.json"), (2, "q.json"))
    ]
    assert "calibrated by noise borrowed from the loads with several runs: provisional" in call("diff", *sides, "--borrow-noise").stdout


# -- readings that are all alike ---------------------------------------------------------------------------------------


def test_a_variation_that_is_rounding_is_said(call: Call, one: Run) -> None:
    median = Measure(0.002, "s", "2", 0.0005)
    archive = runs(one, 8, cv=0.02)
    aa = write(Archive(runs=tuple(replace(run, measures=run.measures | {"latency.p50": median}) for run in archive.runs)), "coarse.json")
    for format in ("text", "markdown"):
        text = call("calibrate", aa, "-f", format).stdout
        assert re.search(r"^(  |- )p50.*: the same in all 8 runs, so the CV is that of rounding alone", text, re.MULTILINE)
        assert not re.search(r"^(  |- ).*throughput.*: the same in all", text, re.MULTILINE)
    known = abcompare.calibrate(aa)[0].metrics
    assert (known["latency.p50"]["distinct"], known["throughput"]["distinct"]) == (1, 8)


def test_runs_of_which_nothing_can_be_calibrated(call: Call, one: Run) -> None:
    aa = write(Archive(runs=tuple(replace(run, measures={"requests.complete": run.measures["requests.complete"]}) for run in runs(one, 8).runs)), "bare.json")
    result = call("calibrate", aa)
    assert result.exit_code == 2
    assert "no metric stands in every run" in result.stderr or "no scenario has 4 runs" in result.stderr


# -- what is loaded ----------------------------------------------------------------------------------------------------


def test_diff_loads_only_what_it_needs(one: Run, aa: str) -> None:
    modules = loaded("diff", str(Path(aa).resolve()), str(Path(aa).resolve()))
    assert {"numpy", "scipy", "tabulate"} <= modules
    assert not modules & {"lark", "rich", "zstandard"}


def test_wrong_usage_needs_no_mathematics(aa: str) -> None:
    assert not loaded("diff", aa, "gone.json") & {"numpy", "scipy", "lark"}
    assert not loaded("diff", "--help") & {"numpy", "scipy", "lark", "msgspec"}
