"""A comparison as Markdown, CSV, TSV and JSON; calibrations likewise. The same numbers everywhere."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path

import jsonschema
import msgspec
import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

import abcompare
from abcompare import comparison as records
from abcompare.comparison import Comparison
from abcompare.reporters import Style
from abcompare.reporters.comparisons import render_calibrations, render_comparison
from abcompare.schema import _COMPARED, Kind, schema_of, written
from tests.reporters.comparisons import CALIBRATION, FULL, VERDICTS, comparison, row
from tests.reporters.test_comparison_text import NASTY, nasty

ROOT = Path(__file__).resolve().parents[2]
ALL = {"full": FULL, "nasty": nasty(), **{name: comparison(one) for name, one in VERDICTS.items()}}


def drawn(document: Comparison, format: str, style: Style | None = None) -> str:
    data = render_comparison(document, format, style)
    return data.decode() if isinstance(data, bytes) else data


# -- Markdown ----------------------------------------------------------------------------------------------------------


def tables(markdown: str) -> list[list[list[str]]]:
    """The cells of each table, as a GFM renderer reads them."""
    found: list[list[list[str]]] = []
    inside = False
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        inside = token.type in ("th_open", "td_open") or (inside and token.type == "inline")
        if inside and token.type == "inline":
            found[-1][-1].append("".join(child.content for child in token.children or []))
    return found


def test_markdown_is_a_table_in_a_renderer() -> None:
    (scenario, overall) = tables(drawn(FULL, "markdown"))
    assert scenario[0] == ["metric", "better", "aio off (n=5)", "aio on (n=5)", "change", "95 % CI", "test", "verdict"]
    assert scenario[1] == ["throughput", "higher", "100.0/s ±1 %", "34.70/s ±1 %", "−65.3 %", "[−68.1, −62.2]", "p<0.001", "worse"]
    assert scenario[2][6] == "p=0.002*"
    assert [line[0] for line in scenario] == ["metric", "throughput", "p50", "p90", "p99", "latency mean", "max", "failed"]
    assert scenario[-1][2] == "0 of 500 (<0.6 %)"
    assert overall[1][-1] == "worse"


@pytest.mark.parametrize("name", ALL)
def test_every_row_of_markdown_has_every_cell(name: str) -> None:
    found = tables(drawn(ALL[name], "markdown"))
    assert found
    for table in found:
        assert len({len(line) for line in table}) == 1


def test_markdown_shows_what_the_text_shows() -> None:
    html = MarkdownIt("commonmark").enable("table").render(drawn(FULL, "markdown"))
    for said in (
        "<h3>/a.zip c=10</h3>", "<li>p99: 1 % tail of 100 requests is one request</li>", "<p>* Holm-adjusted over 4 secondary metrics of the scenario.<br />\nA p without",
        "<code>VARIES</code>", "0badcafe (logs/x.txt:7): disk was full", "only aio off: /b.tar.gz c=1000 (2 runs)",
        "<p>exit 1: throughput is worse in /a.zip; this gate finds a loss of 9 % or more in 80 % of cases</p>\n",
    ):  # fmt: skip
        assert said in html
    assert html.endswith("in 80 % of cases</p>\n")


def test_markdown_runs_nothing() -> None:
    html = MarkdownIt("commonmark").enable("table").render(drawn(nasty(), "markdown"))
    assert "<script" not in html
    assert "<a " not in html


# -- CSV and TSV -------------------------------------------------------------------------------------------------------


def sheet(document: Comparison) -> list[dict[str, str]]:
    return list(csv.DictReader(drawn(document, "csv").splitlines()))


def test_a_row_a_metric_with_every_number() -> None:
    rows = sheet(FULL)
    assert [one["metric"] for one in rows] == [
        "throughput", "latency.p50", "latency.p90", "latency.p99", "latency.mean", "latency.max", "failed", "throughput", "",
    ]  # fmt: skip
    first = rows[0]
    assert (first["base"], first["new"], first["key.target.path"], first["key.load.concurrency"]) == ("aio off", "aio on", "/a.zip", "10")
    for name, value in (
        ("ratio", "0.347"), ("p", "0.0004"), ("method", "welch-log"), ("df", "7.5"), ("family_size", "1"), ("seed", "0"), ("alpha", "0.05"),
        ("base_n", "5"), ("base_centre", "100.0"), ("verdict", "worse"), ("exit_code", "1"), ("unit", "1/s"), ("size_uncertain", "false"),
        ("base_values", "100.0 100.0 100.0 100.0 100.0"), ("key.load.request_body_bytes", ""),
    ):  # fmt: skip
        assert first[name] == value, name


def test_every_field_of_a_row_has_a_column() -> None:
    head = sheet(FULL)[0].keys()
    missing = {name for name in records.Row.__struct_fields__ if name not in head} - {"base", "new", "effect_sizes"}
    assert not missing


def test_failures_and_loads_without_a_partner_have_rows() -> None:
    failures, _, unpaired = sheet(FULL)[-3:]
    assert (failures["role"], failures["base_failed"], failures["base_requests"], failures["new_high"]) == ("failures", "0", "500", "0.006")
    assert (unpaired["role"], unpaired["base"], unpaired["new"]) == ("unpaired", "aio off", "")
    assert unpaired["reason"] == "no partner; runs: feed0000 feed0001"


@pytest.mark.parametrize("name", ALL)
def test_tsv_holds_the_same_cells(name: str) -> None:
    commas = list(csv.reader(drawn(ALL[name], "csv").splitlines()))
    tabs = [line.split("\t") for line in drawn(ALL[name], "tsv").removesuffix("\n").split("\n")]
    assert tabs == commas
    assert len({len(line) for line in tabs}) == 1


def test_a_spreadsheet_runs_nothing() -> None:
    label = replace(FULL.base, label="=1+1")
    assert sheet(replace(FULL, base=label))[0]["base"] == "'=1+1"


# -- JSON --------------------------------------------------------------------------------------------------------------


@cache
def validator(kind: Kind) -> jsonschema.Draft202012Validator:
    schema = json.loads(written(schema_of(kind)))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("name", [name for name in ALL if name != "nasty"])
def test_json_keeps_to_its_schema_and_reads_back(name: str) -> None:
    document = json.loads(drawn(ALL[name], "json"))
    validator("diff").validate(document)
    assert msgspec.convert(document, Comparison) == ALL[name]


def test_json_names_its_format_first() -> None:
    document = json.loads(drawn(FULL, "json"))
    assert list(document)[:2] == ["schema", "generator"]
    assert document["schema"] == "abcompare.diff/1"
    assert set(document) == set(Comparison.__struct_fields__)


def test_no_bound_is_null() -> None:
    document = json.loads(drawn(comparison(row(ratio_high=float("inf"))), "json"))
    assert document["scenarios"][0]["metrics"][0]["ratio_high"] is None
    validator("diff").validate(document)


@pytest.mark.parametrize("broken", [{}, {"schema": "abcompare.diff/2"}, {"schema": "abcompare.diff/1", "scenarios": {}}])
def test_what_breaks_the_schema(broken: dict[str, object]) -> None:
    document = json.loads(drawn(FULL, "json"))
    assert not validator("diff").is_valid(document | broken if broken else broken)


def test_the_committed_schema_is_the_generated_one() -> None:
    committed = (ROOT / "docs" / "abcompare.diff.schema.json").read_bytes()
    assert committed == written(schema_of("diff")), "out of date: abcompare schema diff > docs/abcompare.diff.schema.json"


@pytest.mark.parametrize("kind", ["diff", "calibration"])
def test_every_key_is_explained(kind: Kind) -> None:
    schema = schema_of(kind)
    assert schema["$id"] == f"urn:abcompare:schema:{kind}:1"
    for name, definition in schema["$defs"].items():
        assert definition["description"]
        for key, described in definition["properties"].items():
            assert described["description"], f"{name}.{key} has no meaning in schema.py"


def test_no_meaning_is_left_over() -> None:
    for name, keys in _COMPARED.items():
        assert set(keys) == set(getattr(records, name).__struct_fields__)


# -- calibrations ------------------------------------------------------------------------------------------------------


def calibrated(format: str) -> str:
    data = render_calibrations([CALIBRATION], format)
    return data.decode() if isinstance(data, bytes) else data


def test_a_calibration_on_a_terminal() -> None:
    lines = calibrated("text").splitlines()
    assert lines[0] == "/a.zip c=10 on 10.0.0.2 (8 runs)"
    assert lines[3].split("  ")[0] == "throughput"
    for said in ("4,216/s", "1.49 %", "[0.99 %, 3.03 %]", "≥ 3.1 %", "≥ 2 %"):
        assert said in lines[3]
    assert "  not steady: the runs drift (p=0.004)" in lines


def test_a_calibration_as_markdown() -> None:
    (table,) = tables(calibrated("markdown"))
    assert table[0] == ["metric", "centre", "CV", "95 % CI", "5 a side detect", "10 a side detect"]
    assert table[2][0] == "p99"


def test_a_calibration_as_json(tmp_path: Path) -> None:
    validator("calibration").validate(json.loads(calibrated("json")))
    (tmp_path / "c.json").write_text(calibrated("json"))
    assert abcompare.load_calibrations(tmp_path / "c.json") == (CALIBRATION,)
    (tmp_path / "one.json").write_bytes(msgspec.json.encode(CALIBRATION))
    assert abcompare.load_calibrations(tmp_path / "one.json") == (CALIBRATION,)


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b"[1]", b'"x"', b"\xff", b'{"schema": "abcompare.calibration/2"}', b"[" * 10_000]
)
def test_what_is_no_calibration(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c.json").write_bytes(content)
    with pytest.raises(abcompare.ArchiveError, match="not a calibration"):
        abcompare.load_calibrations(tmp_path / "c.json")


def test_another_version_of_a_calibration(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_bytes(msgspec.json.encode(replace(CALIBRATION, schema="abcompare.calibration/2")))
    with pytest.raises(abcompare.ArchiveError, match=r"its format is abcompare\.calibration/2"):
        abcompare.load_calibrations(tmp_path / "c.json")


# -- all ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["ndjson", "ab", "pdf"])
def test_formats_of_other_things(format: str) -> None:
    with pytest.raises(abcompare.UsageError, match="of a comparison"):
        abcompare.render(FULL, format)
    with pytest.raises(abcompare.UsageError, match="of a calibration"):
        render_calibrations([CALIBRATION], format)


@pytest.mark.parametrize("name", ["o.md", "o.csv", "o.tsv", "o.json", "o.txt", "o"])
def test_a_comparison_into_a_file(tmp_path: Path, name: str) -> None:
    abcompare.dump(FULL, tmp_path / name)
    formats = {".md": "markdown", ".csv": "csv", ".tsv": "tsv", ".txt": "text"}
    assert (tmp_path / name).read_text(encoding="utf-8") == drawn(FULL, formats.get(Path(name).suffix, "json"))


def test_the_nasty_one_is_nasty() -> None:
    assert NASTY in nasty().base.label
