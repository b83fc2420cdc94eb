"""The curl engine on the wire: answers in every shape, HTTP/2, Unix sockets, and how requests are put."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, strategies

from abcompare.engines.curl import CurlEngine
from abcompare.engines.curl.answers import CHUNKED, TO_THE_END, Chunks, Head, head
from abcompare.engines.curl.options import request
from abcompare.engines.curl.samples import Samples, Values, recorded
from abcompare.jobs import Job
from abcompare.records import Load, Target
from tests.engines.nginx import free_port
from tests.engines.servers import Faults, faults
from tests.engines.test_curl import codes, consistent, job, number

_CONFIGURATION = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log; {user}
events {{ worker_connections 1024; }}
http {{
  access_log {folder}/access.log; keepalive_requests 100;
  client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3; uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
  server {{ listen 127.0.0.1:{port} http2; listen 127.0.0.1:{plain}; listen unix:{folder}/socket; location / {{ return 200 "hello"; }} }}
}}
"""


@pytest.fixture(scope="module")
def broken() -> Iterator[Faults]:
    with faults() as running:
        yield running


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int, Path]]:
    """An nginx with HTTP/2 without TLS, plain HTTP that closes after 100 requests, and a Unix socket."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    folder, port, plain = tmp_path_factory.mktemp("second"), free_port(), free_port()
    (folder / "nginx.conf").write_text(_CONFIGURATION.format(folder=folder, port=port, plain=plain, user="user root;"))
    process = subprocess.Popen([program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")])
    for _ in range(200):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            break
        time.sleep(0.02)
    yield port, plain, folder
    process.terminate()
    process.wait()


@pytest.fixture(params=["auto", "libcurl"])
def engine(request: pytest.FixtureRequest) -> CurlEngine:
    return CurlEngine(request.param)


@pytest.mark.parametrize("path", ["/chunked", "/interim", "/split", "/end"])
def test_answers_in_every_shape(engine: CurlEngine, broken: Faults, path: str) -> None:
    run = engine.run(job(broken.port, path, requests=20, concurrency=3, keep_alive=True, http_version="1.1"))
    consistent(run)
    assert number(run, "requests.complete") == 20
    assert number(run, "bytes.body") == 2000
    assert number(run, "requests.failed") == 0
    if path == "/end":
        assert number(run, "connections.opened") == 20
        assert number(run, "requests.keep_alive") == 0


def test_a_kept_connection_that_is_closed_is_opened_anew(engine: CurlEngine, broken: Faults) -> None:
    run = engine.run(job(broken.port, "/rude", requests=20, concurrency=2, keep_alive=True, http_version="1.1"))
    consistent(run)
    assert number(run, "requests.complete") == 20
    assert number(run, "requests.failed") == 0


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_is_sent_again_is_counted_and_said(engine: CurlEngine, broken: Faults, method: str) -> None:
    path, body = f"/once/{engine.driver}/{method}", b"hello" if method == "POST" else None
    run = engine.run(job(broken.port, path, requests=10, concurrency=1, keep_alive=True, http_version="1.1", method=method, body=body))
    consistent(run)
    assert (number(run, "requests.complete"), number(run, "requests.keep_alive_aborted")) == (10, 9)
    assert broken.counts()[path] == 19
    assert "REQUESTS-RESENT" in codes(run)


def test_what_is_not_http_is_no_answer(broken: Faults) -> None:
    run = CurlEngine().run(job(broken.port, "/garbage", requests=4, concurrency=2, http_version="1.1"))
    assert number(run, "errors.receive") == 4
    assert codes(run) == {"REQUESTS-FAILED"}


def test_the_server_closes_now_and_then(engine: CurlEngine, second: tuple[int, int, Path]) -> None:
    run = engine.run(job(second[1], "/", requests=1000, concurrency=4, keep_alive=True))
    consistent(run)
    assert number(run, "requests.failed") == 0
    assert 10 <= number(run, "connections.opened") <= 14
    left_open = number(run, "connections.opened") - (1000 - number(run, "requests.keep_alive"))
    assert 0 <= left_open <= 4  # nginx says "close" with every hundredth answer of a connection


def test_http_2(second: tuple[int, int, Path]) -> None:
    run = CurlEngine().run(job(second[0], "/", requests=200, concurrency=5, http_version="2"))
    consistent(run)
    assert number(run, "requests.complete") == 200
    assert number(run, "connections.opened") >= 5
    assert run.host is not None
    assert (run.host["engine"]["protocol"], run.host["engine"]["driver"]) == ("HTTP/2", "libcurl")


def test_a_unix_socket(second: tuple[int, int, Path]) -> None:
    run = CurlEngine().run(job(80, "/", host="name.example", requests=50, concurrency=5, keep_alive=True, unix_socket=str(second[2] / "socket")))
    consistent(run)
    assert number(run, "requests.complete") == 50
    assert run.target.host == "name.example"


def test_another_place_to_connect_to(engine: CurlEngine, second: tuple[int, int, Path]) -> None:
    run = engine.run(job(80, "/", host="name.example", requests=5, connect_to=f"127.0.0.1:{second[1]}"))
    assert number(run, "requests.complete") == 5


def test_both_ways_send_the_same() -> None:
    """Line by line, in the same order."""
    listener = socket.create_server(("127.0.0.1", 0))
    port, seen = listener.getsockname()[1], []

    def listen() -> None:
        for _ in range(2):
            one, _ = listener.accept()
            seen.append(one.recv(10_000))
            one.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")
            one.close()

    thread = threading.Thread(target=listen)
    thread.start()
    headers = (("X-A", "1"), ("X-Empty", ""), ("accept", "text/html"))
    drivers: tuple[Literal["auto", "libcurl"], ...] = ("auto", "libcurl")
    for driver in drivers:
        CurlEngine(driver).run(job(port, "/p?q=1", requests=1, headers=headers, body=b"a=b", user="u:p", keep_alive=True))
    thread.join()
    listener.close()
    first, second = ([line.lower() for line in one.split(b"\r\n")] for one in seen)
    assert sorted(first) == sorted(second)
    assert first[0] == second[0] == b"post /p?q=1 http/1.0"


def test_the_default_port_is_not_named() -> None:
    sent = request(Job(target=Target("http", "a.example", 80, "/"), load=Load()))
    assert sent.startswith(b"GET / HTTP/1.0\r\nHost: a.example\r\n")


# -- answers, by themselves --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", (200, 5, True)),
        (b"HTTP/1.1 200 OK\r\ncontent-length:5\r\nConnection: Close\r\n\r\n", (200, 5, False)),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n", (200, 5, False)),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n", (200, 5, True)),
        (b"HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n", (204, 0, True)),
        (b"HTTP/1.1 200\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length: 5\r\n\r\n", (200, CHUNKED, True)),
        (b"HTTP/1.1 500 X\r\n\r\n", (500, TO_THE_END, False)),
    ],
)
def test_heads(text: bytes, found: tuple[int, int, bool]) -> None:
    assert head(text, bodiless=False) == Head(*found, len(text))


def test_what_is_no_head() -> None:
    assert head(b"ICY 200 OK\r\n\r\n", bodiless=False) is None


@given(strategies.lists(strategies.binary(min_size=1, max_size=40), max_size=6), strategies.integers(1, 50))
def test_chunks_in_any_parts(bodies: list[bytes], step: int) -> None:
    text = b"".join(f"{len(one):x}\r\n".encode() + one + b"\r\n" for one in bodies) + b"0\r\n\r\n"
    chunks = Chunks()
    for at in range(0, len(text), step):
        assert not chunks.done
        assert chunks.feed(text[at : at + step]) == b""
    assert chunks.done
    assert chunks.body == sum(map(len, bodies))
    assert Chunks().feed(text + b"more") == b"more"


@pytest.mark.parametrize("text", [b"xyz\r\n", b"-1\r\n", b"\r\n"])
def test_what_are_no_chunks(text: bytes) -> None:
    assert Chunks().feed(text) is None


# -- samples -----------------------------------------------------------------------------------------------------------


def test_samples_kept_or_counted_are_the_same() -> None:
    rows = [(at * 1000, at % 700 + 1, 200, 10, 5, 1, 2, 0, at % 700 + 1) for at in range(3000)]
    kept, counted = Samples(10_000), Samples(100)
    for samples in (kept, counted):
        for at in range(0, 3000, 200):
            samples.take(rows[at : at + 200])
        samples.settled()
    assert kept.values["latency"].counts == counted.values["latency"].counts
    assert {at: one.counts.total() for at, one in kept.seconds.items()} == {at: one.counts.total() for at, one in counted.seconds.items()}
    assert kept.complete == counted.complete == 3000


def test_many_different_values_are_rounded_to_three_digits() -> None:
    values = Values()
    values.add(range(1, 200_001))
    assert values.rounded
    assert values.counts.total() == 200_000
    assert len(values.counts) < 20_000
    assert all(abs(value - at) <= at / 1000 + 1 for at, (value, _) in zip((1, 2, 3), values.ranked(), strict=False))


def test_rounded_values_are_those_of_a_histogram() -> None:
    values = Values()
    values.add([1, 2047, 2048, 2049, 123_456, 9_999_999, 123_457])
    exact = values.counts.copy()
    values.fold()
    assert values.ranked() == list(recorded(exact))
    assert all(abs(mine - given) <= given / 1000 for mine, given in zip(sorted(values.counts.elements()), sorted(exact.elements()), strict=True))
