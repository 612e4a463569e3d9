"""ranx: a Run and Qrels, which it sorts itself."""

from dev.tools.libraries.asked import answered
from irmetrics_edu.diagnosis.conformance.adapters import ask_ranx
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
ask = answered(ask_ranx)
