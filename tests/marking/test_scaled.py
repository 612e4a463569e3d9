"""Marks scaled to what a platform's column can hold: found, by a stated rule, never in silence."""

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.collecting.rosters import read
from irmetrics_edu.classroom.marking.matching.lateness import Worksheet
from irmetrics_edu.classroom.marking.results import GRADED, QuestionMark, Result
from irmetrics_edu.classroom.marking.returning import (
    canvas_grades,
    class_report,
    exports,
    feedback,
    moodle_worksheet,
)
from irmetrics_edu.classroom.marking.returning.platform_points import maximum, scaled
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row
from irmetrics_edu.errors import InputError

COLUMNS = ("Homework A (8100)", "Exercise 1: Warm-up (8101)", "Two things (8102)", "Final Score")


def row(number: str, title: str, marks: float, out_of: float = 7) -> Row:
    """Ann's row of an exercise of one question."""
    mark = QuestionMark("q", "Q", out_of, marks)
    result = Result("ann.ipynb", "Lee, Ann", number, title, GRADED, "x", questions=(mark,))
    person = Person("Lee, Ann", "Lee, Ann", canvas="1001", moodle="991")
    return Row(person, number, f"{number}_x", title, out_of, GRADED, result, (QuestionLine(mark),))


def gradebook(folder: Path, *points: str):
    """Canvas's gradebook with Ann alone, as it is exported."""
    path = folder / "gradebook.csv"
    lines = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *COLUMNS],
             ["    Points Possible", "", "", "", "", *points, "(read only)"],
             ["Lee, Ann", "1001", "m1", "alee", "S", *[""] * len(COLUMNS)]]  # fmt: skip
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(lines)
    return read(path)


def columns_of(rows, book, **named):
    """The head and Ann's points by column, and what is said."""
    text, said = canvas_grades.canvas(rows, book, {n.strip("_"): c for n, c in named.items()})
    head, points, ann = csv.reader(io.StringIO(text))
    return {h: (p, a) for h, p, a in zip(head[5:], points[5:], ann[5:], strict=True)}, said


def test_canvas_gets_points_of_its_own_column(tmp_path):
    """2.5 of 7 are 35.71 of 100 and 3.57 of 10; the points possible stay what they were."""
    book = gradebook(tmp_path, "100", "10", "7.00")
    rows = [row("01", "Warm up", 2.5), row("02", "Two things", 2.3333)]
    assert columns_of(rows, book) == (
        {COLUMNS[1]: ("10", "3.57"), COLUMNS[2]: ("7.00", "2.3333")}, []
    )  # fmt: skip
    assert columns_of(rows[:1], book, _="8100") == ({COLUMNS[0]: ("100", "35.71")}, [])
    for name in ("homework a", "(8100)", "8100", COLUMNS[0]):
        assert columns_of(rows, book, _01=name)[0][COLUMNS[0]] == ("100", "35.71")


def test_a_column_that_is_not_there_is_said(tmp_path):
    """A new assignment is made in words; a name that fits nothing names what is there."""
    book = gradebook(tmp_path, "100", "10", "")
    other = row("05", "Others", 7)
    found, [said] = columns_of([other], book)
    assert found == {"Exercise 05: Others": ("7", "7")}
    assert "no column of gradebook.csv is exercise 05" in said
    assert "--column 05=NAME" in said
    with pytest.raises(InputError, match=r"no column .* are Homework A \(8100\); Exercise 1"):
        canvas_grades.canvas([other], book, {"": "Homework B"})
    with pytest.raises(InputError, match="exercises are 05"):
        canvas_grades.canvas([other], book, {"06": "8100"})
    with pytest.raises(InputError, match="exercises are 05, 06"):
        canvas_grades.canvas([other, row("06", "More", 1)], book, {"": "8100"})
    with pytest.raises(InputError, match="unknown without it"):
        canvas_grades.canvas([other], None, {"": "8100"})


def test_more_than_the_maximum_is_never_written_in_silence(tmp_path):
    """Canvas takes a bonus above its points, and it is said; Moodle's maximum is written."""
    book = gradebook(tmp_path, "100", "10", "7")
    found, said = columns_of([row("01", "Warm up", 8.4)], book)
    assert found[COLUMNS[1]] == ("10", "12")
    assert said == ["canvas.csv: above the points possible, by a bonus: Lee, Ann"]
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(
        'Identifier,Full name,Status,Grade,Maximum grade\nParticipant 991,Lee Ann,,,"50,00"\n',
        encoding="utf-8",
    )
    worksheet = read(sheet)
    own = row("01", "Warm up", 8.4)
    named = [Row(**{**vars(own), "person": worksheet.people[0]})]
    text, said = moodle_worksheet.worksheet(Worksheet(worksheet, "01"), named)
    [line] = csv.DictReader(io.StringIO(text))
    assert (line["Grade"], line["Maximum grade"]) == ("50", "50,00")
    assert len(said) == 1
    assert said[0].endswith("which is written for: Lee Ann (60 of 50)")
    half = [Row(**{**vars(row("01", "Warm up", 3.5)), "person": worksheet.people[0]})]
    [line] = csv.DictReader(
        io.StringIO(moodle_worksheet.worksheet(Worksheet(worksheet, "01"), half)[0])
    )
    assert line["Grade"] == "25"


