"""run and rerun: order, progress, stopping, findings; and that no archived host is ever contacted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import abcompare
from abcompare import Archive, Job, Progress, Run, Source, Target, Tool, UsageError, running
from abcompare.engines.fake import FakeEngine
from abcompare.errors import EngineError
from abcompare.records import Load
from abcompare.running import Step
from tests.loopback import no_network, serving

SEEDS = Path(__file__).parents[1] / "fixtures" / "seeds"
URL = "http://127.0.0.1:8080/"


@dataclass
class Recorder:
    """An engine that writes down its jobs; the run of number `fails` (from 1) cannot be made."""

    name: str = "recorder"
    capabilities: frozenset[str] = FakeEngine.capabilities
    fails: int = 0
    jobs: list[Job] = field(default_factory=list)
    inner: FakeEngine = field(default_factory=FakeEngine)

    def run(self, job: Job, *, progress: Callable[[Progress], None] | None = None, stop: Callable[[], bool] | None = None) -> Run:
        self.jobs.append(job)
        if len(self.jobs) == self.fails:
            raise EngineError("it broke")
        return self.inner.run(job, progress=progress, stop=stop)


def archived(target: Target | None = None, id: str = "c0ffee00", **load: Any) -> Archive:
    asked = Load(**{"method": "GET", "concurrency": 2, "requests": 20, "keep_alive": False, "http_version": "1.0", **load})
    one = Run(id=id * 2, tool=Tool("ab"), source=Source("a.log", 1), target=target or Target("http", "10.0.0.5", 80, "/a"), load=asked)
    return Archive(runs=(one,))


# -- run ---------------------------------------------------------------------------------------------------------------


def test_runs_have_their_order_label_and_start() -> None:
    made = abcompare.run(URL, engine=FakeEngine(), requests=100, concurrency=5, runs=3, label="new")
    assert [(one.order, one.label, one.started_at is not None) for one in made.runs] == [(1, "new", True), (2, "new", True), (3, "new", True)]
    assert len({one.started_at for one in made.runs}) == 3
    assert abcompare.loads(abcompare.dumps(made)) == made


def test_a_job_and_its_twin_are_one() -> None:
    job = abcompare.job(URL, requests=100, concurrency=5)
    assert abcompare.run(job, engine=FakeEngine()) == abcompare.run(URL, engine=FakeEngine(), requests=100, concurrency=5)
    assert abcompare.run(job, engine=FakeEngine(), concurrency=7).runs[0].load.concurrency == 7


@pytest.mark.parametrize(("able", "version", "keep_alive"), [(("http/1.0", "http/1.1"), "1.0", False), (("http/1.1", "keep-alive"), "1.1", True)])
def test_what_nothing_asks_for_is_the_engines(able: tuple[str, ...], version: str, keep_alive: bool) -> None:
    engine = Recorder(capabilities=frozenset({*able, "requests"}))
    abcompare.run(URL, engine=engine, requests=1)
    assert (engine.jobs[0].load.http_version, engine.jobs[0].load.keep_alive) == (version, keep_alive)


def test_what_an_engine_cannot_do_is_said_before_anything_is_made() -> None:
    engine = Recorder(capabilities=frozenset({"requests", "http/1.0"}))
    for options in ({"rate": 5}, {"duration": 5}, {"http": "2"}, {"keep_alive": True}, {"body": "x"}, {"warmup": "1s"}, {"header": "A: b"}):
        with pytest.raises(EngineError, match="recorder cannot do"):
            abcompare.run(URL, engine=engine, **options)
    assert engine.jobs == []


def test_progress_says_which_run() -> None:
    seen: list[tuple[Step, Progress]] = []
    abcompare.run(URL, engine=FakeEngine([0.1]), requests=10, runs=2, progress=lambda step, told: seen.append((step, told)))
    assert {(step.number, step.total, step.job.load.requests) for step, _ in seen} == {(1, 2, 10), (2, 2, 10)}


def test_stopping_keeps_the_run_under_way_and_makes_no_more() -> None:
    asked = iter([False, False, False, True])  # before the first run, then twice within it
    made = abcompare.run(URL, engine=FakeEngine([0.1]), requests=100, runs=5, stop=lambda: next(asked, True))
    assert [one.complete for one in made.runs] == [False]
    assert made.runs[0].value("requests.complete")


def test_finished_runs_are_handed_on_before_a_later_one_fails() -> None:
    kept: list[Run] = []
    with pytest.raises(EngineError, match="it broke"):
        abcompare.run(URL, engine=Recorder(fails=3), requests=10, runs=5, each=kept.append)
    assert [one.order for one in kept] == [1, 2]


def test_like_a_command_line() -> None:
    engine = Recorder()
    made = running.run(like="wrk -t2 -c4 -d3s -s a.lua -H 'Cookie: a=b' http://127.0.0.1:9/x", engine=engine, duration="1s", header="X-A: 1")
    assert engine.jobs[0].headers == (("Cookie", "a=b"), ("X-A", "1"))
    assert (engine.jobs[0].target.port, engine.jobs[0].load.duration_s, engine.jobs[0].load.concurrency) == (9, 1, 4)
    assert [(one.code, one.message.split(":")[0]) for one in made.findings] == [("NOT-REPRODUCED", "script")]
    assert made.runs[0].load.headers == {"Cookie": "REDACTED", "X-A": "1"}


def test_like_with_another_url() -> None:
    engine = Recorder()
    running.run("http://127.0.0.1:7/y", like="ab -n 5 -c 5 http://a.example/x", engine=engine)
    assert engine.jobs[0].target == Target("http", "127.0.0.1", 7, "/y")


def test_unknown_engines_and_options() -> None:
    wrong: tuple[dict[str, Any], ...] = ({"engine": "none"}, {"engine": FakeEngine(), "runs": 0}, {"engine": FakeEngine(), "nonsense": 1})
    for options in wrong:
        with pytest.raises(UsageError):
            abcompare.run(URL, **options)
    with pytest.raises(UsageError):
        abcompare.run(abcompare.job(URL), like="ab http://127.0.0.1/")


# -- rerun -------------------------------------------------------------------------------------------------------------


def test_runs_are_made_in_rounds_and_know_what_they_repeat() -> None:
    both = Archive(runs=(*archived().runs, *archived(id="beef0000", requests=30).runs))
    made = abcompare.rerun(both, target=URL, engine=FakeEngine(), runs=2)
    assert [(one.order, one.load.requests) for one in made.runs] == [(1, 20), (2, 30), (3, 20), (4, 30)]
    assert [one.extra["rerun_of"] for one in made.runs if one.extra] == [*(["c0ffee00" * 2, "beef0000" * 2] * 2)]
    assert abcompare.loads(abcompare.dumps(made)) == made


def test_findings_are_one_a_kind_with_the_runs() -> None:
    runs = (*archived(id="aaaaaaaa", method=None).runs, *archived(id="bbbbbbbb", method=None).runs, *archived(id="cccccccc", headers={"Cookie": "REDACTED"}).runs)
    made = abcompare.rerun(Archive(runs=runs), target=URL, engine=FakeEngine(), scale="0.5")
    assert [(one.code, one.severity, one.message) for one in made.findings] == [
        ("NOT-REPRODUCED", "warning", "method: the log does not tell it: GET is sent (runs aaaaaaaa, bbbbbbbb)"),
        ("NOT-REPRODUCED", "warning", "header Cookie: its value was hidden when the log was read: it is not sent; --header gives it (run cccccccc)"),
        ("SCALED", "info", "--scale 0.5: 10 requests in place of 20 (all 3 runs)"),
    ]


def test_what_is_given_anew_is_reproduced() -> None:
    one = archived(method="POST", request_body_bytes=3, headers={"Authorization": "REDACTED", "Cookie": "REDACTED"})
    engine = Recorder()
    made = abcompare.rerun(one, target=URL, engine=engine, header=["Cookie: a=b"], user="me:pw", body=b"123", label="now")
    assert made.findings == ()
    assert (engine.jobs[0].user, engine.jobs[0].body, made.runs[0].label) == ("me:pw", b"123", "now")
    assert ("Cookie", "a=b") in engine.jobs[0].headers


def test_settings_do_not_touch_the_load() -> None:
    engine = Recorder()
    abcompare.rerun(archived(concurrency=50), target=URL, engine=engine, warmup=5, insecure=True)
    assert (engine.jobs[0].load.concurrency, engine.jobs[0].load.requests, engine.jobs[0].warmup_requests) == (50, 20, 5)


def test_runs_that_nothing_is_known_of_are_left_out() -> None:
    made = abcompare.rerun(Archive(runs=(*archived().runs, *archived(requests=None).runs)), target=URL, engine=FakeEngine())
    assert len(made.runs) == 1
    assert "left out" in made.findings[0].message
    with pytest.raises(UsageError, match="no run that could be made"):
        abcompare.rerun(archived(requests=None), target=URL, engine=FakeEngine())


def test_then_and_now_line_up() -> None:
    then = abcompare.parse_files([SEEDS])
    maps = ["172.20.127.202=127.0.0.1:1", "192.168.100.20=127.0.0.1:2", "192.168.1.101:8080=127.0.0.1:4", "192.168.1.101:80=127.0.0.1:5"]
    now = abcompare.rerun(then, target="http://127.0.0.1:3", maps=maps, scale=0.01, engine=FakeEngine())
    went = {old.id: one.target.port for old, one in zip(then.runs, now.runs, strict=True)}
    assert [went[one.id] for one in then.runs if one.source.path.endswith("apache.txt")] == [4, 5, 4, 5]
    assert sorted(port or 0 for port in went.values()) == [1] * 6 + [2] + [3] * 6 + [4, 4, 5, 5]
    said = abcompare.diff(then, now, cross_tool=True)
    assert said.unpaired == ()
    assert len(said.scenarios) == 3 + 1 + 6 + 2  # aio, keepalive, sizes, apache


# -- the archived host -------------------------------------------------------------------------------------------------


def test_without_a_mapping_nothing_is_sent_and_nothing_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, engine = no_network(monkeypatch), Recorder()
    for options in ({}, {"maps": ["10.0.0.6=127.0.0.1"]}, {"maps": ["10.0.0.5:81=127.0.0.1"]}, {"target": "10.0.0.5/a"}, {"target": ""}):
        with pytest.raises(UsageError):
            abcompare.rerun(archived(), engine=engine, **options)
    assert (engine.jobs, tried) == ([], [])


def test_one_run_without_a_mapping_and_none_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, engine = no_network(monkeypatch), Recorder()
    both = Archive(runs=(*archived().runs, *archived(Target("http", "www.example.org", 80, "/")).runs))
    with pytest.raises(UsageError, match=r"www\.example\.org:80"):
        abcompare.rerun(both, maps=["10.0.0.5=127.0.0.1"], engine=engine)
    assert (engine.jobs, tried) == ([], [])


def test_planning_uses_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, engine = no_network(monkeypatch), Recorder()
    both = Archive(runs=(*archived(Target("http", "www.example.org", 80, "/")).runs, *archived(Target("http", "::1", 80, "/")).runs))
    abcompare.rerun(both, target="http://localhost:1", engine=engine)
    assert ([one.target.host for one in engine.jobs], tried) == (["localhost"] * 2, [])


def test_a_host_is_contacted_only_when_it_is_named() -> None:
    """The archived host is another address of the loopback interface, on which a server really listens."""
    with serving("127.0.0.2") as old, serving() as new:
        port = old.server_address[1]
        one = archived(Target("http", "127.0.0.2", port, "//127.0.0.2/@127.0.0.2:1/"), headers={"Host": "127.0.0.2"})
        for refused in ({}, {"maps": ["127.0.0.3=127.0.0.1"]}):
            with pytest.raises(UsageError):
                abcompare.rerun(one, engine="curl", **refused)
        made = abcompare.rerun(one, target=new.url, engine="curl").runs[0]
        assert (len(old.asked), len(new.asked), made.value("requests.complete")) == (0, 20, 20)
        abcompare.rerun(one, maps=[f"127.0.0.2=127.0.0.2:{port}"], engine="curl")
        assert (len(old.asked), len(new.asked)) == (20, 20)


# -- against a server --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["curl", "ab"])
def test_a_run_and_its_rerun(engine: str, tmp_path: Path) -> None:
    with serving() as server:
        then = abcompare.run(f"{server.url}/x", engine=engine, requests=40, concurrency=4, body="12345", header="X-A: 1", runs=2)
        assert [one.value("requests.complete") for one in then.runs] == [40, 40]
        assert {(method, path, body) for method, path, _, body in server.asked} == {("POST", "/x", b"12345")}
        abcompare.dump(then, tmp_path / "then.json")
        del server.asked[:]
        now = abcompare.rerun(tmp_path / "then.json", target=server.url, engine=engine)
        assert len(server.asked) == 80
        assert {(method, path, body, headers["X-A"]) for method, path, headers, body in server.asked} == {("POST", "/x", b"xxxxx", "1")}
        assert ["body" in one.message for one in now.findings] == [True]
        said = abcompare.diff(then, now)
        assert (len(said.scenarios), said.unpaired) == (1, ())


def test_incomplete_runs_are_made_in_full() -> None:
    one = archived()
    made = abcompare.rerun(Archive(runs=(replace(one.runs[0], complete=False),)), target=URL, engine=FakeEngine())
    assert made.runs[0].complete
    assert "interrupted" in made.findings[0].message
