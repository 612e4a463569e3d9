"""What an answer earns and what is said of it, over all small cases, beside plain loops."""

import json
import math
import re
from fractions import Fraction
from itertools import product
from math import inf, nan

import pytest

from irmetrics_edu.classroom.exercises import checking, guessing, spec_fields, variants
from irmetrics_edu.classroom.exercises.answer_checks import judge, mistake_behind, near, rounded
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial, Wrong
from irmetrics_edu.classroom.exercises.copy_text import (
    TAGS,
    WIDTH,
    CopyText,
    packed_text,
    parsed,
    readable,
    tagged,
    written,
)
from irmetrics_edu.classroom.exercises.differing import Failed, same, shown, unlike
from irmetrics_edu.classroom.exercises.guessing import Balance, counted, share_of, without_marks
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion, Exercise
from irmetrics_edu.classroom.exercises.variants import GENERAL, RIGHT, Variant, prefixes
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.errors import InputError
from tests.tables import rows

# -- whether a value is right

EQUAL = [
    (1, 1.0), (0.5, 0.75), (0.75, 0.5), (Fraction(1, 2), 0.5), (inf, inf), (-inf, -inf), (nan, nan),
    ([1, 2], (1, 2)), ([], ()), ([0.5], [0.75]), ({"a": 1}, {"a": 1.25}), ("a", "a"), (None, None),
    ({1, 2}, {2, 1}), (True, True), ([True, None], [True, None]), ({"a": [1]}, {"a": (1,)}),
]  # fmt: skip
UNEQUAL = [
    (0.5, 0.7500001), (1, True), (True, 1), (False, 0), (inf, -inf), (inf, 1), (nan, 1), (1, nan),
    ([1], [1, 1]), ([1, 1], [1]), ([1], 1), (1, [1]), ("1", 1), (1, "1"), ({"a": 1}, {"b": 1}),
    ({"a": 1}, {"a": 1, "b": 1}), ({"a": 1}, {"a": 2}), ({"a": 1}, [1]), ([1], {0: 1}), ("a", "b"),
    ({"a": 1, "b": 2}, {"a": 1, "b": 3}), ({"a": 2, "b": 1}, {"a": 3, "b": 1}),
    (None, 0), (0, None), ({1}, {2}), ({1}, [1]), ([1, 2], [1, 3]), (10**400, 1.0), (1.0, 10**400),
    (inf, nan), (Failed("why"), 1),
]  # fmt: skip


def test_numbers_are_right_within_the_tolerance_and_all_else_exactly():
    """At the tolerance itself still; a truth value is no number."""
    for one, other in EQUAL:
        assert same(one, other, 0.25), (one, other)
        assert same(other, one, 0.25), (other, one)
    for one, other in UNEQUAL:
        assert not same(one, other, 0.25), (one, other)


KINDS = {
    "a number": [1, 0.5, Fraction(1, 3)],
    "True or False": [True],
    "a text": ["x"],
    "a list": [[1], (2,)],
    "a dict": [{"a": 1}],
    "a set": [{1}, frozenset()],
}


def test_a_value_of_another_kind_is_called_by_both_kinds():
    """A value of the same kind can be compared, unless it is NaN or a list of another length."""
    for (kind, values), (other, wanted) in product(KINDS.items(), repeat=2):
        for value, right in product(values, wanted):
            said = unlike(value, right)
            if kind != other:
                assert said == f"It gives {kind}, {shown(value)}, but it should give {other}."
            else:
                assert said == ""
    assert unlike([1], [1, 2, 3]) == "It should give 3 values, not 1."
    assert unlike(nan, 1.0) == "It gives NaN, which is no score."
    assert unlike(None, 1.0).startswith("It gives None: check that every path")
    assert unlike(Failed("why"), 1.0) == "why"
    assert shown([1.23456789, ("a", 2.0)]) == "[1.234568, ('a', 2.0)]"


# -- guessing


