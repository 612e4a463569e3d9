"""LensKit: an ordered list of recommended items and a list of test items."""

from dev.tools.libraries.asked_items import ask_lenskit
from tests.libraries.asked import Drawn

GROUP = "torch"
NAMES = ("NDCG", "DCG", "AveragePrecision", "Precision", "Recall", "RecipRank", "Hit", "RBP")
METRICS = (
    *NAMES,
    *(f"{name}@{k}" for name in NAMES for k in (1, 3, 5, 20)),
    "NDCG gain=rating",
    *(f"NDCG@{k} gain=rating" for k in (1, 3, 5, 20)),
)
DRAWN = Drawn(grades=(0, 3), relevant=True)
ask = ask_lenskit
