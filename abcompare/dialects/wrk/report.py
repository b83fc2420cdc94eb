"""A wrk or wrk2 report: from what is printed to a run."""

from __future__ import annotations

from abcompare.blocks import Block, Reading
from abcompare.dialects.argv import merged, split, target
from abcompare.dialects.draft import Draft
from abcompare.dialects.wrk import command as line
from abcompare.dialects.wrk.hdr import enter_footers, histograms, say_calibration
from abcompare.dialects.wrk.load import checked, printed_load
from abcompare.dialects.wrk.printed import Gatherer, Printed
from abcompare.dialects.wrk.stats import WRK, WRK_1, WRK_2, enter_percentiles, enter_rows
from abcompare.dialects.wrk.totals import enter_errors, enter_totals, is_complete
from abcompare.records import Finding, Target, Tool


def read(block: Block, name: str = "wrk") -> Reading:
    """The run of a block, or the finding that says why there is none. `name` is the tool that is known to have run.

    wrk2 calls itself wrk 4.0.0; it is known by what only wrk2 prints, or by its command line.
    """
    draft = Draft(block)
    printed = Gatherer(block, draft).gather()
    alike = _work_alike(printed)
    if alike:
        said = f"this looks like wrk's report, but {alike}: another program's, and not read as wrk's"
        found = Finding("WORK-ALIKE", "warning", said, line=block.line(0), path=block.path)
        return Reading(None, (found,), draft.unrecognised())
    argv = split(block.command) if block.command else None
    asked = checked(argv, printed, draft) if argv else None
    if printed.hdr or (argv and asked and line.is_wrk2(argv)):
        name = "wrk2"
    _enter(printed, name, draft)
    if not draft.measures:
        reasons = dict.fromkeys(text for text, _ in printed.failures)
        return draft.nothing(name, "; ".join(reasons) or "there is no report below its first lines")
    load = merged(printed_load(printed, asked, draft), asked)
    version = printed.items.get("VERSION")
    return draft.run(
        Tool(name, version.text if version else None), _target(printed, argv if asked else None), load,
        complete=is_complete(printed, asked, draft), last=printed.last, histograms=histograms(printed, draft),
    )


def _work_alike(printed: Printed) -> str:
    """What wrk cannot have printed: go-wrk's labels; nanoseconds or three decimals (Hyperfoil's wrk); or ""."""
    if printed.foreign:
        return f'it has a line "{printed.foreign}"'
    duration = printed.items.get("DURATION")
    if duration and len(duration.number.partition(".")[2]) > 2:
        return f"its run time, {duration.text}, has more than two decimals"
    nano = [one.text for amounts, _ in printed.rows.values() for one in amounts if one.unit == "ns"]
    return f"it counts in nanoseconds ({nano[0]})" if nano else ""


def _enter(printed: Printed, name: str, draft: Draft) -> None:
    """Enters every measure, and says what is odd about them."""
    methods = WRK_2 if name == "wrk2" else WRK_1 if "REQUESTS" in printed.items else WRK
    enter_rows(printed, methods, draft)
    enter_percentiles(printed, methods, draft)
    say_calibration(printed, draft)
    enter_footers(printed, draft)
    enter_totals(printed, draft)
    enter_errors(printed, draft)


def _target(printed: Printed, argv: list[str] | None) -> Target:
    """The URL as printed nearest to the table, else the command line's; none where the table is of several URLs."""
    if printed.overall:
        return Target()
    return target(printed.urls[-1] if printed.urls else line.url_of(argv) if argv else None)
