"""DeepEval: verdicts on the retrieved texts, given here in place of a model's."""

from irmetrics_edu.diagnosis.conformance.asked_texts import ask_deepeval
from tests.libraries.asked import Drawn

GROUP = "light"
METRICS = ("ContextualPrecisionMetric",)
DRAWN = Drawn()
ask = ask_deepeval
