"""What the commands print: results on stdout, all else on stderr, colours where they are wanted."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from abcompare.errors import AbcompareError, OutputError, Position
from abcompare.reporters.cells import visible
from abcompare.reporters.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterable

Color = Literal["auto", "always", "never"]

_PLAIN = str.maketrans({"—": "-", "–": "-", "×": "x", "…": "~", "µ": "u"})  # for terminals that know no more
_EXCERPT = 60  # characters shown on each side of a fault


def _colored(color: Color, stream: IO[str]) -> bool:
    """Whether a stream gets colours; NO_COLOR (https://no-color.org) counts where nothing else is asked for."""
    if color != "auto":
        return color == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Console:
    """stdout and stderr for one command."""

    def __init__(self, *, color: Color = "auto", quiet: bool = False) -> None:
        self.quiet = quiet
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        self.style = Style(width, _colored(color, sys.stdout))
        self.aside = Style(None, _colored(color, sys.stderr))

    def write(self, document: str | bytes) -> None:
        """A result on stdout. A reader that has gone (`| head`) is no error; a full disk is: OutputError."""
        data = document if isinstance(document, bytes) else _encoded(document, sys.stdout)
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            _discard(sys.stdout)
        except OSError as error:
            _discard(sys.stdout)
            raise OutputError(f"cannot be written: {error.strerror}", position=Position("standard output")) from error

    def say(self, lines: Iterable[str]) -> None:
        """Lines on stderr, made safe by the caller."""
        for line in lines:
            sys.stderr.write(_encoded(f"{line}\n", sys.stderr).decode(sys.stderr.encoding or "utf-8"))

    def done(self, message: str) -> None:
        """A line on stderr on what was done, unless the user wants quiet."""
        if not self.quiet:
            self.say([message])

    def error(self, error: AbcompareError) -> None:
        """The error: where, what, the line itself where a column is known, and what to do."""
        where = f"{visible(str(error.position))}: " if error.position else "abcompare: "
        self.say([f"{where}{self.aside.paint(visible(error.message), 'error')}", *_excerpt(error.position)])
        if error.hint:
            self.say([f"{self.aside.paint('hint:', 'hint')} {visible(error.hint)}"])


def _encoded(text: str, stream: IO[str]) -> bytes:
    """`text` in the stream's encoding, with plainer signs where it has no others."""
    encoding = stream.encoding or "utf-8"
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, "replace")


def _discard(stream: IO[str]) -> None:
    """Sends what is still to come nowhere, so that the interpreter's last flush does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _excerpt(position: Position | None) -> list[str]:
    """The line of a position and a caret below its column; nothing where the file does not give it."""
    if position is None or position.line is None or position.column is None:
        return []
    try:
        with Path(position.path).open(encoding="utf-8", errors="replace") as stream:
            line = next((text for number, text in enumerate(stream, 1) if number == position.line), "")
    except OSError:
        return []
    start = max(0, position.column - 1 - _EXCERPT)
    before = visible(line[start : position.column - 1])
    after = visible(line[position.column - 1 : position.column - 1 + _EXCERPT].rstrip("\n"))
    return [f"    {before}{after}", f"    {' ' * len(before)}^"] if before or after else []
