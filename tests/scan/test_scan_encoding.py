"""Encodings: several in one text, UTF-16 without a mark, at any place of the portions in which a stream is read."""

from __future__ import annotations

import codecs
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abcompare.reading import parse
from abcompare.records import Archive, Number
from abcompare.scan import utf8_stream

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ONE, TWO = ((FIXTURES / "ab" / f"{name}.txt").read_text(encoding="utf-8") for name in ("ab-k", "ab2.2.7-basic"))
THREE = (FIXTURES / "wrk" / "wrk-latency.txt").read_text(encoding="utf-8")
JAPANESE = "日本語のテキストはここにあります。ひらがなとカタカナ、漢字。压力测试结果如下每台服务器运行三次\n" * 40
LE, BE = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE


def values(archive: Archive) -> list[dict[str, Number | None]]:
    return [{name: one.value for name, one in run.measures.items()} for run in archive.runs]


def said(archive: Archive) -> list[str]:
    return [one.message for one in archive.findings if one.code == "ENCODING"]


def test_utf_16_behind_utf_8() -> None:
    at = len(ONE.encode())
    for mark, encoding in ((b"", "utf-16-le"), (LE, "utf-16-le"), (b"", "utf-16-be"), (BE, "utf-16-be")):
        read = parse(ONE.encode() + mark + TWO.encode(encoding))
        assert values(read) == values(parse(ONE)) + values(parse(TWO))
        assert said(read) == [f"several encodings in one text: {encoding} from byte {at + len(mark)} on"]
        first = read.runs[1].source.first_line or 0
        assert first == ONE.count("\n") + (parse(TWO).runs[0].source.first_line or 0)


def test_utf_8_behind_utf_16() -> None:
    for mark, encoding in ((LE, "utf-16-le"), (BE, "utf-16-be")):
        read = parse(mark + ONE.encode(encoding) + TWO.encode())
        assert values(read) == values(parse(ONE)) + values(parse(TWO))
        assert said(read) == [f"several encodings in one text: utf-8 from byte {len(mark) + 2 * len(ONE)} on"]


def test_there_and_back() -> None:
    read = parse(ONE.encode() + TWO.encode("utf-16-le") + THREE.encode())
    assert values(read) == [values(parse(text))[0] for text in (ONE, TWO, THREE)]
    many = parse((ONE.encode() + TWO.encode("utf-16-le")) * 6)
    assert said(many)[0].endswith(" …")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark(encoding: str) -> None:
    read = parse(ONE.encode(encoding))
    assert values(read) == values(parse(ONE))
    assert said(read) == [f"not UTF-8: read as {encoding}, though no byte-order mark says so"]


@pytest.mark.parametrize(("mark", "encoding"), [(LE, "utf-16-le"), (BE, "utf-16-be")])
def test_other_scripts_in_utf_16_are_no_change_of_encoding(mark: bytes, encoding: str) -> None:
    read = parse(mark + (JAPANESE + ONE + JAPANESE).encode(encoding))
    assert values(read) == values(parse(ONE))
    assert said(read) == []


def test_a_change_at_any_place_of_a_portion() -> None:
    for at in range((1 << 16) - 150, (1 << 16) + 80, 3):
        before = ("x" * 99 + "\n") * (at // 100) + "y" * (at % 100) + "\n"
        between = b"\n".join([b"z" * 99] * 300)
        read = parse(before.encode() + ONE.encode("utf-16-le") + between + TWO.encode())
        assert values(read) == values(parse(ONE)) + values(parse(TWO)), at


@given(st.binary(max_size=300), st.sampled_from([1, 5, 70, -1]))
@settings(deadline=None)
def test_bytes_without_zeros_and_marks_stay(data: bytes, size: int) -> None:
    data = b"ab" + data.replace(b"\0", b"")
    stream = utf8_stream(BytesIO(data))
    parts = []
    while part := stream.read(size):
        parts.append(part)
    assert b"".join(parts) == data
    assert all(len(part) == size for part in parts[:-1]) or size < 0


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80), st.sampled_from(["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]))
@settings(deadline=None)
def test_a_marked_text_comes_as_utf_8(text: str, encoding: str) -> None:
    data = ("\ufeff" + text).encode(encoding)
    if encoding == "utf-16-le" and text.startswith("\0"):
        return  # the mark of UTF-32
    assert utf8_stream(BytesIO(data)).read().decode() == text


@given(st.lists(st.sampled_from([b"\0", b"a\0", b"\0a", b"Requests per second: 1\n", b"\n", b"\xff\xfe", "ab: cdefghi jk".encode("utf-16-le")]), max_size=40))
@settings(deadline=None)
def test_any_mixture_is_read_to_its_end(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    whole = utf8_stream(BytesIO(data)).read()
    stream = utf8_stream(BytesIO(data))
    parts = []
    while part := stream.read(7):
        parts.append(part)
    assert bool(whole) == bool(b"".join(parts))
    parse(data)
