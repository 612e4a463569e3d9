"""What is drawn: right by plain loops, told apart from every mistake, never twice."""

import math
import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from dev.tools.exercises import sources
from irmetrics_edu.classroom.exercises.computed_question import Question, Wrong
from irmetrics_edu.classroom.questions import concepts, drawn
from irmetrics_edu.classroom.questions.bank import origins_in
from irmetrics_edu.classroom.questions.drawing import Origin, RefusedDraw, numeric
from irmetrics_edu.cli import FAILED, main
from irmetrics_edu.errors import InputError

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
    """Numbers and options: computed from what the question shows, and from nothing else."""
    bank = drawn([origin()], 40, seed=5)
    assert bank.complete
    assert {q.kind for q in bank.questions} == {"numeric", "choice"}
    for asked in bank.questions:
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
        with pytest.raises(RefusedDraw, match=why):
            numeric(origin(mistakes=[], **changed), Random(3))


def test_a_question_is_asked_once():
    """Two values have two orders, and make two questions; the bank says why it has no more."""

    def same(rng):
        grades = [1, 3]
        rng.shuffle(grades)
        return {"grades": grades, "k": 2}

    bank = drawn([origin(inputs=same)], 5, kinds=["numeric"])
    assert len(bank.questions) == 2
    assert not bank.complete
    assert bank.refused.most_common(1)[0][0] == "the same values were drawn before"


def test_a_seed_gives_the_same_and_a_variant_the_same_with_other_values():
    """Two variants ask for the same in the same order; no values are in both."""
    kinds = ["numeric", "choice"]
    first, again = (drawn([origin()], 6, seed=2, kinds=kinds).questions for _ in range(2))
    assert first == again
    other = drawn([origin()], 6, seed=2, kinds=kinds, variant="B").questions
    assert [q.kind for q in other] == [q.kind for q in first]
    assert not {q.data for q in other} & {q.data for q in first}


# What a number under this name counts, or the question does not say what to do with it.
UNITS = {
    "seconds": "second", "sizes": "bytes", "length": "characters", "window": "words",
    "percentile": "percent", "threshold": "score",
}  # fmt: skip


def ill_posed(asked, question):
    """Why a student who knows the subject could not answer; nothing if all is well."""
    data = dict(asked.data)
    tables = [value for value in data.values() if ", " in value or "; " in value]
    if len({*tables}) < len(tables):
        yield "two tables are the same"
    yield from (
        f"no unit of {n}" for n, word in UNITS.items() if n in data and word not in asked.asks
    )
    gains = {"gain-without-minus-1", "gain-exp"} & {*question.labels}
    if gains and not re.search("gain|attention", asked.text):
        yield "it does not say what the gain is"
    lists = next(iter(question.inputs(Random(1)).items()))
    if lists[0] == "samples" and ";" not in data["samples"]:
        yield "several rankings are printed as one"
    if len({option.text for option in asked.options}) < len(asked.options):
        yield "two options read the same"


def test_questions_over_all_chapters_are_well_posed():
    """The exercises' own specs: every kind, every chapter, no question twice, none ill posed."""
    assert_well_posed(120)


def assert_well_posed(count):
    """So many questions over all chapters; `make suite SUITE=questions` asks for more."""
    origins = origins_in(ROOT / "solutions")
    of = {(o.chapter, o.question.name): o.question for o in origins}
    bank = drawn(origins, count, seed=7)
    assert bank.complete
    questions = bank.questions
    assert {q.chapter for q in questions} == {source.stem[:2] for source in sources()}
    assert {q.kind for q in questions} == {"numeric", "choice"}
    assert len({q.text for q in questions}) == len({q.ident for q in questions}) == count
    for asked in questions:
        assert list(ill_posed(asked, of[asked.chapter, asked.name])) == []
        assert sum(option.right for option in asked.options) == 1
        assert all(option.feedback for option in asked.options)
        assert len(asked.solution) > 20


def test_no_wording_leaves_another_answer_open():
    """What was once asked in words that have another answer: read anew by a plain computation."""
    asks = {o.question.name: o.question.asks for o in origins_in(ROOT / "solutions")}
    # Without "expected", every alpha up to 1 would do.
    assert "expected score" in asks["largest_alpha"]
    k, p = 5, 0.005
    alpha = asked_right("largest_alpha", {"k": k, "p": p})
    none, one = (1 - p) ** k, k * p * (1 - p) ** (k - 1)
    assert none * k * alpha == pytest.approx(one * (1 + (k - 1) * alpha))
    assert "mean of the queries' improvements" in asks["improvement"]
    values = {"values": {"q1": 0.3, "q2": 0.2}, "baseline": {"q1": 0.2, "q2": 0.4}}
    assert asked_right("improvement", values) == pytest.approx((0.1 / 0.2 - 0.2 / 0.4) / 2)


def asked_right(name, inputs):
    """What is right for these inputs of an exercise's question."""
    [found] = [o.question for o in origins_in(ROOT / "solutions") if o.question.name == name]
    return found.right(inputs)


def test_concepts_are_the_quizzes_of_the_chapters(tmp_path, capsys):
    """Each has one right answer and feedback; half of the questions, if so asked; or too few."""
    found = concepts.concepts()
    assert len(found) >= len(origins_in(ROOT / "solutions"))
    assert [q.chapter for q in found] == sorted(q.chapter for q in found)
    assert len({q.text for q in found}) == len({q.ident for q in found}) == len(found)
    for asked in found:
        assert len(asked.wrong) >= 2
        assert len({option.text for option in asked.options}) == len(asked.options)
        assert all(len(option.feedback) > 10 for option in asked.options)
        assert "<table" not in asked.html
    page = tmp_path / "exam.html"
    main(["questions", str(page), "--format", "exam", "--count", "4", "--kinds", "numeric,concept"])
    assert page.read_text(encoding="utf-8").count("Choose the right answer.") == 2
    few = ["questions", str(page), "--format", "exam", "--kinds", "concept", "--topics", "20"]
    assert main(few) == FAILED
    there = sum(asked.chapter == "20" for asked in found)
    out = capsys.readouterr().out
    assert f"exam.html: {there} questions\n" in out
    assert f"Only {there} of 20 questions could be made: there are no more concept" in out


def test_concepts_of_your_own(tmp_path, monkeypatch):
    """They are read from the folder of the sources; one that is not complete is named."""
    monkeypatch.setattr(concepts, "QUIZZES", tmp_path / "none.toml")
    with pytest.raises(InputError, match="has a quiz"):
        concepts.concepts(tmp_path)
    path = tmp_path / "concepts.toml"
    own = '[[question]]\nchapter = "02"\nasks = "1 < 2?"\nright = ["Yes", "By 1."]\n'
    path.write_text(own + 'wrong = [["No", "2 is more."]]\n', encoding="utf-8")
    [asked] = concepts.concepts(tmp_path)
    assert (asked.chapter, asked.asks, asked.topic) == ("02", "1 < 2?", "")
    assert [(o.text, o.feedback, o.right) for o in asked.options] == [
        ("Yes", "Right. By 1.", True),
        ("No", "2 is more.", False),
    ]
    path.write_text(own, encoding="utf-8")
    with pytest.raises(InputError, match="question 1: write chapter, asks"):
        concepts.concepts(tmp_path)
    path.write_text("question", encoding="utf-8")
    with pytest.raises(InputError, match="can't be read as TOML"):
        concepts.concepts(tmp_path)
