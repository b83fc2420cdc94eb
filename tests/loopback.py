"""A listener that counts who comes, and a guard under which Python itself connects nowhere and resolves nothing."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.append((self.command, self.path, dict(self.headers), body))
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(b"hello")

    do_GET = do_POST = do_PUT = do_HEAD = _answer  # noqa: N815 the library's names

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on stderr."""


class Server(ThreadingHTTPServer):
    """A web server of the tests' own; `asked` has (method, path, headers, body) of each request."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        super().__init__((host, port), _Handler)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://{self.server_address[0]}:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Connections that a client drops are no news."""


@contextmanager
def serving(host: str = "127.0.0.1", port: int = 0) -> Iterator[Server]:
    """A running server."""
    with Server(host, port) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


def no_network(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Makes every connection and every look-up of a name fail, and returns the list of those that were tried."""
    tried: list[object] = []

    def refuse(*given: object, **_: object) -> None:
        tried.append(given)
        raise AssertionError(f"the network was used: {given}")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    for name in ("create_connection", "getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo"):
        monkeypatch.setattr(socket, name, refuse)
    return tried
