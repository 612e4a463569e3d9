"""Haystack: lists of documents, compared by their ids."""

from dev.tools.libraries.asked_texts import ask_haystack
from tests.libraries.asked import Drawn

GROUP = "light"
METRICS = (
    "DocumentMAPEvaluator",
    "DocumentMRREvaluator",
    "DocumentNDCGEvaluator",
    "DocumentNDCGEvaluator scores",
    "DocumentRecallEvaluator single_hit",
    "DocumentRecallEvaluator multi_hit",
)
DRAWN = Drawn(grades=(0, 3))
ask = ask_haystack
