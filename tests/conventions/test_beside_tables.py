"""What each convention makes of small inputs, beside tables and loops worked out by hand."""

import dataclasses
import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from irmetrics_edu.checks import LARGEST_GRADE
from irmetrics_edu.conventions import (
    ALL_JUDGED,
    AS_UNJUDGED,
    AS_WRITTEN,
    AS_ZERO,
    JK,
    NO_GAIN,
    REFUSED,
    REMOVED,
    RETRIEVED_ALONE,
    Averaging,
    Convention,
    Cut,
    Discount,
    Divisor,
    Duplicates,
    Gain,
    Interpolation,
    MissingQueries,
    Negative,
    NoRelevant,
    Overlap,
    Paired,
    Pooled,
    PreferenceBound,
    Reading,
    Satisfaction,
    Scores,
    Ties,
    Undefined,
    Unjudged,
    UnjudgedQueries,
    Unretrieved,
    are_copies,
    is_negative,
)
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.numbers import exact
from irmetrics_edu.rows.aligned_ranking import align
from tests.tables import rows as each_row

GRADES = [0, 1, 2, 3, 7, -1, -2]
TENTHS = [Fraction(tenths, 10) for tenths in range(-3, 31)]

# What a grade is worth, by the words of each gain.
GAINS = {
    "linear": lambda g: g,
    "exp": lambda g: Fraction(2) ** g - 1,
    "exponential": lambda g: Fraction(2) ** g - 1,
    "exp(2)": lambda g: Fraction(2) ** g - 1 if g >= 2 else 0,
    "binary": lambda g: int(g >= 1),
    "binary(2)": lambda g: int(g >= 2),
    "binary(-1)": lambda g: int(g >= -1),
    "linear(2)": lambda g: g if g >= 2 else 0,
    "share(3)": lambda g: Fraction(min(g, 3), 3),
    "share(0.5)": lambda g: min(g, Fraction(1, 2)) * 2,
    "table(2:3,3:0.5)": lambda g: {2: 3, 3: Fraction(1, 2)}.get(g, g),
    "table(0.1:3,7:0.3)": lambda g: {Fraction(1, 10): 3, 7: Fraction(3, 10)}.get(g, g),
    "table(-1:0)": lambda g: {-1: 0}.get(g, g),
}


@each_row("name", GAINS)
def test_what_a_grade_is_worth(name):
    """In floats and in fractions, and of the relevant alone."""
    gain, expected = Gain.named(name), [Fraction(GAINS[name](g)) for g in GRADES]
    assert gain(np.array(GRADES, dtype=float)).tolist() == [float(worth) for worth in expected]
    assert gain(exact(GRADES)).tolist() == expected
    assert all(isinstance(worth, Fraction) for worth in gain(exact(GRADES)))
    relevance = np.array([g >= 1 for g in GRADES], dtype=float)
    if not name.startswith("binary"):  # relevance is what those are
        of_relevant = gain.of_relevant(np.array(GRADES, dtype=float), relevance)
        assert of_relevant.tolist() == [
            float(w) * (g >= 1) for w, g in zip(expected, GRADES, strict=True)
        ]


def test_a_grade_written_as_a_decimal_is_that_number_in_fractions_too():
    """0.1 is a tenth, and no number beside it: from it on, over it, or by a table."""
    ones = exact([float(tenth) for tenth in TENTHS])
    assert ones.tolist() == TENTHS
    for least in TENTHS:
        shown = f"{float(least):g}"
        reached = [tenth >= least for tenth in TENTHS]
        assert Gain.named(f"binary({shown})")(ones).tolist() == reached
        linear = [tenth * is_it for tenth, is_it in zip(TENTHS, reached, strict=True)]
        assert Gain.named(f"linear({shown})")(ones).tolist() == linear
        table = [least + 1 if tenth == least else tenth for tenth in TENTHS]
        assert Gain.named(f"table({shown}:{float(least + 1):g})")(ones).tolist() == table
        if least > 0:
            share = [min(tenth, least) / least for tenth in TENTHS]
            assert Gain.named(f"share({shown})")(ones).tolist() == share
        if least >= 0:
            filled = Unjudged.named(f"grade({shown})").filled(
                exact([0, 2]), np.array([False, True])
            )
            assert filled.tolist() == [least, 2]


