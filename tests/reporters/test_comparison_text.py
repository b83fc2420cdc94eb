"""A comparison on a terminal: a block a load, one verdict a row, and the last line says what the gate can see."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

import abcompare
from abcompare.comparison import Centre, Comparison, Scenario, Side, Unpaired
from abcompare.records import Finding
from abcompare.reporters import Style
from tests.reporters.comparisons import FULL, KEY, VERDICTS, centre, comparison, failed, row, secondary, shown

ESCAPES = re.compile(r"\x1b\[\d+m")
NASTY = "\x1b]0;title\x07\x1b[31m=cmd|'/c calc'!A0 \x9b2J\u202eevil\u2028|`<script>[x](javascript:1)\r\nnext"


def text_of(document: Comparison, style: Style | None = None) -> str:
    text = abcompare.render(document, "text", style)
    assert isinstance(text, str)
    return text


def cells(text: str, name: str) -> list[str]:
    """The cells of the line that begins with a name."""
    line = next(line for line in text.splitlines() if line.startswith(name))
    return re.split(r"\s{2,}", line)


# -- rows --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verdict", VERDICTS)
def test_each_row_has_one_verdict(verdict: str) -> None:
    text = text_of(comparison(VERDICTS[verdict]))
    assert cells(text, "throughput")[-1] == verdict
    assert sum(text.count(f"  {other}\n") for other in VERDICTS) == 1


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("not-comparable", "throughput: differs in document_length: 151 B, 44 B (--vary accepts it)"),
        ("not-testable", "One run per side cannot show that this is real: it would be significant only if throughput varies by less than the break-even CV from run to run here"),
        ("provisional", "throughput: below 4 runs per side this is provisional"),
        ("negligible", "throughput: real, but within ±5 %"),
        ("equivalent", "throughput: same within ±5 % (shown: ±0.30 %)"),
        ("inconclusive", "throughput: cannot tell: [−3.3 %, +6.4 %]; this design detects ≥ 6.9 %; about 9 runs per side for 5 %"),
    ],
)  # fmt: skip
def test_each_verdict_has_its_sentence(verdict: str, said: str) -> None:
    assert said in text_of(comparison(VERDICTS[verdict]))


@pytest.mark.parametrize("verdict", ["better", "worse"])
def test_what_the_row_says_is_not_said_twice(verdict: str) -> None:
    assert "throughput:" not in text_of(comparison(VERDICTS[verdict]))


def test_the_break_even_cv_has_a_column() -> None:
    line = cells(text_of(comparison(VERDICTS["not-testable"])), "throughput")
    assert line == ["throughput", "higher", "6.36/s", "6.63/s", "+4.22 %", "1.49 %", "not-testable"]


def test_a_full_row() -> None:
    line = cells(text_of(FULL), "throughput")
    assert line == ["throughput", "higher", "100.0/s ±1 %", "34.70/s ±1 %", "−65.3 %", "[−68.1, −62.2]", "p<0.001", "worse"]


def test_the_head_names_the_load_and_the_sides() -> None:
    head = text_of(FULL).splitlines()[0]
    assert re.split(r"\s{2,}", head) == ["/a.zip c=10", "better", "aio off (n=5)", "aio on (n=5)", "change", "95 % CI", "test", "verdict"]


def test_the_confidence_is_that_of_alpha() -> None:
    assert "99 % CI" in text_of(replace(FULL, alpha=0.01))


def test_size_uncertain_is_said() -> None:
    assert cells(text_of(FULL), "p90")[-1] == "better, size uncertain"


def test_a_percentile_without_support_stands_in_parentheses() -> None:
    text = text_of(FULL)
    assert cells(text, "p99")[2:4] == ["(6.280 s)", "(6.922 s)"]
    assert "p99: 1 % tail of 100 requests is one request" in text
    assert "In parentheses" in text


def test_the_mean_that_is_the_throughput() -> None:
    text = text_of(FULL)
    assert cells(text, "latency mean") == ["latency mean", "100.0 ms ±1 %", "288.2 ms ±1 %", "+188 %", "= C/throughput"]
    assert "  latency mean: the throughput in other words: concurrency / throughput\n" in text


@pytest.mark.parametrize(
    "scenario",
    [
        {"findings": (Finding("LITTLE", "info", "outside"),)},
        {"key": KEY | {"load.concurrency": None}},
        {"metrics": (VERDICTS["worse"], shown("latency.mean", 0.1, 0.2))},
        {"metrics": (secondary("latency.p99", "worse", role="primary"), shown("throughput", 100, 100), shown("latency.mean", 0.1, 0.1))},
    ],
)
def test_the_mean_where_it_is_a_number_of_its_own(scenario: dict[str, Any]) -> None:
    one = replace(FULL, scenarios=(replace(FULL.scenarios[0], **scenario),))
    assert "C/throughput" not in text_of(one)


def test_runs_that_lack_a_metric_are_told() -> None:
    assert "4.400 s ±1 % (n=3)" in text_of(comparison(VERDICTS["better"], secondary("latency.p50", "provisional", new=centre(4.4, n=3))))


def test_p_is_never_zero() -> None:
    for p in (0.0, 1e-300, 0.00099):
        text = text_of(comparison(row(p=p, p_adjusted=p)), Style(verbose=True))
        assert "p<0.001" in text
        assert not re.search(r"p=?\s?0\.000", text)


def test_minus_is_a_minus() -> None:
    assert not re.search(r"(?<![\w-])-\d", text_of(FULL))


# -- failures ----------------------------------------------------------------------------------------------------------


def drawn(**more: Any) -> str:
    return text_of(comparison(VERDICTS["better"], scenarios=(Scenario(KEY, "aio on", (VERDICTS["better"],), (failed(**more),)),)))


def test_no_failures() -> None:
    assert cells(drawn(), "failed") == ["failed", "lower", "0 of 500 (<0.6 %)", "0 of 500 (<0.6 %)"]


def test_new_failures() -> None:
    text = drawn(
        new=((20, 100),) * 5, p=0.0003, method="overdispersed-by-run", blocked=("new",), regression=True,
        reason="new: 100 of 500 requests failed",
    )  # fmt: skip
    assert cells(text, "failed")[2:] == ["0 of 500 (<0.6 %)", "100 of 500 (20 %)", "+20.00 points", "p<0.001", "worse: new failures"]
    assert "failed: new: 100 of 500 requests failed" in text


def test_failures_of_single_runs() -> None:
    text = drawn(base=((0, 100),), new=((4, 100),), low=-0.004, high=0.098, p=0.12, method="fisher-within-run")
    assert cells(text, "failed")[4:] == ["+4.00 points", "[−0.40, +9.80]", "p=0.12 within this run"]


def test_a_blocked_base() -> None:
    assert cells(drawn(base=((50, 100),) * 5, blocked=("base",)), "failed")[-1] == "blocked: base"


@pytest.mark.parametrize(
    ("base", "new", "said"),
    [
        (((1, 1000),), ((0, 1000),), "failed: 1 length failure not counted (--strict-length counts it)"),
        (((900, 1000),), ((1000, 1000),), "failed: 1,900 length failures not counted (--strict-length counts them)"),
    ],
)  # fmt: skip
def test_length_failures_that_are_not_counted_are_told(base: Any, new: Any, said: str) -> None:
    length = replace(failed(base=base, new=new), kind="length")
    text = text_of(comparison(VERDICTS["better"], scenarios=(Scenario(KEY, "aio on", (VERDICTS["better"],), (failed(), length)),)))
    assert f"  {said}\n" in text
    assert "not counted" not in drawn()


def test_a_latency_of_zero_is_below_what_was_printed() -> None:
    none = Centre(1, None, None, None, (0,))
    p50 = secondary("latency.p50", "not-testable", base=none, new=none, ratio=None)
    p90 = secondary("latency.p90", "not-testable", base=centre(0.001, n=1), new=centre(0.002, n=1))
    text = text_of(comparison(p50, p90))
    assert cells(text, "p50")[2:4] == ["<0.5 ms", "<0.5 ms"]
    assert cells(text, "p90")[2:4] == ["1 ms", "2 ms"]


def test_the_break_even_cv_is_said_once() -> None:
    reason = "−3.91 %: one run on a side cannot show that this is real: it would be significant only if it varied by less than 1.44 % from run to run here"
    text = text_of(comparison(replace(VERDICTS["not-testable"], reason=reason)))
    assert "throughput: one run on a side cannot show that this is real: it would be significant only if it varied by less than the break-even CV" in text


@pytest.mark.parametrize("format", ["text", "markdown"])
def test_quiet_leaves_out_what_is_only_worth_knowing(format: str) -> None:
    info, warning = Finding("LITTLE", "info", "outside"), Finding("SHORT-RUN", "warning", "too short")
    one = replace(VERDICTS["better"], findings=(Finding("PERMUTATION", "info", "two sides"),))
    document = comparison(one, scenarios=(Scenario(KEY, "aio on", (one,), (), (info, warning)),), findings=(Finding("X", "info", "x"),))
    loud, quiet = (abcompare.render(document, format, Style(quiet=quiet)) for quiet in (False, True))
    assert str(loud).count("info ") == 3
    assert "info " not in str(quiet)
    assert "SHORT-RUN" in str(quiet)


# -- below the tables --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", [FULL, *(comparison(one) for one in VERDICTS.values())])
@pytest.mark.parametrize("width", [None, 60, 80, 120])
def test_the_last_line_is_the_outcome(document: Comparison, width: int | None) -> None:
    last = text_of(document, Style(width)).splitlines()[-1]
    assert last == f"exit {document.exit_code}: {document.exit_reason}; this gate finds a loss of 9 % or more in 80 % of cases"


def test_a_gate_that_sees_nothing_says_so() -> None:
    blind = comparison(VERDICTS["not-testable"], gate_detects=None, exit_code=3, exit_reason="no row could gate")
    assert text_of(blind).endswith("exit 3: no row could gate; this gate sees no loss of any size\n")


def test_families_are_marked_and_their_sizes_said() -> None:
    text = text_of(FULL)
    assert cells(text, "p50")[6] == "p=0.002*"
    assert cells(text, "throughput")[6] == "p<0.001"
    assert "\n* Holm-adjusted over 4 secondary metrics of the scenario.\n" in text
    assert "\nA p without a mark is a family of one test: not adjusted.\n" in text


def test_two_families_two_marks() -> None:
    first = row(family_size=3, adjustment="benjamini-hochberg", p_adjusted=0.0012)
    text = text_of(comparison(first, secondary("latency.p50", "worse")))
    assert cells(text, "throughput")[6] == "p=0.001†"
    assert "† Benjamini–Hochberg-adjusted over 3 primary metrics of all scenarios." in text
    assert "without a mark" not in text


def test_what_the_spread_is() -> None:
    text = text_of(FULL)
    assert "± is the 95 % CI half-width of the geometric mean, not a standard deviation; intervals are not adjusted." in text
    assert "not a standard deviation" not in text_of(comparison(VERDICTS["not-testable"]))


def test_the_rest_is_listed() -> None:
    text = text_of(FULL)
    assert "loads without a partner\n  only aio off: /b.tar.gz c=1000 (2 runs)\n" in text
    assert "runs that take no part\n  0badcafe (logs/x.txt:7): disk was full\n" in text
    assert "  warning VARIES: the runs of aio on vary in port (80/8080)\n" in text


def test_the_overall_row() -> None:
    line = next(line for line in text_of(FULL).split("all scenarios")[1].splitlines() if line.startswith("throughput"))
    assert re.split(r"\s{2,}", line) == ["throughput", "higher", "−20.5 %", "[−22.3, −18.7]", "p<0.001", "worse"]


def test_findings_of_a_row_name_it() -> None:
    found = Finding("PERMUTATION", "info", "the permutation check says p=0.2", measure="throughput")
    assert "  info PERMUTATION (throughput): the permutation check says p=0.2" in text_of(comparison(row(findings=(found,))))


def test_a_finding_of_all_loads_is_said_once() -> None:
    found = Finding("NOT-INTERLEAVED", "warning", "sides not interleaved")
    scenarios = tuple(Scenario(KEY | {"load.concurrency": c}, "aio on", (VERDICTS["better"],), findings=(found,)) for c in (1, 2, 3))
    text = text_of(comparison(scenarios=scenarios))
    assert text.count("NOT-INTERLEAVED") == 1
    assert "warning NOT-INTERLEAVED (3 scenarios): sides not interleaved" in text


def test_more_sides_than_two() -> None:
    scenarios = tuple(Scenario(KEY, label, (VERDICTS["better"],)) for label in ("B", "C"))
    overall = (row("better", role="global"), row("worse", role="global"))
    text = text_of(comparison(scenarios=scenarios, new=(Side("B"), Side("C")), overall=overall))
    assert "B (n=5)" in text
    assert "C (n=5)" in text
    assert cells(text, "throughput B")[-1] == "better"
    assert cells(text, "throughput C")[-1] == "worse"


def test_nothing_in_common() -> None:
    text = text_of(comparison(scenarios=(), exit_code=3, exit_reason="1 loads of the base have no partner"))
    assert "no load was run by both sides" in text


def test_a_long_label_is_cut_and_said_in_full() -> None:
    label = "nginx with a very long description of what was changed"
    text = text_of(comparison(VERDICTS["better"], base=Side(label)))
    assert "nginx with a very long …" in text
    assert f"Label in full: {label}\n" in text


def test_a_long_load_has_a_line_of_its_own() -> None:
    long = KEY | {"target.path": "/a/very/long/path?with=a&query=string"}
    text = text_of(comparison(scenarios=(Scenario(long, "aio on", (VERDICTS["better"],)),)))
    assert text.splitlines()[0] == "/a/very/long/path?with=a&query=string c=10"
    assert text.splitlines()[1].startswith("metric  ")


def test_loads_that_look_alike_are_told_apart() -> None:
    scenarios = tuple(Scenario(KEY | {"load.keep_alive": kept}, "aio on", (VERDICTS["better"],)) for kept in (False, None))
    heads = [line for line in text_of(comparison(scenarios=scenarios)).splitlines() if "a.zip" in line]
    assert len(set(heads)) == 2


# -- verbose -----------------------------------------------------------------------------------------------------------


def test_verbose_says_how_it_was_tested() -> None:
    full = row(
        permutation_p=0.0079, equivalence_p=0.0166, margin_shown=0.0456, detectable_change=0.0178, runs_needed=2, margin=0.05,
        resolution_low=1.1209, resolution_high=1.1211, effect_sizes={"cliffs_delta": 1.0, "ratio_of_means": 1.12},
        without_outliers={"verdict": "equivalent", "ratio": 1.01},
    )  # fmt: skip
    text = text_of(comparison(full), Style(verbose=True))
    for said in (
        "welch-log with 7.5 df", "in a family of 1", "permutation p 0.0079 (exact)", "equivalence p 0.0166", "detects ≥ 1.8 %",
        "2 runs per side needed for 5 %", "without the flagged values: equivalent, +1.00 %", "ratio of means +12.0 %",
    ):  # fmt: skip
        assert said in text
    assert "Cliff" not in text, "effect sizes are for the JSON only"
    assert "welch" not in text_of(comparison(full))


# -- terminals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", range(64, 140, 4))
def test_it_fits_the_terminal(width: int) -> None:
    text = text_of(FULL, Style(width))
    lines = [line for line in text.splitlines()[:-1] if not line.startswith("(left out")]
    assert max(map(len, lines)) <= width
    for verdict in ("worse", "better, size uncertain", "not-testable"):
        assert re.search(rf"  {verdict}$", text, re.MULTILINE), "a verdict is never left out"


def test_long_labels_move_into_the_heading_where_it_is_narrow() -> None:
    text = text_of(comparison(VERDICTS["worse"], base=Side("nginx/0.7.19 patched")), Style(80))
    assert text.splitlines()[0] == "/a.zip c=10: nginx/0.7.19 patched → aio on"
    assert "base (n=5)" in text


def test_the_bounds_of_failures_are_kept_where_it_is_narrow() -> None:
    assert "failed: 95 % bounds: base <0.6 %, new <0.6 %" in text_of(FULL, Style(70))


def test_only_what_is_significant_has_a_colour() -> None:
    document = comparison(*VERDICTS.values(), *FULL.scenarios[0].metrics[1:])
    for line in text_of(document, Style(color=True)).splitlines()[2:]:
        colored = re.search(r"\x1b\[(31|32)m", line)
        if colored and not line.startswith("exit"):
            assert re.search(r"\x1b\[(31mworse|32mbetter)", line), line
    for verdict in ("not-testable", "provisional", "negligible", "equivalent", "inconclusive", "not-comparable"):
        assert f"m{verdict}" not in text_of(document, Style(color=True))


@pytest.mark.parametrize("width", [None, 70, 90])
def test_colour_is_only_added(width: int | None) -> None:
    colored = text_of(FULL, Style(width, color=True))
    assert "\x1b[31m" in colored
    assert ESCAPES.sub("", colored) == text_of(FULL, Style(width))


def nasty() -> Comparison:
    found = Finding(NASTY, "warning", NASTY)
    one = replace(row("worse", NASTY, metric=NASTY, method=NASTY, family=NASTY, family_size=2, adjustment=NASTY), findings=(found,))
    scenario = Scenario({"target.path": NASTY, NASTY: NASTY}, NASTY, (one,), (replace(failed(), reason=NASTY),), (found,))
    return comparison(
        scenarios=(scenario,), base=Side(NASTY, (NASTY,)), new=(Side(NASTY),), exit_reason=NASTY, findings=(found,),
        excluded=({"id": NASTY, "source": NASTY, "reason": NASTY},), overall=(one,),
        unpaired=(Unpaired(NASTY, {"target.path": NASTY}, (NASTY,)),),
    )  # fmt: skip


@pytest.mark.parametrize("name", ["text", "markdown", "csv", "tsv"])
@pytest.mark.parametrize("style", [Style(), Style(80, color=True), Style(verbose=True)])
def test_a_log_cannot_talk_to_what_shows_it(name: str, style: Style) -> None:
    drawn = abcompare.render(nasty(), name, style)
    assert isinstance(drawn, str)
    commands = set(re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]", ESCAPES.sub("", drawn)))
    assert commands <= ({"\t"} if name == "tsv" else set())
    assert "\nnext" not in drawn
    if name == "markdown":
        assert "<script>" not in drawn
