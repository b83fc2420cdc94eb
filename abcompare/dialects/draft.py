"""A draft of a run: what every dialect needs while it turns items into measures, findings and unrecognised lines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from abcompare.blocks import Block, Reading
from abcompare.dialects import secrets
from abcompare.dialects.secrets import REDACTED, redact
from abcompare.metrics import half_unit, quantity
from abcompare.records import Finding, Load, Measure, Number, Run, Severity, Source, Target, Tool, Unrecognised

_WORD = re.compile(r"\w")
_CONTEXT = 1_000  # how much of a line before a text is looked at
_NUMBER = re.compile(r"-?[\d,]+(?:\.\d+)?")


def _without_secrets(lines: Iterable[tuple[int, str, str]]) -> Iterator[tuple[int, str]]:
    """(line of the file, text) of lines as `Draft._lines` gives them; the value of a header may go on below it."""
    header = ""
    for place, before, line in lines:
        whole = before + line
        if header and secrets.folded(whole, header):
            yield place, REDACTED
        else:
            header = whole
            yield place, redact(line.strip(), whole[: len(whole) - len(line.lstrip())])


def run_id(tool: str, texts: Iterable[tuple[str, str]]) -> str:
    """16 hex digits over the tool's name and the sorted "name=text" of the measures as printed."""
    lines = sorted(f"{name}={text}" for name, text in texts)
    return hashlib.sha256("\n".join([tool, *lines]).encode()).hexdigest()[:16]


class Draft:
    """The measures, findings and unrecognised lines of one block, and the run that they make in the end."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.measures: dict[str, Measure] = {}
        self.findings: list[Finding] = list(block.findings)
        self._texts: list[tuple[str, int]] = []

    def number(self, name: str, text: str, *, unit: str, base: str, **more: Any) -> Measure:
        """Enters a measure as printed: `text` in `unit`, kept in `base`. Further fields of Measure go by name."""
        plain = text.replace(",", "") if "," in text else text
        value: Number = quantity(plain, unit)
        if base in ("1", "B") and float(value).is_integer():
            value = int(value)
        measure = Measure(value, base, text, half_unit(plain, unit), **more)
        self.measures[name] = measure
        return measure

    def value(self, name: str) -> Number | None:
        """The value of a measure; None when it is not there."""
        measure = self.measures.get(name)
        return measure.value if measure else None

    def correct(self, name: str, value: Number | None, code: str, message: str, *, at: int, resolution: float | None = None) -> None:
        """Replaces the value of a measure, and says so: the finding gives what was printed and the evidence."""
        old = self.measures[name]
        new = msgspec.structs.replace(old, value=value, resolution=old.resolution if resolution is None else resolution)
        self.measures[name] = new
        self.find(code, "corrected", message, at=at, measure=name, printed=old.text, value=value)

    def find(self, code: str, severity: Severity, message: str, *, at: int | None = None, **more: Any) -> None:
        """Adds a finding at an offset of the block."""
        line = None if at is None else self.block.line(at)
        if more.get("printed"):
            more["printed"] = redact(more["printed"])
        self.findings.append(Finding(code, severity, redact(message), line=line, **more))

    def text(self, text: str, start: int) -> None:
        """Takes a text at an offset of the block that no rule claims."""
        self._texts.append((text, start))

    def unrecognised(self, run: str | None = None) -> tuple[Unrecognised, ...]:
        """The lines of these texts, without secrets; blank lines, rulers and fences are nothing to list."""
        path = self.block.path
        lines = [(place, before, line) for text, start in self._texts for place, before, line in self._lines(text, start)]
        if secrets.may_hold("\n".join([before + line for _, before, line in lines])):
            return tuple(Unrecognised(path, place, shown, run) for place, shown in _without_secrets(lines))
        return tuple([Unrecognised(path, place, line.strip(), run) for place, _, line in lines])

    def _lines(self, text: str, start: int) -> Iterator[tuple[int, str, str]]:
        """(line of the file, what stands before it on its line, line) of the lines of a text that hold a word."""
        line_at, before = self.block.line, "" if text[:1] == "\n" else self._before(start)
        for line in text.split("\n"):
            if line and _WORD.search(line):
                yield line_at(start + len(line) - len(line.lstrip())), before, line
            start += len(line) + 1
            before = ""

    def _before(self, start: int) -> str:
        """What stands before an offset on its line."""
        return self.block.text[max(0, start - _CONTEXT) : start].rpartition("\n")[2]

    def nothing(self, tool: str, reason: str, *, at: int = 0) -> Reading:
        """The reading of a block without any measure: a finding, not a run."""
        found = Finding("NO-RESULT", "warning", f"{tool} printed no result here: {redact(reason)}", line=self.block.line(at), path=self.block.path)
        others = [msgspec.structs.replace(one, path=self.block.path) for one in self.findings]
        return Reading(None, (found, *others), self.unrecognised())

    def run(
        self, tool: Tool, target: Target, load: Load, *, complete: bool, last: int | None = None,
        histograms: dict[str, list[tuple[float, int]]] | None = None, status_codes: Mapping[str, int] | None = None,
    ) -> Reading:
        """The reading of a block that holds measures; `last` is the offset of its last character."""
        block = self.block
        end = len(block.text) - 1 if last is None else last
        identity = run_id(tool.name, ((name, one.text) for name, one in self.measures.items()))
        run = Run(
            id=identity, tool=tool, source=Source(block.path, block.line(0), block.line(max(0, end))),
            command=secrets.command(block.command) if block.command else None, complete=complete,
            target=secrets.target(target), load=load,
            measures=self.measures, findings=tuple(self.findings), histograms=histograms,
            status_codes=dict(status_codes) if status_codes else None,
        )
        return Reading(run, (), self.unrecognised(identity))
