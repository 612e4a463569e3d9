"""Under the conventions of trec_eval, every score is the one that trec_eval's binding gives."""

import random
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu import evaluate

pytrec_eval = pytest.importorskip("pytrec_eval")

# Our notation, pytrec_eval's request, pytrec_eval's name.
MEASURES = [
    ("AP", "map", "map"),
    ("AP@10", "map_cut.10", "map_cut_10"),
    ("P@5", "P.5", "P_5"),
    ("P@10", "P.10", "P_10"),
    ("R@5", "recall.5", "recall_5"),
    ("R@100", "recall.100", "recall_100"),
    ("Rprec", "Rprec", "Rprec"),
    ("RR", "recip_rank", "recip_rank"),
    ("bpref", "bpref", "bpref"),
    ("infAP", "infAP", "infAP"),
    ("nDCG", "ndcg", "ndcg"),
    ("nDCG@3", "ndcg_cut.3", "ndcg_cut_3"),
    ("nDCG@10", "ndcg_cut.10", "ndcg_cut_10"),
    ("Success@1", "success.1", "success_1"),
    ("Success@5", "success.5", "success_5"),
    ("11pt_avg", "11pt_avg", "11pt_avg"),
    ("IPrec@0.1", "iprec_at_recall.0.1", "iprec_at_recall_0.10"),
    ("set_P", "set_P", "set_P"),
    ("set_recall", "set_recall", "set_recall"),
    ("set_F", "set_F", "set_F"),
]


def trec_eval(run: Any, qrels: Any) -> dict[str, dict[str, float]]:
    """What the C of trec_eval gives for each query that is in both."""
    requests = {request for _, request, _ in MEASURES}
    scores: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator(qrels, requests).evaluate(
        run
    )
    return scores


def generated(seed: int, *, lowest: int = 0) -> tuple[Any, Any]:
    """A run and judgments full of ties, missing and unjudged documents, queries on one side."""
    rng = random.Random(seed)
    run: dict[str, dict[str, float]] = {}
    qrels: dict[str, dict[str, int]] = {}
    for q in range(25):
        documents = [f"d{i}" for i in range(40)]
        if q != 3:
            retrieved = rng.sample(documents, rng.randint(1, 30))
            levels = rng.choice([2, 5, 1000])
            run[f"q{q}"] = {d: rng.randrange(levels) / levels for d in retrieved}
        if q != 4:
            judged = rng.sample(documents, rng.randint(1, 20))
            qrels[f"q{q}"] = {d: rng.choice([lowest, 0, 0, 1, 1, 2, 3]) for d in judged}
    qrels["q5"] = dict.fromkeys(qrels["q5"], 0)
    # Scores that only 53 bits tell apart, and ids beyond ASCII.
    run["q6"] = {"b": 0.123456789, "a": 0.1234567891, "é": 0.1234567892, "中": 0.1}
    qrels["q6"] = {"a": 1, "b": 0, "é": 2, "中": 1}
    return run, qrels


@pytest.mark.parametrize("seed", range(12))
def test_generated_runs_score_as_in_trec_eval(seed: int) -> None:
    """Ties, missing documents and unjudged ones give what trec_eval gives, query by query."""
    run, qrels = generated(seed)
    theirs = trec_eval(run, qrels)
    ours = evaluate(run, qrels, [name for name, _, _ in MEASURES], "pytrec_eval")
    assert set(ours.queries) == set(theirs)
    for name, _, trec_name in MEASURES:
        for query, scores in theirs.items():
            got = ours.per_query[name][query]
            assert got == pytest.approx(scores[trec_name], abs=1e-9), (name, query)


@pytest.mark.parametrize("seed", range(6))
def test_negative_grades_count_as_in_trec_eval(seed: int) -> None:
    """A grade of -2 is one that was in the pool and not judged."""
    run, qrels = generated(seed, lowest=-2)
    theirs = trec_eval(run, qrels)
    ours = evaluate(run, qrels, [name for name, _, _ in MEASURES], "pytrec_eval")
    for name, _, trec_name in MEASURES:
        for query, scores in theirs.items():
            got = ours.per_query[name][query]
            assert got == pytest.approx(scores[trec_name], abs=1e-9), (name, query)


@pytest.fixture(scope="module")
def real(shared: Path) -> tuple[Any, Any]:
    """The real run of trec_eval's own tests, read by pytrec_eval, not by us."""
    folder = shared / "data" / "trec"
    with (folder / "results.test").open(encoding="utf-8") as run:
        read_run = pytrec_eval.parse_run(run)
    with (folder / "qrels.test").open(encoding="utf-8") as qrels:
        return read_run, pytrec_eval.parse_qrel(qrels)


def test_the_real_run_scores_as_in_trec_eval(real: tuple[Any, Any]) -> None:
    """On a real run every measure of every query agrees to the last of four digits and beyond."""
    run, qrels = real
    theirs = trec_eval(run, qrels)
    ours = evaluate(run, qrels, [name for name, _, _ in MEASURES])
    assert len(theirs) >= 3
    for name, _, trec_name in MEASURES:
        for query, scores in theirs.items():
            assert f"{ours.per_query[name][query]:.4f}" == f"{scores[trec_name]:.4f}", (name, query)


def test_the_comparison_can_fail() -> None:
    """Under conventions that keep 53 bits of a score, trec_eval's tie is none."""
    run, qrels = {"q": {"b": 0.123456789, "a": 0.1234567891}}, {"q": {"a": 1, "b": 0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    assert theirs["q"]["recip_rank"] == 0.5
    assert evaluate(run, qrels, "RR")["RR"] == 0.5
    assert evaluate(run, qrels, "RR", scores="float64")["RR"] == 1.0