@pytest.mark.parametrize("grades", [[0.5], [0, 0.001], [1, 0.999, 2]])
def test_a_grade_that_is_neither_relevant_nor_not_has_no_binary_gain(grades):
    """Whole numbers from 1 on and from 0 down do; and so do all from a grade that is given."""
    for numbers in (np.array(grades, dtype=float), exact(grades)):
        with pytest.raises(InputError, match="neither 0 nor at least 1"):
            Gain.named("binary")(numbers)
        assert Gain.named("binary(0.5)")(numbers).tolist() == [int(g >= 0.5) for g in grades]


def test_a_power_of_two_that_is_no_float_or_no_fraction_is_refused():
    """Up to 1000 in floats, any whole number in fractions."""
    gain = Gain.named("exp")
    assert gain(np.array([1000.0])).tolist() == [2.0**1000 - 1]
    for grade in (1000.5, 1001, 1e9):
        with pytest.raises(InputError, match="at most 1000"):
            gain(np.array([1.0, grade]))
    assert gain(exact([1001])).tolist() == [2**1001 - 1]
    with pytest.raises(NotRational):
        gain(exact([1, 0.5]))
    assert gain(np.array([0.5])).tolist() == [math.sqrt(2) - 1]
    assert gain(np.array([])).tolist() == []


@each_row(
    "name",
    [
        *("share(0)", "share(-1)", "share(x)", "binary(x)", "linear()", "exp(two)", "table(2)"),
        *("table(x:1)", "table(1:)", "table(1:2,3)", "cubic", "log(2)"),
    ],
)
def test_a_gain_of_no_number_is_refused(name):
    """Each with the words that were given."""
    with pytest.raises(InputError, match="gain="):
        Gain.named(name, "gain")


DISCOUNTS = {
    "log2": lambda rank: 1 / math.log2(rank + 1),
    "log(10)": lambda rank: 1 / math.log10(rank + 1),
    "log(e)": lambda rank: 1 / math.log(rank + 1),
    "jk": lambda rank: 1 / max(1, math.log2(rank)),
    "jk(3)": lambda rank: 1 / max(1, math.log(rank, 3)),
    "none": lambda _: 1,
    "reciprocal": lambda rank: 1 / rank,
}


@each_row("name", DISCOUNTS)
def test_by_what_the_gain_at_a_rank_is_multiplied(name):
    """In fractions where it is one."""
    discount = Discount.named(name)
    ranks = range(1, 30)
    expected = [DISCOUNTS[name](rank) for rank in ranks]
    assert discount(np.array(ranks, dtype=float)).tolist() == pytest.approx(expected, rel=1e-14)
    if name in ("none", "reciprocal"):
        fractions = [Fraction(1, 1 if name == "none" else rank) for rank in ranks]
        assert discount(exact(ranks)).tolist() == fractions
    else:
        with pytest.raises(NotRational):
            discount(exact(ranks))


@each_row("base", ["1", "0.5", "0", "-2", "inf", "nan", "x"])
def test_a_logarithm_has_a_base_above_1(base):
    """Any number above it will do."""
    for name in ("jk", "log"):
        with pytest.raises(InputError, match="a number above 1"):
            Discount.named(f"{name}({base})")
        assert Discount.named(f"{name}(1.001)")(np.array([1.0, 9.0]))[1] < 0.01


FACTS = {  # by grade, shared, whole list, by place
    "given": (False, False, False, True),
    "docid": (False, False, False, False),
    "docid_ascending": (False, False, False, False),
    "reversed": (False, False, False, True),
    "quicksort": (False, False, True, False),
    "pessimistic": (True, False, False, False),
    "optimistic": (True, False, False, False),
    "averaged": (False, True, False, False),
}


