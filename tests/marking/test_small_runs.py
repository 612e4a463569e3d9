"""How an answer is run and read, over all small cases, with runs that are made up."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.exercises.answer_checks import AnswerVerdict
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial, Wrong
from irmetrics_edu.classroom.exercises.source import Cell
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.outcome import Answer, NoValue, Raised, RunOutcome
from irmetrics_edu.classroom.grading.sandbox import SandboxError
from irmetrics_edu.classroom.grading.tiers import Tier
from irmetrics_edu.classroom.marking.matching.ready import ReadySubmission
from irmetrics_edu.classroom.marking.results import QuestionMark, WhyOpen
from irmetrics_edu.classroom.marking.running import (
    answer_texts,
    carry_forward,
    changed_data,
    mark_submission,
    run_cells,
    tried_readings,
)
from irmetrics_edu.classroom.marking.running.child_runs import ALL_RUNS, WALL, Patience, Turns, cut
from irmetrics_edu.classroom.marking.running.judging_run import FoundAnswer, RunJudgment, judged
from irmetrics_edu.classroom.marking.running.mark_submission import MarkedQuestion
from irmetrics_edu.classroom.marking.running.readings import (
    AT_THE_END,
    NotebookReading,
    cells_with_check,
    other_readings,
)
from irmetrics_edu.classroom.marking.running.run_cells import QuestionRun
from irmetrics_edu.classroom.marking.running.tried_readings import TriedReading
from tests.tables import rows

QUESTION = Question("dcg", "x * x + 0.25", wrongs=[Wrong("square", "the square", "x * x")])
TRIAL = Trial([{"x": 3}])
PLAIN = Tier("plain")


def outcome_of(*answers, **more):
    """The outcome of a run with these answers."""
    return RunOutcome(answers or (Answer(given=True, value=9.25),), PLAIN, **more)


def raised(kind="KeyError", cell=1, line=1, **more):
    """An error of a cell."""
    return Raised(kind, "m", cell, line, **more)


# -- what was found


@pytest.mark.parametrize("kind", ["function", "value"])
@pytest.mark.parametrize("tampered", [True, False])
def test_an_answer_is_missing_blank_or_there(kind, tampered):
    """None is no answer where a value is asked for; interference comes first."""
    question = replace(QUESTION, kind=kind)
    cases = {
        FoundAnswer.NOTHING: [Answer(lack=NoValue.MISSING)],
        FoundAnswer.BLANK: [
            Answer(lack=NoValue.BLANK),
            Answer(error=raised("NotImplementedError")),
        ],
        FoundAnswer.ANSWER: [
            Answer(given=True, value=9.25),
            Answer(error=raised("ValueError")),
            Answer(lack=NoValue.ENDED, why="ended"),
            Answer(lack=NoValue.TOO_BIG, why="big"),
        ],
    }
    nothing = FoundAnswer.BLANK if kind == "value" else FoundAnswer.ANSWER
    cases[nothing].append(Answer(given=True, value=None))
    errors = [raised("NameError"), raised("TypeError")]
    for found, answers in cases.items():
        for answer in answers:
            judgment = judged(question, TRIAL, outcome_of(answer, tampered=tampered), errors)
            assert judgment.found is (FoundAnswer.TAMPERED if tampered else found)
            right = answer.given and answer.value == 9.25 and not tampered
            assert judgment.verdict.share == float(right)
            # Of an answer that is not there the first error of its cell is told, and no other.
            is_told = found is FoundAnswer.NOTHING and not tampered
            assert [one[:9] for one in judgment.told] == ["NameError"] * is_told
            assert judgment.found.is_answer is (judgment.found not in {
                FoundAnswer.NOTHING, FoundAnswer.BLANK
            })  # fmt: skip


def test_of_a_value_the_first_answer_is_judged_and_what_cant_be_compared_is_the_machines():
    """A question that is read is asked once."""
    value = replace(QUESTION, kind="value")
    both = outcome_of(Answer(given=True, value=9.25), Answer(given=True, value=1.0))
    assert judged(value, TRIAL, both, ()).verdict.right
    broken = SimpleNamespace(name="dcg", kind="function", right=lambda _inputs: 1 / 0)
    with pytest.raises(SandboxError, match=r"can't be compared .ZeroDivisionError"):
        judged(broken, TRIAL, outcome_of(), ())


# -- readings


@pytest.mark.parametrize("runs", [(), (1, 2, 3), (3, 1, 2), (2, 1), (1, 3, 2, 4)])
def test_a_notebook_is_read_at_its_checks_and_in_the_order_in_which_it_was_run(runs):
    """The last check, the first, and then the cells as they were run, up to the last check."""
    for checked in [set(), {1}, {2}, {1, 3}, {2, 3, 4}]:
        found = other_readings(runs, checked)
        cells = [max(checked), min(checked)] if checked else []
        cells = cells[: len(set(cells))]
        expected = [NotebookReading(tuple(range(1, cell + 1)), True, cell) for cell in cells]
        if list(runs) != sorted(runs):
            last = max([place for place, cell in enumerate(runs) if cell in checked] or [len(runs)])
            expected.append(NotebookReading(tuple(runs[: last + 1]), True))
        assert found == expected
    assert AT_THE_END.told == ""
    assert "in cell 3" in NotebookReading((1, 2, 3), True, 3).told
    assert "order in which" in NotebookReading((3, 1), True).told


def test_the_cells_with_a_check_are_those_that_ran_it_or_say_it():
    """Of this answer; a number of no cell is none."""
    cells = [
        "check('dcg', dcg)",
        'check("total", x)',
        "x = 1",
        'y = check( "dcg")',
        "recheck('dcg')",
    ]
    assert cells_with_check(cells, "dcg", []) == {1, 4}
    assert cells_with_check(cells, "dcg", [0, 3, 5, 6, -1]) == {1, 3, 4, 5}


def tried(share, found=FoundAnswer.ANSWER, *, mistake=False, reading=AT_THE_END, **outcome):
    """A run that was judged so."""
    verdict = AnswerVerdict(share, Wrong("a", "b") if mistake else None)
    made = outcome_of(**outcome)
    return TriedReading(reading, made, RunJudgment(verdict, found), [], [], TRIAL)


@pytest.mark.parametrize("spent", [True, False])
@pytest.mark.parametrize("ended", ["", "tampered", "limit"])
def test_the_reading_that_earns_most_counts_and_the_first_of_equals(monkeypatch, spent, ended):
    """The notebook as it stands, if it is right, was interfered with or met a limit."""
    more = {"tampered": {"tampered": True}, "limit": {"limit": WALL}}.get(ended, {})
    kinds = [(0.0, False), (0.0, True), (0.5, False), (1.0, False)]
    run = SimpleNamespace(
        question=QUESTION,
        ready=SimpleNamespace(cells=["check('dcg', 1)"], runs=(2, 1)),
        patience=SimpleNamespace(spent=spent),
    )
    for each in product(kinds, repeat=3):
        asked = []

        def once(_run, _trial, reading, each=each, asked=asked):
            asked.append(reading)
            share, mistake = each[len(asked) - 1]
            return tried(
                share, mistake=mistake, reading=reading, **(more if len(asked) == 1 else {})
            )

        monkeypatch.setattr(tried_readings, "_tried", once)
        found = tried_readings.best_reading(run, TRIAL)
        looked = 1
        if not ended and not spent:
            while looked < 3 and max(each[:looked])[0] < 1:
                looked += 1
        best = max(range(looked), key=lambda place: (each[place], -place))
        assert len(asked) == looked
        assert found.reading == asked[best]
    blank = tried(0.0, FoundAnswer.BLANK)
    assert tried(0.0).worth > blank.worth
    assert tried(0.0, FoundAnswer.BLANK, mistake=True).worth > tried(0.0).worth


def test_no_word_of_code_that_saw_hidden_inputs_gets_out():
    """Of an error its kind, if it is Python's, and a line that exists; of a value nothing."""
    cells = ["a\nb", "c\nd\ne"]
    withheld = tried_readings._withheld
    for kind, cell, line in product(
        ["KeyError", "Secret7", "print", "int"], [0, 1, 2, 3], [0, 1, 2, 3]
    ):
        error = raised(kind, cell, line, text="secret", name="secret")
        found = withheld(Answer(error=error), cells).error
        lines = {1: 2, 2: 3}.get(cell, 1)
        of_python = kind in {"KeyError", "int"}
        assert found.type == (kind if of_python else answer_texts.OWN_ERROR)
        assert (found.message, found.text, found.name, found.cell) == ("", "", "", cell)
        assert found.line == (line if line <= lines else 0)
    for lack in NoValue:
        found = withheld(Answer(why="secret", lack=lack), cells)
        is_hidden = lack in {NoValue.NOT_PLAIN, NoValue.TOO_BIG}
        assert found.why == (answer_texts.NO_PLAIN_DATA if is_hidden else "secret")
        assert found.lack is (NoValue.NOT_PLAIN if is_hidden else lack)
    given = Answer(given=True, value=3)
    assert withheld(given, cells) == given


