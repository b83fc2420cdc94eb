"""The scripted engine: the same numbers each time, from its script, in no time."""

from __future__ import annotations

import pickle
import time
from typing import Any

import pytest

from abcompare import Archive, diff, dumps, loads, parse, render
from abcompare.engines.fake import FakeEngine
from abcompare.errors import EngineError
from abcompare.jobs import Job, Progress
from abcompare.records import Load, Run, Target


def job(body: bytes | None = None, headers: tuple[tuple[str, str], ...] = (), **load: Any) -> Job:
    return Job(target=Target("http", "a.example", 80, "/"), load=Load(**load), body=body, headers=headers)


def values(run: Run, *names: str) -> list[float | int | None]:
    return [run.value(name) for name in names]


def test_a_closed_loop_of_scripted_latencies() -> None:
    run = FakeEngine([0.010, 0.030]).run(job(concurrency=1, requests=100))
    assert values(run, "requests.complete", "duration", "throughput", "latency.mean") == [100, 2.0, 50.0, 0.02]
    assert values(run, "latency.min", "latency.p50", "latency.p75", "latency.max") == [0.01, 0.01, 0.03, 0.03]
    assert run.status_codes == {"200": 100}


def test_concurrency_and_a_time() -> None:
    run = FakeEngine([0.010]).run(job(concurrency=4, duration_s=2))
    assert values(run, "requests.complete", "duration", "throughput") == [800, 2.0, 400.0]


def test_what_is_under_way_when_the_time_is_over_counts_nowhere() -> None:
    run = FakeEngine([0.3]).run(job(concurrency=2, duration_s=1))
    assert values(run, "requests.complete", "duration") == [6, 1.0]


def test_requests_and_a_time_whichever_ends_first() -> None:
    assert values(FakeEngine([0.1]).run(job(requests=5, duration_s=10)), "requests.complete", "duration") == [5, 0.5]
    assert values(FakeEngine([0.1]).run(job(requests=500, duration_s=1)), "requests.complete", "duration") == [10, 1.0]


def test_an_open_loop_counts_from_when_a_request_was_due() -> None:
    stall = [1.0] + [0.001] * 9_999
    run = FakeEngine(stall).run(job(concurrency=1, requests=200, rate_per_s=100))
    assert values(run, "latency.p100", "uncorrected_latency.p99") == [1.0, 0.001]
    assert (run.value("latency.p50") or 0) > 0.01  # those behind the stall waited for it
    assert run.value("uncorrected_latency.p50") == 0.001


def test_failures_and_statuses_by_number() -> None:
    run = FakeEngine([0.01], failures={0: "timeout", 5: "connect", 6: "connect"}, statuses={1: 503}).run(job(requests=10))
    assert values(run, "requests.complete", "requests.failed", "requests.non_2xx", "errors.timeout", "errors.connect") == [7, 3, 1, 1, 2]
    assert run.status_codes == {"200": 6, "503": 1}


def test_nothing_answered_has_no_latencies() -> None:
    run = FakeEngine(failures={0: "connect"}).run(job(requests=1))
    assert run.value("requests.complete") == 0
    assert not [name for name in run.measures if name.startswith("latency")]


def test_the_seed_makes_the_runs() -> None:
    def made(seed: int) -> list[Run]:
        fake = FakeEngine(seed=seed)
        return [fake.run(job(concurrency=10, requests=500)) for _ in range(3)]

    assert made(1) == made(1)
    assert len({run.id for run in made(1) + made(2)}) == 6


def test_the_clock_goes_on_from_run_to_run() -> None:
    fake = FakeEngine([0.01])
    starts = [fake.run(job(requests=100)).started_at for _ in range(3)]
    assert starts == ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z", "2026-01-01T00:00:02.000Z"]


def test_it_takes_no_time_and_says_how_far_it_is() -> None:
    seen: list[Progress] = []
    begun = time.monotonic()
    FakeEngine([0.01]).run(job(duration_s=100), progress=seen.append)
    assert time.monotonic() - begun < 5
    assert [one.elapsed_s for one in seen[:3]] == [0.25, 0.5, 0.75]
    assert (seen[3].complete, len(seen)) == (100, 400)


def test_it_stops() -> None:
    left = iter([False, False, True])
    run = FakeEngine([0.01]).run(job(duration_s=100), stop=lambda: next(left))
    assert not run.complete
    assert [one.code for one in run.findings] == ["RUN-STOPPED"]
    assert run.value("duration") == 0.75


def test_it_refuses() -> None:
    with pytest.raises(EngineError, match="Connection refused"):
        FakeEngine(refusal="a.example:80: Connection refused").run(job(requests=1))
    with pytest.raises(EngineError, match="neither"):
        FakeEngine().run(job())


def test_what_it_gives_is_a_run_like_any_other() -> None:
    sent = (("Authorization", "Basic abc"), ("X-A", "1"))
    made = FakeEngine().run(job(b"body", sent, method="POST", concurrency=2, requests=100))
    assert made.load.request_body_bytes == 4
    assert made.load.headers == {"Authorization": "REDACTED", "X-A": "1"}
    assert loads(dumps(Archive(runs=(made,)))).runs == (made,)
    printed = render(made, "ab")
    assert isinstance(printed, str)
    assert parse(printed).runs[0].value("requests.complete") == 100


def test_twice_as_slow_is_found_by_diff() -> None:
    old, new = FakeEngine(seed=1), FakeEngine(median_s=0.02, seed=2)
    sides = [Archive(runs=tuple(fake.run(job(concurrency=2, requests=2000)) for _ in range(4))) for fake in (old, new)]
    assert "worse" in str(render(diff(*sides)))


def test_it_can_be_sent() -> None:
    fake = pickle.loads(pickle.dumps(FakeEngine([0.01], failures={1: "read"})))
    assert fake.run(job(requests=2)) == FakeEngine([0.01], failures={1: "read"}).run(job(requests=2))
