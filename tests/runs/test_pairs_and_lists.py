"""Pairs and lists of lists in the place of judgments or scores: each is told what to write."""

import pytest

from irmetrics_edu import evaluate, ndcg
from irmetrics_edu.errors import InputError

REFUSED = {
    "pairs as judgments": (
        lambda: ndcg(["a", "b"], [("a", 1), ("b", 0)]),
        r"\('a', 1\) is a pair and no id of a document; give grades as a mapping, {'a': 1, ...}",
    ),
    "pairs as a ranking": (
        lambda: ndcg([("a", 0.9), ("b", 0.1)], {"a": 1}),
        r"\('a', 0.9\) is a pair and no id of a document; give scores as a mapping",
    ),
    "pairs of a query": (
        lambda: evaluate({"q": ["a"]}, {"q": [("a", 1)]}, ["RR"]),
        r"query 'q': \('a', 1\) is a pair",
    ),
    "lines of judgments": (
        lambda: evaluate({"q": ["a"]}, [["q", "a", 1]], ["RR"]),
        "of lines of query, document and grade, pandas.DataFrame",
    ),
    "a list for each query": (
        lambda: evaluate([["a"], ["b"]], [["a"], ["b"]], ["RR"]),
        r"of a list for each query, dict\(enumerate\(qrels\)\)",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_mapping_is_told_how_to_become_one(case):
    """Each scored 0, or was refused without a way out."""
    call, message = REFUSED[case]
    with pytest.raises(InputError, match=message):
        call()


def test_tuples_that_are_ids_stay_ids():
    """On both sides, and where no document is judged."""
    assert ndcg([("a", 1), ("b", 1)], {("a", 1): 2, ("c", 1): 0}) == 1
    assert ndcg([("a", 1), ("b", 1)], {("x", 1): 2}) == 0
    assert evaluate({"q": [("a", 1)]}, {"q": {("a", 1)}}, ["RR"]).mean["RR"] == 1
