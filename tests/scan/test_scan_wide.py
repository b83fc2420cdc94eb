"""Windows of a long text: what belongs to a report is in its window, however wide its lines are."""

from __future__ import annotations

import json
from io import BytesIO

import pytest

from abcompare.reading import parse
from abcompare.scan import windows
from abcompare.scan.find import LARGEST, Words
from tests.golden import FIXTURES


@pytest.mark.parametrize("pad", [50, 300, 900])
def test_rows_of_a_log_whose_lines_are_wide(pad: int) -> None:
    """A container's log in a long text: the rows below the last label are further from it than in a narrow one."""
    report = (FIXTURES / "ab" / "ab-k.txt").read_text()
    log = "".join(json.dumps({"log": f"{line}\n", "labels": "x" * pad}) + "\n" for line in report.splitlines())
    prose = "nothing of note on this line of prose\n" * 3000
    (run,) = parse(prose + log + prose).runs
    assert len(run.measures) == len(parse(report).runs[0].measures)


@pytest.mark.parametrize("count", [16, 30, 64])
def test_many_reports_beside_one_another(count: int) -> None:
    report = (FIXTURES / "ab" / "ab-k.txt").read_text().rstrip("\n").split("\n")
    width = max(map(len, report)) + 4
    page = "\n".join("".join(line.replace("39541.84", f"395{at:02d}.84").ljust(width) for at in range(count)) for line in report)
    archive = parse(page)
    whole = len(parse("\n".join(report)).runs[0].measures)
    assert [len(run.measures) for run in archive.runs] == [whole] * count
    assert archive.findings == ()


def test_a_line_without_end_is_read_in_bounded_windows() -> None:
    text = b"Complete requests: 1 " + b"x" * 3_000_000 + b" Complete requests: 2 " + b"y" * 3_000_000
    found = list(windows(BytesIO(text), Words(["Complete"], ["This is"])))
    assert sum(len(one.data) for one in found) < 3 * LARGEST