@each_row("name", FACTS)
def test_what_the_order_of_tied_documents_needs(name):
    """Grades, all scores, or the places alone; in bulk goes what gives each document a rank."""
    ties = Ties.named(name)
    by_grade, shared, whole, by_place = FACTS[name]
    assert (ties.by_grade, ties.shared, ties.whole, ties.by_place) == FACTS[name]
    assert ties.in_bulk is (not by_grade and not shared)
    assert ties.as_given is (name == "given")
    assert ties.turned is (name in ("docid", "reversed"))
    assert ties.order(np.array([1.0, 3.0, 1.0, 2.0])) == [1, 3, 0, 2]
    assert whole == (name == "quicksort")
    assert by_place == (name in ("given", "reversed"))


NAMES = ["b", "a", "Z", "é", "ab", "10", "9", "\U0001f600", "\udcff", "\ud800", "zz", "日"]


@pytest.mark.parametrize("some", [NAMES, NAMES[:3], NAMES[:7], [10, 9, 2], [2, "10", 1]])
def test_tied_documents_are_ordered_by_the_bytes_of_their_ids(some):
    """As strcmp compares them; numbers by how they are written; by grade, or as they stand."""

    def written(i):
        try:
            return str(some[i]).encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return str(some[i]).encode("utf-8", "surrogatepass")

    places = range(len(some))
    ascending = sorted(places, key=written)
    grades = [(7 * i) % 3 for i in places]
    assert Ties.named("docid_ascending").arranged(some) == ascending
    assert Ties.named("docid").arranged(some) == ascending[::-1]
    assert Ties.named("given").arranged(some) == [*places]
    assert Ties.named("reversed").arranged(some) == [*places][::-1]
    assert Ties.named("pessimistic").arranged(some, grades) == sorted(
        places, key=lambda i: grades[i]
    )
    assert Ties.named("optimistic").arranged(some, grades) == sorted(
        places, key=lambda i: -grades[i]
    )


def _split(worth, places):
    """Quicksort as numba has it, part by part: a loop for each half."""
    if len(places) < 16:
        return sorted(places, key=lambda i: worth[i])
    middle = (len(places) - 1) // 2
    for a, b in ((0, middle), (middle, -1), (0, middle)):
        if worth[places[b]] < worth[places[a]]:
            places[a], places[b] = places[b], places[a]
    pivot = worth[places[middle]]
    places[middle], places[-1] = places[-1], places[middle]
    up, down = 0, len(places) - 2
    while True:
        up = next(i for i in range(up, len(places)) if worth[places[i]] >= pivot)
        down = next((j for j in range(down, -1, -1) if worth[places[j]] <= pivot), -1)
        if up >= down:
            break
        places[up], places[down] = places[down], places[up]
        up, down = up + 1, down - 1
    places[up], places[-1] = places[-1], places[up]
    return [*_split(worth, places[:up]), places[up], *_split(worth, places[up + 1 :])]


@each_row("n", [0, 1, 2, 14, 15, 16, 17, 18, 33, 100])
def test_quicksort_moves_documents_of_equal_score(n):
    """All equal, a few kinds, and in order or turned round."""
    ties = Ties.named("quicksort")
    for seed in range(12):
        chance = np.random.default_rng(seed)
        kinds = [1, 2, 3, n + 1][seed % 4]
        score = chance.integers(0, kinds, n).astype(float)
        if seed % 5 == 0:
            score = np.sort(score)[:: -1 if seed % 2 else 1]
        found = ties.order(score)
        assert found == _split((-score).tolist(), list(range(n)))
        assert sorted(found) == list(range(n))
        assert score[found].tolist() == sorted(score.tolist(), reverse=True)


