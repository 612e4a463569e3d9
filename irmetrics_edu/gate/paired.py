"""A run and a baseline side by side: scores of the queries that both have, and other queries."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.checks import nearly_equal
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.input_checks import (
    Corpus,
    failed_calls,
    none_judged,
    refuse_swapped_files,
    refuse_unlikely,
    what_is_no_ranking,
)
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, Measure
from irmetrics_edu.reading.files import as_file
from irmetrics_edu.runs.averaging import no_pairs
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.runs.joining.inputs import is_run
from irmetrics_edu.runs.moves import Moves, moves
from irmetrics_edu.runs.notes import NoteKind
from irmetrics_edu.runs.printed_scores import PrintedScores
from irmetrics_edu.runs.run_scores import RunScores
from irmetrics_edu.runs.segments import some
from irmetrics_edu.views.formatting import steady

Scores = dict[str, Mapping[Hashable, float]]
MovesOf = Callable[[str, Hashable], Moves | None]


class BaselineWarning(UserWarning):
    """The baseline has other queries or judgments and should be made again."""


@dataclass(frozen=True)
class PairNote:
    """What differs between the two besides the ranking: that it does, and what it does to scores.

    A hint says that something changed, but not to what.
    """

    change: str
    scores: str = ""

    @property
    def sentence(self) -> str:
        """Both, as they are shown with the numbers."""
        return f"{self.change}; {self.scores}" if self.scores else self.change


@dataclass(frozen=True)
class PairedScores:
    """The scores of both, by measure and query, of the queries that both have.

    `new` are the queries that only the run has, `gone` those that only the baseline has. `notes`
    say what differs besides the ranking. `unjudged` are queries of the baseline whose rankings hold
    (almost) no judged document, so that there is nothing to compare with. `unanswered` are those
    for which the run finds nothing, and the baseline's run did. `corpus` says whether both are of
    the same documents.
    """

    run: RunScores
    before: Scores
    after: Scores
    queries: Sequence[Hashable]
    moves_of: MovesOf
    new: Sequence[Hashable] = ()
    gone: Sequence[Hashable] = ()
    notes: Sequence[PairNote] = ()
    corpus: Corpus = Corpus.UNKNOWN
    unjudged: Sequence[Hashable] = ()
    unanswered: Sequence[Hashable] = ()

    @property
    def had(self) -> int:
        """How many queries the baseline has."""
        return len({*self.queries, *self.gone, *self.unjudged})

    @property
    def nothing_left(self) -> bool:
        """Whether no query is left to compare: the scores are shown, and say nothing."""
        return bool(self.unjudged) and set(self.queries) <= set(self.unjudged)

    @property
    def widths(self) -> dict[str, float]:
        """The width of each measure's range: the greatest change there can be."""
        return {m.name: m.metric.range[1] - m.metric.range[0] for m in self.run.measures}

    def at_the_bottom(self, chosen: Measure) -> bool:
        """Whether each query of the baseline has the least score there is: none can fall."""
        least = chosen.metric.range[0]
        return all(score <= least for score in self.before[chosen.name].values())

    def all_notes(
        self,
        texts: Mapping[Hashable, str],
        *,
        of_answers: bool = True,
        of_order: bool = True,
    ) -> list[str]:
        """The notes to show with the numbers.

        `of_answers` tells of queries that find nothing, `of_order` of what makes the order of the
        run's documents another one than may be meant.
        """
        sentences = [note.sentence for note in self.notes]
        not_compared = self._not_compared(texts)
        if not_compared:
            n = len(self.queries)
            both = "the 1 query" if n == 1 else f"the {n:,} queries"
            means = [f"{m.name} {steady(self.run.mean[m.name]):.4f}" for m in self.run.measures]
            sentences.append(
                f"Compared on {both} that both have; {'; '.join(not_compared)}; over all its "
                f"queries the run has {', '.join(means)}"
            )
        if self.unanswered and of_answers:
            sentences.append(finds_nothing(self.unanswered, texts))
        sentences += [
            f"{m.name} of the baseline is {m.metric.range[0]:g}, the least there is, so this gate "
            "can't fail by it"
            for m in self.run.measures
            if self.at_the_bottom(m)
        ]
        sentences += [
            f"{m.name}: the gate compares the values of {m.metric!r} of each query, and their means"
            for m in self.run.measures
            if m.aggregate == GEOMETRIC_MEAN
        ]
        if of_order:
            sentences += self.run.counts.of_order()
        return sentences

    def _not_compared(self, texts: Mapping[Hashable, str]) -> list[str]:
        """Which queries only one of the two has, or can't be compared."""
        unjudged = () if self.nothing_left else self.unjudged
        kinds = (
            (self.new, "query is new", "queries are new"),
            (self.gone, "query is gone", "queries are gone"),
            (
                unjudged,
                "query has hardly a judged document in the baseline",
                "queries have hardly a judged document in the baseline",
            ),
        )
        sentences = []
        for queries, one, many in kinds:
            if queries:
                what = one if len(queries) == 1 else many
                sentences.append(f"{len(queries):,} {what} ({some(queries, texts)})")
        return sentences


