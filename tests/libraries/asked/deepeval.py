"""DeepEval: verdicts on the retrieved texts, given here in place of a model's."""

from tests.libraries.asked import Drawn
from tools.libraries.asked_texts import ask_deepeval

GROUP = "light"
METRICS = ("ContextualPrecisionMetric",)
DRAWN = Drawn()
ask = ask_deepeval
