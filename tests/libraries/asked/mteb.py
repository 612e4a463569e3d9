"""MTEB: its retrieval scores, of trec_eval's binding and of its own functions."""

from tests.libraries.asked import Answer, Drawn, scored

GROUP = "torch"
SKIPS = ("duplicates",)
OF_TREC_EVAL = {
    "NDCG": "ndcg",
    "MAP": "map",
    "Recall": "recall",
    "P": "precision",
    "HitRate": "hit_rate",
}
METRICS = (
    *(f"{name}@{k}" for name in (*OF_TREC_EVAL, "MRR") for k in (1, 3, 5)),
    *(f"R_cap_at_{k}" for k in (1, 3, 5)),
)
DRAWN = Drawn(grades=(0, 3), relevant=True)


def ask(metric, run, qrels):
    """The mean that its evaluator prints, to five digits; of its own functions value by query."""
    from mteb._evaluators import retrieval_metrics as m

    given = {q: dict(scored(docs)) for q, docs in run.items() if q in qrels}
    judged = {q: dict(j) for q, j in qrels.items()}
    name = metric.split("@")[0].split("_at_")[0]
    if name in OF_TREC_EVAL:
        found = m.calculate_retrieval_scores(given, judged, [1, 3, 5])
        return Answer(float(getattr(found, OF_TREC_EVAL[name])[metric]))
    own = {"MRR": m.mrr, "R_cap": m.recall_cap}[name](judged, given, [1, 3, 5])
    values = (float("nan") if v is None else float(v) for v in own[metric])
    return Answer(per_query=dict(zip(given, values, strict=True)))
