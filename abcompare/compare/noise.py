"""Which calibration is the noise of a scenario, why another is not, and how old one may be (statistics.md 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from abcompare.compare.options import Options
from abcompare.compare.scenarios import Meeting
from abcompare.comparison import Calibration

BORROWED = "noise borrowed from the loads with several runs"
_DAY = 86_400
_BOUNDLESS = 100  # an sd of ln y that no set-up has: its interval would overflow
_CONCURRENCY = "load.concurrency"


@dataclass(frozen=True, slots=True)
class Noise:
    """Run-to-run `sd` of ln y with its df, and where it comes from, as a phrase for the row."""

    sd: float
    df: float
    origin: str


def noise(name: str, meeting: Meeting, options: Options) -> Noise | None:
    """The noise of a metric by the calibration that fits the scenario best, of those that have it; None where there is none."""
    fitting = [one for one in _by_likeness(options.calibration, meeting) if not _refused(one, meeting, options)]
    for calibration in fitting:
        known = calibration.metrics.get(name) or {}
        sd, df = known.get("sd"), known.get("df")
        if sd and df and 0 < sd < _BOUNDLESS and df > 0:
            return Noise(float(sd), float(df), _origin(calibration, known, meeting))
    return None


def refusal(name: str, meeting: Meeting, options: Options) -> str:
    """Why no calibration gave noise for a metric; empty where none was given."""
    reasons = [_refused(one, meeting, options) for one in _by_likeness(options.calibration, meeting)]
    if not reasons:
        return ""
    if not all(reasons):
        return f"the calibration has no noise of {name}"
    if len(reasons) == 1:
        return reasons[0]
    return f"none of {len(reasons)} calibrations fits, {reasons[0].replace('the calibration is', 'the nearest is', 1)}"


def _by_likeness(calibrations: Sequence[Calibration], meeting: Meeting) -> list[Calibration]:
    """The calibrations, those of the scenario's load first, and of one load the newest."""
    newest = sorted(calibrations, key=lambda one: _seconds(one.made_at) or 0.0, reverse=True)
    return sorted(newest, key=lambda one: (_other_host(one, meeting) != "", len(_unlike(one, meeting))))


def _refused(calibration: Calibration, meeting: Meeting, options: Options) -> str:
    """Why the noise of a calibration is not that of a scenario; empty when it may be."""
    if said := _other_host(calibration, meeting):
        return said
    if _CONCURRENCY in (unlike := _unlike(calibration, meeting)):
        own, its = unlike[_CONCURRENCY]
        return f"the calibration is of concurrency {own}, not {its}"
    age, since = _age(calibration, meeting)
    if options.max_age is not None and age > options.max_age:
        return f"the calibration is {_days(age)} {since}, and the limit is {_days(options.max_age)}: calibrate anew, or --max-age {_accepting(age)}"
    return ""


def _other_host(calibration: Calibration, meeting: Meeting) -> str:
    hosts = {run.target.host for run in (*meeting.base, *meeting.new)} - {None}
    if not calibration.host or not hosts or hosts == {calibration.host}:
        return ""
    return f"the calibration is of {calibration.host}, not of {'/'.join(sorted(str(host) for host in hosts))}"


def _unlike(calibration: Calibration, meeting: Meeting) -> dict[str, tuple[object, object]]:
    """The keys of the load that both tell, and tell differently."""
    both = {path: (own, meeting.key.get(path)) for path, own in calibration.key.items()}
    return {path: pair for path, pair in both.items() if None not in pair and pair[0] != pair[1]}


def _age(calibration: Calibration, meeting: Meeting) -> tuple[float, str]:
    """Seconds from the calibration to the last of the runs, or to now where they do not say when they were made.

    0 for a calibration that does not say it: logs of ab and wrk do not, and what is not known is no reason to refuse.
    """
    made = _seconds(calibration.made_at)
    runs = [one for run in (*meeting.base, *meeting.new) if (one := _seconds(run.started_at)) is not None]
    if made is None:
        return 0.0, ""
    return (max(runs) - made, "older than the runs") if runs else (datetime.now(UTC).timestamp() - made, "old")


def _seconds(text: str | None) -> float | None:
    """A time of RFC 3339 as seconds; without an offset it is UTC. None for what is no time."""
    try:
        found = datetime.fromisoformat(text or "")
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _days(seconds: float) -> str:
    days = seconds / _DAY
    told = f"{days:.0f}" if days >= 100 else f"{days:.1f}".removesuffix(".0")
    return f"{told} day{'s' if told != '1' else ''}"


def _accepting(age: float) -> str:
    """An age for --max-age that is not below this one."""
    return f"{int(age // _DAY) + 1}d"


def _origin(calibration: Calibration, known: dict[str, float | int | None], meeting: Meeting) -> str:
    """Where the noise comes from, and what is to be known of it."""
    if calibration.reason == BORROWED:
        return f"calibrated by {BORROWED}"
    told = [f"calibrated by {len(calibration.runs)} runs"]
    if unlike := _unlike(calibration, meeting):
        told.append("of " + " ".join(f"{path.rsplit('.', 1)[-1]}={own}" for path, (own, _) in unlike.items()))
    doubts = [said for doubted, said in ((not calibration.steady, "which were not steady"), (known.get("distinct") == 1, "all of one printed value")) if doubted]
    return " ".join(told) + "".join(f", {one}" for one in doubts)
