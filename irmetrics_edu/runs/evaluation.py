"""Whole runs: every measure of every query, and what it all comes to.

run + qrels -> rows, once -> a Working per measure -> scores per query -> means

An Evaluation is the scores of a run (`run_scores.py`) with the rankings and workings behind them.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.conventions import LEFT_OUT, MACRO
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle, bundle
from irmetrics_edu.libraries.names import measures_under
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.numbers import Array, as_fraction, concatenated
from irmetrics_edu.runs.accepted import JudgmentsInput, MeasuresInput, RunInput
from irmetrics_edu.runs.averaging import averaging_of, divisor_of
from irmetrics_edu.runs.counts import Counts, counted, documents_per_query
from irmetrics_edu.runs.joining.join import is_together, joined, rows_together
from irmetrics_edu.runs.joining.joined_run import JUDGMENTS, Joined
from irmetrics_edu.runs.joining.queries import AskedFor, Look, look_swapped
from irmetrics_edu.runs.keywords import refuse_unknown
from irmetrics_edu.runs.notes import Note, NoteKind
from irmetrics_edu.runs.run_scores import AnyMeasure, ByMeasure
from irmetrics_edu.runs.segments import OfQueries, Queries, chosen_queries
from irmetrics_edu.runs.shown_scores import ShownScores
from irmetrics_edu.working import Working


class Evaluation(ShownScores):
    """The scores of a run: by measure, by query, with the way each came about.

    `mean` maps measures to their mean over queries, `per_query` maps measures to a mapping from
    query to score. `counts` says what was missing, unjudged or tied. Shown as text, in a notebook
    or as a paper's table by its methods, always with the counts that are not zero. `aligned` holds
    the rankings beside their judgments, `workings` how each score follows from them.
    """

    def __init__(
        self,
        aligned: Joined,
        chosen: Sequence[Measure],
        by: Bundle,
        *,
        name: str = "",
    ) -> None:
        self._aligned = aligned
        settled = {m.name: by.settle(m.metric) for m in chosen}
        pooled = [m.name for m in chosen if _is_pooled(m, by)]
        self.together = {
            name: _measured(metric, rows_together(aligned, metric))
            for name, metric in settled.items()
            if is_together(metric)
        }
        single = {n: metric for n, metric in settled.items() if n not in self.together}
        scores, divisors, self.undefined_scored = _scored(aligned, single, pooled)
        without = np.full(len(aligned.queries), np.nan)
        self.missing_apart = _missing_apart(aligned, chosen, by)
        super().__init__(
            chosen,
            aligned.queries,
            {name: scores.get(name, without) for name in settled},
            conventions=by,
            settled=settled,
            divisors=divisors,
            name=name,
        )

    # -- how the scores came about

    @property
    def aligned(self) -> Joined:
        """The run and its judgments as they were aligned, with what was given besides."""
        return self._aligned

    @cached_property
    def workings(self) -> ByMeasure[Working]:
        """How the scores of all queries came about, by measure."""
        workings: ByMeasure[Working] = ByMeasure()
        for name, metric in self._settled.items():
            if name in self.together:
                workings[name] = self.together[name]
            else:
                workings[name] = _measured(metric, self._aligned.rows(metric))
        return workings

    def working(
        self,
        name: AnyMeasure | None,
        query: Hashable,
        *,
        exact: bool = False,
    ) -> Working:
        """How one query's score came about, every rank a row; in fractions if `exact`."""
        chosen = self.measure_named(name)
        metric = self._settled[chosen.name]
        if chosen.name in self.together:
            raise InputError(
                f"{chosen.name} has no score for {query!r}, because it is of several queries "
                f"together: see aggregation({chosen.name!r})"
            )
        self.require_query(query)
        rows = self._aligned.one(
            metric,
            query,
            exact=exact,
        )
        return _measured(metric, rows, exact=exact)

    # -- what else there was

    @cached_property
    def counts(self) -> Counts:
        """What the evaluation met: queries and documents missing, unjudged, tied."""
        return counted(
            self._aligned,
            self.measures,
            self.conventions,
        )

    def documents_per_query(self) -> dict[Hashable, dict[str, int]]:
        """Documents of each query retrieved, relevant, and both, by trec_eval's names."""
        return documents_per_query(self._aligned)

    @property
    def swapped(self) -> bool:
        """Whether the run and the judgments, as far as they are in memory, can be swapped."""
        return self.look is not Look.RIGHT

    @cached_property
    def look(self) -> Look:
        """How far the numbers of both look as if each stood in the place of the other."""
        aligned = self._aligned
        missing = set(self.counts.missing)
        few: list[Hashable] = []
        of_table = bool(self.counts.columns) and aligned.run.can_be_asked
        if aligned.run.at_hand or of_table:
            few = [query for query in self.queries[:5] if query not in missing]
        scores = {query: aligned.scores(query) for query in few}
        judgments = {query: aligned.judgments(query) for query in few}
        return look_swapped(scores, judgments)

    def noted(self, *, unjudged: bool = True) -> list[Note]:
        """What has to be said beside the numbers; of unjudged documents only if `unjudged`."""
        notes = super().noted(unjudged=unjudged)
        return [Note(NoteKind.SWAPPED), *notes] if self.swapped else notes


