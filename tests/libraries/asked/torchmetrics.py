"""torchmetrics: tensors of scores and of targets, a query at a time."""

from dev.tools.libraries.asked import answered
from irmetrics_edu.diagnosis.conformance.adapters import ask_torchmetrics
from tests.libraries.asked import Drawn

GROUP = "torch"
SKIPS = ("duplicates", "missing")
CUT = (
    "normalized_dcg",
    "average_precision",
    "reciprocal_rank",
    "precision",
    "recall",
    "hit_rate",
    "fall_out",
)
METRICS = (
    *(f"retrieval_{name} top_k={k}" for name in CUT for k in (None, 1, 3, 5, 20)),
    "retrieval_r_precision",
)
DRAWN = Drawn(grades=(0, 3), ties=False)

ask = answered(ask_torchmetrics)