COPIED = {
    "first": lambda ids: [d for i, d in enumerate(ids) if d not in ids[:i]],
    "last": lambda ids: [d for i, d in enumerate(ids) if d not in ids[i + 1 :]],
    "each": list,
    "no_gain": list,
}


@each_row("ids", [[], ["a"], *map(list, permutations("aab")), [1, 2, 1, 1], list("abcacb")])
def test_which_of_several_places_of_a_document_count(ids):
    """The first, the last or each; copies are shown as they are, and equal no other id."""
    for name, expected in COPIED.items():
        assert list(map(str, Duplicates.named(name)(ids))) == list(map(str, expected(ids)))
    assert Duplicates.named("refuse")(ids) == ids
    assert [Duplicates.named(n).refused for n in ("refuse", *COPIED)] == [True] + [False] * 4
    marked = Duplicates.named("no_gain")(ids)
    copies = [i for i, d in enumerate(ids) if d in ids[:i]]
    assert np.flatnonzero(are_copies(marked, len(ids))).tolist() == copies
    for i, j in product(range(len(ids)), repeat=2):
        alone = i != j and (i in copies or j in copies)
        assert (marked[i] == marked[j]) is (not alone and ids[i] == ids[j])
    assert len(set(marked)) == len(ids)
    assert not are_copies(None, 3).any()
    assert len(are_copies(None, 3)) == 3


def test_how_finely_scores_are_compared():
    """As doubles, in 32 bits, or not at all."""
    score = np.array([1.0, 1.0 + 1e-12, 1e300, -1e300, 2.5])
    assert Scores.named("float64")(score).tolist() == score.tolist()
    assert Scores.named("float32")(score).tolist() == [1, 1, math.inf, -math.inf, 2.5]
    assert Scores.named("order")(score).tolist() == [0] * 5
    facts = {name: (s.as_given, s.unread) for name, s in Scores.values.items()}
    assert facts == {"float64": (True, False), "float32": (False, False), "order": (False, True)}


SETTLED = {  # of the grades 2, 0, -1 and an unjudged 0
    "refuse": ([2, 0, -1, 0], [True, True, True, False]),
    "zero": ([2, 0, 0, 0], [True, True, True, False]),
    "keep": ([2, 0, -1, 0], [True, True, True, False]),
    "unjudged": ([2, 0, 0, 0], [True, True, False, False]),
    "padding": ([2, 0, -1, 0], [True, True, True, False]),
}


@pytest.mark.parametrize("name", SETTLED)
def test_what_negative_grades_count_as(name):
    """In floats and fractions; where none is below 0 nothing is done."""
    negative = Negative.named(name)
    judged = np.array([True, True, True, False])
    for numbers in (np.array([2.0, 0, -1, 0]), exact([2, 0, -1, 0])):
        grade, counted = negative.settled(numbers, judged)
        assert (grade.tolist(), counted.tolist()) == SETTLED[name]
        assert grade.dtype == numbers.dtype
        again, same = negative.settled(grade[:2], judged[:2])
        assert (again.tolist(), same.tolist()) == ([2, 0], [True, True])
    assert negative.refused is (name == "refuse")
    assert negative.padding is (name == "padding")


@pytest.mark.parametrize("negative", Negative.values.values(), ids=str)
def test_negative_grades_that_are_not_seen_are_not_refused(negative):
    """Refused where all judgments are seen; with the retrieved alone, what is not seen is 0."""
    where_seen = negative is REFUSED
    assert negative.refused_where_seen(RETRIEVED_ALONE) is where_seen
    assert negative.refused_where_seen(ALL_JUDGED) is False
    assert negative.refused_where_seen(None) is False
    assert negative.of_pool(RETRIEVED_ALONE) is (AS_ZERO if where_seen else negative)
    assert negative.of_pool(ALL_JUDGED) is negative
    padded = negative.name == "padding"
    assert negative.is_settled_later(RETRIEVED_ALONE) is (where_seen or padded)
    assert negative.is_settled_later(ALL_JUDGED) is padded
    assert (negative in (AS_ZERO, AS_UNJUDGED)) is negative.worth_nothing
    assert (negative is AS_UNJUDGED) is negative.not_judged


