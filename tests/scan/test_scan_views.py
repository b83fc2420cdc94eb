"""Views: as many as hold reports, and no more than a text can be read through."""

from __future__ import annotations

from pathlib import Path

import pytest

from abcompare.reading import parse
from abcompare.records import Archive, Number
from abcompare.scan import views

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ONE, TWO = ((FIXTURES / "ab" / f"{name}.txt").read_text(encoding="utf-8") for name in ("ab-k", "ab2.2.7-basic"))
LABELS = ("Requests per second", "Complete requests", "Failed requests", "Time taken for tests")


def values(archive: Archive) -> list[dict[str, Number | None]]:
    return [{name: one.value for name, one in run.measures.items()} for run in archive.runs]


def of(service: str, text: str) -> list[str]:
    return [f"{service}  | {line}" for line in text.split("\n")]


def interleaved(*logs: list[str]) -> str:
    longest = max(map(len, logs))
    return "\n".join(log[at] for at in range(longest) for log in logs if at < len(log))


def test_services_that_say_no_numbers_share_a_view() -> None:
    chat = "".join(f"web{at}  | GET / from {at}.example\n" * 3 for at in range(800))
    assert len(views(chat).texts) == 1
    assert len(views(chat + interleaved(of("bench_1", ONE), of("bench_2", TWO))).texts) == 3


def test_services_that_report_are_taken_apart() -> None:
    logs = [of(f"bench_{at}", text) for at, text in enumerate((ONE, TWO))]
    chat = [[f"web_{at} | a line of a server that serves"] * 60 for at in range(3)]
    read = parse(interleaved(chat[0], logs[0], chat[1], logs[1], chat[2]))
    assert values(read) == values(parse(ONE)) + values(parse(TWO))


@pytest.mark.parametrize("count", [80, 800])
def test_no_more_views_than_can_be_read(count: int) -> None:
    services = "".join(f"s{at}  | {label}:   {at + 1}\n" for at in range(count) for label in LABELS)
    table = "\n".join(f"| {label} | {' | '.join(str(at + 100) for at in range(count))} |" for label in LABELS)
    beside = "\n".join(" | ".join(f"{label}:  {at}" for at in range(count)) for label in LABELS)
    assert len(views(services).texts) == 65
    assert len(views(table).texts) == 64
    assert len(views(beside).texts) == min(count, 128)
    assert all(len(view) == len(table) for view in views(table).texts)
    assert views(table).unread == count - 64
    assert views(beside).unread == max(0, count - 128)


@pytest.mark.parametrize(("count", "runs"), [(64, 64), (600, 64)])
def test_columns_that_are_not_read_are_said(count: int, runs: int) -> None:
    rows = ([2000 + 10 * at for at in range(count)], [1000 + at for at in range(count)], [0] * count)
    table = "\n".join(f"| {label} | {' | '.join(map(str, row))} |" for label, row in zip(LABELS, rows, strict=False))
    read = parse("\nResults:\n" + table)
    assert len(read.runs) == runs
    said = [f"at least {count - 64} columns are not read: too many stand beside each other from this line on"] if count > 64 else []
    assert [one.message for one in read.findings if one.code == "COLUMNS"] == said


def test_a_table_of_many_runs() -> None:
    columns = [(2000 + 10 * at, 1000 + at, 0, round((1000 + at) / (2000 + 10 * at), 3)) for at in range(40)]
    rows = zip(LABELS, zip(*columns, strict=True), strict=True)
    read = parse("\n".join(f"| {label} | {' | '.join(map(str, row))} |" for label, row in rows))
    assert [run.value("requests.complete") for run in read.runs] == list(range(1000, 1040))


def test_fragments_are_counted_not_listed() -> None:
    found = parse("Complete requests:      2000\n" * 5_000).findings
    assert [one.code for one in found] == ["FRAGMENT"] * 21
    assert found[-1].message == "4980 more places with numbers, too few for a report"
    assert len(parse("Complete requests:      2000\n" * 20).findings) == 20


@pytest.mark.parametrize("count", [2, 40])
def test_reports_side_by_side_keep_their_rates_and_first_lines(count: int) -> None:
    reports = [ONE.replace("39541.84", f"{39000 + number}.84").split("\n") for number in range(count)]
    width = max(map(len, reports[0])) + 5
    text = "\n".join("".join(line.ljust(width) for line in lines).rstrip() for lines in zip(*reports, strict=True))
    found = parse(text)
    assert [one.value("throughput") for one in found.runs] == [39000.84 + number for number in range(count)]
    assert {one.source.first_line for one in found.runs} == {1}
