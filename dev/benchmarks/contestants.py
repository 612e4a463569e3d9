"""Who takes part, and what each is asked to do: from the input as it comes to mean scores.

Every contestant has a `load` (untimed: the input in memory, or the names of files) and a `run`
(timed: its own structures are built and all scores computed). `run` returns mean scores, so that
all can be seen to have computed the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dev.benchmarks.data import load

MEASURES = "nDCG@10 AP RR P@10 R@100"
TREC_NAMES = {
    "nDCG@10": "ndcg_cut_10",
    "AP": "map",
    "RR": "recip_rank",
    "P@10": "P_10",
    "R@100": "recall_100",
}
Scores = dict[str, float]


@dataclass(frozen=True)
class Contestant:
    """A package on a case: `package` is what must be installed, `why` says what it does there."""

    package: str
    run: Callable[[Any], Scores]
    why: str = ""


# -- search: mappings


def _ours(given: Any) -> Scores:
    from irmetrics_edu import evaluate

    run, qrels = given
    return {str(name): float(v) for name, v in evaluate(run, qrels, MEASURES).mean.items()}


def _one_pass(given: Any) -> Scores:
    """Copy every score, and look up every judged document: what no evaluation can do without."""
    import struct

    run, qrels = given
    buffer = bytearray(8 * max(map(len, run.values())))
    for query, judged in qrels.items():
        ranking = run[query]
        struct.pack_into(f"{len(ranking)}d", buffer, 0, *ranking.values())
        list(map(ranking.get, judged))
    return {}


def _pytrec_eval(given: Any) -> Scores:
    import pytrec_eval

    run, qrels = given
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(TREC_NAMES.values()))
    per_query = evaluator.evaluate(run)
    return {
        name: float(np.mean([scores[theirs] for scores in per_query.values()]))
        for name, theirs in TREC_NAMES.items()
    }


def _ir_measures(given: Any) -> Scores:
    import ir_measures

    from irmetrics_edu.diagnosis.conformance.adapters import measure_of_ir_measures

    run, qrels = given
    measures = [measure_of_ir_measures(name) for name in MEASURES.split()]
    scores = ir_measures.calc_aggregate(measures, qrels, run)
    return {str(measure): float(score) for measure, score in scores.items()}


RANX_NAMES = {
    "nDCG@10": "ndcg@10",
    "AP": "map",
    "RR": "mrr",
    "P@10": "precision@10",
    "R@100": "recall@100",
}


def _ranx(given: Any) -> Scores:
    from ranx import Qrels, Run, evaluate

    run, qrels = given
    scores = evaluate(Qrels(qrels), Run(run), list(RANX_NAMES.values()), make_comparable=True)
    return {name: float(scores[theirs]) for name, theirs in RANX_NAMES.items()}


def _scikit_learn(given: Any) -> Scores:
    from sklearn.metrics import ndcg_score

    run, qrels = given
    scores = []
    for query, judgments in qrels.items():
        ranking = run.get(query, {})
        documents = [*ranking, *(d for d in judgments if d not in ranking)]
        grades = [judgments.get(d, 0) for d in documents]
        lowest = min(ranking.values(), default=0) - 1
        values = [ranking.get(d, lowest) for d in documents]
        scores.append(ndcg_score([grades], [values], k=10) if len(documents) > 1 else 1.0)
    return {"nDCG@10": float(np.mean(scores))}


# -- search: files


def _pytrec_eval_files(given: Any) -> Scores:
    import pytrec_eval

    run, qrels = given
    with Path(run).open() as runs, Path(qrels).open() as judged:
        return _pytrec_eval((pytrec_eval.parse_run(runs), pytrec_eval.parse_qrel(judged)))


def _ir_measures_files(given: Any) -> Scores:
    import ir_measures

    run, qrels = given
    return _ir_measures((ir_measures.read_trec_run(run), ir_measures.read_trec_qrels(qrels)))


def _ranx_files(given: Any) -> Scores:
    from ranx import Qrels, Run, evaluate

    run, qrels = given
    scores = evaluate(
        Qrels.from_file(qrels, kind="trec"),
        Run.from_file(run, kind="trec"),
        list(RANX_NAMES.values()),
        make_comparable=True,
    )
    return {name: float(scores[theirs]) for name, theirs in RANX_NAMES.items()}


# -- recommendation


def _as_mappings(given: Any) -> Any:
    recommended, held_out = given
    width = recommended.shape[1]
    falling = [float(width - i) for i in range(width)]
    texts = recommended.astype(str).tolist()
    run = {str(u): dict(zip(row, falling, strict=True)) for u, row in enumerate(texts)}
    qrels = {str(u): dict.fromkeys(map(str, held), 1) for u, held in enumerate(held_out)}
    return run, qrels


def _rankereval(given: Any) -> Scores:
    import rankereval as re

    recommended, held_out = given
    # It searches the items of a user as if they were in order, and says nothing if they are not.
    labels = re.BinaryLabels.from_positive_indices([sorted(items) for items in held_out])
    rankings = re.Rankings.from_ranked_indices(recommended)
    metrics = {
        "nDCG@10": re.NDCG(10),
        "AP": re.AP(recommended.shape[1]),
        "RR": re.ReciprocalRank(recommended.shape[1]),
        "P@10": re.Precision(10),
        "R@100": re.Recall(100),
    }
    return {name: float(np.nanmean(m.score(labels, rankings))) for name, m in metrics.items()}


# -- diversity


def _ours_alpha_ndcg(given: Any) -> Scores:
    from irmetrics_edu import evaluate

    run, nuggets = given
    mean = evaluate(run, nuggets, "alpha-nDCG@20", conventions="ndeval").mean
    return {str(name): float(v) for name, v in mean.items()}


def _subtopic_lines(nuggets: Any) -> list[tuple[str, str, str, int]]:
    return [
        (query, subtopic, document, 1)
        for query, held in nuggets.items()
        for document, subtopics in held.items()
        for subtopic in subtopics
    ]


def _pyndeval(given: Any) -> Scores:
    import pyndeval

    run, nuggets = given
    evaluator = pyndeval.RelevanceEvaluator(_subtopic_lines(nuggets), ["alpha-nDCG@20"])
    scored = [(q, d, s) for q, ranking in run.items() for d, s in ranking.items()]
    scores = evaluator.evaluate(scored)
    return {"alpha-nDCG@20": float(np.mean([s["alpha-nDCG@20"] for s in scores.values()]))}


def _ir_measures_diversity(given: Any) -> Scores:
    import ir_measures
    from ir_measures import Qrel, alpha_nDCG

    run, nuggets = given
    qrels = [Qrel(q, d, g, s) for q, s, d, g in _subtopic_lines(nuggets)]
    scores = ir_measures.calc_aggregate([alpha_nDCG @ 20], qrels, run)
    return {"alpha-nDCG@20": float(next(iter(scores.values())))}


# -- one call


def _ours_one(grades: Any) -> Scores:
    from irmetrics_edu import ndcg

    return {"nDCG": ndcg(grades)}


def _scikit_learn_one(grades: Any) -> Scores:
    from sklearn.metrics import ndcg_score

    return {"nDCG": float(ndcg_score([grades], [[3, 2, 1]]))}


def _pytrec_eval_one(grades: Any) -> Scores:
    import pytrec_eval

    names = ["a", "b", "c"]
    judged = {"q": dict(zip(names, grades, strict=True))}
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    return {"nDCG": pytrec_eval.RelevanceEvaluator(judged, {"ndcg"}).evaluate(run)["q"]["ndcg"]}


def _ranx_one(grades: Any) -> Scores:
    from ranx import Qrels, Run, evaluate

    names = ["a", "b", "c"]
    judged = Qrels({"q": dict(zip(names, grades, strict=True))})
    return {"nDCG": float(evaluate(judged, Run({"q": {"a": 3.0, "b": 2.0, "c": 1.0}}), "ndcg"))}


def _mappings(folder: Path) -> Any:
    return load(folder / "mappings")


def _files(folder: Path) -> Any:
    return str(folder / "run"), str(folder / "qrels")


def _arrays(folder: Path) -> Any:
    return np.load(folder / "recommended.npy"), load(folder / "held_out")


def _grades(folder: Path) -> Any:
    return load(folder / "grades")


LEAST = "every score is copied and every judged document looked up, and nothing computed"
NDCG_ALONE = "nDCG@10 alone, a call for each query"
THROUGH_MAPPINGS = "items as text in mappings, which are made within the time"

CASES: dict[str, tuple[Callable[[Path], Any], dict[str, Contestant]]] = {
    "search, mappings": (
        _mappings,
        {
            "irmetrics-edu": Contestant("irmetrics_edu", _ours),
            "one pass": Contestant("irmetrics_edu", _one_pass, LEAST),
            "pytrec-eval-terrier": Contestant("pytrec_eval", _pytrec_eval),
            "ir-measures": Contestant("ir_measures", _ir_measures),
            "ranx": Contestant("ranx", _ranx),
            "scikit-learn": Contestant("sklearn", _scikit_learn, NDCG_ALONE),
        },
    ),
    "search, files": (
        _files,
        {
            "irmetrics-edu": Contestant("irmetrics_edu", _ours),
            "pytrec-eval-terrier": Contestant("pytrec_eval", _pytrec_eval_files),
            "ir-measures": Contestant("ir_measures", _ir_measures_files),
            "ranx": Contestant("ranx", _ranx_files),
        },
    ),
    "recommendation": (
        _arrays,
        {
            "irmetrics-edu": Contestant("irmetrics_edu", _ours),
            "rankerEval": Contestant("rankereval", _rankereval),
            "pytrec-eval-terrier": Contestant(
                "pytrec_eval", lambda given: _pytrec_eval(_as_mappings(given)), THROUGH_MAPPINGS
            ),
            "ir-measures": Contestant(
                "ir_measures", lambda given: _ir_measures(_as_mappings(given)), THROUGH_MAPPINGS
            ),
            "ranx": Contestant("ranx", lambda given: _ranx(_as_mappings(given)), THROUGH_MAPPINGS),
        },
    ),
    "diversity": (
        _mappings,
        {
            "irmetrics-edu": Contestant("irmetrics_edu", _ours_alpha_ndcg),
            "pyndeval": Contestant("pyndeval", _pyndeval),
            "ir-measures": Contestant("ir_measures", _ir_measures_diversity),
        },
    ),
    "one call": (
        _grades,
        {
            "irmetrics-edu": Contestant("irmetrics_edu", _ours_one),
            "pytrec-eval-terrier": Contestant("pytrec_eval", _pytrec_eval_one),
            "scikit-learn": Contestant("sklearn", _scikit_learn_one),
            "ranx": Contestant("ranx", _ranx_one),
        },
    ),
}
