"""Where an archive goes: a format and a file, settled before any work is done, and written all or nothing."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from abcompare.records import Archive, Run


def format_for(format: str | None, target: Path | None, *, force: bool, append: bool) -> str:
    """The format, before anything is read; raises UsageError or OutputError for what cannot work."""
    from abcompare.errors import UsageError
    from abcompare.reporters import reporter
    from abcompare.reporters.files import check, format_of

    if (force or append) and target is None:
        raise UsageError("--force and --append are about a file", hint="name it with -o")
    if force and append:
        raise UsageError("--force replaces and --append adds: choose one")
    chosen = format or ("text" if target is None else format_of(target))
    reporter(chosen)
    if append and chosen not in ("json", "ndjson"):
        raise UsageError(f"--append adds to archives, and {chosen} is none", hint="-o FILE.json or -o FILE.ndjson")
    if target is not None:
        check(target, replace=force or append)
    return chosen


class Kept:
    """A file that holds what was made so far.

    Where it is added to, its content is read before anything is made, so that what is no archive is said at once; and again
    with each write, for another process may add to it meanwhile.
    """

    def __init__(self, target: Path, format: str, *, force: bool, append: bool) -> None:
        from abcompare.inputs import load

        self._target, self._format, self._replace, self._append = target, format, force or append, append
        if append and target.exists():
            load(target)
        self._runs: list[Run] = []
        self._written = self._added = 0  # of our runs: how many the file has had, and how many were new to it

    def add(self, run: Run) -> None:
        """Writes the file with one more run: only an archive, of which another run may still be read."""
        from abcompare.records import Archive

        self._runs.append(run)
        if self._format in ("json", "ndjson"):
            self.write(Archive(runs=tuple(self._runs)))

    def write(self, archive: Archive) -> str:
        """Writes the file and returns what to say of it. Raises OutputError."""
        from abcompare.reporters import render
        from abcompare.reporters.files import locked, write

        with locked(self._target) if self._append else nullcontext():
            whole = self._with_old(archive)
            data = render(whole, self._format)
            write(self._target, data.encode() if isinstance(data, str) else data, replace=self._replace)
        self._replace, self._written = True, len(archive.runs)  # from now on it is our own
        added = f" ({self._added} added)" if len(whole.runs) > self._added else ""
        return f"{self._target}: {len(whole.runs)} run{'s' if len(whole.runs) != 1 else ''}{added}"

    def _with_old(self, archive: Archive) -> Archive:
        """The archive with what is in the file, where it is added to. Of ours that is in it already is not added again."""
        from msgspec.structs import replace

        from abcompare.errors import InputError, OutputError
        from abcompare.inputs import load
        from abcompare.merging import merge

        if not self._append or not self._target.exists():
            self._added = len(archive.runs)
            return archive
        try:
            old = load(self._target)
        except InputError as error:
            raise OutputError(f"it is no archive any more: {error.message}", position=error.position, hint=error.hint) from error
        known = {(one.id, one.started_at) for one in old.runs}
        new = [one for at, one in enumerate(archive.runs) if at >= self._written or (one.id, one.started_at) not in known]
        whole = merge([old, replace(archive, runs=tuple(new))])
        self._added += len(whole.runs) - len(old.runs)
        return whole
