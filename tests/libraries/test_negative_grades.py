"""Negative grades and documents that nobody judged, as libraries take them together."""

import math

import pytest

from irmetrics_edu import evaluate, ndcg
from irmetrics_edu.distributed import evaluate_distributed
from irmetrics_edu.errors import InputError

LOG3 = math.log2(3)


def both_ways(run, qrels, measures, conventions, tmp_path):
    """The same run as scores, as lists, and as files."""
    text, judged = tmp_path / "run.txt", tmp_path / "qrels.txt"
    text.write_text(
        "".join(f"{q} Q0 {d} 1 {s} t\n" for q, docs in run.items() for d, s in docs.items())
    )
    judged.write_text("".join(f"{q} 0 {d} {g}\n" for q, j in qrels.items() for d, g in j.items()))
    lists = {q: sorted(docs, key=docs.get, reverse=True) for q, docs in run.items()}
    yield evaluate(run, qrels, measures, conventions)
    yield evaluate(lists, qrels, measures, conventions)
    yield evaluate(text, judged, measures, conventions)


def test_an_unjudged_document_stands_above_a_loss_in_the_ideal(tmp_path):
    """CatBoost 1.2 gives 0.557115704285749 for labels 0, 3, -1: the ideal is 3, 0, -1."""
    run, qrels = {"q": {"u": 3, "a": 2, "c": 1}}, {"q": {"a": 3, "c": -1}}
    for e in both_ways(run, qrels, "nDCG@10", "catboost", tmp_path):
        assert e["nDCG@10"] == pytest.approx(0.557115704285749)
        assert e["nDCG@10"] == pytest.approx((3 / LOG3 - 1 / 2) / (3 - 1 / 2))
        assert e.working("nDCG@10", "q").score[0] == pytest.approx(e["nDCG@10"])
    assert ndcg(
        ["u", "a", "c"], {"a": 3, "c": -1}, ideal="retrieved", negative="keep"
    ) == pytest.approx(0.557115704285749)


@pytest.mark.parametrize("name", ["allrank", "tf_ranking"])
def test_a_negative_label_is_padding_and_an_unjudged_document_is_not(name, tmp_path):
    """P is as if it were not there; u, of label 0, keeps rank 1, so that a stands at rank 2."""
    run, qrels = {"q": {"p": 4, "u": 3, "a": 2}}, {"q": {"a": 1, "p": -1}}
    for e in both_ways(run, qrels, "nDCG@10 RR", name, tmp_path):
        assert (e["nDCG@10"], e["RR"]) == (pytest.approx(1 / LOG3), 1 / 2)
        assert any("1 judged document of negative grade is padding" in n for n in e.notes())
    plain = evaluate(run, {"q": {"a": 1, "p": 0}}, "RR", name)
    assert plain["RR"] == 1 / 3
    assert not any("padding" in n for n in plain.notes())


def test_tf_ranking_has_a_dcg_of_exponential_gain():
    """2^3 - 1 at rank 1, 2^1 - 1 at rank 2 (metrics_impl.DCGMetric of 0.5.5)."""
    e = evaluate({"q": {"a": 2, "b": 1}}, {"q": {"a": 3, "b": 1}}, "DCG DCG@1", "tf_ranking")
    assert (e["DCG"], e["DCG@1"]) == (pytest.approx(7 + 1 / LOG3), 7)


@pytest.mark.parametrize("name", ["lightgbm", "xgboost", "scikit_learn"])
def test_a_negative_grade_is_refused_where_the_library_sees_it(name, tmp_path):
    """Of a document that was not retrieved the library is not told."""
    qrels = {"q": {"a": 1, "p": -1}}
    for e in both_ways({"q": {"u": 2, "a": 1}}, qrels, "nDCG@10", name, tmp_path):
        assert e["nDCG@10"] == pytest.approx(1 / LOG3)
        assert e.working("nDCG@10", "q").score[0] == pytest.approx(1 / LOG3)
    for seen in ({"p": 2, "a": 1}, ["p", "a"]):
        with pytest.raises(InputError, match=r"query 'q', document 'p', rank 1: grade -1 is neg"):
            evaluate({"q": seen}, qrels, "nDCG@10", name)
    with pytest.raises(InputError, match="negative"):  # ours sees all judgments
        evaluate({"q": ["u", "a"]}, qrels, "nDCG@10", "irmetrics_edu")


def test_a_distributed_frame_is_padded_alike():
    """Values and counts are those of evaluate."""
    dd, pd = pytest.importorskip("dask.dataframe"), pytest.importorskip("pandas")
    rows = {"query": ["q"] * 3, "document": ["p", "u", "a"], "score": [4.0, 3.0, 2.0]}
    frame = dd.from_pandas(pd.DataFrame(rows), npartitions=1)
    e = evaluate_distributed(frame, {"q": {"a": 1, "p": -1}}, "RR", "tf_ranking")
    assert e["RR"] == 1 / 2
    assert (
        e.notes()
        == evaluate(pd.DataFrame(rows), {"q": {"a": 1, "p": -1}}, "RR", "tf_ranking").notes()
    )


def test_every_row_of_rating_true_is_relevant():
    """Recommenders counts rows, not ratings: three relevant, two of them retrieved."""
    qrels = {"q": {"a": 0, "c": -2, "x": 5}}
    e = evaluate({"q": {"a": 3, "b": 2, "c": 1}}, qrels, "P@2 R@2 nDCG@3 AP@3", "recommenders")
    assert e["P@2"] == 1 / 2
    assert e["R@2"] == pytest.approx(1 / 3)
    assert e["nDCG@3"] == pytest.approx((1 + 1 / 2) / (1 + 1 / LOG3 + 1 / 2))
    assert e["AP@3"] == pytest.approx((1 + 2 / 3) / 3)


def test_llama_index_divides_by_as_many_ones_as_are_expected():
    """Two expected ids, one retrieved: 1 over 1 + 1/log2(3) (0.14.25), cut or not."""
    e = evaluate({"q": {"a": 1}}, {"q": {"a": 1, "b": 1, "c": 0}}, "nDCG nDCG@1", "llama_index")
    assert e["nDCG"] == e["nDCG@1"] == pytest.approx(1 / (1 + 1 / LOG3))


def test_a_gain_of_grade_0_is_not_that_of_an_unjudged_document():
    """A table may give grade 0 a gain; a document that nobody judged has none, however aligned."""
    run, qrels = {"q": {"a": 3, "u": 2, "b": 1}}, {"q": {"a": 1, "b": 0}}
    e = evaluate(run, qrels, "DCG(gain=table(0:1))")
    score = next(iter(e.mean.values()))
    assert score == pytest.approx(1 + 1 / 2)
    assert e.working(e.measures[0].name, "q").score[0] == score
