"""`abcompare rerun`: archived runs again, against a server of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from abcompare.cli import run_options as take
from abcompare.cli.making import EXIT_CODES
from abcompare.cli.options import Append, ColorChoice, Files, Force, Format, Output, Quiet, Verbose

if TYPE_CHECKING:
    from abcompare.records import Archive

EPILOG = f"""
Examples:
  abcompare rerun old.json --target http://127.0.0.1:8080 -o now.json
                                        every run of the archive, against one server
  abcompare rerun old.log --map 10.0.0.5=127.0.0.1:8080 --map 10.0.0.6=127.0.0.1:8081 --scale 0.01
                                        two servers in place of two archived hosts, a hundredth of the requests
  abcompare rerun old.json --target http://127.0.0.1:8080 --engine ab --runs 5 -o now.json && abcompare diff old.json now.json
                                        then and now (--cross-tool where another tool made them)
{EXIT_CODES}"""


def rerun(
    context: typer.Context,
    files: Files,
    target: take.Target = None,
    map: take.Map = None,
    scale: take.Scale = "1",
    header: take.Header = None,
    body_file: take.AgainBody = None,
    user: take.User = None,
    warmup: take.Warmup = None,
    timeout: take.Timeout = None,
    http: take.Http = None,
    insecure: take.Insecure = False,
    ca_file: take.CaFile = None,
    runs: take.Runs = "1",
    engine: take.EngineName = "curl",
    processes: take.Processes = None,
    max_samples: take.MaxSamples = None,
    label: take.RunLabel = None,
    format: Format = None,
    output: Output = None,
    force: Force = False,
    append: Append = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    color: ColorChoice = "auto",
) -> None:
    """Make the runs of an archive again, against --target or the servers that --map names.

    The archived host is never contacted. Method, path, concurrency, count or duration, keep-alive, HTTP version and
    the length of the body are the archived run's; what its log does not tell is said, and listed in the result.
    """
    from abcompare import parse_files, running
    from abcompare.cli.console import Console
    from abcompare.cli.making import make
    from abcompare.errors import InputError
    from abcompare.plan import hosts

    hosts(target, map or ())  # before a large archive is read
    console = Console(color=color, quiet=quiet)
    archive = parse_files(files)
    if not archive.runs:
        raise InputError("there is no run in the input", hint="abcompare parse says what is there instead")
    options = take.given(context.params)
    body = options.pop("body_file", None)

    def produce(**watched: Any) -> Archive:
        return running.rerun(
            archive, target=target, maps=map or (), scale=scale, runs=runs, engine=engine, body_file=body, **watched, **options
        )

    make(console, produce, format=format, output=output, force=force, append=append, verbose=verbose)