def finds_nothing(queries: Sequence[Hashable], texts: Mapping[Hashable, str]) -> str:
    """Which queries the run leaves unanswered, though the baseline's run answered them."""
    what = "1 query finds" if len(queries) == 1 else f"{len(queries):,} queries find"
    return f"{what} nothing that the baseline answered ({some(queries, texts)})"


def without_answer(evaluation: RunScores) -> set[Hashable]:
    """The queries for which a run has no document: an empty ranking, or none at all."""
    return {*evaluation.counts.empty, *evaluation.counts.missing}


def without_value(evaluation: RunScores) -> list[str]:
    """Which queries another program gave no value, so that they are not compared."""
    if not isinstance(evaluation, PrintedScores):
        return []
    notes = evaluation.noted(unjudged=False)
    return [note.sentence() for note in notes if note.kind is NoteKind.WITHOUT_VALUE]


def paired(
    run: Any,
    baseline: Any,
    qrels: Any,
    measures: Any,
    options: Mapping[str, Any],
) -> PairedScores:
    """A run and a baseline, evaluated alike, over the queries that both have.

    A query that is not in the baseline does not count as 0 there: its gain would hide the losses
    of others.
    """
    qrels = as_file(qrels)  # read for either
    after = evaluated(run, "run", qrels, measures, options)
    before = evaluated(baseline, "baseline", qrels, measures, options)
    _refuse_other_measures(before, after)
    # What neither has did not change; what only the run has is new.
    had = {*before.queries} - ({*before.counts.missing} - {*after.counts.missing})
    names = [m.name for m in after.measures]
    queries = [query for query in before.queries if query in had]
    without = none_judged(before.counts, baseline)
    unanswered_now = without_answer(after) - without_answer(before)
    failures = [failed_calls(run), failed_calls(baseline), *without_value(after)]
    return pair(
        after,
        before={name: before.per_query[name] for name in names},
        after={name: after.per_query[name] for name in names},
        had=queries,
        moves_of=moves_between(before, after),
        notes=[PairNote(failure) for failure in failures if failure],
        unjudged=queries if without else (),
        unanswered=[query for query in queries if query in unanswered_now],
    )


def _refuse_other_measures(before: RunScores, after: RunScores) -> None:
    """Refuse evaluations that were made before by other measures."""
    had, has = ([m.name for m in one.measures] for one in (before, after))
    if had != has:
        raise InputError(
            f"the baseline was evaluated by {', '.join(had)}, "
            f"the run by {', '.join(has)}; evaluate both alike"
        )


