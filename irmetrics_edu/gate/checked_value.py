"""The value that an assertion checks: of a measure, for a run or for one ranking."""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.input_checks import (
    failed_calls,
    refuse_other_shape,
    refuse_swapped_files,
    refuse_unlikely,
)
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.notation import Measure, measure
from irmetrics_edu.near_ties import falling, in_order
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.item_categories import FREQUENCIES
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.rows.two_orders import ORDERS
from irmetrics_edu.runs.aggregation import AGGREGATES, Aggregate
from irmetrics_edu.runs.counts import Counts
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.runs.joining.inputs import is_run
from irmetrics_edu.runs.joining.joined_run import JUDGMENTS, RANKING
from irmetrics_edu.runs.keywords import refuse_unknown
from irmetrics_edu.runs.run_scores import AnyMeasure, RunScores
from irmetrics_edu.runs.segments import groups as groups_of
from irmetrics_edu.runs.segments import texts as texts_of
from irmetrics_edu.working import Working

# What a bundle says of its library, and what is not to be chosen.
OF_RUNS = {*Bundle.choices(), "options", "conventions", "format", "padding", "skip_bad"}
BOUNDS = ("at_least", "at_most", "equals", "every_query_at_least", "every_group_at_least")
_DIRECT = Bundle("the metric itself")
BESIDE = ("abs", "groups", "queries", "reveal")


class Outcome:
    """A measure's value, the score of each query, and the working of each."""

    said: str = ""  # what has to be said of the run besides
    run: Any = None  # as it was given, which may know the texts of its passages
    groups_short = 0  # how many groups are below the floors that are asserted
    texts: Mapping[Hashable, str] = {}
    groups: Mapping[Hashable, Sequence[int]] = {}  # the numbers of the queries of each

    def __init__(
        self,
        chosen: Measure,
        evaluation: RunScores,
        *,
        is_run: bool,
    ) -> None:
        self.measure = chosen
        self.evaluation = evaluation
        self.is_run = is_run
        self.name, self.queries = chosen.name, evaluation.queries
        self.scores: Array = np.asarray(evaluation.scores[self.name], dtype=np.float64)
        # By which the run was evaluated; None for what does not measure rankings.
        direct = isinstance(evaluation, DirectScore)
        self.bundle: Bundle | None = None if direct else evaluation.conventions

    def told(self, groups: Any, queries: Any) -> None:
        """Add the groups and the texts of the queries."""
        if groups is None and queries is None:
            return
        if not self.is_run:
            what = "groups" if queries is None else "queries"
            raise InputError(
                f"{what}: it belongs to the queries of a run, but one ranking is given; leave "
                "it out"
            )
        self.texts = texts_of(queries, self.queries)
        place = {query: i for i, query in enumerate(self.queries)}
        grouped = groups_of(groups, self.queries)
        self.groups = {g: [place[query] for query in members] for g, members in grouped.items()}

    @cached_property
    def group_scores(self) -> dict[Hashable, float]:
        """The measure's value for each group, the lowest first; NaN where there is none."""
        means = {group: self._mean(numbers) for group, numbers in self.groups.items()}
        low = {group: -np.inf if np.isnan(v) else v for group, v in means.items()}
        return {
            group: means[group]
            for group in in_order(
                means,
                lambda g: low[g],
                rising=True,
            )
        }

    def _mean(self, numbers: Sequence[int]) -> float:
        kept = [i for i in numbers if not self.left_out[i]]
        if not kept or np.isnan(self.scores[kept]).any():
            return float("nan")
        return float(self.evaluation.aggregation(self.name, kept).score[0])

    @cached_property
    def score(self) -> float:
        """The value that is asserted about: the mean over queries."""
        return float(self.evaluation.mean[self.name])

    @cached_property
    def lowest_first(self) -> Array:
        """The numbers of the queries by rising score, without a score first; ties as given."""
        return falling(-np.nan_to_num(self.scores, nan=-np.inf))

    @cached_property
    def left_out(self) -> Array:
        """The queries that a convention leaves out of the mean."""
        settled = self.working(self.queries[0]).conventions
        asked = (settled.get("no_relevant"), settled.get("undefined"))
        return np.isnan(self.scores) & any(getattr(worth, "left_out", False) for worth in asked)

    def working(self, query: Hashable) -> Working:
        """How the score of a query came about."""
        return self.evaluation.working(self.name, query)

    @property
    def counts(self) -> Counts:
        """Missing queries and unjudged documents."""
        return self.evaluation.counts


class DirectScore(RunScores):
    """The score of a metric that does not measure rankings, such as the area under a curve."""

    def __init__(self, chosen: Measure, working: Working) -> None:
        self._direct = working
        super().__init__(
            [chosen],
            (None,),
            {chosen.name: np.array([working.value])},
            conventions=_DIRECT,
            settled={chosen.name: chosen.metric},
        )

    def aggregation(
        self,
        name: AnyMeasure | None,  # noqa: ARG002 -- there is one score
        among: Sequence[int] | None = None,  # noqa: ARG002 -- there is one score
    ) -> Working:
        """The working of the score itself: there is no mean to take."""
        return self._direct

    def working(
        self,
        name: AnyMeasure | None,  # noqa: ARG002 -- there is one score
        query: Hashable,  # noqa: ARG002 -- there is one score
        *,
        exact: bool = False,  # noqa: ARG002 -- there is one score
    ) -> Working:
        """How the score came about."""
        return self._direct


