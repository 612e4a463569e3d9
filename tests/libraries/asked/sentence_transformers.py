"""Sentence Transformers: the evaluator's own metrics, over hits that no model had to find."""

from dev.tools.libraries.asked_texts import ask_sentence_transformers
from tests.libraries.asked import Drawn

GROUP = "torch"
NAMES = ("accuracy", "precision", "recall", "ndcg", "mrr", "map")
METRICS = tuple(f"{name}@{k}" for name in NAMES for k in (1, 3, 5, 20))
DRAWN = Drawn(relevant=True)
ask = ask_sentence_transformers
