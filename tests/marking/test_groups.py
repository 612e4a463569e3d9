"""Students who hand in together: one notebook, and its marks and feedback for each member.

The names of files and folders are those of Canvas's and Moodle's own code: Canvas writes the name
of the group in small letters and the id of one member, Moodle the name of the group and its number,
or "Default group" without a number for all who are in none. What they take back is read by
`canvas_reads` and `moodle_reads`, written from their rules.
"""

import json
import re

import pytest

from irmetrics_edu.classroom.marking.collecting.owner_names import Person, named
from irmetrics_edu.classroom.marking.collecting.rosters import read, together
from irmetrics_edu.errors import InputError
from tests.marking.test_grade import by_student, table
from tests.marking.test_platforms import canvas_reads, moodle_reads, read_back, zipped

PEOPLE = [
    Person("ann", "Lee, Ann", canvas="1001", moodle="991", group="Team A"),
    Person("ben", "Jones, Ben", canvas="1002", moodle="992", group="Team A"),
    Person("cy", "Zed, Cy", canvas="1003", moodle="17"),
    Person("di", "Ode, Di", canvas="1004", moodle="994", group="B_2"),
]
OWN = "student,name,group\nann,Ann Lee,Team A\nben,Ben Jones,Team A\ncy,Cy Zed,\n"
GRADEBOOK = """\
Student,ID,SIS User ID,SIS Login ID,Section,Exercise 77: Two questions (8123)
    Points Possible,,,,,5
"Lee, Ann",1001,m101,alee,S1,
"Jones, Ben",1002,m102,bjones,S2,
"Zed, Cy",1003,m103,czed,S1,
"""
CANVAS_GROUPS = """\
name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id
Ann Lee,1001,m101,alee,S1,Team A,77,
Ben Jones,1002,m102,bjones,S2,Team A,77,
Cy Zed,1003,m103,czed,S1,,,
"""
WORKSHEET = """\
Identifier,Full name,Email address,Status,Group,Grade,Maximum Grade,\
Last modified (submission),Last modified (grade),Feedback comments
Participant 991,Ann Lee,ann@x.org,Submitted,Team A,,5.00,"Friday, 20 November 2026, 11:59 PM",-,
Participant 992,Ben Jones,ben@x.org,Submitted,Team A,,5.00,"Friday, 20 November 2026, 11:59 PM",-,
Participant 17,Cy Zed,cy@x.org,Submitted,Default group,,5.00,-,-,
Participant 994,Di Ode,di@x.org,Submitted,Default group,,5.00,-,-,
"""


@pytest.mark.parametrize(
    ("raw", "who"),
    [
        ("Team A_17_assignsubmission_file", "Team A"),
        ("Team A_17_assignsubmission_file_", "Team A"),
        ("B 2_5_assignsubmission_file", "B_2"),
        ("teama_1002_556_homework", "Team A"),
        ("teama_LATE_1002_556_jonesben", "Team A"),
        ("jonesben_1002_556_homework", "Team A"),
        ("b_2_1004_556_homework", "B_2"),
        ("zedcy_1003_556_team a", "cy"),
        ("Zed Cy_17_assignsubmission_file", "cy"),
        ("Team A", "Team A"),
        ("team a 77_two", "Team A"),
        ("ben", "Team A"),
    ],
)
def test_a_name_means_the_group(raw, who):
    """Its own name or a member's, and never the participant who has the number of the group."""
    found = named(raw, ["77_two"], PEOPLE, folder=False)
    assert (found.student, found.why) == (who, "")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("teama_1003_556_homework", "the id 1003 is that of cy, the name teama is another's"),
        ("Team C_17_assignsubmission_file", "the id 17 is that of cy, the name Team C is another"),
        ("Team C_5_assignsubmission_file", "nobody of the roster is called Team C"),
        ("teamc_5_556_homework", "nobody of the roster is called teamc"),
        ("Team C", "nobody of the roster is called Team C"),
    ],
)
def test_a_group_of_nobody_is_asked_about(raw, words):
    """Neither the number nor a part of the name makes it somebody's."""
    found = named(raw, [], PEOPLE, folder=True)
    assert not found.student
    assert words in found.why


def test_a_group_that_no_roster_knows_is_told_of():
    """Canvas's file of a group has one member's id: without groups that member alone has marks."""
    found = named("teama_1002_556_homework", [], [Person("ben", "Jones, Ben", canvas="1002")],
                  folder=False)  # fmt: skip
    assert found.student == "ben"
    assert "if it is a group's, say who is in the group" in found.note


