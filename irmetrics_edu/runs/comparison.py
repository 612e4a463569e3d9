"""Runs compared over the same queries: how much, for how many, and whether it may be chance.

evaluations of the runs -> differences per query -> tests, corrected -> table, plots, moves

One file: a Comparison is one object, with its views.
"""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError, MissingExtra
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, Measure
from irmetrics_edu.near_ties import in_order
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.column_names import asked_for
from irmetrics_edu.reading.files import as_file
from irmetrics_edu.runs import segments
from irmetrics_edu.runs.accepted import JudgmentsInput, MeasuresInput, RunInput
from irmetrics_edu.runs.all_pairs import AllPairs, PairOfRuns, pairs_of
from irmetrics_edu.runs.averaging import no_pairs
from irmetrics_edu.runs.compared_queries import WorstQueries
from irmetrics_edu.runs.comparison_notes import (
    UNTESTED,
    Key,
    notes_of_runs,
    unjudged_notes,
    verdict,
)
from irmetrics_edu.runs.evaluation import asked, evaluate
from irmetrics_edu.runs.intervals import interval_in_words
from irmetrics_edu.runs.joining.join import judgments_read_once
from irmetrics_edu.runs.moves import Moves, moves
from irmetrics_edu.runs.notes import Note, NoteKind
from irmetrics_edu.runs.printed_scores import PrintedScores
from irmetrics_edu.runs.run_scores import AnyMeasure, RunScores, caption_of, worth_of_nothing
from irmetrics_edu.runs.segments import (
    ALL_QUERIES,
    OfQueries,
    Queries,
    chosen_queries,
    weight_array,
)
from irmetrics_edu.runs.significance import (
    OF_MEANS,
    POWER,
    TESTS,
    HolmFamily,
    PairedDifference,
    TestPlan,
    below,
    holm,
    paired_difference,
    rounding_of,
    settled,
)
from irmetrics_edu.runs.weighted import effective_size, spread_of
from irmetrics_edu.views import formatting
from irmetrics_edu.views.result_table import Report, ResultTable, Tabled

if TYPE_CHECKING:
    from irmetrics_edu.views.plotting import Axes

_NOT_ASKED = ("skip_bad", "format", "padding", "columns", "queries")  # how runs are read
_BESIDE = ("categories", "embeddings", "popularity", "exposure")  # inputs that may be files
_OF_DETAILS = (
    "run",
    "measure",
    "mean",
    "difference",
    "low",
    "high",
    "wins",
    "losses",
    "ties",
    "p",
    "p corrected",
    "mark",
    "d_z",
    "detectable",
)


