"""An nginx of the tests' own, on a free port of the loopback interface, that writes down what it was asked."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = "x" * 1024
_FIELDS = (
    "request_method", "request_uri", "server_protocol", "status", "request_length", "bytes_sent", "connection", "content_length",
    "content_type", "http_connection", "http_authorization", "http_cookie", "http_x_test",
)
_CONFIGURATION = """
daemon off;
{user}
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
  log_format fields escape=json '{{{fields}}}';
  access_log {folder}/access.log fields;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  keepalive_requests 1000000;
  default_type text/plain;
  server {{
    listen 127.0.0.1:{port};
    listen 127.0.0.1:{tls_port} ssl;
    ssl_certificate {folder}/cert.pem;
    ssl_certificate_key {folder}/key.pem;
    location / {{ return 200 "{page}"; }}
    location /missing {{ return 404; }}
  }}
}}
"""


@dataclass(slots=True)
class Nginx:
    """A running server: its ports, its process, and its log."""

    port: int
    tls_port: int
    process: subprocess.Popen[bytes]
    log: Path

    def asked(self, path: str = "", least: int = 0) -> list[dict[str, Any]]:
        """What stands in the access log of requests for `path`, once there are `least`: the last lines come a little late."""
        until = time.monotonic() + 5
        while True:
            lines = [json.loads(line) for line in self.log.read_text().splitlines()]
            found = [line for line in lines if not path or line["request_uri"] == path]
            if len(found) >= least or time.monotonic() > until:
                return found
            time.sleep(0.02)

    def stop(self) -> None:
        """Ends the server at once, open connections too."""
        self.process.terminate()
        self.process.wait(10)


def free_port() -> int:
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def nginx(folder: Path) -> Iterator[Nginx]:
    """Runs a server whose files stand in `folder`."""
    port, tls_port = free_port(), free_port()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=folder, check=True, capture_output=True,
    )
    fields = ", ".join(f'"{name}": "${name}"' for name in _FIELDS)
    user = "user root;" if os.getuid() == 0 else ""  # the folder is its owner's only
    text = _CONFIGURATION.format(folder=folder, port=port, tls_port=tls_port, fields=fields, page=PAGE, user=user)
    (folder / "nginx.conf").write_text(text)
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    process = subprocess.Popen([program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")], process_group=0)
    server = Nginx(port, tls_port, process, folder / "access.log")
    try:
        _wait(server, folder)
        yield server
    finally:
        if process.poll() is None:
            server.stop()


def _wait(server: Nginx, folder: Path) -> None:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", server.port), 1):
            return
        time.sleep(0.02)
    raise AssertionError((folder / "error.log").read_text())
