"""What stands twice is one run: copies, quotations and averages (reading rules 4 and 7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import UNSET

from abcompare.records import Archive, Finding, Run, Severity, Source, Unrecognised

_ENOUGH = 6  # non-zero numbers that agree make a copy; fewer may be chance
_MOST_AVERAGED = 20


def merge(archives: Iterable[Archive]) -> Archive:
    """One archive of all: the same content twice is one run, with its copies listed (reading rule 4).

    Runs that are known to have been started at two different times are two, whatever they measured. What stands at a place that is known is the same thing read again: merging an archive with itself changes nothing.
    """
    findings: list[Finding] = []
    unrecognised: list[Unrecognised] = []
    extra: dict[str, Any] = {}
    first: dict[tuple[str, str | None], int] = {}  # by id and start, and by id alone
    placed: dict[tuple[str, str, int | None, str | None], int] = {}  # by id, place and start
    runs: list[Run] = []
    for archive in archives:
        findings += archive.findings
        unrecognised += archive.unrecognised
        extra = {**_unknown_keys(archive), **extra}
        for run in archive.runs:
            place = (run.id, run.source.path, run.source.first_line, run.started_at)
            again = _known(run, first, runs) if _numbers(run) >= _ENOUGH else placed.get(place)
            if again is not None and (_numbers(run) >= _ENOUGH or _same(runs[again], run)):
                runs[again] = _with_copy(runs[again], run)
                continue
            placed.setdefault(place, len(runs))
            other = _known(run, first, runs)
            first.setdefault((run.id, run.started_at), len(runs))
            first.setdefault((run.id, None), len(runs))
            runs.append(run if other is None else _maybe(run, runs[other]))
    once = tuple(dict.fromkeys(findings)), tuple(dict.fromkeys(unrecognised))
    return Archive(findings=once[0], unrecognised=once[1], runs=tuple(runs), extra=extra or UNSET)


def _known(run: Run, first: dict[tuple[str, str | None], int], runs: list[Run]) -> int | None:
    """The run that this one may be a copy of: the one that was started then, or the first, where one of them does not say."""
    found = first.get((run.id, run.started_at))
    if found is None:
        found = first.get((run.id, None))
        return None if found is not None and run.started_at and runs[found].started_at else found
    return found


def _unknown_keys(archive: Archive) -> dict[str, Any]:
    """The keys of an archive that this version does not know; those inside its findings have lost their places."""
    if archive.extra is UNSET:
        return {}
    known = set(Archive.__struct_fields__) - {"extra"}  # which is foreign when a file has it
    return {key: value for key, value in archive.extra.items() if key not in known}


def _same(run: Run, other: Run) -> bool:
    """Whether two records are of one report at one place, whatever was found or said of it since."""
    bare = [msgspec.structs.replace(one, findings=(), label=None) for one in (run, other)]
    return bare[0] == bare[1]


def _places(run: Run) -> set[tuple[str, int]]:
    return {(run.source.path, run.source.first_line or 0), *run.source.copies}


def _numbers(run: Run) -> int:
    return sum(1 for one in run.measures.values() if one.value)


def _with_copy(run: Run, copy: Run) -> Run:
    place = (copy.source.path, copy.source.first_line or 0)
    known = _places(run)
    new = [one for one in dict.fromkeys([place, *copy.source.copies]) if one not in known]
    label = copy.label if run.label is None else run.label
    dropped = copy.label not in (None, label)
    if not new and not dropped:
        return msgspec.structs.replace(run, label=label)
    source: Source = msgspec.structs.replace(run.source, copies=(*run.source.copies, *new))
    labels = f"; its label {copy.label!r} is dropped" if dropped else ""
    targets = _targets(run, copy)
    numbers = f"the {_numbers(run)} numbers of {run.source.path}:{run.source.first_line or 0}"
    said = f"{numbers} stand again at {place[0]}:{place[1]}: a copy is not a replicate{targets}{labels}"
    severity: Severity = "warning" if dropped or targets else "info"
    found = Finding("DUPLICATE", severity, said, line=copy.source.first_line, path=copy.source.path)
    return msgspec.structs.replace(run, source=source, label=label, findings=(*run.findings, found))


def _targets(run: Run, copy: Run) -> str:
    """What tells that a copy is of another target than its original; "" where both name the same, or one names none."""
    known = ((name, getattr(run.target, name), getattr(copy.target, name)) for name in ("scheme", "host", "port", "path"))
    told = [f"{name} {ours} and {theirs}" for name, ours, theirs in known if None not in (ours, theirs) and ours != theirs]
    return f", though the targets differ ({', '.join(told)}): only the first is kept" if told else ""


def _maybe(run: Run, other: Run) -> Run:
    said = f"the {len(run.measures)} numbers of this run are those of {other.source.path}:{other.source.first_line}: too few to tell a copy from chance, so both stay"
    found = Finding("MAYBE-DUPLICATE", "warning", said, line=run.source.first_line)
    return run if found in run.findings else msgspec.structs.replace(run, findings=(*run.findings, found))


def in_order(runs: list[Run]) -> list[Run]:
    """The runs of one file in the order of their lines; of runs that share lines, as columns do, the one found first."""
    placed: list[Run] = []
    for run in runs:
        end = run.source.last_line or 0
        at = len(placed)
        while at and (placed[at - 1].source.first_line or 0) > end:
            at -= 1
        placed.insert(at, run)
    return placed


def without_quotations(runs: list[Run]) -> list[Run]:
    """The runs of one file without fragments whose numbers all stand in another one, before or after it.

    The run that is quoted gets a finding with the line of the quotation.
    """
    if len(runs) < 2:
        return runs
    numbers = [_told(run) for run in runs]
    holders: dict[tuple[str, float], list[int]] = {}
    for at, told in enumerate(numbers):
        for item in told.items():
            holders.setdefault(item, []).append(at)
    quoted: dict[int, int] = {}
    for at, told in enumerate(numbers):
        telling = [item for item in told.items() if _telling(item[1])]
        if not telling:
            continue
        rarest = min((holders[item] for item in telling), key=len)
        for other in rarest[:50]:
            if other != at and other not in quoted and _quotes(runs[at], runs[other]):
                quoted[at] = other
                break
    for at, other in quoted.items():
        place = runs[at].source
        said = f"{len(numbers[at])} numbers of this run stand again at {place.path}:{place.first_line}: a quotation, not another run"
        found = Finding("QUOTATION", "info", said, line=place.first_line, path=place.path)
        runs[other] = msgspec.structs.replace(runs[other], findings=(*runs[other].findings, found))
    return [run for at, run in enumerate(runs) if at not in quoted]


def _told(run: Run) -> dict[str, float]:
    return {name: float(one.value) for name, one in run.measures.items() if one.value is not None}


def _quotes(run: Run, other: Run) -> bool:
    """Whether every number of `run` stands in `other`, which has more; a load printed in both must agree."""
    if len(_told(run)) >= len(_told(other)) or any(other.value(name) != value for name, value in _told(run).items()):
        return False
    mine, others = run.load.concurrency, other.load.concurrency
    return mine == others or None in (mine, others)


def _telling(value: float) -> bool:
    """Whether a number could hardly agree by chance: three or more significant digits."""
    digits = f"{abs(value):.12g}".replace(".", "").strip("0").split("e")[0]
    return len(digits) >= 3


def without_averages(runs: list[Run], findings: list[Finding]) -> list[Run]:
    """The runs of one file without those whose numbers are the means of the runs just before them."""
    kept: list[Run] = []
    for run in runs:
        count = _averaged(run, kept)
        if count:
            said = f"the numbers here are the means of the {count} runs before them: an average is not a run"
            findings.append(Finding("AVERAGE", "info", said, line=run.source.first_line, path=run.source.path))
        else:
            kept.append(run)
    return kept


def _averaged(run: Run, before: list[Run]) -> int:
    """How many runs just before `run` it is the average of; 0 when it is none.

    A report with a banner, a command line of its own or a table of times was printed by the tool, whatever its numbers.
    """
    if run.tool.version or run.command or run.measures.keys() & {"latency.min", "latency.p100"}:
        return 0
    for count in range(2, min(len(before), _MOST_AVERAGED) + 1):
        others = before[-count:]
        differing = 0
        for name, one in run.measures.items():
            values = [other.value(name) for other in others]
            known = [value for value in values if value is not None]
            if one.value is None or len(known) < count:
                break
            # A mean is itself rounded, of numbers that were rounded.
            slack = 1.05 * (one.resolution or 0) + max(other.measures[name].resolution or 0 for other in others)
            if abs(sum(known) / count - one.value) > slack:
                break
            differing += max(known) - min(known) > 4 * slack
        else:
            if differing >= 3:
                return count
    return 0


def believed(runs: list[Run], findings: list[Finding]) -> list[Run]:
    """The runs of one file, without fragments that stand among invented samples and nothing else.

    A text with two or more invented samples and no report that counts its requests is a tutorial.
    """
    invented = [one for one in findings if one.code == "INVENTED"]
    if len(invented) < 2 or any("requests.complete" in run.measures for run in runs):
        return runs
    for run in runs:
        said = f"a fragment among {len(invented)} invented samples: not taken for a run"
        findings.append(Finding("INVENTED", "warning", said, line=run.source.first_line, path=run.source.path))
    return []
