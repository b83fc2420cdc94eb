"""Texts from logs made safe for where they are shown: terminals, spreadsheets, Markdown. And values for people."""

from __future__ import annotations

import re

from abcompare.metrics import human, metric
from abcompare.records import Measure, Number

MOST = 1e300  # no number of a run is larger, and with more a float cannot count

# C0 and C1 control characters (a terminal obeys them), line separators, marks that turn the direction of writing, and
# surrogates, which no encoding takes.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_BLANK = str.maketrans("\t\n\r", "   ")
_MARKDOWN = re.compile(r"([\\`*_\[\]|~])")
_FORMULA = re.compile(r"[=+\-@].")


def visible(text: str) -> str:
    """`text` on one line, control characters written out (\\x1b), so that a log cannot talk to the terminal."""
    return _CONTROL.sub(_written_out, text.translate(_BLANK))


def _written_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def for_sheet(text: str) -> str:
    """`text` for a cell: a spreadsheet takes what begins with = + - @ for a formula, so that gets a quote (')."""
    plain = visible(text)
    return f"'{plain}" if _FORMULA.match(plain) else plain


def for_markdown(text: str) -> str:
    """`text` for Markdown, shown as it is: no markup, no HTML, no end of a cell."""
    plain = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKDOWN.sub(r"\\\1", plain)


def value_of(measure: Measure | None) -> str:
    """A measure for people: "6.28 s"; "" without a measure, a dash where it has no value ("-nan")."""
    if measure is None:
        return ""
    return "—" if measure.value is None else number_of(measure.value, measure.unit, measure.resolution)


def number_of(value: Number, unit: str, resolution: float | None = None) -> str:
    """A value in a base unit for people, be the unit a later version's or the number beyond what floats hold."""
    if abs(value) > MOST:
        return f"beyond 1e300 {visible(unit)}"
    known = resolution is not None and 0 < resolution <= MOST
    try:
        return human(value, unit, resolution if known else None)
    except KeyError:
        return f"{value:.6g} {visible(unit)}"


def meaning(name: str) -> str:
    """What a metric means, and which direction is better; for a name that is in no table, that it is not."""
    known = metric(name)
    if known is None:
        return "a metric that this version of abcompare does not know"
    better = "" if known.better == "neither" else f"; {known.better} is better"
    return f"{known.meaning}{better}"
