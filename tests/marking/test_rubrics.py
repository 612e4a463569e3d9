"""Questions marked by hand: nothing is lost, nothing silently 0, and marks go with the answer."""

import json
import re
from dataclasses import replace

import pytest
from nbformat.v4 import new_markdown_cell

from dev.tools.exercises import solution
from irmetrics_edu.classroom.exercises.build import as_text, notebook, write_nbgrader
from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.marking.collecting.notebook import parse
from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.results import GRADED, QuestionMark, Result
from irmetrics_edu.classroom.marking.returning import class_report, exports, feedback
from irmetrics_edu.classroom.marking.reviewing import hand_marks
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row, with_status
from irmetrics_edu.classroom.marking.reviewing.hand_marks import HandMark, Manual, answer, marks
from irmetrics_edu.errors import InputError
from tests.marking.conftest import KEY, SOURCE
from tests.marking.test_grade import by_student

WHY = ByHand(
    "why",
    "Why it fell",
    [Criterion("cause", 2, "names <the> cause"), Criterion("evidence", 1.5, "a number")],
)
WITH_TEXT = SOURCE.replace(
    "from irmetrics_edu.classroom.exercises.spec import Exercise, Question, Wrong\n",
    "from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion\n"
    "from irmetrics_edu.classroom.exercises.spec import Exercise, Question, Wrong\n",
).replace(
    "    ],\n)\n",
    '    ],\n    [ByHand("why", "Why it fell", [\n'
    '        Criterion("cause", 2, "names <the> cause"), Criterion("evidence", 1.5, "a number"),\n'
    "    ])],\n)\n",
) + (
    '\n# %% [markdown] tags=["why"]\n# **Why did the score fall?**\n#\n# ### BEGIN SOLUTION\n'
    "# The log was of the rank.\n# ### END SOLUTION\n"
)  # fmt: skip


@pytest.fixture
def course(a_class):
    """The class of two questions, with a third one of free text."""
    path = a_class.folder / "sources" / "77_two.py"
    path.write_text(WITH_TEXT, encoding="utf-8")
    a_class.source = read(path)
    return a_class


def answered(course, student, text, *, solved=True):
    """A student's notebook with this free text."""
    book = (solution if solved else notebook)(course.source, Variant(student, KEY))
    for cell in book.cells:
        if cell.id == "77-why" and text is not None:
            cell.source = f"**Why did the score fall?**\n\n{text}"
    return book


def hand_in(course, **texts):
    """Each student's free text, in solved notebooks."""
    for student, text in texts.items():
        course.hand_in(f"{student}/77_two.ipynb", answered(course, student, text))


def page_of(course):
    """What the page holds of each student's answer, by student."""
    text = (course.out / "by-hand" / "marking.html").read_text(encoding="utf-8")
    [question] = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])["questions"]
    return {name: a for a in question["answers"] for name in a["students"]}


def fill_in(course, **given):
    """What the teacher saves from the page: points for both criteria, and a comment."""
    shown = page_of(course)
    marks = {}
    for student, (*points, comment) in given.items():
        marks[shown[student]["id"]] = {"points": points, "comment": comment}
    path = course.out / "by-hand" / "marks-anna.json"
    before = json.loads(path.read_text())["marks"]["77-why"] if path.exists() else {}
    made = {"format": "irmetrics-edu marks by hand", "version": 1, "key": "k", "marker": "anna",
            "revision": 1, "marks": {"77-why": before | marks}}  # fmt: skip
    path.write_text(json.dumps(made), encoding="utf-8")


def test_a_copy_asks_and_holds_no_solution(course):
    """The student's cell of text has the question and room; nbgrader marks it as one by hand."""
    [cell] = [c for c in notebook(course.source).cells if c.id == "77-why"]
    assert cell.cell_type == "markdown"
    assert cell.source == "**Why did the score fall?**\n\n*Your answer here.*"
    assert course.source.exercise.marks == 1 + 4 + 3.5
    path = write_nbgrader(course.source, course.folder / "course", KEY)
    assert re.search(r'"grade_id": "77-why",\s+"locked": false,\s+"points": 3.5', path.read_text())


