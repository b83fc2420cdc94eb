"""Calibrations from a file, as `abcompare calibrate -o` writes it."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

import msgspec

from abcompare.comparison import Calibration
from abcompare.errors import ArchiveError, Position
from abcompare.inputs.arguments import shown
from abcompare.inputs.streams import opened

_FORMAT = "abcompare.calibration/1"


def load_calibrations(path: str | PathLike[str]) -> tuple[Calibration, ...]:
    """The calibrations in a file, one or a list of them. Raises InputError, and ArchiveError for what is none."""
    name = shown(fspath(path))
    with opened(Path(path), name) as source:
        data = source.stream.read()
    try:
        document = msgspec.json.decode(data)
        found = tuple(msgspec.convert(document if isinstance(document, list) else [document], list[Calibration]))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _not_one(name, str(error)) from error
    if not found:
        raise _not_one(name, "it is empty")
    for one in found:
        if one.schema != _FORMAT:
            raise _not_one(name, f"its format is {one.schema}, and this abcompare reads {_FORMAT}")
    return found


def _not_one(name: str, why: str) -> ArchiveError:
    return ArchiveError(f"not a calibration: {why}", position=Position(name), hint="abcompare calibrate -o writes one")
