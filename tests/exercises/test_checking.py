"""check and hint, as a student meets them: right, mistaken, broken, endless."""

import contextlib
import math
import subprocess
import sys
import threading
from fractions import Fraction
from functools import cache

import pytest

from dev.tools.exercises import sources
from irmetrics_edu.classroom.exercises import begin, check, checking, hint
from irmetrics_edu.classroom.exercises.answer_checks import judge
from irmetrics_edu.classroom.exercises.checking import packed, unpacked
from irmetrics_edu.classroom.exercises.computed_question import Trial
from irmetrics_edu.classroom.exercises.differing import LONGEST_SHOWN, same, shown
from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.exercises.variants import GENERAL, prefixes
from irmetrics_edu.errors import InputError

[PATH] = sources(["04"])
EXERCISE = read(PATH).exercise


@cache
def text_of_the_copy():
    """What the first cell of the general copy of exercise 4 holds."""
    trials = {q.name: GENERAL.trial(EXERCISE.number, q) for q in EXERCISE.questions}
    return packed(EXERCISE, trials)


@pytest.fixture(autouse=True)
def opened():
    """Exercise 4, opened anew for each test."""
    begin(text_of_the_copy())
    yield
    checking._open.clear()


def dcg(grades, k=None):
    """DCG as it should be."""
    return sum(g / math.log2(i + 1) for i, g in enumerate(grades[:k], start=1))


def test_a_right_answer_is_right():
    """Also if it prints, and warns nobody."""
    assert check("dcg", dcg).right
    assert repr(check("dcg", dcg)) == "dcg: Right."


def test_a_mistake_is_named_where_plain_python_stops():
    """log2(1) = 0 divides by zero in Python; numpy would go on with infinity."""
    said = check("dcg", lambda g, k=None: sum(x / math.log2(i) for i, x in enumerate(g[:k], 1)))
    assert said.label == "log-of-rank-unguarded"
    assert "look at rank 1" in said.text


def test_the_first_line_that_differs_is_named():
    """A function that is right for two ranks only: the third is where to look."""
    said = check("dcg", lambda g, k=None: dcg(g[:k][:2]) + sum(g[:k][2:]))
    assert "as far as rank 2" in said.text
    assert "rank 3, in the discounted gain" in said.text
    assert not said.label


def test_the_beginnings_are_of_a_list_whose_first_line_counts():
    """Of the first that begins with no 0: where rank 1 adds nothing, no mistake shows there."""
    question = EXERCISE["dcg"]
    lists = [{"grades": [0, 1, 1], "k": 2}, {"grades": [2, 0, 1], "k": 2}]
    assert prefixes(question, lists)[0] == {"grades": [2], "k": None}
    assert prefixes(question, lists[:1])[0] == {"grades": [0], "k": None}
    # Then it is not said that the working is right as far as there.
    trial = Trial(lists[:1], prefixes=prefixes(question, lists[:1]))
    said = judge(question, trial, [7.0, 0.0, 0.5, 1.0]).where
    assert said.startswith("The first line that differs is that of rank 2, in the discounted gain")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda _g, _k=None: None, "ends with a return"),
        (lambda _g, _k=None: "3", "a text, '3', but it should give a number"),
        (lambda _g, _k=None: math.nan, "NaN"),
        (lambda _g, _k=None: [1.0], "a list"),
        (lambda _g, _k=None: ..., "still to be written"),
        (lambda _g, _k=None: object(), "not plain data"),
        (lambda g, _k=None: g["x"], "raises TypeError"),
        (lambda: 1, "raises TypeError"),
        (3, "needs the function itself"),
    ],
)
def test_what_is_no_score_is_said_plainly(answer, words):
    """Wrong types, errors and nothing at all; the check itself never raises."""
    said = check("dcg", answer)
    assert not said.right
    assert words in said.text


def test_an_input_that_is_changed_is_remarked_on():
    """The next call has the input as it was, and the marks are not touched."""

    def sorting(grades, k=None):
        found = dcg(grades, k)
        grades.sort()
        return found

    said = check("dcg", sorting)
    assert said.right
    assert "changes its input" in said.text


