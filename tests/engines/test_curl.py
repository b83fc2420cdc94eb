"""The curl engine against a real nginx: what it counts is what the server has written down."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abcompare.engines.curl import CurlEngine
from abcompare.errors import EngineError
from abcompare.jobs import Job, Progress
from abcompare.records import Load, Run, Target
from tests.engines.nginx import PAGE, Nginx, nginx
from tests.engines.servers import Faults, faults

pytestmark = pytest.mark.alone
FIELDS = set(Job.__struct_fields__)


@pytest.fixture(params=["auto", "libcurl"])
def engine(request: pytest.FixtureRequest) -> CurlEngine:
    """The engine, by both its ways of plain HTTP."""
    return CurlEngine(request.param)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    with nginx(tmp_path_factory.mktemp("nginx")) as running:
        yield running


@pytest.fixture(scope="module")
def broken() -> Iterator[Faults]:
    with faults() as running:
        yield running


def job(port: int, path: str, *, scheme: str = "http", host: str = "127.0.0.1", **more: Any) -> Job:
    """A job whose further words are fields of the job or of its load."""
    own = {name: more.pop(name) for name in list(more) if name in FIELDS}
    return Job(target=Target(scheme, host, port, path), load=Load(**more), **own)


def codes(run: Run) -> set[str]:
    return {one.code for one in run.findings} - {"CLIENT-BOUND"}


def number(run: Run, name: str) -> float:
    found = run.value(name)
    assert found is not None, name
    return found


def consistent(run: Run) -> None:
    """What holds in every run: nothing is counted twice, and the families agree with one another."""
    parts = sum(number(run, f"errors.{name}") for name in ("connect", "receive", "timeout", "length"))
    assert number(run, "requests.failed") == parts
    complete = number(run, "requests.complete")
    assert sum((run.status_codes or {}).values()) == complete
    assert run.series is not None
    assert sum(run.series["complete"]) == complete
    assert sum(run.series["errors"]) == parts - number(run, "errors.length")
    assert sum(many for _, many in (run.histograms or {})["latency"]) == complete
    if complete:
        assert number(run, "latency.min") <= number(run, "latency.p50") <= number(run, "latency.p99") <= number(run, "latency.p100")
        assert number(run, "latency.p100") == number(run, "latency.max")
        assert number(run, "waiting.mean") <= number(run, "latency.mean") + 1e-6


# -- what is counted ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["1.0", "1.1"])
@pytest.mark.parametrize("keep", [True, False])
def test_counts_are_the_access_logs(engine: CurlEngine, server: Nginx, version: str, keep: bool) -> None:
    path = f"/counts-{engine.driver}-{version}-{keep}"
    run = engine.run(job(server.port, path, concurrency=7, requests=500, keep_alive=keep, http_version=version))
    asked = server.asked(path, 500)
    consistent(run)
    assert len(asked) == number(run, "requests.complete") == 500
    assert {line["server_protocol"] for line in asked} == {f"HTTP/{version}"}
    assert sum(int(line["bytes_sent"]) for line in asked) == number(run, "bytes.received")
    assert sum(int(line["request_length"]) for line in asked) == number(run, "bytes.sent")
    assert len({line["connection"] for line in asked}) == number(run, "connections.opened") == (7 if keep else 500)
    assert run.status_codes == {"200": 500}
    assert number(run, "document_length") == len(PAGE)
    assert number(run, "bytes.body") == 500 * len(PAGE)
    assert run.value("requests.keep_alive") == (500 if keep else None)
    assert run.target.server_software is not None and run.target.server_software.startswith("nginx")
    assert run.complete and not codes(run)
    assert {line["http_connection"] for line in asked} == {{"1.0True": "Keep-Alive", "1.1False": "close"}.get(f"{version}{keep}", "")}


def test_no_more_and_no_fewer_than_asked(engine: CurlEngine, server: Nginx) -> None:
    run = engine.run(job(server.port, f"/few-{engine.driver}", concurrency=50, requests=3, keep_alive=True))
    assert number(run, "requests.complete") == 3
    assert len(server.asked(f"/few-{engine.driver}", 3)) == 3


def test_ends_when_the_time_is_over(engine: CurlEngine, server: Nginx) -> None:
    run = engine.run(job(server.port, "/", concurrency=4, duration_s=0.4, keep_alive=True))
    consistent(run)
    assert number(run, "duration") == 0.4
    assert run.complete


def test_what_is_under_way_at_the_end_does_not_count(engine: CurlEngine, broken: Faults) -> None:
    run = engine.run(job(broken.port, "/delay/300", concurrency=3, duration_s=0.5, keep_alive=True))
    assert number(run, "requests.complete") == 3
    assert number(run, "requests.failed") == 0


def test_a_warm_up_is_not_counted(engine: CurlEngine, server: Nginx) -> None:
    run = engine.run(job(server.port, f"/warm-{engine.driver}", concurrency=5, requests=100, keep_alive=True, warmup_requests=40))
    assert number(run, "requests.complete") == 100
    assert len(server.asked(f"/warm-{engine.driver}", 140)) == 140
    assert number(run, "connections.opened") == 0  # they were open already


def test_littles_law(engine: CurlEngine, broken: Faults) -> None:
    run = engine.run(job(broken.port, "/delay/5", concurrency=10, requests=600, keep_alive=True))
    assert run.host is not None
    assert run.host["engine"]["littles_law"] == pytest.approx(1, abs=0.02)


# -- what is sent ------------------------------------------------------------------------------------------------------


def test_method_body_headers_and_login(engine: CurlEngine, server: Nginx) -> None:
    headers = (("X-Test", "yes"), ("Cookie", "a=b"))
    run = engine.run(job(server.port, f"/sent-{engine.driver}", requests=2, method="PUT", body=b"12345", headers=headers, user="me:secret"))
    asked = server.asked(f"/sent-{engine.driver}", 2)
    assert {(one["request_method"], one["content_length"], one["http_x_test"], one["http_cookie"]) for one in asked} == {("PUT", "5", "yes", "a=b")}
    assert asked[0]["http_authorization"] == "Basic bWU6c2VjcmV0"
    heads = sum(int(line["request_length"]) for line in asked)  # nginx does not count a body that it throws away
    assert heads + 10 == number(run, "bytes.sent")
    assert run.load.request_body_bytes == 5
    assert "secret" not in repr(run) and "a=b" not in repr(run)


@pytest.mark.parametrize(("method", "body"), [("POST", b"x=1"), ("DELETE", None), ("OPTIONS", None), ("POST", None), ("GET", b"odd")])
def test_methods(engine: CurlEngine, server: Nginx, method: str, body: bytes | None) -> None:
    path = f"/method-{engine.driver}-{method}-{body is None}"
    engine.run(job(server.port, path, requests=3, concurrency=2, method=method, body=body, keep_alive=True))
    assert [one["request_method"] for one in server.asked(path, 3)] == [method] * 3


def test_head(engine: CurlEngine, server: Nginx) -> None:
    run = engine.run(job(server.port, f"/head-{engine.driver}", requests=20, concurrency=2, method="HEAD", keep_alive=True))
    assert number(run, "document_length") == number(run, "errors.length") == 0
    assert {one["request_method"] for one in server.asked(f"/head-{engine.driver}", 20)} == {"HEAD"}


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("size", [17_000, 300_000, 900_000])
def test_a_large_body_is_sent_whole_and_at_once(engine: CurlEngine, server: Nginx, scheme: str, size: int) -> None:
    path, port = f"/large-{engine.driver}-{scheme}-{size}", server.tls_port if scheme == "https" else server.port
    run = engine.run(job(port, path, scheme=scheme, requests=20, concurrency=4, body=b"q" * size, keep_alive=True, insecure=True))
    assert {one["content_length"] for one in server.asked(path, 20)} == {str(size)}
    assert number(run, "latency.max") < 0.3, "libcurl was not asked to go on"


def test_a_large_body_on_a_schedule(engine: CurlEngine, broken: Faults) -> None:
    """Larger than libcurl's largest buffer: without being asked to go on it takes 3 s."""
    asked = job(broken.port, "/due", requests=6, concurrency=2, body=b"q" * 20_000_000, keep_alive=True, rate_per_s=10, http_version="1.1")
    run = engine.run(asked)
    assert number(run, "requests.complete") == 6
    assert number(run, "uncorrected_latency.max") < 0.5


