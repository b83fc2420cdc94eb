"""What is wrong with a command line is said without the passwords in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import abcompare
from abcompare.errors import UsageError
from abcompare.plan import hosts, job
from abcompare.plan.urls import proxy
from tests.cli.conftest import AB, Call

URL = "http://127.0.0.1:28480/"
LOGIN = "http://bob:SECRETPW@127.0.0.1"


@pytest.mark.parametrize("letters", [
    ("run", f"{LOGIN}:28480/a b"), ("run", r"http://bob:SECRET\PW@127.0.0.1/"), ("run", "http://bob:SECRET/PW@127.0.0.1/"), ("run", "bob:SECRET PW@127.0.0.1/"),
    ("run", f"{LOGIN}:x/"), ("run", f"{LOGIN}-/"), ("run", "ftp://bob:SECRETPW@127.0.0.1/"), ("run", URL, LOGIN), ("run", URL, "--engine", LOGIN),
    ("rerun", "a.log", "--target", LOGIN), ("rerun", "a.log", "--target", f"{LOGIN}/x"), ("rerun", "a.log", "--map", f"10.9.9.9={LOGIN}"),
    ("rerun", "a.log", "--map", LOGIN), ("rerun", "a.log", "--map", "bob:SECRETPW@10.9.9.9=127.0.0.1"), ("rerun", "a.log", "--map", f"10.9.9.9={LOGIN}=x"),
    ("run", "--like", "ab -n 4 -A bob:SECRETPW -H 'Authorization: x http://127.0.0.1/"), ("run", "--like", f"ab -n 4 -X {LOGIN}:x {URL}"),
    ("run", "-X", "http://bob:SECRETPW@:1", URL), ("run", "-X", "bob:SECRETPW@127.0.0.1/x", URL), ("run", "-X", "x://bob:SECRETPW@127.0.0.1", URL),
    ("run", "-H", "Bearer SECRETTOKEN", URL), ("run", "-H", "SECRETTOKEN", URL), ("run", "-H", "Bearer SECRETTOKEN: x", URL),
    ("parse", LOGIN), ("show", "broken.json"), (LOGIN,),
])  # fmt: skip
def test_no_message_has_a_password(call: Call, letters: tuple[str, ...]) -> None:
    shutil.copy(AB / "ab-k.txt", "a.log")
    Path("broken.json").write_text('{"schema": "abcompare/1", "token": "SECRETPW", oops}\n')
    result = call(*letters)
    assert result.exit_code == 2
    assert "SECRET" not in result.output + result.stderr
    assert len(result.stderr) > 20 and "Traceback" not in result.stderr


def test_the_excerpt_of_a_file_keeps_its_caret(call: Call) -> None:
    Path("broken.json").write_text('{"schema": "abcompare/1", "token": "SECRETPW", oops}\n')
    lines = call("show", "broken.json").stderr.splitlines()
    at = lines[2].index("^")
    assert lines[1][at:].startswith("oops") and "REDACTED" in lines[1][:at]


@pytest.mark.parametrize("ask", [
    lambda: job(r"http://bob:SECRET\PW@127.0.0.1/"), lambda: job("http://bob:SECRET/PW@127.0.0.1/"), lambda: hosts(LOGIN), lambda: hosts(None, [f"a={LOGIN}"]),
    lambda: job(URL, header="SECRET"), lambda: job(URL, proxy="http://bob:SECRETPW@:1"), lambda: abcompare.run(like="ab -A bob:SECRETPW 'http://127.0.0.1/"),
])  # fmt: skip
def test_nor_has_an_error_of_the_library(ask: Callable[[], object]) -> None:
    with pytest.raises(UsageError) as caught:
        ask()
    assert "SECRET" not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize("text", ["127.0.0.1:3128", "http://127.0.0.1:3128/", "socks5h://me:p@ss@[::1]:1080", "proxy.example", "HTTP://a.example"])
def test_proxies(text: str) -> None:
    assert proxy(text, "-X") == text
    assert job(URL, proxy=text).proxy == text


@pytest.mark.parametrize("text", ["", ":1", "a b", "ftp://127.0.0.1", "127.0.0.1:99999", "127.0.0.1/x", "http://", "127.0.0.1?x"])
def test_no_proxies(text: str) -> None:
    with pytest.raises(UsageError, match="-X"):
        proxy(text, "-X")
