"""Where an archive goes: a format and a file, settled before any work is done, and written all or nothing."""

from __future__ import annotations

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
    """A file that holds what was made so far. Its old content is read before anything is made, where it is added to."""

    def __init__(self, target: Path, format: str, *, force: bool, append: bool) -> None:
        from abcompare.inputs import load

        self._target, self._format, self._replace = target, format, force or append
        self._old = load(target) if append and target.exists() else None
        self._runs: list[Run] = []

    def add(self, run: Run) -> None:
        """Writes the file with one more run: only an archive, of which another run may still be read."""
        from abcompare.records import Archive

        self._runs.append(run)
        if self._format in ("json", "ndjson"):
            self.write(Archive(runs=tuple(self._runs)))

    def write(self, archive: Archive) -> str:
        """Writes the file and returns what to say of it."""
        from abcompare.merging import merge
        from abcompare.reporters import render
        from abcompare.reporters.files import write

        before = len(self._old.runs) if self._old else 0
        whole = merge([self._old, archive]) if self._old else archive
        data = render(whole, self._format)
        write(self._target, data.encode() if isinstance(data, str) else data, replace=self._replace)
        self._replace = True  # from now on it is our own
        added = f" ({len(whole.runs) - before} added)" if before else ""
        return f"{self._target}: {len(whole.runs)} run{'s' if len(whole.runs) != 1 else ''}{added}"
