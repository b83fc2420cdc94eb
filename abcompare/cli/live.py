"""`calibrate URL`: the runs of one configuration, made now."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from abcompare.cli.console import Console
    from abcompare.records import Archive

_RUNS, _LEAST = "8", 4  # statistics.md 9
_OWN = ("requests", "concurrency", "duration", "rate", "warmup", "keep_alive", "http", "insecure", "header", "processes")


def url_of(arguments: Sequence[str], options: Mapping[str, Any]) -> str | None:
    """The URL that is to be calibrated; None for inputs. Raises UsageError for both, and for a load without a URL."""
    from abcompare.errors import UsageError

    urls = [one for one in arguments if re.match(r"(?i)https?://", one)]
    if not urls:
        given = next((name for name in (*_OWN, "runs", "engine", "keep") if options.get(name)), None)
        if given:
            raise UsageError(f"--{given.replace('_', '-')} is about runs that are made now", hint="abcompare calibrate URL")
        return None
    if len(arguments) > 1:
        raise UsageError("a URL is calibrated alone: its runs are made now", hint="abcompare run --append collects runs in an archive")
    return urls[0]


def runs_of(url: str, options: Mapping[str, Any], keep: Path | None, console: Console) -> Archive:
    """Makes the runs, and keeps them in a file too where that is wanted. Raises EngineError, UsageError; exits when interrupted."""
    from abcompare import running
    from abcompare.cli.making import finish, hand_over, produced
    from abcompare.cli.output import Kept, format_for
    from abcompare.cli.run_options import given
    from abcompare.plan.amounts import count

    kept, format = None, "json"
    if keep is not None:
        format = format_for(None, keep, force=False, append=False)
        kept = Kept(keep, format, force=False, append=False)
    load = given({name: options.get(name) for name in _OWN})
    engine, many = options.get("engine") or "curl", count(options.get("runs") or _RUNS, "--runs", least=_LEAST)

    def produce(**watched: Any) -> Archive:
        return running.run(url, engine=engine, runs=many, **watched, **load)

    made = produced(console, produce, kept.add if kept else None)
    if kept and made.archive.runs:
        hand_over(made, format, kept, console)
    finish(made, console)
    return made.archive
