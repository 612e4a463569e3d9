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
from irmetrics_edu.runs.all_pairs import AllPairs, Pair, pairs_of
from irmetrics_edu.runs.averaging import no_pairs
from irmetrics_edu.runs.evaluation import Evaluation, asked, evaluate, of_queries
from irmetrics_edu.runs.intervals import interval_in_words
from irmetrics_edu.runs.joining.join import judgments_read_once
from irmetrics_edu.runs.moves import Moves, moves
from irmetrics_edu.runs.significance import (
    ADVISED_AGAINST,
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

# Beside the columns in brackets.
_ADVICE = (
    "in brackets: tests of ranks and of signs, not of the mean; Smucker, Allan & Carterette "
    "(2007) advise against both"
)
Tested = Collection[PairedDifference]
_COUNTED = re.compile(r"([\d,]+ )?(.*)", re.DOTALL)  # a note, and the number that it begins with
_NAMED = 4  # runs, up to which a note names each
_READING = ("skip_bad", "format", "padding", "columns")  # how runs are read


class Comparison(Tabled, Report):
    """Runs against a baseline, measure by measure and query by query.

    `evaluations` maps names to evaluations. `tested(run, measure)` has the mean difference, its
    interval, winners and losers, the p-values and their correction, the effect size, and
    the least difference that this number of queries can show.
    """

    def __init__(
        self,
        evaluations: Mapping[str, Evaluation],
        baseline: str,
        *,
        test: str = "randomisation",
        level: float = 0.05,
        resamples: int = 9999,
        seed: int = 0,
    ) -> None:
        self.evaluations, self.baseline = dict(evaluations), baseline
        self.test, self.level = test, level
        self.resamples, self.seed = resamples, seed
        first = self.evaluations[baseline]
        self.measures = first.measures
        first.refuse_together(first.mean, "runs can't be compared query by query in it")
        common = set(first.queries).intersection(*(e.queries for e in self.evaluations.values()))
        self.queries = [q for q in first.queries if q in common]
        if not self.queries:
            raise InputError("the runs have no query in common, so they can't be compared")
        # Measures whose mean is not that of the queries' values: why no paired test is of it.
        self.without_pairs = {
            m.name: why
            for m in self.measures
            for e in self.evaluations.values()
            if (why := no_pairs(m, e.averaging(m.name)))
        }
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
        after, before = self._scores(run, name), self._scores(self.baseline, name)
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
        return self._tested[run, name]

    def _refuse_unpaired(self, measure: str) -> None:
        if measure in self.without_pairs:
            raise InputError(self.without_pairs[measure])

    def _known(self, run: str, measure: Any) -> str:
        if run not in self.others:
            raise InputError(f"run {run!r} is not compared; there are {', '.join(self.others)}")
        e = self.evaluations[run]
        e[measure]
        return next(m.name for m in e.measures if e.mean[measure] is e.mean[m.name])

    def _test_all(self) -> dict[tuple[str, str], PairedDifference]:
        found: dict[tuple[str, str], PairedDifference] = {}
        for run in self.others:
            for m in self.measures:
                if m.name in self.without_pairs:
                    continue
                d, rounding = self._differences(run, m.name)
                found[run, m.name] = paired_difference(
                    d, rounding=rounding, seed=self.seed, resamples=self.resamples, level=self.level
                )
        for test in TESTS:
            corrected = holm([t.p[test] for t in found.values()])
            for key, p in zip(list(found), corrected, strict=True):
                found[key] = replace(found[key], adjusted={**found[key].adjusted, test: p})
        return found

    def moves(
        self, query: Hashable, measure: Any, run: str | None = None, *, exact: bool = False
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
        lines: list[list[Any]] = []
        adjusted = {key: t.adjusted[self.test] for key, t in self._tested.items()}
        marked = {key for key, p in adjusted.items() if below(p, self.level)}
        for name, e in self.evaluations.items():
            line: list[Any] = [f"{name} (baseline)" if name == self.baseline else name]
            for m in self.measures:
                star = "" if self.untested else "*" if (name, m.name) in marked else " "
                line.append(formatting.number(e.mean[m.name], digits) + star)
            lines.append(line)
        header = ("run", *(m.name for m in self.measures))
        n = len(self._tested)
        over = f", corrected by Holm over {n} comparisons" if n > 1 else ""
        tested = self._tested.values()
        how = f"{self.level:g}, {_in_words(self.test, tested)}{over}"
        mark = self.untested or (
            "no difference was tested"
            if not n
            else f"* differs from {self.baseline}: p < {how}"
            if marked
            else f"no difference from {self.baseline} is significant: p >= {how}"
        )
        said = (mark, *_out_of_reach(self.test, tested, self.level), *self.notes())
        return ResultTable(header, lines, self.caption, said, digits)

    def details(self, *, digits: int = 4) -> ResultTable:
        """A line per run and measure with the results of all tests."""
        if self.untested:
            raise MissingExtra(self.untested)
        advised = [test for test in TESTS if test not in ADVISED_AGAINST]
        header = (
            "run", "measure", "mean", "difference", "low", "high", "win/lose/tie",
            *(f"p {test}" for test in advised), f"p {self.test}, Holm", "d_z", "detectable",
            *(f"(p {test})" for test in ADVISED_AGAINST),
        )  # fmt: skip
        lines: list[list[Any]] = []
        for (run, name), t in self._tested.items():
            lines.append(
                [run, name, self.evaluations[run].mean[name], t.mean, t.low, t.high]
                + [f"{t.wins}/{t.losses}/{t.ties}"]
                + [_p(t.p[test], digits) for test in advised]
                + [_p(t.adjusted[self.test], digits), t.effect, t.detectable]
                + [_p(t.p[test], digits) for test in ADVISED_AGAINST]
            )
        of = f"the difference from {self.baseline}"
        lacking = any(math.isnan(t.low) for t in self._tested.values())
        found = f"found by the t-test with power {POWER:g} at level {self.level:g}"
        notes = (
            interval_in_words(self.level, of, lacking=" that differ by unlike amounts" * lacking),
            "d_z is the mean difference over the standard deviation of differences",
            f"detectable: the least true difference {found}, with {len(self.queries):,} queries",
            f"p randomisation: {_ways(self._tested.values())}",
            _ADVICE,
            *_out_of_reach(self.test, self._tested.values(), self.level),
            *self.notes(),
        )
        return ResultTable(header, lines, self.caption, notes, digits)

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
        pairs, how = list[Pair](), ""
        how_often = {"seed": self.seed, "resamples": self.resamples}
        means = {
            m.name: {run: e.mean[m.name] for run, e in self.evaluations.items()}
            for m in self.measures
        }
        for name, of in means.items():
            for run in self.others:
                self._differences(run, name)  # an error where a score is missing
            scores = {run: self._scores(run, name) for run in self.evaluations}
            ranked = in_order(of, of.__getitem__)
            found, how = pairs_of(name, scores, ranked, correction, self.test, **how_often)
            pairs += found
        return AllPairs(means, pairs, self.level, how, self.caption, self.notes())

    def facts(self) -> dict[str, Any]:
        """Means, tests and differences, as JSON has them."""
        return {
            "baseline": self.baseline,
            "test": self.test,
            "level": self.level,
            "queries": [str(q) for q in self.queries],
            "mean": {name: dict(e.mean) for name, e in self.evaluations.items()},
            "comparisons": [
                {
                    "run": run,
                    "measure": m.name,
                    **({} if self.untested else asdict(self._tested[run, m.name])),
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
        mean, what = float(np.mean(list(gained.values()))), f"{name}: {run} less {self.baseline}"
        return plot_queries(gained, mean, what, gains=True, ax=ax)


def _named(numbers: Mapping[str, str]) -> str:
    """A number of each run: "old 2, new 4", or of many runs the least and the most."""
    if len(numbers) <= _NAMED:
        return ", ".join(f"{name} {number.strip()}" for name, number in numbers.items())
    size = {name: float(re.sub(r"[^\d.]", "", number)) for name, number in numbers.items()}
    least, most = min(size, key=size.__getitem__), max(size, key=size.__getitem__)
    return f"from {numbers[least].strip()} ({least}) to {numbers[most].strip()} ({most})"


def _p(value: float, digits: int) -> float | str:
    """A p-value that is shown as 0.0000 would be a claim that none makes."""
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if value < least else value


def _in_words(test: str, tested: Tested) -> str:
    if test == "randomisation":
        return f"randomisation test ({_ways(tested)})"
    return {"t": "paired t-test", "wilcoxon": "Wilcoxon's signed-rank test"}.get(
        test, f"{test} test"
    )


def _ways(tested: Tested) -> str:
    """How the randomisation tests came by their p-values."""
    met = dict.fromkeys(t.ways for t in tested if t.wins + t.losses)
    return "; ".join(met) or "no query differs"


def _out_of_reach(test: str, tested: Tested, level: float) -> list[str]:
    """What the test can't find, whatever the runs are."""
    said = []
    if test == "randomisation":
        least = {t.ways: t.least for t in tested if t.wins + t.losses and t.least >= level}
        said += [f"{how} can't give a p below {p:.2g}" for how, p in least.items()]
    if any(np.isnan(t.p[test]) for t in tested):
        said.append(
            "the t-test has no p if all queries differ by the same amount, or if "
            "there is only one query"
        )
    return said


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
    run                RR@2
    old (baseline)  0.5000
    new             1.0000*
    note: * differs from old: p < 0.05, randomisation test (all 256 ways to swap)
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
    if not all(isinstance(run, Evaluation) for run in runs.values()):
        how = {n: v for n, v in options.items() if n not in _READING}
        chosen, by, _ = asked(measures, conventions, how)
        skip_bad = bool(options.get("skip_bad"))
        beside = ("categories", "embeddings", "popularity", "exposure")
        options |= {n: as_file(v) for n, v in options.items() if n in beside}
        columns = asked_for(options.get("columns") or {})
        qrels = judgments_read_once(qrels, chosen, by, skip_bad=skip_bad, columns=columns)
    evaluations = {
        name: run
        if isinstance(run, Evaluation)
        else evaluate(run, qrels, measures, conventions, name=name, **options)
        for name, run in runs.items()
    }
    shown = {name: [m.name for m in e.measures] for name, e in evaluations.items()}
    for name, names in shown.items():
        if names != shown[first]:
            raise InputError(f"run {name!r} was evaluated by {names}, {first!r} by {shown[first]}")
    return Comparison(evaluations, first, test=test, level=level, resamples=resamples, seed=seed)
