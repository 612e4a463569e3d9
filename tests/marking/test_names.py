"""Whose a submission is: no file name takes another's mark, and nobody is guessed."""

import pytest

from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, folded, named
from tests.marking.conftest import KEY
from tests.marking.test_grade import by_student

PEOPLE = [
    Person("bob", "Bob Jones", "1002"),
    Person("alice", "Alice Smith", "1001"),
    Person("ann1", "Ann Lee", "7"),
    Person("ann2", "Ann Lee", "8"),
    Person("su", "Su Müller", "9", login="sm9"),
    Person("mim", "می\u200cروم کریمی", "10"),
]


@pytest.mark.parametrize(
    ("raw", "student"),
    [
        ("jonesbob_1002_556_Alice Smith", "bob"),
        ("jonesbob_LATE_1002_556_alice", "bob"),
        ("jonesbob_1002_556_smithalice_1001_557_77_two", "bob"),
        ("smithalice_55_556_bob", "alice"),
        ("Bob Jones_991_assignsubmission_file_", "bob"),
        ("Bob Jones_1001_assignsubmission_file_alice", "bob"),
        ("BOB  JONES", "bob"),
        ("bob\u00a0jones 77_two", "bob"),
        ("Su Mu\u0308ller_991_assignsubmission_file_", "su"),
        ("77_two_su", "su"),
        ("می\u200cروم کریمی_5_assignsubmission_file_", "mim"),
        ("ann2", "ann2"),
    ],
)
def test_the_platform_and_the_roster_say_who_it_is(raw, student):
    """The id that Canvas wrote, the name that Moodle wrote, in whatever case and composition."""
    found = named(raw, ["77_two"], PEOPLE, folder=False)
    assert (found.student, found.why) == (student, "")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("Ann Lee_101_assignsubmission_file_", "may mean ann1 or ann2"),
        ("Ann Lee", "may mean ann1 or ann2"),
        ("Ann Lee 77_two", "may mean ann1 or ann2"),
        ("smithalice_1002_556_x", "the id 1002 is that of bob"),
    ],
)
def test_what_fits_two_students_is_asked_about(raw, words):
    """Nobody is guessed, and the reason names who is meant."""
    found = named(raw, ["77_two"], PEOPLE, folder=True)
    assert not found.student
    assert words in found.why


def test_a_non_joiner_is_a_letter_of_its_own():
    """Two Persian names that differ in it are two; case and spaces make no difference."""
    assert folded("می\u200cروم") != folded("میروم")
    assert folded("  ZOE\u0308  May ") == folded("zoë may")


def test_a_name_is_one_however_it_is_written():
    """A copy for a composed name is that for the decomposed one."""
    assert Variant("Zo\u00eb  May", KEY).fingerprint == Variant("Zoe\u0308 May", KEY).fingerprint
    assert Variant("Zoë", KEY).fingerprint != Variant("Zoe", KEY).fingerprint


def test_two_students_of_one_name_are_asked_about(a_class, capsys):
    """Moodle's folders of two Ann Lees, without a roster: no marks, and what to do."""
    for number in (101, 102):
        folder = f"Ann Lee_{number}_assignsubmission_file_"
        a_class.hand_in(f"{folder}/77_two.ipynb", a_class.copy("", solved=number == 101))
    a_class.hand_in("Bo Li_103_assignsubmission_file_/77_two.ipynb", a_class.copy("Bo Li"))
    assert a_class.grade() == 1
    said = capsys.readouterr().out
    assert said.count("Moodle lists several students under the name Ann Lee") == 2
    assert a_class.result("Bo Li_103_assignsubmission_file_/77_two.ipynb")["student"] == "Bo Li"
    assert a_class.marks("Bo Li_103_assignsubmission_file_/77_two.ipynb") == [1, 4]
    result = a_class.result("Ann Lee_101_assignsubmission_file_/77_two.ipynb")
    assert result["status"] == "unreadable"
    assert "column student of the roster" in result["remedy"]


