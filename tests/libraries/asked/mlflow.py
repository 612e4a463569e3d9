"""mlflow: lists of ids, and of relevant ids."""

from dev.tools.libraries.asked_texts import ask_mlflow

GROUP = "light"
METRICS = tuple(
    f"{name}(k={k})"
    for name in ("ndcg_at_k", "precision_at_k", "recall_at_k")
    for k in (1, 3, 5, 20)
)
ask = ask_mlflow
