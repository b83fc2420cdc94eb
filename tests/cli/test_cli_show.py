"""`abcompare show`, `schema`, `plugins`, `--version`, `--help`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import abcompare
from abcompare.version import __version__
from tests.cli.conftest import Call

Log = Callable[[str, str], Path]


@pytest.fixture
def archive(call: Call, log: Log) -> abcompare.Archive:
    """o.json, which holds two runs."""
    log("ab-k", "a.log"), log("ab2.2.7-20ms", "b.log")
    call("parse", "a.log", "b.log", "-o", "o.json")
    return abcompare.load("o.json")


def test_the_list_when_there_are_several(call: Call, archive: abcompare.Archive) -> None:
    result = call("show", "o.json")
    assert result.stdout == abcompare.render(archive)


@pytest.mark.parametrize("length", [4, 8, 16])
def test_one_in_full_by_the_beginning_of_its_id(call: Call, archive: abcompare.Archive, length: int) -> None:
    run = archive.runs[1]
    result = call("show", "o.json", run.id[:length].upper())
    assert result.exit_code == 0
    assert result.stdout == abcompare.render(run)
    assert "1.039 s" in result.stdout
    assert "1.39181" in result.stdout
    assert "AB-TIME-PADDING" in result.stdout


def test_the_only_run_of_a_log_needs_no_id(call: Call, archive: abcompare.Archive) -> None:
    assert call("show", "a.log").stdout.startswith(f"run {archive.runs[0].id}\n")
    assert call("show", "-", data=Path("a.log").read_bytes()).stdout.startswith("run ")


def test_explained(call: Call, archive: abcompare.Archive) -> None:
    assert "complete requests per second of the run" in call("show", "a.log", "--explain").stdout


@pytest.mark.parametrize("format", ["ab", "wrk", "markdown", "csv"])
def test_formats(call: Call, archive: abcompare.Archive, format: str) -> None:
    run = archive.runs[0]
    assert call("show", "o.json", run.id, "-f", format).stdout == abcompare.render(run, format)


def test_as_ab_printed_it(call: Call, archive: abcompare.Archive) -> None:
    log = re.sub(r"(?m)^Copyright (?:\(c\) )?2006 .*\n", "", Path("b.log").read_text())  # the year of a release stands in no record
    assert call("show", "o.json", archive.runs[1].id, "-f", "ab").stdout == log


def test_json_of_one_run_is_an_archive_of_one(call: Call, archive: abcompare.Archive) -> None:
    result = call("show", "o.json", archive.runs[1].id, "-f", "json")
    assert abcompare.loads(result.stdout_bytes).runs == archive.runs[1:]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("o.json", "zzz"), "no run has an id that begins with 'zzz'"),
        (("gone.json",), "gone.json: there is no such file or folder"),
        (("notes.txt",), "there is no run in the input"),
        (("o.json", "-f", "pdf"), "there is no format 'pdf'"),
        ((), "Missing argument 'FILE'"),
    ],
)
def test_what_cannot_be_shown(call: Call, archive: abcompare.Archive, arguments: tuple[str, ...], said: str) -> None:
    Path("notes.txt").write_text("nothing")
    result = call("show", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_an_id_that_several_have(call: Call) -> None:
    runs = [{"id": f"c0ffee0{n}", "tool": {"name": "ab"}, "source": {"path": "x"}} for n in (1, 2)]
    Path("o.json").write_text(json.dumps({"schema": "abcompare/1", "runs": runs}))
    result = call("show", "o.json", "c0ff")
    assert result.exit_code == 2
    assert "2 runs have an id that begins with 'c0ff'" in result.stderr
    assert "hint: ids: c0ffee01, c0ffee02" in result.stderr


# -- the others --------------------------------------------------------------------------------------------------------


def test_schema(call: Call) -> None:
    committed = Path(__file__).resolve().parents[2] / "docs" / "abcompare.schema.json"
    assert call("schema").stdout_bytes == committed.read_bytes()
    assert json.loads(call("schema", "run").stdout)["$id"] == "urn:abcompare:schema:run:1"
    assert call("schema", "novel").exit_code == 2


def test_plugins(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    result = call("plugins")
    assert re.search(r"^dialect +ab +built in +ok$", result.stdout, re.MULTILINE)
    assert re.search(r"^reporter +markdown +built in +ok$", result.stdout, re.MULTILINE)


def test_a_plugin_that_does_not_load_is_listed(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    class Entry:
        name = "shout"
        dist = type("Dist", (), {"name": "abcompare-shout", "version": "1.0"})

        def load(self) -> None:
            raise ImportError("no module named shouting")

    def found(**selected: str) -> list[Entry]:
        return [Entry()] if selected["group"] == "abcompare.reporters" else []

    monkeypatch.setattr(metadata, "entry_points", found)
    result = call("plugins")
    assert result.exit_code == 0
    assert re.search(r"reporter +shout +abcompare-shout 1\.0 +failed: .*no module named shouting", result.stdout)


def test_version(call: Call) -> None:
    assert call("--version").stdout == f"abcompare {__version__}\n"


def test_no_command_is_a_question(call: Call) -> None:
    result = call()
    assert result.exit_code == 2
    assert "Commands:" in result.output


@pytest.mark.parametrize("command", ["parse", "show", "schema", "plugins"])
def test_help_has_a_sentence_a_paragraph_examples_and_exit_codes(call: Call, command: str) -> None:
    result = call(command, "--help")
    assert result.exit_code == 0
    assert call(command, "-h").stdout == result.stdout
    text = result.stdout
    usage, sentence, *_ = text.split("\n\n")
    assert usage.startswith("Usage:")
    assert sentence.strip().endswith(".")
    examples, codes = text.split("Examples:")[1].split("Exit codes:")
    assert len(re.findall(r"^  (?=\S).*abcompare", examples, re.MULTILINE)) == 3
    assert re.search(r"^  0 +done", codes, re.MULTILINE)
    assert re.search(r"^  2 +wrong usage", codes, re.MULTILINE)


def test_options_stand_in_groups(call: Call) -> None:
    text = call("parse", "--help").stdout
    titles = re.findall(r"^(\w+):$", text.partition("Examples:")[0], re.MULTILINE)
    assert titles == ["Arguments", "Input", "Output", "Messages", "Options"]
    assert call("--help").stdout.count("\n  parse ") == 1
