"""The line on stderr, on a terminal only, that says how far a run is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from abcompare.cli.console import Console
    from abcompare.jobs import Progress
    from abcompare.records import Load
    from abcompare.running import Step, Watch


@contextmanager
def shown(console: Console) -> Iterator[Watch | None]:
    """What keeps the line up to date; None where nobody would see it. The line is gone afterwards."""
    if console.quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console as Terminal
    from rich.live import Live
    from rich.text import Text

    terminal = Terminal(stderr=True, no_color=not console.aside.color, highlight=False)
    # Without a thread of its own: it would take turns with what is being measured.
    with Live(Text(""), console=terminal, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False) as live:
        yield lambda step, told: live.update(Text(line(step, told), overflow="ellipsis", no_wrap=True), refresh=True)


def line(step: Step, told: Progress) -> str:
    """The line: which run, how much of it is done, and the last second's rate and latencies."""
    from abcompare.metrics import human

    load = step.job.load
    parts = [f"run {step.number}/{step.total}"] if step.total > 1 else []
    parts.append(_done(load, told))
    if told.rate_per_s is not None:
        parts.append(f"{told.rate_per_s:,.0f}/s")
    parts += [f"{name} {human(value, 's')}" for name, value in (("p50", told.p50_s), ("p99", told.p99_s)) if value is not None]
    return "  ".join([*parts, f"{told.errors:,} errors"])


def _done(load: Load, told: Progress) -> str:
    time = f"{told.elapsed_s:.1f} s" if load.duration_s is None else f"{told.elapsed_s:.1f}/{load.duration_s:g} s"
    silent = not told.complete and told.rate_per_s is None  # a tool that tells its counts when it ends
    return time if load.requests is None or silent else f"{time}  {told.complete:,}/{load.requests:,}"
