"""The total of a course: by hand, against a plain loop, from files, and over several platforms."""

import csv
import json
import re
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.classroom.marking import mark_course
from irmetrics_edu.classroom.marking.give_back import MarkedClass
from irmetrics_edu.classroom.marking.grade_options import GradeOptions
from irmetrics_edu.classroom.marking.returning.course_total import (
    CourseRules,
    as_html,
    read_rules,
    totals,
)
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError

from .test_platforms import GRADEBOOK, zipped

RULES = 'rule,of,value\nweight,3,2\ndrop,,1\nmissing,,0\nband,A,"87,5 %"\nband,B,50 %\n'


def entry(student, exercise, marks, out_of=10.0, status="graded"):
    """A row of marks.json."""
    return {"student": student, "exercise": exercise, "status": status, "file": f"{student}.ipynb",
            "late": "", "raw": marks, "penalty": 0, "marks": marks, "out of": out_of}  # fmt: skip


def missing(student, exercise):
    """A row of a student who handed in nothing."""
    return entry(student, exercise, None, status="nothing handed in")


def rules(tmp_path, text=RULES, exercises=("01", "02", "03")):
    """The rules of a table."""
    path = tmp_path / "course.csv"
    path.write_text(text, encoding="utf-8")
    return read_rules(path, exercises)


def test_a_course_by_hand(tmp_path):
    """Ann: 0.75 and twice 0.95, her 0.4 dropped, are 88.33 %; Ben has 0 for what he left out."""
    graded = [entry("ann", "01", 4), entry("ann", "02", 7.5), entry("ann", "03", 9.5),
              entry("ben", "01", 5), missing("ben", "02"), missing("ben", "03"),
              entry("cy", "01", 5), entry("cy", "02", 5),
              entry("cy", "03", None, status="to be marked by hand"),
              entry("Student, Test", "01", 10)]  # fmt: skip
    ann, ben, cy = totals(graded, rules(tmp_path))
    assert (ann.share, ann.letter, ann.percent) == (Fraction(265, 300), "A", "88.33")
    assert ann.dropped == ("01",)
    # Of the equal 02 and 03 the heavier is dropped: (0.5 + 0) / 2.
    assert (ben.share, ben.letter, ben.dropped) == (Fraction(1, 4), "", ("03",))
    assert (cy.share, cy.letter, cy.open) == (None, "", ("03",))
    page = as_html([ann, ben, cy])
    assert "<td>A</td>" in page
    assert "cy: open: 03" in page
    assert "Student, Test" not in page


def test_without_rules_all_count_alike_and_nothing_is_0():
    """The mean of the shares; a missing exercise leaves the total open."""
    [ann, ben] = totals([entry("ann", "01", 5), entry("ann", "02", 2, 4), entry("ben", "01", 5)],
                        CourseRules())  # fmt: skip
    assert (ann.share, ben.open) == (Fraction(1, 2), ("02",))


@given(
    st.lists(st.tuples(st.integers(0, 100), st.integers(0, 3)), min_size=3, max_size=6),
    st.integers(0, 2),
)
def test_the_total_is_a_weighted_mean_of_the_best(given_marks, drop):
    """Among all ways to keep the best, the total is the greatest: equal ones weigh least."""
    graded = [entry("ann", f"{i:02d}", m / 10) for i, (m, _) in enumerate(given_marks, 1)]
    weights = {f"{i:02d}": Fraction(w) for i, (_, w) in enumerate(given_marks, 1)}
    weighing = [(m, w) for m, w in given_marks if w]
    if len(weighing) <= drop:
        return
    [ann] = totals(graded, CourseRules(weights, drop=drop))
    ways = combinations(weighing, len(weighing) - drop)
    best = max(ways, key=lambda way: sum(m for m, _ in way))
    most = sum(m for m, _ in best)
    same = [way for way in combinations(weighing, len(weighing) - drop)
            if sum(m for m, _ in way) == most]  # fmt: skip
    assert ann.share == max(
        Fraction(sum(m * w for m, w in way), 100 * sum(w for _, w in way)) for way in same
    )


