"""The program as a process: pipes that break, disks that are full, signals, terminals, and how fast it answers."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import AB

PROGRAM = str(Path(sys.executable).with_name("abcompare"))
LOG = str(AB / "ab-k.txt")


def run(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 30} | more
    return subprocess.run([PROGRAM, *arguments], check=False, **settings)  # type: ignore[call-overload, no-any-return]


def shell(command: str, **more: object) -> subprocess.CompletedProcess[str]:
    settings = {"capture_output": True, "text": True, "timeout": 30} | more
    return subprocess.run(["/bin/bash", "-c", command], check=False, **settings)  # type: ignore[call-overload, no-any-return]


def test_it_is_installed() -> None:
    assert run("--version").stdout.startswith("abcompare ")


def loaded(*arguments: str) -> set[str]:
    """The modules that a command imports."""
    code = (
        "import sys; from abcompare.cli import app\n"
        f"try: app({list(arguments)!r})\nexcept SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stderr.splitlines()[-1].split()}


def test_help_loads_nothing_heavy() -> None:
    assert not loaded("--help") & {"lark", "msgspec", "tabulate", "scipy", "numpy", "rich", "pydantic", "zstandard"}


def test_parse_loads_no_mathematics() -> None:
    modules = loaded("parse", LOG)
    assert "lark" in modules
    assert not modules & {"scipy", "numpy", "rich", "zstandard", "concurrent"} - {"concurrent"}


def test_an_archive_needs_no_grammar(tmp_path: Path) -> None:
    run("parse", LOG, "-o", str(tmp_path / "o.json"))
    assert "lark" not in loaded("show", str(tmp_path / "o.json"))


def test_importing_the_package_costs_nothing() -> None:
    code = "import sys, abcompare; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"msgspec", "lark", "abcompare.records"} & set(done.stdout.split())


def test_a_reader_that_leaves_is_no_error() -> None:
    done = shell(f"{PROGRAM} parse {AB} -f json 2>err.txt | head -1; echo ${{PIPESTATUS[0]}}; cat err.txt", cwd="/tmp")
    assert done.stdout.startswith("{\n0\n")
    assert "Traceback" not in done.stdout
    assert "Broken" not in done.stdout
    assert done.stderr == ""


def test_a_reader_of_messages_that_leaves_is_no_error() -> None:
    done = shell(f"{PROGRAM} parse {AB} -v -f json 2>&1 >/dev/null | head -1; echo ${{PIPESTATUS[0]}}")
    assert done.stdout.splitlines()[-1] == "0"
    assert done.stderr == ""


@pytest.mark.parametrize("arguments", ["parse LOG", "parse LOG -f json", "show LOG", "schema", "plugins", "--help"])
def test_a_full_disk_is_said(arguments: str) -> None:
    done = shell(f"{PROGRAM} {arguments.replace('LOG', LOG)} > /dev/full")
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_full_disk_under_a_file() -> None:
    done = run("parse", LOG, "-q", "-o", "/dev/full")
    assert (done.returncode, done.stderr) == (2, "/dev/full: cannot be written: No space left on device\n")


def test_closed_streams() -> None:
    assert shell(f"{PROGRAM} parse {LOG} 2>&-").returncode == 0
    closed = shell(f"{PROGRAM} parse {LOG} -q >&-")
    assert (closed.returncode, closed.stderr) == (2, "standard output: it is closed\n")
    nothing = shell(f"{PROGRAM} parse - <&-")
    assert (nothing.returncode, nothing.stderr) == (2, "-: standard input is closed\n")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c(tmp_path: Path, jobs: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    command = [PROGRAM, "parse", "pipe", LOG, "-j", jobs]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=-1, stderr=-1, text=True, start_new_session=True)
    with (tmp_path / "pipe").open("w"):  # opens once the other side reads, and waits for more
        time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")


def terminal(*arguments: str, columns: int, **environment: str) -> str:
    """What a terminal of a width shows, stdout and stderr together."""
    import fcntl
    import struct
    import termios

    inner, outer = pty.openpty()
    fcntl.ioctl(outer, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    variables = {**plain, "TERM": "xterm", **environment}
    done = subprocess.run([PROGRAM, *arguments], check=False, stdin=outer, stdout=outer, stderr=outer, env=variables)
    os.close(outer)
    assert done.returncode == 0
    shown = b""
    try:
        while data := os.read(inner, 65536):
            shown += data
    except OSError:  # Linux says EIO at the end
        pass
    os.close(inner)
    return shown.decode().replace("\r\n", "\n")


def test_a_terminal_gets_its_width_and_colours() -> None:
    shown = terminal("parse", LOG, columns=70)
    assert "\x1b[1m" in shown
    assert "left out for want of width" in shown
    bare = terminal("parse", LOG, columns=70, NO_COLOR="1")
    assert "\x1b" not in bare
    assert max(map(len, bare.splitlines()[:3])) <= 70
    assert "\x1b" not in terminal("parse", LOG, columns=70, TERM="dumb")


def test_terminals_that_know_no_unicode() -> None:
    done = run("show", str(AB / "ab2.2.7-20ms.txt"), env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "b26315d8" in done.stdout
    assert "1-" in done.stdout, "a dash for a dash"


def test_an_output_that_is_stopped_half_way_leaves_no_file(tmp_path: Path) -> None:
    done = shell(f"ulimit -f 4; trap '' XFSZ; {PROGRAM} parse {AB} -q -o o.json", cwd=tmp_path)
    assert done.returncode == 2
    assert "o.json: cannot be written: File too large" in done.stderr
    assert list(tmp_path.iterdir()) == []
