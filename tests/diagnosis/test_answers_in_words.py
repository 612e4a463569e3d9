"""Which numbers a printed one stands for, and which sentences an answer has, by plain tables."""

import math
from decimal import ROUND_DOWN, Decimal
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu.conventions import AS_WRITTEN
from irmetrics_edu.diagnosis.function import FunctionDiagnosis, _spread
from irmetrics_edu.diagnosis.function_answers import Shown, is_near
from irmetrics_edu.diagnosis.printed import Printed, Target
from irmetrics_edu.diagnosis.reconciliation import _apart
from irmetrics_edu.diagnosis.result import (
    Candidate,
    Diagnosis,
    Distinction,
    FoundMistake,
    _plain,
    written,
)
from irmetrics_edu.diagnosis.search import SettingScores
from tests.tables import rows

# By what was given: the value, and how many decimals of it count.
GIVEN = {
    "0.949": (0.949, 3),
    " 0.949 ": (0.949, 3),
    "0.95": (0.95, 2),
    ".5": (0.5, 1),
    "+0.5": (0.5, 1),
    "-0.25": (-0.25, 2),
    "1": (1.0, 4),
    "12.": (12.0, 4),
    "1.0": (1.0, 1),
    "94.9%": (0.949, 3),
    "94.9 %": (0.949, 3),
    "95%": (0.95, 2),
    "1e3": (1000.0, 4),
    "1.5e-3": (0.0015, 4),
    "12e-1": (1.2, 1),
    "0.1234567890123456": (0.1234567890123456, 16),
    0.5: (0.5, 4),
    1: (1.0, 4),
    0.12345: (0.12345, 5),
    1e-15: (1e-15, 12),
    0.12345678901234: (0.12345678901234, 12),
}


@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_a_number_stands_for_what_rounds_to_it(given):
    """Half a unit of its last decimal to each side; a float has four decimals at least."""
    value, decimals = GIVEN[given]
    printed = Printed.of(given)
    assert printed.value == value
    assert printed.tolerance == pytest.approx(0.5 * 10.0**-decimals, rel=1e-12)
    assert printed.asked is False
    assert printed.decimals == min(decimals, 12)
    assert printed.fine is (decimals >= 7)
    wider = printed.rounded_before
    assert wider.tolerance == pytest.approx(0.55 * 10.0**-decimals, rel=1e-12)
    asked = Printed.of(given, 0.01)
    assert (asked.value, asked.tolerance, asked.rounded_before) == (value, 0.01, asked)


@rows("decimals", range(1, 10))
@rows("whole", ["0", "3", "40"])
def test_a_score_fits_up_to_half_a_unit_and_the_precision_of_libraries(decimals, whole):
    """In single precision seven digits are as many as there are."""
    text = f"{whole}.{'123456789'[:decimals]}"
    value, half = Decimal(text), Decimal(1) / (2 * 10**decimals)
    if half < Decimal("2e-7"):
        half = Decimal("2e-7") * max(1, value)
    for sign, within in product((-1, 1), (True, False)):
        aside = half * (Decimal("0.999") if within else Decimal("1.001")) + Decimal("1e-9")
        assert Printed.of(text).fits(float(value + sign * aside)) is within


@rows(("value", "score"), [*product(["0.5", "nan", "inf", "-inf"], repeat=2)])
def test_infinite_values_and_those_that_are_none_are_near_their_like_alone(value, score):
    """Whatever the tolerance is."""
    found = Printed.of(value).distance(float(score))
    assert found == (0.0 if value == score else math.inf)
    assert Printed.of(value).fits(float(score)) is (value == score)
    assert is_near(float(value), float(score)) is (value == score)


@rows("digits", [1, 2, 3, 5])
@rows("thousandths", range(0, 1000, 37))
def test_a_number_was_cut_where_its_further_decimals_are_left_out(digits, thousandths):
    """As decimal arithmetic rounds down."""
    mean = thousandths / 1000 + 4.307e-4
    unit = Decimal(1).scaleb(-digits)
    cut = Decimal(mean).quantize(unit, ROUND_DOWN)
    for text in (str(cut), str(cut + unit), str(cut - unit)):
        assert Target.of(text).is_cut(mean) is (text == str(cut))
        assert Target.of(text, 0.1).is_cut(mean) is False
    assert Target.of({"q": str(cut)}).is_cut(mean) is False
    assert Target.of(str(cut)).is_cut(float(cut))
    assert Target.of(str(cut)).is_exactly(float(cut) + 1e-13)
    assert not Target.of(str(cut)).is_exactly(float(cut) + 1e-6)
    assert Target.of("0").is_exactly(1e-12)


