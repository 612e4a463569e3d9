"""A run and its judgments, aligned as each measure needs them, in one order for all measures.

Query by query: plain, good for any kind of input, and what faster ways are tested against.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import (
    FORBIDDEN,
    IGNORED,
    LEFT_OUT,
    NO_GAIN,
    NOT_EXPECTED,
    NOT_JUDGED_ZERO,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ordering import in_order
from irmetrics_edu.rows.ranking import RANKED
from irmetrics_edu.rows.scored import SCORED

# What the kinds of input call a ranking, and what is judged of it.
_RANKING, _JUDGMENTS = ("ranking", "recommended"), ("judgments", "relevant", "nuggets")


@dataclass(frozen=True)
class Matched:
    """The queries that are evaluated, and those that the run or the judgments alone have."""

    queries: Sequence[Any]
    missing: Sequence[Any]
    not_judged: Sequence[Any]
    left_out: bool  # whether the missing ones are left out of the means


def match_queries(run: Mapping[Any, Any], qrels: Mapping[Any, Any] | None, by: Bundle) -> Matched:
    """The judged queries, in the order of the judgments, told apart by whether the run has them."""
    if qrels is None:
        return Matched(list(run), [], [], left_out=False)
    missing = [q for q in qrels if q not in run]
    not_judged = [q for q in run if q not in qrels]
    _refuse_nearly_equal(missing, not_judged)
    return matched(qrels, missing, not_judged, by)


def matched(
    judged: Iterable[Any], missing: Sequence[Any], not_judged: Sequence[Any], by: Bundle
) -> Matched:
    """The queries that count, by what the conventions say of those on one side only."""
    if missing and by.missing_queries is FORBIDDEN:
        raise InputError(
            f"query {missing[0]!r} is judged but not in the run; add it, or say "
            "missing_queries='zero' (it scores 0) or 'skip'"
        )
    if not_judged and by.unjudged_queries is NOT_EXPECTED:
        raise InputError(
            f"query {not_judged[0]!r} is in the run but not judged; judge it, or say "
            "unjudged_queries='ignore'"
        )
    gone = set(missing)
    there = [q for q in judged if q not in gone] if gone else list(judged)
    if not there:
        raise InputError("no query of the run is judged; compare the ids of run and judgments")
    left_out = bool(missing) and by.missing_queries is LEFT_OUT
    return Matched(there if left_out else list(judged), missing, not_judged, left_out)


def _refuse_nearly_equal(missing: Sequence[Any], not_judged: Sequence[Any]) -> None:
    """Refuse queries that match a judged one only after a change of type or trimming."""
    judged = {str(q).strip(): q for q in missing}
    for query in not_judged:
        other = judged.get(str(query).strip())
        if other is not None:
            both_text = isinstance(query, str) and isinstance(other, str)
            raise InputError(
                f"{at(query)}differs from the judged {other!r} only in "
                f"{'white space' if both_text else 'type'}; write ids the same way on both sides"
            )


def _with_documents(run: Any, qrels: Any, by: Bundle) -> Any:
    """The judgments without the queries of which no document is judged, or with these scoring 0.

    What is left out here is a query of the run that is not judged, and is counted as such.
    """
    if not isinstance(qrels, Mapping):
        return qrels
    empty = [q for q, judged in qrels.items() if hasattr(judged, "__len__") and not len(judged)]
    if not empty or by.unjudged_queries not in (IGNORED, NOT_JUDGED_ZERO):
        return qrels
    kept = {q: judged for q, judged in qrels.items() if q not in empty or not run.get(q)}
    if by.unjudged_queries is IGNORED:
        return kept
    of_empty = {q: dict.fromkeys(run[q]) for q in empty if run.get(q)}
    return {q: of_empty.get(q, judged) for q, judged in qrels.items()}


class QueryByQuery:
    """Rows of a run for every kind of measure, each query ordered once."""

    def __init__(
        self,
        run: Mapping[Any, Any],
        qrels: Mapping[Any, Any] | None,
        by: Bundle,
        beside: Mapping[str, Any] | None = None,
    ) -> None:
        qrels = _with_documents(run, qrels, by)
        self._start(run, qrels, by, beside)
        self.matched = match_queries(run, qrels, by)
        self.queries = self.matched.queries

    def _start(self, run: Any, qrels: Any, by: Bundle, beside: Mapping[str, Any] | None) -> None:
        self.run, self.qrels, self.by = run, qrels, by
        self.beside = dict(beside or {})
        self.lines_left_out = self.duplicates = 0  # of the files, where there were any
        self._orders: dict[Any, list[Hashable]] = {}
        self._rows: dict[Any, Any] = {}

    def order(self, query: Any) -> list[Hashable]:
        """The documents of a query in the order in which every measure sees them."""
        if query not in self._orders:
            ranking = self.run.get(query, [])
            if isinstance(ranking, Mapping):
                ranking, _ = in_order(ranking, query, self.by.ties, self.by.scores)
            self._orders[query] = list(ranking)
        return self._orders[query]

    def scores(self, query: Any) -> dict[Hashable, float]:
        """The scores of a query's documents as precisely as the library keeps them; {} if none."""
        ranking = self.run.get(query, [])
        if not isinstance(ranking, Mapping):
            return {}
        for document, score in ranking.items():
            checks.number(score, "score", at(query, document))
        kept = self.by.kept(list(ranking.values())).tolist()
        return dict(zip(ranking, kept, strict=True))

    def levels(self, query: Any, rows: Any) -> Array:
        """A number for each row of a query, equal where documents are tied."""
        scores = self.scores(query)
        if not scores:
            return np.arange(len(rows.rank))
        return np.array([scores[document] for document in rows.document])

    def judgments(self, query: Any) -> Any:
        """What is judged of a query."""
        return None if self.qrels is None else self.qrels[query]

    def one(
        self,
        metric: Metric,
        query: Any,
        *,
        exact: bool = False,
        ranking: Sequence[Hashable] | None = None,
    ) -> Any:
        """The rows of one query, every rank a row; in fractions if `exact`.

        `ranking` puts the query's documents in another order than its own.
        """
        if metric.inputs is SCORED:
            return self._scored(metric, query, exact=exact)
        first, *rest = metric.inputs.arguments
        if first not in _RANKING:
            raise InputError(f"{metric!r} is no measure of a ranking: it is called with {first}")
        options = self.options(metric)
        if metric.inputs is RANKED:  # its alignment knows the grades, by which ties may stand
            own = self.run.get(query, [])
            inputs: dict[str, Any] = {first: own if ranking is None else list(ranking)}
        else:
            inputs = {first: self.order(query) if ranking is None else list(ranking)}
            options.pop("ties", None)  # the order is settled
        for name in rest:
            if name in _JUDGMENTS:
                inputs[name] = self.judgments(query)
            elif name in self.beside:
                inputs[name] = self.beside[name]
            else:
                raise InputError(f"{metric!r} needs {name}; give {name}=... to evaluate")
        if exact:
            inputs["exact"] = True
        return metric.inputs.align(**inputs, query=query, **options)

    def _scored(self, metric: Metric, query: Any, *, exact: bool) -> Any:
        """Grades and scores of a query's documents, for curves over thresholds."""
        judged = dict.fromkeys(self.judgments(query), 1)
        if isinstance(self.judgments(query), Mapping):
            judged = dict(self.judgments(query))
        scores: dict[Hashable, float] = self.scores(query)
        if not scores:
            scores = {d: -float(rank) for rank, d in enumerate(self.order(query), 1)}
        lowest = min(scores.values(), default=0.0) - 1
        scores |= {d: lowest for d in self.by.unretrieved.of(judged) if d not in scores}
        if self.by.unjudged is not NO_GAIN:
            scores = {d: s for d, s in scores.items() if judged.get(d) is not None}
        grades = [judged[d] if judged.get(d) is not None else 0 for d in scores]
        options = {n: v for n, v in self.options(metric).items() if n in metric.inputs.options}
        return metric.inputs.align(
            grades, list(scores.values()), exact=exact, query=query, **options
        )

    def rows(self, metric: Metric) -> Any:
        """The rows of all queries, aligned once for all measures that read the same."""
        options = self.options(metric)
        key = (metric.inputs.name, *sorted((name, str(v)) for name, v in options.items()))
        if key not in self._rows:
            parts = [self.one(metric, query) for query in self.queries]
            self._rows[key] = type(parts[0]).joined(parts)
        return self._rows[key]

    def options(self, metric: Metric) -> dict[str, Any]:
        """How this metric's input is aligned: by the bundle, unless the metric says otherwise."""
        own = {n: v for n, v in metric.params.items() if n in metric.inputs.options}
        if own.get("ties", self.by.ties) != self.by.ties:
            raise InputError(
                f"{metric!r}: one order serves all measures; give ties={str(own['ties'])!r} to "
                "evaluate itself"
            )
        given = {name: getattr(self.by, name, None) for name in metric.inputs.options}
        metric.refuse_shared(given.get("ties"))
        return {**{n: v for n, v in given.items() if v is not None}, **own}

    def tied(self) -> int:
        """How many documents share their score with another of the same query."""
        n = 0
        for query in self.queries:
            _, counts = np.unique(list(self.scores(query).values()), return_counts=True)
            n += int(counts[counts > 1].sum())
        return n
