"""`abcompare schema`: the JSON Schema of what abcompare writes."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

EPILOG = """
Examples:
  abcompare schema                        the schema of archives
  abcompare schema diff                   of what diff -f json writes; run: a line of NDJSON
  abcompare schema > archive.schema.json

Exit codes:
  0  done
  2  wrong usage
"""

Kind = Literal["archive", "run", "diff", "calibration"]


def schema(
    kind: Annotated[Kind, typer.Argument(help="What is described.")] = "archive",
) -> None:
    """Print the JSON Schema of archives, comparisons or calibrations.

    It is generated from the records, and says of every key what it means and in which unit.
    """
    from abcompare.cli.console import Console
    from abcompare.schema import schema_of, written

    Console().write(written(schema_of(kind)))
