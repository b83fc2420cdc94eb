"""What a comparison is asked for: defaults are statistics.md's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from abcompare.comparison import Calibration

MAX_AGE = 30 * 86_400.0  # seconds: kernels, clocks and neighbours change in a month


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `diff`. Margins and alpha are fractions; keys are paths of the record or their aliases.

    `by` splits one archive into sides by a key. `filters` are "key=value" (also != < > <= >=). `row` replaces the keys
    that make a scenario, `ignore` takes some of them away, `vary` names what may differ between the sides. `gate` names
    secondary metrics that gate too; `not_worse` lets the gate pass only if a loss of that size is excluded. `exclude`
    maps ids of runs to the reason. `paired` None lets the design decide. Of several calibrations each scenario takes the
    one of its load; `max_age` is in seconds, from a calibration to the runs, and None for any age.
    """

    alpha: float = 0.05
    margin: float = 0.05
    margins: Mapping[str, float] = field(default_factory=dict)
    by: str | None = None
    filters: tuple[str, ...] = ()
    row: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    vary: tuple[str, ...] = ()
    gate: tuple[str, ...] = ()
    not_worse: float | None = None
    require_decision: bool = False
    fdr: bool = False
    accept_failures: bool = False
    accept_incomplete: bool = False
    strict_length: bool = False
    cross_tool: bool = False
    paired: bool | None = None
    exclude: Mapping[str, str] = field(default_factory=dict)
    calibration: tuple[Calibration, ...] = ()
    max_age: float | None = MAX_AGE
    borrow_noise: bool = False
    ratio_of_means: bool = False
    seed: int = 0