def free_by_hand(most, tries, guessed):
    """The fewest hits without marks with which a guess expects so little, in fractions."""
    chance = Fraction(most, tries)
    for free in range(tries):
        expected = Fraction(0)
        for hits in range(free + 1, tries + 1):
            ways = math.comb(tries, hits) * chance**hits * (1 - chance) ** (tries - hits)
            expected += ways * Fraction(hits - free, tries - free)
        if expected <= guessed:
            return free
    return tries - 1


@pytest.mark.parametrize("tries", [1, 2, 3, 6, 12])
def test_the_fewest_hits_are_without_marks_with_which_a_guess_expects_little(tries):
    """A hundredth of the marks, by the exact binomial; one try alone has marks at once."""
    for most in range(1, tries + 1):
        for guessed in (guessing.GUESSED, guessing.OF_LIST, 0.2):
            expected = free_by_hand(most, tries, Fraction(guessed)) if tries > 1 else 0
            assert without_marks(most, tries, guessed) == expected
        assert without_marks(most, tries) == without_marks(most, tries, 0.01)
    for hits, free in product(range(tries + 1), range(tries)):
        expected = max(0, Fraction(hits - free, tries - free))
        assert share_of(hits, tries, free) == pytest.approx(float(expected))


def test_equal_values_are_counted_to_six_decimals():
    """Whatever their last digits; an empty list has none."""
    assert counted([]) == 0
    assert counted([0.1 + 0.2, 0.3, 0.300001]) == 2
    assert counted([[0.1 + 0.2], (0.3,), [0.4]]) == 2
    assert counted(["a", "a", 1, True, inf, inf, nan]) == 2


@pytest.mark.parametrize("truth", [True, False])
def test_hidden_inputs_are_taken_while_no_answer_is_right_for_too_many(truth):
    """Half of forty for a truth value, a quarter of twelve for others; copies are not balanced."""
    balance = Balance(6, hidden=True)
    values = [True, False] if truth else [0.5, 1.5, 2.5, 3.5, 4.5]
    taken = [balance.takes(values[0]) for _ in range(60)]
    assert sum(taken) == (20 if truth else 3)
    assert taken == sorted(taken, reverse=True)
    assert balance.wanted == (40 if truth else 12)
    assert balance.takes(values[1])
    assert all(Balance(6, hidden=False).takes(1.0) for _ in range(99))
    # After 150 that were passed over, one more of the same is let in.
    more = [balance.takes(values[0]) for _ in range(200)]
    assert sum(more) == 1
    assert more.index(True) == 150 - (60 - sum(taken))


