"""Torch-RecHub: lists of recommended items and of a user's items."""

from dev.tools.libraries.asked_items import ask_torch_rechub
from tests.libraries.asked import Drawn

GROUP = "torch"
METRICS = tuple(
    f"{name}@{k}" for name in ("NDCG", "MRR", "Recall", "Hit", "Precision") for k in (1, 3, 20)
)
DRAWN = Drawn(relevant=True)
ask = ask_torch_rechub
