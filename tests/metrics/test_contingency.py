"""The confusion table, accuracy, fall-out, and why accuracy is of no use here."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix

from dev.tools.vectors.oracles import further as oracle
from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.contingency import accuracy, confusion, fall_out
from irmetrics_edu.metrics.set_based import precision, recall
from irmetrics_edu.rows.aligned_ranking import align
from irmetrics_edu.rows.ranked_rows import Rows
from tests.metrics.test_set_based import JUDGED_1, SYSTEM_2_QUERY_1, cuts, judgments, rankings
from tests.oracles import graded

CELLS = ("TP", "FP", "FN", "TN")


def cells_of(working):
    """The four counts."""
    return tuple(int(working[cell][0]) for cell in CELLS)


def test_the_confusion_table_of_the_lecture():
    """System 2, query 1, in a collection of 14 documents."""
    table = confusion(SYSTEM_2_QUERY_1, JUDGED_1, collection=14)
    assert cells_of(table) == (2, 2, 2, 8)
    assert table["retrieved"].tolist() == [2, 2]
    assert table["not retrieved"].tolist() == [2, 8]


def test_precision_and_recall_are_rows_and_columns_of_the_table():
    """P = TP/(TP + FP), R = TP/(TP + FN)."""
    TP, FP, FN, _ = cells_of(confusion(SYSTEM_2_QUERY_1, JUDGED_1, collection=14))
    assert precision(SYSTEM_2_QUERY_1, JUDGED_1, exact=True) == Fraction(TP, TP + FP)
    assert recall(SYSTEM_2_QUERY_1, JUDGED_1, exact=True) == Fraction(TP, TP + FN)


@pytest.mark.parametrize("collection", [1_000, 1_000_000, 25_205_179])
def test_an_engine_that_returns_nothing_has_an_accuracy_near_1(collection):
    """The cheapest way to nearly 100 %, and it beats an engine that finds all that there is."""
    nothing = accuracy([], JUDGED_1, collection=collection, exact=True)
    found = [*JUDGED_1, "d1", "d2", "d5", "d7", "d8"]
    assert nothing == 1 - Fraction(4, collection) >= Fraction(996, 1000)
    assert accuracy(found, JUDGED_1, collection=collection, exact=True) < nothing
    assert recall(found, JUDGED_1) == 1 > recall([], JUDGED_1) == 0


@given(ranking=rankings, judged=judgments, k=cuts, more=st.integers(0, 5))
def test_equal_to_the_oracle(ranking, judged, k, more):
    """Counting hits and misses in a loop gives the same four cells."""
    pool = {d: g for d, g in judged.items() if g is not None}
    collection = len(set(ranking) | set(pool)) + more
    TP, FP, FN, TN = oracle.cells_of(*graded(ranking, pool), k, 1, collection)
    table = confusion(ranking, pool, collection=collection, k=k)
    assert cells_of(table) == (TP, FP, FN, TN)
    options = {"collection": collection, "k": k, "exact": True}
    assert accuracy(ranking, pool, **options) == Fraction(TP + TN, collection)
    negatives = FP + TN
    expected = Fraction(FP, negatives) if negatives else 0
    assert fall_out(ranking, pool, **options) == expected


def test_equal_to_scikit_learn():
    """The same cells, turned round: it puts the negatives first."""
    everything = [f"d{i}" for i in range(1, 15)]
    relevant = [d in JUDGED_1 for d in everything]
    retrieved = [d in SYSTEM_2_QUERY_1 for d in everything]
    (TN, FP), (FN, TP) = confusion_matrix(relevant, retrieved).tolist()
    assert cells_of(confusion(SYSTEM_2_QUERY_1, JUDGED_1, collection=14)) == (TP, FP, FN, TN)
    ours = accuracy(SYSTEM_2_QUERY_1, JUDGED_1, collection=14)
    assert ours == pytest.approx(accuracy_score(relevant, retrieved))


def test_many_queries_at_once_equal_each_alone():
    """Tables stay apart."""
    cases = [(SYSTEM_2_QUERY_1, JUDGED_1), (["d1"], {"d1": 1, "d2": 0}), ([], {"x": 1})]
    together = Rows.joined([align(*case) for case in cases])
    for metric in (accuracy, fall_out):
        working = metric.measured(together, 2, collection=20)
        alone = [metric(*case, k=2, collection=20) for case in cases]
        assert working.score.tolist() == pytest.approx(alone)
    part = working.of(1).parts["confusion table"]
    assert part["retrieved"].tolist() == [1, 0]


def test_a_collection_too_small_names_the_query():
    """Five documents are known: four retrieved, d3 and d4 judged beside two of them."""
    with pytest.raises(InputError, match="collection=5 is too small: 6 documents"):
        confusion(SYSTEM_2_QUERY_1, JUDGED_1, collection=5)
    parts = [align(["a"], {"a"}, query="q1"), align(["a", "b"], {"c"}, query="q2")]
    with pytest.raises(InputError, match="query 'q2': collection=2 is too small: 3 documents"):
        accuracy.measured(Rows.joined(parts), None, collection=2)


@pytest.mark.parametrize("bad", [None, 2.5, True, "1000"])
def test_a_collection_is_a_whole_number(bad):
    """Missing or not whole, it is refused with an example of what would do."""
    with pytest.raises(InputError, match="collection="):
        accuracy([1, 0], collection=bad)


@pytest.mark.parametrize(("undefined", "score"), [("zero", 0), ("one", 1), ("half", 0.5)])
def test_fall_out_where_all_documents_are_relevant(undefined, score):
    """Nothing could be left out: 0 by default, or what the convention says."""
    judgments = {"a": 1, "b": 2}
    assert fall_out(["a"], judgments, collection="known", undefined=undefined) == score
    assert fall_out(["a"], judgments, collection=3, undefined=undefined) == 0
    assert fall_out(["a"], judgments, collection="known") == 0


def test_fall_out_without_others_is_refused_or_left_out_on_request():
    """By query, with what to choose."""
    qrels = {"q1": {"a": 1}, "q2": {"b": 0, "a": 1}}
    run = {"q1": {"a": 1.0}, "q2": {"b": 1.0}}
    with pytest.raises(InputError, match="query 'q1': all documents are relevant"):
        evaluate(run, qrels, ["fall-out(collection=known,undefined=refuse)"])
    left = evaluate(run, qrels, ["fall-out(collection=known,undefined=skip)"])
    assert left.mean["fall-out(collection=known,undefined=skip)"] == 1
