"""TF-Ranking: batches of lists of scores and of labels, in which -1 is padding."""

from tests.libraries.asked import Answer, Drawn, scored

GROUP = "tensorflow"
SKIPS = ("duplicates", "ties", "close", "missing")
NAMES = {"ndcg": "NDCG", "dcg": "DCG", "mrr": "MRR", "map": "MeanAveragePrecision",
         "precision": "Precision", "recall": "Recall", "hits": "Hits", "opa": "OPA"}  # fmt: skip
METRICS = (
    *(n for n in NAMES if n not in ("precision", "recall", "hits")),
    *(f"{name}@{k}" for name in NAMES if name != "opa" for k in (1, 3, 5)),
)
DRAWN = Drawn(grades=(-1, 3), ties=False, relevant=True)


def ask(metric, run, qrels):
    """All lists in one batch; the library's own mean."""
    import tensorflow as tf
    import tensorflow_ranking as tfr

    name, _, k = metric.partition("@")
    options = {"topn": int(k)} if k else {}
    kind = getattr(tfr.keras.metrics, f"{NAMES[name]}Metric")
    lists = [(qrels.get(q, {}), scored(docs)) for q, docs in run.items()]
    size = max(1, *(len(pairs) for _, pairs in lists))
    labels = [[float(j.get(d, 0)) for d, _ in p] + [-1.0] * (size - len(p)) for j, p in lists]
    scores = [[s for _, s in p] + [0.0] * (size - len(p)) for _, p in lists]
    function = kind(**options)
    function.update_state(tf.constant(labels), tf.constant(scores))
    return Answer(float(function.result()))
