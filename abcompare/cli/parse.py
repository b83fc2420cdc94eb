"""`abcompare parse`: logs to records."""

from __future__ import annotations

import typer

from abcompare.cli.options import (
    Append,
    ColorChoice,
    Files,
    Force,
    Format,
    Jobs,
    Label,
    Output,
    Quiet,
    Strict,
    Verbose,
)

EPILOG = """
Examples:
  abcompare parse ab.log                              a table of the runs in a log
  abcompare parse old=logs/old new=logs/new -o all.json
                                                      two configurations into one archive
  ssh web1 'ab -n 1000 http://10.0.0.2/' | abcompare parse - -f csv

Exit codes:
  0    done; inputs without a report among others are findings
  1    with --strict: an input that could not be read, a line of a report that no rule claims, a label
       without its number, or any other finding of severity error; the result is written all the same
  2    wrong usage, nothing usable in the input, or the output cannot be written
  130  interrupted
"""


def parse(
    files: Files,
    label: Label = None,
    jobs: Jobs = 1,
    strict: Strict = False,
    format: Format = None,
    output: Output = None,
    force: Force = False,
    append: Append = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    color: ColorChoice = "auto",
) -> None:
    """Read the output of load generators wherever it stands: a table on a terminal, or an archive.

    Reports of ab and wrk are found in logs, terminal transcripts, articles and archives, copies are told from
    repetitions, known faults of the tools are corrected, and whatever is doubtful is said on stderr.
    """
    from abcompare import parse_files
    from abcompare.cli.console import Console
    from abcompare.cli.findings import show, unparsable
    from abcompare.cli.output import Kept, format_for
    from abcompare.errors import InputError
    from abcompare.reporters import render

    console = Console(color=color, quiet=quiet)
    target = None if output is None or str(output) == "-" else output
    chosen = format_for(format, target, force=force, append=append)
    archive = parse_files(files, label=label, jobs=jobs)
    show(archive, console, verbose=verbose, audited=True)
    if not archive.runs:
        raise InputError("there is no run in the input", hint=_known())
    if target is None:
        console.write(render(archive, chosen, console.style))
    else:
        console.done(Kept(target, chosen, force=force, append=append).write(archive))
    if strict and (cause := unparsable(archive)):
        console.say([f"--strict: exit code 1 for {cause}"])
        raise typer.Exit(1)


def _known() -> str:
    from abcompare.registry import names

    return f"reports of these tools are known: {', '.join(names())}"
