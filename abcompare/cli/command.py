"""What all commands share: help in groups with examples and exit codes; errors as messages, not tracebacks."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from typer._click import Command as ClickCommand
    from typer._click import Context, HelpFormatter, Parameter

_ARGUMENTS = "Arguments"
_OPTIONS = "Options"
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def _write_groups(parameters: Sequence[Parameter], context: Context, formatter: HelpFormatter) -> None:
    """The options by the group that each names (`rich_help_panel`), arguments first."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for parameter in parameters:
        record = parameter.get_help_record(context)
        if record:
            default = _ARGUMENTS if parameter.param_type_name == "argument" else _OPTIONS
            groups.setdefault(getattr(parameter, "rich_help_panel", None) or default, []).append(record)
    for title, records in groups.items():
        with formatter.section(title):
            formatter.write_dl(records)


@contextmanager
def _discreet() -> Iterator[None]:
    """What is wrong with a command line is said without the secrets in it."""
    from typer._click.exceptions import ClickException

    try:
        yield
    except ClickException as error:
        from abcompare.cli.console import shown

        error.message = shown(error.message)
        raise


class Command(TyperCommand):
    """A command whose help ends with its epilog as written, and whose errors are said in one message."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Reads the arguments."""
        with _discreet():
            return super().parse_args(ctx, args)

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """The options in their groups."""
        _write_groups(self.get_params(ctx), ctx, formatter)

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Examples and exit codes, not wrapped."""
        if self.epilog:
            formatter.write(f"\n{self.epilog.strip()}\n")

    def invoke(self, ctx: Context) -> Any:
        """Runs the command; what goes wrong on purpose becomes a message and an exit code."""
        from abcompare.cli.console import Console
        from abcompare.errors import AbcompareError, EngineError

        try:
            return super().invoke(ctx)
        except AbcompareError as error:
            Console(color=ctx.params.get("color", "auto")).error(error)
            raise typer.Exit(4 if isinstance(error, EngineError) else 2) from error
        except KeyboardInterrupt:
            sys.stderr.write("interrupted\n")
            raise typer.Exit(130) from None


class Group(TyperGroup):
    """The program itself: its help ends with its epilog as written."""

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, ClickCommand | None, list[str]]:
        """Finds the command that is named."""
        with _discreet():
            return super().resolve_command(ctx, args)

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Exit codes, not wrapped."""
        if self.epilog:
            formatter.write(f"\n{self.epilog.strip()}\n")
