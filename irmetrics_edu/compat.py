"""pytrec_eval without its compiled code: the same calls, dictionaries, names and values.

`from irmetrics_edu import compat as pytrec_eval` in place of `import pytrec_eval`.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import PYTREC_EVAL
from irmetrics_edu.metrics import trec_format
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, measure
from irmetrics_edu.runs.evaluation import evaluate

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "supported_measures",
    "supported_nicknames",
]

_COUNTS = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_PLAIN = {trec for trec, _ in trec_format.NAMES if "#" not in trec}
supported_measures = {*_PLAIN, *trec_format.USUAL, *_COUNTS}
_OFFICIAL = {
    *_COUNTS,
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "iprec_at_recall",
    "P",
}
supported_nicknames = {
    "official": _OFFICIAL,
    "set": {*_COUNTS, "set_P", "set_recall", "set_map", "set_F", "set_relative_P", "utility"},
}
_FLOOR = 1e-5
_WITH = re.compile(r"(\w+?)[._]([0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*)")


class RelevanceEvaluator:
    """The scores of runs against judgments, called as pytrec_eval's class of this name is.

    `query_relevance` maps queries to documents and grades. `measures` are trec_eval's names: "map",
    "ndcg_cut_10", "P.5,10", or "ndcg_cut" for its usual cut-offs. A document is relevant from a
    grade of `relevance_level` on. With `judged_docs_only_flag`, documents that nobody judged are
    removed. InputError, a ValueError, names a measure that is not supported.

    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "ndcg_cut.1,5"})
    >>> evaluator.evaluate({"q1": {"d1": 0.5, "d2": 0.9}})
    {'q1': {'map': 0.5, 'ndcg_cut_1': 0.0, 'ndcg_cut_5': 0.6309...}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,  # noqa: FBT001, FBT002 -- as pytrec_eval has it
    ) -> None:
        self._qrels = {query: judged for query, judged in query_relevance.items() if judged}
        self._level = relevance_level
        self._judged_only = judged_docs_only_flag
        self._by = PYTREC_EVAL
        if judged_docs_only_flag:
            self._by = self._by.using(unjudged="removed")
        given = [measures] if isinstance(measures, str) else sorted(measures)
        names: dict[str, None] = {}
        for name in given:
            for wanted in supported_nicknames.get(name, {name}):
                names.update(dict.fromkeys(_expanded(wanted)))
        self._names = list(names)
        self._measures: dict[str, tuple[Metric, bool]] = {}
        for name in self._names:
            if name not in _COUNTS:
                self._measures[name] = self._measure(name)

    def _measure(self, name: str) -> tuple[Metric, bool]:
        """Our metric for one of the names, and whether its values are logarithms there."""
        notation = trec_format.ours(name)
        found = measure(notation)
        metric = found.metric
        if self._level != 1 and "rel" in metric.defaults:
            metric = metric.using(rel=self._level)
        return metric, found.aggregate == GEOMETRIC_MEAN

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Query -> measure -> value, for the queries that the run and the judgments both have."""
        both = {query: ranking for query, ranking in scores.items() if query in self._qrels}
        if not both:
            return {}
        computed: dict[str, dict[str, float]] = {}
        for query, ranking in both.items():
            computed[query] = self._counts(self._qrels[query], ranking)
        metrics = list(dict.fromkeys(metric for metric, _ in self._measures.values()))
        if metrics:
            qrels = {query: self._qrels[query] for query in both}
            per_query = evaluate(
                both,
                qrels,
                metrics,
                self._by,
            ).per_query
            for name, (metric, logarithms) in self._measures.items():
                for query, value in per_query[repr(metric)].items():
                    shown = value
                    if logarithms:  # of a geometric mean: of 0.00001 at least, as in trec_eval
                        shown = math.log(max(value, _FLOOR))
                    computed[query][name] = shown
        return {query: self._asked(values) for query, values in computed.items()}

    def _asked(self, values: Mapping[str, float]) -> dict[str, float]:
        """The values that were asked for, in the order of their names."""
        return {name: values[name] for name in self._names}

    def _counts(
        self,
        judged: Mapping[str, int],
        ranking: Mapping[str, float],
    ) -> dict[str, float]:
        relevant = {document for document, grade in judged.items() if grade >= self._level}
        found = len(relevant.intersection(ranking))
        retrieved = len(ranking)
        if self._judged_only:
            retrieved = len(judged.keys() & ranking.keys())
        numbers = (0, 1, retrieved, len(relevant), found)
        return dict(zip(_COUNTS, map(float, numbers), strict=True))


def compute_aggregated_measure(
    measure: str,
    values: Sequence[float],
) -> float:
    """The sum of counts (num_...), the geometric mean of logarithms (gm_...), or the mean."""
    if measure.startswith("num_"):
        return float(sum(values))
    mean = fmean(values)
    if measure.startswith("gm_"):
        return math.exp(mean)
    return mean


def _expanded(name: str) -> list[str]:
    """The single measures that a name stands for, each as trec_eval prints it."""
    if name in _PLAIN or name in _COUNTS:
        return [name]
    if name in trec_format.USUAL:
        return [f"{name}_{cut}" for cut in trec_format.USUAL[name]]
    found = _WITH.fullmatch(name)
    if not found or found[1] not in trec_format.USUAL:
        raise InputError(
            f"unsupported measure {name}; supported are {', '.join(sorted(supported_measures))}"
        )
    name = found[1]
    of_levels = name in ("iprec_at_recall", "Rprec_mult")
    expanded = []
    for cut in found[2].split(","):
        shown = f"{float(cut):.2f}" if of_levels else cut
        expanded.append(f"{name}_{shown}")
    return expanded
