"""What is said of an answer in whole sentences, how inputs are drawn, what a question holds."""

import hashlib
import hmac
import math
import signal
import threading
import time
from collections import Counter
from fractions import Fraction
from math import inf, nan
from random import Random

import pytest

from irmetrics_edu.classroom.exercises import (
    checking,
    computed_question,
    guessing,
    rehearsal,
    variants,
)
from irmetrics_edu.classroom.exercises.answer_checks import (
    judge,
    mistake_behind,
    near,
    rounded,
    share_hits_and_chance,
)
from irmetrics_edu.classroom.exercises.checking import Feedback, begin, check, hint
from irmetrics_edu.classroom.exercises.computed_question import (
    Question,
    Trial,
    Wrong,
    entries,
    like,
    literal,
    plain,
)
from irmetrics_edu.classroom.exercises.copy_text import parsed
from irmetrics_edu.classroom.exercises.differing import Failed, Tried, shown, where_of
from irmetrics_edu.classroom.exercises.guessing import Balance
from irmetrics_edu.classroom.exercises.spec import Exercise
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant, drawn
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.errors import InputError
from tests.tables import rows

# -- the first line that differs


def where(answer, wanted, *, kind="function", trial=None, lines=(), is_open=True, **options):
    """What is said of one answer, of which the beginnings came out as they did."""
    question = Question("f", "x", kind=kind, **options)
    bad = Tried(question, {"x": [7, 8]}, answer, wanted, right=False, open=is_open)
    first = Tried(question, {"x": [7, 8]}, answer, wanted, right=False)
    tried = [first, *(Tried(question, {"x": [n]}, a, w, a == w) for n, a, w in lines)]
    return where_of(trial or Trial([{"x": [7, 8]}], prefixes=[{}] * len(lines)), tried, bad)


FIRST = "The first line that differs is that of"
DIFFERS = "Here your answer differs: try f([7, 8])."
TRY = "Try f([7, 8])."
BOTH_OF_TWO = "[1, 5], but [1, 2] is right."
A_TEXT = "It gives a text, 'b', but it should give a number."
RIGHT_BEFORE = "Everything before rank 2 is right."
OF_LISTS = [
    # answer, right answer, options, what is said
    ([1, 5], [1, 2], {"kind": "value"}, f"{RIGHT_BEFORE} {FIRST} rank 2: 5 is not right."),
    ([4, 2], [1, 2], {"kind": "value"}, f"{FIRST} rank 1: 4 is not right."),
    (
        (4, 2),
        [1, 2],
        {"kind": "value", "column": "gain", "line": "query"},
        f"{FIRST} query 1, in the gain: 4 is not right.",
    ),
    (
        [1.0, 2.5],
        [1, 2],
        {"kind": "value", "tolerance": 0.5},
        # Within the tolerance nothing differs; the list is not asked about then.
        None,
    ),
    (
        [1, "b"],
        [1, 2],
        {"kind": "value"},
        f"{RIGHT_BEFORE} {FIRST} rank 2: 'b' is not right. {A_TEXT}",
    ),
    (
        [1, 5],
        [1, 2],
        {},
        f"{RIGHT_BEFORE} {FIRST} rank 2: 5 is not right. {TRY} It gives {BOTH_OF_TWO}",
    ),
    (
        [4, 2],
        (1, 2),
        {},
        f"{FIRST} rank 1: 4 is not right. {TRY} It gives [4, 2], but (1, 2) is right.",
    ),
    ([1], [1, 2], {"kind": "value"}, "[1] is not right."),
    (3, [1, 2], {"kind": "value"}, "3 is not right."),
    ([1, 2], 3, {"kind": "value"}, "[1, 2] is not right."),
    ([1, 5], [1, 2], {"kind": "value", "is_open": False}, "[1, 5] is not right."),
    ([1, 5], [1, 2], {"is_open": False}, "Here your answer differs: try f([7, 8])."),
    (5, 4, {}, "Here your answer differs: try f([7, 8]). It gives 5, but 4 is right."),
    (None, 4, {}, "Here your answer differs: try f([7, 8]). 4 is right."),
    (5, 4, {"is_open": False}, "Here your answer differs: try f([7, 8])."),
    (True, False, {"harness": "x", "calls": "f"}, f"{DIFFERS} It should fail."),
    (False, True, {"harness": "x", "calls": "f"}, f"{DIFFERS} It should pass."),
    (2, 1, {"harness": "x", "calls": "f"}, f"{DIFFERS} It gives 2, but 1 is right."),
]  # fmt: skip


@rows(("answer", "wanted", "options", "said"), OF_LISTS)
def test_the_first_place_of_a_list_that_differs_is_named_or_the_call(answer, wanted, options, said):
    """Of a value no right one is shown, of a function one for the input that is shown."""
    if said is not None:
        assert where(answer, wanted, **options) == said


AS_FAR_AS = "The working is right as far as"
ALL_RIGHT = "The beginnings of the list come out right, but the whole call does not:"
CALL = "try f([{}]). It gives {}, but {} is right."
OF_BEGINNINGS = [
    # Of each beginning its input, its answer and what is right; options; what is said.
    ([(1, 5, 4), (2, 5, 4)], {}, f"{FIRST} rank 1: {CALL.format(1, 5, 4)}"),
    (
        [(1, 4, 4), (2, 5, 4), (3, 6, 4)],
        {},
        f"The working is right as far as rank 1. {FIRST} rank 2: {CALL.format(2, 5, 4)}",
    ),
    (
        [(1, 4, 4), (2, 4, 4), (3, 6, 4)],
        {"line": "item", "column": "gain"},
        f"{AS_FAR_AS} item 2. {FIRST} item 3, in the gain: {CALL.format(3, 6, 4)}",
    ),
    # That nothing comes of nothing is no help.
    ([(1, 0, 0), (2, 5, 4)], {}, f"{FIRST} rank 2: {CALL.format(2, 5, 4)}"),
    ([(1, 4, 4), (2, 5, 4)], {"is_open": False},
     f"The working is right as far as rank 1. {FIRST} rank 2: try f([2])."),
    (
        [(1, 4, 4), (2, 4, 4)],
        {},
        f"{ALL_RIGHT} try f([7, 8]). It gives 9, but 8 is right.",
    ),
]  # fmt: skip


