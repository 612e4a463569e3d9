"""The book of marks over all small cases: which mark counts, what lateness takes, which file it is.

The rules are those of docs/grading.md, written down again here as plainly as can be.
"""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import permutations, product
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion
from irmetrics_edu.classroom.marking.collecting.owner_names import Named, Person
from irmetrics_edu.classroom.marking.collecting.submissions import Submission
from irmetrics_edu.classroom.marking.matching.lateness import Lateness, LatenessRules
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.results import GRADED, QuestionMark, Result
from irmetrics_edu.classroom.marking.reviewing import gradebook
from irmetrics_edu.classroom.marking.reviewing.gradebook import GradeBook, QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import (
    DIFFER,
    MARKED,
    NONE,
    OPEN,
    HandMark,
    Manual,
)
from tests.tables import rows as each_row

WHY = ByHand("why", "Why", [Criterion("reason", 2), Criterion("example", 1)])
MANUAL = [None, Manual(), Manual(0.0), Manual(1.5)]
# What markers gave, and the marks that these are.
HANDS = [
    (None, None),
    (HandMark(WHY, MARKED, (1.25, 0.5)), 1.75),
    (HandMark(WHY, OPEN, (1.25, None)), None),
    (HandMark(WHY, DIFFER, (), note="a 1 2, b 2 2"), None),
    (HandMark(WHY, NONE), 0),
]


@pytest.mark.parametrize("manual", MANUAL)
def test_a_mark_in_manual_beats_all_others(manual):
    """Then a change for all, then points by hand, and last what the program found."""
    for regraded, (hand, by_hand), judged in product([None, 0.0, 2.5], HANDS, [True, False]):
        refuse_other_marks(manual, regraded, hand, by_hand, judged=judged)


def refuse_other_marks(manual, regraded, hand, by_hand, *, judged):
    """The marks of a line by the rule, beside those that it has."""
    line = QuestionLine(QuestionMark("q", "Q", 4, 3.0, judged=judged), manual, hand, regraded)
    by_program = 3.0 if judged else None
    rest = [regraded, by_hand if hand else by_program]
    without = rest[0] if rest[0] is not None else rest[1]
    own = manual.marks if manual else None
    assert line.marks == (own if own is not None else without)
    assert line.without_manual == without
    assert line.overruled is (own is not None or regraded is not None)
    if hand:
        assert sum(points for _, points in hand.each) == (1.75 if hand.state == MARKED else 0)


def row_of(marks, manual, share, out_of=7.0):
    """A row of questions with these marks, None where there are none yet."""
    lines = []
    for number, mark in enumerate(marks):
        question = QuestionMark(f"q{number}", "", 4, mark or 0.0, judged=mark is not None)
        lines.append(QuestionLine(question))
    return Row(
        Person("ann"),
        "01",
        "01_a",
        "A",
        out_of,
        GRADED,
        None,
        tuple(lines),
        manual,
        Lateness("late", share),
    )


SHARES = [None, Fraction(0), Fraction(1, 3), Fraction(1, 7), Fraction(1)]
EACH = [(), (2.5,), (None,), (0.0, 3.2001), (2.5, None), (0.1, 0.2, -1.0), (1.23456, 0.5)]


@each_row("marks", EACH)
def test_lateness_takes_a_share_of_the_full_marks_and_no_more_than_there_is(marks):
    """What is not known is not 0; marks for the whole are final, however late it is."""
    for manual, share in product(MANUAL, SHARES):
        refuse_other_totals(marks, manual, share)


