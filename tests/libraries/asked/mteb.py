"""MTEB: its retrieval scores, of trec_eval's binding and of its own functions."""

from dev.tools.libraries.asked_texts import ask_mteb
from tests.libraries.asked import Drawn

GROUP = "torch"
SKIPS = ("duplicates",)
OF_TREC_EVAL = ("NDCG", "MAP", "Recall", "P", "HitRate")
METRICS = (
    *(f"{name}@{k}" for name in (*OF_TREC_EVAL, "MRR") for k in (1, 3, 5, 20)),
    *(f"R_cap_at_{k}" for k in (1, 3, 5, 20)),
)
DRAWN = Drawn(grades=(0, 3), relevant=True)
ask = ask_mteb
