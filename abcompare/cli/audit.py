"""`abcompare audit`: what an expert sees in a log."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from abcompare.cli.options import ColorChoice, Quiet

EPILOG = """
Examples:
  abcompare audit ab.log                     what does not add up, and what the numbers say about the set-up
  abcompare audit logs/ -f github            annotations of a pull request
  abcompare audit --explain LINK-SATURATED   what a rule means, and what to do

Exit codes:
  0    nothing of severity error was found
  1    a finding of severity error
  2    wrong usage, or no run in the input
  130  interrupted
"""

Shape = Literal["text", "json", "markdown", "github", "sarif"]


def audit(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", show_default=False, help="Logs or archives, as for parse.", rich_help_panel="Input"),
    ] = None,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="CODE", help="Say what a rule means and what to do; all lists them.", rich_help_panel="Output"),
    ] = None,
    rule: Annotated[list[str] | None, typer.Option("--rule", metavar="CODE", help="Apply only this rule; repeatable.", rich_help_panel="Input")] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", metavar="CODE", help="Leave out this rule; repeatable.", rich_help_panel="Input")] = None,
    format: Annotated[Shape, typer.Option("--format", "-f", help="How findings are written.", rich_help_panel="Output")] = "text",
    quiet: Quiet = False,
    color: ColorChoice = "auto",
) -> None:
    """Say what is odd in a log: numbers that cannot be of one run, and limits that were measured instead of the server.

    The findings of reading (copies, corrections) are among them. Nothing is changed or stored: an audit is computed anew.
    """
    from abcompare import parse_files
    from abcompare.audit import archive_findings, rules
    from abcompare.cli.console import Console
    from abcompare.errors import InputError, UsageError
    from abcompare.reporters.audits import render_audit

    console = Console(color=color, quiet=quiet)
    if explain:
        console.write(_page(explain))
        return
    if not files:
        raise UsageError("there is nothing to audit", hint="name a log or an archive, or --explain CODE")
    archive = parse_files(files)
    findings = [one for one in archive_findings(archive, rule or (), ignore or ()) if not (quiet and one.severity in ("info", "corrected"))]
    if findings or archive.runs:
        console.write(render_audit(findings, format, console.style, {one.code: one.title for one in rules()[0]}))
    if not archive.runs:
        raise InputError("there is no run in the input", hint="abcompare parse says what is there instead")
    runs = "1 run" if len(archive.runs) == 1 else f"{len(archive.runs)} runs"
    errors = sum(one.severity == "error" for one in findings)
    console.done(f"{runs}, {len(findings)} finding{'' if len(findings) == 1 else 's'}, {errors} of severity error")
    if errors:
        raise typer.Exit(1)


def _page(code: str) -> str:
    """The page of a rule, or the list of all of them."""
    from abcompare.audit import named, rules

    if code.lower() == "all":
        width = max(len(one.code) for one in rules()[0])
        return "".join(f"{one.code:<{width}}  {one.severity:<7}  {one.title}\n" for one in rules()[0])
    one = named(code)
    return f"{one.code} ({one.severity}): {one.title}\n\n{one.page}\n"
