"""Canvas and Moodle as they are: downloads in, feedback and marks out, hostile archives refused.

`canvas_reads` and `moodle_reads` are written from the platforms' own rules: Canvas takes the first
two parts of a name that are digits for the ids of the student and of the student's file; Moodle
takes the part of a path that reads name_number_kind_plugin, and its number for the participant's.
"""

import csv
import io
import json
import stat
import zipfile
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.exercises import solution
from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.exercises.source import read as source_of
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.marking.collecting import archives
from irmetrics_edu.classroom.marking.collecting.archives import downloads, unpack
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, named
from irmetrics_edu.classroom.marking.collecting.rosters import read, together
from irmetrics_edu.errors import InputError
from tests.marking.conftest import KEY, SOURCE
from tests.marking.test_grade import by_student, table

GRADEBOOK = """\
Student,ID,SIS User ID,SIS Login ID,Section,Exercise 77: Two questions (8123),Current Score
,,,,,Manual Posting,
    Points Possible,,,,,5,(read only)
"Lee, Ann",1001,m101,alee,S1,,
"Müller, Su",1002,m102,smue,S2,,
"O_Neil van, Di",1003,m103,done,S1,,
"Zed, Cy",1004,m104,czed,S2,3,
"Student, Test",1009,,8a7f0c,S1,,
"""
WORKSHEET = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,\
Last modified (submission),Last modified (grade),Feedback comments
Participant 991,Ann Lee,ann@x.org,Submitted,,5.00,Yes,"Friday, 20 November 2026, 11:59 PM",-,
Participant 992,Ann Lee,ann2@x.org,Submitted,,5.00,Yes,"Sunday, 22 November 2026, 9:05 AM",-,
Participant 993,Su Müller,su@x.org,No submission,,5.00,Yes,-,-,
"""


def zipped(path, entries):
    """An archive of entries, each a name and bytes or a notebook."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            archive.writestr(name, data)
    return path


def canvas_reads(data, attachments):
    """For each student's number the file that Canvas shows, by its own rule; and what it ignores.

    `attachments` are the ids of the files of each student.
    """
    found, ignored = {}, []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for full in archive.namelist():
            name = full.rsplit("/", 1)[-1]
            digits = [part for part in name.split("_") if part.isdigit() and part.isascii()]
            student, file = [*digits, "", ""][:2]
            linked = name.startswith("._") or name.split("_")[-1].startswith("link")
            if linked or file not in attachments.get(student, ()):
                ignored.append(full)
            else:
                found[student] = archive.read(full).decode()
    return found, ignored


def moodle_reads(data, participants):
    """For each participant's number the files that Moodle takes, by its own rule; and the rest."""
    found, ignored = {}, []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for full in archive.namelist():
            parts = full.split("/")
            if parts[-1].startswith((".", "~")):
                continue
            while parts:
                info = parts.pop(0).split("_", 4)
                if len(info) >= 4 and info[1].isdigit() and info[1] in participants:
                    assert info[2:4] == ["assignsubmission", "file"]
                    rest = "/".join([*info[4:], *parts]).lstrip("/")
                    found.setdefault(info[1], {})[rest] = archive.read(full).decode()
                    break
            else:
                ignored.append(full)
    return found, ignored


@pytest.fixture
def canvas(a_class):
    """A class of Canvas: one late, one of a name with a gap, one that is no notebook."""
    a_class.work = zipped(a_class.folder / "submissions.zip", {
        "leeann_1001_555_77_two-1.ipynb": a_class.copy("Lee, Ann"),
        "müllersu_LATE_1002_556_77_two.ipynb": a_class.copy("Müller, Su"),
        "o_neilvandi_1003_557_homework.html": b"<!doctype html><p>homework",
        "o_neilvandi_1003_558_scan.pdf": b"%PDF-1.4",
        "zedcy_1004_text.html": b"<p>my answer",
    })  # fmt: skip
    (a_class.folder / "gradebook.csv").write_text(GRADEBOOK, encoding="utf-8")
    return a_class


