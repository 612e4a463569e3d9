"""Measures of rankings that show their working.

The reading path: `judgments`, `alignment`, `conventions`, `working`, `definition`, then the
families in `metrics`, then the views: `explanation`, `plotting`, `documents`.
"""

import importlib
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
    "matthews_correlation": "irmetrics_edu.metrics.contingency",
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
    "session_dcg": "irmetrics_edu.metrics.sessions",
    "err": "irmetrics_edu.metrics.user_models",
    "normalised_err": "irmetrics_edu.metrics.user_models",
    "rbp": "irmetrics_edu.metrics.user_models",
    "q_measure": "irmetrics_edu.metrics.user_models",
    "insq": "irmetrics_edu.metrics.stopping_models",
    "inst": "irmetrics_edu.metrics.stopping_models",
    "ift": "irmetrics_edu.metrics.stopping_models",
    "bejeweled": "irmetrics_edu.metrics.stopping_models",
    "time_biased_gain": "irmetrics_edu.metrics.stopping_models",
    "bpref": "irmetrics_edu.metrics.incomplete",
    "inf_ap": "irmetrics_edu.metrics.incomplete",
    "judged": "irmetrics_edu.metrics.incomplete",
    "hole": "irmetrics_edu.metrics.incomplete",
    "roc_auc": "irmetrics_edu.metrics.curves",
    "pr_auc": "irmetrics_edu.metrics.curves",
    "break_even": "irmetrics_edu.metrics.curves",
    "partial_auc": "irmetrics_edu.metrics.areas",
    "group_auc": "irmetrics_edu.metrics.areas",
    "alpha_dcg": "irmetrics_edu.metrics.novelty",
    "alpha_ndcg": "irmetrics_edu.metrics.novelty",
    "relevance_probability": "irmetrics_edu.metrics.novelty",
    "err_ia": "irmetrics_edu.metrics.intent_aware",
    "nrbp": "irmetrics_edu.metrics.intent_aware",
    "ndcg_ia": "irmetrics_edu.metrics.per_intent",
    "precision_ia": "irmetrics_edu.metrics.per_intent",
    "average_precision_ia": "irmetrics_edu.metrics.per_intent",
    "subtopic_recall": "irmetrics_edu.metrics.per_intent",
    "d_sharp_ndcg": "irmetrics_edu.metrics.per_intent",
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
# ... and all else.
_HOMES = {
    "irmetrics_edu.metrics.contingency": "confusion",
    "irmetrics_edu.metrics.average_precision": "precision_recall_curve",
    "irmetrics_edu.metrics.curves": "roc_curve pr_curve",
    "irmetrics_edu.runs.aggregation": (
        "mean_average_precision geometric_mean_average_precision mean_reciprocal_rank "
        "mean_err AGGREGATES Aggregate"
    ),
    "irmetrics_edu.runs.variation": "spread improvement",
    "irmetrics_edu.runs.repeated_runs": "Stability stability",
    "irmetrics_edu.runs.pooling": "pool leave_out",
    "irmetrics_edu.metrics.vertex_cover": "vertex_cover",
    "irmetrics_edu.metrics.expected_exposure": "expected_exposure",
    "irmetrics_edu.rows.item_categories": "exposure",
    "irmetrics_edu.metrics.pairwise": "pair_accuracy_table pair_counts",
    "irmetrics_edu.lab.tuning.plot_conditions": "plot_conditions",
    "irmetrics_edu.lab.tuning.tune": "tune_alpha tune_beta",
    "irmetrics_edu.lab.recommenders.interactions": "Interactions interactions",
    "irmetrics_edu.lab.recommenders.load": "load_interactions",
    "irmetrics_edu.lab.recommenders.lightgcn": "LightGCN",
    "irmetrics_edu.lab.recommenders.dgrec": "DGRec",
    "irmetrics_edu.lab.recommenders.presets": "preset presets",
    "irmetrics_edu.lab.recommenders.saved_models": "save_model load_model",
    "irmetrics_edu.lab.rerankers.mmr": "mmr",
    "irmetrics_edu.lab.rerankers.dpp": "dpp",
    "irmetrics_edu.lab.rerankers.facet_model": "facet_model facet_likelihood lda_facets",
    "irmetrics_edu.lab.rerankers.xquad": "xquad",
    "irmetrics_edu.lab.rerankers.pm2": "pm2",
    "irmetrics_edu.lab.rerankers.choices": "Reranking",
    "irmetrics_edu.lab.rerankers.pool": "tf_idf_relevance",
    "irmetrics_edu.lab.study.diversity_study": "Study study_diversity",
    "irmetrics_edu.lab.study.own_lists": "study_lists",
    "irmetrics_edu.lab.learning.ranking_data": "RankingData from_rankings",
    "irmetrics_edu.lab.learning.counted_words": "term_statistics",
    "irmetrics_edu.lab.learning.features": "term_feature featured",
    "irmetrics_edu.lab.learning.made_queries": "made_queries swamped_queries",
    "irmetrics_edu.lab.learning.letor": "read_letor parse_letor write_letor letor_lines",
    "irmetrics_edu.lab.learning.losses": (
        "squared_loss hinge_loss pair_loss pair_losses list_loss listnet_loss listmle_loss"
    ),
    "irmetrics_edu.lab.learning.pointwise": (
        "pointwise_regression pointwise_classification ordinal_regression"
    ),
    "irmetrics_edu.lab.learning.ranking_svm": "ranking_svm",
    "irmetrics_edu.lab.learning.pairs_with_ties": "tie_loss ranking_with_ties",
    "irmetrics_edu.lab.learning.listwise": "listnet listmle",
    "irmetrics_edu.lab.learning.association": "association_rules",
    "irmetrics_edu.lab.learning.adarank": "adarank",
    "irmetrics_edu.lab.learning.lambda_gradients": "lambda_loss lambda_gradients",
    "irmetrics_edu.lab.learning.lambdamart": "lambdamart",
    "irmetrics_edu.lab.learning.saved_rankers": "save_ranker load_ranker",
    "irmetrics_edu.course.collection.shipped": "load_collection",
    "irmetrics_edu.input_limits": "limits",
    "irmetrics_edu.runs.evaluation": "Evaluation evaluate",
    "irmetrics_edu.runs.comparison": "Comparison compare",
    "irmetrics_edu.distributed": "DistributedEvaluation evaluate_distributed",
    "irmetrics_edu.judging.passages": "Passage Retrieved",
    "irmetrics_edu.judging.one_answer": "retrieved",
    "irmetrics_edu.judging.built": "BuiltRun",
    "irmetrics_edu.judging.building": "build_run build_runs",
    "irmetrics_edu.judging.collapsing": "collapse",
    "irmetrics_edu.judging.contexts": "judge_contexts",
    "irmetrics_edu.judging.passage_judgments": (
        "JudgedPassages judge_by_text judge_by_span judge_by_page"
    ),
    "irmetrics_edu.diagnosis": "Diagnosis FunctionDiagnosis diagnose diagnose_function",
    "irmetrics_edu.metrics.definition": "METRICS Metric metric",
    "irmetrics_edu.metrics.notation": "parse",
    "irmetrics_edu.metrics.explaining": "explain",
    "irmetrics_edu.views.explanation": "Explanation",
    "irmetrics_edu.working": "Working",
    "irmetrics_edu.errors": "InputError NotRational RetrieverError",
}
_HOME_OF = {
    **_HOME_OF_METRICS,
    **{name: home for home, names in _HOMES.items() for name in names.split()},
}
__all__ = ["__version__", *_HOME_OF]  # noqa: PLE0604 -- the keys are text


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
    return sorted({*globals(), *__all__})