def test_which_grades_are_below_0():
    """Numbers of any kind, and nothing else."""
    assert all(map(is_negative, (-1, -0.5, np.float32(-1), np.int8(-1), -math.inf)))
    assert not any(map(is_negative, (0, 1, 0.5, -0.0, None, "-1", True, math.nan, np.uint8(200))))


@pytest.mark.parametrize("given", ["0", 0, "1.5", 1, LARGEST_GRADE])
def test_unjudged_documents_may_have_a_grade(given):
    """From 0 on; the judged keep theirs."""
    unjudged = Unjudged.named(f"grade({given})")
    assert unjudged.grade == float(given)
    judged = np.array([True, False, True])
    for numbers in (np.array([3.0, 0, 1]), exact([3, 0, 1])):
        is_exact = numbers.dtype == object
        grade = Fraction(str(float(given))) if is_exact else float(given)
        assert unjudged.filled(numbers, judged).tolist() == [3, grade, 1]
        assert unjudged.filled(numbers, np.ones(3, dtype=bool)) is numbers
        assert NO_GAIN.filled(numbers, judged) is numbers
    assert unjudged.kept(judged) is None


@each_row("given", ["-1", "-0.001", "nan", "inf", "x", "1.1e100"])
def test_an_unjudged_document_has_no_such_grade(given):
    """Below 0, beyond what can be summed, or no number."""
    with pytest.raises(InputError, match="is not a grade"):
        Unjudged.named(f"grade({given})")


def test_which_documents_stay_if_the_unjudged_are_removed():
    """None is all of them."""
    some, every = np.array([True, False]), np.array([True, True])
    assert REMOVED.kept(some).tolist() == [True, False]
    assert REMOVED.kept(every) is None
    assert NO_GAIN.kept(some) is None
    assert (NO_GAIN.removed, REMOVED.removed) == (False, True)


def test_numbers_of_queries_without_a_score():
    """Each by its name, and whether it is part of the mean."""
    facts = {name: (c.value, c.left_out) for name, c in NoRelevant.values.items()}
    nan = pytest.approx(math.nan, nan_ok=True)
    assert facts == {
        "zero": (0, False),
        "one": (1, False),
        "nan": (nan, False),
        "skip": (nan, True),
    }
    facts = {name: (c.value, c.refused, c.left_out) for name, c in Undefined.values.items()}
    assert facts == {
        "refuse": (nan, True, False),
        "zero": (0, False, False),
        "one": (1, False, False),
        "half": (0.5, False, False),
        "nan": (nan, False, False),
        "skip": (nan, False, True),
    }
    for kind in (NoRelevant, Undefined):
        assert kind("m", "", "", lambda: 0.25).value == 0.25
        assert kind("m", "", "", value=0.75).value == 0.75
        with pytest.raises(InputError, match="has no number"):
            kind("m", "", "")


def test_how_shares_of_queries_become_one():
    """Of 1 of 2, 0 of 3 and 0 of 0: together, or hits and misses by their means."""
    hits, divisor = np.array([1.0, 0, 0]), np.array([2.0, 3, 0])
    assert Averaging.named("micro")(hits, divisor) == (1, 5)
    assert Averaging.named("hits_and_misses")(hits, divisor) == (1, 1 + 2)
    assert Averaging.named("hits_and_misses")(np.array([2.0, 4]), np.array([5.0, 4])) == (3, 6)
    assert Averaging.named("hits_and_misses")(np.zeros(2), np.array([1.0, 3])) == (0, 2)
    assert Averaging.named("macro").function is None
    assert [a.by_impressions for a in Averaging.values.values()] == [False, False, True, False]


