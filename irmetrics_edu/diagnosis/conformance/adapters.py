"""Libraries as functions of a run and judgments: what `conformance run` asks.

Each is asked for one of our metrics at k, and gives a value per query. A library is imported when
it is asked. `dev/tools/libraries` asks more of them, in a checkout.
"""

import importlib.metadata
import importlib.util
import math
import subprocess
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from irmetrics_edu import __version__
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, OURS

__all__ = ["ADAPTERS", "Adapter", "adapter_of", "measure_of_ir_measures"]

Run = Mapping[str, Any]  # the scores of documents by query; of recommended items, lists
Qrels = Mapping[str, Any]  # by query: grades, nuggets by document, or relevant items, if any
Beside = Mapping[str, Any]  # the categories or the embeddings of items
Scores = Mapping[str, float]
Measure = Callable[[str, int | None, Run, Qrels, Beside], Scores | None]

_WITHIN = 6e-6  # some print five digits, others reckon in 32 bits
_CUTS_OF_NDEVAL = (5, 10, 20)


def folded(name: str) -> str:
    """A library's name, however it is written."""
    return name.casefold().replace("-", "_").replace(" ", "_")


@dataclass(frozen=True)
class Adapter:
    """A library: its name, the packages that have it, and how to ask it for a metric at k.

    `measure` maps each query that the library scores to its value, and gives None for a metric
    that it does not have.
    """

    name: str
    package: str
    module: str
    measure: Measure

    @property
    def why_not(self) -> str:
        """Why it can't be asked here; "" if it can."""
        try:
            is_installed = importlib.util.find_spec(self.module) is not None
        except ModuleNotFoundError:  # not even what it is a part of
            is_installed = False
        if is_installed:
            return ""
        return f"{self.name} is not installed here; pip install {self.package}"

    @property
    def within(self) -> float:
        """The tolerance of its values: half of the last digit that it gives."""
        library = BUNDLES.get(folded(self.name))
        return max(_WITHIN, 0.5000001 * 10.0 ** -(library.digits if library else 6))

    @property
    def version(self) -> str:
        """The version of the package."""
        if self.module == "irmetrics_edu":  # which may run from its folder, not installed
            return __version__
        try:
            return importlib.metadata.version(self.package.split()[0])
        except importlib.metadata.PackageNotFoundError:
            return "of an unknown version"


def labelled(run: Run, qrels: Qrels) -> Iterator[tuple[str, list[float], list[float]]]:
    """The scores and grades of each query's retrieved documents; 0 if unjudged."""
    for query, documents in run.items():
        judged = qrels.get(query, {})
        grades = [float(judged.get(d, 0)) for d in documents]
        yield query, [float(s) for s in documents.values()], grades


def _nuggets(qrels: Qrels) -> Iterator[tuple[str, str, str]]:
    for query, documents in qrels.items():
        for document, nuggets in documents.items():
            for nugget in nuggets:
                yield query, document, nugget


def asked_as(name: str, metric: str, k: int | None) -> str | None:
    """The first name that a library's bundle has for a metric at k; None if it has none.

    A name that sets a number is another metric: LensKit's RBP has a persistence of 0.85. An
    infinite one says that everything counts.

    >>> asked_as("mlflow", "R", 5)
    'recall_at_k(k=5)'
    """
    for pattern in BUNDLES[name].metrics:
        if ("{k}" in pattern) == (k is None):
            continue
        full_name = pattern.replace("{k}", str(k))
        if "{" in full_name:
            continue
        candidate, _ = BUNDLES[name].measure(full_name)
        changed_options = {
            n: v for n, v in candidate.params.items() if v != candidate.defaults.get(n)
        }
        numbers = [
            v for v in changed_options.values() if isinstance(v, int | float) and math.isfinite(v)
        ]
        if candidate.name == metric and candidate.k == k and not numbers:
            return full_name
    return None


