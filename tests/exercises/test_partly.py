"""Marks for each right value of a list, safe from guessing; and marks above the total."""

import itertools
import math
from random import Random
from statistics import fmean

import pytest

from irmetrics_edu.classroom.exercises.answer_checks import judge
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial
from irmetrics_edu.classroom.exercises.spec import Exercise
from irmetrics_edu.classroom.exercises.variants import Variant
from tests.exercises.guessers import ZOO

KEY = b"a key of sixteen bytes"


def grades(source):
    """Grades, some of them 0."""
    return {"grades": [source.choice([0, 1, 2, 3]) for _ in range(8)]}


def gains(kind="value", **options):
    """A question whose answer is a list of numbers."""
    return Question(
        "gains", 'dcg.working(grades)["discounted gain"]', grades, kind=kind, partly=True, **options
    )


def by_hand(inputs):
    """The right answer, as a student computes it."""
    return [g / math.log2(i + 1) for i, g in enumerate(inputs["grades"], start=1)]


GIVEN = {"grades": [3, 2, 3, 1, 2, 3, 1, 2]}


def share(answer, question=None, inputs=GIVEN):
    """The share of the marks for one answer."""
    return judge(question or gains(), Trial([inputs]), [answer]).share


def test_marks_are_in_proportion():
    """Each right value beyond those that a guess brings is worth as much as any other."""
    right = by_hand(GIVEN)
    wrong = [x + 1 for x in right]
    shares = [share(right[:n] + wrong[n:]) for n in range(9)]
    assert shares[0] == 0
    assert shares[8] == 1
    rising = [b - a for a, b in itertools.pairwise(shares) if b > 0]
    assert rising == pytest.approx([rising[0]] * len(rising))
    assert len(rising) >= 5


def test_without_the_option_it_is_all_or_nothing():
    """As before: one wrong value of eight takes the marks of a value question."""
    answer = [*by_hand(GIVEN)[:-1], 9.0]
    question = Question("gains", gains().expected, grades, kind="value")
    assert share(answer, question) == 0
    assert share(answer) > 0.7


def test_how_the_marks_come_about_is_said():
    """How many are right, how many a guess can bring, and where the first difference is."""
    verdict = judge(gains(), Trial([GIVEN]), [[*by_hand(GIVEN)[:-1], 9.0]])
    assert verdict.chance.startswith("7 of 8 values are right. Somebody who only guesses can have")
    assert "rank 8" in verdict.text


@pytest.mark.parametrize(
    "answer",
    [
        3, None, "3", {}, [], [0.0] * 8, [1.0] * 8, [3.0] * 8, [0.5] * 8, GIVEN["grades"],
        GIVEN["grades"][::-1], sorted(GIVEN["grades"]), list(range(8)), list(range(1, 9)),
        [1 / i for i in range(1, 9)], [[x] for x in by_hand(GIVEN)], ["x"] * 8,
        [0.0] * 10_000, [math.nan] * 8,
    ],
    ids=str,
)  # fmt: skip
def test_no_such_answer_earns_anything(answer):
    """Constants, the input itself, ranks, other shapes."""
    assert share(answer) == 0


def test_more_values_than_asked_for_take_marks():
    """To write down every number that might be right does not pay."""
    right = by_hand(GIVEN)
    assert share([*right, 1.0]) < 1
    assert share([*right, *right]) == 0


def test_one_list_for_all_inputs_earns_nothing():
    """Three of its four values are right each time, but no computation gave them."""
    question = Question("f", "[1.5, 0.25, 0.125, x * x]", partly=True)
    trial = Trial([{"x": x} for x in (2.5, 3.5, 4.5)])
    earned = [
        judge(question, trial, answers).share
        for answers in ([[1.5, 0.25, 0.125, 9.0]] * 3, [[1.5, 0.25, 0.125, x] for x in (7, 8, 9)])
    ]
    assert earned[0] == 0 < earned[1]
    # Where one list is right for all inputs, the same answer for all is no guess.
    same = Question("f", "[1.5, 0.25, 0.125, 0 * x]", partly=True)
    assert judge(same, trial, [[1.5, 0.25, 0.125, 9.0]] * 3).share > 0


