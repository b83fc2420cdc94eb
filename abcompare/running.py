"""Jobs to archive: what is asked for is made by an engine, run by run (design: engine.md).

Everything is planned and checked before the first request is sent. Each finished run is handed on at once, so that
nothing measured is lost when a later one fails or is interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from os import PathLike
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from abcompare import plan, registry
from abcompare.errors import EngineError, UsageError
from abcompare.jobs import Engine, Job, Progress
from abcompare.plan import Again, amounts
from abcompare.plan.request import Headers, body_of, headers
from abcompare.plan.request import added as more
from abcompare.plan.scaling import factor
from abcompare.records import Archive, Finding, Run

_LISTED = 8  # runs that a finding names
# What of a run is no guess any more, when it is said which: option → key of `Again.not_reproduced`.
_SETTLED = {
    "user": "authorization", "cookie": "cookie", "http": "http version", "keep_alive": "keep-alive", "method": "method",
    "concurrency": "concurrency", "requests": "requests", "duration": "duration", "proxy_user": "proxy-authorization",
}


class Step(NamedTuple):
    """Which run of how many is being made, counted from 1, and of what."""

    number: int
    total: int
    job: Job


Watch = Callable[[Step, Progress], None]
Stop = Callable[[], bool]
Each = Callable[[Run], None]


def run(
    url: Job | str | None = None, *, like: str | None = None, engine: str | Engine = "curl", runs: int | str = 1,
    progress: Watch | None = None, stop: Stop | None = None, each: Each | None = None, **options: Any,
) -> Archive:
    """An archive of `runs` runs of a job, a URL, or a load like a tool's command line.

    The options are those of `abcompare.plan.job`; they come before what `like` or the job says. The runs have their order
    (1, 2, …), when they started, and the label. `progress` is called about four times a second, `each` with every
    run that is made; once `stop` returns True the run under way ends early, is kept as incomplete, and is the last.
    Raises EngineError when the load cannot be made, UsageError, InputError.
    """
    chosen, times = _engine(engine), amounts.count(runs, "--runs")
    findings: tuple[Finding, ...] = ()
    if isinstance(url, Job):
        if like is not None:
            raise UsageError("like and a job are two loads: choose one")
        job = plan.job(base=url, **options) if options else url
    elif like is not None:
        base, findings = _like(like)
        job = plan.job(url, base=base, **options)
    else:
        job = plan.job(url, **options)
    return Archive(runs=tuple(_made([job], times, chosen, progress, stop, each)), findings=findings)


def rerun(
    archive: Archive, *, target: str | None = None, maps: Iterable[str] = (), scale: float | str = 1.0, runs: int | str = 1,
    engine: str | Engine = "curl", body: bytes | None = None, body_file: str | PathLike[str] | None = None, header: Headers = (),
    label: str | None = None, progress: Watch | None = None, stop: Stop | None = None, each: Each | None = None, **settings: Any,
) -> Archive:
    """The runs of an archive again, against `target` or the servers that `maps` ("OLD=NEW") name.

    All of them are made once, then all of them again, until each has `runs`. They have the scenarios of the archived
    runs, so that `diff` compares then and now. What cannot be reproduced is a finding, NOT-REPRODUCED, of each kind.
    `header` and `body` are sent as well; `settings` are further options of `abcompare.plan.job`, as insecure or warmup.
    `progress`, `stop` and `each` are as for `run`. Raises UsageError, before anything is sent, for a run whose server
    nobody named: the archived host is never contacted.
    """
    chosen, times, by = _engine(engine), amounts.count(runs, "--runs"), factor(scale, "--scale")
    planned = planned_again(archive, target, maps, by, body_of(body_file) if body_file is not None else body)
    added = headers(header, "--header")
    again = [(one.run.id, _with(one.job, added, label, settings)) for one in planned if one.job is not None]
    if not again:
        raise UsageError("there is no run that could be made again", hint="abcompare show says what the archive tells of each")
    made = _made([job for _, job in again], times, chosen, progress, stop, each, [id for id, _ in again])
    given = {name.lower() for name, _ in added} | {_SETTLED[name] for name in settings if name in _SETTLED}
    return Archive(runs=tuple(made), findings=(*_not_reproduced(planned, given), *_scaled(planned, by)))


def planned_again(
    archive: Archive, target: str | None, maps: Iterable[str] = (), scale: float = 1.0, body: bytes | None = None,
) -> list[Again]:
    """Each run of an archive as a job, and what of it is not reproduced; nothing is sent. Raises UsageError."""
    servers = plan.hosts(target, maps)
    if not archive.runs:
        raise UsageError("there is no run in the archive")
    servers.check(archive.runs)
    return [plan.again(one, servers, scale=scale, body=body) for one in archive.runs]


def _engine(named: str | Engine) -> Engine:
    return registry.engine(named) if isinstance(named, str) else named


def _like(command: str) -> tuple[Job, tuple[Finding, ...]]:
    """The job of a tool's command line, and a finding for each thing in it that is not done."""
    known, _ = registry.dialects()
    tools = {program: one for one in known for program in one.claims.programs} | {one.name: one for one in known}
    program, argv = plan.typed(command, tools)
    job, missing = plan.like(argv, tools[program])
    return job, tuple(Finding("NOT-REPRODUCED", "warning", f"{key}: {why}") for key, why in missing)


