"""An outcome as a run: measures as they would be printed, with microseconds, and findings."""

from __future__ import annotations

import math
from datetime import datetime
from fractions import Fraction
from typing import Any

from msgspec.structs import asdict, replace

from abcompare.dialects import secrets
from abcompare.dialects.draft import run_id
from abcompare.engines.curl import health
from abcompare.engines.curl.failures import PHASES
from abcompare.engines.curl.options import DEFAULT_TIMEOUT_S, http_version, kept_alive, method, port
from abcompare.engines.curl.outcome import Outcome
from abcompare.engines.curl.samples import FAMILIES, SECOND, SERVICE, Values, recorded
from abcompare.engines.sent import headers_of
from abcompare.jobs import Job
from abcompare.metrics import half_unit, metric
from abcompare.records import Finding, Load, Measure, Run, Source, Target, Tool
from abcompare.version import __version__

PERCENTS = ("50", "66", "75", "80", "90", "95", "98", "99", "99.9", "99.99", "100")
Ranked = list[tuple[int, int]]


def run_of(job: Job, outcome: Outcome, started: datetime) -> Run:
    """The run. Everything that happened is settled in the outcome's samples already."""
    measures = _counts(job, outcome) | _times(job, outcome)
    samples = outcome.samples
    return Run(
        id=run_id("abcompare", ((name, one.text) for name, one in measures.items())),
        tool=Tool("abcompare", __version__), source=Source("curl"), label=job.label,
        started_at=started.isoformat(timespec="milliseconds").replace("+00:00", "Z"), complete=outcome.reason is None and not outcome.died,
        target=_target(job, outcome), load=_load(job), measures=measures,
        status_codes={str(code): many for code, many in sorted(samples.statuses.items())},
        histograms={"latency": _histogram(samples.values["latency"])}, series=_series(outcome), host={"engine": _engine(job, outcome)},
        findings=tuple(_findings(outcome)),
    )


def _target(job: Job, outcome: Outcome) -> Target:
    known = replace(job.target, port=port(job), path=job.target.path or "/", server_software=outcome.server, tls=outcome.tls)
    return secrets.target(known)


def _load(job: Job) -> Load:
    """The load with what was used where nothing was said."""
    load = job.load
    return replace(
        load, method=method(job), concurrency=load.concurrency or 1,
        keep_alive=kept_alive(job), http_version=http_version(job), timeout_s=load.timeout_s or DEFAULT_TIMEOUT_S,
        request_body_bytes=None if job.body is None else len(job.body), variable_length=bool(load.variable_length),
        headers=headers_of(job),
    )


# -- measures ----------------------------------------------------------------------------------------------------------


def _counts(job: Job, outcome: Outcome) -> dict[str, Measure]:
    samples, failures = outcome.samples, outcome.failures
    duration, complete = outcome.duration_s, outcome.samples.complete
    lengths = 0 if job.load.variable_length or samples.first_length is None else complete - samples.sizes[samples.first_length]
    received = samples.head_bytes + samples.body_bytes
    counts: dict[str, int | None] = {
        "requests.complete": complete,
        "requests.failed": failures.total() + lengths,
        **{f"errors.{phase}": failures.phases[phase] for phase in PHASES},
        "errors.length": lengths,
        "requests.non_2xx": sum(many for code, many in samples.statuses.items() if not 200 <= code < 300),
        "connections.opened": outcome.opened - failures.phases["connect"],
        "requests.keep_alive": max(0, complete - max(0, outcome.closed - failures.total())) if kept_alive(job) else None,
        "requests.keep_alive_aborted": outcome.resent if kept_alive(job) else None,
        "requests.not_started": outcome.not_started,
        "document_length": None if job.load.variable_length else samples.first_length,
        "bytes.received": received, "bytes.body": samples.body_bytes,
        "bytes.sent": _sent(job, outcome),
    }
    found = {"duration": _decimal("duration", duration)}
    if duration > 0:
        found["throughput"] = _decimal("throughput", complete / duration)
        found["transfer_rate.received"] = _decimal("transfer_rate.received", received / duration)
    for name, value in counts.items():
        if value is not None:
            known = metric(name)
            found[name] = Measure(value, known.unit if known else "1", str(value), 0.5)
    return found


def _sent(job: Job, outcome: Outcome) -> int | None:
    """The bytes of the requests that were answered; where none was and none failed, those that were sent all the same."""
    complete = outcome.samples.complete
    if not complete:
        return None if outcome.failures.total() else outcome.unanswered_bytes
    return None if outcome.sent_bytes is None else complete * (outcome.sent_bytes + len(job.body or b""))


