"""The command line: one module a command; the only place that prints, reads argv, or exits.

Nothing heavy is imported before a command runs: `--help` answers at once.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from abcompare.cli import audit, calibrate, diff, parse, plugins, rerun, run, schema, show
from abcompare.cli.command import SETTINGS, Command, Group
from abcompare.version import __version__

EPILOG = """
Examples:
  abcompare parse ab.log                     what is in a log
  abcompare parse logs/ -o all.json          a folder of logs into one archive
  abcompare diff old.json new.json           is the new one really faster?
  abcompare run -n 10k -c 50 http://127.0.0.1/ -o new.json
  abcompare show all.json c0ff --explain     one run, in plain words

Exit codes:
  0 done · 1 judged worse (diff), an error (audit), something unparsable under --strict (parse) · 2 usage, or nothing usable in the
  input · 3 nothing could gate, or undecided under --require-decision (diff) · 4 the load could not
  be made (run, rerun, calibrate) · 130 interrupted
"""

app = typer.Typer(
    name="abcompare", cls=Group, epilog=EPILOG, context_settings=SETTINGS, no_args_is_help=True,
    rich_markup_mode=None, pretty_exceptions_enable=False,
)  # fmt: skip


def _version(wanted: bool) -> None:
    if wanted:
        print(f"abcompare {__version__}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Is B really faster than A? Reads ab and wrk output and compares it with honest statistics.

    abcompare finds the reports of HTTP load generators in any text, corrects what the tools are known to get wrong,
    and keeps every number with its unit, its printed text and its resolution.
    """


for _name, _summary, _module in (
    ("parse", "Logs to records: a table, or an archive.", parse),
    ("audit", "What an expert sees in a log.", audit),
    ("diff", "Compare configurations: archives or logs.", diff),
    ("run", "Make runs: requests to a URL.", run),
    ("rerun", "Make archived runs again.", rerun),
    ("calibrate", "The run-to-run noise of a set-up.", calibrate),
    ("show", "One run in full, or the list of runs.", show),
    ("plugins", "What can be read and written.", plugins),
    ("schema", "The JSON Schemas of what is written.", schema),
):
    _settings = {"epilog": _module.EPILOG, "short_help": _summary, "context_settings": SETTINGS}
    app.command(_name, cls=Command, **_settings)(getattr(_module, _name))


def main() -> None:
    """The entry point: runs the command line and exits."""
    try:
        app()
    except SystemExit as done:
        if done.code == 130:  # interrupted: what pools and threads would say while they end is noise
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(130)
        raise
    except OSError as error:  # what typer itself prints (--help) meets a full disk
        sys.stderr.write(f"abcompare: {error.strerror or error}\n")
        sys.exit(2)
