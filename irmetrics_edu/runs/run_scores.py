"""The scores of a run: by measure and query, with their means and what has to be said beside them.

arrays of scores -> means over queries -> notes

An evaluation computes them here, or the workers of a cluster, or another program. Tables, files
and plots are functions of these scores (`score_tables.py`).
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from irmetrics_edu.conventions import MACRO, Averaging, Convention
from irmetrics_edu.engine.id_list import chosen
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import TREC_EVAL, Bundle, Met
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, MEAN, Measure, known_measure
from irmetrics_edu.metrics.over_queries import geometric_mean, mean
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.query_values import Values
from irmetrics_edu.runs import segments
from irmetrics_edu.runs.averaging import averaging_of, by_impressions, pooled
from irmetrics_edu.runs.counts import Counts, leaves_out_unretrieved
from irmetrics_edu.runs.notes import Note, NoteKind, of_queries
from irmetrics_edu.runs.segments import OfQueries
from irmetrics_edu.runs.weighted import effective_size, weighted
from irmetrics_edu.working import Working

_LOOKED_THROUGH = 10_000  # queries, for one that is written nearly so
REL = "rel"  # the lowest grade that a measure takes for relevant
MAX_GRADE = "max_grade"  # the top of the scale
REPEATED = Met.REPEATED.value  # the option, too, has the name of the probe
NO_RANKINGS = "only scores are known; evaluate the run to see how they arose"

Result = TypeVar("Result")


class MeanOfMetric(Protocol):
    """A mean of a metric over queries, such as `mean_average_precision`."""

    @property
    def aggregation(self) -> Metric:
        """The mean."""

    @property
    def metric(self) -> Metric:
        """The metric of each query."""


AnyMeasure = str | Metric | Measure | MeanOfMetric


class ByMeasure(dict[str, Result]):
    """Results by the name of the measure; any way to write the measure finds it."""

    def __missing__(self, asked: AnyMeasure) -> Result:
        name = known_measure(asked).name
        if name not in self:
            raise KeyError(f"{asked} was not evaluated; there are {', '.join(self)}")
        return self[name]


class RunScores:
    """The scores of a run's queries by each measure, and what follows from nothing but them.

    `scores` maps each measure to an array, in the order of `queries`, with NaN where a query has no
    score. `divisors` maps the measures that are pooled over queries to what their shares are
    divided by. `settled` maps each measure to its metric with its conventions. `mean` maps measures
    to their mean over queries, `per_query` maps measures to a mapping from query to score.
    `together` holds the workings of measures of several queries together, which have no score for
    each query. `groups` maps each group of queries to its queries, and `weights` each query to its
    weight in the means; both are empty unless `tell_of_queries` sets them. `missing_apart` says for
    some measures which queries they leave out, because the run lacks them, where other measures
    count these queries. `undefined_scored` says for which queries a measure is not defined and
    `undefined` gave the score, such as 0.5 for an AUC without a pair.
    """

    together: Mapping[str, Working] = MappingProxyType({})
    missing_apart: Mapping[str, Array] = MappingProxyType({})
    undefined_scored: Mapping[str, Array] = MappingProxyType({})
    groups: Mapping[Hashable, Sequence[Hashable]] = MappingProxyType({})
    weights: Mapping[Hashable, float] = MappingProxyType({})
    _told_of_queries: Sequence[str] = ()  # which columns of files they are

    def __init__(
        self,
        measures: Iterable[Measure],
        queries: Sequence[Hashable],
        scores: Mapping[str, Array],
        *,
        conventions: Bundle,
        settled: Mapping[str, Metric],
        divisors: Mapping[str, Array] | None = None,
        name: str = "",
    ) -> None:
        self.name = name
        self.conventions = conventions
        self.measures = tuple(measures)
        self.queries = queries
        self.scores = ByMeasure(scores)
        self.divisors = ByMeasure(divisors or {})
        self._settled = dict(settled)

    def tell_of_queries(
        self,
        *,
        groups: OfQueries = None,
        weights: OfQueries = None,
    ) -> Self:
        """Set the groups of queries and their weights, before anything is computed; returns itself.

        InputError for a query without a group or a weight, and for weights of a measure whose mean
        is not that of the queries' values.
        """
        queries = list(self.queries)
        groups = segments.as_told(groups, "groups")
        weights = segments.as_told(weights, "weights")
        self._told_of_queries = segments.about(groups, weights)
        self.groups = segments.groups_beside_all(groups, queries)
        if weights is not None:
            for measure in self.measures:
                self.refuse_weights(measure)
            self.weights = segments.weights(weights, queries)
        return self

    def refuse_weights(self, measure: Measure) -> None:
        """Refuse weights of queries where a mean is not the sum of values over their number."""
        if measure.name in self.together:
            return
        if measure.aggregate == GEOMETRIC_MEAN:
            raise InputError(
                f"{measure.name}: weights are for arithmetic means, and this is a geometric one; "
                "leave out weights=, or evaluate this measure by itself"
            )
        how = self.averaging(measure)
        if how is not MACRO:
            raise InputError(
                f"{measure.name}: with averaging={how} queries weigh by their counts, so weights "
                "can't be given too; give averaging='macro', or leave out weights="
            )

    def refuse_together(
        self,
        names: Iterable[str],
        why: str,
    ) -> None:
        """Raise InputError if one of these measures has no score for each query."""
        for name in names:
            if name in self.together:
                raise InputError(f"{name} is of several queries together, so {why}; leave it out")

    # -- one measure, one query

    def measure_named(self, name: AnyMeasure | None) -> Measure:
        """The measure of this name; the first, if it is None."""
        if name is None:
            return self.measures[0]
        for measure in self.measures:
            if name is measure.metric:
                return measure
        written = isinstance(name, str) and name in self._settled
        wanted = name if written else known_measure(name).name
        for measure in self.measures:
            if measure.name == wanted:
                return measure
        raise InputError(
            f"{wanted} was not evaluated; there are {', '.join(m.name for m in self.measures)}"
        )

    @cached_property
    def _place(self) -> dict[Hashable, int]:
        return {query: i for i, query in enumerate(self.queries)}

    def require_query(self, query: Hashable) -> None:
        """Raise InputError if the query was not evaluated, with some that were."""
        if query in self._place:
            return
        queries = ""
        if len(self.queries):
            some = list(islice(self.queries, _LOOKED_THROUGH))
            by_text = {str(one): one for one in some}
            near = get_close_matches(str(query), by_text, n=1)
            like = [by_text[text] for text in near] or some[:3]
            shown = ", ".join(map(repr, like))
            queries = f"; give one of its {len(self.queries):,}, such as {shown}"
        why = ": it is not judged" if query in self.counts.not_judged else ""
        raise InputError(f"query {query!r} was not evaluated{why}{queries}")

    def working(
        self,
        name: AnyMeasure | None,  # noqa: ARG002 -- as where rankings are known
        query: Hashable,  # noqa: ARG002 -- as where rankings are known
        *,
        exact: bool = False,  # noqa: ARG002 -- as where rankings are known
    ) -> Working:
        """How one query's score came about; an error where no ranking is known."""
        raise InputError(NO_RANKINGS)

    # -- results

    @cached_property
    def per_query(self) -> ByMeasure[dict[Any, float]]:
        """Scores by measure and query."""
        by_measure: ByMeasure[dict[Any, float]] = ByMeasure()
        for name, array in self.scores.items():
            scores = dict(
                zip(
                    self.queries,
                    array.tolist(),
                    strict=True,
                )
            )
            for place in np.flatnonzero(self.missing_apart.get(name, ())).tolist():
                del scores[self.queries[place]]
            by_measure[name] = scores
        return by_measure

    @cached_property
    def mean(self) -> ByMeasure[float]:
        """Means over queries by measure: of MAP, MRR and the like too; GMAP's is geometric."""
        means: ByMeasure[float] = ByMeasure()
        for measure in self.measures:
            means[measure.name] = float(self.aggregation(measure.name).score[0])
        return means

    def averaging(self, name: AnyMeasure | None) -> Averaging:
        """How a measure is averaged over queries."""
        measure = self.measure_named(name)
        return averaging_of(measure, self.conventions.averaging_of(measure.metric))

    def aggregation(
        self,
        name: AnyMeasure | None,
        among: Sequence[int] | None = None,
    ) -> Working:
        """The working of a measure's mean over queries: all, or those of these numbers."""
        measure = self.measure_named(name)
        if measure.name in self.together:
            return self.together[measure.name]
        kept = self.counted(measure.name) if among is None else np.array(among, dtype=np.intp)
        values = Values(
            np.zeros(len(kept), dtype=np.intp),
            self.scores[measure.name][kept],
            self._labels(kept),
            labelled=True,
        )
        averaging = self.averaging(measure)
        if averaging.by_impressions:
            return by_impressions(values, self.divisors[measure.name][kept])
        if averaging is not MACRO:
            return pooled(
                values,
                self.divisors[measure.name][kept],
                averaging,
            )
        if measure.aggregate == GEOMETRIC_MEAN:
            floor = self.conventions.floor if measure.floor is None else measure.floor
            return geometric_mean.measured(values, floor=floor)
        if self.weights:
            weight = segments.weight_array(self.weights, [self.queries[i] for i in kept.tolist()])
            if not weight.any():
                raise InputError(
                    f"{measure.name}: every query with a score weighs 0, so there is no mean; give "
                    "some of them a weight above 0"
                )
            return weighted(values, weight)
        return mean.measured(values)

    def _labels(self, kept: Array) -> Sequence[Hashable]:
        """The queries of these numbers."""
        if len(kept) == len(self.queries):
            return self.queries
        return chosen(self.queries, kept)

    def counted(self, name: str) -> Array:
        """The numbers of the queries that count in the mean."""
        score = self.scores[name]
        counts = np.ones(len(score), dtype=bool)
        if self._skips(name):
            counts &= ~np.isnan(score)
        if name in self.missing_apart:
            counts &= ~self.missing_apart[name]
        kept = np.flatnonzero(counts)
        if not len(kept):
            raise InputError(
                f"{name}: every query is skipped, so there is no mean; leave the measure out, or "
                f"choose what such a query scores (such as {worth_of_nothing(self, name)})"
            )
        return kept

    def _skips(self, name: str) -> bool:
        """Whether queries without a score are left out of a measure's mean."""
        metric = self._settled[name]
        params = {**metric.defaults, **metric.params}
        asked = (params.get("undefined"), params.get("no_relevant"))
        return any(worth.left_out for worth in asked if worth is not None)

    def __getitem__(self, name: AnyMeasure | None) -> float:
        return float(self.mean[self.measure_named(name).name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.mean)

    def __len__(self) -> int:
        return len(self.measures)

    # -- what else there was

    @cached_property
    def counts(self) -> Counts:
        """Of scores alone nothing is known but how many queries there are."""
        return Counts(queries=len(self.queries))

    def documents_per_query(self) -> dict[Hashable, dict[str, int]]:
        """Documents of each query by trec_eval's names; an error where no ranking is known."""
        raise InputError(NO_RANKINGS)

    @property
    def caption(self) -> str:
        """What was evaluated, in a line."""
        queries = caption_of(len(self.queries), self.conventions)
        return f"{self.name}: {queries}" if self.name else queries

    def notes(self, *, unjudged: bool = True) -> tuple[str, ...]:
        """What has to be said beside the numbers; of unjudged documents only if `unjudged`."""
        return tuple(note.sentence() for note in self.noted(unjudged=unjudged))

    def noted(self, *, unjudged: bool = True) -> list[Note]:
        """The same as values: the kind of each note, its number, and what it is about."""
        notes = self.counts.noted(unjudged=unjudged)
        if not self._missing_score_zero():
            notes = [note.of_empty_ranking for note in notes]
        if self.counts.duplicates:
            notes += self._of_repeated()
        notes += [Note(NoteKind.OTHER_NAMES, about=about) for about in self._told_of_queries]
        notes += self._of_weights()
        notes += self._of_scale()
        notes += self._of_quirks()
        notes += self._of_measures_not_compared()
        notes += self._of_not_retrieved()
        for measure in self.measures:
            notes += self._of_measure(measure)
        return notes

    def _missing_score_zero(self) -> bool:
        """Whether every query that the run lacks scores 0 by every measure that counts it."""
        lacking = set(self.counts.missing)
        if not lacking:
            return True
        places = [place for place, query in enumerate(self.queries) if query in lacking]
        for name, scores in self.scores.items():
            is_of_all_together = np.isnan(scores).all()
            if name in self.missing_apart or is_of_all_together:
                continue
            if np.any(scores[places] != 0):
                return False
        return True

    def _of_weights(self) -> list[Note]:
        """What has to be said of means in which queries do not weigh the same."""
        if not self.weights:
            return []
        size = effective_size(np.array(list(self.weights.values())))
        nothing = [query for query, weight in self.weights.items() if weight == 0]
        return [
            Note(NoteKind.WEIGHTED, about=f"{size:.1f}"),
            *of_queries(NoteKind.WITHOUT_WEIGHT, nothing),
            *(Note(NoteKind.UNWEIGHTED, measure=name) for name in self.together),
        ]

    def _of_repeated(self) -> list[Note]:
        """What repeated documents are worth in each measure."""
        by_meaning: dict[str, list[str]] = {}
        for measure in self.measures:
            aligned = self.conventions.aligned(measure.metric)
            if REPEATED in measure.metric.inputs.options:
                meaning = aligned[REPEATED].meaning
                by_meaning.setdefault(meaning, []).append(measure.name)
        return [
            Note(
                NoteKind.REPEATED_WORTH,
                measure=", ".join(names),
                about=meaning,
            )
            for meaning, names in by_meaning.items()
        ]

    def _of_quirks(self) -> list[Note]:
        """Where the library differs from its own conventions on what this run holds."""
        measures_of: dict[str, list[str]] = {}
        longest = self.counts.longest
        for met in self.counts.met():
            for measure in self.measures:
                for says in self.conventions.quirks_met(measure.metric, met, longest):
                    names = measures_of.setdefault(says, [])
                    if measure.name not in names:
                        names.append(measure.name)
        return [
            Note(
                NoteKind.QUIRK,
                measure=", ".join(names),
                library=str(self.conventions),
                about=says,
            )
            for says, names in measures_of.items()
        ]

    def _of_measures_not_compared(self) -> list[Note]:
        """Measures that a library may not have: the default conventions promise no library."""
        by = self.conventions
        default: Bundle = TREC_EVAL
        if by.name == default.name or not by.metrics:
            return []
        names = [m.name for m in self.measures if not by.was_compared(m.metric)]
        if not names:
            return []
        return [Note(NoteKind.NOT_COMPARED, measure=", ".join(names), library=by.name)]

    def _of_scale(self) -> list[Note]:
        """What measures take for relevant, and for the top of the scale, where nobody said it."""
        counts = self.counts
        of_relevant = []
        if not counts.has_ratings:  # these have a note of their own
            of_relevant = self._note_of_option(
                NoteKind.ALL_GRADES_RELEVANT,
                REL,
                decides=lambda least: least <= counts.lowest_relevant < counts.highest_grade,
            )
        of_top = self._note_of_option(
            NoteKind.TOP_ASSUMED,
            MAX_GRADE,
            decides=lambda top: 0 < counts.highest_grade < top,
        )
        return [*of_relevant, *of_top]

    def _note_of_option(
        self,
        kind: NoteKind,
        option: str,
        *,
        decides: Callable[[float], bool],
    ) -> list[Note]:
        """A note for each default of an option that decides a score, with the measures it is of."""
        highest = self.counts.highest_grade
        as_written = int(highest) if highest == int(highest) else highest
        by_default: dict[float, list[Measure]] = {}
        for measure in self.measures:
            default = measure.metric.defaults.get(option)
            is_settled = option in self._settled[measure.name].params
            if isinstance(default, int | float) and not is_settled and decides(default):
                by_default.setdefault(default, []).append(measure)
        return [
            Note(
                kind,
                measure=", ".join(measure.name for measure in those),
                about=f"{default:g}",
                highest=highest,
                instead=repr(those[0].metric.using(**{option: as_written})),
            )
            for default, those in by_default.items()
        ]

    def _of_measure(self, measure: Measure) -> list[Note]:
        """What has to be said of the way in which one measure is computed and averaged."""
        notes = []
        conventions = self._apart(measure)
        if conventions:
            written = ", ".join(f"{name}={value}" for name, value in conventions.items())
            notes.append(self._note_apart(measure, written))
        if measure.name in self.together:
            return [*notes, Note(NoteKind.TOGETHER, measure=measure.name)]
        how = self.averaging(measure)
        if how is not MACRO:
            if how is not self.conventions.averaging and measure.aggregate == MEAN:
                notes.append(self._note_apart(measure, how.meaning))
            else:
                notes.append(
                    Note(
                        NoteKind.AVERAGED,
                        measure=measure.name,
                        about=how.meaning,
                    )
                )
        notes += self._of_undefined(measure)
        notes += self._of_range(measure)
        return [*notes, *self._queries_skipped(measure)]

    def _of_not_retrieved(self) -> list[Note]:
        """Of which measures judged documents are no part that were not retrieved."""
        count = self.counts.judged_not_retrieved
        names = [m.name for m in self.measures if leaves_out_unretrieved(m, self.conventions)]
        if not count or not names:
            return []
        return [Note(NoteKind.NOT_RETRIEVED, count, measure=", ".join(names))]

    def _of_undefined(self, measure: Measure) -> list[Note]:
        """How many queries have a score by convention, as the measure is not defined for them."""
        if measure.name not in self.undefined_scored:
            return []
        settled = self._settled[measure.name]
        value = {**settled.defaults, **settled.params}["undefined"].value
        told = set(self.counts.missing) if value == 0 else set()
        places = np.flatnonzero(self.undefined_scored[measure.name]).tolist()
        queries = [self.queries[place] for place in places if self.queries[place] not in told]
        notes = of_queries(NoteKind.UNDEFINED_SCORED, queries, measure=measure.name)
        return [replace(note, about=f"{value:g}") for note in notes]

    def _of_range(self, measure: Measure) -> list[Note]:
        """Which queries score more than a measure otherwise can, and by which convention."""
        settled = self._settled[measure.name]
        unjudged = settled.params.get("unjudged")
        if unjudged is None or not unjudged.grade:
            return []
        highest = settled.range[1]
        places = np.flatnonzero(exceeds(self.scores[measure.name], highest)).tolist()
        queries = [self.queries[place] for place in places]
        notes = of_queries(NoteKind.ABOVE_RANGE, queries, measure=measure.name)
        return [replace(note, about=str(unjudged), highest=highest) for note in notes]

    def _note_apart(self, measure: Measure, about: str) -> Note:
        """A note on what holds for this measure and not for the library's others."""
        return Note(
            NoteKind.APART,
            measure=measure.name,
            about=about,
            library=str(self.conventions),
        )

    def _apart(self, measure: Measure) -> dict[str, Convention]:
        """The conventions of this measure in which it differs from the library's others."""
        taken = measure.metric.inputs.options
        conventions = self.conventions.apart(measure.metric)
        return {name: value for name, value in conventions.items() if name in taken}

    def _queries_skipped(self, measure: Measure) -> list[Note]:
        """How many queries without a score are left out of a measure's mean."""
        missing = np.zeros(len(self.queries), dtype=bool)
        if measure.name in self.missing_apart:
            missing |= self.missing_apart[measure.name]
        skipped = ~missing
        skipped[self.counted(measure.name)] = False
        lacking = [self.queries[place] for place in np.flatnonzero(missing).tolist()]
        left_out = [self.queries[place] for place in np.flatnonzero(skipped).tolist()]
        without = self._settled[measure.name].params.get("no_relevant")
        by_relevance = without is not None and without.left_out
        kind = NoteKind.SKIPPED_IRRELEVANT if by_relevance else NoteKind.SKIPPED
        return [
            *of_queries(NoteKind.MISSING_APART, lacking, measure=measure.name),
            *of_queries(kind, left_out, measure=measure.name),
        ]


def caption_of(n: int, conventions: Bundle) -> str:
    """How many queries there are, and by whose conventions they are scored."""
    return f"{n:,} {'query' if n == 1 else 'queries'}, conventions of {conventions}"


def worth_of_nothing(scores: RunScores, name: str) -> str:
    """The option by which a query without a score of a measure gets one, as it is written."""
    if name in scores.missing_apart and scores.missing_apart[name].any():
        return "missing_queries='zero'"
    if "undefined" in scores.measure_named(name).metric.defaults:
        return "undefined='zero'"
    return "no_relevant='zero'"
