"""`abcompare calibrate`: the run-to-run noise of a set-up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abcompare.cli import diff_options as take
from abcompare.cli import run_options as load
from abcompare.cli.options import ColorChoice, Output, Quiet

EPILOG = """
Examples:
  abcompare calibrate aa.json -o noise.json               how much one configuration varies here, as a file;
                                                          without -o as a table; all loads of the input
  abcompare diff old.log new.log --calibration noise.json
                                                          one run a side, judged by the noise of its own load
  abcompare calibrate http://127.0.0.1:8080/ -c 50 -k -t 10s -o noise.json
                                                          8 runs, made now

Exit codes:
  0    done
  2    wrong usage, unreadable input, or no load with 4 runs
  4    the load could not be made
  130  interrupted
"""

Archives = Annotated[
    list[str],
    typer.Argument(
        metavar="ARCHIVE|URL", show_default=False,
        help="Runs of one configuration: archives or logs, patterns, folders, - for standard input; or a URL, to make them now.",
    ),
]  # fmt: skip


Runs = Annotated[
    str | None,
    typer.Option("--runs", metavar="N", help="How many runs are made of a URL.  [default: 8]", rich_help_panel="Runs", show_default=False),
]
Engine = Annotated[
    str | None,
    typer.Option("--engine", metavar="NAME", help="What makes them.  [default: curl]", rich_help_panel="Runs", show_default=False),
]
Keep = Annotated[
    Path | None,
    typer.Option("--keep", metavar="FILE", help="An archive of the runs that are made.", rich_help_panel="Runs", show_default=False),
]


def calibrate(
    context: typer.Context,
    archives: Archives,
    requests: load.Requests = None,
    concurrency: load.Concurrency = None,
    duration: load.Duration = None,
    rate: load.Rate = None,
    warmup: load.Warmup = None,
    header: load.Header = None,
    keep_alive: load.KeepAlive = None,
    http: load.Http = None,
    insecure: load.Insecure = False,
    runs: Runs = None,
    engine: Engine = None,
    processes: load.Processes = None,
    keep: Keep = None,
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

    Reads runs of one configuration that were made already, 8 or more a load are good, 4 suffice; or makes 8 runs of a
    URL, with the options of abcompare run. With -o the result is
    a file for diff --calibration, by which one run a side is judged.
    """
    from abcompare import parse_files
    from abcompare.cli.console import Console
    from abcompare.cli.diff import say_findings
    from abcompare.cli.live import runs_of, url_of
    from abcompare.errors import InputError, OutputError
    from abcompare.reporters.comparisons import calibration_reporter, render_calibrations
    from abcompare.reporters.files import write
    from abcompare.sides import options_from

    url = url_of(archives, context.params)
    console = Console(color=color, quiet=quiet)
    target, chosen = take.target_of(format, output, calibration_reporter, force=force)
    archive = parse_files(archives) if url is None else runs_of(url, context.params, keep, console)
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
    try:
        write(target, data.encode() if isinstance(data, str) else data, replace=force)
    except OutputError:
        console.write(data)  # so that runs that were made now are not for nothing
        raise
    loads = "a load" if len(made) == 1 else f"{len(made)} loads"
    console.done(f"{target}: the calibration of {loads}")
