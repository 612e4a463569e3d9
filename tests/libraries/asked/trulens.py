"""TruLens: expected chunks with their scores, and retrieved chunks in order."""

from dev.tools.libraries.asked_texts import ask_trulens
from tests.libraries.asked import Drawn

GROUP = "light"
CUT = ("ndcg_at_k", "precision_at_k", "recall_at_k", "ir_hit_rate")
METRICS = (*(f"{name} k={k}" for name in CUT for k in (1, 3, 5, 20, None)), "mrr")
DRAWN = Drawn(relevant=True)  # else the ideal may be below 0, of which a quirk speaks
ask = ask_trulens
