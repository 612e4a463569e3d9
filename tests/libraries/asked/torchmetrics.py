"""torchmetrics: tensors of scores and of targets, a query at a time."""

from tests.libraries.asked import Answer, Drawn, scored

GROUP = "torch"
SKIPS = ("duplicates", "missing")
CUT = (
    "normalized_dcg",
    "average_precision",
    "reciprocal_rank",
    "precision",
    "recall",
    "hit_rate",
    "fall_out",
)
METRICS = (
    *(f"retrieval_{name} top_k={k}" for name in CUT for k in (None, 1, 3, 5)),
    "retrieval_r_precision",
)
DRAWN = Drawn(grades=(0, 3), ties=False)


def ask(metric, run, qrels):
    """Of the retrieved alone; grades for nDCG, and from 1 on as 1 for the others."""
    import torch
    from torchmetrics.functional import retrieval

    name, _, k = metric.partition(" top_k=")
    options = {"top_k": None if k == "None" else int(k)} if k else {}
    graded = "dcg" in name
    values = {}
    for q, docs in run.items():
        pairs = scored(docs)
        grades = [qrels.get(q, {}).get(d, 0) for d, _ in pairs]
        target = torch.tensor(grades if graded else [int(g >= 1) for g in grades])
        scores = torch.tensor([s for _, s in pairs])
        values[q] = float(getattr(retrieval, name)(scores, target, **options))
    return Answer(per_query=values)