@rows("first", ["value", "ended"])
@rows("tampered", [*product([True, False], repeat=2)])
def test_what_is_shown_is_of_a_run_that_had_only_what_may_be_seen(first, tampered):
    """Of the hidden inputs there are the verdicts; what ended is not run again."""
    general = [{"x": 3}, {"x": 4}, {"x": 6}]
    trial = Trial(general, [{"x": 0}], examples=[{"x": 5}], hidden=True)
    before = [Answer(given=True, value=value) for value in (1.0, 1.5, 2.0)]
    if first == "ended":
        before[2] = Answer(why="out of time", lack=NoValue.ENDED)
    hidden = replace(
        tried(0.0, tampered=tampered[0]), outcome=outcome_of(*before, tampered=tampered[0])
    )
    seen = []

    def again(shown, reading):
        seen.append((list(shown), reading))
        answers = [Answer(given=True, value=float(7 + place)) for place in range(len(shown))]
        return outcome_of(*answers, tampered=tampered[1]), None

    run = SimpleNamespace(question=QUESTION, ready=SimpleNamespace(cells=["x"]), outcome=again)
    found = tried_readings.can_be_shown(run, trial, hidden)
    values = [answer.value for answer in found.outcome.answers]
    if first == "ended":
        assert seen == []
        assert values == [1.0, 1.5, None, None, None]
        assert {answer.lack for answer in found.outcome.answers[2:]} == {NoValue.ENDED}
        assert found.outcome.tampered is tampered[0]
    else:
        assert seen == [([{"x": 0}, {"x": 5}], AT_THE_END)]
        assert values == [1.0, 1.5, 2.0, 7.0, 8.0]
        assert found.outcome.tampered is any(tampered)
    assert found.trial == trial


