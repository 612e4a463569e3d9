"""The libraries that a checkout can ask beside those of `conformance run`.

`python -m dev.tools.libraries [LIBRARY ...]` runs them against the test vectors, as
`conformance run` does with the libraries of the package.
"""

import os
from collections.abc import Mapping

from dev.tools.libraries.asked import (
    beside_another,
    left_out,
    of_names,
    relevant_alone,
    without_ties,
)
from dev.tools.libraries.asked_arrays import (
    ask_ignite,
    ask_keras_rs,
    ask_rax,
    ask_tf_ranking,
    ask_torcheval,
    ask_xgboost,
)
from dev.tools.libraries.asked_items import (
    ask_implicit,
    ask_lenskit,
    ask_pyspark,
    ask_recmetrics,
    ask_recommenders,
    ask_rectools,
    ask_replay,
    ask_surprise,
    ask_torch_rechub,
)
from dev.tools.libraries.asked_texts import (
    ask_azure_ai_evaluation,
    ask_beir,
    ask_deepeval,
    ask_haystack,
    ask_llama_index,
    ask_mlflow,
    ask_mteb,
    ask_ragas,
    ask_sentence_transformers,
    ask_trulens,
)
from dev.tools.libraries.learners import (
    of_allrank,
    of_catboost,
)
from dev.tools.libraries.recommenders import of_cornac
from dev.tools.libraries.retrieval import (
    of_cwl_eval,
    of_provider,
    of_rankereval,
)
from irmetrics_edu.diagnosis.conformance.adapters import ADAPTERS, Adapter

__all__ = ["ALL", "MORE", "WITHOUT"]

os.environ.setdefault("KERAS_BACKEND", "jax")  # read when Keras is imported; its default is heavier

MORE: dict[str, Adapter] = {
    a.name: a
    for a in (
        *(
            Adapter(f"ir_measures[{name}]", package, module, of_provider(name))
            for name, package, module in (
                ("cwl_eval", "cwl-eval ir_measures", "cwl"),
                ("ranx", "ranx ir_measures", "ranx"),
                ("msmarco", "ir_measures", "ir_measures"),
                ("judged", "ir_measures", "ir_measures"),
            )
        ),
        Adapter("gdeval", "ir_measures", "ir_measures", of_provider("gdeval")),
        Adapter("cwl_eval", "cwl-eval", "cwl", of_cwl_eval),
        Adapter("rankerEval", "rankerEval", "rankereval", of_rankereval),
        Adapter("recmetrics", "recmetrics", "recmetrics", of_names("recmetrics", ask_recmetrics)),
        Adapter("RecTools", "rectools", "rectools", of_names("rectools", ask_rectools)),
        Adapter("RePlay", "replay-rec", "replay", of_names("replay", ask_replay)),
        Adapter(
            "recommenders",
            "recommenders",
            "recommenders",
            of_names("recommenders", relevant_alone(ask_recommenders)),
        ),
        Adapter("Cornac", "cornac", "cornac", of_cornac),
        Adapter(
            "llama_index",
            "llama-index-core",
            "llama_index",
            of_names("llama_index", left_out(ask_llama_index, "ValueError")),
        ),
        Adapter("XGBoost", "xgboost", "xgboost", of_names("xgboost", ask_xgboost)),
        Adapter("CatBoost", "catboost", "catboost", of_catboost),
        Adapter("allRank", "allRank", "allrank", of_allrank),
        Adapter(
            "TF-Ranking",
            "tensorflow-ranking",
            "tensorflow_ranking",
            of_names("tf_ranking", without_ties(ask_tf_ranking)),
        ),
        Adapter(
            "Sentence Transformers",
            "sentence-transformers",
            "sentence_transformers",
            of_names("sentence_transformers", ask_sentence_transformers),
        ),
        Adapter("BEIR", "beir", "beir", of_names("beir", left_out(ask_beir, "ZeroDivisionError"))),
        Adapter("MTEB", "mteb", "mteb", of_names("mteb", ask_mteb)),
        Adapter("MLflow", "mlflow", "mlflow", of_names("mlflow", ask_mlflow)),
        Adapter("Haystack", "haystack-ai", "haystack", of_names("haystack", ask_haystack)),
        Adapter("Ragas", "ragas", "ragas", of_names("ragas", ask_ragas)),
        Adapter("TruLens", "trulens-feedback", "trulens", of_names("trulens", ask_trulens)),
        Adapter("DeepEval", "deepeval", "deepeval", of_names("deepeval", ask_deepeval)),
        Adapter(
            "Azure AI Evaluation",
            "azure-ai-evaluation",
            "azure.ai.evaluation",
            of_names("azure_ai_evaluation", ask_azure_ai_evaluation, cuts=(3,)),
        ),
        Adapter(
            "PySpark",
            "pyspark",
            "pyspark",
            of_names("pyspark", beside_another(ask_pyspark, "PySparkValueError")),
        ),
        Adapter(
            "LensKit",
            "lenskit",
            "lenskit",
            of_names("lenskit", left_out(ask_lenskit, "ZeroDivisionError")),
        ),
        Adapter(
            "implicit",
            "implicit",
            "implicit",
            of_names("implicit", left_out(ask_implicit, "ZeroDivisionError")),
        ),
        Adapter(
            "Surprise",
            "scikit-surprise",
            "surprise",
            of_names("surprise", left_out(ask_surprise, "ValueError")),
        ),
        Adapter(
            "Torch-RecHub",
            "torch-rechub",
            "torch_rechub",
            of_names("torch_rechub", beside_another(ask_torch_rechub, "ZeroDivisionError")),
        ),
        Adapter(
            "ignite",
            "pytorch-ignite",
            "ignite",
            of_names("ignite", left_out(ask_ignite, "NotComputableError")),
        ),
        Adapter(
            "TorchEval",
            "torcheval",
            "torcheval",
            of_names("torcheval", without_ties(ask_torcheval)),
        ),
        Adapter("Rax", "rax", "rax", of_names("rax", ask_rax)),
        Adapter(
            "keras_rs",
            "keras-rs jax",
            "keras_rs",
            of_names("keras_rs", without_ties(ask_keras_rs)),
        ),
    )
}
ALL: dict[str, Adapter] = {**ADAPTERS, **MORE}
# Bundles whose library is not asked, and why; some of them may come with a later version.
WITHOUT: Mapping[str, str] = {
    "pytrec_eval": "it is the binding for trec_eval: run trec_eval instead",
    "trec_eval_10": "it has no Python binding; docs/lines.md says how its program was run",
    "lightgbm": "it computes its measures only while it trains",
    "evidently": "it gives the mean over a data set of its own, and no value of a query",
    "recbole": "its measures are computed inside its own evaluator",
    "elasticsearch": "it is a server: its rank evaluation API is asked over the network",
    "opensearch": "it is a server: its rank evaluation API is asked over the network",
    "opensearch_search_relevance": "it is a plugin of a server, which runs the experiments",
    "lucene": "it is a library of Java that measures its own searches",
    "ranklib": "it is a program of Java that measures its own rankings",
    "rre": "it is a program of Java that asks search servers",
    "quepid": "it is a web application, whose scorers run in a browser",
    "mteb_ignore_identical_ids": "it is MTEB with another flag: run mteb instead",
    "pyserini_remove_query": "it is a flag before trec_eval: run trec_eval instead",
}
