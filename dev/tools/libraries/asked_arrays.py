"""How libraries on arrays are asked: scores and labels of the retrieved alone."""

import os
from typing import Any

from dev.tools.libraries.asked import Answer, Lists, Qrels, filled, labelled


def ask_ignite(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """All users in one batch; shorter lists are filled up with label 0."""
    import torch  # type: ignore[import-not-found]
    from ignite.metrics import rec_sys  # type: ignore[import-not-found]

    name, options = metric.rstrip(")").split("(")
    k = int(options.split("]")[0].removeprefix("top_k=["))
    given: dict[str, Any] = {"top_k": [k]}
    if "linear_rank" in options:
        given["gain_function"] = "linear_rank"
    if "ignore_zero_hits" in options:
        given["ignore_zero_hits"] = False
    lists = list(labelled(run, qrels))
    if not lists:
        return Answer(per_query={})
    size = max(k, *(len(scores) for _, scores, _ in lists))
    function = getattr(rec_sys, name)(**given)
    function.update(
        (
            torch.tensor(filled([scores for _, scores, _ in lists], size, -1e9)),
            torch.tensor(filled([labels for *_, labels in lists], size, 0.0)),
        )
    )
    return Answer(float(function.compute()[0]))


def ask_keras_rs(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """All lists in one batch, shorter ones filled up and masked out; the library's own mean."""
    os.environ.setdefault("KERAS_BACKEND", "jax")  # read on import; its own default is heavier
    import keras_rs  # type: ignore[import-not-found]
    import numpy as np

    name, _, k = metric.rstrip(")").partition("(k=")
    lists = list(labelled(run, qrels))
    if not lists:
        return Answer(per_query={})
    size = max(1, *(len(scores) for _, scores, _ in lists))
    function = getattr(keras_rs.metrics, name)(**({"k": int(k)} if k else {}))
    scores = np.array(filled([found for _, found, _ in lists], size, 0.0))
    labels = np.array(filled([found for *_, found in lists], size, 0.0))
    mask = np.array([[i < len(found) for i in range(size)] for _, found, _ in lists])
    function.update_state({"labels": labels, "mask": mask}, scores)
    return Answer(float(function.result()))


def ask_rax(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Arrays, a list at a time."""
    import jax.numpy as jnp  # type: ignore[import-not-found]
    import rax  # type: ignore[import-not-found]

    name, _, topn = metric.partition(" topn=")
    options = {"topn": int(topn)} if topn else {}
    return Answer(
        per_query={
            q: float(getattr(rax, name)(jnp.array(scores), jnp.array(labels), **options))
            for q, scores, labels in labelled(run, qrels)
        }
    )


def ask_torcheval(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """Tensors of scores and of labels, a query at a time; grades from 1 on are 1."""
    import torch
    from torcheval.metrics import functional  # type: ignore[import-not-found]

    name, *options = metric.split(" ")
    given: dict[str, Any] = {"k": None}
    for option in options:
        key, value = option.split("=")
        given[key] = value == "True" or int(value)
    function = getattr(functional, name)
    return Answer(
        per_query={
            q: float(
                function(
                    torch.tensor(scores), torch.tensor([float(x >= 1) for x in labels]), **given
                )
            )
            for q, scores, labels in labelled(run, qrels)
        }
    )


_LONG = {
    "map": "MeanAveragePrecision",
    "precision": "Precision",
    "recall": "Recall",
    "hits": "Hits",
}


def ask_tf_ranking(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """All lists in one batch, shorter ones filled up with label -1; the library's own mean."""
    import tensorflow_ranking as tfr  # type: ignore[import-not-found]

    name, _, k = metric.partition("@")
    lists = list(labelled(run, qrels))
    if not lists:
        return Answer(per_query={})
    size = max(1, *(len(scores) for _, scores, _ in lists))
    labels = filled([found for *_, found in lists], size, -1.0)
    scores = filled([found for _, found, _ in lists], size, 0.0)
    kind = getattr(tfr.keras.metrics, f"{_LONG.get(name, name.upper())}Metric")
    return Answer(float(kind(**({"topn": int(k)} if k else {}))(labels, scores)))


def ask_xgboost(metric: str, run: Lists, qrels: Qrels) -> Answer:
    """What a booster without trees says of scores given as its margin, a query at a time.

    Only nDCG takes grades; for the others grades from 1 on are 1.
    """
    import numpy as np
    import xgboost  # type: ignore[import-not-found]

    options = {"objective": "rank:pairwise", "eval_metric": metric, "base_score": 0.0}
    values = {}
    for q, scores, labels in labelled(run, qrels):
        kept = labels if metric.startswith("ndcg") else [float(x >= 1) for x in labels]
        data = xgboost.DMatrix(
            np.zeros((len(kept), 1)), label=kept, base_margin=scores, qid=[0] * len(kept)
        )
        booster = xgboost.train(options, data, num_boost_round=0)
        values[q] = float(booster.eval(data).rpartition(":")[2])
    return Answer(per_query=values)
