"""A run and its judgments, in one order for all measures: their rows at once, or one by one.

Some kinds of input can turn a whole run into rows. For the others, or under other conventions,
queries become rows one by one.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import AS_GIVEN, AS_WRITTEN
from irmetrics_edu.engine import Aligned, aligned
from irmetrics_edu.engine.id_list import chosen as ids_at
from irmetrics_edu.engine.noted import Noted
from irmetrics_edu.engine.run import Run
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.reading.column_names import other_names
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.rows.aligned_ranking import RANKED, goes_in_bulk
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.ordering import in_order
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.rows.scored import SCORED, nothing_scored
from irmetrics_edu.rows.two_orders import ORDERS
from irmetrics_edu.runs.joining.judgments import (
    Judged,
    JudgedBySubtopic,
    padding,
    settled_later,
)
from irmetrics_edu.runs.joining.queries import Matched, match_queries, matched

# What the kinds of input call a ranking, and what is judged of it.
RANKING = ("ranking", "recommended")
JUDGMENTS = ("judgments", "relevant", "nuggets")
# The conventions by which judged documents are found in a run.
_FINDING = ("ties", "scores", "unjudged", "negative", "duplicates")
_PART = 1 << 15  # queries whose rows are made at a time
_IDEAL = 1 << 22  # documents of their ideals, where these have one for each rank

Part = tuple[int, int] | None  # the numbers of the first query and of the one after the last


class Joined:
    """A run and its judgments, in one order for all measures."""

    def __init__(
        self,
        run: Run,
        judged: Judged | None,
        by: Bundle,
        beside: Mapping[str, Any] | None = None,
        *,
        chosen: Collection[Metric] = (),
        lines_left_out: int = 0,
        skip_bad: bool = False,
    ) -> None:
        self.run = run
        self.judged = judged
        self._given = by
        self.by = by.of_run(chosen)
        self._names = {m.name for m in chosen}
        self.beside = dict(beside or {})
        self._skip_bad = skip_bad
        self._orders: dict[Any, list[Hashable]] = {}
        self._rows: dict[Any, Any] = {}
        self._found: dict[Any, Aligned] = {}
        self._n_judged: int | None = None  # how many queries are judged, once that is asked
        first = self._joined_as_read()
        noted = self._noted_by_input(first)
        self.noted = Noted(lines_left_out)
        seconds = [other.noted for other in self.beside.values() if isinstance(other, Joined)]
        for of_input in [*noted.values(), *seconds]:
            self.noted.add(of_input)
        self.columns = {
            what: dict(noted_of.columns) for what, noted_of in noted.items() if noted_of.columns
        }
        self.unnamed = tuple(what for what, noted_of in noted.items() if noted_of.unnamed)
        try:
            self.matched = self._match(first)
        except InputError as error:  # which may come of columns that were taken for others
            told = other_names(self.columns, self.unnamed)
            raise InputError("; ".join([str(error), *told])) from None
        self.queries = self.matched.queries

    @cached_property
    def place(self) -> Mapping[Any, int]:
        """The place of each query that is evaluated."""
        return {query: place for place, query in enumerate(self.queries)}

    def _joined_as_read(self) -> Aligned | None:
        """What a run that is read piece by piece gives; None for one whose queries are at hand.

        Afterwards both the run and the judgments are read, so that what was met is known.
        """
        if self.judged is not None and not self.run.at_hand:
            return self.found(self.options(cg))
        self.run.kept()
        if self.judged is not None:
            self.judged.read()
        return None

    def _match(self, first: Aligned | None) -> Matched:
        """The queries that are evaluated: of a run that was joined already, or of its mapping."""
        if self.judged is None:
            every = match_queries(self.run.kept(), None, self.by)
            return replace(every, unknown=self.run.unknown)
        asked_for = self.judged.asked_for
        if first is not None:
            missing = ids_at(first.queries, first.missing)
            return matched(
                first.queries,
                missing,
                first.not_judged,
                self.by,
                asked_for=asked_for,
            )
        return match_queries(self.run.kept(), self.judged.queries, self.by, asked_for)

    def _noted_by_input(self, first: Aligned | None) -> dict[str, Noted]:
        """What was met in the run and in the judgments, by their names."""
        noted = {"run": Noted() if first is None else first.noted}
        if first is None:
            noted["run"].add(self.run.noted)
        if self.judged is not None:
            noted["judgments"] = self.judged.noted
        if self.run.at_hand:
            noted["run"].told += self.run.told
        return noted

    # -- one query

    def order(self, query: Any) -> list[Hashable]:
        """The documents of a query in the order in which every measure sees them."""
        if query not in self._orders:
            ranking = self.run.get(query, [])
            if isinstance(ranking, Mapping):
                ranking, _ = in_order(
                    ranking,
                    query,
                    self.by.ties,
                    self.by.scores,
                )
            self._orders[query] = list(ranking)
        return self._orders[query]

    def scores(self, query: Any) -> dict[Hashable, float]:
        """The scores of a query's documents, as precise as the library keeps them; {} if none."""
        ranking = self.run.get(query, [])
        if not isinstance(ranking, Mapping):
            return {}
        if not (self._found and query in self.place):  # what was joined was checked
            for document, score in ranking.items():
                checks.score(score, at(query, document))
        kept = self.by.kept(list(ranking.values())).tolist()
        return dict(zip(ranking, kept, strict=True))

    def judgments(self, query: Any) -> Any:
        """What is judged of a query."""
        if self.judged is None:
            return None
        return self.judged.of(query, self.by.negative)

    def one(
        self,
        metric: Metric,
        query: Any,
        *,
        exact: bool = False,
    ) -> Any:
        """The rows of one query, every rank a row; in fractions if `exact`."""
        if metric.inputs is SCORED:
            return self._scored(metric, query, exact=exact)
        if metric.inputs is ORDERS:
            return _two_orders(
                self,
                metric,
                query,
                exact=exact,
            )
        first, *rest = metric.inputs.arguments
        if first not in RANKING:
            call = f"irmetrics_edu.{metric.kernel.__name__}({', '.join(metric.inputs.arguments)})"
            raise InputError(f"{metric!r} is not a measure of a ranking; call {call} instead")
        options = self.options(metric)
        if metric.inputs is RANKED:  # its alignment knows the grades, by which ties may stand
            inputs: dict[str, Any] = {first: self.run.get(query, [])}
        else:
            inputs = {first: self.order(query)}
            options.pop("ties", None)  # the order is settled
        for name in rest:
            if name in JUDGMENTS:
                inputs[name] = self._judged(query, options)
            elif name in self.beside:
                inputs[name] = _of_query(self.beside[name], name, query)
            else:
                raise InputError(
                    f"{metric!r} needs {name}; give {name}=... to evaluate in Python: "
                    f"evaluate(run, qrels, {str(metric)!r}, {name}={name})"
                )
        if exact:
            inputs["exact"] = True
        return metric.inputs.align(**inputs, query=query, **metric.inputs.keywords(options))

    def _judged(self, query: Any, options: dict[str, Any]) -> Any:
        """What is judged of a query; where that is settled, `options` are told so."""
        if self.judged is None:
            return None
        negative = options.get("negative", self.by.negative)
        grades = self.judged.of(query, AS_WRITTEN if settled_later(options) else negative)
        if self.judged.settled and "negative" in options and not settled_later(options):
            options["negative"] = AS_WRITTEN
        return grades

    def _scored(
        self,
        metric: Metric,
        query: Any,
        *,
        exact: bool,
    ) -> Any:
        """Grades and scores of a query's documents, for curves over thresholds."""
        judgments = self.judgments(query)
        judged = dict(judgments) if isinstance(judgments, Mapping) else dict.fromkeys(judgments, 1)
        scores = self._scores_in_order(query, judged)
        lowest = min(scores.values(), default=0.0) - 1
        by = self._given.aligned(metric)
        for document in by["unretrieved"].of(judged):
            scores.setdefault(document, lowest)
        grades: list[Any] = []
        of_graded: list[float] = []
        for document, score in scores.items():
            grade = judged.get(document)
            if grade is None and by["unjudged"].removed:
                continue
            if grade is None:
                grade = by["unjudged"].grade or 0
            grades.append(grade)
            of_graded.append(score)
        if not grades:
            return nothing_scored(query, exact=exact)
        options = {n: v for n, v in self.options(metric).items() if n in metric.inputs.options}
        return metric.inputs.align(grades, of_graded, exact=exact, query=query, **options)

    def _scores_in_order(
        self,
        query: Any,
        judged: Mapping[Any, Any],
    ) -> dict[Hashable, float]:
        """The score of each document, in ranked order; without scores, its rank, negative."""
        scores = self.scores(query)
        if not scores:
            return {d: -float(rank) for rank, d in enumerate(self.order(query), 1)}
        ordered, _ = in_order(
            self.run.get(query, {}),
            query,
            self.by.ties,
            self.by.scores,
            judged,
        )
        return {document: scores[document] for document in ordered}

    # -- all queries

    def parts(self, metrics: Iterable[Metric]) -> list[Part]:
        """The parts in which the rows of these measures are made; None means all at once.

        For very many queries, the rows and columns of all at once would take many times the room of
        their scores.
        """
        asked = list(metrics)
        if self.judged is None or not asked or not all(map(self._in_parts, asked)):
            return [None]
        if self._n_judged is None:
            self._n_judged = len(self.found(self.options(asked[0])).queries)
        n = self._n_judged
        documents = 1  # of the largest ideal that has one for each rank
        for metric in asked:
            if metric.k and str(metric.params.get("ideal")) == "k_ones":
                documents = max(documents, metric.k)
        step = min(_PART, _IDEAL // documents)
        step = max(1, step)
        if n <= step:
            return [None]
        return [(begin, min(begin + step, n)) for begin in range(0, n, step)]

    def _in_parts(self, metric: Metric) -> bool:
        options = self.options(metric)
        padded = padding(self.judged, options.get("negative"))
        return metric.inputs is RANKED and goes_in_bulk(options) and not padded

    def rows(self, metric: Metric, part: Part = None) -> Any:
        """The rows of all queries, or of a part, made once for all measures that read the same."""
        kind = metric.inputs
        options = self.options(metric)
        how = kind.name if kind.in_bulk is None else kind.in_bulk
        chosen = sorted((name, str(value)) for name, value in options.items() if value is not None)
        key = (part, how, *chosen)
        if key not in self._rows:
            self._rows = {k: rows for k, rows in self._rows.items() if k[0] in (None, part)}
            rows = self._in_bulk(metric, options, part)
            if rows is None:
                rows = self.one_by_one(metric)
            if isinstance(rows, Rows):
                rows.keeps = self.run.joins
            self._rows[key] = rows
        return self._rows[key]

    def _in_bulk(
        self,
        metric: Metric,
        options: Mapping[str, Any],
        part: Part,
    ) -> Any:
        """The rows of all queries at once, if the kind of input and these conventions allow it."""
        in_bulk = metric.inputs.in_bulk
        if in_bulk is None or self.judged is None:
            return None
        if padding(self.judged, options.get("negative")):
            return None
        if part is None:
            return in_bulk(self, options)
        return in_bulk(_PartOfRun(self, part), options)

    def one_by_one(self, metric: Metric) -> Any:
        """The same rows without a fast path, for any kind of input: one query after the other."""
        self.run.kept()
        for query in self.queries:
            self._refuse_mixed_kinds(query)
        parts = [self.one(metric, query) for query in self.queries]
        return type(parts[0]).joined(parts)

    def _refuse_mixed_kinds(self, query: Any) -> None:
        """Refuse a run's documents that are not all of one kind, that of the judged ones."""
        judged = self.judgments(query)
        if query is None or not isinstance(judged, Collection):  # one ranking, or nothing judged
            return
        place = at(query)
        of_judged = checks.one_kind(judged, "judged document", place)
        of_run = checks.one_kind(self.run.get(query, ()), "document", place)
        checks.as_judged(of_run, of_judged, place)

    def found(self, options: Mapping[str, Any]) -> Aligned:
        """The judged documents of the whole run with their ranks, under these conventions."""
        wanted = {n: options.get(n, getattr(self.by, n)) for n in _FINDING}
        if not wanted["ties"].in_bulk:  # these are settled when the judged documents are found
            wanted["ties"] = AS_GIVEN
        if settled_later({"pool": self.by.pool, **wanted, **options}):
            wanted["negative"] = AS_WRITTEN
        key = tuple(str(v) for v in wanted.values())
        if key not in self._found:
            if self.judged is None:
                raise InputError("no judgments are given; give query -> document -> grade")
            pool = self.judged.pool(wanted.pop("negative"))
            report = partial(Problems, unit="row", skip=self._skip_bad)
            self._found[key] = aligned(self.run, pool, **wanted, report=report)
        return self._found[key]

    def ranked(
        self,
        options: Mapping[str, Any],
        part: Part = None,
        *,
        numbered: bool = False,
    ) -> Rows | None:
        """Rows of the judged documents alone, for all queries that count; None where it can't.

        If they are `numbered`, documents are numbers that no two of all queries share.
        """
        met = self.found(options)
        if not options["unretrieved"].absent:
            if met.bottomless:
                return None
            met = met.with_unretrieved(options["ties"])
        if part is not None:
            met = met.part(*part)
        if settled_later(options):
            met.refuse_negative()
        rows = met.settled(options["ties"], numbered=numbered)
        if not self.matched.left_out:
            return rows
        return rows.of_queries(~met.missing)

    def options(self, metric: Metric) -> dict[str, Any]:
        """How this metric's input is aligned: by the bundle, unless the metric says otherwise."""
        by = self._given if metric.name in self._names else self.by
        settled: dict[str, Any] = {}
        for name in metric.inputs.options:
            value = getattr(by, name, None)
            if value is not None:
                settled[name] = value
        settled |= {n: v for n, v in metric.params.items() if n in metric.inputs.options}
        metric.refuse_shared(settled.get("ties"))
        if metric.inputs is SCORED and metric.k is not None:
            metric.refuse_shared(self.by.ties)
        return settled

    @property
    def not_asked_for(self) -> Sequence[Hashable]:
        """The queries that are left out, because others were asked for."""
        return self.run.not_asked_for if self.judged is None else self.judged.not_asked_for

    @property
    def by_subtopic(self) -> bool:
        """Whether judgments are by subtopic."""
        return self.judged is not None and self.judged.by_subtopic

    @property
    def judged_rows(self) -> NuggetRows:
        """The judged documents of judgments by subtopic, with what they hold."""
        assert isinstance(self.judged, JudgedBySubtopic)  # noqa: S101 -- asked for these alone
        return self.judged.rows

    @property
    def leaves_out_missing(self) -> bool:
        """Whether judged queries that the run lacks are left out of the means."""
        return self.matched.left_out

    def tied(self) -> int:
        """How many documents share their score with another of the same query."""
        if self._found:
            return int(self.found(self.options(cg)).tied.sum())
        n = 0
        for query in self.queries:
            scores = list(self.scores(query).values())
            _, counts = np.unique(scores, return_counts=True)
            shared = counts[counts > 1]
            n += int(shared.sum())
        return n


@dataclass(frozen=True)
class _PartOfRun:
    """Some of a run's queries, for rows that are made part by part."""

    run: Joined
    part: tuple[int, int]

    def ranked(self, options: Mapping[str, Any], *, numbered: bool = False) -> Rows | None:
        """Rows of the judged documents alone, for those of these queries that count."""
        return self.run.ranked(options, self.part, numbered=numbered)


def _of_query(value: Any, name: str, query: Any) -> Any:
    if name != "expected" or not isinstance(value, Mapping):
        return value
    if query not in value:
        raise InputError(f"{at(query)}the user is not in expected; give a list for each user")
    return value[query]


def _two_orders(
    joined: Joined,
    metric: Metric,
    query: Any,
    *,
    exact: bool,
) -> Any:
    """The order of a query in both runs, with its ties."""
    other = joined.beside.get("other")
    if other is None:
        raise InputError(f"{metric!r} compares two runs; give other=... to evaluate")
    if query not in other.run:
        raise InputError(
            f"{at(query)}the query is not in the other run; rank it there, or leave it out"
        )
    both = (_in_order(joined, query), _in_order(other, query))
    return metric.inputs.align(*both, settled=True, exact=exact, query=query)


def _in_order(joined: Joined, query: Any) -> Any:
    """A query's documents in order, with their scores where these are read."""
    order = joined.order(query)
    if joined.by.scores.unread:
        return order
    scores = joined.scores(query)
    if not scores:
        return order
    return {document: scores[document] for document in order}
