"""Rosters as teachers have them: split names, columns of their own, names that are no folder's."""

import pytest

from irmetrics_edu.classroom.exercises.build import folders_of
from irmetrics_edu.classroom.marking.collecting.rosters import CANVAS, OWN, read
from irmetrics_edu.errors import InputError

SPLIT = """LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Exercise 77: Two (8123)
    Points Possible,,,,,,5
Lee,Ann,1001,m101,alee,Mon,4
Müller,,1002,m102,smueller,Mon,
Student,Test,1999,,abc,Mon,
"""


def test_canvas_writes_first_and_last_names_apart(tmp_path):
    """An option of the course; the lines of points and of the test account are none of students."""
    for head in ("LastName,FirstName,ID", "FirstName,LastName,ID"):
        text = SPLIT if head.startswith("Last") else SPLIT.replace("Lee,Ann", "Ann,Lee")
        text = text.replace("LastName,FirstName,ID", head)
        if head.startswith("First"):
            text = text.replace("Müller,,", ",Müller,").replace("Student,Test", "Test,Student")
        (tmp_path / "gb.csv").write_text(text, encoding="utf-8")
        roster = read(tmp_path / "gb.csv")
        assert roster.kind == CANVAS
        assert [one.student for one in roster.people] == ["Lee, Ann", "Müller", "Student, Test"]
        assert [one.test for one in roster.people] == [False, False, True]
        assert roster.people[0].login == "alee"
        assert roster.points["Exercise 77: Two (8123)"] == "5"


def test_a_column_of_ones_own_is_passed_over(tmp_path):
    """One that is nearly a known one would be lost, and is refused."""
    path = tmp_path / "r.csv"
    path.write_text("student,room,Remarks,Matrikel,email\nann,3,late,77,a@x.org\n")
    roster = read(path)
    assert roster.kind == OWN
    assert (roster.people[0].student, roster.people[0].email) == ("ann", "a@x.org")
    for name in ("e-mail", "mail", "logn", "groups", "sections", "Name ", "student_id"):
        path.write_text(f"student,{name}\nann,x\n")
        if name == "Name ":
            assert read(path).people[0].name == "x"
            continue
        with pytest.raises(InputError, match="did you mean"):
            read(path)


def test_each_name_has_a_folder_of_its_own():
    """A name with a slash stops nobody else, and takes nobody's folder."""
    names = ["a/b", "a_b", "a\\b", "..", "__", "Lee, Ann", ""]
    folders = folders_of(names)
    assert folders["Lee, Ann"] == "Lee, Ann"
    assert folders["a_b"] == "a_b"
    assert len(set(folders.values())) == len(names)
    for folder in folders.values():
        assert not set(folder) & set("/\\\0")
        assert folder not in {".", ".."}


def test_a_table_of_ones_own_with_an_id_is_none_of_canvas(tmp_path):
    """Its columns may stand in any order."""
    path = tmp_path / "r.csv"
    for head, line in {
        "student,name,id,section": "ann,Ann Lee,4711,S1",
        "student,section,id,name": "ann,S1,4711,Ann Lee",
    }.items():
        path.write_text(f"{head}\n{line}\n")
        [person] = read(path).people
        assert (person.student, person.id, person.name) == ("ann", "4711", "Ann Lee")


def spoilt(name, coding):
    """A name whose bytes were read in another encoding."""
    return name.encode("utf-8").decode(coding)


@pytest.mark.parametrize("name", ["Müller", "Łukasz Żak", "Çelik", "Dvořák", "李明", "Nguyễn Ân"])
@pytest.mark.parametrize("coding", ["cp1252", "latin-1"])
@pytest.mark.parametrize("column", ["student", "name", "section", "group"])
def test_a_spoilt_name_is_refused_with_its_line(tmp_path, name, coding, column):
    """Nothing is written for it; the name as it was is read."""
    head = "student" if column == "student" else f"student,{column}"
    before = "" if column == "student" else "ben,"
    path = tmp_path / "r.csv"
    path.write_text(f"{head}\nann\n{before}{name}\n", encoding="utf-8")
    assert getattr(read(path).people[1], column) == name
    try:
        wrong = spoilt(name, coding)
    except UnicodeError:
        wrong = name.replace(name[0], "\N{REPLACEMENT CHARACTER}")
    if any(letter in wrong for letter in "\xa0\x85"):  # what is a blank is stripped like one
        wrong = name.replace(name[0], "\N{REPLACEMENT CHARACTER}")
    path.write_text(f"{head}\nann\n{before}{wrong}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"r.csv, line 3: .*CSV UTF-8"):
        read(path)


def test_no_name_is_refused_that_only_looks_spoilt(tmp_path):
    """Capitals side by side, quotes and dashes as people have them."""
    names = ["MÍŠEK", "SÃO PAULO", "D’Arcy", "Ýž", "Weiß’", "ÅNGSTRÖM", "Ægir", "Éž", "Ân", "Ðuro"]
    path = tmp_path / "r.csv"
    path.write_text("student\n" + "".join(f"{name}\n" for name in names), encoding="utf-8")
    assert [one.student for one in read(path).people] == names


@pytest.mark.parametrize(
    ("cell", "code"),
    [("ja", "ja"), ("JA-JP", "ja"), ("zh_Hans", "zh"), ("中文", "zh"), ("English", ""), ("", "")],
)
def test_a_language_is_known_by_its_code_its_tag_and_its_own_name(tmp_path, cell, code):
    """As a teacher, or a platform's list, may write it; empty and English are the same."""
    path = tmp_path / "r.csv"
    path.write_text(f"student,language\nann,{cell}\n", encoding="utf-8")
    assert [person.language for person in read(path).people] == [code]


def test_a_language_without_feedback_is_named_with_its_line(tmp_path):
    """It would be English without a word; the refusal says what to write."""
    path = tmp_path / "r.csv"
    path.write_text("student,language\nann,ja\nben,jp\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 3: .*'jp'; write one of en, zh, ja, or leave"):
        read(path)
