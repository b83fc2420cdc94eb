"""The package as users get it: sdist and wheel carry the grammars; a wheel in a fresh environment parses a log."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel of the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True, capture_output=True, text=True,
    )
    return folder


def test_wheel_and_sdist_carry_the_grammars(built: Path) -> None:
    names = {path.name for path in (ROOT / "grammar").glob("*.lark")}
    assert names >= {"ab.lark", "wrk.lark", "lexemes.lark"}
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        assert {f"abcompare/grammar/{name}" for name in names} <= set(wheel.namelist())
        assert "abcompare/py.typed" in wheel.namelist()
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        inside = {name.split("/", 1)[-1] for name in sdist.getnames()}
        assert {f"grammar/{name}" for name in names} <= inside
        assert {"README.md", "LICENSE", "Makefile"} <= inside


def test_a_wheel_in_a_fresh_environment_parses_a_log(built: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    wheel = next(built.glob("*.whl"))
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True, text=True)
    log = ROOT / "fixtures" / "wrk" / "wrk-latency.txt"
    done = subprocess.run(
        [str(python.with_name("abcompare")), "parse", str(log), "-f", "json"],
        check=True, capture_output=True, text=True, cwd=tmp_path,
    )
    document = json.loads(done.stdout)
    assert [run["tool"]["name"] for run in document["runs"]] == ["wrk"]
    assert document["runs"][0]["measures"]["latency.p99"]["unit"] == "s"
