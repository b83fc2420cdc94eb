"""The package itself: names, laziness and speed."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import abcompare.stats as package
from abcompare import stats

SOURCE = Path(inspect.getsourcefile(package))


def test_every_name_loads_from_its_home():
    declared = {}
    for node in ast.walk(ast.parse(SOURCE.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("abcompare.stats."):
            declared |= {alias.name: node.module for alias in node.names}
    assert sorted(declared) == sorted(package.__all__)
    for name, module in declared.items():
        assert getattr(package, name) is getattr(importlib.import_module(module), name)
        assert getattr(package, name).__doc__
    assert set(package.__all__) <= set(dir(package))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = package.nonsense


def test_no_name_is_hidden_by_a_module():
    # A submodule, once imported, becomes an attribute of the package and would replace a function of its name.
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert not modules & set(package.__all__)


def test_importing_costs_nothing_and_never_loads_scipy_stats():
    code = (
        "import sys, abcompare.stats as s; assert not {'numpy', 'scipy'} & set(sys.modules);"
        "[getattr(s, name) for name in s.__all__];"
        "assert 'scipy.special' in sys.modules and not {'scipy.stats', 'scipy.optimize'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, cwd=SOURCE.parents[2])


def test_small_modules():
    lengths = [len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCE.parent.glob("*.py")]
    assert max(lengths) <= 300
    assert sorted(lengths)[len(lengths) // 2] < 120


def test_two_hundred_scenarios_of_five_metrics_are_quick():
    rng = np.random.default_rng(1)
    start = time.process_time()
    effects = []
    for _ in range(200):
        for metric in range(5):
            a, b = rng.lognormal(3, 0.02, 12), rng.lognormal(3, 0.02, 13)
            effect = stats.welch_test(a, b, resolution_a=0.01)
            stats.permutation_test(a, b)
            stats.equivalence_test(effect, 0.05)
            stats.detectable_effect(effect.se, effect.df)
            stats.runs_needed(effect.sd, 0.05)
            stats.flag_outliers(a, b)
            stats.hodges_lehmann_ratio(a, b), stats.cliffs_delta(a, b), stats.hedges_g(a, b)
            stats.geometric_mean(a), stats.geometric_mean(b)
            if not metric:
                effects.append(effect)
    stats.holm([e.p for e in stats.moderate(effects)])
    stats.combine_effects(effects)
    # The contract allows `diff` 5 s for this; the statistics must leave room, and a busy machine is slow.
    assert time.process_time() - start < 4
