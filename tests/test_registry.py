"""Third parties' dialects: found by entry point, used as the built-in ones are, and said when they do not load."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

DIALECT = '''
"""A dialect for a tool of which every report is one line: "toybench: 100 requests in 2.5 s"."""

import re

from abcompare.blocks import Anchor, Claims, Reading
from abcompare.dialects.draft import Draft
from abcompare.records import Load, Target, Tool

LINE = r"toybench:\\s+(\\d+)\\s+requests\\s+in\\s+(\\d+\\.\\d+)\\s+s"


class Toy:
    name = "toybench"
    claims = Claims(
        words=("toybench:", "TOY"), heads=("toybench:",),
        anchors=(Anchor("line", r"toybench:\\s+\\d+\\s+requests\\s+in\\s+\\d", 1, strong=True),),
    )

    def parse(self, block):
        draft = Draft(block)
        found = re.search(LINE, block.text)
        if found is None:
            return draft.nothing("toybench", "no line")
        draft.number("requests.complete", found[1], unit="", base="1")
        draft.number("duration", found[2], unit="s", base="s")
        return draft.run(Tool("toybench"), Target(), Load(), complete=True, last=found.end())

    def load_of(self, argv):
        return Load()

    def target_of(self, argv):
        return Target()


dialect = Toy()
'''


def _distribution(folder: Path, name: str, module: str, entry: str) -> None:
    (folder / f"{name}.py").write_text(module)
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[abcompare.dialects]\n{entry}\n")


def _parse(folder: Path, text: str) -> dict[str, list[dict[str, object]]]:
    log = folder / "a.log"
    log.write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    program = str(Path(sys.executable).with_name("abcompare"))
    done = subprocess.run([program, "parse", str(log), "-f", "json"], capture_output=True, text=True, env=environment, check=False)
    found: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
    return found


def test_a_third_party_s_dialect_reads_its_tool(tmp_path: Path) -> None:
    _distribution(tmp_path, "toy_dialect", DIALECT, "toybench = toy_dialect:dialect")
    text = "warming up\n> toybench: 100 requests in 2.5 s\n> toybench: 90 requests in 2.5 s\n"
    runs = _parse(tmp_path, text)["runs"]
    assert [run["measures"]["requests.complete"]["value"] for run in runs] == [100, 90]  # type: ignore[index]
    assert [run["source"]["first_line"] for run in runs] == [2, 3]  # type: ignore[index]


def test_a_dialect_that_does_not_load_is_a_finding_that_names_its_distribution(tmp_path: Path) -> None:
    _distribution(tmp_path, "broken_dialect", "raise OSError('no licence')", "broken = broken_dialect:dialect")
    report = (Path(__file__).parents[1] / "fixtures" / "ab" / "ab-k.txt").read_text()
    document = _parse(tmp_path, report)
    assert len(document["runs"]) == 1
    said = [one["message"] for one in document["findings"] if one["code"] == "PLUGIN-FAILED"]
    assert len(said) == 1
    assert "no licence" in str(said[0])
    assert "broken_dialect 1.0" in str(said[0])
