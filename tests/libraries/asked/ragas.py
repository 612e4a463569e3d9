"""Ragas: verdicts on the retrieved texts in place of a model's, and ids for the metrics of ids."""

from dev.tools.libraries.asked_texts import ask_ragas
from tests.libraries.asked import Drawn

GROUP = "light"
METRICS = ("LLMContextPrecisionWithReference", "IDBasedContextPrecision", "IDBasedContextRecall")
DRAWN = Drawn(relevant=True)
ask = ask_ragas