def canvas_after(present, text):
    """What Canvas has after an import: a cell replaces what is there, an empty one as well."""
    found = dict(present)
    head, _, *lines = csv.reader(io.StringIO(text.lstrip("\ufeff")))
    for line in lines:
        for column, cell in zip(head[5:], line[5:], strict=True):
            found[line[0], column.partition(": ")[2]] = cell
    return found


GRADES = st.sampled_from(["", "4", "3.5", "EX"])
MARKS = st.one_of(st.none(), st.sampled_from([0.0, 2.5, 7.0]))


@given(
    st.lists(st.tuples(GRADES, GRADES), min_size=1, max_size=4),
    st.lists(st.tuples(MARKS, MARKS), min_size=1, max_size=4),
    st.booleans(),
)
def test_what_is_not_known_changes_nothing_in_canvas(tmp_path_factory, present, marks, known):
    """By Canvas's own rule for its import: no grade is gone, only known marks are new."""
    titles = {"01": "Exercise 1: Warm up", "02": "Exercise 2: Two things"}
    people = [f"Student {i}" for i in range(max(len(present), len(marks)))]
    before = {}
    for name, own in zip(people, present, strict=False):
        for title, grade in zip(titles.values(), own, strict=True):
            before[name, title.partition(": ")[2]] = grade
    folder = tmp_path_factory.mktemp("book")
    lines = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles.values()],
             ["    Points Possible", "", "", "", "", "7", "7"]]  # fmt: skip
    for i, name in enumerate(people):
        cells = [before.get((name, title), "") for title in ("Warm up", "Two things")]
        lines.append([name, str(1000 + i), f"m{i}", f"l{i}", "S", *cells])
    with (folder / "book.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(lines)
    book = read(folder / "book.csv")
    rows = []
    for name, own in zip(people, marks, strict=False):
        for number, got in zip(titles, own, strict=True):
            title = titles[number].partition(": ")[2]
            person = next(p for p in book.people if p.name == name)
            rows.append(Row(**{**vars(row(number, title, got)), "person": person}))
    files, _ = canvas_grades.canvas_files(rows, book if known else None)
    for text in files.values():
        after = canvas_after(before, text)
        for (name, title), grade in before.items():
            if after[name, title] != grade:
                assert after[name, title] in {"0", "2.5", "7"}
                assert grade != "EX" or not known


@given(st.integers(0, 70_000), st.sampled_from(["100", "20.5", "7", "3", "12,75"]))
def test_scaling_is_half_up_of_the_exact_ratio(marks, points):
    """By whole numbers alone: hundredths of points times marks over the total, a half up."""
    found = scaled(marks / 10_000, maximum(points), 7)
    if points == "7":
        assert found == marks / 10_000
        return
    hundredths = int(Fraction(points.replace(",", ".")) * 100)
    assert round(found * 100) == (2 * hundredths * marks + 70_000) // 140_000


def test_a_maximum_that_is_no_number_scales_nothing():
    """Canvas's "(read only)", Moodle's "-" of a scale, and 0."""
    for text in ("(read only)", "-", "", "0", "0.00", "1e9"):
        assert maximum(text) is None


def test_gradescope_reads_a_test_for_each_question():
    """Scores and their most, as its results.json has them; what is not known has no score."""
    found = json.loads(exports.gradescope(row("01", "Warm up", 2.5)))
    assert (found["score"], found["visibility"]) == (2.5, "visible")
    [test] = found["tests"]
    assert (test["score"], test["max_score"], test["name"]) == (2.5, 7, "q: Q")
    own = row("01", "Warm up", 0)
    unknown = QuestionLine(QuestionMark("q", "Q", 7, judged=False))
    found = json.loads(exports.gradescope(Row(**{**vars(own), "lines": (unknown,)})))
    assert "score" not in found
    assert "score" not in found["tests"][0]
    # It would add up the scores of the tests: beside a question that is open there is none.
    known = QuestionLine(QuestionMark("r", "R", 2, 1))
    found = json.loads(exports.gradescope(Row(**{**vars(own), "lines": (known, unknown)})))
    assert [test.get("score") for test in found["tests"]] == [None, None]
    assert [test["output"].split("\n")[0] for test in found["tests"]] == [
        "1 / 2.",
        "not marked yet / 7.",
    ]


def test_equal_lines_of_to_look_at_are_one_and_backticks_are_code():
    """Two students to be marked by hand stand in one line; `dcg` is code, and no markup gets in."""
    own = row("01", "Warm up", 2.5)
    mark = QuestionMark("q", "Q", 7, 1, text="Judged with `<b>dcg</b>` in its place.")
    rows = [
        Row(**{**vars(own), "person": Person(name), "status": "to be marked by hand",
               "lines": (QuestionLine(mark),)})
        for name in ("ann", "ben")
    ]  # fmt: skip
    [table] = [t for t in class_report.tables(rows) if t.caption == "To look at"]
    assert [line[0] for line in table.lines] == ["ann; ben"]
    assert "<code>&lt;b&gt;dcg&lt;/b&gt;</code>" in feedback.as_html(rows[0])
