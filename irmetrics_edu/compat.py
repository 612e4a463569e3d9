"""pytrec_eval without its compiled code: the same calls, dictionaries, names and values.

`from irmetrics_edu import compat as pytrec_eval` in place of `import pytrec_eval`.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import PYTREC_EVAL
from irmetrics_edu.metrics import trec_experiments, trec_format
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, measure
from irmetrics_edu.runs.evaluation import Evaluation, evaluate

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

__version__ = PYTREC_EVAL.version  # programs ask for it to know a new pytrec_eval from an old one

_TEXTS = ("runid", "relstring")  # trec_eval prints a text; pytrec_eval gives a number for it
_COUNTS = ("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")
_GAINS = ("binG", "G", "ndcg_rel", "Rndcg")
_PLAIN = {trec for trec, _ in trec_format.NAMES if "#" not in trec}
supported_measures = {*_PLAIN, *trec_format.USUAL, *_TEXTS, *_COUNTS, *_GAINS}
_OF_SETS = {
    "runid",
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
}
_OFFICIAL = {
    *_OF_SETS,
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
    "set": {*_OF_SETS, "set_P", "set_recall", "set_map", "set_F", "set_relative_P", "utility"},
    "all_trec": supported_measures,
}
_FLOOR = 1e-5
_WITH = re.compile(r"(?P<name>\w+?)[._](?P<given>[0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*)")
# These read "grade=gain" or four numbers after their name, which pytrec_eval can't pass on.
_TAKE_NO_NUMBER = ("ndcg", "utility", *(name for name in _GAINS if name != "binG"))
_FIELDS_OF_RUN = 6
_FIELDS_OF_QREL = 4


@dataclass
class _Query:
    """The documents of a query in the order in which trec_eval ranks them, and its judgments."""

    grades: list[float] = field(default_factory=list)  # of the ranked documents; 0 if not judged
    judged: int = 0  # how many of the ranked documents are judged
    in_pool: list[float] = field(default_factory=list)  # the grades of all judged documents

    @property
    def ideal(self) -> list[float]:
        """The gains of all judged documents that have one, the largest first."""
        return sorted((grade for grade in self.in_pool if grade > 0), reverse=True)

    def value(self, name: str, level: float) -> float:
        """The value of a count, a text or a measure of gains."""
        relevant = [grade >= level for grade in self.grades]
        in_all = sum(grade >= level for grade in self.in_pool)
        if name in _GAINS:
            return self._of_gains(name, relevant, in_all)
        hits = sum(relevant)
        counts = {
            "num_q": 1,
            "num_ret": len(self.grades),
            "num_rel": in_all,
            "num_rel_ret": hits,
            "num_nonrel_judged_ret": self.judged - hits,
        }
        return float(counts.get(name, 0))  # 0 for a text

    def _of_gains(
        self,
        name: str,
        relevant: Sequence[bool],
        in_all: int,
    ) -> float:
        """The value of one of the experimental measures."""
        if name == "binG":
            return trec_experiments.binary_g(relevant, in_all)
        if name == "Rndcg" and not in_all:  # as trec_eval has it, whatever else has a gain
            return 0.0
        of_gains = {
            "G": trec_experiments.g,
            "ndcg_rel": trec_experiments.ndcg_at_relevant,
            "Rndcg": trec_experiments.ndcg_at_levels,
        }
        return of_gains[name](self.grades, self.ideal)


class RelevanceEvaluator:
    """The scores of runs against judgments, called as pytrec_eval's class of this name is.

    `query_relevance` maps queries to documents and grades. `measures` are trec_eval's names: "map",
    "ndcg_cut_10", "P.5,10", or "ndcg_cut" for its usual cut-offs, which cut-offs of your own
    replace. A document is relevant from a grade of `relevance_level` on. With
    `judged_docs_only_flag`, documents that nobody judged are removed. InputError, a ValueError,
    names a measure that is not supported. A measure that is a text in trec_eval, runid or
    relstring, is 0.

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
        self._by = PYTREC_EVAL
        if judged_docs_only_flag:
            self._by = self._by.using(unjudged="removed")
        names = [measures] if isinstance(measures, str) else sorted(measures)
        self._names: list[str] = []
        self._measures: dict[str, list[Metric]] = {}  # a printed name is the mean of these
        self._weight_of_precision: float | None = None  # in set_F: then its measures are P and R
        self._of_logarithms: set[str] = set()
        for name, numbers in _combined(names).items():
            self._add(name, numbers)

    def _add(self, name: str, numbers: Sequence[str]) -> None:
        """Take in a measure of trec_eval with the numbers after its name, if there are any."""
        if name in (*_TEXTS, *_COUNTS, *_GAINS):
            self._names.append(name)
        elif name in trec_format.USUAL:
            for number in numbers or trec_format.USUAL[name]:
                printed = _printed(name, number)
                self._names.append(printed)
                self._measures[printed] = [self._measure(printed, trec_format.ours(printed))]
        else:
            self._names.append(name)
            self._measures[name] = [self._measure(name, ours) for ours in _ours(name, numbers)]
            if name == "set_F" and numbers:
                self._weight_of_precision = float(min(numbers))  # trec_eval reads one alone

    def _measure(self, printed: str, notation: str | None) -> Metric:
        """Our metric for one of the names."""
        as_measure = measure(notation)
        if as_measure.aggregate == GEOMETRIC_MEAN:
            self._of_logarithms.add(printed)
        metric = as_measure.metric
        if self._level != 1 and "rel" in metric.defaults:
            metric = metric.using(rel=self._level)
        return metric

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Query -> measure -> value, for the queries that the run and the judgments both have."""
        both = {query: ranking for query, ranking in scores.items() if query in self._qrels}
        if not both:
            return {}
        metrics = [cg]  # by which the documents are ordered, whatever was asked for
        for wanted in self._measures.values():
            metrics += wanted
        evaluation = evaluate(
            both,
            {query: self._qrels[query] for query in both},
            list(dict.fromkeys(metrics)),
            self._by,
        )
        ranked = _ranked(evaluation)
        values: dict[str, dict[str, float]] = {}
        for query in both:
            values[query] = {}
            for name in self._names:
                if name in self._measures:
                    values[query][name] = self._value(name, query, evaluation)
                else:
                    values[query][name] = ranked[query].value(name, self._level)
        return values

    def _value(
        self,
        name: str,
        query: str,
        evaluation: Evaluation,
    ) -> float:
        """The value of a measure that we have, for a query."""
        each = [evaluation.per_query[repr(metric)][query] for metric in self._measures[name]]
        if name == "set_F" and self._weight_of_precision is not None:
            precision, recall = each
            return _set_f(precision, recall, self._weight_of_precision)
        value = fmean(each)
        if name in self._of_logarithms:  # of a geometric mean: of 0.00001 at least
            return math.log(max(value, _FLOOR))
        return value


def _set_f(
    precision: float,
    recall: float,
    weight: float,
) -> float:
    """F in the order of trec_eval's own steps, so that the last digit is the same."""
    if not precision and not recall:
        return 0.0
    return (weight + 1) * precision * recall / (recall + weight * precision)


