"""Loads that nobody can have meant: refused with exit code 2 before a request is sent."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import abcompare
from abcompare.errors import EngineError
from tests.cli.conftest import AB, Call
from tests.loopback import no_network
from tests.test_running import Recorder

URL = "http://127.0.0.1:8080/"


@pytest.mark.parametrize("line", [
    "ab -n 1e3", "ab -n -5", "ab -n", "ab -n 0", "ab -n ²", "ab -c abc -n 9", "ab -n 9 -c 0", "ab -n 5 -c 10", "ab -t 5 -n 5 -c 10", "ab -t soon", "ab -n 5 -s x",
    "ab -n 9999999999999999999", "wrk -d 99999999999999999999h", "wrk -d 999999999999999h", "wrk -d 1.5s", "wrk -d0", "wrk -c0", "wrk -t4 -c1", "wrk -c1", "wrk -t0",
    "wrk -c 10x", "wrk -T soon", "wrk2 -t2 -c10 -d5s", "wrk2 -R0", "wrk2 -R x",
])  # fmt: skip
def test_like_does_not_guess(call: Call, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = no_network(monkeypatch)
    url = "" if line.endswith("-n") else f" {URL}"
    result = call("run", "--like", f"{line}{url}" if url else f"ab {URL} -n")
    assert (result.exit_code, result.stdout, tried) == (2, "", [])
    assert "--like: " in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize("line", [f"ab -n 1000 -c 10 -t 5 -s 3 {URL}", f"ab -t5 -c 100 {URL}", f"wrk -t 2 -c 2 -d1m {URL}", f"wrk2 -R1k -c10 {URL}", f"wrk -c 1k -T 3 {URL}", f"ab {URL}"])
def test_like_takes_what_the_tools_take(call: Call, line: str) -> None:
    assert call("run", "--like", line, "--engine", "fake", "-n", "2000").exit_code == 0


def test_a_log_is_read_leniently(call: Call) -> None:
    Path("a.log").write_text(f"$ ab -n 1e3 -c ² {URL}\n" + (AB / "ab-k.txt").read_text())
    assert call("parse", "a.log").exit_code == 0


@pytest.mark.parametrize(("key", "value"), [
    ("duration_s", 1e300), ("requests", 10**30), ("requests", 10**400), ("requests", -5), ("concurrency", 10**18), ("request_body_bytes", -5), ("rate_per_s", 1e16),
    ("rate_per_s", -1), ("timeout_s", 1e300),
])  # fmt: skip
def test_an_archive_of_absurd_numbers(call: Call, key: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _archive({key: value})
    tried = no_network(monkeypatch)
    result = call("rerun", "a.json", "--target", "http://127.0.0.1:8080")
    assert (result.exit_code, result.stdout, tried) == (2, "", [])
    assert key in result.stderr and "Traceback" not in result.stderr


def test_measures_that_stand_in_are_bounded_too(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    _archive({"requests": None, "duration_s": None}, **{"requests.complete": 1e300})
    tried = no_network(monkeypatch)
    result = call("rerun", "a.json", "--target", "http://127.0.0.1:8080", "--scale", "1000000")
    assert (result.exit_code, result.stdout, tried) == (2, "", [])
    assert "requests" in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize("scale", ["1e20", "1e308", "1e14"])
def test_a_scale_beyond_counting(call: Call, scale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _archive({"requests": 1000})
    tried = no_network(monkeypatch)
    result = call("rerun", "a.json", "--target", "http://127.0.0.1:8080", "--scale", scale)
    assert (result.exit_code, result.stdout, tried) == (2, "", [])
    assert "Traceback" not in result.stderr


def _archive(changes: dict[str, Any], **measures: float) -> None:
    document = json.loads(abcompare.dumps(abcompare.parse_file(AB / "ab-k.txt")))
    document["runs"][0]["load"] |= changes
    for name, value in measures.items():
        document["runs"][0]["measures"][name]["value"] = value
    Path("a.json").write_text(json.dumps(document))


def test_a_billion_runs_are_not_listed_first() -> None:
    engine = Recorder(fails=3)
    with pytest.raises(EngineError, match="it broke"):
        abcompare.run(f"{URL}x", engine=engine, requests=10, runs="1G")
    assert len(engine.jobs) == 3


def test_nor_do_they_take_memory() -> None:
    """In a process that has 2 GB: a list of so many would not fit."""
    code = "import abcompare; print(len(abcompare.run('http://127.0.0.1/', engine='fake', requests=10, runs='1G', stop=lambda: True).runs))"
    limit = 2 << 30
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert done.stdout == "0\n", done.stderr
