"""The tables of times and percentiles of an ab report."""

from __future__ import annotations

from msgspec.structs import replace

from abcompare.dialects.ab.printed import Item, Printed
from abcompare.dialects.ab.versions import Traits
from abcompare.dialects.draft import Draft

FAMILIES = {"Connect": "connect", "Processing": "processing", "Waiting": "waiting", "Total": "latency"}
WIDE = ("min", "mean", "sd", "median", "max")
NARROW = ("min", "mean", "max")
PERCENTILE_METHOD = "ab-index"  # the 0-based index floor(n·p/100) of the sorted times (ab.c output_results)
MEDIAN_METHOD = "ab-median"  # one place too high for odd n


def enter_rows(printed: Printed, traits: Traits, draft: Draft) -> None:
    """The rows Connect, Processing, Waiting and Total as min, mean, sd, median and max, in seconds."""
    for label, (numbers, at) in printed.rows.items():
        family = FAMILIES[label]
        columns = _columns(numbers, printed.wide)
        if columns is NARROW and len(numbers) == 2:
            numbers = _fused(label, numbers, at, printed, draft)
        elif len(numbers) != len(columns) and (len(numbers) < len(columns) or columns is NARROW):
            numbers = numbers[: len(columns)]
            draft.find("AB-ROW-CUT", "warning", f"the row {label} is cut: {len(numbers)} of {len(columns)} columns stand here", at=at, measure=family)
        derived = label == "Processing" and columns is NARROW and (printed.html or traits.processing_derived)
        for column, text in zip(columns, numbers, strict=False):
            method = MEDIAN_METHOD if column == "median" else "difference" if derived else None
            cut = traits.truncates and column != "sd"
            name = f"{family}.{column}"
            measure = draft.number(name, text, unit="ms", base="s", rounding="down" if cut else "nearest", method=method)
            if cut and family == "processing":  # the difference of two times that were cut: off by up to 1 ms either way
                draft.measures[name] = replace(measure, rounding="nearest", resolution=0.001)
        if traits.averages and columns is NARROW and not printed.html and f"{family}.mean" in draft.measures:
            draft.correct(f"{family}.mean", None, "AB-S-AVERAGE", f"this ab -S divides the average of {label} by the number of requests twice; the true one cannot be recovered", at=at)


def _columns(numbers: list[str], wide: bool | None) -> tuple[str, ...]:
    """The columns of a row: by the header, else by the row itself (only the deviation has a decimal)."""
    if wide is None:
        wide = len(numbers) > 3 or any("." in text for text in numbers[2:3])
    return WIDE if wide else NARROW


def _fused(label: str, numbers: list[str], at: int, printed: Printed, draft: Draft) -> list[str]:
    """-S prints no blank between avg and max (T8): "338710059" is 3387 and 10059. The fitting split, or the minimum alone."""
    low, token = numbers
    whole = low.isdecimal() and token.isdecimal()
    fitting = [(token[:-width], token[-width:]) for width in (5, 6) if whole and _plausible(int(low), token, width, printed)]
    if not fitting:
        draft.find("AB-ROW-CUT", "warning", f"the row {label} is cut: 2 of 3 columns stand here", at=at, measure=FAMILIES[label])
        return numbers
    mean, top = fitting[0]
    doubt = f", or {fitting[1][0]} and {fitting[1][1]}" if len(fitting) > 1 else ""
    draft.find(
        "AB-COLUMNS-FUSED", "corrected", f"ab -S prints no blank between avg and max: {token} is {mean} and {top}{doubt}", at=at,
        measure=f"{FAMILIES[label]}.max", printed=token, value=int(top) / 1000,
    )
    return [low, mean, top]


def _plausible(low: int, token: str, width: int, printed: Printed) -> bool:
    """Whether a fused token can be split before its last `width` digits: min ≤ avg ≤ max, and no longer than the run."""
    mean, top = token[:-width], token[-width:]
    if not mean or top.startswith("0") or (mean.startswith("0") and mean != "0"):
        return False
    taken = printed.text("TAKEN")
    longest = float(taken.replace(",", "")) * 1000 + 1000 if taken else float("inf")
    return low <= int(mean) <= int(top) <= longest


def enter_percentiles(printed: Printed, traits: Traits, draft: Draft) -> None:
    """The table of percentiles; of two tables the one that agrees with the row Total."""
    if not printed.ladders:
        return
    table = _table(printed, draft)
    rounding = "down" if traits.truncates else "nearest"
    for percent, item in table:
        draft.number(f"latency.p{percent}", item.text, unit="ms", base="s", rounding=rounding, method=PERCENTILE_METHOD)


def _table(printed: Printed, draft: Draft) -> list[tuple[str, Item]]:
    tables = printed.ladders
    if len(tables) == 1:
        return tables[0]
    total = printed.rows.get("Total", ([], 0))[0]
    agreeing = [table for table in tables if total and dict(_texts(table)).get("100") == total[-1]]
    chosen = agreeing[0] if agreeing else tables[0]
    why = f"its 100 % row is Total's max, {total[-1]}" if agreeing else "nothing tells which one belongs to the run"
    which = tables.index(chosen) + 1
    for table in tables:
        if table is not chosen and _texts(table) != _texts(chosen):
            said = " ".join(f"{percent}%:{text}" for percent, text in _texts(table))
            draft.find("AB-PERCENTILES-TWICE", "info" if agreeing else "warning", f"{len(tables)} tables of percentiles stand in this report; table {which} is used ({why}); the other says {said}", at=table[0][1].at)
    return chosen


def _texts(table: list[tuple[str, Item]]) -> list[tuple[str, str]]:
    return [(percent, item.text) for percent, item in table]
