"""Servers that never answer, targets where nobody listens, processes that die, and logins: what the record says of them."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import abcompare
from abcompare.engines.curl import CurlEngine
from abcompare.engines.curl.failures import Failures
from abcompare.errors import EngineError
from abcompare.jobs import Job
from abcompare.records import Archive, Load, Target
from tests.loopback import serving

pytestmark = pytest.mark.alone


class Silent:
    """Takes whatever comes, and counts it; says nothing."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.heard = 0
        self._lock = threading.Lock()

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=self._hear, args=(self.listener.accept()[0],), daemon=True).start()

    def _hear(self, connection: socket.socket) -> None:
        with suppress(OSError), connection:
            while data := connection.recv(1 << 16):
                with self._lock:
                    self.heard += len(data)

    def settled(self) -> int:
        """The bytes that came, once no more come."""
        before = -1
        while before != self.heard:
            before = self.heard
            time.sleep(0.1)
        return before


@contextmanager
def silent() -> Iterator[Silent]:
    server = Silent()
    threading.Thread(target=server.serve, daemon=True).start()
    yield server
    server.listener.shutdown(socket.SHUT_RDWR)
    server.listener.close()


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def job(port: int, *, more: dict[str, Any] | None = None, **load: Any) -> Job:
    return Job(target=Target("http", "127.0.0.1", port, "/"), load=Load(**load), **(more or {}))


@pytest.fixture(params=["auto", "libcurl"])
def engine(request: pytest.FixtureRequest) -> CurlEngine:
    return CurlEngine(request.param)


@pytest.mark.parametrize("body", [None, b"x" * 10, b"x" * 100_000])
@pytest.mark.parametrize("rate", [None, 4])
def test_a_server_that_never_answers(engine: CurlEngine, body: bytes | None, rate: int | None) -> None:
    with silent() as server:
        run = engine.run(job(server.port, duration_s=0.7, concurrency=3, rate_per_s=rate, more={"body": body}))
        heard = server.settled()
    found = {one.code: one for one in run.findings}["NOTHING-ANSWERED"]
    assert (found.severity, found.value, run.value("requests.complete")) == ("error", 3, 0)
    assert "3 requests were under way" in found.message
    assert run.value("bytes.sent") == heard > 0


def test_in_several_processes(engine: CurlEngine) -> None:
    with silent() as server:
        run = engine.run(job(server.port, duration_s=0.5, concurrency=4, more={"processes": 2}))
        assert run.value("bytes.sent") == server.settled() > 0
    assert [one.value for one in run.findings if one.code == "NOTHING-ANSWERED"] == [4]


def test_one_that_is_stopped_says_it_too(engine: CurlEngine) -> None:
    with silent() as server:
        run = engine.run(job(server.port, requests=10, concurrency=3, more={"stall_s": 0.4}))
    assert [one.code for one in run.findings] == ["RUN-STOPPED"]
    assert "nothing was answered, and 3 requests were under way" in run.findings[0].message


def test_what_is_under_way_behind_answers_is_no_finding(engine: CurlEngine) -> None:
    with serving() as server:
        target = Target("http", "127.0.0.1", server.server_address[1], "/")
        run = engine.run(Job(target=target, load=Load(duration_s=0.3, concurrency=3)))
    assert "NOTHING-ANSWERED" not in {one.code for one in run.findings}


@pytest.mark.parametrize("load", [
    {"requests": 3}, {"requests": 30, "concurrency": 3}, {"duration_s": 5, "concurrency": 2}, {"requests": 2, "rate_per_s": 50},
])  # fmt: skip
def test_a_refused_target_ends_at_the_first_error(engine: CurlEngine, load: dict[str, Any]) -> None:
    with pytest.raises(EngineError, match="cannot be reached: Connection refused"):
        engine.run(job(closed_port(), **load, more={"stop_on_error": True}))


def test_a_schedule_of_few_requests_that_are_all_refused(engine: CurlEngine) -> None:
    with pytest.raises(EngineError, match="cannot be reached"):
        engine.run(job(closed_port(), duration_s=0.5, rate_per_s=8))


def test_a_process_that_is_killed() -> None:
    with serving() as server:
        threading.Timer(0.6, _kill_a_worker).start()
        run = CurlEngine().run(job(server.server_address[1], duration_s=1.5, concurrency=2, more={"processes": 2}))
    assert not run.complete
    found = {one.code: one.message for one in run.findings}
    assert "RUN-STOPPED" not in found, "it ran its time"
    assert found["PROCESS-DIED"].startswith("1 of 2 processes of the load generator died") and "lack its share" in found["PROCESS-DIED"]
    assert run.value("duration") == 1.5


def _kill_a_worker() -> None:
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        for child in (task / "children").read_text().split():
            if b"abcompare.engines.curl.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(int(child), signal.SIGKILL)
                return


def test_the_record_says_that_a_run_was_authenticated(engine: CurlEngine) -> None:
    with serving() as server:
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        mine = abcompare.run(url.replace("//", "//bob:SECRETPW@"), engine=engine, requests=2)
        proxied = abcompare.run(url, engine=engine, requests=2, proxy=f"http://127.0.0.1:{server.server_address[1]}", proxy_user="bob:SECRETPW")
        again = abcompare.rerun(Archive(runs=mine.runs), target=url, engine=engine)
        assert [("Authorization" in asked, "Proxy-Authorization" in asked) for _, _, asked, _ in server.asked] == [(True, False)] * 2 + [(False, True)] * 2 + [(False, False)] * 2
    assert mine.runs[0].load.headers == {"Authorization": "REDACTED"}
    assert proxied.runs[0].load.headers == {"Proxy-Authorization": "REDACTED"}
    assert any(one.code == "NOT-REPRODUCED" and one.message.startswith("header Authorization: ") for one in again.findings)
    assert b"SECRETPW" not in abcompare.dumps(mine) + abcompare.dumps(proxied)


def test_no_cause_has_a_password() -> None:
    failures = Failures()
    failures.add("connect", "Unsupported proxy syntax in 'http://bob:SECRETPW@:1': No host part in the URL")
    assert "SECRETPW" not in str(failures.unreachable()) + failures.findings()[0].message
