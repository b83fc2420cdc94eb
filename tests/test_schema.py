"""The JSON Schema: held to the records, to the committed copy, and to what abcompare writes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal

import jsonschema
import msgspec
import pytest

import abcompare
from abcompare import records
from abcompare.schema import schema_of, written

ROOT = Path(__file__).resolve().parents[1]
COMMITTED = ROOT / "docs" / "abcompare.schema.json"
LOGS = [log for tool in ("ab", "wrk", "wrk2") for log in sorted((ROOT / "fixtures" / tool).glob("*.txt"))]


@cache
def validator(kind: Literal["archive", "run"] = "archive") -> jsonschema.Draft202012Validator:
    schema = json.loads(written(schema_of(kind)))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def faults(document: Any, kind: Literal["archive", "run"] = "archive") -> list[str]:
    """What breaks the schema in a document."""
    return [error.message for error in validator(kind).iter_errors(document)]


def test_the_committed_schema_is_the_generated_one() -> None:
    said = "abcompare schema > docs/abcompare.schema.json"
    assert COMMITTED.read_bytes() == written(schema_of()), f"out of date: {said}"


def test_it_names_itself() -> None:
    schema = schema_of()
    assert schema["$id"] == "urn:abcompare:schema:archive:1"
    assert schema["title"]
    assert schema["description"]


@pytest.mark.parametrize("name", sorted(schema_of()["$defs"]))
def test_every_key_is_explained(name: str) -> None:
    definition = schema_of()["$defs"][name]
    assert definition["description"]
    for key, described in definition["properties"].items():
        assert described["description"], f"{name}.{key} has no meaning in schema.py"


def test_no_meaning_is_left_over() -> None:
    from abcompare.schema import _MEANINGS

    for name, keys in _MEANINGS.items():
        assert set(keys) <= set(getattr(records, name).__struct_fields__)


def test_where_unknown_keys_are_kept_does_not_show() -> None:
    for definition in schema_of()["$defs"].values():
        assert "extra" not in definition["properties"]
        assert "additionalProperties" not in definition


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.stem)
def test_what_is_written_keeps_to_it(log: Path) -> None:
    archive = abcompare.parse_file(log)
    assert faults(json.loads(abcompare.dumps(archive))) == []


def test_lines_keep_to_the_schema_of_a_run() -> None:
    archive = abcompare.parse_files([ROOT / "fixtures/ab/ab-k.txt", ROOT / "fixtures/ab/ab2.2.7-20ms.txt"])
    lines = abcompare.dump_lines(archive).splitlines()
    assert len(lines) == 2
    assert [faults(json.loads(line), "run") for line in lines] == [[], []]


def test_unknown_keys_keep_to_it() -> None:
    document = json.loads(abcompare.dumps(abcompare.parse_file(ROOT / "fixtures/ab/ab-k.txt")))
    document["later"] = 1
    document["runs"][0]["later"] = {"a": [1]}
    document["runs"][0]["measures"]["throughput"]["later"] = "x"
    again = json.loads(abcompare.dumps(abcompare.loads(json.dumps(document))))
    assert (again["later"], again["runs"][0]["later"]) == (1, {"a": [1]})
    assert faults(again) == []


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"schema": "abcompare/2"},
        {"schema": "abcompare/1", "runs": {}},
        {"schema": "abcompare/1", "runs": [{"id": "a"}]},
        {"schema": "abcompare/1", "findings": [{"code": "A", "severity": "fatal", "message": "x"}]},
    ],
)
def test_what_breaks_it_does_not_load_either(broken: dict[str, object]) -> None:
    assert not validator().is_valid(broken)
    with pytest.raises(abcompare.ArchiveError):
        abcompare.loads(json.dumps(broken))


def test_schema_and_loading_agree_on_defaults() -> None:
    least = {"schema": "abcompare/1", "runs": [{"id": "a", "tool": {"name": "ab"}, "source": {"path": "x"}}]}
    validator().validate(least)
    run = abcompare.loads(json.dumps(least)).runs[0]
    assert run.complete
    assert run.measures == {}
    assert msgspec.to_builtins(run.target)["host"] is None
