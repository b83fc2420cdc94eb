"""The options of `diff` and `calibrate`, and how their texts become an Options record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

_SIDES, _TEST, _GATE, _OUTPUT, _MESSAGES = "What is compared", "Test", "Gate", "Output", "Messages"


def _flag(*names: str, help: str, panel: str) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel)


def _text(name: str, metavar: str, help: str, panel: str) -> Any:
    return typer.Option(name, metavar=metavar, help=help, rich_help_panel=panel, show_default=False)


Sides = Annotated[
    list[str],
    typer.Argument(
        metavar="A B [C…]", show_default=False,
        help="A side each, the base first: an archive or a log, label=path, a pattern, a folder, - for standard input.",
    ),
]  # fmt: skip
By = Annotated[str | None, _text("--by", "KEY", "Split the runs into sides by a key: label, server_software, …; the base is the side that appears first.", _SIDES)]
Filter = Annotated[list[str] | None, _text("--filter", "KEY=VALUE", "Only runs with this value; also != < <= > >=.", _SIDES)]
Row = Annotated[list[str] | None, _text("--row", "KEY,…", "The keys that make a scenario, instead of the usual ones.", _SIDES)]
Ignore = Annotated[list[str] | None, _text("--ignore", "KEY,…", "Keys that make no scenario.", _SIDES)]
Vary = Annotated[list[str] | None, _text("--vary", "KEY,…", "Keys that may differ between the sides.", _SIDES)]
Exclude = Annotated[list[str] | None, _text("--exclude", "ID", "Leave out a run (its id, or its beginning); needs --reason.", _SIDES)]
Reason = Annotated[str | None, _text("--reason", "TEXT", "Why it is left out; stands in the result.", _SIDES)]
AcceptIncomplete = Annotated[bool, _flag("--accept-incomplete", help="Runs that were cut short take part.", panel=_SIDES)]
CrossTool = Annotated[bool, _flag("--cross-tool", help="Compare runs of different tools all the same.", panel=_SIDES)]

Margin = Annotated[list[str] | None, _text("--margin", "5%|p99=10%", "Changes up to this do not matter, for all metrics or one: 5 % are ratios from 1/1.05 to 1.05, −4.76 % to +5 %.  [default: 5%]", _TEST)]
Alpha = Annotated[str, typer.Option("--alpha", metavar="P", help="Level of the tests, two-sided.", rich_help_panel=_TEST)]
Fdr = Annotated[bool, _flag("--fdr", help="Benjamini–Hochberg instead of Holm.", panel=_TEST)]
Paired = Annotated[bool, _flag("--paired", help="Pair the runs by their order; without, the design decides.", panel=_TEST)]
Unpaired = Annotated[bool, _flag("--unpaired", help="Pair no runs.", panel=_TEST)]
CalibrationFile = Annotated[
    Path | None, _text("--calibration", "FILE", "Noise from abcompare calibrate, for one run a side; of several loads each takes its own.", _TEST)
]
MaxAge = Annotated[str, typer.Option("--max-age", metavar="30d|12h|2w", help="How much older than the runs (or than now, where they have no date) a calibration may be.", rich_help_panel=_TEST)]
BorrowNoise = Annotated[bool, _flag("--borrow-noise", help="Noise from the loads that have several runs.", panel=_TEST)]
RatioOfMeans = Annotated[bool, _flag("--ratio-of-means", help="The ratio of arithmetic means as well (Fieller), with -v and in JSON.", panel=_TEST)]
Seed = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of drawn permutations.", rich_help_panel=_TEST)]

Gate = Annotated[list[str] | None, _text("--gate", "METRIC|not-worse=5%", "This metric gates too (p99, mean); or: pass only if such a loss is excluded.", _GATE)]
RequireDecision = Annotated[bool, _flag("--require-decision", help="Exit with 3 when a gating row is undecided.", panel=_GATE)]
AcceptFailures = Annotated[bool, _flag("--accept-failures", help="Compare sides whose requests fail.", panel=_GATE)]
StrictLength = Annotated[bool, _flag("--strict-length", help="Count answers of another length (ab) as failures.", panel=_GATE)]

Format = Annotated[
    str | None,
    typer.Option("--format", "-f", metavar="FORMAT", help="text, markdown, csv, tsv, json.", rich_help_panel=_OUTPUT),
]
Force = Annotated[bool, _flag("--force", help="Replace an existing file.", panel=_OUTPUT)]
Verbose = Annotated[bool, _flag("--verbose", "-v", help="How each row was tested, and all findings.", panel=_MESSAGES)]


def target_of(
    format: str | None, output: Path | None, reporter: Callable[[str], object], *, force: bool
) -> tuple[Path | None, str]:
    """Where the result goes (None: stdout) and in which format, before anything is read.

    `reporter` raises for a format that it does not know. Raises UsageError or OutputError.
    """
    from abcompare.errors import UsageError
    from abcompare.reporters.files import check, format_of

    target = None if output is None or str(output) == "-" else output
    if force and target is None:
        raise UsageError("--force is about a file", hint="name it with -o")
    chosen = format or ("text" if target is None else format_of(target))
    reporter(chosen)
    if target is not None:
        check(target, replace=force)
    return target, chosen


def listed(texts: Sequence[str] | None) -> tuple[str, ...]:
    """The parts of repeated comma lists."""
    return tuple(part.strip() for text in texts or () for part in text.split(",") if part.strip())


def excluded(ids: Sequence[str] | None, reason: str | None, known: set[str]) -> Mapping[str, str]:
    """--exclude and --reason: the reason by the id of each run. Raises UsageError for an id that no run has."""
    from abcompare.errors import UsageError

    if bool(ids) != bool(reason and reason.strip()):
        raise UsageError("--exclude and --reason belong together", hint='--exclude c0ffee --reason "disk was full"')
    found: dict[str, str] = {}
    for beginning in listed(ids):
        matching = [one for one in known if one.startswith(beginning.lower())]
        if len(matching) != 1:
            raise UsageError(f"--exclude: {len(matching) or 'no'} runs have an id that begins with {beginning!r}")
        found[matching[0]] = reason or ""
    return found
