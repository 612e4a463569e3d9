"""Similar code over classes of all small sizes, what is copied, and which files are written."""

import csv
import io
import zipfile
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.exercises.computed_question import Question
from irmetrics_edu.classroom.exercises.spec import Exercise
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.classroom.marking import mark as marking
from irmetrics_edu.classroom.marking import results
from irmetrics_edu.classroom.marking.collecting.owner_names import Named, Person
from irmetrics_edu.classroom.marking.collecting.rosters import CANVAS, OWN, Roster
from irmetrics_edu.classroom.marking.collecting.submissions import Submission
from irmetrics_edu.classroom.marking.grade_options import GradeOptions
from irmetrics_edu.classroom.marking.matching.lateness import Lateness, Worksheet
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.matching.rounds import ToDo
from irmetrics_edu.classroom.marking.matching.strays import main_and_strays
from irmetrics_edu.classroom.marking.results import GRADED, UNREADABLE, QuestionMark, Result
from irmetrics_edu.classroom.marking.returning import (
    all_files,
    canvas_grades,
    class_report,
    feedback_zips,
    moodle_worksheet,
)
from irmetrics_edu.classroom.marking.reviewing.copied_values import CopiedValues
from irmetrics_edu.classroom.marking.reviewing.gradebook import MISSING, QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import Manual
from irmetrics_edu.classroom.marking.reviewing.regrading import MarkChange, applied
from irmetrics_edu.classroom.marking.reviewing.similarity import alike, identical
from irmetrics_edu.classroom.marking.running.mark_submission import Stopped
from tests.tables import rows as each_row

OWN_TRACES = 30


def class_of(size, sharing):
    """A class in which these students share traces; each student has others of its own."""
    code = {f"s{place:02}": set() for place in range(size)}
    for place, name in enumerate(code):
        code[name] |= {10_000 + 1_000 * place + number for number in range(OWN_TRACES)}
    for students, traces in sharing:
        for name in students:
            code[name] |= set(traces)
    return {name: sorted(traces) for name, traces in code.items()}


