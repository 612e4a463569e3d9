"""The names that the package shows."""

import importlib
import pkgutil

import pytest

import irmetrics_edu
from dev.tools.generate import WINGS

MOST_NAMES = 21  # besides the metrics
SHOWING = [
    irmetrics_edu,
    *(importlib.import_module(f"irmetrics_edu.{wing}") for wing in (*WINGS, "gate")),
]


@pytest.mark.parametrize("package", SHOWING, ids=lambda package: package.__name__)
def test_every_public_name_resolves_and_no_module_hides_it(package):
    """Importing a submodule of that name would put it in the function's place."""
    assert [name for name in package.__all__ if getattr(package, name, None) is None] == []
    modules = {m.name for m in pkgutil.iter_modules(package.__path__)}
    assert modules & set(package.__all__) == set()


def test_the_top_holds_the_metrics_and_what_is_done_with_them():
    """Few enough to be read in a completion; all else is in the wings, and there once."""
    metrics = {m.kernel.__name__ for m in irmetrics_edu.METRICS.values()}
    assert metrics <= set(irmetrics_edu.__all__)
    assert len(set(irmetrics_edu.__all__) - metrics) <= MOST_NAMES
    every = [name for package in SHOWING for name in package.__all__]
    assert sorted(every) == sorted(set(every))


def test_names_stay_what_they_are_when_every_module_is_imported():
    """In whatever order things are imported."""
    before = {n: getattr(irmetrics_edu, n) for n in irmetrics_edu.__all__}
    for module in pkgutil.iter_modules(irmetrics_edu.__path__):
        if module.name not in ("__main__", "pytest_plugin"):
            importlib.import_module(f"irmetrics_edu.{module.name}")
    assert {n: getattr(irmetrics_edu, n) for n in irmetrics_edu.__all__} == before


def test_an_unknown_name_is_an_attribute_error():
    """As of any module."""
    with pytest.raises(AttributeError, match="no attribute 'ndgc'"):
        _ = irmetrics_edu.ndgc


def test_dir_lists_the_names_before_they_are_loaded():
    """Completion in a notebook finds them, and nothing else."""
    assert {"ndcg", "explain", "parse"} <= set(dir(irmetrics_edu)) == set(irmetrics_edu.__all__)