@pytest.mark.slow
def test_canvas_there_and_back(canvas, capsys):
    """Its zip and gradebook are read; feedback and marks reach the right students by its rules."""
    late = canvas.folder / "late.csv"
    late.write_text(
        "rule,exercise,student,value\npenalty,,,10 % per day\nlate mark,,,20 %\n", "utf-8"
    )
    given = ["--roster", str(canvas.folder / "gradebook.csv"), "--late", str(late)]
    assert canvas.grade(*given) == 1
    found = by_student(canvas)
    assert {n: (r["raw marks"], r["penalty"], r["marks"]) for n, r in found.items()} == {
        "Lee, Ann": ("5", "0", "5"),
        "Müller, Su": ("5", "1", "4"),
        "O_Neil van, Di": ("", "", ""),
        "Zed, Cy": ("", "", ""),
    }
    assert found["Müller, Su"]["late"] == "late, by Canvas's mark; how late is not known"
    assert found["Zed, Cy"]["status"] == "unreadable"
    assert "zedcy_1004_text.html" in capsys.readouterr().out
    assert found["Lee, Ann"]["section"] == "S1"
    files = {"1001": ["555"], "1002": ["556"], "1003": ["557", "558"]}
    back, ignored = canvas_reads(canvas.written()["feedback-canvas.zip"], files)
    assert not ignored
    assert set(back) == {"1001", "1002", "1003"}
    for number, words in (("1001", "Lee, Ann"), ("1002", "Müller, Su")):
        [cell] = json.loads(back[number])["cells"]
        assert words in "".join(cell["source"])
    assert "taken off: 1; left: 4" in "".join(json.loads(back["1002"])["cells"][0]["source"])
    head, points, *lines = table(canvas, "canvas.csv")
    assert head[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert head[5] == "Exercise 77: Two questions (8123)"
    assert points[0].strip() == "Points Possible"
    assert points[5] == "5"
    # An empty cell would delete a grade: who has no marks has no line.
    assert {line[1]: line[5] for line in lines} == {"1001": "5", "1002": "4"}
    written = {n: data for n, data in canvas.written().items() if n.endswith(".csv")}
    assert {n for n, data in written.items() if data.startswith(b"\xef\xbb\xbf")} == set(written)
    # Nothing of the archive is left, and a second run changes nothing.
    before = canvas.written()
    capsys.readouterr()
    canvas.grade(*given)
    assert "0 newly graded, 3 that can't be graded, 2 kept" in capsys.readouterr().out
    assert canvas.written() == before


@pytest.fixture(params=["folders", "flat", "older"])
def moodle(a_class, request):
    """A class of Moodle, as each of its forms lays it out: two students have one name."""
    mark = {"folders": "assignsubmission_file/", "flat": "assignsubmission_file_",
            "older": "assignsubmission_file_/"}[request.param]  # fmt: skip
    a_class.work = zipped(a_class.folder / "C1-Two-33.zip", {
        f"Ann Lee_991_{mark}77_two.ipynb": a_class.copy("Ann Lee (991)"),
        f"Ann Lee_992_{mark}77_two.ipynb": a_class.copy("Ann Lee (992)", solved=False),
        f"Ann Lee_992_{mark}data.csv": b"1,2",
    })  # fmt: skip
    (a_class.folder / "worksheet.csv").write_text(WORKSHEET, encoding="utf-8-sig")
    return a_class


@pytest.mark.slow
def test_moodle_there_and_back(moodle):
    """Its zip and its worksheet, with the times; feedback and marks go by the participant."""
    rules = "rule,exercise,student,value\nzone,,,Europe/Vienna\ndue,,,2026-11-20 23:59\n"
    (moodle.folder / "late.csv").write_text(rules + "penalty,,,10 % per day\n")
    sheet = str(moodle.folder / "worksheet.csv")
    assert moodle.grade("--roster", sheet, "--late", str(moodle.folder / "late.csv")) == 1
    found = by_student(moodle)
    assert set(found) == {"Ann Lee (991)", "Ann Lee (992)", "Su Müller"}
    assert not found["Ann Lee (991)"]["late"]
    assert found["Ann Lee (992)"]["late"] == "late by 1 d 9 h, by Moodle's worksheet"
    back, ignored = moodle_reads(moodle.written()["feedback-moodle.zip"], {"991", "992", "993"})
    assert not ignored
    assert {number: list(files) for number, files in back.items()} == {
        "991": ["feedback-77_two.html"], "992": ["feedback-77_two.html"]
    }  # fmt: skip
    assert "5 of 5" in back["991"]["feedback-77_two.html"]
    assert "0 of 5" in back["992"]["feedback-77_two.html"]
    sent = {line["Identifier"]: line for line in read_back(moodle, "moodle-worksheet.csv")}
    assert {number: line["Grade"] for number, line in sent.items()} == {
        "Participant 991": "5", "Participant 992": "0", "Participant 993": ""
    }  # fmt: skip
    assert sent["Participant 991"]["Feedback comments"].startswith("5 of 5.")
    assert "Moodle&#x27;s worksheet" in sent["Participant 992"]["Feedback comments"]
    assert "Handed in late by 1 d 9 h" in sent["Participant 992"]["Feedback comments"]
    assert list(sent["Participant 991"]) == WORKSHEET.splitlines()[0].split(",")


def read_back(a_class, name):
    """A table that was written, by its columns."""
    with (a_class.out / name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_two_downloads_in_one_folder_are_a_course(a_class, capsys):
    """`grade` takes one of them, and says what grades them all."""
    a_class.work = a_class.folder / "downloads"
    a_class.work.mkdir()
    for week in (1, 2):
        name = f"leeann_1001_55{week}_77_two.ipynb"
        zipped(a_class.work / f"week{week}.zip", {name: a_class.copy("leeann")})
    assert a_class.grade() == 2
    assert "it holds 2 downloads; grade them with `grade course" in capsys.readouterr().err
    assert not a_class.out.exists()


@pytest.mark.slow
def test_what_is_no_notebook_is_of_the_exercise_of_its_download(a_class):
    """A PDF beside notebooks of one exercise is of it; beside those of two it is of none."""
    second = SOURCE.replace("Exercise 77", "Exercise 78").replace('"77"', '"78"')
    (a_class.folder / "sources" / "78_two.py").write_text(second, encoding="utf-8")
    other = solution(source_of(a_class.folder / "sources" / "78_two.py"), Variant("leeann", KEY))
    a_class.hand_in("leeann_1001_551_homework.ipynb", a_class.copy("leeann"))
    a_class.hand_in("odejo_1003_561_homework.pdf", "%PDF-1.4")
    a_class.grade()
    assert by_student(a_class)["odejo"]["exercise"] == "77"
    a_class.hand_in("leeann_1001_552_homework.ipynb", json.loads(as_text(other)))
    a_class.grade()
    assert not by_student(a_class)["odejo"]["exercise"]


@pytest.mark.slow
def test_a_mark_of_canvas_without_a_rule_waits_for_the_teacher(canvas):
    """There is a penalty, and nobody knows how many days: no final mark, not even the raw one."""
    late = canvas.folder / "late.csv"
    late.write_text("rule,exercise,student,value\npenalty,,,10 % per day\n")
    canvas.grade("--late", str(late), "--roster", str(canvas.folder / "gradebook.csv"))
    row = by_student(canvas)["Müller, Su"]
    assert (row["raw marks"], row["penalty"], row["marks"]) == ("5", "", "")
    assert "a rule 'late mark'" in canvas.report()


# Rosters.


def test_the_rosters_of_the_platforms_are_read(tmp_path):
    """Their columns become fields; lines of points and of posting are no students."""
    (tmp_path / "canvas.csv").write_text(GRADEBOOK, encoding="utf-8")
    found = read(tmp_path / "canvas.csv")
    assert found.people[1] == Person(
        "Müller, Su", "Müller, Su", "m102", "", "smue", "S2", canvas="1002"
    )
    assert [p.student for p in found.people if not p.test] == [
        "Lee, Ann", "Müller, Su", "O_Neil van, Di", "Zed, Cy"
    ]  # fmt: skip
    assert not Person("Student, Test", "Student, Test", "m105", canvas="1005").test
    (tmp_path / "people.csv").write_text(
        "First name,Last name,ID number,Email address,Groups\nSu,Müller,7,su@x.org,Group A\n"
    )
    [su] = read(tmp_path / "people.csv").people
    assert su == Person("Su Müller", "Su Müller", "7", "su@x.org", section="Group A")
    (tmp_path / "sheet.csv").write_text(WORKSHEET, encoding="utf-8")
    sheet = read(tmp_path / "sheet.csv")
    assert [p.student for p in sheet.people] == ["Ann Lee (991)", "Ann Lee (992)", "Su Müller"]
    (tmp_path / "blind.csv").write_text("Identifier,Status,Grade\nParticipant 991,x,\n")
    [blind] = read(tmp_path / "blind.csv").people
    assert (blind.student, blind.moodle) == ("Participant 991", "991")
    assert named("Participant_991_assignsubmission_file", [], [blind], folder=True).student
    # The group of one roster, the number of the other.
    one = together([sheet, read(tmp_path / "people.csv")])[0].people[2]
    assert (one.moodle, one.section, one.id) == ("993", "Group A", "7")
    (tmp_path / "own.csv").write_text("student,email\nsu,su@x.org\n")
    own, other = together([read(tmp_path / "own.csv"), sheet])
    assert own.people[0].student == other.people[2].student == "su"
    assert own.people[0].moodle == "993" or other.people[2].moodle == "993"
    (tmp_path / "list").write_text("student\nAnn Lee\n")
    (tmp_path / "twins.csv").write_text("student,name\na,Ann Lee\nb,Ann Lee\n")
    with pytest.raises(InputError, match=r"sheet.csv, line 2: Ann Lee \(991\) may mean a or b"):
        together([read(tmp_path / "twins.csv"), sheet])


@pytest.mark.parametrize(
    ("raw", "student", "late"),
    [
        ("leeann_1001_555_77_two", "Lee, Ann", False),
        ("leeann_LATE_1001_555_77_two", "Lee, Ann", True),
        ("leeann_LATE_1001_text", "Lee, Ann", True),
        ("van_der_bergjo_LATE_1005_9_x", "jo", True),
        ("leeann_1001_555_bob_LATE_1005_9_x", "Lee, Ann", False),
        ("Ann Lee_1001_assignsubmission_file_x_LATE_1_2_", "other", None),
    ],
)
def test_the_mark_of_canvas_is_its_own(raw, student, late):
    """A student who writes LATE, or another's number, into the name of a file changes nothing."""
    people = [
        Person("Lee, Ann", "Lee, Ann", canvas="1001"),
        Person("jo", "van_der_Berg, Jo", canvas="1005"),
        Person("other", "Ann L", moodle="1001"),
    ]
    if student == "other":
        people = people[1:]
        people[1] = Person("other", "Ann Lee", moodle="1001")
    found = named(raw, [], people, folder=False)
    assert (found.student, found.late, found.why) == (student, late, "")


@pytest.mark.parametrize("mark", [",", ";", "\t"], ids=["commas", "semicolons", "tabs"])
@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_roster_is_read_as_a_spreadsheet_saves_it(tmp_path, mark, coding):
    """Whatever stands between the fields, and however it is encoded."""
    rows = [["student", "name", "section"], ["su", "Müller, Su", "S2"], ["jo", "Ode, Jo", ""]]
    with (tmp_path / "r.csv").open("w", encoding=coding, newline="") as file:
        csv.writer(file, delimiter=mark).writerows(rows)
    found = read(tmp_path / "r.csv").people
    assert [(p.student, p.name, p.section) for p in found] == [tuple(row) for row in rows[1:]]
    (tmp_path / "names").write_bytes('student\n"Müller, Su"\n"Ode, Jo"\n'.encode(coding))
    assert [p.student for p in read(tmp_path / "names").people] == ["Müller, Su", "Ode, Jo"]


def test_tables_that_name_students_are_read_in_windows_encoding(tmp_path):
    """A known name tells it; a name that was opened in the wrong encoding is refused."""
    from irmetrics_edu.classroom.marking.matching import lateness
    from irmetrics_edu.classroom.marking.reviewing import hand_marks

    su = [Person("Müller, Su")]
    readers = {
        'student,exercise,question,marks,comment\n"{}",77,,3,schön\n':
            lambda path: hand_marks.read_manual(path, {"77": {"dcg": 4.0}}, [Person("Müller, Su")]),
        'rule,exercise,student,value\nextension,77,"{}",2 d\n':
            lambda path: lateness.read(path, ["77"], su).extensions,
        'student,exercise,time\n"{}",77,2026-11-20T12:00Z\n':
            lambda path: lateness.read_times(path, None, su),
    }  # fmt: skip
    for text, reader in readers.items():
        path = tmp_path / "t.csv"
        path.write_bytes(text.format("Müller, Su").encode("cp1252"))
        assert "Müller, Su" in next(iter(reader(path)))
        path.write_bytes(text.format("MÃ¼ller, Su").encode())
        with pytest.raises(InputError, match=r"t.csv, line 2: student .* is nobody of the class"):
            reader(path)
        path.write_bytes(text.format("Šmíd, Jo").encode("cp1250"))
        with pytest.raises(InputError, match=r"t.csv, line 2: byte \d+ is not UTF-8"):
            reader(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("student,email\nann,a,b\n", "line 2: 3 fields, and the head has 2"),
        ("Student,ID,SIS User ID,Section\n    Points Possible,,,\n", "no student in it"),
        ("Identifier,Full name,Grade\nsomebody,Ann Lee,\n", "line 2: no number in 'somebody'"),
        ("First name,Last name\n,\nAnn,Lee\nAnn,Lee\n", "line 4: student 'Ann Lee' a second"),
        ("", "line 1: no column is called 'student'"),
        ("student\n", "no student in it"),
        ("Ann Lee\tann@x.org\n", r"line 1: no column is called 'student'; write a head"),
        ("Ann Lee\nJo Ode\n", "line 1: no column is called 'student'"),
        ("name\temail\nAnn Lee\tann@x.org\n", "line 1: no column is called 'student'"),
        ("sep=;\nstudent;email\nann;a@x.org\n", "line 1: 'sep=;' is no column; delete"),
        ("a\nb\0\n", "line 2: a zero byte is no text; save it as CSV UTF-8"),
        (b"\xff\xfea\0\n\0b", "line 2: byte 6 is not UTF-16; save it as CSV UTF-8"),
        (b"student\nann\nM\xfcller\n", "line 3: byte 13 is not UTF-8; save it as CSV UTF-8"),
    ],
)
def test_a_bad_roster_is_refused(tmp_path, text, words):
    """With its file and line."""
    path = tmp_path / "roster.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=words) as caught:
        read(path)
    assert "roster.csv" in str(caught.value)
    with pytest.raises(InputError, match="is not there"):
        read(tmp_path / "none.csv")


# Archives that nobody should make.


@pytest.mark.parametrize(
    "name",
    ["../out.ipynb", "a/../../out.ipynb", "/etc/out.ipynb", "C:/out.ipynb", "a\\..\\out.ipynb",
     "a//b.ipynb", "./a.ipynb", "a/."],
)  # fmt: skip
def test_a_name_that_leads_out_is_refused(tmp_path, name):
    """Nothing of the archive is unpacked, and nothing lies outside of the folder."""
    target = tmp_path / "deep" / "er"
    target.mkdir(parents=True)
    path = zipped(tmp_path / "x.zip", {"leeann_1_2_a.ipynb": b"{}", name: b"{}"})
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError, match="which no platform writes"):
        unpack(path, target)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_one_name_for_two_is_refused(tmp_path):
    """Which one would count is not known."""
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for _ in range(2):
            archive.writestr("a.ipynb", b"{}")
    (tmp_path / "to").mkdir()
    with pytest.raises(InputError, match="several entries are called"):
        unpack(path, tmp_path / "to")
    assert not list((tmp_path / "to").iterdir())


