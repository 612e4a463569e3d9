"""Nothing unknown leaves the grader: every table for a platform, over every state of a class.

A row is drawn in each state that marking can leave it in: the status of its file, questions that
are open by the machine, by a rubric or by two markers, marks by hand, changes for all, lateness
with and without a cost. Canvas's gradebook and Moodle's worksheet hold grades and comments, or
none. What a platform holds afterwards is told by its own rule: an empty cell is what Canvas takes
for a deletion, and an empty comment is one for Moodle.
"""

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion
from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.collecting.rosters import read, together
from irmetrics_edu.classroom.marking.matching.lateness import Lateness, Worksheet
from irmetrics_edu.classroom.marking.results import (
    ELSEWHERE,
    GRADED,
    PARTLY,
    UNREADABLE,
    QuestionMark,
    Result,
    WhyOpen,
)
from irmetrics_edu.classroom.marking.returning import (
    canvas_grades,
    course_total,
    exports,
    feedback,
    moodle_worksheet,
    summary,
)
from irmetrics_edu.classroom.marking.returning.course_total import CourseRules
from irmetrics_edu.classroom.marking.reviewing.gradebook import (
    MISSING,
    QuestionLine,
    Row,
    with_status,
)
from irmetrics_edu.classroom.marking.reviewing.hand_marks import (
    DIFFER,
    MARKED,
    NONE,
    HandMark,
    Manual,
)
from tests.conftest import examples

WHY = ByHand("why", "Why", (Criterion("reason", 3),))
OUT_OF = {"01": 7.0, "02": 5.0}
OPEN = {
    "marked": QuestionMark("q", "Q", 4, 2.5),
    "wrong": QuestionMark("q", "Q", 4, 0.0),
    "open": QuestionMark("q", "Q", 4, judged=False, why_open=WhyOpen.FAILED.value),
    "nobody's": QuestionMark("q", "Q", 4, judged=False, why_open=WhyOpen.NOBODYS.value),
    "bonus": QuestionMark("q", "Q", 9, 9.0, bonus=True),
}
HANDS = {
    "none": None,
    "marked": HandMark(WHY, MARKED, (1.5,), "Well."),
    "empty": HandMark(WHY, NONE, (0.0,)),
    "waits": HandMark(WHY, "to be marked", (None,)),
    "differ": HandMark(WHY, DIFFER, (None,)),
}
MANUALS = st.sampled_from([None, Manual(None, "a comment"), Manual(0.0), Manual(3.0, "on paper")])
LATE = st.sampled_from([
    Lateness(), Lateness("late", Fraction(0)), Lateness("late by 1 d", Fraction(1, 10)),
    Lateness("late by 9 d", Fraction(9, 10)), Lateness("late", None),
])  # fmt: skip
# The names of the class; Zoe is on no roster, and Eve left after the gradebook was exported.
NAMES = ("Lee, Ann", "Lee, Bob", "Ode, Jo", "Eve", "Zoe")
LISTED = NAMES[:3]


@st.composite
def rows_of(draw, number):
    """The rows of an exercise: each student in one of the states, or not there."""
    rows = []
    for at, name in enumerate(NAMES):
        status = draw(st.sampled_from([GRADED, PARTLY, UNREADABLE, ELSEWHERE, MISSING, ""]))
        if not status:
            continue
        person = Person(name, name, canvas=str(1001 + at), moodle=str(991 + at))
        lines = ()
        result = None
        if status in {GRADED, PARTLY}:
            mark = OPEN[draw(st.sampled_from(sorted(OPEN)))]
            given_again = draw(st.sampled_from([None, None, 4.0]))
            lines = (QuestionLine(mark, draw(MANUALS), regraded=given_again),)
            hand = HANDS[draw(st.sampled_from(sorted(HANDS)))]
            if hand is not None:
                lines += (QuestionLine(QuestionMark("why", "Why", 3, judged=False), None, hand),)
        if status != MISSING:
            why = "it is empty" if status in {UNREADABLE, ELSEWHERE} else ""
            result = Result(f"{name}.ipynb", name, number, "T", status, "x", why=why)
        row = Row(
            person, number, f"{number}_t", f"Title {number}", OUT_OF[number], status, result, lines,
            draw(MANUALS), draw(LATE), anonymous=draw(st.integers(0, 9)) == 0,
        )  # fmt: skip
        rows.append(with_status(row))
    return rows


def is_known(row):
    """Whether all is known that the marks are made of: from the parts, not by the row's word."""
    if row.manual is not None and row.manual.marks is not None:
        return True
    if not row.lines or row.lateness.share is None:
        return False
    return all(
        (line.manual is not None and line.manual.marks is not None)
        or line.regraded is not None
        or (line.hand is not None and None not in line.hand.points)
        or (line.hand is None and line.question.judged)
        for line in row.lines
    )


def table(text):
    """The lines of a table by its columns."""
    return list(csv.DictReader(io.StringIO(text)))


GRADES = st.sampled_from(["", "0", "4", "EX", "7.5"])
BOTH = st.tuples(rows_of("01"), rows_of("02"))


