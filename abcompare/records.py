"""The records: frozen, in base units, `None` for what was not printed. No logic beyond derived properties.

`Archive` is what a file holds, `Run` what one invocation of a load generator told, `Measure` one number of it. The
JSON form (names, order, nulls) is `docs/abcompare.schema.json`, generated from these classes.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from abcompare.version import __version__

SCHEMA = "abcompare/1"
GENERATOR = f"abcompare {__version__}"

Severity = Literal["info", "warning", "error", "corrected"]
Number = int | float
NEAREST: Final = "nearest"


class Measure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One number of a run.

    `value` is what it means, in `unit` (base units), and None when nothing was measured (wrk's -nan) or what was
    printed cannot be right and cannot be recovered; `text` is what was printed; `resolution` is half a unit of the
    last printed digit, in `unit`; `rounding` says whether the tool rounds or truncates; `method` how a statistic is
    defined where tools differ.
    """

    value: Number | None
    unit: str
    text: str
    resolution: Annotated[float, msgspec.Meta(ge=0)] | None
    rounding: Literal["nearest", "down"] = NEAREST
    method: str | None = None

    def __post_init__(self) -> None:
        # Defaults are left out of the JSON by identity, and a measure that came from another process has its own string.
        if self.rounding is not NEAREST and self.rounding == NEAREST:
            msgspec.structs.force_setattr(self, "rounding", NEAREST)


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something a reader should know: a stable code, a severity, one sentence of evidence, and where."""

    code: str
    severity: Severity
    message: str
    line: int | None = None
    path: str | None = None
    measure: str | None = None
    printed: str | None = None
    value: Number | None = None


class Tool(msgspec.Struct, frozen=True):
    """The load generator: `name`, and `version` and `revision` as its banner tells them."""

    name: str
    version: str | None = None
    revision: str | None = None


class Source(msgspec.Struct, frozen=True):
    """Where a run stands: path, first and last line (1-based), and the (path, line) of its copies."""

    path: str
    first_line: int | None = None
    last_line: int | None = None
    copies: tuple[tuple[str, int], ...] = ()


class Tls(msgspec.Struct, frozen=True):
    """What was negotiated."""

    protocol: str | None = None
    cipher: str | None = None
    key_bits: int | None = None
    server_temp_key: str | None = None
    server_name: str | None = None
    cipher_bits: int | None = None


class Target(msgspec.Struct, frozen=True):
    """What was asked, and the server as it names itself."""

    scheme: str | None = None
    host: str | None = None
    port: int | None = None
    path: str | None = None
    server_software: str | None = None
    tls: Tls | None = None


class Load(msgspec.Struct, frozen=True):
    """The load that was asked for: everything that an equivalent run needs, as far as the log tells it."""

    method: str | None = None
    concurrency: int | None = None
    threads: int | None = None
    requests: int | None = None
    duration_s: Number | None = None
    rate_per_s: Number | None = None
    keep_alive: bool | None = None
    http_version: str | None = None
    request_body_bytes: int | None = None
    timeout_s: Number | None = None
    variable_length: bool | None = None
    script: str | None = None
    headers: dict[str, str] = {}


class Run(msgspec.Struct, frozen=True):
    """One invocation of a load generator."""

    id: str
    tool: Tool
    source: Source
    label: str | None = None
    command: str | None = None
    started_at: str | None = None
    order: int | None = None
    block: int | None = None
    complete: bool = True
    target: Target = Target()
    load: Load = Load()
    measures: dict[str, Measure] = {}
    status_codes: dict[str, int] | None = None
    histograms: dict[str, list[tuple[float, int]]] | None = None
    series: dict[str, Any] | None = None
    host: dict[str, Any] | None = None
    findings: tuple[Finding, ...] = ()
    extra: dict[str, Any] | UnsetType = UNSET

    def value(self, name: str) -> Number | None:
        """The value of a measure, in base units; None when it is not there."""
        measure = self.measures.get(name)
        return measure.value if measure else None


class Unrecognised(msgspec.Struct, frozen=True):
    """Text of a report that no rule claims: its line, and the run it stands in (None when it became none)."""

    path: str
    line: int
    text: str
    run: str | None = None


class Archive(msgspec.Struct, frozen=True):
    """Runs, and what was found or not understood beside them."""

    schema: str = SCHEMA
    generator: str = GENERATOR
    findings: tuple[Finding, ...] = ()
    unrecognised: tuple[Unrecognised, ...] = ()
    runs: tuple[Run, ...] = ()
    extra: dict[str, Any] | UnsetType = UNSET
