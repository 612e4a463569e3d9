"""What is given back, over all that can stand in a row: feedback, report, sentences, tables."""

import csv
import io
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion
from irmetrics_edu.classroom.marking.collecting.owner_names import Named, Person
from irmetrics_edu.classroom.marking.matching.code_tokens import all_hashes
from irmetrics_edu.classroom.marking.matching.lateness import Lateness
from irmetrics_edu.classroom.marking.matching.rounds import ToDo
from irmetrics_edu.classroom.marking.results import (
    ELSEWHERE,
    GRADED,
    PARTLY,
    UNREADABLE,
    QuestionMark,
    Result,
    WhyOpen,
)
from irmetrics_edu.classroom.marking.returning import (
    canvas_grades,
    class_report,
    course_total,
    exports,
    feedback,
    feedback_zips,
    side_by_side,
    summary,
)
from irmetrics_edu.classroom.marking.returning.course_total import ExerciseMark, Total
from irmetrics_edu.classroom.marking.returning.platform_points import maximum
from irmetrics_edu.classroom.marking.reviewing.gradebook import MISSING, QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import (
    DIFFER,
    MARKED,
    NONE,
    OPEN,
    HandMark,
    Manual,
)
from irmetrics_edu.classroom.marking.reviewing.similarity import Alike
from irmetrics_edu.errors import InputError
from tests.tables import rows as each_row

WHY = ByHand("why", "Why", [Criterion("reason", 2, "users stop."), Criterion("example", 1)])


def line_of(marks=3.0, out_of=4, *, manual=None, hand=None, regraded=None, said="", **question):
    """A line of a question; None where nothing is known of it."""
    mark = QuestionMark(
        "q", "Q", out_of, marks or 0.0, judged=marks is not None and hand is None, **question
    )
    return QuestionLine(mark, manual, hand, regraded, said)


def row_of(*lines, out_of=7.0, status=GRADED, number="01", student="ann", result=True, **row):
    """A row of these lines, with a result or without."""
    made = Result("ann.ipynb", student, number, "T", status, "x") if result is True else result
    return Row(
        Person(student), number, f"{number}_x", "T", out_of, status, made or None, lines, **row
    )


@pytest.mark.parametrize("out_of", [0.0, 7.0])
def test_the_total_says_what_is_known_of_it(out_of):
    """All of it, what there is so far, or none yet."""
    for marks in product([None, 0.0, 2.5], repeat=2):
        row = row_of(*map(line_of, marks), out_of=out_of)
        known = [mark for mark in marks if mark is not None]
        if len(known) == 2:
            expected = f"{sum(known):g} of {out_of:g}"
        elif not out_of:
            expected = "none yet"
        elif known:
            expected = f"{known[0]:g} so far, of 7"
        else:
            expected = "none yet, of 7"
        assert feedback.total(row) == expected


@each_row("judged", [True, False])
@each_row("manual", [None, Manual(), Manual(4.0), Manual(None, "Hm"), Manual(1, "No")])
def test_the_feedback_on_a_question_has_each_sentence_in_its_order(judged, manual):
    """What was found, where to read on, a limit, a change for all, and the teacher's own words."""
    texts = ["", "It used memory."]
    cases = product(texts, ["", "a label"], ["", "a book"], ["", "memory"], ["", "Agreed."])
    for text, label, read, limit, said in cases:
        line = line_of(
            3.0 if judged else None,
            manual=manual,
            said=said,
            text=text,
            told=("Told.",),
            label=label,
            read=read,
            limit=limit,
        )
        [part] = feedback.parts(row_of(line))
        expected = [text, "Told."] if text else ["Told."]
        if label and read:
            expected.append("Read on: a book.")
        if limit and not text:
            expected.append(
                "While this was marked, code of the notebook used up the limit of memory."
            )
        if said:
            expected.append("Looked at again: Agreed.")
        marks = 3.0 if judged else None
        if manual and manual.marks is not None:
            marks = manual.marks
            by = "Marked by your teacher"
            expected.append(f"{by}; the program gave 3." if judged else f"{by}.")
        if manual and manual.comment:
            expected.append(f"Your teacher writes: {manual.comment}")
        assert list(part.sentences) == expected
        assert part.marks == ("not marked yet / 4" if marks is None else f"{marks:g} / 4")
        assert part.right is (marks == 4)
        assert part.heading == "q: Q"
    bonus = feedback.parts(row_of(line_of(4.0, bonus=True, limit="memory")))[0]
    assert bonus.marks == "4 / 4, a bonus above the total"
    assert bonus.sentences == ()  # a right answer lost nothing by a limit
    whole = feedback.parts(row_of(line_of(None), manual=Manual(5.0)))[0]
    assert whole.marks == "no marks of its own / 4"


