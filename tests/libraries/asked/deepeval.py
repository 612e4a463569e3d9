"""DeepEval: verdicts on the retrieved texts, given here in place of a model's."""

from dev.tools.libraries.asked_texts import ask_deepeval
from tests.libraries.asked import Drawn

GROUP = "light"
METRICS = ("ContextualPrecisionMetric",)
DRAWN = Drawn()
ask = ask_deepeval
