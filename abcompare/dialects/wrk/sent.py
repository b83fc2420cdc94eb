"""What a wrk or wrk2 command line sends, as typed and with its secrets, for a job that does the same (formats.md 5.2)."""

from __future__ import annotations

from abcompare.dialects.strict import insist
from abcompare.dialects.wrk.command import given_in, is_wrk2, load_of, metric, time
from abcompare.errors import UsageError
from abcompare.jobs import Sent

_LEFT_OUT = {"p": "requests are not pipelined", "B": "batches are not measured for themselves"}


def sent_of(argv: list[str]) -> Sent:
    """The headers and the body of a command line, its words split. What a script does is not in it.

    Raises UsageError for what the tool would not do.
    """
    given, _ = given_in(argv)
    tool = "wrk2" if is_wrk2(argv) else "wrk"
    insist(tool, given, "ctRrn", metric, "a whole number of 1 or more, as in 400 or 10k")
    insist(tool, given, "dT", time, "a time in whole seconds, minutes or hours, as in 30s or 2m")
    load = load_of(argv)
    if (load.concurrency or 1) < (load.threads or 1):
        raise UsageError(f"--like: {load.concurrency} connections are fewer than {load.threads} threads: {tool} refuses that", hint="a larger -c, or a smaller -t")
    if tool == "wrk2" and not load.rate_per_s:
        raise UsageError("--like: wrk2 needs a rate, and there is no -R", hint="-R 2000, or wrk for a closed loop")
    lines = (line.partition(":") for line in given.get("H", []))
    headers = [(name.strip(), value.strip()) for name, _, value in lines if name.strip().lower() != "connection"]
    return Sent(
        headers=tuple(headers), body=given["b"][-1].encode("utf-8", "surrogateescape") if "b" in given else None,
        left_out=tuple((f"-{letter}", why) for letter, why in _LEFT_OUT.items() if letter in given),
    )