HANDS = [
    HandMark(WHY, MARKED, (2, 0.5), "Good"),
    HandMark(WHY, OPEN, (2, None), "Hm"),
    HandMark(WHY, DIFFER, note="a 1, b 2"),
    HandMark(WHY, NONE),
    HandMark(WHY, NONE, (), "Late"),
]


@pytest.mark.parametrize("hand", HANDS)
def test_a_rubric_says_each_criterion_or_why_there_are_no_points(hand):
    """Who wrote nothing is told so, unless the teacher's tables decide."""
    for by_table, in_all, regraded in product([None, 1.0], [None, 5.0], [None, 2.0]):
        manual = None if by_table is None else Manual(by_table)
        line = line_of(None, hand=hand, manual=manual, regraded=regraded)
        row = row_of(line, manual=None if in_all is None else Manual(in_all))
        sentences = list(feedback.parts(row)[0].sentences)
        is_decided = by_table is not None or regraded is not None
        waits = hand.state in {OPEN, DIFFER} and not is_decided and in_all is None
        expected = ["Your teacher has not marked this yet."] if waits else []
        if hand.state == NONE and not is_decided and in_all is None:
            expected.append("There is no answer yet.")
        if hand.state == MARKED:
            expected.append("reason: 2 of 2. Full points are for: users stop.")
            expected.append("example: 0.5 of 1.")
        if hand.comment and hand.state != OPEN:
            expected.append(f"Your teacher writes: {hand.comment}")
        if by_table is not None:
            expected.append("Marked by your teacher.")
        assert sentences == expected


@pytest.mark.parametrize("share", [None, Fraction(0), Fraction(1, 7), Fraction(1)])
def test_what_it_costs_to_be_late_is_said_with_the_marks_before_and_after(share):
    """Unless it costs nothing, or the teacher set the marks in all."""
    for marks, whole in product([None, 0.0, 3.0], [None, 2.0]):
        manual = None if whole is None else Manual(whole)
        row = row_of(line_of(marks, 3), lateness=Lateness("late by 1 d", share), manual=manual)
        [first, *rest] = feedback.notices(row)
        cost = ""
        if whole is None and share is None:
            cost = " Your teacher decides what that costs."
        elif whole is None and marks and share:
            off = min(7 * share, marks)
            cost = (
                f" Marks before that: 3; taken off: {float(off):g}; left: {float(marks - off):g}."
            )
        assert first == f"Handed in late by 1 d.{cost}"
        assert ("The marks in all were set by your teacher." in rest) is (whole is not None)
    assert feedback.notices(row_of(line_of())) == []


@pytest.mark.parametrize("status", [GRADED, UNREADABLE, ELSEWHERE])
def test_the_feedback_on_a_file_says_why_it_has_no_marks_whose_it_is_and_which_counts(status):
    """Each notice only where it is so."""
    for why, marks, group, others in product(
        ["", "it is empty"], [None, 3.0], ["", "A"], [(), "xy"]
    ):
        result = Result("p", "ann", "01", "T", status, "x", why=why, remedy="Again.")
        manual = Manual(marks, "Seen") if marks else None
        row = row_of(result=result, manual=manual, group=group, others=tuple(others))
        expected = []
        if why:
            is_other = status == ELSEWHERE
            start = "It is empty." if is_other else "This could not be read: it is empty."
            expected.append(f"{start} Again.")
            if not marks:
                expected.append(
                    "It has no marks, not even 0, until you hand in a notebook that can be marked, "
                    "or your teacher decides."
                )
        if marks:
            expected += ["The marks in all were set by your teacher.", "Your teacher writes: Seen"]
        if group:
            expected.append("Handed in by the group A.")
        if others:
            expected.append("You handed in 3 files; this is the one that counts.")
        assert feedback.notices(row) == expected


