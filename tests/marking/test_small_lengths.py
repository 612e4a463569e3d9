"""How long what others wrote may be where it is shown: each place, with texts beyond its length."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.marking.collecting import archives, notebook, owner_names, submissions
from irmetrics_edu.classroom.marking.collecting.owner_names import Named, Person
from irmetrics_edu.classroom.marking.matching.code_tokens import all_hashes
from irmetrics_edu.classroom.marking.results import GRADED, QuestionMark, Result
from irmetrics_edu.classroom.marking.returning import (
    class_report,
    course_total,
    feedback,
    side_by_side,
)
from irmetrics_edu.classroom.marking.returning.course_total import Total
from irmetrics_edu.classroom.marking.returning.side_by_side import SharedPlace
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.similarity import Alike
from irmetrics_edu.errors import InputError
from tests.tables import rows

LONG = "m" * 9000


def row_of(student="ann", *, section="", path="p", **question):
    """A row with a question."""
    mark = QuestionMark("q", question.pop("title", "Q"), 5, 1.0, **question)
    result = Result(path, student, "01", "T", GRADED, "x", why="it is empty", remedy="Again.")
    person = Person(student, section=section)
    return Row(person, "01", "01_x", "T", 5.0, GRADED, result, (QuestionLine(mark),), times=("n",))


def book(cell=None, **metadata):
    """A notebook that was read."""
    cells = [{"cell_type": "code", "source": "x = 1", "id": "i", **(cell or {})}]
    about = {"irmetrics_edu": metadata}
    content = {"nbformat": 4, "nbformat_minor": 5, "metadata": about, "cells": cells}
    return notebook.parse(json.dumps(content).encode())


def refusal(call, *given):
    """What is said of what is refused."""
    with pytest.raises(InputError) as caught:
        call(*given)
    return str(caught.value)


def alike(students):
    """A table of those with the same files."""
    files = [row_of(student) for student in students]
    for one in files:
        object.__setattr__(one.result, "file", "same")
    [line] = class_report._alike(files, {}).lines
    return line[1]


def called(entry):
    """An entry of an archive."""
    return SimpleNamespace(filename=entry, orig_filename=entry)


CODE = "y = [a + b for a, b in zip(c, d, strict=True)]  # "
PLACE = SharedPlace(1, 1, 1, "")
TRACES = Alike(("a", "b"), 9, 1.0, traces=frozenset(all_hashes([CODE])))
# Each place: what is shown there, its greatest length, and how many other letters are in that.
SHOWN = {
    "a section": (lambda: class_report._exercises([row_of(section=LONG)]).lines[1][0], 100),
    "a student to look at": (lambda: class_report._attention([row_of(LONG)]).lines[0][0], 100),
    "a file to look at": (lambda: class_report._attention([row_of(path=LONG)]).lines[0][2], 200),
    "students alike": (lambda: alike(["ann", LONG]), 2000, 5),
    "a total": (lambda: re.sub(r".*<td>(m+ \.\.\.)</td>.*", r"\1", course_total.as_html(
        [Total(LONG, (), None, "", (), ())]).replace("\n", "")), 200),
    "code alike": (lambda: side_by_side.said({"ann": [], LONG: [PLACE]}), 2000, 7),
    "a student beside": (lambda: side_by_side.as_html({LONG: [], "b": []}), 100),
    "lines beside": (lambda: side_by_side._in_notebook([CODE + LONG], TRACES)[0].text, 8000,
                     len(CODE)),
    "a title": (lambda: feedback.parts(row_of(title=LONG))[0].heading, 300, 3),
    "a sentence": (lambda: feedback.parts(row_of(text=LONG))[0].sentences[0], 2000),
    "a name in feedback": (lambda: re.sub(r"(?s).*<h1>.*?(m+ \.\.\.).*", r"\1",
                                          feedback.as_html(row_of(LONG))), 200),
    "two entries": (lambda: refusal(archives._refuse_twice, [called(LONG)] * 2, "a.zip"), 100),
    "an entry": (lambda: refusal(archives._inside, called(f"../{LONG}"), "a.zip"), 100, 3),
    "a name": (lambda: owner_names.named(LONG, [], [], folder=False).student, 200),
    "a name of several": (lambda: owner_names._one(["a", "b"], LONG).why, 100),
    "an end": (lambda: notebook.no_notebook(f"x.{LONG}").why, 20, 1),
    "an exercise": (lambda: book(exercise=LONG).exercise, 20),
    "a fingerprint": (lambda: book(copy=LONG).fingerprint, 100),
    "an id": (lambda: book({"id": LONG}).ids[0], 100),
    "a path": (lambda: submissions._known(Path("/r") / LONG, Path("/r"), (Named("a"), "")).path,
               2000),
}  # fmt: skip


@rows("name", SHOWN)
def test_what_others_wrote_is_cut_where_it_is_shown(name):
    """With dots for the rest; what else stands in the same text counts for its length."""
    show, most, *beside = SHOWN[name]
    shown = show()
    longest = max(re.findall("m+", shown), key=len)
    assert f"{longest} ..." in shown
    assert sum(beside) + len(longest) == most - len(" ...")
