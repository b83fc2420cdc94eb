"""Command lines as words and options: read as data, never executed and never near a shell."""

from __future__ import annotations

import shlex
from collections.abc import Iterable


def split(command: str) -> list[str]:
    """The words of a command line as a POSIX shell would split them; by blanks where the quotes do not close."""
    try:
        return shlex.split(command, posix=True)
    except ValueError:
        return command.replace('"', " ").replace("'", " ").split()


def options(argv: Iterable[str], flags: str, values: str) -> tuple[dict[str, list[str]], list[str]]:
    """getopt for tools that take single letters: ({letter: values in order}, the words that are no options).

    `flags` are the letters without a value, `values` those with one, joined ("-n100") or apart ("-n 100"). A letter
    in neither is kept as a flag. Options may stand behind the URL, as people type them.
    """
    given: dict[str, list[str]] = {}
    rest: list[str] = []
    words = iter(argv)
    for word in words:
        if not word.startswith("-") or word in ("-", "--"):
            rest.append(word)
            continue
        letters = word[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in values:
                given.setdefault(letter, []).append(letters or next(words, ""))
                break
            given.setdefault(letter, []).append("")
    return given, rest
