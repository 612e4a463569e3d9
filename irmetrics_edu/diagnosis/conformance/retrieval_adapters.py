"""Libraries of retrieval, and this package, as functions of a run."""

import functools
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from irmetrics_edu.diagnosis.conformance.recommender_adapters import Beside, Qrels, Run, Scores


def _cut(name: str, k: int | None, whole: str | None = None) -> str | None:
    return whole if k is None else f"{name}_{k}"


def of_trec_eval(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
    """The C of trec_eval through its Python binding."""
    import pytrec_eval

    asked = {
        "P": _cut("P", k, "set_P"),
        "R": _cut("recall", k, "set_recall"),
        "F": None if k else "set_F",
        "Success": _cut("success", k),
        "Rprec": "Rprec",
        "AP": _cut("map_cut", k, "map"),
        "RR": None if k else "recip_rank",
        "nDCG": _cut("ndcg_cut", k, "ndcg"),
        "bpref": "bpref",
    }.get(metric)
    if asked is None:
        return None
    name, number = asked.rpartition("_")[::2]
    request = f"{name}.{number}" if number.isdigit() else asked
    found = pytrec_eval.RelevanceEvaluator(qrels, {request}).evaluate(run)
    return {q: float(values[asked]) for q, values in found.items()}


_IN_IR_MEASURES = {
    "P": "P", "R": "R", "F": "SetF", "Success": "Success", "Rprec": "Rprec", "AP": "AP",
    "RR": "RR", "nDCG": "nDCG", "bpref": "Bpref", "ERR": "ERR", "RBP": "RBP(rel=1,p=0.8)",
    "alpha-DCG": "alpha_DCG", "alpha-nDCG": "alpha_nDCG", "ERR-IA": "ERR_IA", "NRBP": "NRBP",
    "P-IA": "P_IA", "AP-IA": "AP_IA", "S-recall": "StRecall", "Judged": "Judged",
}  # fmt: skip
_CUT_IN_IR_MEASURES = ("Success", "ERR", "Judged", "alpha-DCG", "alpha-nDCG", "ERR-IA", "S-recall")
# The measures that a provider of ir_measures has, with a cut-off and without.
_OF_PROVIDERS: Mapping[str, tuple[str, ...]] = {
    "cwl_eval": ("P@k", "RR", "AP", "RBP"),
    "gdeval": ("nDCG@k", "ERR@k"),
    "judged": ("Judged@k",),
    "msmarco": ("RR", "RR@k"),
    "ranx": ("nDCG", "nDCG@k", "AP", "AP@k", "RR", "P@k", "R@k", "Rprec", "Success@k"),
}
_OF_SUBTOPICS = ("alpha-DCG", "alpha-nDCG", "ERR-IA", "NRBP", "P-IA", "AP-IA", "S-recall")


def measure_of_ir_measures(text: str) -> Any:
    """The measure that ir_measures knows by this notation, as `P(rel=2)@5`.

    Its own parse_measure, up to version 0.4.3, asks for a class that Python 3.14 no longer has.
    """
    import ir_measures

    call, _, cut = text.partition("@")
    name, _, inside = call.partition("(")
    found = getattr(ir_measures, name)
    if inside:
        options = (option.partition("=") for option in inside.rstrip(")").split(","))
        found = found(**{key.strip(): literal_eval(value) for key, _, value in options})
    return found @ literal_eval(cut) if cut else found


def of_ir_measures(
    metric: str, k: int | None, run: Run, qrels: Any, _: Beside, provider: str = ""
) -> Scores | None:
    """ir_measures with its own choice of provider, or with a given provider."""
    import subprocess

    import ir_measures

    if provider and (metric if k is None else f"{metric}@k") not in _OF_PROVIDERS[provider]:
        return None
    if provider == "ranx":  # which refuses queries that are not in both
        run = {q: documents for q, documents in run.items() if documents and q in qrels}
        qrels = {q: judged for q, judged in qrels.items() if q in run}
    if metric not in _IN_IR_MEASURES or (k and metric in ("F", "Rprec", "bpref", "NRBP", "AP-IA")):
        return None
    if (
        metric in ("Success", "ERR", "Judged", "alpha-DCG", "alpha-nDCG", "ERR-IA", "S-recall")
        and not k
    ):
        return None
    name = {"P": "SetP", "R": "SetR"}.get(metric) if not k else None
    asked = measure_of_ir_measures((name or _IN_IR_MEASURES[metric]) + (f"@{k}" if k else ""))
    if metric in _OF_SUBTOPICS:
        qrels = [
            ir_measures.Qrel(q, d, 1, nugget)
            for q, held in qrels.items()
            for d, nuggets in held.items()
            for nugget in nuggets
        ]
    try:
        home = getattr(ir_measures, provider) if provider else ir_measures
        found = list(home.iter_calc([asked], qrels, run))
    except (RuntimeError, ValueError, OSError, subprocess.SubprocessError):
        return None  # no provider for it here
    return {m.query_id: float(m.value) for m in found}


def of_scikit_learn(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
    """Scores and grades of the retrieved alone, as a learner to rank hands them over."""
    from sklearn.metrics import dcg_score, ndcg_score

    function = {"DCG": dcg_score, "nDCG": ndcg_score}.get(metric)
    if function is None:
        return None

    def scored() -> Iterator[tuple[str, float]]:
        for query, documents in run.items():
            grades = [[qrels.get(query, {}).get(d, 0) for d in documents]]
            if len(documents) > 1 and query in qrels:  # fewer are refused
                yield query, float(function(grades, [list(documents.values())], k=k))

    return dict(scored())


def of_ndeval(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
    """The C of ndeval through its Python binding; it cuts at 5, 10 and 20."""
    import pyndeval  # type: ignore[import-untyped]  # compiled

    name = {"alpha-DCG": "alpha-DCG", "alpha-nDCG": "alpha-nDCG", "ERR-IA": "ERR-IA",
            "P-IA": "P-IA", "S-recall": "strec"}.get(metric)  # fmt: skip
    asked = {"NRBP": "NRBP", "AP-IA": "MAP-IA"}.get(metric) if k is None else f"{name}@{k}"
    if asked is None or (k is not None and (name is None or k not in _CUTS_OF_NDEVAL)):
        return None
    judged = [
        pyndeval.SubtopicQrel(q, nugget, d, 1)
        for q, held in qrels.items()
        for d, nuggets in held.items()
        for nugget in nuggets
    ]
    known = {line.query_id for line in judged}
    ranked = [
        pyndeval.ScoredDoc(q, d, score)
        for q, documents in run.items()
        for d, score in documents.items()
        if q in known
    ]
    found = pyndeval.ndeval(judged, ranked, measures=[asked])
    return {q: float(values[asked]) for q, values in found.items()}


def of_rankereval(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
    """One query at a time, in the order of its scores, equal scores as given."""
    import rankereval as r  # type: ignore[import-not-found]  # needs an older numpy

    makers = {"P": r.Precision, "R": r.Recall, "F": r.F1, "Success": r.HitRate, "AP": r.AP,
              "RR": r.ReciprocalRank, "nDCG": r.NDCG}  # fmt: skip
    if metric not in makers or (k is None and metric != "nDCG"):
        return None

    def score(documents: Mapping[str, float], judged: Mapping[str, int]) -> float:
        ranking = sorted(documents, key=documents.__getitem__, reverse=True)
        number = {d: i for i, d in enumerate(dict.fromkeys([*ranking, *judged]))}
        ranked = r.Rankings.from_ranked_indices([[number[d] for d in ranking]])
        if metric == "nDCG":
            labels = r.NumericLabels.from_matrix([[float(judged.get(d, 0)) for d in number]])
        else:
            positive = sorted(number[d] for d, g in judged.items() if g >= 1)
            labels = r.BinaryLabels.from_positive_indices([positive])
        return float(makers[metric](k).score(labels, ranked)[0])

    return {q: score(docs, qrels[q]) for q, docs in run.items() if docs and q in qrels}


def of_ours(metric: str, k: int | None, run: Run, qrels: Qrels, beside: Beside) -> Scores | None:
    """This package, by its defaults."""
    from irmetrics_edu.libraries import OURS
    from irmetrics_edu.metrics.notation import parse
    from irmetrics_edu.runs.evaluation import evaluate

    asked = parse(metric) if k is None else parse(metric) @ k
    per_query = evaluate(run, qrels or None, [asked], OURS, **beside).per_query[repr(asked)]
    return {str(q): float(v) for q, v in per_query.items()}


def of_provider(provider: str) -> Callable[..., Scores | None]:
    """The function of one provider of ir_measures."""
    return functools.partial(of_ir_measures, provider=provider)


def of_cwl_eval(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
    """Its own RR, of the gains in ranked order."""
    import numpy as np
    from cwl.ruler.measures.cwl_rr import RRCWLMetric  # type: ignore[import-not-found]
    from cwl.ruler.ranking import Ranking  # type: ignore[import-not-found]

    if metric != "RR" or k is not None:
        return None

    def score(query: str, documents: Mapping[str, float]) -> float:
        ranking = sorted(documents, key=documents.__getitem__, reverse=True)
        gains = np.array([float(qrels[query].get(d, 0) >= 1) for d in ranking])
        return float(RRCWLMetric().measure(Ranking(query, gains, np.ones(len(gains)))))

    return {q: score(q, docs) for q, docs in run.items() if docs and q in qrels}


_CUTS_OF_NDEVAL = (5, 10, 20)
