"""The names that the package shows."""

import importlib
import pkgutil

import pytest

import irmetrics_edu


@pytest.mark.parametrize("name", [n for n in irmetrics_edu.__all__ if n != "__version__"])
def test_a_public_name_resolves(name):
    """Every name is where it is said to be."""
    assert getattr(irmetrics_edu, name) is not None


def test_no_module_hides_a_public_name():
    """Importing a submodule of that name would put it in the function's place."""
    modules = {m.name for m in pkgutil.iter_modules(irmetrics_edu.__path__)}
    assert modules & set(irmetrics_edu.__all__) == set()


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
    """Completion in a notebook finds them."""
    assert {"ndcg", "explain", "parse"} <= set(dir(irmetrics_edu))
