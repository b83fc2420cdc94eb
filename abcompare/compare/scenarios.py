"""Pairing: the runs of the sides meet by scenario; what has no partner is listed, never dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from abcompare.compare.keys import SCENARIO, condition, key, value
from abcompare.compare.options import Options
from abcompare.comparison import Unpaired
from abcompare.errors import UsageError
from abcompare.merging import merge
from abcompare.metrics import metric
from abcompare.records import Archive, Finding, Run


@dataclass(slots=True)
class Group:
    """The runs of one side that share a scenario's key."""

    key: dict[str, Any]
    runs: list[Run] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sided:
    """One side: its label, its runs by scenario, and what was said of them while they were gathered."""

    label: str
    groups: list[Group]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Meeting:
    """A scenario that two sides share."""

    key: dict[str, Any]
    label: str
    base: list[Run]
    new: list[Run]


def sides(archives: Sequence[tuple[str | None, Archive]], options: Options) -> tuple[list[Sided], list[dict[str, str]]]:
    """The sides of a comparison, the base first, and the runs that were excluded. Raises UsageError."""
    if options.by and len(archives) > 1:
        archives = [(None, merge(archive for _, archive in archives))]
    if not options.by and len(archives) < 2:
        raise UsageError("one input holds one side", hint="give two inputs, or --by KEY to split one")
    excluded: list[dict[str, str]] = []
    found: list[Sided] = []
    for number, (label, archive) in enumerate(archives):
        runs, dropped = _taking_part(merge([archive]).runs, options)
        excluded += dropped
        if options.by and not runs:
            raise UsageError("no run takes part", hint="look at --filter, --exclude and --accept-incomplete")
        if options.by:
            return [_side(name, part, options) for name, part in _split(runs, key(options.by))], excluded
        found.append(_side(label or f"side {number + 1}", runs, options))
    return found, excluded


def _split(runs: list[Run], path: str) -> list[tuple[str, list[Run]]]:
    """The runs by the value of a key, in order of appearance; those that do not have it are told of."""
    parts: dict[str, list[Run]] = {}
    for run in runs:
        got = value(run, path)
        if got is not None:
            parts.setdefault(str(got), []).append(run)
    if len(parts) < 2:
        said = f"all runs have {path} {next(iter(parts))}" if parts else f"no run has {path}"
        raise UsageError(f"--by {path} makes fewer than two sides: {said}")
    return list(parts.items())


def _taking_part(runs: Sequence[Run], options: Options) -> tuple[list[Run], list[dict[str, str]]]:
    """The runs that are compared, and those that are not, each with the reason."""
    wanted = [condition(text) for text in options.filters]
    outcomes = [one for one in wanted if metric(one.path)]
    kept: list[Run] = []
    dropped: list[dict[str, str]] = []
    for run in runs:
        reason = next((why for name, why in options.exclude.items() if run.id.startswith(name)), None)
        if reason is None and not all(one.holds(run) for one in wanted):
            failed = next((one for one in outcomes if not one.holds(run)), None)
            if failed is None:
                continue
            reason = f"--filter {failed.text}, a selection by the outcome: what is left is no fair sample"
        if reason is None and not run.complete and not options.accept_incomplete:
            reason = "not complete (--accept-incomplete takes it in)"
        if reason is None:
            kept.append(run)
        else:
            dropped.append({"id": run.id, "source": f"{run.source.path}:{run.source.first_line}", "reason": reason})
    return kept, dropped


def _keys(options: Options) -> list[str]:
    """The keys of a scenario: the default ones or --row's, without --ignore's, --vary's and --by's."""
    chosen = [key(name) for name in options.row] or list(SCENARIO)
    gone = {key(name) for name in (*options.ignore, *options.vary)} | ({key(options.by)} if options.by else set())
    return [path for path in chosen if path not in gone]


def _side(label: str, runs: list[Run], options: Options) -> Sided:
    """The runs of one side by scenario. A value that a log does not tell joins the one scenario that it fits."""
    paths = _keys(options)
    groups: list[Group] = []
    keys = [tuple(value(run, path) for path in paths) for run in runs]
    known = set(keys)
    full = {own: _completed(own, known) for own in known}
    index: dict[tuple[Any, ...], Group] = {}
    for run, told in zip(runs, keys, strict=True):
        own = full[told]
        group = index.get(own)
        if group is None:
            group = index[own] = Group(dict(zip(paths, own, strict=True)))
            groups.append(group)
        group.runs.append(run)
    return Sided(label, groups)


def _completed(own: tuple[Any, ...], known: set[tuple[Any, ...]]) -> tuple[Any, ...]:
    """A key with its unknown parts filled from the one fuller key that agrees with the rest of it."""
    if None not in own:
        return own
    fitting = {one for one in known if one != own and _fits(own, one)}
    return next(iter(fitting)) if len(fitting) == 1 else own


def _fits(own: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return all(one is None or one == two for one, two in zip(own, other, strict=True))


def meet(base: Sided, new: Sided) -> tuple[list[Meeting], list[Unpaired]]:
    """The scenarios that both sides ran, in the base's order, and the loads that only one ran."""
    meetings: list[Meeting] = []
    left = list(new.groups)
    alone: list[Group] = []
    for group in base.groups:
        partner = _partner(group, left)
        if partner is None:
            alone.append(group)
            continue
        left.remove(partner)
        both = {path: own if own is not None else partner.key[path] for path, own in group.key.items()}
        meetings.append(Meeting(both, new.label, group.runs, partner.runs))
    unpaired = [Unpaired(base.label, group.key, tuple(run.id for run in group.runs)) for group in alone]
    unpaired += [Unpaired(new.label, group.key, tuple(run.id for run in group.runs)) for group in left]
    return meetings, unpaired


def _partner(group: Group, others: list[Group]) -> Group | None:
    """The group with the same key; else the only one that agrees in all that both tell."""
    same = [other for other in others if other.key == group.key]
    if same:
        return same[0]
    own = tuple(group.key.values())
    fitting = [other for other in others if _agree(own, tuple(other.key.values()))]
    return fitting[0] if len(fitting) == 1 else None


def _agree(own: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return all(one is None or two is None or one == two for one, two in zip(own, other, strict=True))
