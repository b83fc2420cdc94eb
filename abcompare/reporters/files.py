"""Documents into files: the format from the suffix, and never half a file.

A file is written under a temporary name in the same folder, synced and renamed, so that a crash or a full disk leaves
what was there before.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from abcompare.comparison import Comparison
from abcompare.errors import OutputError, Position, UsageError
from abcompare.records import Archive
from abcompare.reporters import render

_SUFFIXES = {
    "": "json", ".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson", ".csv": "csv", ".tsv": "tsv",
    ".md": "markdown", ".markdown": "markdown", ".txt": "text",
}  # fmt: skip
_PATIENCE_S, _PAUSE_S = 30.0, 0.02  # for another process that writes


def dump(document: Archive | Comparison, path: str | os.PathLike[str]) -> None:
    """Writes an archive or a comparison to a file, replacing one that is there; the suffix decides the format, JSON without one.

    Raises OutputError when it cannot be written, UsageError for a suffix that is no format's.
    """
    file = Path(path)
    data = render(document, format_of(file))
    write(file, data.encode() if isinstance(data, str) else data, replace=True)


def format_of(file: Path) -> str:
    """The format that a file's suffix asks for. Raises UsageError for an unknown suffix."""
    suffix = file.suffix.lower()
    if suffix not in _SUFFIXES:
        hint = f"known: {' '.join(filter(None, _SUFFIXES))}; or name a format"
        raise UsageError(f"the suffix {suffix} of {file} is no known format's", hint=hint)
    return _SUFFIXES[suffix]


def check(file: Path, *, replace: bool) -> None:
    """Raises OutputError where `write` would fail for a reason that is known beforehand."""
    if file.is_dir():
        raise OutputError("this is a folder", position=Position(str(file)), hint="name a file in it")
    if file.is_file() and not replace:
        hint = "--force replaces it; parse and run can --append to an archive"
        raise OutputError("this file exists", position=Position(str(file)), hint=hint)
    if not file.parent.is_dir():
        raise OutputError(f"there is no folder {file.parent}", position=Position(str(file)), hint="make it first")


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Keeps other processes that add to this file waiting while the block runs. Raises OutputError where another one
    does not end.

    The lock is on the file's folder: the file itself is replaced by each write, and a lock file would be left behind.
    Where the system cannot lock a folder, nobody waits.
    """
    folder = os.open(file.resolve().parent, os.O_RDONLY)
    try:
        _wait_for(folder, file)
        yield
    finally:
        os.close(folder)  # which ends the lock


def _wait_for(descriptor: int, file: Path) -> None:
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise OutputError("another process keeps its folder locked", position=Position(str(file)), hint="wait for it, or name a file in another folder") from None
            time.sleep(_PAUSE_S)
        except OSError:  # a file system without locks
            return
        else:
            return


def write(file: Path, data: bytes, *, replace: bool) -> None:
    """Writes `data` to `file`, all or nothing. Raises OutputError, also for a file that exists without `replace`."""
    check(file, replace=replace)
    try:
        if file.exists() and not stat.S_ISREG(file.stat().st_mode):  # /dev/stdout, a pipe: nothing to rename onto
            with file.open("wb") as special:
                special.write(data)
            return
        _renamed(file.resolve(), data)
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror or error}", position=Position(str(file))) from error


def _renamed(file: Path, data: bytes) -> None:
    temporary = file.with_name(f".{file.name[:100]}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)  # the umask takes its part
    try:
        with os.fdopen(descriptor, "wb") as stream:
            if file.exists():
                os.fchmod(descriptor, stat.S_IMODE(file.stat().st_mode))
            stream.write(data)
            stream.flush()
            os.fsync(descriptor)
        temporary.replace(file)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _sync(file.parent)


def _sync(folder: Path) -> None:
    """Makes the rename itself last, where the system can sync a folder."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
