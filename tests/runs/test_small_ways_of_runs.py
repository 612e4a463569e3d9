"""Ways of counting, weighing and testing runs, each on the smallest input that leads to it."""

import math
from itertools import product

import numpy as np
import pytest

from irmetrics_edu import compare, evaluate
from irmetrics_edu.rows.aligned_ranking import align
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.runs import significance
from irmetrics_edu.runs.compared_queries import query_table
from irmetrics_edu.runs.counts import Counts, _Documents
from irmetrics_edu.runs.significance import (
    Swapping,
    mean_and_sd,
    mean_of,
    paired_difference,
    settled,
    swapped,
    tukey,
)
from irmetrics_edu.runs.weighted import spread_of, weighted_interval
from tests.runs.test_tests_by_plain_loops import dealt
from tests.tables import rows


@rows("values", [*product([0.0, 1.0, 2.5], repeat=3)])
@rows("place", range(4))
def test_a_query_that_weighs_nothing_is_as_none(values, place):
    """Whatever its value is, and wherever it stands."""
    weight = np.array([1.0, 2.0, 3.0])
    without = np.array(values)
    beside = np.insert(without, place, 99.0), np.insert(weight, place, 0.0)
    assert spread_of(*beside) == spread_of(without, weight)
    found = weighted_interval(*beside, 0.6)
    assert found == pytest.approx(weighted_interval(without, weight, 0.6), nan_ok=True, abs=0)


def test_one_difference_has_no_spread():
    """It has a mean."""
    mean, sd = mean_and_sd(np.array([0.5]))
    assert mean == 0.5
    assert math.isnan(sd)


@rows("seed", range(3))
@rows("tolerance", [0.004, 0.016])
@rows("greatest", [5, 30])
def test_tukeys_test_takes_ranges_as_equal_that_are_so_by_rounding(seed, tolerance, greatest):
    """Of each query twice as much as the tolerance of its greatest score, or of 1 if that is more.

    Where no score is as great as 1, the greatest of all stands for 1.
    """
    tenths = np.random.default_rng(seed).integers(0, greatest, (4, 3))
    tenths[0] = [1, 0, 0]
    size = tenths.max(axis=1) / 10
    margin = 2 * tolerance * sum(max(one, min(1, max(size))) for one in size)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(significance, "TOLERANCE", tolerance)
        p, _ = tukey(tenths / 10, seed=seed, resamples=99)
    expected = dealt(tenths.tolist(), seed, 99, 10**6, 10 * margin)
    assert p.tolist() == expected


def _counts(run, qrels, measures):
    return evaluate(run, qrels, measures).counts


def test_documents_are_counted_from_the_first_cut_off_to_the_last():
    """The whole ranking is the deepest, in whatever order the measures come."""
    run = {"q": [f"d{i}" for i in range(30)]}
    found = _counts(run, {"q": {"d0": 1}}, "P@100 AP P@7 P@10 P@30")
    unjudged = [(7, 6), (10, 9), (30, 29), (100, 29), (None, 29)]
    assert list(found.unjudged_documents.items()) == unjudged
    within = [(7, 7), (10, 10), (30, 30), (100, 30), (None, 30)]
    assert list(found.documents_within.items()) == within


def test_judgments_without_subtopics_are_not_turned_round():
    """Where nothing is judged that was retrieved, the note is that of ids."""
    found = _counts({"q": ["a"]}, {"q": {"b": 1}}, "AP")
    assert found.none_judged
    assert found.subtopics_first is False


@rows("counted", [*product([0, 2], repeat=2)])
def test_other_documents_than_the_relevant_are_told_at_any_depth(counted):
    """One cut-off is enough."""
    within = dict(zip([1, None], counted, strict=True))
    found = Counts(1, relevant_alone=True, unjudged_documents=within)
    assert len(found.noted(unjudged=False)) == any(counted)


def test_weights_of_a_comparison_are_told_beside_it():
    """By how many queries of equal weight they are worth."""
    qrels = {q: {"a": 1} for q in "xyz"}
    runs = {"old": {q: ["b", "a"] for q in "xyz"}, "new": {q: ["a", "b"] for q in "xyz"}}
    plain = compare(runs, qrels, "RR").notes()
    weighed = compare(runs, qrels, "RR", weights={"x": 1, "y": 1, "z": 2}).notes()
    (more,) = [note for note in weighed if note not in plain]
    assert "2.7" in more  # 4^2 / (1 + 1 + 4)


