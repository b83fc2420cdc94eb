"""What `diff` is given: archives, paths or text as labelled sides, and keywords as options."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from abcompare.comparison import Calibration
from abcompare.errors import InputError, UsageError
from abcompare.inputs import shown
from abcompare.inputs.calibrations import load_calibrations
from abcompare.metrics import metric, percentile_of
from abcompare.records import Archive

if TYPE_CHECKING:
    from abcompare.compare.options import Options

Given = Archive | str | PathLike[str]
Read = Callable[[list[str | PathLike[str]]], Archive]
_COMPRESSED = (".gz", ".xz", ".zst", ".bz2")
_SPELLINGS = {"filter": "filters"}  # of the command line
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_FAILURES = ("requests.failed", "requests.non_2xx")
_FAILURE_HINT = "leave it away; --strict-length counts answers of another length too, --accept-failures lets failures pass"
_GATES = "as in p99, mean, transfer_rate"
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
    folders = _distinct_folders(given)
    return list(zip(_told_apart(labels, names, folders), archives, strict=True))


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


def _distinct_folders(given: Sequence[Given]) -> list[str | None]:
    """By argument the nearest folder that no other path of that name has at the same place; None where there is none."""
    paths = [None if isinstance(one, Archive) or _is_text(one) else Path(shown(str(one)).rpartition("=")[2]) for one in given]
    by_name: dict[str, list[Path]] = {}
    for path in filter(None, paths):
        by_name.setdefault(path.name, []).append(path)
    return [None if path is None else _folder(path, by_name[path.name]) for path in paths]


def _folder(path: Path, alike: Sequence[Path]) -> str | None:
    for level in range(1, max(len(one.parts) for one in alike)):
        there = [one.parts[-1 - level] if len(one.parts) > level else None for one in alike]
        if len(set(there)) == len(there):
            return path.parts[-1 - level] if len(path.parts) > level else None
    return None


def _told_apart(
    labels: Sequence[str | None], names: Sequence[str | None], folders: Sequence[str | None]
) -> list[str | None]:
    """A label a side: the one of its runs, else its name; with the name, as the folder or with a number where two sides
    share it.
    """
    chosen = [label if label is not None else name for label, name in zip(labels, names, strict=True)]
    if not _shared(chosen):
        return chosen
    fuller = [f"{one} ({name})" if one is not None and name not in (None, one) else one for one, name in zip(chosen, names, strict=True)]
    if not _shared(fuller):
        return fuller
    counts = Counter(fuller)
    placed = [
        one if counts[one] == 1 or folder is None else folder if label is None else f"{label} ({folder})"
        for one, label, folder in zip(fuller, labels, folders, strict=True)
    ]
    if not _shared(placed):
        return placed
    return [f"{one} #{at}" if one is not None else None for at, one in enumerate(chosen, 1)]


def _shared(labels: Sequence[str | None]) -> bool:
    known = [one for one in labels if one is not None]
    return len(set(known)) < len(known)


def options_from(keywords: Mapping[str, Any]) -> Options:
    """Options from keywords, which are the command line's with _ for -, their values as typed there or as numbers.

    One name may stand for a list of one, and a path, a calibration or what `load_calibrations` returns for calibrations.
    Raises UsageError.
    """
    from abcompare.compare.options import Options  # and with it the mathematics

    given = {_SPELLINGS.get(name, name): value for name, value in keywords.items()}
    if len(given) < len(keywords):
        raise UsageError("filter and filters are one keyword", hint="give it once, with a list")
    if "unpaired" in given:
        given["paired"] = pairing(given.get("paired"), given.pop("unpaired"))
    if "reason" in given or not isinstance(given.get("exclude", {}), Mapping):
        raise UsageError("exclude maps the id of each run to the reason", hint='exclude={run.id: "disk was full"}')
    known = [one.name for one in fields(Options)]
    for name in given.keys() - known:
        close = get_close_matches(name, known, n=1)
        raise UsageError(f"there is no option {name!r}", hint=f"{close[0]}?" if close else f"known: {', '.join(known)}")
    for name in _SEVERAL:
        if name in given:
            given[name] = _several(given[name])
    given["margins"] = {metric_path(name, "margins"): share(value, "margins") for name, value in (given.get("margins") or {}).items()}
    if "margin" in given:
        given |= margins(given.pop("margin"), "margin", given["margins"])
    given |= gates(given.get("gate") or (), "gate")
    for name in ("alpha", "not_worse"):
        if given.get(name) is not None:
            given[name] = share(given[name], name)
    given["calibration"] = calibrations(given.get("calibration"))
    if given.get("max_age") is not None:
        given["max_age"] = age(given["max_age"], "max_age")
    return Options(**given)


def _several(value: str | Iterable[str] | None) -> tuple[str, ...]:
    return () if value is None else (value,) if isinstance(value, str) else tuple(value)


def share(value: str | float, option: str) -> float:
    """A share, "5%", "0.05" or 0.05, between 0 and 1. Raises UsageError for anything else."""
    plain = str(value).strip().replace("\u2009", "").replace(" ", "")
    try:
        found = float(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)
    except ValueError:
        found = -1.0
    if not 0 < found < 1:
        raise UsageError(f"{option}: {value!r} is no share between 0 and 1", hint="write 5% or 0.05")
    return found


def metric_path(text: str, option: str) -> str:
    """The full name of a metric, its alias, or what a table calls it ("max"). Raises UsageError for an unknown one."""
    plain = text.strip().replace(" ", ".")
    known = metric(plain) or metric(f"latency.{plain}")
    if known is None:
        raise UsageError(f"{option}: there is no metric {text!r}", hint="as in throughput, p99, mean, latency.mean")
    return known.name


def margins(given: str | float | Iterable[str | float] | None, option: str, known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Margins as options, the general one and those of metrics ("p99=10%"), which are added to those that are known."""
    found: dict[str, Any] = {"margins": dict(known or {})}
    for one in (given,) if isinstance(given, (str, float, int)) else given or ():
        name, equals, value = one.rpartition("=") if isinstance(one, str) else ("", "", one)
        if equals:
            found["margins"][metric_path(name, option)] = share(value, option)
        else:
            found["margin"] = share(one, option)
    return found


