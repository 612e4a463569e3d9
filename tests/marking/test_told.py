"""What a mark hides is told: a lower mark by hand, a comment, a notebook of another exercise."""

import csv
import json

import pytest

from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion
from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.matching.lateness import Lateness
from irmetrics_edu.classroom.marking.results import GRADED, QuestionMark, Result
from irmetrics_edu.classroom.marking.returning import class_report, exports
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import HandMark, Manual

WHY = ByHand("why", "Why", [Criterion("reason", 2, "users stop"), Criterion("example", 1)])
RESULT = Result("ann.ipynb", "ann", "77", "Two", GRADED, "x")


def row(total=None, dcg=None, *, program=4.0, hand=(0.0, 0.5), late=0):
    """A row of two questions: one by the program, one by a rubric; marks by hand over them."""
    state = "to be marked" if None in hand else "marked"
    lines = (
        QuestionLine(
            QuestionMark("dcg", "DCG", 4, program, text="One. Two.", told=("Three.",)),
            Manual(dcg, "a comment of hers") if dcg is not None else None,
        ),
        QuestionLine(
            QuestionMark("why", "Why", 3, judged=False),
            None,
            HandMark(WHY, state, hand, "Whose?"),
        ),
    )
    manual = None if total is None else Manual(total, "on paper")
    person = Person("ann")
    return Row(
        person, "77", "77_two", "Two", 7, GRADED, RESULT, lines, manual, Lateness("late", late)
    )


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (row(total=1), "the mark in manual.csv is the lower one: 1 in all, without it: 4.5"),
        (row(total=4, late=1), ""),  # lateness takes all
        (row(total=5), ""),
        (row(total=4.5), ""),
        (row(total=0, program=0.0, hand=(0.0, 0.0)), ""),
        (
            row(total=3, hand=(None, 1.0)),
            "lower one: 3 in all, without it: 4",
        ),  # what is open counts nothing
        (row(dcg=1), "dcg: the mark in manual.csv is the lower one: 1, without it: 4"),
        (row(dcg=4), ""),
        (row(), ""),
    ],
)
def test_a_mark_by_hand_that_is_the_lower_one_is_told(one, said):
    """For the whole and for a question; the mark stands."""
    [look] = [table for table in class_report.tables([one]) if table.caption == "To look at"]
    shown = " ".join(" ".join(line) for line in look.lines)
    assert ("lower one" in shown) == bool(said)
    assert said in shown


def test_the_column_of_moodle_has_all_that_is_said():
    """Each sentence, each criterion and the teacher's own words, a line for each question."""
    lines = exports.brief(row(dcg=1))
    assert lines[0] == "1.5 of 7."
    assert lines[-2] == (
        "dcg: DCG (1 / 4): One. Two. Three. Marked by your teacher; the program gave 4. "
        "Your teacher writes: a comment of hers"
    )
    assert lines[-1] == (
        "why: Why (0.5 / 3): reason: 0 of 2. Full points are for: users stop. "
        "example: 0.5 of 1. Your teacher writes: Whose?"
    )


def of_another(book, number):
    """A notebook under the number of another exercise."""
    data = json.loads(json.dumps(book).replace("77-", f"{number}-"))
    data["metadata"]["irmetrics_edu"]["exercise"] = number
    return data


@pytest.fixture
def two_exercises(a_class):
    """A class of four with two exercises; all but one hand in the first."""
    path = a_class.folder / "sources" / "77_two.py"
    text = path.read_text().replace('"77"', '"78"')
    (path.parent / "78_more.py").write_text(text)
    (a_class.folder / "r.csv").write_text("student,canvas\nann,1001\nben,1002\ncy,1003\ndan,1004\n")
    for number, student in enumerate(("ann", "ben", "cy"), 1001):
        book = json.loads(json.dumps(a_class.copy(student, ["dcg = 1"])))
        book["metadata"] = {"irmetrics_edu": {"exercise": "77"}}
        if student == "cy":
            book = of_another(book, "78")
        a_class.hand_in(f"{student}_{number}_55{number}_homework.ipynb", book)
    return a_class


@pytest.mark.parametrize("options", [(), ("--exercise", "77")])
def test_a_notebook_of_another_exercise_is_called_so(two_exercises, options):
    """To the student and the teacher; nobody else gets a row of that exercise."""
    assert two_exercises.grade("--roster", f"{two_exercises.folder}/r.csv", *options) == 1
    with (two_exercises.out / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {(line["student"], line["exercise"]): line for line in csv.DictReader(file)}
    assert rows.keys() == {(student, "77") for student in ("ann", "ben", "cy", "dan")}
    assert rows["cy", "77"]["status"] == "another exercise"
    assert rows["cy", "77"]["marks"] == ""
    assert rows["dan", "77"]["status"] == "nothing handed in"
    said = "his is notebook 78, and exercise 77 was to be handed in"
    assert f"t{said}" in two_exercises.report()
    [feedback] = (two_exercises.out / "feedback" / "cy").glob("*.md")
    assert f"T{said}" in feedback.read_text()
    assert "could not be read" not in feedback.read_text()


def test_what_is_no_notebook_is_of_the_exercise_of_a_download_with_a_stray(two_exercises):
    """A video beside nearly all of one exercise is of it: its student has one row, with the why."""
    two_exercises.hand_in("dan_1004_551004_film.mp4", "film")
    assert two_exercises.grade("--roster", f"{two_exercises.folder}/r.csv") == 1
    with (two_exercises.out / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {(line["student"], line["exercise"]): line for line in csv.DictReader(file)}
    assert rows.keys() == {(student, "77") for student in ("ann", "ben", "cy", "dan")}
    assert rows["dan", "77"]["status"] == "unreadable"
    assert "the file name ends in .mp4" in rows["dan", "77"]["remedy"]