class Comparison(Tabled, Report):
    """Runs against a baseline, measure by measure and query by query.

    `evaluations` maps names to evaluations, and `means` to the means over the queries that all runs
    have. `tests` maps each run and measure to its `PairedDifference`, and `groups` each group of
    queries to its own comparison. `differences(run, measure)` has what each query gained.
    `tested(run, measure)` has the mean difference, its interval, winners and losers, the p-values
    and their correction, the effect size, and the least difference that this number of queries can
    show.
    """

    def __init__(
        self,
        evaluations: Mapping[str, RunScores],
        baseline: str,
        *,
        plan: TestPlan | None = None,
        groups: OfQueries = None,
        weights: OfQueries = None,
        among: Collection[Hashable] | None = None,
    ) -> None:
        self.evaluations = dict(evaluations)
        self.baseline = baseline
        self.plan = plan or TestPlan()
        self.test = self.plan.test
        self.level = self.plan.level
        first = self.evaluations[baseline]
        self.measures = first.measures
        self.queries = _in_common(self.evaluations, baseline, among)
        groups = segments.as_told(groups, "groups")
        weights = segments.as_told(weights, "weights")
        self._told_of_queries = segments.about(groups, weights)  # which columns of files they are
        self._is_part = among is not None  # of the queries: what is of all together is not known
        self.weights = self._weights_of(weights)
        # Measures whose mean is not that of the queries' values: why no paired test is of it.
        self.without_pairs = _without_pairs(self.measures, self.evaluations.values())
        self.paired = [m.name for m in self.measures if m.name not in self.without_pairs]
        self.means = {name: self._means_of(scores) for name, scores in self.evaluations.items()}
        # Runs without any document: a difference from them says nothing of retrieval.
        self.empty = [n for n, e in self.evaluations.items() if e.counts.nothing_retrieved]
        self.untested = ""  # why not, where there are no tests
        self.tests: dict[Key, PairedDifference] = {}
        try:
            self.tests = self._test_all()
        except MissingExtra as missing:
            self.untested = f"no difference was tested: {missing}"
        self.groups = self._by_group(groups)

    def _weights_of(self, told: OfQueries) -> Mapping[Hashable, float]:
        """The weight of each query that is compared; those of a group are checked already."""
        if self._is_part and isinstance(told, Mapping):
            return {query: told[query] for query in self.queries}
        if told is None:
            return {}
        for measure in self.measures:
            self.evaluations[self.baseline].refuse_weights(measure)
        return segments.weights(told, self.queries)

    def _by_group(self, told: OfQueries) -> "dict[Hashable, Comparison]":
        """The same comparison of each group of queries, its tests corrected over all groups."""
        groups = {
            group: Comparison(
                self.evaluations,
                self.baseline,
                plan=self.plan,
                weights=self.weights or None,
                among=members,
            )
            for group, members in segments.groups_beside_all(told, self.queries).items()
        }
        tested: dict[tuple[Hashable, Key], PairedDifference] = {}
        for group, of_group in groups.items():
            for key, difference in of_group.tests.items():
                tested[group, key] = difference
        for (group, key), difference in _corrected(tested, self.plan).items():
            groups[group].tests[key] = difference
        return groups

    def _means_of(self, scores: RunScores) -> dict[str, float]:
        """The means of a run over the queries that are compared."""
        common = set(self.queries)
        in_common = np.flatnonzero([query in common for query in scores.queries])
        means = {}
        for measure in self.measures:
            name = measure.name
            if name in scores.together:
                means[name] = math.nan if self._is_part else scores.mean[name]
                continue
            kept = np.intersect1d(in_common, scores.counted(name)).tolist()
            if not kept:
                means[name] = math.nan
            elif self.weights:
                weight = weight_array(self.weights, [scores.queries[i] for i in kept])
                value = scores.scores[name][kept]
                means[name] = spread_of(value, weight).mean if weight.any() else math.nan
            else:
                means[name] = float(scores.aggregation(name, kept).score[0])
        return means

    @property
    def others(self) -> list[str]:
        """The runs that are compared with the baseline."""
        return [name for name in self.evaluations if name != self.baseline]

    def _scores(self, run: str, measure: str) -> Array:
        by_query = self.evaluations[run].per_query[measure]
        return np.array([by_query[query] for query in self.queries])

    def differences(self, run: str, measure: AnyMeasure) -> dict[Hashable, float]:
        """What each query gains against the baseline."""
        name = self._known(run, measure)
        self._refuse_unpaired(name)
        gained, _ = self._differences(run, name)
        return dict(
            zip(
                self.queries,
                gained.tolist(),
                strict=True,
            )
        )

    def _differences(self, run: str, name: str) -> tuple[Array, Array]:
        """What each query gains, and how far that may be off by rounding."""
        after = self._scores(run, name)
        before = self._scores(self.baseline, name)
        lacking = np.flatnonzero(~np.isfinite(after) | ~np.isfinite(before))
        if len(lacking):
            i = int(lacking[0])
            at_fault = self.baseline if not np.isfinite(before[i]) else run
            option = worth_of_nothing(self.evaluations[at_fault], name)
            raise InputError(
                f"query {self.queries[i]!r}: {name} of {at_fault} is not a finite number, so "
                "the runs can't be compared on this query; leave the query out, or choose its "
                f"score (such as {option})"
            )
        rounding = rounding_of(after, before)
        return settled(after - before, rounding), rounding

    def tested(self, run: str, measure: AnyMeasure) -> PairedDifference:
        """Tests, interval, effect size and detectable difference of a run in a measure."""
        name = self._known(run, measure)
        if self.untested:
            raise MissingExtra(self.untested)
        self._refuse_unpaired(name)
        for empty in (self.baseline, run):
            if empty in self.empty:
                raise InputError(
                    f"run {empty!r} holds no document for any query, so no difference from it is "
                    "tested; give the run that was meant"
                )
        return self.tests[run, name]

    def _refuse_unpaired(self, measure: str) -> None:
        if measure in self.without_pairs:
            raise InputError(self.without_pairs[measure])

    def _known(self, run: str, measure: AnyMeasure) -> str:
        if run not in self.others:
            raise InputError(f"run {run!r} is not compared; there are {', '.join(self.others)}")
        return self.evaluations[run].measure_named(measure).name

    def _test_all(self) -> dict[Key, PairedDifference]:
        tested: dict[Key, PairedDifference] = {}
        weight = weight_array(self.weights, self.queries) if self.weights else None
        if weight is not None and not weight.any():
            return tested
        for run in self.others:
            if self.baseline in self.empty or run in self.empty:
                continue
            for name in self.paired:
                differences, rounding = self._differences(run, name)
                tested[run, name] = paired_difference(
                    differences,
                    rounding=rounding,
                    seed=self.plan.seed,
                    resamples=self.plan.resamples,
                    level=self.plan.level,
                    weight=weight,
                )
        by_key = _corrected({(None, key): one for key, one in tested.items()}, self.plan)
        return {key: one for (_, key), one in by_key.items()}

    def moves(
        self,
        query: Hashable,
        measure: AnyMeasure,
        run: str | None = None,
        *,
        exact: bool = False,
    ) -> Moves:
        """Which documents moved against the baseline, and how each move changed the score.

        With `exact`, parts are fractions if the measure is rational.
        """
        chosen = self.others[0] if run is None else run
        self._known(chosen, measure)
        before = self.evaluations[self.baseline].working(
            measure,
            query,
            exact=exact,
        )
        after = self.evaluations[chosen].working(
            measure,
            query,
            exact=exact,
        )
        return moves(before, after, query)

    def worst(self, n: int = 3, *, texts: Mapping[Hashable, str] | None = None) -> WorstQueries:
        """The `n` queries that lost most in each run and measure, with the documents that moved.

        `texts` are those of the queries, to be shown beside their ids.

        >>> a, b = {"q1": ["a", "b"], "q2": ["c"]}, {"q1": ["b", "a"], "q2": ["c"]}
        >>> compare({"a": a, "b": b}, {"q1": {"a": 1}, "q2": {"c": 1}}, "RR").worst(1).facts[0][
        ...     "query"
        ... ]
        'q1'
        """
        most = checks.whole(
            "n", n, 1, checks.MOST_COUNTED, why=": how many queries of each run and measure"
        )
        for name, scores in self.evaluations.items():
            if isinstance(scores, PrintedScores):
                raise InputError(
                    f"{name} has scores without rankings, so no document can be named; give runs, "
                    "or look at differences(run, measure)"
                )
        return WorstQueries.of(self, most, texts or {})

    # -- views

    def marked(self) -> set[Key]:
        """The runs and measures that differ from the baseline by more than chance."""
        corrected = {key: t.adjusted[self.test] for key, t in self.tests.items()}
        return {key for key, p in corrected.items() if below(p, self.level)}

    def table(self, *, digits: int = 4) -> ResultTable:
        """The means of all runs; a mark where one differs from the baseline by more than chance.

        With groups of queries, a line for each run in each group follows those of all queries.
        """
        marked = self.marked()
        every = (self, *self.groups.values())
        room = 1 if self.without_pairs or any(one.marked() for one in every) else 0
        lines = _lines_of(self, digits, room)
        header: tuple[str, ...] = ("run", *(m.name for m in self.measures))
        by_group: list[str] = []
        if self.groups:
            header = ("group", "queries", *header)
            lines = [[ALL_QUERIES, len(self.queries), *line] for line in lines]
            for group, one in self.groups.items():
                lines += [
                    [str(group), len(one.queries), *line] for line in _lines_of(one, digits, room)
                ]
            by_group = self._note_on_groups()
        notes = (*self._verdict(marked), *by_group, *self.notes())
        return ResultTable(
            header,
            lines,
            self.caption,
            notes,
            digits,
        )

    def _note_on_groups(self) -> list[str]:
        """What a mark in the line of a group means."""
        tested = [one for group in self.groups.values() for one in group.tests]
        if len(tested) < 2:
            return []
        if self.plan.family == HolmFamily.ALL:
            over = f"all {len(tested)} comparisons in groups"
        else:
            over = f"the {len(tested) // max(1, len(self.paired))} comparisons in groups of it"
        whose = "" if self.plan.family == HolmFamily.ALL else "of each measure, "
        return [f"in groups: {whose}p is corrected by Holm over {over}"]

    def long_table(self) -> ResultTable:
        """A line per run and measure: the mean with every digit, and its mark."""
        marked = self.marked()
        lines = []
        for run, means in self.means.items():
            for name, mean in means.items():
                mark = UNTESTED if name in self.without_pairs else ""
                mark = "*" if (run, name) in marked else mark
                lines.append([run, name, mean, mark])
        notes = [*self._verdict(marked), *self.notes()]
        header: tuple[str, ...] = ("run", "measure", "mean", "mark")
        if self.groups:
            header = ("group", *header)
            lines = [[ALL_QUERIES, *line] for line in lines]
            for group, one in self.groups.items():
                lines += [[str(group), *line] for line in one.long_table().lines]
            notes += self._note_on_groups()
        return ResultTable(
            header,
            lines,
            notes=tuple(notes),
        )

    def details(self, *, digits: int = 4) -> ResultTable:
        """A line per run and measure: the difference with its interval, p and effect size."""
        if self.untested:
            raise MissingExtra(self.untested)
        marked = self.marked()
        lines = _details_of(self)
        header: tuple[str, ...] = _OF_DETAILS
        if self.groups:
            header = ("group", *header)
            lines = [[ALL_QUERIES, *line] for line in lines]
            for group, one in self.groups.items():
                lines += [[str(group), *line] for line in _details_of(one)]
        no_interval = any(math.isnan(t.low) for t in self.tests.values())
        interval = interval_in_words(
            self.level,
            f"the difference from {self.baseline}",
            lacking=" that differ by unlike amounts" if no_interval else "",
        )
        power = f"found by the t-test with power {POWER:g} at level {self.level:g}"
        notes = (
            interval,
            "d_z is the mean difference over the standard deviation of differences",
            f"detectable: the least true difference {power}, with {len(self.queries):,} queries",
            *self._verdict(marked),
            *self._note_on_groups(),
            *self.notes(),
        )
        return ResultTable(
            header,
            lines,
            self.caption,
            notes,
            digits,
        )

    def _verdict(self, marked: set[Key]) -> list[str]:
        """What a mark means, and how p was found."""
        if not self.tests:
            return [self.untested or "no difference was tested"]
        return verdict(
            self.tests,
            marked,
            baseline=self.baseline,
            plan=self.plan,
        )

    @property
    def caption(self) -> str:
        """What was compared, in a line."""
        return caption_of(len(self.queries), self.evaluations[self.baseline].conventions)

    def notes(self) -> tuple[str, ...]:
        """Notes on what the numbers don't show; what holds for several runs is said once."""
        notes = notes_of_runs(self.evaluations)
        notes += [f"{run} is not tested, because it holds no document" for run in self.empty]
        notes += unjudged_notes(self.evaluations)
        notes += [f"{UNTESTED}: {why}" for why in self.without_pairs.values()]
        for about in self._told_of_queries:
            notes.append(Note(NoteKind.OTHER_NAMES, about=about).sentence())
        if self.weights:
            size = effective_size(weight_array(self.weights, self.queries))
            notes.append(Note(NoteKind.WEIGHTED, about=f"{size:.1f}").sentence())
        for measure in self.measures:
            if measure.aggregate == GEOMETRIC_MEAN:
                what = f"{measure.metric!r}, query by query"
                notes.append(f"{measure.name}: differences and tests are of {what}")
        for name, evaluation in self.evaluations.items():
            left_out = len(evaluation.queries) - len(self.queries)
            if left_out > 0:
                notes.append(
                    f"{name}: {left_out} queries are left out, because not all runs have them"
                )
        return tuple(notes)

    def all_pairs(self, correction: str = "holm") -> AllPairs:
        """Every run against every other: means with letters, the best in bold, and tiers.

        With "holm" each pair is tested by `test`, and p is corrected over all pairs of a measure.
        "tukey" is Tukey's HSD by randomisation, which suits many runs.
        """
        if not self.paired:
            raise InputError(next(iter(self.without_pairs.values())))
        if self.weights:
            raise InputError(
                "runs can't be compared each with each in weighted means; leave out weights=, or "
                "compare the runs with a baseline"
            )
        pairs: list[PairOfRuns] = []
        how = ""
        means = {
            m.name: {run: means[m.name] for run, means in self.means.items()} for m in self.measures
        }
        for name in self.paired:
            of_runs = means[name]
            for run in self.others:
                self._differences(run, name)  # an error where a score is missing
            best_first = in_order(of_runs, of_runs.__getitem__)
            ranked = [run for run in best_first if run not in self.empty]
            if len(ranked) < 2:
                how = "no pair of runs was tested"
                continue
            scores = {run: self._scores(run, name) for run in self.evaluations if run in ranked}
            of_measure, how = pairs_of(
                name,
                scores,
                ranked,
                correction,
                self.test,
                seed=self.plan.seed,
                resamples=self.plan.resamples,
            )
            pairs += of_measure
        return AllPairs(
            means=means,
            pairs=pairs,
            level=self.level,
            how=how,
            caption=self.caption,
            notes=self.notes(),
            untested=tuple(self.without_pairs),
        )

    def facts(self) -> dict[str, Any]:
        """Means, tests and differences, as JSON has them."""
        comparisons = []
        for run in self.others:
            comparisons += [self._facts_of(run, name) for name in self.paired]
        untested = [self.untested] if self.untested else []
        told: dict[str, Any] = {
            "baseline": self.baseline,
            "test": self.test,
            "level": self.level,
            "family": self.plan.family,
            "queries": [str(query) for query in self.queries],
            "mean": self.means,
            "comparisons": comparisons,
            "untested": self.without_pairs,
            "notes": [*untested, *self.notes()],
        }
        if self.groups:
            told["groups"] = [self._facts_of_group(group) for group in self.groups]
        if self.weights:
            told["weights"] = {str(query): weight for query, weight in self.weights.items()}
        return told

    def _facts_of_group(self, group: Hashable) -> dict[str, Any]:
        """What is known of a group of queries, as JSON has it."""
        one = self.groups[group]
        comparisons = []
        for (run, name), difference in one.tests.items():
            comparisons.append({"run": run, "measure": name, **difference.facts()})
        return {
            "group": str(group),
            "queries": [str(query) for query in one.queries],
            "mean": one.means,
            "comparisons": comparisons,
        }

    def _facts_of(self, run: str, name: str) -> dict[str, Any]:
        """What is known of one run in one measure, as JSON has it."""
        facts: dict[str, Any] = {"run": run, "measure": name}
        if (run, name) in self.tests:
            facts |= self.tests[run, name].facts()
        gained = self.differences(run, name)
        facts["differences"] = {str(query): value for query, value in gained.items()}
        return facts

    def plot(
        self,
        run: str | None = None,
        measure: AnyMeasure | None = None,
        *,
        ax: "Axes | None" = None,
    ) -> "Axes":
        """What each query gains or loses (matplotlib).

        If all measures are interpolated precisions, it is the curve of each run over the levels of
        recall.
        """
        from irmetrics_edu.runs.evaluation_plots import levels_of, plot_levels, plot_queries

        levels = levels_of(self.measures)
        if run is None and measure is None and levels:
            curves = {}
            for shown, means in self.means.items():
                curves[shown] = [means[m.name] for m in self.measures]
            return plot_levels(levels, curves, ax=ax)
        first = self.paired[0] if self.paired else self.measures[0].name
        name = first if measure is None else measure
        run = self.others[0] if run is None else run
        gained = self.differences(run, name)
        mean = float(np.mean(list(gained.values())))
        what = f"{name}: {run} less {self.baseline}"
        return plot_queries(
            gained,
            mean,
            what,
            gains=True,
            ax=ax,
        )