def test_a_band_begins_at_the_exact_share(tmp_path):
    """2 of 3 is not 66.67 %, and 0.3 of 1 is 30 %: no letter hangs on rounding."""
    told = rules(tmp_path, "rule,of,value\nband,B,66.67 %\nband,C,30 %\n", ["01"])
    for marks, out_of, letter in ((2.0, 3.0, "C"), (0.3, 1.0, "C"), (0.2999, 1.0, "")):
        [found] = totals([entry("ann", "01", marks, out_of)], told)
        assert found.letter == letter


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("weight,9,2", "exercise '09'; known are 01, 02, 03"),
        ("weight,,2", "names an exercise"),
        ("drop,01,1", "leaves `of` empty"),
        ("drop,,1.5", "write it as 1"),
        ("band,A,much", "write it as 90 %"),
        ("bonus,,1", "give one of weight, drop"),
        ("band,A,90 %\nband,A,80 %", "line 3: band A a second time"),
        ("band,A,90 %\nband,B,90 %", "two bands begin"),
        ("drop,,1\nbest,,2", "not both"),
    ],
)
def test_a_rule_that_cant_be_is_refused(tmp_path, line, words):
    """With the file, and the line where there is one."""
    with pytest.raises(InputError, match=re.escape(words)):
        rules(tmp_path, f"rule,of,value\n{line}\n")


def test_what_an_exercise_is_out_of_may_not_be_known():
    """Of who handed nothing in, and of a file whose exercise is not known: 0, and no share."""
    blank = {**missing("ann", "01"), "out of": None}
    entries = [blank, missing("ann", "02"), entry("ann", "03", 3, 0), entry("ann", "04", 2, None)]
    ann, ben = totals([*entries, entry("ben", "05", 4)], CourseRules())
    assert [one.out_of for one in ann.history] == [0, 10, 0, 0, 0]
    assert [one.share for one in ann.history] == [None] * 5
    assert ann.open == ("01", "02", "03", "04", "05")
    assert [one.out_of for one in ben.history] == [0, 0, 0, 0, 10]
    assert (ben.share, ben.open) == (None, ("01", "02", "03", "04"))


def test_marks_of_two_platforms_for_one_exercise_are_refused():
    """Nobody knows which of them counts; a list of who handed in nothing is no second mark."""
    with pytest.raises(InputError, match="Ann has marks for exercise 01 twice"):
        totals([entry("ann", "01", 5), entry("Ann", "01", 6)], CourseRules())
    [ann] = totals([missing("ann", "01"), entry("ann", "01", 6)], CourseRules())
    assert ann.share == Fraction(3, 5)


@pytest.mark.slow
def test_zips_of_two_platforms_in_one_run(a_class, capsys):
    """Each into its folder, with the worksheet of its number; one total for each student."""
    folder = a_class.folder / "downloads"
    folder.mkdir()
    zipped(folder / "canvas.zip", {"leeann_1001_555_77_two.ipynb": a_class.copy("Lee, Ann")})
    su = "Su Müller_991_assignsubmission_file_/77_two.ipynb"
    zipped(folder / "C1-Two-33.zip", {su: a_class.copy("Müller, Su")})
    book = a_class.folder / "gradebook.csv"
    book.write_text(GRADEBOOK, encoding="utf-8")
    sheet = a_class.folder / "Grades-C1-Two-33.csv"
    sheet.write_text("Identifier,Full name,Grade\nParticipant 991,Su Müller,\n", encoding="utf-8")
    fixed = ["--key", str(a_class.folder / "key"), "--sources", str(a_class.folder / "sources"),
             "--roster", str(book)]  # fmt: skip
    out = a_class.folder / "course"
    call = ["grade", "course", str(folder), "--out", str(out), *fixed, "--roster", str(sheet)]
    assert main(call) == 1
    said = capsys.readouterr().out
    assert "canvas.zip:\n" in said
    with (out / "course.csv").open(encoding="utf-8-sig", newline="") as file:
        found = {line["student"]: (line["77"], line["total %"]) for line in csv.DictReader(file)}
    assert found["Lee, Ann"] == found["Müller, Su"] == ("5", "100")
    assert (out / "C1-Two-33" / "moodle-worksheet.csv").is_file()
    assert not (out / "canvas" / "moodle-worksheet.csv").exists()
    # Added up again from what is there, without a key.
    again = a_class.folder / "again"
    parts = [str(out / name) for name in ("canvas", "C1-Two-33")]
    assert main(["grade", "course", *parts, "--out", str(again)]) == 1
    assert (again / "course.csv").read_bytes() == (out / "course.csv").read_bytes()


