"""Libraries as functions of a run: what each is asked, in its own words."""

import importlib
import importlib.metadata
import importlib.util
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

Run = Mapping[str, Mapping[str, float]]
Qrels = Mapping[str, Mapping[str, int]]
Scores = Mapping[str, float]


@dataclass(frozen=True)
class Adapter:
    """A library: its name, the package that has it, and how to ask it for a metric at k.

    `measure` maps each query that the library scores to its value, and gives None for a metric
    that it does not have.
    """

    name: str
    package: str
    module: str
    measure: Callable[[str, int | None, Run, Qrels], Scores | None]

    @property
    def installed(self) -> bool:
        """Whether it can be imported."""
        return importlib.util.find_spec(self.module) is not None

    @property
    def version(self) -> str:
        """The version of the package."""
        return importlib.metadata.version(self.package)


def _cut(name: str, k: int | None, whole: str | None = None) -> str | None:
    return whole if k is None else f"{name}_{k}"


def _of_trec_eval(metric: str, k: int | None, run: Run, qrels: Qrels) -> Scores | None:
    """The C of trec_eval through its Python binding."""
    import pytrec_eval

    asked = {
        "P": _cut("P", k, "set_P"),
        "R": _cut("recall", k, "set_recall"),
        "F": None if k else "set_F",
        "Success": _cut("success", k),
        "Rprec": "Rprec",
        "AP": _cut("map_cut", k, "map"),
        "RR": None if k else "recip_rank",
        "nDCG": _cut("ndcg_cut", k, "ndcg"),
        "bpref": "bpref",
    }.get(metric)
    if asked is None:
        return None
    name, _, number = asked.rpartition("_")
    request = f"{name}.{number}" if number.isdigit() else asked
    found = pytrec_eval.RelevanceEvaluator(qrels, {request}).evaluate(run)
    return {q: float(values[asked]) for q, values in found.items()}


def _of_ir_measures(metric: str, k: int | None, run: Run, qrels: Qrels) -> Scores | None:
    """Whatever ir_measures chooses by itself."""
    import subprocess

    import ir_measures

    name = {"F": "SetF", "R": "R" if k else "SetR", "P": "P" if k else "SetP", "bpref": "Bpref"}
    if (
        metric == "DCG"
        or (metric in ("F", "Rprec", "bpref") and k)
        or (metric in ("Success", "ERR") and not k)
    ):
        return None
    text = name.get(metric, metric)
    text = "RBP(rel=1,p=0.8)" if metric == "RBP" else text
    asked = ir_measures.parse_measure(text + (f"@{k}" if k else ""))
    try:
        found = list(ir_measures.iter_calc([asked], qrels, run))
    except (RuntimeError, ValueError, OSError, subprocess.SubprocessError):
        return None  # no provider for it here
    return {m.query_id: float(m.value) for m in found}


def _of_scikit_learn(metric: str, k: int | None, run: Run, qrels: Qrels) -> Scores | None:
    """Scores and grades of the retrieved alone, as a learner to rank hands them over."""
    from sklearn.metrics import dcg_score, ndcg_score

    function = {"DCG": dcg_score, "nDCG": ndcg_score}.get(metric)
    if function is None:
        return None

    def scored() -> Iterator[tuple[str, float]]:
        for query, documents in run.items():
            grades = [[qrels[query].get(d, 0) for d in documents]]
            if len(documents) > 1:  # fewer are refused
                yield query, float(function(grades, [list(documents.values())], k=k))

    return dict(scored())


def _of_ranx(metric: str, k: int | None, run: Run, qrels: Qrels) -> Scores | None:
    """Compiled on first use."""
    import ranx  # type: ignore[import-not-found]  # heavy, and so no requirement

    name = {"P": "precision", "R": "recall", "F": "f1", "Success": "hit_rate", "AP": "map",
            "Rprec": "r-precision", "RR": "mrr", "DCG": "dcg", "nDCG": "ndcg", "bpref": "bpref",
            "RBP": "rbp.80"}.get(metric)  # fmt: skip
    if name is None or (k and metric in ("Rprec", "bpref", "RBP")):
        return None
    there = {q: dict(documents) for q, documents in run.items() if documents}
    judged = ranx.Qrels({q: dict(qrels[q]) for q in there})
    asked = name + (f"@{k}" if k else "")
    found = ranx.evaluate(judged, ranx.Run(there), asked, return_mean=False)
    # ranx sorts the queries by their ids.
    return dict(zip(sorted(there), map(float, found), strict=True))


def _of_ours(metric: str, k: int | None, run: Run, qrels: Qrels) -> Scores | None:
    """This package, by its defaults."""
    from irmetrics_edu.definition import parse
    from irmetrics_edu.evaluation import evaluate
    from irmetrics_edu.libraries import OURS

    asked = parse(metric) if k is None else parse(metric) @ k
    per_query = evaluate(run, qrels, [asked], OURS).per_query[repr(asked)]
    return {str(q): float(v) for q, v in per_query.items()}


ADAPTERS: dict[str, Adapter] = {
    a.name: a
    for a in (
        Adapter("irmetrics_edu", "irmetrics-edu", "irmetrics_edu", _of_ours),
        Adapter("trec_eval", "pytrec_eval-terrier", "pytrec_eval", _of_trec_eval),
        Adapter("ir_measures", "ir_measures", "ir_measures", _of_ir_measures),
        Adapter("scikit-learn", "scikit-learn", "sklearn", _of_scikit_learn),
        Adapter("ranx", "ranx", "ranx", _of_ranx),
    )
}