def _ranked(evaluation: Evaluation) -> dict[str, _Query]:
    """The documents of each query in trec_eval's order, with their grades."""
    queries = {str(query): _Query() for query in evaluation.queries}
    for part in evaluation.aligned.parts([cg]):
        rows = evaluation.aligned.rows(cg, part)
        names = [str(name) for name in rows.queries or ()]
        for name, retrieved in zip(names, rows.retrieved.tolist(), strict=True):
            queries[name].grades = [0.0] * retrieved  # a document without a row is not judged
        kept = rows.where(rows.judged)
        for q, rank, grade in zip(
            kept.query.tolist(),
            kept.rank.tolist(),
            kept.grade.tolist(),
            strict=True,
        ):
            queries[names[q]].grades[int(rank) - 1] = grade
            queries[names[q]].judged += 1
        for q, grade in zip(rows.pool_query.tolist(), rows.pool_grade.tolist(), strict=True):
            queries[names[q]].in_pool.append(grade)
    return queries


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


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Query -> document -> score, from the lines of a run in TREC's format.

    InputError, a ValueError, names a line that has no six fields, and a document that a query has
    twice. `evaluate` reads files of many more formats by their names.

    >>> parse_run(["q1 Q0 d1 1 2.5 mine", "q1 Q0 d2 2 1.5 mine"])
    {'q1': {'d1': 2.5, 'd2': 1.5}}
    """
    run: dict[str, dict[str, float]] = {}
    for number, line in enumerate(f_run, 1):
        query, _, document, _, score, _ = _fields(line, number, _FIELDS_OF_RUN)
        of_query = run.setdefault(query, {})
        of_query[_once(document, of_query, number)] = float(score)
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Query -> document -> grade, from the lines of judgments in TREC's format.

    InputError, a ValueError, names a line that has no four fields, and a document that a query has
    twice.

    >>> parse_qrel(["q1 0 d1 1", "q1 0 d2 0"])
    {'q1': {'d1': 1, 'd2': 0}}
    """
    qrel: dict[str, dict[str, int]] = {}
    for number, line in enumerate(f_qrel, 1):
        query, _, document, grade = _fields(line, number, _FIELDS_OF_QREL)
        of_query = qrel.setdefault(query, {})
        of_query[_once(document, of_query, number)] = int(grade)
    return qrel