def refuse_other_totals(marks, manual, share):
    """The marks of a row by the rule, beside those that it has."""
    row = row_of(marks, manual, share)
    whole = manual.marks if manual else None
    known = [Fraction(str(mark)) for mark in marks if mark is not None]
    raw = sum(known, Fraction(0)) if marks and len(known) == len(marks) else None
    off = None
    if raw is not None and share is not None:
        off = min(7 * share, max(raw, Fraction(0)))
    if whole is not None:
        raw, off = Fraction(whole), Fraction(0)
    assert row.raw == (None if raw is None else round(float(raw), 4))
    assert row.penalty == (None if off is None else round(float(off), 4))
    assert row.marks == (None if off is None else pytest.approx(float(raw - off), abs=1e-4))
    if off is not None:
        assert row.marks == round(row.marks, 4)
    left = sum(known, Fraction(0)) - 7 * (share or 0)
    lower = whole is not None and whole < round(float(left), 4)
    assert row.beaten == ((whole, round(float(left), 4)) if lower else None)


# -- which submission counts

EXERCISES = {
    "01": SimpleNamespace(title="A", marks=5.0, by_hand=[WHY]),
    "02": SimpleNamespace(title="B", marks=9.0, by_hand=[]),
}
KEYS = {
    number: SimpleNamespace(source=SimpleNamespace(stem=f"{number}_x", exercise=exercise))
    for number, exercise in EXERCISES.items()
}
READY = SimpleNamespace(general=True, whose="", cells=())
WHEN = datetime(2026, 11, 20, 12, tzinfo=UTC)


def handed_in(path, student="ann", number="01", *, when=None, ready=READY, stray=False, **who):
    """A hand-in of a student, as it comes out of the steps before."""
    submission = Submission(path, Named(student, **who), handed_in=when)
    return HandIn(submission, number, student, ready, stray=stray)


def result_of(one, marks=1.0, bonus=()):
    """The result of a hand-in of two questions, with a bonus or without."""
    questions = [QuestionMark("q", "Q", 4, marks), QuestionMark("r", "R", 3, 0.0)]
    questions += [QuestionMark(name, "", 2, 0.0, bonus=True) for name in bonus]
    return Result(
        one.submission.path, one.student, one.number, "A", GRADED, "x", questions=tuple(questions)
    )


def book_of(hand_ins, people=(), *, attempt="last", rules=None, manual=None, **result):
    """The rows of a class."""
    results = {one.submission.path: result_of(one, **result) for one in hand_ins}
    rules = rules or LatenessRules()
    book = GradeBook(results, KEYS, manual or {}, people, rules, attempt)
    return book.rows(hand_ins)


IN_ORDER = [
    ["77.ipynb", "77 (1).ipynb", "77-2.ipynb", "77_(10).ipynb", "77 - 11.ipynb"],
    ["a2.ipynb", "a2 (3).ipynb", "a10.ipynb", "a10-1.ipynb"],
    ["try 1/x.ipynb", "try 2/x.ipynb", "try 10/x.ipynb"],
    ["a.ipynb", "b.ipynb", "b (1).ipynb", "c.ipynb"],
    ["x-1.ipynb", "x-999.ipynb", "x-1000.ipynb"],
]


@pytest.mark.parametrize("paths", IN_ORDER, ids=lambda paths: paths[0])
def test_without_times_attempts_are_in_the_order_of_the_numbers_in_their_names(paths):
    """Whatever order they are found in; and that it is by names is said of the last alone."""
    hand_ins = [handed_in(path) for path in paths]
    for order in [hand_ins, hand_ins[::-1], [*hand_ins[1:], hand_ins[0]]]:
        [last] = book_of(order)
        [first] = book_of(order, attempt="first")
        assert (last.result.path, last.others) == (paths[-1], tuple(paths[:-1]))
        assert (first.result.path, first.others) == (paths[0], tuple(paths[1:]))
        assert last.times == (gradebook.BY_NAME,)
        assert first.times == ()


