"""A third party's distribution, as a folder on the path of a program."""

from __future__ import annotations

import os
from pathlib import Path


def distribution(folder: Path, name: str, text: str, group: str, entry: str) -> dict[str, str]:
    """Writes a distribution 1.0 with one module and one entry point, and returns the environment that finds it."""
    (folder / f"{name}.py").write_text(text)
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{entry}\n")
    return {**os.environ, "PYTHONPATH": str(folder)}
