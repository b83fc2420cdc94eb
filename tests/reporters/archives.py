"""Archives of all shapes, for tests that generate them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from abcompare.records import Archive, Finding, Load, Measure, Run, Source, Target, Tls, Tool, Unrecognised

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBER = st.one_of(
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([10**400, -(10**400)]),
)
LINE = st.integers(1, 10**6)
NAMES = st.one_of(st.sampled_from(["duration", "throughput", "latency.p99", "latency.p99.99", "gpu.watts"]), TEXT)


def or_none(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


MEASURES = st.builds(
    Measure, or_none(NUMBER), st.sampled_from(["s", "B", "1/s", "1", "W"]), TEXT, or_none(st.floats(0, 1)),
    st.sampled_from(["nearest", "down"]), or_none(TEXT),
)  # fmt: skip
FINDINGS = st.builds(
    Finding, TEXT, st.sampled_from(["info", "warning", "error", "corrected"]), TEXT, or_none(LINE), or_none(TEXT),
    or_none(TEXT), or_none(TEXT), or_none(NUMBER),
)  # fmt: skip
TARGETS = st.builds(
    Target, or_none(TEXT), or_none(TEXT), or_none(st.integers(0, 65535)), or_none(TEXT), or_none(TEXT),
    or_none(st.builds(Tls, or_none(TEXT), or_none(TEXT), or_none(LINE), or_none(TEXT), or_none(TEXT))),
)  # fmt: skip
LOADS = st.builds(
    Load, method=or_none(TEXT), concurrency=or_none(LINE), duration_s=or_none(NUMBER),
    keep_alive=or_none(st.booleans()), headers=st.dictionaries(TEXT, TEXT, max_size=2),
)  # fmt: skip
RUNS = st.builds(
    Run,
    id=TEXT,
    tool=st.builds(Tool, TEXT, or_none(TEXT), or_none(TEXT)),
    source=st.builds(Source, TEXT, or_none(LINE), or_none(LINE), st.tuples() | st.tuples(st.tuples(TEXT, LINE))),
    label=or_none(TEXT),
    command=or_none(TEXT),
    complete=st.booleans(),
    target=TARGETS,
    load=LOADS,
    measures=st.dictionaries(NAMES, MEASURES, max_size=4),
    status_codes=or_none(st.dictionaries(TEXT, LINE, max_size=2)),
    histograms=or_none(st.dictionaries(TEXT, st.lists(st.tuples(st.floats(0, 9), LINE), max_size=3), max_size=2)),
    series=or_none(st.dictionaries(TEXT, st.lists(NUMBER, max_size=3), max_size=2)),
    findings=st.lists(FINDINGS, max_size=2).map(tuple),
)
ARCHIVES = st.builds(
    Archive,
    findings=st.lists(FINDINGS, max_size=2).map(tuple),
    unrecognised=st.lists(st.builds(Unrecognised, TEXT, LINE, TEXT, or_none(TEXT)), max_size=2).map(tuple),
    runs=st.lists(RUNS, max_size=3).map(tuple),
)
