"""Small decisions on what is given back, each over all that can stand before it."""

import hashlib
from dataclasses import dataclass
from itertools import product
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.marking.returning import exports
from irmetrics_edu.classroom.marking.returning.canvas_grades import MOST_NAMED, _listed
from irmetrics_edu.classroom.marking.returning.class_report import _shared
from irmetrics_edu.classroom.marking.reviewing import gradebook
from irmetrics_edu.classroom.marking.reviewing.hand_marks import HandAnswer
from irmetrics_edu.classroom.marking.running import answer_texts


@pytest.mark.parametrize("number", range(1, MOST_NAMED + 4))
def test_names_are_listed_until_they_are_too_many(number):
    """Those that are left out are counted, and nothing is said of none."""
    names = [f"n{place:03}" for place in range(number)]
    shown, _, more = _listed(names).partition("; and ")
    assert shown.split("; ") == names[:MOST_NAMED]
    assert more == (f"{number - MOST_NAMED} more" if number > MOST_NAMED else "")


@pytest.mark.parametrize(("out_of", "cell"), [(5, 5), (0.5, 0.5), (0, None), (None, None)])
def test_a_row_says_what_it_is_out_of(out_of, cell):
    """The cell stays empty where nothing can be had, as where the exercise is not known."""
    person = SimpleNamespace(name="Ann", section="S", group="")
    row = SimpleNamespace(
        student="ann",
        person=person,
        exercise="77",
        status="graded",
        late="",
        raw=4,
        penalty=1,
        marks=3,
        out_of=out_of,
        lines=[],
        result=None,
    )
    cells = exports._line(row, [("77", "dcg")], grouped=False)
    assert cells == ["ann", "Ann", "S", "77", "graded", "", 4, 1, 3, cell, "", None]


@pytest.mark.parametrize(("text", "hashed"), [("", ""), ("a \nb\t\n", "a\nb"), ("é", "é")])
def test_the_id_of_an_answer_stays_what_it_was(text, hashed):
    """Pages that were given to markers hold it: the first twelve digits of SHA-256."""
    digits = hashlib.sha256(hashed.encode()).hexdigest()[:12]
    assert HandAnswer("ann", text).id == f"a-{digits}"


@pytest.mark.parametrize("is_identical", [False, True])
@pytest.mark.parametrize("shared", [0, 7])
def test_a_report_says_what_two_share(is_identical, shared):
    """Their files, or traces of their code; nothing of their own is said of identical files."""
    said = _shared(SimpleNamespace(identical=is_identical, shared=shared, part=0.5))
    assert said.startswith("identical files" if is_identical else f"{shared} traces")
    assert ("nothing in them" in said) is (is_identical and not shared)


@pytest.mark.parametrize("length", [1, 99, 100, 101, 102, 300])
@pytest.mark.parametrize("message", ["", "of it"])
def test_the_name_of_an_error_is_cut(length, message):
    """A student names it, with as many letters as wanted: a hundred are shown, dots among them."""
    error = SimpleNamespace(type="E" * length, message=message, cell=1, line=2)
    shown = answer_texts.stopped(error).partition(" stopped with ")[2]
    name = shown.partition(": " if message else " (")[0]
    assert len(name) == min(length, 100)
    assert (name == error.type) is (length <= 100)


@dataclass(frozen=True)
class _Marked:
    marks: float | None
    times: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@pytest.mark.parametrize("attempt", ["first", "last", "best"])
@pytest.mark.parametrize("marks", [*product((None, 0.0, 2.0, 3.5), repeat=3)])
def test_the_attempt_that_was_asked_for_counts(attempt, marks):
    """The first, the last, or the one of most marks; the others are named."""
    every = [
        (
            _Marked(mark),
            SimpleNamespace(ready=1, submission=SimpleNamespace(path=f"p{place}", handed_in=1)),
        )
        for place, mark in enumerate(marks)
    ]
    known = [-1.0 if mark is None else mark for mark in marks]
    place = {"first": 0, "last": 2, "best": known.index(max(known))}[attempt]
    row = gradebook._counting(every, attempt)
    assert row.marks == marks[place]
    assert row.others == tuple(f"p{other}" for other in range(3) if other != place)