@pytest.mark.parametrize(
    ("names", "lost"),
    [
        (("L_1_a/e\u0301.ipynb", "L_1_a/é.ipynb"), ["L_1_a/é.ipynb"]),
        (("L_1_a/A.ipynb", "L_1_a/a.ipynb"), ["L_1_a/a.ipynb"]),
        (("L_1_a/x", "L_1_a/x/b.ipynb"), ["L_1_a/x"]),
        (("/".join(["L_1_a", *["d"] * 3000, "b.ipynb"]),), None),
        (("L_1_a/b c.ipynb", "L_1_a/b  c.ipynb"), []),
    ],
    ids=["accents", "capitals", "a folder as well", "deep", "spaces"],
)
def test_a_student_can_hold_up_nobody_by_a_name(tmp_path, names, lost):
    """What a student can do in a folder of their own loses that file alone, and it is listed."""
    others = {"K_2_a/k.ipynb": b"{}", "M_3_a/m.ipynb": b"{}"}
    path = zipped(tmp_path / "x.zip", others | dict.fromkeys(names, b"{}"))
    (tmp_path / "to").mkdir()
    refused = [one.name for one in unpack(path, tmp_path / "to")]
    assert refused == (list(names) if lost is None else lost)
    for name in {*others, *names} - set(refused):
        assert (tmp_path / "to" / name).is_file()


