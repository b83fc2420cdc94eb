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
    """List dialects and reporters, built in and third parties'.

    Plug-ins are found by their entry points. One that does not load is listed with the reason, and is a finding of
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
        "reporter": (formats(), reporter),
    }
    rows: list[tuple[str, str, str, str]] = []
    for kind, (names, loaded) in kinds.items():
        entries = metadata.entry_points(group=f"abcompare.{kind}s")
        origins = {entry.name: f"{entry.dist.name} {entry.dist.version}" for entry in entries if entry.dist}
        for name in names:
            try:
                loaded(name)
                state = "ok"
            except AbcompareError as error:
                state = f"failed: {error.message}"
            rows.append((kind, name, origins.get(name, "built in"), state))
    titles = ("kind", "name", "from", "state")
    columns = [Column(title, [visible(row[at]) for row in rows]) for at, title in enumerate(titles)]
    console = Console()
    console.write(f"{as_text(columns, console.style)}\n")
