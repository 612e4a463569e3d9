"""Mistakes that would give a number all the same: each is refused, with what to write instead."""

import numpy as np
import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import (
    RankingAssertionError,
    assert_alpha_ndcg,
    assert_dcg,
    assert_improves,
    assert_metric,
    assert_mrr,
    assert_ndcg,
    assert_no_regression,
    assert_recall,
)
from irmetrics_edu.gate.against_baseline import Gate
from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.runs import read_scores

QRELS = {"q1": {"a": 3, "b": 2, "c": 0}, "q2": {"d": 1}}
RUN = {"q1": ["x", "b", "a"], "q2": ["y", "z"]}
SCORED = {"q1": {"x": 9.25, "a": 0.5}, "q2": {"y": 1.0}}

MISTAKES = {
    "percent": (
        lambda: assert_ndcg(RUN, QRELS, k=2, at_least=45),
        "at_least=45: nDCG@2 lies between 0 and 1",
    ),
    "percent that would hold": (
        lambda: assert_ndcg(RUN, QRELS, at_most=45),
        "at_most=45: nDCG lies between 0 and 1",
    ),
    "percent of each query": (
        lambda: assert_ndcg(RUN, QRELS, every_query_at_least=10),
        "every_query_at_least=10: nDCG lies between 0 and 1",
    ),
    "below the range": (lambda: assert_ndcg(RUN, QRELS, at_least=-0.1), "between 0 and 1"),
    "no score is both": (
        lambda: assert_ndcg(RUN, QRELS, at_least=0.5, at_most=0.1),
        "no score is both",
    ),
    "a tolerance of nothing": (
        lambda: assert_ndcg(RUN, QRELS, at_least=0.1, abs=0.05),
        "the tolerance of equals=",
    ),
    "an array as bound": (
        lambda: assert_ndcg(RUN, QRELS, at_least=np.array([0.4])),
        "a bound is a finite number",
    ),
    "another library's word": (
        lambda: assert_ndcg(RUN, QRELS, k=2, threshold=0.45),
        "nDCG takes no 'threshold'; write at_least=",
    ),
    "a typing error": (
        lambda: assert_ndcg(RUN, QRELS, k=2, atleast=0.45),
        "nDCG takes no 'atleast'; write at_least=",
    ),
    "cutoff for k": (
        lambda: assert_ndcg(RUN, QRELS, cutoff=2, at_least=0.45),
        "nDCG takes no 'cutoff'; write k=",
    ),
    "k by position": (lambda: assert_ndcg(RUN, QRELS, 10, at_least=0.4), "write k=10 by name"),
    "what is no choice": (
        lambda: assert_ndcg(RUN, QRELS, quirks=(), at_least=0.4),
        "nDCG takes no 'quirks'",
    ),
    "None for the run": (lambda: assert_ndcg(None, QRELS, at_least=0.4), "ranking is None"),
    "swapped, lists": (lambda: assert_ndcg(QRELS, RUN, at_least=0.4), "look swapped"),
    "swapped, scores": (lambda: assert_ndcg(QRELS, SCORED, at_least=0.4), "look swapped"),
    "swapped in a gate": (
        lambda: assert_no_regression(SCORED, QRELS, SCORED, margin=0.1),
        "look swapped",
    ),
    "ids of another type": (
        lambda: assert_ndcg({1: ["a"]}, {"1": {"a": 1}}, at_least=0.4),
        "query 1: differs from the judged query '1' only in type",
    ),
    "pairs": (
        lambda: assert_ndcg({"q1": [("a", 0.9), ("b", 0.5)]}, QRELS, at_least=0.4),
        "query 'q1', document ('a', 0.9), rank 1: pairs are no ids",
    ),
    "sets": (
        lambda: assert_ndcg({"q1": {"a", "b"}}, QRELS, at_least=0.4),
        "the ranking is a set, which has no order",
    ),
    "a list of rankings": (
        lambda: assert_ndcg([["a"], ["d"]], [{"a": 1}, {"d": 1}], at_least=0.4),
        "several rankings are a run",
    ),
    "a generator": (
        lambda: assert_ndcg((d for d in "ab"), {"a": 1}, at_least=0.4),
        "(generator) is read as a run; give one ranking as a list",
    ),
    "one ranking's judgments": (
        lambda: assert_ndcg(RUN, {"a": 3}, at_least=0.4),
        "are of one ranking",
    ),
    "a run's judgments": (
        lambda: assert_ndcg(["x", "a"], QRELS, at_least=0.4),
        "give those of its query, qrels['q1']",
    ),
    "percent tolerated": (
        lambda: assert_no_regression(RUN, RUN, QRELS, margin=1),
        "margin=1: nDCG@10 lies between 0 and 1, so no change is more than that",
    ),
    "percent asked for": (
        lambda: assert_improves(RUN, RUN, QRELS, by=5),
        "by=5: nDCG@10 lies between 0 and 1, so no change is more than that",
    ),
    "one ranking in a gate": (
        lambda: assert_no_regression(["a"], ["a"], {"a": 1}, margin=0.1),
        "the run is one ranking (list)",
    ),
    "no baseline": (
        lambda: assert_no_regression(RUN, None, QRELS, margin=0.1),
        "the baseline is None",
    ),
    "an empty baseline": (
        lambda: assert_no_regression(RUN, {}, QRELS, margin=0.1),
        "holds no document",
    ),
}


