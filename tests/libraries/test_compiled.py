"""ranx and rankerEval against their bundles, over drawn inputs: `make suite SUITE=libraries`."""

import math

import ir_datasets.datasets.base
import ir_datasets.formats
import ir_datasets.util
import numpy as np
import pytest
import rankereval
import ranx
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.libraries.adapters import MORE
from irmetrics_edu import evaluate
from irmetrics_edu.diagnosis.conformance.against_vectors import AGREES, FOLLOWS, NONE, run_library
from irmetrics_edu.libraries import BUNDLES

# What numba warns of in the code of ranx is not ours.
pytestmark = pytest.mark.filterwarnings("ignore:unsafe cast from uint64")

DOCUMENTS = st.sampled_from([f"d{i:02}" for i in range(12)])
SCORES = st.sampled_from([0.5, 0.5 + 1e-12, 1.0, 2.0, 3.0])
RUN = st.dictionaries(DOCUMENTS, SCORES, min_size=1, max_size=12)

RANX = ("ndcg@5", "ndcg", "ndcg_burges@5", "dcg@5", "map", "map@5", "mrr", "precision@5",
        "recall@5", "f1@5", "r-precision", "hit_rate@3", "hits@3", "rbp.80", "bpref")  # fmt: skip
RANKEREVAL = {
    "NDCG@5 default": rankereval.NDCG(5),
    "AP@5": rankereval.AP(5),
    "ReciprocalRank@5": rankereval.ReciprocalRank(5),
    "Precision@5": rankereval.Precision(5),
    "Recall@5": rankereval.Recall(5),
    "F1@5": rankereval.F1(5),
}


def ours(library, name, ranked, judged):
    """The score of one query under the library's conventions for its metric."""
    metric, by = BUNDLES[library].measure(name)
    return next(iter(evaluate({"q": ranked}, {"q": judged}, metric, by).per_query.values()))["q"]


def in_order(ranked):
    """The same scores by falling score: the order that ranx keeps among equals."""
    return dict(sorted(ranked.items(), key=lambda item: -item[1]))


def test_objects_of_ranx_and_ir_datasets_are_read(tmp_path):
    """Their own objects score as the mappings that they were made of."""
    run = {"q1": {"d1": 2.0, "d2": 1.5, "d3": 1.0}, "q2": {"d4": 1.0}}
    qrels = {"q1": {"d2": 2, "d3": 0, "d9": 1}, "q2": {"d4": 1}}
    for name, held, form in (("run", run, "{} Q0 {} 0 {} x\n"), ("qrels", qrels, "{} 0 {} {}\n")):
        lines = [form.format(q, d, value) for q, of in held.items() for d, value in of.items()]
        (tmp_path / name).write_text("".join(lines))
    there = {name: ir_datasets.util.LocalDownload(tmp_path / name) for name in ("run", "qrels")}
    held = ir_datasets.datasets.base.Dataset(
        ir_datasets.formats.TrecQrels(there["qrels"], {}),
        ir_datasets.formats.TrecScoredDocs(there["run"]),
    )
    expected = evaluate(run, qrels, "nDCG@10 AP").per_query
    assert evaluate(held, held, "nDCG@10 AP").per_query == expected
    assert evaluate(ranx.Run(run), ranx.Qrels(qrels), "nDCG@10 AP").per_query == expected


@given(RUN, st.dictionaries(DOCUMENTS, st.integers(-1, 3), min_size=1, max_size=10))
def test_ranx(ranked, judged):
    """Every metric of its bundle, but for bpref where a quirk says that it is no number."""
    qrels, run = ranx.Qrels({"q": judged}), ranx.Run({"q": ranked})
    for name in RANX:
        theirs = float(ranx.evaluate(qrels, run, name))
        if math.isnan(theirs) and any(name in q.metrics for q in BUNDLES["ranx"].quirks):
            continue
        assert ours("ranx", name, ranked, judged) == pytest.approx(theirs, abs=1e-9), name


@given(RUN, st.dictionaries(DOCUMENTS, st.integers(0, 3), min_size=1, max_size=10))
def test_rankereval(ranked, judged):
    """Graded and binary labels, in the order given; NaN where nothing is relevant."""
    ranked = in_order(ranked)
    numbers = {f"d{i:02}": i for i in range(12)}
    ranking = rankereval.Rankings.from_ranked_indices([[numbers[d] for d in ranked]])
    positive = sorted(numbers[d] for d in judged if judged[d])
    binary = rankereval.BinaryLabels.from_positive_indices([positive])
    grades = [[float(judged.get(d, 0)) for d in numbers]]
    graded = rankereval.NumericLabels.from_matrix(grades)
    for name, metric in RANKEREVAL.items():
        theirs = float(metric.score(graded if name.startswith("NDCG") else binary, ranking)[0])
        score = ours("rankereval", name, ranked, judged)
        assert score == pytest.approx(theirs, abs=1e-9, nan_ok=True), name


def test_rankerevals_ideal_keeps_losses_and_leaves_out_grades_of_0():
    """The value that its quirk states, and ours, which has both in the ideal."""
    ranking = rankereval.Rankings.from_ranked_indices([[0, 1, 2]])
    theirs = rankereval.NDCG(3).score(
        rankereval.NumericLabels.from_matrix([[2.0, 0.0, 1.0, -1.0]]), ranking
    )[0]
    ranked, judged = {"a": 3.0, "b": 2.0, "c": 1.0}, {"a": 2, "b": 0, "c": 1, "x": -1}
    assert float(theirs) == pytest.approx(1.1732, abs=5e-5)
    score = ours("rankereval", "NDCG@3 default", ranked, judged)
    assert score == pytest.approx(0.9502, abs=5e-5)


def test_a_query_without_relevant_documents_spoils_others_in_ranx():
    """The defect that its bundle states: bpref of one query depends on another."""
    judged, ranked = {"d1": 1, "d2": 0}, {"d1": 2.0, "d2": 1.0}
    alone = ranx.evaluate(ranx.Qrels({"2": judged}), ranx.Run({"2": ranked}), "bpref")
    assert alone == ours("ranx", "bpref", ranked, judged) == 1
    qrels = ranx.Qrels({"1": {"d1": 0}, "2": judged})
    run = ranx.Run({"1": {"d1": 1.0}, "2": ranked})
    assert ranx.evaluate(qrels, run, "bpref", return_mean=False).tolist() == [0, 0]


def test_the_comparison_can_fail():
    """Under another library's conventions the values are others."""
    assert ours("rankereval", "AP@5", {"a": 1.0}, {"a": 0}) != ours(
        "ranx", "map@5", {"a": 1.0}, {"a": 0}
    )


def test_conformance():
    """Against the vectors: agreement, another convention, and defects that none explains."""
    found = {v.measure: v for v in run_library("ranx") if not v.topic}
    assert found["bpref"].verdict == NONE
    assert found["bpref"].example
    assert found["CG@3"].convention == 'gain="binary"'
    assert {v.verdict for name, v in found.items() if name not in ("bpref", "CG@3")} == {AGREES}
    found = {v.measure: v for v in run_library(MORE["rankerEval"]) if not v.topic}
    assert found["AP@3"].convention == 'divisor="reachable"'
    assert found["nDCG"].verdict == FOLLOWS
    assert found["Success@3"].verdict == NONE  # it is defined for exactly one relevant document
    assert np.isnan(rankereval.HitRate(3).score(
        rankereval.BinaryLabels.from_positive_indices([[0, 1]]),
        rankereval.Rankings.from_ranked_indices([[0, 1]]),
    )[0])  # fmt: skip
