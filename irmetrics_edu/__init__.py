"""Measures of rankings that show their working.

At the top stand the metrics, and what is done with any of them: `evaluate`, `compare`, `explain`,
`diagnose`. Everything else is imported from its wing: `irmetrics_edu.gate`, `runs`, `judging`,
`diagnosis`, `lab` ...
"""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

__version__ = "0.1.0.dev0"

# Where each public name lives: the metrics, by the registry ...
_HOME_OF_METRICS = {
    # <!-- metrics: generated -->
    "precision": "irmetrics_edu.metrics.set_based",
    "recall": "irmetrics_edu.metrics.set_based",
    "f_measure": "irmetrics_edu.metrics.set_based",
    "success": "irmetrics_edu.metrics.set_based",
    "r_precision": "irmetrics_edu.metrics.set_based",
    "accuracy": "irmetrics_edu.metrics.contingency",
    "fall_out": "irmetrics_edu.metrics.contingency",
    "nugget_f": "irmetrics_edu.metrics.answers",
    "r_precision_multiple": "irmetrics_edu.metrics.of_trec_eval",
    "set_average_precision": "irmetrics_edu.metrics.of_trec_eval",
    "utility": "irmetrics_edu.metrics.of_trec_eval",
    "average_precision": "irmetrics_edu.metrics.average_precision",
    "simplified_average_precision": "irmetrics_edu.metrics.average_precision",
    "interpolated_average_precision": "irmetrics_edu.metrics.average_precision",
    "interpolated_precision": "irmetrics_edu.metrics.average_precision",
    "reciprocal_rank": "irmetrics_edu.metrics.reciprocal_rank",
    "cg": "irmetrics_edu.metrics.cumulated_gain",
    "dcg": "irmetrics_edu.metrics.cumulated_gain",
    "ndcg": "irmetrics_edu.metrics.cumulated_gain",
    "err": "irmetrics_edu.metrics.user_models",
    "rbp": "irmetrics_edu.metrics.user_models",
    "q_measure": "irmetrics_edu.metrics.user_models",
    "insq": "irmetrics_edu.metrics.stopping_models",
    "inst": "irmetrics_edu.metrics.stopping_models",
    "bpref": "irmetrics_edu.metrics.incomplete",
    "inf_ap": "irmetrics_edu.metrics.incomplete",
    "judged": "irmetrics_edu.metrics.incomplete",
    "hole": "irmetrics_edu.metrics.incomplete",
    "roc_auc": "irmetrics_edu.metrics.curves",
    "pr_auc": "irmetrics_edu.metrics.curves",
    "break_even": "irmetrics_edu.metrics.curves",
    "group_auc": "irmetrics_edu.metrics.curves",
    "alpha_dcg": "irmetrics_edu.metrics.novelty",
    "alpha_ndcg": "irmetrics_edu.metrics.novelty",
    "relevance_probability": "irmetrics_edu.metrics.novelty",
    "err_ia": "irmetrics_edu.metrics.intent_aware",
    "nrbp": "irmetrics_edu.metrics.intent_aware",
    "precision_ia": "irmetrics_edu.metrics.per_intent",
    "average_precision_ia": "irmetrics_edu.metrics.per_intent",
    "subtopic_recall": "irmetrics_edu.metrics.per_intent",
    "category_coverage": "irmetrics_edu.metrics.diversity",
    "ilad": "irmetrics_edu.metrics.diversity",
    "ilmd": "irmetrics_edu.metrics.diversity",
    "gini": "irmetrics_edu.metrics.diversity",
    "entropy": "irmetrics_edu.metrics.diversity",
    "dcc": "irmetrics_edu.metrics.recommendation",
    "fdcc": "irmetrics_edu.metrics.recommendation",
    "dilad": "irmetrics_edu.metrics.recommendation",
    "average_popularity": "irmetrics_edu.metrics.popularity",
    "popularity_lift": "irmetrics_edu.metrics.popularity",
    "self_information": "irmetrics_edu.metrics.popularity",
    "popularity_complement": "irmetrics_edu.metrics.popularity",
    "serendipity": "irmetrics_edu.metrics.popularity",
    "personalisation": "irmetrics_edu.metrics.variety",
    "catalogue_coverage": "irmetrics_edu.metrics.variety",
    "awrf": "irmetrics_edu.metrics.fairness",
    "pair_accuracy": "irmetrics_edu.metrics.pairwise",
    "rbo": "irmetrics_edu.metrics.rank_similarity",
    "kendall_tau": "irmetrics_edu.metrics.rank_similarity",
    "tau_ap": "irmetrics_edu.metrics.rank_similarity",
    "compatibility": "irmetrics_edu.metrics.rank_similarity",
    "mean": "irmetrics_edu.metrics.over_queries",
    "geometric_mean": "irmetrics_edu.metrics.over_queries",
    "variance": "irmetrics_edu.metrics.over_queries",
    "standard_deviation": "irmetrics_edu.metrics.over_queries",
    # <!-- /metrics -->
}
# ... and what is done with them.
_HOMES = {
    "irmetrics_edu.metrics.contingency": "confusion",
    "irmetrics_edu.metrics.average_precision": "precision_recall_curve",
    "irmetrics_edu.metrics.curves": "roc_curve pr_curve",
    "irmetrics_edu.metrics.expected_exposure": "expected_exposure",
    "irmetrics_edu.metrics.definition": "METRICS metric",
    "irmetrics_edu.metrics.notation": "parse explain",
    "irmetrics_edu.runs.aggregation": (
        "mean_average_precision geometric_mean_average_precision mean_reciprocal_rank mean_err"
    ),
    "irmetrics_edu.runs.evaluation": "evaluate",
    "irmetrics_edu.runs.comparison": "compare",
    "irmetrics_edu.diagnosis.candidates": "diagnose",
    "irmetrics_edu.diagnosis.function": "diagnose_function",
    "irmetrics_edu.working": "Working",
    "irmetrics_edu.errors": "InputError NotRational RetrieverError",
}


def exporting(
    module: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """What a package needs to show names from its modules, each imported on its first use.

    `homes` maps a module to the names in it. The result is the package's `__getattr__`, `__dir__`
    and `__all__`.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def resolved(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(home_of[name]), name)
        vars(importlib.import_module(module))[name] = value
        return value

    return resolved, lambda: sorted(home_of), list(home_of)


_HOME_OF = _HOME_OF_METRICS | {
    name: home for home, names in _HOMES.items() for name in names.split()
}
__all__ = [*_HOME_OF]  # noqa: PLE0604 -- the keys are text


def __getattr__(name: str) -> Any:
    """Resolve a public name on first use, so that importing the package stays light."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = importlib.import_module(_HOME_OF[name])
    if name == "METRICS":  # the registry is complete for whoever looks at it
        home.import_all()
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
