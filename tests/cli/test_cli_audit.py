"""`abcompare audit`: formats, choices and exit codes; and what parse says beside its table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.cli.conftest import Call

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SEED, WRONG = str(FIXTURES / "seeds/aio.txt"), str(FIXTURES / "audit/RUN-TIME.txt")


def test_text_and_the_exit_codes(call: Call) -> None:
    fine = call("audit", SEED)
    assert fine.exit_code == 0
    assert f"{SEED}:2: warning LINK-SATURATED: 98.4% of a link of 1 Gbit/s" in fine.stdout
    assert "6 runs, " in fine.stderr
    wrong = call("audit", SEED, WRONG)
    assert wrong.exit_code == 1
    assert f"{WRONG}:1: error RUN-TIME: throughput 20000.00 does not fit" in wrong.stdout
    assert "1 of severity error" in wrong.stderr


def test_choices(call: Call) -> None:
    assert call("audit", WRONG, "--ignore", "run-time").exit_code == 0
    only = call("audit", SEED, "--rule", "TAIL-UNSUPPORTED", "--rule", "SYN-RETRANSMIT").stdout
    assert {line.split()[2] for line in only.splitlines()} == {"TAIL-UNSUPPORTED:", "SYN-RETRANSMIT:"}
    assert " info " not in call("audit", SEED, "-q").stdout


def test_json_and_sarif(call: Call) -> None:
    found = json.loads(call("audit", WRONG, "-f", "json").stdout)["findings"]
    assert {"code": "RUN-TIME", "severity": "error", "line": 1, "path": WRONG, "measure": "throughput"}.items() <= found[0].items()
    sarif = json.loads(call("audit", SEED, WRONG, "-f", "sarif").stdout)
    run = sarif["runs"][0]
    assert sarif["version"] == "2.1.0"
    assert {one["ruleId"] for one in run["results"]} == {one["id"] for one in run["tool"]["driver"]["rules"]}
    assert {one["level"] for one in run["results"]} <= {"error", "warning", "note"}
    place = run["results"][-1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == WRONG
    assert place["region"]["startLine"] == 1


def test_annotations_cannot_be_broken_by_a_name(call: Call) -> None:
    log = Path(WRONG).read_text()
    name = "a,b:c%\n::error::x.log"
    Path(name).write_text(log)
    lines = call("audit", name, "-f", "github").stdout.splitlines()
    assert all(line.startswith(("::error file=a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3Ax.log,line=1,", "::warning file=a%2Cb%3Ac%25%0A")) for line in lines)
    assert any(",title=RUN-TIME::throughput 20000.00" in line for line in lines)


def test_nor_do_control_characters_of_a_name_pass(call: Call) -> None:
    name = "a\x1b[31m\x07\u202eb\tc.log"
    Path(name).write_text(Path(WRONG).read_text())
    for format in ("github", "text", "markdown"):
        told = call("audit", name, "-f", format).stdout
        assert "RUN-TIME" in told
        assert not set(told) & set("\x1b\x07\u202e\t")


@pytest.mark.parametrize("name", ["a b%20c#d?e.log", "c:d.log", "ä{}|^`<>\"\\.log", "sub/a:b.log", "\udcff.log"])
def test_places_in_sarif_are_references(call: Call, name: str) -> None:
    """RFC 3986: what is no character of a path is percent-encoded, and no first part of a relative path looks like a scheme."""
    Path("sub").mkdir()
    Path(name).write_text(Path(WRONG).read_text())
    sarif = json.loads(call("audit", name, "-f", "sarif").stdout)
    uris = {one["physicalLocation"]["artifactLocation"]["uri"] for result in sarif["runs"][0]["results"] for one in result["locations"]}
    assert len(uris) == 1
    uri = uris.pop()
    assert re.fullmatch(r"(?:[\w.~/-]|%[0-9A-F]{2})+", uri, re.ASCII)
    if name.isprintable():
        assert unquote(uri) == name


def test_findings_of_a_text_without_a_run_are_shown_before_the_error(call: Call) -> None:
    Path("sample.txt").write_text(
        "Requests per second:    500.00 [#/sec] (mean)\nTime per request:       200.000 [ms] (mean)\n"
        "Time per request:       2.000 [ms] (mean, across all concurrent requests)\n"
    )
    result = call("audit", "sample.txt")
    assert result.exit_code == 2
    assert "warning INVENTED: " in result.stdout
    assert "there is no run in the input" in result.stderr
    assert call("audit", "sample.txt", "-f", "github").stdout.startswith("::warning file=sample.txt,line=1,title=INVENTED::")


def test_markdown_is_a_table_whatever_stands_in_it(call: Call) -> None:
    Path("a|b<i>.log").write_text(Path(WRONG).read_text())
    lines = call("audit", "a|b<i>.log", "-f", "markdown").stdout.splitlines()
    assert re.fullmatch(r"(\|:?-+:?){4}\|", lines[1])
    assert [cell.strip() for cell in re.split(r"(?<!\\)\|", lines[2])[1:4]] == [r"a\|b&lt;i&gt;.log:1", "error", "RUN-TIME"]


def test_explain(call: Call) -> None:
    told = call("audit", "--explain", "link-saturated")
    assert told.stdout.startswith("LINK-SATURATED (warning): the network was the limit\n\n")
    assert "What to do:" in told.stdout
    assert "SYN-RETRANSMIT  " in call("audit", "--explain", "all").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "there is nothing to audit"), (("--explain", "x"), "there is no rule 'x'"), ((SEED, "--rule", "x"), "there is no rule 'x'"),
        (("nothing.log",), "there is no such file"), (("prose.txt",), "there is no run in the input"),
    ],
)  # fmt: skip
def test_wrong_usage(call: Call, arguments: tuple[str, ...], message: str) -> None:
    Path("prose.txt").write_text("nothing was measured\n")
    result = call("audit", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "hint: " in result.stderr or "nothing.log" in result.stderr


def test_parse_shows_it_and_stores_nothing(call: Call) -> None:
    result = call("parse", WRONG, "-f", "json")
    assert "error RUN-TIME: throughput 20000.00 does not fit" in result.stderr
    assert json.loads(result.stdout)["runs"][0]["findings"] == []
    assert call("parse", WRONG, "--strict").exit_code == 0, "all of it could be read"