@rows(
    ("cells", "errors", "found", "cell"),
    [
        (["def dcg(): return x", "x = 1 / 0"], [raised(cell=2)], FoundAnswer.ANSWER, 2),
        (["def dcg(): return 1", "y = 1 / 0"], [raised(cell=2)], FoundAnswer.ANSWER, None),
        (["y = 1", "def dcg(): f"], [raised(cell=1), raised(cell=2)], FoundAnswer.ANSWER, 2),
        (["check('dcg', dcg)", "x"], [raised(cell=1)], FoundAnswer.NOTHING, None),
        (["print(dcg)", "x"], [raised(cell=1)], FoundAnswer.NOTHING, 1),
        (["print(dcg)", "x"], [raised(cell=1)], FoundAnswer.ANSWER, None),
        (["x"], [raised(cell=2)], FoundAnswer.NOTHING, None),
        (["x", "print(dcg)"], [raised(cell=2)], FoundAnswer.NOTHING, 2),
        (["x", "print(dcg)"], [raised(cell=1)], FoundAnswer.NOTHING, None),
        (["def dcg(): 1"], [raised("ImportError", 1)], FoundAnswer.ANSWER, None),
        (["def dcg(): 1"], [raised(cell=0)], FoundAnswer.ANSWER, None),
    ],
)
def test_an_answer_stopped_at_an_error_of_a_cell_that_it_needs(cells, errors, found, cell):
    """A failed import stops no cell; a right answer did not stop."""
    run = SimpleNamespace(question=QUESTION, ready=SimpleNamespace(cells=cells))
    for share in (0.0, 1.0):
        one = replace(tried(share, found), errors=errors)
        stop = tried_readings.stopped_at(run, one)
        assert (stop.cell if stop else None) == (cell if share < 1 else None)
    later = raised("ImportError", 3, name="compression.zstd")
    for error, is_told in ((later, True), (raised("KeyError", 3), False)):
        one = replace(tried(0.0), outcome=outcome_of(Answer(error=error)))
        assert (tried_readings.stopped_at(run, one) == error) is is_told


@pytest.mark.parametrize("cell", range(-1, 5))
def test_an_error_is_of_the_names_in_its_cell(cell):
    """Cells count from 1; one that comes from none has no names."""
    ready = ReadySubmission("p", "ann", "", ("a = b", "c(d)", "'e'"))
    expected = {1: {"a", "b"}, 2: {"c", "d"}}.get(cell, set())
    assert tried_readings._names(ready, raised(cell=cell)) == expected


def test_a_teacher_sees_how_code_ran():
    """What was refused, how it ended, what it started, and how the notebook was read."""
    refused = raised("PermissionError", 2, 5)
    for ended, limit, tampered, started in product(
        ["", "signal 9"], ["", WALL], *[[True, False]] * 2
    ):
        answers = [Answer(error=refused), Answer(error=raised())]
        outcome = outcome_of(*answers, ended=ended, limit=limit, tampered=tampered, started=started)
        shown = replace(tried(0.0), outcome=outcome)
        for state in FoundAnswer:
            reading = NotebookReading((1,), True)
            one = replace(tried(0.0, reading=reading), own=[replace(refused, cell=1), refused])
            where = "line 5: the sandbox refused what the code asked for"
            expected = [f"cell 1, {where}", f"cell 2, {where}"]
            if ended and not limit and not tampered:
                expected.append(ended)
            expected += [answer_texts.STARTED] * started
            expected += [answer_texts.ABOVE] * (state is FoundAnswer.BEGUN)
            assert list(tried_readings.seen(shown, one, state)) == [*expected, reading.told]


@pytest.mark.parametrize("name", ["numpy", "scipy", "scipy.stats", "pandas", ""])
def test_an_import_that_another_question_allows_is_no_error(name):
    """Of this question's own it is one."""
    questions = [replace(QUESTION, packages=("numpy",)), Question("b", "1", packages=("scipy",))]
    key = SimpleNamespace(questions=questions)
    for kind in ("ImportError", "ModuleNotFoundError", "NameError"):
        error = raised(kind, name=name)
        is_for_other = kind != "NameError" and name.startswith("scipy")
        assert tried_readings._for_another(error, questions[0], key) is is_for_other


# -- runs


