"""A command line to call, in a folder of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from abcompare.cli import app

AB = Path(__file__).resolve().parents[2] / "fixtures" / "ab"
Call = Callable[..., Result]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls the command line; `data` is standard input."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)

    def run(*arguments: str, data: bytes = b"") -> Result:
        return CliRunner().invoke(app, list(arguments), input=data)

    return run


@pytest.fixture
def log(tmp_path: Path) -> Callable[[str, str], Path]:
    """Copies a fixture into the folder under a name."""

    def copy(fixture: str, name: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(AB / f"{fixture}.txt", path))

    return copy
