"""Inputs read: each is an archive, a text that holds reports, or neither; in one process or in several."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, Generic, Protocol, TypeVar

from msgspec.structs import replace

from abcompare.archive import loads
from abcompare.errors import ArchiveError, InputError
from abcompare.inputs.arguments import Input, shown
from abcompare.inputs.streams import Source, opened, unreadable
from abcompare.records import Archive, Finding

Part_co = TypeVar("Part_co", covariant=True)
Part = TypeVar("Part")


class Read(Protocol[Part_co]):
    """What makes something of a text: `reading.read_part`. It must be importable by name, for other processes."""

    def __call__(self, stream: BinaryIO, /, *, path: str, label: str | None) -> Part_co:
        """What the text of a stream holds."""


@dataclass(frozen=True, slots=True)
class Contents(Generic[Part]):
    """What an input holds: an archive, or what was made of its text, or the error that kept it from being read."""

    archive: Archive | None = None
    part: Part | None = None
    error: InputError | None = None
    findings: tuple[Finding, ...] = ()


def contents(inputs: Sequence[Input], read: Read[Part], jobs: int = 1) -> Iterator[Contents[Part]]:
    """What each input holds, in order and the same for any number of processes."""
    work = partial(_contents, read=read)
    if jobs <= 1 or len(inputs) < 2:
        yield from map(work, inputs)
        return
    with ProcessPoolExecutor(min(jobs, len(inputs)), initializer=_quiet) as pool:
        try:
            yield from _shared(inputs, work, pool)
        except BrokenProcessPool as error:
            hint = "was the memory used up? --jobs 1 reads in this process"
            raise InputError("a reading process was killed", hint=hint) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _shared(
    inputs: Sequence[Input], work: Callable[[Input], Contents[Part]], pool: ProcessPoolExecutor
) -> Iterator[Contents[Part]]:
    """Files go to the pool, several at a time; standard input is this process's own."""
    files = [one for one in inputs if one.file is not None]
    results = pool.map(work, files, chunksize=max(1, min(32, len(files) // 64)))
    for one in inputs:
        yield work(one) if one.file is None else next(results)


def _quiet() -> None:
    """In a worker: Ctrl-C ends it at once, and the first process speaks for all."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _contents(one: Input, read: Read[Part]) -> Contents[Part]:
    try:
        with opened(one.file, one.path) as source:
            return _told_apart(source, one, read)
    except InputError as error:
        return Contents(error=error)
    except OSError as error:
        return Contents(error=unreadable(one.path, error))


def _told_apart(source: Source, one: Input, read: Read[Part]) -> Contents[Part]:
    if not source.head and not source.fault:
        return Contents(findings=(Finding("NO-RESULT", "warning", "this file is empty", path=one.path),))
    if one.found and source.is_binary:
        said = "skipped: not a text; name it to read it"
        return Contents(findings=(Finding("INPUT-SKIPPED", "info", said, path=one.path),))
    if source.is_archive:
        return Contents(archive=_archive(source, one))
    part = read(source.stream, path=one.path, label=one.label)
    return Contents(part=part, findings=_faults(source, one))


def _faults(source: Source, one: Input) -> tuple[Finding, ...]:
    """What is wrong with a compressed input that has been read."""
    if source.fault is None:
        return ()
    return (Finding("INPUT-BROKEN", "error", f"{source.fault}: what stands before is read", path=one.path),)


def _archive(source: Source, one: Input) -> Archive:
    """The archive in a source, its runs under the input's label. Raises ArchiveError."""
    data = source.stream.read()
    try:
        archive = loads(data, path=one.path)
    except ArchiveError as error:
        if source.fault:
            said = f"{source.fault}, so the archive in it cannot be read"
            raise ArchiveError(said, position=error.position) from error
        raise
    archive = replace(archive, findings=(*archive.findings, *_faults(source, one)))
    if one.label is None:
        return archive
    return replace(archive, runs=tuple(replace(run, label=one.label) for run in archive.runs))


def load(path: str | PathLike[str]) -> Archive:
    """The archive in a file, compressed or not. Raises InputError, and ArchiveError for what is no archive."""
    one = Input(shown(fspath(path)), Path(path))
    with opened(one.file, one.path) as source:
        return _archive(source, one)


def as_finding(error: InputError) -> Finding:
    """An input that could not be read, as a finding for an archive of the others."""
    position = error.position
    code = "ARCHIVE-BROKEN" if isinstance(error, ArchiveError) else "INPUT-UNREADABLE"
    column = f" at column {position.column}" if position and position.column else ""
    hint = f" ({error.hint})" if error.hint else ""
    said = f"{error.message}{column}{hint}"
    return Finding(code, "error", said, position.line if position else None, position.path if position else None)