@pytest.mark.parametrize("elsewhere", [False, True])
def test_an_answer_is_lost_only_with_its_cell(course, elsewhere):
    """One that was emptied, whose id was lost, or that was filled in is there."""
    variant = Variant("ann", KEY)

    def told(change):
        book = notebook(course.source, variant)
        [place] = [i for i, cell in enumerate(book.cells) if cell.id == "77-why"]
        change(book.cells, place)
        if elsewhere:
            added = new_markdown_cell("It was the log.")
            added.id = "new"
            book.cells.insert(1, added)
        read_again = parse(as_text(book).encode())
        found = answer(course.source, course.source.exercise.by_hand[0], "ann", read_again)
        return found.text, found.look

    def emptied(cells, place):
        cells[place].source = ""

    def renamed(cells, place):
        for number, cell in enumerate(cells):
            cell.id = f"x{number}"
        cells[place].source += "\n\nThe log."

    def filled(cells, place):
        cells[place].source += "\n\nThe log."

    look = "its cell is empty, look into cell 2" if elsewhere else ""
    assert told(lambda *_: None) == ("", look)
    assert told(emptied) == ("", look)
    assert told(lambda cells, place: cells.pop(place)) == ("", hand_marks.LOST)
    for change in (renamed, filled):
        text, found = told(change)
        assert text.endswith("The log.")
        assert found == ""


@pytest.mark.slow
def test_from_answers_to_feedback(course, capsys):
    """Open, half marked, marked: marks are there when all are, and the words are with them."""
    hand_in(course, ann="The <log> was wrong.", ben="No idea.", cy=None)
    course.hand_in("di/77_two.ipynb", answered(course, "di", None, solved=False))
    assert course.grade() == 1
    said = capsys.readouterr().out
    assert "ann, exercise 77: to be marked by hand" in said
    rows = by_student(course)
    # cy has the model answer; di has not touched the cell: there is no answer, and it says so.
    assert {n: (r["marks"], r["77 why"]) for n, r in rows.items()} == {
        "ann": ("", ""), "ben": ("", ""), "cy": ("", ""), "di": ("0", "0")
    }  # fmt: skip
    assert set(page_of(course)) == {"ann", "ben", "cy"}
    page = course.written()["by-hand/marking.html"].decode()
    assert "The \\u003clog> was wrong." in page
    report = course.report()
    assert "why: to be marked by hand, in by-hand/marking.html" in report
    fill_in(course, ann=[2, 1.5, "Good <one>"], ben=[0, None, ""], cy=[2, 0, ""])
    assert course.grade() == 1
    rows = by_student(course)
    assert {n: (r["marks"], r["77 why"]) for n, r in rows.items()} == {
        "ann": ("8.5", "3.5"), "ben": ("", ""), "cy": ("7", "2"), "di": ("0", "0")
    }  # fmt: skip
    assert [page_of(course)[n]["points"] for n in ("ann", "ben")] == [[2, 1.5], [0, None]]
    feedback = course.written()["feedback/ann/77_two.html"].decode()
    for words in ("cause: 2 of 2.", "evidence: 1.5 of 1.5.", "Good &lt;one&gt;", "3.5 / 3.5"):
        assert words in feedback
    assert "not marked yet / 3.5" in course.written()["feedback/ben/77_two.html"].decode()
    before = course.written()
    course.grade("--force")
    assert course.written() == before


def test_a_part_of_the_code_can_be_marked_by_hand(course):
    """The answer is the cell that was handed out for it, with what was added below."""
    path = course.folder / "sources" / "77_two.py"
    before = WITH_TEXT[: WITH_TEXT.index("# %% [markdown] tags")]
    code = "def plot():\n    ### BEGIN SOLUTION\n    pass\n    ### END SOLUTION\n"
    path.write_text(f'{before}# %% tags=["why"]\n{code}', encoding="utf-8")
    source = read(path)
    [question] = source.exercise.by_hand

    def seen(*cells):
        raw = [{"cell_type": "code", "id": i, "source": text} for i, text in cells]
        book = parse(json.dumps({"cells": raw}).encode())
        return answer(source, question, "ann", book).text

    assert seen(("x", "a = 1"), ("77-why", "def plot():\n    show()")) == "def plot():\n    show()"
    # Without ids, as in an old notebook, by its first line; what was not touched is no answer.
    assert seen(("", "def plot():\n    draw()"), ("", "b = 2")) == (
        "def plot():\n    draw()\n\nb = 2"
    )
    untouched = "def plot():\n    raise NotImplementedError  # your code here"
    assert seen(("77-why", untouched)) == ""
    assert seen(("x", "a = 1")) == ""