def test_each_part_of_a_course_is_graded_once_into_its_own_folder(tmp_path, monkeypatch):
    """What was graded before is taken as it is; each part says its lines under its name."""
    done = tmp_path / "before"
    done.mkdir()
    (done / "marks.json").write_text(json.dumps([entry("ann", "01", 5), missing("ben", "01")]))
    asked = []

    def graded(part, options, progress):
        asked.append((part.name, options.folder, tuple(options.rosters), progress))
        options.folder.mkdir(parents=True)
        later = [entry("ann", f"0{len(asked) + 1}", None, status="to be marked by hand")]
        (options.folder / "marks.json").write_text(json.dumps(later))
        return MarkedClass((f"line {len(asked)}", "see it"), (f"row {len(asked)}",))

    monkeypatch.setattr(mark_course, "mark_class", graded)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    out = tmp_path / "out"
    where = [done, tmp_path / "one", tmp_path / "two"]
    shown = object()
    found = mark_course.mark_course(where, GradeOptions(key="k", out=out), progress=shown)
    assert asked == [(name, out / name, (), shown) for name in ("one", "two")]
    files = f"{out / 'course.html'} and {out / 'course.csv'}"
    assert found.lines == (
        *("one:", "  line 1", "  see it", "two:", "  line 2", "  see it"),
        "totals that stay open, as marks are missing:",
        *("  ann: exercise 02, 03", "  ben: exercise 01, 02, 03"),
        f"2 students; see {files}",
    )
    assert (found.rows, found.open_totals) == (("row 1", "row 2"), 2)
    assert sorted(path.name for path in out.iterdir()) == [
        "course.csv",
        "course.html",
        "one",
        "two",
    ]
    with pytest.raises(InputError, match="one is not graded yet: give the course key"):
        mark_course.mark_course(where[1:], GradeOptions(key="", out=out))
    rows = tmp_path / "rules.csv"
    rows.write_text("rule,of,value\nmissing,,0\nweight,2,0\nweight,3,0\n")
    again = [done, out / "one", out / "two"]
    last = mark_course.mark_course(again, GradeOptions(key="", out=out), rules=rows)
    assert (last.lines, last.rows) == ((f"2 students; see {files}",), ())
    assert len(asked) == 2


def test_what_is_no_course_is_refused(tmp_path, capsys):
    """A folder without marks, marks that are broken, a worksheet of no download, two folders."""
    (tmp_path / "bare").mkdir()
    out = ["--out", str(tmp_path / "out")]
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "marks.json").write_text(json.dumps([{"student": "ann"}]), encoding="utf-8")
    sheet = tmp_path / "Grades-C1-Two-33.csv"
    sheet.write_text("Identifier,Full name,Grade\nParticipant 991,Su Müller,\n", encoding="utf-8")
    for call, words in (
        (["course", str(tmp_path / "bare")], "give the course key with --key"),
        (["course", str(bad)], "it is not what `grade` writes"),
        (["course", str(tmp_path / "bare"), "--roster", str(sheet)], "which download is it of?"),
        (
            ["course", str(bad), "--late", "l", "--own-copies"],
            "--own-copies, --late: all is graded",
        ),
        (["page", str(bad), "--attempt", "best"], "--attempt: all is graded"),
        ([str(bad), str(bad)], "the word course in front"),
        ([str(bad), "--key", "k", "--rules", "r"], "--rules is for `grade course`"),
        ([str(bad)], "--key is missing"),
    ):
        assert main(["grade", *call, *out]) == 2
        assert words in " ".join(capsys.readouterr().err.split())
