"""The numbers of the grader: what is promised of them, and what is so unless it is said."""

import atexit
import dataclasses
import math
import pkgutil
import runpy
from pathlib import Path

import pytest

from irmetrics_edu.classroom import exercises, grading
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading import fork_server
from irmetrics_edu.errors import InputError

# By module: what an author, a teacher or a page of the documentation counts on.
BOUNDS = {
    "exercises.answer_checks": {
        "EDGES": 0.2,
        "DIGITS": (1, 2, 3, 4),
        "FEWEST": 4,
        "NEAR": 0.005,
        "_EXACT": 1e-9,
    },
    "exercises.copy_text": {"WIDTH": 96, "DIGITS": 8},
    "exercises.differing": {"LONGEST_SHOWN": 160},
    "exercises.guessing": {
        "GUESSED": 0.01,
        "OF_LIST": 0.03,
        "TRUTHS": 40,
        "OTHERS": 12,
        "PATIENCE": 150,
    },
    "exercises.checking": {"SECONDS": 5.0},
    "exercises.variants": {
        "MOST_DRAWS": 2000,
        "SHORTEST_KEY": 16,
        "MARGIN": 20,
        "TRIVIAL": (0, 1, -1, 0.5, 2),
    },
    "grading.cell_runner": {"LONGEST_MESSAGE": 2000, "MOST_ERRORS": 40, "COROUTINE": 128},
    "grading.confinement": {"MOST_FILES": 2000, "TMP": "/tmp"},  # noqa: S108 -- the child's own
    "grading.limits": {"MIB": 1048576},
    "grading.newer_syntax": {
        "MOST_NESTED": 6,
        "_BRACKETS": {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1},
    },
    "grading.outcome": {"MOST_PARTS": 20000},
    "grading.plain_values": {
        "DEEPEST": 60,
        "LONG": 9223372036854775808,
        "MOST_ELEMENTS": 1000000,
        "MOST_KEYS": 10000,
        "MOST_HEX_DIGITS": 1000,
    },
    "grading.protocol": {"GRACE": 3, "TEXT": 0x20000000},
    "grading.sandbox": {"LONGEST_CELLS_REPORT": 1048576, "MOST_CHECKS": 1000},
    "grading.supervisor": {"TICK": 0.02, "SIGNALLED": 128, "UMASK": 18, "LONGEST_REFUSAL": 300},
}


ROOMS = {"exercises": Path(exercises.__path__[0]), "grading": Path(grading.__path__[0])}


def read_anew(module):
    """The names of a module as it is read from its file, so that no other test has changed any."""
    room, _, name = module.partition(".")
    return runpy.run_path(str(ROOMS[room] / f"{name}.py"), run_name=module)


@pytest.mark.parametrize("module", BOUNDS)
def test_bounds_are_those_that_are_counted_on(module):
    """Who changes one of them changes what is promised, here too."""
    found = read_anew(module)
    assert {name: found[name] for name in BOUNDS[module]} == BOUNDS[module]


def test_the_numbers_without_an_end_are_three():
    """As they are sent: no JSON has them."""
    floats = read_anew("grading.plain_values")["_FLOATS"]
    assert [*floats] == ["nan", "inf", "-inf"]
    assert math.isnan(floats["nan"])
    assert (floats["inf"], floats["-inf"]) == (math.inf, -math.inf)


def made_in(module):
    """The data classes of a module."""
    for value in read_anew(module).values():
        is_kind = isinstance(value, type) and value.__module__ == module
        if is_kind and dataclasses.is_dataclass(value):
            yield value


MODULES = [
    f"{room}.{found.name}"
    for room, folder in ROOMS.items()
    for found in pkgutil.iter_modules([str(folder)])
    if found.name != "fork_server"  # it does something at the end of the process
]


@pytest.mark.parametrize("module", MODULES)
def test_what_was_said_once_is_not_changed_later(module):
    """Questions, trials, answers, verdicts: only what a notebook has open is kept up to date."""
    changed = {kind.__name__ for kind in made_in(module) if not kind.__dataclass_params__.frozen}
    assert changed == ({"_Open"} if module == "exercises.checking" else set())


USUAL = [
    (
        "exercises.answer_checks",
        "AnswerVerdict",
        {"mistake": None, "where": "", "problem": "", "chance": ""},
    ),
    (
        "exercises.computed_question",
        "Question",
        {
            "inputs": None,
            "kind": "function",
            "title": "",
            "marks": 2,
            "names": {},
            "edges": (),
            "prefix": "",
            "column": "",
            "line": "rank",
            "mistakes": (),
            "wrongs": (),
            "hints": (),
            "tolerance": 0.000001,
            "tries": 6,
            "jointly": False,
            "harness": "",
            "calls": "",
            "packages": ("numpy",),
            "partly": False,
            "bonus": False,
            "asks": "",
            "parts": (),
        },
    ),
    (
        "exercises.computed_question",
        "Trial",
        {"edges": (), "prefixes": (), "examples": (), "hidden": False},
    ),
    ("exercises.copy_text", "CopyText", {"seals": {}, "changed": False}),
    ("exercises.differing", "Failed", {"error": ""}),
    ("exercises.differing", "Tried", {"open": True}),
    ("exercises.spec", "Criterion", {"text": ""}),
    ("exercises.spec", "Exercise", {"by_hand": ()}),
    ("exercises.translation", "PlacedMessage", {"formatted": False}),
    ("exercises.variants", "Variant", {"student": "", "key": b""}),
    (
        "grading.outcome",
        "Call",
        {"read": False, "harness": "", "answer": "", "order": (), "checked": False},
    ),
    ("grading.outcome", "Replaced", {"cells": (), "value": None}),
    ("grading.outcome", "Raised", {"cell": 0, "line": 0, "text": "", "name": ""}),
    (
        "grading.outcome",
        "Answer",
        {"given": False, "value": None, "error": None, "why": "", "lack": "there is a value"},
    ),
    (
        "grading.outcome",
        "RunOutcome",
        {
            "cell_errors": (),
            "limit": "",
            "ended": "",
            "wall": 0,
            "tampered": False,
            "ran": False,
            "started": False,
            "checked": (),
        },
    ),
    ("grading.tiers", "Tier", {"unfiltered": ""}),
]


@pytest.mark.parametrize(("module", "name", "usual"), USUAL)
def test_what_is_not_said_is_the_usual(module, name, usual):
    """Every field that need not be given, and no other."""
    [kind] = [kind for kind in made_in(module) if kind.__name__ == name]
    found = {}
    for field in dataclasses.fields(kind):
        if field.default is not dataclasses.MISSING:
            found[field.name] = getattr(field.default, "value", field.default)
        elif field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
    assert found == usual


def test_the_fork_server_is_ended_with_the_process(monkeypatch):
    """What closes it is called at the end."""
    registered = []
    monkeypatch.setattr(atexit, "register", registered.append)
    names = runpy.run_path(fork_server.__file__)
    assert registered == [names["FORK_SERVER"].close]


def test_a_key_is_needed_for_a_student_alone():
    """Of sixteen bytes; the general copy has none."""
    assert Variant("ann", b"x" * 16).student == "ann"
    for length in (0, 15):
        with pytest.raises(InputError, match=f"this one has {length}$"):
            Variant("ann", b"x" * length)
    assert Variant("", b"x").key == b"x"
