"""`abcompare show`: one run in full, or the list of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from abcompare.cli.options import ColorChoice, Format

if TYPE_CHECKING:
    from abcompare.records import Archive, Run

EPILOG = """
Examples:
  abcompare show all.json                 the runs of an archive, with their ids
  abcompare show all.json c0ff --explain  one run, and what each of its numbers means
  abcompare show all.json c0ff -f ab      the run as ab would print it

Exit codes:
  0    done
  2    wrong usage, no such run, or nothing usable in the input
  130  interrupted
"""


def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An archive or a log, as for parse.")],
    id: Annotated[str | None, typer.Argument(metavar="ID", help="A run's id, or its beginning.")] = None,
    format: Format = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what each metric means.", rich_help_panel="Output")
    ] = False,
    color: ColorChoice = "auto",
) -> None:
    """Show one run in full, or the list when there are several and no ID.

    All that is known of the run: the target, the load, every number with the text that was printed, and the findings.
    """
    from dataclasses import replace

    from abcompare import parse_files
    from abcompare.cli.console import Console
    from abcompare.errors import InputError
    from abcompare.reporters import render

    console = Console(color=color)
    archive = parse_files([file])
    if not archive.runs:
        raise InputError("there is no run in the input", hint="abcompare parse says what is there instead")
    document: Archive | Run = _chosen(archive, id) if id or len(archive.runs) == 1 else archive
    console.write(render(document, format or "text", replace(console.style, explain=explain)))


def _chosen(archive: Archive, id: str | None) -> Run:
    """The run whose id begins with `id`; the only one without an id. Raises UsageError when that is not one."""
    from abcompare.errors import UsageError

    found = [run for run in archive.runs if run.id.startswith((id or "").lower())]
    exact = {run.id for run in found}
    if len(exact) == 1:
        return found[0]
    known = ", ".join(run.id for run in (found or archive.runs)[:8])
    more = ", …" if len(found or archive.runs) > 8 else ""
    reason = "no run has" if not found else f"{len(exact)} runs have"
    raise UsageError(f"{reason} an id that begins with {id!r}", hint=f"ids: {known}{more}")
