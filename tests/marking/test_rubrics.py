"""Questions marked by hand: nothing is lost, nothing silently 0, and marks go with the answer."""

import csv
import json
import re

import pytest

from irmetrics_edu.classroom.exercises.build import solution, student_copy
from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.marking.hand_marks import Answer, answer, head, marks, sheet
from irmetrics_edu.classroom.marking.notebook import parse
from irmetrics_edu.errors import InputError
from tests.marking.conftest import KEY, SOURCE
from tests.marking.test_grade import by_student

WHY = ByHand(
    "why",
    "Why it fell",
    [Criterion("cause", 2, "names <the> cause"), Criterion("evidence", 1.5, "a number")],
)
WITH_TEXT = SOURCE.replace(
    "from irmetrics_edu.classroom.exercises.spec import Exercise, Question, Wrong\n",
    "from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion\n"
    "from irmetrics_edu.classroom.exercises.spec import Exercise, Question, Wrong\n",
).replace(
    "    ],\n)\n",
    '    ],\n    [ByHand("why", "Why it fell", [\n'
    '        Criterion("cause", 2, "names <the> cause"), Criterion("evidence", 1.5, "a number"),\n'
    "    ])],\n)\n",
) + (
    '\n# %% [markdown] tags=["why"]\n# **Why did the score fall?**\n#\n# ### BEGIN SOLUTION\n'
    "# The log was of the rank.\n# ### END SOLUTION\n"
)  # fmt: skip


@pytest.fixture
def course(a_class):
    """The class of two questions, with a third one of free text."""
    path = a_class.folder / "sources" / "77_two.py"
    path.write_text(WITH_TEXT, encoding="utf-8")
    a_class.source = read(path)
    return a_class


def answered(course, student, text, *, solved=True):
    """A student's notebook with this free text."""
    book = (solution if solved else student_copy)(course.source, Variant(student, KEY))
    for cell in book.cells:
        if cell.id == "77-why" and text is not None:
            cell.source = f"**Why did the score fall?**\n\n{text}"
    return book


def hand_in(course, **texts):
    """Each student's free text, in solved notebooks."""
    for student, text in texts.items():
        course.hand_in(f"{student}/77_two.ipynb", answered(course, student, text))


def sheet_of(course):
    """The table of the question, by student."""
    path = course.out / "by-hand" / "77-why.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {line["student"]: line for line in csv.DictReader(file)}


def fill_in(course, **given):
    """What the teacher types: points for both criteria, and a comment."""
    path = course.out / "by-hand" / "77-why.csv"
    lines = list(sheet_of(course).values())
    columns = list(lines[0])
    for line in lines:
        if line["student"] in given:
            typed = dict(zip([*columns[3:5], "comment"], given[line["student"]], strict=True))
            line.update(typed)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(lines)


def test_a_copy_asks_and_holds_no_solution(course):
    """The student's cell of text has the question and room."""
    [cell] = [c for c in student_copy(course.source).cells if c.id == "77-why"]
    assert cell.cell_type == "markdown"
    assert cell.source == "**Why did the score fall?**\n\n*Your answer here.*"
    assert course.source.exercise.marks == 1 + 4 + 3.5


@pytest.mark.slow
def test_from_answers_to_feedback(course, capsys):
    """Open, half marked, marked: marks are there when all are, and the words are with them."""
    hand_in(course, ann="The <log> was wrong.", ben="No idea.", cy=None)
    course.hand_in("di/77_two.ipynb", answered(course, "di", None, solved=False))
    assert course.grade() == 1
    said = capsys.readouterr().out
    assert "ann, exercise 77: to be marked by hand" in said
    rows = by_student(course)
    # cy has the model answer; di has not touched the cell: there is no answer, and it says so.
    assert {n: (r["marks"], r["77 why"]) for n, r in rows.items()} == {
        "ann": ("", ""), "ben": ("", ""), "cy": ("", ""), "di": ("0", "0")
    }  # fmt: skip
    assert sheet_of(course)["di"]["state"] == "no answer"
    page = course.written()["by-hand/marking.html"].decode()
    assert "The \\u003clog> was wrong." in page
    report = course.written()["report.md"].decode()
    assert "why: to be marked by hand, in by-hand/77-why.csv" in report
    fill_in(course, ann=["2", "1,5", "Good <one>"], ben=["0", "", ""], cy=["2", "0", ""])
    assert course.grade() == 1
    rows = by_student(course)
    assert {n: (r["marks"], r["77 why"]) for n, r in rows.items()} == {
        "ann": ("8.5", "3.5"), "ben": ("", ""), "cy": ("7", "2"), "di": ("0", "0")
    }  # fmt: skip
    assert [sheet_of(course)[n]["state"] for n in ("ann", "ben")] == ["marked", "to be marked"]
    assert sheet_of(course)["ben"]["cause (0 to 2)"] == "0"
    feedback = course.written()["feedback/ann/77_two.html"].decode()
    for words in ("cause: 2 of 2.", "evidence: 1.5 of 1.5.", "Good &lt;one&gt;", "3.5 / 3.5"):
        assert words in feedback
    assert "not marked yet / 3.5" in course.written()["feedback/ben/77_two.html"].decode()
    before = course.written()
    course.grade("--force")
    assert course.written() == before