def _missing_apart(
    aligned: Joined,
    chosen: Sequence[Measure],
    by: Bundle,
) -> dict[str, Array]:
    """Which queries the run lacks, by the measures that leave them out where others count them."""
    if aligned.matched.left_out or not len(aligned.matched.missing):
        return {}
    names = [m.name for m in chosen if by.missing_of(m.metric) is LEFT_OUT]
    if not names:
        return {}
    gone = set(aligned.matched.missing)
    is_missing = np.array([query in gone for query in aligned.queries])
    return dict.fromkeys(names, is_missing)


def _is_pooled(measure: Measure, by: Bundle) -> bool:
    """Whether the mean of a measure is that of pooled counts, for which divisors are kept."""
    return averaging_of(measure, by.averaging_of(measure.metric)) is not MACRO


@dataclass
class _Scored:
    """What is kept of workings, part by part: the scores, and what is pooled and undefined."""

    scores: dict[str, list[Array]]
    divisors: dict[str, list[Array]]
    undefined: dict[str, list[Array]]

    def add(self, name: str, metric: Metric, rows: Any) -> None:
        """Measure the queries of some rows."""
        working = _measured(metric, rows)
        self.scores[name].append(working.score)
        if name in self.divisors:
            self.divisors[name].append(divisor_of(metric, working))
        if name in self.undefined:
            without = _measured(metric.using(undefined="nan"), rows)
            self.undefined[name].append(np.isnan(without.score))


def _scored(
    aligned: Joined,
    single: Mapping[str, Metric],
    pooled: Sequence[str],
) -> tuple[dict[str, Array], dict[str, Array], dict[str, Array]]:
    """The scores of each measure, the divisors of those that are pooled, and what is undefined.

    Of very many queries part by part, keeping nothing else.
    """
    if not single:
        return {}, {}, {}
    with_value = [name for name, metric in single.items() if _has_a_value_for_undefined(metric)]
    kept = _Scored(
        {name: [] for name in single},
        {name: [] for name in pooled},
        {name: [] for name in with_value},
    )
    for part in aligned.parts(single.values()):
        for name, metric in single.items():
            rows = aligned.rows(metric, part)
            if part is None or rows.n:
                kept.add(name, metric, rows)
    return _in_one(kept.scores), _in_one(kept.divisors), _in_one(kept.undefined)


def _in_one(parts_of: Mapping[str, list[Array]]) -> dict[str, Array]:
    """The arrays of all parts as one, by measure."""
    return {name: concatenated(parts) for name, parts in parts_of.items()}


def _has_a_value_for_undefined(metric: Metric) -> bool:
    """Whether a query for which a measure is not defined has a score by convention."""
    worth = {**metric.defaults, **metric.params}.get("undefined")
    return worth is not None and not np.isnan(worth.value)


def _measured(metric: Metric, rows: Any, *, exact: bool = False) -> Working:
    """The working of a metric over its rows; its numbers are fractions if `exact`."""
    options = {**metric.defaults, **metric.params} if exact else metric.params
    params = {}
    for name, value in options.items():
        if name in metric.defaults:
            is_float = isinstance(value, float)
            params[name] = as_fraction(value) if exact and is_float else value
    return metric.measured(
        rows,
        metric.k,
        **params,
    )


