"""The JSON Schemas of archives and comparisons, generated from the records. What each key means stands here.

`docs/abcompare.schema.json` and `docs/abcompare.diff.schema.json` are the committed copies; tests hold them together. Keys that the schema does not name
are allowed everywhere: archives of later versions hold more, and what is not known survives a round trip.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from abcompare.comparison import DIFF_SCHEMA, Calibration, Comparison
from abcompare.records import SCHEMA, Archive, Run

Kind = Literal["archive", "run", "diff", "calibration"]

_ROOTS = {"archive": Archive, "run": Run, "diff": Comparison, "calibration": tuple[Calibration, ...]}
_FORMATS = {"archive": SCHEMA, "run": SCHEMA, "diff": DIFF_SCHEMA, "calibration": "abcompare.calibration/1"}
_TITLES = {
    "archive": "An archive of abcompare", "run": "A run in an archive of abcompare: a line of NDJSON",
    "diff": "A comparison: what abcompare diff says",
    "calibration": "Calibrations: the run-to-run noise of a set-up, for abcompare diff --calibration",
}  # fmt: skip

_MEANINGS = {
    "Archive": {
        "schema": "the format and its major version; another major version is refused",
        "generator": "what wrote this archive",
        "findings": "findings that belong to no run: a file without a result, an input that cannot be read",
        "unrecognised": "lines of reports that no rule claims",
        "runs": "the runs, in the order in which they were read",
    },
    "Finding": {
        "code": "a stable name of what was found",
        "severity": "corrected: a known fault of a tool, and `value` is what the number means",
        "message": "one sentence, with the evidence",
        "line": "the line (1-based) of the file that it is about",
        "path": "the file, where it is not the run's own",
        "measure": "the measure that it is about",
        "printed": "what the tool printed",
        "value": "what it means, in the measure's unit",
    },
    "Unrecognised": {
        "path": "the file", "line": "its line (1-based)", "text": "the text of the line",
        "run": "the id of the run in whose report it stands",
    },
    "Run": {
        "id": "16 hex digits of a hash over the tool's name and the measures as printed: the same numbers, the same id",
        "tool": "the load generator", "source": "where the report stands",
        "label": "the configuration that the run belongs to", "command": "the command line, where it was in the text",
        "started_at": "RFC 3339", "order": "position in an experiment", "block": "block of an experiment",
        "complete": "false: the run was interrupted or its report is cut, and the measures say what is there",
        "target": "what was asked", "load": "the load that was asked for", "measures": "the numbers, by metric",
        "status_codes": "answers by status code", "histograms": "by metric family: [upper bound in s, count], …",
        "series": "numbers in time or by rank, by name", "host": "what was measured on the machine itself",
        "findings": "what a reader should know of this run",
    },
    "Tool": {"name": "ab, wrk, wrk2, …", "version": "as its banner says", "revision": "as its banner says"},
    "Source": {
        "path": "the file, - for standard input", "first_line": "1-based", "last_line": "1-based",
        "copies": "[path, line] of every other place where the same report stands",
    },
    "Target": {
        "scheme": "http or https", "host": "name or address", "port": "TCP port", "path": "path and query",
        "server_software": "the server as it names itself", "tls": "what was negotiated; null without TLS",
    },
    "Tls": {
        "protocol": "TLSv1.3, …", "cipher": "as OpenSSL names it", "key_bits": "of the server's certificate", "cipher_bits": "of the secret key",
        "server_temp_key": "of the key exchange", "server_name": "SNI",
    },
    "Load": {
        "method": "GET, …", "concurrency": "connections at the same time", "threads": "of the load generator",
        "requests": "how many were asked for", "duration_s": "how long, in seconds",
        "rate_per_s": "requests per second of an open loop", "keep_alive": "whether connections are used again",
        "http_version": "1.0, 1.1, 2, …", "request_body_bytes": "length of each request's body in bytes",
        "timeout_s": "in seconds, as the tool counts it", "variable_length": "whether answers may differ in length",
        "script": "a script that the tool ran", "headers": "request headers; secret ones say REDACTED",
    },
    "Measure": {
        "value": "what it means, in `unit`; null where nothing was measured or the truth cannot be recovered",
        "unit": "the base unit: s, B, 1/s, B/s, or 1 for counts and shares", "text": "what was printed",
        "resolution": "half a unit of the last printed digit, in `unit`",
        "rounding": "whether the tool rounds or truncates", "method": "how it is defined, where tools differ",
    },
}  # fmt: skip

_COMPARED = {
    "Comparison": {
        "alpha": "level of the tests, two-sided", "margin": "changes up to this fraction do not matter",
        "seed": "of the drawn permutations", "base": "what is compared with", "new": "what is compared, one side or more",
        "scenarios": "one for each load that both sides ran, and each new side",
        "overall": "the geometric mean of the primary ratios over all scenarios, for each new side",
        "unpaired": "loads that only one side ran", "excluded": "runs that take no part, with the reason",
        "findings": "findings on a whole side", "exit_code": "0 no regression shown, 1 worse, 3 undecided",
        "exit_reason": "why", "gate_detects": "the loss, as a fraction, that the gate finds in 80 % of cases; null when no row can gate",
        "gate_passes_equal": "with --gate not-worse, the share of cases in which equal sides pass",
        "schema": "the format and its major version", "generator": "what wrote this comparison",
    },
    "Side": {"label": "the configuration", "runs": "ids of the runs that take part"},
    "Scenario": {
        "key": "the load, by the paths of its keys in the record", "label": "the new side's",
        "metrics": "the rows: the primary metric, secondary ones, and what is only shown",
        "failures": "failed requests, by kind", "findings": "findings on this load",
    },
    "Row": {
        "metric": "its name in the record", "role": "primary and global rows gate; shown ones are not tested",
        "better": "which direction is better", "unit": "of the centres", "base": "the base's runs", "new": "the new side's runs",
        "verdict": "one a row; null for what is only shown", "reason": "the sentence of the verdict",
        "ratio": "new / base", "ratio_low": "confidence interval at 1 - alpha, widened by the resolution of the printed digits; not adjusted",
        "ratio_high": "its upper end; null for no bound", "p": "two-sided, not adjusted", "p_adjusted": "adjusted within the family",
        "family": "the tests that are adjusted together", "family_size": "their number",
        "adjustment": "holm, benjamini-hochberg, or none", "method": "the test: welch-log, paired-log, …", "df": "degrees of freedom",
        "size_uncertain": "the interval straddles the margin", "margin": "of this metric",
        "equivalence_p": "of the two one-sided tests against the margin", "margin_shown": "the smallest margin that equivalence is shown for",
        "permutation_p": "a check by permutation, never a verdict", "permutation_seed": "of its draws; null where all splits were counted",
        "break_even_run_cv": "one run a side would be significant below this run-to-run CV",
        "detectable_change": "what this design finds in 80 % of cases, as a fraction", "runs_needed": "runs a side that find the margin",
        "resolution_low": "lowest ratio that the printed digits allow", "resolution_high": "highest ratio that they allow",
        "effect_sizes": "Hodges–Lehmann ratio, Cliff's delta, Hedges' g; the ratio of means where asked for",
        "without_outliers": "the verdict without the values that were flagged; null where none was", "gates": "whether this row can fail a build",
        "findings": "findings on this row",
    },
    "Centre": {
        "n": "runs", "centre": "geometric mean", "low": "95 % confidence interval; null below 2 runs", "high": "its upper end",
        "values": "one a run", "supported": "false: a percentile of fewer requests than it needs",
    },
    "Failures": {
        "kind": "failed: all but ab's Length; length; non_2xx", "base": "[failures, requests] of each run", "new": "[failures, requests] of each run",
        "base_share": "failures / requests over all runs", "new_share": "failures / requests over all runs",
        "base_high": "95 % upper bound of the share", "new_high": "95 % upper bound of the share", "difference": "new share - base share",
        "low": "interval of the difference, one run a side", "high": "its upper end",
        "p": "two-sided; by run where there are several, else within the run", "df": "degrees of freedom",
        "dispersion": "how much failures clump: 1 for independent ones", "method": "which test",
        "blocked": "the sides that fail too often to be compared", "regression": "the new side fails and the base does not",
        "reason": "what blocks",
    },
    "Unpaired": {"label": "the side that ran it", "key": "the load", "runs": "ids of its runs"},
    "Calibration": {
        "key": "the load", "host": "the target's", "made_at": "RFC 3339: of the last run",
        "metrics": "by name: n, centre, sd of ln y with df, sd_low and sd_high (95 %), what 5 and 10 runs a side detect, signs of drift",
        "steady": "false: the runs drift", "reason": "how they drift", "runs": "ids of the runs",
        "schema": "the format and its major version", "generator": "what wrote it",
    },
}  # fmt: skip


def schema_of(kind: Kind = "archive") -> dict[str, Any]:
    """The JSON Schema (2020-12) of an archive, a run alone, a comparison, or a file of calibrations."""
    found = msgspec.json.schema(_ROOTS[kind])
    meanings: dict[str, dict[str, str]] = _MEANINGS | _COMPARED
    definitions = found["$defs"]
    for name, definition in definitions.items():
        for key, described in definition["properties"].items():
            described["description"] = meanings[name].get(key, "")
        definition["properties"].pop("extra", None)  # where records keep the keys that they do not know
    for name in {"archive": ("Archive",), "diff": ("Comparison",), "calibration": ("Calibration",)}.get(kind, ()):
        _pin(definitions[name], _FORMATS[kind])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:abcompare:schema:{kind}:{_FORMATS[kind].partition('/')[2]}",
        "title": _TITLES[kind],
        "description": f"{_FORMATS[kind]}: numbers in base units (s, B, 1/s); null means not printed, never 0.",
        **found,
    }


def _pin(document: dict[str, Any], format: str) -> None:
    """A document names its format; its generator is any."""
    document["properties"]["schema"] |= {"const": format}
    document["properties"]["generator"].pop("default")
    document["required"] = [*(document.get("required", []) if format != SCHEMA else []), "schema"]


def written(schema: dict[str, Any]) -> bytes:
    """The schema as a file: UTF-8, indented."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"
