"""A number as wrk prints it, with its unit, and how it becomes a measure (src/units.c)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import msgspec

from abcompare.dialects.draft import Draft
from abcompare.metrics import half_unit, known_unit, quantity
from abcompare.records import Measure

_AMOUNT = re.compile(r"(-?nan|-?[\d.,]+)\s*([^\s\d]*)")


@dataclass(frozen=True, slots=True)
class Amount:
    """What stands in a report: the text, its number without thousands marks ("nan" for none), its unit, its offset."""

    text: str
    number: str
    unit: str
    at: int

    @classmethod
    def of(cls, text: str, at: int, unit: str = "") -> Amount:
        """The amount that `text` ("45.85us") says, at offset `at`; `unit` where the text says none."""
        plain = " ".join(text.split())
        found = _AMOUNT.match(plain)
        number = found[1].lstrip("-").replace(",", "") if found else "nan"
        return cls(plain, number, (found[2] if found else "") or unit, at)

    @property
    def nan(self) -> bool:
        """Whether wrk divided by the number of its samples, and there were none."""
        return self.number == "nan"

    @property
    def value(self) -> float | None:
        """The value in base units; None for nan and where the unit is none that is known."""
        return None if self.nan or not known_unit(self.unit) else quantity(self.number, self.unit)

    @property
    def half(self) -> float:
        """Half a unit of the last printed digit, in base units."""
        return half_unit(self.number, self.unit)


def enter(draft: Draft, name: str, amount: Amount, base: str, method: str | None = None) -> Measure:
    """Enters a measure as printed, unit included; a time or a size whose unit is lost has no value, and a finding."""
    if amount.nan:
        return void(draft, name, amount, base, method)
    if base in ("s", "B", "B/s") and not amount.unit:
        said = f"the unit of {amount.text} is lost: the column was too narrow for it, and nothing tells what it was"
        draft.find("WRK-UNIT-LOST", "warning", said, at=amount.at, measure=name, printed=amount.text)
        return void(draft, name, amount, base, method)
    draft.number(name, amount.number, unit=amount.unit, base=base, method=method)
    measure = msgspec.structs.replace(draft.measures[name], text=amount.text)
    draft.measures[name] = measure
    return measure


def void(draft: Draft, name: str, amount: Amount, base: str, method: str | None = None) -> Measure:
    """Enters a statistic over nothing: its text stays, its value is None."""
    measure = Measure(None, base, amount.text, None, method=method)
    draft.measures[name] = measure
    return measure
