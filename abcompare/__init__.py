"""abcompare: reads what HTTP load generators print, makes the runs again, and compares them with honest statistics.

    import abcompare

    archive = abcompare.parse_file("ab.log")
    for run in archive.runs:
        print(run.tool.name, run.value("throughput"), run.value("latency.p99"))
    abcompare.dump(archive, "ab.json")
    print(abcompare.render(abcompare.diff("old.json", "new.json")))
    abcompare.dump(abcompare.run("http://127.0.0.1:8080/", requests="10k", concurrency=50, runs=5), "now.json")

Everything else is loaded on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

from abcompare.version import __version__

if TYPE_CHECKING:
    from abcompare.archive import dump_lines, dumps, loads
    from abcompare.comparison import Calibration, Comparison
    from abcompare.errors import (
        AbcompareError,
        ArchiveError,
        EngineError,
        InputError,
        OutputError,
        PluginError,
        Position,
        ReportError,
        UsageError,
    )
    from abcompare.inputs import Expanded, load
    from abcompare.inputs.calibrations import load_calibrations
    from abcompare.jobs import Job, Progress
    from abcompare.merging import merge
    from abcompare.metrics import Metric, metric
    from abcompare.plan import job
    from abcompare.reading import Part, parse
    from abcompare.records import Archive, Finding, Load, Measure, Run, Source, Target, Tls, Tool, Unrecognised
    from abcompare.reporters import Style, render
    from abcompare.reporters.files import dump
    from abcompare.running import run

__all__ = [
    "AbcompareError", "Archive", "ArchiveError", "Calibration", "Comparison", "EngineError", "Finding",
    "InputError", "Job", "Load", "Measure", "Metric", "OutputError", "PluginError", "Position", "Progress",
    "ReportError", "Run", "Source", "Style", "Target", "Tls", "Tool", "Unrecognised", "UsageError", "__version__",
    "calibrate", "diff", "dump", "dump_lines", "dumps", "job", "load", "load_calibrations", "loads", "merge",
    "metric", "parse", "parse_file", "parse_files", "render", "rerun", "run",
]  # fmt: skip

_HOMES = {
    "abcompare.archive": ("dump_lines", "dumps", "loads"),
    "abcompare.comparison": ("Calibration", "Comparison"),
    "abcompare.errors": (
        "AbcompareError", "ArchiveError", "EngineError", "InputError", "OutputError", "PluginError", "Position", "ReportError",
        "UsageError",
    ),
    "abcompare.inputs": ("load",),
    "abcompare.inputs.calibrations": ("load_calibrations",),
    "abcompare.jobs": ("Job", "Progress"),
    "abcompare.merging": ("merge",),
    "abcompare.metrics": ("Metric", "metric"),
    "abcompare.plan": ("job",),
    "abcompare.reading": ("parse",),
    "abcompare.records": (
        "Archive", "Finding", "Load", "Measure", "Run", "Source", "Target", "Tls", "Tool", "Unrecognised",
    ),
    "abcompare.reporters": ("Style", "render"),
    "abcompare.reporters.files": ("dump",),
    "abcompare.running": ("run",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """A name of the public API, loaded when it is first asked for (PEP 562)."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'abcompare' has no attribute {name!r}")
    found = getattr(import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__


def parse_file(path: str | PathLike[str], *, label: str | None = None) -> Archive:
    """The archive of one file: text with reports in it, or an archive; compressed or not. Raises InputError."""
    from pathlib import Path

    from abcompare.inputs import Expanded, Input, shown

    file = Path(path)
    return _read(Expanded([Input(shown(file), file, label)]), jobs=1)


def parse_files(files: Iterable[str | PathLike[str]], *, label: str | None = None, jobs: int = 1) -> Archive:
    """One archive of all that `abcompare parse FILE…` takes: files, folders, patterns, "-", "label=path".

    What cannot be read is a finding of severity error, unless it is all there is: then it is raised as InputError.
    Raises UsageError for an argument that makes no sense.
    """
    from abcompare.inputs import expand

    return _read(expand(files, label), jobs)


def diff(
    base: Archive | str | PathLike[str], new: Archive | str | PathLike[str] | None = None,
    *more: Archive | str | PathLike[str], **options: Any,
) -> Comparison:
    """The comparison of a base with one or more new sides: archives, paths (as `parse_files` takes them), or text.

    The options are those of `abcompare diff` with `_` for `-` (`abcompare.compare.Options`), among them
    `margin=0.05`, `vary=["port"]`, and `by="server_software"`, which splits a single archive into its sides.
    A text is told from a path by its line ends. Raises InputError, UsageError.
    """
    from abcompare.compare import diff as compared
    from abcompare.sides import options_from, read_sides

    sides = [base, *([] if new is None else [new]), *more]
    return compared(read_sides(sides, parse_files), options_from(options))


def calibrate(runs: Archive | str | PathLike[str], *more: Archive | str | PathLike[str], **options: Any) -> list[Calibration]:
    """The run-to-run noise of each load with 4 or more runs, from archives, paths or text. Raises UsageError."""
    from abcompare.compare import calibrate as calibrated
    from abcompare.merging import merge
    from abcompare.sides import options_from, read_sides

    archives = [archive for _, archive in read_sides([runs, *more], parse_files)]
    return calibrated(archives[0] if len(archives) == 1 else merge(archives), options_from(options))


def rerun(archive: Archive | str | PathLike[str], **options: Any) -> Archive:
    """The runs of an archive (or of a path, or a text) again: `abcompare.running.rerun`, whose options these are.

    `target="http://127.0.0.1:8080"` or `maps=["OLD=NEW", …]` say where to: the archived host is never contacted.
    Raises InputError, UsageError, EngineError.
    """
    from abcompare.running import rerun as made
    from abcompare.sides import read_sides

    return made(read_sides([archive], parse_files)[0][1], **options)


def _read(expanded: Expanded, jobs: int) -> Archive:
    """The archive of inputs. They are settled together, for ab's -e and -g files stand beside their report."""
    from msgspec.structs import replace

    from abcompare.inputs import as_finding, contents
    from abcompare.merging import merge
    from abcompare.reading import Part, read_part, settle

    errors, findings, archives = list(expanded.errors), list(expanded.findings), []
    parts: list[Part] = []
    for one in contents(expanded.inputs, read_part, jobs):
        findings += one.findings
        if one.error:
            errors.append(one.error)
        elif one.archive:
            archives.append(one.archive)
            parts.append(Part(list(one.archive.runs), list(one.archive.findings), list(one.archive.unrecognised), []))
        elif one.part:
            parts.append(one.part)
    if len(errors) == 1 == len(expanded.inputs) + len(expanded.errors):
        raise errors[0]
    archive = archives[0] if len(archives) == 1 else merge(archives)
    if len(parts) > len(archives):  # there are texts, for which dialects are needed
        archive = replace(settle(parts), extra=merge(archives).extra)
    return replace(archive, findings=(*archive.findings, *findings, *map(as_finding, errors)))
