"""What a run and judgments come as, and what they look like, beside plain loops over the same."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, product
from math import dist
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.checks import LARGEST_GRADE
from irmetrics_edu.conventions import OWN_KEPT, OWN_REMOVED
from irmetrics_edu.engine.run import Run
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.nugget_decay import notes_on_probabilities
from irmetrics_edu.rows.aligned_ranking import _finite_numbers
from irmetrics_edu.rows.exact_roots import Surd, rational_root
from irmetrics_edu.rows.item_categories import align_categories
from irmetrics_edu.rows.item_distances import Distance, align_distances
from irmetrics_edu.rows.item_popularity import (
    align_chosen,
    align_exposure,
    align_hits,
    align_popularity,
)
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.nuggets import align_nuggets, pool_of
from irmetrics_edu.runs.joining.inputs import _text, is_run, run_of, without_own
from irmetrics_edu.runs.joining.queries import Look, _like_judgments, look_swapped
from irmetrics_edu.runs.joining.swapped_levels import documents_come_first, subtopics_come_first
from tests.tables import rows as each_row

OWN_RUN = {
    "q1": {"q1": 3.0, "d": 2.0, "e": 1.0},
    "q2": {"d": 2.0, "q1": 1.0},
    "q3": {"e": 3.0, "d": 2.5, "q3": 2.0},
    "q33": {"q3": 2.0, "q333": 1.0},
}


def _in_each_form(folder):
    """The same run as mappings, lists, a file, a frame, and pieces of each."""
    lists = {query: list(ranking) for query, ranking in OWN_RUN.items()}
    lines = [(q, d, s) for q, ranking in OWN_RUN.items() for d, s in ranking.items()]
    (folder / "run").write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in lines))
    frame = pd.DataFrame(lines, columns=["query_id", "doc_id", "score"])
    halves = [dict(list(lists.items())[:2]), dict(list(lists.items())[2:])]
    return [OWN_RUN, lists, folder / "run", frame, iter(halves)]


def test_documents_with_the_id_of_their_query_are_removed_or_kept_and_counted(tmp_path):
    """In a run of any form; the others keep their order."""
    judged = {query: {"d": 1, "q1": 2, "q3": 2, "e": 0} for query in OWN_RUN}
    removed = {q: [d for d in ranking if d != q] for q, ranking in OWN_RUN.items()}
    as_given = {q: list(ranking) for q, ranking in OWN_RUN.items()}
    for how, expected in (("removed", removed), ("kept", as_given)):
        for form in _in_each_form(tmp_path):
            found = evaluate(form, judged, "P@1 P@2", identical_ids=how)
            for k in (1, 2):
                precision = {
                    q: sum(judged[q].get(d, 0) > 0 for d in ranking[:k]) / k
                    for q, ranking in expected.items()
                }
                assert found.per_query[f"P@{k}"] == precision


def test_queries_with_a_document_of_their_id_are_told_beside_what_was_told_before():
    """Nothing is told of a run without one; what is no ranking is left for later."""
    for how, other in ((OWN_REMOVED, OWN_KEPT), (OWN_KEPT, OWN_REMOVED)):
        run = Run({"q": ["q", "d"], "p": ["d"], "r": {"r": 1.0}})
        run.told["before"] = 4
        told = without_own(run, how).told
        name = {OWN_REMOVED: "own_removed", OWN_KEPT: "own_kept"}
        assert told == {"before": 4, name[how]: 2}
        assert name[other] not in told
        odd = Run({"q": ["q", "d"], "p": 7, "r": None})
        kept = without_own(odd, how)
        assert kept["q"] == (["d"] if how is OWN_REMOVED else ["q", "d"])
        assert (kept["p"], kept["r"], kept.told[name[how]]) == (7, None, 1)
        plain = Run({"q": ["d"]})
        assert without_own(plain, how) is plain
        assert not plain.told


def test_own_documents_of_columns_are_counted_where_they_are_removed_or_kept(tmp_path):
    """Documents of files and frames, not queries; ids of another kind are no own ones."""
    for how, name in ((OWN_REMOVED, "own_removed"), (OWN_KEPT, "own_kept")):
        for form in _in_each_form(tmp_path)[2:4]:
            run = without_own(run_of(form), how)
            items = run.source.all()
            assert run.source.problems.told == {name: 2}
            own = 0 if how is OWN_REMOVED else 2
            assert len(items.line) == 8 + own
            assert own == sum(
                items.queries[q] == d
                for q, d in zip(items.query.tolist(), items.document.tolist(), strict=True)
            )
    numbers = pd.DataFrame({"query_id": [1, 1, 2], "doc_id": ["1", "2", "2"], "score": [3.0, 2, 1]})
    run = without_own(run_of(numbers), OWN_REMOVED)
    assert run.source.all().document.tolist() == ["1", "2", "2"]


@pytest.mark.parametrize(
    "values",
    [
        [3, 1, 2],
        np.array([3, 1, 2]),
        np.array([3, 1, 2], np.uint64),
        ["c", "a", "b"],
        np.array(["c", "a", "b"]),
    ],
)
def test_ids_become_a_column_and_what_is_none_is_told_by_its_user(values):
    """The first that is no id, or of another kind than the others."""
    users = np.array([4, 4, 9])
    assert _text(values, users, "item").tolist() == list(values)
    listed = list(values)
    for place in range(3):
        odd = [*listed]
        odd[place] = 1.5
        with pytest.raises(InputError, match=f"query {users[place]}: "):
            _text(odd, users, "item")
        odd[place] = 7 if isinstance(listed[0], str) else "x"
        first = place if isinstance(listed[0], str) else int(place == 0)
        with pytest.raises(InputError, match=f"query {users[first]}: "):
            _text(odd, users, "item")


def test_a_whole_number_that_is_too_large_is_told_by_its_user():
    """Of an array whose kind holds it, too."""
    for values in ([1, 2**63], np.array([1, 2**63], np.uint64), np.array([1, 2**70], object)):
        with pytest.raises(InputError, match="query 5: item"):
            _text(values, np.array([4, 5]), "item")


def test_a_run_is_told_from_a_ranking():
    """Mappings of rankings, arrays of two axes, whatever is read; no list, no set, no scores."""
    runs = [
        {},
        {"q": ["d"]},
        {"q": {"d": 1}},
        {"q": {"d"}},
        {"q": np.zeros(1)},
        "file",
        b"file",
        np.zeros((1, 1)),
        iter([]),
    ]
    for run in runs:
        assert is_run(run)
    for ranking in (
        {"d": 0.5},
        {"d": "x"},
        {"d": b"x"},
        {"d": None},
        ["d"],
        ("d",),
        {"d"},
        frozenset(),
        np.zeros(1),
    ):
        assert not is_run(ranking)
    assert is_run({"a": "x", "q": ["d"]})


LISTS = [["a", "b", "c"], ["b"]]
GRADED = {"a": 1, "b": 0}
SCORED = {"a": 12.37, "b": 3.5}
HALVES = {"a": 1.5, "b": 2}


@each_row(
    ("of_run", "judged", "look"),
    [
        (GRADED, SCORED, Look.SWAPPED),
        (GRADED, HALVES, Look.SWAPPED),  # a 0 is no score
        ({"a": 3, "b": 1}, HALVES, Look.UNSURE),
        ({"a": 3, "b": 1}, SCORED, Look.SWAPPED),
        ({"a": 3, "b": 1}, ["b", "a"], Look.SWAPPED),
        ({"a": 3, "b": 1}, ("b", "a"), Look.SWAPPED),
        ({"a": 3.0, "b": 1.0}, ["b", "a", "c"], Look.SWAPPED),
        ({"a": 3.0, "b": 1.0}, ["b", "a"], Look.RIGHT),  # relevant documents
        ({"a": 3, "b": 1}, {"b"}, Look.RIGHT),
        ({"a": 3, "b": 1}, GRADED, Look.RIGHT),
        (SCORED, GRADED, Look.RIGHT),
        (SCORED, SCORED, Look.RIGHT),
        (HALVES, ["b", "a", "c"], Look.RIGHT),
        (["a", "b"], SCORED, Look.RIGHT),
        ({"a": -1, "b": 1}, SCORED, Look.RIGHT),
        ({"a": "1"}, SCORED, Look.RIGHT),
        ({}, SCORED, Look.RIGHT),
        ({"a": 3, "b": 1}, {"a": 10.5}, Look.SWAPPED),
        ({"a": 3, "b": 1}, {"a": 9.5, "b": None}, Look.UNSURE),
        ({"a": 3, "b": 1}, {"a": 1 / 3, "b": 0.05}, Look.UNSURE),
    ],
)
def test_a_run_and_judgments_look_swapped_where_each_has_the_numbers_of_the_other(
    of_run, judged, look
):
    """One query, and several of which one has such numbers."""
    assert look_swapped({"q": of_run}, {"q": judged}) is look
    assert look_swapped({"q": of_run, "p": of_run}, {"q": judged, "p": judged}) is look
    assert look_swapped({}, {"q": judged}) is Look.RIGHT
    if look is not Look.RIGHT:
        assert look_swapped({"q": of_run, "p": SCORED}, {"q": judged, "p": judged}) is Look.RIGHT
        assert look_swapped({"q": of_run, "p": ["a"]}, {"q": judged, "p": judged}) is Look.RIGHT


def test_one_query_that_looks_swapped_is_enough():
    """A list, a 0 or a grade off every scale, before or after queries without one."""
    whole = {"a": 3, "b": 1}
    for run, qrels in (
        ([whole, whole], [["b", "a"], HALVES]),
        ([GRADED, whole], [HALVES, HALVES]),
        ([whole, whole], [HALVES, SCORED]),
    ):
        for step in (1, -1):
            one, other = (dict(zip("qp", given[::step], strict=True)) for given in (run, qrels))
            assert look_swapped(one, other) is Look.SWAPPED


@each_row("kinds", range(1, 9))
def test_scores_look_like_grades_up_to_so_many_kinds(kinds):
    """Six whole floats, from 0 to 5; whole numbers by type are grades however many there are."""
    scores = {f"d{i}": float(i) for i in range(kinds)}
    assert _like_judgments({"q": scores}) is (kinds <= 6)
    assert _like_judgments({"q": scores, "p": scores}) is (kinds <= 6)
    assert _like_judgments({"q": {d: int(s) for d, s in scores.items()}})
    halves = {d: s + 0.5 for d, s in scores.items()}
    assert not _like_judgments({"q": halves})
    assert not _like_judgments({"q": {**scores, "x": -1.0}})
    assert not _like_judgments({"q": {**scores, "x": "1"}})


def test_only_the_first_queries_and_scores_are_looked_at():
    """Five queries, fifty scores of each: what stands behind them is not seen."""
    whole = {f"d{i}": 1 for i in range(50)}
    assert _like_judgments({"q": {**whole, "last": 0.5}})
    assert not _like_judgments({"q": {"first": 0.5, **whole}})
    assert not _like_judgments({"q": {**dict(list(whole.items())[:49]), "last": 0.5}})
    run = {f"q{i}": {"d": 1} for i in range(5)}
    assert _like_judgments({**run, "last": {"d": 0.5}})
    assert not _like_judgments({**dict(list(run.items())[:4]), "last": {"d": 0.5}})


@each_row(("documents", "queries"), [*product((1, 19, 20, 21), repeat=2)])
def test_levels_the_other_way_round_are_found_among_the_first_ids(documents, queries):
    """Twenty of each level."""
    run = {f"q{q}": {f"d{d}": 1.0 for d in range(documents)} for q in range(queries)}
    turned = {f"d{d}": {f"q{q}": 1 for q in range(queries)} for d in range(documents)}
    assert documents_come_first(run, turned)
    assert documents_come_first(turned, run)
    assert not documents_come_first(run, run)
    shifted = {f"d{d}": {f"q{q}": 1 for q in range(20, 25)} for d in range(documents)}
    assert documents_come_first({f"q{q}": run["q0"] for q in range(21)}, shifted) is False
    for kind in (set, list, tuple, frozenset):
        as_kind = {d: kind(held) for d, held in turned.items()}
        assert documents_come_first(run, as_kind)


def test_subtopics_come_first_where_inner_ids_were_retrieved_and_no_outer_one():
    """Of any query that was retrieved; one outer id is enough to say no."""
    topics_first = {"q": {"1": {"a": 1}}, "p": {"2": ["b"]}}
    right = {"q": {"a": {"1": 1}}, "p": {"b": ["2"]}}
    for retrieved in (
        {"q": ["a"]},
        {"p": ["b"]},
        {"q": ["x"], "p": ["b"]},
        {"other": ["a"], "q": ["a"]},
    ):
        assert subtopics_come_first(topics_first, retrieved)
        assert not subtopics_come_first(right, retrieved)
    assert not subtopics_come_first(topics_first, {"q": ["x"]})
    assert not subtopics_come_first(topics_first, {"q": ["a", "1"]})
    assert not subtopics_come_first(topics_first, {"q": ["a"], "p": ["2"]})
    assert not subtopics_come_first({}, {"q": ["a"]})


GRADES = [0, 1, 2.5, -3, True, np.float32(1.5), np.int8(4), 1e50, LARGEST_GRADE, -LARGEST_GRADE]
NO_GRADES = [None, "1", np.nan, np.inf, -np.inf, 1.001 * LARGEST_GRADE, 1j, [1], 10**400]


@pytest.mark.parametrize("n", [1, 2])
def test_finite_numbers_are_an_array_and_anything_else_is_none(n):
    """Any number of a size that can be summed, wherever it stands; one that is none is enough."""
    for grades in product(GRADES, repeat=n):
        assert _finite_numbers(list(grades)).tolist() == [float(grade) for grade in grades]
    for odd, grade in product(NO_GRADES, GRADES):
        for grades in ([odd] * n, [odd] + [grade] * (n - 1), [grade] * (n - 1) + [odd]):
            assert _finite_numbers(grades) is None
    assert _finite_numbers([[1], [2]]) is None
    assert len(_finite_numbers([])) == 0


ROOTS = [
    Fraction(n, d) for n, d in product((-18, -8, -4, -3, -2, -1, 0, 1, 2, 3, 4, 9, 50), (1, 2, 7))
]


def _decimal(a, b):
    """A + sqrt(b) with a hundred digits."""

    def of(x):
        return Decimal(x.numerator) / Decimal(x.denominator)

    root = of(abs(b)).sqrt()
    return of(a) + (root if b >= 0 else -root)


def test_surds_are_compared_and_rounded_as_a_hundred_digits_are():
    """Of both signs, with and without a rational root, near-equal ones, and differences near 0."""
    values = [
        (a, b) for a in (Fraction(0), Fraction(-3, 2), Fraction(1, 3), Fraction(4)) for b in ROOTS
    ]
    near = Fraction(10**40 + 1, 10**40)
    values += [(Fraction(0), near * 2), (-Fraction(14142135623730951, 10**16), Fraction(2))]
    values += [(Fraction(10**20), -Fraction(10**40 - 1)), (-Fraction(10**20), Fraction(10**40 + 1))]
    with localcontext() as context:
        context.prec = 100
        made = [(Surd.make(a, b), _decimal(a, b)) for a, b in values]
        for one, size in made:
            assert float(one) == float(size)
            assert float(one.value) == float(size)
            assert isinstance(one.value, Fraction) is (not one.b)
            for bits in (0, 1, 5, 64):
                low, high = one.between(bits)
                assert high - low <= Fraction(1, 1 << bits)
                assert low <= Fraction(size) + Fraction(1, 10**60)
                assert Fraction(size) <= high + Fraction(1, 10**60)
        for (one, size), (other, its_size) in combinations(made, 2):
            if abs(size - its_size) > Decimal(10) ** -80:
                assert (one < other) is (size < its_size)
                assert (other > one) is (size < its_size)
                assert one != other
            else:
                assert one == other
                assert not one < other
                assert str(one) == str(other)


def test_a_surd_is_written_as_a_fraction_or_with_six_digits():
    """The root of a fraction is a fraction where there is one."""
    assert [str(Surd.make(1, b)) for b in (Fraction(9, 4), 0, 2, -2)] == [
        "5/2",
        "1",
        "2.41421",
        "-0.414214",
    ]
    for n, d in product(range(-3, 30), range(1, 12)):
        root = rational_root(Fraction(n, d))
        exact = [
            Fraction(p, q)
            for p, q in product(range(6), range(1, 12))
            if Fraction(p, q) ** 2 == Fraction(n, d)
        ]
        assert root == (exact[0] if exact else None)


NUGGETS = {
    "plain": {"b": {"B", "A"}, "a": {"A"}, "c": set()},
    "another": {"b": {"C", "A"}, "x": frozenset({"B"})},
    "graded": {"b": {"B": 2, "A": 0}, "a": {"A": 1}},
    "lists": {"b": ["B", "A"], "a": ["A"]},
    "numbers": {2: {"A"}, 10: {"B"}, 1: set()},
}


@each_row("queries", [list(c) for n in (1, 2, 3) for c in combinations(NUGGETS, n)])
def test_the_judged_documents_of_queries_are_those_of_each_query(queries):
    """Sets of many queries at once, anything else query by query: in the order of ids."""
    rows = pool_of({query: NUGGETS[query] for query in queries})
    expected = []
    for q, query in enumerate(queries):
        for rank, document in enumerate(sorted(NUGGETS[query], key=str), 1):
            held = NUGGETS[query][document]
            grades = held if isinstance(held, dict) else dict.fromkeys(held, 1)
            expected.append((q, rank, document, sorted(grades.items())))
    names = list(rows.nugget_name)
    held = [[] for _ in expected]
    for row, nugget, grade in zip(
        rows.row.tolist(), rows.nugget.tolist(), rows.grade.tolist(), strict=True
    ):
        held[row].append((names[nugget], grade))
    found = zip(rows.query.tolist(), rows.rank.tolist(), rows.document.tolist(), held, strict=True)
    assert list(found) == expected
    assert rows.judged.all()
    assert rows.retrieved.tolist() == [len(NUGGETS[query]) for query in queries]
    of_query = {
        q: {n for _q, _r, _d, h in expected if _q == q for n, _g in h} for q in range(len(queries))
    }
    for q, known in of_query.items():
        assert {
            n for n, nq in zip(names, rows.nugget_query.tolist(), strict=True) if nq == q
        } == known


HELD = [
    *({"a"}, ["a"], "a", None, 7, {}, {"a": "A"}, {"a": None}, {"a": 3}, {"a": {"A": -1}}),
    *({"a": {None}}, {"a": {float("nan")}}, {"a": ["A", "A"]}, {"a": {"A": "1"}}),
]


@each_row("held", HELD)
def test_what_are_no_nuggets_is_refused_alone_and_among_others(held):
    """Of one query and of one of several; its query is named."""
    for judged in ({"q": held}, {"p": {"b": {"A"}}, "q": held, "r": {"c": {"A"}}}):
        with pytest.raises(InputError, match="query 'q'"):
            pool_of(judged)
    with pytest.raises(InputError, match="no query"):
        pool_of({})


@each_row(
    ("ranking", "nuggets", "says"),
    [
        (["a"], ["a"], "not a mapping"),
        (["a"], {}, "nothing is judged"),
        ([], {}, "nothing is judged"),
        ([], None, "nothing is judged"),
        ({"a"}, {"a": {"A"}}, "a set, which has no order"),
        (["a", "a"], {"a": {"A"}}, "ranked twice"),
        (["a "], {"a": {"A"}}, "only in white space"),
        ({"a ": 1.0}, {"a": {"A"}}, "only in white space"),
        ({"a": "x"}, {"a": {"A"}}, "not a number"),
        ([{"A": -1}], None, "document 1: nugget 'A'"),
        ([set(), {"A": -1}], None, "document 2: nugget 'A'"),
        (["A", {"A"}], None, "rank 1: "),
        ([{"A"}, "A"], None, "rank 2: "),
    ],
)
def test_a_ranking_and_nuggets_that_do_not_go_together_are_refused(ranking, nuggets, says):
    """With the place."""
    with pytest.raises(InputError, match=says):
        align_nuggets(ranking, nuggets)


def test_documents_with_scores_are_ranked_by_them_and_listed_ones_as_listed():
    """Whatever is judged, in whatever order."""
    held = {"c": {"B"}, "a": {"A"}}
    for ranking in (["c", "x", "a"], {"a": 1.0, "x": 2.0, "c": 3.0}):
        rows = align_nuggets(ranking, held)
        assert rows.document.tolist() == ["c", "x", "a"]
        assert rows.judged.tolist() == [True, False, True]
        assert rows.pool.document.tolist() == ["a", "c"]


@each_row(
    "ranking", ["ab", b"ab", {"a": 1.0}, 7, ["a", {"A"}], [{"A"}, "b"], [{"A"}, b"b"], [{"A"}, 3]]
)
def test_a_ranking_without_nuggets_is_a_list_of_sets(ranking):
    """Documents need nuggets beside them."""
    with pytest.raises(InputError, match="a ranking of documents needs nuggets"):
        align_nuggets(ranking)
    rows = align_nuggets([{"A"}, set(), ["A", "B"], {"B": 2}])
    assert rows.retrieved.tolist() == [4]
    assert rows.document is None
    assert list(rows.table().labels["nuggets"]) == ["A", "", "A, B", "B:2"]


POSSIBLE = [0, 0.5, 1, 1.5, 2, 3]


@each_row("first", [*combinations(POSSIBLE, 2)])
def test_nuggets_that_a_document_may_hold_are_told_from_no_probabilities(first):
    """Grades of two queries: whole ones, or probabilities, but not both in one query."""
    for second in ((0.5, 1), (2, 0), (1.5, 1)):
        grades = {"p": first, "q": second}
        parts = []
        for query, (one, other) in grades.items():
            held = {"a": {"A": one}, "b": {"A": other, "B": 1}}
            parts.append(align_nuggets(["b", "a"], held, query=query))
        rows = NuggetRows.joined(parts)
        kept = sorted(g for pair in grades.values() for g in (*pair, 1))
        for rel in (0.5, 2):
            found = rows.possible(rel)
            assert sorted(found.grade.tolist()) == [g for g in kept if g >= rel]
            assert found.certainty(rel).tolist() == [1] * len(found.grade)
        broken = [
            (query, g)
            for query, pair in grades.items()
            for g in pair
            if g > 1 and (g % 1 or 0.5 in pair)
        ]
        if broken:
            with pytest.raises(InputError, match=rf"query '{broken[0][0]}'.*is no probability"):
                rows.possible()
        else:
            found = rows.possible()
            assert sorted(found.grade.tolist()) == [g for g in kept if g > 0]
            assert found.certainty().tolist() == [min(g, 1) for g in found.grade.tolist()]
        unsure = [query for query, pair in grades.items() if {0.5} & {*pair}]
        if unsure:
            with pytest.raises(InputError, match=rf"query '{unsure[0]}'.*0\.5 is a probability"):
                rows.holding()
        else:
            assert sorted(rows.holding().grade.tolist()) == [g for g in kept if g >= 1]


CATALOGUE = {"a": {"x"}, "c": {"y"}}
VECTORS = {"a": [1, 0], "c": [0, 1]}
COUNTS = {"a": 3, "c": 1}


@each_row(
    "lacking",
    [
        lambda items: align_distances(items, VECTORS, query="q"),
        lambda items: align_distances(items, VECTORS, distance=Distance.named(dist), query="q"),
        lambda items: align_categories(items, CATALOGUE, query="q"),
        lambda items: align_popularity(items, COUNTS, query="q"),
        lambda items: align_exposure(items, COUNTS, query="q"),
        lambda items: align_hits(items, {"a"}, COUNTS, query="q"),
    ],
)
def test_an_item_of_which_nothing_is_known_is_told_by_its_rank(lacking):
    """In a recommended list, wherever it stands."""
    assert lacking(["c", "a"]).item == ["c", "a"]
    for rank in (1, 2, 3):
        items = ["a", "c"]
        items.insert(rank - 1, "b")
        with pytest.raises(InputError, match=rf"^query 'q'.*rank {rank}\b.*'?b'?"):
            lacking(items)


def test_a_chosen_item_of_which_nothing_is_known_has_no_rank():
    """It was not ranked."""
    with pytest.raises(InputError, match="'b' is not in popularity") as error:
        align_chosen(["a"], ["c", "b"], COUNTS, query="q")
    assert "rank" not in str(error.value)


@pytest.mark.parametrize("kind", [list, tuple, np.array, iter])
def test_items_held_out_of_each_user_come_in_any_collection(kind):
    """Sets, lists, arrays and grades; of grades a 0 is no hit."""
    run = np.array([[1, 2, 3], [4, 5, 6]])
    one, other = [2, 3, 9], [4, 8, 7]
    hits = [2 / 3, 1 / 3]
    for form in (list, tuple, np.array):
        held = kind([form(one), form(other)])
        assert list(evaluate(run, held, "P@3").per_query["P@3"].values()) == hits
    if kind is not np.array:
        held = kind([set(one), frozenset(other)])
        assert list(evaluate(run, held, "P@3").per_query["P@3"].values()) == hits
        held = kind([{2: 1, 3: 0, 9: 1}, MappingProxyType({4: 2})])
        assert list(evaluate(run, held, "P@3").per_query["P@3"].values()) == [1 / 3, 1 / 3]
        with pytest.raises(InputError, match="2 rows of recommended items and 3 collections"):
            evaluate(run, kind([[1], [2], [3]]), "P@3")
        with pytest.raises(InputError, match="not a collection of item ids"):
            evaluate(run, kind([[1], 2]), "P@3")


def test_a_note_on_probabilities_is_of_the_queries_that_have_some():
    """One of three has them, or two have."""
    for grades in ((0.5, 1, 2), (1, 0.5, 0.25), (0.5, 0.5, 0.5)):
        parts = [align_nuggets(["a"], {"a": {"A": grade}}) for grade in grades]
        notes = notes_on_probabilities(NuggetRows.joined(parts), 0.5, 1)
        assert [bool(notes(q)) for q in range(3)] == [grade < 1 for grade in grades]