def test_errors_are_told_unless_all_is_right_or_a_question_says_them():
    """Below a sentence that says what they are."""
    told = ("KeyError: 'x'.", "NameError: y.")
    result = Result("p", "ann", "01", "T", GRADED, "x", told=told)
    for marks, text in product([4.0, 3.0], ["", "It raises KeyError: 'x'."]):
        row = row_of(line_of(4.0), line_of(marks, text=text), result=result)
        left = [] if marks == 4 else [one for one in told if one not in text]
        notices = feedback.notices(row)
        assert notices[1:] == left
        assert len(notices) == (len(left) + 1 if left else 0)


# -- the report


def looked_at(row):
    """What there is to see in a row."""
    return class_report._to_look_at(row)


@pytest.mark.parametrize("status", [GRADED, PARTLY, UNREADABLE, MISSING])
def test_a_row_has_all_that_a_teacher_should_look_at(status):
    """Its state, its lateness, notes on times, of the result and of copies, and other files."""
    for late, share, why in product(
        ["", "late"], [Fraction(0), Fraction(1, 7)], ["", "it is empty"]
    ):
        result = Result("p", "ann", "01", "T", status, "x", why=why, remedy="Again.", notes=("n",))
        is_there = status != MISSING
        row = row_of(
            line_of(3.0),
            status=status,
            result=result if is_there else None,
            lateness=Lateness(late, share),
            times=("no clock",),
            copied=("right for ben",),
            others=("old.ipynb",),
        )
        expected = [] if status == GRADED else [status]
        if late:
            expected.append("late: 1 taken off 3" if share else "late")
        expected.append("no clock")
        if is_there:
            if why:
                expected.append("it is empty. Again.")
            expected += ["n", "right for ben"]
        expected.append("does not count, another one does: old.ipynb")
        assert looked_at(row) == expected


@pytest.mark.parametrize("tampered", [True, False])
def test_a_question_has_all_that_a_teacher_should_look_at(tampered):
    """What the code did, the limit that it met, what was carried, and why it is open."""
    for limit, carried, judged, seen in product(
        ["", "memory"], [(), ("a", "b")], [True, False], [(), "s"]
    ):
        line = line_of(
            3.0 if judged else None,
            tampered=tampered,
            limit=limit,
            carried=carried,
            seen=tuple(seen),
            text="It could not be graded.",
        )
        expected = [f"q: {one}" for one in seen]
        if tampered:
            expected.append("q: the code wrote on the grader's channel")
        elif limit:
            expected.append("q: limit of memory")
        if carried:
            expected.append("q: judged with the right a and b in its place")
        if not judged:
            expected.append("q: It could not be graded.")
        assert looked_at(row_of(line)) == expected


@pytest.mark.parametrize("hand", HANDS[:4])
def test_an_answer_that_waits_for_a_person_is_looked_at(hand):
    """With what markers gave, if they differ; no longer if the whole has marks, or it has."""
    for by_table, in_all in product([None, 0.5, 2.5, 3.0], [None, 9.0]):
        line = line_of(None, hand=hand, manual=None if by_table is None else Manual(by_table))
        row = row_of(line, manual=None if in_all is None else Manual(in_all))
        given = {MARKED: 2.5, NONE: 0.0}.get(hand.state)
        expected = []
        if by_table is not None and given is not None and by_table < given:
            expected = [
                f"q: the mark in manual.csv is the lower one: {by_table:g}, without it: 2.5"
            ]
        elif by_table is None and given is None and in_all is None:
            where = "to be marked by hand, in by-hand/marking.html"
            differ = "markers differ, and it stays open until they agree: a 1, b 2"
            expected = [f"q: {differ if hand.state == DIFFER else where}"]
        assert looked_at(row) == expected


