"""Failures before speed: a side that fails is not compared, for errors are often the fastest answers (statistics.md 6)."""

from __future__ import annotations

from collections.abc import Sequence

from abcompare import stats
from abcompare.compare.options import Options
from abcompare.compare.scenarios import Meeting
from abcompare.comparison import Failures
from abcompare.records import Run

_POOLED, _RUN, _POINT = 0.01, 0.05, 0.001  # the shares that block: of all requests, of one run's; the least difference

Counts = tuple[tuple[int, int], ...]


def failures(meeting: Meeting, options: Options) -> tuple[Failures, ...]:
    """The failures of a scenario by kind; kinds that no run counts are left out."""
    found = []
    for kind, count in (("failed", _failed), ("length", _length), ("non_2xx", _non_2xx)):
        base = tuple(one for run in meeting.base if (one := count(run, options)) is not None)
        new = tuple(one for run in meeting.new if (one := count(run, options)) is not None)
        if base and new and (kind == "failed" or any(part for part, _ in base + new)):
            found.append(_tested(kind, base, new, options))
    return tuple(found)


def _failed(run: Run, options: Options) -> tuple[int, int] | None:
    """Failures but ab's Length, and requests. wrk counts its socket errors beside its requests."""
    complete = run.value("requests.complete")
    if complete is None:
        return None
    if "requests.failed" in run.measures:
        failed = int(run.value("requests.failed") or 0)
        if not options.strict_length:
            failed -= int(run.value("errors.length") or 0)
        empty = complete if complete and run.value("bytes.received") == 0 else 0  # closed without an answer: no success
        return min(max(failed, int(empty), 0), int(complete) or failed), max(int(complete), failed)
    errors = sum(int(run.value(f"errors.{name}") or 0) for name in ("connect", "read", "write", "timeout"))
    return errors, int(complete) + errors


def _length(run: Run, options: Options) -> tuple[int, int] | None:
    count, complete = run.value("errors.length"), run.value("requests.complete")
    if count is None and run.value("requests.failed") == 0:
        count = 0  # ab breaks failures down by kind only where there are any
    return None if count is None or complete is None or options.strict_length else (min(int(count), int(complete)), int(complete))


def _non_2xx(run: Run, options: Options) -> tuple[int, int] | None:
    complete = run.value("requests.complete")
    return None if complete is None else (min(int(run.value("requests.non_2xx") or 0), int(complete)), int(complete))


def _tested(kind: str, base: Counts, new: Counts, options: Options) -> Failures:
    a, b = _share(base), _share(new)
    difference = None if a is None or b is None else b - a
    fields: dict[str, object] = {}
    if len(base) == len(new) == 1 and difference is not None:
        low, high = stats.newcombe_interval(*base[0], *new[0])
        fields = {"low": low, "high": high, "p": stats.fisher_test(*base[0], *new[0]), "method": "fisher-within-run"}
    elif len(base) > 1 and len(new) > 1 and difference is not None:
        test = stats.failure_test([f for f, _ in base], [n for _, n in base], [f for f, _ in new], [n for _, n in new])
        fields = {"p": test.p, "df": test.df, "dispersion": test.phi, "method": "overdispersed-by-run"}
    worse = _worse(fields, difference, options)
    sides = (("base", base, False), ("new", new, worse))
    blocked = tuple(name for name, counts, more in sides if more or _fails(counts)) if kind != "length" else ()
    if kind == "non_2xx" and difference is not None and abs(difference) <= _POOLED and not worse:
        blocked = ()  # both sides answer alike: redirects, or the same error page
    return Failures(
        kind, base, new, a, b, base_high=_upper(base), new_high=_upper(new), difference=difference,  # type: ignore[arg-type]
        blocked=blocked, regression="new" in blocked and "base" not in blocked, reason=_reason(kind, blocked, base, new), **fields,  # type: ignore[arg-type]
    )


def _worse(fields: dict[str, object], difference: float | None, options: Options) -> bool:
    """Whether the new side's share is worse by the test by run, and by more than 0.1 point."""
    p = fields.get("p")
    by_run = fields.get("method") == "overdispersed-by-run" and isinstance(p, float) and p < options.alpha
    return bool(by_run and difference is not None and difference > _POINT)


def _fails(counts: Counts) -> bool:
    share = _share(counts)
    return share is None or share > _POOLED or any(part > _RUN * whole for part, whole in counts)


def _share(counts: Sequence[tuple[int, int]]) -> float | None:
    """Failures by requests over all runs; None where nothing was requested."""
    whole = sum(n for _, n in counts)
    return sum(f for f, _ in counts) / whole if whole else None


def _upper(counts: Sequence[tuple[int, int]]) -> float | None:
    whole = sum(n for _, n in counts)
    return stats.clopper_pearson_upper(sum(f for f, _ in counts), whole) if whole else None


def _reason(kind: str, blocked: tuple[str, ...], base: Counts, new: Counts) -> str:
    if not blocked:
        return ""
    what = {"failed": "requests failed", "non_2xx": "answers are not 2xx"}.get(kind, "answers differ in length")
    told = [f"{name}: {sum(f for f, _ in counts):,} of {sum(n for _, n in counts):,} {what}" for name, counts in (("base", base), ("new", new)) if name in blocked]
    return "; ".join(told)
