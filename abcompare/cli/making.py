"""What the commands that make requests share: progress, signals, and what becomes of the runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

if TYPE_CHECKING:
    from abcompare.cli.console import Console
    from abcompare.cli.output import Kept
    from abcompare.errors import AbcompareError
    from abcompare.records import Archive, Run

EXIT_CODES = """
Exit codes:
  0    done
  2    wrong usage, or the output cannot be written: what was measured is then on standard output
  4    the load could not be made: target, program, limit or capability; runs that were finished before are kept
  130  interrupted (Ctrl-C, SIGTERM); what was measured until then is printed or written, marked incomplete
"""

Produce = Callable[..., "Archive"]


class Made(NamedTuple):
    """What was made, and why it is not more: interrupted, or the error of an engine, or of the file that it goes to."""

    archive: Archive
    interrupted: bool
    error: AbcompareError | None


def make(
    console: Console, produce: Produce, *, format: str | None, output: Path | None, force: bool, append: bool, verbose: bool,
) -> None:
    """Makes runs with `produce(progress=…, stop=…, each=…)`, and prints or writes them.

    A file is written after each run, so that what was measured is there when a later one fails.
    """
    from abcompare.cli.findings import show
    from abcompare.cli.output import Kept, format_for

    target = None if output is None or str(output) == "-" else output
    chosen = format_for(format, target, force=force, append=append)
    kept = None if target is None else Kept(target, chosen, force=force, append=append)
    made = produced(console, produce, kept.add if kept else None)
    show(made.archive, console, verbose=verbose, audited=True)
    if made.archive.runs and kept is None:
        _print(made.archive, chosen, console)
    elif made.archive.runs and kept is not None:
        if not console.quiet:
            console.say([_table(made.archive, console)])
        hand_over(made, chosen, kept, console)
    finish(made, console)


def produced(console: Console, produce: Produce, each: Callable[[Run], None] | None = None) -> Made:
    """Calls `produce` with a line of progress, and with Ctrl-C and SIGTERM as its `stop`. Runs that were finished
    when an engine failed, or could not be written, are kept.
    """
    from abcompare.cli.progress import shown
    from abcompare.cli.stopping import stoppable
    from abcompare.errors import EngineError, OutputError
    from abcompare.records import Archive

    made: list[Run] = []

    def keep(run: Run) -> None:
        made.append(run)
        if each:
            each(run)

    with stoppable() as stopped, shown(console) as progress:
        try:
            return Made(produce(progress=progress, stop=stopped, each=keep), stopped(), None)
        except OutputError as error:
            return Made(Archive(runs=tuple(made)), stopped(), error)
        except EngineError as error:  # one that was stopped before it had measured anything raises it too
            return Made(Archive(runs=tuple(made)), stopped(), None if stopped() else error)


def finish(made: Made, console: Console) -> None:
    """Exits with 130 when interrupted, and raises the engine's error."""
    if made.interrupted:
        console.say([f"interrupted: {'what is there was measured until then' if made.archive.runs else 'nothing was measured'}"])
        raise typer.Exit(130)
    if made.error is not None:
        raise made.error


def hand_over(made: Made, format: str, kept: Kept, console: Console) -> None:
    """Writes the runs. Where they cannot be written they are printed, and the error is raised: nothing measured is lost."""
    from abcompare.errors import OutputError
    from abcompare.reporters import render

    try:
        if isinstance(made.error, OutputError):
            raise made.error
        console.done(kept.write(made.archive))
    except OutputError:
        try:
            console.write(render(made.archive, format))
        except OutputError:  # nowhere at all; the table stands on stderr, unless the user wants quiet
            if console.quiet:
                console.say([_table(made.archive, console)])
        raise


def _print(archive: Archive, format: str, console: Console) -> None:
    """Prints the runs, a single one in full; on stderr, as a table, where standard output takes nothing."""
    from abcompare.errors import OutputError
    from abcompare.reporters import render

    document = archive.runs[0] if format == "text" and len(archive.runs) == 1 else archive
    try:
        console.write(render(document, format, console.style))
    except OutputError:
        console.say([_table(archive, console)])
        raise


def _table(archive: Archive, console: Console) -> str:
    from abcompare.reporters import render

    return str(render(archive, "text", console.aside)).rstrip("\n")
