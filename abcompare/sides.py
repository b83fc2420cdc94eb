"""What `diff` is given: archives, paths or text as labelled sides, and keywords as options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from abcompare.comparison import Calibration
from abcompare.errors import InputError, UsageError
from abcompare.inputs import shown
from abcompare.inputs.calibrations import load_calibrations
from abcompare.records import Archive

if TYPE_CHECKING:
    from abcompare.compare.options import Options

Given = Archive | str | PathLike[str]
Read = Callable[[list[str | PathLike[str]]], Archive]
_COMPRESSED = (".gz", ".xz", ".zst", ".bz2")
_SEVERAL = ("filters", "row", "ignore", "vary", "gate")


def read_sides(arguments: Iterable[Given], read: Read) -> list[tuple[str | None, Archive]]:
    """Each argument as a side of a comparison: its label and its archive; `read` reads what is a path.

    The label is the one that all its runs share, else what the path is called; None for a text or an archive without.
    Raises InputError for an argument without a run, UsageError for one that makes no sense.
    """
    given = list(arguments)
    if sum(one == "-" or (isinstance(one, str) and one.endswith("=-")) for one in given) > 1:
        raise UsageError("standard input (-) is named twice", hint="it can be read only once")
    archives = [_archive(one, read) for one in given]
    labels = [_shared_label(archive) for archive in archives]
    names = [None if isinstance(one, Archive) or _is_text(one) else _called(one) for one in given]
    return list(zip(_told_apart(labels, names), archives, strict=True))


def _archive(given: Given, read: Read) -> Archive:
    """The archive of one argument. Raises InputError where it holds no run."""
    if isinstance(given, Archive):
        archive, where = given, "an archive"
    elif _is_text(given):
        from abcompare.reading import parse  # the scanner, which archives do not need

        archive, where = parse(str(given), path="text"), "a text"
    else:
        archive, where = read([given]), shown(str(given))
    if not archive.runs:
        why = next((f": {one.message}" for one in archive.findings if one.severity in ("error", "warning")), "")
        raise InputError(f"there is no run in {where}{why}", hint="abcompare parse says what is there instead")
    return archive


def _is_text(given: str | PathLike[str]) -> bool:
    """Whether a string is a log itself: it has line ends, which no path has."""
    return isinstance(given, str) and "\n" in given


def _called(given: str | PathLike[str]) -> str:
    """What a path is called, without the suffixes of format and compression; its label where it has one."""
    label, equals, name = shown(str(given)).rpartition("=")
    if label and equals and not Path(given).exists():
        return label
    if (name or label) == "-":
        return "stdin"
    path = Path(given)
    name = path.name or path.resolve().name
    for suffix in _COMPRESSED:
        name = name.removesuffix(suffix)
    return shown(Path(name).stem) or shown(str(given))


def _shared_label(archive: Archive) -> str | None:
    labels = {run.label for run in archive.runs}
    return labels.pop() if len(labels) == 1 else None


def _told_apart(labels: Sequence[str | None], names: Sequence[str | None]) -> list[str | None]:
    """A label a side: the one of its runs, else its name; with the name or a number where two sides share it."""
    chosen = [label if label is not None else name for label, name in zip(labels, names, strict=True)]
    if not _shared(chosen):
        return chosen
    fuller = [f"{one} ({name})" if one is not None and name not in (None, one) else one for one, name in zip(chosen, names, strict=True)]
    if not _shared(fuller):
        return fuller
    return [f"{one} #{at}" if one is not None else None for at, one in enumerate(chosen, 1)]


def _shared(labels: Sequence[str | None]) -> bool:
    known = [one for one in labels if one is not None]
    return len(set(known)) < len(known)


def options_from(keywords: Mapping[str, Any]) -> Options:
    """Options from keywords: one name may stand for a list of one, and a path for the calibration in it."""
    from abcompare.compare.options import Options  # and with it the mathematics

    given = dict(keywords)
    for name in _SEVERAL:
        if name in given:
            value = given[name]
            given[name] = (value,) if isinstance(value, str) else tuple(value)
    if isinstance(given.get("calibration"), (str, PathLike)):
        given["calibration"] = one_calibration(given["calibration"])
    return Options(**given)


def one_calibration(path: str | PathLike[str]) -> Calibration:
    """The calibration in a file. Raises UsageError where it holds several, ArchiveError where it holds none."""
    found = load_calibrations(path)
    if len(found) > 1:
        said = f"{shown(str(path))} holds the calibrations of {len(found)} loads, and a comparison takes one"
        raise UsageError(said, hint="abcompare calibrate --filter KEY=VALUE -o FILE writes that of one load")
    return found[0]