PROMPT = "**Why did the score fall?**\n\n*Your answer here.*"


@pytest.mark.parametrize(
    ("cells", "text", "look"),
    [
        ([("77-why", PROMPT), ("own", "The log."), ("own-2", "# of the rank")],
         "The log.\n\n# of the rank", ""),
        ([("77-why", f"{PROMPT} The log."), ("own", "Of the rank.")],
         f"{PROMPT} The log.\n\nOf the rank.", ""),
        ([("77-why", ""), ("own", "The log.")], "The log.", ""),
        # Without ids, as an old notebook is saved.
        ([("", PROMPT), ("", "The log.")], "The log.", ""),
        ([("own", "The log."), ("77-why", PROMPT)], "", "look into cell 3"),
        ([("77-text-01", "# Exercise 77. Two questions\n\nThe log."), ("77-why", PROMPT)],
         "", "look into cell 3"),
        ([("77-why", PROMPT), ("77-dcg", "def dcg(): ..."), ("own", "The log.")],
         "", "look into cell 5"),
        ([("77-why", PROMPT), ("77-dcg", "def dcg(): ...")], "", ""),
        ([("x", "The log.")], "", "its cell is gone"),
    ],
)  # fmt: skip
def test_free_text_counts_wherever_a_student_puts_it(course, cells, text, look):
    """Below its prompt it is the answer; anywhere else the teacher is told where to look."""
    raw = [{"cell_type": "code", "id": f"c{n}", "source": "1 + 1"} for n in range(2)]
    kinds = {"77-dcg": "code"}
    raw += [{"cell_type": kinds.get(i, "markdown"), "id": i, "source": s} for i, s in cells]
    book = parse(json.dumps({"cells": raw}).encode())
    [question] = course.source.exercise.by_hand
    found = answer(course.source, question, "ann", book)
    assert found.text == text
    assert look in found.look
    given = marks("77-why", question, [found], [])
    assert (given["ann"].state == "no answer") == (not text and not look)


@pytest.mark.slow
def test_where_the_cell_is_gone_nobody_has_zero(course):
    """The answer may stand in another cell: it is to be marked, not taken for none."""
    course.hand_in("ann/77_two.ipynb", course.copy("ann", ["x = 1", "# Why: the log was wrong."]))
    course.grade("--exercise", "77")
    assert by_student(course)["ann"]["marks"] == ""
    assert "its cell is gone" in page_of(course)["ann"]["look"]
    fill_in(course, ann=[1, 0, "found it"])
    course.grade("--exercise", "77")
    assert by_student(course)["ann"]["77 why"] == "1"


@pytest.mark.slow
def test_marks_go_with_the_answer_they_were_given_for(course):
    """Other code keeps them; another text is to be marked, and has nothing of the old comment."""
    hand_in(course, ann="First.", ben="Stays.")
    course.grade()
    fill_in(course, ann=[2, 1, "well"], ben=[1, 1, ""])
    assert course.grade() == 0
    course.hand_in("ben/77_two.ipynb", answered(course, "ben", "Stays.", solved=False))
    hand_in(course, ann="Second.")
    assert course.grade() == 1
    rows = by_student(course)
    assert (rows["ben"]["77 why"], rows["ann"]["77 why"]) == ("2", "")
    assert page_of(course)["ann"]["points"] == [None, None]
    assert b"well" not in course.written()["feedback/ann/77_two.html"]
    hand_in(course, ann="First.")
    assert course.grade() == 0
    assert by_student(course)["ann"]["77 why"] == "3"


