"""How fast the curl engine is, by both its ways, beside ab, wrk, h2load, hey and a client on aiohttp, on one nginx worker.

    python -m benchmarks.engine                    every case, 7 rounds (about 8 minutes)
    python -m benchmarks.engine kept50 unkept      some of them
    python -m benchmarks.engine --rounds 3 --log   a quick look, with nginx's access log on
    python -m benchmarks.engine --memory           ten million requests, and the most memory that they took (3 minutes)

Each round runs every client once, in an order that turns; what counts is the median of the ratios within rounds, for the
machine is shared. CPU is the client's own for each request, in microseconds. Missing clients are left out.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import re
import resource
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from abcompare.engines.curl import CurlEngine
from abcompare.jobs import Job
from abcompare.records import Load, Run, Target

_CONFIGURATION = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log; {user}
events {{ worker_connections 16384; }}
http {{
  access_log {log}; sendfile on; tcp_nopush on; keepalive_requests 100000000; default_type text/plain;
  client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3; uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
  server {{ listen 127.0.0.1:{port} backlog=8192; root {folder}; }}
}}
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A load: file, connections, requests, and the floors and aims by client."""

    page: str
    concurrency: int
    requests: int
    keep: bool
    floors: dict[str, tuple[float, float]]


_SMALL = {"ab": (0.9, 1.1), "wrk": (0.8, 0.95), "hey": (1.2, 1.2), "aiohttp": (4.0, 4.0)}
CASES = {
    "kept50": Case("1k", 50, 150_000, True, _SMALL),
    "kept100": Case("1k", 100, 150_000, True, _SMALL),
    "kept1000": Case("1k", 1000, 150_000, True, {"ab": (0.5, 0.9)}),
    "unkept": Case("1k", 50, 40_000, False, {"ab": (0.7, 0.9)}),
    "large": Case("18m", 4, 300, True, {"ab": (1.3, 1.6)}),
    "kept5000": Case("1k", 5000, 100_000, True, {}),
}
Sample = tuple[float, float]  # requests a second, CPU µs a request


@contextmanager
def server(*, log: bool) -> Iterator[int]:
    """One nginx worker with a file of 1 KB and one of 18 MB; its port."""
    with tempfile.TemporaryDirectory(prefix="abcompare-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "1k").write_bytes(b"x" * 1024)
        (folder / "18m").write_bytes(os.urandom(18_000_000))
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        user = "user root;" if os.getuid() == 0 else ""
        text = _CONFIGURATION.format(folder=folder, port=port, log=f"{folder}/access.log" if log else "off", user=user)
        (folder / "nginx.conf").write_text(text)
        process = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-p", name, "-e", f"{name}/error.log", "-c", f"{name}/nginx.conf"])
        try:
            for _ in range(200):
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.02)
            yield port
        finally:
            process.terminate()
            process.wait()


def own(driver: str, port: int, case: Case) -> Run:
    """One run of the engine."""
    job = Job(
        target=Target("http", "127.0.0.1", port, f"/{case.page}"),
        load=Load(concurrency=case.concurrency, requests=case.requests, keep_alive=case.keep),
    )
    run = CurlEngine("auto" if driver == "curl" else "libcurl").run(job)
    assert run.value("requests.complete") == case.requests and not run.value("requests.failed"), run.findings
    return run


def _own(driver: str) -> Callable[[int, Case], Sample]:
    def measured(port: int, case: Case) -> Sample:
        run = own(driver, port, case)
        assert run.host is not None
        return float(run.value("throughput") or 0), run.host["engine"]["cpu_per_request_s"] * 1e6

    return measured


