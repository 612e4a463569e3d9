"""Installed libraries against their bundles, over generated runs and judgments."""

import contextlib
import math
import warnings

import ir_measures
import numpy as np
import pyndeval
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    average_precision_score,
    dcg_score,
    label_ranking_average_precision_score,
    ndcg_score,
    roc_auc_score,
)

from dev.tools.libraries.asked import scored
from irmetrics_edu import evaluate
from irmetrics_edu.diagnosis.conformance.adapters import measure_of_ir_measures
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from tests.libraries.inputs_drawn import LONG
from tests.libraries.replay import as_run, inputs

DOCUMENTS = st.sampled_from([f"d{i:02}" for i in range(12)])
# Few scores, so that many documents are tied; two differ beyond 32 bits only.
SCORES = st.sampled_from([0.5, 0.5 + 1e-12, 1.0, 2.0, 3.0])
RUN = st.dictionaries(DOCUMENTS, SCORES, min_size=1, max_size=12)
JUDGED = st.dictionaries(DOCUMENTS, st.integers(-1, 3), min_size=1, max_size=10).filter(
    lambda judged: max(judged.values()) >= 0  # else trec_eval's nDCG may never return
)


def ours(library, name, run, qrels):
    """Scores by query under the library's conventions for its metric."""
    metric, by = BUNDLES[library].measure(name)
    return next(iter(evaluate(run, qrels, metric, by).per_query.values()))


TREC = {
    "ndcg": "ndcg",
    "ndcg_cut_5": "ndcg_cut",
    "map": "map",
    "map_cut_5": "map_cut",
    "recip_rank": "recip_rank",
    "P_5": "P",
    "recall_5": "recall",
    "Rprec": "Rprec",
    "bpref": "bpref",
    "infAP": "infAP",
    "set_P": "set_P",
    "set_recall": "set_recall",
    "set_F": "set_F",
    "success_1": "success",
    "relative_P_5": "relative_P",
    "11pt_avg": "11pt_avg",
    "iprec_at_recall_0.70": "iprec_at_recall",
}


@settings(deadline=None)
@given(RUN, JUDGED)
def test_pytrec_eval(ranked, judged):
    """Every metric of the bundle gives what trec_eval's binding gives."""
    run, qrels = {"q": ranked}, {"q": judged}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(TREC.values())).evaluate(run)["q"]
    for name in TREC:
        assert ours("pytrec_eval", name, run, qrels)["q"] == pytest.approx(theirs[name], abs=1e-6)


IR_MEASURES = (
    "nDCG",
    "nDCG@5",
    "AP",
    "AP@5",
    "RR",
    "RR@5",
    "P@5",
    "R@5",
    "Success@3",
    "Rprec",
    "Bpref",
    "infAP",
    "IPrec@0.1",
    "SetP",
    "SetR",
    "SetF",
    "Judged@5",
)


@settings(deadline=None)
@given(RUN, JUDGED)
def test_ir_measures(ranked, judged):
    """The default pipeline: most by trec_eval, RR@k by another script in another order of ties."""
    run, qrels = {"q": ranked}, {"q": judged}
    measures = [measure_of_ir_measures(name) for name in IR_MEASURES]
    theirs = {str(m.measure): m.value for m in ir_measures.iter_calc(measures, qrels, run)}
    for name in IR_MEASURES:
        score = ours("ir_measures", name, run, qrels)["q"]
        assert score == pytest.approx(theirs[name], abs=1e-6), name


@pytest.mark.parametrize("probe", LONG)
def test_long_lists(probe):
    """16 to 200 documents, tied and not, whose ids differ as numbers, as text and without case."""
    given = inputs()[probe]
    run, qrels = as_run(given["run"]), given["qrels"]
    run = {q: dict(scored(documents)) for q, documents in run.items()}
    measures = [measure_of_ir_measures(name) for name in IR_MEASURES]
    theirs = {str(m.measure): m.value for m in ir_measures.iter_calc(measures, qrels, run)}
    for name in IR_MEASURES:
        score = ours("ir_measures", name, run, qrels)["q1"]
        assert score == pytest.approx(theirs[name], abs=1e-6), name
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(TREC.values())).evaluate(run)["q1"]
    for name in TREC:
        assert ours("pytrec_eval", name, run, qrels)["q1"] == pytest.approx(theirs[name], abs=1e-6)
    if len(run["q1"]) > 1 and min(qrels["q1"].values()) >= 0:
        grades = [[qrels["q1"].get(d, 0) for d in run["q1"]]]
        value = ndcg_score(grades, [list(run["q1"].values())])
        assert ours("scikit_learn", "ndcg_score", run, qrels)["q1"] == pytest.approx(value)


