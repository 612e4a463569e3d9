"""Folders as platforms and people make them: each student is found, and no folder becomes one.

Each layout is a class of three. Ann Lee and Jo Ode hand in their own copies, solved; Su Müller
hands in nothing. Whatever lies above, around or instead of a name, Ann and Jo have their five
marks.
"""

import zipfile

import pytest

from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.marking.collecting.owner_names import named
from tests.marking.layouts import LAYOUTS, ROSTER
from tests.marking.test_grade import by_student

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("archive", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_student_is_found_in_each_layout(a_class, layout, archive):
    """Both have their marks, Su is the one who handed nothing in, and nobody else is there."""
    ann, jo, *beside = LAYOUTS[layout]
    files = {ann: as_text(a_class.copy("alee")), jo: as_text(a_class.copy("jode"))}
    files |= dict.fromkeys(beside, "nothing of a student's")
    if archive:
        a_class.work = a_class.folder / "download.zip"
        with zipfile.ZipFile(a_class.work, "w") as made:
            for name, text in files.items():
                made.writestr(name, text)
    else:
        for name, text in files.items():
            a_class.hand_in(name, text)
    (a_class.folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    a_class.grade("--roster", str(a_class.folder / "roster.csv"))
    found = {name: (row["status"], row["marks"]) for name, row in by_student(a_class).items()}
    assert found == {
        "alee": ("graded", "5"), "jode": ("graded", "5"), "smue": ("nothing handed in", "")
    }  # fmt: skip


WITHOUT = [
    "a folder of notebooks", "a folder for each student", "nbgrader", "nbgrader with submitted",
    "two folders on top", "the exercise on top",
]  # fmt: skip


@pytest.mark.parametrize("layout", WITHOUT)
def test_without_a_roster_the_students_folder_counts(a_class, layout):
    """As far as a layout tells by itself."""
    for place, student in zip(LAYOUTS[layout], ("alee", "jode"), strict=True):
        a_class.hand_in(place, a_class.copy(student))
    a_class.grade()
    marks = {name: row["marks"] for name, row in by_student(a_class).items()}
    assert marks == {"alee": "5", "jode": "5"}


def test_a_name_that_may_be_two_is_asked_for(a_class):
    """Neither is guessed where folders name two, and the class is graded."""
    (a_class.folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    a_class.hand_in("alee/jode/77_two.ipynb", a_class.copy("alee"))
    a_class.hand_in("smue/77_two.ipynb", a_class.copy("smue"))
    a_class.grade("--roster", str(a_class.folder / "roster.csv"))
    found = by_student(a_class)
    assert found["smue"]["marks"] == "5"
    [row] = [r for r in found.values() if r["status"] == "unreadable"]
    assert "may mean alee or jode" in row["remedy"]


def test_a_folder_of_nobody_keeps_two_apart(a_class):
    """One copy in two folders that are nobody's: each is marked by its data, neither is lost."""
    (a_class.folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    for number in (1, 2):
        a_class.hand_in(f"export/submission_{number}/77_two.ipynb", a_class.copy("alee"))
    a_class.grade("--roster", str(a_class.folder / "roster.csv"))
    found = {name: row["marks"] for name, row in by_student(a_class).items()}
    assert found == {
        "alee": "", "jode": "", "smue": "", "export/submission_1": "5", "export/submission_2": "5"
    }  # fmt: skip
    assert "nobody on the roster is named" in a_class.report()


def test_another_students_copy_in_a_named_folder_is_that_folders(a_class):
    """The name in the folder counts before the copy, also within a longer name."""
    (a_class.folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    a_class.hand_in("exercise-77-alee/77_two.ipynb", a_class.copy("jode"))
    a_class.grade("--roster", str(a_class.folder / "roster.csv"))
    assert by_student(a_class)["alee"]["77 total"] == "0"
    assert "carries the fingerprint of jode" in a_class.report()


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("exercise-21-alee", "ann"), ("ALEE_final", "ann"), ("Lee_Ann_alee_12345", "ann"),
        ("101-999 - Ann Lee - Nov 20", "ann"), ("Lee, Ann(alee)", "ann"), ("Li_Ben", "ben"),
        ("ann lee and ben li", ""), ("aleex", ""), ("by ann", ""), ("alee ben li", ""),
        ("nobody-77", ""), ("li", "ben"), ("li 77", ""), ("1180010", ""), ("x 11800101 y", "ann"),
    ],
)  # fmt: skip
def test_a_name_within_a_name_is_whole_words_of_one_student(name, student):
    """No part of a word, and never one of two."""
    from irmetrics_edu.classroom.marking.collecting.owner_names import Person

    people = [
        Person("ann", "Lee, Ann", "11800101", login="alee"),
        Person("ben", "Li, Ben", login="li"),
    ]
    found = named(name, ["77_two"], people, folder=True)
    assert (found.student if found.sure else "") == student