@pytest.mark.slow
def test_a_table_of_an_earlier_version_is_refused(course, capsys):
    """Its points would be lost in silence otherwise; nothing is written over it."""
    hand_in(course, ann="First.")
    course.grade()
    path = course.out / "by-hand" / "77-why.csv"
    path.write_text("student,answer id\n")
    assert course.grade() == 2
    assert "77-why.csv: points are no longer read from this table" in capsys.readouterr().err
    assert path.read_text() == "student,answer id\n"


@pytest.mark.parametrize("rubric", [[], [Criterion("a", 0)], [Criterion("a", 1)] * 2])
def test_a_rubric_that_can_mark_nothing_is_refused(rubric):
    """No criterion, one without points, two of one name."""
    with pytest.raises(InputError, match="question why"):
        ByHand("why", "", rubric)


@pytest.mark.slow
def test_a_group_has_one_line(course):
    """It is marked once, and the points are each member's."""
    (course.folder / "roster.csv").write_text("student,group\nann,A\nben,A\ncy,\n")
    hand_in(course, ann="The log.", cy="No idea.")
    course.grade("--roster", str(course.folder / "roster.csv"))
    assert set(page_of(course)) == {"A", "cy"}
    fill_in(course, A=(2, 1, "Good"), cy=(0, 0, ""))
    assert course.grade("--roster", str(course.folder / "roster.csv")) == 0
    got = {name: row["77 why"] for name, row in by_student(course).items()}
    assert got == {"ann": "3", "ben": "3", "cy": "0"}
    assert "Good" in course.written()["feedback/ben/77_two.md"].decode()


ONE = QuestionMark("why", "Why it fell", 3.5, judged=False)
STATES = {
    "no answer": HandMark(WHY, hand_marks.NONE),
    "open": HandMark(WHY, hand_marks.OPEN),
    "half": HandMark(WHY, hand_marks.OPEN, (1, None)),
    "differ": HandMark(WHY, hand_marks.DIFFER, note="anna 1 1, bo 2 1"),
    "marked": HandMark(WHY, hand_marks.MARKED, (2, 1.5), "Good."),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("by_line", [None, 0.0, 3.0])
@pytest.mark.parametrize("in_all", [None, 4.0])
@pytest.mark.parametrize("given", [None, 1.0])
def test_feedback_says_that_marks_are_missing_only_where_they_are(state, by_line, in_all, given):
    """In each form in which it goes out, whatever gave the marks."""
    line = QuestionLine(ONE, by_line if by_line is None else Manual(by_line), STATES[state], given)
    result = Result("ann.ipynb", "ann", "77", "Two", GRADED, "x")
    manual = in_all if in_all is None else Manual(in_all)
    row = with_status(Row(Person("ann"), "77", "77_two", "Two", 5, GRADED, result, (line,), manual))
    known = by_line is not None or given is not None or in_all is not None
    missing = not known and state in {"open", "half", "differ"}
    forms = [feedback.markdown(row), feedback.as_html(row), exports.gradescope(row),
             "\n".join(exports.brief(row))]  # fmt: skip
    for shown in forms:
        if '"tests"' not in shown:  # Gradescope has a score or none, and no words for it
            assert ("not marked yet" in shown) == missing
        assert ("has not marked this yet" in shown) == missing
        assert ("There is no answer yet" in shown) == (not known and state == "no answer")
    assert (row.status == "to be marked by hand") == missing
    [look] = [t for t in class_report.tables([row]) if t.caption == "To look at"]
    said = " ".join(" ".join(cells) for cells in look.lines)
    assert ("to be marked by hand" in said) == missing


def test_a_file_that_can_not_be_read_but_has_marks_is_not_said_to_have_none():
    """The teacher marked it on paper."""
    result = Result("a", "ann", "77", "Two", "unreadable", "x", why="it is empty", remedy="Again.")
    row = Row(Person("ann"), "77", "77_two", "Two", 5, "unreadable", result)
    assert "not even 0" in feedback.markdown(row)
    assert "not even 0" not in feedback.markdown(replace(row, manual=Manual(4.0)))
