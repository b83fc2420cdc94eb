"""For machines: CSV and TSV in base units, JSON that reads back, and files that are whole or not there."""

from __future__ import annotations

import csv
import io
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import abcompare
from abcompare.errors import OutputError, PluginError, UsageError
from abcompare.records import Archive, Measure, Run, Source, Tool
from abcompare.reporters import Style, formats, reporter
from abcompare.reporters.files import format_of, write
from tests.reporters.archives import ARCHIVES

AB = Path(__file__).resolve().parents[2] / "fixtures" / "ab"


@pytest.fixture
def archive() -> Archive:
    return abcompare.parse_files([AB / "ab-k.txt", AB / "ab-https-name.txt", AB / "ab2.2.7-basic.txt"])


def rows_of(archive: Archive, name: str) -> list[dict[str, str]]:
    text = abcompare.render(archive, name)
    assert isinstance(text, str)
    if name == "csv":
        return list(csv.DictReader(io.StringIO(text)))
    head, *rows = (line.split("\t") for line in text.splitlines())
    return [dict(zip(head, row, strict=True)) for row in rows]


# -- CSV and TSV -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["csv", "tsv"])
def test_every_number_reads_back(archive: Archive, name: str) -> None:
    rows = rows_of(archive, name)
    assert len(rows) == len(archive.runs)
    for run, row in zip(archive.runs, rows, strict=True):
        for metric, measure in run.measures.items():
            assert float(row[metric]) == measure.value
        unprinted = set(row) - set(run.measures)
        assert {row[key] for key in unprinted if key.startswith("latency.")} <= {""}
        assert row["id"] == run.id
        assert int(row["line"]) == run.source.first_line
        assert row["target.host"] == run.target.host
        assert row["load.concurrency"] == str(run.load.concurrency)
        assert row["load.keep_alive"] == ("true" if run.load.keep_alive else "false")


def test_the_columns_that_are_always_there_and_their_order(archive: Archive) -> None:
    columns = list(rows_of(archive, "csv")[0])
    assert columns[:7] == ["id", "label", "tool", "version", "path", "line", "copies"]
    assert "target.tls.protocol" in columns
    assert columns.index("duration") < columns.index("throughput") < columns.index("latency.p50")
    ladder = [column for column in columns if column.startswith("latency.p") and column[9:].isdigit()]
    assert ladder == [f"latency.p{step}" for step in (50, 66, 75, 80, 90, 95, 98, 99, 100)]


def test_metrics_of_later_versions_are_columns_too() -> None:
    run = Run(id="x", tool=Tool("x"), source=Source("-"), measures={"gpu.watts": Measure(3.5, "W", "3.5", None)})
    row = rows_of(Archive(runs=(run,)), "csv")[0]
    assert row["gpu.watts"] == "3.5"
    assert row["path"] == "-"


def test_commas_and_quotes_in_a_cell() -> None:
    run = Run(id="x", tool=Tool("x"), source=Source("a,b.txt"), command='ab -H "A: b" h')
    for name in ("csv", "tsv"):
        row = rows_of(Archive(runs=(run,)), name)[0]
        assert (row["path"], row["command"]) == ("a,b.txt", 'ab -H "A: b" h')


# -- JSON --------------------------------------------------------------------------------------------------------------


def test_json_reads_back(archive: Archive) -> None:
    assert abcompare.loads(abcompare.render(archive, "json")) == archive
    assert abcompare.loads(abcompare.render(archive, "ndjson")).runs == archive.runs
    assert abcompare.loads(abcompare.render(archive.runs[0], "json")).runs == archive.runs[:1]


# -- formats -----------------------------------------------------------------------------------------------------------


