"""Whole runs: evaluated, compared, summarised, with notes on what the numbers don't show.

Start with `evaluation.py`.
"""

from irmetrics_edu import exporting

HOMES = {
    # Evaluations and comparisons, as `evaluate` and `compare` give them.
    "irmetrics_edu.runs.run_scores": "RunScores",
    "irmetrics_edu.runs.shown_scores": "ShownScores",
    "irmetrics_edu.runs.evaluation": "Evaluation",
    "irmetrics_edu.runs.comparison": "Comparison",
    "irmetrics_edu.runs.printed_scores": "read_scores",
    "irmetrics_edu.runs.rank_change": "PairwiseMRR RankChange p_mrr",
    # Over queries.
    "irmetrics_edu.runs.aggregation": "AGGREGATES Aggregate",
    "irmetrics_edu.runs.significance": "paired_difference minimum_detectable sign holm",
    # Pools: which documents of several runs are judged.
    "irmetrics_edu.runs.pooling": "pool",
}
__getattr__, __dir__, __all__ = exporting(__name__, HOMES)
