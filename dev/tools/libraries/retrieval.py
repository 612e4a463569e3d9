"""Further libraries of retrieval as functions of a run."""

from collections.abc import Mapping

from irmetrics_edu.diagnosis.conformance.adapters import (
    Beside,
    Measure,
    Qrels,
    Run,
    Scores,
    of_ir_measures,
)

# The measures that a provider of ir_measures has, with a cut-off and without.
_OF_PROVIDERS: Mapping[str, tuple[str, ...]] = {
    "cwl_eval": ("P@k", "RR", "AP", "RBP"),
    "gdeval": ("nDCG@k", "ERR@k"),
    "judged": ("Judged@k",),
    "msmarco": ("RR", "RR@k"),
    "ranx": ("nDCG", "nDCG@k", "AP", "AP@k", "RR", "P@k", "R@k", "Rprec", "Success@k"),
}


def of_provider(provider: str) -> Measure:
    """The function of one provider of ir_measures."""

    def measure(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
        if (metric if k is None else f"{metric}@k") not in _OF_PROVIDERS[provider]:
            return None
        if provider == "ranx":  # which refuses queries that are not in both
            run = {q: documents for q, documents in run.items() if documents and q in qrels}
            qrels = {q: judged for q, judged in qrels.items() if q in run}
        return of_ir_measures(metric, k, run, qrels, {}, provider)

    return measure


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