def run_of(outcomes, cells=("import math", "w = 1", "def dcg(x): return x * x", "while 1: 0")):
    """A run of a question whose children come to these outcomes, and what they were asked."""
    asked = []

    def run(cells, *_more):
        asked.append(list(cells))
        return outcomes[len(asked) - 1]

    made = QuestionRun(
        ready=SimpleNamespace(cells=cells),
        answer_key=SimpleNamespace(tier=PLAIN),
        question=QUESTION,
        patience=SimpleNamespace(run=run),
    )
    return made, asked


def test_a_cell_beside_the_answer_takes_it_away_from_nobody():
    """What a cell stopped is run again with the cells that the answer needs, and no others."""
    stopped = outcome_of(Answer(lack=NoValue.ENDED), ended="it ended")
    right = outcome_of()
    limited = outcome_of(Answer(lack=NoValue.ENDED), ended="no time", limit=ALL_RUNS)
    some = ["import math", "", "def dcg(x): return x * x", ""]
    for again, expected in (
        (right, (right, stopped)),
        (stopped, (stopped, None)),
        (limited, (limited, None)),
    ):
        run, asked = run_of([stopped, again])
        assert run.outcome(TRIAL) == expected
        assert asked == [list(run.ready.cells), some]
    run, asked = run_of([right])
    assert (run.outcome(TRIAL), len(asked)) == ((right, None), 1)
    for cells in (("x = 1",), ("def dcg(x): return 1",)):
        run, asked = run_of([stopped], cells)
        assert (run.outcome(TRIAL), len(asked)) == ((stopped, None), 1)


def test_an_answer_may_have_twice_the_parts_of_the_right_one_and_some_more():
    """Each case by its own; a value is read once."""
    question = Question("f", "[x] * n")
    trial = Trial([{"x": 1, "n": 3}, {"x": 1, "n": 100}])
    assert [case.most for case in run_cells._cases(question, trial)] == [2 * 4 + 200, 2 * 101 + 200]
    [only] = run_cells._cases(replace(question, kind="value"), trial)
    assert only.most == 208
    packages = QuestionRun(None, None, replace(question, packages=("irmetrics_edu", "numpy")), None)
    assert packages.packages[:2] == ("irmetrics_edu", "numpy")
    assert {"rich", "pygments", "mdurl", "markdown_it"} < set(packages.packages)
    assert QuestionRun(None, None, question, None).packages == ("numpy",)


@rows("kinds", [*product(["quick", "alone", "cut"], repeat=3)])
def test_what_the_clock_cuts_runs_once_more_alone_and_its_time_is_counted(kinds):
    """After a cut, runs are alone from the start; when their time is up, nothing is run."""
    limits = SandboxLimits(wall=2, submission=9)
    patience = Patience(Turns(2), limits)
    late = outcome_of(Answer(lack=NoValue.ENDED), limit=WALL, ran=True)
    lost, spent, cells = 0.0, False, 0
    for kind in kinds:
        walls = []

        def once(given, kind=kind, walls=walls):
            walls.append(given.wall)
            is_late = kind == "cut" or (kind == "alone" and given.wall == 2)
            return late if is_late else outcome_of()

        cells += 1
        found = patience.run([f"c{cells}"], "", once, PLAIN, 1)
        if lost >= 9:
            spent = True
            assert walls == []
            assert (found.limit, found.answers[0].lack) == (ALL_RUNS, NoValue.ENDED)
            continue
        expected = [2.0] if not lost else []
        if lost or kind != "quick":
            expected.append(4.0)
        assert walls == expected
        lost += sum(expected) if kind == "cut" else 0
        assert found.limit == (WALL if kind == "cut" else "")
        assert patience.lost == lost
    assert patience.spent is (lost >= 9)
    assert spent <= patience.spent
    notes = cut(patience, ["dcg"])
    assert len(notes) == bool(lost)
    assert cut(patience, []) == [
        f"the clock cut runs of the notebook after {lost:g} s together"
    ] * bool(lost)
    if lost:
        assert notes[0].endswith(
            f"after {lost:g} s together; not run any more: dcg (--limit submission)"
        )


# -- errors carried forward


def mark(name, marks=0.0, *, judged=True, tampered=False):
    """The mark of a question out of 4."""
    return QuestionMark(name, name, 4, marks, judged=judged, tampered=tampered)


CARRIED = {
    "a": Question("a", "1", packages=("numpy",)),
    "b": Question("b", "grades", kind="value", packages=("scipy",)),
    "c": Question("c", "1", packages=("numpy", "scipy")),
}
CELLS = ("def a(): 1", "b = [1]", "def c(): return a() + len(b)")


