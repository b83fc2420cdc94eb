"""`abcompare plugins`: what can be read and written, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable

EPILOG = """
Examples:
  abcompare plugins
  abcompare plugins | grep failed
  pip install SOMETHING && abcompare plugins    plug-ins are entry points of the groups abcompare.*

Exit codes:
  0  done, whatever does not load
  2  wrong usage
"""


def plugins() -> None:
    """List dialects, engines and reporters, built in and third parties'.

    Of an engine it says what it can do, and whether its program is installed. Plug-ins are found by their entry points. One that does not load is listed with the reason, and is a finding of
    every parse.
    """
    from importlib import metadata

    from abcompare import registry
    from abcompare.cli.console import Console
    from abcompare.errors import AbcompareError
    from abcompare.reporters import formats, reporter
    from abcompare.reporters.cells import visible
    from abcompare.reporters.table import Column, as_text

    kinds: dict[str, tuple[list[str], Callable[[str], object]]] = {
        "dialect": (registry.names(), registry.dialect),
        "engine": (registry.engine_names(), registry.engine),
        "reporter": (formats(), reporter),
    }
    rows: list[tuple[str, str, str, str, str]] = []
    for kind, (names, loaded) in kinds.items():
        entries = metadata.entry_points(group=f"abcompare.{kind}s")
        origins = {entry.name: f"{entry.dist.name} {entry.dist.version}" for entry in entries if entry.dist}
        for name in names:
            try:
                state, can = _told(loaded(name))
            except AbcompareError as error:
                state, can = f"failed: {error.message}", ""
            rows.append((kind, name, origins.get(name, "built in"), state, can))
    titles = ("kind", "name", "from", "state", "can")
    columns = [Column(title, [visible(row[at]) for row in rows]) for at, title in enumerate(titles)]
    console = Console()
    console.write(f"{as_text(columns, console.style)}\n")


def _told(plugin: object) -> tuple[str, str]:
    """The state of what was loaded, and what it can do. An engine of a program says itself whether that is there."""
    state = getattr(plugin, "state", None)
    can: frozenset[str] = getattr(plugin, "capabilities", frozenset()) if hasattr(plugin, "run") else frozenset()
    return (str(state()) if callable(state) else "ok"), " ".join(sorted(can))