def pair(
    run: RunScores,
    before: Mapping[str, Mapping[Hashable, float]],
    after: Mapping[str, Mapping[Hashable, float]],
    had: Sequence[Hashable],
    moves_of: MovesOf,
    *,
    notes: Sequence[PairNote] = (),
    unjudged: Sequence[Hashable] = (),
    unanswered: Sequence[Hashable] = (),
) -> PairedScores:
    """Both, over the queries that both have; `had` are the baseline's.

    Queries that are `unjudged` in the baseline are left out, unless all are: then there is nothing
    to compare, and their scores are only shown.
    """
    both = _in(run.queries, set(had))
    if not both:
        raise InputError("the run and the baseline have no query in common")
    left_out = set(unjudged)
    queries = [query for query in both if query not in left_out] or both
    compared = set(queries)
    return PairedScores(
        run=run,
        before=_of(queries, before),
        after=_of(queries, after),
        queries=queries,
        moves_of=moves_of,
        new=_in(run.queries, set(run.queries) - set(had)),
        gone=_in(had, set(had) - set(run.queries)),
        notes=notes,
        unjudged=_in(both, left_out),
        unanswered=_in(unanswered, compared),
    )


def _in(queries: Sequence[Hashable], chosen: AbstractSet[Hashable]) -> list[Hashable]:
    """The queries that are chosen, in their order."""
    return [query for query in queries if query in chosen]


def _of(queries: Sequence[Hashable], scores: Mapping[str, Mapping[Hashable, float]]) -> Scores:
    """The scores of these queries, by measure."""
    chosen: Scores = {}
    for name, of_all in scores.items():
        if list(of_all) == queries:
            chosen[name] = of_all
        else:
            values = map(of_all.__getitem__, queries)
            chosen[name] = dict(zip(queries, values, strict=True))
    return chosen


def moves_between(before: RunScores, after: RunScores) -> MovesOf:
    """The documents of a query that moved; computed when asked for."""

    def found(measure: str, query: Hashable) -> Moves | None:
        try:
            return moves(before.working(measure, query), after.working(measure, query), query)
        except (InputError, AttributeError):  # a measure whose rows are no documents
            return None

    return found


def evaluated(
    value: Any,
    name: str,
    qrels: Any,
    measures: Any,
    options: Mapping[str, Any],
) -> RunScores:
    """The evaluation of a run; a single ranking is refused, since queries are compared.

    `name` is what the run is here: the run, or the baseline.
    """
    if isinstance(value, RunScores):
        return _in_pairs(value)
    if value is None or not is_run(value):
        raise InputError(f"the {name} {_what_is_no_run(value)}")
    refuse_unlikely(value, qrels, name)
    evaluation = evaluate(value, qrels, measures, **options)
    refuse_swapped_files(evaluation, value, name)
    return _in_pairs(evaluation)


def _what_is_no_run(value: Any) -> str:
    """What is given in the place of a run, and what to give instead."""
    no_ranking = what_is_no_ranking(value)
    if no_ranking:
        return no_ranking
    what = "None" if value is None else f"one ranking ({type(value).__name__})"
    return f"is {what}; give a run: query -> ranking"


def _in_pairs(evaluation: RunScores) -> RunScores:
    """The evaluation; refused if a measure is not made of its queries' values."""
    for m in evaluation.measures:
        if why := no_pairs(m, evaluation.averaging(m)):
            raise InputError(why)
    return evaluation


def refuse_unknown_queries(protected: Sequence[Hashable], pair_of_runs: PairedScores) -> None:
    """Refuse to protect a query that is not compared: nobody can tell whether it fell."""
    for query in protected:
        if query in pair_of_runs.before[pair_of_runs.run.measures[0].name]:
            continue
        alike = nearly_equal(pair_of_runs.queries, [query])
        if alike is None:
            why = (
                "it is not among the queries that both have; name queries as the run does, "
                "or take it out of protected="
            )
        else:
            why = f"it differs from {alike[0]!r} only in {alike[2]}; write ids the same way"
        raise InputError(f"protected query {query!r}: {why}")