def test_equal_lines_are_one_with_the_students_of_each_file():
    """Those of a group have one file; another exercise, or other words, is another line."""
    rows = [
        row_of(student="ann", times=("x.",)),
        row_of(student="ben", times=("x",), result=Result("b", "ben", "01", "T", GRADED, "x")),
        row_of(student="cy", times=("x",)),
        row_of(student="di", number="02", times=("x",)),
        row_of(student="ed", times=("y", "x")),
        row_of(student="flo"),
    ]
    assert class_report._attention(rows).lines == [
        ["ann; cy; ben", "01", "ann.ipynb; b", "x"],
        ["di", "02", "ann.ipynb", "x"],
        ["ed", "01", "ann.ipynb", "y; x"],
    ]


def test_an_exercise_has_a_line_with_its_states_and_figures():
    """Of those with marks alone; a section each, if there are any."""
    rows = [row_of(line_of(mark), student=f"s{mark}") for mark in (1.0, 2.0, 4.0)]
    rows += [row_of(line_of(None), student="x", status=PARTLY)]
    rows += [row_of(student="y", number="02", status=MISSING, result=None)]
    assert class_report._exercises(rows[::-1]).lines == [
        ["01 T", "7", "3 graded, 1 partly graded", "3", "2.33", "2", "1", "4"],
        ["02 T", "7", "1 nothing handed in", "0", "", "", "", ""],
    ]
    sections = [row_of(line_of(1.0), student="a"), row_of(line_of(3.0), student="b")]
    persons = [Person("a", section="Mo"), Person("b")]
    made = [Row(**{**vars(row), "person": who}) for row, who in zip(sections, persons, strict=True)]
    lines = class_report._exercises(made).lines
    assert [(line[0], line[3], line[4]) for line in lines] == [
        ("01 T", "2", "2"), ("section (none)", "1", "3"), ("section Mo", "1", "1")
    ]  # fmt: skip


def test_mistakes_are_counted_the_most_frequent_first():
    """By exercise, question, name and words."""
    labels = [("01", "b"), ("01", "a"), ("01", "b"), ("02", "c"), ("01", "d"), ("01", "")]
    rows = [row_of(line_of(0.0, label=one, says=f"of {one}"), number=n) for n, one in labels]
    assert class_report._mistakes(rows).lines == [
        ["01 q", "b", "of b", "2"],
        ["01 q", "a", "of a", "1"],
        ["01 q", "d", "of d", "1"],
        ["02 q", "c", "of c", "1"],
    ]


def test_each_way_in_which_code_ran_is_told_once():
    """And that one is not secure."""
    kinds = [("ns", True, "3.11"), ("plain", False, ""), ("ns", True, "3.11"), ("", True, "")]
    rows = [row_of(result=None)]
    for tier, secure, python in kinds:
        one = Result("p", "a", "01", "T", GRADED, "x", tier=tier, holds=tier, secure=secure)
        rows.append(row_of(result=Result(**{**vars(one), "python": python})))
    assert [way.sentence for way in class_report.ways(rows)] == [
        "How the code was run: ns, by 3.11.",
        "How the code was run: plain. This is not a secure sandbox.",
    ]


# -- what is said at the end


@each_row("count", [0, 1, 5, 6, 19, 20, 21, 30])
def test_of_many_lines_the_first_are_shown_and_the_rest_is_counted(count):
    """Twenty lines, and five names."""
    lines = summary.listed([f"l{place}" for place in range(count)])
    more = [f"  and {count - 20} more"] if count > 20 else []
    assert lines == [f"  l{place}" for place in range(min(count, 20))] + more
    said = [*summary.of_earlier([row_of(student=f"s{place}") for place in range(count)])]
    names = "; ".join(f"s{place}" for place in range(min(count, 5)))
    rest = f"; and {count - 5} more" if count > 5 else ""
    where = "exercise 01: as before, without a file in this round: "
    assert said == ([f"{where}{names}{rest}"] if count else [])
    [unknown] = summary.of_earlier([row_of(number="")])
    assert unknown.startswith("exercise ?: as before")


