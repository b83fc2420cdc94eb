"""Findings of an audit as text, JSON, Markdown, GitHub annotations and SARIF 2.1.0."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote

import msgspec

from abcompare.records import Finding
from abcompare.reporters.cells import visible
from abcompare.reporters.overview import source_of
from abcompare.reporters.style import Style
from abcompare.reporters.table import Column, as_markdown
from abcompare.version import __version__

FORMATS = ("text", "json", "markdown", "github", "sarif")
_GITHUB = {"error": "error", "warning": "warning", "info": "notice", "corrected": "notice"}
_SARIF = {"error": "error", "warning": "warning", "info": "note", "corrected": "note"}
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render_audit(findings: Sequence[Finding], format: str, style: Style | None = None, titles: Mapping[str, str] | None = None) -> str:
    """The findings in a format of FORMATS; they have their path and line. `titles` are one line for each code."""
    style = style or Style(None, color=False)
    titles = titles or {}
    if format == "json":
        return json.dumps({"findings": [msgspec.to_builtins(one) for one in findings]}, indent=2, ensure_ascii=False) + "\n"
    if format == "sarif":
        return json.dumps(_sarif(findings, titles), indent=2, ensure_ascii=False) + "\n"
    if format == "github":
        return "".join(f"{_annotation(one)}\n" for one in findings)
    if format == "markdown":
        return _markdown(findings)
    return "".join(f"{said(one, one.path or '', style)}\n" for one in findings)


def said(finding: Finding, path: str, style: Style) -> str:
    """A finding on one line: where, severity, code and message."""
    where = f"{source_of(path, finding.line)}: " if path else ""
    return f"{where}{style.paint(finding.severity, finding.severity)} {visible(finding.code)}: {visible(finding.message)}"


def _markdown(findings: Sequence[Finding]) -> str:
    columns: dict[str, Sequence[str]] = {
        "where": [source_of(one.path or "", one.line) for one in findings], "severity": [one.severity for one in findings],
        "code": [one.code for one in findings], "finding": [one.message for one in findings],
    }  # fmt: skip
    return f"{as_markdown([Column(title, cells) for title, cells in columns.items()])}\n"


def _annotation(one: Finding) -> str:
    """A workflow command of GitHub: %, line ends and, in properties, colons and commas are escaped."""
    fields = {"file": one.path, "line": one.line, "title": one.code}
    told = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in fields.items() if value)
    return f"::{_GITHUB[one.severity]} {told}::{_escaped(visible(one.message))}"


def _escaped(text: str, also: str = "") -> str:
    return "".join(f"%{ord(char):02X}" if char in f"%\r\n{also}" else visible(char) for char in text)


def _uri(path: str) -> str:
    """A path as a reference of a URI (RFC 3986): in a relative one no colon, in an absolute one no second slash first."""
    try:
        plain = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a character that no file's name has
        plain = path.encode("utf-8", "backslashreplace")
    return re.sub("^/+", "/", quote(plain, safe="/"))


def _sarif(findings: Sequence[Finding], titles: Mapping[str, str]) -> dict[str, object]:
    codes = sorted({one.code for one in findings})
    rules = [{"id": code, "shortDescription": {"text": titles.get(code, code)}} for code in codes]
    results = []
    for one in findings:
        region = {"region": {"startLine": one.line}} if one.line else {}
        place = {} if not one.path else {"physicalLocation": {"artifactLocation": {"uri": _uri(one.path)}, **region}}
        result: dict[str, object] = {"ruleId": one.code, "level": _SARIF[one.severity], "message": {"text": visible(one.message)}}
        results.append(result | ({"locations": [place]} if one.path else {}))
    driver = {"name": "abcompare", "version": __version__, "rules": rules}
    return {"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