def _called(argv: list[str], pattern: str, requests: int | None) -> Sample:
    """A program's rate as it prints it, and its CPU."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = re.search(pattern, text)
    made = re.search(r"(\d+) requests in", text)
    assert found, text
    count = requests or (int(made[1]) if made else 1)
    return float(found[1]), (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count * 1e6


def _ab(port: int, case: Case) -> Sample:
    keep = ["-k"] if case.keep else []
    argv = ["ab", "-q", *keep, "-c", str(case.concurrency), "-n", str(case.requests), f"http://127.0.0.1:{port}/{case.page}"]
    return _called(argv, r"Requests per second: +([\d.]+)", case.requests)


def _wrk(port: int, case: Case) -> Sample:
    close = [] if case.keep else ["-H", "Connection: close"]
    argv = ["wrk", "-t1", f"-c{case.concurrency}", "-d2s", *close, f"http://127.0.0.1:{port}/{case.page}"]
    return _called(argv, r"Requests/sec: +([\d.]+)", None)


def _h2load(port: int, case: Case) -> Sample:
    argv = ["h2load", "--h1", "-t1", "-c", str(case.concurrency), "-n", str(case.requests), f"http://127.0.0.1:{port}/{case.page}"]
    return _called(argv, r"finished in [^,]+, ([\d.]+) req/s", case.requests)


def _hey(port: int, case: Case) -> Sample:
    close = [] if case.keep else ["-disable-keepalive"]
    argv = ["hey", *close, "-cpus", "1", "-c", str(case.concurrency), "-n", str(case.requests), f"http://127.0.0.1:{port}/{case.page}"]
    return _called(argv, r"Requests/sec:\s+([\d.]+)", case.requests)


def _aiohttp(port: int, case: Case) -> Sample:
    """A client as one writes it: a session, and as many tasks as connections."""
    import aiohttp

    requests = max(case.concurrency, case.requests // 10)

    async def main() -> Sample:
        connector = aiohttp.TCPConnector(limit=case.concurrency, force_close=not case.keep)
        left = iter(range(requests))

        async def task() -> None:
            for _ in left:
                async with session.get(f"http://127.0.0.1:{port}/{case.page}") as answer:
                    await answer.read()

        async with aiohttp.ClientSession(connector=connector) as session:
            begun, cpu = time.perf_counter(), time.process_time()
            await asyncio.gather(*(task() for _ in range(case.concurrency)))
            return requests / (time.perf_counter() - begun), (time.process_time() - cpu) / requests * 1e6

    return asyncio.run(main())


def clients() -> dict[str, Callable[[int, Case], Sample]]:
    """The clients that are there."""
    found: dict[str, Callable[[int, Case], Sample]] = {"curl": _own("curl"), "libcurl": _own("libcurl")}
    for name, client in (("ab", _ab), ("wrk", _wrk), ("h2load", _h2load), ("hey", _hey)):
        if shutil.which(name):
            found[name] = client
    with suppress(ImportError):
        import aiohttp  # noqa: F401

        found["aiohttp"] = _aiohttp
    return found


def compared(name: str, case: Case, port: int, rounds: int) -> None:
    """Runs a case and prints a line for each client."""
    there = {one: client for one, client in clients().items() if case.keep or one != "h2load"}
    if case.requests < 1000:
        there.pop("aiohttp", None)
    samples: dict[str, list[Sample]] = {one: [] for one in there}
    order = list(there)
    for turn in range(rounds):
        for one in order[turn % len(order) :] + order[: turn % len(order)]:
            samples[one].append(there[one](port, case))
    print(f"\n{name}: {case.page}, c={case.concurrency}, {'keep-alive' if case.keep else 'no keep-alive'}, {rounds} rounds")
    for one, seen in samples.items():
        rate, cpu = (statistics.median(column) for column in zip(*seen, strict=True))
        line = f"  {one:8} {rate:10,.0f}/s  {cpu:9.1f} µs CPU"
        if one not in ("curl", "libcurl"):
            for driver in ("curl", "libcurl"):
                ratio = statistics.median(mine[0] / other[0] for mine, other in zip(samples[driver], seen, strict=True))
                line += f"   {driver}/{one} {ratio:5.2f}"
            if one in case.floors:
                floor, aim = case.floors[one]
                line += f"   floor {floor:g}, aim {aim:g}"
        print(line, flush=True)


def _remembered(port: int, requests: int, found: multiprocessing.Queue[tuple[float, int]]) -> None:
    run = own("curl", port, Case("1k", 50, requests, True, {}))
    found.put((float(run.value("throughput") or 0), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))


def memory(port: int, requests: int) -> None:
    """A long run in a process of its own, and its peak memory."""
    context = multiprocessing.get_context("spawn")
    found = context.Queue()
    process = context.Process(target=_remembered, args=(port, requests, found))
    process.start()
    rate, kilobytes = found.get()
    process.join()
    print(f"{requests:,} requests, {rate:,.0f}/s: peak memory {kilobytes / 1024:.0f} MB (floor 300)")


def main() -> None:
    """Reads the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", choices=[*CASES, []], default=[])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--log", action="store_true", help="nginx writes its access log, as it does by default")
    parser.add_argument("--memory", nargs="?", type=int, const=10_000_000)
    given = parser.parse_args()
    with server(log=given.log) as port:
        if given.memory:
            memory(port, given.memory)
            return
        for name in given.cases or CASES:
            compared(name, CASES[name], port, given.rounds)


if __name__ == "__main__":
    main()