def gates(texts: Iterable[str], option: str) -> dict[str, Any]:
    """Gates as options: the metrics that gate too, and the loss that has to be excluded ("not-worse=5%")."""
    found: dict[str, Any] = {}
    metrics: list[str] = []
    for text in texts:
        name, equals, value = text.partition("=")
        if equals and name == "not-worse":
            found["not_worse"] = share(value, f"{option} not-worse")
        else:
            metrics.append(_gate(text, option))
    return found | {"gate": tuple(metrics)}


def _gate(text: str, option: str) -> str:
    """The name of a metric that can gate. Raises UsageError for what gates always, and for what is never tested."""
    path = metric_path(text, option)
    known = metric(path)
    if path in _FAILURES or path.startswith("errors."):
        raise UsageError(f"{option}: {path} needs no gate, for failures gate always", hint=_FAILURE_HINT)
    if path.endswith(".max") or percentile_of(path) == 100:
        said = f"{option}: {path} is shown and never tested, for it is the time of one request"
        raise UsageError(said, hint="gate a percentile that has requests beyond it, as p99")
    if known is None or known.better == "neither":
        raise UsageError(f"{option}: of {path} neither more nor less is better, so it cannot become worse", hint=_GATES)
    return path


def pairing(paired: bool | None, unpaired: bool) -> bool | None:
    """Two flags as the one option `paired`: False never pairs, None lets the design decide. Raises UsageError for both."""
    if paired and unpaired:
        raise UsageError("paired and unpaired exclude one another", hint="without either the design decides")
    return False if unpaired else paired


def calibrations(given: str | PathLike[str] | Calibration | Iterable[Calibration] | None) -> tuple[Calibration, ...]:
    """The calibrations in a file or a list, of any number of loads. Raises UsageError for an empty list, ArchiveError for no file of any."""
    if given is None:
        return ()
    if isinstance(given, Calibration):
        return (given,)
    found = load_calibrations(given) if isinstance(given, (str, PathLike)) else tuple(given)
    if not found:
        raise UsageError("there is no calibration in the list", hint="leave the option away, or give what abcompare.calibrate returns")
    return found


def age(value: str | float, option: str) -> float:
    """An age in seconds: "30d", "12h", or a number, which is of seconds. Raises UsageError for anything else."""
    if isinstance(value, str):
        found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([smhdw])", value.strip(), re.ASCII)
        seconds = float(found[1]) * _SECONDS[found[2]] if found else math.inf
    else:
        seconds = float(value)
    if not (math.isfinite(seconds) and seconds >= 0):
        raise UsageError(f"{option}: {value!r} is no age", hint="write 30d, 12h or 2w")
    return seconds