@rows("kinds", [*product(["right", "wrong", "open", "tampered"], repeat=3)][::3])
def test_right_earlier_answers_replace_those_that_failed_and_are_read(kinds):
    """If the later one failed, too, by no trick; a package that it may not have is none."""
    given = {"right": {"marks": 4.0}, "wrong": {}, "open": {"judged": False}}
    given["tampered"] = {"tampered": True}
    marks = [mark(name, **given[kind]) for name, kind in zip(CARRIED, kinds, strict=True)]
    for packages, reads in product([("numpy",), ("scipy",), ()], [True, False]):
        later = replace(CARRIED["c"], packages=packages)
        key = SimpleNamespace(
            questions=[CARRIED["a"], CARRIED["b"], later],
            solutions={"a": ("def a(): 2",)},
            trial=lambda *_given, **_more: Trial([{"grades": [7, 8]}]),
        )
        cells = CELLS if reads else (*CELLS[:2], "def c(): return 1")
        ready = ReadySubmission("p", "ann", "", cells)
        expected = []
        if kinds[2] == "wrong" and reads:
            if kinds[0] == "wrong" and "numpy" in packages:
                expected.append(("a", (1,), ("def a(): 2",), None))
            if kinds[1] == "wrong":
                expected.append(("b", (2,), (), [7, 8]))
        found = carry_forward.replaced(ready, key, marks, later)
        assert [(one.name, one.after, one.cells, one.value) for one in found] == expected


@pytest.mark.parametrize(
    ("cells", "places"),
    [
        (["a = 1", "x", "a = 2", "def c(): a"], (1, 3)),
        (["x", "y", "def c(): a"], (2,)),
        (["def c(): a"], (0,)),
        (["x", "y"], (2,)),
    ],
)
def test_a_right_answer_is_put_where_the_students_was_or_before_what_needs_it(cells, places):
    """0 is before all cells."""
    assert carry_forward._places(cells, CARRIED["a"], CARRIED["c"]) == places
    assert carry_forward.told(["a", "b", "c"], 4, 4).startswith(
        "Judged with the right `a`, `b` and `c` in place of your own: right."
    )
    assert carry_forward.told(["a"], 1.5, 4).endswith("`a` in place of your own: 1.5 of 4 marks.")


# -- data that were changed


def cell(text, *tags, markdown=False):
    """A cell of a source."""
    return Cell(text, markdown, tags)


GIVEN = cell('grades, k = spec.given("total")')


@rows(
    ("between", "names"),
    [
        ([], ["grades", "k"]),
        ([cell("Some words on grades.", markdown=True)], ["grades", "k"]),
        ([cell("print(grades)\nx = k\ny = grades(3)")], ["grades", "k"]),
        ([cell("grades.sort()")], ["", "k"]),
        ([cell("x = 1\n  k = 3")], ["grades", ""]),
        ([cell("del k")], ["grades", ""]),
        ([cell("for grades in k:\n    0")], ["", "k"]),
        ([cell("grades(3)")], ["grades", "k"]),
        ([cell('g, n = spec.given("total")\ngrades = 3', markdown=True)], ["grades", "k"]),
        ([cell('g, n = spec.given("total")', "spec")], ["grades", "k"]),
        ([cell('a, b = spec.given("other")')], ["grades", "k"]),
        ([cell('g, n = spec.given("total")')], ["g", "n"]),
        ([cell("k = 3", "spec")], ["grades", ""]),
        ([cell("total = 1", "total"), cell("k = 3")], ["grades", "k"]),
    ],
)
def test_the_names_of_a_copys_data_are_known_unless_the_source_changes_them(between, names):
    """Up to the cell of the answer; text changes nothing."""
    cells = [cell("x = 1"), GIVEN, *between, cell("total = 2", "total")]
    source = SimpleNamespace(
        cells=cells, question_of=lambda one: "total" if "total" in one.tags else ""
    )
    assert changed_data._given(source, "total") == names
    assert changed_data._given(source, "none") == []


@pytest.mark.parametrize(
    ("order", "until"),
    [((), (1, 2, 3)), ((3, 1, 2), (3,)), ((2, 1), ()), ((1, 3, 3, 2), (1, 3, 3)), ((9, 3), (9, 3))],
)
def test_cells_are_run_again_up_to_the_last_that_defines_the_answer(order, until):
    """In the order in which they were read."""
    ready = SimpleNamespace(cells=["x = 1", "y = 2", "dcg = 3", "z = 4"])
    run = SimpleNamespace(question=QUESTION, ready=ready)
    assert changed_data._up_to_the_answer(run, NotebookReading(order)) == until
    ready.cells = ["dcg = 3", "dcg(3)"]
    assert changed_data._up_to_the_answer(run, AT_THE_END) == (1,)
    ready.cells = ["x = 1", "dcg = 3"]
    assert changed_data._up_to_the_answer(run, NotebookReading((0, 1))) == ()
    assert changed_data._up_to_the_answer(run, NotebookReading((3, 2, 1))) == (3, 2)
    assert changed_data._up_to_the_answer(run, AT_THE_END) == (1, 2)