def test_every_format_has_its_name_and_draws(archive: Archive) -> None:
    for name in formats():
        assert reporter(name).name == name
        assert abcompare.render(archive, name)
        assert abcompare.render(archive.runs[0], name)


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.json", "json"), ("a.NDJSON", "ndjson"), ("a.jsonl", "ndjson"), ("a.csv", "csv"), ("a.tsv", "tsv"),
        ("a.md", "markdown"), ("a.txt", "text"), ("a", "json"), ("x.d/a", "json"),
    ],
)  # fmt: skip
def test_the_suffix_decides(name: str, format: str) -> None:
    assert format_of(Path(name)) == format


def test_a_suffix_that_is_no_formats() -> None:
    with pytest.raises(UsageError, match=r"the suffix \.xlsx of a\.xlsx"):
        format_of(Path("a.xlsx"))


def test_a_format_that_is_none(archive: Archive) -> None:
    with pytest.raises(UsageError, match="there is no format 'pdf'") as caught:
        abcompare.render(archive, "pdf")
    assert "markdown" in (caught.value.hint or "")


class Entry:
    """An entry point of a third party."""

    name = "shout"
    dist = None

    def __init__(self, fails: bool) -> None:
        self.fails = fails

    def load(self) -> object:
        if self.fails:
            raise ImportError("no module named shouting")

        class Shout:
            name, suffix = "shout", ".loud"

            def render(self, document: object, style: object) -> str:
                return "RUNS!"

        return Shout()


def test_third_parties(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    fails = False
    monkeypatch.setattr(metadata, "entry_points", lambda **selected: [Entry(fails)])
    assert "shout" in formats()
    assert abcompare.render(archive, "shout") == "RUNS!"
    fails = True
    with pytest.raises(PluginError, match="the reporter shout does not load: no module"):
        abcompare.render(archive, "shout")


# -- files -------------------------------------------------------------------------------------------------------------


def test_dump_and_load(archive: Archive, tmp_path: Path) -> None:
    for name in ("a.json", "a"):
        abcompare.dump(archive, tmp_path / name)
        assert abcompare.load(tmp_path / name) == archive
    abcompare.dump(archive, str(tmp_path / "a.csv"))
    assert (tmp_path / "a.csv").read_text() == abcompare.render(archive, "csv")
    abcompare.dump(Archive(), tmp_path / "a.json")
    assert abcompare.load(tmp_path / "a.json") == Archive()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.csv", "a.json"]


def test_the_umask_counts_and_a_mode_is_kept(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write(tmp_path / "a", b"1", replace=False)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640
    (tmp_path / "a").chmod(0o604)
    write(tmp_path / "a", b"2", replace=True)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o604


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", b"new", replace=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_file_that_exists_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with pytest.raises(OutputError, match="exists"):
        write(tmp_path / "a", b"new", replace=False)
    assert (tmp_path / "a").read_text() == "old"


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="this is a folder"):
        write(tmp_path, b"", replace=True)
    with pytest.raises(OutputError, match="there is no folder"):
        write(tmp_path / "no" / "a", b"", replace=True)


@pytest.mark.parametrize("fault", ["fsync", "replace"])
def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "a").write_text("old")
    monkeypatch.setattr(*((os, "fsync") if fault == "fsync" else (Path, "replace")), full)
    with pytest.raises(OutputError, match="cannot be written: No space left on device"):
        write(tmp_path / "a", b"new", replace=True)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "old")]


def test_devices_are_written_to_and_not_replaced() -> None:
    write(Path("/dev/null"), b"x", replace=False)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(OutputError, match="No space left"):
        write(Path("/dev/full"), b"x", replace=False)


@pytest.mark.parametrize("name", sorted(formats()))
@given(ARCHIVES, st.sampled_from([None, 20, 80]))
@settings(deadline=None, max_examples=25)
def test_every_archive_can_be_drawn(name: str, archive: Archive, width: int | None) -> None:
    for document in (archive, *archive.runs):
        try:
            drawn = abcompare.render(document, name, Style(width, explain=True))
        except UsageError as error:
            assert "has nothing that" in error.message
            continue
        if isinstance(drawn, str):
            drawn.encode()