@pytest.mark.parametrize(("call", "says"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_refused_with_what_to_write(call, says):
    """None of these is a low score, and none passes."""
    with pytest.raises(InputError) as caught:
        call()
    assert says in str(caught.value)
    assert not isinstance(caught.value, AssertionError)


def test_what_looks_alike_and_is_right_is_taken():
    """Whole scores beside whole grades, tuples that were judged, subtopics, an unbounded metric."""
    assert assert_ndcg({"q": {"a": 2, "b": 1}}, {"q": {"a": 1, "b": 0}}, equals=1) == 1
    assert assert_ndcg({"q": {"a": 2.0, "b": 1.0}}, {"q": ["a"]}, equals=1) == 1
    assert assert_ndcg({"q": [("a", 1), ("b", 2)]}, {"q": {("a", 1): 1}}, equals=1) == 1
    assert assert_alpha_ndcg(["x", "y"], {"x": {1, 2}, "y": {2}}, at_least=0.9) == 1
    # Gains 3 and 2 at ranks 1 and 2 of one query: 3 + 2 / log2(3).
    assert assert_dcg(["a", "b"], QRELS["q1"], at_least=4, at_most=45) == pytest.approx(4.2618595)
    with pytest.raises(RankingAssertionError):
        assert_dcg(["a", "b"], QRELS["q1"], at_least=45)


def test_a_score_outside_its_range_is_bounded_as_it_is():
    """Greedy alpha-nDCG with alpha = 1 exceeds 1 for a known ranking, and may be asserted to."""
    nuggets = {"X": {*range(1, 7)}, "Y": {1, 2, 3, 7, 8}, "Z": {4, 5, 6, 9}}
    score = assert_alpha_ndcg(["Y", "Z", "X"], nuggets, alpha=1, k=2, equals=1.03606, abs=5e-6)
    assert score > 1


@pytest.mark.parametrize("held_out", [{0: {2}, 1: {4}}, [{2}, {4}]], ids=["mapping", "list"])
def test_an_array_of_recommendations_is_a_run(held_out):
    """A row for each user: one finds its item at rank 2, the other at rank 1."""
    items = np.array([[1, 2, 3], [4, 5, -1]])
    assert assert_metric("RR", items, held_out, padding=-1, equals=0.75) == 0.75
    assert assert_recall(items, held_out, k=1, at_least=0.5) == 0.5


NO_RANKINGS = {
    "a generator": (d for d in "ab"),
    "None": None,
    "a map": map(str, [1]),
    "a str": "a",
    "a zip": zip("a", [1], strict=True),
}


@pytest.mark.parametrize("what", NO_RANKINGS)
def test_what_is_no_ranking_is_named_by_an_assertion(what):
    """The run is not taken for one ranking: its queries are right, and a value is not."""
    with pytest.raises(InputError, match=f"the run has {what} for 'q'; give each query its rank"):
        assert_mrr({"q": NO_RANKINGS[what]}, {"q": {"a": 1}}, at_least=0.5)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (b"a", r"ids are of type bytes, .* are texts; .*; id\.decode\(\) makes bytes text$"),
        (1, r"ids are whole numbers, .* are texts; .*str\(id\)"),
        (None, "place 1 of the documents ranked holds None and no id; leave it out"),
        (("a", "b"), "ids are of type tuple, .* are texts"),
    ],
)
def test_ids_of_another_type_are_told_in_words(document, said):
    """The type has no plural, and the way out is that of the type."""
    with pytest.raises(InputError, match=said):
        assert_mrr({"q": [document]}, {"q": {"a": 1}}, at_least=0.5)


def test_a_query_without_a_score_is_named_where_a_baseline_is_made(tmp_path):
    """Another program wrote NaN for it; the others have scores."""
    path = tmp_path / "scores.csv"
    path.write_text("query,measure,value\nq1,clarity,0.5\nq2,clarity,nan\n", encoding="utf-8")
    gate = Gate(read_scores(path), None, None, {})
    with pytest.raises(InputError, match="query 'q2': clarity is NaN, and a baseline keeps"):
        Baseline.of(gate.after, gate.judged)


def _run_file(path, scores):
    """A TREC file of one query whose ranks are those of the file, whatever its scores."""
    lines = [f"q1 Q0 {d} {i} {s} t\n" for i, (d, s) in enumerate(scores.items(), 1)]
    path.write_text("".join(lines), encoding="utf-8")
    return path


AGAINST = "1 column of ranks contradicts scores, which decide; if these are distances, negate them"


def test_a_failure_says_that_scores_look_like_distances(tmp_path):
    """Of an assertion and of a comparison; where ranks and scores agree, nothing is said."""
    qrels = {"q1": {"a": 1}}
    distances = _run_file(tmp_path / "distances.run", {"a": 0.1, "b": 0.3, "c": 0.9})
    scores = _run_file(tmp_path / "scores.run", {"c": 0.9, "b": 0.3, "a": 0.1})
    with pytest.raises(RankingAssertionError) as failure:
        assert_mrr(distances, qrels, at_least=0.5)
    assert AGAINST in str(failure.value)
    with pytest.raises(RankingAssertionError) as failure:
        assert_mrr(scores, qrels, at_least=0.5)
    assert "contradict" not in str(failure.value)
    right = {"q1": ["a", "b", "c"]}
    with pytest.raises(RankingAssertionError) as failure:
        assert_improves(distances, right, qrels, "RR", by=0.1)
    assert AGAINST in str(failure.value)
    with pytest.raises(RankingAssertionError) as failure:
        assert_no_regression(distances, right, qrels, "RR")
    assert AGAINST in str(failure.value)