@pytest.mark.parametrize(
    ("rosters", "words"),
    [
        (["student,group\nann,A\nben,B\nann,B\n"],
         "r0.csv, line 4: student 'ann' a second time"),
        (["student,group\nann,A\n,C\n"], "r0.csv, line 3: student ''; name the student"),
        (["student,group\nann,ben\nben,B\n"], "r0.csv, line 2: the group ben of ann is called as"),
        (["student,group\nann,A\n", "student,group\nben,B\nann,C\n"],
         "r1.csv, line 3: ann is in the group C, and by another roster in A"),
        ([CANVAS_GROUPS + "Ann Lee,1001,m101,alee,S1,Team B,78,\n"],
         r"r0.csv, line 5: student 'Ann Lee \(1001\)' a second time"),
        ([WORKSHEET.replace("Default group", "Member of more than one group, so unable.", 1)
          .replace("Submitted,Member of more than one group, so unable.",
                   'Submitted,"Member of more than one group, so unable."')],
         "r0.csv, line 4: Cy Zed is in several groups"),
    ],
    ids=["two lines", "nobody", "a student's name", "two rosters", "Canvas", "Moodle"],
)  # fmt: skip
def test_groups_that_can_not_be_are_refused(tmp_path, rosters, words):
    """With the names, the file and the line."""
    for number, text in enumerate(rosters):
        (tmp_path / f"r{number}.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        together([read(tmp_path / f"r{number}.csv") for number in range(len(rosters))])


@pytest.mark.slow
def test_one_notebook_is_marked_once_for_all(a_class, capsys):
    """By the numbers of the member whose copy it is; the last attempt counts, and marks by hand."""
    (a_class.folder / "roster.csv").write_text(OWN)
    given = ["--roster", str(a_class.folder / "roster.csv")]
    a_class.hand_in("Team A/77_two.ipynb", a_class.copy("ben", solved=False))
    a_class.hand_in("Team A/77_two (2).ipynb", a_class.copy("ben"))
    a_class.hand_in("cy/77_two.ipynb", a_class.copy("cy", solved=False))
    assert a_class.grade(*given) == 0
    assert "3 newly graded" in capsys.readouterr().out
    found = by_student(a_class)
    assert {n: (r["group"], r["marks"]) for n, r in found.items()} == {
        "ann": ("Team A", "5"), "ben": ("Team A", "5"), "cy": ("", "0")
    }  # fmt: skip
    written = a_class.written()
    for name in ("ann", "ben"):
        text = written[f"feedback/{name}/77_two.md"].decode()
        assert "Handed in by the group Team A" in text
        assert "5 of 5" in text
    report = a_class.report()
    assert report.count("does not count, another one does: Team A/77") == 1
    assert "| Ann Lee (ann); Ben Jones (ben) |" in report
    assert "identical files" not in report
    # For the group, and for one member besides.
    (a_class.out / "manual.csv").write_text(
        "student,exercise,question,marks,comment\nTeam A,77,total,0,\nann,77,total,1,\n"
    )
    a_class.grade(*given)
    assert {n: r["marks"] for n, r in by_student(a_class).items()} == {
        "ann": "5", "ben": "4", "cy": "0"
    }  # fmt: skip


@pytest.mark.slow
def test_another_groups_copy_helps_nobody(a_class):
    """Its numbers are not theirs, with its fingerprint or without; a copy of the group's own is."""
    (a_class.folder / "roster.csv").write_text(OWN + "di,Di Ode,B\neve,Eve Fox,C\n")
    a_class.hand_in("Team A/77_two.ipynb", a_class.copy("di"))
    bare = json.loads(json.dumps(a_class.copy("eve")))
    del bare["metadata"]["irmetrics_edu"]
    a_class.hand_in("C/77_two.ipynb", bare)
    a_class.hand_in("B/77_two.ipynb", a_class.copy("B"))
    a_class.grade("--roster", str(a_class.folder / "roster.csv"))
    assert a_class.marks("Team A/77_two.ipynb") == [0, 4]
    assert a_class.marks("C/77_two.ipynb") == [1, 4]
    assert a_class.marks("B/77_two.ipynb") == [1, 4]
    notes = " ".join(a_class.result("Team A/77_two.ipynb")["notes"])
    assert "the fingerprint of di; it was marked by the inputs of Team A" in notes


@pytest.mark.slow
def test_groups_of_canvas_there_and_back(a_class, capsys):
    """Marks for each member in the gradebook's table, one file that Canvas shows to all of them."""
    a_class.work = zipped(a_class.folder / "submissions.zip", {
        "teama_LATE_1002_556_77_two.ipynb": a_class.copy("Lee, Ann"),
        "zedcy_1003_557_77_two.ipynb": a_class.copy("Zed, Cy"),
    })  # fmt: skip
    (a_class.folder / "gradebook.csv").write_text(GRADEBOOK)
    (a_class.folder / "groups.csv").write_text(CANVAS_GROUPS)
    (a_class.folder / "late.csv").write_text(
        "rule,exercise,student,value\nlate mark,,,20 %\npenalty,,,10 % per day\n"
    )
    given = [f"--{name}={a_class.folder / file}.csv" for name, file in
             (("roster", "gradebook"), ("roster", "groups"), ("late", "late"))]  # fmt: skip
    assert a_class.grade(*given) == 0
    assert {n: r["marks"] for n, r in by_student(a_class).items()} == {
        "Lee, Ann": "4", "Jones, Ben": "4", "Zed, Cy": "5"
    }  # fmt: skip
    files = {"1002": ["556"], "1003": ["557"]}
    back, ignored = canvas_reads(a_class.written()["feedback-canvas.zip"], files)
    assert not ignored
    assert "**Team A**. Marks: 4 of 5" in "".join(json.loads(back["1002"])["cells"][0]["source"])
    assert set(back) == {"1002", "1003"}
    assert [line[:2] + line[5:] for line in table(a_class, "canvas.csv")[2:]] == [
        ["Jones, Ben", "1002", "4"], ["Lee, Ann", "1001", "4"], ["Zed, Cy", "1003", "5"]
    ]  # fmt: skip
    # Members with marks of their own: what all would see is not sent, and said.
    manual = a_class.out / "manual.csv"
    manual.write_text(manual.read_text() + '"Lee, Ann",77,,1,\n')
    capsys.readouterr()
    a_class.grade(*given)
    assert "these have marks of their own" in capsys.readouterr().out
    assert set(canvas_reads(a_class.written()["feedback-canvas.zip"], files)[0]) == {"1003"}


@pytest.mark.slow
def test_canvas_gives_a_group_file_by_file_where_members_are_marked_one_by_one(a_class):
    """Each member's feedback goes back under the member's own id."""
    book = a_class.copy("Lee, Ann")
    a_class.work = zipped(a_class.folder / "submissions.zip", {
        "leeann_1001_556_77_two.ipynb": book, "jonesben_1002_556_77_two.ipynb": book,
    })  # fmt: skip
    (a_class.folder / "gradebook.csv").write_text(GRADEBOOK)
    (a_class.folder / "groups.csv").write_text(CANVAS_GROUPS)
    given = [f"--roster={a_class.folder / name}.csv" for name in ("gradebook", "groups")]
    a_class.grade(*given)
    back, _ = canvas_reads(
        a_class.written()["feedback-canvas.zip"], {"1001": ["556"], "1002": ["556"]}
    )
    for number, name in (("1001", "Lee, Ann"), ("1002", "Jones, Ben")):
        assert f"**{name}**. Marks: 5" in "".join(json.loads(back[number])["cells"][0]["source"])


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["assignsubmission_file/", "assignsubmission_file_"])
def test_groups_of_moodle_there_and_back(a_class, mark, capsys):
    """The worksheet says who is in which; feedback goes to each member by the member's number."""
    a_class.work = zipped(a_class.folder / "C1-Two-33.zip", {
        f"Team A_17_{mark}77_two.ipynb": a_class.copy("Ben Jones"),
        f"Default group_{mark}77_two.ipynb": a_class.copy("Cy Zed", solved=False),
    })  # fmt: skip
    sheet = a_class.folder / "worksheet.csv"
    sheet.write_text(WORKSHEET, encoding="utf-8-sig")
    rules = "rule,exercise,student,value\nzone,,,Europe/Vienna\ndue,,,2026-11-20 12:00\n"
    (a_class.folder / "late.csv").write_text(
        rules + "penalty,,,10 % per day\nextension,,Ann Lee,1 d\n"
    )
    late = ["--late", str(a_class.folder / "late.csv")]
    assert a_class.grade("--roster", str(sheet), *late) == 0
    assert {n: (r["group"], r["marks"]) for n, r in by_student(a_class).items()} == {
        "Ann Lee": ("Team A", "5"), "Ben Jones": ("Team A", "4.5"),
        "Cy Zed": ("Default group", "0"), "Di Ode": ("Default group", "0"),
    }  # fmt: skip
    back, ignored = moodle_reads(
        a_class.written()["feedback-moodle.zip"], {"991", "992", "17", "994"}
    )
    assert not ignored
    assert {number: list(files) for number, files in back.items()} == {
        number: ["feedback-77_two.html"] for number in ("991", "992", "17", "994")
    }
    assert "Ann Lee" in back["991"]["feedback-77_two.html"]
    assert "0 of 5" in back["17"]["feedback-77_two.html"]
    sheet_back = read_back(a_class, "moodle-worksheet.csv")
    sent = {line["Identifier"]: line["Grade"] for line in sheet_back}
    assert sent == {
        "Participant 991": "5", "Participant 992": "4.5", "Participant 17": "0",
        "Participant 994": "0",
    }  # fmt: skip
    # Without the worksheet nobody's number is known, and the number of a group is no participant's.
    (a_class.folder / "own.csv").write_text(OWN + "di,Di Ode,\n")
    capsys.readouterr()
    a_class.grade("--roster", str(a_class.folder / "own.csv"), f"--out={a_class.folder / 'two'}")
    out = capsys.readouterr().out
    assert "Moodle gives feedback back by the participants' numbers" in out
    assert not (a_class.folder / "two" / "feedback-moodle.zip").exists()


def test_a_group_counts_once_as_similar_code(a_class):
    """Members have one file, and are no group of copiers."""
    (a_class.folder / "roster.csv").write_text(OWN)
    a_class.hand_in("Team A/77_two.ipynb", a_class.copy("ann"))
    a_class.grade("--roster", str(a_class.folder / "roster.csv"))
    assert not re.search(r"\| ann, ben \| identical", a_class.report())
