"""What a wrk or wrk2 command line sends, as typed and with its secrets, for a job that does the same (formats.md 5.2)."""

from __future__ import annotations

from abcompare.dialects.wrk.command import given_in
from abcompare.jobs import Sent

_LEFT_OUT = {"p": "requests are not pipelined", "B": "batches are not measured for themselves"}


def sent_of(argv: list[str]) -> Sent:
    """The headers and the body of a command line, its words split. What a script does is not in it."""
    given, _ = given_in(argv)
    lines = (line.partition(":") for line in given.get("H", []))
    headers = [(name.strip(), value.strip()) for name, _, value in lines if name.strip().lower() != "connection"]
    return Sent(
        headers=tuple(headers), body=given["b"][-1].encode("utf-8", "surrogateescape") if "b" in given else None,
        left_out=tuple((f"-{letter}", why) for letter, why in _LEFT_OUT.items() if letter in given),
    )
