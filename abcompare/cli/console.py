"""What the commands print: results on stdout, all else on stderr, colours where they are wanted."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from abcompare.errors import AbcompareError, OutputError, Position
from abcompare.reporters.cells import visible
from abcompare.reporters.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abcompare.cli.options import Color

_PLAIN = str.maketrans({"—": "-", "–": "-", "×": "x", "−": "-", "±": "+-", "→": "->", "≥": ">=", "†": "#", "…": "~", "µ": "u"})  # for terminals that know no more
_EXCERPT = 60  # characters shown on each side of a fault
_LONGEST = 2000  # characters of its line that tell what they are


def _colored(color: Color, stream: TextIO | None) -> bool:
    """Whether a stream gets colours; NO_COLOR (https://no-color.org) counts where nothing else is asked for."""
    if color != "auto":
        return color == "always"
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


class Console:
    """stdout and stderr for one command; either may be closed."""

    def __init__(self, *, color: Color = "auto", quiet: bool = False) -> None:
        self.quiet = quiet
        wide = sys.stdout is not None and sys.stdout.isatty()
        self.style = Style(shutil.get_terminal_size().columns if wide else None, _colored(color, sys.stdout))
        self.aside = Style(None, _colored(color, sys.stderr))

    def write(self, document: str | bytes) -> None:
        """A result on stdout. A reader that has gone (`| head`) is no error; a full disk is: OutputError."""
        place = Position("standard output")
        if sys.stdout is None:
            raise OutputError("it is closed", position=place)
        try:
            _put(sys.stdout, document)
        except OSError as error:
            raise OutputError(f"cannot be written: {error.strerror}", position=place) from error

    def say(self, lines: Iterable[str]) -> None:
        """Lines on stderr, made safe by the caller; where they cannot be written, nobody is left to hear of it."""
        text = "".join(f"{line}\n" for line in lines)
        if sys.stderr is not None and text:
            with suppress(OSError):
                _put(sys.stderr, text)

    def done(self, message: str) -> None:
        """A line on stderr on what was done, unless the user wants quiet."""
        if not self.quiet:
            self.say([message])

    def error(self, error: AbcompareError) -> None:
        """The error: where, what, the line itself where a column is known, and what to do; of what the user typed and of
        what files hold no secrets.
        """
        where = f"{shown(str(error.position))}: " if error.position else "abcompare: "
        self.say([f"{where}{self.aside.paint(shown(error.message), 'error')}", *_excerpt(error.position)])
        if error.hint:
            self.say([f"{self.aside.paint('hint:', 'hint')} {shown(error.hint)}"])


def shown(text: str, before: str = "") -> str:
    """A text for stderr: without secrets, and with nothing that a terminal obeys. `before` stands before it on its line."""
    from abcompare.dialects.secrets import redact

    return visible(redact(text, before))


def _put(stream: TextIO, document: str | bytes) -> None:
    """Writes all at once. What fails is given up, so that the interpreter's last flush does not try it again."""
    try:
        stream.flush()
        stream.buffer.write(document if isinstance(document, bytes) else _encoded(document, stream))
        stream.buffer.flush()
    except OSError as error:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        if not isinstance(error, BrokenPipeError):
            raise


def _encoded(text: str, stream: TextIO) -> bytes:
    """`text` in the stream's encoding, with plainer signs where it has no others."""
    encoding = stream.encoding or "utf-8"
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, "replace")


def _excerpt(position: Position | None) -> list[str]:
    """The line of a position and a caret below its column; nothing where the file does not give it."""
    if position is None or position.line is None or position.column is None:
        return []
    try:
        with Path(position.path).open(encoding="utf-8", errors="replace") as stream:
            line = next((text for number, text in enumerate(stream, 1) if number == position.line), "")
    except OSError:
        return []
    line, at = line.rstrip("\n"), position.column - 1
    before = shown(line[max(0, at - _LONGEST) : at])[-_EXCERPT:]
    after = shown(line[at : at + _LONGEST], line[max(0, at - _LONGEST) : at])[:_EXCERPT]
    return [f"    {before}{after}", f"    {' ' * len(before)}^"] if before or after else []