@each_row("counts", [*product([0, 1, 2], repeat=5)][::7])
def test_files_are_counted_by_what_was_done_with_them(counts):
    """What can't be read is counted apart, whatever was to be done."""
    hand_ins, to_do = [], {}
    for task, count in zip([*ToDo, None], counts, strict=True):
        for number in range(count):
            path = f"{task}{number}"
            ready = None if task is None else 1
            hand_ins.append(SimpleNamespace(ready=ready, submission=SimpleNamespace(path=path)))
            to_do[path] = task or ToDo.MARK
    new, anew, again, kept, without = counts
    said = f"{new} newly graded"
    said += f", {anew} handed in anew" if anew else ""
    said += f", {without} that can't be graded" if without else ""
    said += f", {kept} kept as they were"
    said += f", {again} graded again" if again else ""
    assert summary.of_round(hand_ins, to_do) == said


def test_marks_that_differ_are_told_by_name():
    """Those that are new only where all new results would count."""
    before = [row_of(line_of(3.0)), row_of(line_of(1.0), student="ben"), row_of(student="cy")]
    after = [
        row_of(line_of(2.0)),
        row_of(line_of(1.0), student="ben"),
        row_of(line_of(1.0), student="cy"),
    ]
    changes = [
        "  ann, exercise 01: q 3 -> 2, marks 3 -> 2",
    ]
    since = summary.changed_since(exports.as_data(before), after)
    assert since == [f"{summary.SINCE}: 1", *changes]
    would = summary.would_change(before, after)
    new = "  cy, exercise 01: q none -> 1, penalty none -> 0, marks none -> 1, out of none -> 7"
    assert would == [f"{summary.WOULD}: 2", *changes, new]
    assert summary.changed_since(exports.as_data(after), after) == []
    gone = summary.changed_since(exports.as_data(before[:1]), [])
    assert gone[1:] == [
        "  ann, exercise 01: q 3 -> none, penalty 0 -> none, marks 3 -> none, out of 7 -> none"
    ]


def test_what_waits_for_the_teacher_is_said():
    """Copies of nobody, other data, rows without marks and why, a sandbox that is not secure."""
    insecure = Result("p", "di", "01", "T", GRADED, "x", tier="plain", holds="h", why="it is empty")
    rows = [
        row_of(line_of(None, why_open=WhyOpen.NOBODYS.value), line_of(1.0), student="ann"),
        row_of(line_of(None, why_open=WhyOpen.OTHER_DATA.value), student="ben", number=""),
        row_of(line_of(None, hand=HANDS[2]), student="cy", status="to be marked by hand"),
        row_of(student="di", result=insecure),
        row_of(line_of(2.0), student="ed"),
    ]
    nobodys, other, heading, *rest = summary.to_look_at(rows, Path("out"))
    assert nobodys.startswith("copies of nobody in the class, whose values are not marked: 1;")
    assert other.startswith("copies with other data than the source draws now, ")
    assert " not marked: 1; grade with" in other
    assert heading == "without marks, look at these:"
    assert rest == [
        "  ann, exercise 01: graded",
        "  ben, exercise ?: graded",
        "  cy, exercise 01: to be marked by hand, as markers differ",
        "  di, exercise 01: it is empty",
        "How the code was run: h. This is not a secure sandbox.",
        f"see {Path('out/report.html')}, {Path('out/marks.csv')} and {Path('out/feedback')}",
    ]
    assert len([*summary.to_look_at(rows[4:], Path("out"))]) == 1


# -- tables


