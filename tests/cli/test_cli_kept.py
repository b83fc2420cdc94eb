"""What was measured outlives an output that cannot be written, and another process that writes to the same file."""

from __future__ import annotations

import fcntl
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import abcompare
from abcompare.cli.output import Kept
from abcompare.engines.fake import FakeEngine
from abcompare.errors import OutputError
from abcompare.jobs import Job
from abcompare.records import Archive, Run
from abcompare.reporters import files
from tests.cli.conftest import Call

URL = "http://127.0.0.1:8080/x"
PROGRAM = str(Path(sys.executable).with_name("abcompare"))
FAKE = ("--engine", "fake", "-n", "100")


class Meddler(FakeEngine):
    """An engine in whose run the output's file appears, with this content."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.made = 0

    def run(self, job: Job, **watched: Any) -> Run:
        self.made += 1
        Path("o.json").write_text(self.text)
        return super().run(job, **watched)


def test_a_file_that_appeared_meanwhile(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Meddler("somebody's")
    monkeypatch.setattr("abcompare.registry.engine", lambda name: engine)
    result = call("run", URL, "-n", "100", "--runs", "3", "-o", "o.json")
    assert (result.exit_code, engine.made) == (2, 1), "no more is made once it cannot be kept"
    assert "this file exists" in result.stderr
    assert Path("o.json").read_text() == "somebody's"
    assert [one.load.requests for one in abcompare.loads(result.stdout_bytes).runs] == [100]


def test_an_archive_that_is_none_any_more(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call("run", URL, *FAKE, "-o", "o.json").exit_code == 0
    monkeypatch.setattr("abcompare.registry.engine", lambda name: Meddler("{"))
    result = call("run", URL, "-n", "100", "-o", "o.json", "--append")
    assert (result.exit_code, len(abcompare.loads(result.stdout_bytes).runs)) == (2, 1)
    assert "no archive any more" in result.stderr


@pytest.mark.parametrize("format", ["json", "csv", "text"])
def test_a_full_disk(call: Call, format: str) -> None:
    result = call("run", URL, *FAKE, "--runs", "2", "-o", "/dev/full", "-f", format)
    assert result.exit_code == 2
    assert "No space left" in result.stderr
    runs = {"json": lambda: len(abcompare.loads(result.stdout_bytes).runs), "csv": lambda: result.stdout.count("\n") - 1, "text": lambda: result.stdout.count("fake 0.1")}[format]()
    assert runs == (1 if format == "json" else 2)


def test_a_full_disk_behind_calibrate(call: Call) -> None:
    kept = call("calibrate", URL, *FAKE, "--keep", "/dev/full")
    assert (kept.exit_code, len(abcompare.loads(kept.stdout_bytes).runs)) == (2, 1)
    noise = call("calibrate", URL, *FAKE, "-o", "/dev/full", "-f", "json")
    assert noise.exit_code == 2
    assert '"abcompare-calibration' in noise.stdout or "calibration" in noise.stdout


def test_standard_output_that_is_full(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([PROGRAM, "run", URL, *FAKE, "-f", "json"], stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert "fake 0.1.0" in done.stderr and "No space left" in done.stderr


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    done = subprocess.run(
        [PROGRAM, "run", URL, *FAKE, "-o", "o.json"], capture_output=True, check=False, cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
    )  # fmt: skip
    assert done.returncode == 2
    assert b"File too large" in done.stderr
    assert len(abcompare.loads(done.stdout).runs) == 1
    assert list(tmp_path.iterdir()) == []


def test_two_processes_append_at_once(tmp_path: Path) -> None:
    """Of two different loads, so that no run is a copy of another one."""
    command = [PROGRAM, "run", URL, "--engine", "fake", "--runs", "15", "-o", "o.json", "--append"]
    processes = [subprocess.Popen([*command, "-n", count], cwd=tmp_path, stderr=subprocess.PIPE) for count in ("100", "101")]
    said = [process.communicate(timeout=120)[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    runs = abcompare.load(tmp_path / "o.json").runs
    assert sorted(one.load.requests or 0 for one in runs) == [100] * 15 + [101] * 15
    for count in (100, 101):
        assert [one.order for one in runs if one.load.requests == count] == list(range(1, 16))
    assert any(b"o.json: 30 runs (15 added)" in one for one in said), said
    assert [path.name for path in tmp_path.iterdir()] == ["o.json"], "no lock is left behind"


def test_runs_of_few_numbers_are_added_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = abcompare.run(URL, engine=FakeEngine(), requests=10, runs=3).runs
    few = [replace(one, measures=dict(list(one.measures.items())[:2]), host={"engine": {"processes": ()}}) for one in made]
    kept = Kept(Path("o.json"), "json", force=False, append=True)
    for run in few:
        kept.add(run)
    assert kept.write(Archive(runs=tuple(few))) == "o.json: 3 runs"
    Path("o.json").unlink()
    assert kept.write(Archive(runs=tuple(few))) == "o.json: 3 runs", "a file that is gone is written anew"
    assert [one.findings for one in abcompare.load("o.json").runs] == [(), (), ()]


def test_a_lock_that_nobody_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_PATIENCE_S", 0.05)
    folder = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    with pytest.raises(OutputError, match="locked"), files.locked(tmp_path / "o.json"):
        pass
    os.close(folder)
    with files.locked(tmp_path / "o.json"):
        pass
