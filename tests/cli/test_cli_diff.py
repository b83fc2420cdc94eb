"""`abcompare diff`: what it prints and writes, its options, and the exit code of every outcome."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec.structs import replace

import abcompare
from abcompare.records import Archive, Measure, Run
from abcompare.reporters.comparisons import render_comparison
from tests.cli.conftest import Call

Log = Callable[[str, str], Path]


@pytest.fixture(autouse=True)
def one(log: Log) -> Run:
    """A run of ab, from which others are made."""
    return abcompare.parse_file(log("ab-k", "a.log")).runs[0]


def runs(one: Run, count: int, factor: float = 1.0, *, cv: float = 0.005, seed: int = 0, **more: object) -> Archive:
    """`count` runs like one, `factor` times as fast, with run-to-run noise."""
    draw = random.Random(f"{seed} {factor} {count}")
    made = []
    for number in range(count):
        speed = factor * draw.lognormvariate(0, cv)
        measures = {
            name: replace(measure, value=measure.value * speed) if measure.unit == "1/s" else
            replace(measure, value=measure.value / speed, resolution=(measure.resolution or 0) / 1000) if measure.unit == "s" else measure
            for name, measure in one.measures.items() if measure.value is not None
        }  # fmt: skip
        made.append(replace(one, id=f"{draw.getrandbits(64):016x}", measures=measures, source=replace(one.source, first_line=number), **more))
    return Archive(runs=tuple(made))


def write(archive: Archive, name: str) -> str:
    Path(name).write_bytes(abcompare.dumps(archive))
    return name


@pytest.fixture
def old(one: Run, call: Call) -> str:
    return write(runs(one, 6), "old.json")


@pytest.fixture
def slow(one: Run, call: Call) -> str:
    return write(runs(one, 6, 0.8), "slow.json")


@pytest.fixture
def fast(one: Run, call: Call) -> str:
    return write(runs(one, 6, 1.25), "fast.json")


# -- exit codes --------------------------------------------------------------------------------------------------------


def test_worse_is_1(call: Call, old: str, slow: str) -> None:
    result = call("diff", old, slow)
    assert result.exit_code == 1
    assert re.search(r"^throughput +higher .* −20\.\d %  \[.*\]  p<0\.001 +worse$", result.stdout, re.MULTILINE)
    assert re.search(r"^exit 1: .*; this gate finds a loss of \d[\d.]* % or more in 80 % of cases$", result.stdout.splitlines()[-1])


def test_better_is_0(call: Call, old: str, fast: str) -> None:
    result = call("diff", old, fast)
    assert result.exit_code == 0
    assert "better" in result.stdout


def test_the_same_is_0(call: Call, one: Run, old: str) -> None:
    result = call("diff", old, write(runs(one, 6, seed=3), "same.json"))
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("exit 0: no regression shown; this gate finds")


def test_one_run_a_side_is_3(call: Call, log: Log) -> None:
    log("ab2.2.7-20ms", "b.log")
    result = call("diff", "a.log", "b.log", "--vary", "path,concurrency,keep_alive,document_length,mode")
    assert result.exit_code == 3
    assert "break-even CV" in result.stdout
    assert "AB-TIME-PADDING" in result.stderr


def test_a_missing_load_is_3(call: Call, one: Run, old: str) -> None:
    both = Archive(runs=(*runs(one, 6).runs, *runs(one, 5, seed=8, load=replace(one.load, concurrency=7)).runs))
    result = call("diff", write(both, "both.json"), old)
    assert result.exit_code == 3
    assert "loads without a partner\n  only both: " in result.stdout


def test_undecided_is_3_on_demand(call: Call, one: Run, old: str) -> None:
    new = write(runs(one, 6, 1.02, cv=0.05), "new.json")
    assert call("diff", old, new).exit_code == 0
    assert call("diff", old, new, "--require-decision").exit_code == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("old.json",), "one argument is one side"),
        (("old.json", "gone.json"), "gone.json: there is no such file or folder"),
        (("old.json", "article.txt"), "there is no run in article.txt"),
        (("old.json", "no*.json"), "no*.json: no file matches this pattern"),
        (("old.json", "broken.json"), "broken.json:1:"),
        (("-", "x=-"), "standard input (-) is named twice"),
        (("=a", "old.json"), "neither a file nor label=path"),
        (("old.json", "slow.json", "--by", "nonsense"), "there is no key 'nonsense'"),
        (("old.json", "--by", "label"), "fewer than two sides"),
        (("old.json", "slow.json", "--vary", "nonsense"), "there is no key 'nonsense'"),
        (("old.json", "slow.json", "--filter", "nonsense"), "not a filter: 'nonsense'"),
        (("old.json", "slow.json", "--filter", "concurrency=12345"), "nothing to compare"),
        (("old.json", "slow.json", "--margin", "5"), "--margin: '5' is no share between 0 and 1"),
        (("old.json", "slow.json", "--margin", "x=5%"), "--margin: there is no metric 'x'"),
        (("old.json", "slow.json", "--alpha", "0"), "--alpha: '0' is no share"),
        (("old.json", "slow.json", "--gate", "x"), "--gate: there is no metric 'x'"),
        (("old.json", "slow.json", "--gate", "failed"), "requests.failed needs no gate, for failures gate always"),
        (("old.json", "slow.json", "--gate", "non_2xx"), "requests.non_2xx needs no gate, for failures gate always"),
        (("old.json", "slow.json", "--gate", "max"), "latency.max is shown and never tested, for it is the time of one request"),
        (("old.json", "slow.json", "--gate", "p100"), "latency.p100 is shown and never tested"),
        (("old.json", "slow.json", "--gate", "complete"), "of requests.complete neither more nor less is better"),
        (("old.json", "slow.json", "--max-age", "30"), "--max-age: '30' is no age"),
        (("old.json", "slow.json", "--max-age", "-1d"), "--max-age: '-1d' is no age"),
        (("old.json", "slow.json", "--filter", "requests.nonsense=0"), "docs/keys.md lists them all"),
        (("old.json", "slow.json", "--gate", "not-worse=x"), "--gate not-worse: 'x' is no share"),
        (("old.json", "slow.json", "--exclude", "c0ff"), "--exclude and --reason belong together"),
        (("old.json", "slow.json", "--reason", "x"), "--exclude and --reason belong together"),
        (("old.json", "slow.json", "--exclude", "zz", "--reason", "x"), "no runs have an id that begins with 'zz'"),
        (("old.json", "slow.json", "--calibration", "old.json"), "old.json: not a calibration"),
        (("old.json", "slow.json", "-f", "ab"), "there is no format 'ab' of a comparison"),
        (("old.json", "slow.json", "-o", "o.pdf"), "the suffix .pdf of o.pdf"),
        (("old.json", "slow.json", "-o", "old.json"), "old.json: this file exists"),
        (("old.json", "slow.json", "--force"), "--force is about a file"),
        (("old.json", "slow.json", "--nonsense"), "No such option"),
        (("old.json", "slow.json", "--paired", "--unpaired"), "paired and unpaired exclude one another"),
        ((), "Missing argument"),
    ],
)
def test_usage_and_useless_input_are_2(call: Call, old: str, slow: str, arguments: tuple[str, ...], said: str) -> None:
    Path("article.txt").write_text("nothing was measured here\n")
    Path("broken.json").write_text('{"schema": "abcompare/1"')
    before = sorted(path.name for path in Path.cwd().iterdir())
    result = call("diff", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert sorted(path.name for path in Path.cwd().iterdir()) == before


# -- sides -------------------------------------------------------------------------------------------------------------


def head(text: str) -> str:
    return text.splitlines()[0]


def test_labels(call: Call, old: str, slow: str) -> None:
    assert re.search(r"old \(n=6\) +slow \(n=6\)", head(call("diff", old, slow).stdout))
    assert re.search(r"before \(n=6\) +after \(n=6\)", head(call("diff", f"before={old}", f"after={slow}").stdout))


def test_an_archive_may_know_its_label(call: Call, one: Run, old: str) -> None:
    labelled = write(runs(one, 6, 0.8, label="aio on"), "x.json")
    assert "aio on (n=6)" in head(call("diff", old, labelled).stdout)


def test_sides_of_the_same_name(call: Call, one: Run, old: str) -> None:
    Path("sub").mkdir()
    write(runs(one, 6, 0.8, label="x"), "p.json")
    write(runs(one, 6, 1.0, label="x"), "q.json")
    assert "x (q) (n=6)" in head(call("diff", "p.json", "q.json").stdout)
    write(runs(one, 6, 0.8), "sub/old.json")
    assert re.search(r"old \(n=6\) +sub \(n=6\)", head(call("diff", old, "sub/old.json").stdout))
    Path("A/x").mkdir(parents=True)
    Path("B/x").mkdir(parents=True)
    for name in ("A/old.json", "B/old.json", "A/x/old.json", "B/x/old.json"):
        write(runs(one, 6, 0.8 if name[0] == "B" else 1.0), name)
    for first, second in (("A/old.json", "B/old.json"), ("A/x/old.json", "B/x/old.json")):
        assert re.search(r"A \(n=6\) +B \(n=6\)", head(call("diff", first, second).stdout))
    write(runs(one, 6, 0.8, label="x"), "sub/p.json")
    assert "x (sub) (n=6)" in head(call("diff", "p.json", "sub/p.json").stdout)
    assert "old #2 (n=6)" in call("diff", "A/old.json", "A/old.json", "B/x/old.json").stdout


def test_folders_patterns_and_logs(call: Call, log: Log) -> None:
    for name in ("p", "q"):
        log("ab-k", f"{name}/a.log")
        text = Path(f"{name}/a.log").read_text()
        Path(f"{name}/b.log").write_text(text.replace("39541", "39542" if name == "p" else "39543"))
    result = call("diff", "p", "q/*.log", "-f", "json")
    document = json.loads(result.stdout)
    assert document["base"]["label"] == "p"
    assert len(document["base"]["runs"]) == 2


def test_standard_input(call: Call, old: str, slow: str) -> None:
    result = call("diff", old, "-", data=Path(slow).read_bytes())
    assert result.exit_code == 1
    assert "stdin (n=6)" in head(result.stdout)


def test_both_sides_in_one_file(call: Call, one: Run) -> None:
    both = Archive(runs=(*runs(one, 6, label="A").runs, *runs(one, 6, 0.8, label="B").runs))
    result = call("diff", write(both, "all.json"), "--by", "label")
    assert result.exit_code == 1
    assert re.search(r"A \(n=6\) +B \(n=6\)", head(result.stdout))


def test_one_run_is_its_own_centre(call: Call, one: Run) -> None:
    """The centre of one run is its value, to the last digit, in every format with all digits."""
    text = Path("a.log").read_text()
    printed = one.measures["throughput"].text
    for name, rate in (("p.log", "6.36"), ("q.log", "2.21")):
        Path(name).write_text(text.replace(printed, rate))
    row = document(call, "p.log", "q.log")["scenarios"][0]["metrics"][0]
    assert (row["base"]["centre"], row["new"]["centre"]) == (6.36, 2.21)
    cells = next(csv.DictReader(call("diff", "p.log", "q.log", "-f", "csv").stdout.splitlines()))
    assert (cells["base_centre"], cells["base_values"], cells["new_centre"]) == ("6.36", "6.36", "2.21")


def test_three_sides(call: Call, old: str, slow: str, fast: str) -> None:
    result = call("diff", old, slow, fast, "-f", "csv")
    rows = list(csv.DictReader(result.stdout.splitlines()))
    verdicts = {one["new"]: one["verdict"] for one in rows if one["role"] == "primary"}
    assert verdicts == {"slow": "worse", "fast": "better"}


# -- options -----------------------------------------------------------------------------------------------------------


def document(call: Call, *arguments: str) -> Any:
    """What `diff -f json` writes."""
    return json.loads(call("diff", *arguments, "-f", "json").stdout)


def test_margins(call: Call, old: str, slow: str) -> None:
    made = document(call, old, slow, "--margin", "10%", "--margin", "p99=0.3")
    assert made["margin"] == 0.1
    margins = {row["metric"]: row["margin"] for row in made["scenarios"][0]["metrics"]}
    assert (margins["latency.p99"], margins["latency.p50"]) == (0.3, 0.1)
    assert call("diff", old, slow, "--margin", "30%").exit_code == 0


def test_alpha_and_seed(call: Call, old: str, slow: str) -> None:
    made = document(call, old, slow, "--alpha", "1%", "--seed", "7")
    assert (made["alpha"], made["seed"]) == (0.01, 7)


def test_excluded_runs_are_recorded(call: Call, old: str, slow: str) -> None:
    id = abcompare.load(old).runs[2].id
    made = document(call, old, slow, "--exclude", id[:10], "--reason", "disk was full")
    assert [one["reason"] for one in made["excluded"]] == ["disk was full"]
    assert id not in made["base"]["runs"]
    text = call("diff", old, slow, "--exclude", id, "--reason", "disk was full").stdout
    assert re.search(rf"^  {id[:8]} \(.*a\.log:2\): disk was full$", text, re.MULTILINE)


def test_a_gate_of_another_metric(call: Call, one: Run) -> None:
    def with_p50(archive: Archive, factor: float) -> Archive:
        """A median that follows the throughput, in ms with many digits."""
        medians = [Measure(factor / (run.value("throughput") or 1), "s", "", 1e-9) for run in archive.runs]
        pairs = zip(archive.runs, medians, strict=True)
        return Archive(runs=tuple(replace(run, measures=run.measures | {"latency.p50": median}) for run, median in pairs))

    old = write(with_p50(runs(one, 6), 1.0), "p.json")
    new = write(with_p50(runs(one, 6, seed=5), 1.5), "q.json")
    assert call("diff", old, new).exit_code == 0
    assert call("diff", old, new, "--gate", "p50").exit_code == 1


def test_a_loss_that_must_be_excluded(call: Call, one: Run, old: str) -> None:
    noisy = write(runs(one, 6, cv=0.1, seed=9), "noisy.json")
    assert call("diff", old, noisy).exit_code == 0
    assert call("diff", old, noisy, "--gate", "not-worse=5%").exit_code == 1


@pytest.mark.parametrize("option", ["--paired", "--unpaired", "--fdr", "--borrow-noise", "--ratio-of-means", "--strict-length",
                                    "--cross-tool", "--accept-failures", "--accept-incomplete"])  # fmt: skip
def test_flags(call: Call, old: str, slow: str, option: str) -> None:
    assert call("diff", old, slow, option).exit_code == 1


def test_a_gate_is_named_as_the_table_prints_it(call: Call, old: str, slow: str) -> None:
    for name, metric in (("mean", "latency.mean"), ("latency mean", "latency.mean")):
        rows = {row["metric"]: row["role"] for row in document(call, old, slow, "--gate", name)["scenarios"][0]["metrics"]}
        assert rows[metric] == "secondary"


def test_quiet_says_nothing_of_severity_info(call: Call, old: str, slow: str) -> None:
    assert re.search(r"^ +info ", call("diff", old, slow).stdout, re.MULTILINE)
    result = call("diff", old, slow, "-q")
    assert not re.search(r"\binfo\b", result.output)
    call("diff", old, slow, "-q", "-o", "o.md")
    assert "- info" not in Path("o.md").read_text()


def test_length_failures_of_the_log(call: Call) -> None:
    text = Path("a.log").read_text()
    assert "Failed requests:        0\n" in text
    broken = "Failed requests:        1\n   (Connect: 0, Receive: 0, Length: 1, Exceptions: 0)\n"
    for name in ("p.log", "q.log"):
        Path(name).write_text(text.replace("Failed requests:        0\n", broken).replace("39541", f"3954{len(name)}" if name == "p.log" else "39549"))
    assert "failed: 2 length failures not counted (--strict-length counts them)" in call("diff", "p.log", "q.log").stdout
    strict = call("diff", "p.log", "q.log", "--strict-length").stdout
    assert re.search(r"^failed +lower +1 of ", strict, re.MULTILINE)
    assert "not counted" not in strict


def test_length_failures_of_one_side_alone(call: Call) -> None:
    """ab breaks failures down only where there are any: on the other side there are none, and not an unknown number."""
    demo = (Path(__file__).parents[2] / "fixtures" / "demo" / "aio.txt").read_text().splitlines(keepends=True)
    Path("off.log").write_text("".join(demo[:156]))
    Path("on.log").write_text("".join(demo[156:]))
    text = call("diff", "off.log", "on.log", "--filter", "c=100").stdout
    assert "failed: 1 length failure not counted (--strict-length counts it)" in text
    assert re.search(r"^other length +lower +1 of 1,000 .* 0 of 1,000 ", text, re.MULTILINE)


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("rounding", ["nearest", "down"])
def test_a_resolution_that_nothing_exceeds(call: Call, one: Run, count: int, rounding: Literal["nearest", "down"]) -> None:
    def coarse(archive: Archive) -> Archive:
        measures = [{name: replace(of, resolution=1e308, rounding=rounding) for name, of in run.measures.items()} for run in archive.runs]
        return Archive(runs=tuple(replace(run, measures=of) for run, of in zip(archive.runs, measures, strict=True)))

    sides = write(coarse(runs(one, count)), "p.json"), write(coarse(runs(one, count, seed=4)), "q.json")
    result = call("diff", *sides)
    assert result.exit_code == 3
    assert "is not above half a unit of its last printed digit" in result.stdout.splitlines()[-1]


def test_a_negative_resolution_is_no_archive(call: Call, old: str) -> None:
    made = json.loads(Path(old).read_text())
    made["runs"][0]["measures"]["throughput"]["resolution"] = -1.0
    Path("bad.json").write_text(json.dumps(made))
    result = call("diff", old, "bad.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.search(r"^bad\.json.*: a run of this archive breaks its schema: .*>= 0.*resolution", result.stderr, re.MULTILINE)


def test_numbers_at_the_ends_of_what_a_number_can_be(call: Call, one: Run) -> None:
    tiny, huge = (write(runs(one, 5, factor), f"{factor:g}.json") for factor in (1e-300, 1e300))
    for sides in ((tiny, huge), (huge, tiny)):
        assert call("diff", *sides, "--ratio-of-means").exit_code in (0, 1, 3)


def test_the_margin_in_the_help(call: Call) -> None:
    said = " ".join(call("diff", "--help").stdout.split())
    assert "[default: 5%]" in said
    assert "ratios from 1/1.05 to 1.05, −4.76 % to +5 %" in said


def test_paired_is_another_test(call: Call, old: str, slow: str) -> None:
    methods = [document(call, old, slow, option)["scenarios"][0]["metrics"][0]["method"] for option in ("--paired", "--unpaired")]
    assert methods == ["paired-log", "welch-log"]
    blocks = str(Path(__file__).parents[2] / "fixtures" / "archives" / "ab.json.xz")
    for options, method in (((), "paired-log"), (("--unpaired",), "welch-log")):
        row = document(call, blocks, "--by", "label", *options)["scenarios"][0]["metrics"][0]
        assert row["method"] == method


def test_lists_with_commas_and_repeated(call: Call, one: Run, old: str) -> None:
    new = write(runs(one, 6, 0.8, target=replace(one.target, path="/other"), load=replace(one.load, concurrency=3)), "new.json")
    assert call("diff", old, new).exit_code == 3
    assert call("diff", old, new, "--vary", "path,concurrency").exit_code == 1
    assert call("diff", old, new, "--vary", "path", "--ignore", "concurrency").exit_code == 1


# -- output ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["text", "markdown", "csv", "tsv", "json"])
def test_formats(call: Call, old: str, slow: str, format: str) -> None:
    result = call("diff", old, slow, "-f", format)
    expected = render_comparison(abcompare.diff(old, slow), format)
    assert result.stdout_bytes == (expected if isinstance(expected, bytes) else expected.encode())


@pytest.mark.parametrize("name", ["o.json", "o.md", "o.csv", "o.tsv", "o.txt", "o"])
def test_the_suffix_of_a_file_decides(call: Call, old: str, slow: str, name: str) -> None:
    result = call("diff", old, slow, "-o", name)
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.fullmatch(rf"{name}: exit 1: .*; this gate finds a loss of .*\n", result.stderr)
    abcompare.dump(abcompare.diff(old, slow), f"expected-{name}")
    assert Path(name).read_bytes() == Path(f"expected-{name}").read_bytes()
    assert call("diff", old, slow, "-o", name, "--force", "-q").stderr == ""


def test_verbose(call: Call, old: str, slow: str) -> None:
    assert "welch-log with" in call("diff", old, slow, "-v").stdout
    assert "welch-log with" not in call("diff", old, slow).stdout


def test_colour(call: Call, old: str, slow: str) -> None:
    assert "\x1b[" not in call("diff", old, slow).output
    assert "\x1b[31mworse\x1b[0m" in call("diff", old, slow, "--color", "always").stdout


def test_findings_of_reading_are_said_on_stderr(call: Call, log: Log, old: str) -> None:
    log("ab2.2.7-20ms", "b.log")
    result = call("diff", old, "b.log")
    assert "AB-TIME-PADDING" in result.stderr
    assert "AB-TIME-PADDING" not in result.stdout


@pytest.mark.parametrize("command", ["diff", "calibrate"])
def test_help(call: Call, command: str) -> None:
    text = call(command, "--help").stdout
    usage, sentence, *_ = text.split("\n\n")
    assert usage.startswith("Usage:")
    assert sentence.strip().endswith(".")
    examples, codes = text.split("Examples:")[1].split("Exit codes:")
    assert len(re.findall(r"^  (?=\S).*abcompare", examples, re.MULTILINE)) == 3
    assert re.search(r"^  130 ", codes, re.MULTILINE)
    if command == "diff":
        assert [code for code in "0123" if re.search(rf"^  {code} ", codes, re.MULTILINE)] == ["0", "1", "2", "3"]


# -- the library -------------------------------------------------------------------------------------------------------


def test_the_library_takes_archives_paths_and_text(call: Call, old: str, slow: str) -> None:
    expected = abcompare.diff(old, slow)
    assert expected.exit_code == 1
    assert abcompare.diff(abcompare.load(old), Path(slow)).scenarios[0].metrics == expected.scenarios[0].metrics
    text = Path("a.log").read_text()
    assert abcompare.diff(text, text.replace("39541", "39542"), margin=0.1).exit_code == 3


def test_the_library_takes_one_name_for_a_list(call: Call, one: Run, old: str) -> None:
    new = runs(one, 6, 0.8, target=replace(one.target, path="/other"))
    assert abcompare.diff(old, new, vary="path").exit_code == abcompare.diff(old, new, vary=["path"]).exit_code == 1
    with pytest.raises(abcompare.InputError, match="there is no run in an archive"):
        abcompare.diff(old, Archive())
    with pytest.raises(abcompare.UsageError):
        abcompare.diff(old)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"nonsense": 1}, "there is no option 'nonsense'"),
        ({"margin": 5}, "margin: 5 is no share between 0 and 1"),
        ({"margin": "x"}, "margin: 'x' is no share"),
        ({"margins": {"p99": 1}}, "margins: 1 is no share"),
        ({"margins": {"x": 0.1}}, "margins: there is no metric 'x'"),
        ({"alpha": 0}, "alpha: 0 is no share"),
        ({"alpha": 1.0}, "alpha: 1.0 is no share"),
        ({"not_worse": 2}, "not_worse: 2 is no share"),
        ({"gate": "x"}, "gate: there is no metric 'x'"),
        ({"filter": "concurrency=1", "filters": "concurrency=2"}, "one keyword"),
        ({"paired": True, "unpaired": True}, "exclude one another"),
        ({"exclude": "c0ffee", "reason": "disk was full"}, "exclude maps the id of each run to the reason"),
        ({"exclude": ["c0ffee"]}, "exclude maps the id of each run to the reason"),
        ({"calibration": ()}, "there is no calibration in the list"),
        ({"max_age": -1}, "max_age: -1 is no age"),
        ({"max_age": "soon"}, "max_age: 'soon' is no age"),
        ({"gate": "failed"}, "failures gate always"),
    ],
)
def test_the_library_refuses_what_the_command_refuses(old: str, slow: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(abcompare.UsageError, match=re.escape(said)):
        abcompare.diff(old, slow, **options)


def test_the_library_takes_what_the_command_takes(old: str, slow: str) -> None:
    def said(**options: object) -> abcompare.Comparison:
        return abcompare.diff(old, slow, **options)

    assert said(margin="30%") == said(margin=0.3)
    assert said(margin=["30%", "p99=10%"]) == said(margin=0.3, margins={"p99": 0.1}) == said(margin=0.3, margins={"latency.p99": "10%"})
    assert said(filter="concurrency=10") == said(filters=["concurrency=10"])
    assert said(gate=["mean", "not-worse=5%"]) == said(gate="latency.mean", not_worse=0.05)
    assert said(unpaired=True) == said(paired=False)
    assert said(alpha="1%") == said(alpha=0.01)
    assert said(max_age="2w") == said(max_age=14 * 86_400) == said(max_age=None)
    assert said(margin=None, margins=None, gate=None, filter=None, calibration=None) == said()


def test_the_library_takes_what_load_calibrations_returns(call: Call, old: str, slow: str) -> None:
    call("calibrate", old, "-o", "noise.json")
    loaded = abcompare.load_calibrations("noise.json")
    assert abcompare.diff(old, slow, calibration=loaded) == abcompare.diff(old, slow, calibration="noise.json")
    assert abcompare.diff(old, slow, calibration=loaded[0]) == abcompare.diff(old, slow, calibration="noise.json")
    assert abcompare.diff(old, slow, calibration=loaded * 2) == abcompare.diff(old, slow, calibration="noise.json")


def test_the_library_splits_one_archive(call: Call, one: Run) -> None:
    both = Archive(runs=(*runs(one, 6, label="A").runs, *runs(one, 6, 0.8, label="B").runs))
    assert [side.label for side in abcompare.diff(both, by="label").new] == ["B"]
