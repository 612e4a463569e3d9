"""One round after another, over all small cases: what is marked, what stands, and when it came."""

from datetime import UTC, datetime, timedelta
from itertools import product
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.marking.collecting.owner_names import Named, Person
from irmetrics_edu.classroom.marking.collecting.rosters import WORKSHEET
from irmetrics_edu.classroom.marking.collecting.submissions import Submission
from irmetrics_edu.classroom.marking.matching import handed_in, lateness
from irmetrics_edu.classroom.marking.matching.lateness import LatenessRules
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.matching.rounds import ToDo, to_do
from irmetrics_edu.classroom.marking.matching.strays import main_and_strays, not_this_exercise
from irmetrics_edu.classroom.marking.results import (
    ELSEWHERE,
    GRADED,
    PARTLY,
    UNREADABLE,
    Result,
)
from irmetrics_edu.classroom.marking.reviewing.earlier_rows import EarlierRow, standing
from irmetrics_edu.classroom.marking.reviewing.gradebook import MISSING, Row
from irmetrics_edu.errors import InputError
from tests.tables import rows

WHEN = datetime(2026, 11, 20, 12, tzinfo=UTC)


def hand_in(student="ann", number="01", digest="f", path="p", inputs="i"):
    """A hand-in that could be read, by its place, its bytes and what its marks hang on."""
    submission = Submission(path, Named(student), digest=digest)
    return HandIn(submission, number, student, SimpleNamespace(inputs=inputs))


@pytest.mark.parametrize("status", [None, GRADED, PARTLY, UNREADABLE, ELSEWHERE])
def test_a_file_is_marked_if_it_is_new_or_has_no_marks_and_kept_if_nothing_changed(status):
    """An earlier file at its place counts only if it was of the same student and exercise."""
    one = hand_in()
    cases = product(
        ["01", "02", ""],  # the exercise of before
        ["ann", "ben", "gone"],  # its student: gone is on no roster
        ["f", "g", ""],  # its bytes
        ["i", "j"],  # what its marks hang on
        [True, False],  # --force
    )
    for number, student, file, inputs, force in cases:
        before = {}
        if status:
            before["p"] = Result("p", student, number, "", status, inputs, file=file)
        is_another = number == "02" or student == "ben"
        expected = ToDo.KEEP
        if status != GRADED or is_another:
            expected = ToDo.MARK
        elif file == "g":
            expected = ToDo.MARK_ANEW
        elif inputs == "j" or force:
            expected = ToDo.MARK_AGAIN
        assert to_do([one], before, {"ann", "ben"}, force=force) == {"p": expected}
    unknown = Result("p", "ann", "01", "", GRADED, "i", file="f")
    assert to_do([hand_in(number="")], {"p": unknown}, (), force=False) == {"p": ToDo.KEEP}


@rows("most", range(1, 13))
def test_an_exercise_is_a_stray_if_few_handed_it_in(most):
    """Half as many where nobody handed in both, a tenth where somebody did."""
    main = [(f"s{place}", "02") for place in range(most)]
    for others, both in product(range(1, most + 1), [False, True]):
        names = [f"s{place}" if both else f"o{place}" for place in range(others)]
        handed = [(name, "03") for name in names]
        is_stray = others * (10 if both else 2) <= most
        found = main_and_strays([*handed, *main, *main, ("x", "")])
        assert found == ("02", {"03"} if is_stray else set())
    # Of equally many the first by number is the exercise of the class.
    assert main_and_strays([("b", "05"), ("a", "04")]) == ("04", set())
    assert main_and_strays([("a", "")]) == ("", set())


def test_a_notebook_is_of_another_exercise_if_it_says_so_and_has_no_cell_of_this_one():
    """A question that a person marks is one of its questions, too."""
    questions = [SimpleNamespace(name="dcg"), SimpleNamespace(name="why")]
    source = SimpleNamespace(
        exercise=SimpleNamespace(every=questions), id_of=lambda name: f"01-{name}"
    )
    keys = {"01": SimpleNamespace(source=source)}
    for says, ids in product(["", "01", "02"], [(), ("01-dcg",), ("01-why",), ("02-dcg", "01-x")]):
        book = SimpleNamespace(exercise=says, ids=ids)
        is_other = says == "02" and not {"01-dcg", "01-why"} & set(ids)
        assert not_this_exercise(book, "01", keys) == ("02" if is_other else "")
        assert not_this_exercise(book, "", keys) == ""
    assert not_this_exercise(None, "01", keys) == ""


def earlier(student, number, *, file="", status=GRADED, is_result=True):
    """A row of an earlier round."""
    result = Result("q", student, number, "", status, "x", file=file) if is_result else None
    return EarlierRow(Row(Person(student), number, "s", "T", 5.0, status, result))


