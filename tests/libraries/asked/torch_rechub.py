"""Torch-RecHub: lists of recommended items and of a user's items."""

from tests.libraries.asked import Answer, Drawn, ranked, relevant

GROUP = "torch"
METRICS = tuple(
    f"{name}@{k}" for name in ("NDCG", "MRR", "Recall", "Hit", "Precision") for k in (1, 3)
)
DRAWN = Drawn(relevant=True)


def ask(metric, run, qrels):
    """All users in one call, their lists filled up to k with items that nobody has."""
    from torch_rechub.basic.metric import topk_metrics

    name, k = metric.split("@")
    expected = {q: relevant(judged) for q, judged in qrels.items()}
    given = {q: ranked(run[q]) + ["none"] * int(k) for q in qrels if q in run}
    text = topk_metrics(expected, given, topKs=[int(k)])[name][0]
    return Answer(float(text.split(": ")[1]))