def test_tls(engine: CurlEngine, server: Nginx) -> None:
    run = engine.run(job(server.tls_port, "/tls", scheme="https", requests=30, concurrency=3, keep_alive=True, insecure=True, http_version="1.1"))
    consistent(run)
    assert run.target.tls is not None and run.target.tls.protocol in ("TLSv1.2", "TLSv1.3") and run.target.tls.cipher is not None
    assert number(run, "connect.max") > 0


def test_a_trusted_certificate(engine: CurlEngine, server: Nginx) -> None:
    ca = str(server.log.parent / "cert.pem")
    asked = job(server.tls_port, "/", scheme="https", host="localhost", requests=4, concurrency=2, ca_file=ca, connect_to=f"127.0.0.1:{server.tls_port}")
    assert number(engine.run(asked), "requests.complete") == 4


def test_an_untrusted_certificate_is_an_error(engine: CurlEngine, server: Nginx) -> None:
    with pytest.raises(EngineError, match="certificate"):
        engine.run(job(server.tls_port, "/", scheme="https", requests=50, concurrency=2))


def test_tls_to_a_plain_port_is_an_error(engine: CurlEngine, server: Nginx) -> None:
    with pytest.raises(EngineError, match=r"(?i)ssl|tls|wrong version"):
        engine.run(job(server.port, "/", scheme="https", requests=50, concurrency=2, insecure=True))


