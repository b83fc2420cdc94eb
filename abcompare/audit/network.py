"""The network as the limit: link speed on the wire, and ports."""

from __future__ import annotations

import math
from collections.abc import Iterator
from ipaddress import ip_address
from typing import NamedTuple

from abcompare.audit.rules import Note, rule
from abcompare.records import Run

LINKS = (0.1e9, 1e9, 2.5e9, 5e9, 10e9, 25e9, 40e9, 100e9)  # bit/s
_FULL, _OVERFULL = 0.95, 1.005  # share of a link: with timestamps at the least, without at the most
_FORGET, _PORTS, _NEAR = 60.0, 28_232, 0.8  # Linux: TIME_WAIT in s, ephemeral ports, and how near is near


class Wire(NamedTuple):
    """What a segment costs beside its payload: MSS, and bytes a segment and a connection, Ethernet's gap included."""

    mss: int
    segment: int
    connection: int


TIMESTAMPS, PLAIN = Wire(1448, 90, 278), Wire(1460, 78, 258)


def bits_per_second(run: Run, wire: Wire, name: str = "bytes.received") -> float | None:
    """The bit rate on the wire in one direction: payload, headers of each segment, and the connection's own packets.

    None where requests, rate or bytes are not known.
    """
    complete, rate, size = run.value("requests.complete"), run.value("throughput"), run.value(name)
    if not complete or not rate or not size:
        return None
    each = size / complete
    once = 0 if run.load.keep_alive or run.value("requests.keep_alive") else wire.connection
    return 8 * rate * (each + math.ceil(each / wire.mss) * wire.segment + once)


def saturated(run: Run) -> tuple[float, float, float, str] | None:
    """The link in bit/s that a run filled, its shares with and without TCP timestamps, and which direction; None for none.

    Loopback is no link.
    """
    if _local(run.target.host):
        return None
    for name, way in (("bytes.received", "received"), ("bytes.sent", "sent")):
        stamped, plain = bits_per_second(run, TIMESTAMPS, name), bits_per_second(run, PLAIN, name)
        for link in LINKS:
            if stamped and plain and stamped >= _FULL * link and plain <= _OVERFULL * link:
                return link, stamped / link, plain / link, way
    return None


def _local(host: str | None) -> bool:
    if host is None:
        return False
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@rule("LINK-SATURATED", "warning", "the network was the limit")
def link_saturated(run: Run) -> Iterator[Note]:
    """The bytes on the wire, with the headers of Ethernet, IP and TCP, fill a link of a usual speed.

    Two servers behind a full link look alike, however different they are. A run at the limit could be faster elsewhere:
    the loss of a slower one against it is at least what was measured, the gain of a faster one at most.

    What to do: use a faster link or smaller answers, or measure on one machine; say the link beside the result.
    """
    found = saturated(run)
    if found:
        link, share, plain, way = found
        yield Note(f"{share:.1%} of a link of {link / 1e9:g} Gbit/s ({plain:.1%} without TCP timestamps) were {way}", "transfer_rate.received")


@rule("NO-KEEP-ALIVE", "info", "a connection for each request, and nearly all ports used up")
def no_keep_alive(run: Run) -> Iterator[Note]:
    """A closed connection keeps its pair of ports for a minute (TIME_WAIT). A client has 28,232 of them by default,
    so that more new connections in a minute than that wait for ports, or fail.

    What to do: measure with keep-alive (-k), from several addresses, or with a wider ip_local_port_range.
    """
    complete, duration = run.value("requests.complete"), run.value("duration")
    if run.tool.name != "ab" or run.load.keep_alive or run.value("requests.keep_alive") or not complete or not duration:
        return
    held = complete * min(1.0, _FORGET / duration)
    if held >= _NEAR * _PORTS:
        yield Note(f"{held:,.0f} connections were opened within a minute, and a client has {_PORTS:,} ports by default", "requests.complete")
