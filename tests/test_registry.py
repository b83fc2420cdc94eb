"""Third parties' dialects: found by entry point, used as the built-in ones are, and said when they do not load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.plugins import distribution

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


def _parse(folder: Path, text: str, environment: dict[str, str]) -> Any:
    """The archive of a text, read by a program that finds the distribution."""
    log = folder / "a.log"
    log.write_text(text)
    program = str(Path(sys.executable).with_name("abcompare"))
    done = subprocess.run([program, "parse", str(log), "-f", "json"], capture_output=True, text=True, env=environment, check=False)
    return json.loads(done.stdout)


def test_a_third_party_s_dialect_reads_its_tool(tmp_path: Path) -> None:
    environment = distribution(tmp_path, "toy_dialect", DIALECT, "abcompare.dialects", "toybench = toy_dialect:dialect")
    text = "warming up\n> toybench: 100 requests in 2.5 s\n> toybench: 90 requests in 2.5 s\n"
    runs = _parse(tmp_path, text, environment)["runs"]
    assert [run["measures"]["requests.complete"]["value"] for run in runs] == [100, 90]
    assert [run["source"]["first_line"] for run in runs] == [2, 3]


def test_a_dialect_that_does_not_load_is_a_finding_that_names_its_distribution(tmp_path: Path) -> None:
    environment = distribution(tmp_path, "broken_dialect", "raise OSError('no licence')", "abcompare.dialects", "broken = broken_dialect:dialect")
    report = (Path(__file__).parents[1] / "fixtures" / "ab" / "ab-k.txt").read_text()
    document = _parse(tmp_path, report, environment)
    assert len(document["runs"]) == 1
    said = [one["message"] for one in document["findings"] if one["code"] == "PLUGIN-FAILED"]
    assert len(said) == 1
    assert "no licence" in str(said[0])
    assert "broken_dialect 1.0" in str(said[0])
