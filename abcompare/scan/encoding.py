"""Bytes to text: a byte-order mark decides, else UTF-8, else GB18030 or Latin-1 (reading rule 8)."""

from __future__ import annotations

import codecs
import io
import re
from typing import BinaryIO

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Two bytes of GBK's commonest plane (hanzi of GB 2312), at least three pairs in a row somewhere.
_HANZI = re.compile(rb"(?:[\xb0-\xf7][\xa1-\xfe]){3}")


class Transcoded(io.RawIOBase):
    """A stream of UTF-16 or UTF-32 bytes, read as UTF-8; what is not valid becomes U+FFFD."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")

    def read(self, size: int = -1) -> bytes:
        """About `size` bytes (all for a negative size), never fewer before the end: a short read means the end."""
        parts: list[bytes] = []
        missing = size
        while missing != 0:
            raw = self._stream.read(missing)
            data = self._decoder.decode(raw, final=not raw).encode("utf-8", "replace")
            parts.append(data)
            if not raw:
                break
            missing = -1 if size < 0 else max(0, missing - len(data))
        return b"".join(parts)


def utf8_stream(stream: BinaryIO) -> BinaryIO:
    """`stream` without its byte-order mark; UTF-16 and UTF-32 come as UTF-8."""
    head = stream.read(4)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            rest = _Prefixed(head[len(mark) :], stream)
            return rest if encoding == "utf-8" else _reader(Transcoded(rest, encoding))
    return _Prefixed(head, stream)


def _reader(raw: Transcoded) -> BinaryIO:
    return raw  # type: ignore[return-value]  # only read(size) is used


class _Prefixed(io.BytesIO):
    """A stream with bytes put back before it."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        super().__init__()
        self._head = head
        self._stream = stream

    def read(self, size: int | None = -1) -> bytes:
        """Up to `size` bytes; empty at the end only."""
        if self._head:
            head, self._head = self._head, b""
            if size is None or size < 0:
                return head + self._stream.read()
            return head + self._stream.read(max(0, size - len(head)))
        return self._stream.read(-1 if size is None else size)


def decode(data: bytes) -> tuple[str, str]:
    """The text of `data` and the encoding it was read in: "utf-8", "gb18030" or "latin-1". Never fails."""
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        # A window may begin or end inside a character; that is no reason for another encoding.
        if error.start > len(data) - 4 or error.end < 4:
            return data.decode("utf-8", "replace"), "utf-8"
    if _HANZI.search(data):
        try:
            return data.decode("gb18030"), "gb18030"
        except UnicodeDecodeError:
            pass
    return data.decode("latin-1"), "latin-1"
