"""Documentation that runs: the console and Python examples of the README, and every finding has its row."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from abcompare import audit

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("example", CONSOLE, ids=lambda example: example.split("\n")[0])
def test_console_example(example: str) -> None:
    """What the README shows below each `$` is what the command prints."""
    program = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{program}:{os.environ['PATH']}", "NO_COLOR": "1"}
    environment.pop("COLUMNS", None)
    for part in re.split(r"^\$ ", example, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        done = subprocess.run(
            ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
        )
        assert [line.rstrip() for line in done.stdout.splitlines()] == [line.rstrip() for line in shown.splitlines()]


def test_there_are_console_examples() -> None:
    assert len(CONSOLE) >= 3


def test_python_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted >= 5
    assert results.failed == 0


def test_every_finding_has_its_row() -> None:
    documented = set(re.findall(r"^\| `([A-Z0-9-]+)`", (ROOT / "docs" / "findings.md").read_text(encoding="utf-8"), re.MULTILINE))
    found: set[str] = set()
    for path in (ROOT / "abcompare").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'(?:Finding|find|correct)\(\s*(?:"[a-z_.]+", [^"]*?)?"([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*)"', text))
        found |= set(re.findall(r'"((?:AB|WRK2?|INPUT|ARCHIVE|PLUGIN|COMMAND)-[A-Z0-9-]*[A-Z0-9])"', text))
    rules = {one.code for one in audit.rules()[0]}  # these have pages of their own
    assert found - documented - rules == set()
    assert documented - found - {"INVENTED", "WORK-ALIKE", "ENCODING", "REQUESTS-CONNECT"} == set()