def test_a_file_called_after_another_takes_no_mark(a_class):
    """Bob's file carries Alice's name and is Alice's copy; hers stays hers, his stays his."""
    (a_class.folder / "roster").write_text(
        "student,name,id\nbob,Bob Jones,1002\nalice,Alice Smith,1001\n"
    )
    hers, his = "smithalice_1001_555_77_two.ipynb", "jonesbob_1002_556_Alice Smith.ipynb"
    a_class.hand_in(hers, a_class.copy("alice"))
    a_class.hand_in(his, a_class.copy("alice", solved=False))
    a_class.grade("--roster", str(a_class.folder / "roster"))
    assert (a_class.result(hers)["student"], a_class.marks(hers)) == ("alice", [1, 4])
    assert (a_class.result(his)["student"], a_class.marks(his)) == ("bob", [0, 0])


def test_a_folder_says_whose_it_is_whatever_copy_lies_in_it(a_class):
    """Ann has handed nothing in; what Mal hands in is not taken for Ann's."""
    a_class.hand_in("mal/ann.ipynb", a_class.copy("ann"))
    a_class.grade()
    assert a_class.result("mal/ann.ipynb")["student"] == "mal"
    (a_class.folder / "roster").write_text("student\nann\nben\n")
    a_class.grade("--roster", str(a_class.folder / "roster"), "--force")
    # On a roster Mal is nobody, as `submissions/` or `group 3/` is: the file says whose it is.
    assert a_class.result("mal/ann.ipynb")["student"] == "ann"
    assert "the folder mal names nobody on the roster" in a_class.report()


def test_two_loose_files_with_one_copy_are_nobodys(a_class):
    """One of them may be another student's: neither takes the mark of the copy's owner."""
    (a_class.folder / "roster").write_text("student\nann\nben\n")
    a_class.hand_in("Untitled1.ipynb", a_class.copy("ann"))
    a_class.hand_in("Untitled2.ipynb", a_class.copy("ann", solved=False))
    a_class.grade("--roster", str(a_class.folder / "roster"))
    assert a_class.result("Untitled1.ipynb")["student"] == "Untitled1"
    assert "nobody on the roster" in " ".join(a_class.result("Untitled2.ipynb")["notes"])


def test_two_files_of_one_copy_that_are_called_after_the_exercise_are_attempts(a_class):
    """Their names say nothing else, and a browser adds the number: the last one counts."""
    (a_class.folder / "roster").write_text("student\nann\nben\n")
    a_class.hand_in("77_two.ipynb", a_class.copy("ann", solved=False))
    a_class.hand_in("77_two (1).ipynb", a_class.copy("ann"))
    a_class.grade("--roster", str(a_class.folder / "roster"))
    found = by_student(a_class)
    assert {n: (r["status"], r["marks"]) for n, r in found.items()} == {
        "ann": ("graded", "5"), "ben": ("nothing handed in", "")
    }  # fmt: skip
    assert "does not count, another one does: 77_two.ipynb" in a_class.report()


@pytest.mark.parametrize("place", ["marks", "", "deep/er"])
def test_results_are_not_written_among_submissions(a_class, capsys, place):
    """They would be read as submissions of the next run."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    assert a_class.grade("--out", str(a_class.work / place)) == 2
    assert "name a folder outside of it" in capsys.readouterr().err


def test_manual_marks_find_a_student_in_any_case(a_class):
    """What the teacher types is compared as names are."""
    a_class.hand_in("Zoë May/77_two.ipynb", a_class.copy("Zoë May", solved=False))
    a_class.grade()
    by_hand = a_class.out / "manual.csv"
    by_hand.write_text(by_hand.read_text() + "zoe\u0308  may,77,dcg,2,\n", encoding="utf-8")
    assert a_class.grade() == 0
    assert "Zoë May" in (a_class.out / "marks.csv").read_text(encoding="utf-8")
