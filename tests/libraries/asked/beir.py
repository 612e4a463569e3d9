"""BEIR: four means of trec_eval's binding, and its own functions."""

from dev.tools.libraries.asked_texts import ask_beir
from tests.libraries.asked import Drawn

GROUP = "light"
SKIPS = ("duplicates",)
NAMES = ("NDCG", "MAP", "Recall", "P", "MRR", "R_cap", "Accuracy")
METRICS = tuple(f"{name}@{k}" for name in NAMES for k in (1, 3, 5, 20))
DRAWN = Drawn(grades=(0, 3), relevant=True)
ask = ask_beir
