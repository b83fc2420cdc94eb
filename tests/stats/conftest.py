"""The worked examples of the design: fixtures/oracles/statistics.json, computed apart from this package."""

import json
from pathlib import Path
from typing import Any

import pytest

ORACLES = Path(__file__).parents[2] / "fixtures" / "oracles" / "statistics.json"


@pytest.fixture(scope="session")
def oracles() -> dict[str, Any]:
    return json.loads(ORACLES.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def e4(oracles: dict[str, Any]) -> dict[str, Any]:
    return oracles["E4_welch_log"]


@pytest.fixture(scope="session")
def e5(oracles: dict[str, Any]) -> dict[str, Any]:
    return oracles["E5_not_significant"]