def _times(job: Job, outcome: Outcome) -> dict[str, Measure]:
    """The statistics of all families; empty where nothing was answered."""
    found: dict[str, Measure] = {}
    if not outcome.samples.complete:
        return found
    families = [*FAMILIES, SERVICE] if job.load.rate_per_s else FAMILIES
    for family in families:
        values = outcome.samples.values[family]
        ranked = values.ranked()
        found |= _statistics(family, ranked, values.rounded)
        if family in ("latency", SERVICE):
            method = "hdr" if values.rounded else "nearest-rank"
            for percent in PERCENTS:
                found[f"{family}.p{percent}"] = _seconds(quantile(ranked, percent), method)
    return found


def _statistics(family: str, ranked: Ranked, rounded: bool) -> dict[str, Measure]:
    count = sum(many for _, many in ranked)
    mean = sum(value * many for value, many in ranked) / count
    variance = math.fsum((value - mean) ** 2 * many for value, many in ranked) / (count - 1) if count > 1 else 0.0
    numbers = {"min": ranked[0][0], "mean": mean, "sd": math.sqrt(variance), "max": ranked[-1][0]}
    found = {f"{family}.{name}": _seconds(value) for name, value in numbers.items()}
    found[f"{family}.median"] = _seconds(quantile(ranked, "50"), "hdr" if rounded else "nearest-rank")
    return found


def quantile(ranked: Ranked, percent: str) -> int:
    """The smallest value that so many per cent of all do not exceed (nearest rank)."""
    count = sum(many for _, many in ranked)
    rank = max(1, math.ceil(Fraction(percent) * count / 100))
    for value, many in ranked:
        rank -= many
        if rank <= 0:
            return value
    return ranked[-1][0]


def _seconds(microseconds: float, method: str | None = None) -> Measure:
    text = f"{microseconds / SECOND:.6f}"
    return Measure(float(text), "s", text, half_unit(text, "s"), method=method)


def _decimal(name: str, value: float) -> Measure:
    known = metric(name)
    text = f"{value:.6f}" if name == "duration" else f"{value:.2f}"
    return Measure(float(text), known.unit if known else "1", text, half_unit(text, ""))


# -- what stands beside them -------------------------------------------------------------------------------------------


def _histogram(values: Values) -> list[tuple[float, int]]:
    return [(value / SECOND, many) for value, many in recorded(values.counts)]


def _series(outcome: Outcome) -> dict[str, Any]:
    """By the second since the start: requests that ended, errors, and quantiles of the latency in seconds (None without any)."""
    samples = outcome.samples
    last = max([*samples.seconds, *samples.error_seconds], default=-1)
    ranked = [samples.seconds[at].ranked() if at in samples.seconds else [] for at in range(last + 1)]
    return {
        "interval_s": 1,
        "complete": [sum(many for _, many in one) for one in ranked],
        "errors": [samples.error_seconds[at] for at in range(last + 1)],
        "p50": [quantile(one, "50") / SECOND if one else None for one in ranked],
        "p99": [quantile(one, "99") / SECOND if one else None for one in ranked],
    }


def _engine(job: Job, outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = {"name": "curl", "driver": outcome.driver, "processes": [asdict(one) for one in outcome.health], "protocol": outcome.protocol}
    latency, duration = outcome.samples.values["latency"], outcome.duration_s
    if not job.load.rate_per_s and duration > 0:
        busy = sum(value * many for value, many in latency.counts.items()) / SECOND
        found["littles_law"] = round(busy / duration / (job.load.concurrency or 1), 4)
    if job.load.rate_per_s:
        found |= {"late_starts": outcome.late, "latest_start_s": outcome.latest_us / SECOND}
    if outcome.samples.complete:
        found["cpu_per_request_s"] = round(sum(one.cpu_s for one in outcome.health) / outcome.samples.complete, 9)
    return found


def _findings(outcome: Outcome) -> list[Finding]:
    found = []
    silent = ""
    if outcome.under_way and not outcome.samples.complete and not outcome.failures.total():
        silent = f"nothing was answered, and {outcome.under_way} requests were under way at the end"
    if outcome.reason is not None:
        more = f"; {silent}" if silent else ""
        found.append(Finding("RUN-STOPPED", "warning", f"the run ended early, after {outcome.duration_s:.3f} s: {outcome.reason}{more}"))
    elif silent:
        found.append(Finding("NOTHING-ANSWERED", "error", f"in {outcome.duration_s:.3f} s {silent}", value=outcome.under_way))
    if outcome.died:
        said = f"{outcome.died} of the load generator died: what it had counted is lost, so that counts and rates lack its share"
        found.append(Finding("PROCESS-DIED", "warning", said))
    found += outcome.failures.findings()
    if outcome.resent:
        found.append(
            Finding(
                "REQUESTS-RESENT", "warning", f"{outcome.resent} requests were sent again: the server closed a kept connection without an answer",
                measure="requests.keep_alive_aborted", value=outcome.resent,
            )
        )
    if outcome.not_started:
        found.append(
            Finding(
                "NOT-STARTED", "warning", f"{outcome.not_started} requests were due and could not start before the end: all connections were in use",
                measure="requests.not_started", value=outcome.not_started,
            )
        )
    return found + health.findings(outcome.health)