@rows("scores", [*product([0.5, 0.504, 0.6], repeat=2)])
@rows("known", [("p",), ("p", "q")])
def test_values_fit_if_each_query_does_and_is_there(scores, known):
    """The distance is that of the query furthest off."""
    place = {query: number for number, query in enumerate(known)}
    target = Target.of({"p": "0.50", "q": "0.50"})
    given = np.array(scores[: len(known)])
    everywhere = len(known) == 2
    assert target.fits(math.nan, given, place) is (everywhere and max(scores) < 0.6)
    off = max(abs(score - 0.5) for score in scores) if everywhere else math.inf
    assert target.distance(math.nan, given, place) == off
    mean = Target.of("0.50")
    assert mean.fits(scores[0], given, place) is (scores[0] < 0.6)
    assert mean.distance(scores[0], given, place) == abs(scores[0] - 0.5)


@rows(
    ("values", "digits"),
    [
        (["0.5"], 4),
        (["0.949"], 4),
        (["0.9494"], 5),
        (["0.5", "0.94945"], 6),
        (["0.12345678901"], 12),
        (["0.1234567890123"], 12),
    ],
)
def test_scores_are_shown_with_a_digit_more_than_the_finest_value(values, digits):
    """Four at least, and twelve at most."""
    assert Target.of({f"q{i}": value for i, value in enumerate(values)}).digits == digits
    if len(values) == 1:
        assert Target.of(values[0]).digits == digits


def candidate(number, changes=1, score=0.5):
    """One that is written a0=1."""
    arguments = {f"a{number}": 1} if changes else {}
    return Candidate(None, arguments, ["why"], [], score, f"call {number}")


def mistaken(number, score=0.5):
    """A mistake of the catalogue."""
    named = SimpleNamespace(label=f"m{number}", says="a bare sum", sentence="s", why="w", read="r")
    return FoundMistake(named, score)


def diagnosed(value="0.5", **parts):
    """A diagnosis with these parts."""
    usual = {
        "ours": 0.25,
        "why_not": "",
        "candidates": [],
        "mistakes": [],
        "distinction": None,
        "nearest": [],
        "scored": 7,
    }
    return Diagnosis(measure="AP", target=Target.of(value), **{**usual, **parts})


@rows("candidates", range(9))
@rows("mistakes", range(3))
def test_an_answer_lists_its_causes_and_says_how_many_there_are(candidates, mistakes):
    """Six conventions, then the number of the others; a mistake at length if it is alone."""
    found = diagnosed(
        candidates=[candidate(number) for number in range(candidates)],
        mistakes=[mistaken(number) for number in range(mistakes)],
    )
    text = found.text
    assert text.startswith("AP = 0.5? By our default it is 0.2500.")
    assert text.count("To agree, write: call") == min(candidates, 6)
    assert (f"... and {candidates - 6} more" in text) is (candidates > 6)
    assert text.count("Or the mistake m") == (mistakes if candidates else 0)
    assert text.count("0.5000 by the mistake m") == (0 if candidates else mistakes)
    of_conventions = f"{candidates} conventions give this number"
    of_causes = f"{candidates + mistakes} causes give this number"
    assert (of_conventions in text) is (candidates > 1)
    assert (of_causes in text) is (candidates <= 1 < candidates + mistakes)
    assert found.explained is bool(candidates or mistakes)
    assert ("None of 7 conventions" in text) is not found.explained


@rows("scored", [1, 2])
@rows("others", range(5))
@rows("percent", [False, True])
@rows("has_judgments", [False, True])
@rows("near", [False, True])
def test_what_nothing_gives_has_the_sentences_that_are_true(
    scored, others, percent, has_judgments, near
):
    """Other measures first; else what to look for, and what is near."""
    text = diagnosed(
        scored=scored,
        others=[(f"P@{k}", 0.5) for k in range(others)],
        percent=percent,
        has_judgments=has_judgments,
        nearest=[("a", 0.49, 0.01), ("b", 0.47, 0.03)] if near else [],
        untried=["deep ones"],
        unordered=["Lucene", "Solr"],
    ).text
    assert ("The one convention does not give it" in text) is (scored == 1)
    assert ("None of 2 conventions" in text) is (scored == 2)
    assert text.count("was that computed instead?") == min(others, 3)
    alone = not others
    assert ("It is too large. If it is in percent, write 0.5%." in text) is (alone and percent)
    assert ("If not, look for documents" in text) is (alone and percent and has_judgments)
    nothing = alone and not percent and not near
    assert ("Nothing comes near it." in text) is nothing
    assert ("Are all judged documents given" in text) is (nothing and has_judgments)
    assert ("Are these the inputs" in text) is (nothing and not has_judgments)
    assert ("Nearest:  0.4900, off by 0.0100: a" in text) is (alone and near)
    assert ("  then    0.4700, off by 0.0300: b" in text) is (alone and near)
    assert ("Not tried on so much data: deep ones." in text) is alone
    assert ("Lucene, Solr promise no order" in text) is alone


