"""What is drawn: right by plain loops, told apart from every mistake, never twice."""

import math
import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from irmetrics_edu.commands.questions import _origins
from irmetrics_edu.exercises.build import sources
from irmetrics_edu.exercises.spec import Question, Wrong
from irmetrics_edu.questions import drawn
from irmetrics_edu.questions.answers import Refused
from irmetrics_edu.questions.drawing import numeric
from irmetrics_edu.questions.origin import Origin

ROOT = Path(__file__).resolve().parents[2]


def some(rng):
    """Grades and a cut-off."""
    return {"grades": [rng.choice([0, 1, 2, 3]) for _ in range(6)], "k": rng.randint(3, 5)}


def origin(**changed):
    """A question of DCG, with two mistakes of the catalogue and one of its own."""
    facts = {
        "name": "dcg", "expected": "dcg(grades, k=k)", "inputs": some, "title": "DCG",
        "asks": "What is DCG@k?", "mistakes": ["natural-logarithm", "discount-by-the-root"],
        "wrongs": [Wrong("no-discount", "a sum without a discount", "cg(grades, k=k)", "Why.")],
    }  # fmt: skip
    return Origin("20", "An exercise", Question(**{**facts, **changed}))


def given(asked):
    """The values that a question shows, read as somebody would who answers it."""
    data = dict(asked.data)
    return [int(g) for g in data["grades"].split(", ")], int(data["k"])


def plain(grades, k, discount):
    """A discounted sum, in a loop."""
    return sum(g / discount(i) for i, g in enumerate(grades[:k], start=1))


def by_loops(label, grades, k):
    """DCG and its mistakes, each written out by hand."""
    discounts = {
        "": lambda i: math.log2(i + 1),
        "natural-logarithm": lambda i: math.log(i + 1),
        "discount-by-the-root": math.sqrt,
        "no-discount": lambda _: 1,
    }
    return plain(grades, k, discounts[label])


def test_every_answer_is_that_of_a_loop():
    """Numbers, options and orders: computed from what the question shows, and from nothing else."""
    bank = drawn([origin()], 40, seed=5)
    assert bank.complete
    assert {q.kind for q in bank.questions} == {"numeric", "choice", "order"}
    for asked in bank.questions:
        if asked.kind == "order":
            data = dict(asked.data)
            lists = {n: [int(g) for g in data[f"grades {n}"].split(", ")] for n in "ABCD"}
            for option in asked.options:
                scores = {n: by_loops(option.label, g, int(data["k"])) for n, g in lists.items()}
                assert option.text == ", ".join(
                    sorted(scores, key=scores.__getitem__, reverse=True)
                )
            continue
        grades, k = given(asked)
        said = re.search(r"answer is (\S+)\.$", asked.asks)
        for option in asked.options:
            if said:  # the mistake behind a number is asked for
                continue
            value = by_loops(option.label, grades, k)
            assert abs(float(option.text) - value) <= 0.5001e-3
        if said:
            labels = ["natural-logarithm", "discount-by-the-root", "no-discount"]
            (made,) = {*labels} - {option.label for option in asked.options}
            assert abs(float(said[1]) - by_loops(made, grades, k)) <= 0.5001e-3


def test_an_answer_is_told_apart_from_every_other():
    """No number is within two tolerances of another, and a rounded answer is still right."""
    for asked in drawn([origin()], 20, kinds=["numeric"]).questions:
        values = sorted(option.value for option in asked.options)
        assert all(b - a > 2 * asked.tolerance for a, b in pairwise(values))
        assert abs(round(asked.right.value, 3) - asked.right.value) <= asked.tolerance
        assert all(option.feedback for option in asked.options)


def test_a_draw_that_lets_a_mistake_through_is_refused():
    """A mistake within the tolerance of what is right, two alike, and what anybody would guess."""
    near = Wrong("near", "nearly it", "dcg(grades, k=k) + 0.0004")
    far = Wrong("far", "something else", "dcg(grades, k=k) + 5")
    further = Wrong("further", "something like that", "dcg(grades, k=k) + 5.0004")
    cases = [
        ({"wrongs": [near]}, "a mistake gives the right answer"),
        ({"wrongs": [far, further]}, "alike"),
        ({"expected": "dcg(grades, k=k) * 0 + 1", "wrongs": [far]}, "easy to guess"),
        ({"expected": "str(k)", "wrongs": [far]}, "not a number"),
    ]
    for changed, why in cases:
        with pytest.raises(Refused, match=why):
            numeric(origin(mistakes=[], **changed), Random(3), 3)


def test_the_same_values_in_another_order_are_one_question():
    """Three values have six orders, and make one question; the bank says why it has no more."""

    def same(rng):
        grades = [1, 2, 3]
        rng.shuffle(grades)
        return {"grades": grades, "k": 3}

    bank = drawn([origin(inputs=same)], 5, kinds=["numeric"])
    assert len(bank.questions) == 1
    assert not bank.complete
    assert bank.spent == {("20", "dcg", "numeric"): "the same values were drawn before"}


def test_a_seed_gives_the_same_and_a_variant_the_same_with_other_values():
    """Two variants ask for the same in the same order; no values are in both."""
    kinds = ["numeric", "choice"]
    first, again = (drawn([origin()], 6, seed=2, kinds=kinds).questions for _ in range(2))
    assert first == again
    other = drawn([origin()], 6, seed=2, kinds=kinds, variant="B").questions
    assert [q.kind for q in other] == [q.kind for q in first]
    assert not {q.drawn for q in other} & {q.drawn for q in first}


@pytest.mark.slow
def test_hundreds_of_questions_over_all_chapters():
    """The exercises' own specs: every kind, every chapter, no question twice."""
    bank = drawn(_origins(ROOT / "solutions"), 300, seed=1)
    assert bank.complete
    questions = bank.questions
    assert {q.chapter for q in questions} == {source.stem[:2] for source in sources()}
    assert {q.kind for q in questions} == {"numeric", "choice", "order"}
    assert len({q.text for q in questions}) == len({q.ident for q in questions}) == 300
    for asked in questions:
        assert len({option.text for option in asked.options}) == len(asked.options)
        assert sum(option.right for option in asked.options) == 1
        assert all(option.feedback for option in asked.options)
        assert len(asked.solution) > 20
