"""A comparison as a page: a block for each scenario and new side, what has no partner, footnotes, the outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from abcompare.comparison import Comparison, Scenario
from abcompare.records import Finding
from abcompare.reporters.cells import visible
from abcompare.reporters.comparisons.details import details
from abcompare.reporters.comparisons.names import brief, load_name, load_names, metric_name, side_title
from abcompare.reporters.comparisons.notes import Marks, footnotes, outcome
from abcompare.reporters.comparisons.rows import (
    LAW,
    LAW_NOTE,
    Line,
    columns,
    failure_line,
    follows_throughput,
    line_of,
    step_of,
)
from abcompare.reporters.comparisons.sentences import sentence, sentences, together
from abcompare.reporters.table import Column

_HEAD = 24  # characters that a load's name may have at the head of a column


@dataclass(frozen=True, slots=True)
class Block:
    """A heading ("" where the table's first head says it), a table, sentences by what they are about, and findings."""

    title: str
    table: list[Column] = field(default_factory=list)
    sentences: list[tuple[str, str]] = field(default_factory=list)
    findings: list[tuple[str, Finding]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Page:
    """The blocks, the footnotes, and the line that comes last."""

    blocks: list[Block]
    footnotes: list[str]
    outcome: str


def page(
    comparison: Comparison, *, headed: bool, spread: bool = True, narrow: bool = False, verbose: bool = False,
    quiet: bool = False,
) -> Page:
    """The page of a comparison.

    `headed` gives every block its heading; `spread` is the ± of the centres; `narrow` moves long labels from the heads
    of columns into the heading; `quiet` leaves out findings of severity info.
    """
    marks = Marks(comparison)
    titles = load_names(comparison.scenarios)
    headed = headed or any(len(title) > _HEAD for title in titles)
    repeated = _repeated(comparison)
    drawn = _Drawing(comparison, marks, repeated, spread=spread, narrow=narrow, verbose=verbose)
    blocks = [drawn.scenario(one, title, headed) for one, title in zip(comparison.scenarios, titles, strict=True)]
    blocks += drawn.overall(headed)
    blocks += _rest(comparison, repeated)
    if quiet:
        blocks = [replace(one, findings=[pair for pair in one.findings if pair[1].severity != "info"]) for one in blocks]
    return Page([one for one in blocks if one.table or one.sentences or one.findings], list(footnotes(comparison, marks)), outcome(comparison))


class _Drawing:
    """What the blocks of a page share."""

    def __init__(
        self, comparison: Comparison, marks: Marks, repeated: set[Finding], *, spread: bool, narrow: bool, verbose: bool
    ) -> None:
        self._comparison, self._marks, self._repeated = comparison, marks, repeated
        self._spread, self._narrow, self._verbose = spread, narrow, verbose

    def scenario(self, scenario: Scenario, title: str, headed: bool) -> Block:
        """The block of a scenario and one new side."""
        rows, alpha = scenario.metrics, self._comparison.alpha
        n = max((one.base.n for one in rows), default=0), max((one.new.n for one in rows), default=0)
        lines: list[Line] = []
        for row in rows:
            line = line_of(row, self._marks, n=n, spread=self._spread, step=step_of(row, scenario))
            lines.append(replace(line, verdict=LAW) if follows_throughput(row, scenario) else line)
        lines += [failure_line(one, alpha, bounds=self._spread) for one in scenario.failures]
        labels = (self._comparison.base.label, scenario.label)
        if self._narrow and not all(map(brief, labels)):
            title, labels = f"{title}: {visible(labels[0])} → {visible(labels[1])}", ("base", "new")
        heads = side_title(labels[0], n[0]), side_title(labels[1], n[1])
        said = list(sentences(scenario, bounds=not self._spread))
        said += [(metric_name(row.metric), LAW_NOTE) for row in rows if follows_throughput(row, scenario)]
        if self._verbose:
            said += [(metric_name(row.metric), text) for row in rows if (text := details(row))]
        findings = [("", one) for one in scenario.findings if one not in self._repeated]
        findings += [(metric_name(row.metric), one) for row in rows for one in row.findings]
        table = columns("metric" if headed else title, heads, lines, self._comparison)
        return Block(title if headed else "", table, together(said), findings)

    def overall(self, headed: bool) -> Iterator[Block]:
        """The geometric mean of the primary ratios over all scenarios, a line for each new side."""
        rows, new = self._comparison.overall, self._comparison.new
        if not rows:
            return
        named = len(rows) == len(new)
        lines: list[Line] = []
        for at, row in enumerate(rows):
            name = metric_name(row.metric) + (f" {visible(new[at].label)}" if named and len(new) > 1 else "")
            drawn = line_of(row, self._marks, n=(row.base.n, row.new.n), spread=False)
            lines.append(replace(drawn, name=name, base="", new=""))
        said = [(line.name, text) for line, row in zip(lines, rows, strict=True) if (text := sentence(row))]
        if self._verbose:
            said += [(line.name, text) for line, row in zip(lines, rows, strict=True) if (text := details(row))]
        findings = [(line.name, one) for line, row in zip(lines, rows, strict=True) for one in row.findings]
        title = f"all {len(self._comparison.scenarios)} scenarios, geometric mean"
        table = columns("metric" if headed else "all scenarios", ("base", "new"), lines, self._comparison)
        yield Block(title if headed else "", table, together(said), findings)


def _repeated(comparison: Comparison) -> set[Finding]:
    """The findings that several scenarios share: said once for all."""
    counts = Counter(one for scenario in comparison.scenarios for one in set(scenario.findings))
    return {one for one, count in counts.items() if count > 1} | set(comparison.findings)


def _rest(comparison: Comparison, repeated: set[Finding]) -> Iterator[Block]:
    """What stands beside the scenarios."""
    if not comparison.scenarios:
        yield Block("", sentences=[("", "no load was run by both sides")])
    alone = [(f"only {visible(one.label)}", f"{load_name(one.key)} ({_runs(one.runs)})") for one in comparison.unpaired]
    yield Block("loads without a partner", sentences=alone)
    gone = [(visible(_named(one)), visible(one.get("reason", ""))) for one in comparison.excluded]
    yield Block("runs that take no part", sentences=gone)
    findings: list[tuple[str, Finding]] = []
    for one in _in_order(comparison, repeated):
        count = sum(one in scenario.findings for scenario in comparison.scenarios)
        findings.append((f"{count} scenarios" if count > 1 else "", one))
    yield Block("findings", findings=findings)


def _in_order(comparison: Comparison, wanted: set[Finding]) -> Sequence[Finding]:
    every = [*comparison.findings, *(one for scenario in comparison.scenarios for one in scenario.findings)]
    return [one for one in dict.fromkeys(every) if one in wanted]


def _named(excluded: dict[str, str]) -> str:
    source = excluded.get("source")
    return f"{excluded.get('id', '')[:8]}{f' ({source})' if source else ''}"


def _runs(ids: Sequence[str]) -> str:
    return f"{len(ids)} run{'s' if len(ids) != 1 else ''}"
