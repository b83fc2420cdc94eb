"""The 17 runs of the five archived articles that the project starts from, every value."""

from __future__ import annotations

import csv
import os
from io import BytesIO
from pathlib import Path

import pytest

from abcompare.reading import parse, read_part, settle
from abcompare.records import Archive, Run

SEEDS = Path(__file__).parents[1] / "fixtures" / "seeds"
SHARED = Path(os.environ.get("ABCOMPARE_SHARED", Path(__file__).parents[2] / "shared")) / "logs" / "seeds"
FOLDERS = [SEEDS, *([SHARED] if SHARED.is_dir() else [])]

_COLUMNS = {  # column → measure, and how many of the column's units make a base unit
    "document_length": ("document_length", 1), "duration_true": ("duration", 1), "complete": ("requests.complete", 1),
    "failed": ("requests.failed", 1), "bytes_received": ("bytes.received", 1), "bytes_body": ("bytes.body", 1),
    "throughput": ("throughput", 1), "closed_loop_mean_ms": ("latency.closed_loop_mean", 1000),
    "total_min": ("latency.min", 1000), "total_mean": ("latency.mean", 1000), "total_sd": ("latency.sd", 1000),
    "total_median": ("latency.median", 1000), "total_max": ("latency.max", 1000), "p50": ("latency.p50", 1000),
    "p99": ("latency.p99", 1000), "p100": ("latency.p100", 1000),
}


def _read(folder: Path) -> Archive:
    return settle([read_part(BytesIO(path.read_bytes()), path=path.name) for path in sorted(folder.glob("*.txt"))])


def _rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "INDEX.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return sorted(rows, key=lambda row: (row["file"], int(row["run"])))


def _differences(row: dict[str, str], run: Run) -> list[str]:
    got: dict[str, object] = {
        "server": run.target.server_software, "port": run.target.port, "path": run.target.path,
        "concurrency": run.load.concurrency, "copies": 1 + len(run.source.copies),
        "duration_printed": run.measures["duration"].text, "command": run.command,
    }
    wrong = [f"{name}: {got[name]!r}, not {row[name]!r}" for name in got if row[name] != "-" and str(got[name]) != row[name]]
    for column, (name, per) in _COLUMNS.items():
        value = run.value(name)
        wanted = None if row[column] == "-" else float(row[column])
        if (value is None) != (wanted is None) or (wanted is not None and value != pytest.approx(wanted / per, rel=1e-12)):
            wrong.append(f"{name}: {value}, not {wanted}")
    rate = run.value("transfer_rate.received")
    if rate != pytest.approx(float(row["transfer_rate_kb"]) * 1024, rel=1e-12):
        wrong.append(f"transfer_rate: {rate}")
    return wrong


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_the_seventeen_runs(folder: Path) -> None:
    runs = list(_read(folder).runs)
    rows = _rows(folder)
    assert [run.source.path for run in runs] == [row["file"] for row in rows]
    assert [wrong for row, run in zip(rows, runs, strict=True) for wrong in _differences(row, run)] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_an_article_without_a_report_is_a_finding(folder: Path) -> None:
    archive = _read(folder)
    assert [one.code for one in archive.findings] == ["NO-RESULT"]


def test_the_duration_that_lost_its_zero() -> None:
    runs = parse((SEEDS / "apache.txt").read_bytes()).runs
    apache = next(run for run in runs if run.value("requests.complete") == 39842)
    assert apache.measures["duration"].value == 60.074169
    assert apache.measures["duration"].text == "60.74169"
    finding = next(one for one in apache.findings if one.code == "AB-TIME-PADDING")
    assert (finding.severity, finding.printed, finding.value) == ("corrected", "60.74169", 60.074169)
    assert "663.21" in finding.message


def test_one_line_reports_have_every_field() -> None:
    runs = parse((SEEDS / "apache.txt").read_bytes()).runs
    assert [len(run.measures) for run in runs] == [40, 40, 40, 40]  # 11 lines, 4 rows of 5, 9 percentiles