@rows(("lines", "options", "said"), OF_BEGINNINGS)
def test_the_first_beginning_of_a_list_that_differs_is_named(lines, options, said):
    """With its own call; where all of them are right, with the whole one."""
    assert where(9, 8, lines=lines, **options) == said
    edges = Trial([{}], [{}, {}], [{}] * len(lines))
    question = Question("f", "x", **{k: v for k, v in options.items() if k != "is_open"})
    bad = Tried(question, {"x": [7, 8]}, 9, 8, right=False, open=options.get("is_open", True))
    tried = [bad] * 3 + [Tried(question, {"x": [n]}, a, w, a == w) for n, a, w in lines]
    # What is tried after the beginnings is none of them.
    tried.append(Tried(question, {"x": [99]}, 0, 1, right=False))
    assert where_of(edges, tried, bad) == said


def test_values_are_shown_as_python_writes_them_rounded_and_in_order():
    """Sets and dicts, whatever their hashes; one entry of a tuple with its comma."""
    assert literal({"b", "a", "c"}) == "{'a', 'b', 'c'}"
    assert literal(frozenset({2, 1})) == "{1, 2}"
    assert (literal(set()), literal(()), literal((1,)), literal([])) == (
        "set()",
        "()",
        "(1,)",
        "[]",
    )
    assert literal({"x": {2, 1}, 3: (1, "a")}) == "{'x': {1, 2}, 3: (1, 'a')}"
    assert entries({"a": [{3, 1}]}) == ["'a': [{1, 3}]"]
    assert shown((1.23456789, [2.0000004])) == "(1.234568, [2.0])"
    assert shown({1.23456789}) == "{1.23456789}"
    long = [1] * 53  # of 159 letters; of 54 there are 162
    assert (shown(long), shown([*long, 1])) == (str(long), str([*long, 1])[:156] + " ...")
    assert shown("x" * 158) == repr("x" * 158)


# -- the verdict


GRADES = [{"x": x} for x in (12, 3, 4567, 5)]
SQUARE = Question("f", "x * x + 0.25")


def right_of(inputs):
    """The right answers."""
    return [one["x"] ** 2 + 0.25 for one in inputs]


def test_the_shortest_call_that_fails_is_shown_and_of_hidden_ones_an_example_alone():
    """Where there is no example that fails, the first that fails, without what is right."""
    right = right_of(GRADES)
    for bad, called in (({0, 2}, 12), ({2}, 4567), ({0, 1, 2, 3}, 3), ({1, 3}, 3)):
        answers = [-9.0 - n if n in bad else value for n, value in enumerate(right)]
        said = judge(SQUARE, Trial(GRADES), answers).where
        place = [one["x"] for one in GRADES].index(called)
        tail = f"try f({called}). It gives {answers[place]}, but {right[place]} is right."
        assert said == f"Here your answer differs: {tail}"
    examples = [{"x": 77}, {"x": 8}]
    of_examples = right_of(examples)
    hidden = Trial(GRADES, examples=examples, hidden=True)
    wrong = [-9.0 - n for n in range(4)]
    for answers, said in (
        ([*wrong, -1.0, -2.0], "try f(8). It gives -2.0, but 64.25 is right."),
        ([*wrong, -1.0, of_examples[1]], "try f(77). It gives -1.0, but 5929.25 is right."),
        ([*wrong, *of_examples], "try f(12)."),
        ([right[0], *wrong[1:], *of_examples], "try f(3)."),
    ):
        assert judge(SQUARE, hidden, answers).where == f"Here your answer differs: {said}"
    alone = Trial(GRADES, hidden=True)
    assert judge(SQUARE, alone, wrong).where == "Here your answer differs: try f(12)."
    none = Failed("It raises KeyError.", "KeyError")
    verdict = judge(SQUARE, alone, [none] * 4)
    assert verdict.text == "It raises KeyError. Try f(12)."
    verdict = judge(SQUARE, alone, ["a"] * 4)
    assert verdict.text == "Here your answer differs: try f(12)."
    # What fails among the beginnings alone is not the call that is shown.
    prefixed = Trial(GRADES, prefixes=[{"x": 1}])
    answers = [*right[:3], -1.0, 1.25]
    assert "try f(5)." in judge(SQUARE, prefixed, answers).where


NEAR_WORDS = (
    "All your values are within 0.5 % of the right ones. Look for a number that is rounded, or "
    "for a small constant."
)


@rows(("factor", "count", "is_near"), [(1.004, 4, True), (1.006, 4, False), (1.004, 3, False)])
def test_values_that_are_near_are_said_to_be(factor, count, is_near):
    """Of four inputs at least; if a mistake gives them, the mistake is named alone."""
    inputs = GRADES[:count]
    answers = [value * factor for value in right_of(inputs)]
    said = judge(SQUARE, Trial(inputs, [{"x": 0}]), [*answers, 0.25]).where
    assert said.startswith(NEAR_WORDS + " Here your answer differs") is is_near
    assert ("0.5 %" in said) is is_near
    wrong = Wrong("much", "too much", f"(x * x + 0.25) * {factor}", "It is too much.")
    question = Question("f", "x * x + 0.25", wrongs=[wrong])
    verdict = judge(question, Trial(inputs), answers)
    assert verdict.mistake.label == "much"
    assert verdict.text == "Your values equal those of too much. It is too much."
    assert "0.5 %" not in verdict.where


def test_how_many_answers_were_right_is_said_between_none_and_all():
    """With what a guess can bring; where nothing can be guessed, nothing is said."""
    trial = Trial(GRADES)
    right = right_of(GRADES)
    for count in range(5):
        answers = [value if n < count else -1.0 - n for n, value in enumerate(right)]
        share, hits, chance = share_hits_and_chance(SQUARE, trial, answers, right)
        free = guessing.without_marks(1, 4)
        assert hits == [n < count for n in range(4)]
        assert share == pytest.approx(max(0, count - free) / (4 - free))
        said = (
            f"{count} of 4 answers are right. Somebody who only guesses can have {free} of them "
            f"right. So marks begin above {free}."
        )
        assert chance == (said if 0 < count < 4 else "")
    [one] = right_of(GRADES[:1])
    assert share_hits_and_chance(SQUARE, Trial(GRADES[:1]), [one], [one]) == (1.0, [True], "")
    # Half a percent is still near.
    assert near([201.0, -402.0, 201.0, 603.0], [200.0, -400.0, 200.0, 600.0])


