"""RecTools: frames of recommended items with their ranks, and of relevant items."""

from dev.tools.libraries.asked_items import ask_rectools

GROUP = "light"
NAMES = ("NDCG", "MAP", "MRR", "Precision", "Recall", "F1Beta", "HitRate")
METRICS = (
    *(f"{name}@{k}" for name in NAMES for k in (1, 3, 5, 20)),
    *(f"NDCG@{k} divide_by_achievable" for k in (1, 3, 5, 20)),
    *(f"MAP@{k} divide_by_k" for k in (1, 3, 5, 20)),
    *(f"Precision@{k} r_precision" for k in (1, 3, 5, 20)),
)
ask = ask_rectools
