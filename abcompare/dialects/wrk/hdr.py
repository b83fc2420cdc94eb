"""What only wrk2 prints: its calibration, the footers of its histograms, and the histograms (hdr_percentiles_print)."""

from __future__ import annotations

from abcompare.dialects.draft import Draft
from abcompare.dialects.wrk.amounts import Amount, enter
from abcompare.dialects.wrk.printed import Family, Printed
from abcompare.dialects.wrk.ticks import missing

_BUCKET = 0.001  # the width of a bucket as a share of its value: three significant digits
_COLUMNS = 4  # of a spectrum: value in ms, fraction, cumulative count, 1/(1 - fraction)


def say_calibration(printed: Printed, draft: Draft) -> None:
    """A finding that sums up the lines of the threads' calibrations."""
    if not printed.calibrations:
        return
    lateness = _range([one for one, _ in printed.calibrations])
    interval = _range([one for _, one in printed.calibrations])
    said = f"threads calibrated: {len(printed.calibrations)}, mean latency {lateness}, sampling interval {interval}"
    more = "the latencies are of what came later, run time and rates of the whole run"
    draft.find("WRK2-CALIBRATION", "info", f"{said}; {more}", at=printed.calibrations[0][0].at)


def _range(amounts: list[Amount]) -> str:
    ordered = sorted(amounts, key=lambda one: -1.0 if one.nan else float(one.number))
    return ordered[0].text if ordered[0].text == ordered[-1].text else f"{ordered[0].text} to {ordered[-1].text}"


def enter_footers(printed: Printed, draft: Draft) -> None:
    """Mean, sd and max of the histograms.

    They are measures where Thread Stats do not tell these (the uncorrected latency, a fork's column 99%, a table cut
    away), with the method "hdr". Where Thread Stats do, these are the same numbers with another rounding: a finding
    keeps them, and another one says when they disagree.
    """
    for name, family in printed.families.items():
        if not family.footers:
            continue
        differing = []
        for statistic in ("mean", "sd", "max"):
            amount = family.footers.get(statistic)
            if amount is None:
                continue
            known = draft.measures.get(f"{name}.{statistic}")
            if known is None:
                enter(draft, f"{name}.{statistic}", amount, "s", "hdr")
            elif known.value is not None and amount.value is not None:
                slack = (known.resolution or 0) + amount.half + _BUCKET * amount.value
                if abs(known.value - amount.value) > slack:
                    differing.append(f"{statistic} {known.text} and {amount.text} ms")
        _say_footers(printed, name, family, differing, draft)


def _say_footers(printed: Printed, name: str, family: Family, differing: list[str], draft: Draft) -> None:
    at = min(one.at for one in family.footers.values())
    told = [f"{label} {one.text} ms" for label, one in family.footers.items() if label != "count"]
    if "count" in family.footers:
        of = f" of {printed.number('COMPLETE')} requests" if "COMPLETE" in printed.items else ""
        told.insert(0, f"{family.footers['count'].text} latencies{of}")
    draft.find("WRK2-HISTOGRAM", "info", f"the histogram is of {', '.join(told)}", at=at, measure=name)
    if differing:
        said = f"table and histogram disagree: {'; '.join(differing)}"
        draft.find("WRK2-FOOTER-DIFFERS", "warning", said, at=at, measure=name)


def histograms(printed: Printed, draft: Draft) -> dict[str, list[tuple[float, int]]] | None:
    """The spectra as [upper bound in s, count], from the differences of their cumulative counts; None without any."""
    found = {}
    for name, family in printed.families.items():
        steps: list[tuple[float, int]] = []
        before = 0
        for value, count in zip(family.spectrum[::_COLUMNS], family.spectrum[2::_COLUMNS], strict=True):
            total = int(count)
            if total < before:
                said = f"the cumulative counts fall from {before} to {total}: no histogram is made of them"
                draft.find("WRK2-SPECTRUM-BROKEN", "warning", said, measure=name)
                break
            if total > before:
                steps.append((Amount.of(value, 0, "ms").value or 0.0, total - before))
            before = total
        else:
            if steps:
                found[name] = steps
                _say_missing(name, family, draft)
    return found or None


def _say_missing(name: str, family: Family, draft: Draft) -> None:
    """A finding when rows were left out of a spectrum: the samples between two rows then count as the upper one's."""
    if shown := missing(family.spectrum[1::_COLUMNS]):
        said = f"rows of the histogram are missing: {shown}; its steps are as coarse as what is left"
        draft.find("WRK2-SPECTRUM-CUT", "warning", said, measure=name)
