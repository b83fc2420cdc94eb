"""A job as libcurl's options: one easy handle for each request that can be under way."""

from __future__ import annotations

import base64
import socket
from typing import Any
from urllib.parse import quote

import pycurl

from abcompare.errors import EngineError
from abcompare.jobs import Job
from abcompare.version import __version__

USER_AGENT = f"abcompare/{__version__}"
DEFAULT_TIMEOUT_S = 30.0
_BUFFERS = 64 << 20  # bytes of receive buffers in all: 18 MB bodies want large ones, 5,000 connections small ones
_LARGEST, _LEAST = 512 << 10, 16 << 10
ONE_BUFFER, _LARGEST_UPLOAD = 16 << 10, 2 << 20  # of a request's body: libcurl's least and most
_VERSIONS = {
    "1.0": pycurl.CURL_HTTP_VERSION_1_0,
    "1.1": pycurl.CURL_HTTP_VERSION_1_1,
    "2": pycurl.CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE,
    "3": pycurl.CURL_HTTP_VERSION_3ONLY,
}
_PORTS = {"http": 80, "https": 443}
Options = list[tuple[int, object]]


def kept_alive(job: Job) -> bool:
    """Whether connections are used again. Only said for 1.0 and 1.1: the later versions have no other way."""
    return bool(job.load.keep_alive) or http_version(job) in ("2", "3")


def http_version(job: Job) -> str:
    """The version asked for, ab's 1.0 if none. Raises EngineError for one that is not there."""
    version = job.load.http_version or "1.0"
    if version not in _VERSIONS:
        raise EngineError(f"HTTP version {version!r} is unknown", hint=f"known: {', '.join(_VERSIONS)}")
    if version == "3" and not pycurl.version_info()[4] & pycurl.VERSION_HTTP3:
        raise EngineError("this libcurl cannot do HTTP/3", hint="say --http 2, or install a pycurl with HTTP/3")
    return version


def timeout_s(job: Job) -> float:
    """Seconds that a request may take."""
    return float(job.load.timeout_s or DEFAULT_TIMEOUT_S)


def url(job: Job) -> str:
    """The URL of the target."""
    target = job.target
    if target.scheme not in _PORTS or not target.host:
        raise EngineError(f"the target {target.scheme}://{target.host} is not an http or https address")
    host = f"[{target.host}]" if ":" in target.host and not target.host.startswith("[") else target.host
    return f"{target.scheme}://{host}:{port(job)}{_path(job)}"


def _path(job: Job) -> str:
    path = (job.target.path or "/").partition("#")[0]
    return path if path.startswith("/") else f"/{path}"


def method(job: Job) -> str:
    """The request's method: POST with a body, GET without, if none is said."""
    return (job.load.method or ("POST" if job.body is not None else "GET")).upper()


def port(job: Job) -> int:
    """The target's port, the scheme's own if none is said."""
    return job.target.port or _PORTS.get(job.target.scheme or "http", 80)


def endpoints(job: Job) -> list[tuple[int, tuple[Any, ...]]]:
    """Where to connect to: family and address, as `socket` has them. Raises EngineError for an unknown name."""
    host, where = _place(job)
    bare = host.strip("[]")
    try:
        found = socket.getaddrinfo(bare, where, type=socket.SOCK_STREAM)
    except OSError as error:
        raise EngineError(f"the name {bare} cannot be resolved: {error.strerror}", hint="check the name, or say --connect-to") from error
    return [(int(one[0]), one[4]) for one in found]


def _place(job: Job) -> tuple[str, int]:
    """Host and port to connect to."""
    if not job.connect_to:
        return job.target.host or "", port(job)
    host, _, text = job.connect_to.rpartition(":")
    if not host or not text.isdecimal():
        raise EngineError(f"{job.connect_to!r} is not HOST:PORT to connect to")
    return host, int(text)


def _resolved(job: Job) -> list[str]:
    """`host:port:address` for libcurl, so that a name is looked up once and not in the time of a request.

    Empty where the name is not the engine's to look up (proxy, Unix socket), or nothing is to be looked up.
    """
    if job.proxy or job.unix_socket:
        return []
    host, where = _place(job)
    found, bare = endpoints(job), host.strip("[]")
    if ":" in bare or bare.replace(".", "").isdecimal():
        return []
    return [f"{bare}:{where}:{','.join(dict.fromkeys(str(address[0]) for _, address in found))}"]


