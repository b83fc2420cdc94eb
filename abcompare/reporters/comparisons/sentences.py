"""The sentences below a table: reasons of rows, without the numbers that the rows themselves show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from abcompare.comparison import Row, Scenario
from abcompare.reporters.cells import visible
from abcompare.reporters.comparisons.names import kind_name, metric_name
from abcompare.reporters.comparisons.numbers import at_most

_CHANGE = r"[+−]?[\d.,]+ %"
_BOUNDS = rf"{_CHANGE} \[[^\]]*\]"
_LEADING = re.compile(rf"^{_BOUNDS}(?:, p[<=][\d.]+)?(?:, size uncertain)?(?:[;,.] *|$)")
_TRAILING = re.compile(rf": {_BOUNDS}$")
_BREAK_EVEN = re.compile(rf"^{_CHANGE}[.:] (.*\bless than) [\d.,]+ %")


def sentences(scenario: Scenario, *, bounds: bool) -> Iterator[tuple[str, str]]:
    """What each row says, by its name; `bounds` adds those of failures, where their cells have no room for them."""
    for row in scenario.metrics:
        if said := sentence(row):
            yield metric_name(row.metric), said
    for one in scenario.failures:
        if one.reason:
            yield kind_name(one), visible(one.reason)
        if one.kind == "length" and (count := sum(failed for failed, _ in (*one.base, *one.new))):
            yield "failed", _not_counted(count)
        limits = [f"{side} <{at_most(high)}" for side, high in (("base", one.base_high), ("new", one.new_high)) if high is not None]
        if bounds and limits:
            yield kind_name(one), f"95 % bounds: {', '.join(limits)}"


def _not_counted(count: int) -> str:
    """ab counts answers of another length as failed, and a comparison does so on demand only."""
    what, them = ("failure", "it") if count == 1 else ("failures", "them")
    return f"{count:,} length {what} not counted (--strict-length counts {them})"


def sentence(row: Row) -> str:
    """What the row says beside its numbers; "" where the numbers are all there is to say."""
    reason = visible(row.reason)
    if row.break_even_run_cv is not None:
        return _BREAK_EVEN.sub(r"\1 the break-even CV", reason)
    if row.verdict in ("better", "worse", "negligible", "provisional"):
        reason = _TRAILING.sub("", _LEADING.sub("", reason))
    return reason


def together(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """(name, sentence) pairs, each sentence once, with all the names that it is said of."""
    by_sentence: dict[str, list[str]] = {}
    for name, said in pairs:
        by_sentence.setdefault(said, []).append(name)
    return [(", ".join(dict.fromkeys(names)), said) for said, names in by_sentence.items()]
