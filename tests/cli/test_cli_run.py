"""`abcompare run`: letters and long names, what it prints and writes, and the exit code of every outcome."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import abcompare
from abcompare.cli.progress import line
from abcompare.jobs import Progress
from abcompare.running import Step
from tests.cli.conftest import Call
from tests.loopback import serving

URL = "http://127.0.0.1:8080/x"
PROGRAM = Path(sys.executable).with_name("abcompare")


def made(stdout: bytes) -> abcompare.Archive:
    return abcompare.loads(stdout)


# -- 0: done -----------------------------------------------------------------------------------------------------------


def test_one_run_in_full_and_several_as_a_table(call: Call) -> None:
    one = call("run", URL, "--engine", "fake", "-n", "100", "-c", "5")
    assert one.exit_code == 0
    assert one.stdout.startswith("run ") and "latency.p99" in one.stdout
    several = call("run", URL, "--engine", "fake", "-n", "100", "--runs", "3")
    assert [text.split()[0] for text in several.stdout.splitlines()] == ["source", "------", "fake", "fake", "fake"]


def test_letters_and_long_names_ask_for_the_same(call: Call) -> None:
    Path("body").write_bytes(b"12345")
    short = ("-n", "1k", "-c", "5", "-k", "-p", "body", "-T", "text/css", "-H", "X-A: 1", "-C", "a=b", "-A", "me:pw", "-l", "-s", "5", "-m", "PATCH")
    long = (
        "--requests", "1000", "--concurrency", "5", "--keep-alive", "--body-file", "body", "--content-type", "text/css", "--header", "X-A: 1",
        "--cookie", "a=b", "--user", "me:pw", "--variable-length", "--stall", "5s", "--method", "PATCH",
    )  # fmt: skip
    runs = [made(call("run", URL, "--engine", "fake", "-f", "json", *letters).stdout_bytes).runs for letters in (short, long)]
    assert runs[0][0].load == runs[1][0].load
    load = runs[0][0].load
    assert (load.requests, load.concurrency, load.keep_alive, load.method, load.request_body_bytes, load.variable_length) == (1000, 5, True, "PATCH", 5, True)
    assert load.headers == {"X-A": "1", "Cookie": "REDACTED", "Content-Type": "text/css"}


@pytest.mark.parametrize(("letters", "expected"), [
    (("-t", "2"), (None, 2)), (("-t", "500ms"), (None, 0.5)), (("-n", "5"), (5, None)), (("-n", "5", "-t", "2s"), (5, 2)),
    (("--duration", "1m"), (None, 60)), ((), (None, 10)),
])  # fmt: skip
def test_a_time_implies_no_number(call: Call, letters: tuple[str, ...], expected: tuple[int | None, float | None]) -> None:
    load = made(call("run", URL, "--engine", "fake", "-f", "json", *letters).stdout_bytes).runs[0].load
    assert (load.requests, load.duration_s) == expected


@pytest.mark.parametrize(("letters", "method"), [(("-i",), "HEAD"), (("-u", "b"), "PUT"), (("-p", "b"), "POST"), (("--body", "x"), "POST"), (("-m", "delete"), "DELETE"), ((), "GET")])
def test_methods(call: Call, letters: tuple[str, ...], method: str) -> None:
    Path("b").write_bytes(b"1")
    assert made(call("run", URL, "--engine", "fake", "-n", "2", "-f", "json", *letters).stdout_bytes).runs[0].load.method == method


def test_an_open_loop(call: Call) -> None:
    run = made(call("run", URL, "--engine", "fake", "-t", "1s", "--rate", "2k", "-c", "50", "--http", "1.1", "-f", "json").stdout_bytes).runs[0]
    assert (run.load.rate_per_s, run.load.http_version, run.load.keep_alive) == (2000, "1.1", True)
    assert "uncorrected_latency.p99" in run.measures


def test_like(call: Call) -> None:
    result = call("run", "--like", "wrk -t4 -c100 -d3s -s x.lua http://127.0.0.1:8080/y", "--engine", "fake", "-c", "10", "-f", "json")
    load = made(result.stdout_bytes).runs[0].load
    assert (load.concurrency, load.duration_s, load.threads) == (10, 3, 4)
    assert "NOT-REPRODUCED: script" in result.stderr


def test_files_are_archives_and_grow_with_append(call: Call) -> None:
    first = call("run", URL, "--engine", "fake", "-n", "100", "--runs", "2", "-o", "o.json")
    assert (first.exit_code, first.stdout) == (0, "")
    assert first.stderr.splitlines()[-1] == "o.json: 2 runs"
    refused = call("run", URL, "--engine", "fake", "-n", "100", "-o", "o.json")
    assert (refused.exit_code, "--force" in refused.stderr) == (2, True)
    assert "(1 added)" in call("run", URL, "--engine", "fake", "-n", "101", "-o", "o.json", "--append").stderr
    assert [one.load.requests for one in abcompare.load("o.json").runs] == [100, 100, 101]
    call("run", URL, "--engine", "fake", "-n", "7", "-o", "o.json", "--force", "-q")
    assert len(abcompare.load("o.json").runs) == 1
    assert [path.name for path in Path().iterdir()] == ["o.json"]


def test_quiet_says_nothing(call: Call) -> None:
    assert call("run", URL, "--engine", "fake", "-n", "5k", "-c", "5", "-o", "o.json", "-q").stderr == ""


@pytest.mark.parametrize("format", ["text", "json", "ndjson", "csv", "tsv", "markdown", "ab", "wrk"])
def test_every_format(call: Call, format: str) -> None:
    result = call("run", URL, "--engine", "fake", "-n", "50", "-f", format)
    assert result.exit_code == 0
    assert result.stdout


def test_as_ab_would_print_it(call: Call) -> None:
    with serving() as server:
        result = call("run", f"{server.url}/x", "-n", "50", "-c", "5", "-f", "ab")
        assert len(server.asked) == 50
    assert re.search(r"^Concurrency Level:      5$", result.stdout, re.MULTILINE)
    assert re.search(r"^Complete requests:      50$", result.stdout, re.MULTILINE)
    assert re.search(r"^Failed requests:        0$", result.stdout, re.MULTILINE)
    assert re.search(r"^Time per request:       [\d.]+ \[ms\] \(mean\)$", result.stdout, re.MULTILINE)
    assert "(Connect:" not in result.stdout and "Non-2xx" not in result.stdout
    assert result.stdout.startswith("# measured by abcompare")
    assert re.search(r"^Document Length:        5 bytes$", result.stdout, re.MULTILINE)
    assert re.search(r"^Connect: ", result.stdout, re.MULTILINE)
    assert re.search(r"^ 100% ", result.stdout, re.MULTILINE)
    read = abcompare.parse(result.stdout).runs[0]
    assert (read.value("requests.complete"), read.load.concurrency) == (50, 5)


def test_bytes_that_are_no_text(call: Call) -> None:
    assert call("run", URL, "--engine", "fake", "-n", "2", "-f", "json", "--label", "\udcff").exit_code == 0
    assert call("run", URL, "--engine", "fake", "-n", "2", "-H", "X-A: \udcff").exit_code == 2
    assert call("run", f"{URL}\udcff", "--engine", "fake", "-n", "2", "-f", "json", "--body", "\udcff").exit_code == 0


def test_a_login_in_the_url_is_sent_and_not_kept(call: Call) -> None:
    with serving() as server:
        result = call("run", server.url.replace("//", "//me:s3cret@"), "-n", "2", "-f", "json")
        assert {headers["Authorization"] for _, _, headers, _ in server.asked} == {"Basic bWU6czNjcmV0"}
    assert "s3cret" not in result.stdout + result.stderr


# -- 2, 4: what makes no sense, and what cannot be made ---------------------------------------------------------------


@pytest.mark.parametrize("letters", [
    (), (URL, "-n", "ten"), (URL, "-t", "soon"), (URL, "-n", "5", "-c", "10"), ("ftp://127.0.0.1/",), (URL, "--engine", "none"), (URL, "-H", "x"),
    (URL, "--runs", "0"), (URL, "-f", "none"), (URL, "--append"), (URL, "-p", "missing"), (URL, "-i", "-m", "GET"), (URL, "-u", "a", "-p", "b"),
    ("--like", "rm -rf /"), (URL, "--http", "5"), (URL, "--warmup", "x"), (URL, "-o", "no/such/o.json"), (URL, "-o", "o.xyz"),
])  # fmt: skip
def test_usage(call: Call, letters: tuple[str, ...]) -> None:
    result = call("run", *letters, *(() if "--engine" in letters else ("--engine", "fake")))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_a_refused_connection(call: Call) -> None:
    with serving() as server:
        url = server.url
    result = call("run", url, "-n", "5", "-o", "o.json")
    assert (result.exit_code, result.stdout, Path("o.json").exists()) == (4, "", False)
    assert "refused" in result.stderr


def test_an_engine_that_cannot(call: Call) -> None:
    result = call("run", URL, "--engine", "ab", "--rate", "5")
    assert (result.exit_code, "cannot do --rate" in result.stderr) == (4, True)


@pytest.mark.parametrize("output", [(), ("-o", "o.json"), ("-o", "o.csv")])
def test_what_was_finished_before_a_failure_is_kept(call: Call, output: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.test_running import Recorder

    monkeypatch.setattr("abcompare.registry.engine", lambda name: Recorder(fails=3))
    result = call("run", URL, "-n", "10", "--runs", "5", *output)
    assert result.exit_code == 4
    assert "it broke" in result.stderr
    if output:
        assert len(abcompare.load("o.json").runs) == 2 if output[1] == "o.json" else Path("o.csv").read_text().count("\n") == 3
    else:
        assert result.stdout.count("fake 0.1.0") == 2


# -- 130: interrupted --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("output", [None, "o.json"])
def test_a_signal_keeps_what_was_measured(number: signal.Signals, output: str | None, tmp_path: Path) -> None:
    with serving() as server:
        command = [str(PROGRAM), "run", server.url, "-t", "60s", "-c", "2", "--runs", "3", "-f", "json", *(["-o", output] if output else [])]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        until = time.monotonic() + 20
        while len(server.asked) < 20 and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=20)
    assert process.returncode == 130, stderr
    runs = (abcompare.load(tmp_path / output) if output else abcompare.loads(stdout)).runs
    assert [one.complete for one in runs] == [False]
    assert (runs[0].value("requests.complete") or 0) >= 15
    assert b"interrupted" in stderr and b"Traceback" not in stderr


# -- the rest ----------------------------------------------------------------------------------------------------------


def test_help_is_quick_and_light() -> None:
    script = "import sys; from abcompare.cli import app; app(['run', '--help'], standalone_mode=False); sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env={**os.environ, "NO_COLOR": "1"})
    assert {"pycurl", "scipy", "numpy", "rich", "lark", "msgspec"} & set(done.stderr.split()) == set()
    assert done.stdout.count("abcompare run") >= 3
    assert "Exit codes:" in done.stdout


def test_the_line_of_progress() -> None:
    job = abcompare.job(URL, requests=1000, duration="30s", concurrency=5)
    told = Progress(12.34, 500, 2, 4812.3, 0.0012, 0.0045)
    assert line(Step(2, 8, job), told) == "run 2/8  12.3/30 s  500/1,000  4,812/s  p50 1.200 ms  p99 4.500 ms  2 errors"
    assert line(Step(1, 1, abcompare.job(URL)), Progress(0.5, 3, 0)) == "0.5/10 s  0 errors"
    assert line(Step(1, 1, abcompare.job(URL, requests=5)), Progress(0.5, 0, 0)) == "0.5 s  0 errors"


def test_progress_is_for_terminals(tmp_path: Path) -> None:
    import pty

    with serving() as server:
        main, terminal = pty.openpty()
        command = [str(PROGRAM), "run", server.url, "-t", "1500ms", "-f", "json"]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=terminal, env={**os.environ, "TERM": "xterm"})
        stdout, _ = process.communicate(timeout=20)
        os.close(terminal)
        shown = b""
        try:
            while part := os.read(main, 65536):
                shown += part
        except OSError:  # the other end is closed
            pass
        os.close(main)
    assert b"/1.5 s" in shown
    assert json.loads(stdout)["runs"]
