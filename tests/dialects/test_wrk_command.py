"""wrk's and wrk2's command lines: what they ask for, and how they are held against the report."""

from __future__ import annotations

import pytest

from abcompare.dialects.argv import split
from abcompare.registry import dialect
from tests.dialects.test_wrk import REPORT, codes, run_of

URL = "'http://127.0.0.1:8080/a?b=1'"


def test_the_command_line_tells_what_the_report_does_not() -> None:
    run = run_of(f"$ wrk -t12 -c400 -d30s --timeout 5s -H 'Authorization: Bearer abc' {URL}\n" + REPORT)
    assert (run.load.method, run.load.timeout_s) == ("GET", 5)
    assert run.load.headers == {"Authorization": "REDACTED"}
    assert run.command is not None and "abc" not in run.command
    assert "COMMAND-MISMATCH" not in codes(run)


def test_the_planned_duration_is_the_command_lines_where_minutes_round_it() -> None:
    text = REPORT.replace("Running 30s", "Running 1m").replace("in 30.00s", "in 0.92m")
    run = run_of(f"$ wrk -t12 -c400 -d55 {URL}\n" + text)
    assert run.load.duration_s == 55
    assert "WRK-DURATION-ROUNDED" not in codes(run)


def test_one_contradiction_and_the_report_counts() -> None:
    run = run_of(f"$ wrk -t12 -c100 -d30s --timeout 5s {URL}\n" + REPORT)
    assert (run.load.concurrency, run.load.timeout_s) == (400, 5)
    assert "COMMAND-MISMATCH" in codes(run)


def test_two_contradictions_and_the_command_is_another_runs() -> None:
    run = run_of(f"$ wrk -t2 -c100 -d30s --timeout 5s {URL}\n" + REPORT)
    assert (run.load.threads, run.load.concurrency, run.load.timeout_s) == (12, 400, None)


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ("wrk http://h/", {"threads": 2, "concurrency": 10, "duration_s": 10, "timeout_s": 2, "method": "GET"}),
        ("wrk --threads=4 --connections 1k http://h/", {"threads": 4, "concurrency": 1000}),
        ("wrk --duration 2h --timeout 1m http://h/", {"duration_s": 7200, "timeout_s": 60}),
        ("wrk --conn 5 http://h/", {"concurrency": 5}),
        ("wrk -r 10k http://h/", {"requests": 10_000, "duration_s": None}),
        ("wrk -d 1.5s http://h/", {"duration_s": None}),
        ("wrk -s a.lua http://h/ -- -t 9", {"script": "a.lua", "method": None, "threads": 2}),
        ("wrk -H 'Connection: close' http://h/", {"keep_alive": False, "headers": {"Connection": "close"}}),
        ("wrk -M post --body abc http://h/", {"method": "POST", "request_body_bytes": 3}),
        ("wrk2 -t2 -c100 -d30s -R 2k -U http://h/", {"rate_per_s": 2000, "concurrency": 100}),
        ("wrk -t4", {"threads": 4, "concurrency": None, "duration_s": None, "method": None}),
    ],
)
def test_load_of(argv: str, expected: dict[str, object]) -> None:
    load = dialect("wrk").load_of(split(argv))
    assert {name: getattr(load, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("command", "host", "port"),
    [
        ("wrk -t2 http://example.org/x", "example.org", 80),
        ("wrk -t2 https://[2001:db8::1]:8443/", "2001:db8::1", 8443),
        ("wrk -t2 https://user:secret@example.org/", "example.org", 443),
        ("wrk -t2", None, None),
    ],
)
def test_target_of(command: str, host: str | None, port: int | None) -> None:
    target = dialect("wrk").target_of(split(command))  # type: ignore[attr-defined]
    assert (target.host, target.port) == (host, port)


def test_a_wrapped_command_line_is_no_contradiction() -> None:
    run = run_of("$ wrk -t12 -c400 -d30s --timeout 5s http://127.0.0.1\n:8080/a?b=1\n" + REPORT)
    assert run.load.timeout_s == 5
    assert "COMMAND-MISMATCH" not in codes(run)
