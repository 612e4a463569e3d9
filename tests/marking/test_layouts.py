"""Folders as platforms and people make them: each student is found, and no folder becomes one.

Each layout is a class of three. Ann Lee and Jo Ode hand in their own copies, solved; Su Müller
hands in nothing. Whatever lies above, around or instead of a name, Ann and Jo have their five
marks.
"""

import zipfile

import pytest

from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.marking.collecting.owner_names import named
from tests.marking.test_grade import by_student

pytestmark = pytest.mark.slow

ROSTER = """\
student,name,id,email,login,canvas,moodle
alee,"Lee, Ann",11800101,ann.lee@uni.example,alee,1001,991
jode,"Ode, Jo",11800102,jo.ode@uni.example,jode,1002,992
smue,"Müller, Su",11800103,su@uni.example,smue,1003,993
"""
# For each layout the places of Ann's and of Jo's notebook, and of what the platform puts beside.
LAYOUTS = {
    "a folder of notebooks": ("alee.ipynb", "jode.ipynb"),
    "by full name": ("Ann Lee.ipynb", "Jo_Ode.ipynb"),
    "the exercise and the login": ("77_two_alee.ipynb", "77_two-jode.ipynb"),
    "the login in a longer name": ("ex 77 alee final.ipynb", "jode_exercise77_v2.ipynb"),
    "a folder for each student": ("alee/77_two.ipynb", "jode/77_two.ipynb"),
    "nbgrader": ("alee/77_two/77_two.ipynb", "jode/77_two/77_two.ipynb"),
    "nbgrader with submitted": ("submitted/alee/77_two/77_two.ipynb",
                                "submitted/jode/77_two/77_two.ipynb"),
    "nbgrader's exchange": ("77_two/alee+77_two+2026-11-20 22-30-00 UTC/77_two.ipynb",
                            "77_two/jode+77_two+2026-11-20 22-31-00 UTC/77_two.ipynb"),
    "a folder on top": ("Abgaben/Lee, Ann/77_two.ipynb", "Abgaben/Ode, Jo/77_two.ipynb"),
    "two folders on top": ("IR 2026/Week 3/alee/x.ipynb", "IR 2026/Week 3/jode/x.ipynb"),
    "the exercise on top": ("77_two/alee/x.ipynb", "77_two/jode/x.ipynb"),
    "tutorials": ("Monday/alee/77_two.ipynb", "Tuesday/jode/77_two.ipynb"),
    "tutorials of flat files": ("Monday/alee.ipynb", "Tuesday/jode.ipynb"),
    "a tutor's folder and the mail": ("Tutor Kim/ann.lee@uni.example/a.ipynb",
                                      "Tutor Kim/jo.ode@uni.example/b.ipynb"),
    "Canvas": ("leeann_1001_501_77_two.ipynb", "odejo_LATE_1002_502_77_two.ipynb"),
    "Canvas unpacked": ("submissions/leeann_1001_501_77_two.ipynb",
                        "submissions/odejo_1002_502_Untitled.ipynb"),
    "Canvas unpacked twice": ("ex 77/submissions (2)/leeann_1001_501_77_two.ipynb",
                              "ex 77/submissions (2)/odejo_1002_502_77_two.ipynb"),
    "Moodle in folders": ("Ann Lee_991_assignsubmission_file/77_two.ipynb",
                          "Jo Ode_992_assignsubmission_file/77_two.ipynb"),
    "Moodle in folders of the old kind": ("Ann Lee_991_assignsubmission_file_/77_two.ipynb",
                                          "Jo Ode_992_assignsubmission_file_/77_two.ipynb"),
    "Moodle flat": ("Ann Lee_991_assignsubmission_file_77_two.ipynb",
                    "Jo Ode_992_assignsubmission_file_77_two.ipynb"),
    "Moodle unpacked": ("C1-Two-33/Ann Lee_991_assignsubmission_file/77_two.ipynb",
                        "C1-Two-33/Jo Ode_992_assignsubmission_file/77_two.ipynb"),
    "Moodle before 4.1, in teams": ("Team A-Ann Lee_991_assignsubmission_file_/77_two.ipynb",
                                    "Default group-Jo Ode_992_assignsubmission_file_/77_two.ipynb"),
    "ILIAS": ("Uebung_77/Abgaben/Lee_Ann_alee_12345/20261120_77_two.ipynb",
              "Uebung_77/Abgaben/Ode_Jo_jode_12346/20261120_loesung.ipynb"),
    "ILIAS, the folder alone": ("Lee_Ann_alee_12345/x.ipynb", "Ode_Jo_jode_12346/x.ipynb"),
    "GitHub Classroom": ("exercise-77-alee/77_two.ipynb", "exercise-77-jode/77_two.ipynb"),
    "GitHub Classroom cloned": ("exercise-77-submissions/exercise-77-alee/notebooks/77_two.ipynb",
                                "exercise-77-submissions/exercise-77-jode/notebooks/77_two.ipynb"),
    "Brightspace": ("101-999 - Ann Lee - Nov 20, 2026 1159 PM/77_two.ipynb",
                    "102-999 - Jo Ode - Nov 20, 2026 1158 PM/77_two.ipynb", "index.html"),
    "Sakai": ("Exercise 77/Lee, Ann(alee)/Submission attachment(s)/77_two.ipynb",
              "Exercise 77/Ode, Jo(jode)/Submission attachment(s)/77_two.ipynb",
              "Exercise 77/Lee, Ann(alee)/timestamp.txt", "Exercise 77/Ode, Jo(jode)/comments.txt",
              "grades.csv"),
    "Gradescope": ("assignment_77_export/submission_300000001/77_two.ipynb",
                   "assignment_77_export/submission_300000002/77_two.ipynb"),
    "Blackboard": ("Exercise 77_alee_attempt_2026-11-20-23-59-00_77_two.ipynb",
                   "Exercise 77_jode_attempt_2026-11-20-23-58-00_77_two.ipynb"),
    "Google Classroom": ("Ann Lee - 77_two.ipynb", "Jo Ode - 77_two.ipynb"),
    "Teams": ("Submitted files/Ann Lee/Exercise 77/Version 2/77_two.ipynb",
              "Submitted files/Jo Ode/Exercise 77/Version 1/77_two.ipynb"),
    "OLAT": ("submission_alee/77_two.ipynb", "submission_jode/77_two.ipynb"),
    "Stud.IP": ("Lee_Ann_11800101/77_two.ipynb", "Ode_Jo_11800102/77_two.ipynb"),
    "matriculation numbers": ("11800101.ipynb", "ex77/11800102.ipynb"),
    "macOS": ("Abgaben/alee/77_two.ipynb", "Abgaben/jode/77_two.ipynb",
              "__MACOSX/Abgaben/alee/._77_two.ipynb", "Abgaben/.DS_Store",
              "Abgaben/alee/._77_two.ipynb"),
    "checkpoints": ("alee/77_two.ipynb", "jode/77_two.ipynb",
                    "alee/.ipynb_checkpoints/77_two-checkpoint.ipynb"),
    "numbers that mean nothing": ("001/77_two.ipynb", "002/77_two.ipynb"),
    "names that say nothing": ("Untitled.ipynb", "Untitled (1).ipynb"),
    "random names on top of nothing": ("download/a1b2/x.ipynb", "download/c3d4/x.ipynb"),
}  # fmt: skip


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
