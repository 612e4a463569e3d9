"""ranx: a Run and Qrels, which it sorts itself."""

from irmetrics_edu.diagnosis.conformance.asked_texts import ask_ranx
from tests.libraries.asked import Drawn

GROUP = "compiled"
SKIPS = ("duplicates", "empty", "nothing", "missing")
NAMES = ("ndcg", "ndcg_burges", "map", "mrr", "precision", "recall", "f1")
METRICS = (
    *NAMES,
    *(f"{name}@{k}" for name in (*NAMES, "dcg", "hit_rate", "hits") for k in (1, 5, 20)),
    "r-precision",
    "rbp.80",
)
DRAWN = Drawn()
ask = ask_ranx