# -- faults ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "kind"), [("/empty", "receive"), ("/reset", "receive"), ("/partial", "receive"), ("/chunk", "receive")])
@pytest.mark.parametrize("keep", [True, False])
def test_answers_that_are_none(engine: CurlEngine, broken: Faults, path: str, kind: str, keep: bool) -> None:
    run = engine.run(job(broken.port, path, requests=30, concurrency=3, keep_alive=keep, http_version="1.1"))
    consistent(run)
    assert number(run, "requests.complete") == 0
    assert number(run, f"errors.{kind}") == 30
    assert codes(run) == {"REQUESTS-FAILED"}
    assert run.value("latency.mean") is None


@pytest.mark.parametrize("path", ["/never", "/slow"])
def test_nothing_hangs_past_its_time(engine: CurlEngine, broken: Faults, path: str) -> None:
    begun = time.monotonic()
    run = engine.run(job(broken.port, path, requests=4, concurrency=2, timeout_s=0.3))
    assert time.monotonic() - begun < 1.5
    consistent(run)
    assert number(run, "errors.timeout") == 4


def test_a_stall_ends_the_run(engine: CurlEngine, broken: Faults) -> None:
    begun = time.monotonic()
    run = engine.run(job(broken.port, "/never", requests=4, concurrency=2, stall_s=0.4))
    assert time.monotonic() - begun < 2
    assert not run.complete
    assert codes(run) == {"RUN-STOPPED"}


def test_other_lengths_are_complete_and_failed(engine: CurlEngine, broken: Faults) -> None:
    asked = job(broken.port, "/length", requests=40, concurrency=1, keep_alive=True)
    run = engine.run(asked)
    consistent(run)
    assert (number(run, "requests.complete"), number(run, "errors.length"), number(run, "requests.failed")) == (40, 10, 10)
    again = engine.run(job(broken.port, "/length", requests=40, concurrency=1, keep_alive=True, variable_length=True))
    assert number(again, "requests.failed") == 0
    assert again.value("document_length") is None


def test_statuses(engine: CurlEngine, broken: Faults) -> None:
    run = engine.run(job(broken.port, "/mix", requests=40, concurrency=4, keep_alive=True))
    consistent(run)
    assert run.status_codes == {"200": 20, "404": 10, "500": 10}
    assert number(run, "requests.non_2xx") == 20
    assert number(run, "requests.failed") == 0


def test_refused_is_an_error(engine: CurlEngine, unused_port: int) -> None:
    with pytest.raises(EngineError, match="refused"):
        engine.run(job(unused_port, "/", requests=1000, concurrency=10))


@pytest.fixture
def unused_port() -> int:
    from tests.engines.nginx import free_port

    return free_port()


def test_an_unknown_name_is_an_error(engine: CurlEngine) -> None:
    with pytest.raises(EngineError, match="cannot be resolved"):
        engine.run(job(80, "/", host="no-such-name.invalid", requests=1))


def test_a_server_that_dies(engine: CurlEngine, tmp_path: Path) -> None:
    with faults() as mortal:
        threading.Timer(0.5, mortal.kill).start()
        begun = time.monotonic()
        run = engine.run(job(mortal.port, "/delay/5", requests=2000, concurrency=5, keep_alive=True))
    assert time.monotonic() - begun < 10
    consistent(run)
    assert number(run, "requests.complete") > 50
    assert number(run, "errors.connect") > 0
    assert number(run, "requests.complete") + number(run, "errors.connect") + number(run, "errors.receive") == 2000
    assert "REQUESTS-FAILED" in codes(run)