def table_by_hand(value):
    """The single values of a list or dict, by their places."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    found = {}
    for key, inner in pairs:
        if isinstance(inner, dict | list):
            for place, single in table_by_hand(inner).items():
                found[(key, *place)] = single
        else:
            found[(key,)] = inner
    return found


ANSWERS = [
    [7.5, 8.5, 9.5],
    [7.5, 8.5, 0.1],
    [7.5, 0.1, 0.2],
    [0.1, 0.2, 0.3],
    [7.5],
    [7.5, 8.5, 9.5, 1.0],
    [7.5, 1.0, 2.0, 3.0, 4.0],
    [[7.5], 8.5, 9.5],
    7.5,
    None,
]


def test_each_right_value_at_its_place_counts_and_each_extra_takes_one_away():
    """For several inputs together; never less than none."""
    wanted = [[7.5, 8.5, 9.5], [17.5, 18.5, 19.5]]
    inputs = [{"x": "a"}, {"x": "b"}]
    equal = lambda one, other: same(one, other, 0.0)  # noqa: E731
    for first, second in product(ANSWERS, ANSWERS):
        hits = 0
        for answer, right in zip((first, second), wanted, strict=True):
            if isinstance(answer, list):
                there = table_by_hand(answer)
                rights = table_by_hand(right)
                hits += sum(there.get(place) == value for place, value in rights.items())
                hits -= len(there.keys() - rights.keys())
        found = guessing.count(inputs, [first, second], wanted, equal)
        free = free_by_hand(1, 6, Fraction(guessing.OF_LIST))
        assert found == (max(0, hits), 6, free)
    for other in ([1.5], [7.5, True], ["a", "b"], 7.5, []):
        assert guessing.count(inputs[:1], [other], [other], equal) is None


# The columns that need no computation, for the input [3, 1, 4], by hand.
ECHOES = [
    [1, 2, 3], [0, 1, 2], [1, 1 / 2, 1 / 3], [3, 2, 1], [3, 1, 4], [4, 1, 3], [1, 3, 4], [4, 3, 1],
    [1 / 3, 1, 1 / 4],
]  # fmt: skip


@pytest.mark.parametrize("column", ECHOES, ids=str)
def test_what_needs_no_computation_earns_nothing(column):
    """Ranks, the input itself, sorted, turned round, one over it: as a column and in a table."""
    equal = lambda one, other: same(one, other, 1e-9)  # noqa: E731
    inputs = {"x": [3, 1, 4]}
    alone = [float(value) for value in column]
    assert guessing.count([inputs], [alone], [alone], equal) == (3, 3, 2)
    beside = [[value, 71.5 + place] for place, value in enumerate(alone)]
    hits, tries, free = guessing.count([inputs], [beside], [beside], equal)
    assert (hits, tries) == (6, 6)
    assert free == max(3, free_by_hand(1 if len(set(alone)) == 3 else 2, 6, Fraction(3, 100)))
    named = {"x": dict(zip("abc", [3, 1, 4], strict=True))}
    right = dict(zip("abc", alone, strict=True))
    assert guessing.count([named], [right], [right], equal)[2] >= (
        2 if alone in ([3.0, 1.0, 4.0], [1.0, 2.0, 3.0], [0.0, 1.0, 2.0]) else 0
    )


# -- marks

SQUARE = Question("f", "x * x + 0.25")
GENERAL_INPUTS = [{"x": x} for x in range(2, 8)]
EDGE_INPUTS = [{"x": 0}, {"x": 1}]


def test_marks_are_for_what_is_right_beyond_guessing_and_four_fifths_without_edges():
    """Over all patterns of right and wrong answers to six inputs and two edge cases."""
    trial = Trial(GENERAL_INPUTS, EDGE_INPUTS)
    free = free_by_hand(1, 6, Fraction(1, 100))
    for hits in product([True, False], repeat=8):
        answers = []
        for place, (inputs, hit) in enumerate(zip(trial, hits, strict=True)):
            answers.append(inputs["x"] ** 2 + 0.25 if hit else 100.0 + place)
        general, edges = sum(hits[:6]), sum(hits[6:])
        share = max(0.0, (general - free) / (6 - free)) * (0.8 + 0.2 * edges / 2)
        verdict = judge(SQUARE, trial, answers)
        assert verdict.share == pytest.approx(share)
        assert verdict.right is all(hits)
        told = f"{general} of 6 answers are right. Somebody who only guesses can have {free} of"
        assert verdict.chance.startswith(told) is (0 < general < 6)
        assert bool(verdict.chance) is (0 < general < 6)
        if all(hits):
            assert verdict.text == "Right."
        elif general == 6:
            edge = 0 if not hits[6] else 1
            assert verdict.where.startswith(f"Right for ordinary inputs, but not for f({edge}).")
            right = edge + 0.25
            assert verdict.where.endswith(f"gives {106.0 + edge}, but {right} is right.")


def test_one_answer_for_all_inputs_earns_nothing_unless_it_is_right_for_all():
    """A constant that hits by luck."""
    question = Question("f", "x", tolerance=3)
    trial = Trial([{"x": x} for x in range(1, 13)])
    assert judge(question, trial, [6.0] * 12).share == 0
    assert judge(question, trial, [6.0] * 11 + [60.0]).share == pytest.approx((7 - 2) / 10)
    assert judge(question, Trial(trial.general[4:8]), [6.0] * 4).share == 1
    assert judge(SQUARE, Trial([{"x": 1}, {"x": -1}]), [1.25] * 2).share == 1


@pytest.mark.parametrize("kind", ["function", "value"])
def test_why_there_is_no_value_is_said_with_the_call_of_a_function(kind):
    """A value is called by nobody."""
    question = Question("f", "x + 1.5", kind=kind)
    verdict = judge(question, Trial([{"x": 2}]), [Failed("It raises KeyError.", "KeyError")])
    said = "It raises KeyError."
    assert verdict.problem == said
    assert verdict.where == ("Try f(2). 3.5 is right." if kind == "function" else "")
    assert verdict.text == (f"{said} {verdict.where}".strip())
    verdict = judge(question, Trial([{"x": 2}]), [4.25])
    where = "Here your answer differs: try f(2). It gives 4.25, but 3.5 is right."
    assert verdict.where == (where if kind == "function" else "4.25 is not right.")
    one = Balance(1, hidden=True)
    assert one.takes(1.5)
    one.refuse_guessable("f")  # of one answer nothing can be guessed from others


WRONGS = [Wrong("square", "the square", "x * x"), Wrong("root", "its root", "x ** 0.5")]
NAMED = Question("f", "x * x + 0.25", wrongs=WRONGS, tolerance=0.01)


@pytest.mark.parametrize("off", [0.0, 0.009, 0.011])
def test_a_mistake_is_named_if_it_gives_all_values(off):
    """Within the tolerance; one other value, and it is no more this mistake."""
    inputs = [{"x": x} for x in (2, 3, 5)]
    for wrong, power in (("square", 2), ("root", 0.5)):
        answers = [one["x"] ** power + off for one in inputs]
        found = mistake_behind(NAMED, inputs, answers)
        assert (found.label if found else "") == (wrong if off < 0.01 else "")
        for place in range(3):
            other = [*answers[:place], 50.0 + place, *answers[place + 1 :]]
            assert mistake_behind(NAMED, inputs, other) is None
    by_zero = Question("f", "x + 1", wrongs=[Wrong("over", "x over 0", "x / 0 if x else 3.5")])
    infinite = Question("f", "x + 1", wrongs=[Wrong("inf", "no end", "float('inf')")])
    stopped = Failed("It raises ZeroDivisionError", "ZeroDivisionError")
    assert mistake_behind(infinite, [{"x": 1}], [stopped]).label == "inf"
    assert mistake_behind(infinite, [{"x": 1}], [Failed("", "KeyError")]) is None
    assert mistake_behind(infinite, [{"x": 1}], [inf]).label == "inf"
    assert mistake_behind(by_zero, [{"x": 0}], [stopped]) is None


@rows("digits", range(6))
def test_a_rounded_answer_is_the_right_one_with_one_to_four_decimals(digits):
    """A half goes up or down; a value that is off by more was not rounded."""
    question = Question("f", "x")
    right = [1.23456789, 2.7182818, 31.4159265]
    inputs = [{"x": x} for x in right]
    answers = [round(x, digits) for x in right]
    found = rounded(question, inputs, answers)
    assert bool(found) is (1 <= digits <= 4)
    if found:
        decimals = "1 decimal" if digits == 1 else f"{digits} decimals"
        assert found.says == f"the right answer, rounded to {decimals}"
        step = 10.0**-digits
        assert rounded(question, inputs, [answers[0] + step, *answers[1:]]) is None
        assert rounded(question, inputs, [answers[0] - step, *answers[1:]]) is None
    for half in (0.125, 0.375):
        for answer in (half - 0.005, half + 0.005):
            assert rounded(question, [{"x": half}, {"x": 2.5}], [answer, 2.5]) is not None
    assert rounded(question, inputs, [0.0] * 3) is None
    assert rounded(question, inputs, [1.2] * 3) is None
    assert rounded(question, inputs, [True] * 3) is None
    assert rounded(question, inputs, [[x] for x in answers]) is None
    assert rounded(question, [{"x": 1e301}], [1e301]) is None


def test_answers_are_near_within_half_a_percent_of_each_of_at_least_four():
    """Negative ones, too; numbers in another shape are not."""
    right = [1.0, -2.0, 4.0, 8.0]
    for factor, is_near in ((1.0049, True), (0.9951, True), (1.0051, False), (0.9949, False)):
        answers = [value * factor for value in right]
        assert near(answers, right) is is_near
        assert near([*right[:3], answers[3]], right) is is_near
        assert near(answers[:3], right[:3]) is False
    assert not near([[1.0], *right[1:]], right)
    assert not near(["a", *right[1:]], right)
    assert near([right], [right]) is False  # one list is one answer


# -- inputs


def test_an_answer_that_is_easily_guessed_is_trivial():
    """0, 1, -1, a half and 2 within twenty tolerances; a list of one value or of equal ones."""
    for value in (0, 1, -1, 0.5, 2):
        for off, is_so in ((0, True), (19, True), (21, False), (-21, False)):
            assert variants.is_trivial(value + off * 0.001, 0.001) is is_so
    lists = {(): True, (3,): True, (3, 3): True, (3, 3.001): True, (3, 4): False, (3, 3, 4): False}
    for values, is_so in lists.items():
        assert variants.is_trivial(list(values), 0.01) is is_so


def test_values_are_told_apart_by_twenty_tolerances():
    """Each pair that is nearer is untold."""
    question = Question("f", "x", tolerance=0.001)
    values = {RIGHT: 5.0, "a": 5.019, "b": 5.021, "c": 6.0}
    assert variants.untold(question, values) == {(RIGHT, "a"), ("a", "b")}
    labels = ["a", "b", "c", "d"]
    variants._to_front(labels, {"d", "b"})
    assert labels == ["b", "d", "a", "c"]


def test_inputs_that_tell_too_little_are_not_used():
    """What is alike is said: with the right answer, or with another mistake."""
    wrongs = [Wrong("a", "", "x + y"), Wrong("b", "", "x + z"), Wrong("c", "", "x / w")]
    question = Question("f", "x", wrongs=wrongs, tolerance=0.001)
    inputs = {"x": 5, "y": 1, "z": 2, "w": 3}
    found = variants.values_of(question, inputs, ["a", "b", "c"])
    assert found == {RIGHT: 5, "a": 6, "b": 7, "c": pytest.approx(5 / 3)}
    alike = {"y": (0.01, f"{RIGHT} and a are alike"), "z": (1, "a and b are alike")}
    for name, (value, said) in alike.items():
        assert variants.values_of(question, {**inputs, name: value}, ["a", "b", "c"]) == said
        assert isinstance(variants.values_of(question, {**inputs, name: value}), dict)
    assert variants.values_of(question, {**inputs, "w": 0}, ["a", "b", "c"]) == "division by zero"
    value = Question("v", "x", kind="value")
    assert "easy to guess" in variants.values_of(value, {"x": 1})
    assert variants.values_of(Question("f", "x"), {"x": 1}) == {RIGHT: 1}


def test_the_beginnings_are_those_of_the_first_list_that_begins_with_something():
    """Each a line longer, without the cut-off."""
    question = Question("f", "cg(grades)", prefix="grades")
    lists = [{"grades": [0, 5], "k": 2}, {"grades": [3, 0, 1], "k": 1}, {"grades": [4], "k": 1}]
    found = prefixes(question, lists)
    assert found == [{"grades": [3, 0, 1][:n], "k": None} for n in (1, 2, 3)]
    assert prefixes(question, lists[:1]) == [
        {"grades": [0], "k": None},
        {"grades": [0, 5], "k": None},
    ]
    assert prefixes(question, [{"grades": [2]}]) == [{"grades": [2]}]
    assert prefixes(Question("f", "cg(grades)"), lists) == []


KEY = b"0123456789abcdef"


def test_a_copy_is_its_owners_alone():
    """Another student, key, exercise, question or datum has another seal; nobody has none."""
    owner = Variant("ann", KEY)
    seals = {
        owner.seal("01", "q", [1]),
        owner.seal("02", "q", [1]),
        owner.seal("01", "r", [1]),
        owner.seal("01", "q", [2]),
        Variant("ben", KEY).seal("01", "q", [1]),
        Variant("ann", KEY + b"!").seal("01", "q", [1]),
    }
    assert len(seals) == 6
    assert {len(seal) for seal in seals} == {32}
    assert owner.seal("01", "q", [1]) == Variant(" ann ", KEY).seal("01", "q", [1])
    assert owner.seal("01", "q", {"b": 1, "a": 2}) == owner.seal("01", "q", {"a": 2, "b": 1})
    assert (GENERAL.seal("01", "q", [1]), GENERAL.fingerprint) == ("", "")
    assert len(owner.fingerprint) == 16
    with pytest.raises(InputError, match="at least 16 bytes; this one has 15"):
        Variant("ann", KEY[:15])
    assert Variant("", b"").student == ""


def test_a_key_is_read_from_a_file_without_its_line_end(tmp_path):
    """Of sixteen bytes at least."""
    path = tmp_path / "key"
    path.write_bytes(KEY + b"\n")
    assert variants.read_key(path) == KEY
    path.write_bytes(KEY[1:] + b"\n\n")
    with pytest.raises(InputError, match="at least 16 bytes, this one 15"):
        variants.read_key(path)
    with pytest.raises(InputError, match="is a folder"):
        variants.read_key(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        variants.read_key(tmp_path / "none")


# -- fields


def refused(call, *given, **options):
    """Whether a field is refused."""
    try:
        call(*given, **options)
    except InputError:
        return True
    return False


def test_fields_are_refused_unless_they_are_what_they_should_be():
    """Numbers, counts, texts, lists of one kind, and names that a variable can have."""
    for value in (0, 0.5, 3):
        assert not refused(spec_fields.refuse_unless_number, "f", value)
        assert refused(spec_fields.refuse_unless_number, "f", value, above=True) is (value == 0)
    for value in (-1, -0.001, nan, inf, True, "1", None, [1]):
        assert refused(spec_fields.refuse_unless_number, "f", value)
    for value, is_so in {1: False, 2: False, 0: True, -1: True, "1": True, 1.5: True}.items():
        assert refused(spec_fields.refuse_unless_count, "f", value) is is_so
    assert refused(spec_fields.refuse_unless_count, "f", True)
    assert refused(spec_fields.refuse_unless_count, "f", 2.0)
    for value in ("", "x", None, 1):
        assert refused(spec_fields.refuse_unless_text, "f", value) is not isinstance(value, str)
    for value in ([], ["a"], ("a", "b"), "ab", None, {"a"}, ["a", 1], [1]):
        is_list = isinstance(value, list | tuple)
        is_so = not is_list or any(type(one) is not str for one in value)
        assert refused(spec_fields.refuse_unless_listed, "f", value, str, "[]") is is_so
    for name in (
        "dcg",
        "_x",
        "Übung",
        "lambda",
        "1x",
        "a b",
        "",
        "check",
        "spec",
        "setup",
        None,
        3,
    ):
        fits = name in {"dcg", "_x", "Übung"}
        assert refused(spec_fields.refuse_unfit_name, name) is not fits
    assert not refused(spec_fields.refuse_repeated, "f", "abc")
    assert refused(spec_fields.refuse_repeated, "f", "abca")


def test_a_total_is_that_of_all_questions_but_for_a_bonus():
    """Those that a person marks count by their criteria."""
    why = ByHand("why", "Why", [Criterion("a", 2), Criterion("b", 0.5)])
    for bonus in (True, False):
        questions = [Question("f", "1", marks=3), Question("g", "2", marks=4, bonus=bonus)]
        exercise = Exercise("01", "T", questions, [why])
        assert exercise.marks == 3 + 2.5 + 4 * (not bonus)
        assert [one.name for one in exercise.every] == ["f", "g", "why"]
        assert exercise["g"] is questions[1]
    rubrics = [[], [Criterion("a", 0)], [Criterion("a", 1), Criterion("a", 2)], [Criterion("", 1)]]
    for rubric in rubrics:
        assert refused(ByHand, "why", "Why", rubric)
    for name in ("f", "why"):
        assert refused(Exercise, "01", "T", [Question("f", "1"), Question(name, "1")], [why]) is (
            name != "g"
        )
    assert refused(Exercise, "01", "T", [why])
    assert refused(Exercise, 1, "T", [])
    assert refused(Question, "f", "1", kind="other")
    assert refused(Question, "f", "1", kind="value", edges=[{}])
    assert refused(Question, "f", "1", harness="x")
    assert refused(Question, "f", "1", wrongs=[Wrong("a", "b")])
    assert not refused(Question, "f", "1", harness="x", calls="g", edges=[{}])


REFUSED_SPECS = [
    (lambda: ByHand("1x", "T", [Criterion("a", 1)]), "question '1x': a name must be one that Py"),
    (lambda: ByHand("check", "T", [Criterion("a", 1)]), "question 'check': a copy uses this name"),
    (lambda: ByHand("w", "T", "ab"), "question w, rubric: 'ab'; give a list, such as [Criterion("),
    (lambda: ByHand("w", "T", [("a", 1)]), "question w, rubric: ('a', 1) is in the list; write"),
    (lambda: ByHand("w", "T", []), "question w: a rubric has criteria of different names"),
    (
        lambda: ByHand("w", "T", [Criterion("a", 1), Criterion("", 1)]),
        "question w: a rubric has criteria of different names",
    ),
    (
        lambda: ByHand("w", "T", [Criterion("a", 1), Criterion("b", 1), Criterion("a", 1)]),
        "question w: a rubric has criteria of different names",
    ),
    (
        lambda: ByHand("w", "T", [Criterion("a", 1), Criterion("b", 0)]),
        "question w, points of criterion 'b': 0; give a number above 0",
    ),
    (lambda: Exercise(1, "T", []), "the number of an exercise: 1; give text, in quotes"),
    (lambda: Exercise("01", 3, []), "exercise 01, title: 3; give text, in quotes"),
    (lambda: Exercise("01", "T", "ab"), "exercise 01, questions: 'ab'; give a list, such as [Q"),
    (lambda: Exercise("01", "T", None), "exercise 01, questions: None; give a list, such as [Q"),
    (lambda: Exercise("01", "T", [3]), "exercise 01, questions: 3 is in the list; write it as in"),
    (
        lambda: Exercise("01", "T", [], [Question("f", "1")]),
        "exercise 01, by_hand: Question(name='f'",
    ),
    (lambda: Exercise("01", "T", [], "ab"), "exercise 01, by_hand: 'ab'; give a list, such as [B"),
    (
        lambda: Exercise("01", "T", [ByHand("w", "T", [Criterion("a", 1)])]),
        "exercise 01: w is marked by hand, so it stands in the list after that of the questions",
    ),
    (
        lambda: Exercise("01", "T", [Question("f", "1"), Question("f", "2")]),
        "exercise 01: two questions have one name: ['f', 'f']",
    ),
    (
        lambda: Exercise("01", "T", [Question("f", "1"), Question("g", "2")])["h"],
        "exercise 01 has no question 'h'; it has f, g",
    ),
    (lambda: Question("1x", "1"), "question '1x': a name must be one that Python can have"),
    (lambda: Question("f", "1", kind="x"), "question f: kind 'x'; give one of ('function', 'v"),
    (lambda: Question("f", "1", marks=-1), "question f, marks: -1; give 0 or a number above it"),
    (lambda: Question("f", "1", tolerance="1"), "question f, tolerance: '1'; give 0 or a number"),
    (lambda: Question("f", "1", tries=0), "question f, tries: 0; give a whole number from 1 on"),
    (lambda: Question("f", 1), "question f, expected: 1; give text, in quotes"),
    (lambda: Question("f", "1", title=1), "question f, title: 1; give text, in quotes"),
    (lambda: Question("f", "1", prefix=1), "question f, prefix: 1; give text, in quotes"),
    (lambda: Question("f", "1", column=1), "question f, column: 1; give text, in quotes"),
    (lambda: Question("f", "1", line=1), "question f, line: 1; give text, in quotes"),
    *(
        (lambda name=name: Question("f", "1", **{name: 3}), f"question f, {name}: 3; give a list")
        for name in ("mistakes", "wrongs", "hints", "edges", "packages", "parts")
    ),
    (
        lambda: Question("f", "1", wrongs=[Wrong("a", "b", "1"), Wrong("c", "d")]),
        "question f, wrongs: 'c' has no expression for its value; write Wrong(",
    ),
    (
        lambda: Question("f", "1", kind="value", edges=[{"x": 1}]),
        "question f, edges: a value has no edge cases, as nothing is called; give kind=",
    ),
    (
        lambda: Question("f", "1", harness="x"),
        "question f: say what the harness defines, calls='...'",
    ),
]


@rows(("make", "why"), REFUSED_SPECS)
def test_what_an_author_may_not_write_is_refused_with_the_place(make, why):
    """The question or the exercise, the field, what was given, and what would do."""
    with pytest.raises(InputError) as error:
        make()
    assert str(error.value).startswith(why)


# -- the first cell of a copy

VALUES = [
    {}, {"a": 1}, {1: "x"}, {"tuple": 1}, {"tuple": 1, "b": 2}, [(1, 2)], {"a": {"set": {1, 2}}},
    {"float": inf, "x": 2**80}, [Fraction(1, 3), {"dict": ()}], {"a": {1: {"b": (1,)}}}, "set",
]  # fmt: skip


def test_what_stands_in_a_first_cell_is_what_was_packed():
    """A dict stands as itself, unless its one key would be taken for a tag."""
    for value in VALUES:
        assert tagged(readable(pack(value))) == pack(value)
    for tag in TAGS:
        assert readable(pack({tag: 1})) == {"dict": [[tag, 1]]}
        assert readable(pack({tag: 1, "x": 2})) == {tag: 1, "x": 2}


def test_a_first_cell_is_read_as_it_was_written_in_lines_of_a_readable_length():
    """With the questions of a teacher, the data and the seals."""
    question = Question("total", "cg(grades)", kind="value")
    asked = {
        "number": "91",
        "title": "T",
        "questions": [question.as_data()],
        "inputs": {},
    }
    asked = json.loads(json.dumps(asked))
    for count in (1, 30, 31, 32, 200):
        data = {"total": pack({"grades": list(range(count)), "by": {"a, b": 1}})}
        for seals in ({}, {"total": "f" * 32}):
            text = written(CopyText(asked, data, seals), "none_such")
            assert parsed(text) == CopyText(asked, data, seals)
            assert max(map(len, text.split("\n"))) <= WIDTH + 4
            assert re.search(r'"exercise": "91"', text)
            assert ("seals" in text) is bool(seals)


def test_a_function_of_one_input_is_opened_with_its_edge_cases_in_their_order():
    """A function is called by position, whatever order an edge case is written in."""
    edge = {"k": 9, "grades": []}
    question = Question("f", "dcg(grades, k=k)", tries=1, edges=[edge], prefix="grades")
    trial = Trial([{"grades": [3, 1], "k": 1}])
    packed = checking.packed(Exercise("91", "T", [question]), {"f": trial})
    exercise, trials = checking.unpacked(packed)
    assert [one.name for one in exercise.questions] == ["f"]
    assert [list(one.items()) for one in trials["f"]] == [
        [("grades", [3, 1]), ("k", 1)],
        [("grades", []), ("k", 9)],
        [("grades", [3]), ("k", None)],
        [("grades", [3, 1]), ("k", None)],
    ]


@pytest.mark.parametrize("broken", [{"more": 1}, {"kind": "other"}, {"marks": -1}, {"edges": 3}])
def test_questions_that_were_changed_are_refused_with_what_to_do(broken):
    """Nothing of the exercise is opened."""
    asked = {**Question("f", "1").as_data(), **broken}
    text = packed_text({"number": "91", "title": "T", "questions": [asked], "inputs": {}})
    with pytest.raises(InputError, match=r"the first cell was changed .* copy it again"):
        checking.unpacked(text)
