"""mlflow: lists of ids, and of relevant ids."""

from tests.libraries.asked import Answer, ranked, relevant

GROUP = "light"
METRICS = tuple(
    f"{name}(k={k})" for name in ("ndcg_at_k", "precision_at_k", "recall_at_k") for k in (1, 3, 5)
)


def ask(metric, run, qrels):
    """All queries in one call, as an evaluation of a table does."""
    from mlflow.metrics import metric_definitions as m

    name, k = metric.rstrip(")").split("(k=")
    function = getattr(m, f"_{name}_eval_fn")(int(k))
    queries = [q for q in qrels if q in run]
    lists = [ranked(run[q]) for q in queries], [relevant(qrels[q]) for q in queries]
    found = function(*map(_series, lists))
    return Answer(
        float(found.aggregate_results["mean"]),
        dict(zip(queries, map(float, found.scores), strict=True)),
    )


def _series(lists):
    import pandas as pd

    return pd.Series(lists)
