"""Pairing, guards, failures, families and the gate."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from abcompare.compare import Options, calibrate, diff
from abcompare.compare.keys import condition, key
from abcompare.errors import UsageError
from abcompare.records import Archive
from benchmarks.simulated import Truth, comparisons
from tests.compare.made import run, side
from tests.compare.test_compare_verdicts import BASE, primary, times


def test_scenarios_meet_and_what_has_no_partner_is_listed() -> None:
    a = Archive(runs=tuple(run(1000 + n, n, label="a", concurrency=c) for c in (1, 10) for n in range(4)))
    b = Archive(runs=tuple(run(1000 + n, n + 50, label="b", concurrency=c) for c in (10, 100) for n in range(4)))
    found = diff([("a", a), ("b", b)])
    assert [scenario.key["load.concurrency"] for scenario in found.scenarios] == [10]
    assert [(one.label, one.key["load.concurrency"], len(one.runs)) for one in found.unpaired] == [("a", 1, 4), ("b", 100, 4)]
    assert found.exit_code == 3
    assert "no partner" in found.exit_reason


def test_by_a_key_in_one_file() -> None:
    runs = [*side("off", BASE)[1].runs, *side("on", times(0.8))[1].runs]
    found = diff([(None, Archive(runs=tuple(runs)))], Options(by="label"))
    assert (found.base.label, [new.label for new in found.new]) == ("off", ["on"])
    assert found.exit_code == 1


@pytest.mark.parametrize(("options", "message"), [(Options(), "one side"), (Options(by="label"), "fewer than two"), (Options(by="nonsense"), "no key")])
def test_one_file_without_two_sides_is_a_usage_error(options: Options, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        diff([("a", side("a", BASE)[1])], options)


def test_n_ways_compare_each_with_the_base() -> None:
    found = diff([side("a", BASE), side("b", times(1.2)), side("c", times(0.8))])
    assert [(one.label, one.metrics[0].verdict) for one in found.scenarios] == [("b", "better"), ("c", "worse")]
    assert {one.metrics[0].family_size for one in found.scenarios} == {2}


@pytest.mark.parametrize(("document", "comparable"), [(617, True), (620, False)])
def test_document_lengths_may_differ_by_one_percent(document: int, comparable: bool) -> None:
    sides = [side("a", BASE), side("b", times(1.2), document=document)]
    row = primary(diff(sides))
    assert (row.verdict != "not-comparable") == comparable
    if not comparable:
        assert "document_length: 612 B, 620 B" in row.reason
        assert primary(diff(sides, Options(vary=("document_length",)))).verdict == "better"


def test_other_tools_are_not_comparable_without_cross_tool() -> None:
    sides = [side("a", BASE), side("b", times(1.2), tool="wrk")]
    assert primary(diff(sides)).verdict == "not-comparable"
    assert primary(diff(sides, Options(cross_tool=True))).verdict == "better"


def test_runs_of_one_side_that_vary_are_said() -> None:
    mixed = Archive(runs=(*side("a", BASE[:2])[1].runs, *side("c", BASE[2:], port=81)[1].runs))
    found = diff([("a", mixed), side("b", times(1.2))])
    assert any(one.code == "VARIES" and "port" in one.message for one in found.findings)


def test_a_copy_is_no_replicate_and_an_incomplete_run_takes_no_part() -> None:
    a = side("a", [1000.0])[1].runs[0]
    doubled = Archive(runs=(a, a, run(900.0, 7, label="a", whole=False)))
    found = diff([("a", doubled), side("b", [990.0])])
    assert primary(found).base.n == 1
    assert [one["reason"].split(" (")[0] for one in found.excluded] == ["not complete"]
    assert primary(diff([("a", doubled), side("b", [990.0])], Options(accept_incomplete=True))).base.n == 2


def test_excluded_runs_are_recorded_with_their_reason() -> None:
    name, archive = side("a", BASE)
    found = diff([(name, archive), side("b", times(1.0))], Options(exclude={archive.runs[0].id: "cold cache"}))
    assert primary(found).base.n == 4
    assert found.excluded[0]["reason"] == "cold cache"


@pytest.mark.parametrize("name", ["requests.failed", "requests.complete", "requests.non_2xx", "connect.p50"])
def test_a_metric_is_no_part_of_the_load(name: str) -> None:
    assert key(name) == name


@pytest.mark.parametrize("name", ["", "nonsense", "load.", "load.requests.failed", "load.headers", "target.tls", "tls.nonsense", "source.nonsense", "tool.nonsense", "timeout_s.x"])
def test_what_is_no_key(name: str) -> None:
    with pytest.raises(UsageError, match="there is no key") as caught:
        key(name)
    assert "docs/keys.md" in (caught.value.hint or "")


def test_filters_and_keys() -> None:
    assert key("concurrency") == "load.concurrency"
    assert key("c") == "load.concurrency"
    assert key("p99") == "latency.p99"
    one = run(1000.0, concurrency=100)
    assert condition("concurrency=100").holds(one)
    assert not condition("concurrency<100").holds(one)
    assert condition("path!=/x").holds(one)
    assert condition("failed=0").holds(one)
    assert not condition("requests.complete<10000").holds(one)
    assert condition("requests=10000").holds(one)
    assert condition("load.headers.Accept-Encoding=").holds(one)
    with pytest.raises(UsageError):
        condition("concurrency")


# -- failures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "failed", "blocked"),
    [
        (100, [100] * 5, False), (100, [101] * 5, True), (0, [499, 0, 0, 0, 0], False), (0, [501, 0, 0, 0, 0], True),
        (0, [9] * 5, False), (0, [30] * 5, True),  # worse by the test by run, by less and by more than 0.1 point
    ],
)  # fmt: skip
def test_a_side_is_blocked_by_one_percent_of_all_or_five_of_a_run(before: int, failed: list[int], blocked: bool) -> None:
    b = Archive(runs=tuple(run(value, at, label="b", failed=count) for at, (value, count) in enumerate(zip(times(1.5), failed, strict=True))))
    found = diff([side("a", BASE, failed=before), ("b", b)])
    assert (primary(found).verdict == "not-comparable") == blocked
    assert found.exit_code == (1 if blocked else 0)


def test_a_build_that_fails_every_request_fails_the_gate() -> None:
    everything = diff([side("a", BASE), side("b", times(3.0), failed=10_000)])
    answers = diff([side("a", BASE), side("b", times(3.0), non_2xx=10_000)])
    empty = diff([side("a", BASE), side("b", times(3.0), received=0)])
    assert [one.exit_code for one in (everything, answers, empty)] == [1, 1, 1]
    assert "failures are new" in everything.exit_reason


def test_length_failures_are_no_failures_unless_asked() -> None:
    sides = [side("a", BASE), side("b", times(1.0), failed=9_000, length=9_000)]
    assert diff(sides).exit_code == 0
    assert diff(sides, Options(strict_length=True)).exit_code == 1


def test_both_sides_redirecting_are_compared() -> None:
    sides = [side("a", BASE, non_2xx=10_000), side("b", times(1.2), non_2xx=10_000)]
    assert primary(diff(sides)).verdict == "better"


# -- families and gate -------------------------------------------------------------------------------------------------


def _scenarios(factors: list[float], label: str) -> tuple[str, Archive]:
    runs = [run(value, at, label=label, path=f"/{number}") for number, factor in enumerate(factors) for at, value in enumerate(times(factor))]
    return label, Archive(runs=tuple(runs))


def test_primaries_are_adjusted_over_all_scenarios() -> None:
    found = diff([_scenarios([1.0] * 4, "a"), _scenarios([0.5, 1.0, 1.0, 1.0], "b")])
    rows = [scenario.metrics[0] for scenario in found.scenarios]
    assert {row.family_size for row in rows} == {4}
    assert {row.adjustment for row in rows} == {"holm"}
    assert all((row.p_adjusted or 0) >= (row.p or 0) for row in rows)
    assert found.overall[0].role == "global"
    fdr = diff([_scenarios([1.0] * 4, "a"), _scenarios([0.5, 1.0, 1.0, 1.0], "b")], Options(fdr=True))
    assert {scenario.metrics[0].adjustment for scenario in fdr.scenarios} == {"benjamini-hochberg"}


@pytest.mark.parametrize(("spread", "code"), [(1.0, 0), (40.0, 3)])
def test_require_decision_turns_undecided_into_three(spread: float, code: int) -> None:
    noisy = [1000 + spread * (value - 1000) for value in BASE]
    sides = [side("a", noisy), side("b", [value + 1 for value in reversed(noisy)])]
    assert diff(sides).exit_code == 0
    assert diff(sides, Options(require_decision=True)).exit_code == code


@pytest.mark.parametrize(("factor", "code"), [(0.97, 0), (0.94, 1)])
def test_not_worse_needs_the_loss_excluded(factor: float, code: int) -> None:
    assert diff([side("a", BASE), side("b", times(factor))], Options(not_worse=0.05)).exit_code == code


def test_the_gate_says_what_it_sees() -> None:
    found = diff([side("a", BASE), side("b", times(1.0))])
    assert found.gate_detects == pytest.approx(0.0526, abs=0.005)


def test_sides_one_after_the_other_are_said() -> None:
    a = Archive(runs=tuple(run(value, at, label="a", order=at) for at, value in enumerate(BASE)))
    b = Archive(runs=tuple(run(value + 1, at, label="b", order=5 + at) for at, value in enumerate(BASE)))
    codes = [one.code for one in diff([("a", a), ("b", b)]).scenarios[0].findings]
    assert "NOT-INTERLEAVED" in codes


def test_calibration_from_an_archive_makes_one_run_a_side_provisional() -> None:
    known = calibrate(side("a", [4190.2, 4265.7, 4158.9, 4231.4, 4302.6, 4207.8])[1])[0]
    assert known.metrics["throughput"]["sd"] == pytest.approx(0.012320022892, rel=1e-6)
    row = primary(diff([side("a", [4210.35]), side("b", [4388.12])], Options(calibration=(known,))))
    assert row.verdict == "provisional"
    assert row.p == pytest.approx(0.0636699838, rel=1e-4)


def test_noise_can_be_borrowed_from_other_scenarios() -> None:
    a = Archive(runs=(*side("a", BASE, path="/many")[1].runs, *side("a", [4210.35], path="/one")[1].runs))
    b = Archive(runs=(*side("b", times(1.0), path="/many")[1].runs, *side("b", [4388.12], path="/one")[1].runs))
    rows = {one.key["target.path"]: one.metrics[0] for one in diff([("a", a), ("b", b)], Options(borrow_noise=True)).scenarios}
    assert rows["/one"].verdict == "provisional"
    assert rows["/many"].verdict == "equivalent"


@pytest.mark.parametrize(("base", "new"), [([None], [1000.0]), ([0.0] * 4, [0.0] * 4), ([1000.0] * 2, [None] * 2)])
def test_a_side_without_the_metric_has_its_sentence(base: list[float | None], new: list[float | None]) -> None:
    found = diff([side("a", base), side("b", new)])
    assert primary(found).verdict == "not-testable"
    assert primary(found).reason
    assert found.exit_code == 3


def test_no_load_in_common() -> None:
    found = diff([side("a", BASE, path="/a"), side("b", BASE, path="/b")])
    assert found.scenarios == ()
    assert found.exit_code == 3


def test_how_often_equal_sides_pass_is_how_often_they_do() -> None:
    """Simulated: 4 % from run to run, five runs a side, equal sides; of 300 comparisons a share has an sd of 2.8 %."""
    options = Options(not_worse=0.05)
    found = [one for one, _ in comparisons(Truth(cv=0.04), 300, 11, options)]
    claimed = sum(one.gate_passes_equal or 0 for one in found) / len(found)
    assert sum(one.exit_code == 0 for one in found) / len(found) == pytest.approx(claimed, abs=0.09)
    assert diff([side("a", BASE), side("b", BASE)]).gate_passes_equal is None


def test_reruns_meet_the_runs_that_they_repeat() -> None:
    """Two archived servers with the same load: by scenario they are one side's two runs, by origin each has its partner."""
    then = Archive(runs=tuple(side("then", BASE)[1].runs[:2]))
    ids = [run.id for run in then.runs]
    assert len(set(ids)) == 2
    again = Archive(runs=tuple(replace(run, id=f"{number:016x}", extra={"rerun_of": run.id}) for number, run in enumerate(then.runs)))
    assert [one.metrics[0].base.n for one in diff([("then", then), ("now", again)]).scenarios] == [2]
    found = diff([("then", then), ("now", again)], Options(row=("origin",)))
    assert [(one.key["origin"], one.metrics[0].base.n, one.metrics[0].new.n) for one in found.scenarios] == [(ids[0], 1, 1), (ids[1], 1, 1)]
    assert found.unpaired == ()


def test_what_differs_names_the_option_that_accepts_it() -> None:
    other = [replace(one, tool=replace(one.tool, name="wrk")) for one in side("b", BASE)[1].runs]
    said = primary(diff([side("a", BASE), ("b", Archive(runs=tuple(other)))])).reason
    assert said.startswith("differs in tool: ")
    assert said.endswith("(--cross-tool accepts it)")