def request(job: Job) -> bytes:
    """A whole request over plain HTTP/1, head and body: the lines that libcurl sends, in its order."""
    given = {name.lower() for name, _ in job.headers}
    host = url(job).split("/")[2].removesuffix(":80")
    lines = [f"{method(job)} {_path(job)} HTTP/{http_version(job)}"]
    for name, value in (("Host", host), ("User-Agent", USER_AGENT), ("Accept", "*/*")):
        if name.lower() not in given:
            lines.append(f"{name}: {value}")
    lines += [line.removesuffix(";") + ":" if line.endswith(";") and ":" not in line else line for line in _header_lines(job) if line != "Expect:"]
    if "content-length" not in given and (job.body is not None or method(job) in ("POST", "PUT", "PATCH")):
        lines.append(f"Content-Length: {len(job.body or b'')}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "surrogateescape") + (job.body or b"")


def options(job: Job) -> Options:
    """What every handle of a job is set to. Raises EngineError for what cannot be."""
    load, version = job.load, http_version(job)
    secure = job.target.scheme == "https"
    chosen = pycurl.CURL_HTTP_VERSION_2TLS if version == "2" and secure else _VERSIONS[version]
    size = max(_LEAST, min(_LARGEST, _BUFFERS // (load.concurrency or 1)))
    found: Options = [
        (pycurl.URL, url(job)), (pycurl.HTTP_VERSION, chosen), (pycurl.NOSIGNAL, 1), (pycurl.TCP_NODELAY, 1),
        (pycurl.FOLLOWLOCATION, 0), (pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS), (pycurl.WRITEFUNCTION, len),
        (pycurl.BUFFERSIZE, size), (pycurl.PATH_AS_IS, 1), (pycurl.TIMEOUT_MS, max(1, round(timeout_s(job) * 1000))),
        (pycurl.PROXY, job.proxy or ""), (pycurl.USERAGENT, USER_AGENT), (pycurl.HTTPHEADER, _header_lines(job)),
        (pycurl.MAXAGE_CONN, 24 * 3600),  # a connection that stood unused is the server's to close
    ]
    if not kept_alive(job):
        found += [(pycurl.FRESH_CONNECT, 1), (pycurl.FORBID_REUSE, 1), (pycurl.SSL_SESSIONID_CACHE, 0)]
    return found + _method(job) + _route(job) + _tls(job)


def _header_lines(job: Job) -> list[str]:
    """The header lines that are sent; a header without a value is sent as such ("X:"), which libcurl wants as "X;"."""
    given = {name.lower() for name, _ in job.headers}
    lines = [f"{name}: {value}" if value else f"{name};" for name, value in job.headers]
    if http_version(job) in ("1.0", "1.1"):
        if "connection" not in given:
            if job.load.keep_alive and http_version(job) == "1.0":
                lines.append("Connection: Keep-Alive")
            elif not job.load.keep_alive and http_version(job) == "1.1":
                lines.append("Connection: close")
        if "expect" not in given:
            lines.append("Expect:")
    if job.body is not None and "content-type" not in given:
        lines.append("Content-Type: text/plain")  # as ab has it
    if job.user and "authorization" not in given:
        lines.append(f"Authorization: Basic {base64.b64encode(job.user.encode()).decode()}")
    return lines


def _method(job: Job) -> Options:
    asked = method(job)
    found: Options = []
    if asked == "HEAD":
        return [(pycurl.NOBODY, 1)]
    if job.body is not None:
        buffer = max(ONE_BUFFER, min(_LARGEST_UPLOAD, len(job.body)))
        found += [(pycurl.UPLOAD_BUFFERSIZE, buffer), (pycurl.POSTFIELDSIZE_LARGE, len(job.body)), (pycurl.POSTFIELDS, job.body)]
    elif asked in ("POST", "PUT", "PATCH"):
        found += [(pycurl.POSTFIELDS, b"")]
    if asked not in ("GET", "POST") or (asked == "GET" and job.body is not None):
        found.append((pycurl.CUSTOMREQUEST, quote(asked, safe="!#$%&'*+-.^_`|~")))
    return found


def _route(job: Job) -> Options:
    """Which way a connection takes."""
    found: Options = []
    if job.proxy_user:
        found.append((pycurl.PROXYUSERPWD, job.proxy_user))
    if job.unix_socket:
        found.append((pycurl.UNIX_SOCKET_PATH, job.unix_socket))
    if job.connect_to:
        found.append((pycurl.CONNECT_TO, [f"::{job.connect_to}"]))
    known = _resolved(job)
    if known:
        found.append((pycurl.RESOLVE, known))
    return found


def _tls(job: Job) -> Options:
    if job.target.scheme != "https":
        return []
    found: Options = [(pycurl.SSL_VERIFYPEER, 0 if job.insecure else 1), (pycurl.SSL_VERIFYHOST, 0 if job.insecure else 2)]
    for option, path in ((pycurl.CAINFO, job.ca_file), (pycurl.SSLCERT, job.certificate), (pycurl.SSLKEY, job.private_key)):
        if path:
            found.append((option, path))
    return found


def handle(settings: Options) -> pycurl.Curl:
    """An easy handle with these settings. Raises EngineError for a setting that libcurl refuses."""
    made = pycurl.Curl()
    for option, value in settings:
        try:
            made.setopt(option, value)
        except pycurl.error as error:
            raise EngineError(f"libcurl refuses the load: {error.args[-1]}") from error
    return made
