"""Runs compared over the same queries: how much, for how many, and whether it may be chance.

evaluations of the runs -> differences per query -> tests, corrected -> table, plots, moves

One file: a Comparison is one object, with its views.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError, MissingExtra
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, Measure
from irmetrics_edu.near_ties import in_order
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.column_names import asked_for
from irmetrics_edu.reading.files import as_file
from irmetrics_edu.runs.accepted import JudgmentsInput, MeasuresInput, RunInput
from irmetrics_edu.runs.all_pairs import AllPairs, PairOfRuns, pairs_of
from irmetrics_edu.runs.averaging import no_pairs
from irmetrics_edu.runs.comparison_notes import Key, notes_of_runs, unjudged_notes, verdict
from irmetrics_edu.runs.evaluation import asked, evaluate
from irmetrics_edu.runs.intervals import interval_in_words
from irmetrics_edu.runs.joining.join import judgments_read_once
from irmetrics_edu.runs.moves import Moves, moves
from irmetrics_edu.runs.run_scores import AnyMeasure, RunScores, caption_of, worth_of_nothing
from irmetrics_edu.runs.significance import (
    POWER,
    TESTS,
    PairedDifference,
    below,
    holm,
    paired_difference,
    rounding_of,
    settled,
)
from irmetrics_edu.views import formatting
from irmetrics_edu.views.result_table import Report, ResultTable, Tabled

if TYPE_CHECKING:
    from irmetrics_edu.views.plotting import Axes

_READING = ("skip_bad", "format", "padding", "columns")  # how runs are read
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

    `evaluations` maps names to evaluations, `means` to the means over the queries that all runs
    have. `differences(run, measure)` has what each query gained. `tested(run, measure)` has the
    mean difference, its interval, winners and losers, the p-values and their correction, the effect
    size, and the least difference that this number of queries can show.
    """

    def __init__(
        self,
        evaluations: Mapping[str, RunScores],
        baseline: str,
        *,
        test: str = "randomisation",
        level: float = 0.05,
        resamples: int = 9999,
        seed: int = 0,
    ) -> None:
        self.evaluations = dict(evaluations)
        self.baseline = baseline
        self.test, self.level = test, level
        self.resamples, self.seed = resamples, seed
        first = self.evaluations[baseline]
        self.measures = first.measures
        first.refuse_together(first.mean, "runs can't be compared query by query in it")
        common = set(first.queries).intersection(*(e.queries for e in self.evaluations.values()))
        self.queries = [query for query in first.queries if query in common]
        if not self.queries:
            raise InputError("the runs have no query in common, so they can't be compared")
        self.means = {
            name: _means_over(evaluation, self.measures, common)
            for name, evaluation in self.evaluations.items()
        }
        # Measures whose mean is not that of the queries' values: why no paired test is of it.
        self.without_pairs = _without_pairs(self.measures, self.evaluations.values())
        # Runs without any document: a difference from them says nothing of retrieval.
        self.empty = [n for n, e in self.evaluations.items() if e.counts.nothing_retrieved]
        self.untested = ""  # why not, where there are no tests
        self._tested: dict[Key, PairedDifference] = {}
        try:
            self._tested = self._test_all()
        except MissingExtra as missing:
            self.untested = f"no difference was tested: {missing}"

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
        return self._tested[run, name]

    def _refuse_unpaired(self, measure: str) -> None:
        if measure in self.without_pairs:
            raise InputError(self.without_pairs[measure])

    def _known(self, run: str, measure: AnyMeasure) -> str:
        if run not in self.others:
            raise InputError(f"run {run!r} is not compared; there are {', '.join(self.others)}")
        return self.evaluations[run].measure_named(measure).name

    def _test_all(self) -> dict[Key, PairedDifference]:
        tested: dict[Key, PairedDifference] = {}
        paired = [m.name for m in self.measures if m.name not in self.without_pairs]
        for run in self.others:
            if self.baseline in self.empty or run in self.empty:
                continue
            for name in paired:
                differences, rounding = self._differences(run, name)
                tested[run, name] = paired_difference(
                    differences,
                    rounding=rounding,
                    seed=self.seed,
                    resamples=self.resamples,
                    level=self.level,
                )
        for test in TESTS:
            corrected = holm([t.p[test] for t in tested.values()])
            for key, p in zip(list(tested), corrected, strict=True):
                tested[key] = replace(tested[key], adjusted={**tested[key].adjusted, test: p})
        return tested

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

    # -- views

    def _marked(self) -> set[Key]:
        """The runs and measures that differ from the baseline by more than chance."""
        corrected = {key: t.adjusted[self.test] for key, t in self._tested.items()}
        return {key for key, p in corrected.items() if below(p, self.level)}

    def table(self, *, digits: int = 4) -> ResultTable:
        """The means of all runs; a mark where one differs from the baseline by more than chance."""
        marked = self._marked()
        lines: list[list[Any]] = []
        for name, means in self.means.items():
            line: list[Any] = [f"{name} (baseline)" if name == self.baseline else name]
            for measure, mean in means.items():
                cell = formatting.Marked.of(
                    formatting.number(mean, digits),
                    raised="*" if (name, measure) in marked else "",
                    room=1 if marked else 0,
                )
                line.append(cell)
            lines.append(line)
        header = ("run", *(m.name for m in self.measures))
        notes = (*self._verdict(marked), *self.notes())
        return ResultTable(
            header,
            lines,
            self.caption,
            notes,
            digits,
        )

    def long_table(self) -> ResultTable:
        """A line per run and measure: the mean with every digit, and its mark."""
        marked = self._marked()
        lines = []
        for run, means in self.means.items():
            for name, mean in means.items():
                mark = "*" if (run, name) in marked else ""
                lines.append([run, name, mean, mark])
        notes = (*self._verdict(marked), *self.notes())
        return ResultTable(
            ("run", "measure", "mean", "mark"),
            lines,
            notes=notes,
        )

    def details(self, *, digits: int = 4) -> ResultTable:
        """A line per run and measure: the difference with its interval, p and effect size."""
        if self.untested:
            raise MissingExtra(self.untested)
        marked = self._marked()
        lines = []
        for (run, name), t in self._tested.items():
            line: list[Any] = [
                run,
                name,
                self.means[run][name],
                t.mean,
                t.low,
                t.high,
                t.wins,
                t.losses,
                t.ties,
                formatting.PValue(t.p[self.test]),
                formatting.PValue(t.adjusted[self.test]),
                "*" if (run, name) in marked else "",
                t.effect,
                t.detectable,
            ]
            lines.append(line)
        no_interval = any(math.isnan(t.low) for t in self._tested.values())
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
            *self.notes(),
        )
        return ResultTable(
            _OF_DETAILS,
            lines,
            self.caption,
            notes,
            digits,
        )

    def _verdict(self, marked: set[Key]) -> list[str]:
        """What a mark means, and how p was found."""
        if not self._tested:
            return [self.untested or "no difference was tested"]
        return verdict(
            self._tested,
            marked,
            baseline=self.baseline,
            test=self.test,
            level=self.level,
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
        notes += self.without_pairs.values()
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
        if self.without_pairs:
            raise InputError(next(iter(self.without_pairs.values())))
        pairs: list[PairOfRuns] = []
        how = ""
        means = {
            m.name: {run: means[m.name] for run, means in self.means.items()} for m in self.measures
        }
        for name, of_runs in means.items():
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
                seed=self.seed,
                resamples=self.resamples,
            )
            pairs += of_measure
        return AllPairs(
            means=means,
            pairs=pairs,
            level=self.level,
            how=how,
            caption=self.caption,
            notes=self.notes(),
        )

    def facts(self) -> dict[str, Any]:
        """Means, tests and differences, as JSON has them."""
        paired = [m.name for m in self.measures if m.name not in self.without_pairs]
        comparisons = []
        for run in self.others:
            comparisons += [self._facts_of(run, name) for name in paired]
        untested = [self.untested] if self.untested else []
        return {
            "baseline": self.baseline,
            "test": self.test,
            "level": self.level,
            "queries": [str(query) for query in self.queries],
            "mean": self.means,
            "comparisons": comparisons,
            "notes": [*untested, *self.notes()],
        }

    def _facts_of(self, run: str, name: str) -> dict[str, Any]:
        """What is known of one run in one measure, as JSON has it."""
        facts: dict[str, Any] = {"run": run, "measure": name}
        if (run, name) in self._tested:
            facts |= self._tested[run, name].facts()
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
        """What each query gains or loses (matplotlib)."""
        from irmetrics_edu.runs.evaluation_plots import plot_queries

        name = self.measures[0].name if measure is None else measure
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