@pytest.mark.parametrize("group", ["", "A"])
def test_a_table_of_marks_has_a_column_for_each_question(group):
    """And one for groups, if there are any; what is not known is an empty cell."""
    why = Result("p", "ben", "02", "T", UNREADABLE, "x", why="it is empty", remedy="Again.")
    rows = [
        row_of(line_of(2.5), line_of(None)),
        row_of(
            line_of(1.0), student="ben", number="02", group=group, result=why, status=UNREADABLE
        ),
        row_of(student="cy", result=None, status=MISSING, number="02", out_of=0.0),
    ]
    rows[0] = Row(
        **{**vars(rows[0]), "lines": (line_of(2.5), QuestionLine(QuestionMark("r", "R", 1)))}
    )
    head, *lines = csv.reader(io.StringIO(exports.marks(rows)))
    own = ["group"] if group else []
    assert head == ["student", "name", "section", *own, "exercise", "status", "late", "raw marks",
                    "penalty", "marks", "out of", "remedy", "01 q", "01 r", "02 q"]  # fmt: skip
    blank = [""] if group else []
    assert lines == [
        ["ann", "", "", *blank, "01", GRADED, "", "2.5", "0", "2.5", "7", "", "2.5", "0", ""],
        ["ben", "", "", *blank, "02", UNREADABLE, "", "1", "0", "1", "7", "it is empty. Again.",
         "", "", "1"],
        ["cy", "", "", *blank, "02", MISSING, "", "", "", "", "", "", "", "", ""],
    ]  # fmt: skip
    first, second, third = exports.as_data(rows)
    assert second.get("group", "") == group
    assert "group" not in first
    assert (first["file"], third["file"], third["out of"], third["marks"]) == (
        "ann.ipynb",
        "",
        None,
        None,
    )
    assert first["questions"] == {"q": 2.5, "r": 0}
    assert exports.brief(rows[2]) == ["nothing handed in."]
    assert exports.of_exercises(rows, {"02"}) == rows[1:]


EXERCISE = canvas_grades.GradedExercise("04", "Graded Relevance", 7)


@each_row(
    ("columns", "fits"),
    [
        (["Graded relevance"], [0]),
        (["Exercise 4", "Exercise 14"], [0]),
        (["exercise 04: graded relevance", "Exercise 4: other"], [0]),
        (["Exercise 4: other", "Exercise 40"], [0]),
        (["Exercise 4: a", "Exercise 04: b"], [0, 1]),
        (["Graded relevance, part 2", "4", "04"], []),
        (["Exercise 04", "Graded Relevance"], [0, 1]),
    ],
)
def test_a_column_is_an_exercises_by_its_title_or_number(columns, fits):
    """Whole names before those that begin so."""
    assignments = {f"{name} ({place})": name for place, name in enumerate(columns)}
    found = canvas_grades._fitting(EXERCISE, assignments)
    assert found == [[*assignments][place] for place in fits]


def test_a_name_means_one_column():
    """By its name, its id, or both; no or several columns are refused."""
    assignments = {
        "Warm-up (81)": "Warm-up",
        "Two (82)": "Two",
        "two (83)": "two",
        "Notes": "Notes",
    }
    for name in ("warm-up", "81", "(81)", "Warm-up (81)"):
        assert canvas_grades._called(name, assignments) == "Warm-up (81)"
    assert canvas_grades._called("Notes", assignments) == "Notes"
    for name, said in {"two": "several columns are", "8": "no column is"}.items():
        with pytest.raises(InputError, match=f"{said} .* are Warm-up .81.; Two .82.; two .83.$"):
            canvas_grades._called(name, assignments)


@each_row(("name", "canvas", "login"), [*product(["", "Ann"], ["", "9"], ["", "al"])])
def test_a_line_of_canvas_says_who_it_is(name, canvas, login):
    """A student without a number and a login is known by the name of the roster."""
    person = Person("m1", name, canvas=canvas, login=login, id="7", section="S")
    told = login or ("" if canvas else "m1")
    assert canvas_grades._who(person, "m1") == [name or "m1", canvas, "7", told, "S"]


