"""Libraries as functions of a run, asked under their own names of metrics."""

import importlib
import importlib.metadata
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from irmetrics_edu import __version__
from irmetrics_edu.diagnosis.conformance.asked import (
    beside_another,
    left_out,
    of_names,
    relevant_alone,
    without_ties,
)
from irmetrics_edu.diagnosis.conformance.asked_arrays import (
    OF_KERAS,
    ask_ignite,
    ask_keras_rs,
    ask_rax,
    ask_tf_ranking,
    ask_torcheval,
    ask_torchmetrics,
    ask_xgboost,
)
from irmetrics_edu.diagnosis.conformance.asked_items import (
    ask_implicit,
    ask_lenskit,
    ask_pyspark,
    ask_recmetrics,
    ask_recommenders,
    ask_surprise,
    ask_torch_rechub,
)
from irmetrics_edu.diagnosis.conformance.asked_texts import (
    ask_azure_ai_evaluation,
    ask_deepeval,
    ask_haystack,
    ask_llama_index,
    ask_mlflow,
    ask_mteb,
    ask_ragas,
    ask_ranx,
    ask_sentence_transformers,
)
from irmetrics_edu.diagnosis.conformance.learner_adapters import (
    of_allrank,
    of_catboost,
)
from irmetrics_edu.diagnosis.conformance.recommender_adapters import (
    Beside,
    Qrels,
    Run,
    Scores,
    of_cornac,
    of_rectools,
    of_replay,
)
from irmetrics_edu.diagnosis.conformance.retrieval_adapters import (
    measure_of_ir_measures,
    of_cwl_eval,
    of_ir_measures,
    of_ndeval,
    of_ours,
    of_provider,
    of_rankereval,
    of_scikit_learn,
    of_trec_eval,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES

__all__ = ["ADAPTERS", "WITHOUT", "Adapter", "adapter_of", "measure_of_ir_measures"]


_WITHIN = 6e-6  # gdeval prints five digits, others reckon in 32 bits


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even what it is a part of
        return False


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


@dataclass(frozen=True)
class Adapter:
    """A library: its name, the packages that have it, and how to ask it for a metric at k.

    `measure` maps each query that the library scores to its value, and gives None for a metric
    that it does not have. `below_numpy` is the major version of numpy that is too new for it.
    `settings` are variables of the environment that it reads when it is imported, and their values
    where nobody has set them.
    """

    name: str
    package: str
    module: str
    measure: Callable[[str, int | None, Run, Qrels, Beside], Scores | None]
    below_numpy: int = 0
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def why_not(self) -> str:
        """Why it can't be asked here; "" if it can."""
        if not _is_installed(self.module):
            return f"{self.name} is not installed here; pip install {self.package}"
        here = importlib.metadata.version("numpy")
        if self.below_numpy and int(here.partition(".")[0]) >= self.below_numpy:
            return (
                f"{self.name} {self.version} does not run with numpy {here}; in another "
                f'environment: pip install {self.package} "numpy<{self.below_numpy}"'
            )
        return ""

    @property
    def within(self) -> float:
        """The tolerance of its values: half of the last digit that it gives."""
        known = BUNDLES.get(_folded(self.name))
        return max(_WITHIN, 0.5000001 * 10.0 ** -(known.digits if known else 6))

    @property
    def version(self) -> str:
        """The version of the package."""
        if self.module == "irmetrics_edu":  # which may run from its folder, not installed
            return __version__
        return _version(self.package.split()[0]) or "of an unknown version"


ADAPTERS: dict[str, Adapter] = {
    a.name: a
    for a in (
        Adapter("irmetrics_edu", "irmetrics-edu", "irmetrics_edu", of_ours),
        Adapter("trec_eval", "pytrec_eval-terrier", "pytrec_eval", of_trec_eval),
        Adapter("ir_measures", "ir_measures", "ir_measures", of_ir_measures),
        Adapter("scikit-learn", "scikit-learn", "sklearn", of_scikit_learn),
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
        Adapter("ndeval", "pyndeval", "pyndeval", of_ndeval),
        Adapter("ranx", "ranx", "ranx", of_names("ranx", ask_ranx)),
        Adapter("rankerEval", "rankerEval", "rankereval", of_rankereval, below_numpy=2),
        Adapter("recmetrics", "recmetrics", "recmetrics", of_names("recmetrics", ask_recmetrics)),
        Adapter("RecTools", "rectools", "rectools", of_rectools),
        Adapter("RePlay", "replay-rec", "replay", of_replay),
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
        Adapter(
            "torchmetrics",
            "torchmetrics",
            "torchmetrics",
            of_names("torchmetrics", ask_torchmetrics),
        ),
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
        Adapter("MTEB", "mteb", "mteb", of_names("mteb", ask_mteb)),
        Adapter("MLflow", "mlflow", "mlflow", of_names("mlflow", ask_mlflow)),
        Adapter("Haystack", "haystack-ai", "haystack", of_names("haystack", ask_haystack)),
        Adapter("Ragas", "ragas", "ragas", of_names("ragas", ask_ragas)),
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
            settings=OF_KERAS,
        ),
    )
}
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
    "trulens": "its bundle was read in the source; nobody wrote an adapter yet",
}


def adapter_of(name: str) -> Adapter:
    """The adapter of a library, however its name is written.

    Raises InputError for a library that is not known or can't be asked.

    >>> adapter_of("rankereval").name
    'rankerEval'
    """
    by_name = {_folded(known): adapter for known, adapter in ADAPTERS.items()}
    if _folded(name) in by_name:
        return by_name[_folded(name)]
    if _folded(name) in WITHOUT:
        raise InputError(f"{name} can't be run: {WITHOUT[_folded(name)]}")
    raise InputError(f"{name!r} is not a known library; known are {', '.join(ADAPTERS)}")