@pytest.mark.slow
def test_marks_go_with_the_answer_they_were_given_for(course):
    """Other code keeps them; another text asks, and the new id takes them over; none is lost."""
    hand_in(course, ann="First.", ben="Stays.")
    course.grade()
    fill_in(course, ann=["2", "1", "well"], ben=["1", "1", ""])
    assert course.grade() == 0
    # Another notebook with the same text.
    book = answered(course, "ben", "Stays.", solved=False)
    course.hand_in("ben/77_two.ipynb", book)
    hand_in(course, ann="Second.")
    assert course.grade() == 1
    rows = by_student(course)
    assert (rows["ben"]["77 why"], rows["ann"]["77 why"]) == ("2", "")
    line = sheet_of(course)["ann"]
    assert [line[c] for c in ("cause (0 to 2)", "evidence (0 to 1.5)", "comment")] == [
        "2", "1", "well"
    ]  # fmt: skip
    assert line["state"].startswith("answer changed: look again, then write a-")
    assert b"why: the answer changed after it was marked" in course.written()["report.md"]
    assert b"well" not in course.written()["feedback/ann/77_two.html"]
    new = re.search(r"write (a-\w+)", line["state"])[1]
    path = course.out / "by-hand" / "77-why.csv"
    path.write_text(path.read_text().replace(line["answer id"], new, 1))
    assert course.grade() == 0
    assert by_student(course)["ann"]["77 why"] == "3"
    # Who is no longer there keeps the line.
    for file in (course.work / "ann").iterdir():
        file.unlink()
    (course.work / "ann").rmdir()
    course.grade()
    assert sheet_of(course)["ann"]["state"] == "no such answer now"
    assert sheet_of(course)["ann"]["comment"] == "well"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ann,a-1,,3,1,,", "line 2: cause: '3'; give 0 to 2"),
        ("ann,a-1,,-1,1,,", "line 2: cause: '-1'"),
        ("ann,a-1,,nan,1,,", "line 2: cause: 'nan'"),
        ("ann,a-1,,1,good,,", "line 2: evidence: 'good' is no number"),
        ("ann,a-1,,1,1,,,x", "line 2: 8 fields"),
        ("ann,a-1,,1,1,,\nANN,a-1,,1,1,,", "line 3: student 'ANN' a second time"),
    ],
)
def test_a_mistake_in_the_table_is_refused(tmp_path, line, words):
    """With its file and line, and the table stays as it is."""
    path = tmp_path / "77-why.csv"
    path.write_text(",".join(head(WHY)) + f"\n{line}\n")
    with pytest.raises(InputError) as caught:
        marks(path, WHY, [Answer("ann", "x")])
    assert words in str(caught.value)
    assert "77-why.csv" in str(caught.value)
    other = ByHand("why", "", [Criterion("style", 1)])
    with pytest.raises(InputError, match="if the rubric has changed"):
        marks(path, other, [])