@settings(max_examples=examples(150))
@given(BOTH, st.lists(GRADES, min_size=6, max_size=6), st.booleans())
def test_canvas_keeps_what_is_not_known(tmp_path_factory, both, grades, with_book):
    """No cell is empty where there is a grade, none is a mark that is open, nobody is made up."""
    rows = [row for of_exercise in both for row in of_exercise]
    held = {(name, n): grades[2 * i + j] for i, name in enumerate(LISTED) for j, n in
            enumerate(("01", "02"))}  # fmt: skip
    lines = ["Student,ID,SIS User ID,SIS Login ID,Section,Exercise 1 (1),Exercise 2 (2)",
             "    Points Possible,,,,,70,5"]  # fmt: skip
    for at, name in enumerate(LISTED):
        lines.append(f'"{name}",{1001 + at},m,l{at},S,{held[name, "01"]},{held[name, "02"]}')
    path = tmp_path_factory.mktemp("book") / "gradebook.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    [book] = together([read(path)])
    files, said = canvas_grades.canvas_files(rows, book if with_book else None)
    by_key = {(row.student, row.exercise): row for row in rows}
    exported = set()
    for text in files.values():
        for line in table(text)[1:]:
            name = line["Student"]
            assert not with_book or name in LISTED
            for column, cell in line.items():
                if not column.startswith("Exercise"):
                    continue
                number = f"0{column.split()[1].strip(':')}"[-2:]
                row = by_key.get((name, number))
                before = held.get((name, number), "") if with_book else ""
                if row is None or not is_known(row) or row.anonymous:
                    assert cell == before
                    assert with_book, "without a gradebook no cell can be kept"
                elif before == "EX":
                    assert cell == "EX"
                else:
                    assert cell == f"{row.marks * (10 if with_book and number == '01' else 1):g}"
                    exported.add((name, number))
    if with_book:
        absent = {row.student for row in rows if is_known(row) and not row.anonymous} - {*LISTED}
        told = [line for line in said if "not in gradebook.csv" in line]
        assert bool(told) == bool(absent)
        assert all(name in told[0] for name in absent)


@settings(max_examples=examples(150))
@given(rows_of("01"), st.lists(st.sampled_from(["", "3.00", "15.00"]), min_size=3, max_size=3),
       st.lists(st.sampled_from(["", "as before"]), min_size=3, max_size=3))  # fmt: skip
def test_moodle_keeps_what_is_not_known(tmp_path_factory, rows, grades, comments):
    """No grade and no comment becomes empty; a grade that is new is one that is known."""
    head = "Identifier,Full name,Grade,Maximum Grade,Last modified (submission),"
    lines = [f"{head}Last modified (grade),Feedback comments"]
    for at, (grade, comment) in enumerate(zip(grades, comments, strict=True)):
        lines += [f"Participant {991 + at},Name{at} X,{grade},14.00,-,-,{comment}"]
    path = tmp_path_factory.mktemp("sheet") / "Grades-33.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sheet = read(path)
    of_sheet = [replace(row, person=replace(row.person, student=f"Name{at} X"))
                for at, row in enumerate(rows)]  # fmt: skip
    text, said = moodle_worksheet.worksheet(Worksheet(sheet, "01"), of_sheet)
    by_student = {row.student: row for row in of_sheet}
    for at, line in enumerate(table(text)):
        row = by_student.get(line["Full name"])
        if row is not None and is_known(row):
            assert line["Grade"] == f"{min(row.marks * 2, 14):g}"
        else:
            assert line["Grade"] == grades[at]
        if row is None or row.result is None:
            assert line["Feedback comments"] == comments[at]
        else:
            assert line["Feedback comments"]
            told = any("replaces comments" in one and row.student in one for one in said)
            assert told == bool(comments[at])


@settings(max_examples=examples(300))
@given(BOTH)
def test_no_total_hides_an_open_part(both):
    """Not in marks.csv and marks.json, not in the feedback, not in what Gradescope adds up."""
    rows = [row for of_exercise in both for row in of_exercise]
    cells = {(line["student"], line["exercise"]): line for line in table(exports.marks(rows))}
    for row, entry in zip(rows, exports.as_data(rows), strict=True):
        known = is_known(row)
        assert (row.marks is not None) == known
        assert (entry["marks"] is not None) == known
        assert (cells[row.student, row.exercise]["marks"] != "") == known
        whole = json.loads(exports.gradescope(row))
        # Gradescope takes the score of the whole, or else the sum of those of its tests.
        scores = [test["score"] for test in whole["tests"] if "score" in test]
        assert ("score" in whole) == known
        assert known or not scores
        for shown in (feedback.markdown(row), feedback.as_html(row), exports.brief(row)[0]):
            said = "so far" in shown or "none yet" in shown or MISSING in shown
            assert said == (not known) or row.result is None
        waits = [line for line in summary.to_look_at([row], Path("marks")) if row.student in line]
        assert bool(waits) == (not known)


@settings(max_examples=examples(300))
@given(BOTH, st.sampled_from([None, Fraction(0), Fraction(1, 2)]), st.integers(0, 1),
       st.sampled_from([{}, {"02": Fraction(0)}, {"01": Fraction(2)}]))  # fmt: skip
def test_a_total_of_the_course_is_open_while_a_part_is(both, missing, drop, weights):
    """Also if the part would be dropped; what was not handed in counts by the rule for it alone."""
    rows = [row for of_exercise in both for row in of_exercise]
    if not rows:
        return
    weighed = {row.exercise for row in rows if weights.get(row.exercise, 1)}
    if len(weighed) <= drop:
        return
    rules = CourseRules(weights=weights, drop=drop, missing=missing)
    for total in course_total.totals(exports.as_data(rows), rules):
        by_number = {row.exercise: row for row in rows if row.student == total.student}
        open_parts = set()
        for number in weighed:
            row = by_number.get(number)
            if row is None or (row.status == MISSING and row.marks is None):
                if missing is None:
                    open_parts.add(number)
            elif not is_known(row):
                open_parts.add(number)
        assert set(total.open) == open_parts
        assert (total.share is None) == bool(open_parts)
        assert (total.percent == "") == bool(open_parts)
