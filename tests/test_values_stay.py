"""What a decision is made of can't be changed once it is there: values, verdicts and answers."""

import dataclasses
import importlib
import pkgutil

import pytest

WINGS = ("gate", "runs", "diagnosis")
# What is filled while something is read, joined or measured.
FILLED = {
    "_Read",
    "_Said",
    "_Scored",
    "_Sides",
    "HeldInput",
    "MeasuredTest",
    "Shares",
    "Watch",
    "WeightedValues",
}
# What holds arrays or calls: one is equal to itself alone, and can be a key.
ITSELF_ALONE = {
    "Candidate",
    "Diagnosis",
    "Distinction",
    "FoundMistake",
    "FunctionDiagnosis",
    "Mistake",
    "Reconciliation",
    "SettingScores",
    "Shares",
    "WeightedValues",
}


@pytest.fixture(scope="module")
def made():
    """Each dataclass of these wings."""
    found = {}
    for wing in WINGS:
        package = importlib.import_module(f"irmetrics_edu.{wing}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for one in vars(importlib.import_module(module.name)).values():
                is_kind = isinstance(one, type) and dataclasses.is_dataclass(one)
                if is_kind and one.__module__ == module.name:
                    found[one.__name__] = one
    assert len(found) > 60
    return found


def test_a_value_can_not_be_changed(made):
    """But for what is filled as it is read."""
    assert {name for name, one in made.items() if not one.__dataclass_params__.frozen} == FILLED


def test_what_holds_arrays_is_equal_to_itself_alone(made):
    """Two arrays have no truth together."""
    assert {name for name, one in made.items() if one.__eq__ is object.__eq__} == ITSELF_ALONE


def test_what_says_that_frames_are_hidden_hides_them():
    """Both to pytest and to unittest: a failure shows the test, and not the gate."""
    package = importlib.import_module("irmetrics_edu.gate")
    told = []
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        names = vars(importlib.import_module(module.name))
        told += [names[name] for name in ("__tracebackhide__", "__unittest") if name in names]
    assert len(told) > 20
    assert set(told) == {True}
