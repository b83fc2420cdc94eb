"""The golden fixtures: NAME.txt, a log as a tool wrote it, with NAME.json beside it, what a person reads in it.

`python -m tests.golden` writes the JSON of every fixture anew; read the difference before you commit it.
"""

from __future__ import annotations

import json
from pathlib import Path

from abcompare import archive
from abcompare.reading import parse

FIXTURES = Path(__file__).parents[1] / "fixtures"
TOOLS = ("ab", "wrk", "wrk2")


def texts() -> list[Path]:
    """The logs of all pairs."""
    return sorted(path for tool in TOOLS for path in (FIXTURES / tool).glob("*.txt"))


def expected(path: Path) -> Path:
    """The JSON beside a log."""
    return path.with_suffix(".json")


def read(path: Path) -> dict[str, object]:
    """What the parser makes of a log, as JSON; without the generator, which changes with every release."""
    document: dict[str, object] = json.loads(archive.dumps(parse(path.read_bytes(), path=path.name)))
    del document["generator"]
    return document


def main() -> None:
    """Writes every pair's JSON."""
    for path in texts():
        expected(path).write_text(json.dumps(read(path), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