def test_no_answer_is_lost_on_the_way_to_a_mark():
    """One more or one less than was asked for is an error, not a mark."""
    trial = Trial(GRADES)
    right = right_of(GRADES)
    for answers in (right[:3], [*right, 1.0]):
        with pytest.raises(ValueError, match="zip"):
            judge(SQUARE, trial, answers)
        with pytest.raises(ValueError, match="zip"):
            share_hits_and_chance(SQUARE, trial, answers, right)
        with pytest.raises(ValueError, match="zip"):
            guessing.count(GRADES, answers, [[1.5, 2.5]] * 4, lambda *_pair: True)
        wrongs = Question("f", "x", wrongs=[Wrong("square", "", "x * x + 0.25")])
        with pytest.raises(ValueError, match="zip"):
            mistake_behind(wrongs, GRADES, answers)
    with pytest.raises(ValueError, match="zip"):
        guessing.count(GRADES[:3], right, [[1.5, 2.5]] * 4, lambda *_pair: True)


def test_part_of_a_list_earns_marks_as_a_whole_answer_does_whichever_is_more():
    """Of a question whose values count each; a constant answer to several inputs earns none."""
    question = Question("f", "[x + 0.25, x * 3.5, x * x]", partly=True)
    inputs = [{"x": x} for x in (3, 5, 7, 9)]
    right = [[x + 0.25, x * 3.5, x * x] for x in (3, 5, 7, 9)]
    trial = Trial(inputs)
    free = guessing.count(inputs, right, right, lambda one, other: one == other)[2]
    for count in range(13):
        answers = [
            [value if 3 * n + place < count else -1.0 - n for place, value in enumerate(row)]
            for n, row in enumerate(right)
        ]
        whole = count // 3
        of_whole = max(
            0.0, (whole - guessing.without_marks(1, 4)) / (4 - guessing.without_marks(1, 4))
        )
        of_parts = max(0.0, (count - free) / (12 - free))
        verdict = judge(question, trial, answers)
        assert verdict.share == pytest.approx(max(of_whole, of_parts))
        told = f"{count} of 12 values are right. Somebody who only guesses can have {free} of them"
        assert verdict.chance.startswith(told) is (0 < count < 12)
        assert bool(verdict.chance) is (0 < count < 12)
    same = [right[0]] * 4
    assert judge(question, trial, same).share == 0
    # A value alone has nothing to guess from, and nothing is said of it.
    one = Question("f", "x + 0.25", kind="value")
    assert judge(one, Trial([{"x": 3}]), [1.5]).chance == ""


def test_what_was_rounded_has_to_vary_where_the_right_answers_do():
    """No answer of 0 alone, nor one for all inputs; of a list each number counts."""
    question = Question("f", "x")
    inputs = [{"x": x} for x in (0.123, 0.124)]
    assert rounded(question, inputs, [0.12, 0.12]) is None
    assert rounded(question, [{"x": 0.123}], [0.12]).says.endswith("2 decimals")
    assert rounded(question, [{"x": 0.123}, {"x": 0.123}], [0.12, 0.12]) is not None
    assert rounded(question, [{"x": [0.123, 0.456]}], [[0.12, 0.46]]).label == "rounded-too-early"
    assert rounded(question, [{"x": [0.123, 0.456]}], [[0.12, 0.45]]) is None
    assert rounded(question, [{"x": 0.001}, {"x": 0.123}], [0.0, 0.12]) is not None
    for broken in (nan, inf, True, "0.1", None):
        assert rounded(question, [{"x": 0.123}, {"x": 0.5}], [0.12, broken]) is None
    assert rounded(question, [{"x": 1e300}], [1e300]) is None
    assert rounded(question, [{"x": 9.9e299}], [9.9e299]) is not None
    assert rounded(question, [{"x": Fraction(1, 8)}], [0.12]).label == "rounded-too-early"


# -- drawing


def test_hidden_inputs_are_those_that_were_drawn_in_an_order_of_their_own():
    """Drawn one after another and then shuffled, all from one source; those of a copy are not."""
    question = Question("f", "x + 0.5", lambda rng: {"x": rng.random()}, tries=5)
    for seed in range(5):
        plain_source = Random(seed)
        in_order = [{"x": plain_source.random()} for _ in range(5)]
        assert drawn(question, Random(seed)) == in_order
        source = Random(seed)
        of_hidden = [{"x": source.random()} for _ in range(12)]
        mixed = [*of_hidden]
        source.shuffle(mixed)
        assert drawn(question, Random(seed), hidden=True) == mixed
        assert mixed != of_hidden


def test_more_tries_than_usual_are_drawn_where_a_question_asks_for_them():
    """Never fewer hidden ones than twelve, of truths forty."""
    draws = lambda rng: {"x": rng.random()}  # noqa: E731
    for tries in (1, 12, 13, 30):
        question = Question("f", "x + 0.5", draws, tries=tries)
        assert len(drawn(question, Random(1))) == tries
        assert len(drawn(question, Random(1), hidden=True)) == max(tries, 12)
        truth = Question("f", "x > 0.5", draws, tries=tries)
        assert len(drawn(truth, Random(1), hidden=True)) == 40
    value = Question("v", "x + 0.5", draws, kind="value", tries=9)
    assert len(drawn(value, Random(1))) == 1
    assert len(Variant("", b"").trial("01", value, hidden=True).general) == 1


