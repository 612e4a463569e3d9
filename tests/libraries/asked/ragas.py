"""Ragas: verdicts on the retrieved texts in place of a model's, and ids for the metrics of ids."""

from tests.libraries.asked import Drawn
from tools.libraries.asked_texts import ask_ragas

GROUP = "light"
METRICS = ("LLMContextPrecisionWithReference", "IDBasedContextPrecision", "IDBasedContextRecall")
DRAWN = Drawn(relevant=True)
ask = ask_ragas
