"""What is handed in is found and read whatever its state, or said to be unreadable, and why."""

import json
import zipfile
from datetime import UTC, datetime

import pytest

from irmetrics_edu.classroom.marking.collecting.notebook import Unreadable, parse
from irmetrics_edu.classroom.marking.collecting.rosters import read
from irmetrics_edu.classroom.marking.collecting.submissions import submissions
from irmetrics_edu.classroom.marking.matching import lateness
from irmetrics_edu.errors import InputError
from tests.marking.conftest import SOURCE
from tests.marking.test_grade import table

CELL = {"cell_type": "code", "source": ["x = 1\n", "y = 2"]}


def book(*cells, **more):
    """The bytes of a notebook with these cells."""
    return json.dumps({"cells": list(cells), "nbformat": 4, **more}).encode()


def test_code_is_read_and_text_is_not():
    """Cells of text are no code, but keep their places; a source may be a text or its lines."""
    text = {"cell_type": "markdown", "source": "# x"}
    assert parse(book(text, CELL, text)).cells == ("", "x = 1\ny = 2", "")


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16"])
def test_other_encodings_are_read(coding):
    """What Windows writes is read too."""
    text = json.dumps({"cells": [{"cell_type": "code", "source": "é = 1"}]}, ensure_ascii=False)
    assert parse(text.encode(coding)).cells == ("é = 1",)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b'{"cells": [{"cell_type"', "breaks off"),
        (b"{'cells': []}", "not JSON"),
        (b"<!DOCTYPE html><p>", "it is a page"),
        (b"%PDF-1.7\n\xff", "it is a page"),
        (b"PK\x03\x04\xff", "zip archive"),
        (b'{"a": 1}', "no cells"),
        (b"[1]", "no cells"),
        (b'{"cells": 3}', "no list"),
        (b'{"worksheets": []}', "format 3"),
        (b"\xff\x00\xfa", "not text"),
        (b"[" * 200_000, "not"),
        (b'{"cells": ' + b"9" * 5000 + b"}", "thousands of digits"),
        (b'{\n<<<<<<< HEAD\n"cells": []', "a merge"),
        (book(), "no code"),
        (book({"cell_type": "code", "source": " \n"}), "no code"),
        (book({"cell_type": "markdown", "source": "text"}), "no code"),
    ],
    ids=range(18),
)
def test_what_is_unreadable_says_why_and_what_helps(data, words):
    """Whatever the bytes, there is a reason and a remedy, and no other error."""
    with pytest.raises(Unreadable) as caught:
        parse(data)
    assert words in caught.value.why
    assert caught.value.remedy


def test_a_broken_cell_does_not_lose_the_others():
    """A cell that is none is passed over, and noted."""
    found = parse(book(7, {"cell_type": "code"}, {"cell_type": "code", "source": [1]}, CELL))
    assert found.cells == ("", "", "", "x = 1\ny = 2")
    assert len(found.notes) == 3


def test_layouts(tmp_path):
    """A folder of notebooks, a folder for each student, and nbgrader's: the same students."""
    for path in (
        "flat/ann.ipynb",
        "flat/77_two_ben.ipynb",
        "folders/ann/77_two.ipynb",
        "folders/ben/homework.ipynb",
        "by_exercise/77_two/ann.ipynb",
        "by_exercise/77_two/ben.ipynb",
        "nbgrader/submitted/ann/77_two/77_two.ipynb",
        "nbgrader/submitted/ben/77_two/77_two.ipynb",
        "nbgrader/source/77_two/77_two.ipynb",
        "nbgrader/submitted/ben/77_two/.ipynb_checkpoints/77_two-checkpoint.ipynb",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(book(CELL))
    for layout in ("flat", "folders", "by_exercise", "nbgrader"):
        found = submissions(tmp_path / layout, ["77_two"])
        assert sorted(s.who.student for s in found) == ["ann", "ben"], layout
    [alone] = submissions(tmp_path / "flat" / "ann.ipynb", ["77_two"])
    assert alone.who.student == "ann"


def test_nothing_that_was_handed_in_is_lost(tmp_path):
    """A page, an archive, a script, an empty folder and a link all come back, as unreadable."""
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "77_two.html").write_text("<html>")
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "77_two.py").write_text("x = 1")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "77_two.ipynb").symlink_to("/etc/hostname")
    (tmp_path / "zip").mkdir()
    with zipfile.ZipFile(tmp_path / "zip" / "77_two.zip", "w") as archive:
        archive.writestr("77_two.ipynb", book(CELL))
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "77_two.ipynb.txt").write_bytes(book(CELL))
    found = {s.who.student: s for s in submissions(tmp_path, ["77_two"])}
    assert set(found) == {"page", "script", "empty", "link", "zip", "text"}
    for name in ("page", "script", "empty", "link", "zip"):
        assert found[name].why, name
        assert found[name].remedy, name
        assert found[name].notebook is None
    # A notebook under a wrong name is one all the same.
    assert found["text"].notebook
    assert "77_two.ipynb.txt" in found["text"].notes[0]


