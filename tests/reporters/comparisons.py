"""Comparisons built by hand, for tests of what draws them: one row for every verdict."""

from __future__ import annotations

from typing import Any

from abcompare.comparison import Calibration, Centre, Comparison, Failures, Row, Scenario, Side, Unpaired
from abcompare.records import Finding

KEY = {
    "load.method": "GET", "target.path": "/a.zip", "load.concurrency": 10, "load.keep_alive": False, "mode": "count",
    "load.request_body_bytes": None,
}  # fmt: skip


def centre(value: float | None, half: float = 0.01, n: int = 5, supported: bool = True) -> Centre:
    """`half` is the half-width of the interval as a fraction; one run has none."""
    if value is None:
        return Centre(0, None, None, None)
    if n == 1:
        return Centre(1, value, None, None, (value,), supported)
    return Centre(n, value, value / (1 + half), value * (1 + half), (value,) * n, supported)


def row(verdict: Any = "better", reason: str = "", *, metric: str = "throughput", **more: Any) -> Row:
    """A row with numbers that fit no verdict in particular; `more` replaces what a test is about."""
    fields: dict[str, Any] = {
        "role": "primary", "better": "higher", "unit": "1/s", "base": centre(100.0), "new": centre(112.1),
        "ratio": 1.121, "ratio_low": 1.098, "ratio_high": 1.145, "p": 0.0004, "p_adjusted": 0.0004,
        "family": "primary metrics of all scenarios", "family_size": 1, "adjustment": "none", "method": "welch-log", "df": 7.5,
    }  # fmt: skip
    return Row(metric, verdict=verdict, reason=reason, **(fields | more))


def secondary(name: str, verdict: Any, reason: str = "", **more: Any) -> Row:
    fields: dict[str, Any] = {
        "role": "secondary", "better": "lower", "unit": "s", "base": centre(1.5), "new": centre(4.4), "ratio": 2.95,
        "ratio_low": 2.71, "ratio_high": 3.22, "p_adjusted": 0.0016, "family": "secondary metrics of the scenario",
        "family_size": 4, "adjustment": "holm",
    }  # fmt: skip
    return row(verdict, reason, metric=name, **(fields | more))


def shown(name: str, base: float, new: float, **more: Any) -> Row:
    fields: dict[str, Any] = {
        "role": "shown", "better": "lower", "unit": "s", "base": centre(base), "new": centre(new), "ratio": new / base,
        "ratio_low": None, "ratio_high": None, "p": None, "p_adjusted": None, "family": None, "family_size": None,
        "adjustment": None, "method": None, "df": None,
    }  # fmt: skip
    return row(None, metric=name, **(fields | more))


def failed(base: tuple[tuple[int, int], ...] = ((0, 100),) * 5, new: tuple[tuple[int, int], ...] = ((0, 100),) * 5, **more: Any) -> Failures:
    old, now = (sum(f for f, _ in runs) / sum(n for _, n in runs) for runs in (base, new))
    fields: dict[str, Any] = {"base_high": 0.006, "new_high": 0.006, "difference": now - old}
    return Failures("failed", base, new, old, now, **(fields | more))


def comparison(*rows: Row, **more: Any) -> Comparison:
    """One scenario of these rows."""
    fields: dict[str, Any] = {
        "base": Side("aio off", ("c0ffee00",)), "new": (Side("aio on", ("decade00",)),), "exit_reason": "no regression shown",
        "gate_detects": 0.09, "scenarios": (Scenario(KEY, "aio on", rows, (failed(),)),),
    }  # fmt: skip
    return Comparison(0.05, 0.05, 0, **(fields | more))


def _untested(**more: Any) -> dict[str, Any]:
    nothing = dict.fromkeys(("ratio_low", "ratio_high", "p", "p_adjusted", "family", "family_size", "adjustment", "method", "df"))
    return nothing | more


# One row a verdict, with the sentence that statistics.md gives it.
VERDICTS: dict[str, Row] = {
    "not-comparable": row("not-comparable", "differs in document_length: 151 B, 44 B (--vary accepts it)", **_untested()),
    "not-testable": row(
        "not-testable",
        "+4.22 %. One run per side cannot show that this is real: it would be significant only if throughput varies by less than 1.49 % from run to run here",
        **_untested(base=centre(6.36, n=1), new=centre(6.63, n=1), ratio=1.0422, break_even_run_cv=0.0149),
    ),
    "provisional": row("provisional", "+12.1 % [+9.80 %, +14.5 %], p<0.001; below 4 runs per side this is provisional"),
    "negligible": row(
        "negligible", "real, but within ±5 %: +1.2 % [+0.90 %, +1.50 %]", ratio=1.012, ratio_low=1.009, ratio_high=1.015
    ),
    "better": row("better", "+12.1 % [+9.80 %, +14.5 %]"),
    "worse": row("worse", "−65.3 % [−68.1 %, −62.2 %]", new=centre(34.7), ratio=0.347, ratio_low=0.319, ratio_high=0.378),
    "equivalent": row(
        "equivalent", "same within ±5 % (shown: ±0.30 %)", p=0.81, p_adjusted=0.81, ratio=1.0005, ratio_low=0.997, ratio_high=1.003
    ),
    "inconclusive": row(
        "inconclusive", "cannot tell: [−3.3 %, +6.4 %]; this design detects ≥ 6.9 %; about 9 runs per side for 5 %",
        p=0.48, p_adjusted=0.48, ratio=1.014, ratio_low=0.967, ratio_high=1.064, detectable_change=0.069, runs_needed=9,
    ),
}  # fmt: skip

FULL = comparison(
    VERDICTS["worse"],
    secondary("latency.p50", "worse", "+195 % [+171 %, +222 %]"),
    secondary("latency.p90", "better", "−8.9 % [−11.6 %, −1.1 %], size uncertain", size_uncertain=True, ratio=0.911, ratio_low=0.884, ratio_high=0.989),
    secondary(
        "latency.p99", "not-testable", "1 % tail of 100 requests is one request",
        **_untested(base=centre(6.28, supported=False), new=centre(6.922, supported=False)),
    ),
    shown("latency.mean", 0.1, 10 / 34.7), shown("latency.max", 7.1, 9.3),
    overall=(row("worse", "−20.5 % [−22.3 %, −18.7 %]", role="global", base=centre(None), new=centre(None), ratio=0.795, ratio_low=0.777, ratio_high=0.813),),
    unpaired=(Unpaired("aio off", KEY | {"target.path": "/b.tar.gz", "load.concurrency": 1000}, ("feed0000", "feed0001")),),
    excluded=({"id": "0badcafe00000000", "source": "logs/x.txt:7", "reason": "disk was full"},),
    findings=(Finding("VARIES", "warning", "the runs of aio on vary in port (80/8080)"),),
    exit_code=1, exit_reason="throughput is worse in /a.zip",
)  # fmt: skip

CALIBRATION = Calibration(
    KEY, "10.0.0.2", None,
    {
        "throughput": {
            "n": 8, "centre": 4215.93, "sd": 0.0149, "df": 7, "sd_low": 0.0099, "sd_high": 0.0303,
            "detectable_5": 0.0312, "detectable_10": 0.0199,
        },
        "latency.p99": {"n": 8, "centre": 0.0061, "sd": 0.052, "df": 7, "sd_low": 0.034, "sd_high": 0.106, "detectable_5": None},
    },
    False, "the runs drift (p=0.004)", ("c0ffee00",) * 8,
)  # fmt: skip