def _fields(line: str, number: int, expected: int) -> list[str]:
    """The fields of a line."""
    fields = line.split()
    if len(fields) != expected:
        raise InputError(
            f"line {number}: {line.strip()!r} has {len(fields)} fields; expected {expected}"
        )
    return fields


def _once(
    document: str,
    of_query: Mapping[str, float],
    number: int,
) -> str:
    """The document, which the query must not have yet."""
    if document in of_query:
        raise InputError(
            f"line {number}: the query has document {document!r} twice; leave one of them out"
        )
    return document


def _combined(names: Iterable[str]) -> dict[str, list[str]]:
    """trec_eval's measures with the numbers after their names, as pytrec_eval puts them together.

    A name with numbers of its own loses the usual ones, and several such names add up.
    """
    combined: dict[str, list[str]] = {}
    for asked in names:
        for name in sorted(supported_nicknames.get(asked, {asked})):
            base, numbers = _taken_apart(name)
            numbers_of_base = combined.setdefault(base, [])
            numbers_of_base += [number for number in numbers if number not in numbers_of_base]
    return combined


def _taken_apart(name: str) -> tuple[str, list[str]]:
    """A measure of trec_eval, and the numbers that follow its name."""
    if name in supported_measures:
        return name, []
    pattern_match = _WITH.fullmatch(name)
    base = pattern_match["name"] if pattern_match else name
    if not pattern_match or base not in supported_measures or base in _TAKE_NO_NUMBER:
        raise InputError(
            f"unsupported measure {name}; supported are {', '.join(sorted(supported_measures))}"
        )
    return base, pattern_match["given"].split(",")


def _printed(name: str, number: str) -> str:
    """The name that trec_eval prints for a measure at a cut-off, or at a level with two digits."""
    if name in ("iprec_at_recall", "Rprec_mult"):
        return f"{name}_{float(number):.2f}"
    return f"{name}_{int(float(number))}"


def _ours(name: str, numbers: Sequence[str]) -> list[str]:
    """Our notation for what a measure with one value is made of.

    set_F with a number is made of P and R. The numbers of 11pt_avg are levels, and it is the mean
    over them. Other measures ignore numbers.
    """
    if name == "set_F" and numbers:
        return ["P", "R"]
    if name == "11pt_avg" and numbers:
        return [f"IPrec@{level}" for level in numbers]
    notation = trec_format.ours(name)
    return [] if notation is None else [notation]
