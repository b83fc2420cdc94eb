"""Numbers of a command line that is to be done: what its tool would refuse, or read as another load, is wrong usage.

Command lines above reports are read leniently, for their tool has run; this is for those that nobody has run yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from abcompare.errors import UsageError
from abcompare.records import Number

_MOST = 10**15  # as of the options of `abcompare run`


def insist(tool: str, given: Mapping[str, Sequence[str]], letters: str, read: Callable[[str], Number | None], kind: str) -> None:
    """Raises UsageError for the first option among `letters` whose value, the last one, is no number above 0.

    `read` returns None for what the tool does not take; `kind` says what it takes.
    """
    for letter in letters:
        if letter not in given:
            continue
        text = given[letter][-1]
        value = read(text)
        if value is None or not 0 < value <= _MOST:
            raise UsageError(f"--like: {tool} -{letter} {text[:40]!r} is not {kind}", hint="it is not guessed at: write the number out")
