"""Reports of several tools in one text: each is found whole, in any order, whatever stands between them."""

from __future__ import annotations

import random

import pytest

from abcompare.reading import parse
from tests.golden import FIXTURES

BETWEEN = ("", "\n", "\n\n", "```\n\n```\n", "$ uptime\n 12:00:00 up 3 days\n", "---\n## and now the other one\n\n", "words\n" * 900)
NAMES = (
    "ab/ab-basic-n2000-c10", "ab/ab-k", "ab/ab-S", "ab/ab-dyn", "ab/ab1.3d-slow", "ab/ab2.2.7-basic", "ab/ab-post", "ab/ab-w",
    "wrk/wrk-latency", "wrk/wrk-basic", "wrk/wrk-404", "wrk2/wrk2-short", "wrk2/wrk2-nolat", "wrk2/wrk2-U",
)  # fmt: skip
TEXTS = {name: (FIXTURES / f"{name}.txt").read_text(encoding="utf-8") for name in NAMES}
ALONE = {name: parse(text).runs[0] for name, text in TEXTS.items()}


@pytest.mark.parametrize("between", BETWEEN, ids=range(len(BETWEEN)))
def test_every_pair_of_reports(between: str) -> None:
    wrong = []
    for one in NAMES:
        for other in NAMES:
            if one == other:
                continue
            runs = parse(TEXTS[one].rstrip("\n") + "\n" + between + TEXTS[other]).runs
            got = [{name: measure.text for name, measure in run.measures.items()} for run in runs]
            wanted = [{name: measure.text for name, measure in ALONE[name_].measures.items()} for name_ in (one, other)]
            if got != wanted:
                wrong.append((one, other, len(runs)))
    assert wrong == []


def test_ten_reports_in_any_order() -> None:
    chance = random.Random(5)
    for _ in range(20):
        names = chance.sample(NAMES, 10)
        runs = parse("\n".join(TEXTS[name] for name in names)).runs
        assert [run.id for run in runs] == [ALONE[name].id for name in names]