def test_one_students_zip_makes_no_download_of_the_others(a_class):
    """Mal's archive holds a file with Ann's number; among students' zips it is not unpacked."""
    zipped(a_class.work / "mal.zip", {"annlee_1001_5_77_two.ipynb": a_class.copy("annlee")})
    zipped(a_class.work / "ben.zip", {"77_two.ipynb": a_class.copy("ben")})
    assert a_class.grade() == 1
    assert set(by_student(a_class)) == {"mal", "ben"}


@pytest.mark.slow
def test_bombs_links_and_passwords_are_listed_and_the_class_is_graded(a_class, monkeypatch):
    """Each is a submission that can't be read and says why; the others have their marks."""
    monkeypatch.setattr("irmetrics_edu.classroom.marking.collecting.archives.LARGEST", 1 << 20)
    a_class.work = a_class.folder / "submissions.zip"
    with zipfile.ZipFile(a_class.work, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("leeann_1001_1_77_two.ipynb", json.dumps(a_class.copy("leeann")))
        archive.writestr("bomb_1002_2_77_two.ipynb", bytes(2 << 20))
        link = zipfile.ZipInfo("link_1003_3_77_two.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/hostname")
        archive.writestr("torn_1004_4_77_two.ipynb", b"{" * 4000)
        archive.writestr("LOUD_1005_5_a.ipynb", b"{}")
        archive.writestr("loud_1005_5_a.ipynb", b"{}")
        archive.writestr(f"{'l' * 250}_1006_6_a.ipynb", b"{}")
        archive.writestr("lock_1007_7_77_two.ipynb", b"{}")
        archive.writestr("__MACOSX/._leeann_1001_1_77_two.ipynb", b"")
    data = bytearray(a_class.work.read_bytes())
    # The password's flag in both headers of one entry, and a broken byte in the data of another.
    at = data.index(b"lock_1007")
    data[at - 30 + 6] |= 1
    at = data.rindex(b"lock_1007")
    data[at - 46 + 8] |= 1
    at = data.index(b"torn_1004_4_77_two.ipynb") + len("torn_1004_4_77_two.ipynb")
    data[at + 3] ^= 0xFF
    a_class.work.write_bytes(bytes(data))
    assert a_class.grade() == 1
    found = by_student(a_class)
    assert found["leeann"]["marks"] == "5"
    said = {name: row["remedy"] for name, row in found.items()}
    for name, words in (
        ("bomb", "2,097,152 bytes"), ("link", "a link or a device"), ("torn", "damaged"),
        ("lock", "encrypted"), ("l" * 200, "too long"),
    ):  # fmt: skip
        key = next(n for n in said if n.startswith(name[:150]))
        assert words in said[key], said[key]
        assert not found[key]["marks"]
    assert "capitals or accents alone" in a_class.written()["marks.csv"].decode()


def test_an_archive_of_too_much_is_cut_and_listed(tmp_path, monkeypatch):
    """A thousand files that are small each: what is beyond the bound is named, not dropped."""
    monkeypatch.setattr("irmetrics_edu.classroom.marking.collecting.archives.MOST_BYTES", 5000)
    path = zipped(tmp_path / "x.zip", {f"a_{n}_{n}_x.ipynb": bytes(1000) for n in range(10, 20)})
    (tmp_path / "to").mkdir()
    refused = unpack(path, tmp_path / "to")
    assert [one.name for one in refused] == [f"a_{n}_{n}_x.ipynb" for n in range(15, 20)]
    monkeypatch.setattr("irmetrics_edu.classroom.marking.collecting.archives.MOST_LISTED", 5)
    with pytest.raises(InputError, match="10 entries"):
        unpack(path, tmp_path / "to")


ROOM, PLACES = 5000, 12
SIZES = st.lists(st.integers(0, 3000), max_size=20)


@given(st.dictionaries(st.sampled_from("bcdmyz"), SIZES, min_size=1), st.booleans())
def test_nobody_uses_up_the_room_of_others(tmp_path_factory, owned, in_folders):
    """Whoever needs no more than an equal share of bytes and of files loses nothing."""
    folder = tmp_path_factory.mktemp("archive")
    entries, mine = {}, {}
    for number, (who, sizes) in enumerate(owned.items(), 1000):
        for n, size in enumerate(sizes):
            place = f"{who}/" if in_folders else f"{who}_{number}_{n}_"
            name = f"{place}{n}.{'ipynb' if n % 3 else 'mp4'}"
            entries[name] = bytes(size)
            mine.setdefault(who, []).append(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archives, "MOST_BYTES", ROOM)
        patch.setattr(archives, "MOST_ENTRIES", PLACES)
        refused = {one.name for one in unpack(zipped(folder / "x.zip", entries), folder / "to")}
    there = {name for name in entries if (folder / "to" / name).is_file()}
    assert there == set(entries) - refused
    assert sum(len(entries[name]) for name in there) <= ROOM
    for names in mine.values():
        size = sum(len(entries[name]) for name in names)
        if size <= ROOM // len(mine) and len(names) <= PLACES // len(mine):
            assert not refused & set(names)


def test_a_film_is_no_notebook_and_shuts_nobody_out(a_class, monkeypatch):
    """The one behind it in the alphabet is marked, and the film is called what it is."""
    monkeypatch.setattr(archives, "LARGEST", 100_000)
    monkeypatch.setattr(archives, "MOST_BYTES", 150_000)
    a_class.work = zipped(a_class.folder / "class.zip", {
        "leeann_1001_501_77_two.ipynb": a_class.copy("Lee, Ann"),
        "leebob_1002_502_film.mp4": bytes(200_000),
        "leecy_1003_503_77_two.ipynb": b"[" * 200_000,
        "zedzoe_1004_504_77_two.ipynb": a_class.copy("Zed, Zoe"),
    })  # fmt: skip
    (a_class.folder / "r.csv").write_text(
        'student,canvas\n"Lee, Ann",1001\n"Lee, Bob",1002\n"Lee, Cy",1003\n"Zed, Zoe",1004\n'
    )
    a_class.grade("--roster", str(a_class.folder / "r.csv"))
    found = by_student(a_class)
    assert found["Lee, Ann"]["marks"] == found["Zed, Zoe"]["marks"] == "5"
    assert "the file name ends in .mp4, not in .ipynb" in found["Lee, Bob"]["remedy"]
    assert "outputs" not in found["Lee, Bob"]["remedy"]
    assert "it unpacks to 200,000 bytes" in found["Lee, Cy"]["remedy"]


def test_names_in_utf8_are_read_without_the_flag(tmp_path):
    """As some archivers write them: the flag is taken away from the headers of one entry."""
    path = zipped(tmp_path / "x.zip", {
        "müllersu_1002_5_é.ipynb": b"{}", "zoëmay_1003_6_a.ipynb": b"{}", "a_1_2_b.ipynb": b"{}"
    })  # fmt: skip
    data = bytearray(path.read_bytes())
    for header, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = data.index(header)
        assert data[at + place + 1] == 8
        data[at + place + 1] = 0
    path.write_bytes(bytes(data))
    with zipfile.ZipFile(path) as archive:
        assert "müllersu_1002_5_é.ipynb" not in archive.namelist()
    (tmp_path / "to").mkdir()
    assert downloads(path.parent / "x.zip") == [path]
    assert unpack(path, tmp_path / "to") == []
    assert sorted(p.name for p in (tmp_path / "to").iterdir()) == [
        "a_1_2_b.ipynb", "müllersu_1002_5_é.ipynb", "zoëmay_1003_6_a.ipynb"
    ]  # fmt: skip


@pytest.mark.parametrize("cut", [0, 10, 100, 400])
def test_a_broken_archive_is_refused(a_class, capsys, cut):
    """As a download that broke off."""
    path = zipped(a_class.folder / "x.zip", {"leeann_1_2_a.ipynb": a_class.copy("leeann")})
    path.write_bytes(path.read_bytes()[:cut])
    a_class.work = path
    assert a_class.grade() == 2
    assert "download it again" in capsys.readouterr().err


def test_a_folder_of_students_zips_is_no_download(a_class, capsys):
    """They are listed as what they are, for nobody unpacks what a student has packed."""
    a_class.hand_in("ann.zip", zipped(a_class.folder / "x.zip", {"a.ipynb": b"{}"}).read_bytes())
    assert a_class.grade() == 1
    assert "zip" in capsys.readouterr().out


@pytest.mark.slow
def test_files_of_an_earlier_round_are_named(moodle, capsys):
    """The next round is of another platform: Moodle's files stay, and are said to be old."""
    moodle.grade("--roster", str(moodle.folder / "worksheet.csv"))
    assert "earlier round" not in capsys.readouterr().out
    moodle.work = zipped(
        moodle.folder / "next.zip", {"leeann_1001_555_77_two.ipynb": moodle.copy("Lee, Ann")}
    )
    moodle.grade()
    said = capsys.readouterr().out
    for name in ("moodle-worksheet.csv", "feedback-moodle.zip"):
        assert f"{name} is of an earlier round" in said
    assert "feedback-canvas.zip is of an earlier round" not in said


@pytest.mark.parametrize(("files", "bytes_of_each"), [*product((1, 2, 3), (0, 4, 5, 6, 10, 11))])
def test_one_owner_is_blamed_if_more_than_a_share_was_handed_in(files, bytes_of_each, monkeypatch):
    """Two owners share 4 files and 20 bytes: whoever keeps to half of it is not to blame."""
    monkeypatch.setattr(archives, "MOST_ENTRIES", 4)
    entries = [zipfile.ZipInfo(f"ann/{number}.txt") for number in range(files)]
    for entry in entries:
        entry.file_size = bytes_of_each
    refused = archives._no_room(entries[0], entries, 2, 20)
    is_to_blame = files > 2 or files * bytes_of_each > 10
    assert refused.remedy.startswith("Hand in" if is_to_blame else "Your teacher")
