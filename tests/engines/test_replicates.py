"""Runs that were made one after the other are replicates, even where they print the same numbers."""

from __future__ import annotations

from msgspec.structs import replace

from abcompare import Archive, merge
from abcompare.engines.fake import FakeEngine
from abcompare.jobs import Job
from abcompare.records import Load, Target

JOB = Job(target=Target("http", "a.example", 80, "/"), load=Load(requests=100))


def _archive(count: int) -> Archive:
    fake = FakeEngine([0.01])
    return Archive(runs=tuple(fake.run(JOB) for _ in range(count)))


def test_runs_started_at_different_times_are_no_copies() -> None:
    archive = _archive(3)
    assert len({run.id for run in archive.runs}) == 1
    merged = merge([archive])
    assert merged.runs == archive.runs
    assert merge([archive, merged]).runs == archive.runs  # but the same runs again are


def test_a_copy_that_has_lost_its_start_is_one() -> None:
    archive = _archive(2)
    lost = replace(archive.runs[1], started_at=None, source=replace(archive.runs[1].source, path="copy.txt"))
    merged = merge([archive, Archive(runs=(lost,))])
    assert len(merged.runs) == 2
    assert merged.runs[0].source.copies == (("copy.txt", 0),)
    assert len(merge([Archive(runs=(lost,)), Archive(runs=archive.runs[:1])]).runs) == 1


def test_few_numbers_do_not_matter() -> None:
    runs = tuple(replace(run, measures={"duration": run.measures["duration"]}) for run in _archive(2).runs)
    merged = merge([Archive(runs=runs), Archive(runs=runs)])
    assert merged.runs == runs
