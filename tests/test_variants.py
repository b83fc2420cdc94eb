"""Every trouble of pasted reports leaves every value: see `variants.py`.

`python -m tests.test_variants [NAME…]` prints which trouble hurts which fixture.
"""

from __future__ import annotations

import random
import sys
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from abcompare.reading import parse
from abcompare.records import Number, Run
from abcompare.registry import names
from tests.variants import TROUBLES, Trouble, Variant, fit, settled, vary

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
CHOSEN = {
    "ab": (
        "ab-k", "ab-n1-c1", "ab-dyn", "ab-dyn-l", "ab-S", "ab-post", "ab-https-name", "ab-404", "ab-bimodal",
        "ab-sigint-hb", "ab-w", "ab1.3d-slow", "ab2.0.59-slow", "ab2.2.7-basic",
    ),
    "wrk": (
        "wrk-basic", "wrk-latency", "wrk-mix", "wrk-timeout", "wrk-t2c10", "wrk-sigint", "wrk-lua-report",
    ),
    "wrk2": ("wrk2-short", "wrk2-U", "wrk2-nolat", "wrk2-404"),
}
DIALECT = {"ab": "ab", "wrk": "wrk", "wrk2": "wrk"}  # the folder of a tool's fixtures → who reads them
PAIRS = 400


@cache
def clean(tool: str, name: str) -> tuple[str, Run]:
    """A fixture and the run in it."""
    text = (FIXTURES / tool / f"{name}.txt").read_text(encoding="utf-8")
    runs = parse(text, path=f"{name}.txt").runs
    assert len(runs) == 1
    return text, runs[0]


@cache
def present() -> list[tuple[str, str]]:
    """The fixtures that are there, of the tools that are known: (tool, name)."""
    known = names()
    return [
        (tool, name)
        for tool, chosen in CHOSEN.items() if DIALECT[tool] in known
        for name in chosen if (FIXTURES / tool / f"{name}.txt").exists()
    ]


@cache
def companions(tool: str, name: str) -> list[str]:
    """The fixture and two others of its tool that share the most labels: what a table of several reports holds."""
    _, own = clean(tool, name)
    others = [other for kind, other in present() if kind == tool and other != name]
    return [name, *sorted(others, key=lambda other: -_likeness(own, clean(tool, other)[1]))[:2]]


def _likeness(one: Run, other: Run) -> float:
    """The share of the measures of two runs that both have."""
    both, either = one.measures.keys() & other.measures.keys(), one.measures.keys() | other.measures.keys()
    return len(both) / len(either)


def varied(tool: str, name: str, *troubles: Trouble) -> tuple[Variant, list[tuple[str, Run]]] | None:
    """The variant of a fixture, and the clean reports that are in it; None where a trouble does not apply."""
    reports = [clean(tool, one) for one in companions(tool, name)]
    variant = vary([text for text, _ in reports], *troubles)
    return (variant, reports[: max(one.reports for one in troubles)]) if variant else None


def problems(variant: Variant, reports: list[tuple[str, Run]]) -> list[str]:
    """What is wrong with the parse of a variant; empty when all is well."""
    runs = list(parse(variant.data, path="variant.txt").runs)
    copies = sum(one.copies for one in variant.troubles)
    if len(runs) != len(reports):
        return [f"{len(runs)} runs, not {len(reports)}"]
    found: list[str] = []
    if copies != len(runs[0].source.copies):
        found.append(f"{len(runs[0].source.copies)} copies, not {copies}")
    for number, (run, (_, own)) in enumerate(zip(runs, reports, strict=True)):
        expected = {
            name: one.value for name, one in own.measures.items()
            if not any(trouble.loses(name) for trouble in variant.troubles)
        }
        found += _differences(f"run {number + 1}", expected, {name: one.value for name, one in run.measures.items()})
        found += _misplaced(variant, number, run, own)
    return found


def _differences(who: str, expected: dict[str, Number | None], got: dict[str, Number | None]) -> list[str]:
    found = [f"{who}: {name} is missing" for name in expected if name not in got]
    found += [f"{who}: {name} is invented: {value}" for name, value in got.items() if name not in expected]
    differ = [name for name in expected if name in got and got[name] != expected[name]]
    return found + [f"{who}: {name} is {got[name]}, not {expected[name]}" for name in differ]


