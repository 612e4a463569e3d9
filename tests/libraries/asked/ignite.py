"""PyTorch-Ignite: a matrix of scores of all items and one of their grades."""

from dev.tools.libraries.asked_arrays import ask_ignite
from tests.libraries.asked import Drawn

GROUP = "torch"
SKIPS = ("duplicates", "missing")
METRICS = (
    *(f"NDCG(top_k=[{k}])" for k in (1, 3, 5, 20)),
    *(f"NDCG(top_k=[{k}], ignore_zero_hits=False)" for k in (1, 3, 5, 20)),
    *(f"NDCG(top_k=[{k}], gain_function='linear_rank')" for k in (1, 3, 5, 20)),
    *(f"HitRate(top_k=[{k}])" for k in (1, 3, 5, 20)),
)
DRAWN = Drawn(grades=(0, 3), found=True)
ask = ask_ignite
