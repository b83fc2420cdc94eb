"""Secrets: whatever form they are typed or printed in, none of them is in anything that is written."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from abcompare.dialects import secrets
from abcompare.dialects.argv import split
from abcompare.reading import parse
from abcompare.records import Archive
from abcompare.reporters import formats, render
from tests.dialects.test_wrk import REPORT as WRK

S = "zEbra7Quux"  # looks like nothing but itself
AB = """\
This is ApacheBench, Version 2.3 <$Revision: 1843412 $>
Benchmarking {host} (be patient).....done


Server Software:        nginx/1.18.0
Server Hostname:        {host}
Server Port:            80

Document Path:          {path}
Document Length:        612 bytes

Concurrency Level:      2
Time taken for tests:   0.500 seconds
Complete requests:      100
Failed requests:        0
Total transferred:      84500 bytes
HTML transferred:       61200 bytes
Requests per second:    200.00 [#/sec] (mean)
Time per request:       10.000 [ms] (mean)
Time per request:       5.000 [ms] (mean, across all concurrent requests)
Transfer rate:          165.04 [Kbytes/sec] received
{more}
Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:        0    1   0.1      1       2
Processing:     1    9   0.5      9      12
Waiting:        1    9   0.5      9      12
Total:          1   10   0.5     10      14
"""


def ab(command: str = "", host: str = "127.0.0.1", path: str = "/", more: str = "") -> str:
    return (f"$ {command}\n" if command else "") + AB.format(host=host, path=path, more=more)


def wrk(command: str = "", url: str = "http://127.0.0.1:8080/a?b=1", more: str = "") -> str:
    return (f"$ {command}\n" if command else "") + WRK.replace("http://127.0.0.1:8080/a?b=1", url).replace("Requests/sec", f"{more}Requests/sec")


URL = "http://127.0.0.1/"
AB_COMMANDS = [
    f"ab -n 100 -c 2 -A user:{S} {URL}",
    f"ab -n 100 -c 2 -P user:{S} {URL}",
    f"ab -n 100 -c 2 -kA user:{S} {URL}",
    f"ab -n 100 -c 2 -kAuser:{S} {URL}",
    f"ab -n 100 -c 2 -kC 'sid={S}; b={S}' {URL}",
    f"ab -n 100 -c 2 -C'sid=a; b={S}' {URL}",
    f"ab -n 100 -c 2 -C sid=a\\ {S} {URL}",
    f"ab -n 100 -c 2 -C 'it'\\''s={S}' {URL}",
    f'ab -n 100 -c 2 -C "a=\\"b\\" {S}" {URL}',
    f"ab -n 100 -c 2 -C “a={S}” {URL}",
    f"ab -n 100 -c 2 -C “a=b c={S}” {URL}",
    f"ab -n 100 -c 2 -C 'it's x={S}' {URL}",
    f'ab -n 100 -c 2 -H "Authorization: Basic \\"{S}\\"" {URL}',
    f"ab -n 100 -c 2 -H 'Authorization': 'Basic {S}' {URL}",
    f"ab -n 100 -c 2 -H Authorization: Basic {S} {URL}",
    f"ab -n 100 -c 2 -H 'Authorization : Basic x {S}' {URL}",
    f"ab -n 100 -c 2 -kH'Cookie: a=b; c={S}' {URL}",
    f"ab -n 100 -c 2 -H \"Cookie: a='b'; c={S}\" {URL}",
    f"ab -n 100 -c 2 -H 'Referer: http://u:{S}@h/?token={S}' {URL}",
    f"ab -n 100 -c 2 -T 'text/plain; token={S}' -p x {URL}",
    f"ab -n 100 -c 2 -X user:{S}@proxy:3128 {URL}",
    f"ab -n 100 -c 2 user:{S}@127.0.0.1/",
    f"ab -n 100 -c 2 {S}@127.0.0.1/",
    f"ab -n 100 -c 2 http://{S}@127.0.0.1/",
    f"ab -n 100 -c 2 http://user:{S}@127.0.0.1/",
    f"ab -n 100 -c 2 http://user:p@{S}@127.0.0.1/",
    f"ab -n 100 -c 2 http://user:p/{S}@127.0.0.1/",
    f"ab -n 100 -c 2 http://user:12/{S}@127.0.0.1/",
    f"ab -n 100 -c 2 http://user:p@{S}/x@127.0.0.1/",
    f"ab -n 100 -c 2 'http://127.0.0.1/?token={S}'",
    f"ab -n 100 -c 2 http://127.0.0.1/?a=1\\&api_key={S}\\&password={S}",
    f"ab -n 100 -c 2 'http://127.0.0.1/?a=1&api_key={S}&password={S}#x'",
    f"ab --auth user:{S} -n 100 -c 2 {URL}",
    f"ab -n 100 -c 2 --cookie=sid={S} {URL}",
    f"/usr/bin/ab -n 100 -c 2 -A user:{S} {URL}",
    f"ab.exe -n 100 -c 2 -A user:{S} {URL}",
]
HEADERS = [
    "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie2", "X-Auth", "X-Auth-Token", "X-Password", "apikey", "X-API-Key", "Private-Key",
    "X-Session-Id", "X-CSRF", "X-XSRF-TOKEN", "X-Token", "X-Amz-Security-Token", "X-AuthKey", "userAuth", "Ocp-Apim-Subscription-Key",
]  # fmt: skip
AB_COMMANDS += [f"ab -n 100 -c 2 -H '{name}: {S}' {URL}" for name in HEADERS]
WRK_URL = "http://127.0.0.1:8080/a?b=1"
WRK_COMMANDS = [
    f"wrk -t12 -c400 -d30s -s a.lua {WRK_URL} -- --password {S}",
    f"wrk -t12 -c400 -d30s -s a.lua {WRK_URL} -- -password {S}",
    f"wrk -t12 -c400 -d30s -s a.lua {WRK_URL} -- --password={S} token={S}",
    f"wrk -t12 -c400 -d30s -s a.lua {WRK_URL} -- token={S}",
    f"wrk -t12 -c400 -d30s -s a.lua {WRK_URL} -- '{{\"password\": \"{S}\"}}'",
    f"wrk -t12 -c400 -d30s --header 'X-Token: {S}' {WRK_URL}",
    f"wrk -t12 -c400 -d30s --header='Cookie: a=1; b={S}' {WRK_URL}",
    f"wrk -t12 -c400 -d30s -H 'Authorization': 'Bearer {S}' {WRK_URL}",
    f"wrk -t12 -c400 -d30s -H “X-Auth: {S}” {WRK_URL}",
    f"wrk -t12 -c400 -d30s http://u:{S}@127.0.0.1:8080/a?b=1",
]
LINES = [
    f'{{"Authorization": "Bearer {S}"}}',
    f'{{\\"Authorization\\": \\"Bearer {S}\\"}}',
    f"'Cookie': 'a={S}'",
    f"Authorization=Bearer {S}",
    f"Authorization: Digest username=\"a\", response=\"{S}\"",
    f"Authorization: Basic\n  {S}",
    f"Authorization:\n {S}",
    f"Cookie: a=b;\n  c={S}\n  d={S}",
    f"> Cookie: a=b;\n>   c={S}",
    f"X-Token: {S}",
    f"wrk.headers[\"Authorization\"] = \"Bearer {S}\"",
    f"('Authorization', 'Bearer {S}')",
    f"export API_TOKEN={S}",
    f"curl -H 'X-Token: {S}' http://h/",
    f"curl -u u:{S} http://h/",
    f"curl --user u:{S} http://h/",
    f"then run /usr/bin/ab -kA u:{S} http://h/",
    f"see: ab -C sid={S} http://h/",
    f"see: ab -C 'sid=a; b={S}' http://h/",
    f"    -A user:{S} \\",
    f"    -C 'a=b; sid={S}' \\",
    f"--password {S} --threads 4",
    f"sent Bearer {S} to it",
    f"GET /a?x=1&access_token={S} HTTP/1.0",
    f"mysql://root:{S}@db/test",
    f"connecting to u:{S}@h:80",
    f"it says \"password: it's {S}\" here",
]  # fmt: skip
LOGS = {f"ab {text}": ab(text) for text in AB_COMMANDS}
LOGS |= {f"wrk {text}": wrk(text) for text in WRK_COMMANDS}
LOGS |= {f"ab line {text}": ab(more=f"{text}\n") for text in LINES}
LOGS |= {f"wrk line {text}": wrk(more=f"{text}\n") for text in LINES}
LOGS |= {
    "hostname": ab(host=f"u:{S}@127.0.0.1"),
    "hostname alone": ab(host=f"{S}@127.0.0.1"),
    "hostname and command": ab(f"ab -n 100 -c 2 http://u:{S}@h/", host=f"u:{S}@127.0.0.1"),
    "path": ab(path=f"/?token={S}"),
    "path and command": ab(f"ab -n 100 -c 2 'http://127.0.0.1/?token=1{S}'", path=f"/?token={S}&api_key={S}&b=1"),
    "mismatch of hosts": ab(f"ab -n 100 -c 2 http://u:{S}@h/"),
    "wrk's address": wrk(url=f"http://u:{S}@127.0.0.1/?token={S}"),
    "wrk's address alone": wrk(url=f"http://{S}@127.0.0.1/"),
    "wrk's address and another": wrk(f"wrk -t12 -c400 -d30s http://u:{S}@h/?token={S}", url="http://127.0.0.1/"),
    "wrk's two contradictions": wrk(f"wrk -t1 -c4 -d3s http://u:{S}@h/?token={S}", url=f"http://u:{S}1@127.0.0.1/"),
    "broken field": ab().replace("Complete requests:      100", f"Complete requests:      Authorization: Bearer {S}"),
    "broken address": ab().replace("Complete requests:      100", f"Complete requests:      http://u:{S}@h/"),
    "broken long address": ab().replace("Complete requests:      100", f"Complete requests: http://u:{S * 8}@h/"),
    "wrk broken": wrk().replace("748868.53", f"http://u:{S * 8}@h/"),
    "server software": ab().replace("nginx/1.18.0", f"token={S}"),
    "no result, ab": f"$ ab -A u:{S} http://h/\nThis is ApacheBench, Version 2.3 <$Revision: 1843412 $>\nBenchmarking h (be patient)...apr_sockaddr_info_get() for u:{S}@h: Name or service not known (670002)\n",
    "no result, ab, a user": f"This is ApacheBench, Version 2.3 <$Revision: 1843412 $>\napr_sockaddr_info_get() for {S}@h: Name or service not known (670002)\n",
    "no result, wrk": f"$ wrk http://u:{S}@h/\nunable to connect to u:{S}@h:80 Connection refused\n",
    "no result, wrk, a user": f"unable to resolve {S}@h:http Name or service not known\n",
    "fragment": f"Authorization: {S} Failed requests:        12\n",
    "fragment, an address": f"http://u:{S}@h/ Failed requests:        12\n",
    "fragment, a long address": f"http://u:{S * 20}@h/ Failed requests:        12\n",
}


def written(archive: Archive) -> list[tuple[str, str]]:
    """Everything that can be made of an archive, and of its runs one by one."""
    found = []
    for document in (archive, *archive.runs):
        for name in formats():
            drawn = render(document, name)
            found.append((name, drawn if isinstance(drawn, str) else drawn.decode()))
    return found


@pytest.mark.parametrize("name", LOGS)
def test_no_format_shows_a_secret(name: str) -> None:
    archive = parse(LOGS[name])
    assert archive.runs or archive.findings
    for format, text in written(archive):
        assert S.lower() not in text.lower(), format


def test_stderr_shows_no_secret(tmp_path: Path) -> None:
    for number, text in enumerate(LOGS.values()):
        told_apart = text.replace("84500", str(84500 + number)).replace("22464657", str(22464657 + number))
        (tmp_path / f"{number}.log").write_text(told_apart, encoding="utf-8")
    done = subprocess.run(
        [str(Path(sys.executable).with_name("abcompare")), "parse", "-v", "-f", "json", str(tmp_path)], capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "unrecognised" in done.stderr
    assert "NO-RESULT" in done.stderr
    assert S.lower() not in (done.stdout + done.stderr).lower()


@pytest.mark.parametrize("log", [ab(AB_COMMANDS[0]), wrk(WRK_COMMANDS[5])])
def test_the_lines_that_hold_secrets_are_still_told(log: str) -> None:
    [run] = parse(log).runs
    assert run.command is not None and secrets.REDACTED in run.command
    assert secrets.REDACTED in run.load.headers.values()


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("ab -kA user:pw 'http://h/a b'", "ab -kA REDACTED 'http://h/a b'"),
        ("ab  -C 'a=b; c=d'  -n 5 h/", "ab  -C 'REDACTED'  -n 5 h/"),
        ("ab -C 'it'\\''s=x' h/", "ab -C 'REDACTED' h/"),
        ("ab -C it\\'\"s\" h/", "ab -C REDACTED h/"),
        ('ab -H "Authorization: Basic \\"x\\"" http://h/', 'ab -H "Authorization: REDACTED" http://h/'),
        ("ab -H 'Accept: text/html' -H\"X-Token: x\" http://h/", "ab -H 'Accept: text/html' -H\"X-Token: REDACTED\" http://h/"),
        ("ab http://u:p@h/?a=1\\&token=x\\&b=2", "ab http://REDACTED@h/?a=1\\&token=REDACTED\\&b=2"),
        ("wrk -c5 'http://h/?a=1&token=x' -- --user me", "wrk -c5 'http://h/?a=1&token=REDACTED' -- --user me"),
        ("wrk -s a.lua http://h/ -- --password x 5", "wrk -s a.lua http://h/ -- --password REDACTED 5"),
    ],
)
def test_a_command_line_stays_as_typed_but_for_its_secrets(typed: str, shown: str) -> None:
    assert secrets.command(typed) == shown
    assert secrets.command(shown) == shown


@pytest.mark.parametrize(
    "typed",
    [
        "ab -k -n 100 -c 5 -H 'Accept-Encoding: gzip' -T application/json -p body.json http://10.0.0.1:8080/users/me@example.com?key=3",
        "wrk -t2 -c5 -d1m --latency -H 'Host: example.org' -s post.lua 'https://[::1]:8443/@name?max_tokens=100&author=x'",
        "ab -n 5 -e a.csv http://$HOST:$PORT/monkey?keyword=a&page=2",
        "wrk -c5 \"http://h/it's\"",
    ],
)
def test_a_command_line_without_secrets_is_kept(typed: str) -> None:
    assert secrets.command(typed) == typed


@pytest.mark.parametrize(
    "text",
    [
        "Server Temp Key:        ECDH X25519 253 bits",
        "TLS sessions reused: 12",
        "SSL-Session:",
        "Extended master secret: yes",
        "output_tokens: 128, tokens per second: 4.5",
        "tests: 5, pass: 4",
        "Author: Adam Twiss, Zeus Technology Ltd",
        "    -A attribute    Add Basic WWW Authentication, the attributes",
        "    -C attribute    Add cookie, eg. 'Apache=1234'. (repeatable)",
        "the command line above names the path /a?b=1, the report /a; the report counts",
        "Running 30s test @ http://localhost:8080/",
        "[root@web01 ~]# cat x",
        "keepalive: true, monkey: 1, Monkey=5",
        "at http://web:8080",
    ],
)
def test_what_is_no_secret_is_kept(text: str) -> None:
    assert secrets.redact(text) == text


def test_what_stands_around_a_secret_is_kept() -> None:
    text = 'expected "http://u:p@h/a?token=x", found {"password": "x", "n": 5} and u:p@h:80'
    assert secrets.redact(text) == 'expected "http://REDACTED@h/a?token=REDACTED", found {"password": "REDACTED", "n": 5} and REDACTED@h:80'


def test_a_target_keeps_its_host() -> None:
    [run] = parse(ab(host=f"u:{S}@127.0.0.1", path=f"/a?token={S}&b=1")).runs
    assert (run.target.host, run.target.path) == ("127.0.0.1", "/a?token=REDACTED&b=1")


@pytest.mark.alone
@pytest.mark.parametrize(
    "piece",
    ["a", "a:", "@", "token=", "token:", '"', "'", "\\'", "“", "http://", "u:p@", "?token=", "&token=x", '"token":"x",', "ab -A ", "-Au:", ";token=x", "\\\"token", "bearer ", "a@b.c/", "x.", "-", "ab ", "token "],
)
def test_nothing_is_quadratic(piece: str) -> None:
    text = "token @ " + piece * (200_000 // len(piece))
    begun = time.perf_counter()
    secrets.redact(text)
    secrets.command("ab " + text)
    split(text)
    assert time.perf_counter() - begun < 8
