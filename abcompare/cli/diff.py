"""`abcompare diff`: is B really faster than A?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from abcompare.cli import diff_options as take
from abcompare.cli.options import ColorChoice, Output, Quiet

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from abcompare.cli.console import Console
    from abcompare.comparison import Comparison
    from abcompare.records import Archive

EPILOG = """
Examples:
  abcompare diff old.json new.json                    two archives, or logs, or folders of logs
  abcompare diff old=logs/old new=logs/new --gate p99 -o diff.md
                                                      named sides; p99 can fail the build too
  abcompare diff all.json --by server_software --vary document_length
                                                      both configurations in one file, their answers of two lengths

Keys (of --by, --filter, --row, --ignore, --vary):
  label, server_software, concurrency, keep_alive, path, port, document_length, p99, …: docs/keys.md has them all.

Exit codes:
  0    no regression shown
  1    a gating row is worse, with its whole interval beyond the margin; or requests fail that did not
       fail before; with --gate not-worse=X also: a loss of X is not excluded
  2    wrong usage, unreadable input, or nothing to compare
  3    no row could gate, or a load of the base has no partner; with --require-decision also: undecided
  130  interrupted
"""


def diff(
    sides: take.Sides,
    by: take.By = None,
    filter: take.Filter = None,
    row: take.Row = None,
    ignore: take.Ignore = None,
    vary: take.Vary = None,
    exclude: take.Exclude = None,
    reason: take.Reason = None,
    accept_incomplete: take.AcceptIncomplete = False,
    cross_tool: take.CrossTool = False,
    margin: take.Margin = None,
    alpha: take.Alpha = "0.05",
    fdr: take.Fdr = False,
    paired: take.Paired = False,
    unpaired: take.Unpaired = False,
    calibration: take.CalibrationFile = None,
    max_age: take.MaxAge = "30d",
    borrow_noise: take.BorrowNoise = False,
    ratio_of_means: take.RatioOfMeans = False,
    seed: take.Seed = 0,
    gate: take.Gate = None,
    require_decision: take.RequireDecision = False,
    accept_failures: take.AcceptFailures = False,
    strict_length: take.StrictLength = False,
    format: take.Format = None,
    output: Output = None,
    force: take.Force = False,
    quiet: Quiet = False,
    verbose: take.Verbose = False,
    color: ColorChoice = "auto",
) -> None:
    """Compare configurations: one verdict a metric, with its interval, and an exit code for a build.

    Runs of the sides meet by load (method, path, concurrency, keep-alive, mode, length of the request's body). The run
    is what is repeated, never the request: with one run a side the answer is how little noise it would take to believe
    the difference. The last line says what this gate can see.
    """
    from abcompare import parse_files
    from abcompare.cli.console import Console
    from abcompare.errors import UsageError
    from abcompare.reporters.comparisons import reporter
    from abcompare.sides import age, gates, margins, options_from, pairing, read_sides, share

    console = Console(color=color, quiet=quiet)
    target, chosen = take.target_of(format, output, reporter, force=force)
    options = {
        "alpha": share(alpha, "--alpha"), **margins(margin, "--margin"), **gates(take.listed(gate), "--gate"), "by": by,
        "filters": tuple(filter or ()), "row": take.listed(row), "ignore": take.listed(ignore), "vary": take.listed(vary),
        "require_decision": require_decision, "fdr": fdr, "accept_failures": accept_failures,
        "accept_incomplete": accept_incomplete, "strict_length": strict_length, "cross_tool": cross_tool, "paired": pairing(paired or None, unpaired),
        "calibration": calibration, "max_age": age(max_age, "--max-age"), "borrow_noise": borrow_noise, "ratio_of_means": ratio_of_means, "seed": seed,
    }  # fmt: skip
    if len(sides) == 1 and by is None:
        raise UsageError("one argument is one side", hint="name two, or split it: --by label, --by server_software")
    archives = read_sides(sides, parse_files)
    say_findings([archive for _, archive in archives], console, verbose=verbose)
    known = {run.id for _, archive in archives for run in archive.runs}
    checked = options_from(options | {"exclude": take.excluded(exclude, reason, known)})
    from abcompare.compare import diff as compared  # the mathematics come last: what is wrong is said at once

    comparison = compared(archives, checked)
    _put(comparison, chosen, target, console, force=force, verbose=verbose)
    if comparison.exit_code:
        raise typer.Exit(comparison.exit_code)


def say_findings(archives: Sequence[Archive], console: Console, *, verbose: bool) -> None:
    """What reading the sides found, on stderr, as `parse` says it."""
    from abcompare.cli.findings import show
    from abcompare.records import Archive

    every = Archive(
        findings=tuple(one for archive in archives for one in archive.findings),
        unrecognised=tuple(one for archive in archives for one in archive.unrecognised),
        runs=tuple(run for archive in archives for run in archive.runs),
    )
    show(every, console, verbose=verbose)


def _put(
    comparison: Comparison, chosen: str, target: Path | None, console: Console, *, force: bool, verbose: bool
) -> None:
    """The result on stdout or in a file; of a file, the outcome is said on stderr."""
    from dataclasses import replace

    from abcompare.reporters import Style, render
    from abcompare.reporters.comparisons.notes import outcome
    from abcompare.reporters.files import write

    if target is None:
        console.write(render(comparison, chosen, replace(console.style, verbose=verbose, quiet=console.quiet)))
        return
    data = render(comparison, chosen, Style(verbose=verbose, quiet=console.quiet))
    write(target, data.encode() if isinstance(data, str) else data, replace=force)
    console.done(f"{target}: {outcome(comparison)}")
