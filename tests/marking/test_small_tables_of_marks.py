"""Small decisions on what is given back, each over all that can stand before it."""

import hashlib
import json
import math
from dataclasses import dataclass
from itertools import permutations, product
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.marking.returning import exports
from irmetrics_edu.classroom.marking.returning.canvas_grades import MOST_NAMED, _listed
from irmetrics_edu.classroom.marking.returning.class_report import _shared
from irmetrics_edu.classroom.marking.returning.course_total import TEST, CourseRules, totals
from irmetrics_edu.classroom.marking.reviewing import gradebook
from irmetrics_edu.classroom.marking.reviewing.hand_marks import HandAnswer
from irmetrics_edu.classroom.marking.reviewing.marking_page import _sound
from irmetrics_edu.classroom.marking.running import answer_texts, tried_readings
from tests.marking.test_course_total import entry, missing
from tests.tables import rows


@rows("number", range(1, MOST_NAMED + 4))
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


@rows("length", [1, 99, 100, 101, 102, 300])
@rows("message", ["", "of it"])
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


@rows("attempt", ["first", "last", "best"])
@rows("marks", [*product((None, 0.0, 2.0, 3.5), repeat=3)])
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


@pytest.mark.parametrize("name", [*sorted(TEST), "Student, Test"])
def test_totals_do_not_hang_on_the_order_of_entries(name):
    """Nor on where the account stands that a platform makes for the teacher's tests."""
    entries = [
        entry("ann", "01", 4),
        missing("ben", "01"),
        entry("ben", "02", 5),
        entry(name, "01", 9),
    ]
    expected = totals(entries, CourseRules())
    assert [one.student for one in expected] == ["ann", "ben"]
    for order in permutations(entries):
        assert totals(order, CourseRules()) == expected


def _is_a_points(number, most):
    """What the page saves for a criterion: nothing yet, or a number of points that it offers."""
    if number is None:
        return True
    return isinstance(number, int | float) and math.isfinite(number) and 0 <= number <= most


@rows("number", [None, 0, 0.5, 2, 3, 2.001, -0.001, -1, math.nan, math.inf, "1", [1]])
def test_saved_points_are_within_their_criterion(number):
    """Each alone and beside others; and there is one for each criterion, with a comment."""
    question = SimpleNamespace(rubric=[SimpleNamespace(points=2), SimpleNamespace(points=3)])
    for points in ([number, 0], [0, number], [None, number]):
        is_sound = all(
            _is_a_points(n, c.points) for n, c in zip(points, question.rubric, strict=True)
        )
        assert _sound({"points": points, "comment": ""}, question) is is_sound
        assert not _sound({"points": points, "comment": None}, question)
        assert not _sound({"points": [*points, 0], "comment": ""}, question)
    assert not _sound({"points": number, "comment": ""}, question)
    assert not _sound(number, question)


@pytest.mark.parametrize(("whole", "mark"), [*product([None, 0, 3.5], [None, 0, 2.5])])
def test_gradescope_gets_no_score_where_the_total_is_not_known(whole, mark, monkeypatch):
    """Then the marks of a question are the first that its feedback says."""
    part = SimpleNamespace(
        heading="Question 1", marks="2.5 of 4", sentences=("Right.", "But slow.")
    )
    line = SimpleNamespace(marks=mark, question=SimpleNamespace(out_of=4))
    monkeypatch.setattr(exports, "parts", lambda _row: [part])
    monkeypatch.setattr(exports, "total", lambda _row: "3.5 of 4")
    monkeypatch.setattr(exports, "notices", lambda _row: ["Late."])
    given = json.loads(exports.gradescope(SimpleNamespace(lines=[line], marks=whole)))
    [test] = given["tests"]
    said = ["2.5 of 4."] if whole is None else []
    assert test["output"].split("\n") == [*said, "Right.", "But slow."]
    assert test["max_score"] == 4
    assert test.get("score") == (None if whole is None else mark)
    assert given.get("score") == whole
    assert given["output"] == "3.5 of 4.\nLate."
    assert (test["visibility"], given["visibility"]) == ("visible", "visible")


@dataclass(frozen=True)
class _Row:
    """What decides whether a row waits."""

    result: object
    lines: tuple
    by_hand: float | None
    status: str = "as it was"


@rows("lines", [*product(product([True, False], [None, 0, 1]), repeat=2)])
@rows("by_hand", [None, 0])
@rows("status", [gradebook.GRADED, "unreadable", None])
def test_a_row_waits_for_a_marker_if_one_question_does(lines, by_hand, status):
    """Unless the whole has a mark by hand; a row that was not graded stays as it is."""
    result = status and SimpleNamespace(status=status)
    listed = tuple(SimpleNamespace(hand=hand, marks=marks) for hand, marks in lines)
    found = gradebook.with_status(_Row(result, listed, by_hand)).status
    if status != gradebook.GRADED:
        assert found == "as it was"
    elif (True, None) in lines and by_hand is None:
        assert found == gradebook.PENDING
    else:
        assert found == gradebook.GRADED


@pytest.mark.parametrize("kinds", [*product(["another's", "own", "of no name"], repeat=3)])
def test_the_errors_of_an_answer_are_told_in_any_order(kinds, monkeypatch):
    """Those of another question stand beside it and hide none."""
    errors = [SimpleNamespace(kind=kind) for kind in kinds]
    run = SimpleNamespace(
        question=SimpleNamespace(name="dcg"),
        outcome=lambda _trial, _reading: (SimpleNamespace(cell_errors=errors), None),
        ready=None,
        answer_key=None,
    )
    monkeypatch.setattr(tried_readings, "_for_another", lambda e, *_: e.kind == "another's")
    monkeypatch.setattr(
        tried_readings, "_names", lambda _, e: {"dcg"} if e.kind == "own" else {"x"}
    )
    monkeypatch.setattr(tried_readings, "judged", lambda *given: given[-1])
    found = tried_readings._tried(run, None, None)
    assert list(found.errors) == [e for e in errors if e.kind != "another's"]
    assert list(found.own) == found.judged == [e for e in errors if e.kind == "own"]
