"""The numbers of the grader: what is promised of them, and what is so unless it is said."""

import atexit
import dataclasses
import importlib
import math
import pkgutil
import runpy

import pytest

from irmetrics_edu.classroom import exercises, grading
from irmetrics_edu.classroom.exercises.answer_checks import AnswerVerdict
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial
from irmetrics_edu.classroom.exercises.copy_text import CopyText
from irmetrics_edu.classroom.exercises.differing import Failed, Tried
from irmetrics_edu.classroom.exercises.spec import Criterion, Exercise
from irmetrics_edu.classroom.exercises.translation import PlacedMessage
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading import fork_server
from irmetrics_edu.classroom.grading.outcome import (
    Answer,
    Call,
    NoValue,
    Raised,
    Replaced,
    RunOutcome,
)
from irmetrics_edu.classroom.grading.tiers import Tier
from irmetrics_edu.errors import InputError
from tests.tables import rows

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


@rows("module", BOUNDS)
def test_bounds_are_those_that_are_counted_on(module):
    """Who changes one of them changes what is promised, here too."""
    found = importlib.import_module(f"irmetrics_edu.classroom.{module}")
    assert {name: getattr(found, name) for name in BOUNDS[module]} == BOUNDS[module]


def test_the_numbers_without_an_end_are_three():
    """As they are sent: no JSON has them."""
    plain_values = importlib.import_module("irmetrics_edu.classroom.grading.plain_values")
    floats = plain_values._FLOATS
    assert [*floats] == ["nan", "inf", "-inf"]
    assert math.isnan(floats["nan"])
    assert (floats["inf"], floats["-inf"]) == (math.inf, -math.inf)


def made_here():
    """The data classes of both rooms."""
    for room in (exercises, grading):
        for found in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            module = importlib.import_module(found.name)
            for value in vars(module).values():
                if dataclasses.is_dataclass(value) and value.__module__ == found.name:
                    yield value


def test_what_was_said_once_is_not_changed_later():
    """Questions, trials, answers, verdicts: only what a notebook has open is kept up to date."""
    kinds = {*made_here()}
    assert len(kinds) > 20
    changed = {kind.__name__ for kind in kinds if not kind.__dataclass_params__.frozen}
    assert changed == {"_Open"}


USUAL = [
    (AnswerVerdict(0.5), {"mistake": None, "where": "", "problem": "", "chance": ""}),
    (
        Question("f", "x"),
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
    (Trial([]), {"edges": (), "prefixes": (), "examples": (), "hidden": False}),
    (CopyText({}, {}), {"seals": {}, "changed": False}),
    (Failed("why"), {"error": ""}),
    (Tried(None, {}, 1, 2, right=False), {"open": True}),
    (Criterion("a", 1), {"text": ""}),
    (Exercise("01", "T", []), {"by_hand": ()}),
    (PlacedMessage(1, 2, "m"), {"formatted": False}),
    (Variant(), {"student": "", "key": b""}),
    (
        Call("f"),
        {"read": False, "harness": "", "answer": "", "order": (), "checked": False},
    ),
    (Replaced("f", ()), {"cells": (), "value": None}),
    (Raised("t", "m"), {"cell": 0, "line": 0, "text": "", "name": ""}),
    (
        Answer(),
        {"given": False, "value": None, "error": None, "why": "", "lack": NoValue.NONE},
    ),
    (
        RunOutcome((), Tier("plain")),
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
    (Tier("plain"), {"unfiltered": ""}),
]


@rows(("made", "usual"), USUAL)
def test_what_is_not_said_is_the_usual(made, usual):
    """Every field that need not be given, and no other."""
    fields = dataclasses.fields(made)
    missing = dataclasses.MISSING
    given = {
        field.name
        for field in fields
        if field.default is not missing or field.default_factory is not missing
    }
    assert given == set(usual)
    assert {name: getattr(made, name) for name in usual} == usual


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