def _lines_of(comparison: Comparison, digits: int, room: int) -> list[list[Any]]:
    """A line for each run: its name and its means with their marks, which take `room`."""
    marked = comparison.marked()
    lines: list[list[Any]] = []
    for name, means in comparison.means.items():
        line: list[Any] = [f"{name} (baseline)" if name == comparison.baseline else name]
        for measure, mean in means.items():
            raised = "*" if (name, measure) in marked else ""
            if measure in comparison.without_pairs:
                raised = UNTESTED
            shown = "-" if math.isnan(mean) else formatting.number(mean, digits)
            line.append(formatting.Marked.of(shown, raised=raised, room=room))
        lines.append(line)
    return lines


def _details_of(comparison: Comparison) -> list[list[Any]]:
    """A line for each run in each measure that is compared query by query."""
    marked = comparison.marked()
    lines = []
    for (run, name), t in comparison.tests.items():
        line: list[Any] = [
            run,
            name,
            comparison.means[run][name],
            t.mean,
            t.low,
            t.high,
            t.wins,
            t.losses,
            t.ties,
            formatting.PValue(t.p[comparison.test]),
            formatting.PValue(t.adjusted[comparison.test]),
            "*" if (run, name) in marked else "",
            t.effect,
            t.detectable,
        ]
        lines.append(line)
    return lines


