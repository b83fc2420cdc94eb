"""What the first answer tells of the server: its name, and what TLS came to."""

from __future__ import annotations

import re

import pycurl

from abcompare.records import Tls

_TLS = re.compile(r"SSL connection using (\S+) / (\S+)(?: / (\S+))?")


class Seen:
    """What was seen: the server's name, the protocol, TLS, and the bytes of a request without its body."""

    def __init__(self, request: bytes = b"", body: int = 0) -> None:
        self.server: str | None = None
        self.protocol: str | None = None
        self.tls: Tls | None = None
        self.sent_bytes: int | None = len(request) - body if request else None

    def hear(self, head: bytes, server: str | None) -> None:
        """Takes the first head of an answer."""
        if self.protocol is None:
            self.protocol, self.server = head[:8].decode("latin-1"), server

    def end(self) -> None:
        """Nothing more is to be seen."""


class Observed(Seen):
    """Listens to one handle of libcurl until its first answer is there: that one request is a little slower for it."""

    def __init__(self, handle: pycurl.Curl) -> None:
        super().__init__()
        self._handle: pycurl.Curl | None = handle
        handle.setopt(pycurl.HEADERFUNCTION, self._header)
        handle.setopt(pycurl.DEBUGFUNCTION, self._said)
        handle.setopt(pycurl.VERBOSE, 1)

    def _header(self, line: bytes) -> None:
        name, colon, value = line.decode("latin-1").partition(":")
        if colon and name.lower() == "server":
            self.server = value.strip()
        elif not colon and name.startswith("HTTP/"):
            self.protocol = name.split()[0]

    def _said(self, kind: int, text: bytes) -> None:
        if kind == pycurl.INFOTYPE_HEADER_OUT and self.protocol is None:
            self.sent_bytes = text.find(b"\r\n\r\n") + 4  # a small body follows at once
        found = _TLS.search(text.decode("latin-1")) if kind == pycurl.INFOTYPE_TEXT else None
        if found:
            self.tls = Tls(protocol=found[1], cipher=found[2], server_temp_key=found[3])

    def end(self) -> None:
        """Stops listening, once something was heard."""
        if self._handle is not None and self.protocol is not None:
            self._handle.setopt(pycurl.VERBOSE, 0)
            self._handle.unsetopt(pycurl.HEADERFUNCTION)
            self._handle.unsetopt(pycurl.DEBUGFUNCTION)
            self._handle = None
