"""Which of two runs is better, whatever the documents are that nobody judged.

runs + judgments -> scores, ranks -> bounds of each query -> bounds of the means
                                  -> weights of open documents -> a worklist

The bounds and weights of a query are in `difference_bounds.py`.

The order of the worklist is that of minimal test collections: Carterette, Allan & Sitaraman (2006),
Minimal test collections for retrieval evaluation, SIGIR. The document that can change the
difference most is judged next, until no judgment can change the sign.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.bounded_measures import BoundedMeasure, bounded_measure, refuse_unbounded
from irmetrics_edu.judging.difference_bounds import OpenQuery
from irmetrics_edu.judging.labels import Judged, Labels, read_labels, shown
from irmetrics_edu.judging.worklist import Runs, UnjudgedDocument, Worklist
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.texts import Texts, read_texts
from irmetrics_edu.runs.evaluation import Evaluation, asked, evaluate
from irmetrics_edu.runs.run_scores import caption_of
from irmetrics_edu.views.result_table import Report, ResultTable, Tabled

_ROUNDING = 1e-12  # of a mean of differences
_AS_EVALUATED = 1e-9  # how near the difference of a query is to that of its scores
_SHOWN = 10  # pairs that a table lists


class Sign(Enum):
    """Whether a run is better than the baseline, as far as judgments can tell."""

    HIGHER = "higher"
    LOWER = "lower"
    EQUAL = "equal"
    OPEN = "open"


@dataclass(frozen=True)
class BoundedDifference:
    """The difference of a run's mean from the baseline's, and how far open documents can take it.

    `low` and `high` are the worst and the best case. If `exact`, both can come true. Otherwise they
    lie outside of what can.
    """

    now: float
    low: float
    high: float
    exact: bool

    @property
    def sign(self) -> Sign:
        """Whether the run is better in every case."""
        if self.low > _ROUNDING:
            return Sign.HIGHER
        if self.high < -_ROUNDING:
            return Sign.LOWER
        if self.low >= -_ROUNDING and self.high <= _ROUNDING:
            return Sign.EQUAL
        return Sign.OPEN


@dataclass(frozen=True)
class Decision(Tabled, Report):
    """How far documents that nobody judged can change the differences of runs from a baseline.

    `differences` maps each run to its `BoundedDifference`, and `unjudged` each to its number of
    open documents down to the depth of the measure. `worklist` has the pairs whose judgment can
    change a sign that is open, the one that can change most first.
    """

    measure: str
    baseline: str
    caption: str
    differences: Mapping[str, BoundedDifference]
    unjudged: Mapping[str, int]
    scale: tuple[float, ...]
    worklist: Worklist
    open_pairs: int
    skipped_queries: int = 0

    @property
    def is_certain(self) -> bool:
        """Whether no judgment of these documents can change a sign."""
        return all(one.sign is not Sign.OPEN for one in self.differences.values())

    def table(self, *, digits: int = 4) -> ResultTable:
        """A line for each run: its open documents, its difference, and the bounds of that."""
        lines: list[tuple[Any, ...]] = []
        for run, count in self.unjudged.items():
            one = self.differences.get(run)
            if one is None:
                lines.append((f"{run} (baseline)", count, "", "", "", ""))
            else:
                lines.append((run, count, one.now, one.low, one.high, one.sign.value))
        return ResultTable(
            header=("run", "unjudged", "difference", "low", "high", "run is"),
            lines=lines,
            caption=self.caption,
            notes=tuple(self.notes),
            digits=digits,
        )

    @property
    def notes(self) -> list[str]:
        """What the bounds are of, and what is left to judge."""
        grades = ", ".join(map(shown, self.scale))
        of_all = f"{self.open_pairs:,} of all runs together"
        difference = f"the difference of {self.measure} from {self.baseline}"
        notes = [f"unjudged: documents in the first {self.worklist.depth:,}; {of_all}"]
        notes.append(
            f"low and high: {difference} in the worst and in the best case, if these documents "
            f"have grades of {grades}, and all others that nobody judged are not relevant"
        )
        if not all(one.exact for one in self.differences.values()):
            notes.append(
                "some queries have too many unjudged documents to try all their cases, so low and "
                "high may lie outside of what can be"
            )
        if self.skipped_queries:
            notes.append(
                f"queries without any judgment, left out of the means: {self.skipped_queries:,}"
            )
        if self.is_certain:
            notes.append("no judgment of these documents changes which run is better")
        else:
            notes.append(f"judgments that can change which run is better: {len(self.worklist):,}")
        return notes

    def next_pairs(self) -> ResultTable:
        """The first pairs of the worklist."""
        pairs = self.worklist.pairs[:_SHOWN]
        return ResultTable(
            header=("query", "document", "best rank", "runs"),
            lines=[(one.query, one.document, one.best_rank, "; ".join(one.ranks)) for one in pairs],
            caption=f"to judge next, {len(pairs):,} of {len(self.worklist):,}",
        )

    def pairs_to_judge(self, first: int | None = None) -> list[dict[str, Any]]:
        """The pairs of the worklist in plain values: all, or the first ones."""
        return [
            {"query": pair.query, "document": pair.document, "ranks": dict(pair.ranks)}
            for pair in self.worklist.pairs[:first]
        ]

    def facts(self) -> dict[str, Any]:
        """The result in plain values, as JSON has them."""
        differences: dict[str, Any] = {}
        for run, one in self.differences.items():
            differences[run] = {
                "difference": one.now,
                "low": one.low,
                "high": one.high,
                "exact": one.exact,
                "sign": one.sign.value,
            }
        return {
            "measure": self.measure,
            "baseline": self.baseline,
            "depth": self.worklist.depth,
            "scale": list(self.scale),
            "unjudged": dict(self.unjudged),
            "unjudged_together": self.open_pairs,
            "certain": self.is_certain,
            "differences": differences,
            "to_judge": self.pairs_to_judge(),
            "notes": self.notes,
        }


def decision(
    runs: Runs,
    judged: Judged,
    measure: Measure | Metric | str = "nDCG@10",
    conventions: Bundle | str = "trec_eval",
    *,
    scale: Sequence[float] | None = None,
    queries: Texts | None = None,
    documents: Texts | None = None,
) -> Decision:
    """A decision says which runs are better than a baseline, whatever unjudged documents are.

    `runs` maps names to runs, the baseline first; `judged` are the judgments so far, as
    `read_labels` takes them. The measure is P@k, R@k, Success@k, RR, CG@k, DCG@k, NCG@k, nDCG@k, AP
    or RBP; InputError for others. Documents are open if they are among the first k of a run and
    nobody judged them. `scale` lists the grades that they may have; without it, it is 0 and the
    grades that judgments have. All other unjudged documents count as not relevant, as in
    `evaluate`. `queries` and `documents` give texts for the worklist.

    The bounds are exact. Those of AP are so for queries with up to 12 open documents, and otherwise
    lie outside of what can be.

    >>> runs = {"old": {"q": ["x", "b"]}, "new": {"q": ["a", "x", "y"]}}
    >>> found = decision(runs, {"q": {"a": 1, "b": 0}}, "P@2")
    >>> found.differences["new"].low, found.differences["new"].high
    (0.5, 0.5)
    >>> decision(runs, {"q": {"a": 1, "z": 1}}, "P@2").differences["new"]
    BoundedDifference(now=0.5, low=0.0, high=0.5, exact=True)
    """
    labels = read_labels(judged)
    labels.require_one_source()
    evaluations = _evaluated(runs, labels, measure, conventions)
    baseline, *others = evaluations
    first = evaluations[baseline]
    grades = _scale_of(labels, scale)
    chosen = bounded_measure(first, grades)
    common = [q for q in first.queries if all(q in e.queries for e in evaluations.values())]
    if not common:
        raise InputError("no query is in all runs and in the judgments; compare their ids")
    listing = _OpenDocuments(evaluations, labels, chosen, common)
    differences: dict[str, BoundedDifference] = {}
    for run in others:
        differences[run] = listing.difference(baseline, run)
    still_open = [run for run, one in differences.items() if one.sign is Sign.OPEN]
    return Decision(
        measure=chosen.name,
        baseline=baseline,
        caption=f"{chosen.name}, {caption_of(len(common), first.conventions)}",
        differences=differences,
        unjudged={run: len(listing.open_of(run)) for run in evaluations},
        scale=grades,
        worklist=listing.worklist(baseline, still_open, queries, documents),
        open_pairs=len(listing.open_pairs()),
        skipped_queries=len(first.counts.not_judged),
    )


def _evaluated(
    runs: Runs,
    labels: Labels,
    measure: Measure | Metric | str,
    conventions: Bundle | str,
) -> dict[str, Evaluation]:
    """The scores of each run, whose ids are text as those of labels are."""
    by_name: Any = runs
    if not isinstance(by_name, Mapping) or len(by_name) < 2:
        raise InputError("runs map names to two runs or more, such as {'old': ..., 'new': ...}")
    chosen, by, _ = asked(measure, conventions, {})
    if len(chosen) != 1:
        raise InputError(f"{len(chosen)} measures are given; give one")
    refuse_unbounded(chosen[0].name, by.settle(chosen[0].metric))
    evaluations: dict[str, Evaluation] = {}
    for name, run in by_name.items():
        evaluations[str(name)] = evaluate(_with_text(run), labels, chosen, by, name=str(name))
    return evaluations


def _with_text(run: Any) -> Any:
    """A run whose ids are text, as in files, where it is in memory."""
    if not isinstance(run, Mapping):
        return run
    told: dict[str, Any] = {}
    for query, ranking in run.items():
        if isinstance(ranking, Mapping):
            told[str(query)] = {str(document): score for document, score in ranking.items()}
        else:
            told[str(query)] = [str(document) for document in ranking]
    return told


def _scale_of(labels: Labels, scale: Sequence[float] | None) -> tuple[float, ...]:
    """The grades that a document may have, rising from 0."""
    if scale is None:
        positive = {one.grade for one in labels.labels if one.grade > 0}
        return (0.0, *sorted(positive or {1.0}))
    grades = sorted({float(grade) for grade in scale})
    if len(grades) < 2 or grades[0] != 0 or not np.isfinite(grades).all():
        raise InputError(
            f"scale={list(scale)}: give the grades that there may be, 0 and others above it, "
            "such as [0, 1, 2, 3]"
        )
    return tuple(grades)


class _OpenDocuments:
    """The documents of runs down to the depth of a measure, and which of them are open."""

    def __init__(
        self,
        evaluations: Mapping[str, Evaluation],
        labels: Labels,
        measure: BoundedMeasure,
        queries: Sequence[Any],
    ) -> None:
        self._evaluations = evaluations
        self._measure = measure
        self._queries = queries
        self._grades = {query: labels.get(query, {}) for query in queries}
        self._ranks: dict[str, dict[str, dict[str, int]]] = {}
        for run, evaluation in evaluations.items():
            self._ranks[run] = {}
            for query in queries:
                top = evaluation.aligned.order(query)[: measure.k]
                self._ranks[run][query] = {str(d): rank for rank, d in enumerate(top, 1)}

    def open_of(self, run: str) -> list[tuple[str, str]]:
        """The pairs of query and document that a run has, and nobody judged."""
        pairs: list[tuple[str, str]] = []
        for query, ranks in self._ranks[run].items():
            pairs += [(query, document) for document in ranks if self._is_open(query, document)]
        return pairs

    def open_pairs(self) -> dict[tuple[str, str], None]:
        """Those of all runs, once each."""
        pairs: dict[tuple[str, str], None] = {}
        for run in self._evaluations:
            pairs |= dict.fromkeys(self.open_of(run))
        return pairs

    def _is_open(self, query: str, document: str) -> bool:
        return document not in self._grades[query]

    def difference(self, baseline: str, run: str) -> BoundedDifference:
        """The difference of a run from the baseline, with its bounds."""
        before = self._scores(baseline)
        after = self._scores(run)
        low = high = 0.0
        exact = True
        for query in self._queries:
            asked, _ = self._open_query(query, baseline, run)
            bound = self._measure.bounded.bound(asked)
            self._refuse_another(query, asked, after[query] - before[query])
            low += bound.low
            high += bound.high
            exact = exact and bound.exact
        now = sum(after[query] - before[query] for query in self._queries)
        n = len(self._queries)
        return BoundedDifference(now / n, low / n, high / n, exact)

    def _scores(self, run: str) -> Mapping[Any, float]:
        return self._evaluations[run].per_query[self._measure.name]

    def _refuse_another(self, query: str, asked: OpenQuery, evaluated: float) -> None:
        """Refuse conventions by which the scores are other than those that are bounded."""
        if abs(self._measure.bounded.difference(asked) - evaluated) > _AS_EVALUATED:
            raise InputError(
                f"query {query!r}: {self._measure.name} differs by {evaluated:.6g} under these "
                f"conventions, and its bounds are of {self._measure.bounded.difference(asked):.6g};"
                " give conventions='trec_eval', or another measure"
            )

    def _open_query(self, query: str, baseline: str, run: str) -> tuple[OpenQuery, list[str]]:
        """A query in both runs, and the open documents in their order there."""
        before = self._ranks[baseline][query]
        after = self._ranks[run][query]
        grades = self._grades[query]
        documents = list(dict.fromkeys((*before, *after, *grades)))
        is_open = np.array([self._is_open(query, one) for one in documents], dtype=bool)
        graded = np.array([grades.get(one, 0.0) for one in documents], dtype=float)
        asked = OpenQuery(
            before=np.array([before.get(one, np.inf) for one in documents], dtype=float),
            after=np.array([after.get(one, np.inf) for one in documents], dtype=float),
            gain=np.where(is_open, 0.0, self._measure.gains(graded)),
            is_open=is_open,
        )
        return asked, [document for document in documents if self._is_open(query, document)]

    def worklist(
        self,
        baseline: str,
        still_open: Sequence[str],
        queries: Texts | None,
        documents: Texts | None,
    ) -> Worklist:
        """The pairs that can change a difference whose sign is open, by how much they can."""
        query_texts = {} if queries is None else read_texts(queries, "query")
        document_texts = {} if documents is None else read_texts(documents, "document")
        pairs: list[UnjudgedDocument] = []
        for query, document in self._in_order_of_weight(baseline, still_open):
            pairs.append(
                UnjudgedDocument(
                    query=query,
                    document=document,
                    ranks=self._ranks_of(query, document),
                    query_text=query_texts.get(query, ""),
                    document_text=document_texts.get(document, ""),
                )
            )
        pooled = sum(len(self._pooled(query)) for query in self._queries)
        lengths: list[int] = []
        for of_run in self._ranks.values():
            lengths += [len(ranks) for ranks in of_run.values()]
        return Worklist(
            pairs=tuple(pairs),
            depth=self._measure.k or max(lengths),
            pooled=pooled,
            judged=pooled - len(self.open_pairs()),
            new_queries=0,
        )

    def _ranks_of(self, query: str, document: str) -> dict[str, int]:
        """The ranks of a document in the runs that have it."""
        ranks: dict[str, int] = {}
        for run, of_run in self._ranks.items():
            if document in of_run[query]:
                ranks[run] = of_run[query][document]
        return ranks

    def _pooled(self, query: str) -> set[str]:
        pooled: set[str] = set()
        for of_run in self._ranks.values():
            pooled |= of_run[query].keys()
        return pooled

    def _in_order_of_weight(
        self,
        baseline: str,
        still_open: Sequence[str],
    ) -> list[tuple[str, str]]:
        """Pairs of query and document, the greatest weight first, then the best rank."""
        weights: dict[tuple[str, str], float] = {}
        for run in still_open:
            for query in self._queries:
                asked, documents = self._open_query(query, baseline, run)
                for document, weight in zip(documents, self._weights(asked), strict=True):
                    if weight is not None:
                        pair = (query, document)
                        weights[pair] = weights.get(pair, 0.0) + weight
        place = {query: number for number, query in enumerate(self._queries)}

        def key(pair: tuple[str, str]) -> tuple[float, int, int, str]:
            query, document = pair
            best = min(self._ranks_of(query, document).values())
            # Weights that are equal but for rounding keep the order of ranks on every machine.
            return (-round(weights[pair], 12), best, place[query], document)

        return sorted(weights, key=key)

    def _weights(self, asked: OpenQuery) -> list[float | None]:
        """The weight of each open document; None for one that can change nothing."""
        measure = self._measure.bounded
        none: list[float | None] = [None] * int(asked.is_open.sum())
        if not none:
            return none
        bound = measure.bound(asked)
        if bound.high - bound.low <= _ROUNDING:
            return none
        weights: Array = measure.weights(asked)
        return [w if w > 0 or measure.needs_all else None for w in weights.tolist()]
