"""The lab is for teaching and for reproducing papers, not for production.

For production use LightGBM or XGBoost (LambdaMART), implicit, RecBole or Cornac (recommenders), and
obp (estimates from logs). They train on more data than memory holds, in parallel and with early
stopping, and take missing values. The lab's learners and recommenders keep everything in memory (2
million pairs), grow trees of at most three levels, add every round that you ask for, and refuse
missing values. In return they show their working, and give the same numbers on every machine. Two
are learnt by scikit-learn, which stops within a tolerance: classification and ordinal regression.
With a large `C` their last steps depend on the machine.

`from_lightgbm`, `from_xgboost`, `from_sklearn` and `from_lists` bring models of other libraries to
the workings, gates and studies here.

Start with `rerankers/mmr.py`.
"""

from irmetrics_edu import exporting

HOMES = {
    # Recommenders: interactions of users and items, models, their settings and files.
    "irmetrics_edu.lab.recommenders.interactions": "Interactions interactions",
    "irmetrics_edu.lab.recommenders.load": "load_interactions load_ratings",
    "irmetrics_edu.lab.recommenders.lightgcn": "LightGCN",
    "irmetrics_edu.lab.recommenders.dgrec": "DGRec",
    "irmetrics_edu.lab.recommenders.recommender": "Popularity Random",
    # Re-ranking for diversity: a choice at a time.
    "irmetrics_edu.lab.rerankers.mmr": "mmr",
    "irmetrics_edu.lab.rerankers.dpp": "dpp",
    "irmetrics_edu.lab.rerankers.facet_model": "facet_model facet_likelihood lda_facets",
    "irmetrics_edu.lab.rerankers.xquad": "xquad",
    "irmetrics_edu.lab.rerankers.choices": "Reranking",
    # The study: do gains in diversity count?
    "irmetrics_edu.lab.study.diversity_study": "Study study_diversity",
    "irmetrics_edu.lab.study.rankers": "Settings",
    "irmetrics_edu.lab.study.own_lists": "study_lists",
    "irmetrics_edu.lab.study.claims": "claims",
    # The discount coefficients of DCC and DILAD.
    "irmetrics_edu.lab.tuning.tune": "tune_alpha tune_beta",
    "irmetrics_edu.lab.tuning.plot_conditions": "plot_conditions",
    # Learning to rank: data, features, files.
    "irmetrics_edu.lab.learning.ranking_data": "RankingData from_rankings",
    "irmetrics_edu.lab.learning.features": "term_statistics term_feature featured",
    "irmetrics_edu.lab.learning.made_queries": "made_queries swamped_queries",
    "irmetrics_edu.lab.learning.letor": "read_letor",
    # Losses of a document, a pair, a list.
    "irmetrics_edu.lab.learning.losses": (
        "squared_loss hinge_loss pair_loss pair_losses list_loss listnet_loss listmle_loss "
        "lambda_loss lambda_gradients"
    ),
    "irmetrics_edu.lab.learning.pair_learners": "ranking_svm tie_loss ranking_with_ties",
    # Learners.
    "irmetrics_edu.lab.learning.pointwise": (
        "pointwise_regression pointwise_classification ordinal_regression association_rules"
    ),
    "irmetrics_edu.lab.learning.listwise": "listnet listmle adarank",
    "irmetrics_edu.lab.learning.lambdamart": "lambdamart",
    # Models of other libraries.
    "irmetrics_edu.lab.learning.trained_models": (
        "from_lightgbm from_xgboost from_sklearn from_lists"
    ),
    # Users: clicks, interleaving, A/B tests, estimates from logs.
    "irmetrics_edu.lab.online.clicks": "Cascade PositionBased attractiveness relative_examination",
    "irmetrics_edu.lab.online.interleaving": "Interleaved balanced preference team_draft",
    "irmetrics_edu.lab.online.experiments": "difference users_needed",
    "irmetrics_edu.lab.online.logs": "ips snips",
    "irmetrics_edu.lab.online.random_numbers": "Chance",
    # Costs of an engine.
    "irmetrics_edu.lab.efficiency.engines": "Document Engine Fts5",
    "irmetrics_edu.lab.efficiency.measures": (
        "Indexing Querying index answer elapsed_time processor_time indexing_rate "
        "throughput latency final_size temporary_size"
    ),
}
__getattr__, __dir__, __all__ = exporting(__name__, HOMES)