def test_canvas_has_a_file_for_each_exercise_where_some_have_marks_for_one_alone():
    """Nothing that is not known goes into any of them."""
    ann, ben = row_of(line_of(2.0)), row_of(line_of(3.0), student="ben", number="02")
    open_ = row_of(line_of(None), number="02")
    files, said = canvas_grades.canvas_files([ann, ben, open_])
    assert sorted(files) == ["canvas-01.csv", "canvas-02.csv"]
    assert said[0] == canvas_grades.APART
    lines = {name: [*csv.reader(io.StringIO(text))] for name, text in files.items()}
    assert [line[5:] for line in lines["canvas-01.csv"]] == [["Exercise 01: T"], ["7"], ["2"]]
    assert [line[0] for line in lines["canvas-02.csv"][2:]] == ["ben"]
    both = [ann, row_of(line_of(1.0), number="02")]
    assert sorted(canvas_grades.canvas_files(both)[0]) == ["canvas.csv"]
    hidden = [ann, Row(**{**vars(ben), "anonymous": True})]
    assert sorted(canvas_grades.canvas_files(hidden)[0]) == ["canvas.csv"]
    # An exercise of which a hidden name alone has marks has no file.
    open_ = row_of(line_of(None), number="03")
    nobody = Row(**{**vars(row_of(line_of(2.0), number="03")), "anonymous": True})
    names = sorted(canvas_grades.canvas_files([ann, ben, open_, nobody])[0])
    assert names == ["canvas-01.csv", "canvas-02.csv"]
    most = [row_of(number=""), row_of(out_of=5.0), row_of(out_of=8.0), row_of(out_of=6.0)]
    assert [one.out_of for one in canvas_grades.exercises_of(most)] == [8]


@each_row(
    ("text", "value"),
    [
        ("100", 100), ("100.00", 100), (" 7,5 ", Fraction(15, 2)), ("0", None), ("0.0", None),
        ("", None), ("(read only)", None), ("-5", None), ("1e3", None), ("0.25", Fraction(1, 4)),
        ("1234567", None), ("12.1234567", None),
    ],
)  # fmt: skip
def test_a_maximum_is_a_number_above_0(text, value):
    """With a point or a comma."""
    assert maximum(text) == value


# -- the course


@each_row(
    ("rule", "text", "value"),
    [
        ("weight", "2", 2), ("weight", "0,5", Fraction(1, 2)), ("weight", "50 %", Fraction(1, 2)),
        ("weight", "0", 0), ("drop", "1", 1), ("drop", "1.5", None), ("best", "0.5", None),
        ("missing", "0.25", Fraction(1, 4)), ("band", "90", Fraction(9, 10)),
        ("band", "87,5%", Fraction(7, 8)), ("weight", "-1", None), ("weight", "", None),
        ("weight", "1.2.3", None), ("weight", "1e3", None), ("weight", "٣", None),
        ("weight", "12345678", 12_345_678), ("weight", "123456789", None), ("weight", "50%%", None),
    ],
)  # fmt: skip
def test_a_number_of_a_rule_is_exact(rule, text, value):
    """A share may be in percent, a band always is, and what is counted is whole."""
    if value is None:
        with pytest.raises(InputError, match=f"^here: {rule} .*; write it as "):
            course_total._number(text, rule, "here")
    else:
        assert course_total._number(text, rule, "here") == value


def test_a_total_is_shown_in_percent_a_half_up():
    """To two decimals, by whole numbers."""
    for numerator in range(0, 2001, 37):
        share = Fraction(numerator, 1999)
        hundredths = (2 * 10_000 * numerator + 1999) // (2 * 1999)
        assert Total("a", (), share, "", (), ()).percent == f"{hundredths / 100:g}"
    assert Total("a", (), None, "", (), ()).percent == ""
    assert Total("a", (), Fraction(5, 100_000), "", (), ()).percent == "0.01"


def test_the_history_of_a_student_says_what_counts():
    """Dropped, open, or yes; what is not known is empty."""
    marks = [
        ExerciseMark("01", GRADED, "late", 3.5, 7, Fraction(1, 2)),
        ExerciseMark("02", MISSING, "", None, 0.0, None),
        ExerciseMark("03", GRADED, "", 0.0, 3, Fraction(0)),
        ExerciseMark("04", MISSING, "", None, 5, Fraction(1, 3)),
    ]
    total = Total("ann", tuple(marks), None, "", ("03",), ("02",))
    assert [course_total._shown(mark, total) for mark in marks] == [
        ["01", "3.5", "7", "50", GRADED, "late", "yes"],
        ["02", "", "", "", MISSING, "", "open"],
        ["03", "0", "3", "0", GRADED, "", "dropped"],
        ["04", "", "5", "33.33", MISSING, "", "yes"],
    ]
    head, line = csv.reader(io.StringIO(course_total.as_csv([total])))
    assert head == ["student", "01", "02", "03", "04", "dropped", "open", "total %", "letter"]
    assert line == ["ann", "3.5", "", "0", "", "03", "02", "", ""]
    assert "open: 02" in course_total.as_html([total])