def by_name(library: str, ask: Callable[[str, Run, Qrels], Scores]) -> Measure:
    """A library that is asked for a metric by the name that its bundle has."""

    def measure(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
        full_name = asked_as(library, metric, k)
        if full_name is None:
            return None
        both = {q: documents for q, documents in run.items() if documents and q in qrels}
        return ask(full_name, both, {q: qrels[q] for q in both})

    return measure


def of_ours(metric: str, k: int | None, run: Run, qrels: Qrels, beside: Beside) -> Scores | None:
    """This package, by its defaults."""
    from irmetrics_edu.metrics.notation import parse
    from irmetrics_edu.runs.evaluation import evaluate

    asked = parse(metric) if k is None else parse(metric) @ k
    per_query = evaluate(run, qrels or None, [asked], OURS, **beside).per_query[repr(asked)]
    return {str(q): float(v) for q, v in per_query.items()}


def ask_trec_eval(metric: str, run: Run, qrels: Qrels) -> Scores:
    """The C of trec_eval through its Python binding."""
    import pytrec_eval

    name, number = metric.rpartition("_")[::2]
    request = f"{name}.{number}" if number.isdigit() else metric
    by_query = pytrec_eval.RelevanceEvaluator(qrels, {request}).evaluate(run)
    return {q: float(values[metric]) for q, values in by_query.items()}


# What ir_measures leaves to ndeval, whose bundle has these measures.
_OF_SUBTOPICS = {
    "alpha-DCG": "alpha_DCG",
    "alpha-nDCG": "alpha_nDCG",
    "ERR-IA": "ERR_IA",
    "NRBP": "NRBP",
    "P-IA": "P_IA",
    "AP-IA": "AP_IA",
    "S-recall": "StRecall",
}
_OF_ALL_RANKS = ("NRBP", "AP-IA")


def measure_of_ir_measures(text: str) -> Any:
    """The measure that ir_measures knows by this notation, as `P(rel=2)@5`.

    Its own parse_measure, up to version 0.4.3, asks for a class that Python 3.14 no longer has.
    """
    import ir_measures

    call, _, cut = text.partition("@")
    name, _, inside = call.partition("(")
    theirs = getattr(ir_measures, name)
    if inside:
        options = (option.partition("=") for option in inside.rstrip(")").split(","))
        theirs = theirs(**{key.strip(): literal_eval(value) for key, _, value in options})
    return theirs @ literal_eval(cut) if cut else theirs


def of_ir_measures(
    metric: str,
    k: int | None,
    run: Run,
    qrels: Any,
    _: Beside,
    provider: str = "",
) -> Scores | None:
    """ir_measures with its own choice of provider, or with a given provider."""
    import ir_measures

    asked = asked_as("ir_measures", metric, k)
    if metric in _OF_SUBTOPICS and (k is None) == (metric in _OF_ALL_RANKS):
        asked = _OF_SUBTOPICS[metric] + (f"@{k}" if k else "")
        qrels = [ir_measures.Qrel(q, d, 1, nugget) for q, d, nugget in _nuggets(qrels)]
    if asked is None:
        return None
    wanted = measure_of_ir_measures(asked)
    try:
        home = getattr(ir_measures, provider) if provider else ir_measures
        scores = list(home.iter_calc([wanted], qrels, run))
    except (RuntimeError, ValueError, OSError, subprocess.SubprocessError):
        return None  # no provider for it here
    return {m.query_id: float(m.value) for m in scores}


def of_scikit_learn(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
    """Scores and grades of the retrieved alone, as a learner to rank hands them over."""
    from sklearn.metrics import dcg_score, ndcg_score

    function = {"DCG": dcg_score, "nDCG": ndcg_score}.get(metric)
    if function is None:
        return None
    return {
        query: float(function([grades], [scores], k=k))
        for query, scores, grades in labelled(run, qrels)
        if len(scores) > 1 and query in qrels  # fewer are refused
    }


def of_ndeval(metric: str, k: int | None, run: Run, qrels: Qrels, _: Beside) -> Scores | None:
    """The C of ndeval through its Python binding; it cuts at 5, 10 and 20."""
    import pyndeval  # type: ignore[import-untyped]  # compiled

    name = {
        "alpha-DCG": "alpha-DCG",
        "alpha-nDCG": "alpha-nDCG",
        "ERR-IA": "ERR-IA",
        "P-IA": "P-IA",
        "S-recall": "strec",
    }.get(metric)
    asked = {"NRBP": "NRBP", "AP-IA": "MAP-IA"}.get(metric) if k is None else f"{name}@{k}"
    if asked is None or (k is not None and (name is None or k not in _CUTS_OF_NDEVAL)):
        return None
    judged = [pyndeval.SubtopicQrel(q, nugget, d, 1) for q, d, nugget in _nuggets(qrels)]
    judged_queries = {line.query_id for line in judged}
    ranked = [
        pyndeval.ScoredDoc(q, d, score)
        for q, documents in run.items()
        for d, score in documents.items()
        if q in judged_queries
    ]
    by_query = pyndeval.ndeval(judged, ranked, measures=[asked])
    return {q: float(values[asked]) for q, values in by_query.items()}


def ask_ranx(metric: str, run: Run, qrels: Qrels) -> Scores:
    """A Run and Qrels of all queries; compiled on first use."""
    import ranx  # type: ignore[import-not-found]  # heavy, and so no requirement

    if not run:
        return {}
    scores = ranx.evaluate(
        ranx.Qrels({q: dict(judged) for q, judged in qrels.items()}),
        ranx.Run({q: dict(documents) for q, documents in run.items()}),
        metric,
        return_mean=False,
    )
    # ranx sorts the queries by their ids.
    return dict(zip(sorted(run), map(float, scores), strict=True))


def ask_torchmetrics(metric: str, run: Run, qrels: Qrels) -> Scores:
    """Tensors, a query at a time; grades for nDCG, and from 1 on as 1 for the others."""
    import torch  # type: ignore[import-not-found]
    from torchmetrics.functional import retrieval  # type: ignore[import-not-found]

    name, _, k = metric.partition(" top_k=")
    options = {"top_k": None if k == "None" else int(k)} if k else {}
    values = {}
    for q, scores, labels in labelled(run, qrels):
        target = torch.tensor([int(x) if "dcg" in name else int(x >= 1) for x in labels])
        values[q] = float(getattr(retrieval, name)(torch.tensor(scores), target, **options))
    return values


ADAPTERS: dict[str, Adapter] = {
    a.name: a
    for a in (
        Adapter("irmetrics_edu", "irmetrics-edu", "irmetrics_edu", of_ours),
        Adapter(
            "trec_eval",
            "pytrec_eval-terrier",
            "pytrec_eval",
            by_name("trec_eval", ask_trec_eval),
        ),
        Adapter("ir_measures", "ir_measures", "ir_measures", of_ir_measures),
        Adapter("scikit-learn", "scikit-learn", "sklearn", of_scikit_learn),
        Adapter("ndeval", "pyndeval", "pyndeval", of_ndeval),
        Adapter("ranx", "ranx", "ranx", by_name("ranx", ask_ranx)),
        Adapter(
            "torchmetrics",
            "torchmetrics",
            "torchmetrics",
            by_name("torchmetrics", ask_torchmetrics),
        ),
    )
}


def adapter_of(name: str) -> Adapter:
    """The adapter of a library, however its name is written.

    Raises InputError for a library that is not known or can't be asked.

    >>> adapter_of("scikit_learn").name
    'scikit-learn'
    """
    for library, adapter in ADAPTERS.items():
        if folded(library) == folded(name):
            return adapter
    raise InputError(
        f"{name!r} is not a library that can be run; give one of {', '.join(ADAPTERS)}. "
        "For another program, write its values to a file: irmetrics-edu conformance check"
    )
