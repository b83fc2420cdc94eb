"""`abcompare parse`: what it prints, what it writes, and the exit code of every outcome."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import abcompare
from tests.cli.conftest import Call

Log = Callable[[str, str], Path]

AUDIT = "audit: 1 TOO-SHORT (abcompare audit says more)\n"  # of a.log: 0.076 s


@pytest.fixture(autouse=True)
def logs(log: Log) -> None:
    log("ab-k", "a.log")
    log("ab2.2.7-20ms", "b.log")


# -- 0: done -----------------------------------------------------------------------------------------------------------


def test_a_table_by_default(call: Call) -> None:
    result = call("parse", "a.log", "b.log")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].startswith("source")
    assert "a.log:1" in result.stdout
    assert "AB-TIME-PADDING" in result.stderr
    assert "AB-TIME-PADDING" not in result.stdout


@pytest.mark.parametrize("format", ["json", "ndjson"])
def test_archives_on_stdout(call: Call, format: str) -> None:
    result = call("parse", "a.log", "-f", format)
    assert abcompare.loads(result.stdout_bytes).runs == abcompare.parse_file("a.log").runs


@pytest.mark.parametrize("format", ["text", "csv", "tsv", "markdown", "ab", "wrk"])
def test_other_formats_on_stdout(call: Call, format: str) -> None:
    result = call("parse", "a.log", "-f", format)
    assert result.exit_code == 0
    assert result.stdout == abcompare.render(abcompare.parse_file("a.log"), format)


@pytest.mark.parametrize("name", ["o.json", "o.ndjson", "o.csv", "o.tsv", "o.md", "o.txt", "o"])
def test_the_suffix_of_a_file_decides(call: Call, name: str) -> None:
    result = call("parse", "a.log", "-o", name)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"{AUDIT}{name}: 1 run\n")
    abcompare.dump(abcompare.parse_file("a.log"), f"expected-{name}")
    assert Path(name).read_bytes() == Path(f"expected-{name}").read_bytes()


def test_a_format_that_is_named_counts_more(call: Call) -> None:
    call("parse", "a.log", "-o", "o.dat", "-f", "csv")
    assert Path("o.dat").read_text().startswith("id,label,")


def test_a_dash_is_stdout_and_stdin(call: Call) -> None:
    result = call("parse", "x=-", "-o", "-", "-f", "json", data=Path("a.log").read_bytes())
    assert abcompare.loads(result.stdout_bytes).runs[0].label == "x"


def test_labels(call: Call) -> None:
    result = call("parse", "old=a.log", "b.log", "--label", "new", "-f", "csv")
    assert re.findall(r"^\w{16},(\w+),", result.stdout, re.MULTILINE) == ["old", "new"]


@pytest.mark.parametrize("arguments", [("a.log", "-l", "lab\udcff"), ("lab\udcff=a.log",)])
def test_a_label_that_is_no_text(call: Call, arguments: tuple[str, ...]) -> None:
    result = call("parse", *arguments, "-f", "json")
    assert result.exit_code == 0
    assert abcompare.loads(result.stdout_bytes).runs[0].label == "lab\\xff"


def test_a_resolution_that_is_none(call: Call) -> None:
    document = abcompare.dumps(abcompare.parse_files(["a.log"])).decode()
    Path("o.json").write_text(re.sub(r'("resolution": )[\d.e-]+', r"\g<1>-1", document))
    assert "o.json: a run of this archive breaks its schema: Expected `float` >= 0.0" in call("parse", "o.json").stderr
    for wrong in ("0", "1e-320", "1e308"):
        Path("o.json").write_text(re.sub(r'("resolution": )[\d.e-]+', rf"\g<1>{wrong}", document))
        assert call("parse", "o.json").exit_code == 0
        assert "39,542/s" in call("show", "o.json").stdout


def test_a_folder_and_a_pattern(call: Call, log: Log) -> None:
    log("ab-404", "logs/sub/c.log")
    result = call("parse", "logs", "[ab].log", "-f", "ndjson")
    assert len(result.stdout.splitlines()) == 3


def test_a_file_without_a_result_among_others_is_a_finding(call: Call) -> None:
    Path("article.txt").write_text("nothing was measured here\n")
    result = call("parse", "a.log", "article.txt", "gone.log")
    assert result.exit_code == 0
    assert "article.txt: warning NO-RESULT" in result.stderr
    assert "gone.log: error INPUT-UNREADABLE: there is no such file or folder" in result.stderr


def test_several_processes(call: Call) -> None:
    assert call("parse", "a.log", "b.log", "-j", "2").stdout == call("parse", "a.log", "b.log").stdout


# -- messages ----------------------------------------------------------------------------------------------------------


def many(count: int) -> None:
    text = Path("b.log").read_text()
    for number in range(count):
        Path(f"many{number}.log").write_text(text.replace("192.46", f"192.4{number}") + "what is this?\n")


def test_findings_are_grouped_and_the_flood_is_a_number(call: Call) -> None:
    many(8)
    result = call("parse", "many*.log")
    assert result.stderr.count("corrected AB-TIME-PADDING") == 3 + 1
    assert "… and 5 more corrected AB-TIME-PADDING (-v lists all)" in result.stderr
    assert call("parse", "many*.log", "-v").stderr.count("corrected AB-TIME-PADDING") == 8


def unrecognised(text: str) -> str:
    return text.replace("Failed requests:", "What is this:  0\nFailed requests:")


def test_unrecognised_lines_are_counted_by_file_and_listed_on_demand(call: Call) -> None:
    Path("odd.log").write_text(unrecognised(Path("a.log").read_text()))
    result = call("parse", "odd.log")
    assert result.exit_code == 0
    assert "odd.log: a line of a report not recognised (-v lists them)" in result.stderr
    assert re.search(r"odd\.log:\d+: unrecognised: What is this:  0", call("parse", "odd.log", "-v").stderr)


def test_files_with_unrecognised_lines_do_not_flood(call: Call) -> None:
    for number in range(6):
        text = Path("a.log").read_text().replace("39541", f"{39541 + number}")
        Path(f"odd{number}.log").write_text(unrecognised(text))
    assert "… and 3 more unrecognised lines in 3 other files" in call("parse", "odd*.log").stderr


def test_quiet(call: Call) -> None:
    Path("copy.log").write_bytes(Path("b.log").read_bytes())
    arguments = ("parse", "b.log", "copy.log", "-o", "o.json")
    loud = call(*arguments).stderr
    quiet = call(*arguments, "--force", "-q").stderr
    assert "info DUPLICATE" in loud
    assert "o.json: 1 run" in loud
    assert quiet.splitlines() == [line for line in loud.splitlines() if "corrected" in line]


def test_the_worst_comes_first(call: Call) -> None:
    Path("copy.log").write_bytes(Path("b.log").read_bytes())
    lines = call("parse", "b.log", "copy.log", "gone.log", "-v").stderr.splitlines()
    assert [line.split(": ")[1].split()[0] for line in lines] == ["error", "warning", "corrected", "info", "info"]


def test_a_log_cannot_talk_to_the_terminal(call: Call) -> None:
    text = unrecognised(Path("a.log").read_text()).replace("What is this", "W\x1b]0;x\x07\x9b31m")
    Path("evil\x1b[2J.log").write_text(text.replace("nginx/", "ngi\x1b[31mnx/"))
    for more in ((), ("-v",), ("-f", "ab"), ("-f", "csv"), ("-f", "markdown")):
        result = call("parse", "evil\x1b[2J.log", "gone\x1b[2J", *more)
        assert result.exit_code == 0
        assert "\x1b" not in result.output
        assert "\x9b" not in result.output


# -- colour ------------------------------------------------------------------------------------------------------------


def test_colour(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in call("parse", "b.log").output, "no terminal"
    always = call("parse", "b.log", "--color", "always")
    assert "\x1b[1m" in always.stdout
    assert "\x1b[36mcorrected\x1b[0m" in always.stderr
    assert "\x1b[" not in call("parse", "b.log", "--color", "never").output
    call("parse", "b.log", "--color", "always", "-o", "o.txt")
    assert "\x1b" not in Path("o.txt").read_text()


# -- 1: something could not be read, under --strict --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("odd.log", lambda log: unrecognised(log).encode(), "odd.log:{}: not recognised: "),
        ("cut.log.gz", lambda log: gzip.compress(log.encode())[:-4], "cut.log.gz"),
        ("field.log", lambda log: log.replace("Failed requests:        0", "Failed requests:        none").encode(), "field.log:{}: AB-BROKEN-FIELD"),
        ("broken.json", lambda log: b'{"schema": "abcompare/1"', "broken.json"),
        ("gone.log", None, "gone.log"),
    ],
)
def test_strict(call: Call, name: str, content: Callable[[str], bytes] | None, cause: str) -> None:
    if content:
        Path(name).write_bytes(content(Path("a.log").read_text()))
    assert call("parse", "b.log", name).exit_code == 0
    result = call("parse", "b.log", name, "--strict", "-o", "o.json")
    assert result.exit_code == 1
    assert re.search(f"^--strict: exit code 1 for {re.escape(cause).replace(re.escape('{}'), '[0-9]+')}", result.stderr, re.M)
    assert Path("o.json").exists(), "the result is written all the same"


def test_strict_does_not_mind_corrections_and_articles(call: Call) -> None:
    Path("article.txt").write_text("nothing was measured here\n")
    assert call("parse", "a.log", "b.log", "article.txt", "--strict").exit_code == 0


# -- 2: usage, or nothing usable ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gone.log",), "gone.log: there is no such file or folder"),
        (("gone.log", "lost.log"), "there is no run in the input"),
        (("no*.log",), "no*.log: no file matches this pattern"),
        (("empty.log",), "empty.log: warning NO-RESULT: this file is empty"),
        (("folder",), "folder: warning NO-RESULT: this folder holds no file to read"),
        (("article.txt",), "article.txt: warning NO-RESULT"),
        (("broken.json",), "broken.json:1:25: not valid JSON"),
        (("other.json",), "other.json: this archive is abcompare/2"),
        (("program",), "program: warning NO-RESULT"),
        (("-",), "-: warning NO-RESULT: this file is empty"),
        (("=a.log",), "neither a file nor label=path"),
        (("a.log", "-f", "pdf"), "there is no format 'pdf'"),
        (("a.log", "-o", "o.pdf"), "the suffix .pdf of o.pdf"),
        (("a.log", "-o", "folder"), "folder: this is a folder"),
        (("a.log", "-o", ""), "the name is empty"),
        (("a.log", "-o", "no/o.json"), "there is no folder no"),
        (("a.log", "-o", "b.log"), "the suffix .log"),
        (("a.log", "-o", "b.log", "-f", "json"), "b.log: this file exists"),
        (("a.log", "--force"), "--force and --append are about a file"),
        (("a.log", "-o", "o.json", "--force", "--append"), "choose one"),
        (("a.log", "-o", "o.csv", "--append"), "--append adds to archives, and csv is none"),
        (("a.log", "-j", "0"), "'--jobs'"),
        (("a.log", "--color", "mauve"), "'--color'"),
        (("a.log", "--nonsense"), "No such option"),
        ((), "Missing argument 'FILE'"),
    ],
)
def test_usage_and_useless_input(call: Call, arguments: tuple[str, ...], said: str) -> None:
    Path("empty.log").touch()
    Path("folder").mkdir()
    Path("article.txt").write_text("nothing was measured here\n")
    Path("broken.json").write_text('{"schema": "abcompare/1"')
    Path("other.json").write_text('{"schema": "abcompare/2"}')
    Path("program").write_bytes(b"\x7fELF\0\0" * 99)
    before = sorted(path.name for path in Path.cwd().iterdir())
    result = call("parse", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert sorted(path.name for path in Path.cwd().iterdir()) == before


def test_nothing_usable_says_what_is_known(call: Call) -> None:
    Path("article.txt").write_text("nothing was measured here\n")
    assert re.search(r"hint: .*\bab, wrk", call("parse", "article.txt").stderr)


def test_broken_json_is_shown_where_it_breaks(call: Call) -> None:
    Path("a.json").write_text('{"schema": "abcompare/1",\n "runs": [oops]}')
    lines = call("parse", "a.json").stderr.splitlines()
    assert lines == ["a.json:2:11: not valid JSON: invalid character", '     "runs": [oops]}', "              ^"]


def test_nothing_is_written_when_there_is_nothing(call: Call) -> None:
    Path("article.txt").write_text("nothing was measured here\n")
    assert call("parse", "article.txt", "-o", "o.json").exit_code == 2
    assert not Path("o.json").exists()


# -- files that exist --------------------------------------------------------------------------------------------------


def test_force(call: Call) -> None:
    call("parse", "a.log", "-o", "o.json")
    assert call("parse", "b.log", "-o", "o.json").exit_code == 2
    assert [run.tool.version for run in abcompare.load("o.json").runs] == ["2.3"]
    assert call("parse", "b.log", "-o", "o.json", "--force").exit_code == 0
    assert [run.tool.version for run in abcompare.load("o.json").runs] == ["2.0.40-dev"]


def test_an_existing_file_is_noticed_before_anything_is_read(call: Call) -> None:
    Path("o.json").touch()
    assert call("parse", "gone.log", "-o", "o.json").stderr.startswith("o.json: this file exists")


@pytest.mark.parametrize("name", ["o.json", "o.ndjson"])
def test_append(call: Call, name: str) -> None:
    assert call("parse", "a.log", "-o", name, "--append").stderr == f"{AUDIT}{name}: 1 run\n"
    assert f"{name}: 2 runs (1 added)" in call("parse", "b.log", "-o", name, "--append").stderr
    before = Path(name).read_bytes()
    assert f"{name}: 2 runs (0 added)" in call("parse", "a.log", "-o", name, "--append").stderr
    assert Path(name).read_bytes() == before


def test_append_keeps_what_it_does_not_know(call: Call) -> None:
    Path("o.json").write_text(json.dumps({"schema": "abcompare/1", "later": [1], "runs": []}))
    call("parse", "a.log", "-o", "o.json", "--append")
    document = json.loads(Path("o.json").read_text())
    assert document["later"] == [1]
    assert len(document["runs"]) == 1


def test_append_to_an_empty_file(call: Call) -> None:
    Path("o.ndjson").touch()
    assert call("parse", "a.log", "-o", "o.ndjson", "--append").stderr == f"{AUDIT}o.ndjson: 1 run\n"


def test_append_to_what_is_no_archive(call: Call) -> None:
    Path("o.json").write_text("important notes")
    result = call("parse", "a.log", "-o", "o.json", "--append")
    assert result.exit_code == 2
    assert "o.json:1:1: not valid JSON" in result.stderr
    assert Path("o.json").read_text() == "important notes"