def _in_common(
    evaluations: Mapping[str, RunScores],
    baseline: str,
    among: Collection[Hashable] | None,
) -> list[Hashable]:
    """The queries that all runs have, in the order of the baseline; of those `among`, if given."""
    first = evaluations[baseline]
    common = set(first.queries).intersection(*(e.queries for e in evaluations.values()))
    if among is not None:
        common &= set(among)
    queries = [query for query in first.queries if query in common]
    if not queries:
        raise InputError("the runs have no query in common, so they can't be compared")
    return queries


_Corrected = TypeVar("_Corrected", bound=tuple[Hashable, Key])


def _corrected(
    tested: Mapping[_Corrected, PairedDifference],
    plan: TestPlan,
) -> dict[_Corrected, PairedDifference]:
    """The tests with p-values corrected by Holm within each family: a measure's, or all."""
    families: dict[str, list[_Corrected]] = {}
    for key in tested:
        family = HolmFamily.ALL if plan.family == HolmFamily.ALL else key[1][1]
        families.setdefault(family, []).append(key)
    done = dict(tested)
    for keys in families.values():
        for test in TESTS:
            corrected = holm([tested[key].p[test] for key in keys])
            for key, p in zip(keys, corrected, strict=True):
                done[key] = replace(done[key], adjusted={**done[key].adjusted, test: p})
    return done