def test_an_empty_folder_is_refused(tmp_path):
    """Nothing at all is a mistake of the teacher's."""
    with pytest.raises(InputError, match="nothing was handed in"):
        submissions(tmp_path, [])
    with pytest.raises(InputError, match="no such folder"):
        submissions(tmp_path / "x", [])


def test_the_time_is_nbgraders_stamp_and_never_the_files(tmp_path):
    """A stamp counts with its zone where nbgrader puts it; elsewhere no time is known."""
    folder = tmp_path / "submitted" / "ann" / "77_two"
    folder.mkdir(parents=True)
    (folder / "77_two.ipynb").write_bytes(book(CELL))
    [bare] = submissions(tmp_path, ["77_two"])
    assert (bare.handed_in, bare.clock) == (None, "")
    (folder / "timestamp.txt").write_text("2026-02-02 15:58:23.948203 Europe/Vienna\n")
    [by_stamp] = submissions(tmp_path, ["77_two"])
    assert by_stamp.believed
    when, note = lateness.of_stamp(by_stamp.stamp, None)
    assert (when.astimezone(UTC), note) == (datetime(2026, 2, 2, 14, 58, 23, tzinfo=UTC), "")
    far = ("0001-01-01 00:00:00 Asia/Tokyo", "9999-12-31 23:59:00 America/Lima")
    for text in ("2026-02-02 15:58:23 Nowhere/Land", "2026-02-31 15:58:23 UTC", "soon", "", *far):
        (folder / "timestamp.txt").write_text(text)
        [unknown] = submissions(tmp_path, ["77_two"])
        assert lateness.of_stamp(unknown.stamp, None) == (None, lateness.NO_STAMP)
    (folder / "timestamp.txt").write_text("2026-02-02 15:58:23")
    (tmp_path / "submitted").rename(tmp_path / "downloads")
    [elsewhere] = submissions(tmp_path / "downloads", ["77_two"])
    assert (elsewhere.stamp, elsewhere.believed) == ("2026-02-02 15:58:23", False)


def test_the_roster_finds_people_in_file_names(tmp_path):
    """Names as learning platforms write them are recognised; unknown columns are refused."""
    people = tmp_path / "people.csv"
    people.write_text("student,name,id,email\nsu,Su Müller,4711,su@x.org\nsue,Sue May,12,\n")
    found = read(people).people
    work = tmp_path / "work"
    work.mkdir()
    # The second in decomposed form, as some systems write it.
    for name in ("sue_77_two.ipynb", "Su Mu\u0308ller_991_assignsubmission_file_.ipynb"):
        (work / name).write_bytes(book(CELL))
    assert sorted(s.who.student for s in submissions(work, ["77_two"], found)) == ["su", "sue"]
    people.write_text("student,logn\nsu,38\n")
    with pytest.raises(InputError, match="column 'logn'"):
        read(people)
    people.write_text("student\nann\nann\n")
    with pytest.raises(InputError, match="line 3: student 'ann' a second time"):
        read(people)


@pytest.mark.slow
def test_a_file_of_another_exercise_is_told_of(a_class):
    """A notebook of one exercise does not answer for the page of another; for notes it does."""
    other = SOURCE.replace('"77"', '"78"').replace("# Exercise 77.", "# Exercise 78.")
    (a_class.folder / "sources" / "78_more.py").write_text(other)
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("ann/78_more.pdf", b"%PDF")
    a_class.hand_in("ann/notes.txt", "to do")
    a_class.grade()
    rows = table(a_class, "marks.csv")
    assert [(row[0], row[3], row[4]) for row in rows[1:]] == [
        ("ann", "77", "graded"), ("ann", "78", "unreadable")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "why", "remedy"),
    [
        ('{"worksheets": [{"cells": []}], "nbformat": 3}', "a notebook of format 3", "Open it"),
        ('{"cells": [], "n": ' + "9" * 5000 + "}", "a number of thousands of digits", "Clear"),
        ('{"cells": ' + "[" * 90_000 + "]" * 90_000 + "}", "nested deeper than", "Clear"),
        ('{"metadata": {}}', "has no cells", "Save the notebook"),
    ],
)
def test_each_state_is_named_with_a_remedy_for_it(text, why, remedy):
    """In words for a student, not in those of Python."""
    with pytest.raises(Unreadable, match=why) as caught:
        parse(text.encode())
    assert caught.value.remedy.startswith(remedy)
    assert "set_int_max" not in caught.value.why
