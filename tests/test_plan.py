"""What an equivalent load is: amounts, URLs, mapping, scaling, command lines, and archived runs as jobs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from abcompare import load, parse
from abcompare.compare.keys import SCENARIO, value
from abcompare.dialects.calls import url as sent_url
from abcompare.engines.fake import FakeEngine
from abcompare.errors import InputError, UsageError
from abcompare.plan import again, hosts, job, like, typed
from abcompare.plan.amounts import count, rate, seconds, warm_up
from abcompare.plan.scaling import factor, scaled
from abcompare.plan.urls import address, place
from abcompare.records import Load, Measure, Run, Source, Target, Tls, Tool
from abcompare.registry import dialect

SEEDS = Path(__file__).parents[1] / "fixtures" / "seeds"


def run(target: Target | None = None, tool: str = "ab", complete: bool = True, measures: dict[str, float] | None = None, **load: Any) -> Run:
    asked: dict[str, Any] = {"method": "GET", "concurrency": 10, "requests": 100, "keep_alive": False, "http_version": "1.0", **load}
    numbers = {name: Measure(number, "", str(number), None) for name, number in (measures or {}).items()}
    return Run(
        id="c0ffee00" * 2, tool=Tool(tool), source=Source("a.log", 7), target=target or Target("http", "10.0.0.5", 80, "/a"),
        load=Load(**asked), measures=numbers, complete=complete,
    )


HERE = hosts("http://127.0.0.1:8080")


# -- amounts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "expected"), [
    ("500ms", 0.5), ("30s", 30), ("5m", 300), ("1h", 3600), ("1m30s", 90), ("30", 30), ("0.25", 0.25), (7, 7), ("250us", 0.00025),
])  # fmt: skip
def test_durations(text: str, expected: float) -> None:
    assert seconds(text, "-t") == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("text", ["", "s", "-5s", "0", "0s", "nan", "inf", "1e3", "5 parsecs", "30 s", "1d", "٣s", "1" * 400])
def test_no_durations(text: str) -> None:
    with pytest.raises(UsageError, match="-t"):
        seconds(text, "-t")


@pytest.mark.parametrize(("text", "expected"), [("10k", 10_000), ("1M", 10**6), ("1.5k", 1500), ("1_000", 1000), ("1,000", 1000), (5, 5)])
def test_counts(text: str | int, expected: int) -> None:
    assert count(text, "-n") == expected


@pytest.mark.parametrize("text", ["", "k", "-1", "0", "1.5", "1e3", "1.0001k", "1kk", "ten", "1" * 20, "٣"])
def test_no_counts(text: str) -> None:
    with pytest.raises(UsageError, match="-n"):
        count(text, "-n")


@given(st.integers(1, 10**9), st.sampled_from(["us", "ms", "s", "m", "h"]))
def test_any_duration(number: int, unit: str) -> None:
    per = {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600}[unit]
    assert seconds(f"{number}{unit}", "-t") == pytest.approx(number * per, rel=1e-12)


@given(st.integers(1, 10**6), st.sampled_from(["", "k", "K", "M", "m", "G"]))
def test_any_count(number: int, unit: str) -> None:
    assert count(f"{number}{unit}", "-n") == number * {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}[unit.lower()]


@given(st.text(max_size=12))
def test_any_text_is_an_amount_or_a_usage_error(text: str) -> None:
    readers: tuple[Callable[[str, str], object], ...] = (seconds, count, rate, warm_up)
    for read in readers:
        try:
            read(text, "--x")
        except UsageError as error:
            assert error.message.startswith("--x: ")


def test_rates_and_warm_ups() -> None:
    assert [rate(one, "--rate") for one in ("500", "2.5k", "500/s", "0.5")] == [500, 2500, 500, 0.5]
    assert [warm_up(one, "--warmup") for one in ("2s", "500", "1k", 0)] == [(2.0, 0), (0.0, 500), (0.0, 1000), (0.0, 0)]


# -- URLs --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("url", "expected"), [
    ("http://a.example", ("http", "a.example", 80, "/")), ("https://a.example/x?y=1#z", ("https", "a.example", 443, "/x?y=1")),
    ("a.example:81/x", ("http", "a.example", 81, "/x")), ("http://[::1]:8080/", ("http", "::1", 8080, "/")),
    ("HTTP://A.Example/B", ("http", "a.example", 80, "/B")), ("http://a.example?q", ("http", "a.example", 80, "/?q")),
    ("http://a.example/ä", ("http", "a.example", 80, "/%C3%A4")), ("http://bücher.example/", ("http", "xn--bcher-kva.example", 80, "/")),
    ("http://a.example/%20x", ("http", "a.example", 80, "/%20x")),
])  # fmt: skip
def test_urls(url: str, expected: tuple[str, str, int, str]) -> None:
    found = address(url, "URL").target
    assert (found.scheme, found.host, found.port, found.path) == expected


def test_a_login_of_a_url_is_no_part_of_its_target() -> None:
    found = address("http://me:p%40ss@a.example/x", "URL")
    assert found.user == "me:p@ss"
    assert found.target == Target("http", "a.example", 80, "/x")


@pytest.mark.parametrize("url", [
    "", "http://", "http:///x", "ftp://a.example/", "http://a.example:0/", "http://a.example:99999/", "http://a b/", "http://a.example/a b",
    "http://a.example\\@evil.example/", "http://[::1/", "http://a.example\n/", "http://-x/", "file:///etc/passwd", "http://a$b/",
])  # fmt: skip
def test_no_urls(url: str) -> None:
    with pytest.raises(UsageError, match="URL"):
        address(url, "URL")


def test_a_place_has_no_path_and_no_login() -> None:
    assert place("10.0.0.5:81", "--map") == (None, "10.0.0.5", 81)
    for text in ("http://a.example/x", "http://me@a.example", "a.example/?q"):
        with pytest.raises(UsageError, match="--target"):
            place(text, "--target")


# -- a URL as a job ----------------------------------------------------------------------------------------------------


def test_the_defaults() -> None:
    made = job("http://127.0.0.1/")
    assert (made.load.method, made.load.concurrency, made.load.requests, made.load.duration_s) == ("GET", 1, None, 10)
    assert (made.load.http_version, made.load.keep_alive) == (None, None)


def test_options_become_the_job() -> None:
    made = job(
        "http://me:pw@127.0.0.1/", requests="10k", duration="1m", concurrency=50, rate="2k", header=["X-A: 1"], cookie="a=b", body="hi",
        content_type="text/css", keep_alive=True, http="1.1", timeout="500ms", stall=5, warmup="2s", processes="auto", max_samples="1k",
        insecure=True, label="new",
    )
    assert (made.load.requests, made.load.duration_s, made.load.concurrency, made.load.rate_per_s) == (10_000, 60, 50, 2000)
    assert made.headers == (("X-A", "1"), ("Cookie", "a=b"), ("Content-Type", "text/css"))
    assert (made.load.method, made.body, made.load.request_body_bytes, made.user) == ("POST", b"hi", 2, "me:pw")
    assert (made.load.keep_alive, made.load.http_version, made.load.timeout_s, made.stall_s) == (True, "1.1", 0.5, 5.0)
    assert (made.warmup_s, made.processes, made.max_samples, made.insecure, made.label) == (2.0, 0, 1000, True, "new")


def test_one_amount_takes_the_place_of_both() -> None:
    base = job("http://127.0.0.1/", requests=100, duration=5)
    assert (job(base=base, duration=9).load.requests, job(base=base, requests=9).load.duration_s) == (None, None)
    assert job(base=base, keep_alive=True).load.requests == 100


@pytest.mark.parametrize("options", [
    {"requests": 5, "concurrency": 10}, {"method": "G ET"}, {"header": "no colon"}, {"header": "A: b\r\nC: d"}, {"http": "0.9"},
    {"header": "Content-Length: 5"}, {"body": "a", "body_file": "b"}, {"proxys": "x"}, {"processes": 0},
])  # fmt: skip
def test_what_makes_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        job("http://127.0.0.1/", **options)


def test_a_body_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        job("http://127.0.0.1/", body_file=tmp_path / "none")


def test_a_get_with_a_body_stays_one() -> None:
    base = job("http://127.0.0.1/", method="GET", body="x")
    assert job(base=base, warmup="1s").load.method == "GET"


# -- a command line as a job -------------------------------------------------------------------------------------------


def test_like_wrk() -> None:
    tool, argv = typed("time wrk -t4 -c100 -d30s --latency -H 'Authorization: Bearer s3cret' http://127.0.0.1:8080/x | tee log", ["ab", "wrk"])
    made, missing = like(argv, dialect(tool))
    assert (tool, made.target) == ("wrk", Target("http", "127.0.0.1", 8080, "/x"))
    assert (made.load.threads, made.load.concurrency, made.load.duration_s, made.load.http_version) == (4, 100, 30, "1.1")
    assert (made.headers, made.load.headers, missing) == ((("Authorization", "Bearer s3cret"),), {}, ())


def test_like_ab(tmp_path: Path) -> None:
    (tmp_path / "body").write_bytes(b"12345")
    line = f"/usr/bin/ab -n 1000 -c 10 -k -s 5 -p {tmp_path}/body -T text/css -C a=b -A me:pw -H 'X-A: 1' -b 8192 http://127.0.0.1/x"
    made, missing = like(typed(line, ["ab"])[1], dialect("ab"))
    assert (made.load.requests, made.load.concurrency, made.load.keep_alive, made.load.method) == (1000, 10, True, "POST")
    assert made.headers == (("X-A", "1"), ("Cookie", "a=b"), ("Content-Type", "text/css"))
    assert (made.body, made.user, made.stall_s, made.load.timeout_s, made.stop_on_error) == (b"12345", "me:pw", 5.0, None, True)
    assert [key for key, _ in missing] == ["-b"]


def test_like_ab_r_goes_on_after_errors() -> None:
    assert like(["ab", "-r", "http://127.0.0.1/"], dialect("ab"))[0].stop_on_error is False


def test_a_script_is_not_run() -> None:
    made, missing = like(["wrk", "-s", "post.lua", "http://127.0.0.1/"], dialect("wrk"))
    assert (made.load.script, made.load.method, [key for key, _ in missing]) == (None, "GET", ["script"])


@pytest.mark.parametrize("line", ["", "curl http://127.0.0.1/", "ab", "ab -n 10", "wrk 'http://127.0.0.1/", "ab -n 1 ftp://127.0.0.1/", "$(reboot)"])
def test_no_command_lines(line: str) -> None:
    with pytest.raises(UsageError, match="--like"):
        tool, argv = typed(line, ["ab", "wrk"])
        like(argv, dialect(tool))


# -- hosts -------------------------------------------------------------------------------------------------------------


def mapped(target: Target, *maps: str, to: str | None = None) -> tuple[str | None, str | None, int | None] | None:
    found = hosts(to, maps).of(target)
    return None if found is None else (found.scheme, found.host, found.port)


def test_without_a_target_nothing_is_planned() -> None:
    with pytest.raises(UsageError, match="never contacted"):
        hosts(None)


def test_a_target_is_for_all() -> None:
    assert mapped(Target("https", "a.example", 8443, "/"), to="http://127.0.0.1") == ("http", "127.0.0.1", 80)
    assert mapped(Target(), to="https://b.example:444") == ("https", "b.example", 444)


def test_a_map_keeps_what_it_leaves_out() -> None:
    archived = Target("https", "10.0.0.5", 8443, "/")
    assert mapped(archived, "10.0.0.5=127.0.0.1") == ("https", "127.0.0.1", 8443)
    assert mapped(archived, "10.0.0.5:8443=127.0.0.1:81") == ("https", "127.0.0.1", 81)
    assert mapped(archived, "10.0.0.5=http://127.0.0.1") == ("http", "127.0.0.1", 80)
    assert mapped(archived, "https://10.0.0.5:8443=127.0.0.1") == ("https", "127.0.0.1", 8443)
    assert mapped(archived, "10.0.0.5:80=127.0.0.1") is None
    assert mapped(archived, "http://10.0.0.5:8443=127.0.0.1") is None
    assert mapped(Target(None, "10.0.0.5", 443, "/"), "10.0.0.5=127.0.0.1") == ("https", "127.0.0.1", 443)
    assert mapped(Target(None, "10.0.0.5", 8443, "/", tls=Tls("TLSv1.3")), "10.0.0.5=127.0.0.1") == ("https", "127.0.0.1", 8443)


def test_the_fullest_map_counts_and_a_target_takes_the_rest() -> None:
    maps = ("10.0.0.5=127.0.0.1:1", "10.0.0.5:8080=127.0.0.1:2")
    assert [mapped(Target("http", "10.0.0.5", port, "/"), *maps, to="127.0.0.1:3") for port in (80, 8080)] == [("http", "127.0.0.1", 1), ("http", "127.0.0.1", 2)]
    assert mapped(Target("http", "b.example", 80, "/"), *maps, to="127.0.0.1:3") == ("http", "127.0.0.1", 3)


@pytest.mark.parametrize("text", ["a.example", "=b", "a=", "a=b=c", "a=http://b/x", "a=me@b", "a=:80", "a=b c"])
def test_no_maps(text: str) -> None:
    with pytest.raises(UsageError, match="--map"):
        hosts(None, [text])


def test_a_host_that_nobody_maps_is_named() -> None:
    runs = [run(), run(Target("http", "b.example", 81, "/"))]
    with pytest.raises(UsageError, match=r"b\.example:81"):
        hosts(None, ["10.0.0.5=127.0.0.1"]).check(runs)
    with pytest.raises(UsageError, match=r"a\.log:7"):
        hosts(None, ["10.0.0.5=127.0.0.1"]).check([run(), run(Target(path="/"))])


def test_a_map_of_no_run_and_a_map_twice() -> None:
    with pytest.raises(UsageError, match="no run is of that host"):
        hosts("http://127.0.0.1", ["10.0.0.6=127.0.0.1"]).check([run()])
    with pytest.raises(UsageError, match="already"):
        hosts(None, ["10.0.0.5=127.0.0.1", "10.0.0.5=127.0.0.2"])


_TEXTS = st.one_of(st.text(max_size=30), st.sampled_from(["@evil.example/", "//evil.example/", "\\@evil.example", ":1@evil.example/", "?@evil.example", "#@evil.example/", "\r\nHost: evil.example", "http://evil.example/"]))


@given(st.one_of(st.none(), _TEXTS), st.one_of(st.none(), _TEXTS), st.one_of(st.none(), st.integers(-5, 70_000)), st.one_of(st.none(), _TEXTS))
def test_whatever_an_archive_says_requests_go_to_the_host_that_was_named(scheme: str | None, host: str | None, port: int | None, path: str | None) -> None:
    made = again(run(Target(scheme, host, port, path)), HERE).job
    assert made is not None
    assert (made.target.scheme, made.target.host, made.target.port) == ("http", "127.0.0.1", 8080)
    parts = urlsplit(sent_url(made.target, "ab"))
    assert (parts.hostname, parts.port, parts.username) == ("127.0.0.1", 8080, None)


@given(st.dictionaries(_TEXTS, _TEXTS, max_size=4), st.one_of(st.none(), _TEXTS))
def test_whatever_an_archive_says_requests_are_whole(headers: dict[str, str], method: str | None) -> None:
    made = again(run(headers=headers, method=method), HERE).job
    assert made is not None
    assert all("\n" not in text and "\r" not in text for pair in made.headers for text in pair)
    assert made.load.method and made.load.method.isascii() and " " not in made.load.method
    assert made.proxy is None and made.connect_to is None and made.unix_socket is None


@given(st.integers(1, 65_535), st.integers(1, 65_535), st.sampled_from(["http", "https", None]))
def test_any_map_of_ports(old: int, new: int, scheme: str | None) -> None:
    archived = Target(scheme, "a.example", old, "/")
    assert mapped(archived, f"a.example:{old}=127.0.0.1:{new}") == (scheme or ("https" if old == 443 else "http"), "127.0.0.1", new)
    assert mapped(archived, f"a.example:{old % 65_535 + 1}=127.0.0.1:{new}") is None


# -- scaling -----------------------------------------------------------------------------------------------------------


def test_scales_keep_the_load_meaningful() -> None:
    assert scaled(Load(requests=1000, concurrency=100), 0.01) == (Load(requests=100, concurrency=100), ("100 requests in place of 1,000",))
    assert scaled(Load(duration_s=30), 0.001)[0].duration_s == 1
    assert scaled(Load(duration_s=30, requests=50_000, concurrency=1), 0.1)[0] == Load(duration_s=3, requests=5000, concurrency=1)
    assert scaled(Load(requests=7), 1) == (Load(requests=7), ())
    assert scaled(Load(requests=10, duration_s=2), 3)[0] == Load(requests=30, duration_s=6)


@given(st.integers(1, 10**7), st.integers(1, 2000), st.floats(1e-4, 10))
def test_any_scale(requests: int, concurrency: int, by: float) -> None:
    made = scaled(Load(requests=requests, concurrency=concurrency), by)[0].requests or 0
    assert made >= min(requests, concurrency)
    assert by > 1 or made <= requests
    assert made >= requests * by - 1


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "x", ""])
def test_no_factors(text: str) -> None:
    with pytest.raises(UsageError, match="--scale"):
        factor(text, "--scale")


def test_factors() -> None:
    assert [factor(one, "--scale") for one in ("0.1", "10%", 2)] == [0.1, 0.1, 2]


# -- archived runs as jobs ---------------------------------------------------------------------------------------------


def keys(one: Run, target: str = "http://127.0.0.1:8080", **more: Any) -> list[str]:
    return [key for key, _ in again(one, hosts(target), **more).not_reproduced]


def test_a_run_that_is_known_is_reproduced() -> None:
    made = again(run(headers={"Accept": "*/*", "Connection": "close"}, timeout_s=5, threads=2), HERE)
    assert made.not_reproduced == () == made.scaled
    assert made.job is not None
    assert made.job.headers == (("Accept", "*/*"),)
    assert (made.job.stall_s, made.job.load.timeout_s, made.job.target.path) == (5.0, None, "/a")


def test_what_is_not_reproduced_is_said() -> None:
    assert keys(run(headers={"Cookie": "REDACTED"})) == ["header Cookie"]
    assert keys(run(method="POST")) == ["body"]
    assert keys(run(method="POST", request_body_bytes=5)) == ["body"]
    assert keys(run(method="POST", request_body_bytes=5), body=b"12345") == []
    assert keys(run(method="POST", request_body_bytes=5), body=b"123") == ["body length"]
    assert keys(run(tool="wrk", script="a.lua", method=None)) == ["script", "method"]
    assert keys(run(complete=False)) == ["the end"]
    assert keys(run(http_version="0.9")) == ["HTTP version"]
    assert keys(run(http_version=None, keep_alive=None, concurrency=None)) == ["concurrency", "HTTP version", "keep-alive"]
    assert keys(run(Target("https", "a.example", 443, "/"))) == ["TLS"]
    assert keys(run(), "https://127.0.0.1") == ["TLS"]
    assert keys(run(Target("http", "a.example", 80))) == ["path"]
    assert keys(run(Target("http", "a.example", 80, "/?token=REDACTED"))) == ["path"]
    assert keys(run(Target("http", "a.example", 80, "a/b"))) == ["path"] == keys(run(Target("http", "a.example", 80, "/ä")))


def test_filler_has_the_length_of_the_body() -> None:
    made = again(run(method="POST", request_body_bytes=5), HERE).job
    assert made is not None and made.body == b"xxxxx" and made.load.request_body_bytes == 5
    made = again(run(method="POST", request_body_bytes=10**12), HERE).job
    assert made is not None and made.body is None


def test_amounts_that_only_the_result_tells() -> None:
    ab = again(run(requests=None, measures={"requests.complete": 70, "duration": 3.2}), HERE)
    wrk = again(run(tool="wrk", requests=None, measures={"requests.complete": 70, "duration": 3.2}), HERE)
    assert ab.job and wrk.job
    assert (ab.job.load.requests, ab.job.load.duration_s) == (70, None)
    assert (wrk.job.load.requests, wrk.job.load.duration_s) == (None, 3)
    nothing = again(run(requests=None), HERE)
    assert nothing.job is None and nothing.not_reproduced[-1][0] == "load"


def _seeds() -> list[Run]:
    return [one for file in sorted(SEEDS.glob("*.txt")) for one in parse(file.read_bytes(), path=file.name).runs]


@pytest.mark.parametrize("archived", _seeds(), ids=lambda one: one.id[:8])
@pytest.mark.parametrize("scale", [1, 0.01])
def test_the_seeds_become_jobs_of_the_same_scenario(archived: Run, scale: float) -> None:
    planned = again(archived, HERE, scale=scale)
    assert planned.job is not None
    small = replace(planned.job, load=replace(planned.job.load, requests=min(2000, planned.job.load.requests or 2000)))
    made = FakeEngine([0.001]).run(small)
    for path in SCENARIO:
        assert value(archived, path) in (None, value(made, path)), path


@pytest.mark.parametrize("tool", ["ab", "wrk", "wrk2"])
def test_every_fixture_becomes_a_job_of_its_scenario(tool: str) -> None:
    for file in sorted((SEEDS.parent / tool).glob("*.json")):
        for archived in load(file).runs:
            planned = again(archived, HERE, scale=0.1)
            if planned.job is None:
                assert planned.not_reproduced[-1][0] == "load"
                continue
            made = replace(archived, target=planned.job.target, load=planned.job.load)
            told = [key for key, _ in planned.not_reproduced]
            differing = [path for path in SCENARIO if value(archived, path) not in (None, value(made, path))]
            assert differing == (["target.path"] if differing and "path" in told else []), file.name


def test_there_are_seventeen() -> None:
    assert len(_seeds()) == 17