def endless(_grades, _k=None):
    """A loop whose except would swallow any ordinary error."""
    while True:
        with contextlib.suppress(Exception):
            math.log2(8)


def test_a_loop_without_end_is_ended(monkeypatch):
    """By an alarm that no `except Exception` catches."""
    monkeypatch.setattr(checking, "SECONDS", 0.2)
    assert "not ended" in check("dcg", endless).text


def test_where_there_is_no_alarm_the_check_comes_back(monkeypatch):
    """In a thread other than the main one: the answer is given up, the notebook goes on."""
    monkeypatch.setattr(checking, "SECONDS", 0.2)
    stop = threading.Event()
    said = []
    worker = threading.Thread(
        target=lambda: said.append(check("dcg", lambda _g, _k=None: stop.wait(20)))
    )
    worker.start()
    worker.join(10)
    stop.set()
    assert "not ended" in said[0].text


def test_values_are_checked_line_by_line():
    """A list of contributions: the first that differs, and its length."""
    [inputs] = GENERAL.trial(EXERCISE.number, EXERCISE["contributions"]).general
    right = [g / math.log2(i + 1) for i, g in enumerate(inputs["grades"], start=1)]
    assert check("contributions", right).right
    assert check("contributions", [round(v, 3) for v in right]).right
    assert "rank 2" in check("contributions", [right[0], 9, *right[2:]]).text
    assert "It should give 6 values, not 5." in check("contributions", right[:-1]).text
    assert check("contributions", ...).text == "contributions: no answer yet."


def test_hints_come_in_steps():
    """Each call goes one step further, and the last stays."""
    said = [hint("dcg").text for _ in range(4)]
    steps = [text.split(", ")[1].split(":")[0] for text in said]
    assert steps == ["hint 1", "hint 2", "hint 3", "hint 3"]


def test_the_first_cell_comes_first():
    """A check without it, or with a changed one, says so."""
    checking._open.clear()
    with pytest.raises(InputError, match="first cell"):
        check("dcg", dcg)
    with pytest.raises(InputError, match="first cell was changed"):
        unpacked("no such text")


def test_what_a_copy_holds_is_no_answer():
    """Inputs and names of metrics, and no value that the package would compute from them."""
    exercise, trials = unpacked(text_of_the_copy())
    assert [q.name for q in exercise.questions] == [q.name for q in EXERCISE.questions]
    assert all(q.inputs is None for q in exercise.questions)
    for question in EXERCISE.questions:
        assert list(trials[question.name]) == list(GENERAL.trial(EXERCISE.number, question))


def test_check_and_hint_are_light():
    """Importing them loads neither numpy nor a metric."""
    code = "import sys, irmetrics_edu.classroom.exercises; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("huge", [10**900, Fraction(10**900, 7), [10**900], {"d1": -(10**900)}])
def test_a_number_that_no_float_holds_is_wrong(huge):
    """It is compared as any other, in the notebook and by the grader."""
    wanted = [0.5] if isinstance(huge, list) else {"d1": 0.5} if isinstance(huge, dict) else 0.5
    assert not same(huge, wanted, 1e-6)


def test_a_hint_is_offered_as_long_as_there_is_one():
    """After a wrong answer, until all were given; a right answer needs none."""
    name = next(q.name for q in EXERCISE.questions if q.name == "dcg" and q.hints)
    hints = len(EXERCISE[name].hints)

    def wrong(_grades, k=None):  # noqa: ARG001 -- as it is called
        return -1.0

    for given in range(hints + 2):
        offered = f'hint("{name}") has a hint.' in check(name, wrong).text
        assert offered is (given < hints)
        assert "has a hint" not in check(name, dcg).text
        hint(name)


@pytest.mark.parametrize("length", [1, LONGEST_SHOWN - 2, LONGEST_SHOWN - 1, LONGEST_SHOWN, 5000])
def test_a_long_value_is_shown_shortened(length):
    """With dots at its end, and never longer than is shown."""
    text = shown("x" * length)
    assert len(text) <= LONGEST_SHOWN
    assert text.endswith(" ...") is (length + 2 > LONGEST_SHOWN)
    assert text.startswith(repr("x" * length)[: LONGEST_SHOWN - 4])
