"""The class of forty: its tables say what is deserved, and the grader gives it."""

import csv
from fractions import Fraction

import pytest

from dev.tools.exercises import sources
from irmetrics_edu.classroom.exercises.source import read
from tests.marking.forty import __main__ as forty
from tests.marking.forty import students
from tests.marking.forty.habits import HABITS
from tests.marking.layouts import LAYOUTS

SPECIAL = {"late by 33 hours": "2", "late by half an hour": "1"}


@pytest.mark.suite("sandbox")
@pytest.mark.slow
def test_each_student_has_what_is_deserved(tmp_path):
    """Forty layouts, all habits, two platforms: marks, states and what is said, as in the tables.

    No cell is empty where Canvas or Moodle has a grade, after any of the downloads.
    """
    made = forty.run(tmp_path)
    lines, differences = forty.compared(made)
    assert [line for line in lines if line.startswith("!")] == [], differences


@pytest.mark.parametrize("number", ["01", "04"])
def test_the_tables_add_up(number):
    """The marks of each question are possible, and their sum is the total of the row.

    Lateness, a platform's mark for it and a total by hand are those of the rules.
    """
    [path] = sources([number])
    exercise = read(path).exercise
    most = {question.name: question.marks for question in exercise.every}
    for one in forty.expected_of(number):
        if not one.marks or one.student.name == "Tanaka, Ken":
            continue
        assert one.questions.keys() == most.keys()
        total = Fraction(0)
        for name, marks in one.questions.items():
            assert 0 <= Fraction(marks) <= most[name], (one.student.name, name)
            total += Fraction(marks)
        tenths = int(SPECIAL.get(one.habit, 0)) + (one.layout == "nbgrader with submitted")
        tenths += 2 * (one.layout == "Canvas, late")
        total -= Fraction(tenths, 10) * Fraction(exercise.marks)
        assert Fraction(one.marks) == total, one.student.name


def test_the_class_has_all_layouts_and_habits():
    """Forty students, more than 25 layouts, each habit at least once, as folders and as zips."""
    expected = [*forty.expected_of("01"), *forty.expected_of("04")]
    first = forty.expected_of("01")
    assert [one.student.name for one in first] == [one.name for one in students.students()]
    layouts = {one.layout for one in first}
    assert len(layouts & LAYOUTS.keys()) >= 36
    assert layouts <= LAYOUTS.keys() | students.OWN_LAYOUTS.keys()
    assert {one.packed for one in first} == {"folder", "zip"}
    assert HABITS.keys() <= {one.habit for one in expected}
    assert len({one.login for one in students.students()}) == 40


def test_a_place_names_its_student_alone():
    """The places of a layout are those of the table, under another student's names."""
    [chen] = [one for one in students.students() if one.name == "Chen, Wei"]
    shown = {
        "Canvas": "chenwei_1005_5005_01_x.ipynb",
        "Moodle in folders": "Wei Chen_9005_assignsubmission_file/01_x.ipynb",
        "ILIAS": "Uebung_01/Abgaben/Chen_Wei_wchen_12349/20261120_01_x.ipynb",
        "matriculation numbers": "11800105.ipynb",
    }
    for layout, place in shown.items():
        assert chen.places(layout, "01", "01_x") == [place]


def test_a_difference_is_seen(tmp_path):
    """A mark that is not the expected one, and an empty cell for a platform, are said."""
    (tmp_path / "canvas.csv").write_text(
        'Student,ID,Exercise 1 (8101)\n    Points Possible,,13\n"Lee, Ann",1001,\n"Ode, Jo",2,7\n'
    )
    assert forty.erased_grades(tmp_path, "week") == [
        "week, canvas.csv: Lee, Ann, Exercise 1 (8101) is empty"
    ]
    made = forty.ClassOfForty(tmp_path)
    made.out.mkdir()
    with (made.out / "marks.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["student", "exercise", "status", "marks"])
        table.writerow(["Abebe, Sara", "01", "graded", "12"])
    (made.out / "rows.json").write_text("[]")
    (made.out / "report.html").write_text("")
    lines, differences = forty.compared(made)
    assert len(differences) == len(lines) == 79
    assert "marks '12', not '13'" in differences[0].what