def test_what_scikit_learn_refuses_or_leaves_open():
    """One document; documents of one class alone, of which ours is an error."""
    with pytest.raises(ValueError, match="more than 1 document"):
        ndcg_score([[1]], [[0.5]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.suppress(ValueError):  # raised before the version of the bundle
            assert math.isnan(roc_auc_score([1, 1], [0.5, 0.2]))
    with pytest.raises(InputError, match="relevant"):
        ours("scikit_learn", "roc_auc_score", {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1, "b": 1}})


def test_compat_of_ir_measures_orders_its_ideal_by_the_scores():
    """A score below 0 puts its document after one that was not retrieved: no order of ours."""
    run, qrels = {"q": {"a": -1.0, "b": -2.0}}, {"q": {"a": 1, "x": 1}}
    asked = measure_of_ir_measures("Compat(p=0.9)")
    theirs = next(iter(ir_measures.iter_calc([asked], qrels, run))).value
    score = ours("ir_measures", "Compat(p=0.90)", run, qrels)["q"]
    assert (theirs, score) == (pytest.approx(0.2368, abs=5e-5), pytest.approx(0.7632, abs=5e-5))
    above = {"q": {"a": 2.0, "b": 1.0}}
    theirs = next(iter(ir_measures.iter_calc([asked], qrels, above))).value
    assert ours("ir_measures", "Compat(p=0.90)", above, qrels)["q"] == pytest.approx(theirs)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([0.25, 0.5, 1.0, 2.0])),
        min_size=2,
        max_size=12,
    ),
    st.integers(1, 8),
)
def test_scikit_learn(items, k):
    """With ties shared in nDCG and DCG, grouped in the areas under the PR curve."""
    grades, scores = zip(*items, strict=True)
    documents = [f"d{i}" for i in range(len(items))]
    run, qrels = (
        {"q": dict(zip(documents, scores, strict=True))},
        {"q": dict(zip(documents, grades, strict=True))},
    )
    y, s = np.array([grades]), np.array([scores])
    binary = (y >= 1).astype(int)
    expected = {
        "ndcg_score": ndcg_score(y, s),
        f"ndcg_score@{k}": ndcg_score(y, s, k=k),
        f"dcg_score@{k}": dcg_score(y, s, k=k),
        "dcg_score log_base=e": dcg_score(y, s, log_base=math.e),
        "label_ranking_average_precision_score": label_ranking_average_precision_score(binary, s),
    }
    if binary.any():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            expected["average_precision_score"] = average_precision_score(binary[0], s[0])
    if len(set(scores)) == len(scores):  # among equals the sort that it uses keeps no order
        expected["ndcg_score ignore_ties=True"] = ndcg_score(y, s, ignore_ties=True)
    for name, value in expected.items():
        assert ours("scikit_learn", name, run, qrels)["q"] == pytest.approx(value), name


HELD = st.dictionaries(
    DOCUMENTS, st.sets(st.sampled_from("ABCD"), min_size=1), min_size=1, max_size=8
)
NDEVAL = ("alpha-DCG@5", "alpha-nDCG@5", "ERR-IA@5", "nERR-IA@5", "NRBP", "nNRBP", "strec@5")


@settings(deadline=None)
@given(RUN, HELD)
def test_ndeval(ranked, held):
    """Novelty measures, their ideal found in ndeval's own order."""
    scores = {d: float(np.float32(s)) for d, s in ranked.items()}
    theirs = pyndeval.ndeval(
        [pyndeval.SubtopicQrel("q", s, d, 1) for d, topics in held.items() for s in topics],
        [pyndeval.ScoredDoc("q", d, s) for d, s in scores.items()],
        measures=list(NDEVAL),
    )["q"]
    for name in NDEVAL:
        score = ours("ndeval", name, {"q": scores}, {"q": held})["q"]
        assert score == pytest.approx(theirs[name], abs=1e-6), name


def test_the_comparison_can_fail():
    """Under another library's conventions the values are others."""
    run, qrels = {"q": {"d00": 1.0, "d01": 1.0}}, {"q": {"d00": 1, "d01": 0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)["q"]["recip_rank"]
    assert ours("pytrec_eval", "recip_rank", run, qrels)["q"] == theirs
    assert ours("ranx", "mrr", run, qrels)["q"] != theirs
