"""Whole runs: evaluated, compared, summarised, with notes on what the numbers don't show.

Start with `evaluation.py`.
"""

from irmetrics_edu import exporting

HOMES = {
    # Evaluations and comparisons, as `evaluate` and `compare` give them.
    "irmetrics_edu.runs.evaluation": "Evaluation",
    "irmetrics_edu.runs.comparison": "Comparison",
    "irmetrics_edu.runs.printed_scores": "read_scores",
    # Over queries and systems.
    "irmetrics_edu.runs.aggregation": "AGGREGATES Aggregate",
    "irmetrics_edu.runs.variation": "Spread spread improvement",
    "irmetrics_edu.runs.significance": "paired_difference minimum_detectable sign holm",
    # Pools, and how runs depend on them.
    "irmetrics_edu.runs.pooling": "pool leave_out",
}
__getattr__, __dir__, __all__ = exporting(__name__, HOMES)