@each_row("minutes", [*permutations([0, 1, 2])])
@each_row("unreadable", [None, 0, 1, 2])
def test_times_come_before_names_and_what_can_be_read_before_what_cannot(minutes, unreadable):
    """The last by its time; a file that can't be read counts only if there is no other."""
    hand_ins = []
    for place, minute in enumerate(minutes):
        ready = None if place == unreadable else READY
        when = WHEN + timedelta(minutes=minute)
        hand_ins.append(handed_in(f"{place}.ipynb", when=when, ready=ready))
    by_time = sorted(range(3), key=lambda place: minutes[place])
    counting = [place for place in by_time if place != unreadable][-1]
    [row] = book_of(hand_ins)
    assert row.result.path == f"{counting}.ipynb"
    assert row.others == tuple(f"{place}.ipynb" for place in by_time if place != counting)
    assert row.times == ()
    [row] = book_of(hand_ins[:1])
    assert (row.result.path, row.others, row.times) == ("0.ipynb", (), ())


def test_each_student_has_a_row_for_each_exercise_of_the_class():
    """Not for a stray's; the platform's test account has none; a group's file is each member's."""
    people = [
        Person("ann", group="A"),
        Person("ben", group="A"),
        Person("cy"),
        Person("Student, Test", "Student, Test", canvas="9"),
        Person("di"),
    ]
    hand_ins = [
        handed_in("a.ipynb", "A", "01"),
        handed_in("c.ipynb", "cy", "02"),
        handed_in("u.ipynb", "di", ""),
        handed_in("v.ipynb", "di", ""),
        handed_in("e.ipynb", "eve", "01"),
    ]
    rows = book_of(hand_ins, people)
    found = [(row.exercise, row.student, row.status, row.group) for row in rows]
    missing = gradebook.MISSING
    assert found == [
        ("", "di", GRADED, ""),
        ("", "di", GRADED, ""),
        ("01", "ann", GRADED, "A"),
        ("01", "ben", GRADED, "A"),
        ("01", "cy", missing, ""),
        ("01", "di", missing, ""),
        ("01", "eve", GRADED, ""),
        ("02", "ann", missing, ""),
        ("02", "ben", missing, ""),
        ("02", "cy", GRADED, ""),
        ("02", "di", missing, ""),
    ]
    assert [row.unit for row in rows if row.group] == ["A", "A"]
    titles = {(row.exercise, row.stem, row.title) for row in rows}
    assert titles == {("", "unknown", "unknown exercise"), ("01", "01_x", "A"), ("02", "02_x", "B")}
    of_stray = [*hand_ins[:1], handed_in("c.ipynb", "cy", "02", stray=True)]
    found = {(row.exercise, row.student) for row in book_of(of_stray, people)}
    assert ("02", "ann") not in found
    assert ("02", "cy") in found
    assert ("01", "cy") in found


@pytest.mark.parametrize("hidden", [True, False])
def test_who_handed_in_nothing_is_not_known_where_names_are_hidden(hidden):
    """Only a participant without a name can be missing there."""
    people = [Person("ann"), Person("P 9", "Participant 9", moodle="9")]
    hand_ins = [handed_in("x.ipynb", "P 8", anonymous=hidden), handed_in("y.ipynb", "di", "02")]
    rows = book_of(hand_ins, people)
    found = {(row.student, row.exercise): row.anonymous for row in rows}
    expected = {
        ("P 8", "01"): hidden,
        ("di", "02"): False,
        ("P 9", "01"): True,
        ("P 9", "02"): True,
    }
    expected[("ann", "02")] = False
    if not hidden:
        expected[("ann", "01")] = False
    assert found == expected


def test_a_row_is_out_of_its_own_questions_and_of_those_by_hand():
    """A bonus is above the total; without questions of its own, the source's total counts."""
    one = handed_in("x.ipynb")
    [row] = book_of([one], bonus=("b",))
    assert row.out_of == 4 + 3 + 3
    [other] = book_of([handed_in("y.ipynb", number="02")], bonus=("b", "c"))
    assert other.out_of == 7
    missing = [row.out_of for row in book_of([one], [Person("ben")]) if not row.result]
    assert missing == [5]
    bare = Result("x.ipynb", "ann", "01", "A", "unreadable", "x")
    [row] = GradeBook({"x.ipynb": bare}, KEYS, {}, (), LatenessRules(), "last").rows([one])
    assert row.out_of == 5
    assert GradeBook({}, KEYS, {}, (), LatenessRules(), "last").rows([one]) == []