def _means_over(
    evaluation: RunScores,
    measures: Sequence[Measure],
    common: set[Hashable],
) -> dict[str, float]:
    """The means of a run over the queries that all runs have."""
    in_common = np.flatnonzero([query in common for query in evaluation.queries])
    means = {}
    for measure in measures:
        kept = np.intersect1d(in_common, evaluation.counted(measure.name))
        aggregation = evaluation.aggregation(measure.name, kept.tolist())
        means[measure.name] = float(aggregation.score[0])
    return means


def _without_pairs(
    measures: Sequence[Measure],
    evaluations: Iterable[RunScores],
) -> dict[str, str]:
    """The measures of which no run can be compared in pairs of queries, and why."""
    reasons = {}
    for measure in measures:
        for evaluation in evaluations:
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
    **options: Any,
) -> Comparison:
    """A comparison tells how runs differ from a baseline, and whether by more than chance.

    `runs` maps names to runs (or to evaluations made before). The first is the baseline unless you
    name another. `test` chooses the test whose p-values make the marks: "randomisation", "t",
    "wilcoxon" or "sign". All are computed. Smucker, Allan & Carterette (2007, A comparison of
    statistical significance tests for information retrieval evaluation, CIKM) advise against
    "wilcoxon" and "sign". The other arguments are those of `evaluate`.

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
    checks.one_of("test", test, TESTS)
    first = _baseline(runs, baseline)
    evaluations = _evaluated(runs, qrels, measures, conventions, options)
    _refuse_unlike(evaluations, first)
    return Comparison(
        evaluations,
        first,
        test=test,
        level=level,
        resamples=resamples,
        seed=seed,
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
    if not all(isinstance(run, RunScores) for run in runs.values()):
        how = {name: value for name, value in options.items() if name not in _READING}
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
            evaluations[name] = run
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


def _baseline(runs: Any, baseline: str | None) -> str:
    """The name of the baseline: the first run, unless another is named."""
    if not isinstance(runs, Mapping) or len(runs) < 2:
        raise InputError(
            "fewer than two runs are given with their names; write "
            "compare({'old': ..., 'new': ...}, qrels)"
        )
    first: str = next(iter(runs)) if baseline is None else baseline
    if first not in runs:
        raise InputError(f"baseline {first!r} is not among the runs: {', '.join(runs)}")
    return first


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
