"""URLs taken apart strictly: what is sent to has to be exactly what was named.

Engines put a URL together again from scheme, host, port and path. A host that holds more than a host, or a path that
does not begin with "/", could then name another machine than the one that was checked.
"""

from __future__ import annotations

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from abcompare.errors import UsageError
from abcompare.records import Target

PORTS = {"http": 80, "https": 443}
_PROXIES = ("http", "https", "socks4", "socks4a", "socks5", "socks5h")
_PLAIN = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"  # what is sent as it was typed
_NAME = re.compile(r"(?=.{1,253}\Z)[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?")


class Address(NamedTuple):
    """A URL's target, and its "user:password" where it names one."""

    target: Target
    user: str | None


class Place(NamedTuple):
    """Where a server is, as far as it was named."""

    scheme: str | None
    host: str
    port: int | None


def address(url: str, option: str) -> Address:
    """An http or https URL taken apart; http where the scheme is left out, as for ab. Raises UsageError."""
    place, login, rest = _taken_apart(url, option)
    scheme = place.scheme or "http"
    user = None if login is None else unquote(login)
    return Address(Target(scheme, place.host, place.port or PORTS[scheme], path(rest)), user)


def place(text: str, option: str) -> Place:
    """host, host:port or scheme://host:port, and nothing behind it. Raises UsageError."""
    found, login, rest = _taken_apart(text, option)
    if rest not in ("", "/"):
        raise UsageError(f"{option}: {without_login(text)} has a path", hint="name scheme, host and port: the paths are the archive's")
    if login is not None:
        raise UsageError(f"{option}: {without_login(text)} has a login", hint="name scheme, host and port")
    return found


def path(text: str | None) -> str:
    """A path with its query, as a request line can hold it: from "/" on, without fragment, all else percent-encoded."""
    plain = (text or "").partition("#")[0]
    plain = plain if plain.startswith("/") else f"/{plain}"
    return quote(plain, safe=_PLAIN, errors="backslashreplace")


def host_name(text: str, option: str) -> str:
    """A host in lower case: a name, an IPv4 or an IPv6 address without brackets. Raises UsageError for anything else."""
    if ":" in text:
        try:
            return str(ipaddress.IPv6Address(text))
        except ValueError:
            raise UsageError(f"{option}: {text!r} is no IPv6 address") from None
    try:
        plain = text if text.isascii() else text.encode("idna").decode("ascii")
    except UnicodeError:
        plain = ""
    if not _NAME.fullmatch(plain):
        raise UsageError(f"{option}: {text!r} is no host", hint="as in http://127.0.0.1:8080/")
    return plain.lower()


def proxy(text: str, option: str) -> str:
    """A proxy as libcurl takes it, `scheme://user:password@host:port` with all but the host left out as one likes.

    Raises UsageError for anything else: libcurl's own message would have the password in it.
    """
    scheme, separator, rest = text.strip().partition("://")
    if separator and scheme.lower() not in _PROXIES:
        raise UsageError(f"{option}: {scheme}:// is no proxy's scheme", hint=f"known: {', '.join(_PROXIES)}")
    where = (rest if separator else scheme).rpartition("@")[2]
    _taken_apart(where.removesuffix("/") or "//", option)
    if re.search(r"[/?#\\]", where.removesuffix("/")):
        raise UsageError(f"{option}: a proxy has no path", hint=f"{option} 127.0.0.1:3128")
    return text.strip()


def without_login(text: str) -> str:
    """An address for a message, whatever is wrong with it: what stands before its last "@" may be a password."""
    scheme, separator, rest = text.partition("://")
    named = separator and re.fullmatch(r"[A-Za-z][\w+.-]*", scheme)
    before, at, where = (rest if named else text).rpartition("@")
    return f"{scheme + separator if named else ''}…@{where}" if at and before else text


def _taken_apart(url: str, option: str) -> tuple[Place, str | None, str]:
    """The place, the login, and what stands behind the authority."""
    text = url.strip()
    if not text or re.search(r"[\s\x00-\x1f\x7f]", text):
        raise UsageError(f"{option}: {without_login(url)!r} is no URL", hint="a blank within a URL is written %20")
    scheme, separator, rest = text.partition("://")
    if not separator:
        scheme, rest = "", text
    if separator and scheme.lower() not in PORTS:
        raise UsageError(f"{option}: {scheme}:// is not supported", hint="http:// and https:// are")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    login, at, where = authority.rpartition("@")
    if "\\" in authority:
        raise UsageError(f"{option}: {without_login(url)!r} has a backslash in its host")
    try:
        parts = urlsplit(f"//{where}")
        host, port = parts.hostname, parts.port
    except ValueError:
        named = without_login(rest) if "@" in rest else where  # a password with a "/" in it ends the authority early
        raise UsageError(f"{option}: {named!r} is no host and port", hint="as in 127.0.0.1:8080, [::1]:8080") from None
    if not host or port == 0:
        raise UsageError(f"{option}: {without_login(url)!r} names no host" if not host else f"{option}: port 0 is no port", hint="as in http://127.0.0.1:8080/")
    found = Place(scheme.lower() or None, host_name(host, option), port)
    return found, login if at else None, rest[len(authority) :]
