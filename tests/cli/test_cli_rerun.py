"""`abcompare rerun`: archived runs again; nothing without a mapping."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

import abcompare
from tests.cli.conftest import Call
from tests.engines.nginx import nginx
from tests.loopback import no_network, serving

FIXTURES = Path(__file__).parents[2] / "fixtures"
SEEDS = FIXTURES / "seeds"
AB = FIXTURES / "ab" / "ab-k.txt"


def test_the_seeds_against_nginx_line_up(call: Call, tmp_path: Path) -> None:
    """All seventeen, small enough for a test; every scenario meets its own."""
    folder = tmp_path / "nginx"
    folder.mkdir()
    with nginx(folder) as server:
        begun = time.monotonic()
        result = call("rerun", str(SEEDS), "--target", f"http://127.0.0.1:{server.port}", "--scale", "0.002", "-o", "now.json")
        assert result.exit_code == 0, result.stderr
        assert time.monotonic() - begun < 60
    assert "NOT-REPRODUCED" in result.stderr
    now = abcompare.load("now.json")
    assert len(now.runs) == 17
    assert all(one.complete and not one.value("requests.failed") for one in now.runs)
    said = abcompare.diff(SEEDS, "now.json", cross_tool=True, vary=["document_length"])
    assert (said.unpaired, len(said.scenarios)) == ((), 12)


def test_by_the_tool_of_the_archive(call: Call) -> None:
    with serving() as server:
        call("run", f"{server.url}/x", "--engine", "ab", "-n", "30", "-c", "3", "-o", "then.json")
        result = call("rerun", "then.json", "--target", server.url, "--engine", "ab", "--runs", "2", "-f", "json")
        assert len(server.asked) == 90
    assert [one.tool.name for one in abcompare.loads(result.stdout_bytes).runs] == ["ab", "ab"]


def test_maps_scale_and_files(call: Call) -> None:
    shutil.copy(AB, "a.log")
    host = abcompare.parse_file("a.log").runs[0].target.host
    result = call("rerun", "a.log", "--map", f"{host}=127.0.0.1:8080", "--scale", "50%", "--engine", "fake", "-o", "now.json", "-H", "X-A: 1", "--label", "now")
    assert result.exit_code == 0, result.stderr
    run = abcompare.load("now.json").runs[0]
    assert (run.target.host, run.target.port, run.label, run.load.headers["X-A"]) == ("127.0.0.1", 8080, "now", "1")
    assert call("rerun", "a.log", "--target", "127.0.0.1", "--engine", "fake", "-o", "now.json").exit_code == 2
    assert call("rerun", "a.log", "--target", "127.0.0.1", "--engine", "fake", "-o", "now.json", "--append").exit_code == 0


@pytest.mark.parametrize("letters", [
    (), ("--map", "no.such.host=127.0.0.1"), ("--map", "x"), ("--target", "http://127.0.0.1/path"), ("--target", "127.0.0.1", "--scale", "0"),
    ("--target", "127.0.0.1", "--map", "no.such.host=127.0.0.1"), ("--target", "127.0.0.1", "--http", "7"),
])  # fmt: skip
def test_usage_and_not_one_packet(call: Call, letters: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(AB, "a.log")
    tried = no_network(monkeypatch)
    result = call("rerun", "a.log", *letters)
    assert (result.exit_code, result.stdout, tried) == (2, "", [])
    assert "Traceback" not in result.stderr


def test_without_a_target_the_hint_says_how(call: Call) -> None:
    shutil.copy(AB, "a.log")
    result = call("rerun", "a.log")
    assert "never contacted" in result.stderr
    assert "--target" in result.stderr and "--map" in result.stderr


def test_nothing_to_make_again(call: Call) -> None:
    Path("a.log").write_text("no report here\n")
    assert call("rerun", "a.log", "--target", "127.0.0.1").exit_code == 2


def test_a_server_that_is_not_there(call: Call) -> None:
    shutil.copy(AB, "a.log")
    with serving() as server:
        url = server.url
    assert call("rerun", "a.log", "--target", url, "--scale", "0.001").exit_code == 4


def test_help_has_three_examples(call: Call) -> None:
    result = call("rerun", "--help")
    assert result.stdout.count("abcompare rerun") >= 3
    assert "never contacted" in result.stdout
