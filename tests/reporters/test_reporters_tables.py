"""Tables for people: fitted to the terminal, empty columns left out; and a log cannot talk to the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import abcompare
from abcompare.metrics import human
from abcompare.records import Archive, Finding, Load, Measure, Run, Source, Target, Tool
from abcompare.reporters import Style
from abcompare.reporters.cells import for_markdown, for_sheet, meaning, value_of, visible
from abcompare.reporters.table import Column, as_markdown, as_text

AB = Path(__file__).resolve().parents[2] / "fixtures" / "ab"
ESCAPES = re.compile(r"\x1b\[\d+m")
NASTY = "\x1b]0;title\x07\x1b[31m=cmd|'/c calc'!A0 \x9b2J\u202eevil\u2028|`<script>[x](javascript:1)\r\nnext"


def text_of(document: Archive | Run, style: Style | None = None) -> str:
    text = abcompare.render(document, "text", style)
    assert isinstance(text, str)
    return text


def nasty_run() -> Run:
    return Run(
        id="feed", tool=Tool(NASTY, NASTY, NASTY), source=Source(NASTY, 1, 2, ((NASTY, 3),)),
        label=NASTY, command=NASTY,
        target=Target(NASTY, NASTY, 80, NASTY, NASTY), load=Load(method=NASTY, headers={NASTY: NASTY}),
        measures={NASTY: Measure(1, NASTY, NASTY, None, method=NASTY), "duration": Measure(None, "s", NASTY, None)},
        status_codes={NASTY: 1}, series={NASTY: [1]}, host={NASTY: NASTY},
        findings=(Finding(NASTY, "info", NASTY, path=NASTY),),
    )  # fmt: skip


# -- cells -------------------------------------------------------------------------------------------------------------


@given(st.text())
def test_visible_text_is_one_line_without_commands(text: str) -> None:
    plain = visible(text)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", plain)
    assert len(plain.splitlines()) <= 1
    plain.encode()


def test_visible_text_says_what_was_there() -> None:
    assert visible("a\x1b[31m\tb\u202e\ud800") == "a\\x1b[31m b\\u202e\\ud800"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(1)"])
def test_formulas_are_quoted(text: str) -> None:
    assert for_sheet(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-", "ab -n 10", "a=b", ""])
def test_what_is_no_formula_is_not(text: str) -> None:
    assert for_sheet(text) == text


def test_markdown_shows_everything_as_it_is() -> None:
    assert for_markdown("a|b `c` <b> & [x](y) *z* ~~s~~") == (
        r"a\|b \`c\` &lt;b&gt; &amp; \[x\](y) \*z\* \~\~s\~\~"
    )


def test_values() -> None:
    assert value_of(None) == ""
    assert value_of(Measure(None, "s", "-nan", None)) == "—"
    assert value_of(Measure(0.00628, "s", "6.28", None)) == human(0.00628, "s")
    assert value_of(Measure(3.5, "W", "3.5", None)) == "3.5 W"


def test_meanings() -> None:
    assert meaning("throughput").endswith("higher is better")
    assert "99.9 % quantile" in meaning("latency.p99.9")
    assert "does not know" in meaning("gpu.watts")


# -- the table ---------------------------------------------------------------------------------------------------------


def wide() -> list[Column]:
    return [
        Column("label", ["old", "new"], least=8),
        Column("source", ["logs/somewhere/deep/a.txt:61", "b"], least=14, keep_end=True),
        Column("command", ["ab -c 10 -n 100 http://127.0.0.1:8080/index.html", "x"], least=17, rank=9),
        Column("throughput", ["1", "2"], right=True),
        Column("empty", ["", ""]),
        Column("id", ["c0ffee", "decade"], rank=10),
    ]


def test_columns_that_are_empty_everywhere_are_left_out() -> None:
    assert "empty" not in as_text(wide(), Style())


def test_as_wide_as_it_gets_without_a_terminal() -> None:
    assert "ab -c 10 -n 100 http://127.0.0.1:8080/index.html" in as_text(wide(), Style())


@pytest.mark.parametrize("width", range(36, 130))
def test_it_fits_the_terminal(width: int) -> None:
    drawn = as_text(wide(), Style(width))
    table = [line for line in drawn.splitlines() if not line.startswith("(left out")]
    assert max(map(len, table)) <= width
    assert "throughput" in table[0]


def test_the_widest_gives_first_and_paths_keep_their_end() -> None:
    drawn = as_text(wide(), Style(90))
    assert "logs/somewhere/deep/a.txt:61" in drawn
    assert "ab -c 10 -n 100 http://127.0.0.1…" in drawn
    assert "…deep/a.txt:61" in as_text(wide(), Style(60))


def test_what_is_left_out_is_said() -> None:
    drawn = as_text(wide(), Style(40))
    assert drawn.splitlines()[-1] == "(left out for want of width: command, id)"


def test_long_cells_are_wrapped() -> None:
    columns = [Column("code", ["A"]), Column("what", ["word " * 30], least=30, wrap=True)]
    drawn = as_text(columns, Style(60))
    assert max(map(len, drawn.splitlines())) <= 60
    assert drawn.count("word") == 30


def test_colour_is_only_added() -> None:
    plain, colored = as_text(wide(), Style(90)), as_text(wide(), Style(90, color=True))
    assert "\x1b[" in colored
    assert ESCAPES.sub("", colored) == plain


def test_markdown_cells_do_not_end_a_row() -> None:
    rows = as_markdown([Column("a|b", ["x|y", "z"]), Column("c", ["1", "2"])]).splitlines()
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [3] * 4


# -- archives and runs -------------------------------------------------------------------------------------------------


def test_the_table_of_an_archive() -> None:
    archive = abcompare.parse_files([AB / "ab-k.txt", AB / "ab-404.txt", AB / "ab-sigint.txt"])
    head, _, *rows = text_of(archive).splitlines()
    assert head.split() == [
        "source", "tool", "command", "or", "target", "C", "requests", "duration", "throughput", "mean", "p50", "p99",
        "failed", "non-2xx", "findings", "note", "id",
    ]  # fmt: skip
    assert len(rows) == 3
    assert "incomplete" in rows[2]
    assert "1,000" in rows[1]


def test_copies_are_counted() -> None:
    text = (AB / "ab-k.txt").read_text()
    merged = abcompare.merge([abcompare.parse(text, path="a"), abcompare.parse(text, path="b")])
    assert "a:1 ×2" in text_of(merged)


def test_errors_of_a_tool_that_counts_no_failed_requests() -> None:
    measures = {"errors.read": Measure(24904, "1", "24904", 0.5), "errors.connect": Measure(1, "1", "1", 0.5)}
    run = Run(id="x", tool=Tool("wrk"), source=Source("x"), measures=measures)
    assert "24,905" in text_of(Archive(runs=(run,)))


def test_ids_are_as_long_as_it_takes_to_tell_them_apart() -> None:
    runs = tuple(Run(id=f"c0ffee00c0ffee{n:02}", tool=Tool("ab"), source=Source(f"x{n}")) for n in (1, 2))
    assert "c0ffee00c0ffee01" in text_of(Archive(runs=runs))
    assert "c0ffee00\n" in text_of(Archive(runs=runs[:1]))


def test_an_archive_without_runs() -> None:
    assert text_of(Archive()) == "no runs\n"
    assert abcompare.render(Archive(), "markdown") == "no runs\n"
    assert abcompare.render(Archive(), "csv").count("\n") == 1  # type: ignore[arg-type]
    assert abcompare.render(Archive(), "ndjson") == b""
    assert abcompare.render(Archive(), "ab") == ""


@pytest.mark.parametrize("log", sorted(AB.glob("*.txt")), ids=lambda path: path.stem)
def test_a_run_in_full_holds_every_number_and_finding(log: Path) -> None:
    for run in abcompare.parse_file(log).runs:
        text = text_of(run, Style(100, explain=True))
        for name, measure in run.measures.items():
            assert re.search(rf"^  {re.escape(name)} .*{re.escape(measure.text)}", text, re.MULTILINE), name
        for finding in run.findings:
            assert finding.code in text
        assert run.id in text
        assert max(map(len, text.splitlines())) <= 100


def test_what_is_not_known_has_no_line() -> None:
    run = Run(id="feed", tool=Tool("ab"), source=Source("x"))
    assert text_of(run) == "run feed\n  tool    ab\n  source  x\n"


def test_explained_in_plain_words() -> None:
    run = abcompare.parse_file(AB / "ab-k.txt").runs[0]
    assert "kept open" not in text_of(run)
    assert "kept open" in text_of(run, Style(explain=True))
    assert "kept open" in str(abcompare.render(run, "markdown", Style(explain=True)))


@pytest.mark.parametrize("name", ["text", "markdown", "csv", "tsv"])
@pytest.mark.parametrize("color", [False, True])
def test_a_log_cannot_talk_to_what_shows_it(name: str, color: bool) -> None:
    run = nasty_run()
    for document in (run, Archive(runs=(run,))):
        drawn = abcompare.render(document, name, Style(200, color))
        assert isinstance(drawn, str)
        commands = set(re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]", ESCAPES.sub("", drawn)))
        assert commands <= ({"\t"} if name == "tsv" else set())
        assert "\nnext" not in drawn
        if name == "markdown":
            assert "<script>" not in drawn
