"""Command lines of load generators, as people type and paste them: found, never executed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Command:
    """A command line in a text: where it begins and ends, the text as typed, and whether it opens its line."""

    start: int
    end: int
    text: str
    opens_line: bool


@cache
def _pattern(programs: tuple[str, ...]) -> re.Pattern[str]:
    """A program's name and its words; an option or a URL must follow, for "ab" alone is a word in German."""
    names = "|".join(re.escape(name) for name in programs)
    return re.compile(
        rf"(?:{names})(?:-?\d[\w.]*|-trunk)?(?:\.exe)?[ \t]+(?=[\"'(]?(?:-{{1,2}}\w|https?://|[\w.-]+\.[a-z]{{2,}}/|localhost|\d+\.\d+\.\d+\.\d+))"
        r"(?:[^\n\\;|\"']|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[\"']|\\[ \t]*\n|\\.)+"
    )


_CLOCKED = re.compile(r"\d% cpu \S+ total\s*$")  # zsh's `time` repeats the command line below the run
_PATH = re.compile(r"(?:[\w.~:-]*[/\\])*$")
_PROMPT = re.compile(r"(?:.*[#$%>»❯➜»:)\]]\s*|\s*(?:[-*+>|#]\s*|//\s*)*)(?:(?:time|sudo|exec|taskset\s+\S+|numactl\s+\S+)\s+)*")


def commands(text: str, programs: tuple[str, ...], raw: str | None = None) -> list[Command]:
    """Every command line of these programs in `text`, in order. A line that ends in a backslash goes on.

    `raw` is the text before views blanked its pipes: a command ends at one.
    """
    if not programs:
        return []
    found: list[Command] = []
    for match in _pattern(programs).finditer(text):
        line_start = text.rfind("\n", max(0, match.start() - 1000), match.start()) + 1
        before = text[line_start : match.start()]
        path = _PATH.search(before)
        start = line_start + path.start() if path else match.start()
        before = text[line_start:start]
        if re.search(r"[\w.-]$", before) or _CLOCKED.search(match.group()):
            continue
        end = match.end() if raw is None else _before_pipe(text, raw, start, match.end())
        typed = re.sub(r"\\[ \t]*\n\s*", " ", text[start:end])
        typed = re.split(r"\s+(?:[12]?>>?\s|#\s|//\s|&&|Benchmarking )|This is ApacheBench|Running \d+\w? test @", typed, maxsplit=1)[0]
        if before[-1:] in ("'", '"', "`"):  # a quoted command ends where the quotation does
            typed = typed.split(before[-1], 1)[0]
        typed = typed.strip().strip("`*")
        found.append(Command(start, start + len(typed), typed, _PROMPT.fullmatch(before) is not None))
    return found


def _before_pipe(text: str, raw: str, start: int, end: int) -> int:
    """The end of a command: the first pipe that a view has blanked, outside of quotation marks."""
    for found in re.finditer(r"\|", raw[start:end]):
        at = start + found.start()
        if text[at] == " " and raw.count('"', start, at) % 2 == 0 and raw.count("'", start, at) % 2 == 0:
            return at
    return end
