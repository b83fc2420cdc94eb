"""What the audit of the runs has to say of a comparison: a full link, numbers of no run, timers that were measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from abcompare.audit import audit, rules
from abcompare.audit.network import saturated
from abcompare.compare.scenarios import Meeting
from abcompare.records import Finding, Run

# Besides errors: what may be measured in place of the server.
_MEASURED = ("CLIENT-BOUND",)  # what an engine itself has found in a run
_BEARING = ("SYN-RETRANSMIT", "STALL", "STOPPED-EARLY", "FIRST-ANSWER-ODD")


def check_link(meeting: Meeting) -> list[Finding]:
    """Which side fills its link, and what that means for the difference (audit.md, LINK-SATURATED)."""
    name = meeting.label or "new"
    base, new = _full(meeting.base), _full(meeting.new)
    if base and new:
        said = f"both sides are at the link's limit (base {base[0]:.1%} and {name} {new[0]:.1%} of {base[1] / 1e9:g} Gbit/s): what is compared here is the link"
    elif base:
        least = "loss is at least" if _gain(meeting) < 1 else "gain is at most"
        said = f"the base is at the link's limit ({base[0]:.1%} of {base[1] / 1e9:g} Gbit/s): the real {least} this"
    elif new:
        least = "gain is at least" if _gain(meeting) > 1 else "loss is at most"
        said = f"{name} is at the link's limit ({new[0]:.1%} of {new[1] / 1e9:g} Gbit/s): the real {least} this"
    else:
        return []
    return [Finding("LINK-SATURATED", "warning", said)]


def _gain(meeting: Meeting) -> float:
    """The new side's throughput by the base's, by their means."""
    base, new = ([run.value("throughput") or 0 for run in runs] for runs in (meeting.base, meeting.new))
    return (sum(new) / len(new)) / (sum(base) / len(base)) if sum(base) else 1.0


def _full(runs: Sequence[Run]) -> tuple[float, float] | None:
    """The mean share of the link that the runs of a side fill, and the link in bit/s; None unless most of them do."""
    found = [one for run in runs if (one := saturated(run))]
    if 2 * len(found) <= len(runs):
        return None
    return sum(share for _, share, _, _ in found) / len(found), found[0][0]


def check_runs(meeting: Meeting) -> list[Finding]:
    """One finding a rule and side for errors, and for what may have been measured in place of the server."""
    codes = {one.code for one in rules()[0] if one.severity == "error"} | set(_BEARING)
    found = []
    for side, runs in (("base", meeting.base), (meeting.label or "new", meeting.new)):
        said = [one for run in runs for one in _once(run, codes)]
        counts = Counter(one.code for one in said)
        for code, count in counts.items():
            first = next(one for one in said if one.code == code)
            place = f"{first.path}:{first.line}: " if first.line else ""
            found.append(Finding(code, "warning", f"{count} of {len(runs)} runs of {side}: {place}{first.message}"))
    return found


def _once(run: Run, codes: set[str]) -> list[Finding]:
    """What is said of a run, one finding a code."""
    measured = [one for one in run.findings if one.code in _MEASURED]
    return list({one.code: one for one in [*audit(run, codes), *measured]}.values())