def test_a_row_has_the_teachers_marks_of_its_student_exercise_and_question():
    """Of one question, of the whole, and of nobody else."""
    manual = {
        ("ann", "01", "q"): Manual(2.0),
        ("ann", "01", ""): Manual(None, "seen"),
        ("ben", "01", "r"): Manual(1.0),
        ("ann", "02", "r"): Manual(0.5),
    }
    [row] = book_of([handed_in("x.ipynb")], manual=manual)
    assert [line.manual for line in row.lines] == [Manual(2.0), None]
    assert row.manual == Manual(None, "seen")
    assert row.marks == 2


@pytest.mark.parametrize("due", ["", "01", "02", None])
def test_what_is_said_and_taken_for_lateness(due):
    """By the extension of the student, or else of the group, and with a note where a fact lacks."""
    extended = [None, "ann", "ben", "A"]
    whos = ["alone", "in a group", "hidden"]
    for case in product(extended, [None, -1, 1], [None, False, True], whos):
        refuse_other_lateness(due, *case)


def refuse_other_lateness(due, extended, hours, marked, who):
    """The lateness of a file by the rules, beside that of its row."""
    rules = LatenessRules(
        due={} if due is None else {due: WHEN},
        extensions={(extended, ""): timedelta(hours=2)} if extended else {},
        penalty=Fraction(1, 10),
    )
    people = [Person("ann", group="A")] if who == "in a group" else []
    one = handed_in(
        "x.ipynb",
        "A" if people else "ann",
        when=None if hours is None else WHEN + timedelta(hours=hours),
        late=marked,
        anonymous=who == "hidden",
    )
    [row] = [row for row in book_of([one], people, rules=rules) if row.result]
    has_more = extended == "ann" or (extended == "A" and bool(people))
    is_due = due in {"", "01"}
    if hours is not None and is_due:
        late = hours > (2 if has_more else 0)
        share = Fraction(late, 10)
    else:
        late = bool(marked)
        share = None if late else 0  # how late it is nobody knows, and a day costs something
    assert bool(row.late) is late
    assert row.lateness.share == share
    notes = ()
    if share is None:
        notes = (gradebook.NO_STEP,)
    elif late and who == "hidden" and extended:
        notes = (gradebook.NAMELESS,)
    elif is_due and hours is None and marked is None:
        notes = (gradebook.UNTIMED,)
    assert row.times == notes


@pytest.mark.parametrize(("stamp", "believed"), [*product(["", "2026-11-20 12:00"], [True, False])])
def test_a_stamp_that_is_not_believed_is_told_of(stamp, believed):
    """Beside what it would have said: when the file was handed in."""
    one = handed_in("x.ipynb")
    submission = Submission("x.ipynb", Named("ann"), stamp=stamp, believed=believed)
    one = HandIn(submission, "01", "ann", one.ready)
    [row] = book_of([one], rules=LatenessRules(due={"01": WHEN}))
    told = [gradebook.UNTIMED]
    if stamp and not believed:
        told.append(gradebook.UNBELIEVED)
    assert list(row.times) == told


def test_the_lateness_of_a_file_of_no_exercise_is_that_of_the_platforms_mark():
    """No deadline is known for it."""
    rules = LatenessRules(due={"": WHEN}, late_mark=Fraction(1, 5))
    when = WHEN + timedelta(hours=1)
    [row] = book_of([handed_in("x.ipynb", number="", when=when)], rules=rules)
    assert (row.late, row.lateness.share, row.times) == ("", 0, ())
    [row] = book_of([handed_in("x.ipynb", number="", late=True)], rules=rules)
    assert (row.late != "", row.lateness.share, row.times) == (True, Fraction(1, 5), ())
