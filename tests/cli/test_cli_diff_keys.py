"""docs/keys.md: what it says of each key is what `diff` does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from abcompare.cli.diff import EPILOG
from abcompare.compare.keys import ALIKE, NAMED, SCENARIO, key
from abcompare.metrics import metric
from abcompare.records import Load, Target, Tls

TEXT = (Path(__file__).parents[2] / "docs" / "keys.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([\w.]+)` \| (?:`([\w.]+)`)?(?:, `(\w+)`)? ?\| (.*) \| (\w*) ?\|$", TEXT, re.MULTILINE)
KINDS = {"scenario": SCENARIO, "alike": ALIKE, "named": NAMED}


@pytest.mark.parametrize(("path", "short", "other", "says", "kind"), ROWS, ids=[path for path, *_ in ROWS])
def test_each_row(path: str, short: str, other: str, says: str, kind: str) -> None:
    assert key(path) == path
    assert all(key(name) == path for name in (short, other) if name)
    assert says
    assert [name for name, keys in KINDS.items() if path in keys] == ([kind] if kind else [])
    known = metric(path)
    assert known is None or known.name != path or says == known.meaning


def test_no_key_is_missing() -> None:
    listed = {path for path, *_ in ROWS}
    fields = {f"load.{name}" for name in Load.__struct_fields__} | {f"target.{name}" for name in Target.__struct_fields__}
    fields |= {f"target.tls.{name}" for name in Tls.__struct_fields__}
    fields |= {*SCENARIO, *ALIKE, *NAMED}
    assert fields - {"load.headers", "target.tls"} - listed == set()


def test_the_readme_and_the_help_name_it() -> None:
    assert "](docs/keys.md)" in (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert "docs/keys.md" in EPILOG


def test_the_examples_are_keys() -> None:
    examples = [name for names in re.findall(r"`--(?:by|row|ignore|vary|filter) ([\w,.]+)", TEXT) for name in names.split(",")]
    known = {path for path, *_ in ROWS}
    assert examples
    assert [name for name in examples if key(name) not in known] == []
