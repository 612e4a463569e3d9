"""A run and a baseline side by side: scores of the queries that both have, and other queries."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from irmetrics_edu.checks import nearly_equal
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.input_checks import failed_calls, refuse_swapped_files, refuse_unlikely
from irmetrics_edu.gate.segments import some
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, Measure
from irmetrics_edu.reading.files import as_file
from irmetrics_edu.runs.averaging import no_pairs
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.runs.joining.inputs import is_run
from irmetrics_edu.runs.moves import Moves, moves
from irmetrics_edu.runs.run_scores import RunScores
from irmetrics_edu.views.formatting import steady

Scores = dict[str, Mapping[Hashable, float]]
MovesOf = Callable[[str, Hashable], Moves | None]


class BaselineWarning(UserWarning):
    """The baseline has other queries or judgments and should be made again."""


@dataclass(frozen=True)
class PairedScores:
    """The scores of both, by measure and query, of the queries that both have.

    `new` are the queries that only the run has, `gone` those that only the baseline has. `notes`
    say what differs besides the ranking. `unjudged` are queries of the baseline whose rankings hold
    (almost) no judged document, so that there is nothing to compare with. `same_corpus` says
    whether both are of the same documents, or is None if that is not known.
    """

    run: RunScores
    before: Scores
    after: Scores
    queries: Sequence[Hashable]
    moves_of: MovesOf
    new: Sequence[Hashable] = ()
    gone: Sequence[Hashable] = ()
    notes: list[str] = field(default_factory=list)
    same_corpus: bool | None = None
    unjudged: Sequence[Hashable] = ()

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

    def all_notes(self, texts: Mapping[Hashable, str]) -> list[str]:
        """The notes to show with the numbers."""
        said = list(self.notes)
        strange = [
            f"{len(some_of):,} {one if len(some_of) == 1 else many} ({some(some_of, texts)})"
            for some_of, one, many in (
                (self.new, "query is new", "queries are new"),
                (self.gone, "query is gone", "queries are gone"),
                (
                    [] if self.nothing_left else self.unjudged,
                    "query has hardly a judged document in the baseline",
                    "queries have hardly a judged document in the baseline",
                ),
            )
            if some_of
        ]
        if strange:
            n = len(self.queries)
            both = "the 1 query" if n == 1 else f"the {n:,} queries"
            over_all = ", ".join(
                f"{m.name} {steady(self.run.mean[m.name]):.4f}" for m in self.run.measures
            )
            said.append(
                f"Compared on {both} that both have; {'; '.join(strange)}; over all its queries "
                f"the run has {over_all}"
            )
        said += [
            f"{m.name} of the baseline is {m.metric.range[0]:g}, the least there is, so this gate "
            "can't fail by it"
            for m in self.run.measures
            if self.at_the_bottom(m)
        ]
        said += [
            f"{m.name}: the gate compares the values of {m.metric!r} of each query, and their means"
            for m in self.run.measures
            if m.aggregate == GEOMETRIC_MEAN
        ]
        return said


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
    after, before = (
        evaluated(one, name, qrels, measures, options)
        for name, one in (("run", run), ("baseline", baseline))
    )
    if [m.name for m in before.measures] != [m.name for m in after.measures]:
        raise InputError(
            f"the baseline was evaluated by {', '.join(m.name for m in before.measures)}, "
            f"the run by {', '.join(m.name for m in after.measures)}; evaluate both alike"
        )
    # What neither has did not change; what only the run has is new.
    had = {*before.queries} - ({*before.counts.missing} - {*after.counts.missing})
    names = [m.name for m in after.measures]
    queries = [query for query in before.queries if query in had]
    # The ids of expected texts are given by the judgments: there a miss is a miss.
    without = before.counts.none_judged and not hasattr(baseline, "lines_about")
    return pair(
        after,
        before={name: before.per_query[name] for name in names},
        after={name: after.per_query[name] for name in names},
        had=queries,
        moves_of=moves_between(before, after),
        notes=[said for said in (failed_calls(run), failed_calls(baseline)) if said],
        unjudged=queries if without else (),
    )


def pair(
    run: RunScores,
    before: Mapping[str, Mapping[Hashable, float]],
    after: Mapping[str, Mapping[Hashable, float]],
    had: Sequence[Hashable],
    moves_of: MovesOf,
    *,
    notes: Sequence[str] = (),
    unjudged: Sequence[Hashable] = (),
) -> PairedScores:
    """Both, over the queries that both have; `had` are the baseline's.

    Queries that are `unjudged` in the baseline are left out, unless all are: then there is nothing
    to compare, and their scores are only shown.
    """
    earlier = set(had)
    now = set(run.queries)
    both = [query for query in run.queries if query in earlier]
    if not both:
        raise InputError("the run and the baseline have no query in common")
    left_out = set(unjudged)
    queries = [query for query in both if query not in left_out] or both
    return PairedScores(
        run=run,
        before={name: {q: scores[q] for q in queries} for name, scores in before.items()},
        after={name: {q: scores[q] for q in queries} for name, scores in after.items()},
        queries=queries,
        moves_of=moves_of,
        new=[query for query in run.queries if query not in earlier],
        gone=[query for query in had if query not in now],
        notes=list(notes),
        unjudged=[query for query in both if query in left_out],
    )


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
        what = "None" if value is None else f"one ranking ({type(value).__name__})"
        raise InputError(f"the {name} is {what}; give a run: query -> ranking")
    refuse_unlikely(value, qrels, name)
    found = evaluate(value, qrels, measures, **options)
    refuse_swapped_files(found, value, name)
    return _in_pairs(found)


def _in_pairs(found: RunScores) -> RunScores:
    """The evaluation; refused if a measure is not made of its queries' values."""
    for m in found.measures:
        if why := no_pairs(m, found.averaging(m)):
            raise InputError(why)
    return found


def refuse_unknown_queries(protected: Sequence[Hashable], known: PairedScores) -> None:
    """Refuse to protect a query that is not compared: nobody can tell whether it fell."""
    for query in protected:
        if query in known.before[known.run.measures[0].name]:
            continue
        alike = nearly_equal(known.queries, [query])
        if alike is None:
            why = (
                "it is not among the queries that both have; name queries as the run does, "
                "or take it out of protected="
            )
        else:
            why = f"it differs from {alike[0]!r} only in {alike[2]}; write ids the same way"
        raise InputError(f"protected query {query!r}: {why}")