def test_names_and_answers_that_look_like_formulas_go_there_and_back(tmp_path):
    """A spreadsheet runs none of them, and the marks find their student."""
    answers = [Answer("=1+1", "=cmd|' /C calc'!A0\nmore"), Answer("ann", '"quoted", <b>')]
    given, left = marks(tmp_path / "none.csv", WHY, answers)
    text = sheet(WHY, answers, given, left)
    cells = [c for line in csv.reader(text.splitlines()) for c in line]
    assert not [c for c in cells if c.startswith(("=", "+", "@"))]
    path = tmp_path / "77-why.csv"
    lines = list(csv.reader(text.splitlines()))
    for line in lines[1:]:
        line[3:5] = "1", "0.5"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(lines)
    given, left = marks(path, WHY, answers)
    assert {name: mark.marks for name, mark in given.items()} == {"=1+1": 1.5, "ann": 1.5}
    assert not left


def test_a_part_of_the_code_can_be_marked_by_hand(course):
    """The answer is the cell that was handed out for it, with what was added below."""
    path = course.folder / "sources" / "77_two.py"
    before = WITH_TEXT[: WITH_TEXT.index("# %% [markdown] tags")]
    code = "def plot():\n    ### BEGIN SOLUTION\n    pass\n    ### END SOLUTION\n"
    path.write_text(f'{before}# %% tags=["why"]\n{code}', encoding="utf-8")
    source = read(path)
    [question] = source.exercise.by_hand

    def seen(*cells):
        raw = [{"cell_type": "code", "id": i, "source": text} for i, text in cells]
        book = parse(json.dumps({"cells": raw}).encode())
        return answer(source, question, "ann", book).text

    assert seen(("x", "a = 1"), ("77-why", "def plot():\n    show()")) == "def plot():\n    show()"
    # Without ids, as in an old notebook, by its first line; what was not touched is no answer.
    assert seen(("", "def plot():\n    draw()"), ("", "b = 2")) == (
        "def plot():\n    draw()\n\nb = 2"
    )
    untouched = "def plot():\n    raise NotImplementedError  # your code here"
    assert seen(("77-why", untouched)) == ""
    assert seen(("x", "a = 1")) == ""


PROMPT = "**Why did the score fall?**\n\n*Your answer here.*"


@pytest.mark.parametrize(
    ("cells", "text", "look"),
    [
        ([("77-why", PROMPT), ("own", "The log."), ("own-2", "# of the rank")],
         "The log.\n\n# of the rank", ""),
        ([("77-why", f"{PROMPT} The log."), ("own", "Of the rank.")],
         f"{PROMPT} The log.\n\nOf the rank.", ""),
        ([("77-why", ""), ("own", "The log.")], "The log.", ""),
        # Without ids, as an old notebook is saved.
        ([("", PROMPT), ("", "The log.")], "The log.", ""),
        ([("own", "The log."), ("77-why", PROMPT)], "", "look into cell 3"),
        ([("77-text-01", "# Exercise 77. Two questions\n\nThe log."), ("77-why", PROMPT)],
         "", "look into cell 3"),
        ([("77-why", PROMPT), ("77-dcg", "def dcg(): ..."), ("own", "The log.")],
         "", "look into cell 5"),
        ([("77-why", PROMPT), ("77-dcg", "def dcg(): ...")], "", ""),
        ([("x", "The log.")], "", "its cell is gone"),
    ],
)  # fmt: skip
def test_free_text_counts_wherever_a_student_puts_it(course, cells, text, look):
    """Below its prompt it is the answer; anywhere else the teacher is told where to look."""
    raw = [{"cell_type": "code", "id": f"c{n}", "source": "1 + 1"} for n in range(2)]
    kinds = {"77-dcg": "code"}
    raw += [{"cell_type": kinds.get(i, "markdown"), "id": i, "source": s} for i, s in cells]
    book = parse(json.dumps({"cells": raw}).encode())
    [question] = course.source.exercise.by_hand
    found = answer(course.source, question, "ann", book)
    assert found.text == text
    assert look in found.look
    given, left = marks(course.folder / "none.csv", question, [found])
    assert (given["ann"].state == "no answer") == (not text and not look)
    assert look in sheet(question, [found], given, left)


@pytest.mark.slow
def test_where_the_cell_is_gone_nobody_has_zero(course):
    """The answer may stand in another cell: it is to be marked, not taken for none."""
    course.hand_in("ann/77_two.ipynb", course.copy("ann", ["x = 1", "# Why: the log was wrong."]))
    course.grade("--exercise", "77")
    assert by_student(course)["ann"]["marks"] == ""
    assert "its cell is gone" in sheet_of(course)["ann"]["state"]
    fill_in(course, ann=["1", "0", "found it"])
    course.grade("--exercise", "77")
    assert by_student(course)["ann"]["77 why"] == "1"


