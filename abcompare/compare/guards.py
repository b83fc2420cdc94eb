"""What must be known before two sides are compared: what differs, what varies, in what order they ran (statistics.md 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from abcompare.compare.keys import ALIKE, NAMED, SCENARIO, key, value
from abcompare.compare.options import Options
from abcompare.compare.scenarios import Meeting
from abcompare.records import Finding, Run

_LENGTHS = 0.01  # document lengths may differ by this share
_SHORT_S, _FEW = 1, 1_000
_TELLING = 4  # measures by which two runs are known to be one; fewer agree by chance


def differs(meeting: Meeting, options: Options) -> str:
    """What the sides differ in that is not being compared, and which option accepts it, as one phrase; empty when nothing is."""
    free = {key(name) for name in options.vary} | ({key(options.by)} if options.by else set())
    if options.cross_tool:
        free |= {"tool.name", "load.threads"}
    found, options_for = [], dict[str, None]()
    for path in ALIKE:
        if path in free:
            continue
        base, new = _known(meeting.base, path), _known(meeting.new, path)
        if base and new and base != new and not (path == "document_length" and _near(base, new)):
            found.append(f"{path.rsplit('.', 1)[-1] if path != 'tool.name' else 'tool'}: {_list(path, base)}, {_list(path, new)}")
            options_for["--cross-tool" if path == "tool.name" else "--vary"] = None
    accept = " and ".join(options_for)
    return f"differs in {'; '.join(found)} ({accept} {'accept' if len(options_for) > 1 else 'accepts'} it)" if found else ""


def same(meeting: Meeting) -> str:
    """Sides of which one holds nothing but copies of the other's runs, as a phrase; empty when it does not."""
    both = _on_both(meeting)
    if len(both) < min(len(meeting.base), len(meeting.new)):
        return ""
    return f"the same {'run stands' if len(both) == 1 else f'{len(both)} runs stand'} on both sides: a copy is no second measurement"


def shared(meeting: Meeting) -> list[Finding]:
    """Runs that stand on both sides, among others."""
    both = _on_both(meeting)
    if not both or same(meeting):
        return []
    said = f"{len(both)} of the runs stand on both sides, the first at {both[0].source.path}:{both[0].source.first_line}: is that so?"
    return [Finding("SAME-RUN", "warning", said)]


def _on_both(meeting: Meeting) -> list[Run]:
    base = {run.id for run in meeting.base if len(run.measures) >= _TELLING}
    return [run for run in meeting.new if run.id in base]


def unpairable(meeting: Meeting, options: Options) -> list[Finding]:
    """--paired where the sides have no pairs."""
    if not options.paired or blocks(meeting) or len(meeting.base) == len(meeting.new):
        return []
    return [Finding("NOT-PAIRED", "warning", f"--paired: {len(meeting.base)} runs against {len(meeting.new)} make no pairs; tested unpaired")]


def also_differs(meeting: Meeting, options: Options) -> list[Finding]:
    """What else differs between the sides, and is therefore confounded with the configuration."""
    free = {key(options.by)} if options.by else set()
    given = [key(name) for name in (*options.vary, *options.ignore)] + (["tool.name", "load.threads"] if options.cross_tool else [])
    found = []
    for path in dict.fromkeys((*NAMED, *SCENARIO, *given)):
        base, new = _known(meeting.base, path), _known(meeting.new, path)
        if path not in free and base and new and base != new and (path in given or not base & new):
            found.append(f"{path.rsplit('.', 1)[-1]} ({_list(path, base)} against {_list(path, new)})")
    if not found:
        return []
    return [Finding("LIKE-FOR-LIKE", "info", f"the sides differ in {', '.join(dict.fromkeys(found))} as well: what is compared is all of it together")]


def varies(side: str, runs: Sequence[Run], options: Options) -> list[Finding]:
    """Keys in which the runs of one side differ among themselves: they are no replicates of one configuration."""
    free = {key(name) for name in (*options.ignore, *options.vary)}
    found = []
    for path in (*ALIKE, *NAMED):
        known = _known(runs, path)
        if len(known) > 1 and path not in free and not (path == "document_length" and _near(known, known)):
            found.append(f"{path.rsplit('.', 1)[-1]} ({_list(path, known)})")
    if not found:
        return []
    return [Finding("VARIES", "warning", f"the runs of {side} vary in {', '.join(found)}: they are not repetitions of one configuration")]


def short(runs: Sequence[Run]) -> list[Finding]:
    """Runs that are too short to be a steady state."""
    brief = [run for run in runs if 0 < (run.value("duration") or 0) < _SHORT_S]
    few = [run for run in runs if 0 < (run.value("requests.complete") or 0) < _FEW]
    if not brief and not few:
        return []
    told = [f"{len(some)} of {len(runs)} runs {what}" for some, what in ((brief, "took under 1 s"), (few, "made under 1,000 requests")) if some]
    return [Finding("SHORT-RUN", "warning", f"{' and '.join(told)}: not a steady state")]


def order(meeting: Meeting) -> list[Finding]:
    """Whether the sides were run one after the other: drift cannot be told from the configuration then."""
    if len(meeting.base) + len(meeting.new) < 3:
        return []
    price = "on one nginx 26–28 % of comparisons of a server with itself in that order were significant at 5 %"
    places: dict[bool, list[Any]] = {}
    for name in ("started_at", "order"):  # two series that were made for themselves both begin with order 1
        places = {side: [getattr(run, name) for run in runs] for side, runs in ((False, meeting.base), (True, meeting.new))}
        if None not in places[False] + places[True]:
            break
    else:
        return [Finding("ORDER-UNKNOWN", "info", f"the order of the runs is not known; if one side was run after the other: {price}")]
    if max(places[False]) < min(places[True]) or max(places[True]) < min(places[False]):
        return [Finding("NOT-INTERLEAVED", "warning", f"sides not interleaved: drift cannot be told from the configuration ({price}); make the runs in turn: abcompare run … --append, one side after the other")]
    return []


def blocks(meeting: Meeting) -> list[tuple[Run, Run]] | None:
    """The adjacent pairs of a design in blocks; None when the runs were not made so."""
    base = {run.block: run for run in meeting.base}
    new = {run.block: run for run in meeting.new}
    if None in base or None in new or base.keys() != new.keys() or len(base) < 2:
        return None
    if len(base) != len(meeting.base) or len(new) != len(meeting.new):
        return None
    return [(base[block], new[block]) for block in sorted(base, key=lambda block: block or 0)]


def _known(runs: Sequence[Run], path: str) -> set[Any]:
    return {got for run in runs if (got := value(run, path)) is not None}


def _near(base: set[Any], new: set[Any]) -> bool:
    low, high = min(base | new), max(base | new)
    return bool(high - low <= _LENGTHS * high)


def _list(path: str, values: set[Any]) -> str:
    unit = " B" if path == "document_length" else ""
    told = sorted(values, key=str)
    return "/".join(f"{one}{unit}" for one in told[:4]) + ("/…" if len(told) > 4 else "")