@rows("sizes", [*product(range(4), repeat=2)])
def test_documents_are_counted_part_by_part_as_all_at_once(sizes):
    """Least and greatest grades, and what is relevant, judged and empty."""
    grades = ([3, 0, 2], [1, None, 5])
    made = [
        align(list("abc")[:n], dict(zip("abc", of, strict=True)), query=str(n))
        for n, of in zip(sizes, grades, strict=True)
    ]
    for parts in (made, [Rows.joined(made)]):
        found = _Documents([1, None])
        for part in parts:
            found.add(part)
        assert (found.lowest_relevant, found.highest_grade) == (1, 5)
        assert (found.retrieved, found.longest) == (sum(sizes), max(sizes))
        assert found.within == {1: sum(n > 0 for n in sizes), None: sum(sizes)}
        assert found.unjudged == {1: 0, None: int(sizes[1] > 1)}
        assert (found.relevant, found.unrated) == (4, 0)
        seen = [of[:n] for n, of in zip(sizes, grades, strict=True)]
        assert found.relevant_retrieved == sum((g or 0) > 0 for of in seen for g in of)
        assert np.concatenate(found.empty).tolist() == [n == 0 for n in sizes]
        assert not np.concatenate(found.without_relevant).any()


@rows(("more", "p"), [(0, 1.0), (1, 0.5)])
@rows("margin", [0.0, 2.0**-50])
def test_a_sum_is_as_far_if_it_falls_short_by_what_may_be_rounded(more, p, margin):
    """By a unit of whole numbers for each query, and by the margin; by one unit more it is not."""
    unit = 2.0**-60  # of two numbers below 1
    short = (2 + margin / unit) / 2 + more
    d = np.array([0.5, short * unit])
    assert swapped(d, margin=margin).p == p
    drawn = swapped(d, margin=margin, resamples=3)
    assert drawn.swapping.swapping is Swapping.DRAWN
    assert (drawn.p == 1.0) is (p == 1.0)


@rows(("more", "all_count"), [(0, True), (1, False)])
def test_a_range_is_as_far_if_it_falls_short_by_what_may_be_rounded(more, all_count):
    """By 2 for each query, and by twice the tolerance of the scores."""
    unit = 2.0**-59  # of four numbers below 1
    margin = 2 * 2.0**-50 * (0.75 + 0.75) / unit
    short = (4 + margin) / 2 + more
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(significance, "TOLERANCE", 2.0**-50)
        p, _ = tukey(np.array([[0.75, 0.25], [short * unit, 0]]), resamples=99)
    assert bool(p[0, 1] == 1.0) is all_count


def test_sizes_are_chained_by_what_each_may_be_off():
    """1 is a size like others, and 0 begins no chain, however much its neighbour may be off."""
    assert settled(np.array([1.0, 1.25, 1.5, 3.0]), 0.5).tolist() == [1, 1, 1, 3]
    assert settled(np.array([0.75, 0.5, 0.25]), np.array([0.0, 0.0, 1.0])).tolist() == [
        0.75,
        0.5,
        0,
    ]


def test_facts_of_a_group_are_those_of_a_comparison_of_its_queries():
    """Its means and its tests, but for the correction over all groups."""
    rng = np.random.default_rng(3)
    runs = {
        run: {f"q{i}": rng.permutation(["a", "b", "c"]).tolist() for i in range(8)} for run in "xyz"
    }
    qrels = {f"q{i}": {"a": 1, "b": 2} for i in range(8)}
    group_of = {f"q{i}": "odd" if i % 2 else "even" for i in range(8)}
    found = compare(runs, qrels, "nDCG RR", groups=group_of).facts()
    assert [one["group"] for one in found["groups"]] == ["even", "odd"]
    for one in found["groups"]:
        members = [query for query, group in group_of.items() if group == one["group"]]
        alone = compare(
            {run: {q: of[q] for q in members} for run, of in runs.items()},
            {q: qrels[q] for q in members},
            "nDCG RR",
        ).facts()
        assert one["queries"] == members
        assert one["mean"] == alone["mean"]
        kept = [{k: v for k, v in of.items() if k != "adjusted"} for of in one["comparisons"]]
        for of in alone["comparisons"]:
            del of["adjusted"], of["differences"]
        assert repr(kept) == repr(alone["comparisons"])


@rows(("rounding", "mean"), [(0.25, 0.5), (0.5, 0.0), (0.75, 0.0)])
def test_a_mean_is_0_if_no_more_than_rounding_makes_it_another(rounding, mean):
    """On the bound it is."""
    assert mean_of(np.array([0.5]), rounding) == mean


@rows("value", [0.25, 1.0])
@rows("differing", range(9))
def test_weighted_differences_of_0_tell_nothing(value, differing):
    """It takes six others of equal weight for an interval of 95%."""
    d = np.r_[np.full(differing, value), np.zeros(8 - differing)]
    found = paired_difference(d, weight=np.ones(8), resamples=9)
    assert math.isnan(found.low) is (differing < 6 or differing == 8)


@rows(("every", "says", "queries"), [(False, "that changed, ", ["r"]), (True, ", ", ["r", "q"])])
def test_a_table_says_whether_it_has_every_query_or_those_that_changed(every, says, queries):
    """The greatest loss comes first in either."""
    old = {"q": ["a", "b"], "r": ["a", "b"]}
    found = compare({"old": old, "new": {**old, "r": ["b", "a"]}}, {"q": {"a"}, "r": {"a"}}, "RR")
    table = query_table(found, {}, every=every)
    assert table.caption == f"queries {says}the greatest loss first".replace("s , ", "s, ")
    assert [line[2] for line in table.lines] == queries
