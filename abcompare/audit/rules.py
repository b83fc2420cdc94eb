"""What a rule is, and the table of all rules: those of this package, and third parties' by entry points.

A rule is one function from a run to notes. Its docstring is its page in the documentation: what is seen, why it
matters, what to do.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from abcompare.errors import UsageError
from abcompare.records import Finding, Run, Severity
from abcompare.registry import third_parties

_MODULES = ("run_time", "arithmetic", "little", "rows", "counts", "tails", "network")


@dataclass(frozen=True, slots=True)
class Note:
    """What a rule has to say of a run: one sentence with its numbers, and the measure that it is about."""

    message: str
    measure: str | None = None


Check = Callable[[Run], Iterable[Note]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its stable code, its severity, a title, its page, and the function."""

    code: str
    severity: Severity
    title: str
    check: Check

    @property
    def page(self) -> str:
        """What the rule means and what to do about it, as text."""
        return inspect.getdoc(self.check) or ""

    def findings(self, run: Run) -> Iterable[Finding]:
        """The notes of a run as findings, at the run's place."""
        for note in self.check(run):
            yield Finding(
                self.code, self.severity, note.message, line=run.source.first_line, path=run.source.path, measure=note.measure,
            )


def rule(code: str, severity: Severity, title: str) -> Callable[[Check], Rule]:
    """Makes a rule of a function."""
    return lambda check: Rule(code, severity, title, check)


@cache
def rules() -> tuple[tuple[Rule, ...], tuple[Finding, ...]]:
    """Every rule that loads, by its code, and a finding for each plug-in that does not."""
    found = [
        one for name in _MODULES for one in vars(import_module(f"abcompare.audit.{name}")).values() if isinstance(one, Rule)
    ]
    plugins, failed = third_parties("rule", Rule)
    return (*found, *plugins), tuple(failed)


def named(code: str) -> Rule:
    """The rule of a code, in any case. Raises UsageError when there is none."""
    for one in rules()[0]:
        if one.code == code.upper():
            return one
    raise UsageError(f"there is no rule {code!r}", hint=f"rules: {', '.join(sorted(one.code for one in rules()[0]))}")
