"""KerasRS: batches of lists of scores and of labels, on a backend of Keras."""

import os

from tests.libraries.asked import Answer, Drawn, scored

GROUP = "jax"
SKIPS = ("duplicates", "ties", "close", "missing")
NAMES = ("NDCG", "DCG", "MeanReciprocalRank", "MeanAveragePrecision", "PrecisionAtK", "RecallAtK")
METRICS = (*NAMES, *(f"{name}(k={k})" for name in NAMES for k in (1, 3, 5)))
DRAWN = Drawn(grades=(0, 3), ties=False)


def ask(metric, run, qrels):
    """All lists in one batch, shorter ones filled up and masked out; the library's own mean."""
    os.environ.setdefault("KERAS_BACKEND", "jax")
    import keras_rs
    import numpy as np

    name, _, k = metric.rstrip(")").partition("(k=")
    options = {"k": int(k)} if k else {}
    lists = [(qrels.get(q, {}), scored(docs)) for q, docs in run.items()]
    size = max(1, *(len(pairs) for _, pairs in lists))
    labels, scores = np.zeros((len(lists), size)), np.zeros((len(lists), size))
    mask = np.zeros((len(lists), size), dtype=bool)
    for i, (judged, pairs) in enumerate(lists):
        for j, (d, s) in enumerate(pairs):
            labels[i, j], scores[i, j], mask[i, j] = judged.get(d, 0), s, True
    function = getattr(keras_rs.metrics, name)(**options)
    function.update_state({"labels": labels, "mask": mask}, scores)
    return Answer(float(function.result()))
