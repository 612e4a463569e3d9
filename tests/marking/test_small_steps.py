"""Single steps of marking, each over all that can stand before it, with parts that are made up."""

import csv
import hashlib
import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.exercises.answer_checks import AnswerVerdict
from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial, Wrong
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.outcome import Answer, NoValue, RunOutcome
from irmetrics_edu.classroom.grading.tiers import Tier
from irmetrics_edu.classroom.marking import mark as marking
from irmetrics_edu.classroom.marking import match, results
from irmetrics_edu.classroom.marking.collecting import archives, owner_names, rosters, submissions
from irmetrics_edu.classroom.marking.collecting.notebook import AGAIN, NO_FILE, parse
from irmetrics_edu.classroom.marking.collecting.owner_names import Named, Person
from irmetrics_edu.classroom.marking.collecting.rosters import CANVAS, OWN, Roster
from irmetrics_edu.classroom.marking.collecting.submissions import Submission
from irmetrics_edu.classroom.marking.grade_options import GradeOptions
from irmetrics_edu.classroom.marking.matching import lateness, ownership
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.ownership import (
    Copies,
    CopyKind,
    CopyKinds,
    HandIn,
)
from irmetrics_edu.classroom.marking.matching.rounds import ToDo
from irmetrics_edu.classroom.marking.results import (
    GRADED,
    UNREADABLE,
    QuestionMark,
    Result,
    WhyOpen,
)
from irmetrics_edu.classroom.marking.returning import (
    all_files,
    canvas_grades,
    class_report,
    course_total,
    moodle_worksheet,
    side_by_side,
)
from irmetrics_edu.classroom.marking.reviewing import gradebook, marking_page, regrading
from irmetrics_edu.classroom.marking.reviewing.copied_values import CopiedValues
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import (
    MARKED,
    NONE,
    HandMark,
    Manual,
    Saved,
    read_manual,
)
from irmetrics_edu.classroom.marking.reviewing.handing_marks import _marked
from irmetrics_edu.classroom.marking.running import mark_submission, run_cells
from irmetrics_edu.classroom.marking.running.child_runs import WALL, Patience, Turns
from irmetrics_edu.classroom.marking.running.judging_run import RunJudgment
from irmetrics_edu.classroom.marking.running.mark_submission import MarkedQuestion, Stopped
from irmetrics_edu.classroom.marking.running.readings import NotebookReading
from irmetrics_edu.classroom.marking.running.run_cells import QuestionRun
from irmetrics_edu.errors import InputError
from tests.marking.conftest import KEY, SOURCE
from tests.tables import rows

PLAIN = Tier("plain")


@pytest.fixture(scope="module")
def the_class(make_class):
    """A class with nothing handed in."""
    return make_class()


# -- a round


def waiting(ready):
    """A round in which Ann's notebooks wait to be marked, each with what it is read to."""
    hand_ins = []
    for number, one in enumerate(ready):
        submission = Submission(f"p{number}", Named("ann"))
        hand_ins.append(HandIn(submission, "01", "ann", ready=one))
    to_do = {one.submission.path: ToDo.MARK for one in hand_ins}
    return SimpleNamespace(asked=hand_ins, waiting=hand_ins, to_do=to_do, answer_keys={"01": None})


