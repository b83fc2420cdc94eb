"""Archives: records to JSON and NDJSON and back.

The format is `abcompare/1`. A file of another major version is refused (`abcompare/1.1` is of this one); unknown keys and metrics survive a round trip.
"""

from __future__ import annotations

import codecs
import re
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from abcompare.errors import ArchiveError, Position
from abcompare.records import SCHEMA, Archive, Run

_LINES = ("-", ".ndjson", ".jsonl")  # what may be NDJSON of no runs; an empty file of another name was to hold something

_Record = TypeVar("_Record", Archive, Run)


def loads(data: bytes | str, *, path: str = "-") -> Archive:
    """The archive in `data` (JSON, or NDJSON with a run a line). Raises ArchiveError, with the position."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    raw = raw.removeprefix(codecs.BOM_UTF8)
    if not raw.strip() and path.endswith(_LINES):
        return Archive()
    try:
        document = _decoded(raw, path)
    except ArchiveError:
        if raw.lstrip()[:1] == b"{" and b"\n{" in raw:
            return _lines(raw, path)
        raise
    if isinstance(document, dict) and "schema" not in document and "measures" in document:
        return _lines(raw, path)
    return _archive(document, path)


def _lines(raw: bytes, path: str) -> Archive:
    """NDJSON: a run a line."""
    runs: list[Run] = []
    for number, line in enumerate(raw.splitlines(), 1):
        if not line.strip():
            continue
        runs.append(_convert(_decoded(line, path, number), Run, path, number))
    return Archive(runs=tuple(runs))


def _decoded(raw: bytes, path: str, first_line: int = 1) -> Any:
    """The JSON document in `raw`, which begins on a line of its file. Raises ArchiveError, with line and column."""
    try:
        return msgspec.json.decode(raw)
    except RecursionError as error:
        raise ArchiveError("not an archive: nested too deeply", position=Position(path, first_line)) from error
    except msgspec.DecodeError as error:
        reason = re.sub(r"^JSON is malformed: | \(byte \d+\)$", "", str(error))
        before = raw[: _fault(raw, str(error))].decode("utf-8", "replace")
        position = Position(path, first_line + before.count("\n"), len(before) - before.rfind("\n"))
        hint = "the file ends before its JSON does: was it cut?" if "truncated" in reason else None
        raise ArchiveError(f"not valid JSON: {reason}", position=position, hint=hint) from error


def _fault(raw: bytes, message: str) -> int:
    """The offset at which `raw` is no JSON: msgspec's message says it, but not of cut and of wrongly encoded texts."""
    found = re.search(r"\(byte (\d+)\)", message)
    if found:
        return int(found[1])
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return error.start
    return len(raw)


def _archive(document: Any, path: str) -> Archive:
    schema = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(schema, str) or not schema.startswith("abcompare/"):
        raise ArchiveError('not an archive: it has no "schema": "abcompare/1"', position=Position(path))
    if not re.fullmatch(rf"{SCHEMA}(?:\.\d+)*", schema):
        raise ArchiveError(f"this archive is {schema}, and this abcompare reads {SCHEMA}", position=Position(path), hint="update abcompare")
    plain = {key: value for key, value in document.items() if key != "runs"}
    archive = _convert(plain, Archive, path, None)
    runs = document.get("runs", [])
    if not isinstance(runs, list):
        raise ArchiveError('"runs" is not a list', position=Position(path))
    return msgspec.structs.replace(archive, runs=tuple(_convert(run, Run, path, None) for run in runs))


def _convert(document: Any, kind: type[_Record], path: str, line: int | None) -> _Record:
    """The record of a document; what this version does not know is kept in `extra`."""
    foreign = {}
    if isinstance(document, dict) and "extra" in document:  # a key like any other, and not where the record keeps these
        foreign = {"extra": document["extra"]}
        document = {key: value for key, value in document.items() if key != "extra"}
    try:
        record = msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        raise ArchiveError(f"a {kind.__name__.lower()} of this archive breaks its schema: {error}", position=Position(path, line)) from error
    unknown = foreign | _unknown(document, msgspec.to_builtins(record))
    return msgspec.structs.replace(record, extra=unknown) if unknown else record


def _unknown(given: Any, known: Any) -> Any:
    """The keys of `given` that `known` lacks, at any depth, in the same nesting (lists by index); empty when none."""
    if isinstance(given, dict) and isinstance(known, dict):
        found: dict[str, Any] = {}
        if given == known:  # nearly always, and ten times as fast as looking at each key
            return found
        for key, value in given.items():
            if key not in known:
                if value is not None or not _defaulted(key, known):
                    found[key] = value
            elif rest := _unknown(value, known[key]):
                found[key] = rest
        return found
    if isinstance(given, list) and isinstance(known, (list, tuple)):
        return {str(at): rest for at, (one, other) in enumerate(zip(given, known, strict=False)) if (rest := _unknown(one, other))}
    return {}


def _defaulted(key: str, known: dict[str, Any]) -> bool:
    """Whether an absent key of a measure or finding is one that is left out at its default."""
    return key in ("method", "rounding", "line", "path", "measure", "printed", "value") and bool(known)


def _plain(record: Archive | Run) -> dict[str, Any]:
    """The JSON form of a record, with what an earlier load did not know."""
    extra = record.extra
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(record, extra=UNSET))
    if extra is not UNSET:
        _restore(plain, extra)
    return plain


def _restore(plain: Any, extra: Any) -> None:
    """Puts back into `plain` what was not known. What an element of a list held goes with it when it is gone."""
    for key, value in extra.items():
        if isinstance(plain, (list, tuple)):
            if int(key) < len(plain):
                _restore(plain[int(key)], value)
        elif key in plain and isinstance(plain[key], (dict, list, tuple)) and isinstance(value, dict):
            _restore(plain[key], value)
        else:
            plain[key] = value


def dumps(archive: Archive) -> bytes:
    """The archive as JSON: UTF-8, two blanks of indentation, a line end at the end."""
    if all(run.extra is UNSET for run in archive.runs) and archive.extra is UNSET:
        return msgspec.json.format(msgspec.json.encode(archive), indent=2) + b"\n"
    plain = _plain(msgspec.structs.replace(archive, runs=()))
    plain["runs"] = [_plain(run) for run in archive.runs]
    return msgspec.json.format(msgspec.json.encode(plain), indent=2) + b"\n"


def dump_lines(archive: Archive) -> bytes:
    """The runs of the archive as NDJSON, one a line."""
    return b"".join(msgspec.json.encode(_plain(run)) + b"\n" for run in archive.runs)