def _without_pairs(
    measures: Sequence[Measure],
    evaluations: Iterable[RunScores],
) -> dict[str, str]:
    """The measures of which no run can be compared in pairs of queries, and why."""
    reasons = {}
    for measure in measures:
        for evaluation in evaluations:
            why = ""
            if measure.name in evaluation.together:
                why = f"{measure.name} is of several queries together, so it is not tested"
            else:
                why = no_pairs(measure, evaluation.averaging(measure.name))
            if why:
                reasons[measure.name] = why
    return reasons


def compare(
    runs: Mapping[str, RunInput | RunScores],
    qrels: JudgmentsInput | None = None,
    measures: MeasuresInput = "nDCG@10 AP",
    conventions: Bundle | str = "trec_eval",
    *,
    baseline: str | None = None,
    test: str = "randomisation",
    level: float = 0.05,
    resamples: int = 9999,
    seed: int = 0,
    family: str = "measure",
    queries: Queries = None,
    groups: OfQueries = None,
    weights: OfQueries = None,
    **options: Any,
) -> Comparison:
    """A comparison tells how runs differ from a baseline, and whether by more than chance.

    `runs` maps names to runs (or to evaluations made before). The first is the baseline unless you
    name another. `test` chooses the test whose p-values make the marks: "randomisation", "t",
    "wilcoxon" or "sign". All are computed. Smucker, Allan & Carterette (2007, A comparison of
    statistical significance tests for information retrieval evaluation, CIKM) advise against
    "wilcoxon" and "sign". The other arguments are those of `evaluate`.

    p is corrected by Holm over the runs of each measure; family="all" corrects over all measures
    together. A measure without a value for each query, such as catalogue_coverage, is shown with a
    mark and not tested. With `groups` each group of queries is compared too, and p in groups is
    corrected over runs and groups. With `weights` the weighted means are compared, by the
    randomisation test or the t-test.

    >>> qrels = {f"q{i}": {"a": 1} for i in range(8)}
    >>> old = {q: ["b", "a"] for q in qrels}
    >>> compare({"old": old, "new": {q: ["a", "b"] for q in qrels}}, qrels, "RR@2")
    8 queries, conventions of trec_eval
    run                 RR@2
    old (baseline)  0.5000
    new             1.0000 *
    note: * differs from old: p < 0.05, randomisation test (all ways to swap)
    note: documents at ranks 1 to 2 that are not judged: old 50%, new 50%
    """
    plan = TestPlan(test, level, resamples, seed, family)
    if weights is not None and test not in OF_MEANS:
        raise InputError(
            f"test={test!r} is not of a mean, so queries can't weigh in it; give "
            f"{' or '.join(map(repr, OF_MEANS))}, or leave out weights="
        )
    first = _baseline(runs, baseline)
    evaluations = _evaluated(runs, qrels, measures, conventions, {"queries": queries, **options})
    _refuse_unlike(evaluations, first)
    return Comparison(
        evaluations,
        first,
        plan=plan,
        groups=groups,
        weights=weights,
    )


