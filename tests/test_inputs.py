"""Inputs: files, folders, patterns, labels, compression; nothing is left out in silence."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

import abcompare
from abcompare.errors import ArchiveError, InputError, UsageError
from abcompare.inputs import Expanded, Input, contents, expand, load, opened
from abcompare.reading import read_part

AB = Path(__file__).resolve().parents[1] / "fixtures" / "ab"
LOG = (AB / "ab-k.txt").read_bytes()
OTHER = (AB / "ab2.2.7-basic.txt").read_bytes()
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zst": zstandard.ZstdCompressor().compress,
}  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, data: bytes = LOG) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def paths(expanded: Expanded) -> list[str]:
    return [one.path for one in expanded.inputs]


def codes(archive: abcompare.Archive) -> list[str]:
    return [one.code for one in archive.findings]


# -- arguments ---------------------------------------------------------------------------------------------------------


def test_files_keep_their_order() -> None:
    write("b"), write("a")
    assert paths(expand(["b", "a"])) == ["b", "a"]


def test_a_folder_is_walked_in_order_and_what_is_hidden_is_said() -> None:
    for name in ("logs/b.txt", "logs/a.txt", "logs/sub/c.txt", "logs/.git/x", "logs/.hidden", "logs/CVS/Root"):
        write(name)
    found = expand(["logs"])
    assert paths(found) == ["logs/a.txt", "logs/b.txt", "logs/sub/c.txt"]
    assert [(one.code, one.path) for one in found.findings] == [("INPUT-SKIPPED", "logs")]
    assert "3 hidden" in found.findings[0].message
    assert all(one.found for one in found.inputs)


def test_this_folder_needs_no_prefix() -> None:
    write("a")
    assert paths(expand(["."])) == ["a"]


def test_a_loop_of_links_ends() -> None:
    write("logs/a.txt")
    Path("logs/up").symlink_to("..", target_is_directory=True)
    Path("logs/self").symlink_to(".", target_is_directory=True)
    assert paths(expand(["logs"])) == ["logs/a.txt"]


def test_links_to_files_are_read_once() -> None:
    write("a.txt")
    Path("b.txt").symlink_to("a.txt")
    found = expand(["a.txt", "b.txt"])
    assert paths(found) == ["a.txt"]
    assert [(one.code, one.path) for one in found.findings] == [("INPUT-TWICE", "b.txt")]


def test_a_dangling_link_is_an_error() -> None:
    write("logs/a.txt")
    Path("logs/gone").symlink_to("nowhere")
    found = expand(["logs"])
    assert paths(found) == ["logs/a.txt"]
    assert [str(error) for error in found.errors] == ["logs/gone: there is no such file or folder"]


def test_pipes_in_a_folder_are_skipped_and_said() -> None:
    write("logs/a.txt")
    os.mkfifo("logs/pipe")
    found = expand(["logs"])
    assert paths(found) == ["logs/a.txt"]
    assert "not a regular file" in found.findings[0].message


def test_patterns_that_the_shell_left() -> None:
    write("l/b1.txt"), write("l/b2.txt"), write("l/c.log")
    assert paths(expand(["l/b*.txt"])) == ["l/b1.txt", "l/b2.txt"]
    assert paths(expand(["**/*.log"])) == ["l/c.log"]
    assert paths(expand(["l/b[1].txt"])) == ["l/b1.txt"]
    assert paths(expand(["?"])) == ["l/b1.txt", "l/b2.txt", "l/c.log"]
    assert [error.message for error in expand(["no*"]).errors] == ["no file matches this pattern"]


def test_a_file_that_looks_like_a_pattern_is_that_file() -> None:
    write("run[1].txt"), write("run1.txt")
    assert paths(expand(["run[1].txt"])) == ["run[1].txt"]


def test_labels() -> None:
    write("logs/a.txt"), write("b.txt")
    found = expand(["new=logs", "old=b*.txt", "b.txt"], label="rest")
    assert [(one.label, one.path) for one in found.inputs] == [
        ("new", "logs/a.txt"), ("old", "b.txt"), ("rest", "b.txt"),
    ]  # fmt: skip


def test_a_file_of_that_very_name_wins() -> None:
    write("new=a.txt"), write("a.txt")
    assert [(one.label, one.path) for one in expand(["new=a.txt"]).inputs] == [(None, "new=a.txt")]
    write("a=b.txt")
    assert [(one.label, one.path) for one in expand(["x=a=b.txt"]).inputs] == [("x", "a=b.txt")]


def test_a_label_holds_no_separator() -> None:
    errors = expand(["logs/x=a.txt"]).errors
    assert [str(error) for error in errors] == ["logs/x=a.txt: there is no such file or folder"]


def test_a_home_folder_behind_a_label(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.txt")
    monkeypatch.setenv("HOME", str(here))
    assert paths(expand(["new=~/a.txt"])) == [str(here / "a.txt")]


@pytest.mark.parametrize("arguments", [["=a"], ["a="], [""], ["-", "-"], ["x=-", "-"]])
def test_arguments_that_make_no_sense(arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        expand(arguments)


def test_a_name_that_is_too_long_is_an_error() -> None:
    assert "too long" in expand(["x" * 5000]).errors[0].message


def test_names_that_are_not_utf_8_can_be_written() -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    write(name)
    archive = abcompare.parse_files([name])
    assert archive.runs[0].source.path == "caf\\xe9.txt"
    assert abcompare.loads(abcompare.dumps(archive)) == archive


# -- streams -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", COMPRESS)
def test_compressed_files_are_read_directly(kind: str) -> None:
    write(f"a.txt.{kind}", COMPRESS[kind](LOG))
    assert abcompare.parse_file(f"a.txt.{kind}").runs[0].value("requests.complete") == 3000


@pytest.mark.parametrize("kind", COMPRESS)
def test_the_bytes_decide_and_not_the_name(kind: str) -> None:
    write("misnamed.txt", COMPRESS[kind](LOG))
    write("plain.gz", LOG)
    assert len(abcompare.parse_files(["misnamed.txt", "plain.gz"]).runs) == 1


@pytest.mark.parametrize("kind", COMPRESS)
def test_several_members_are_one_stream(kind: str) -> None:
    write("two", COMPRESS[kind](LOG) + COMPRESS[kind](b"\n\n" + OTHER))
    assert [run.tool.version for run in abcompare.parse_file("two").runs] == ["2.3", "2.0.40-dev"]


@pytest.mark.parametrize("kind", COMPRESS)
def test_a_truncated_file_is_a_finding_and_keeps_what_could_be_read(kind: str) -> None:
    noise = bytes(random.Random(1).choices(b"abcdefghij \n", k=900_000))
    whole = COMPRESS[kind](LOG + noise)
    write(f"cut.{kind}", whole[: len(whole) * 9 // 10])
    archive = abcompare.parse_file(f"cut.{kind}")
    broken = [one for one in archive.findings if one.code == "INPUT-BROKEN"]
    assert [one.severity for one in broken] == ["error"]
    assert "end in the middle" in broken[0].message
    if kind != "bz2":  # its blocks are of 900 kB, and the only one is cut
        assert archive.runs[0].value("requests.complete") == 3000


@pytest.mark.parametrize("kind", ["gz", "xz", "bz2"])
def test_a_corrupt_file_is_a_finding(kind: str) -> None:
    whole = bytearray(COMPRESS[kind](LOG))
    whole[len(whole) // 2] ^= 0xFF
    write(f"bad.{kind}", bytes(whole))
    assert "INPUT-BROKEN" in codes(abcompare.parse_file(f"bad.{kind}"))


def test_a_wrong_checksum_is_said_and_the_text_is_kept() -> None:
    whole = bytearray(gzip.compress(LOG))
    whole[-6] ^= 0xFF
    write("sum.gz", bytes(whole))
    archive = abcompare.parse_file("sum.gz")
    assert archive.runs[0].value("requests.complete") == 3000
    assert codes(archive) == ["INPUT-BROKEN"]


def test_padding_behind_a_member_is_no_fault() -> None:
    write("tape.gz", gzip.compress(LOG) + b"\0" * 2000)
    assert codes(abcompare.parse_file("tape.gz")) == []


def test_what_stands_behind_a_member_and_is_none_is_said() -> None:
    write("tail.gz", gzip.compress(LOG) + b"garbage")
    assert codes(abcompare.parse_file("tail.gz")) == ["INPUT-BROKEN"]


def test_a_bomb_goes_off_in_small_portions() -> None:
    write("bomb.gz", gzip.compress(b"\n" * 50_000_000))
    with opened(Path("bomb.gz"), "bomb.gz") as source:
        assert source.inflated is not None
        while source.stream.read(1 << 16):
            assert len(source.inflated._ready) < 1 << 19


def test_a_stream_that_comes_in_drops(monkeypatch: pytest.MonkeyPatch) -> None:
    class Drops(io.RawIOBase):
        left = gzip.compress(LOG)

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            count = min(3, len(buffer), len(self.left))
            buffer[:count] = self.left[:count]
            self.left = self.left[count:]
            return count

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Drops(), 16)))
    assert abcompare.parse_files(["x=-"]).runs[0].label == "x"


def test_standard_input_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="closed"):
        abcompare.parse_files(["-"])


# -- what they hold ----------------------------------------------------------------------------------------------------


def test_archives_and_logs_mixed() -> None:
    abcompare.dump(abcompare.parse(LOG, path="a.log"), "a.json")
    abcompare.dump(abcompare.parse(LOG, path="a.log"), "a.ndjson")
    write("b.log", OTHER)
    archive = abcompare.parse_files(["a.json", "b.log", "a.ndjson"])
    assert [run.source.path for run in archive.runs] == ["a.log", "b.log"]
    assert archive.runs[0].source.copies == ()


def test_an_archive_alone_is_what_it_was() -> None:
    finding = '{"code": "A", "severity": "info", "message": "", "x": 2}'
    text = f'{{"schema": "abcompare/1", "later": 1, "findings": [{finding}]}}'
    write("a.json", text.encode())
    assert abcompare.parse_file("a.json") == abcompare.loads(text)


def test_unknown_keys_of_an_archive_beside_a_log() -> None:
    write("a.json", b'{"schema": "abcompare/1", "later": 1}')
    write("b.log")
    assert abcompare.parse_files(["a.json", "b.log"]).extra == {"later": 1}


def test_keys_in_another_order_are_an_archive_too() -> None:
    import json

    document = json.loads(abcompare.dumps(abcompare.parse(LOG)))
    write("sorted.json", json.dumps(document, sort_keys=True).encode())
    assert len(abcompare.parse_file("sorted.json").runs) == 1


@pytest.mark.parametrize("kind", COMPRESS)
def test_compressed_archives(kind: str) -> None:
    archive = abcompare.parse(LOG)
    write("a", COMPRESS[kind](abcompare.dumps(archive)))
    assert load("a") == archive


@pytest.mark.parametrize("kind", COMPRESS)
def test_a_compressed_archive_that_is_cut(kind: str) -> None:
    archive = abcompare.parse(LOG)
    whole = COMPRESS[kind](abcompare.dumps(archive))
    write("half", whole[: len(whole) // 2])
    with pytest.raises(ArchiveError, match="end in the middle, so the archive in it cannot be read"):
        load("half")
    write("end", whole[:-1])
    try:
        assert [one.code for one in load("end").findings] == ["INPUT-BROKEN"]
    except ArchiveError as error:
        assert "end in the middle" in error.message


def test_labels_of_archives_are_replaced() -> None:
    abcompare.dump(abcompare.parse(LOG, label="x"), "a.json")
    assert abcompare.parse_files(["y=a.json"]).runs[0].label == "y"
    assert abcompare.parse_files(["a.json"]).runs[0].label == "x"


def test_other_json_is_a_text_without_a_report() -> None:
    write("oha.json", b'{"summary": {"total": 1.5}}')
    assert codes(abcompare.parse_file("oha.json")) == ["NO-RESULT"]


def test_a_broken_archive_alone_is_raised_and_among_others_a_finding() -> None:
    write("a.json", b'{"schema": "abcompare/1",\n "runs": [}')
    write("b.log")
    with pytest.raises(ArchiveError) as caught:
        abcompare.parse_files(["a.json"])
    assert str(caught.value.position) == "a.json:2:11"
    archive = abcompare.parse_files(["a.json", "b.log"])
    assert len(archive.runs) == 1
    assert [(one.code, one.severity, one.path, one.line) for one in archive.findings] == [
        ("ARCHIVE-BROKEN", "error", "a.json", 2),
    ]


def test_a_missing_file_alone_is_raised_and_among_others_a_finding() -> None:
    write("b.log")
    with pytest.raises(InputError, match="no such file"):
        abcompare.parse_files(["gone.log"])
    with pytest.raises(InputError, match="no such file"):
        abcompare.parse_file("gone.log")
    archive = abcompare.parse_files(["gone.log", "b.log"])
    assert len(archive.runs) == 1
    assert codes(archive) == ["INPUT-UNREADABLE"]


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    write("secret.log")

    def refuse(self: Path, *args: object, **more: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match="you may not read this file"):
        abcompare.parse_file("secret.log")


def test_a_disk_that_fails_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **more: object) -> None:
        raise OSError(5, "Input/output error")

    file = write("a.log")
    found = list(contents([Input("a.log", file)], fail))  # type: ignore[arg-type]
    assert str(found[0].error) == "a.log: cannot be read: Input/output error"


def test_a_folder_as_a_file() -> None:
    Path("d").mkdir()
    with pytest.raises(InputError, match="this is a folder"):
        abcompare.parse_file("d")


def test_empty_and_binary_files() -> None:
    write("d/empty", b""), write("d/program", b"\x7fELF\0\0\0" + LOG), write("d/image.gz", gzip.compress(b"\0" * 99))
    archive = abcompare.parse_files(["d"])
    assert not archive.runs
    assert [(one.code, one.severity, one.path) for one in archive.findings] == [
        ("NO-RESULT", "warning", "d/empty"), ("INPUT-SKIPPED", "info", "d/image.gz"),
        ("INPUT-SKIPPED", "info", "d/program"),
    ]  # fmt: skip


def test_zero_bytes_in_a_file_that_is_named_are_no_reason_to_skip_it() -> None:
    write("rotated.log", b"\0" * 4096 + LOG)
    assert len(abcompare.parse_files(["rotated.log"]).runs) == 1


def test_a_folder_without_files() -> None:
    Path("d/e").mkdir(parents=True)
    assert [(one.code, one.path) for one in abcompare.parse_files(["d"]).findings] == [("NO-RESULT", "d")]


def test_utf_16_is_text() -> None:
    write("d/powershell.txt", OTHER.decode().encode("utf-16"))
    assert len(abcompare.parse_files(["d"]).runs) == 1


def test_files_that_belong_to_a_report_in_another_file() -> None:
    write("x/report.txt", (AB / "ab-e.txt").read_bytes())
    csv = b"Percentage served,Time in ms\n" + b"".join(b"%d,0.5\n" % percent for percent in range(101))
    write("x/quantiles.csv", csv)
    alone = abcompare.parse_files(["x/quantiles.csv"])
    assert [(run.tool.name, run.label) for run in alone.runs] == [("ab", None)]
    assert [run.label for run in abcompare.parse_files(["old=x/quantiles.csv"]).runs] == ["old"]
    assert [run.label for run in abcompare.parse_files(["old=x/quantiles.csv", "new=x/report.txt"]).runs] == ["new", "old"]


# -- processes ---------------------------------------------------------------------------------------------------------


def test_the_same_for_any_number_of_processes() -> None:
    for number in range(40):
        write(f"d/{number:02}.txt", LOG.replace(b"3000", b"30%02d" % number) if number % 3 else OTHER)
    write("d/bad.json", b'{"schema": "abcompare/1"')
    one, three = abcompare.parse_files(["d"]), abcompare.parse_files(["d"], jobs=3)
    assert one == three
    assert len(one.runs) > 20


def test_standard_input_is_read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.log", OTHER)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG)))
    archive = abcompare.parse_files(["a.log", "-"], jobs=2)
    assert [run.source.path for run in archive.runs] == ["a.log", "-"]


def _dies(stream: object, *, path: str, label: str | None) -> None:
    os._exit(9)


def test_a_process_that_is_killed_is_said() -> None:
    files = [Input(str(name), write(name)) for name in ("a", "b")]
    with pytest.raises(InputError, match="a reading process was killed"):
        list(contents(files, _dies, jobs=2))


def test_parts_are_the_same_in_other_processes() -> None:
    files = [Input(name, write(name, data)) for name, data in (("a", LOG), ("b", OTHER))]
    here_, there = (list(contents(files, read_part, jobs=jobs)) for jobs in (1, 2))
    assert here_ == there
