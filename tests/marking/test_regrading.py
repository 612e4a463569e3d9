"""Regrading is all or nothing; one notebook is graded within its class."""

import csv

import pytest

from irmetrics_edu.classroom.marking import mark, results
from irmetrics_edu.classroom.marking.collecting.submissions import class_root
from tests.marking.test_grade import by_student as rows_of
from tests.marking.test_grade import table

pytestmark = pytest.mark.slow

NAMES = ("ann", "ben", "cy", "di")


def by_student(a_class):
    """marks.csv: the marks by student."""
    with (a_class.out / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row["marks"] for row in csv.DictReader(file)}


@pytest.fixture
def graded(a_class):
    """A class of four, graded."""
    for name in NAMES:
        a_class.hand_in(f"{name}/77_two.ipynb", a_class.copy(name))
    assert a_class.grade() == 0
    return a_class


def kept(a_class):
    """The digests of what the results hang on: they change with the rules."""
    return {path: result.inputs for path, result in results.kept(a_class.out).items()}


def test_an_interrupted_regrading_changes_nothing(graded, monkeypatch):
    """The third of four ends the run: all results are those of before."""
    before, real, count = kept(graded), mark.mark_submission, []

    def interrupted(*given):
        count.append(1)
        if len(count) == 3:
            raise KeyboardInterrupt
        return real(*given)

    monkeypatch.setattr(mark, "mark_submission", interrupted)
    assert graded.grade("--force", "--limit", "cpu=4", "--workers", "1") == 130
    assert kept(graded) == before
    monkeypatch.undo()
    assert graded.grade("--force", "--limit", "cpu=4") == 0
    after = kept(graded)
    assert not set(after.values()) & set(before.values())


def test_a_resubmission_leaves_the_others_alone(graded, capsys):
    """Without --force: one is graded, the rest is kept as it was, file for file."""
    before = {p: p.read_bytes() for p in (graded.out / "results").iterdir()}
    graded.hand_in("ann/77_two.ipynb", graded.copy("ann", solved=False))
    capsys.readouterr()
    assert graded.grade() == 0
    assert "0 newly graded, 1 handed in anew, 3 kept as they were" in capsys.readouterr().out
    after = {p: p.read_bytes() for p in (graded.out / "results").iterdir()}
    assert len([p for p in after if after[p] != before[p]]) == 1
    assert by_student(graded) == {"ann": "0", "ben": "5", "cy": "5", "di": "5"}


@pytest.mark.parametrize("place", ["ann/77_two.ipynb", "ann"])
def test_one_notebook_is_graded_within_its_class(graded, capsys, place):
    """The tables keep the others, whose results are not touched."""
    graded.hand_in("ann/77_two.ipynb", graded.copy("ann", solved=False))
    graded.hand_in("ben/77_two.ipynb", graded.copy("ben", solved=False))
    whole, graded.work = graded.work, graded.work / place
    capsys.readouterr()
    assert graded.grade() == 0
    assert "0 newly graded, 1 handed in anew, 0 kept" in capsys.readouterr().out
    assert by_student(graded) == {"ann": "0", "ben": "5", "cy": "5", "di": "5"}
    graded.work = whole


def test_a_notebook_from_elsewhere_is_refused(graded, capsys):
    """It would stand beside the class's tables, under a path that is another's."""
    elsewhere = graded.folder / "mail"
    elsewhere.mkdir()
    one = elsewhere / "77_two.ipynb"
    one.write_bytes((graded.work / "ann/77_two.ipynb").read_bytes())
    before = graded.written()
    graded.work = one
    assert graded.grade() == 2
    assert "put it into their folder" in capsys.readouterr().err
    assert graded.written() == before


def test_the_class_of_a_notebook_is_where_others_were_graded(tmp_path):
    """The nearest folder below which a graded submission lies; with none, the folder itself."""
    one = tmp_path / "work" / "ann" / "x.ipynb"
    one.parent.mkdir(parents=True)
    one.write_text("{}")
    assert class_root(one, []) == one
    assert class_root(one, ["ann/x.ipynb"]) == tmp_path / "work"
    assert class_root(tmp_path / "work", ["ann/x.ipynb"]) == tmp_path / "work"
    assert class_root(tmp_path, ["ben/y.ipynb"]) == tmp_path


def test_a_kept_result_is_out_of_its_own_marks(a_class, capsys):
    """A source that gives other marks changes no share of who keeps theirs, until --force."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ben", solved=False))
    (a_class.folder / "book.csv").write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,Exercise 77 (1)\n"
        "    Points Possible,,,,,100\nann,1,,ann,,\nben,2,,ben,,\n"
    )
    roster = ["--roster", str(a_class.folder / "book.csv")]
    a_class.grade(*roster)
    before = a_class.written()["canvas.csv"]
    path = a_class.folder / "sources" / "77_two.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("marks=4,", "marks=7,"), encoding="utf-8")
    capsys.readouterr()
    a_class.grade(*roster)
    said = capsys.readouterr().out
    assert "ann, exercise 77: dcg 4 -> 7, marks 5 -> 8, out of 5 -> 8" in said
    assert "ben, exercise 77: out of 5 -> 8" in said
    assert rows_of(a_class)["ann"]["out of"] == "5"
    assert a_class.written()["canvas.csv"] == before
    # Who is graded by the new source has 8 of 8, and the same share.
    a_class.hand_in("cy/77_two.ipynb", a_class.copy("cy"))
    a_class.grade()
    found = rows_of(a_class)
    assert [(found[n]["marks"], found[n]["out of"]) for n in ("ann", "cy")] == [
        ("5", "5"), ("8", "8")
    ]  # fmt: skip
    shown = {line[0]: line[5] for line in table(a_class, "canvas.csv")}
    assert [shown[n] for n in ("    Points Possible", "ann", "cy", "ben")] == ["8", "8", "8", "0"]
    a_class.grade("--force")
    assert rows_of(a_class)["ann"]["marks"] == "8"