def _evaluated(
    runs: Mapping[str, RunInput | RunScores],
    qrels: JudgmentsInput | None,
    measures: MeasuresInput,
    conventions: Bundle | str,
    options: Mapping[str, Any],
) -> dict[str, RunScores]:
    """The scores of each run; the judgments are read once for all runs."""
    keywords = dict(options)
    queries = keywords.get("queries")
    if queries is not None:  # a file is read once
        keywords["queries"] = chosen_queries(queries)
    if not all(isinstance(run, RunScores) for run in runs.values()):
        how = {name: value for name, value in options.items() if name not in _NOT_ASKED}
        chosen, by, _ = asked(measures, conventions, how)
        keywords |= {name: as_file(value) for name, value in options.items() if name in _BESIDE}
        qrels = judgments_read_once(
            qrels,
            chosen,
            by,
            skip_bad=bool(options.get("skip_bad")),
            columns=asked_for(options.get("columns") or {}),
        )
    evaluations: dict[str, RunScores] = {}
    for name, run in runs.items():
        if isinstance(run, RunScores):
            evaluations[name] = _evaluated_before(run, name, keywords.get("queries"))
        else:
            evaluations[name] = evaluate(
                run,
                qrels,
                measures,
                conventions,
                name=name,
                **keywords,
            )
    return evaluations