def test_where_the_ideal_ranking_is_cut():
    """At k, or not at all."""
    assert Cut.named("both").of_ideal(3) == 3
    assert Cut.named("ranking").of_ideal(3) is None


@pytest.mark.parametrize("k", [None, 1, 2, 3, 9])
def test_by_what_hits_are_divided(k):
    """Two of three retrieved are relevant, of four that are."""
    rows = align(["a", "x", "b"], dict.fromkeys("abcd", 1))
    expected = {
        "k": 3 if k is None else k,
        "retrieved": min(3, k or 3),
        "relevant": 4,
        "reachable": min(4, k or 4),
        "hits": 2,
    }
    for name, divisor in expected.items():
        found = Divisor.named(name)(rows, k, np.array([2.0]), np.array([4.0]))
        assert np.asarray(found).tolist() == [divisor]


def test_choices_of_single_measures():
    """Bounds of preferences, satisfaction, categories on both sides, levels of recall."""
    R, N = np.array([2.0, 5]), np.array([3.0, 1])
    assert PreferenceBound.named("fewer")(R, N).tolist() == [2, 1]
    assert PreferenceBound.named("relevant")(R, N).tolist() == [2, 5]
    grade = np.array([0.0, 1, 3])
    assert Satisfaction.named("exp")(grade, 3).tolist() == [0, 1 / 8, 7 / 8]
    assert Satisfaction.named("linear")(grade, 4).tolist() == [0, 1 / 4, 3 / 4]
    hits, rest = np.array([True, True, False, False]), np.array([True, False, True, False])
    assert Overlap.named("both")(hits, rest).tolist() == rest.tolist()
    assert Overlap.named("once")(hits, rest).tolist() == [False, False, True, False]
    for tenths, relevant in product(range(11), range(1, 30)):
        level = Fraction(tenths, 10)
        needed = math.ceil(tenths * relevant / 10 - 1e-9)
        assert Interpolation.named("standard")(level, relevant) == needed
        assert Interpolation.named("none")(level, relevant) == needed
        in_c = int(tenths / 10 * relevant + 0.9)
        assert Interpolation.named("trec_eval")(level, relevant) == in_c
        rounded = math.floor(tenths / 10 * relevant + 0.5)
        assert Interpolation.named("trec_eval_10")(level, relevant) == rounded
    assert [i.highest for i in Interpolation.values.values()] == [True, False, True, True]


def test_judged_documents_that_were_not_retrieved_have_no_rank_or_the_last():
    """By their names."""
    assert list(Unretrieved.named("absent").of(["a"])) == []
    assert list(Unretrieved.named("last").of(["a"])) == ["a"]
    assert [u.absent for u in Unretrieved.values.values()] == [True, False]


def test_a_convention_is_found_by_its_name_and_its_form():
    """Or refused with what may be meant; a mapping is a table of gains."""
    binary = Gain.named("binary")
    assert Gain.named(binary) is binary
    assert Gain.named({2: 3, 3: 0.5}).name == "table(2:3,3:0.5)"
    assert Gain.ways() == [
        "linear",
        "exp",
        "binary",
        "linear(1)",
        "binary(2)",
        "exp(1)",
        "share(4)",
        "table(1:3,2:9)",
    ]
    for word, meant in (("worst", "pessimistic"), ("Best", "optimistic"), ("docids", "docid")):
        with pytest.raises(InputError, match=f"did you mean {meant}"):
            Ties.named(word)
    for odd in ("qqq", 7, None, {2: 3}, binary, "docid(3)"):
        with pytest.raises(InputError, match=r"ties=.*is not a known choice; (did|use)"):
            Ties.named(odd)
    with pytest.raises(InputError, match="has no function"):
        AS_WRITTEN(1)
    mine = Gain("mine", "", "twice the grade", lambda grade: 2 * grade)
    assert mine(np.array([1.5])).tolist() == [3]
    assert Convention("two", "", "", lambda a, b: (a, b))(1, 2) == (1, 2)