UNTOLD = [
    # What draws inputs, what is right, mistakes, and why no inputs tell enough.
    (lambda _: {"x": 5}, "x", [], "{'x': 5} is drawn again and again"),
    (lambda rng: {"x": rng.random()}, "x - x", [], None),
    (lambda rng: {"x": rng.random()}, "x", ["x + 0"], "what is right and m0 are alike"),
    (lambda rng: {"x": rng.random()}, "x", ["x + 1", "x + 1"], "m0 and m1 are alike"),
    (lambda rng: {"x": rng.randint(1, 99)}, "x / 0", [], "division by zero"),
    (lambda rng: {"x": rng.random()}, "x", ["x + 0"] * 2, "what is right and m0 are alike"),
]


@rows(("draws", "expected", "mistakes", "why"), UNTOLD)
@rows("jointly", [False, True])
def test_why_no_telling_inputs_were_drawn_is_said(draws, expected, mistakes, why, jointly):
    """After two thousand draws, for each input or for all together."""
    wrongs = [Wrong(f"m{n}", "", text) for n, text in enumerate(mistakes)]
    drawn_inputs = []

    def counted(rng):
        drawn_inputs.append(1)
        return draws(rng)

    question = Question("f", expected, counted, wrongs=wrongs, jointly=jointly, tries=3)
    if why is None:
        assert len(drawn(question, Random(1))) == 3
        return
    with pytest.raises(InputError) as error:
        drawn(question, Random(1))
    if len(mistakes) == 2 and jointly:  # of all pairs the first by their names
        why = "m0 and m1 are alike"
    said = f"question f: {why}; so no telling inputs came of 2000 draws"
    assert str(error.value) == said
    assert len(drawn_inputs) == 2000


def test_inputs_may_tell_mistakes_apart_together():
    """Each that is taken tells one more pair, until all are told; then any does."""
    wrongs = [Wrong("a", "", "x + y"), Wrong("b", "", "x + z")]
    cycle = [
        {"x": 1, "y": 0, "z": 0},  # tells nothing
        {"x": 1, "y": 3, "z": 3},  # tells both mistakes from what is right
        {"x": 2, "y": 4, "z": 4},  # tells nothing more
        {"x": 3, "y": 0, "z": 5},  # tells them from each other
        {"x": 4, "y": 0, "z": 0},  # all are told
    ]
    left = [*cycle]
    question = Question("f", "x", lambda _rng: left.pop(0), wrongs=wrongs, jointly=True, tries=3)
    assert drawn(question, Random(1)) == [cycle[1], cycle[3], cycle[4]]
    left = [*cycle]
    question = Question("f", "x", lambda _rng: left.pop(0), wrongs=wrongs, tries=1)
    with pytest.raises(IndexError):
        drawn(question, Random(1))
    assert not left


def test_one_right_answer_for_nearly_all_inputs_is_refused_with_the_count():
    """A guess of it would hit them all more often than in a hundredth of cases."""
    for most, tries, is_refused in ((8, 12, False), (9, 12, True), (12, 12, True), (1, 1, False)):
        balance = Balance(1, hidden=True)
        balance._answers = [1.5] * most + [100.5 + n for n in range(tries - most)]
        assert ((most / tries) ** tries > 0.01) is (is_refused or tries == 1)
        if is_refused:
            with pytest.raises(InputError) as error:
                balance.refuse_guessable("f")
            assert str(error.value) == (
                f"question f: {most} of {tries} right answers are one value, so a guess would do; "
                "let its inputs be drawn so that the answers differ"
            )
        else:
            balance.refuse_guessable("f")
    Balance(1, hidden=True).refuse_guessable("f")
    two = Balance(1, hidden=True)
    two._answers = [1.5, 1.5]
    with pytest.raises(InputError, match="2 of 2 right answers are one value"):
        two.refuse_guessable("f")


def test_the_balance_is_relaxed_step_by_step():
    """One more of a value for each hundred and fifty that were passed over, truths from twenty."""
    for values, most, wanted in (([True], 20, 40), ([0.5], 3, 12)):
        balance = Balance(2, hidden=True)
        taken = [balance.takes(values[0]) for _ in range(most + 4 * 150)]
        places = [place for place, is_taken in enumerate(taken) if is_taken]
        assert places[:most] == [*range(most)]
        assert balance.wanted == wanted
        # The one that is let in was not passed over.
        assert places[most:] == [most + 150 * n + n - 1 for n in range(1, 4)]
    many = Balance(30, hidden=True)
    assert sum(many.takes(0.5) for _ in range(99)) == 7
    assert many.wanted == 30


def test_a_trial_holds_what_its_purpose_needs():
    """Copies, values and hidden inputs are drawn apart; what is shown of hidden ones are others."""
    question = Question(
        "f", "x + 0.5", lambda rng: {"x": rng.random(), "k": 2}, edges=[{"k": 9, "x": 0}], tries=3
    )
    public = GENERAL.trial("01", question)
    hidden = Variant("", b"some key").trial("01", question, hidden=True)
    assert (public.hidden, public.examples, len(public.general)) == (False, [], 3)
    assert (hidden.hidden, hidden.examples, len(hidden.general)) == (True, public.general, 12)
    assert [list(edge.items()) for edge in hidden.edges] == [[("x", 0), ("k", 9)]]
    assert len(hidden) == 12 + 1 + 3
    assert [*hidden] == [*hidden.general, *hidden.edges, *hidden.examples]
    assert hidden.prefixes == []
    assert not any(one in public.general for one in hidden.general)
    # Each number, name and key has inputs of its own.
    others = [
        GENERAL.trial("02", question),
        GENERAL.trial("01", Question("g", "x + 0.5", question.inputs, tries=3)),
        Variant("ann", b"0123456789abcdef").trial("01", question),
    ]
    kinds = [tuple(one["x"] for one in trial.general) for trial in (public, *others)]
    assert len(set(kinds)) == 4
    value = Question("f", "x + 0.5", question.inputs, kind="value")
    one = Variant("ann", b"0123456789abcdef").trial("01", value, hidden=True)
    assert (one.hidden, len(one.general), one.examples) == (False, 1, [])
    assert one.general[0]["x"] not in {inputs["x"] for inputs in others[2].general}
    # Of few possible inputs what is shown may be among the hidden ones: then it is no example.
    few = Question("f", "x + 0.5", lambda rng: {"x": rng.randrange(12)}, tries=3)
    hidden = Variant("", b"some key").trial("01", few, hidden=True)
    assert sorted(one["x"] for one in hidden.general) == [*range(12)]
    assert hidden.examples == []
    lists = Question("f", "sum(x)", lambda rng: {"x": [rng.random(), 1]}, prefix="x", tries=2)
    hidden = Variant("", b"some key").trial("01", lists, hidden=True)
    [first, _] = hidden.examples
    assert hidden.prefixes == [{"x": first["x"][:1]}, {"x": first["x"]}]


