"""A round that covers less than the folder's marks: a late student, the next exercise."""

import csv
import json
from pathlib import Path

import pytest

from irmetrics_edu.classroom.marking.reviewing import earlier_rows
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError

DUE = "rule,exercise,student,value\nzone,,,Europe/Vienna\ndue,77,,2026-11-20 23:59\n"
DUE += "penalty,,,10 % per day\n"
TIMES = "student,exercise,time\nann,77,2026-11-21 10:00\nben,77,2026-11-20 10:00\n"
HEAD = "student,exercise,question,marks,comment\n"
BY_HAND = """
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise, Question

spec = Exercise("78", "By hand", [], [ByHand("why", "Why", [Criterion("reason", 3)])])
"""


def grade(a_class, handed_in: Path, capsys, *options: str) -> str:
    """Grade a folder into that of the class; what was said."""
    fixed = ["--key", str(a_class.folder / "key"), "--sources", str(a_class.folder / "sources")]
    assert main(["grade", str(handed_in), *fixed, "--out", str(a_class.out), *options]) in {0, 1}
    return capsys.readouterr().out


def lines(a_class) -> dict[tuple[str, str], dict[str, str]]:
    """The lines of marks.csv by student and exercise."""
    with (a_class.out / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
        return {(row["student"], row["exercise"]): row for row in csv.DictReader(file)}


@pytest.fixture
def graded(a_class, capsys):
    """A class of three that was graded, by rules of lateness; one has handed in nothing."""
    (a_class.folder / "r.csv").write_text("student\nann\nben\ncy\n")
    (a_class.folder / "late.csv").write_text(DUE)
    (a_class.folder / "times.csv").write_text(TIMES)
    for student in ("ann", "ben"):
        a_class.hand_in(f"{student}/77_two.ipynb", a_class.copy(student))
    rules = ["--late", str(a_class.folder / "late.csv"), "--times", f"{a_class.folder}/times.csv"]
    grade(a_class, a_class.work, capsys, "--roster", f"{a_class.folder}/r.csv", *rules)
    return a_class


def test_a_late_student_changes_its_own_row_alone(graded, capsys):
    """Marks, lateness and feedback of the others stay; whose they are is told."""
    before = lines(graded)
    assert before["ann", "77"]["marks"] == "4.5"  # a day late: 10 % of 5
    assert before["cy", "77"]["status"] == "nothing handed in"
    # Another file at the same place as one of the class: it is another student's.
    late = graded.folder / "late" / "77_two.ipynb"
    late.parent.mkdir()
    late.write_text(graded.hand_in("x.ipynb", graded.copy("cy")).read_text())
    said = grade(graded, late.parent, capsys, "--roster", f"{graded.folder}/r.csv")
    after = lines(graded)
    assert after["cy", "77"]["marks"] == "5"
    for student in ("ann", "ben"):
        assert after[student, "77"] == before[student, "77"]
    assert "exercise 77: as before, without a file in this round: ann; ben" in said
    assert "changed since" not in said
    # A mark by hand counts for who has no file here; a new file takes the old one's place.
    (graded.out / "manual.csv").write_text(f"{HEAD}ben,77,dcg,3,on paper\n")
    late.write_text(graded.hand_in("x.ipynb", graded.copy("ann", ["dcg = 1"])).read_text())
    grade(graded, late.parent, capsys, "--roster", f"{graded.folder}/r.csv")
    now = lines(graded)
    assert (now["ann", "77"]["marks"], now["ben", "77"]["marks"]) == ("0", "4")
    assert now["cy", "77"]["marks"] == "5"
    report = graded.report()
    assert "3 graded" in report


def test_the_next_exercise_leaves_the_first_as_it_was(graded, capsys):
    """Rows, answers on the marking page, and tables that name the first exercise."""
    before = lines(graded)
    second = graded.folder / "sources" / "78_hand.py"
    second.write_text(
        f'# %% tags=["spec"]\n{BY_HAND}\n# %% tags=["setup"]\nimport math\n'
        '# %% [markdown] tags=["why"]\n# **Why?**\n#\n# ### BEGIN SOLUTION\n# So.\n'
        "# ### END SOLUTION\n"
    )
    book = {
        "cells": [
            {"cell_type": "code", "id": "a", "metadata": {}, "source": "import math"},
            {"cell_type": "markdown", "id": "78-why", "metadata": {}, "source": "**Why?**\n\nSo."},
        ],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    place = graded.folder / "next" / "ben" / "78_hand.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(book))
    (graded.out / "manual.csv").write_text(f"{HEAD}ann,77,total,0,typed in\n")
    roster = ["--roster", f"{graded.folder}/r.csv"]
    grade(graded, place.parents[1], capsys, *roster, "--exercise", "78")
    after = lines(graded)
    assert after["ann", "77"]["marks"] == "3.5"  # 4 of 5, less 10 % of 5
    assert {**after["ben", "77"], **before["ben", "77"]} == after["ben", "77"]
    assert after["ben", "78"]["status"] == "to be marked by hand"
    # The first exercise again: the free text of the second stays on the page.
    grade(graded, graded.work, capsys, *roster, "--exercise", "77")
    assert lines(graded)["ben", "78"]["status"] == "to be marked by hand"
    page = (graded.out / "by-hand" / "marking.html").read_text(encoding="utf-8")
    assert '\\n\\nSo."' in page


def test_a_file_that_counts_for_another_name_now_is_there_once(a_class, capsys):
    """First graded without a roster, and then with the students' names."""
    a_class.hand_in("annlee.ipynb", a_class.copy("", ["dcg = 0"]))
    grade(a_class, a_class.work, capsys)
    assert lines(a_class).keys() == {("annlee", "77")}
    (a_class.folder / "r.csv").write_text('student,login\n"Lee, Ann",annlee\n')
    grade(a_class, a_class.work, capsys, "--roster", f"{a_class.folder}/r.csv")
    assert lines(a_class).keys() == {("Lee, Ann", "77")}


def test_damaged_rows_are_refused(tmp_path):
    """Marks of who has no file here would be lost without a word."""
    assert earlier_rows.read(tmp_path) == []
    for text in ("", "{", "[1]", '[{"row": 1}]'):
        (tmp_path / "rows.json").write_text(text)
        with pytest.raises(InputError, match=r"rows\.json: it is damaged"):
            earlier_rows.read(tmp_path)


def test_tables_of_the_whole_course_go_with_one_exercise(a_class, capsys):
    """Rules of lateness and changes of marks may name exercises that are not graded now."""
    sources = a_class.folder / "sources"
    text = (sources / "77_two.py").read_text()
    (sources / "78_two.py").write_text(text.replace('"77"', '"78"'))
    (a_class.folder / "late.csv").write_text(f"{DUE}due,78,,2026-12-01 23:59\n")
    (a_class.folder / "regrade.csv").write_text(
        "rule,exercise,question,value,comment\ngive,78,dcg,1,unclear\ngive,77,dcg,3,unclear\n"
    )
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", solved=False))
    tables = ["--late", f"{a_class.folder}/late.csv", "--regrade", f"{a_class.folder}/regrade.csv"]
    for options in ([], ["--exercise", "77"]):
        grade(a_class, a_class.work, capsys, *tables, *options)
        assert lines(a_class)["ann", "77"]["77 dcg"] == "3"
    (a_class.folder / "late.csv").write_text(f"{DUE}due,79,,2026-12-01 23:59\n")
    fixed = ["--key", f"{a_class.folder}/key", "--sources", str(sources), "--out", str(a_class.out)]
    assert main(["grade", str(a_class.work), *fixed, *tables, "--exercise", "77"]) == 2
    assert "exercise 79; known are 77, 78" in capsys.readouterr().err
