"""TorchEval: tensors of scores and of labels 0 and 1, a query at a time."""

from dev.tools.libraries.asked_arrays import ask_torcheval
from tests.libraries.asked import Drawn

GROUP = "torch"
SKIPS = ("duplicates", "missing")
METRICS = (
    "retrieval_precision",
    *(f"retrieval_precision k={k}" for k in (1, 3, 5, 20)),
    *(f"retrieval_precision k={k} limit_k_to_size=True" for k in (1, 3, 5, 20)),
)
DRAWN = Drawn(ties=False)
ask = ask_torcheval