def evaluate(
    run: RunInput,
    qrels: JudgmentsInput | None = None,
    measures: MeasuresInput = "nDCG@10 AP",
    conventions: Bundle | str = "trec_eval",
    *,
    name: str = "",
    skip_bad: bool = False,
    format: str | None = None,  # noqa: A002 -- what a file's format is called
    padding: int | None = None,
    columns: Mapping[str, str] | None = None,
    queries: Queries = None,
    groups: OfQueries = None,
    weights: OfQueries = None,
    **options: Any,
) -> Evaluation:
    """An evaluation is the scores of a run's rankings, query by query, and their means.

    `run` maps queries to rankings (document -> score, or a list of ids). `qrels` maps queries to
    judgments (document -> grade, or a set of relevant ids). Either may be a file (TREC, JSON, CSV,
    Parquet) or a data frame. The run may also be an iterable of pieces, or a 2-D array of ids with
    lists of held-out ids as `qrels`, of which `padding` fills short rows. `format` names the format
    of a file if its name does not. A file with malformed lines is an error that lists them, unless
    `skip_bad` leaves them out and counts them. `columns` says what columns of tables are:
    {"reader": "query", "book": "document", "stars": "grade"}. `limits` sets the largest input.

    Measures of novelty and intents (alpha-nDCG, ERR-IA) need judgments by subtopic: query ->
    document -> subtopics, or lines of query, subtopic, document, grade.

    `measures` are names such as "nDCG@10 AP RR", or metrics. `conventions` is the bundle of a
    library, or its name. You can give each convention by itself, as in missing_queries="skip",
    averaging="micro" or reading="strict". Other keywords are further inputs of a measure, as in
    categories={...}, `other` (a second run, for RBO and tau) or `catalogue` (all items). A judged
    query that the run does not have scores 0. A query that is not judged is left out. The result
    says so.

    `queries` are the ids of those that count, such as a fold; the result says how many are left
    out. `groups` maps each query to its group, and the table has the means of each. `weights` maps
    each query to its weight in the means, such as how often it was asked. Each may be a mapping, a
    column of a frame that is indexed by query, or a file.

    >>> evaluate({"q1": ["a", "b"], "q3": ["a"]}, {"q1": {"b": 1, "c": 0}, "q2": {"a": 1}}, "RR")
    2 queries, conventions of trec_eval
    measure    mean
    RR       0.2500
    note: 1 judged query is not in the run and scores 0: q2
    note: 1 query of the run is not judged and is left out: q3
    note: 1 of 2 documents retrieved is not judged (50%)
    """
    chosen, by, beside = asked(measures, conventions, options)
    reading = {"skip_bad": skip_bad, "format": format, "padding": padding}
    whose = by.joining(measure.metric for measure in chosen)
    told: dict[str, Any] = {"beside": beside, "reading": reading, "columns": columns}
    aligned = joined(run, qrels, chosen, whose, **told, only=_asked_for(queries))
    evaluation = Evaluation(aligned, chosen, by, name=name)
    return evaluation.tell_of_queries(groups=groups, weights=weights)


_PARAMETERS = ("conventions", "name", "skip_bad", "format", "padding", "columns")


def _asked_for(queries: Queries) -> AskedFor | None:
    """The queries that alone count; None if all do."""
    return None if queries is None else AskedFor(chosen_queries(queries))


def asked(
    measures: MeasuresInput,
    conventions: Bundle | str,
    options: Mapping[str, Any],
) -> tuple[tuple[Measure, ...], Bundle, dict[str, Any]]:
    """The measures, the conventions and the inputs besides that a call asks for."""
    choices = {*Bundle.choices(), "options"}  # what else a bundle has is said of a library
    by = bundle(conventions).using(**{n: v for n, v in options.items() if n in choices})
    beside = {n: v for n, v in options.items() if n not in choices}
    chosen, by = measures_under(measures, by)
    inputs = {name for m in chosen for name in m.metric.inputs.arguments[1:]}
    takes = [
        "measures",
        "queries",
        "groups",
        "weights",
        *sorted(inputs - {*JUDGMENTS}),
        *Bundle.choices(),
    ]
    refuse_unknown(beside, takes, chosen, "evaluate", _PARAMETERS)
    return chosen, by, beside
