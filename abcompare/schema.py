"""The JSON Schema of archives, generated from the records. What each key means stands here.

`docs/abcompare.schema.json` is the committed copy; a test holds the two together. Keys that the schema does not name
are allowed everywhere: archives of later versions hold more, and what is not known survives a round trip.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from abcompare.records import SCHEMA, Archive, Run

Kind = Literal["archive", "run"]

_TITLES = {"archive": "An archive of abcompare", "run": "A run in an archive of abcompare: a line of NDJSON"}

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


def schema_of(kind: Kind = "archive") -> dict[str, Any]:
    """The JSON Schema (2020-12) of an archive, or of a run alone."""
    found = msgspec.json.schema(Archive if kind == "archive" else Run)
    definitions = found["$defs"]
    for name, definition in definitions.items():
        for key, described in definition["properties"].items():
            described["description"] = _MEANINGS[name].get(key, "")
        definition["properties"].pop("extra", None)  # where records keep the keys that they do not know
    if kind == "archive":
        _pin(definitions["Archive"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:abcompare:schema:{kind}:{SCHEMA.partition('/')[2]}",
        "title": _TITLES[kind],
        "description": f"{SCHEMA}: numbers in base units (s, B, 1/s); null means not printed, never 0.",
        **found,
    }


def _pin(archive: dict[str, Any]) -> None:
    """An archive names its format; its generator is any."""
    archive["properties"]["schema"] |= {"const": SCHEMA}
    archive["properties"]["generator"].pop("default")
    archive["required"] = ["schema"]


def written(schema: dict[str, Any]) -> bytes:
    """The schema as a file: UTF-8, indented."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"
