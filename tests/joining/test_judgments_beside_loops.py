"""Judgments of every kind as a pool, as given, cut, or with more queries, beside their mappings."""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from irmetrics_edu.checks import LARGEST_GRADE
from irmetrics_edu.conventions import (
    AS_UNJUDGED,
    AS_WRITTEN,
    AS_ZERO,
    PADDING,
    REFUSED,
    Negative,
    Pooled,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.runs.joining.judgments import (
    Judged,
    JudgedBySubtopic,
    SharedJudgments,
    _worth_of,
    padding,
    read_pool,
    read_subtopic_qrels,
    settled_later,
)
from irmetrics_edu.runs.joining.queries import AskedFor
from tests.tables import rows

QRELS = {
    "q1": {"a": 2, "b": -1, "c": 0},
    "q2": {"b": 1.5, "c": None},
    "q3": {"x", "a"},
    "q4": ["z"],
    "q5": {"a": -2.5, "b": 2.9},
}


def _graded(judged):
    """A mapping of grades, whatever was given."""
    return judged if isinstance(judged, dict) else dict.fromkeys(judged, 1)


def _of_pool(pool):
    return {query: pool.of(i) for i, query in enumerate(pool.queries)}


WORTH = {
    AS_WRITTEN: lambda g: g,
    AS_ZERO: lambda g: max(g, 0),
    AS_UNJUDGED: lambda g: None if g < 0 else g,
}


@pytest.mark.parametrize("negative", WORTH, ids=str)
@pytest.mark.parametrize("kind", [dict, SharedJudgments])
def test_a_pool_holds_what_the_mapping_holds(negative, kind):
    """Grades, sets and lists; negative grades as the convention says; None is not judged."""
    expected = {
        query: {d: None if g is None else WORTH[negative](g) for d, g in _graded(judged).items()}
        for query, judged in QRELS.items()
    }
    judged = Judged(kind(QRELS), negative)
    for pool in (read_pool(QRELS, negative=negative), judged.pool(negative)):
        assert _of_pool(pool) == expected
        assert read_pool(pool) is pool
    assert list(judged) == list(QRELS)
    assert len(judged) == 5
    assert judged["q1"] == QRELS["q1"]
    assert judged.graded
    grades = [g for j in QRELS.values() if isinstance(j, dict) for g in j.values() if g is not None]
    assert judged.grades().tolist() == grades
    assert padding(judged, PADDING) == 2
    assert padding(judged, negative) == padding(judged, None) == padding(None, PADDING) == 0
    with pytest.raises(InputError, match="query 'q1', document 'b': grade -1 is negative"):
        judged.pool(REFUSED)
    assert not Judged({"q": {"a"}}).graded


@rows(("read", "number"), [*product([False, True], [0, 1, 3])])
def test_queries_that_nobody_judged_are_added_with_a_document_that_has_no_grade(read, number):
    """From a mapping and from a pool; the others stay."""
    given = read_pool(QRELS, negative=AS_WRITTEN) if read else QRELS
    more = [f"more{i}" for i in range(number)]
    judged = Judged(given, AS_WRITTEN)
    judged.cut, judged.not_asked_for = 3, ["other"]
    pool = judged.with_unjudged(more).pool(AS_WRITTEN)
    expected = {query: _graded(of_one) for query, of_one in QRELS.items()}
    assert _of_pool(pool) == {**expected, **{query: {"a": None} for query in more}}
    extended = judged.with_unjudged(more)
    extended.read()
    assert (extended.cut, extended.not_asked_for) == (3, ["other"])
    assert extended.graded


@pytest.mark.parametrize("kind", [dict, SharedJudgments, read_pool])
def test_grades_are_cut_to_whole_numbers_towards_0(kind):
    """And those that had a fraction are counted."""
    exact = {"q": {"a": 1.9, "b": -1.9, "c": 2, "d": None, "e": 0.0}, "p": {"f"}}
    given = read_pool(exact, negative=AS_WRITTEN) if kind is read_pool else kind(exact)
    judged = Judged(given, AS_WRITTEN, whole=True)
    found = _of_pool(judged.pool(AS_WRITTEN))
    assert found == {"q": {"a": 1, "b": -1, "c": 2, "d": None, "e": 0}, "p": {"f": 1}}
    assert judged.cut == 2
    if kind is dict:
        more = {"q": {"a": Fraction(5, 2), "b": Decimal("0.5"), "c": np.float32(3.5), "d": True}}
        more["q"] |= {"e": np.int8(3), "f": np.float16(-0.5), "g": np.float64(2)}
        judged = Judged(more, AS_WRITTEN, whole=True)
        assert _of_pool(judged.pool(AS_WRITTEN)) == {
            "q": {"a": 2, "b": 0, "c": 3, "d": 1, "e": 3, "f": 0, "g": 2}
        }
        assert judged.cut == 4


@pytest.mark.parametrize("read", [False, True])
def test_queries_that_are_asked_for_are_kept_and_the_others_named(read):
    """In the order of the judgments; none of them is an error."""
    given = read_pool(QRELS, negative=AS_WRITTEN) if read else QRELS
    judged = Judged(given, AS_WRITTEN, asked_for=AskedFor(["q4", "nowhere", "q2"]))
    pool = judged.pool(AS_WRITTEN)
    assert _of_pool(pool) == {"q2": {"b": 1.5, "c": None}, "q4": {"z": 1}}
    assert list(judged.not_asked_for) == ["q1", "q3", "q5"]
    with pytest.raises(InputError, match="none of the queries asked for"):
        Judged(given, AS_WRITTEN, asked_for=AskedFor(["nowhere"])).pool(AS_WRITTEN)
    with pytest.raises(InputError, match="only in white space"):
        Judged(given, AS_WRITTEN, asked_for=AskedFor(["q1 ", "q2"])).pool(AS_WRITTEN)


@rows(
    ("grade", "says"),
    [
        (float("nan"), "not finite"),
        (float("-inf"), "not finite"),
        ("2", "not a number"),
        (1.01 * LARGEST_GRADE, "grade 1.01e"),
        (-1.01 * LARGEST_GRADE, "grade -1.01e"),
        (10**400, "too large"),
        ([1], "not a number"),
    ],
)
def test_a_grade_that_is_none_is_told_by_its_place(grade, says):
    """Wherever it stands, also beside one that is None; the largest ones are grades."""
    for beside in ({"a": 1}, {"a": 1, "z": None}, {}):
        for qrels in ({"q": {**beside, "b": grade}}, {"p": {"c": 1}, "q": {"b": grade, **beside}}):
            with pytest.raises(InputError, match=f"query 'q', document 'b'.*{says}"):
                read_pool(qrels, negative=AS_WRITTEN)
    largest = {"q": {"a": LARGEST_GRADE, "b": -LARGEST_GRADE}}
    assert _of_pool(read_pool(largest, negative=AS_WRITTEN)) == largest


@pytest.mark.parametrize("given", [[], [["q", "d", 1]], [["a"], ["b"]], ("a",)])
def test_what_are_no_judgments_is_refused_with_the_way_to_them(given):
    """Lines and lists of lists have one."""
    with pytest.raises(InputError, match="are not judgments") as error:
        read_pool(given)
    said = str(error.value)
    is_lines = given == [["q", "d", 1]]
    assert ("of lines of query, document and grade" in said) is is_lines
    assert ("dict(enumerate(qrels))" in said) is (given == [["a"], ["b"]])


@pytest.mark.parametrize("judged", ["d", b"d", 7, None])
def test_what_is_judged_of_a_query_is_a_collection(judged):
    """A text is none."""
    with pytest.raises(InputError, match=r"query 'q': .* are not judgments"):
        read_pool({"p": {"a": 1}, "q": judged})


@rows(("pool", "name"), [*product(["judged", "retrieved"], ["refuse", "zero", "padding"])])
def test_negative_grades_wait_where_the_retrieved_alone_are_seen(pool, name):
    """To be refused; and padding waits always."""
    options = {"negative": Negative.named(name), "pool": Pooled.named(pool)}
    waits = name == "padding" or (name == "refuse" and pool == "retrieved")
    assert settled_later(options) is waits
    assert settled_later({"pool": options["pool"]}) is False
    assert settled_later({"negative": options["negative"]}) is (name == "padding")


def test_a_document_is_relevant_if_it_is_relevant_to_any_subtopic():
    """The pool of judgments by subtopic has a grade of 1 for it, else 0."""
    held = {
        "q": {"b": {"t1": 2, "t2": 0}, "a": {"t1": 0}, "c": {"t1": 3, "t2": 1}},
        "p": {"a": {"t"}},
    }
    judged = read_subtopic_qrels(held, REFUSED)
    assert isinstance(judged, JudgedBySubtopic)
    assert read_subtopic_qrels(judged, REFUSED) is judged
    assert _of_pool(judged.pool(REFUSED)) == {"q": {"a": 0, "b": 1, "c": 1}, "p": {"a": 1}}
    more = judged.with_unjudged(["r"])
    assert _of_pool(more.pool(REFUSED)) == {**_of_pool(judged.pool(REFUSED)), "r": {"b": 0}}
    assert padding(judged, PADDING) == 0
    some = judged.of_asked(AskedFor(["p"]))
    assert list(some) == ["p"]
    assert some.not_asked_for == ["q"]
    assert judged.of_asked(None) is judged


@rows("grades", [*product((-1, 0, 1, 2, 0.5), repeat=2)])
def test_grades_of_subtopics_are_a_set_where_all_are_0_or_1(grades):
    """Those below 0 are worth nothing, or are refused with their place."""
    judged = {"a": {"t": grades[0], "u": 1}, "b": {"t": grades[1]}}
    below = [g for g in grades if g < 0]
    if set(grades) <= {-1, 0, 1}:
        expected = {d: {t for t, g in held.items() if g > 0} for d, held in judged.items()}
    else:
        expected = {d: {t: max(g, 0) for t, g in held.items()} for d, held in judged.items()}
    for negative in (AS_ZERO, AS_UNJUDGED, PADDING):
        assert _worth_of(judged, "q", negative) == expected
    for negative in (REFUSED, AS_WRITTEN):
        if below:
            with pytest.raises(InputError, match=r"query 'q', document .*subtopic 't': grade -1"):
                _worth_of(judged, "q", negative)
        else:
            assert _worth_of(judged, "q", negative) == expected
    assert _worth_of({"a": ["t", "u"], "b": {"v"}}, "q", REFUSED) == {"a": {"t", "u"}, "b": {"v"}}
    with pytest.raises(InputError, match=r"query 'q': .* are not subtopics"):
        _worth_of(["a"], "q", REFUSED)