def test_a_copy_is_drawn_again_as_it_once_was():
    """From the key, the student, the exercise, the question and what the inputs are for."""
    question = Question("f", "x + 0.5", lambda rng: {"x": rng.random()}, tries=1, edges=[{"x": 0}])
    value = Question("f", "x + 0.5", question.inputs, kind="value")
    key = b"0123456789abcdef"
    for student in ("", "ann"):
        owner = Variant(student, key)
        for asked, hidden, purpose in (
            (question, False, "public"),
            (question, True, "hidden"),
            (value, False, "value"),
            (value, True, "value"),
        ):
            words = "\0".join([student, "01", "f", purpose]).encode()
            source = Random(hmac.new(key, words, hashlib.sha256).digest())
            first = [{"x": source.random()} for _ in range(12 if purpose == "hidden" else 1)]
            if purpose == "hidden":
                source.shuffle(first)
            assert owner.trial("01", asked, hidden=hidden).general == first


def test_a_source_reads_the_inputs_of_the_general_copy():
    """The first of them: one value, or several in their order."""
    one = Question("f", "x + 0.5", lambda rng: {"x": rng.random()}, tries=3)
    two = Question("g", "x + y", lambda rng: {"y": rng.random(), "x": rng.random()}, tries=3)
    exercise = Exercise("01", "T", [one, two])
    first = [GENERAL.trial("01", question).general[0] for question in (one, two)]
    assert exercise.given("f") == first[0]["x"]
    assert exercise.given("g") == (first[1]["y"], first[1]["x"])


def test_what_is_like_something_else_is_looked_at_first_the_next_time():
    """Two mistakes, or one that is like what is right, go to the front of the labels."""
    wrongs = [Wrong(label, "", "x + " + label) for label in "abcd"]
    question = Question("f", "x", wrongs=wrongs, tolerance=0.001)
    usual = {"x": 5, "a": 1, "b": 2, "c": 3, "d": 4}
    for changed, first in (
        ({}, "abcd"),
        ({"d": 2}, "bdac"),
        ({"c": 0}, "cabd"),
        ({"c": 3, "d": 3}, "cdab"),
    ):
        labels = [*"abcd"]
        told = variants.values_of(question, {**usual, **changed}, labels)
        assert isinstance(told, str) is bool(changed)
        assert "".join(labels) == first
    assert not variants.is_trivial([3, 4, 5], 1)
    assert variants.is_trivial([4, 3, 5], 1)
    lists = Question("f", "sum(x)", prefix="x")
    assert variants.prefixes(lists, [{"x": []}, {"x": [3]}]) == [{"x": [3]}]
    assert variants.prefixes(lists, [{"x": []}]) == []


def test_a_rehearsal_draws_the_hidden_inputs_too():
    """A question that can be handed out, and by which nobody could be marked."""
    question = Question("f", "x > 1", lambda rng: {"x": rng.randint(2, 10**9)}, tries=2)

    class Source:
        """As much of a source as is asked for."""

        exercise = Exercise("77", "T", [question])

        @staticmethod
        def place_of(_name):
            return "there"

    with pytest.raises(InputError) as error:
        rehearsal._refuse_undrawn(Source, question)
    assert str(error.value).startswith("there: question f: ")
    assert "so a guess would do" in str(error.value)


# -- what can be had by guessing


def test_a_guess_may_expect_just_as_much_as_is_allowed():
    """Both of two tries by halves: a quarter, if one hit carries no marks."""
    assert guessing.without_marks(1, 2, 0.25) == 1
    assert guessing.without_marks(1, 2, 0.2499) == 1  # never all of them
    assert guessing.without_marks(1, 2, 0.5) == 0
    assert guessing.without_marks(1, 3, 1 / 27) == 2
    assert guessing.without_marks(2, 2, 0.5) == 1


def echoed(inputs, table):
    """How many values of a table carry no marks."""
    return guessing.count([inputs], [table], [table], lambda one, other: one == other)


def test_a_table_is_guessed_column_by_column():
    """In each by the guess that fits it best; of rows under names, too."""
    inputs = {"x": [30, 10, 40]}
    for table in (
        [[30, 1], [10, 2], [40, 3]],
        {"a": [30, 1], "b": [10, 2], "c": [40, 3]},
        {"a": {"x": 30, "n": 1}, "b": {"x": 10, "n": 2}, "c": {"x": 40, "n": 3}},
    ):
        assert echoed(inputs, table) == (6, 6, 5)
    # Three of six in one column, and one of three by chance in the other.
    assert echoed(inputs, [[30, 7.5], [10, 8.5], [40, 9.5]]) == (6, 6, 3)
    assert echoed(inputs, [[10, 8.5], [30, 7.5], [40, 9.5], [1, 0.5]]) == (8, 8, 3)
    assert echoed({"x": [3, 0, "a"]}, [1 / 3, 0, 0])[2] == 2
    others = [77, 78, 79, 80, 81]
    assert echoed({"x": [5, 0, 4, 8, 10]}, [1 / 5, 0, 1 / 4, 1 / 8, 1 / 10, *others])[2] == 5
    assert echoed({"x": [5, 0, "a", 4, 8]}, [1 / 5, 0, 0, 1 / 4, 1 / 8, *others])[2] == 5
    assert echoed({"x": {"b": 7.5, "a": 6.5}}, {"a": 6.5, "b": 7.5, "c": 1.25, "d": 2.25})[2] == 2


