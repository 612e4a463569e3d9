"""RePlay: mappings of users to their items."""

from dev.tools.libraries.asked_items import ask_replay

GROUP = "light"
NAMES = ("NDCG", "MAP", "MRR", "Precision", "Recall", "HitRate")
METRICS = tuple(f"{name}@{k}" for name in NAMES for k in (1, 3, 5, 20))
ask = ask_replay