# -- zips and similar code


@each_row(
    ("path", "kind"),
    [
        ("leeann_1001_55_x.ipynb", "nbformat"),
        ("leeann_1001_55_x.html", "<!DOCTYPE html>"),
        ("leeann_LATE_1001_55_x.py", "# Exercise"),
        ("anon_aB3dE_55_x.md", "# Exercise"),
        ("leeann_1001_55_x.pdf", None),
        ("leeann_1001_text.html", None),
        ("x/leeann_1001_55_x.txt", "# Exercise"),
    ],
)
def test_feedback_for_canvas_is_what_the_name_of_the_file_says(path, kind):
    """Or it can't go back."""
    found = feedback_zips._of_canvas(path, row_of(line_of()))
    assert (found is None) is (kind is None)
    if found:
        assert found[0] == path.rpartition("/")[2]
        assert kind.lower() in found[1].lower()


FOLDER = "Ann Lee_55_assignsubmission_file_"


@each_row("number", ["", "55", "66"])
@each_row("group", ["", "A"])
@each_row("path", [f"{FOLDER}/x.ipynb", f"{FOLDER}x.ipynb", "other.ipynb"])
def test_feedback_for_moodle_goes_by_the_participants_number(number, group, path):
    """Of a group it is the member's own; the number of a file that is nobody's may be a group's."""
    person = Person("m1", "Ann Lee", moodle=number)
    row = Row(**{**vars(row_of(line_of(), group=group)), "person": person})
    for student, of_file in product(["ann", ""], ["55", ""]):
        submission = SimpleNamespace(who=Named(student, number=of_file))
        found = feedback_zips._of_moodle(path, row, submission)
        name = "feedback-01_x.html"
        expected = None
        if group or (number and number != of_file):
            expected = f"Ann Lee_{number}_assignsubmission_file/{name}" if number else None
        elif student and of_file and path.startswith("Ann"):
            expected = f"{FOLDER}/{name}" if "/" in path else f"{FOLDER}{name}"
        assert (found[0] if found else None) == expected


def test_similar_code_is_shown_where_it_stands_of_the_first_four():
    """Of one alone nothing is beside it."""
    place = side_by_side.SharedPlace
    assert str(place(2, 3, 3, "x")) == "cell 2, line 3"
    assert str(place(2, 3, 5, "x")) == "cell 2, lines 3 to 5"
    units = {f"s{number}": [place(1, 1, 2, f"<x{number}")] for number in range(6)}
    for count in range(7):
        shown = side_by_side.as_html(dict([*units.items()][:count]))
        assert bool(shown) is (count >= 2)
        for number in range(count):
            assert (f"&lt;x{number}" in shown) is (count >= 2 and number < 4)
    assert side_by_side.said(units).startswith("s0: cell 1, lines 1 to 2; s1: cell 1")
    rows = [row_of(student=name) for name in ("ann", "ben", "cy")]
    rows.append(row_of(student="di", result=None))
    code = "x = 1\n" + "y = [a + b for a, b in zip(c, d, strict=True)]\n" * 2 + "z = 1"
    cells = {("ann", "ann.ipynb"): ["q", code], ("ben", "ann.ipynb"): [code], ("di", ""): [code]}
    traces = frozenset(all_hashes([code.split("\n")[1]]))
    group = Alike(("ben", "ann", "cy", "di"), 9, 1.0, traces=traces)
    found = side_by_side.places(group, rows, cells)
    assert [*found] == ["ben", "ann"]
    assert [(one.cell, one.first, one.last) for one in found["ann"]] == [(2, 2, 3)]
    assert found["ben"][0].text == "\n".join(code.split("\n")[1:3])
