"""Bytes to text: a byte-order mark or the zero bytes of UTF-16 decide, else UTF-8, else GB18030 or Latin-1 (reading rule 8)."""

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


# Eight characters of ASCII and more as UTF-16 writes them; and words of ASCII in a row, which UTF-16 does not make.
_WIDE = re.compile(rb"(?P<le>(?:[\t\n\r -~]\x00){8,})|(?P<be>(?:\x00[\t\n\r -~]){8,})")
_NARROW = re.compile(rb"[\t\n\r -~]{16,}")
_WORD = re.compile(rb"[A-Za-z]{3,}(?:[ :/][ A-Za-z]|:)")
_HELD = 64  # bytes at the end of a portion that are looked at again with the next one
_PORTION = 1 << 20
_PARTS = 4  # changes of encoding that are told


class Utf8(io.BytesIO):
    """A stream of bytes, read as UTF-8: without its byte-order mark, its parts in UTF-16 or UTF-32 transcoded.

    What is not valid in these becomes U+FFFD; bytes of any other encoding stay as they are. `parts` are the offsets
    and encodings of the parts that no byte-order mark at the start announces: PowerShell's `>>` appends UTF-16 to what
    is there, and others append UTF-8 to UTF-16.
    """

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self.parts: list[tuple[int, str]] = []
        self._stream = stream
        self._raw = stream.read(4)  # not looked at yet
        self._offset = 0  # of the first byte of _raw
        self._ready = b""
        self._ended = False
        self._begin("utf-8")
        for mark, encoding in _MARKS:
            if self._raw.startswith(mark):
                self._raw, self._offset = self._raw[len(mark) :], len(mark)
                self._begin(encoding)
                break

    def _begin(self, encoding: str) -> None:
        self._encoding = encoding
        self._decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)(errors="replace")

    def read(self, size: int | None = -1) -> bytes:
        """Up to `size` bytes (all for a negative size), never fewer before the end: a short read means the end."""
        whole = size is None or size < 0
        while not self._ended and (whole or len(self._ready) < (size or 0)):
            self._more(_PORTION if whole else (size or 0) - len(self._ready))
        if whole or len(self._ready) <= (size or 0):
            data, self._ready = self._ready, b""
        else:
            data, self._ready = self._ready[:size], self._ready[size:]
        return data

    def _more(self, size: int) -> None:
        """Reads on, at least `size` bytes unless the stream ends, and makes ready all but what may belong to the rest."""
        raw = self._stream.read(size + _HELD)
        self._ended = len(raw) < size + _HELD
        data = self._raw + raw
        done: list[bytes] = [self._ready]
        at = 0
        while (change := self._change(data, at)) is not None:
            start, end, encoding = change
            done.append(self._decoded(data[at:start], final=True))
            self._begin(encoding)
            self.parts += [(self._offset + end, encoding)][: _PARTS - len(self.parts)]
            at = end
        end = len(data) if self._ended else max(at, len(data) - _HELD)
        done.append(self._decoded(data[at:end], final=self._ended))
        self._ready = b"".join(done) if len(done) > 2 or self._ready else done[-1]
        self._raw = data[end:]
        self._offset += end

    def _decoded(self, data: bytes, *, final: bool) -> bytes:
        return self._decoder.decode(data, final).encode("utf-8", "replace") if self._decoder else data

    def _change(self, data: bytes, at: int) -> tuple[int, int, str] | None:
        """Where, from `at` on, this encoding ends, where the next begins, and which that is."""
        if self._encoding == "utf-8":
            if b"\0" not in data:
                return None
            found = _WIDE.search(data, at)
            if not found:
                return None
            start = found.start()
            if found["le"] and data[start : start + 1] == b"\n" and start + self._offset:
                return start + 1, start + 1, "utf-16-be"  # the line end above is of one byte
            marked = data[max(at, start - 2) : start] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
            return start - 2 if marked else start, start, "utf-16-le" if found["le"] else "utf-16-be"
        if self._encoding.startswith("utf-16"):
            for found in _NARROW.finditer(data, at):
                if _WORD.search(found[0]):
                    start = found.start() + self._is_odd(found.start() - at)
                    return start, start, "utf-8"
        return None

    def note(self) -> str | None:
        """What a reader should know of the encoding, once all is read; None for UTF-8 and what a mark announces."""
        if not self.parts:
            return None
        if self.parts[0][0] == 0 and len(self.parts) == 1:
            return f"not UTF-8: read as {self.parts[0][1]}, though no byte-order mark says so"
        said = ", ".join(f"{encoding} from byte {offset} on" for offset, encoding in self.parts)
        return f"several encodings in one text: {said}{' …' if len(self.parts) == _PARTS else ''}"

    def _is_odd(self, length: int) -> int:
        """1 where `length` bytes more leave half of a character of UTF-16, else 0."""
        pending, _ = self._decoder.getstate() if self._decoder else (b"", 0)
        return (len(pending) + length) % 2


def utf8_stream(stream: BinaryIO) -> Utf8:
    """`stream` without its byte-order mark; UTF-16 and UTF-32 come as UTF-8."""
    return Utf8(stream)


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