@pytest.mark.parametrize("off", [0.0, 4e-4, 6e-4, 0.001])
def test_what_looks_like_the_value_is_no_near_one(off):
    """Within half a unit of its last digit, nothing more is said."""
    nearest = [("a", 0.5 + off, off), ("b", 0.6, 0.1)]
    text = diagnosed("0.500", nearest=nearest, untried=["deep ones"]).text
    alike = off < 5e-4
    assert (f"But a gives {0.5 + off:.4f}." in text) is alike
    assert ("Nearest:" in text) is not alike
    assert ("Not tried" in text) is not alike


@pytest.mark.parametrize("score", [0.6664, 0.666, 0.6672, 0.6655])
def test_a_near_score_whose_digits_were_cut_off_is_said_to_be_one(score):
    """Beside it, and of it alone."""
    text = diagnosed("0.666", nearest=[("a", score, 0.01)]).text
    assert ("With its digits cut off and not rounded, that is 0.666." in text) is (
        0.666 <= score < 0.667
    )


@rows("of_all", [None, 20])
@rows("explained", [False, True])
@rows("twice", [False, True])
def test_a_search_that_was_stopped_says_how_far_it_came(of_all, explained, twice):
    """And then not that nothing gives the value."""
    parts = {"interrupted_of": of_all, "rounded_twice": twice}
    text = diagnosed(candidates=[candidate(0)] * explained, **parts).text
    stopped = of_all is not None
    assert ("Interrupted: 7 of 20 conventions tried." in text) is stopped
    assert ("the best answer so far" in text) is (stopped and explained)
    assert ("None of these gives it." in text) is (stopped and not explained)
    assert ("None of 7 conventions" in text) is not (stopped or explained)
    assert ("Rounded to more digits first:" in text) is (explained and twice)


@rows("plain", [False, True])
@rows("weak", [None, False, True])
@rows("library", [False, True])
def test_perhaps_stands_where_a_name_may_be_chance(plain, weak, library):
    """Not of our own definition, nor of what a library has."""
    one = candidate(0, changes=not plain)
    one = Candidate(None, one.arguments, [], ["ranx"] * library, 0.5, "call")
    evidence = None if weak is None else SimpleNamespace(is_weak=weak, sentence="One value.")
    text = diagnosed(candidates=[one], evidence=evidence).text
    assert ("0.5000 perhaps" in text) is (bool(weak) and not plain and not library)
    assert ("One value." in text) is (weak is not None and not plain)
    assert ("AP as we define it gives 0.5000" in text) is plain
    assert ("(ranx)" in text) is library


def test_an_input_that_tells_causes_apart_is_written_with_each_value():
    """The names in one column."""
    lines = Distinction(["d1"], {"d1": 1}, [("a", 0.5), ("long", 0.25)]).lines()
    assert lines[1:] == [
        "  ranking    ['d1']",
        "  judgments  {'d1': 1}",
        "    a     0.5000",
        "    long  0.2500",
    ]


def test_changes_are_written_as_a_call_takes_them():
    """Conventions and words in quotes, numbers as they are, and infinity as code if asked."""
    changes = {"negative": AS_WRITTEN, "word": "exp", "rel": 2.0, "p": 0.95, "floor": -math.inf}
    words = 'negative="keep", word="exp", rel=2, p=0.95'
    assert written(changes) == f"{words}, floor=-inf"
    assert written(changes, as_code=True) == f'{words}, floor=float("-inf")'


@rows(
    ("value", "expected"),
    [
        (True, True),
        (None, None),
        (2.5, 2.5),
        ("a", "a"),
        ({1: {2, 10}}, {"1": ["10", "2"]}),
        (AS_WRITTEN, "keep"),
    ],
)
def test_facts_are_plain(value, expected):
    """Text for what JSON does not have."""
    assert _plain(value) == expected


# -- of functions


