"""Properties: any text at all never raises; what the grammars can spell is read; nothing is lost without a word."""

from __future__ import annotations

import random
import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark

from abcompare.blocks import Block
from abcompare.dialects.grammars import grammar
from abcompare.reading import parse
from abcompare.registry import dialect
from abcompare.search import Patterns, beginnings
from tests.golden import texts

SLOW = list(HealthCheck)
LOGS = [path.read_text(encoding="utf-8") for path in texts()]


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    archive = parse(text)
    assert archive.runs == () or any(word in text for word in ("equest", "Latency", "%"))


@given(st.binary())
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    assert parse(data).schema == "abcompare/1"


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(st.data())
def test_torn_and_shuffled_logs_are_read_without_an_error(data: st.DataObject) -> None:
    """Pieces of real logs in any order, with marks and markup between them: lines stay within the text."""
    chance = random.Random(data.draw(st.integers(0, 1 << 32)))
    pieces: list[str] = []
    for _ in range(chance.randint(1, 6)):
        log = chance.choice(LOGS)
        start = chance.randrange(len(log))
        pieces.append(log[start : start + chance.randint(0, 1200)])
        pieces.append(chance.choice(["", "\n", "|", "```\n", "<td>", "&lt;", "\x1b[0m", "\u3000", "\\n", "- ", "\r", "%", "1"]))
    text = "".join(pieces)
    archive = parse(text)
    lines = text.count("\n") + text.count("\r") + 1
    for run in archive.runs:
        assert 1 <= (run.source.first_line or 0) <= (run.source.last_line or 0) <= lines
        for measure in run.measures.values():
            assert measure.text


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(from_lark(grammar("ab").lark))
def test_what_ab_s_grammar_spells(text: str) -> None:
    reading = dialect("ab").parse(Block(text))
    assert reading.run or reading.findings or reading.attachments


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(from_lark(grammar("wrk").lark))
def test_what_wrk_s_grammar_spells(text: str) -> None:
    reading = dialect("wrk").parse(Block(text))
    assert reading.run or reading.findings or reading.unrecognised


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(st.data())
def test_every_match_of_a_terminal_begins_as_the_search_expects(data: st.DataObject) -> None:
    """The searching lexer looks for literal beginnings first: no terminal may match anything else."""
    name = data.draw(st.sampled_from(["ab", "wrk"]))
    terminals = [one for one in grammar(name).lark.terminals if one.name != "TEXT"]
    terminal = data.draw(st.sampled_from(terminals))
    pattern = terminal.pattern.to_regexp()
    heads = beginnings(pattern)
    assert heads, f"{terminal.name} has no literal beginning, which makes the whole grammar slow"
    text = data.draw(st.from_regex(pattern))
    found = re.search(pattern, text)
    assert found is None or found.group().startswith(tuple(heads))


@given(st.text(alphabet="ab12 :\n", max_size=60))
def test_searching_finds_what_a_plain_regular_expression_finds(text: str) -> None:
    patterns = [("A", r"ab\s*:\s*(\d+)"), ("B", r"(?:a|b)1"), ("C", r"12(?!\d)")]
    plain = re.compile("|".join(f"(?:{pattern})" for _, pattern in patterns))
    assert [found.span() for _, found in Patterns(patterns).find(text)] == [found.span() for found in plain.finditer(text)]
