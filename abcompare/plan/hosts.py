"""Which server stands in for an archived one. No request ever goes to a host that the user has not named.

The archived host is text of somebody's log: it is matched with, and never kept. A target is always built from what
stands behind --target or on the right side of --map.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from abcompare.errors import UsageError
from abcompare.plan.urls import PORTS, Place, path, place, without_login
from abcompare.records import Run, Target

_SHOWN = 5  # hosts that an error lists


@dataclass(frozen=True, slots=True)
class Map:
    """OLD=NEW: runs of the archived place OLD go to NEW."""

    text: str
    old: Place
    new: Place

    def fits(self, asked: Target) -> bool:
        """Whether a run was made against OLD."""
        old = self.old
        port = old.port or (PORTS[old.scheme] if old.scheme else None)
        return (
            _bare(asked.host) == _bare(old.host)
            and old.scheme in (None, asked.scheme or old.scheme)
            and port in (None, _port(asked))
        )

    @property
    def detail(self) -> int:
        """How much OLD says: the fullest that fits counts."""
        return (self.old.scheme is not None) + (self.old.port is not None)


@dataclass(frozen=True, slots=True)
class Hosts:
    """--target and --map, taken apart."""

    target: Place | None
    maps: tuple[Map, ...]

    def of(self, asked: Target) -> Target | None:
        """Where a run goes; None when neither a map nor --target says."""
        fitting = sorted((one for one in self.maps if one.fits(asked)), key=lambda one: -one.detail)
        if fitting:
            return _mapped(fitting[0].new, asked)
        return None if self.target is None else _mapped(self.target, asked)

    def check(self, runs: Sequence[Run]) -> None:
        """Raises UsageError, naming them, for hosts that nothing maps and for maps that no run is of."""
        homeless = list(dict.fromkeys(_named(run) for run in runs if self.of(run.target) is None))
        if homeless:
            more = f" and {len(homeless) - _SHOWN} more" if len(homeless) > _SHOWN else ""
            said = f"no --map names a server in place of {', '.join(homeless[:_SHOWN])}{more}"
            raise UsageError(said, hint="--map OLD=NEW for each, or --target URL for all of them; archived hosts are never contacted")
        idle = next((one for one in self.maps if not any(one.fits(run.target) for run in runs)), None)
        if idle:
            known = list(dict.fromkeys(str(run.target.host) for run in runs if run.target.host))[:_SHOWN]
            raise UsageError(f"--map {idle.text}: no run is of that host", hint=f"the archive's: {', '.join(known) or 'none is named'}")


def hosts(target: str | None, maps: Iterable[str] = ()) -> Hosts:
    """The hosts that --target and --map name. Raises UsageError when there is neither, or when one makes no sense."""
    found = tuple(_map(text) for text in maps)
    if target is None and not found:
        said = "where should the requests go? Archived hosts are never contacted"
        raise UsageError(said, hint="--target http://127.0.0.1:8080, or --map OLD=NEW for each host")
    if len({one.old for one in found}) < len(found):
        twice = next(one for at, one in enumerate(found) if one.old in {other.old for other in found[:at]})
        raise UsageError(f"--map {twice.text}: there is a map of that host already")
    where = None if target is None else place(target, "--target")
    return Hosts(None if where is None else _in_full(where), found)


def _map(text: str) -> Map:
    old, equals, new = text.partition("=")
    if not equals or not old.strip() or not new.strip() or "=" in new:
        raise UsageError(f"--map: {_shown(text)!r} is not OLD=NEW", hint="--map 10.0.0.5=127.0.0.1:8080")
    return Map(_shown(text), place(old, "--map"), place(new, "--map"))


def _shown(text: str) -> str:
    """A map for a message, without what may be logins."""
    return "=".join(without_login(one) for one in text.split("="))


def _in_full(where: Place) -> Place:
    """A place as a URL has it: --target is one, so that what is left out is the default and not the archive's."""
    scheme = where.scheme or "http"
    return Place(scheme, where.host, where.port or PORTS[scheme])


def _mapped(new: Place, asked: Target) -> Target:
    """The target: host of `new`, and what it leaves out from the archived run."""
    scheme = new.scheme or _scheme(asked)
    port = new.port or (PORTS[scheme] if new.scheme else asked.port or PORTS[scheme])
    return Target(scheme=scheme, host=new.host, port=port, path=path(asked.path))


def _scheme(asked: Target) -> str:
    if asked.scheme in PORTS:
        return str(asked.scheme)
    return "https" if asked.tls or asked.port == 443 else "http"


def _port(asked: Target) -> int | None:
    return asked.port or PORTS.get(asked.scheme or "")


def _bare(host: str | None) -> str:
    return (host or "").lower().rstrip(".").strip("[]")


def _named(run: Run) -> str:
    """The host of a run; of a run that names none where it stands."""
    host, port = run.target.host, run.target.port
    if host:
        name = f"[{host}]" if ":" in host else host
        return f"{name}:{port}" if port else name
    return f"the host that run {run.id[:8]} ({run.source.path}:{run.source.first_line or 0}) does not name"
