"""Every fixture pair: the log reads as its JSON says; and each dialect holds up to empty and cut input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abcompare.blocks import Block
from abcompare.reading import parse
from abcompare.registry import dialects
from tests.golden import expected, read, texts


@pytest.mark.parametrize("path", texts(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_pair(path: Path) -> None:
    assert read(path) == json.loads(expected(path).read_text(encoding="utf-8"))


def test_there_are_pairs_for_every_json() -> None:
    assert len(texts()) >= 60
    orphans = [path for text in texts() for path in text.parent.glob("*.json") if not path.with_suffix(".txt").exists()]
    assert orphans == []


@pytest.mark.parametrize("dialect", dialects()[0], ids=lambda dialect: dialect.name)
def test_empty_block_is_no_run(dialect) -> None:  # type: ignore[no-untyped-def]
    reading = dialect.parse(Block(""))
    assert reading.run is None
    assert [one.code for one in reading.findings] == ["NO-RESULT"]


@pytest.mark.parametrize("path", texts(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_real_logs_hold_no_error(path: Path) -> None:
    """No finding of severity error, and nothing unrecognised but -v dumps and Lua output."""
    found = parse(path.read_bytes(), path=path.name)
    assert [one for run in found.runs for one in run.findings if one.severity == "error"] == []
    if not any(word in path.stem for word in ("-v2", "-v3", "-v4", "-1h", "cookie", "lua")):
        assert [(one.line, one.text) for one in found.unrecognised] == []
