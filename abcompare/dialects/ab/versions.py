"""Which ab wrote a report, and what that version prints differently. Source: the tags of apache/httpd's support/ab.c."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Era = Literal["1.3c", "1.3d", "2.0.16", "2.0.17", "2.0.37", "2.0.51", "2.1", "2.2.9", "2.4"]


@dataclass(frozen=True, slots=True)
class Traits:
    """What a version prints. `era` is the first release of the group, or None when nothing tells.

    `time`: "plain" decimals; "padded": microseconds without their leading zeros (T1); "thousandth": 2.0.16's
    milliseconds divided by 10^6 (T2). `request_unit`: of Time per request, whatever the label says (T3).
    `rate_unit`: 1000 or 1024 bytes (T4). `truncates`: whole milliseconds are cut, not rounded. `averages`: the avg
    column of -S is divided twice (T7). `html_rate`: -w's rate is 1000 times too large; `html_bytes`: its kb/s are
    bytes per second. `processing_derived`: the row
    Processing of -S is Total minus Connect, column by column.
    """

    era: Era | None
    time: Literal["plain", "padded", "thousandth"] = "plain"
    request_unit: Literal["ms", "s"] = "ms"
    rate_unit: Literal["kB/s", "1000B/s"] = "kB/s"
    truncates: bool = False
    averages: bool = False
    html_time: bool = False
    html_rate: bool = False
    html_bytes: bool = False
    processing_derived: bool = False


_OLD = Traits("1.3c", rate_unit="1000B/s", truncates=True)
_UNKNOWN = Traits(None)
_TABLE: dict[Era, Traits] = {
    "1.3c": _OLD,
    "1.3d": Traits("1.3d", processing_derived=True, rate_unit="1000B/s", truncates=True),
    "2.0.16": Traits("2.0.16", processing_derived=True, time="thousandth", rate_unit="1000B/s", truncates=True, averages=True, html_time=True),
    "2.0.17": Traits("2.0.17", processing_derived=True, time="padded", request_unit="s", truncates=True, averages=True, html_time=True),
    "2.0.37": Traits("2.0.37", processing_derived=True, time="padded", truncates=True, averages=True, html_time=True),
    "2.0.51": Traits("2.0.51", processing_derived=True, time="padded", truncates=True, html_time=True),
    "2.1": Traits("2.1", processing_derived=True, time="padded", truncates=True, html_time=True),
    "2.2.9": Traits("2.2.9", processing_derived=True, html_rate=True, html_bytes=True),
    "2.4": Traits("2.4"),
}

_HTML_BYTES_UNTIL = 1430300  # the revision of 2.4.4–2.4.6: -w's kb/s are bytes/s up to there


def traits(version: str | None, revision: str | None) -> Traits:
    """The traits of a banner's version and revision; those of an unknown era when the banner is lost."""
    era = _era(version, revision or "")
    if era is None:
        return _UNKNOWN
    known = _TABLE[era]
    if era == "2.4" and revision and revision.isdigit() and int(revision) <= _HTML_BYTES_UNTIL:
        return Traits("2.4", html_bytes=True, processing_derived=True)
    return known


def _era(version: str | None, revision: str) -> Era | None:
    if version is None:
        return None
    if version in ("1.1", "1.2", "1.3", "1.3a", "1.3b", "1.3c"):
        return "1.3c"
    if version == "1.3d":
        return "1.3d"
    if version == "1.3e":
        return "2.0.16" if revision == "1.69" else "2.0.17"
    if version.startswith("2.0.40"):
        return "2.1" if revision == "1.146" else "2.0.37"
    if version.startswith("2.0.41"):
        return "2.0.51"
    old = re.fullmatch(r"2\.0\.(\d+)(-dev)?", version)
    if old:
        return "2.0.17" if int(old[1]) <= 36 else "2.0.37"
    if version == "2.3":
        return "2.2.9" if revision == "655654" else "2.4"
    return None