@rows("number", [0, 1, 59, 60, 61, 62, 180, 181, 300, 301, 500])
def test_the_smallest_inputs_and_some_of_the_rest_are_tried_first(number):
    """The first sixty, the last, and between them each at the same distance."""
    queries = [*range(number)]
    rest = queries[60:]
    step = max(1, len(rest) // 120)
    between = [query for place, query in enumerate(rest[:-1]) if place % step == 0]
    assert _spread(queries) == queries[:60] + between + rest[-1:]


def of_function(**parts):
    """A diagnosis of a function."""
    usual = {"raised": 0, "diagnosis": None, "shown": Shown(["d1"], {"d1": 1}, 0.5, 1.0)}
    return FunctionDiagnosis("f", "AP", "ours", 10, **{**usual, **parts})


@rows("plain", [False, True])
@rows("changed", [False, True])
@rows("mistakes", range(2))
@rows("cut", ["", "AP@3"])
def test_a_function_is_called_by_its_first_cause(plain, changed, mistakes, cut):
    """A convention, a mistake, another cut-off; right but for errors; and at last nothing."""
    candidates = [candidate(0, changes=0)] * plain + [candidate(1)] * changed
    diagnosis = SimpleNamespace(
        candidates=candidates, mistakes=[mistaken(n) for n in range(mistakes)]
    )
    found = of_function(diagnosis=diagnosis, raised=3, cut=cut)
    right = "AP as ours has it"
    if changed:
        expected = f"f is AP with a1=1, not {right}"
    elif mistakes:
        expected = "f makes the mistake m0: it gives a bare sum"
    elif cut:
        expected = f"f is AP@3, not {right}"
    elif plain:
        expected = f"f is {right}, but it raised an error on 3 inputs"
    else:
        expected = f"f is not {right}, and no convention or known mistake gives its values"
    assert found.what == expected
    lines = found.text.split("\n")
    assert lines[0] == f"{expected}."
    assert ("w" in lines) is (bool(mistakes) and not changed)
    assert "The smallest input that shows it:" in lines
    assert lines[-1] == "It raised an error on 3 of 10 inputs."


def test_a_function_without_a_cause_is_called_by_what_it_did():
    """Right everywhere, wrong on nothing ranked alone, or never a value."""
    assert of_function(shown=None).what == "f is AP as ours has it, on 10 inputs"
    assert of_function(shown=None).follows
    empty = of_function(shown=Shown([], {"d1": 1}, 1.0, 0.0))
    assert empty.what == "f is AP as ours has it on 9 inputs, but not on an empty ranking"
    never = of_function(raised=10)
    assert never.what == "f is not AP as ours has it: it raised an error on each of 10 inputs"
    assert "It raised" not in of_function().text


@pytest.mark.parametrize("number", [1, 40, 41])
def test_an_input_of_many_documents_is_shown_by_its_grades(number):
    """Up to forty documents are named."""
    ids = [f"d{i}" for i in range(number)]
    lines = Shown(ids, {"d0": 2}, 0.25, 1 / 3).lines
    if number > 40:
        graded = [2] + [None] * (number - 1)
        assert lines[0] == f"  ranking    {number} documents"
        assert lines[1] == f"  judgments  in ranked order {graded}"
    else:
        assert lines[:2] == [f"  ranking    {ids}", "  judgments  {'d0': 2}"]
    assert lines[2] == "  the function gives 0.25, expected 0.333333"


# -- of two numbers


@rows("here", [*product([0.0, 0.5, math.nan], repeat=2)])
@rows("there", [(0.0, 0.5), (0.25, math.nan), (1.0, 0.5 + 1e-13)])
def test_queries_that_differ_are_told_the_largest_difference_first(here, there):
    """Rounding is no difference, and neither is NaN twice; NaN beside a number is the largest."""
    place = {"p": 0, "q": 1}

    def scores(values):
        return SettingScores(0.0, np.array(values), {**place, "r": 0})

    other = SettingScores(0.0, np.array(there), place)
    differing = []
    for query, a, b in zip(place, here, there, strict=True):
        if not (math.isnan(a) and math.isnan(b)) and not abs(a - b) < 1e-12:
            size = math.inf if math.isnan(a) or math.isnan(b) else abs(a - b)
            differing.append((-round(size, 9), query))
    found, equal = _apart(scores(here), other)
    assert [query for query, _, _ in found] == [query for _, query in sorted(differing)]
    assert equal == 2 - len(differing)
    assert _apart(None, other) == _apart(other, None) == ([], 0)
