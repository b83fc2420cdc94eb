"""Answers of HTTP/1 as they come off a connection: heads, and bodies by length, in chunks, or to the end."""

from __future__ import annotations

import re
from typing import NamedTuple

TO_THE_END, CHUNKED = -1, -2  # in place of a length
_STATUS = re.compile(rb"HTTP/1\.([01]) (\d{3})(?: |\r)")
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*\r")
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:[^\r]*\bchunked[ \t]*\r")
_CONNECTION = re.compile(rb"\r\nconnection:([^\r]*)\r")
_SERVER = re.compile(rb"\r\nserver:[ \t]*([^\r]*?)[ \t]*\r", re.IGNORECASE)
_LONGEST_LINE = 16 << 10


class Head(NamedTuple):
    """What a head says: status, body length (or one of the two words above), whether the connection stays, and its own size."""

    status: int
    length: int
    keep: bool
    size: int


def head(text: bytes, *, bodiless: bool) -> Head | None:
    """A head, its empty line included; None when it is none. `bodiless`: the request was a HEAD."""
    found = _STATUS.match(text)
    if not found:
        return None
    lower, status = text.lower(), int(found[2])
    said = _CONNECTION.search(lower)
    keep = b"close" not in said[1] if said and found[1] == b"1" else b"keep-alive" in said[1] if said else found[1] == b"1"
    length = _LENGTH.search(lower)
    if bodiless or status in (204, 304) or status < 200:
        return Head(status, 0, keep, len(text))
    if _CHUNKED.search(lower):
        return Head(status, CHUNKED, keep, len(text))
    if length:
        return Head(status, int(length[1]), keep, len(text))
    return Head(status, TO_THE_END, False, len(text))


def server(text: bytes) -> str | None:
    """The name of the server in a head."""
    found = _SERVER.search(text)
    return found[1].decode("latin-1") if found else None


class Chunks:
    """A body in chunks. `body` has its bytes so far, without the lines between; `done` says whether it is whole."""

    __slots__ = ("_line", "_need", "_trailer", "body", "done")

    def __init__(self) -> None:
        self.body = 0
        self.done = False
        self._need = 0  # bytes of the chunk and of the line end behind it
        self._trailer = False
        self._line = b""

    def feed(self, data: bytes) -> bytes | None:
        """Takes what came; returns what stands behind the body, None for what are no chunks."""
        while data and not self.done:
            if self._need:
                taken = min(self._need, len(data))
                self.body += max(0, min(taken, self._need - 2))
                self._need -= taken
                data = data[taken:]
                continue
            line, end, rest = (self._line + data).partition(b"\n")
            if not end:
                self._line = line
                return None if len(line) > _LONGEST_LINE else b""
            self._line, data = b"", rest
            if not self._take(line.strip()):
                return None
        return data

    def _take(self, line: bytes) -> bool:
        if self._trailer:
            self.done = not line
            return True
        try:
            size = int(line.partition(b";")[0], 16)
        except ValueError:
            return False
        self._trailer = size == 0
        self._need = size + 2 if size > 0 else 0
        return size >= 0