@rows(
    ("now", "told"),
    [
        ([[1, 2], 3], []),
        ([[1, 2.0], 3], []),
        ([[2, 1], 3], ["grades"]),
        ([[1, 2], 3.0000001], ["k"]),
        ([[1, 2], 4], ["k"]),
        ([[2, 2], 4], ["grades", "k"]),
        ([None, 4], ["k"]),
        ([None, None], []),
        ([[1, 2]], []),
        ([[1, 2], 3, 4], []),
        (None, []),
    ],
)
def test_data_were_changed_if_their_names_mean_something_else_in_the_cell_of_the_answer(now, told):
    """However little it differs; a name that means nothing, or an answer of none, tells nothing."""
    asked = []

    def value_of(name, harness, order, case):
        asked.append((name, order, case.most))
        scope = {"grades": [5], "k": 6}
        exec(harness, scope)  # noqa: S102 -- the line that the grader writes
        assert scope[name] == [[5], 6]
        return Answer(given=now is not None, value=now)

    cells = ["x = 1", "grades = [2, 1]", "total = 3", "total = 4", "y = 2"]
    source = SimpleNamespace(
        cells=[GIVEN, cell("total = 2", "total")],
        question_of=lambda one: "".join(one.tags),
        exercise=SimpleNamespace(questions=[]),
    )
    run = SimpleNamespace(
        question=replace(QUESTION, name="total", kind="value"),
        ready=SimpleNamespace(cells=cells),
        answer_key=SimpleNamespace(source=source),
        value_of=value_of,
    )
    inputs = {"a": [1, 2], "b": 3}
    found = changed_data.changed_data(run, AT_THE_END, inputs)
    assert [(one.name, one.cell) for one in found] == [(name, 4) for name in told]
    held = dict(zip(("grades", "k"), inputs.values(), strict=True))
    for one in found:
        after = dict(zip(held, now, strict=True))
        assert (one.now, one.in_copy) == (repr(after[one.name]), repr(held[one.name]))
    # A list of a list of two numbers and a number has five parts.
    [(_, order, most)] = asked
    assert (order, most) == ((1, 2, 3, 4), 2 * 5 + 200)
    assert changed_data.changed_data(run, AT_THE_END, {"a": [1, 2]}) == []
    run.ready.cells = ["x = 1"]
    assert changed_data.changed_data(run, AT_THE_END, inputs) == []
    assert len(asked) == 1  # nothing is run where no cell gives the answer, or no name is known


# -- the mark of a question


def test_a_verdict_earns_its_share_to_four_decimals_and_names_its_mistake():
    """The words of a mistake stay what they are."""
    blank = QuestionMark("q", "Q", 7)
    wrong = Wrong("lab", "the\tsquare", why="w", read="book")
    for share in (0.0, 1 / 3, 0.99999, 1.0):
        assert mark_submission._earning(blank, AnswerVerdict(share)).marks == round(7 * share, 4)
    found = mark_submission._earning(blank, AnswerVerdict(0.0, wrong))
    assert (found.label, found.says, found.read) == ("lab", "the    square", "book")
    bare = mark_submission._earning(found, AnswerVerdict(0.5))
    assert (bare.label, bare.says, bare.read, bare.marks) == ("", "", "", 3.5)
    assert bare.right is False
    assert mark_submission._earning(blank, AnswerVerdict(1.0)).right is True


def test_errors_and_imports_are_told_as_the_first_question_met_them():
    """Five errors in words; each failed import of a cell once."""
    run = SimpleNamespace(ready=SimpleNamespace(language=""), question=QUESTION)
    errors = [raised(f"E{place}", place) for place in range(1, 8)]
    imports = [raised("ImportError", 2), raised("ImportError", 2), raised("ImportError", 0)]
    marked = [
        MarkedQuestion(mark("a")),
        MarkedQuestion(mark("b"), [*errors, *imports]),
        MarkedQuestion(mark("c"), [raised("Other")]),
    ]
    found = mark_submission._first_errors([run] * 3, marked)
    assert [words.partition(":")[0] for words in found] == ["E1", "E2", "E3", "E4", "E5"]
    notes = mark_submission._failed_imports(marked)
    assert len(notes) == 1
    assert notes[0].startswith("cell 2, line 1: m")
    assert mark_submission._first_errors([run], marked[:1]) == []
    assert mark_submission._failed_imports(marked[:1]) == []
    ready = SimpleNamespace(elsewhere={"a": "look", "b": "there"})
    found = [replace(marked[0], found=FoundAnswer.BLANK), marked[1]]
    assert [*mark_submission._elsewhere(ready, found)] == ["look"]


@rows(
    ("error", "later", "package"),
    [
        (raised("SyntaxError"), True, False),
        (raised("AttributeError", name="math"), True, False),
        (raised("AttributeError", name="mine"), False, False),
        (raised("AttributeError"), False, False),
        (raised("ImportError", name="os.path"), True, True),
        (raised("ImportError", name="annotationlib"), True, True),
        (raised("ModuleNotFoundError", name="pandas"), False, True),
        (raised("NameError", name="pd"), False, True),
        (raised("NameError", name="p"), False, False),
        (raised("NameError"), False, False),
        (raised("KeyError", name="math"), False, False),
    ],
)
def test_an_error_has_a_remedy_by_its_kind_and_name(error, later, package):
    """What a later Python has, and what a package has that is not there."""
    absent = [raised("ImportError", text="import pandas as pd")]
    assert answer_texts.may_be_of_a_later_python(error) is later
    assert answer_texts.is_for_want_of_a_package(error, absent) is package
    told = answer_texts.error_in_words(error, QUESTION, absent)
    assert told.startswith(
        f"{error.type}: m. It comes from cell 1 (text cells count, too), line 1."
    )
    assert ("which lacks what came with later versions" in told) is later
    only = "The grader has only the standard library and numpy: write this part yourself."
    assert (only in told) is (package and not later)
    assert "line 1: x = 1." in answer_texts.error_in_words(replace(error, text="x = 1"), QUESTION)
    assert "It comes" not in answer_texts.error_in_words(replace(error, line=0), QUESTION)