@pytest.mark.parametrize("rubric", [[], [Criterion("a", 0)], [Criterion("a", 1)] * 2])
def test_a_rubric_that_can_mark_nothing_is_refused(rubric):
    """No criterion, one without points, two of one name."""
    with pytest.raises(InputError, match="question why"):
        ByHand("why", "", rubric)


@pytest.mark.slow
def test_a_group_has_one_line(course):
    """It is marked once, and the points are each member's."""
    (course.folder / "roster.csv").write_text("student,group\nann,A\nben,A\ncy,\n")
    hand_in(course, ann="The log.", cy="No idea.")
    course.grade("--roster", str(course.folder / "roster.csv"))
    assert set(sheet_of(course)) == {"A", "cy"}
    fill_in(course, A=("2", "1", "Good"), cy=("0", "0", ""))
    assert course.grade("--roster", str(course.folder / "roster.csv")) == 0
    got = {name: row["77 why"] for name, row in by_student(course).items()}
    assert got == {"ann": "3", "ben": "3", "cy": "0"}
    assert "Good" in course.written()["feedback/ben/77_two.md"].decode()


# What spreadsheets make of the table.


def saved(course, how, **given):
    """The table of the question, filled in and saved by a spreadsheet in some way."""
    path = course.out / "by-hand" / "77-why.csv"
    assert path.read_bytes().startswith(b"\xef\xbb\xbf"), "Excel takes it for another encoding"
    fill_in(course, **given)
    text = path.read_text(encoding="utf-8")
    if how == "tabs":
        rows = list(csv.reader(text.splitlines()))
        text = "".join("\t".join(c.replace("\n", " ") for c in row) + "\n" for row in rows)
    if how == "opened as cp1252":
        text = text.encode().decode("cp1252")
    coding = {"without": "utf-8", "cp1252": "cp1252", "tabs": "utf-16", "question marks": "ascii"}
    path.write_bytes(text.encode(coding.get(how, "utf-8-sig"), "replace"))


@pytest.mark.slow
def test_points_come_back_from_every_spreadsheet(course, capsys):
    """Read in the encoding that it was saved in; if a name is spoilt, refused with its line."""
    for name in ("Müller, Su", "Lee, Ann"):
        course.hand_in(f"{name}/77_two.ipynb", answered(course, name, f"The log, says {name}."))
    course.grade()
    for points, how in enumerate(("with a mark", "without", "cp1252", "tabs")):
        comment = f"schön, {points}"
        saved(course, how, **{"Müller, Su": ["1", str(points / 4), comment]})
        course.grade()
        row = sheet_of(course)["Müller, Su"]
        assert (row["state"], row["comment"]) == ("marked", comment), how
        assert by_student(course)["Müller, Su"]["77 why"] == f"{1 + points / 4:g}", how
    whole = (course.out / "by-hand" / "77-why.csv").read_bytes()
    for how in ("opened as cp1252", "question marks"):
        saved(course, how, **{"Lee, Ann": ["0", "0", ""]})
        spoilt = (course.out / "by-hand" / "77-why.csv").read_bytes()
        capsys.readouterr()
        assert course.grade() == 2
        said = capsys.readouterr().err
        assert "77-why.csv, line 3: nobody is called" in said
        assert "the answer is that of 'Müller, Su'; open the table as UTF-8" in said
        path = course.out / "by-hand" / "77-why.csv"
        assert path.read_bytes() == spoilt, "nothing is written over what the teacher has"
        path.write_bytes(whole)


def test_another_student_of_the_same_text_is_no_spoilt_name(tmp_path):
    """Who took an answer back keeps the line, also if a newcomer has the same text, or none."""
    gone = [Answer("Zoë", "")]
    given = {"Zoë": marks(tmp_path / "none.csv", WHY, gone)[0]["Zoë"]}
    (tmp_path / "t.csv").write_text(sheet(WHY, gone, given, []), encoding="utf-8-sig")
    found, left = marks(tmp_path / "t.csv", WHY, [Answer("Müller, Su", "")])
    assert (list(found), left[0][0]) == (["Müller, Su"], "Zoë")