def _with(job: Job, added: tuple[tuple[str, str], ...], label: str | None, settings: dict[str, Any]) -> Job:
    """A job with what the caller adds to every one of them."""
    job = replace(job, headers=more(job.headers, added), label=job.label if label is None else label)
    return plan.job(base=job, **settings) if settings else job


def _made(
    jobs: Sequence[Job], times: int, engine: Engine, progress: Watch | None, stop: Stop | None, each: Each | None,
    origins: Sequence[str] = (),
) -> Iterator[Run]:
    """Makes the jobs one after the other, then all of them again, so many `times`; the last run is the one that was stopped.

    `origins` are the ids of the runs that they repeat, which stand in the record as "rerun_of".
    """
    settled = [_settled(job, engine) for job in jobs]
    for job in settled:
        _check(job, engine)
    for number in range(1, len(settled) * times + 1):
        if stop and stop():
            return
        which = (number - 1) % len(settled)
        job = settled[which]
        step = Step(number, len(settled) * times, job)
        told = None if progress is None else _telling(progress, step)
        started = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        made = engine.run(job, progress=told, stop=stop)
        made = replace(made, order=number, label=job.label, started_at=made.started_at or started)
        if origins:
            made = replace(made, extra={**({} if made.extra is UNSET else made.extra), "rerun_of": origins[which]})
        if each:
            each(made)
        yield made


def _telling(progress: Watch, step: Step) -> Callable[[Progress], None]:
    return lambda told: progress(step, told)


def _settled(job: Job, engine: Engine) -> Job:
    """A job with what nothing asked for: HTTP version and keep-alive as the engine has them, 1.0 without if it can (ab)."""
    version = job.load.http_version
    if version is None:
        able = [one for one in ("1.0", "1.1", "2", "3") if f"http/{one}" in engine.capabilities]
        version = able[0] if able else "1.1"
    keep_alive = version != "1.0" if job.load.keep_alive is None else job.load.keep_alive
    return replace(job, load=replace(job.load, http_version=version, keep_alive=keep_alive))


def _check(job: Job, engine: Engine) -> None:
    """Raises EngineError for what the engine cannot do, before it is asked for the first of several runs."""
    load = job.load
    needs = (
        (load.rate_per_s is not None, "rate", "--rate"), (load.requests is not None, "requests", "--requests"),
        (load.duration_s is not None, "duration", "--duration"), (load.keep_alive, "keep-alive", "--keep-alive"),
        (load.http_version is not None, f"http/{load.http_version}", f"--http {load.http_version}"),
        (job.target.scheme == "https", "tls", "https"), (job.body is not None, "body", "--body"),
        (bool(job.headers), "headers", "--header"), (job.unix_socket is not None, "unix-socket", "--unix-socket"),
        (bool(job.warmup_s or job.warmup_requests), "warm-up", "--warmup"),
    )
    lacking = next((option for wanted, capability, option in needs if wanted and capability not in engine.capabilities), None)
    if lacking:
        able = f"it can do {', '.join(sorted(engine.capabilities))}"
        raise EngineError(f"the engine {engine.name} cannot do {lacking}", hint=able)


def _not_reproduced(planned: Sequence[Again], given: set[str]) -> Iterator[Finding]:
    """One finding a kind of thing that was not reproduced, with its runs; none of what was `given` anew."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for one in planned:
        for key, why in one.not_reproduced:
            if key.removeprefix("header ").lower() not in given:
                kinds.setdefault((key, why), []).append(one.run.id)
    for (key, why), ids in kinds.items():
        yield Finding("NOT-REPRODUCED", "warning", f"{key}: {why} ({_listed(ids, len(planned))})")


def _scaled(planned: Sequence[Again], by: float) -> Iterator[Finding]:
    """What --scale made of the loads: one finding for each change, with its runs."""
    kinds: dict[tuple[str, ...], list[str]] = {}
    for one in planned:
        if one.scaled:
            kinds.setdefault(one.scaled, []).append(one.run.id)
    for changes, ids in kinds.items():
        yield Finding("SCALED", "info", f"--scale {by:g}: {', '.join(changes)} ({_listed(ids, len(planned))})")


def _listed(ids: Sequence[str], of: int) -> str:
    if len(ids) == of > 1:
        return f"all {of} runs"
    shown = ", ".join(one[:8] for one in ids[:_LISTED])
    more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
    return f"run{'s' if len(ids) > 1 else ''} {shown}{more}"