LONG = "m" * 400


@rows(
    ("say", "most"),
    [
        (lambda error: answer_texts.stopped(replace(error, message=LONG)), 200),
        (lambda error: answer_texts.import_failed(replace(error, message=LONG)), 200),
        (lambda error: answer_texts.error_in_words(replace(error, message=LONG), QUESTION), 300),
        (lambda _: answer_texts.not_graded(ValueError(LONG)), 300),
        (lambda _: answer_texts.no_value(Answer(why=LONG, lack=NoValue.ENDED)), 300),
        (lambda _: answer_texts.no_value(Answer(why=LONG, lack=NoValue.TOO_BIG)), 300),
        (lambda error: answer_texts.stopped(replace(error, type=LONG, message="")), 100),
        (lambda error: answer_texts.stopped(replace(error, type=LONG, message="x")), 100),
        (lambda error: answer_texts.error_in_words(replace(error, type=LONG), QUESTION), 100),
        (lambda error: answer_texts.error_in_words(replace(error, text=LONG), QUESTION), 120),
    ],
)
def test_what_code_says_is_cut(say, most):
    """A message of any length takes no more than so many letters, with dots; shorter ones stay."""
    said = say(raised("E", 2, 3))
    assert said.count("m" * (most - 4)) == 1
    assert "m" * (most - 3) not in said
    assert f"{'m' * (most - 4)} ..." in said or said.count("m" * (most - 4) + " ") == 1


@rows("length", [1, 199, 200, 201])
def test_what_is_short_enough_is_said_whole(length):
    """Up to the last letter that there is room for."""
    error = raised("E", 2, 3)
    for say in (answer_texts.stopped, answer_texts.import_failed):
        said = say(replace(error, message="m" * length))
        assert ("m" * length in said) is (length <= 200)


@rows("kind", ["value", "function"])
@rows("given", [True, False])
@rows("share", [0.0, 1.0])
@rows("limit", ["", "memory"])
def test_the_mark_of_a_question_says_what_was_shown_and_earns_what_counts(
    kind, given, share, limit
):
    """A value keeps its answer, so that it can be accepted later; a function has none."""
    question = replace(QUESTION, kind=kind)
    wrong = Wrong("lab", "the square", why="Look.") if not share else None
    verdict = AnswerVerdict(share, wrong, where="In line 2.", chance="By chance.")
    answer = Answer(given=given, value=[1, (2,)] if given else None)
    outcome = outcome_of(answer, limit=limit, tampered=bool(limit))
    earning = replace(
        tried(share, reading=NotebookReading((1,), True)),
        errors=[raised(cell=1)],
        beside=outcome_of(ended="it ended"),
    )
    shown = TriedReading(
        AT_THE_END, outcome, RunJudgment(verdict, told=("Told.", "")), [], [], TRIAL
    )
    run = SimpleNamespace(
        question=question, ready=SimpleNamespace(cells=["dcg = 1"]), answer_key=None
    )
    changed = [changed_data.ChangedData("x", 1, "2", "3")]
    blank = QuestionMark("dcg", "DCG", 4)
    found = mark_submission._with_feedback(run, blank, earning, shown, changed)
    mark = found.mark
    assert mark.marks == 4 * share
    assert mark.answer == ([1, {"tuple": [2]}] if kind == "value" and given else None)
    assert (mark.limit, mark.tampered) == (limit, bool(limit))
    assert mark.text == (f"{verdict.text} In line 2." if wrong else "Right.")
    reading, beside, *others = mark.told
    assert "order in which the cells were run" in reading
    assert "it ended. The cells that the answer needs were marked" in beside
    assert others == ["Told.", changed[0].told, "By chance."]
    stops = [] if share else ["cell 1, line 1 stopped with KeyError: m"]
    assert [one.partition(" (")[0] for one in mark.seen[: len(stops)]] == stops
    assert mark.seen[len(stops) :] == (changed[0].told, reading)
    assert (found.errors, found.found) == (earning.errors, FoundAnswer.ANSWER)
    assert found.reading == earning.reading


@rows("cells", [*product(["dcg = 1", "v = 2", "dcg, v", "def v(): 0"], repeat=3)])
def test_an_answer_that_is_defined_in_several_cells_is_noted(cells):
    """With the cells; one that is defined once, or nowhere, is not."""
    key = SimpleNamespace(questions=[QUESTION, replace(QUESTION, name="v")])
    expected = []
    for name, defining in (("dcg", {"dcg = 1"}), ("v", {"v = 2", "def v(): 0"})):
        numbers = [number for number, cell in enumerate(cells, 1) if cell in defining]
        if len(numbers) > 1:
            listed = ", ".join(map(str, numbers))
            expected.append(f"{name} is defined in cells {listed}: the last one counts")
    assert list(mark_submission._repeated(SimpleNamespace(cells=cells), key)) == expected


