"""What a metric is, and the metrics: kernels from rows to a `Working`, a file per family.

Start with `definition.py`.
"""

import importlib

from irmetrics_edu import exporting

# In reading order: from sets to rankings, grades, gaps, novelty, recommendation, many queries.
FAMILIES = (
    "set_based",
    "contingency",
    "answers",
    "of_trec_eval",
    "average_precision",
    "reciprocal_rank",
    "cumulated_gain",
    "user_models",
    "stopping_models",
    "incomplete",
    "curves",
    "novelty",
    "intent_aware",
    "per_intent",
    "diversity",
    "recommendation",
    "popularity",
    "variety",
    "fairness",
    "pairwise",
    "rank_similarity",
    "over_queries",
)


def load() -> None:
    """Import every family, so that the registry is complete."""
    for family in FAMILIES:
        importlib.import_module(f"irmetrics_edu.metrics.{family}")


HOMES = {
    "irmetrics_edu.metrics.definition": "Metric",
    "irmetrics_edu.rows.recommended": "exposure",
}
__getattr__, __dir__, __all__ = exporting(__name__, HOMES)
