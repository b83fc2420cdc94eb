"""The statistics of a wrk or wrk2 report: the two rows of Thread Stats, and the tables of percentiles."""

from __future__ import annotations

from dataclasses import dataclass, replace

from abcompare.dialects.draft import Draft
from abcompare.dialects.wrk.amounts import Amount, enter, void
from abcompare.dialects.wrk.printed import RECORDED, Family, Printed
from abcompare.metrics import percentile_name


@dataclass(frozen=True, slots=True)
class Methods:
    """How a tool defines its statistics: `method` of the measures.

    "wrk-corrected": mean and deviation include the samples that wrk adds for coordinated omission (stats_correct; all
    of 4.x; 2.x and 3.x print the same text and add none). "wrk-rank-corrected": the smallest of these samples whose
    cumulative count reaches round(p/100 · n + 0.5). "wrk-sampled": of a random choice of samples (1.x). "hdr": of a
    histogram with three significant digits, each latency counted from the planned start of its request.
    "per-thread-100ms": requests of one thread in intervals of 100 ms, empty ones left out; "per-thread-interval": in
    intervals that the calibration chose.
    """

    latency: str
    max: str | None
    percentile: str
    interval: str


WRK = Methods("wrk-corrected", None, "wrk-rank-corrected", "per-thread-100ms")
WRK_1 = Methods("wrk-sampled", "wrk-sampled", "wrk-sampled", "per-thread-interval")
WRK_2 = Methods("hdr", "hdr", "hdr", "per-thread-interval")

_ROWS = {"Latency": (RECORDED, "s"), "Req/Sec": ("interval_throughput", "1/s")}
_AVG_WIDTH = 8  # of the column Avg; a unit of one letter leaves it 7 for number and letter (print_units)


def enter_rows(printed: Printed, methods: Methods, draft: Draft) -> None:
    """The rows Latency and Req/Sec as mean, sd, max (or a fork's percentile) and within_sd."""
    for label, (amounts, at) in printed.rows.items():
        family, base = _ROWS[label]
        third = "max" if printed.column == "Max" else percentile_name("", printed.column.rstrip("%"))[1:]
        names = ("mean", "sd", third, "within_sd")
        if len(amounts) < len(names):
            said = f"the row {label} is cut: {len(amounts)} of 4 columns stand here"
            draft.find("WRK-ROW-CUT", "warning", said, at=at, measure=family)
        else:
            amounts = [*amounts[:3], replace(amounts[3], unit="%")]
        if label == "Latency":
            amounts = [_whole(amounts, printed, draft), *amounts[1:]]
        empty = _empty(label, amounts, printed)
        if empty:
            told = " ".join(amount.text for amount in amounts)
            draft.find("WRK-NO-SAMPLES", "warning", f"statistics over no samples: {told}", at=at, measure=family)
        for name, amount in zip(names, amounts, strict=False):
            method = methods.interval if label == "Req/Sec" else methods.max if name == "max" else methods.latency
            unit = "1" if name == "within_sd" else base
            (void if empty else enter)(draft, f"{family}.{name}", amount, unit, method)


def _empty(label: str, amounts: list[Amount], printed: Printed) -> bool:
    """Whether a row is over no samples: wrk divided by zero, or not even the largest value is above it."""
    if any(amount.nan for amount in amounts):
        return True
    if len(amounts) < 3 or amounts[2].value != 0:
        return False
    # A rate of 0 in every interval of a run with requests is wrk 1's and 2's, which cut it to whole thousands.
    return label == "Latency" or printed.number("COMPLETE") == 0 or (amounts[0].value == 0 and bool(printed.number("COMPLETE")))


def _whole(amounts: list[Amount], printed: Printed, draft: Draft) -> Amount:
    """The mean latency, whose column may have cut "ms" to "m": 1000.00ms is nine characters in a column of eight.

    A true mean in minutes of that length would have lost its "m" too. The largest value known of the run decides.
    """
    mean = amounts[0]
    if mean.unit != "m" or mean.value is None:
        return mean
    bound = _bound(amounts, printed)
    if bound is None and len(mean.text) < _AVG_WIDTH:
        return mean
    said, largest = bound or (f"in a column of {_AVG_WIDTH} characters minutes of that length lose their m too", 0.0)
    if mean.value <= largest:
        return mean
    whole = replace(mean, unit="ms")
    message = f"wrk cut the last letter of the mean: {mean.text} is {mean.text}s ({said})"
    draft.find(
        "WRK-UNIT-CUT", "corrected", message, at=mean.at, measure="latency.mean", printed=mean.text, value=whole.value,
    )
    return whole


def _bound(amounts: list[Amount], printed: Printed) -> tuple[str, float] | None:
    """What no mean latency can be above, in words and in seconds: the maximum, else the run time or a percentile."""
    known = [("its maximum is", amounts[2])] if len(amounts) > 2 else []
    if "DURATION" in printed.items:
        known.append(("the run took", printed.items["DURATION"]))
    percentiles = printed.families.get(RECORDED, Family()).percentiles
    known += [(f"{percent} % of the latencies are up to", one) for percent, one in reversed(percentiles.items())]
    return next(((f"{name} {one.text}", one.value) for name, one in known if one.unit and one.value), None)


def enter_percentiles(printed: Printed, methods: Methods, draft: Draft) -> None:
    """The tables of percentiles. No latency is zero: that is what wrk prints where it knows none."""
    for name, family in printed.families.items():
        unknown = [percent for percent, amount in family.percentiles.items() if amount.value == 0]
        for percent, amount in family.percentiles.items():
            put = void if percent in unknown else enter
            put(draft, percentile_name(name, percent), amount, "s", methods.percentile)
        if unknown:
            _say_unknown(name, family, unknown, draft)


def _say_unknown(name: str, family: Family, unknown: list[str], draft: Draft) -> None:
    at = family.percentiles[unknown[0]].at
    told = [one for key, one in draft.measures.items() if key.startswith(f"{name}.")]
    if any(one.value for one in told):
        listed = ", ".join(f"{percent} %" for percent in unknown)
        said = f"wrk printed 0.00us for {listed}, and no latency is zero: it is not known"
        draft.find("WRK-PERCENTILE-ZERO", "warning", said, at=at, measure=name)
    elif f"{name}.mean" not in draft.measures:  # else the row said it
        draft.find("WRK-NO-SAMPLES", "warning", "percentiles of no samples: all are zero", at=at, measure=name)