def _evaluated_before(
    scores: RunScores,
    name: str,
    queries: Sequence[Hashable] | None,
) -> RunScores:
    """Scores that were there before, of the queries asked for."""
    if scores.weights:
        raise InputError(
            f"run {name!r} was evaluated with weights; evaluate it without, and give weights= to "
            "compare"
        )
    if queries is None:
        return scores
    if isinstance(scores, PrintedScores):
        return scores.of_queries(queries)
    raise InputError(
        f"run {name!r} was evaluated before, on the queries that it then had; give queries= to "
        "its evaluate, or give compare the run itself"
    )


def _baseline(runs: Any, baseline: str | None) -> str:
    """The name of the baseline: the first run, unless another is named."""
    first_run = next(iter(runs.values()), None) if isinstance(runs, Mapping) else None
    if isinstance(first_run, Mapping) and all(map(_is_number, islice(first_run.values(), 5))):
        raise InputError(
            "the first argument maps documents to numbers, as one run or judgments do; give all "
            "runs with their names, and then the judgments: "
            "compare({'old': ..., 'new': ...}, qrels)"
        )
    if not isinstance(runs, Mapping) or len(runs) < 2:
        raise InputError(
            "fewer than two runs are given with their names; write "
            "compare({'old': ..., 'new': ...}, qrels)"
        )
    first: str = next(iter(runs)) if baseline is None else baseline
    if first not in runs:
        raise InputError(f"baseline {first!r} is not among the runs: {', '.join(runs)}")
    return first


def _is_number(value: Any) -> bool:
    return isinstance(value, Real)


def _refuse_unlike(
    evaluations: Mapping[str, RunScores],
    first: str,
) -> None:
    """Refuse runs that were evaluated by other measures than the first."""
    names = {name: [m.name for m in e.measures] for name, e in evaluations.items()}
    for name, measures in names.items():
        if measures != names[first]:
            raise InputError(
                f"run {name!r} was evaluated by {measures}, {first!r} by {names[first]}"
            )
