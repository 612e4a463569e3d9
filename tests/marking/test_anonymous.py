"""Names that a platform hides: read, marked, given back under the same id, and nobody's by a guess.

Canvas writes anon_ and five letters or digits, after LATE_ where it is late, and takes such a name
back by these; Moodle writes "Participant" and the number of the participant.
"""

import json
import zipfile

import pytest

from irmetrics_edu.classroom.marking.collecting.owner_names import Person, named
from tests.marking.test_grade import by_student, table
from tests.marking.test_platforms import GRADEBOOK, moodle_reads, read_back, zipped

PEOPLE = [
    Person("ann", "Lee, Ann", canvas="556"),
    Person("ben", "Jones, Ben", canvas="12345"),
    Person("cy", "Anon, Cy", canvas="77"),
    Person("di", "Di Ode", moodle="991"),
]
BLIND = """\
Identifier,Status,Grade,Maximum Grade,Last modified (submission),Last modified (grade),\
Feedback comments
Participant 991,Submitted,,5.00,"Friday, 20 November 2026, 11:59 PM",-,
Participant 992,No submission,,5.00,-,-,
"""


@pytest.mark.parametrize(
    ("raw", "who", "late"),
    [
        ("anon_aB3dE_556_77_two", "anon_aB3dE", False),
        ("anon_aB3dE_556_Lee Ann", "anon_aB3dE", False),
        ("LATE_anon_aB3dE_556_leeann_556_1_x", "anon_aB3dE", True),
        ("anon_12345_9_hw", "anon_12345", False),
        ("anon_aB3dE_text", "anon_aB3dE", False),
        ("Participant_995_assignsubmission_file", "Participant 995", None),
        ("Team A-Participant_995_assignsubmission_file_", "Participant 995", None),
        ("Default group-Participant_995_assignsubmission_file_", "Participant 995", None),
        ("Participant_995_assignsubmission_file_Ann Lee", "Participant 995", None),
    ],
)
def test_a_hidden_name_is_nobodys(raw, who, late):
    """Whatever the student's file is called, and whoever has a number that stands in the name."""
    found = named(raw, ["77_two"], PEOPLE, folder=False)
    assert (found.student, found.late, found.anonymous, found.why) == (who, late, True, "")


def test_a_blind_worksheet_knows_its_participants_in_every_language():
    """Its identifier is their name; what Moodle writes into the folder is that, without signs."""
    blind = Person("Teilnehmer/in 991", "Teilnehmer/in 991", moodle="991")
    found = named("Teilnehmerin_991_assignsubmission_file", [], [blind], folder=True)
    assert (found.student, found.anonymous) == ("Teilnehmer/in 991", True)
    assert not named("Teilnehmerin_17_assignsubmission_file", [], [blind], folder=True).anonymous


@pytest.mark.slow
def test_canvas_there_and_back(a_class, capsys):
    """Each by the own copy's numbers; no name of the class is in anything that is written."""
    a_class.work = zipped(a_class.folder / "submissions.zip", {
        "anon_aB3dE_556_77_two.ipynb": a_class.copy("Lee, Ann"),
        "LATE_anon_12345_557_Lee Ann.ipynb": a_class.copy("Müller, Su"),
        "anon_zzZZ9_558_77_two.ipynb": a_class.copy("Müller, Su", solved=False),
        "anon_x7x7x_559_exercise 77.ipynb": a_class.copy("Nobody"),
    })  # fmt: skip
    (a_class.folder / "gradebook.csv").write_text(GRADEBOOK, encoding="utf-8")
    (a_class.folder / "late.csv").write_text(
        'rule,exercise,student,value\nlate mark,,,20 %\nextension,,"Müller, Su",2 d\n',
        encoding="utf-8",
    )
    a_class.grade("--roster", str(a_class.folder / "gradebook.csv"),
                  "--late", str(a_class.folder / "late.csv"))  # fmt: skip
    assert {n: r["marks"] for n, r in by_student(a_class).items()} == {
        "anon_aB3dE": "5", "anon_12345": "4", "anon_zzZZ9": "0", "anon_x7x7x": ""
    }  # fmt: skip
    assert "names are hidden in exercise 77" in capsys.readouterr().out
    written = a_class.written()
    report = a_class.report()
    assert "it was made of the same copy as that of anon_zzZZ9" in report
    assert "names are hidden: whether the student has an extension is not known" in report
    assert table(a_class, "canvas.csv")[2:] == []
    with zipfile.ZipFile(a_class.out / "feedback-canvas.zip") as archive:
        assert sorted(archive.namelist()) == sorted(zipfile.ZipFile(a_class.work).namelist())
        late = json.loads(archive.read("LATE_anon_12345_557_Lee Ann.ipynb"))
    assert "4 of 5" in "".join(late["cells"][0]["source"])
    for name, data in written.items():
        if not name.endswith(".zip"):
            text = data.decode()
            assert "Müller" not in text, name
            assert "Lee, Ann" not in text, name


@pytest.mark.slow
@pytest.mark.parametrize("sheet", [True, False])
def test_moodle_there_and_back(a_class, sheet):
    """By the participant's number; with the worksheet, who handed nothing in is told as well."""
    a_class.work = zipped(a_class.folder / "C1-Two-33.zip", {
        "Participant_991_assignsubmission_file/77_two.ipynb": a_class.copy("Ann Lee"),
        "Participant_995_assignsubmission_file/77_two.ipynb": a_class.copy("Su", solved=False),
    })  # fmt: skip
    (a_class.folder / "sheet.csv").write_text(BLIND, encoding="utf-8-sig")
    (a_class.folder / "names").write_text("student\nAnn Lee\nSu\n")
    given = [f"--roster={a_class.folder / 'sheet.csv'}"] if sheet else []
    a_class.grade(f"--roster={a_class.folder / 'names'}", *given)
    found = {n: (r["status"], r["marks"]) for n, r in by_student(a_class).items()}
    nothing = {"Participant 992": ("nothing handed in", "")} if sheet else {}
    assert found == {
        "Participant 991": ("graded", "5"), "Participant 995": ("graded", "0"), **nothing
    }  # fmt: skip
    back, _ = moodle_reads(a_class.written()["feedback-moodle.zip"], {"991", "995"})
    assert set(back) == {"991", "995"}
    assert len(table(a_class, "canvas.csv")) == 2  # a head and the points
    if sheet:
        sent = {x["Identifier"]: x["Grade"] for x in read_back(a_class, "moodle-worksheet.csv")}
        assert sent == {"Participant 991": "5", "Participant 992": ""}
