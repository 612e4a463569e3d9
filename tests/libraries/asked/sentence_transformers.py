"""Sentence Transformers: the evaluator's own metrics, over hits that no model had to find."""

from tests.libraries.asked import Answer, Drawn, relevant, scored

GROUP = "torch"
NAMES = ("accuracy", "precision", "recall", "ndcg", "mrr", "map")
METRICS = tuple(f"{name}@{k}" for name in NAMES for k in (1, 3, 5))
DRAWN = Drawn(relevant=True)


def ask(metric, run, qrels):
    """All queries in one call; the evaluator leaves out those without relevant documents."""
    from sentence_transformers.evaluation import InformationRetrievalEvaluator

    name, k = metric.split("@")
    cuts = [int(k)]
    evaluator = InformationRetrievalEvaluator(
        {q: q for q in qrels},
        {d: d for docs in run.values() for d, _ in scored(docs)},
        {q: set(relevant(judged)) for q, judged in qrels.items()},
        mrr_at_k=cuts,
        ndcg_at_k=cuts,
        accuracy_at_k=cuts,
        precision_recall_at_k=cuts,
        map_at_k=cuts,
    )
    hits = [
        [{"corpus_id": d, "score": s} for d, s in scored(run.get(q, ()))]
        for q in evaluator.queries_ids
    ]
    return Answer(float(evaluator.compute_metrics(hits)[f"{name}@k"][int(k)]))