def test_a_list_without_end_spoils_no_other():
    """To count values never brings less than to count lists: 11 of 12, of which 2 are guessed."""
    question = Question("f", "[x * x + 0.5, x * x * x + 0.25]", partly=True)
    trial = Trial([{"x": x} for x in range(1, 13)])
    answers = [[x * x + 0.5, x * x * x + 0.25] for x in range(1, 12)] + [[0.0] * 1000]
    assert judge(question, trial, answers).share == pytest.approx(0.9)


def test_tables_and_dicts_count_value_by_value():
    """A row of a table, a key of a dict: whatever holds the numbers."""
    inputs = {"rows": [3.5, 1.25, 2.75]}
    table = Question("t", "[[x, x * x] for x in rows]", kind="value", partly=True)
    right = [[x, x * x] for x in inputs["rows"]]
    assert share(right, table, inputs) == 1
    assert 0 < share([*right[:2], [2.75, 0.1]], table, inputs) < 1
    # The first column is the input itself: with that alone nothing is earned.
    assert share([[x, 9.9] for x in inputs["rows"]], table, inputs) == 0
    named = Question("d", "{q: g * 7.5 + 0.1 for q, g in by.items()}", kind="value", partly=True)
    by = {"by": {"q1": 3, "q2": 5, "q3": 2, "q4": 8, "q5": 4}}
    right = {q: g * 7.5 + 0.1 for q, g in by["by"].items()}
    assert share(right, named, by) == 1
    assert 0 < share({**right, "q5": 0}, named, by) < 1
    assert share(by["by"], named, by) == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["value", "function"])
def test_guessing_does_not_pay(kind):
    """The zoo of guessers, and guesses of whole lists, over many keys: a twentieth at most."""
    question = gains(kind)
    exercise = Exercise("79", "Lists", [question])
    found = {}
    for turn in range(4):
        source = Random(turn)
        trial = Variant(f"s{turn}", KEY).trial(exercise.number, question, hidden=True)
        seen = [by_hand(grades(source)) for _ in range(5)]
        for kind_of in (*ZOO, lists):
            for name, guess in kind_of(seen, source):
                answers = [guess(call, inputs) for call, inputs in enumerate(trial)]
                earned = judge(question, trial, answers).share
                found.setdefault((kind_of.__name__, name.split("[")[0]), []).append(earned)
    means = {who: fmean(each) for who, each in found.items()}
    assert not {who: mean for who, mean in means.items() if mean > 0.05}
    right = [by_hand(inputs) for inputs in trial]
    assert judge(question, trial, right).share == 1


def lists(seen, source):
    """Lists of the right length: by chance, of what was right elsewhere, scaled, shuffled."""
    pool = [x for each in seen for x in each]
    yield "numbers seen", lambda _c, i: [source.choice(pool) for _ in i["grades"]]
    yield "small numbers", lambda _c, i: [source.choice([0, 1, 0.5, 2]) for _ in i["grades"]]
    yield "shuffled input", lambda _c, i: source.sample(i["grades"], len(i["grades"]))
    yield "half the input", lambda _c, i: [g / 2 for g in i["grades"]]
    yield "input over rank", lambda _c, i: [g / n for n, g in enumerate(i["grades"], 1)]
    yield "another's list", lambda _c, _i: source.choice(seen)


def test_an_answer_that_is_no_list_counts_as_before():
    """The option changes nothing for a number, or for a list of texts."""
    number = Question("n", "cg(grades)", kind="value", partly=True)
    assert share(16, number, {"grades": [3, 5, 8]}) == 1
    assert share(15, number, {"grades": [3, 5, 8]}) == 0
    texts = Question("x", "[w + 's' for w in words]", kind="value", partly=True)
    assert share(["as", "b"], texts, {"words": ["a", "b"]}) == 0


def test_a_bonus_is_above_the_total():
    """Its marks can be earned, and the total is that of the others."""
    exercise = Exercise("79", "Lists", [gains(marks=3), Question("b", "1", marks=2, bonus=True)])
    assert exercise.marks == 3
    data = exercise["b"].as_data()
    data["inputs"] = None
    assert Question.from_data(data).bonus
    # A copy of an exercise that has no such question does not change.
    assert "bonus" not in Question("c", "1").as_data()
    assert "partly" not in Question("c", "1").as_data()
