"""Microsoft Recommenders: data frames of ratings and of predictions."""

from tests.libraries.asked import Answer, Drawn, scored

GROUP = "light"
METRICS = (
    *(
        f"{name} k={k}"
        for name in ("ndcg_at_k", "map", "map_at_k", "precision_at_k", "recall_at_k")
        for k in (1, 3, 5)
    ),
    *(f"ndcg_at_k k={k} score_type='{kind}'" for kind in ("raw", "exp") for k in (3, 5)),
)
DRAWN = Drawn(ties=False)


def ask(metric, run, qrels):
    """The library's means over the users that both frames have."""
    import pandas as pd
    from recommenders.evaluation import python_evaluation as e

    name, k, *kind = metric.replace("k=", "").split(" ")
    true = pd.DataFrame(
        [(q, d, float(g)) for q, judged in qrels.items() for d, g in judged.items()],
        columns=["userID", "itemID", "rating"],
    ).astype({"userID": str, "itemID": str, "rating": float})
    predicted = pd.DataFrame(
        [(q, d, s) for q, docs in run.items() for d, s in scored(docs)],
        columns=["userID", "itemID", "prediction"],
    ).astype({"userID": str, "itemID": str, "prediction": float})
    options = {"score_type": kind[0].split("'")[1]} if kind else {}
    return Answer(
        float(getattr(e, name)(true, predicted, relevancy_method="top_k", k=int(k), **options))
    )