def test_the_first_error_can_end_the_run(engine: CurlEngine, broken: Faults) -> None:
    run = engine.run(job(broken.port, "/partial", requests=1000, concurrency=3, stop_on_error=True))
    assert not run.complete
    assert number(run, "errors.receive") < 10


def test_too_few_descriptors_are_said_before_the_start(engine: CurlEngine, server: Nginx) -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))\n"
        "from abcompare.engines.curl import engine; from abcompare.jobs import Job; from abcompare.records import Load, Target\n"
        f"engine.run(Job(target=Target('http', '127.0.0.1', {server.port}, '/'), load=Load(concurrency=500, requests=500)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "open files" in done.stderr


# -- stopping ----------------------------------------------------------------------------------------------------------


def test_stop_keeps_what_was_measured(engine: CurlEngine, broken: Faults) -> None:
    until = time.monotonic() + 0.4
    told: list[Progress] = []
    run = engine.run(
        job(broken.port, "/delay/5", duration_s=60, concurrency=4, keep_alive=True), progress=told.append, stop=lambda: time.monotonic() > until,
    )
    consistent(run)
    assert not run.complete
    assert codes(run) == {"RUN-STOPPED"}
    assert number(run, "requests.complete") > 50
    assert number(run, "duration") < 1
    assert told and told[-1].complete > 0 and told[-1].p50_s is not None


def test_ctrl_c_keeps_what_was_measured(engine: CurlEngine, broken: Faults) -> None:
    threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT)).start()
    run = engine.run(job(broken.port, "/delay/5", duration_s=60, concurrency=4, keep_alive=True))
    consistent(run)
    assert not run.complete
    assert number(run, "requests.complete") > 50


# -- memory, processes, the open loop ----------------------------------------------------------------------------------


def test_beyond_max_samples_the_counts_stay_exact(engine: CurlEngine, server: Nginx) -> None:
    run = engine.run(job(server.port, "/", requests=3000, concurrency=10, keep_alive=True, max_samples=500))
    consistent(run)
    assert number(run, "requests.complete") == 3000
    assert number(run, "bytes.body") == 3000 * len(PAGE)


def test_two_processes_make_one_run(engine: CurlEngine, server: Nginx) -> None:
    told: list[Progress] = []
    asked = job(server.port, f"/two-{engine.driver}", requests=2001, concurrency=7, keep_alive=True, processes=2, headers=(("X-Test", "two"),))
    run = engine.run(asked, progress=told.append)
    consistent(run)
    lines = server.asked(f"/two-{engine.driver}", 2001)
    assert len(lines) == number(run, "requests.complete") == 2001
    assert len({line["connection"] for line in lines}) == number(run, "connections.opened") == 7
    assert run.host is not None
    assert len(run.host["engine"]["processes"]) == 2
    assert run.complete


def test_two_processes_stop(engine: CurlEngine, broken: Faults) -> None:
    until = time.monotonic() + 2
    run = engine.run(
        job(broken.port, "/delay/5", duration_s=60, concurrency=4, keep_alive=True, processes=2), stop=lambda: time.monotonic() > until,
    )
    consistent(run)
    assert not run.complete
    assert number(run, "requests.complete") > 20


def test_an_error_of_a_process_is_the_runs(engine: CurlEngine, unused_port: int) -> None:
    with pytest.raises(EngineError, match="refused"):
        engine.run(job(unused_port, "/", requests=1000, concurrency=10, processes=2))


@pytest.mark.parametrize("processes", [1, 2])
def test_the_schedule_is_kept(engine: CurlEngine, server: Nginx, processes: int) -> None:
    run = engine.run(job(server.port, "/", duration_s=1, concurrency=50, rate_per_s=5000, keep_alive=True, processes=processes))
    consistent(run)
    done = number(run, "requests.complete") + number(run, "requests.not_started")
    assert done == pytest.approx(5000, rel=0.01)


def test_a_stall_is_in_the_latency_and_not_in_the_service_time(engine: CurlEngine, broken: Faults) -> None:
    run = engine.run(job(broken.port, f"/stall/{engine.driver}", requests=800, concurrency=2, rate_per_s=200, keep_alive=True))
    consistent(run)
    assert number(run, "requests.complete") == 800
    assert number(run, "latency.p90") > 0.3  # a second of 4 was lost: a quarter of the requests waited
    assert number(run, "uncorrected_latency.p99") < 0.1
    assert run.host is not None
    assert run.host["engine"]["late_starts"] > 100


