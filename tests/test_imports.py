"""The import rule of ARCHITECTURE.md: imports go down only, and siblings never import one another."""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "abcompare"

# From the ground up; names on one line are siblings.
LAYERS = (
    ("version",),
    ("errors", "metrics", "search"),
    ("records",),
    ("blocks", "bounds", "comparison", "jobs"),
    ("scan", "dialects", "archive", "stats", "merging", "plan"),
    ("registry", "inputs"),
    ("audit",),
    ("reading", "compare", "engines", "running"),
    ("reporters", "sides"),
    ("__init__", "schema"),
    ("cli", "__main__"),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}

# One place each for the libraries that are slow to load or stand for one job.
ALONE = {
    "lark": "dialects", "tabulate": "reporters", "typer": "cli", "scipy": "stats", "numpy": "stats", "pycurl": "engines",
}


def _room(path: Path) -> str:
    """The top-level module or package that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imports(path: Path) -> list[tuple[str, int]]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            found.append((f"{node.module}.{node.names[0].name}" if node.module == "abcompare" else str(node.module), node.lineno))
        elif isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
    return found


def test_every_room_has_its_place() -> None:
    rooms = {_room(path) for path in PACKAGE.rglob("*.py")}
    assert rooms <= set(RANK), f"no layer for {rooms - set(RANK)}"


def test_imports_go_down_and_never_to_a_sibling() -> None:
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        room = _room(path)
        for name, line in _imports(path):
            if not name.startswith("abcompare."):
                continue
            other = name.split(".")[1]
            if other not in RANK:
                other = "__init__"
            if other != room and RANK[other] >= RANK[room]:
                wrong.append(f"{path.relative_to(PACKAGE)}:{line}: {room} imports {other}")
    assert wrong == []


def test_each_library_in_one_place() -> None:
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for name, line in _imports(path):
            room = ALONE.get(name.split(".")[0])
            if room and _room(path) != room:
                wrong.append(f"{path.relative_to(PACKAGE)}:{line}: {name} is {room}'s")
    assert wrong == []