@each_row("size", [4, 9, 11, 12, 15, 30])
def test_a_group_is_told_from_sixteen_traces_that_few_share(size):
    """Of two students up to a third of the class, and of three in a small one."""
    most = max(3, size // 3)
    for number, shared in product([1, 2, 3, most - 1, most, most + 1], [3, 4, 15, 16, 29]):
        students = [f"s{place:02}" for place in range(min(number, size))]
        found = alike(class_of(size, [(students, range(shared))]))
        if 2 <= len(students) <= most and shared >= 16:
            [group] = found
            assert (list(group.students), group.shared) == (students, shared)
            assert group.part == round(shared / (shared + OWN_TRACES), 3)
            assert group.traces == frozenset(range(shared))
            assert not group.identical
        else:
            assert found == []


@each_row(
    ("sharing", "groups"),
    [
        # Two of three have more in common: all are near, and each has most of it.
        ([("abc", range(20)), ("ab", range(20, 30))], [("abc", 30)]),
        # The third has too little of what the two share.
        ([("abc", range(12)), ("ab", range(12, 52))], [("ab", 52)]),
        # Two pairs of one student are two groups; those that share most come first.
        ([("ab", range(20)), ("ac", range(100, 125))], [("ac", 25), ("ab", 20)]),
        ([("ab", range(20)), ("cd", range(100, 120))], [("ab", 20), ("cd", 20)]),
        # A trace of one group alone is none of another's.
        ([("ab", range(16)), ("abcd", range(100, 116))], [("abcd", 16), ("ab", 16)]),
        # Half of those who have either have both: not near enough.
        ([("ab", range(15)), ("abcd", range(100, 115))], []),
        ([("ab", range(3)), ("abc", range(100, 114))], [("abc", 17)]),
    ],
)
def test_traces_of_the_same_few_students_are_one_group(sharing, groups):
    """By the share of students who have both of two traces."""
    names = dict(zip("abcd", ["s00", "s01", "s02", "s03"], strict=True))
    shared = [([names[one] for one in students], traces) for students, traces in sharing]
    found = alike(class_of(30, shared))
    expected = [(tuple(names[one] for one in students), count) for students, count in groups]
    assert sorted((group.students, group.shared) for group in found) == sorted(expected)
    counts = [group.shared for group in found]
    assert counts == sorted(counts, reverse=True)


def test_whole_code_that_is_the_same_is_no_second_group():
    """And identical files are told with what is in them."""
    code = class_of(9, [])
    code["s01"] = code["s00"] = [*range(70)]
    [group] = alike(code)
    assert (group.students, group.shared, group.part) == (("s00", "s01"), 70, 1)
    [same] = identical({"s00": "f", "s01": "f", "s02": "g", "s03": "", "s04": ""}, code)
    assert (same.students, same.shared, same.identical) == (("s00", "s01"), 70, True)
    assert identical({"x": "f", "y": "f"}, {})[0].shared == 0
    for known in ({"x": (1, 2)}, {"y": (1, 2)}, {"x": (1, 2), "y": (1, 2)}):
        [one] = identical({"x": "f", "y": "f"}, known)
        assert (one.shared, one.traces) == (2, {1, 2})


@pytest.mark.parametrize("answer", [None, 5, 7, 7.3, 9])
def test_a_wrong_value_is_told_of_if_it_is_right_for_others(answer):
    """Not one that is right, nor one that is right for the student's own copy, too."""
    question = Question("v", "1", kind="value", tolerance=0.5, marks=2)
    exercise = Exercise("01", "T", [question])
    keys = {"01": SimpleNamespace(source=SimpleNamespace(exercise=exercise))}
    copies = CopiedValues([], keys)
    copies.right = lambda *_: {"ann": 5, "ben": 7, "cy": 7, "di": 9, "ed": 5}
    hand_in = HandIn(Submission("p", Named("ann")), "01", "ann", ready=True)
    packed = None if answer is None else pack(answer)
    for marks, carried in product([0.0, 2.0], [(), ("u",)]):
        mark = QuestionMark("v", "V", 2, marks, answer=packed, carried=carried)
        result = Result("p", "ann", "01", "T", GRADED, "x", questions=(mark,))
        notes = copies.notes(hand_in, result)
        whose = {7: "ben; cy", 7.3: "ben; cy", 9: "di"}.get(answer)
        if whose and (not marks or carried):
            assert notes == [f"v: right for {whose}, not for ann"]
        else:
            assert notes == []
        assert copies.notes(HandIn(hand_in.submission, "01", "ann"), result) == []
    ready = [
        SimpleNamespace(general=general, whose=whose)
        for general, whose in ((False, "x"), (True, "y"))
    ]
    hand_ins = [
        HandIn(hand_in.submission, "01", f"s{n}", one) for n, one in enumerate([*ready, None])
    ]
    assert CopiedValues(hand_ins, keys).copies == {"s0": "x"}


# -- files


def row_of(student="ann", marks=3.0, *, number="01", out_of=5.0, result=True, person=None, **more):
    """A row of one question."""
    line = QuestionLine(QuestionMark("q", "Q", 5, marks or 0.0, judged=marks is not None))
    made = Result(f"{student}.ipynb", student, number, "T", GRADED, "x") if result else None
    status = GRADED if result else MISSING
    who = person or Person(student)
    lines = (line,) if result else ()
    return Row(who, number, f"{number}_x", "T", out_of, status, made, lines, **more)


HEAD = ("Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)")


@each_row("most", ["100.00", "5", "", "7,5"])
@each_row("has_comments", [True, False])
def test_the_worksheet_is_filled_in_and_stays_as_it_was_else(most, has_comments):
    """Known grades alone; dashes of times are nothing; what is replaced or above is said."""
    head = (*HEAD, "Feedback comments") if has_comments else HEAD
    kinds = {"ann": 3.0, "ben": None, "cy": 6.0, "di": 3.0, "eve": None}
    lines, rows = [], []
    for number, (name, marks) in enumerate(kinds.items(), 2):
        old = {"Identifier": f"P {number}", "Full name": name, "Grade": "1", "Maximum Grade": most}
        old["Last modified (grade)"] = " - "
        if has_comments:
            old["Feedback comments"] = "mine" if name == "ann" else ""
        lines.append((Person(name), number, old))
        if name != "eve":
            rows.append(row_of(name, marks, result=name != "di" or None))
    rows.append(row_of("ann", 1.0, number="02"))
    sheet = Worksheet(Roster(Path("w.csv"), "w", head, tuple(lines)), "01")
    text, said = moodle_worksheet.worksheet(sheet, rows)
    found = {line["Full name"]: line for line in csv.DictReader(io.StringIO(text))}
    by = {"100.00": 20, "7,5": 1.5}.get(most, 1)
    above = {"100.00": "100", "7,5": "7.5", "5": "5"}.get(most, "6")
    grades = {name: line["Grade"] for name, line in found.items()}
    assert grades == {"ann": f"{3 * by:g}", "ben": "1", "cy": above, "di": "1", "eve": "1"}
    assert {line["Last modified (grade)"] for line in found.values()} == {""}
    comments = {name: line["Feedback comments"] for name, line in found.items()}
    assert comments["ann"].startswith("3 of 5.<br>q: Q (3 / 5)")
    assert comments["ben"].startswith("none yet, of 5.<br>")
    assert (comments["di"], comments["eve"]) == ("", "")
    assert any(
        "the feedback replaces comments" in one and one.endswith("of: ann") for one in said
    ) is (has_comments)
    assert any(f"is written for: cy ({6 * by:g} of {above})" in one for one in said) is bool(most)
    assert len(said) == has_comments + bool(most)


def test_files_of_an_earlier_round_are_removed_or_told_of(tmp_path):
    """Those for Canvas that this round has no more; the teacher's own stay."""
    for name in (
        "canvas.csv",
        "canvas-01.csv",
        "canvas-7.csv",
        "canvas-mine.csv",
        "canvas-011.csv",
    ):
        (tmp_path / name).write_text("old")
    rows = [row_of(), row_of("ben", number="02")]
    rosters = [Roster(Path("r"), OWN, (), ())]
    all_files._write_canvas(tmp_path, rows, rosters, {})
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [
        "canvas-01.csv",
        "canvas-011.csv",
        "canvas-02.csv",
        "canvas-7.csv",
        "canvas-mine.csv",
    ]
    assert (tmp_path / "canvas-01.csv").read_text() != "old"
    assert (tmp_path / "canvas-mine.csv").read_text() == "old"
    book = Roster(Path("b.csv"), CANVAS, ("Student",), ((Person("ann"), 2, {}),))
    all_files._write_canvas(tmp_path, rows, [*rosters, book], {})
    assert sorted(path.name for path in tmp_path.glob("canvas*")) == [
        "canvas-011.csv", "canvas-7.csv", "canvas-mine.csv", "canvas.csv"
    ]  # fmt: skip
    names = ["moodle-worksheet.csv", "feedback-canvas.zip", "feedback-moodle.zip"]
    for name in names[1:]:
        (tmp_path / name).write_text("old")
    told = all_files._of_earlier_rounds(tmp_path, {"feedback-moodle.zip"})
    assert [one.partition(" is of an earlier round")[0] for one in told] == ["feedback-canvas.zip"]
    all_files._write_feedback(tmp_path, row_of("ann"))
    all_files._write_feedback(tmp_path, row_of("ben", number=""))
    all_files._write_feedback(tmp_path, row_of("cy", result=False))
    written = sorted(
        str(path.relative_to(tmp_path / "feedback")) for path in tmp_path.rglob("*.md")
    )
    assert written == ["ann/01_x.md", "ben/unknown-ben.ipynb.md"]


def zipped(rows, submissions):
    """The names in the zips, and what is in none."""
    hand_ins = [HandIn(one, "01", "x") for one in submissions]
    zips, without = feedback_zips.archives(rows, hand_ins)
    assert all(content.startswith(b"PK") for content in zips.values())
    return sorted(zips), without


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("each", [True, False])
def test_a_group_has_one_file_on_canvas_if_all_have_the_same_feedback(same, each):
    """Unless Canvas gives a file under the number of each member."""
    people = [Person("ann", group="A", canvas="1"), Person("ben", group="A", canvas="2")]
    paths = ["a_1_55_x.ipynb", "a_2_56_x.ipynb"]
    submissions = [
        Submission(path, Named("A", platform="Canvas", number=path[2])) for path in paths
    ]
    manual = [None, None if same else Manual(4.0)]
    rows = []
    for person, by_hand in zip(people, manual, strict=True):
        row = row_of(person.student, person=person, group="A", manual=by_hand)
        result = Result(paths[0], "A", "01", "T", GRADED, "x")
        rows.append(Row(**{**vars(row), "result": result, "others": tuple(paths[1:] * each)}))
    shown, apart = feedback_zips._as_shown(rows, {one.path: one for one in submissions})
    if each:
        assert (shown, apart) == (rows, [])
    elif same:
        assert ([row.person.student for row in shown], apart) == (["A"], [])
        # The file of one student may lie under another's number, as Canvas has it for a group.
        alone = feedback_zips._as_shown(rows[1:], {one.path: one for one in submissions})
        assert ([row.person.student for row in alone[0]], alone[1]) == (["A"], [])
    else:
        assert (shown, apart) == ([], ["A"])
    zips, without = zipped(rows, submissions)
    assert zips == ([] if not same and not each else ["feedback-canvas.zip"])
    assert without == ({feedback_zips.OWN_MARKS: ["A"]} if not zips else {})


def test_what_can_hold_no_feedback_is_named_by_its_reason():
    """Another file of the student will do, the one under the student's own number first."""
    person = Person("ann", canvas="1")
    files = ["a_1_55_x.pdf", "a_1_56_y.ipynb", "a_9_57_z.ipynb"]
    submissions = {
        path: Submission(path, Named("ann", platform="Canvas", number=path[2])) for path in files
    }
    for others, name in (((), None), (files[2:], files[2]), (files[1:], files[1])):
        row = row_of(person=person, others=tuple(others))
        row = Row(**{**vars(row), "result": Result(files[0], "ann", "01", "T", GRADED, "x")})
        entry = feedback_zips._entry(row, files[0], "Canvas", submissions)
        assert (entry[0] if entry else None) == name
        _, without = zipped([row], submissions.values())
        assert without == ({} if name else {feedback_zips.CANT_HOLD: [files[0]]})
    other = Submission(
        "x_5_assignsubmission_file/x.ipynb", Named("", platform="Moodle", number="5")
    )
    row = row_of(group="A")
    row = Row(**{**vars(row), "result": Result(other.path, "A", "01", "T", GRADED, "x")})
    zips, without = zipped([row], [other])
    assert (zips, without) == ([], {feedback_zips.NO_NUMBER: [f"{other.path}: ann"]})
    assert zipped([row_of()], [Submission("ann.ipynb", Named("ann"))]) == ([], {})
    assert Lateness().share == 0


def test_what_is_passed_over_hides_nothing_that_follows():
    """Wherever a line, a row or a file stands of which there is nothing to say."""
    unknown = row_of("a", None, number="01")
    known = row_of("b", 2.0, number="01")
    text, _ = canvas_grades.canvas([unknown, known])
    assert [line[0] for line in csv.reader(io.StringIO(text))][2:] == ["b"]
    exercises = [canvas_grades.GradedExercise(n, f"T{n}", 5) for n in ("01", "02")]
    book = Roster(Path("b"), CANVAS, ("Other (7)", "Exercise 2 (8)"), ())
    found = canvas_grades.columns_of(exercises, book, {"01": "7"})
    assert found == {"01": "Other (7)", "02": "Exercise 2 (8)"}
    none = row_of("a", None, number="01")
    assert "Exercise 02" in "".join(class_report._plots([none, row_of("b", 2.0, number="02")]))
    submissions = [
        Submission("a.ipynb", Named("a")),
        Submission("b_1_55_x.ipynb", Named("b", platform="Canvas", number="1")),
        Submission("c_2_56_x.ipynb", Named("c", platform="Canvas", number="2")),
    ]
    rows = []
    for one in submissions:
        row = row_of(one.who.student)
        result = Result(one.path, row.student, "01", "T", GRADED, "x")
        rows.append(Row(**{**vars(row), "result": result}))
    zips, _ = feedback_zips.archives(rows, [HandIn(one, "01", "x") for one in submissions])
    with zipfile.ZipFile(io.BytesIO(zips["feedback-canvas.zip"])) as archive:
        assert archive.namelist() == ["b_1_55_x.ipynb", "c_2_56_x.ipynb"]
    handed_in = [("x", ""), ("a", "01"), ("b", "01"), ("c", "02")]
    assert main_and_strays(handed_in) == ("01", {"02"})
    change = MarkChange("give", "02", "q", "5", "why", 5.0, "r")
    exercise = Exercise("02", "T", [Question("q", "1", marks=5)])
    after, changed = applied([known, row_of("c", 2.0, number="02")], [change], {"02": exercise})
    assert ([row.marks for row in after], len(changed)) == ([2, 5], 1)


def test_a_damaged_result_hides_no_other(tmp_path):
    """It counts as none, and its notebook is marked again."""
    result = Result("p.ipynb", "ann", "01", "T", GRADED, "x")
    results.save(tmp_path, result)
    for name in ("0.json", "z.json"):
        (tmp_path / "results" / name).write_text("{")
    assert results.kept(tmp_path) == {"p.ipynb": result}


@each_row("tasks", [[*ToDo, None], [None, ToDo.KEEP, ToDo.KEEP], [ToDo.MARK_AGAIN] * 3])
@each_row("force", [True, False])
def test_progress_goes_over_all_that_was_asked_for_and_what_counts_is_on_disk(tasks, force):
    """What is kept is done at the start; what had marks before stands, unless it is forced."""
    hand_ins, to_do = [], {}
    for number, task in enumerate(tasks):
        result = Result(f"p{number}", "ann", "01", "T", UNREADABLE, "x")
        hand_ins.append(HandIn(Submission(result.path, Named("ann")), "01", "ann", result=result))
        to_do[result.path] = task
    asked = [one for one in hand_ins if to_do[one.submission.path]]
    waiting = [one for one in asked if to_do[one.submission.path] is not ToDo.KEEP]
    matched = SimpleNamespace(asked=asked, waiting=waiting, to_do=to_do, answer_keys={})
    steps = []

    @contextmanager
    def progress(count):
        steps.append(count)
        yield lambda: steps.append("done")
        steps.append("end")

    with TemporaryDirectory() as folder:
        options = GradeOptions(key="k", out=folder, force=force)
        found = marking.mark(matched, options, progress)
        on_disk = results.kept(Path(folder))
    assert steps == [len(asked), *["done"] * len(asked), "end"]
    new = {one.submission.path: one.result for one in waiting}
    assert found.new == new
    assert found.standing == on_disk == {
        path: result for path, result in new.items() if force or to_do[path] is not ToDo.MARK_AGAIN
    }  # fmt: skip


def test_a_hand_in_that_is_neither_ready_nor_done_is_marked_by_nobody(tmp_path):
    """A worker stops there, and no result is made up."""
    options = GradeOptions(key="k", out=tmp_path)
    one = HandIn(Submission("p", Named("ann")), "01", "ann")
    matched = SimpleNamespace(asked=[one], waiting=[one], to_do={}, answer_keys={"01": None})
    with pytest.raises(Stopped):
        marking.mark(matched, options)
    assert not (tmp_path / "results").exists()
