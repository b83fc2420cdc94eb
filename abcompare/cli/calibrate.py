"""`abcompare calibrate`: the run-to-run noise of a set-up."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from abcompare.cli import diff_options as take
from abcompare.cli.options import ColorChoice, Output, Quiet

EPILOG = """
Examples:
  abcompare calibrate aa.json                             how much one configuration varies here
  abcompare calibrate aa.json --filter concurrency=10 -o c10.json
  abcompare diff old.log new.log --calibration c10.json   one run a side, judged by that noise

Exit codes:
  0    done
  2    wrong usage, unreadable input, or no load with 4 runs
  130  interrupted
"""

Archives = Annotated[
    list[str],
    typer.Argument(
        metavar="ARCHIVE", show_default=False,
        help="Runs of one configuration: archives or logs, patterns, folders, - for standard input.",
    ),
]  # fmt: skip


def calibrate(
    archives: Archives,
    filter: take.Filter = None,
    row: take.Row = None,
    ignore: take.Ignore = None,
    accept_incomplete: take.AcceptIncomplete = False,
    seed: take.Seed = 0,
    format: Annotated[
        str | None,
        typer.Option("--format", "-f", metavar="FORMAT", help="text, markdown, json.", rich_help_panel="Output"),
    ] = None,
    output: Output = None,
    force: take.Force = False,
    quiet: Quiet = False,
    verbose: take.Verbose = False,
    color: ColorChoice = "auto",
) -> None:
    """Say how much one configuration varies from run to run, and what a comparison could find here.

    Reads runs of one configuration that were made already: 8 or more a load are good, 4 suffice. With -o the result is
    a file for diff --calibration, by which one run a side is judged.
    """
    from abcompare import parse_files
    from abcompare.cli.console import Console
    from abcompare.cli.diff import say_findings
    from abcompare.errors import InputError, UsageError
    from abcompare.reporters.comparisons import calibration_reporter, render_calibrations
    from abcompare.reporters.files import write
    from abcompare.sides import options_from

    live = next((one for one in archives if re.match(r"https?://", one)), None)
    if live is not None:
        said = f"{live} is a URL: live calibration comes with the engine, which is not here yet"
        raise UsageError(said, hint="make 8 runs with ab or wrk, and calibrate from their logs")
    console = Console(color=color, quiet=quiet)
    target, chosen = take.target_of(format, output, calibration_reporter, force=force)
    archive = parse_files(archives)
    say_findings([archive], console, verbose=verbose)
    if not archive.runs:
        raise InputError("there is no run in the input", hint="abcompare parse says what is there instead")
    from abcompare.compare import calibrate as calibrated

    options = options_from({
        "filters": tuple(filter or ()), "row": take.listed(row), "ignore": take.listed(ignore),
        "accept_incomplete": accept_incomplete, "seed": seed,
    })  # fmt: skip
    made = calibrated(archive, options)
    if target is None:
        console.write(render_calibrations(made, chosen, console.style))
        return
    data = render_calibrations(made, chosen)
    write(target, data.encode() if isinstance(data, str) else data, replace=force)
    loads = "a load" if len(made) == 1 else f"{len(made)} loads"
    console.done(f"{target}: the calibration of {loads}")
