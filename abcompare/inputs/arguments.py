"""FILE… arguments as inputs: `-`, files, folders, patterns, and `label=path` for each of them."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from abcompare.errors import InputError, Position, UsageError
from abcompare.inputs.streams import unreadable
from abcompare.records import Finding

_PATTERN = frozenset("*?[")
_VERSION_CONTROL = frozenset({"CVS", "RCS", "SCCS", "_darcs", "__pycache__"})  # the others are hidden


@dataclass(frozen=True, slots=True)
class Input:
    """One thing to read.

    `path` is what records and messages call it, `file` what is opened (None: standard input), `label` the
    configuration it belongs to, `found` whether it was found in a folder rather than named.
    """

    path: str
    file: Path | None
    label: str | None = None
    found: bool = False


@dataclass(slots=True)
class Expanded:
    """Inputs in the order of the arguments, each once; what could not be read, and what was left out."""

    inputs: list[Input] = field(default_factory=list)
    errors: list[InputError] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    _seen: set[tuple[int, int, str | None]] = field(default_factory=set)

    def add(self, file: Path, label: str | None, *, found: bool) -> None:
        """Enters a file; one that is there already under this label is not read again."""
        path = shown(file)
        try:
            status = file.stat()
        except OSError as error:
            self.errors.append(unreadable(path, error))
            return
        if found and not stat.S_ISREG(status.st_mode):
            self.findings.append(Finding("INPUT-SKIPPED", "info", "skipped: not a regular file", path=path))
            return
        key = (status.st_dev, status.st_ino, label)
        if key in self._seen:
            self.findings.append(Finding("INPUT-TWICE", "info", "named twice, read once", path=path))
            return
        self._seen.add(key)
        self.inputs.append(Input(path, file, label, found))


def expand(arguments: Iterable[str | os.PathLike[str]], label: str | None = None) -> Expanded:
    """The inputs that FILE… arguments stand for; `label` is for those without a label of their own.

    Raises UsageError for an argument that makes no sense; what cannot be read is an error in the result.
    """
    expanded = Expanded()
    for argument in arguments:
        own, name = _labelled(os.fspath(argument))
        try:
            _enter(name, label if own is None else own, expanded)
        except OSError as error:
            expanded.errors.append(unreadable(shown(name), error))
    return expanded


def _enter(name: str, label: str | None, expanded: Expanded) -> None:
    """The inputs of one argument, its label taken off."""
    file = Path(name)
    if name == "-":
        if any(one.file is None for one in expanded.inputs):
            raise UsageError("standard input (-) is named twice", hint="it can be read only once")
        expanded.inputs.append(Input("-", None, label))
    elif file.is_dir():
        _folder(file, label, expanded)
    elif _PATTERN.isdisjoint(name) or os.path.lexists(name):
        expanded.add(file, label, found=False)
    else:
        _matching(name, label, expanded)


def shown(name: str | Path) -> str:
    """A file's name as text: bytes that are not UTF-8 become \\xNN, so that records can carry it."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _labelled(argument: str) -> tuple[str | None, str]:
    """`label=path` → (label, path). A file of that very name wins, and a label holds no path separator."""
    if not argument:
        raise UsageError("an empty FILE argument", hint="is a shell variable empty?")
    label, equals, name = argument.partition("=")
    if not equals or os.path.lexists(argument) or os.sep in label:
        return None, argument
    if not label or not name:
        raise UsageError(f"{shown(argument)!r} is neither a file nor label=path")
    return shown(label), str(Path(name).expanduser()) if name.startswith("~") else name


def _matching(pattern: str, label: str | None, expanded: Expanded) -> None:
    """Files and folders that match a pattern which the shell did not expand."""
    files = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207 the pattern may be absolute
    if not files:
        expanded.errors.append(InputError("no file matches this pattern", position=Position(shown(pattern))))
    for file in files:
        if not file.is_dir():
            expanded.add(file, label, found=True)
        elif "**" not in pattern:  # which names what is in the folders as well
            _folder(file, label, expanded)


def _folder(top: Path, label: str | None, expanded: Expanded) -> None:
    """The files below a folder, sorted, without what is hidden; what is left out is said."""
    before, hidden, path = len(expanded.inputs), 0, shown(top)
    for folder, folders, files in _walk(top, expanded):
        kept = [name for name in folders if not (name.startswith(".") or name in _VERSION_CONTROL)]
        plain = [name for name in files if not name.startswith(".")]
        hidden += len(folders) - len(kept) + len(files) - len(plain)
        folders[:] = sorted(kept)
        for name in sorted(plain):
            expanded.add(folder / name, label, found=True)
    if hidden:
        said = f"{hidden} hidden files or folders skipped: name them to read them"
        expanded.findings.append(Finding("INPUT-SKIPPED", "info", said, path=path))
    if len(expanded.inputs) == before:
        expanded.findings.append(Finding("NO-RESULT", "warning", "this folder holds no file to read", path=path))


def _walk(top: Path, expanded: Expanded) -> Iterator[tuple[Path, list[str], list[str]]]:
    """os.walk through symbolic links, each folder once, so that a link to a folder above ends there."""
    seen: set[tuple[int, int]] = set()

    def failed(error: OSError) -> None:
        expanded.errors.append(unreadable(shown(str(error.filename)), error))

    for name, folders, files in os.walk(top, followlinks=True, onerror=failed):
        folder = Path(name)
        status = folder.stat()
        if (status.st_dev, status.st_ino) in seen:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        yield folder, folders, files