def test_a_table_is_two_numbers_at_least_and_nothing_but_numbers():
    """In the answers to all inputs together."""
    assert guessing.count([{}], [[1.5, 2.5]], [[1.5, 2.5]], lambda *_pair: True) == (2, 2, 1)
    for wanted in ([[1.5]], [[1.5, 2.5], ["a", "b"]], [["a", "b"], [1.5, 2.5]], [[1.5], 2.5]):
        assert guessing.count([{}] * len(wanted), wanted, wanted, lambda *_pair: True) is None
    both = [[1.5], [2.5]]
    assert guessing.count([{}] * 2, both, both, lambda *_pair: True)[:2] == (2, 2)


# -- what a question holds


def test_what_is_like_a_word_is_said_at_the_end_of_an_error():
    """Those of which half is the same; nothing where nothing is."""
    assert like("dgc", ["ndcg", "dcg", "map"]) == "; most like it: dcg, ndcg"
    assert like("xyz", ["dcg", "map"]) == ""
    assert like("abcd", ["abxx"]) == "; most like it: abxx"
    assert like("abcd", ["axxx"]) == ""


def test_objects_are_named_by_their_module_and_public_name_alone():
    """A metric in the field's notation; a private name, another package and none are refused."""
    assert computed_question._named("nDCG@3").name == "nDCG"
    named = computed_question._named("irmetrics_edu.lab.efficiency.measures:latency")
    assert named.__name__ == "latency"
    for text in (
        "os:system",
        "irmetrics_edu:dcg",
        "irmetrics_edu.lab.efficiency:_x",
        "x.irmetrics_edu.:y",
    ):
        with pytest.raises(InputError, match="give a public name of the package, irmetrics_edu"):
            computed_question._named(text)
    with pytest.raises(InputError, match="has no nothing; give a public name"):
        computed_question._named("irmetrics_edu.lab.efficiency.measures:nothing")


def test_a_mistake_of_the_catalogue_is_made_in_the_metrics_that_have_it():
    """In each of the expression; of none of them it is refused."""
    question = Question("f", "dcg(grades) + 0 * cg(grades)", mistakes=["natural-logarithm"])
    assert set(question.used) == {"dcg", "cg"}
    assert set(question._exchanged("natural-logarithm")) == {"dcg"}
    wrong = sum(g / math.log(i + 1) for i, g in enumerate([3, 2, 1], 1))
    assert question.wrong("natural-logarithm", {"grades": [3, 2, 1]}) == pytest.approx(wrong)
    with pytest.raises(InputError) as error:
        Question("f", "cg(grades)", mistakes=["natural-logarithm"])._require_mistakes()
    assert str(error.value).startswith("question f: 'natural-logarithm' is a mistake in ")
    assert str(error.value).endswith("and 'cg(grades)' uses none of them")
    own = Question("f", "score(grades)", names={"score": "DCG"}, mistakes=["natural-logarithm"])
    assert own.wrong("natural-logarithm", {"grades": [3, 2, 1]}) == pytest.approx(wrong)
    assert own.computed({"grades": [3, 2, 1]}, {"score": len}) == 3


def test_inputs_that_can_not_be_drawn_are_refused_with_the_reason():
    """Nothing that draws them, an error in it, or something else than names and values."""
    none = Question("f", "x")
    for ask in (lambda: none.draw(Random(1)), lambda: none.sample):
        with pytest.raises(InputError) as error:
            ask()
        assert str(error.value) == "question f has nothing that draws its inputs"
    with pytest.raises(InputError) as error:
        _ = Question("f", "x", lambda _rng: {}["a"]).sample
    assert str(error.value) == "its inputs can't be drawn: KeyError: 'a'; correct `inputs`"
    with pytest.raises(InputError) as error:
        _ = Question("f", "x", lambda _rng: [3]).sample
    assert str(error.value) == (
        'its inputs are [3]; return a dict of names and values, such as {"grades": [3, 2, 0]}'
    )
    assert Question("f", "x", lambda rng: {"x": rng.random() < 1}).sample == {"x": True}


def test_a_question_is_refused_for_a_name_or_a_mistake_that_is_not_there():
    """In its expression, in those of its mistakes, and in the catalogue."""
    draws = lambda _rng: {"grades": [1], "k": 2}  # noqa: E731
    usual = {"inputs": draws, "mistakes": ["natural-logarithm"]}
    Question("f", "dcg(grades)", **usual).refuse_unknown()
    Question("f", "score(grades)", names={"score": "DCG"}, **usual).refuse_unknown()
    own = [Wrong("a", "", "cg(grades)"), Wrong("b", "", "k")]
    Question("f", "dcg(grades)", inputs=draws, wrongs=own).refuse_unknown()
    refused = [
        (Question("f", "dgc(grades)", inputs=draws), "'dgc' in 'dgc(grades)' is neither an input"),
        (Question("f", "dcg(grade)", inputs=draws), "most like it: grades"),
        (Question("f", "k", inputs=draws, wrongs=[Wrong("a", "", "kk")]), "'kk' in 'kk'"),
        (Question("f", "k", inputs=draws, mistakes=["natural-log"]), "no mistake is called 'nat"),
        (Question("f", "cg(grades)", **usual), "and 'cg(grades)' uses none of them"),
        (Question("f", "dcg(grades)", wrongs=[Wrong("natural-logarithm", "", "k")], **usual),
         "mistakes and wrongs: 'natural-logarithm' is there twice"),
    ]  # fmt: skip
    for question, why in refused:
        with pytest.raises(InputError) as error:
            question.refuse_unknown()
        assert why in str(error.value)


def test_a_question_goes_through_a_copy_as_it_was():
    """Without what draws inputs and what a quiz asks; what is not set is not written."""
    usual = Question("f", "x")
    assert "partly" not in usual.as_data()
    assert "bonus" not in usual.as_data()
    wrongs = [Wrong("a", "says", "x + 1", "why", "read")]
    full = Question(
        "f", "x", lambda _rng: {}, partly=True, bonus=True, wrongs=wrongs, asks="?", parts=["p"],
        edges=[{"x": (1, {2})}], hints=["h"], tolerance=0.5, marks=3,
    )  # fmt: skip
    data = full.as_data()
    assert not {"inputs", "asks", "parts"} & set(data)
    again = Question.from_data(data)
    assert again.as_data() == data
    assert (again.partly, again.bonus, again.edges, again.marks) == (
        True,
        True,
        [{"x": (1, {2})}],
        3,
    )
    assert again.wrongs == [Wrong("a", "says", "x + 1", "why")]
    assert again.naming("a").sentence == "Your values equal those of says."
    assert plain({"x": (1, frozenset({2}))}) == {"x": (1, {2})}