# What is said of each value beside its function: the fields that say yes.
SAID = {
    Cut: {"both": {"both"}, "ranking": set()},
    Unjudged: {"no_gain": set(), "removed": {"removed"}, "grade(1)": set()},
    Pooled: {"judged": set(), "retrieved": {"seen_alone"}},
    Negative: {
        "refuse": {"refused"},
        "zero": {"worth_nothing"},
        "keep": set(),
        "unjudged": {"worth_nothing", "not_judged"},
        "padding": {"padding"},
    },
    Paired: {"judged": set(), "retrieved": {"all_retrieved"}},
    Interpolation: {
        "standard": {"highest"},
        "none": set(),
        "trec_eval": {"highest"},
        "trec_eval_10": {"highest"},
    },
    NoRelevant: {"zero": set(), "one": set(), "nan": set(), "skip": {"left_out"}},
    Averaging: {
        "macro": set(),
        "micro": set(),
        "impressions": {"by_impressions"},
        "hits_and_misses": set(),
    },
    Undefined: {
        "refuse": {"refused"},
        **{name: set() for name in ("zero", "one", "half", "nan")},
        "skip": {"left_out"},
    },
    Ties: {
        "given": {"as_given", "by_place"},
        "docid": {"turned"},
        "docid_ascending": set(),
        "reversed": {"turned", "by_place"},
        "quicksort": {"whole"},
        "pessimistic": {"by_grade"},
        "optimistic": {"by_grade"},
        "averaged": {"shared"},
    },
    Scores: {"float64": {"as_given"}, "float32": set(), "order": {"unread"}},
    Reading: {"strict": set(), "trec_eval": {"as_c"}, "trec_eval_10": {"as_c", "comments"}},
    Duplicates: {
        "refuse": {"refused"},
        **{name: set() for name in ("first", "last", "each", "no_gain")},
    },
    MissingQueries: {"zero": set(), "skip": set(), "refuse": set()},
    UnjudgedQueries: {name: set() for name in ("refuse", "ignore", "zero", "named_zero")},
}
SETTLED_ELSEWHERE = {Unjudged, Negative, Duplicates, MissingQueries, UnjudgedQueries}


def _asked_of_each_module():
    """What the modules of the conventions are known to say, in one answer of each."""
    assert Unjudged.named("grade(1)").grade == 1
    assert NoRelevant("half", "h", "one half", lambda: 0.5).value == 0.5
    assert Ties.named("docid").arranged(["a", "b"]) == [1, 0]
    assert Interpolation.named("standard")(Fraction(1, 2), 3) == 2
    assert Gain.named("binary(2)")(np.array([1.0, 2.0])).tolist() == [0, 1]


@each_row("kind", SAID)
def test_each_value_says_of_itself_what_stands_in_the_table(kind):
    """And a kind takes other values unless each of its own is settled elsewhere."""
    _asked_of_each_module()
    for name, said in SAID[kind].items():
        value = kind.named(name)
        fields = [field.name for field in dataclasses.fields(value)]
        assert {field for field in fields if getattr(value, field) is True} == said, name
    assert kind.closed is (kind in SETTLED_ELSEWHERE)


def test_a_convention_is_shown_without_its_function_and_is_its_fields():
    """A function has an address that differs from run to run."""
    for convention in (Gain.named("linear"), NoRelevant.named("zero"), Ties.named("docid")):
        assert "function" not in repr(convention)
        assert dataclasses.replace(convention, function=lambda *_: 1.0) == convention
    for kind in (NoRelevant, Undefined):  # two floats that are no number are not equal
        left_out = kind.named("skip")
        assert dataclasses.replace(left_out, value=float("nan")) == left_out
    assert Discount.named("jk") is Discount.named("jk(2)") is JK
    assert Discount.named("jk(2)")(np.array([1.0, 2.0, 4.0])).tolist() == [1, 1, 0.5]