def _misplaced(variant: Variant, number: int, run: Run, own: Run) -> list[str]:
    """Whether the run's first and last line are where the report stands in the variant."""
    if not all(one.lines for one in variant.troubles):
        return []
    span = variant.span(number, own.source.first_line or 0, own.source.last_line or 0)
    given = (run.source.first_line, run.source.last_line)
    pairs = zip(("first", "last"), given, span, strict=True)
    return [f"{which} line is {got}, not {line}" for which, got, line in pairs if line is not None and got != line]


def _single() -> list[tuple[str, str, Trouble]]:
    return [(tool, name, one) for tool, name in present() for one in TROUBLES if varied(tool, name, one)]


def _pairs(count: int, seed: int = 3) -> list[tuple[str, str, Trouble, Trouble]]:
    """A sample of fixtures with two troubles, the same every time."""
    chance = random.Random(seed)
    both = [(one, other) for one, other in combinations(TROUBLES, 2) if fit(one, other)]
    drawn = [(*chance.choice(present()), *chance.choice(both)) for _ in range(count)] if present() else []
    return [draw for draw in drawn if varied(*draw)]


@pytest.mark.parametrize(
    ("tool", "name", "trouble"), [pytest.param(*one, id=f"{one[1]}-{one[2].name}") for one in _single()]
)
def test_trouble(tool: str, name: str, trouble: Trouble) -> None:
    made = varied(tool, name, trouble)
    assert made
    assert problems(*made) == []


@pytest.mark.parametrize(
    ("tool", "name", "one", "other"),
    [pytest.param(*draw, id=f"{draw[1]}-{draw[2].name}+{draw[3].name}") for draw in dict.fromkeys(_pairs(PAIRS))],
)
def test_pair_of_troubles(tool: str, name: str, one: Trouble, other: Trouble) -> None:
    made = varied(tool, name, one, other)
    assert made
    assert problems(*made) == []


def cut_problems(tool: str, name: str) -> list[str]:
    """What goes wrong when the report ends after each of its lines: the values above must stand, and no others."""
    text, own = clean(tool, name)
    lines = text.splitlines(keepends=True)
    where = settled(text, own.measures)
    found: list[str] = []
    for kept in range(1, len(lines)):
        runs = parse("".join(lines[:kept]), path="cut.txt").runs
        got = {measure: one.value for run in runs for measure, one in run.measures.items()}
        wanted = [measure for measure, line in where.items() if line <= kept]
        found += [f"cut below line {kept}: {len(runs)} runs"] if len(runs) > 1 else []
        found += [f"cut below line {kept}: {measure} is missing" for measure in wanted if measure not in got]
        wrong = [one for one, value in got.items() if one not in own.measures or own.value(one) != value]
        found += [f"cut below line {kept}: {measure} is {got[measure]}, not {own.value(measure)}" for measure in wrong]
    return found


@pytest.mark.parametrize(("tool", "name"), present())
def test_cut_at_every_line(tool: str, name: str) -> None:
    assert cut_problems(tool, name) == []


@pytest.mark.parametrize(("tool", "name"), present())
def test_settled_knows_every_measure(tool: str, name: str) -> None:
    text, own = clean(tool, name)
    assert set(settled(text, own.measures)) == set(own.measures)


def main(chosen: list[str]) -> None:
    """Prints a line a trouble: how many fixtures it leaves whole, and the first problems of the others."""
    for trouble in (one for one in TROUBLES if not chosen or one.name in chosen):
        made = [(name, varied(tool, name, trouble)) for tool, name in present()]
        tried = [(name, problems(*one)) for name, one in made if one]
        bad = [(name, found) for name, found in tried if found]
        print(f"{trouble.name:28} {len(tried) - len(bad):3} of {len(tried):3}")
        for name, found in bad[: len(bad) if chosen else 2]:
            print(f"    {name}: {len(found)}: {'; '.join(found[:3])}")


if __name__ == "__main__":
    main(sys.argv[1:])