def test_values_are_computed_once_for_the_same_inputs():
    """Right ones and those of mistakes, each by itself."""
    calls = Counter()
    question = Question("f", "x", wrongs=[Wrong("a", "", "x + 1"), Wrong("b", "", "x + 2")])
    evaluated = computed_question._evaluated

    def counting(expression, names):
        calls[expression] += 1
        return evaluated(expression, names)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(computed_question, "_evaluated", counting)
        for _ in range(3):
            for x in (1, 2):
                assert question.right({"x": x}) == x
                assert question.wrong("a", {"x": x}) == x + 1
                assert question.wrong("b", {"x": x}) == x + 2
    assert calls == {"x": 2, "x + 1": 2, "x + 2": 2}
    # An input has its name, whatever else is called so.
    named = Question("f", "x", names={"x": "nDCG"}, wrongs=[Wrong("a", "", "x + 1")])
    found = named.right({"x": 3}), named.wrong("a", {"x": 3}), named.computed({"x": 3}, {"x": 9})
    assert found == (3, 4, 3)


# -- check and hint


@pytest.fixture
def open_exercise():
    """An exercise of two questions, opened as by the first cell of a notebook."""
    function = Question("f", "x + 0.25", hints=["First.", "Second."], tries=2)
    value = Question("v", "x * 2", kind="value")
    exercise = Exercise("91", "Two", [function, value])
    trials = {"f": Trial([{"x": [3]}, {"x": [5]}]), "v": Trial([{"x": 3}])}
    question = Question("f", "x[0] + 0.25", hints=["First.", "Second."], tries=2)
    exercise = Exercise("91", "Two", [question, value])
    with checking.closed():
        opened = begin(checking.packed(exercise, trials))
        assert (opened.text, opened.right) == ("Exercise 91, Two: f, v.", True)
        yield exercise


@pytest.mark.usefixtures("open_exercise")
def test_what_check_says_is_whole():
    """Right, wrong with a hint, a remark beside, and why there is nothing to check."""
    right = lambda x: x[0] + 0.25  # noqa: E731
    assert check("f", right).text == "f: Right."
    wrong = check("f", lambda x: x[0] * 7)
    where_ = "Here your answer differs: try f([3]). It gives 21, but 3.25 is right."
    assert wrong.text == f'f: {where_} hint("f") has a hint.'
    assert (wrong.right, wrong.label) == (False, "")

    def changing(x):
        return x.pop() + 0.25

    remark = "It changes its input, so the caller's list changes too: work on a copy."
    assert check("f", changing).text == f"f: Right. {remark}"
    assert check("f", 3).text == "f: check needs the function itself: check('f', f)."

    def blank(_x):
        raise NotImplementedError

    assert check("f", blank).text == "f: not written yet."
    # Written for one input and not for the next is no empty copy.
    later = check("f", lambda x: blank(x) if x == [5] else 3.25).text
    assert later.startswith("f: It raises NotImplementedError.")
    for none in (..., None):
        assert check("v", none).text == "v: no answer yet."
    assert check("v", 6).text == "v: Right."
    assert check("v", 7).text == "v: 7 is not right."
    assert check("v", len).text.startswith("v: It can't be compared: a value of type")
    said = "It gives ..., which marks code that is still to be written."
    assert check("f", lambda _x: ...).text.startswith(f"f: {said} Try f([3]).")
    long = check("f", lambda _x: int("x" * 600)).text
    assert len(long) < 420
    assert long.startswith("f: It raises ValueError: invalid literal")


@pytest.mark.usefixtures("open_exercise")
def test_hints_are_counted_and_offered_until_the_last():
    """A question without hints says so."""
    said = [hint("f").text for _ in range(3)]
    assert said == [
        "f, hint 1: First. (1 more)",
        "f, hint 2: Second. (the last)",
        "f, hint 2: Second. (the last)",
    ]
    assert "has a hint" not in check("f", lambda _x: 1.0).text
    assert hint("v").text == "v: there is no hint."
    assert "has a hint" not in check("v", 7).text


def test_what_is_open_is_open_again_after_a_while_without(open_exercise):
    """Also after an error; in between nothing is."""
    for error in (None, ZeroDivisionError):
        try:
            with checking.closed():
                with pytest.raises(InputError, match="run the notebook's first cell first"):
                    check("f", 1)
                if error:
                    raise error
        except ZeroDivisionError:
            pass
        assert checking._current().exercise.title == open_exercise.title


def test_feedback_is_text_or_a_paragraph():
    """Broken between words alone, and never within one; escaped in a notebook."""
    text = "word " * 30 + "x" * 120 + " a-b"
    shown_lines = repr(Feedback(text)).split("\n")
    assert " ".join(shown_lines) == text
    assert all(len(line) <= 96 or line == "x" * 120 for line in shown_lines)
    assert len(shown_lines[0]) > 90
    for right, mark in ((True, "✔"), (False, "✎")):
        found = Feedback("1 < 2", right=right)._repr_html_()
        assert found == f"<p>{mark} 1 &lt; 2</p>"
    for first, second, lines in ((47, 48, 1), (47, 49, 2)):  # 96 letters fit into a line
        assert len(repr(Feedback("x" * first + " " + "y" * second)).split("\n")) == lines
    assert repr(Feedback("x" * 90 + " aaaa-bbbb")) == "x" * 90 + "\naaaa-bbbb"
    usual = Feedback("x")
    assert (usual.right, usual.label) == (False, "")


