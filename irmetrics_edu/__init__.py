"""Measures of rankings that show their working.

At the top stand the metrics, and what is done with any of them: `evaluate`, `compare`, `explain`,
`diagnose`. Everything else is imported from its wing: `irmetrics_edu.gate`, `runs`, `judging`,
`diagnosis`, `lab` ...
"""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

__version__ = "1.0.0"

# Where each public name lives: the metrics, by the registry ...
METRIC_HOMES = {
    # <!-- metrics: generated -->
    "irmetrics_edu.metrics.set_based": "precision recall f_measure success r_precision",
    "irmetrics_edu.metrics.contingency": "accuracy fall_out",
    "irmetrics_edu.metrics.answers": "nugget_f",
    "irmetrics_edu.metrics.of_trec_eval": "r_precision_multiple set_average_precision utility",
    "irmetrics_edu.metrics.average_precision": (
        "average_precision simplified_average_precision interpolated_average_precision "
        "interpolated_precision"
    ),
    "irmetrics_edu.metrics.reciprocal_rank": "reciprocal_rank hit_rank",
    "irmetrics_edu.metrics.cumulated_gain": "cg ncg dcg idcg ndcg",
    "irmetrics_edu.metrics.user_models": "err pfound rbp q_measure",
    "irmetrics_edu.metrics.stopping_models": "insq inst",
    "irmetrics_edu.metrics.incomplete": "bpref inf_ap judged hole",
    "irmetrics_edu.metrics.curves": "roc_auc pr_auc break_even",
    "irmetrics_edu.metrics.novelty": "alpha_dcg alpha_ndcg relevance_probability",
    "irmetrics_edu.metrics.intent_aware": "err_ia nrbp",
    "irmetrics_edu.metrics.per_intent": "precision_ia average_precision_ia subtopic_recall",
    "irmetrics_edu.metrics.diversity": "category_coverage ilad ilmd gini entropy",
    "irmetrics_edu.metrics.recommendation": "dcc fdcc dilad",
    "irmetrics_edu.metrics.popularity": (
        "average_popularity popularity_lift self_information popularity_complement serendipity "
        "propensity_scored_precision propensity_scored_ndcg"
    ),
    "irmetrics_edu.metrics.variety": "personalisation catalogue_coverage",
    "irmetrics_edu.metrics.fairness": "awrf",
    "irmetrics_edu.metrics.pairwise": "pair_accuracy",
    "irmetrics_edu.metrics.rank_similarity": "rbo kendall_tau tau_ap compatibility",
    "irmetrics_edu.metrics.over_queries": "mean geometric_mean variance",
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
    module: str, *homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """What a package needs to show names from its modules, each imported on its first use.

    `homes` map a module to the names in it. The result is the package's `__getattr__`, `__dir__`
    and `__all__`.
    """
    home_of = home_of_names(*homes)

    def resolved(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(home_of[name]), name)
        vars(importlib.import_module(module))[name] = value
        return value

    return resolved, lambda: sorted(home_of), list(home_of)


def home_of_names(*homes: Mapping[str, str]) -> dict[str, str]:
    """For each name the module that it is in."""
    home_of = {}
    for names_by_home in homes:
        for home, names in names_by_home.items():
            home_of.update(dict.fromkeys(names.split(), home))
    return home_of


_HOME_OF = home_of_names(METRIC_HOMES, _HOMES)
_resolved, __dir__, __all__ = exporting(__name__, METRIC_HOMES, _HOMES)


def __getattr__(name: str) -> Any:
    """Resolve a public name on first use, so that importing the package stays light."""
    if name == "METRICS":  # the registry is complete for whoever looks at it
        importlib.import_module(_HOME_OF[name]).import_all()
    return _resolved(name)
