"""Ways of counting, weighing and testing runs, each on the smallest input that leads to it."""

import math
from itertools import product

import numpy as np
import pytest

from irmetrics_edu import compare, evaluate
from irmetrics_edu.rows.aligned_ranking import align
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.runs import significance
from irmetrics_edu.runs.counts import Counts, _Documents
from irmetrics_edu.runs.significance import mean_and_sd, tukey
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
    found = _counts(run, {"q": {"d0": 1}}, "P@20 AP P@9 P@3")
    assert list(found.unjudged_documents.items()) == [(3, 2), (9, 8), (20, 19), (None, 29)]
    assert list(found.documents_within.items()) == [(3, 3), (9, 9), (20, 20), (None, 30)]


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
