"""What an ab command line sends, as typed and with its secrets, for a job that does the same (formats.md 5.1)."""

from __future__ import annotations

from abcompare.dialects.ab.command import FLAGS, VALUES, load_of, whole
from abcompare.dialects.argv import options
from abcompare.dialects.strict import insist
from abcompare.errors import UsageError
from abcompare.jobs import Sent

_LEFT_OUT = {
    "b": "the size of socket buffers is the system's", "B": "the source address is the system's",
    "f": "the TLS version is what both sides agree on", "Z": "the ciphers are what both sides agree on",
    "I": "the server's name is always sent (SNI)", "R": "there is no ramp-up", "W": "there are no workers; --processes is the nearest",
}


def sent_of(argv: list[str]) -> Sent:
    """The headers, body, logins and limits of a command line, its words split. Raises UsageError for what ab would not do."""
    given, _ = options(argv[1:], FLAGS, VALUES)
    insist("ab", given, "nctsW", whole, "a whole number of 1 or more")
    load = load_of(argv)
    if (load.requests or 0) < (load.concurrency or 1):
        raise UsageError(f"--like: {load.requests} requests are fewer than {load.concurrency} at once: ab refuses that", hint="a larger -n, or a smaller -c")
    last = {letter: values[-1] for letter, values in given.items()}
    headers = [(name.strip(), value.strip()) for name, _, value in (line.partition(":") for line in given.get("H", []))]
    if "C" in last:
        headers.append(("Cookie", last["C"]))
    if "p" in last or "u" in last:
        headers.append(("Content-Type", last.get("T", "text/plain")))
    return Sent(
        headers=tuple(headers), body_file=last.get("p", last.get("u")), user=last.get("A"),
        proxy=last.get("X"), proxy_user=last.get("P"), certificate=last.get("E"),
        stall_s=float(last["s"]) if "s" in last else None,
        stop_on_error="r" not in last,
        left_out=tuple((f"-{letter}", why) for letter, why in _LEFT_OUT.items() if letter in last),
    )
