"""Engines by name: built in, third parties', and what is said when one does not load. docs/engines.md is executed."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from abcompare.engines.native import NativeEngine
from abcompare.errors import UsageError
from abcompare.registry import engine, engine_names
from tests.engines.nginx import free_port, nginx
from tests.plugins import distribution

DOCUMENT = Path(__file__).parents[2] / "docs" / "engines.md"
KNOWN = {
    "rate", "duration", "requests", "keep-alive", "http/1.0", "http/1.1", "http/2", "http/3", "tls", "body", "headers", "unix-socket",
    "warm-up", "processes", "any-method", "variable-length",
}
RUN = """
import sys, msgspec
from abcompare.errors import AbcompareError
from abcompare.jobs import Job
from abcompare.records import Load, Target
from abcompare.registry import engine
try:
    run = engine(sys.argv[1]).run(Job(target=Target("http", "127.0.0.1", int(sys.argv[2]), "/"), load=Load(requests=7)))
    print(msgspec.json.encode(run).decode())
except AbcompareError as error:
    print(msgspec.json.encode([type(error).__name__, error.message, error.hint]).decode())
"""


def _output(environment: dict[str, str], *words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, env=environment, check=True, cwd=Path(__file__).parents[2]).stdout


def _made(environment: dict[str, str], name: str, port: int) -> Any:
    return json.loads(_output(environment, sys.executable, "-c", RUN, name, str(port)))


@pytest.fixture
def patient(tmp_path: Path) -> dict[str, str]:
    """The environment in which the engine of the documentation is installed."""
    module = re.search(r'```python\n(""".*?)```', DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    entry = re.search(r"^patient = \"(.*)\"$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert module and entry
    return distribution(tmp_path, "patient", module[1], "abcompare.engines", f"patient = {entry[1]}")


def test_a_third_party_s_engine_makes_runs(patient: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "nginx"
    folder.mkdir()
    with nginx(folder) as server:
        run = _made(patient, "patient", server.port)
        assert len(server.asked("/", 7)) == 7
    assert run["tool"]["name"] == "patient"
    assert run["complete"] is True
    assert run["measures"]["requests.complete"]["value"] == 7


def test_a_third_party_s_engine_says_what_it_cannot(patient: dict[str, str]) -> None:
    assert _made(patient, "patient", free_port())[:1] == ["EngineError"]


def test_a_third_party_s_engine_is_listed(patient: dict[str, str]) -> None:
    listed = _output(patient, str(Path(sys.executable).with_name("abcompare")), "plugins")
    assert re.search(r"^engine +patient +patient 1\.0 +ok +any-method body headers", listed, re.MULTILINE)


def test_an_engine_that_does_not_load_names_its_distribution(tmp_path: Path) -> None:
    environment = distribution(tmp_path, "broken_engine", "raise OSError('no licence')", "abcompare.engines", "broken = broken_engine:engine")
    kind, message, hint = _made(environment, "broken", 1)
    assert kind == "PluginError"
    assert "no licence" in message
    assert "broken_engine 1.0" in hint
    listed = _output(environment, str(Path(sys.executable).with_name("abcompare")), "plugins")
    assert re.search(r"^engine +broken +broken_engine 1\.0 +failed: .*no licence", listed, re.MULTILINE)


def test_the_real_tools_are_listed_with_their_versions() -> None:
    listed = _output(dict(os.environ), str(Path(sys.executable).with_name("abcompare")), "plugins")
    assert re.search(r"^engine +ab +built in +ok: 2\.3, /\S+/ab ", listed, re.MULTILINE)
    assert re.search(r"^engine +wrk +built in +ok: \S*4\.\S+, /\S+/wrk ", listed, re.MULTILINE)


def test_names() -> None:
    assert engine_names()[:5] == ["curl", "ab", "wrk", "wrk2", "fake"]
    with pytest.raises(UsageError, match="there is no engine 'novel'") as raised:
        engine("novel")
    assert "curl" in (raised.value.hint or "")


@pytest.mark.parametrize("name", ["ab", "wrk", "wrk2", "fake"])
def test_capabilities_are_of_the_known_words(name: str) -> None:
    found = engine(name)
    assert found.name == name
    assert found.capabilities <= KNOWN
    assert found.capabilities


def test_what_the_tools_can_do() -> None:
    assert "rate" not in NativeEngine("wrk").capabilities
    assert "rate" in NativeEngine("wrk2").capabilities
    assert {"http/1.0", "requests"} <= NativeEngine("ab").capabilities


def test_the_documentation_s_examples() -> None:
    results = doctest.testfile(str(DOCUMENT), module_relative=False)
    assert results.attempted >= 8
    assert results.failed == 0


def test_every_engine_is_documented() -> None:
    rows = set(re.findall(r"^\| `(\w+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE))
    assert {"curl", "ab", "wrk", "wrk2", "fake"} <= rows
