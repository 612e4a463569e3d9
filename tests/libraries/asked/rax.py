"""Rax: arrays of scores and of labels, a list at a time."""

from dev.tools.libraries.asked_arrays import ask_rax
from tests.libraries.asked import Drawn

GROUP = "jax"
SKIPS = ("duplicates", "missing")
NAMES = ("ndcg", "dcg", "mrr", "ap", "precision", "recall")
METRICS = (
    *(f"{n}_metric" for n in NAMES),
    *(f"{n}_metric topn={k}" for n in NAMES for k in (1, 3, 5, 20)),
    "opa_metric",
)
DRAWN = Drawn(grades=(0, 3))
ask = ask_rax
