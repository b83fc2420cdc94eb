"""`abcompare calibrate URL`: the runs are made now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import abcompare
from tests.cli.conftest import Call
from tests.loopback import serving

URL = "http://127.0.0.1:8080/"


def test_eight_runs_and_what_they_say(call: Call) -> None:
    result = call("calibrate", URL, "--engine", "fake", "-n", "5k", "-c", "10", "--keep", "aa.json", "-f", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout_bytes)
    runs = abcompare.load("aa.json").runs
    assert [one.order for one in runs] == list(range(1, 9))
    assert call("calibrate", "aa.json", "-f", "json").stdout == result.stdout


def test_against_a_server(call: Call) -> None:
    with serving() as server:
        result = call("calibrate", server.url, "-n", "50", "-c", "2", "--runs", "4", "-o", "noise.json")
        assert len(server.asked) == 200
    assert result.exit_code == 0
    assert Path("noise.json").exists()


@pytest.mark.parametrize(("letters", "code"), [
    ((URL, "x.json"), 2), (("x.json", "-c", "5"), 2), ((URL, "--runs", "3"), 2), ((URL, "-n", "x"), 2), ((URL, "--keep", "no/such/file.json"), 2),
    (("http://127.0.0.1:1/", "-n", "5", "--engine", "curl"), 4), ((URL, "--engine", "ab", "--rate", "5"), 4),
])  # fmt: skip
def test_exit_codes(call: Call, letters: tuple[str, ...], code: int) -> None:
    result = call("calibrate", *letters)
    assert (result.exit_code, result.stdout) == (code, "")
    assert "Traceback" not in result.stderr
