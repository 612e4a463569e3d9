"""Torch-RecHub: lists of recommended items and of a user's items."""

from tests.libraries.asked import Drawn
from tools.libraries.asked_items import ask_torch_rechub

GROUP = "torch"
METRICS = tuple(
    f"{name}@{k}" for name in ("NDCG", "MRR", "Recall", "Hit", "Precision") for k in (1, 3, 20)
)
DRAWN = Drawn(relevant=True)
ask = ask_torch_rechub
