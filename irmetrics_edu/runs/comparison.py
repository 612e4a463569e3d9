"""Runs compared over the same queries: how much, for how many, and whether it may be chance.

evaluations of the runs -> differences per query -> tests, corrected -> table, plots, moves

One file: a Comparison is one object, with its views.
"""

import math
import re
from collections.abc import Collection, Hashable, Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError, MissingExtra
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN
from irmetrics_edu.near_ties import in_order
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.column_names import asked_for
from irmetrics_edu.reading.files import as_file
from irmetrics_edu.runs.all_pairs import AllPairs, PairOfRuns, pairs_of
from irmetrics_edu.runs.averaging import no_pairs
from irmetrics_edu.runs.evaluation import asked, evaluate
from irmetrics_edu.runs.intervals import interval_in_words
from irmetrics_edu.runs.joining.join import judgments_read_once
from irmetrics_edu.runs.moves import Moves, moves
from irmetrics_edu.runs.run_scores import RunScores, of_queries
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

_COUNTED = re.compile(r"([\d,]+ )?(.*)", re.DOTALL)  # a note, and the number that it begins with
_NAMED = 4  # runs, up to which a note names each
_READING = ("skip_bad", "format", "padding", "columns")  # how runs are read


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
        self.queries = [q for q in first.queries if q in common]
        if not self.queries:
            raise InputError("the runs have no query in common, so they can't be compared")
        self.means: dict[str, dict[str, float]] = {}
        for name, e in self.evaluations.items():
            there = np.flatnonzero([q in common for q in e.queries])
            of = {m.name: np.intersect1d(there, e.counted(m.name)).tolist() for m in self.measures}
            self.means[name] = {m: float(e.aggregation(m, kept).score[0]) for m, kept in of.items()}
        # Measures whose mean is not that of the queries' values: why no paired test is of it.
        self.without_pairs = {
            m.name: why
            for m in self.measures
            for e in self.evaluations.values()
            if (why := no_pairs(m, e.averaging(m.name)))
        }
        # Runs without any document: a difference from them says nothing of retrieval.
        self.empty = [n for n, e in self.evaluations.items() if e.counts.nothing_retrieved]
        self.untested = ""  # why not, where there are no tests
        self._tested: dict[tuple[str, str], PairedDifference] = {}
        try:
            self._tested = self._test_all()
        except MissingExtra as missing:
            self.untested = f"no difference was tested: {missing}"

    @property
    def others(self) -> list[str]:
        """The runs that are compared with the baseline."""
        return [name for name in self.evaluations if name != self.baseline]

    def _scores(self, run: str, measure: str) -> Array:
        e = self.evaluations[run]
        by_query = e.per_query[measure]
        return np.array([by_query[q] for q in self.queries])

    def differences(self, run: str, measure: Any) -> dict[Hashable, float]:
        """What each query gains against the baseline."""
        name = self._known(run, measure)
        self._refuse_unpaired(name)
        found, _ = self._differences(run, name)
        return dict(zip(self.queries, found.tolist(), strict=True))

    def _differences(self, run: str, name: str) -> tuple[Array, Array]:
        """What each query gains, and how far that may be off by rounding."""
        after = self._scores(run, name)
        before = self._scores(self.baseline, name)
        lacking = np.flatnonzero(~np.isfinite(after) | ~np.isfinite(before))
        if len(lacking):
            i = int(lacking[0])
            at_fault = self.baseline if not np.isfinite(before[i]) else run
            raise InputError(
                f"query {self.queries[i]!r}: {name} of {at_fault} is not a finite number, so "
                "the runs can't be compared on this query; leave the query out, or choose its "
                "score (such as no_relevant='zero')"
            )
        rounding = rounding_of(after, before)
        return settled(after - before, rounding), rounding

    def tested(self, run: str, measure: Any) -> PairedDifference:
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

    def _known(self, run: str, measure: Any) -> str:
        if run not in self.others:
            raise InputError(f"run {run!r} is not compared; there are {', '.join(self.others)}")
        return self.evaluations[run].measure_named(measure).name

    def _test_all(self) -> dict[tuple[str, str], PairedDifference]:
        found: dict[tuple[str, str], PairedDifference] = {}
        for run in self.others:
            untested = self.baseline in self.empty or run in self.empty
            for m in self.measures:
                if untested or m.name in self.without_pairs:
                    continue
                d, rounding = self._differences(run, m.name)
                found[run, m.name] = paired_difference(
                    d,
                    rounding=rounding,
                    seed=self.seed,
                    resamples=self.resamples,
                    level=self.level,
                )
        for test in TESTS:
            corrected = holm([t.p[test] for t in found.values()])
            for key, p in zip(list(found), corrected, strict=True):
                found[key] = replace(found[key], adjusted={**found[key].adjusted, test: p})
        return found

    def moves(
        self,
        query: Hashable,
        measure: Any,
        run: str | None = None,
        *,
        exact: bool = False,
    ) -> Moves:
        """Which documents moved against the baseline, and how each move changed the score.

        With `exact`, parts are fractions if the measure is rational.
        """
        chosen = self.others[0] if run is None else run
        self._known(chosen, measure)
        before = self.evaluations[self.baseline].working(measure, query, exact=exact)
        after = self.evaluations[chosen].working(measure, query, exact=exact)
        return moves(before, after, query)

    # -- views

    def table(self, *, digits: int = 4) -> ResultTable:
        """The means of all runs; a mark where one differs from the baseline by more than chance."""
        adjusted = {key: t.adjusted[self.test] for key, t in self._tested.items()}
        marked = {key for key, p in adjusted.items() if below(p, self.level)}
        lines: list[list[Any]] = []
        for name, means in self.means.items():
            line: list[Any] = [f"{name} (baseline)" if name == self.baseline else name]
            for measure, mean in means.items():
                star = (name, measure) in marked
                shown = formatting.number(mean, digits)
                line.append(formatting.Marked.of(shown, raised="*" * star, room=len(marked) and 1))
            lines.append(line)
        header = ("run", *(m.name for m in self.measures))
        said = (*self._verdict(marked), *self.notes())
        return ResultTable(header, lines, self.caption, said, digits)

    def long_table(self) -> ResultTable:
        """A line per run and measure: the mean with every digit, and its mark."""
        table = self.table()
        lines = [
            [run, name, mean, cell.raised]
            for (run, means), (_, *cells) in zip(self.means.items(), table.lines, strict=True)
            for (name, mean), cell in zip(means.items(), cells, strict=True)
        ]
        return ResultTable(("run", "measure", "mean", "mark"), lines, notes=table.notes)

    def details(self, *, digits: int = 4) -> ResultTable:
        """A line per run and measure: the difference with its interval, p and effect size."""
        if self.untested:
            raise MissingExtra(self.untested)
        header = (
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
        lines: list[list[Any]] = []
        for (run, name), t in self._tested.items():
            p = [formatting.PValue(of[self.test]) for of in (t.p, t.adjusted)]
            begin = [run, name, self.means[run][name], t.mean, t.low, t.high]
            star = "*" * below(p[1], self.level)
            lines.append([*begin, t.wins, t.losses, t.ties, *p, star, t.effect, t.detectable])
        of = f"the difference from {self.baseline}"
        lacking = any(math.isnan(t.low) for t in self._tested.values())
        found = f"found by the t-test with power {POWER:g} at level {self.level:g}"
        notes = (
            interval_in_words(self.level, of, lacking=" that differ by unlike amounts" * lacking),
            "d_z is the mean difference over the standard deviation of differences",
            f"detectable: the least true difference {found}, with {len(self.queries):,} queries",
            *self.table().notes,
        )
        return ResultTable(header, lines, self.caption, notes, digits)

    def _verdict(self, marked: Collection[tuple[str, str]]) -> list[str]:
        """What a mark means, how p was found, and what the test can't find, whatever the runs."""
        if not self._tested:
            return [self.untested or "no difference was tested"]
        names = {"t": "paired t-test", "wilcoxon": "Wilcoxon's signed-rank test"}
        how = names.get(self.test, f"{self.test} test")
        n = len(self._tested)
        beyond = []
        if self.test == "randomisation":
            differ = {key: t for key, t in self._tested.items() if t.wins + t.losses}
            ways = dict.fromkeys(re.sub(r"all [\d,]+ ", "all ", t.ways) for t in differ.values())
            how += f" ({', or '.join(ways) or 'no query differs'})"
            beyond = [f"{run} in {m}" for (run, m), t in differ.items() if t.least >= self.level]
        how += f", corrected by Holm over {n} comparisons" * (n > 1)
        said = [f"no difference from {self.baseline} is significant: p >= {self.level:g}, {how}"]
        if marked:
            said = [f"* differs from {self.baseline}: p < {self.level:g}, {how}"]
        if beyond:
            at = ", ".join(beyond) if len(beyond) <= _NAMED else f"{len(beyond)} of {n} comparisons"
            few = "too few queries differ (or resamples are drawn)"
            said.append(f"{few} for a p below {self.level:g}: {at}")
        if any(np.isnan(t.p[self.test]) for t in self._tested.values()):
            said.append("the t-test has no p of one query, or if all differ by the same amount")
        return said

    @property
    def caption(self) -> str:
        """What was compared, in a line."""
        return of_queries(len(self.queries), self.evaluations[self.baseline].conventions)

    def notes(self) -> tuple[str, ...]:
        """Notes on what the numbers don't show; what holds for several runs is said once."""
        of: dict[str, dict[str, str]] = {}  # what is said, the runs, and how many of it they have
        for name, e in self.evaluations.items():
            for note in e.notes(unjudged=False):
                number, said = _COUNTED.fullmatch(note).groups()  # type: ignore[union-attr]  # always
                of.setdefault(said, {})[name] = number or ""
        found = [self._said_once(said, numbers) for said, numbers in of.items()]
        found += [f"{run} is not tested, because it holds no document" for run in self.empty]
        found += self._unjudged()
        found += self.without_pairs.values()
        found += [
            f"{m.name}: differences and tests are of {m.metric!r}, query by query"
            for m in self.measures
            if m.aggregate == GEOMETRIC_MEAN
        ]
        for name, e in self.evaluations.items():
            if len(e.queries) > len(self.queries):
                left_out = len(e.queries) - len(self.queries)
                found.append(
                    f"{name}: {left_out} queries are left out, because not all runs have them"
                )
        return tuple(found)

    def _said_once(self, said: str, numbers: Mapping[str, str]) -> str:
        """A note of one or several runs: with its number, or the number of each run."""
        if len(set(numbers.values())) == 1:
            whole = f"{next(iter(numbers.values()))}{said}"
            every = len(numbers) == len(self.evaluations)
            return whole if every else f"{', '.join(numbers)}: {whole}"
        return f"{_named(numbers)}: {said}"

    def _unjudged(self) -> list[str]:
        """How many of the documents of each run are not judged."""
        counts = {n: e.counts for n, e in self.evaluations.items() if not e.counts.relevant_alone}
        told: dict[tuple[Any, ...], int | None] = {}  # of equal counts the deepest cut stands
        for k in dict.fromkeys(k for c in counts.values() for k in c.unjudged_documents):
            found = [
                (c.unjudged_documents.get(k), c.documents_within.get(k)) for c in counts.values()
            ]
            if any(unjudged for unjudged, _ in found):
                told[tuple(found)] = k
        said = []
        for found_there, k in told.items():
            where = "retrieved" if k is None else f"at ranks 1 to {k}"
            share = [f"{(n or 0) / max(1, within or 0):.0%} " for n, within in found_there]
            shares = _named(dict(zip(counts, share, strict=True)))
            said.append(f"documents {where} that are not judged: {shares}")
        return said

    def all_pairs(self, correction: str = "holm") -> AllPairs:
        """Every run against every other: means with letters, the best in bold, and tiers.

        With "holm" each pair is tested by `test`, and p is corrected over all pairs of a measure.
        "tukey" is Tukey's HSD by randomisation, which suits many runs.
        """
        if self.without_pairs:
            raise InputError(next(iter(self.without_pairs.values())))
        pairs = list[PairOfRuns]()
        how = ""
        how_often = {"seed": self.seed, "resamples": self.resamples}
        means = {
            m.name: {run: means[m.name] for run, means in self.means.items()} for m in self.measures
        }
        for name, of in means.items():
            for run in self.others:
                self._differences(run, name)  # an error where a score is missing
            scores = {run: self._scores(run, name) for run in self.evaluations}
            ranked = in_order(of, of.__getitem__)
            ranked = [run for run in ranked if run not in self.empty]
            if len(ranked) < 2:
                how = "no pair of runs was tested"
                continue
            scores = {run: scores[run] for run in scores if run in ranked}
            found, how = pairs_of(name, scores, ranked, correction, self.test, **how_often)
            pairs += found
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
        return {
            "baseline": self.baseline,
            "test": self.test,
            "level": self.level,
            "queries": [str(q) for q in self.queries],
            "mean": self.means,
            "comparisons": [
                {
                    "run": run,
                    "measure": m.name,
                    **(asdict(self._tested[key]) if (key := (run, m.name)) in self._tested else {}),
                    "differences": {str(q): v for q, v in self.differences(run, m.name).items()},
                }
                for run in self.others
                for m in self.measures
                if m.name not in self.without_pairs
            ],
            "notes": [*([self.untested] if self.untested else []), *self.notes()],
        }

    def plot(self, run: str | None = None, measure: Any = None, *, ax: Any = None) -> Any:
        """What each query gains or loses (matplotlib)."""
        from irmetrics_edu.runs.evaluation_plots import plot_queries

        name = self.measures[0].name if measure is None else measure
        run = self.others[0] if run is None else run
        gained = self.differences(run, name)
        mean = float(np.mean(list(gained.values())))
        what = f"{name}: {run} less {self.baseline}"
        return plot_queries(gained, mean, what, gains=True, ax=ax)


def _named(numbers: Mapping[str, str]) -> str:
    """A number of each run: "old 2, new 4", or of many runs the least and the most."""
    if len(numbers) <= _NAMED:
        return ", ".join(f"{name} {number.strip()}" for name, number in numbers.items())
    size = {name: float(re.sub(r"[^\d.]", "", number)) for name, number in numbers.items()}
    least = min(size, key=size.__getitem__)
    most = max(size, key=size.__getitem__)
    return f"from {numbers[least].strip()} ({least}) to {numbers[most].strip()} ({most})"


def compare(
    runs: Any,
    qrels: Any = None,
    measures: Any = "nDCG@10 AP",
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
    if not isinstance(runs, Mapping) or len(runs) < 2:
        raise InputError(
            "fewer than two runs are given with their names; write "
            "compare({'old': ..., 'new': ...}, qrels)"
        )
    first = next(iter(runs)) if baseline is None else baseline
    if first not in runs:
        raise InputError(f"baseline {first!r} is not among the runs: {', '.join(runs)}")
    if not all(isinstance(run, RunScores) for run in runs.values()):
        how = {n: v for n, v in options.items() if n not in _READING}
        chosen, by, _ = asked(measures, conventions, how)
        skip_bad = bool(options.get("skip_bad"))
        beside = ("categories", "embeddings", "popularity", "exposure")
        options |= {n: as_file(v) for n, v in options.items() if n in beside}
        columns = asked_for(options.get("columns") or {})
        qrels = judgments_read_once(qrels, chosen, by, skip_bad=skip_bad, columns=columns)
    evaluations = {
        name: run
        if isinstance(run, RunScores)
        else evaluate(run, qrels, measures, conventions, name=name, **options)
        for name, run in runs.items()
    }
    shown = {name: [m.name for m in e.measures] for name, e in evaluations.items()}
    for name, names in shown.items():
        if names != shown[first]:
            raise InputError(f"run {name!r} was evaluated by {names}, {first!r} by {shown[first]}")
    return Comparison(evaluations, first, test=test, level=level, resamples=resamples, seed=seed)