def test_an_interrupt_stops_those_that_run_and_begins_no_other(tmp_path, monkeypatch):
    """The workers are told, what waits is let go, and the interrupt goes on to whoever called."""
    begun, let_go = [Event(), Event()], Event()
    ran, told = [], []

    class Pool(ThreadPoolExecutor):
        def shutdown(self, wait=True, *, cancel_futures=False):
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            let_go.set()
            super().shutdown(wait=wait)

    def mark_submission_(ready, _key, stop, _turns):
        ran.append(ready)
        begun[ready].set()
        if ready:
            assert begun[0].wait(10)
            raise KeyboardInterrupt
        assert begun[1].wait(10)
        told.append(stop.wait(10))
        let_go.wait(10)
        raise Stopped

    monkeypatch.setattr(marking, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr(marking, "mark_submission", mark_submission_)
    with pytest.raises(KeyboardInterrupt):
        marking.mark(waiting([0, 1]), GradeOptions(key="k", out=tmp_path, workers=2))
    assert (sorted(ran), told) == ([0, 1], [True])


def test_what_waits_when_a_round_is_interrupted_never_begins(tmp_path, monkeypatch):
    """However many there are."""
    ran = []

    class Pool(ThreadPoolExecutor):
        def submit(self, call, *given):
            future = super().submit(call, *given)
            if not ran:
                while not future.done():
                    pass
                # The one worker is held until the pool is let go.
                super().submit(held.wait, 10)
            return future

        def shutdown(self, wait=True, *, cancel_futures=False):
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            held.set()
            super().shutdown(wait=wait)

    held = Event()

    def interrupted(ready, *_given):
        ran.append(ready)
        raise KeyboardInterrupt

    monkeypatch.setattr(marking, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr(marking, "mark_submission", interrupted)
    ready = [SimpleNamespace(number=number) for number in range(4)]
    with pytest.raises(KeyboardInterrupt):
        marking.mark(waiting(ready), GradeOptions(key="k", out=tmp_path, workers=1))
    assert [one.number for one in ran] == [0]


def test_changes_for_all_are_read_of_a_source_that_has_become_older_than_the_package(
    tmp_path, the_class
):
    """A name in its questions that is gone by now is told where it is asked, as in grading."""
    source = tmp_path / "77_two.py"
    source.write_text(SOURCE.replace('"cg(grades)"', '"gone_by_now(grades)"'), "utf-8")
    table = tmp_path / "r.csv"
    table.write_text("rule,exercise,question,value,comment\ngive,77,dcg,1,why\n")
    collected = SimpleNamespace(sources=[source])
    [change] = match._changes(GradeOptions(key="k", out="o", regrade=table), collected)
    assert (change.rule, change.question, change.marks) == ("give", "dcg", 1)
    assert match._changes(GradeOptions(key="k", out="o"), collected) == ()
    del the_class


# -- one question


QUESTION = Question("c", "1", marks=4)


def carried(marked, verdict, *, stands, stop=False, language=""):
    """The mark of a question that is judged again with such a verdict."""

    def judged(*_given):
        if verdict is None:
            raise ValueError("the machine failed")
        return RunJudgment(verdict)

    asked = []

    def outcome(trial, reading, stand_ins):
        asked.append((trial.prefixes, trial.examples, reading, stand_ins))
        return RunOutcome((Answer(),), PLAIN), None

    trial = Trial([{"x": 1}], prefixes=[{"x": 2}], examples=[{"x": 3}])
    run = SimpleNamespace(
        question=QUESTION,
        ready=SimpleNamespace(
            language=language, whose="ann", general=False, data=SimpleNamespace(own={})
        ),
        answer_key=SimpleNamespace(trial=lambda *_, **__: trial),
        outcome=outcome,
    )
    stopping = Event()
    if stop:
        stopping.set()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(mark_submission, "judged", judged)
        stand_ins = [SimpleNamespace(name="a"), SimpleNamespace(name="b")] * stands
        patched.setattr(mark_submission.carry_forward, "replaced", lambda *_: stand_ins)
        found = mark_submission._carried(run, marked, stopping)
    assert asked == ([((), (), marked[1].reading, stand_ins)] if stands else [])
    return found


@rows("before", [0.0, 2.0, 4.0])
@rows("share", [0.0, 0.25, 0.5, 0.75, 1.0, None])
@rows("wrong", [None, Wrong("lab", "the square", why="Look.")])
def test_an_answer_that_is_judged_again_has_what_it_earns_more_and_no_less(before, share, wrong):
    """With the name of its mistake, and no value, message or limit of that run."""
    reading = NotebookReading((1,), True)
    old = QuestionMark("c", "C", 4, before, text="own", told=("t",), limit="memory", seen=("s",))
    marked = [MarkedQuestion(QuestionMark("a", "A", 1)), MarkedQuestion(old, reading=reading)]
    verdict = None if share is None else AnswerVerdict(share, wrong)
    found = carried(marked, verdict, stands=True)
    if share is None or 4 * share <= before:
        assert found == old
    else:
        assert (found.marks, found.told, found.limit, found.carried) == (
            4 * share, (), "", ("a", "b")
        )  # fmt: skip
        earned = "right" if share == 1 else f"{4 * share:g} of 4 marks"
        text = f"Judged with the right `a` and `b` in place of your own: {earned}."
        assert found.text == text + (f" {wrong.sentence} Look." if wrong else "")
        assert found.seen == ("s",)
    assert carried(marked, verdict, stands=False) == old
    assert carried(marked, verdict, stands=False, stop=True) == old


def test_a_round_that_is_stopped_judges_nothing_again():
    """What is not finished is kept by nobody."""
    marked = [MarkedQuestion(QuestionMark("a", "A", 1)), MarkedQuestion(QuestionMark("c", "C", 4))]
    with pytest.raises(Stopped):
        carried(marked, AnswerVerdict(1.0), stands=True, stop=True)


@rows("why", [*WhyOpen])
def test_an_open_question_has_no_marks_and_its_reason(why):
    """It is not judged, so that no mark of 0 is read into it."""
    found = mark_submission._open(QuestionMark("c", "C", 4), why, "words")
    assert (found.judged, found.why_open, found.text) == (False, why.value, "words")
    assert QuestionLine(found).marks is None


@rows("given", [*product([True, False], repeat=3)])
def test_one_answer_of_the_run_with_some_cells_is_enough(given):
    """The others may have been stopped by the answer itself."""
    stopped = RunOutcome((Answer(lack=NoValue.ENDED),) * 3, PLAIN, ended="it ended")
    again = RunOutcome(tuple(Answer(given=one) for one in given), PLAIN)
    outcomes = iter([stopped, again])
    run = QuestionRun(
        ready=SimpleNamespace(cells=("c = 1", "while 1: 0")),
        answer_key=SimpleNamespace(tier=PLAIN),
        question=QUESTION,
        patience=SimpleNamespace(run=lambda *_: next(outcomes)),
    )
    assert run.outcome(Trial([{}])) == ((again, stopped) if any(given) else (stopped, None))


def test_what_a_name_means_is_read_once_and_called_by_nobody(monkeypatch):
    """With the limits of the turn, after the cells that were asked for."""
    asked = []

    def run_question(cells, call, cases, limits, **more):
        asked.append((cells, call, cases, limits, more))
        return RunOutcome((Answer(given=True, value=3),), PLAIN)

    def patiently(cells, beside, once, tier, cases):
        asked.append((cells, beside, tier, cases))
        return once("limits")

    monkeypatch.setattr(run_cells, "run_question", run_question)
    run = QuestionRun(
        ready=SimpleNamespace(cells=("x = 3",)),
        answer_key=SimpleNamespace(tier=PLAIN),
        question=replace(QUESTION, packages=("numpy",)),
        patience=SimpleNamespace(run=patiently),
    )
    assert run.value_of("x", "y = x", (1,), "case").value == 3
    turn, (cells, call, cases, limits, more) = asked
    assert turn == (("x = 3",), (("numpy",), "y = x", (1,)), PLAIN, 1)
    assert (cells, cases, limits) == (("x = 3",), ["case"], "limits")
    assert (call.name, call.read, call.harness, call.order) == ("x", True, "y = x", (1,))
    assert (more["tier"], more["packages"]) == (PLAIN, ("numpy",))


@rows("number", [1, 2, 3])
def test_of_a_run_that_was_cut_the_first_answer_stands_for_all_that_are_asked(number):
    """The cells would only be cut again, however many calls there are."""
    limits = SandboxLimits(wall=0.1, submission=1000)
    patience = Patience(Turns(1), limits)
    answers = [Answer(why=f"w{place}", lack=NoValue.ENDED) for place in range(2)]
    cut = RunOutcome(tuple(answers), PLAIN, limit=WALL)
    patience.run(["a"], "", lambda _: cut, PLAIN, 2)
    again = patience.run(["a", "b"], "", None, PLAIN, number)
    assert [one.why for one in again.answers] == ["w0"] * number


# -- tables of the teacher

WHY = ByHand("why", "Why", (Criterion("reason", 2),))
LAB = "natural-logarithm"
EXERCISES = {
    "01": Exercise(
        "01",
        "T",
        [
            Question("f", "1", marks=4, mistakes=[LAB]),
            Question("v", "1", kind="value", marks=2, mistakes=[LAB]),
        ],
        [WHY],
    )
}


@rows(
    ("line", "found"),
    [
        ("give,1,f,1.5,c", ("give", "f", "1.5", 1.5)),
        ("give,01,why,2,", ("give", "why", "2", 2)),
        ("give,1,why,2.5,", "give 0 to 2"),
        ("withdraw,1,v,,c", ("withdraw", "v", "", None)),
        ("withdraw,1,why,,", ("withdraw", "why", "", None)),
        (f"accept,1,f,{LAB},", ("accept", "f", LAB, None)),
        ("accept,1,f,3,", "of a function give a mistake's name: natural-logarithm"),
        (f"accept,1,v,{LAB},", ("accept", "v", LAB, None)),
        ("accept,1,v,3,", ("accept", "v", "3", None)),
        ("accept,1,why,3,", "why is marked by hand; change its points there"),
        ("accept,1,v,,", "accept needs a value"),
        ("give,1,,3,", "name a question"),
    ],
)
def test_a_line_of_changes_is_read_or_refused(line, found, tmp_path):
    """With its file and line."""
    path = tmp_path / "r.csv"
    path.write_text(f"rule,exercise,question,value,comment\nwithdraw,1,f,,\n{line}\n", "utf-8")
    if isinstance(found, str):
        with pytest.raises(InputError, match=f"r.csv, line 3: .*{found}"):
            regrading.read(path, EXERCISES)
        return
    _, change = regrading.read(path, EXERCISES)
    assert (change.rule, change.question, change.value, change.marks) == found
    assert (change.exercise, change.comment) == ("01", line.split(",")[-1])


@rows("state", [MARKED, NONE])
@rows("manual", [None, 1.5])
@rows("title", ["Why so?", ""])
def test_a_question_by_hand_has_a_line_with_its_points(state, manual, title):
    """It is judged by no program, whatever a person gave."""
    hand = HandMark(replace(WHY, title=title), state, (2,) if state == MARKED else ())
    row = Row(Person("ann"), "01", "s", "T", 9.0, GRADED, None, (QuestionLine("first"),))
    given = {} if manual is None else {("ann", "01", "why"): Manual(manual)}
    given["ben", "01", "why"] = Manual(0.5)
    first, line = _marked(row, [hand], given).lines
    assert first == row.lines[0]
    question = line.question
    assert (question.name, question.title) == ("why", title or "why")
    assert (question.out_of, question.judged, line.hand) == (2, False, hand)
    by_hand = 2 if state == MARKED else 0
    assert line.marks == (by_hand if manual is None else manual)


@rows("odd", [None, "abc", 3, {}])
@rows("name", ["told", "notes", "code", "questions"])
def test_a_result_with_something_else_in_place_of_a_list_is_damaged(odd, name, tmp_path):
    """A text is no list of its letters."""
    result = Result("p.ipynb", "ann", "01", "T", GRADED, "x", told=("t",), code=(1,))
    data = json.loads(json.dumps(results.as_stored(result)))
    assert Result.from_data(data) == result
    with pytest.raises(TypeError):
        Result.from_data({**data, name: odd})
    for one in ("told", "carried", "seen"):
        held = {"name": "q", "title": "Q", "out_of": 1, one: odd}
        with pytest.raises(TypeError):
            QuestionMark.from_data(held)
    del tmp_path


@rows(("odd", "is_entry"), [(1, True), (1.5, True), (None, True), ("1", False), (True, False)])
@rows("name", ["marks", "out of"])
def test_an_entry_of_marks_has_numbers_or_nothing(odd, is_entry, name, tmp_path):
    """Each entry, and with all that is needed of it."""
    entry = {"student": "ann", "exercise": "01", "status": GRADED, "marks": 1, "out of": 2}
    path = tmp_path / "marks.json"
    path.write_text(json.dumps([entry, {**entry, name: odd}]))
    if is_entry:
        assert len(course_total.graded_in(tmp_path)) == 2
    else:
        with pytest.raises(InputError, match="it is not what `grade` writes"):
            course_total.graded_in(tmp_path)
    for broken in (
        [entry, {key: value for key, value in entry.items() if key != name}],
        [entry, "x"],
        {"a": entry},
        entry,
        {},
        "",
        None,
    ):
        path.write_text(json.dumps(broken))
        with pytest.raises(InputError, match="it is not what `grade` writes"):
            course_total.graded_in(tmp_path)


# -- Canvas


def row_of(student, marks, number="01"):
    """A row of an exercise of 5 marks."""
    line = QuestionLine(QuestionMark("q", "Q", 5, marks or 0.0, judged=marks is not None))
    return Row(Person(student), number, f"{number}_x", f"T{number}", 5.0, GRADED,
               Result("p", student, number, "T", GRADED, "x"), (line,))  # fmt: skip


@rows("before", [*product(["", "3", "EX", "ex"], repeat=2)])
@rows("marks", [*product([None, 4.0], repeat=2)])
def test_what_canvas_keeps_of_a_student_is_said(before, marks):
    """Who is excused stays so, and who has no marks has no line: both by name."""
    people = [Person("ann", canvas="1"), Person("ben", canvas="2")]
    lines = [(one, 2, {"Exercise 1 (7)": own}) for one, own in zip(people, before, strict=True)]
    book = Roster(Path("b.csv"), CANVAS, ("Student", "Exercise 1 (7)"), tuple(lines))
    given = [row_of(one.student, own) for one, own in zip(people, marks, strict=True)]
    text, said = canvas_grades.canvas(given, book)
    cells = {line[0]: line[5] for line in csv.reader(io.StringIO(text)) if len(line) == 6}
    excused, left = [], []
    for one, own, mark in zip(people, before, marks, strict=True):
        name = one.student
        if mark is None:
            left.append(name)
            assert name not in cells
        elif own.upper() == "EX":
            excused.append(f"{name}, exercise 01")
            assert cells[name] == own
        else:
            assert cells[name] == "4"
    expected = []
    if len(left) == 2:
        expected.append("canvas.csv: no marks are known yet, so it has no lines")
    elif left:
        expected.append(
            f"canvas.csv: no line for 1 students without marks, so Canvas keeps what it has of "
            f"them: {left[0]}"
        )
    if excused:
        expected.append(f"canvas.csv: stay excused, as in the gradebook: {'; '.join(excused)}")
    assert said == expected


@rows("marks", [0.0, 2.5, 4.99, 5.0, 5.01, 7.0])
@rows("possible", ["", "5", "10", "100,00"])
def test_moodle_takes_the_maximum_and_nothing_above_it(marks, possible):
    """Who has more is told of; a maximum that is not known bounds nothing."""
    row = row_of("ann", marks)
    grade, note = moodle_worksheet._grade(row, marks, possible)
    most = float(possible.replace(",", ".")) if possible else None
    points = marks if most is None else marks * most / 5
    if most is None or points <= most:
        assert (float(grade), note) == (points, "")
    else:
        assert float(grade) == most
        assert note == f"ann ({points:g} of {most:g})"


@rows("length", [99, 100, 101, 102])
def test_a_name_beside_similar_code_is_cut_to_a_hundred_letters(length):
    """Dots say so."""
    units = {"n" * length: [side_by_side.SharedPlace(1, 1, 1, "x")], "other": []}
    shown = side_by_side.as_html(units).partition('<th scope="col">')[2].partition("<")[0]
    assert len(shown) == min(length, 100)
    assert (shown == "n" * length) is (length <= 100)


# -- who and whose


@rows("each", [*product(["ja", "de", ""], repeat=3)])
def test_a_group_reads_the_language_that_all_its_members_read(each):
    """Else none is known of it."""
    people = [Person(f"s{i}", language=one, group="A") for i, one in enumerate(each)]
    people.append(Person("x", language="zh"))
    found = owner_names.languages_of(people)
    assert found == {
        **{person.student: person.language for person in people},
        "A": each[0] if len({*each[:2]}) == 1 and each[2] == each[0] else "",
    }


@rows("number", range(1, 7))
def test_a_line_of_a_roster_that_fits_several_names_four_of_them(number):
    """One that fits is meant."""
    known = [Person(f"s{i}", "Ann Lee") for i in range(number)]
    line = Person("q", "Ann Lee")
    if number == 1:
        assert rosters._meant(line, known, "here") == "s0"
        return
    names = " or ".join(f"s{i}" for i in range(min(number, 4)))
    with pytest.raises(InputError, match=f"^here: q may mean {names}; give an id or email$"):
        rosters._meant(line, known, "here")
    assert rosters._meant(Person("new"), known, "here") == "new"


@rows("moodle", ["Participant 991", "991", "参加者991", "991x", "Participant", "", "9 9"])
@rows("group", [None, "", "Team A", rosters._NO_GROUP, rosters._SEVERAL])
def test_a_participant_of_moodle_has_a_number_and_one_group_or_none(moodle, group):
    """The words before the number are those of any language; in several groups nobody can be."""
    values = {"moodle": moodle} if group is None else {"moodle": moodle, "group": group}
    is_one = moodle in {"Participant 991", "991", "参加者991"}
    if not is_one or group == rosters._SEVERAL:
        why = "is in several groups" if is_one else "no number in"
        with pytest.raises(InputError, match=f"^here: .*{why}"):
            rosters._participant(values, "here")
        return
    found = rosters._participant({**values, "email": "a@x"}, "here")
    assert (found["name"], found["moodle"], found["email"]) == (moodle, "991", "a@x")
    assert found.get("group", "") == ("Team A" if group == "Team A" else "")
    assert rosters._participant({**values, "name": "Ann"}, "here")["name"] == "Ann"


def test_each_line_of_each_roster_keeps_its_cells():
    """Whatever it is completed with."""
    first = Roster(
        Path("a"), OWN, ("student",), ((Person("ann"), 2, {"c": "1"}), (Person("ben"), 3, {}))
    )
    other = Roster(Path("b"), OWN, ("student",), ((Person("ben", id="7"), 5, {"d": "2"}),))
    one, two = rosters.together([first, other])
    ben = Person("ben", id="7")
    assert one.lines == ((Person("ann"), 2, {"c": "1"}), (ben, 3, {}))
    assert two.lines == ((ben, 5, {"d": "2"}),)


class Several(Copies):
    """Copies that differ in two places."""

    def _differing(self, number, student):
        return [(f"one{student}", f"general {number}"), (f"two{student}", "general")]


@rows("code", ["oneben", "twoben", "oneben twoben", "onecy", "x"])
def test_one_place_of_the_data_shows_whose_copy_it_is(code):
    """A student may have changed the others."""
    book = SimpleNamespace(cells=(code,), fingerprint="")
    copies = Several({}, KEY)
    expected = "ben" if "ben" in code else "cy" if "cy" in code else "A"
    assert copies.whose(book, "01", "A", "", ["ben", "cy"]) == expected
    kind = CopyKind.OWN if "ben" in code else CopyKind.UNCLEAR
    assert copies.shown(book, "01", "ben") is kind


def test_the_digest_of_inputs_differs_with_all_that_marks_hang_on(the_class):
    """And with nothing else: a result is kept as long as it is the same."""
    key = AnswerKey(the_class.source, KEY, PLAIN)
    book = parse(as_text(the_class.copy("ann")).encode())
    submission = Submission("p", Named("ann"), digest="d", notebook=book)
    usual = HandIn(submission, "77", "ann", owner="ann", whose="ann")
    own = CopyKinds(CopyKind.OWN, CopyKind.OWN)

    def inputs(hand_in=usual, kinds=own, languages=None, answer_key=key):
        made = ownership._ready(hand_in, kinds, {"77": answer_key}, ["ann", "ben"], languages or {})
        return made.ready.inputs

    def of_submission(**more):
        return replace(usual, submission=replace(submission, **more))

    bare = replace(book, cells=tuple(c for c in book.cells if "begin(" not in c))
    looked = replace(book, cells=(*book.cells, "dcg = 3"), ids=(*book.ids, "n"),
                     texts=(*book.texts, "dcg = 3"))  # fmt: skip
    given = [
        inputs(),
        inputs(of_submission(digest="e")),
        inputs(of_submission(notes=("n",))),
        inputs(replace(usual, student="ben", whose="ben", owner="ben")),
        inputs(replace(usual, whose="ben", owner="ann")),
        inputs(replace(usual, whose="cy", owner="ann")),
        inputs(replace(usual, whose="ben", owner="ben")),
        inputs(kinds=CopyKinds(CopyKind.GENERAL, CopyKind.OWN)),
        inputs(replace(usual, notes=("m",))),
        inputs(of_submission(notebook=bare), languages={"ann": "ja"}),
        inputs(of_submission(notebook=bare), languages={"ann": "zh"}),
        inputs(answer_key=AnswerKey(the_class.source, KEY + b"x", PLAIN)),
        inputs(answer_key=AnswerKey(the_class.source, KEY, PLAIN, SandboxLimits(wall=9))),
    ]
    assert len(set(given)) == len(given)
    same = [
        inputs(languages={"ann": "ja"}),  # the copy tells its own
        inputs(languages={"ben": "ja"}),
        inputs(of_submission(path="q")),
        inputs(of_submission(handed_in=datetime(2026, 1, 1), clock="c")),  # noqa: DTZ001 -- any
        inputs(kinds=CopyKinds(CopyKind.OWN, CopyKind.GENERAL)),
        inputs(answer_key=AnswerKey(the_class.source, KEY, Tier("other"))),
        inputs(of_submission(notebook=bare)),
        inputs(of_submission(notebook=looked)),
    ]
    assert set(same) == {given[0]}


@rows("copy", ["ja", "", None])
@rows("listed", ["zh", ""])
def test_what_is_not_marked_is_told_in_the_language_of_its_copy(copy, listed, the_class):
    """Or in that of the roster, where the copy tells none; be it readable or not."""
    begins = {"ja": 'begin("""{}""", language="ja")', "": 'begin("""{}""")', None: "x = 1"}[copy]
    book = SimpleNamespace(cells=(begins,), fingerprint="")
    keys = {"77": SimpleNamespace(source=the_class.source)}
    own = CopyKinds(CopyKind.OWN, CopyKind.OWN)
    for submission in (
        Submission("p", Named("ann"), notebook=book, why="of another exercise"),
        Submission("p", Named("ann"), language=copy or "", why="it is broken"),
    ):
        result = ownership._not_marked(submission, "77", "ann", keys)
        hand_in = HandIn(submission, "77", "ann", result=result)
        found = ownership._ready(hand_in, own, keys, ["ann"], {"ann": listed})
        assert found.result == replace(result, language=copy or listed)
        assert (found.ready, found.notes) == (None, ())


@rows("marks", [*product([None, 0.0, 0.5], repeat=2)])
def test_the_best_attempt_is_one_with_marks(marks):
    """One of 0 marks comes before one without any."""
    found = [gradebook._marks_of((SimpleNamespace(marks=one), None)) for one in marks]
    order = {None: 0, 0.0: 1, 0.5: 2}
    assert (found[0] > found[1]) is (order[marks[0]] > order[marks[1]])
    assert (found[0] == found[1]) is (marks[0] == marks[1])


# -- files


HOURS = [*product(range(24), [0, 7, 59])]


@rows(("hour", "minute"), HOURS)
def test_an_hour_of_moodle_is_of_the_day_or_of_its_half(hour, minute):
    """12 AM is midnight, and 12 PM noon; there is no hour 0 or 13 in a half."""
    half = "AM" if hour < 12 else "PM"
    begin = "Friday, 20 November 2026, "
    expected = datetime(2026, 11, 20, hour, minute)  # noqa: DTZ001 -- a time on a clock
    for text in (f"{hour}:{minute:02}", f"{hour:02}:{minute:02}"):
        assert lateness._english(begin + text) == expected
    for written in (half, half.lower()):
        text = f"{begin}{hour % 12 or 12}:{minute:02} {written}"
        assert lateness._english(text) == expected
        is_an_hour = 1 <= hour <= 12
        found = lateness._english(f"{begin}{hour}:{minute:02} {written}")
        assert (found is not None) is is_an_hour
    for wrong in (f"24:{minute:02}", f"{hour}:60", f"{hour + 100}:{minute:02}"):
        assert lateness._english(begin + wrong) is None


def of_zip(path, name, data, *, spoil=b"", method=zipfile.ZIP_STORED):
    """An archive with a notebook of a platform, and one with other bytes in its data."""
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("leeann_1_2_x.ipynb", "{}")
        archive.writestr(name, data)
    if spoil:
        raw = path.read_bytes()
        assert raw.count(data) == 1
        path.write_bytes(raw.replace(data, spoil))
    return path


def test_an_entry_that_is_damaged_is_refused_alone(tmp_path, monkeypatch):
    """With its reason, whatever it fails by; all others are unpacked."""
    path = of_zip(tmp_path / "a.zip", "libe_2_3_x.ipynb", b"right data", spoil=b"wrong data")
    [refused] = archives.unpack(path, tmp_path)
    assert (refused.name, refused.why) == (
        "libe_2_3_x.ipynb",
        "its data in the archive are damaged",
    )
    assert refused.remedy
    assert (tmp_path / "leeann_1_2_x.ipynb").read_text() == "{}"
    assert not (tmp_path / "libe_2_3_x.ipynb").exists()

    def odd(*_given):
        raise MemoryError

    monkeypatch.setattr(zipfile.ZipFile, "open", odd)
    folder = tmp_path / "other"
    found = archives.unpack(path, folder)
    assert {one.why for one in found} == {"it can't be unpacked: MemoryError"}
    assert len(found) == 2
    assert not folder.exists()


def test_a_file_that_is_no_zip_is_no_download(tmp_path):
    """Nor is a folder with one in it."""
    of_zip(tmp_path / "a.zip", "libe_2_3_x.ipynb", b"{}")
    assert archives.downloads(tmp_path) == [tmp_path / "a.zip"]
    (tmp_path / "b.zip").write_bytes(b"PK no zip")
    assert archives.downloads(tmp_path) == []
    assert archives.downloads(tmp_path / "b.zip") == [tmp_path / "b.zip"]
    (tmp_path / "b.zip").unlink()
    (tmp_path / "b.txt").write_text("")
    assert archives.downloads(tmp_path) == []


@rows("kind", ["a link", "a folder's link", "a notebook"])
def test_a_link_is_no_notebook(kind, tmp_path, the_class):
    """Wherever it leads: nothing is read through it."""
    target = tmp_path / "there.ipynb"
    target.write_text(as_text(the_class.copy("ann")), "utf-8")
    root = tmp_path / kind
    root.mkdir()
    path = root / "ann.ipynb"
    if kind == "a notebook":
        path.write_bytes(target.read_bytes())
    else:
        path.symlink_to(target if kind == "a link" else tmp_path)
    found = submissions._read(path, root, (Named("ann"), ""))
    if kind == "a notebook":
        assert (found.why, found.notebook.exercise) == ("", "77")
        assert found.digest == hashlib.sha256(target.read_bytes()).hexdigest()
    else:
        assert (found.why, found.remedy, found.notebook, found.digest) == (NO_FILE, AGAIN, None, "")


@rows("unlisted", [True, False])
@rows("why", ["", "it may mean a or b"])
def test_a_notebook_of_somebody_unknown_is_read_if_its_copy_may_tell(unlisted, why, tmp_path,
                                                                     the_class):  # fmt: skip
    """Of two who are meant nobody is marked."""
    path = tmp_path / "x.ipynb"
    path.write_text(as_text(the_class.copy("ann")), "utf-8")
    who = Named("eve", why=why, unlisted=unlisted)
    found = submissions._read(path, tmp_path, (who, ""))
    assert (found.notebook is not None) is (unlisted or not why)
    assert found.why == (f"it is not known whose this is: {why}" if why else "")


@rows("size", [98, 99, 100, 101, 500])
def test_of_a_file_that_is_too_large_no_more_is_read_than_tells_it(size, tmp_path, monkeypatch):
    """A byte beyond the bound."""
    monkeypatch.setattr(submissions, "LARGEST", 100)
    path = tmp_path / "x.ipynb"
    path.write_bytes(b"{" * size)
    found = submissions._read(path, tmp_path, (Named("ann"), ""))
    assert found.digest == hashlib.sha256(b"{" * min(size, 101)).hexdigest()
    assert found.why


@rows("length", [0, 1, 199, 200, 201, 300])
@rows("letter", ["2", " "])
def test_of_a_stamp_two_hundred_bytes_are_read(length, letter, tmp_path):
    """More is no time; one that holds nothing is told from none."""
    path = tmp_path / "x.ipynb"
    assert submissions._stamp_beside(tmp_path / "empty" / "x.ipynb") == ""
    (tmp_path / "timestamp.txt").write_text(letter * length)
    expected = (letter * min(length, 200)).strip()
    assert submissions._stamp_beside(path) == (expected or "(empty)")


def test_what_an_archive_refused_stands_for_its_student_where_nothing_else_does(tmp_path):
    """A notebook always; another file only beside no notebook; a name that leads out never."""
    for folder in ("ann", "ben"):
        (tmp_path / folder).mkdir()
    (tmp_path / "ann" / "01_x.ipynb").write_text("{}")
    (tmp_path / "ben" / "x.txt").write_text("words")
    names = [
        "ann/film.mp4",
        "ann/02_y.ipynb",
        "ben/film.mp4",
        "cy/film.mp4",
        "/elsewhere/out.ipynb",
    ]
    refused = [archives.RefusedEntry(name, f"why {name}", f"do {name}") for name in names]
    found = submissions.submissions(tmp_path, ["01_x", "02_y"], refused=refused)
    told = {one.path: (one.why, one.remedy) for one in found}
    assert sorted(told) == [
        "ann/01_x.ipynb", "ann/02_y.ipynb", "ben/film.mp4", "ben/x.txt", "cy/film.mp4"
    ]  # fmt: skip
    for name in ("ann/02_y.ipynb", "ben/film.mp4", "cy/film.mp4"):
        assert told[name] == (f"why {name}", f"do {name}")
    assert {one.path: one.who.student for one in found}["cy/film.mp4"] == "cy"


@rows("people", [[], [Person("ann")], [Person("eve")]])
def test_an_empty_folder_is_its_students(people, tmp_path):
    """Somebody new where no roster says who there is."""
    (tmp_path / "eve").mkdir(exist_ok=True)
    [found] = submissions._Folder(tmp_path, ["01_x"], people, []).submissions()
    assert (found.path, found.why, found.remedy) == (
        "eve", submissions.EMPTY, submissions.NOTHING_ARRIVED
    )  # fmt: skip
    is_known = not people or people[0].student == "eve"
    assert (found.who.student, found.who.sure) == ("eve", is_known)
    assert found.who.unlisted is not is_known


def test_a_result_that_is_not_marked_is_unreadable(the_class):
    """With what to do, and the title of its exercise where it is known."""
    keys = {"77": SimpleNamespace(source=the_class.source)}
    submission = Submission("p", Named("ann"), digest="d", why="it is empty", remedy="Again.")
    found = ownership._not_marked(submission, "77", "ann", keys)
    assert (found.status, found.why, found.remedy) == (UNREADABLE, "it is empty", "Again.")
    assert (found.title, found.file, found.exercise) == ("Two questions", "d", "77")
    unknown = ownership._not_marked(replace(submission, why=""), "", "ann", keys)
    assert (unknown.title, unknown.why) == ("", ownership.UNKNOWN)
    assert "77_two" in unknown.remedy
    others = [replace(submission, digest="e"), replace(submission, remedy="More.")]
    digests = {ownership._not_marked(one, "77", "ann", keys).inputs for one in others}
    assert len({found.inputs, unknown.inputs, *digests}) == 4
    assert found.inputs != ownership._not_marked(submission, "77", "ben", keys).inputs


@rows("workers", [1, 2, 3])
def test_so_many_run_side_by_side_or_one_alone(workers):
    """Whoever is alone has all turns, and gives all of them back, whatever becomes of it."""
    turns = Turns(workers)

    def free():
        """How many turns are free now."""
        taken = 0
        while turns._turns.acquire(blocking=False):
            taken += 1
        if taken:
            turns._turns.release(taken)
        return taken

    assert free() == workers
    with ExitStack() as stack:
        for number in range(workers):
            stack.enter_context(turns.beside())
            assert free() == workers - number - 1
    assert free() == workers
    with turns.alone():
        assert free() == 0
    assert free() == workers
    for turn in (turns.alone, turns.beside):
        with pytest.raises(KeyError), turn():
            raise KeyError
        assert free() == workers
        assert not turns._alone.locked()


@rows(("worksheet", "zips"), [(True, {}), (False, {"feedback-canvas.zip": b"PK"})])
@rows("before", [None, "{ damaged"])
def test_all_files_of_a_class_are_written_and_what_was_left_out_is_said(worksheet, zips, before):
    """One that stays the same is not touched; files of another round are told of."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        out = Path(folder)
        if before is not None:
            (out / "marks.json").write_text(before)
        (out / "feedback-moodle.zip").write_bytes(b"old")
        sheet = ("the worksheet", ["about the worksheet"])
        patched.setattr(all_files, "worksheet", lambda *_: sheet)
        patched.setattr(all_files, "archives", lambda *_: (zips, {"why not:": ["p1", "p2"]}))
        row = row_of("ann", 3.0)
        hidden = [replace(row_of("x", 1.0, "03"), anonymous=True),
                  replace(row_of("y", 1.0, "02"), anonymous=True)]  # fmt: skip
        reviewed = SimpleNamespace(
            rows=[row, *hidden], now=[row], by_hand=SimpleNamespace(answers={})
        )
        matched = SimpleNamespace(
            collected=SimpleNamespace(rosters=[]), hand_ins=[], worksheet=worksheet
        )
        options = GradeOptions(key="k", out=out)
        said = all_files.write_all(matched, reviewed, options)
        files = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
        times = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}
        assert all_files.write_all(matched, reviewed, options) == said
        assert {p: p.stat().st_mtime_ns for p in out.rglob("*") if p.is_file()} == times
    expected = {"marks.csv", "marks.json", "report.html", "canvas.csv", "feedback-moodle.zip"}
    expected |= {"moodle-worksheet.csv"} if worksheet else set()
    assert {name for name in files if name.endswith((".csv", ".html", ".zip"))} | {
        "marks.json"
    } == expected | set(zips)
    assert files["feedback-moodle.zip"] == b"old"
    if worksheet:
        assert files["moodle-worksheet.csv"].endswith(b"the worksheet")
    assert json.loads(files["marks.json"])[0]["student"] == "ann"
    assert said == [
        *(["about the worksheet"] if worksheet else []),
        "feedback-moodle.zip is of an earlier round, and has none of the marks of this one",
        *("why not:", "  p1", "  p2"),
        (
            "names are hidden in exercise 02, 03: marks and feedback are under the anonymous ids, "
            "not in canvas.csv"
        ),
    ]


@rows("content", ["", "<html>", '<script type="application/json" id="data">{</script>'])
def test_what_is_no_page_is_no_page_for_another_marker(content, tmp_path):
    """A folder without one, or one that was not written by grading; the target keeps its word."""
    target = tmp_path / "target.html"
    with pytest.raises(InputError, match="is not there: grade the class first"):
        marking_page.without_names(tmp_path / "none", target)
    page = tmp_path / "by-hand" / "marking.html"
    page.parent.mkdir(exist_ok=True)
    page.write_text(content)
    if "{" not in content:
        with pytest.raises(InputError, match="it is not the page that `grade` wrote"):
            marking_page.without_names(tmp_path, target)
    word = marking_page.own_word(page)  # sixteen digits by chance
    assert len(bytes.fromhex(word)) == 8
    assert marking_page.own_word(page) != word
    whole = marking_page.as_html([], "the word")
    page.write_text(whole)
    assert marking_page.own_word(page) == "the word"
    with pytest.raises(InputError, match="this is the class's own page; name another file"):
        marking_page.without_names(tmp_path, page)
    assert marking_page.own_word(target) != "the word"
    target.write_text(marking_page.as_html([], "another"))
    assert '"page": "another"' in marking_page.without_names(tmp_path, target)
    assert '"hidden": true' in marking_page.without_names(tmp_path, target)


@rows("gaps", [True, False])
@rows(
    ("named", "said"),
    [
        ({"09": "x"}, "write it as NN=NAME; exercises are 01, 02"),
        ({"": "x"}, "write it as NN=NAME; exercises are 01, 02"),
        ({"02": "x"}, "no column is called so in Canvas's gradebook"),
        ({}, ""),
    ],
)
def test_a_column_of_no_gradebook_is_refused_in_one_file_and_in_several(gaps, named, said):
    """Nothing that a teacher named is passed over."""
    given = [row_of("ann", 2.0), row_of("ben" if gaps else "ann", 3.0, "02")]
    if said:
        with pytest.raises(InputError, match=said):
            canvas_grades.canvas_files(given, None, named)
    else:
        names = ["canvas-01.csv", "canvas-02.csv"] if gaps else ["canvas.csv"]
        assert sorted(canvas_grades.canvas_files(given, None, named)[0]) == names


def test_what_is_right_for_others_is_computed_of_their_own_copies(the_class):
    """Once for each question, and not for those who have a general copy."""
    key = AnswerKey(the_class.source, KEY, PLAIN)
    hand_ins = []
    for student, whose, general in (("ben", "ben", False), ("ann", "cy", False), ("di", "", True)):
        ready = SimpleNamespace(general=general, whose=whose)
        hand_ins.append(HandIn(Submission("p", Named(student)), "77", student, ready))
    values = CopiedValues(hand_ins, {"77": key})
    found = values.right("77", "total")
    question = key.source.exercise["total"]
    expected = {}
    for student, whose in (("ann", "cy"), ("ben", "ben")):
        [inputs] = Variant(whose, KEY).trial("77", question).general
        expected[student] = sum(inputs["grades"])
    assert found == expected
    assert list(found) == ["ann", "ben"]
    assert values.right("77", "total") is found


POINTS = [None, 0, 1, 2]


@rows("first", [*product(POINTS, repeat=2)])
@rows("second", [*product(POINTS, repeat=2)][::3])
def test_markers_agree_as_far_as_kappa_says_on_what_both_gave(first, second):
    """Cohen's kappa of the answers that both marked, criterion by criterion, by hand."""
    rubric = ByHand("why", "Why", (Criterion("reason", 2), Criterion("example", 2)))
    saved = []
    for marker, given in (("a", first), ("b", second)):
        marks = {f"x{i}": {"points": [point, 1], "comment": ""} for i, point in enumerate(given)}
        marks[f"only {marker}"] = {"points": [2, 2], "comment": ""}
        saved.append(Saved(Path(marker), marker, {"01-why": marks}))
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if None not in (a, b)]
    expected = []
    for name, given in (("reason", pairs), ("example", [(1, 1)] * 2)):
        if not given:
            continue
        same = Fraction(sum(a == b for a, b in given), len(given))
        chance = sum(
            Fraction(sum(a == point for a, _ in given) * sum(b == point for _, b in given),
                     len(given) ** 2)
            for point in (0, 1, 2)
        )  # fmt: skip
        kappa = "undefined, as all points are equal"
        if chance != 1:
            kappa = f"{float((same - chance) / (1 - chance)):.2f}"
        agreed = int(same * len(given))
        expected.append(
            f"01-why {name}: a and b agree on {agreed} of {len(given)} answers, kappa {kappa}"
        )
    assert marking_page.agreement(saved, {"01-why": rubric}) == expected
    assert marking_page.agreement(saved[:1], {"01-why": rubric}) == []


@rows("second", ["ann,1,q,2,mine", "ann,1,q,3,other", "ann,01,q,,other", "ann,1,,3,", "ben,1,q,2,"])
def test_a_mark_by_hand_is_given_once(second, tmp_path):
    """To a student, an exercise and a question, whatever else its second line says."""
    path = tmp_path / "manual.csv"
    path.write_text(f"student,exercise,question,marks,comment\nann,1,q,2,mine\n{second}\n", "utf-8")
    people = [Person("ann"), Person("ben")]
    if second.startswith(("ann,1,q", "ann,01,q")):
        with pytest.raises(InputError, match=r"manual\.csv, line 3: "):
            read_manual(path, {"01": {"q": 4}}, people)
    else:
        assert len(read_manual(path, {"01": {"q": 4}}, people)) == 2


@rows("out_of", [(8.0, 8.0), (5.0, 8.0), (8.0, 5.0), (0.0, 0.0), (0.0, 5.0)])
@rows("marks", [*product([None, 0.0, 2.4, 2.5, 7.9, 9.0], repeat=2)])
def test_marks_are_counted_in_ten_bins_of_the_most_that_can_be_had(out_of, marks):
    """A border is of the upper bin, and full marks and more of the last."""
    most = max(out_of)
    given = [
        replace(row_of(f"s{i}", mark), out_of=of)
        for i, (mark, of) in enumerate(zip(marks, out_of, strict=True))
    ]
    known = [Fraction(str(mark)) for mark in marks if mark is not None]
    found = class_report.histogram(given)
    if not known or not most:
        assert found == []
        return
    width = Fraction(str(most)) / 10
    expected = []
    for place in range(10):
        begin, end = width * place, width * (place + 1)
        count = sum(begin <= mark < end or (place == 9 and mark >= end) for mark in known)
        expected.append((float(begin), float(end), count))
    assert found == expected
