"""The command lines that ab, wrk and wrk2 are given for a job, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from abcompare.dialects import secrets
from abcompare.errors import EngineError
from abcompare.jobs import Job
from abcompare.records import Load, Target
from abcompare.registry import runnable

TARGET = Target("http", "127.0.0.1", 8080, "/a?b=1")
COUNTS = st.integers(1, 10**9)
NAMES = st.from_regex(r"X-[A-Za-z0-9-]{1,12}", fullmatch=True)
VALUES = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30).map(str.strip)
HEADERS = st.lists(st.tuples(NAMES, VALUES), max_size=4, unique_by=lambda header: header[0])
METHODS = st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])


def job(target: Target = TARGET, body: bytes | None = None, headers: tuple[tuple[str, str], ...] = (), **load: Any) -> Job:
    return Job(target=target, load=Load(**load), body=body, headers=headers)


def argv(tool: str, asked: Job) -> list[str]:
    return list(runnable(tool).invocation(asked).argv)


def recorded(headers: list[tuple[str, str]]) -> dict[str, str]:
    return secrets.headers(f"{name}: {value}" for name, value in headers)


@settings(deadline=None)
@given(
    concurrency=COUNTS, requests=COUNTS, duration=st.none() | COUNTS, stall=st.just(30) | COUNTS, keep_alive=st.booleans(),
    variable=st.booleans(), method=METHODS | st.just("HEAD"), body=st.none() | st.binary(max_size=50), headers=HEADERS,
)
def test_what_ab_is_given_asks_for_the_load(
    concurrency: int, requests: int, duration: int | None, stall: int, keep_alive: bool, variable: bool, method: str,
    body: bytes | None, headers: list[tuple[str, str]],
) -> None:
    load = Load(
        method=method, concurrency=concurrency, requests=requests, duration_s=duration, keep_alive=keep_alive, http_version="1.0",
        variable_length=variable, headers=recorded(headers),
    )
    body = None if method == "HEAD" else body
    call = runnable("ab").invocation(Job(target=TARGET, load=load, headers=tuple(headers), body=body, stall_s=float(stall)))
    # A record of ab has -s, where it is typed, as its time limit.
    assert runnable("ab").load_of(list(call.argv)) == replace(load, timeout_s=None if stall == 30 else stall)
    assert runnable("ab").target_of(list(call.argv)) == TARGET
    assert call.files == ({} if body is None else {"body": body})


@settings(deadline=None)
@given(
    tool=st.sampled_from(["wrk", "wrk2"]), concurrency=COUNTS, threads=COUNTS, duration=COUNTS, timeout=COUNTS, rate=COUNTS,
    keep_alive=st.booleans(), headers=HEADERS,
)
def test_what_wrk_is_given_asks_for_the_load(
    tool: str, concurrency: int, threads: int, duration: int, timeout: int, rate: int, keep_alive: bool, headers: list[tuple[str, str]],
) -> None:
    load = Load(
        method="GET", concurrency=concurrency, threads=threads, duration_s=duration, timeout_s=timeout,
        rate_per_s=rate if tool == "wrk2" else None, keep_alive=keep_alive, http_version="1.1",
        headers=recorded(headers if keep_alive else [*headers, ("Connection", "close")]),
    )
    words = argv(tool, Job(target=TARGET, load=load, headers=tuple(headers)))
    assert runnable(tool).load_of(words) == load
    assert runnable(tool).target_of(words) == TARGET


@settings(deadline=None)
@given(tool=st.sampled_from(["ab", "wrk"]), host=st.sampled_from(["h", "a.example", "::1", "10.0.0.1"]), port=st.integers(1, 65535), path=st.from_regex(r"/[A-Za-z0-9/?&=%.-]{0,30}", fullmatch=True))
def test_the_url_is_the_target(tool: str, host: str, port: int, path: str) -> None:
    url = argv(tool, job(Target("http", host, port, path), duration_s=1))[-1]
    name = f"[{host}]" if ":" in host else host
    assert url == f"http://{name}{'' if port == 80 else f':{port}'}{path}"


def test_ab_word_for_word() -> None:
    asked = job(body=b"{}", headers=(("Content-Type", "application/json"), ("X-A", "1")), method="PATCH", concurrency=10, requests=100, keep_alive=True)
    assert argv("ab", asked) == [
        "ab", "-c", "10", "-n", "100", "-k", "-r", "-p", "body", "-m", "PATCH", "-T", "application/json", "-H", "X-A: 1",
        "http://127.0.0.1:8080/a?b=1",
    ]  # fmt: skip
    assert argv("ab", replace(job(requests=1), user="me:pw", proxy="http://p:3128", proxy_user="a:b", stop_on_error=True, certificate="/c.pem")) == [
        "ab", "-c", "1", "-n", "1", "-A", "me:pw", "-X", "p:3128", "-P", "a:b", "-E", "/c.pem", "http://127.0.0.1:8080/a?b=1",
    ]  # fmt: skip


def test_ab_s_time_limit_is_not_cut_by_its_fifty_thousand_requests() -> None:
    assert argv("ab", job(duration_s=10))[3:7] == ["-t", "10", "-n", "3000000"]
    assert argv("ab", job(duration_s=10_000))[3:7] == ["-t", "10000", "-n", "50000000"]  # ab allocates 40 bytes for each


def test_ab_s_stall_limit() -> None:
    assert "-s" not in argv("ab", job(requests=1))
    assert argv("ab", replace(job(requests=1), stall_s=5.0))[5:7] == ["-s", "5"]


def test_wrk_word_for_word() -> None:
    call = runnable("wrk").invocation(replace(job(body=b"a\0\"]]", method="POST", concurrency=6, duration_s=3), user="me:pw"))
    assert call.argv == (
        "wrk", "-t", "1", "-c", "6", "-d", "3s", "-s", "request.lua", "-H", "Authorization: Basic bWU6cHc=", "--latency",
        "http://127.0.0.1:8080/a?b=1",
    )  # fmt: skip
    assert call.files["body"] == b"a\0\"]]"
    assert call.files["request.lua"].startswith(b'wrk.method = "POST"\n')


@pytest.mark.parametrize(("processes", "concurrency", "threads"), [(1, 10, "1"), (2, 10, "2"), (4, 10, "2"), (4, 1, "1"), (3, 9, "3")])
def test_wrk_s_threads_divide_its_connections(processes: int, concurrency: int, threads: str) -> None:
    assert argv("wrk", replace(job(duration_s=1, concurrency=concurrency), processes=processes))[2] == threads


HTTPS = Target("https", "h", 443, "/")
REFUSED: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    ("ab", {"rate_per_s": 5}, {}, "--rate", "curl or wrk2"),
    ("ab", {"http_version": "1.1"}, {}, "--http 1.1", "curl or wrk"),
    ("ab", {"threads": 4}, {}, "--threads", "wrk"),
    ("ab", {}, {"processes": 0}, "--processes", "curl"),
    ("ab", {"duration_s": 0.5, "requests": None}, {}, "--duration", "curl"),
    ("ab", {"timeout_s": 2}, {}, "--timeout", "curl or wrk"),
    ("ab", {}, {"stall_s": 2.5}, "--stall", "curl"),
    ("ab", {"requests": None}, {}, "neither", "--requests"),
    ("ab", {"requests": 0}, {}, "--requests", ""),
    ("ab", {"concurrency": -1}, {}, "--concurrency", ""),
    ("ab", {"method": "HEAD"}, {"body": b"x"}, "--body", "curl"),
    ("ab", {"script": "a.lua"}, {}, "a.lua", ""),
    ("ab", {}, {"target": HTTPS}, "--insecure", "curl"),
    ("ab", {}, {"private_key": "k"}, "--key", "curl"),
    ("ab", {}, {"proxy": "socks5://h:1"}, "proxy", "curl"),
    ("ab", {}, {"proxy": "h:1", "target": HTTPS, "insecure": True}, "--proxy with https", "curl"),
    ("wrk", {"rate_per_s": 5}, {}, "--rate", "curl or wrk2"),
    ("wrk", {"requests": 5}, {}, "--requests", "curl or ab"),
    ("wrk", {"http_version": "1.0"}, {}, "--http 1.0", "curl or ab"),
    ("wrk", {"method": "HEAD"}, {}, "HEAD", "curl or ab"),
    ("wrk", {"duration_s": None}, {}, "how long", "--duration"),
    ("wrk", {"duration_s": 1.5}, {}, "--duration", "curl"),
    ("wrk", {"timeout_s": 0.5}, {}, "--timeout", "curl"),
    ("wrk", {}, {"stop_on_error": True}, "--stop-on-error", "curl or ab"),
    ("wrk", {}, {"proxy": "h:1"}, "--proxy", "curl or ab"),
    ("wrk", {}, {"unix_socket": "/s"}, "--unix-socket", "curl"),
    ("wrk", {}, {"connect_to": "h:1"}, "--connect-to", "curl"),
    ("wrk", {}, {"certificate": "c"}, "--cert", "curl or ab"),
    ("wrk2", {}, {}, "--rate", "curl or wrk"),
    ("wrk2", {"rate_per_s": 0.5}, {}, "--rate", "curl"),
]


@pytest.mark.parametrize(("tool", "load", "more", "option", "able"), REFUSED, ids=[f"{one[0]} {one[3]} {one[1]}" for one in REFUSED])
def test_what_a_tool_cannot_do_is_said(tool: str, load: dict[str, Any], more: dict[str, Any], option: str, able: str) -> None:
    base: dict[str, Any] = {"requests": 10} if tool == "ab" else {"duration_s": 1}
    asked = Job(**{"target": TARGET, "load": Load(**{**base, **load}), **more})
    with pytest.raises(EngineError) as raised:
        runnable(tool).invocation(asked)
    assert option in raised.value.message
    assert able in (raised.value.hint or "")


@pytest.mark.parametrize("tool", ["ab", "wrk"])
@pytest.mark.parametrize(
    "broken",
    [
        {"headers": (("X-A", "1\r\nHost: evil"),)}, {"headers": (("X A", "1"),)}, {"headers": (("", "1"),)},
        {"headers": (("Content-Length", "5"),)}, {"headers": (("transfer-encoding", "chunked"),)},
        {"target": Target("http", "h", 80, "/a b")}, {"target": Target("http", "h", 80, "/a\r\nX: 1")},
        {"target": Target("http", "h h", 80, "/")}, {"target": Target("http", "münchen", 80, "/")}, {"target": Target("ftp", "h", 21, "/")}, {"target": Target()},
        {"target": Target("http", "h", 80, "/é")}, {"load": Load(method='G"\nos.exit()', duration_s=1)},
    ],
)  # fmt: skip
def test_nothing_breaks_a_request_apart(tool: str, broken: dict[str, Any]) -> None:
    with pytest.raises(EngineError):
        runnable(tool).invocation(Job(**{"target": TARGET, "load": Load(duration_s=1), **broken}))