def outcome_of(chosen: Measure, inputs: Sequence[Any], options: Mapping[str, Any]) -> Outcome:
    """Evaluate the inputs of an assertion: a run, or the arguments of a metric for one ranking."""
    names = chosen.metric.inputs.arguments
    by_argument = _inputs_by_name(chosen, inputs, options)
    rest = {name: value for name, value in options.items() if name not in names}
    if not _of_run(chosen.metric.inputs, by_argument):
        arguments = [by_argument[name] for name in names if name in by_argument]
        working = chosen.metric.working(*arguments, **rest)
        return Outcome(chosen, DirectScore(chosen, working), is_run=False)
    run, qrels, beside = _as_run(by_argument, names)
    of_run = run is by_argument[names[0]]
    if "judgments" in names:
        refuse_other_shape(by_argument[names[0]], by_argument.get("judgments"), of_run=of_run)
    refuse_unlikely(run, qrels)
    evaluation = evaluate(run, qrels, [chosen], **{**beside, **rest})
    refuse_swapped_files(evaluation, run)
    outcome = Outcome(chosen, evaluation, is_run=of_run)
    outcome.said = failed_calls(run)
    outcome.run = run
    return outcome


def _inputs_by_name(
    chosen: Measure,
    inputs: Sequence[Any],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """The inputs of an assertion by the names of the measure's arguments; the first is needed."""
    names = chosen.metric.inputs.arguments
    if len(inputs) > len(names):
        last = inputs[-1]
        by_name = f"; write k={last} by name" if isinstance(last, int) else ""
        raise InputError(
            f"{chosen.name} takes {', '.join(names)}; got {len(inputs)} inputs{by_name}"
        )
    by_argument = dict(zip(names, inputs, strict=False))
    for name in names:
        if name in options:
            by_argument[name] = options[name]
    first = names[0]
    if first in by_argument and by_argument[first] is None:
        raise InputError(f"{first} is None; give a {first}, or a run: query -> ranking")
    by_argument = {name: value for name, value in by_argument.items() if value is not None}
    if first not in by_argument:
        raise InputError(f"{chosen.name} needs {first}; give {', '.join(names)}")
    return by_argument


def _of_run(
    kind: KindOfInput,
    by_argument: Mapping[str, Any],
) -> bool:
    """Whether the inputs are evaluated as a run; inputs without a ranking are measured directly."""
    first = by_argument[kind.arguments[0]]
    counts = kind is FREQUENCIES and "categories" not in by_argument
    if kind is ORDERS or counts:
        return is_run(first)
    return kind.arguments[0] in RANKING


def configured(
    metric: Any,
    k: int | None,
    options: Mapping[str, Any],
) -> tuple[Measure, dict[str, Any]]:
    """The measure with its own options, and the remaining options for the evaluation."""
    if isinstance(metric, str) and metric in AGGREGATES:
        metric = AGGREGATES[metric]
    chosen = metric if isinstance(metric, Aggregate) else measure(metric)
    base = chosen.metric
    metric_options = {name: value for name, value in options.items() if name in base.defaults}
    rest = {name: value for name, value in options.items() if name not in metric_options}
    takes = [
        *base.inputs.arguments,
        *base.defaults,
        *sorted(OF_RUNS - {*base.defaults}),
    ]
    refuse_unknown(
        rest,
        [
            "k",
            *BOUNDS,
            *BESIDE,
            *takes,
        ],
        [measure(chosen)],
        chosen.name,
    )
    changed = base.using(**metric_options) if metric_options else base
    if k is not None:
        by_rank = base.has_cutoff and base.cutoff == "k"
        changed = changed @ k if by_rank else changed.using(k=k)
    titled = changed.title(changed.k, changed.params, _bare_name(chosen))
    of_chosen = measure(chosen)
    return Measure(titled, changed, of_chosen.aggregate, of_chosen.floor), rest


def _bare_name(chosen: Measure | Aggregate) -> str:
    """A measure's name without options and cut-off: MAP of MAP(rel=2)@10."""
    if isinstance(chosen, Aggregate):
        return chosen.name
    return chosen.name.partition("(")[0].partition("@")[0]


def _as_run(
    by_argument: Mapping[str, Any],
    names: Sequence[str],
) -> tuple[Any, Any, dict[str, Any]]:
    """Run, qrels and other inputs; one ranking becomes a run of one query without a name."""
    first = by_argument[names[0]]
    judged = next((name for name in names[1:] if name in JUDGMENTS), None)
    beside = {name: v for name, v in by_argument.items() if name not in (names[0], judged)}
    qrels = by_argument.get(judged) if judged else None
    if is_run(first):
        return first, qrels, beside
    return {None: first}, None if qrels is None else {None: qrels}, beside