def test_what_takes_too_long_is_tried_once_and_the_alarm_is_given_back(monkeypatch):
    """Every input after it counts as late, too; a handler that was there before is there again."""
    monkeypatch.setattr(checking, "SECONDS", 0.05)
    calls = []

    def endless(x):
        calls.append(x)
        while True:
            try:
                time.sleep(5)
            except BaseException:  # as a student writes it
                if len(calls) > 0 and time.monotonic() > ends:
                    raise

    mine = lambda *_given: None  # noqa: E731
    before = signal.signal(signal.SIGALRM, mine)
    ends = time.monotonic() + 0.1
    try:
        question = Question("f", "x + 0.25")
        trial = Trial([{"x": 1}, {"x": 2}], [{"x": 3}])
        blank, answers, remark = checking._answers(question, trial, endless)
        assert (blank, remark, calls) == ("", "", [1])
        assert [answer.error for answer in answers] == ["timeout"] * 3
        assert answers[0].why.startswith("It has not ended after 0.05 seconds: check that each")
        assert signal.getsignal(signal.SIGALRM) is mine
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert checking._called(lambda x: x + 1, [2]) == 3
        assert signal.getsignal(signal.SIGALRM) is mine
    finally:
        signal.signal(signal.SIGALRM, before)


def test_the_alarm_is_set_again_and_again_and_put_off_at_the_end(monkeypatch):
    """The first may be swallowed by a bare `except`."""
    asked = []
    monkeypatch.setattr(signal, "setitimer", lambda *given: asked.append(given))
    assert checking._within(max, [3, 4]) == 4
    assert asked == [(signal.ITIMER_REAL, 5.0, 0.2), (signal.ITIMER_REAL, 0)]
    assert checking._in_thread(lambda: threading.current_thread().daemon, []) is True
    assert checking._in_thread(lambda: time.sleep(0.02) or 5, []) == 5


def test_what_is_long_is_cut_and_small_changes_are_seen(open_exercise):
    """An error to 290 letters; an input that differs by a half was changed, too."""

    def long(_x):
        raise ValueError("x" * 400)

    cut = ("ValueError: " + "x" * 400)[:290]
    said = f"f: It raises {cut}. Try f([3]). 3.25 is right."
    assert check("f", long).text == f'{said} hint("f") has a hint.'

    def adding(x):
        x[0] += 0.5
        return x[0] - 0.25

    assert check("f", adding).text.startswith("f: Right. It changes its input")
    one = Question("f", "x + 0.25", hints=["Only."], tries=1)
    exercise = Exercise("91", "T", [one])
    begin(checking.packed(exercise, {"f": Trial([{"x": 3}])}))
    for offered in (True, False):
        assert ('hint("f") has a hint.' in check("f", lambda _x: -1.0).text) is offered
        hint("f")
    assert open_exercise.title == "Two"


def test_a_first_cell_holds_the_data_of_values_and_a_seal_for_each_of_a_students():
    """The inputs of functions are the same for all."""
    function = Question("f", "x + 0.25", tries=1)
    value = Question("v", "x * 2", kind="value")
    exercise = Exercise("91", "Two", [function, value])
    trials = {"f": Trial([{"x": 3}, {"x": 4}]), "v": Trial([{"x": 5}])}
    ann = Variant("ann", b"0123456789abcdef")
    for owner in (GENERAL, ann):
        copied = parsed(checking.text_of(exercise, trials, "none_such", owner))
        assert copied.data == {"v": pack({"x": 5})}
        assert copied.asked["inputs"] == {"f": pack([{"x": 3}, {"x": 4}])}
        sealed = {"v": owner.seal("91", "v", pack({"x": 5}))} if owner is ann else {}
        assert copied.seals == sealed
    alone = parsed(checking.text_of(exercise, {"f": trials["f"]}, "none_such", ann))
    assert (alone.data, alone.seals) == ({}, {})


def test_without_an_alarm_a_thread_is_waited_for(monkeypatch):
    """Its value, its error, or that it is late; elsewhere than in the main thread, too."""
    stop = threading.Event()
    assert checking._in_thread(lambda a, b: a - b, [5, 3]) == 2
    with pytest.raises(KeyError):
        checking._in_thread({}.__getitem__, ["x"])
    with monkeypatch.context() as patch:
        patch.setattr(checking, "SECONDS", 0.05)
        with pytest.raises(checking._TooLong):
            checking._in_thread(lambda: stop.wait(20), [])
    stop.set()
    found = []
    worker = threading.Thread(target=lambda: found.append(checking._within(max, [3, 4])))
    worker.start()
    worker.join()
    monkeypatch.delattr(signal, "SIGALRM")
    found.append(checking._within(max, [5, 4]))
    assert found == [4, 5]


def test_a_judgment_of_a_packed_text_shows_no_right_value():
    """The inputs are the hidden ones; an answer that is not there is worth nothing."""
    exercise = Exercise("91", "T", [Question("f", "x + 0.25", tries=1)])
    text = checking.packed(exercise, {"f": Trial([{"x": 3}, {"x": 4}])})
    question, verdict = checking.judged("f", lambda x: x * 9, text)
    assert (question.name, verdict.share, verdict.where) == (
        "f",
        0.0,
        "Here your answer differs: try f(3).",
    )
    assert checking.judged("f", lambda x: x + 0.25, text)[1].share == 1
    nothing = checking.judged("f", 5, text)[1]
    assert (nothing.share, nothing.problem) == (
        0.0,
        "check needs the function itself: check('f', f).",
    )


def test_a_harness_stands_between_the_answer_and_what_is_asked():
    """It is the exercise's own, and calls the student's by its name."""
    question = Question("f", "x", harness="def g(x):\n    return f(x) + 1", calls="g")
    assert checking._through_harness(question, lambda x: x * 10)(4) == 41
    usual = Question("f", "x")
    assert checking._through_harness(usual, len) is len


def test_the_bounds_of_drawing_and_checking():
    """Those of the guide for authors, and of the page on feedback."""
    assert (variants.MOST_DRAWS, variants.SHORTEST_KEY, variants.MARGIN) == (2_000, 16, 20)
    assert variants.TRIVIAL == (0, 1, -1, 0.5, 2)
    assert (guessing.GUESSED, guessing.OF_LIST) == (0.01, 0.03)
    assert (guessing.TRUTHS, guessing.OTHERS, guessing.PATIENCE) == (40, 12, 150)
    assert checking.SECONDS == 5
