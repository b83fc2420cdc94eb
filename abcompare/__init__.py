"""abcompare: reads what HTTP load generators print, makes the runs again, and compares them with honest statistics.

    import abcompare

    archive = abcompare.parse_file("ab.log")
    for run in archive.runs:
        print(run.tool.name, run.value("throughput"), run.value("latency.p99"))
    abcompare.dump(archive, "ab.json")

Everything is loaded on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from abcompare.version import __version__

if TYPE_CHECKING:
    from abcompare.archive import dump_lines, dumps, loads, merge
    from abcompare.collect import parse_file, parse_files
    from abcompare.errors import (
        AbcompareError,
        ArchiveError,
        InputError,
        OutputError,
        PluginError,
        Position,
        ReportError,
        UsageError,
    )
    from abcompare.inputs import load
    from abcompare.metrics import Metric, metric
    from abcompare.reading import parse
    from abcompare.records import (
        Archive,
        Finding,
        Load,
        Measure,
        Run,
        Source,
        Target,
        Tls,
        Tool,
        Unrecognised,
    )
    from abcompare.reporters import Style, render
    from abcompare.reporters.files import dump
