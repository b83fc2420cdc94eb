"""A server that does what servers should not: delays, resets, stalls, lies about lengths. A program of its own.

    python servers.py          prints its port, and serves until its standard input is closed

The path says what happens. `/counts` answers with how often each path was asked, as JSON.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

PAGE = b"x" * 100
_numbers: Counter[str] = Counter()
_mixed = itertools.cycle((200, 404, 500, 200))
_lengths = itertools.cycle((100, 100, 100, 90))
_stalled: list[bool] = []


def answer(body: bytes, status: int = 200, *, keep: bool, length: int | None = None) -> bytes:
    """An answer, with a length that may be a lie."""
    how = "keep-alive" if keep else "close"
    head = f"HTTP/1.1 {status} X\r\nServer: faults/1\r\nContent-Length: {len(body) if length is None else length}\r\nConnection: {how}\r\n\r\n"
    return head.encode() + body


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection."""
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split()[1]
            wanted = next((line.split(":")[1] for line in head.split("\r\n") if line.lower().startswith("content-length:")), "0")
            await reader.readexactly(int(wanted))
            keep = "keep-alive" in head.lower() or ("HTTP/1.1" in head and "connection: close" not in head.lower())
            _numbers[path] += 1
            if not await act(path, writer, keep) or not keep:
                return
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def act(path: str, writer: asyncio.StreamWriter, keep: bool) -> bool:
    """Does what the path says; returns whether the connection goes on."""
    _, name, *rest = path.split("/")
    if name == "delay":
        await asyncio.sleep(int(rest[0]) / 1000)
    elif name == "stall" and _numbers[path] == 100:  # once, and everyone who asks while it lasts
        _stalled.append(True)
        await asyncio.sleep(1)
        _stalled.clear()
    elif name == "stall" and _stalled:
        while _stalled:
            await asyncio.sleep(0.001)
    elif name == "never":
        await asyncio.sleep(3600)
    elif name == "empty":
        return False
    elif name == "reset":
        writer.write(answer(PAGE, keep=keep)[:-50])
        await writer.drain()
        await asyncio.sleep(0.005)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
        return False
    elif name == "partial":
        writer.write(answer(PAGE, keep=keep, length=200))
        return False
    elif name == "slow":
        writer.write(answer(b"", keep=keep, length=1000))
        for _ in range(100):
            writer.write(b"y")
            await writer.drain()
            await asyncio.sleep(0.1)
        return False
    elif name == "chunk":
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n" + PAGE[:50])
        return False
    elif name == "mix":
        writer.write(answer(PAGE, next(_mixed), keep=keep))
        return True
    elif name == "length":
        writer.write(answer(b"z" * next(_lengths), keep=keep))
        return True
    elif name == "chunked":
        for part in (b"HTTP/1.1 200 OK\r\nTransfer-Enco", b"ding: chunked\r\n\r\n3c\r\n" + PAGE[:60] + b"\r", b"\n28;x=y\r\n" + PAGE[:40] + b"\r\n0\r\nT: v\r\n\r\n"):
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0.002)
        return True
    elif name == "interim":
        writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.002)
    elif name == "split":
        text = answer(PAGE, keep=keep)
        for at in range(0, len(text), 25):
            writer.write(text[at : at + 25])
            await writer.drain()
            await asyncio.sleep(0.0005)
        return True
    elif name == "end":
        writer.write(b"HTTP/1.0 200 OK\r\n\r\n" + PAGE)
        return False
    elif name == "rude":  # says that the connection stays, and closes it
        writer.write(answer(PAGE, keep=True))
        return False
    elif name == "once" and _numbers[path] % 2 == 0:  # to one client: takes every second request without a word
        return False
    elif name == "garbage":
        writer.write(b"SSH-2.0-OpenSSH\r\n\r\n")
        return False
    elif name == "counts":
        writer.write(answer(json.dumps(_numbers).encode(), keep=False))
        return False
    writer.write(answer(PAGE, keep=keep))
    return True


async def main() -> None:
    """Serves until the input ends."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


@dataclass(slots=True)
class Faults:
    """A running server."""

    port: int
    process: subprocess.Popen[str]

    def counts(self) -> dict[str, Any]:
        """How often each path was asked."""
        with urlopen(f"http://127.0.0.1:{self.port}/counts", timeout=10) as page:
            return dict(json.loads(page.read()))

    def kill(self) -> None:
        """Ends it at once."""
        self.process.kill()
        self.process.wait()


@contextmanager
def faults() -> Iterator[Faults]:
    """Runs the server."""
    process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin and process.stdout
    try:
        yield Faults(int(process.stdout.readline()), process)
    finally:
        process.kill()
        process.stdin.close()
        process.stdout.close()
        process.wait()


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    loop.run_until_complete(main())
    import os

    os._exit(0)