def test_what_could_not_start_is_counted(engine: CurlEngine, broken: Faults) -> None:
    run = engine.run(job(broken.port, "/delay/100", duration_s=1, concurrency=2, rate_per_s=100, keep_alive=True))
    assert number(run, "requests.not_started") == pytest.approx(80, abs=5)
    assert "NOT-STARTED" in codes(run)


# -- the client's own limits -------------------------------------------------------------------------------------------


def test_a_slow_location_is_not_client_bound(engine: CurlEngine, broken: Faults) -> None:
    run = engine.run(job(broken.port, "/delay/20", duration_s=1, concurrency=10, keep_alive=True))
    assert "CLIENT-BOUND" not in {one.code for one in run.findings}


def test_a_busy_core_is_client_bound(engine: CurlEngine, server: Nginx) -> None:
    before, core = os.sched_getaffinity(0), min(os.sched_getaffinity(0))
    burner = subprocess.Popen([sys.executable, "-c", f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"])
    try:
        os.sched_setaffinity(0, {core})
        run = engine.run(job(server.port, "/", duration_s=1, concurrency=10, keep_alive=True))
    finally:
        os.sched_setaffinity(0, before)
        burner.kill()
        burner.wait()
    assert "CLIENT-BOUND" in {one.code for one in run.findings}


def test_the_same_location_as_ab_and_wrk_see_it(engine: CurlEngine, broken: Faults, tmp_path: Path) -> None:
    """The best of the rounds, taken in turn: the machine has other work too, so that up to eight rounds are made."""
    url = f"http://127.0.0.1:{broken.port}/delay/20"
    ab, wrk, own = [], [], []
    for _ in range(8):
        ab.append(_ab(url, tmp_path))
        wrk.append(_wrk(url))
        own.append(_own(engine, broken.port))
        if _alike(own, ab) and _alike(own, wrk):
            break
    assert _alike(own, ab), (own, ab)
    assert _alike(own, wrk), (own, wrk)


def _alike(own: list[tuple[float, float]], other: list[tuple[float, float]]) -> bool:
    """Whether the best medians and rates are within 2 %."""
    (p50s, rates), (p50s_there, rates_there) = zip(*own, strict=True), zip(*other, strict=True)
    return bool(min(p50s) == pytest.approx(min(p50s_there), rel=0.02) and max(rates) == pytest.approx(max(rates_there), rel=0.02))


def _ab(url: str, folder: Path) -> tuple[float, float]:
    """Median in seconds and rate. ab's first request goes alone, so that few requests would show a lower rate."""
    text = subprocess.run(["ab", "-q", "-k", "-c", "10", "-n", "1500", "-e", str(folder / "e.csv"), url], capture_output=True, text=True, check=True).stdout
    rate = re.search(r"Requests per second: +([\d.]+)", text)
    assert rate
    return float(dict(line.split(",") for line in (folder / "e.csv").read_text().splitlines()[1:])["50"]) / 1000, float(rate[1])


def _wrk(url: str) -> tuple[float, float]:
    text = subprocess.run(["wrk", "-t1", "-c10", "-d1s", "--latency", url], capture_output=True, text=True, check=True).stdout
    half, rate = re.search(r"50% +([\d.]+)ms", text), re.search(r"Requests/sec: +([\d.]+)", text)
    assert half and rate
    return float(half[1]) / 1000, float(rate[1])


def _own(engine: CurlEngine, port: int) -> tuple[float, float]:
    run = engine.run(job(port, "/delay/20", requests=500, concurrency=10, keep_alive=True))
    return number(run, "latency.p50"), number(run, "throughput")


def test_the_engine_can_be_sent(engine: CurlEngine) -> None:
    assert isinstance(pickle.loads(pickle.dumps(engine)), CurlEngine)
    assert {"rate", "http/2", "processes"} <= engine.capabilities


@pytest.mark.parametrize("wrong", [{"requests": 0}, {"requests": 5, "concurrency": -1}, {}, {"requests": 5, "http_version": "4"}])
def test_loads_that_are_none(engine: CurlEngine, server: Nginx, wrong: dict[str, Any]) -> None:
    with pytest.raises(EngineError):
        engine.run(job(server.port, "/", **wrong))