@rows("begins", [True, False])
@rows("state", [FoundAnswer.BLANK, FoundAnswer.NOTHING])
def test_an_answer_above_a_line_that_was_handed_out_is_told(begins, state, monkeypatch):
    """It has no marks, and says which line to delete."""
    monkeypatch.setattr(mark_submission, "begun", lambda *_: begins)
    run = SimpleNamespace(
        question=QUESTION,
        ready=SimpleNamespace(cells=["x"]),
        answer_key=SimpleNamespace(source=None),
    )
    blank = QuestionMark("dcg", "DCG", 4)
    one = tried(0.0, state)
    found = mark_submission._with_feedback(run, blank, one, one, [])
    is_begun = begins and state is FoundAnswer.BLANK
    assert found.found is (FoundAnswer.BEGUN if is_begun else state)
    assert ("delete that line" in found.mark.text) is is_begun
    assert (found.mark.marks, found.mark.right) == (0, False)


@rows("kind", ["value", "function"])
@rows("nobodys", [True, False])
@rows("unknown", [(), ("dcg",), ("other",)])
@rows("fails", [True, False])
def test_a_question_is_open_where_it_cannot_be_judged(kind, nobodys, unknown, fails, monkeypatch):
    """A value of a copy of nobody's, other data, or the machine; each has its reason."""
    asked = []

    def runs(run):
        asked.append(run)
        if fails:
            raise SandboxError("no room")
        return "earning", "shown"

    marked = MarkedQuestion(mark("dcg", 4.0))
    monkeypatch.setattr(mark_submission, "_runs", runs)
    monkeypatch.setattr(mark_submission, "_changed", lambda *_: ["changed"])
    monkeypatch.setattr(
        mark_submission, "_with_feedback", lambda *given: marked if given[2:] else None
    )
    run = SimpleNamespace(
        question=replace(QUESTION, kind=kind, title="", bonus=True, marks=3),
        ready=SimpleNamespace(language="", nobodys=nobodys, data=SimpleNamespace(unknown=unknown)),
    )
    found = mark_submission._marked(run)
    why = None
    if nobodys and kind == "value":
        why = WhyOpen.NOBODYS
    elif "dcg" in unknown:
        why = WhyOpen.OTHER_DATA
    elif fails:
        why = WhyOpen.FAILED
    assert bool(asked) is (why in {None, WhyOpen.FAILED})
    if why is None:
        assert found is marked
        return
    one = found.mark
    assert (one.judged, one.why_open, one.marks) == (False, why.value, 0)
    assert (one.name, one.title, one.out_of, one.bonus) == ("dcg", "dcg", 3, True)
    is_failed = why is WhyOpen.FAILED
    assert found.found is (FoundAnswer.NOT_JUDGED if is_failed else FoundAnswer.ANSWER)
    assert ("no room" in one.text) is is_failed


@rows("kind", ["value", "function"])
@rows("share", [0.0, 0.5, 1.0])
@rows("limit", ["", WALL])
@rows("state", [*FoundAnswer])
def test_data_are_looked_at_behind_a_wrong_value_alone(kind, share, limit, state, monkeypatch):
    """An answer that is there, and is no right one; a limit says enough by itself."""
    monkeypatch.setattr(
        mark_submission, "changed_data", lambda _run, reading, inputs: (reading, inputs)
    )
    run = SimpleNamespace(
        question=replace(QUESTION, kind=kind),
        ready=SimpleNamespace(whose="ann", general=False, data=SimpleNamespace(own={})),
        answer_key=SimpleNamespace(trial=lambda *_, **__: TRIAL),
    )
    found = mark_submission._changed(run, tried(share, state, limit=limit))
    is_asked = kind == "value" and share < 1 and not limit and state is FoundAnswer.ANSWER
    assert found == ((AT_THE_END, TRIAL.general[0]) if is_asked else [])


@rows("hidden", [True, False])
@rows("where", ["", "In line 2."])
def test_only_what_tells_of_hidden_inputs_is_run_again_to_be_shown(hidden, where, monkeypatch):
    """The marks are of a run that had neither examples nor what stands above the hidden ones."""
    trial = Trial([{"x": 3}], [{"x": 0}], prefixes=[{"x": 1}], examples=[{"x": 5}], hidden=hidden)
    earning = replace(tried(0.0), judged=RunJudgment(AnswerVerdict(0.0, where=where)))
    asked = []
    monkeypatch.setattr(
        mark_submission, "best_reading", lambda _run, given: asked.append(given) or earning
    )
    monkeypatch.setattr(mark_submission, "can_be_shown", lambda *given: given[1:])
    run = SimpleNamespace(
        question=QUESTION,
        ready=SimpleNamespace(whose="ann", general=True, data=SimpleNamespace(own={"dcg": 1})),
        answer_key=SimpleNamespace(trial=lambda *_, **given: asked.append(given) or trial),
    )
    found = mark_submission._runs(run)
    assert asked == [{"general": True, "copy_inputs": 1}, replace(trial, prefixes=(), examples=())]
    assert found == (earning, (trial, earning) if hidden and where else earning)
