"""The options that several commands take, each in one place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

Color = Literal["auto", "always", "never"]

_INPUT, _OUTPUT, _MESSAGES = "Input", "Output", "Messages"


def _label(text: str) -> str:
    """A label as text: bytes that are not UTF-8 become \\xNN, as in the names of files."""
    return os.fsencode(text).decode("utf-8", "backslashreplace")


def _file(name: str) -> Path:
    if not name:
        raise typer.BadParameter("the name is empty: is a shell variable empty?")
    return Path(name)


Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE", show_default=False,
        help="Logs or archives, mixed: files, folders, patterns, - for standard input, label=path to name a "
        "configuration; .gz .xz .zst .bz2 are read directly.",
    ),
]  # fmt: skip
Label = Annotated[
    str | None,
    typer.Option(
        "--label", "-l", metavar="LABEL", parser=_label, rich_help_panel=_INPUT,
        help="Configuration of inputs without a label of their own.",
    ),
]  # fmt: skip
Jobs = Annotated[
    int,
    typer.Option("--jobs", "-j", metavar="N", min=1, help="Processes that read.", rich_help_panel=_INPUT),
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Exit with 1 when anything could not be read.", rich_help_panel=_INPUT),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format", "-f", metavar="FORMAT", rich_help_panel=_OUTPUT,
        help="text, json, ndjson, csv, tsv, markdown; ab or wrk: as that tool would print it.",
    ),
]  # fmt: skip
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", parser=_file, rich_help_panel=_OUTPUT,
        help="Write to a file, all or nothing; its suffix decides the format, JSON without one.",
    ),
]  # fmt: skip
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.", rich_help_panel=_OUTPUT)]
Append = Annotated[
    bool,
    typer.Option("--append", help="Add to an existing archive; copies stay once.", rich_help_panel=_OUTPUT),
]
ColorChoice = Annotated[
    Color, typer.Option("--color", help="Colours; NO_COLOR is respected.", rich_help_panel=_MESSAGES)
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="No summary, no findings of severity info.", rich_help_panel=_MESSAGES)
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="All findings and every unrecognised line.", rich_help_panel=_MESSAGES)
]
