"""The real ab and wrk against a real nginx: counts, loads, failures, interruptions."""

from __future__ import annotations

import json
import os
import pickle
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from abcompare import Archive, dumps, loads, parse
from abcompare.engines.native import NativeEngine
from abcompare.errors import EngineError, PluginError
from abcompare.jobs import Job, Progress
from abcompare.records import Load, Run, Target
from abcompare.registry import engine
from tests.engines.nginx import PAGE, Nginx, free_port, nginx

BOTH = pytest.mark.parametrize("tool", ["ab", "wrk"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    with nginx(tmp_path_factory.mktemp("nginx")) as running:
        yield running


def job(port: int, path: str = "/", *, headers: tuple[tuple[str, str], ...] = (), body: bytes | None = None, **load: Any) -> Job:
    return Job(target=Target("http", "127.0.0.1", port, path), load=Load(**load), headers=headers, body=body)


def codes(run: Run) -> list[str]:
    return [one.code for one in run.findings]


# -- what is counted ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("keep_alive", [False, True])
def test_ab_s_counts_are_the_server_s(server: Nginx, keep_alive: bool) -> None:
    path = f"/ab-{keep_alive}"
    run = engine("ab").run(job(server.port, path, concurrency=4, requests=200, keep_alive=keep_alive))
    asked = server.asked(path, 200)
    assert run.complete
    assert (run.value("requests.complete"), run.value("requests.failed"), len(asked)) == (200, 0, 200)
    assert run.value("bytes.received") == sum(int(line["bytes_sent"]) for line in asked)
    assert run.value("document_length") == len(PAGE)
    assert {line["server_protocol"] for line in asked} == {"HTTP/1.0"}
    assert len({line["connection"] for line in asked}) == (4 if keep_alive else 200)
    assert run.load == Load(
        method="GET", concurrency=4, requests=200, keep_alive=keep_alive, http_version="1.0", variable_length=False,
    )  # fmt: skip
    assert run.target.path == path
    assert "COMMAND-MISMATCH" not in codes(run)


@pytest.mark.parametrize("keep_alive", [False, True])
def test_wrk_s_counts_are_the_server_s_but_for_what_was_under_way(server: Nginx, keep_alive: bool) -> None:
    path = f"/wrk-{keep_alive}"
    run = engine("wrk").run(job(server.port, path, concurrency=2, duration_s=1, keep_alive=keep_alive))
    complete = run.value("requests.complete") or 0
    asked = server.asked(path, int(complete))
    assert run.complete
    assert complete <= len(asked) <= complete + 2
    assert {line["server_protocol"] for line in asked} == {"HTTP/1.1"}
    connections = len({line["connection"] for line in asked})
    assert connections == (2 if keep_alive else len(asked))
    assert (run.load.keep_alive, run.load.threads, run.load.duration_s, run.load.script) == (keep_alive, 1, 1, None)
    assert run.value("latency.p99") is not None
    assert not {"COMMAND-MISMATCH", "WRK-CONNECTIONS"} & set(codes(run))


def test_ab_for_a_time(server: Nginx) -> None:
    run = engine("ab").run(job(server.port, "/time", concurrency=2, duration_s=1, keep_alive=True))
    assert run.complete
    assert 0.9 < (run.value("duration") or 0) < 5
    assert (run.load.requests, run.load.duration_s) == (None, 1)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
@BOTH
def test_bodies_and_methods_reach_the_server(server: Nginx, tool: str, method: str) -> None:
    path, body = f"/{tool}-{method}", b"a=\0\xff'\"]]\n" * 100
    amount = {"requests": 3} if tool == "ab" else {"duration_s": 1}
    headers = (("Content-Type", "a/b"), ("X-Test", "it's \"quoted\" \\ $HOME"))
    run = engine(tool).run(job(server.port, path, headers=headers, body=body, method=method, **amount))
    asked = server.asked(path, 3)
    wanted = (method, str(len(body)), "a/b", headers[1][1])
    assert {(one["request_method"], one["content_length"], one["content_type"], one["http_x_test"]) for one in asked} == {wanted}
    assert (run.load.method, run.load.request_body_bytes, run.load.script) == (method, len(body), None)
    assert run.load.headers == {"Content-Type": "a/b", "X-Test": headers[1][1]}


@pytest.mark.parametrize(("tool", "method"), [("ab", "HEAD"), ("ab", "DELETE"), ("wrk", "DELETE")])
def test_methods_without_a_body(server: Nginx, tool: str, method: str) -> None:
    path = f"/{tool}-{method}"
    run = engine(tool).run(job(server.port, path, method=method, **({"requests": 3} if tool == "ab" else {"duration_s": 1})))
    assert {one["request_method"] for one in server.asked(path, 3)} == {method}
    assert run.load.method == method


@BOTH
def test_answers_that_are_no_success(server: Nginx, tool: str) -> None:
    run = engine(tool).run(job(server.port, "/missing", **({"requests": 5} if tool == "ab" else {"duration_s": 1})))
    assert run.complete
    assert run.value("requests.non_2xx") == run.value("requests.complete")


@BOTH
def test_tls(server: Nginx, tool: str) -> None:
    amount = Load(**({"requests": 5} if tool == "ab" else {"duration_s": 1}))
    run = engine(tool).run(Job(target=Target("https", "127.0.0.1", server.tls_port, "/tls"), load=amount, insecure=True))
    assert run.complete
    assert run.target.scheme == "https"
    assert len(server.asked("/tls", 5)) >= 5


@pytest.mark.parametrize(("tool", "amount", "warm"), [("ab", {"requests": 20}, {"warmup_requests": 10}), ("wrk", {"duration_s": 1}, {"warmup_s": 0.2})])
def test_the_warm_up_is_asked_for_and_not_counted(server: Nginx, tool: str, amount: dict[str, int], warm: dict[str, Any]) -> None:
    path = f"/{tool}-warm"
    run = engine(tool).run(replace(job(server.port, path, concurrency=2, **amount), **warm))
    complete = run.value("requests.complete") or 0
    assert len(server.asked(path, int(complete) + 10)) >= complete + 10
    if tool == "ab":
        assert complete == 20


# -- what is kept ------------------------------------------------------------------------------------------------------


@BOTH
def test_no_secret_is_kept(server: Nginx, tool: str) -> None:
    path = f"/{tool}-secret?token=hunter4"
    amount = {"requests": 3} if tool == "ab" else {"duration_s": 1}
    asked = replace(job(server.port, path, headers=(("Cookie", "sid=hunter2"), ("X-Api-Key", "hunter3")), **amount), user="me:hunter1")
    run = engine(tool).run(asked)
    kept = dumps(Archive(runs=(run,)))
    assert "hunter" not in str(kept)
    assert "bWU6aHVudGVyMQ" not in str(kept)
    assert run.load.headers == {"Cookie": "REDACTED", "X-Api-Key": "REDACTED", "Authorization": "REDACTED"}
    sent = server.asked(path, 3)[0]
    assert (sent["http_authorization"], sent["http_cookie"]) == ("Basic bWU6aHVudGVyMQ==", "sid=hunter2")


@BOTH
def test_the_output_is_kept_and_reads_as_the_run(server: Nginx, tool: str) -> None:
    made = engine(tool).run(replace(job(server.port, "/kept", **({"requests": 50} if tool == "ab" else {"duration_s": 1})), label="one"))
    run = loads(dumps(Archive(runs=(made,)))).runs[0]
    assert run == made
    assert isinstance(run.extra, dict)
    assert run.extra["exit_status"] == 0
    again = parse(run.extra["output"]).runs[0]
    assert (again.measures, again.id, again.target) == (run.measures, run.id, run.target)
    assert run.label == "one"
    assert run.command is not None
    assert run.command.startswith(f"{tool} ")
    assert run.started_at is not None
    assert abs(time.time() - _epoch(run.started_at)) < 60


def _epoch(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


@BOTH
def test_no_secret_is_told_when_it_fails(tool: str) -> None:
    with pytest.raises(EngineError) as raised:
        engine(tool).run(replace(job(free_port(), headers=(("Cookie", "sid=hunter2"),), **_amount(tool)), user="me:hunter1", stop_on_error=tool == "ab"))
    said = f"{raised.value.message} {raised.value.hint}"
    assert "the call was" in said
    assert "hunter" not in said
    assert "bWU6aHVudGVyMQ" not in said


def test_progress_is_the_time(server: Nginx) -> None:
    seen: list[Progress] = []
    engine("wrk").run(job(server.port, "/progress", duration_s=1), progress=seen.append)
    assert len(seen) >= 2
    assert [one.elapsed_s for one in seen] == sorted(one.elapsed_s for one in seen)


def test_engines_can_be_sent() -> None:
    for tool in ("ab", "wrk", "wrk2"):
        assert pickle.loads(pickle.dumps(engine(tool))) == engine(tool)


# -- what goes wrong ---------------------------------------------------------------------------------------------------


def _amount(tool: str) -> dict[str, int]:
    return {"requests": 20, "concurrency": 2} if tool == "ab" else {"duration_s": 1, "concurrency": 2}


@pytest.mark.parametrize(("tool", "stop_on_error"), [("ab", False), ("ab", True), ("wrk", False)])
def test_a_target_that_refuses(tool: str, stop_on_error: bool) -> None:
    with pytest.raises(EngineError, match="Connection refused"):
        engine(tool).run(replace(job(free_port(), **_amount(tool)), stop_on_error=stop_on_error))


@BOTH
def test_a_name_that_nobody_knows(tool: str) -> None:
    target = Target("http", "nobody.invalid", 80, "/")
    with pytest.raises(EngineError, match=r"(?i)name or service not known|name resolution|resolve"):
        engine(tool).run(Job(target=target, load=Load(**_amount(tool))))


def test_a_tool_s_own_objection_is_the_message(server: Nginx) -> None:
    with pytest.raises(EngineError, match="Cannot use concurrency level greater than total number of requests"):
        engine("ab").run(job(server.port, concurrency=5, requests=2))
    with pytest.raises(EngineError, match="number of connections must be >= threads"):
        engine("wrk").run(job(server.port, concurrency=2, threads=4, duration_s=1))


@pytest.fixture
def mute() -> Iterator[int]:
    """The port of a server that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_a_server_that_never_answers(mute: int) -> None:
    with pytest.raises(EngineError, match="timeout specified has expired"):
        engine("ab").run(replace(job(mute, requests=5), stall_s=1.0))
    run = engine("wrk").run(job(mute, duration_s=1))
    assert run.value("requests.complete") == 0


def test_a_server_that_hangs_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        def serve() -> None:
            while True:
                try:
                    listening.accept()[0].close()
                except OSError:
                    return

        threading.Thread(target=serve, daemon=True).start()
        with pytest.raises(EngineError, match=r"no answer|reset|Broken pipe"):
            engine("ab").run(job(listening.getsockname()[1], requests=5))
        listening.shutdown(socket.SHUT_RDWR)


@BOTH
def test_a_server_that_dies_on_the_way(tmp_path: Path, tool: str) -> None:
    with nginx(tmp_path) as server:
        threading.Timer(0.5, server.stop).start()
        run = engine(tool).run(replace(job(server.port, concurrency=2, duration_s=2), stop_on_error=tool == "ab"))
    assert (run.value("requests.complete") or 0) > 0
    assert not run.complete if tool == "ab" else run.value("errors.connect") or run.value("errors.read")


def test_ab_that_dies_on_the_way_keeps_its_message(tmp_path: Path) -> None:
    with nginx(tmp_path) as server:
        threading.Timer(0.5, server.stop).start()
        run = engine("ab").run(replace(job(server.port, concurrency=2, duration_s=5), stop_on_error=True))
    assert {"AB-ABORTED", "RUN-FAILED"} <= set(codes(run))
    assert any("apr_socket" in one.message for one in run.findings)


@BOTH
def test_stopped_it_says_what_it_had_measured(server: Nginx, tool: str) -> None:
    begun = time.monotonic()
    run = engine(tool).run(job(server.port, "/stop", concurrency=2, duration_s=60), stop=lambda: time.monotonic() > begun + 0.7)
    assert time.monotonic() - begun < 15
    assert not run.complete
    assert "RUN-STOPPED" in codes(run)
    assert (run.value("requests.complete") or 0) > 0
    assert 0 < (run.value("duration") or 0) < 5
    assert run.load.duration_s == 60


@BOTH
def test_stopped_before_it_measured_anything(mute: int, tool: str) -> None:
    def run() -> Run:
        return engine(tool).run(job(mute, concurrency=2, duration_s=60), stop=lambda: True)

    try:
        made = run()
    except EngineError as error:
        assert "stopped" in error.message
    else:
        assert not made.complete
        assert not made.value("requests.complete")


def test_a_missing_program_names_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for tool, package in (("ab", "apt install apache2-utils"), ("wrk", "apt install wrk")):
        with pytest.raises(EngineError, match=f"{tool} is not installed") as raised:
            engine(tool).run(job(1, **_amount(tool)))
        assert raised.value.hint == package
        native = engine(tool)
        assert isinstance(native, NativeEngine)
        assert native.state() == f"missing: {package}"
    with pytest.raises(EngineError, match="wrk2 is not installed") as raised:
        engine("wrk2").run(job(1, duration_s=1, rate_per_s=5))
    assert "no package" in (raised.value.hint or "")


def test_what_the_tool_cannot_do_is_said_even_where_it_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match="--rate"):
        engine("ab").run(job(1, requests=1, rate_per_s=5))


def test_a_dialect_that_only_reads_is_no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    class Reads:
        name = "reads"

    monkeypatch.setattr("abcompare.registry.dialect", lambda name: Reads())
    with pytest.raises(PluginError, match="cannot run it"):
        NativeEngine("reads").run(job(1, requests=1))


# -- stand-ins for a tool that misbehaves, and for wrk2, which no package has ------------------------------------------


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Puts a shell script under a program's name before all others in PATH."""
    def put(name: str, script: str) -> None:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    return put


def test_a_tool_that_does_not_end_is_ended_with_its_children(stand_in: Callable[[str, str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abcompare.engines.native._GRACE_S", 0.3)
    monkeypatch.setattr("abcompare.engines.process._SIGNALS", ((signal.SIGINT, 0.2), (signal.SIGTERM, 0.2), (signal.SIGKILL, 5.0)))
    stand_in("wrk", f"trap '' INT TERM\nsleep 60 & echo $! > {tmp_path}/child; wait; sleep 60")
    with pytest.raises(EngineError, match=r"measured nothing in [12] s, and was ended"):
        engine("wrk").run(replace(job(1, duration_s=1), stall_s=0.0))
    child = int((tmp_path / "child").read_text())
    _is_gone(child)


def test_what_a_tool_leaves_behind_when_it_is_stopped_is_ended(stand_in: Callable[[str, str], None], tmp_path: Path) -> None:
    stand_in("wrk", f"trap 'exit 1' INT\n(trap '' INT TERM; exec sleep 60) & echo $! > {tmp_path}/child; wait")
    with pytest.raises(EngineError, match="stopped"):
        engine("wrk").run(job(1, duration_s=1), stop=lambda: (tmp_path / "child").exists() and bool((tmp_path / "child").read_text()))
    _is_gone(int((tmp_path / "child").read_text()))


def test_an_interrupted_caller_leaves_no_tool_behind(stand_in: Callable[[str, str], None], tmp_path: Path) -> None:
    def interrupted() -> bool:
        if (tmp_path / "child").exists() and (tmp_path / "child").read_text():
            raise KeyboardInterrupt
        return False

    stand_in("wrk", f"trap '' INT TERM; echo $$ > {tmp_path}/child; sleep 60")
    with pytest.raises(KeyboardInterrupt):
        engine("wrk").run(job(1, duration_s=1), stop=interrupted)
    _is_gone(int((tmp_path / "child").read_text()))


def _is_gone(child: int) -> None:
    until = time.monotonic() + 5
    while Path(f"/proc/{child}").exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert not Path(f"/proc/{child}").exists() or "zombie" in Path(f"/proc/{child}/status").read_text()


def test_a_late_tool_that_prints_its_report_is_kept_as_incomplete(stand_in: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abcompare.engines.native._GRACE_S", 0.3)
    report = (Path(__file__).parents[2] / "fixtures" / "ab" / "ab-k.txt").resolve()
    stand_in("ab", f"trap 'cat {report}; exit 1' INT\nwhile :; do sleep 0.05; done")
    run = engine("ab").run(replace(job(1, duration_s=1), stall_s=1.0))
    assert "RUN-LATE" in codes(run)
    assert not run.complete
    assert run.measures


def test_a_program_that_does_not_start(stand_in: Callable[[str, str], None], tmp_path: Path) -> None:
    stand_in("ab", "")
    (tmp_path / "ab").write_bytes(b"\x7fELF nonsense")
    with pytest.raises(EngineError, match="does not start"):
        engine("ab").run(job(1, requests=1))


def test_a_tool_that_prints_nothing(stand_in: Callable[[str, str], None]) -> None:
    stand_in("ab", "kill -SEGV $$")
    with pytest.raises(EngineError, match=r"ab: no output, signal 11 \(Segmentation fault\)"):
        engine("ab").run(job(1, requests=1))


def test_very_much_output_is_cut_in_the_middle(stand_in: Callable[[str, str], None]) -> None:
    report = (Path(__file__).parents[2] / "fixtures" / "ab" / "ab-k.txt").resolve()
    stand_in("ab", f"yes 'SSL read failed (1) - closing connection' | head -100000; cat {report}")
    run = engine("ab").run(job(1, requests=1))
    assert isinstance(run.extra, dict)
    assert len(run.extra["output"]) < 300_000
    assert "bytes are left out here" in run.extra["output"]
    assert run.measures


def test_wrk2_is_read_as_wrk2(stand_in: Callable[[str, str], None]) -> None:
    fixtures = sorted((Path(__file__).parents[2] / "fixtures" / "wrk2").glob("*.txt"))
    expected = next((text, run) for text in fixtures for run in json.loads(text.with_suffix(".json").read_text())["runs"] if run["complete"])
    stand_in("wrk2", f"cat {expected[0].resolve()}")
    run = engine("wrk2").run(job(80, duration_s=int(expected[1]["load"]["duration_s"]), rate_per_s=5))
    assert run.tool.name == "wrk2"
    assert run.value("throughput") == expected[1]["measures"]["throughput"]["value"]
