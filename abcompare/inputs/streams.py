"""Inputs as streams: opened, decompressed while they are read, and told apart by their first bytes."""

from __future__ import annotations

import bz2
import io
import lzma
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from abcompare.errors import InputError, Position

HEAD = 1 << 16  # the first bytes, by which an input is told apart
_STEP = 256  # compressed bytes at a time: what stands before a fault is kept, and a bomb goes off in small portions
_XZ_MEMORY = 1 << 29
_OUR_JSON = re.compile(rb'"schema"\s*:\s*"abcompare/|"generator"\s*:\s*"abcompare ')
_UNICODE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


class _Tool(Protocol):
    """What the decompressors of zlib, bz2, lzma and zstandard have in common."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


def _zstandard() -> _Tool:
    import zstandard

    return zstandard.ZstdDecompressor().decompressobj()


_COMPRESSED: tuple[tuple[str, re.Pattern[bytes], Callable[[], _Tool]], ...] = (
    ("gzip", re.compile(rb"\x1f\x8b\x08"), lambda: zlib.decompressobj(31)),
    ("xz", re.compile(rb"\xfd7zXZ\x00"), lambda: lzma.LZMADecompressor(memlimit=_XZ_MEMORY)),
    ("zstd", re.compile(rb"\x28\xb5\x2f\xfd"), _zstandard),
    ("bzip2", re.compile(rb"BZh[1-9]1AY&SY"), bz2.BZ2Decompressor),
)


class Inflated(io.RawIOBase):
    """A compressed stream, read as what it holds; `fault` says what is wrong with it, once that is met.

    A fault ends the stream: what could be decompressed before it has been read by then.
    """

    def __init__(self, stream: BinaryIO, name: str, make: Callable[[], _Tool]) -> None:
        self.fault: str | None = None
        self._stream, self._name, self._make = stream, name, make
        self._tool = make()
        self._ready = memoryview(b"")
        self._left = b""
        self._done = False

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fills `buffer` as far as the next portion goes; 0 at the end."""
        while not self._ready and not self._done:
            self._more()
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _more(self) -> None:
        raw = self._left or self._stream.read(_STEP)
        self._left = b""
        if not raw:
            self._end(None if self._tool.eof else f"the {self._name} data end in the middle")
            return
        if self._tool.eof:  # a further member, or the padding that tapes and block devices leave
            raw = raw.lstrip(b"\0")
            if not raw:
                return
            self._tool = self._make()
        try:
            self._ready = memoryview(self._tool.decompress(raw))
        except Exception as error:  # noqa: BLE001 each library has its own, and zstandard's is not imported here
            self._end(f"the {self._name} data are broken: {error}")
            return
        if self._tool.eof:
            self._left = self._tool.unused_data

    def _end(self, fault: str | None) -> None:
        self.fault = fault
        self._done = True


class _Replayed(io.RawIOBase):
    """A stream whose first bytes were read to look at them."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head, self._stream = head, stream

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """The head first, then the stream."""
        data = self._head or self._stream.read(len(buffer))
        count = min(len(buffer), len(data))
        buffer[:count] = data[:count]
        self._head = data[count:]
        return count


@dataclass(frozen=True, slots=True)
class Source:
    """An open input: its first bytes, all of it as a stream (these included), and what decompresses it."""

    head: bytes
    stream: BinaryIO
    inflated: Inflated | None

    @property
    def fault(self) -> str | None:
        """What is wrong with a compressed input, as far as it was read."""
        return self.inflated.fault if self.inflated else None

    @property
    def is_archive(self) -> bool:
        """Whether this is abcompare's own JSON or NDJSON."""
        head = self.head.removeprefix(b"\xef\xbb\xbf").lstrip()
        ours = _OUR_JSON.search(head) or (b'"measures"' in head and b'"tool"' in head and b'"source"' in head)
        return head[:1] == b"{" and bool(ours)

    @property
    def is_binary(self) -> bool:
        """Whether this is no text: zero bytes, and no byte-order mark that would explain them."""
        return b"\0" in self.head[:8192] and not self.head.startswith(_UNICODE_MARKS)


@contextmanager
def opened(file: Path | None, path: str) -> Iterator[Source]:
    """The input `file` (None: standard input), which messages call `path`. Raises InputError when it does not open."""
    if file is None:
        if sys.stdin is None:
            raise InputError("standard input is closed", position=Position(path))
        yield _source(sys.stdin.buffer)
        return
    try:
        stream = file.open("rb")
    except OSError as error:
        raise unreadable(path, error) from error
    with stream:
        yield _source(stream)


def unreadable(path: str, error: OSError) -> InputError:
    """The error of an input that the system does not let us read."""
    reason = {
        "FileNotFoundError": "there is no such file or folder", "PermissionError": "you may not read this file",
        "IsADirectoryError": "this is a folder",
    }.get(type(error).__name__, f"cannot be read: {error.strerror or error}")
    return InputError(reason, position=Position(path))


def _source(raw: BinaryIO) -> Source:
    head = raw.read(HEAD)
    stream = io.BufferedReader(_Replayed(head, raw), HEAD)
    for name, magic, make in _COMPRESSED:
        if magic.match(head):
            inflated = Inflated(stream, name, make)
            plain = io.BufferedReader(inflated, HEAD)
            head = plain.read(HEAD)
            return Source(head, io.BufferedReader(_Replayed(head, plain), HEAD), inflated)
    return Source(head, stream, None)