@pytest.mark.parametrize("is_listed", [True, False])
@pytest.mark.parametrize("has_roster", [True, False])
def test_a_row_stands_unless_this_round_has_something_in_its_place(is_listed, has_roster):
    """The student's own file, a member's of the group, or the same file under another name."""
    people = [Person("ann", group="A"), Person("cy")] if has_roster else []
    if has_roster and is_listed:
        people.append(Person("eve", "Eve Li"))
    known = has_roster and is_listed
    now = [hand_in("A" if has_roster else "ann", "01", "f1"), hand_in("cy", "", "f2", path="r")]
    cases = {
        ("ann", "01", "f9"): False,
        ("ann", "02", "f9"): True,
        ("ann", "", "f9"): False,  # what it was is not known, and there is something of ann's now
        ("cy", "01", "f9"): True,
        ("eve", "", "f9"): True,
        ("eve", "02", "f1"): known,  # the file counts for another name now
        ("eve", "01", "f2"): known,
        ("eve", "01", ""): True,
    }
    for (student, number, file), stands in cases.items():
        found = standing([earlier(student, number, file=file)], now, people)
        assert bool(found) is stands, (student, number, file)
        if found and student == "eve":
            assert found[0].row.person == Person("eve", "Eve Li" if known else "")
    for number in ("01", "02"):
        found = standing([earlier("eve", number, status=MISSING, is_result=False)], now, people)
        # The rows of an exercise of this round are made anew; nobody off the roster lacks anything.
        assert bool(found) is (number == "02" and (known or not has_roster))


RULES = LatenessRules(zone=lateness.zone_of("Europe/Vienna"), due={"": WHEN})


@pytest.mark.parametrize("due", [True, False])
def test_only_a_stamp_that_is_believed_is_a_time(due):
    """What is not certain of it is told where there is a deadline; a broken one always."""
    rules = RULES if due else LatenessRules()
    for believed, stamp in product([True, False], ["", "2026-11-20 12:00", "soon"]):
        submission = Submission("p", Named("ann"), stamp=stamp, believed=believed)
        [found] = handed_in.with_times(
            [HandIn(submission, "01", "ann", notes=("before",))], {}, rules, {}
        )
        notes = ["before"]
        when = None
        if believed and stamp == "soon":
            notes.append(lateness.NO_STAMP)
        elif believed and stamp:
            # At noon in Vienna it is eleven; without a rule it is taken for UTC.
            when = WHEN - timedelta(hours=1 if due else 0)
        assert found.submission.handed_in == when
        assert found.submission.clock == (lateness.STAMP if when else "")
        assert list(found.notes) == notes
    if due:
        rules = LatenessRules(due=rules.due)
        submission = Submission("p", Named("ann"), stamp="2026-11-20 12:00", believed=True)
        [found] = handed_in.with_times([HandIn(submission, "01", "ann")], {}, rules, {})
        assert found.notes == (lateness.AS_UTC,)


def test_the_time_of_a_file_is_its_own_then_the_students_and_a_groups_the_latest():
    """Of the exercise alone; without any the platform's time stays."""
    hour = timedelta(hours=1)
    places = [("ann", "p"), ("ben", "p"), ("A", ""), ("ann", ""), ("cy", "p"), ("ann", "q")]
    for given in product([False, True], repeat=len(places)):
        times = {("ann", "02", "p"): (WHEN + 99 * hour, "other")}
        for number, ((student, file), is_given) in enumerate(zip(places, given, strict=True)):
            if is_given:
                times[student, "01", file] = (WHEN + number * hour, f"clock {number}")
        submission = Submission("p", Named("A"), handed_in=WHEN, clock="stamp")
        [found] = handed_in.with_times(
            [HandIn(submission, "01", "A")], times, RULES, {"A": ["ann", "ben"]}
        )
        of_file = [number for number in (0, 1) if given[number]]
        of_any = [number for number in (2, 3) if given[number]]
        counting = (of_file or of_any or [None])[-1]
        if counting is None:
            assert (found.submission.handed_in, found.submission.clock) == (WHEN, "stamp")
        else:
            assert found.submission.handed_in == WHEN + counting * hour
            assert found.submission.clock == f"clock {counting}"


@rows("kinds", [*product([WORKSHEET, "own"], repeat=2)])
@rows("numbers", [[], ["01"], ["01", "01", ""], ["01", "02"]])
def test_a_worksheet_is_of_one_exercise(kinds, numbers):
    """One of two exercises, or two of them, can't be: nobody's time is guessed."""
    rosters = [SimpleNamespace(kind=kind, path=f"{place}.csv") for place, kind in enumerate(kinds)]
    hand_ins = [hand_in(number=number) for number in numbers]
    sheets = [one for one in rosters if one.kind == WORKSHEET]
    if sheets and (len(set(numbers) - {""}) > 1 or len(sheets) > 1):
        with pytest.raises(InputError, match=f"{sheets[0].path}: .* one assignment"):
            handed_in.worksheet_of(rosters, hand_ins)
        return
    found = handed_in.worksheet_of(rosters, hand_ins)
    if not sheets:
        assert found is None
    else:
        assert (found.roster, found.exercise) == (sheets[0], "01" if numbers else "")
