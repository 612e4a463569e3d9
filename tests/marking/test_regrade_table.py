"""Regrading by a table: for all, withdrawn, an answer that is right after all."""

import csv
import re

import pytest

from irmetrics_edu.classroom.marking.reviewing import regrading
from irmetrics_edu.errors import InputError

from .conftest import RIGHT
from .test_grade import by_student

HEAD = "rule,exercise,question,value,comment\n"
LOG = RIGHT.replace("log2(i + 1)", "log(i + 1)")


@pytest.mark.slow
def test_each_rule_changes_what_it_says(a_class, capsys):
    """With what changed listed, and the comment in the feedback; without the table all is back."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann", ["total = 12.5", LOG]))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ben", ["total = 3", "dcg = None"]))
    a_class.grade()
    marks = {n: r["marks"] for n, r in by_student(a_class).items()}
    assert marks == {"ann": "0", "ben": "0"}
    table = a_class.folder / "regrade.csv"
    table.write_text(HEAD + "accept,77,dcg,natural-logarithm,as on slide 9\n"
                     "accept,77,total,12.5,rounded as in the book\n"
                     "give,77,dcg,1.5,the text was unclear\n", encoding="utf-8")  # fmt: skip
    capsys.readouterr()
    a_class.grade("--regrade", str(table))
    assert "marks changed by --regrade: 3, see" in capsys.readouterr().out
    marks = {n: (r["77 total"], r["77 dcg"], r["marks"]) for n, r in by_student(a_class).items()}
    assert marks == {"ann": ("1", "4", "5"), "ben": ("0", "1.5", "1.5")}
    with (a_class.out / "regraded.csv").open(encoding="utf-8-sig", newline="") as file:
        changed = [(c["student"], c["question"], c["before"], c["after"])
                   for c in csv.DictReader(file)]  # fmt: skip
    assert changed == [("ann", "total", "0", "1"), ("ann", "dcg", "0", "4"),
                       ("ben", "dcg", "0", "1.5")]  # fmt: skip
    said = a_class.written()["feedback/ben/77_two.md"].decode()
    assert "Looked at again: the text was unclear." in said
    # Withdrawn: nobody has it, and the total is without it. Marks by hand come first.
    table.write_text(HEAD + "withdraw,77,total,,not taught\ngive,77,dcg,1,all\n", "utf-8")
    (a_class.out / "manual.csv").write_text(
        "student,exercise,question,marks,comment\nben,77,dcg,0.25,\n", encoding="utf-8"
    )
    a_class.grade("--regrade", str(table))
    found = by_student(a_class)
    assert {n: (r["marks"], r["out of"]) for n, r in found.items()} == {
        "ann": ("1", "4"), "ben": ("0.25", "4")
    }  # fmt: skip
    assert "77 total" not in found["ann"]
    # An option that is forgotten changes marks, and that is said.
    capsys.readouterr()
    a_class.grade()
    said = capsys.readouterr().out
    assert "regraded.csv is removed: without --regrade" in said
    assert "  ann, exercise 77: dcg 1 -> 0, marks 1 -> 0, out of 4 -> 5\n" in said
    assert "  ben, exercise 77: out of 4 -> 5\n" in said
    assert not (a_class.out / "regraded.csv").exists()
    a_class.grade()
    assert "changed" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("take,77,dcg,1,", "give one of give, withdraw"),
        ("give,78,dcg,1,", "exercise 78; known are 77"),
        ("give,77,dgc,1,", "has total, dcg"),
        ("give,77,dcg,5,", "give 0 to 4"),
        ("give,77,dcg,,", "give needs a value"),
        ("accept,77,dcg,1.5,", "log-of-rank-plus-2, natural-logarithm"),
    ],
)
def test_a_change_that_cant_be_is_refused(a_class, line, words):
    """With its file and line."""
    path = a_class.folder / "regrade.csv"
    path.write_text(HEAD + line + "\n", encoding="utf-8")
    exercises = {"77": a_class.source.exercise}
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        regrading.read(path, exercises)
    assert "regrade.csv, line 2" in str(caught.value)
