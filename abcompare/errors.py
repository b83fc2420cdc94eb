"""What can go wrong, as one tree.

AbcompareError              everything that abcompare raises on purpose
├── UsageError              the caller asked for something that makes no sense (exit code 2)
├── InputError              an input cannot be read or holds nothing usable (exit code 2)
│   └── ArchiveError        an archive (JSON) that is broken or of another major version
├── OutputError             a result cannot be written (exit code 2)
├── ReportError             a text that a dialect was given holds no report of its tool
├── EngineError             the load could not run: target, program, limit or capability (exit code 4)
└── PluginError             a plug-in that does not load or breaks its protocol

Every message is one sentence; `position` says where, `hint` what to do about it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Position:
    """A place in an input: path, and 1-based line and column where they are known."""

    path: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)


class AbcompareError(Exception):
    """The root: a message, the position it is about, and a hint."""

    def __init__(self, message: str, *, position: Position | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.position}: {self.message}" if self.position else self.message


class UsageError(AbcompareError):
    """The caller asked for something that makes no sense."""


class InputError(AbcompareError):
    """An input cannot be read, or holds nothing usable."""


class ArchiveError(InputError):
    """An archive that is broken JSON, not an archive, or of another major version."""


class OutputError(AbcompareError):
    """A result cannot be written where it was asked for."""


class ReportError(AbcompareError):
    """A text that holds no report of the tool it was given to."""


class EngineError(AbcompareError):
    """A load that cannot be made: the target refuses, a program is missing, a limit of this machine, or of the engine."""


class PluginError(AbcompareError):
    """A plug-in that does not load or does not keep its protocol."""
