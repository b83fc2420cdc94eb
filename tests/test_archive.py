"""Archives: what is written reads back the same, unknown keys included; what is broken is said with its place."""

from __future__ import annotations

import codecs
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import abcompare
from abcompare.errors import ArchiveError
from abcompare.records import Archive, Run, Source
from tests.reporters.archives import ARCHIVES, NUMBER, RUNS, TEXT

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"

JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)


@given(ARCHIVES)
@settings(deadline=None)
def test_an_archive_reads_back_the_same(archive: Archive) -> None:
    assert abcompare.loads(abcompare.dumps(archive)) == archive


@given(st.lists(RUNS, max_size=3).map(tuple))
@settings(deadline=None)
def test_lines_read_back_the_same(runs: tuple[Run, ...]) -> None:
    lines = abcompare.dump_lines(Archive(runs=runs))
    assert len(lines.splitlines()) == len(runs)
    assert abcompare.loads(lines).runs == runs


def places(document: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The objects of an archive whose keys are fields: where a later version may add one."""
    found = [path] if isinstance(document, dict) and path[-1:] not in (("headers",), ("measures",), ("series",)) else []
    items = enumerate(document) if isinstance(document, list) else ()
    for key, value in document.items() if isinstance(document, dict) else items:
        if key not in ("status_codes", "histograms", "series", "host"):
            found += places(value, (*path, key))
    return found


@given(ARCHIVES, JSON, st.randoms())
@settings(deadline=None)
def test_unknown_keys_survive_at_any_depth(archive: Archive, value: Any, random: Any) -> None:
    document = json.loads(abcompare.dumps(archive))
    for path in places(document):
        if random.random() < 0.5:
            place = document
            for key in path:
                place = place[key]
            place["a_later_key"] = value
    loaded = abcompare.loads(json.dumps(document))
    assert json.loads(abcompare.dumps(loaded)) == document


def test_unknown_metrics_and_units_survive() -> None:
    measure = {"value": 3.5, "unit": "W", "text": "3.5", "resolution": 0.05, "sampled": True}
    run = {"id": "a", "tool": {"name": "x"}, "source": {"path": "p"}, "measures": {"gpu.watts": measure}}
    loaded = abcompare.loads(json.dumps({"schema": "abcompare/1", "runs": [run]}))
    assert loaded.runs[0].value("gpu.watts") == 3.5
    again = json.loads(abcompare.dumps(loaded))
    assert again["runs"][0]["measures"]["gpu.watts"] == measure


def test_unknown_keys_survive_the_loss_of_their_neighbours() -> None:
    finding = {"code": "A", "severity": "info", "message": "m", "later": 1}
    run = {"id": "a", "tool": {"name": "x"}, "source": {"path": "p"}, "findings": [finding], "later": 2}
    loaded = abcompare.loads(json.dumps({"schema": "abcompare/1", "runs": [run]}))
    bare = msgspec.structs.replace(loaded, runs=(msgspec.structs.replace(loaded.runs[0], findings=()),))
    assert json.loads(abcompare.dumps(bare))["runs"][0]["later"] == 2


def test_a_key_called_extra_stays_where_it_is() -> None:
    for value in ({"a": 1}, [1], "x", {}):
        run = {"id": "a", "tool": {"name": "x"}, "source": {"path": "p"}, "extra": value}
        again = json.loads(abcompare.dumps(abcompare.loads(json.dumps({"schema": "abcompare/1", "extra": value, "runs": [run]}))))
        assert again["extra"] == again["runs"][0]["extra"] == value
        assert "a" not in again
        lines = abcompare.dump_lines(abcompare.loads(json.dumps(run | {"measures": {}})))
        assert json.loads(lines)["extra"] == value
        foreign = abcompare.loads(json.dumps({"schema": "abcompare/1", "extra": value, "runs": []}))
        assert json.loads(abcompare.dumps(abcompare.merge([foreign, Archive()])))["extra"] == value


def test_a_resolution_below_zero_is_refused() -> None:
    measure = {"value": 1, "unit": "s", "text": "1", "resolution": -0.5}
    run = {"id": "a", "tool": {"name": "x"}, "source": {"path": "p"}, "measures": {"duration": measure}}
    with pytest.raises(ArchiveError, match=r"`float` >= 0.*resolution"):
        abcompare.loads(json.dumps({"schema": "abcompare/1", "runs": [run]}))


@pytest.mark.parametrize("schema", ["abcompare/1.1", "abcompare/1.12", "abcompare/1.0.3"])
def test_a_later_version_of_this_format_is_read_and_stays_one(schema: str) -> None:
    document = {"schema": schema, "runs": [{"id": "a", "tool": {"name": "x"}, "source": {"path": "p"}, "later": 1}]}
    again = json.loads(abcompare.dumps(abcompare.loads(json.dumps(document))))
    assert again["schema"] == schema
    assert again["runs"][0]["later"] == 1


@pytest.mark.parametrize("schema", ["abcompare/2", "abcompare/0", "abcompare/11", "abcompare/1.", "abcompare/1x", "abcompare/2.1"])
def test_another_version_is_refused(schema: str) -> None:
    with pytest.raises(ArchiveError, match=f"this archive is {re.escape(schema)}") as caught:
        abcompare.loads(json.dumps({"schema": schema, "runs": []}), path="a.json")
    assert str(caught.value.position) == "a.json"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (b'{"schema": "abcompare/1",\n "runs": [}', "a.json:2:11"),
        (b'{"schema": "abcompare/1",\n "runs": [', "a.json:2:11"),
        (b'{"schema": "abcompare/1", "generator": "\xff"}', "a.json:1:41"),
        ('{"schema": "abcompare/1", "é": x}'.encode(), "a.json:1:32"),
        (b'{"id":"a","tool":{"name":"x"},"source":{"path":"p"},"measures":{}}\n{"id": ,}\n', "a.json:2:8"),
        (b"[", "a.json:1:2"),
    ],
)
def test_broken_json_is_said_with_its_place(text: bytes, where: str) -> None:
    with pytest.raises(ArchiveError, match="not valid JSON") as caught:
        abcompare.loads(text, path="a.json")
    assert str(caught.value.position) == where


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1, 2]", "not an archive"),
        ('{"some": "json"}', "not an archive"),
        ('{"schema": 3}', "not an archive"),
        ('{"schema": "abcompare/1", "runs": {}}', '"runs" is not a list'),
        ('{"schema": "abcompare/1", "runs": [{"id": 3}]}', "Expected `str`, got `int`"),
        ('{"schema": "abcompare/1", "findings": 3}', "Expected `array`"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_archive_is_refused(text: str, said: str) -> None:
    with pytest.raises(ArchiveError, match=re.escape(said)):
        abcompare.loads(text)


@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf", abcompare.dump_lines(Archive())])
def test_lines_of_no_run_are_an_archive_without_runs(data: bytes) -> None:
    assert abcompare.loads(data) == Archive()


@given((st.binary(max_size=60) | TEXT).filter(lambda data: data.strip() not in ("", b"", "\ufeff", codecs.BOM_UTF8)))
@settings(deadline=None)
def test_anything_else_is_an_archive_error(data: bytes | str) -> None:
    with pytest.raises(ArchiveError):
        abcompare.loads(data)


def test_a_byte_order_mark_is_no_fault() -> None:
    assert abcompare.loads(b'\xef\xbb\xbf{"schema": "abcompare/1"}') == Archive()


# -- merging -----------------------------------------------------------------------------------------------------------


def logs(*names: str) -> Archive:
    return abcompare.parse_files([FIXTURES / "ab" / f"{name}.txt" for name in names])


def test_merging_an_archive_with_itself_changes_nothing() -> None:
    archive = logs("ab-k", "ab-dyn", "ab2.2.7-basic")
    assert abcompare.merge([archive]) == archive
    assert abcompare.merge([archive, archive]) == archive


def test_few_numbers_that_agree_stay_apart_once_and_for_all() -> None:
    few = "Requests per second:    100.00 [#/sec] (mean)\nConcurrency Level:      5\nComplete requests:      10\n"
    both = abcompare.merge([abcompare.parse(few, path="a"), abcompare.parse(few, path="b")])
    assert [run.source.path for run in both.runs] == ["a", "b"]
    assert [one.code for one in both.runs[1].findings] == ["MAYBE-DUPLICATE"]
    assert abcompare.merge([both, both]) == both


def test_a_copy_takes_its_place_among_the_copies_once() -> None:
    text = (FIXTURES / "ab/ab-k.txt").read_text()
    first, second = abcompare.parse(text, path="a"), abcompare.parse(text, path="b")
    merged = abcompare.merge([first, second, second])
    assert merged.runs[0].source.copies == (("b", 1),)
    found = merged.runs[0].findings
    assert [(one.code, one.severity, one.path) for one in found] == [("DUPLICATE", "info", "b")]
    assert " numbers of a:1 stand again at b:1: a copy is not a replicate" in found[0].message


def test_a_copy_that_names_another_target_is_a_warning() -> None:
    text = (FIXTURES / "ab/ab-k.txt").read_text()
    first = abcompare.parse(text, path="a")
    target = msgspec.structs.replace(first.runs[0].target, host="other.test", port=None)
    second = msgspec.structs.replace(first.runs[0], target=target, source=Source("b", 7))
    found = abcompare.merge([first, Archive(runs=(second,))]).runs[0].findings[-1]
    assert (found.code, found.severity, found.line) == ("DUPLICATE", "warning", 7)
    assert f"the targets differ (host {first.runs[0].target.host} and other.test)" in found.message


def test_a_copy_lends_its_label_and_a_second_label_is_a_warning() -> None:
    text = (FIXTURES / "ab/ab-k.txt").read_text()
    bare, old, new = (abcompare.parse(text, path=name or "x", label=name) for name in (None, "old", "new"))
    assert abcompare.merge([bare, old]).runs[0].label == "old"
    clash = abcompare.merge([old, new]).runs[0]
    assert clash.label == "old"
    assert "its label 'new' is dropped" in clash.findings[-1].message
    assert clash.findings[-1].severity == "warning"


def test_merging_keeps_unknown_keys_of_archives() -> None:
    one, two = (abcompare.loads(json.dumps({"schema": "abcompare/1", "later": n, f"k{n}": n})) for n in (1, 2))
    assert abcompare.merge([one, two]).extra == {"later": 1, "k1": 1, "k2": 2}


# -- the public names --------------------------------------------------------------------------------------------------


def test_every_public_name_is_there() -> None:
    for name in abcompare.__all__:
        assert getattr(abcompare, name) is not None
    assert dir(abcompare) == abcompare.__all__


def test_a_name_that_is_none() -> None:
    with pytest.raises(AttributeError, match="module 'abcompare' has no attribute 'nonsense'"):
        abcompare.nonsense  # noqa: B018


def test_every_error_is_public() -> None:
    from abcompare import errors

    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(value, errors.AbcompareError):
            assert getattr(abcompare, name) is value
