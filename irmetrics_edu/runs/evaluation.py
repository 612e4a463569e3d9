"""Whole runs: every measure of every query, and what it all comes to.

run + qrels -> rows, once -> a Working per measure -> scores per query -> means

One file: an Evaluation is one object, from its scores to the texts and tables that show them.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import MACRO, Averaging
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.libraries import Bundle, bundle
from irmetrics_edu.metrics import trec_format
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, MICRO, Measure, known_measure, measures
from irmetrics_edu.metrics.over_queries import geometric_mean, mean
from irmetrics_edu.near_ties import in_order
from irmetrics_edu.numbers import Array, as_fraction, concatenated
from irmetrics_edu.rows.query_values import Values
from irmetrics_edu.runs.averaging import SHARES, averaging_of, pooled
from irmetrics_edu.runs.counts import Counts, counted, documents_per_query
from irmetrics_edu.runs.joining.join import JUDGMENTS, is_together, joined, rows_together
from irmetrics_edu.runs.joining.queries import Look, look_swapped
from irmetrics_edu.runs.keywords import refuse_unknown
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.views.result_table import Report, ResultTable, Tabled
from irmetrics_edu.working import Working

REPEATED = "duplicates"  # what the quirks of libraries call an input with repeated documents


class ByMeasure(dict[str, Any]):
    """Results by the name of the measure; any way to write the measure finds it."""

    def __missing__(self, given: Any) -> Any:
        name = known_measure(given).name
        if name not in self:
            raise KeyError(f"{given} was not evaluated; there are {', '.join(self)}")
        return self[name]


class Evaluation(Tabled, Report):
    """The scores of a run: by measure, by query, with the way each came about.

    `mean` maps measures to their mean over queries, `per_query` maps measures to a mapping from
    query to score. `counts` says what was missing, unjudged or tied. Shown as text, in a notebook
    or as a paper's table by the methods below, always with the counts that are not zero.
    """

    def __init__(
        self,
        aligned: Any,
        chosen: Sequence[Measure],
        by: Bundle,
        *,
        name: str = "",
    ) -> None:
        self.name, self.conventions = name, by
        self._aligned = aligned
        self._settled = {m.name: by.settle(m.metric) for m in chosen}
        self.measures = tuple(chosen)
        self.queries: Sequence[Hashable] = aligned.queries
        pooled = [m.name for m in chosen if self.averaging(m) is not MACRO]
        # Arrays of scores by measure, in the order of `queries`; NaN where there is no score.
        self.scores, self.divisors = self._scored(pooled)

    def _scored(self, pooled: Sequence[str]) -> tuple[ByMeasure, ByMeasure]:
        """The scores of each measure, and the divisors of those that are pooled.

        Of very many queries part by part, keeping nothing else.
        """
        single = {n: m for n, m in self._settled.items() if n not in self.together}
        found: dict[str, list[Array]] = {name: [] for name in single}
        below: dict[str, list[Array]] = {name: [] for name in pooled}
        for part in self._aligned.parts(single.values()) if single else []:
            for name, metric in single.items():
                rows = self._aligned.rows(metric, part)
                if part is None or rows.n:
                    working = self._measured(metric, rows)
                    found[name].append(working.score)
                    if name in below:
                        below[name].append(working.quantities[SHARES[metric.name]])
        none = np.full(len(self.queries), np.nan)
        scores = {
            name: concatenated(found[name]) if name in found else none for name in self._settled
        }
        divisors = {name: concatenated(parts) for name, parts in below.items()}
        return ByMeasure(scores), ByMeasure(divisors)

    @cached_property
    def together(self) -> dict[str, Working]:
        """The workings of measures of several queries together, which have none for each query."""
        return {
            name: self._measured(metric, rows_together(self._aligned, metric))
            for name, metric in self._settled.items()
            if is_together(metric)
        }

    def refuse_together(self, names: Any, why: str) -> None:
        """Raise InputError if one of these measures has no score for each query."""
        for name in names:
            if name in self.together:
                raise InputError(f"{name} is of several queries together, so {why}; leave it out")

    @cached_property
    def _place(self) -> dict[Hashable, int]:
        return {query: i for i, query in enumerate(self.queries)}

    @cached_property
    def workings(self) -> ByMeasure:
        """How the scores of all queries came about, by measure."""
        return ByMeasure(
            {
                name: self.together.get(name) or self._measured(metric, self._aligned.rows(metric))
                for name, metric in self._settled.items()
            }
        )

    @staticmethod
    def _measured(metric: Metric, rows: Any, *, exact: bool = False) -> Working:
        given = {**metric.defaults, **metric.params} if exact else metric.params
        params = {n: v for n, v in given.items() if n in metric.defaults}
        if exact:
            params = {n: as_fraction(v) if isinstance(v, float) else v for n, v in params.items()}
        return metric.measured(rows, metric.k, **params)

    @property
    def aligned(self) -> Any:
        """The run and its judgments as they were aligned, with what was given besides."""
        return self._aligned

    # -- results

    @cached_property
    def per_query(self) -> ByMeasure:
        """Scores by measure and query."""
        return ByMeasure(
            {
                name: dict(zip(self.queries, array.tolist(), strict=True))
                for name, array in self.scores.items()
            }
        )

    @cached_property
    def mean(self) -> ByMeasure:
        """Means over queries by measure: of MAP, MRR and the like too; GMAP's is geometric."""
        return ByMeasure({m.name: float(self.aggregation(m.name).score[0]) for m in self.measures})

    def averaging(self, name: Any) -> Averaging:
        """How a measure is averaged over queries."""
        chosen = self.measure_named(name)
        return averaging_of(chosen, self.conventions.averaging_of(chosen.metric))

    def aggregation(self, name: Any, among: Sequence[int] | None = None) -> Working:
        """The working of a measure's mean over queries: all, or those of these numbers."""
        chosen = self.measure_named(name)
        if chosen.name in self.together:
            return self.together[chosen.name]
        kept = self.counted(chosen.name) if among is None else np.array(among, dtype=np.intp)
        every = len(kept) == len(self.queries)
        labels = self.queries if every else [self.queries[i] for i in kept.tolist()]
        values = Values(
            np.zeros(len(kept), dtype=np.intp),
            self.scores[chosen.name][kept],
            labels,
            labelled=True,
        )
        if (how := self.averaging(chosen)) is not MACRO:
            return pooled(values, self.divisors[chosen.name][kept], how)
        if chosen.aggregate == GEOMETRIC_MEAN:
            floor = self.conventions.floor if chosen.floor is None else chosen.floor
            return geometric_mean.measured(values, floor=floor)
        return mean.measured(values)

    def counted(self, name: str) -> Array:
        """The numbers of the queries that count in the mean."""
        score = self.scores[name]
        if not self._skips(name):
            return np.arange(len(score))
        kept = np.flatnonzero(~np.isnan(score))
        if not len(kept):
            raise InputError(f"{name}: every query is skipped, so there is no mean")
        return kept

    def _skips(self, name: str) -> bool:
        """Whether queries without a score are left out of a measure's mean."""
        params = self._settled[name].params
        asked = (params.get("undefined"), params.get("no_relevant"))
        return any(worth.left_out for worth in asked if worth is not None)

    def working(self, name: Any, query: Hashable, *, exact: bool = False) -> Working:
        """How one query's score came about, every rank a row; in fractions if `exact`."""
        chosen = self.measure_named(name)
        metric = self._settled[chosen.name]
        if chosen.name in self.together:
            raise InputError(
                f"{chosen.name} has no score for {query!r}, because it is of several queries "
                f"together: see aggregation({chosen.name!r})"
            )
        self._check_query(query)
        rows = self._aligned.one(metric, query, exact=exact)
        return self._measured(metric, rows, exact=exact)

    def explain(self, query: Hashable, name: Any = None, *, digits: int = 4) -> Explanation:
        """How one query's score came about, written out: by the first measure, or by `name`."""
        return Explanation(self.working(self.measure_named(name).name, query), digits=digits)

    def _check_query(self, query: Hashable) -> None:
        if query not in self._place:
            first = ", ".join(repr(q) for q in list(self.queries)[:3])
            known = f"; give one of its {len(self.queries):,}, such as {first}" if first else ""
            why = ": it is not judged" if query in self.counts.not_judged else ""
            raise InputError(f"query {query!r} was not evaluated{why}{known}")

    def measure_named(self, name: str | Metric | Measure | None) -> Measure:
        """The measure of this name; the first, if it is None."""
        if name is None:
            return self.measures[0]
        wanted = name if name in list(self._settled) else known_measure(name).name
        for m in self.measures:
            if m.name == wanted:
                return m
        raise InputError(
            f"{wanted} was not evaluated; there are {', '.join(m.name for m in self.measures)}"
        )

    def __getitem__(self, name: Any) -> float:
        return float(self.mean[self.measure_named(name).name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.mean)

    def __len__(self) -> int:
        return len(self.measures)

    # -- what else there was

    @cached_property
    def counts(self) -> Counts:
        """What the evaluation met: queries and documents missing, unjudged, tied."""
        return counted(self._aligned, self.measures, self.conventions)

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
        of = self._aligned
        gone = set(self.counts.missing)
        few = [q for q in self.queries[:5] if of.run.at_hand and q not in gone]
        return look_swapped({q: of.scores(q) for q in few}, {q: of.judgments(q) for q in few})

    def notes(self, *, unjudged: bool = True) -> tuple[str, ...]:
        """What has to be said beside the numbers; of unjudged documents only if `unjudged`."""
        notes = self.counts.notes(unjudged=unjudged)
        if self.swapped:
            notes.insert(
                0,
                "the run holds whole numbers, as grades are, and the judgments scores: "
                "are they swapped? The run comes first",
            )
        notes += self._of_repeated()
        for m in self.measures:
            own = self.conventions.apart(m.metric)
            if own := {n: v for n, v in own.items() if n in m.metric.inputs.options}:
                said = ", ".join(f"{name}={value}" for name, value in own.items())
                notes.append(f"{m.name}: {said}, as {self.conventions} has this measure")
            if m.name in self.together:
                notes.append(f"{m.name} is of several queries together, so no query has a score")
                continue
            if (how := self.averaging(m)) is not MACRO:
                alone = how is not self.conventions.averaging and m.aggregate != MICRO
                by = f", as {self.conventions} has this measure" if alone else ""
                notes.append(f"{m.name}: {how.meaning}{by}")
            notes += self._queries_skipped(m)
        return tuple(notes)

    def _of_repeated(self) -> list[str]:
        """What repeated documents are worth in each measure, where a run has any."""
        if not self.counts.duplicates:
            return []
        by_meaning: dict[str, list[str]] = {}
        said = []
        for m in self.measures:
            aligned = self.conventions.aligned(m.metric)
            if "duplicates" in m.metric.inputs.options:
                by_meaning.setdefault(aligned["duplicates"].meaning, []).append(m.name)
            said += [
                f"{m.name}: {self.conventions} gives another value for repeated documents: {quirk}"
                for quirk in self.conventions.quirks_met(m.metric, REPEATED)
            ]
        of_all = [
            f"{', '.join(of)}: of a repeated document {how}" for how, of in by_meaning.items()
        ]
        return [*of_all, *said]

    def _queries_skipped(self, chosen: Measure) -> list[str]:
        """How many queries without a score are left out of a measure's mean."""
        left_out = len(self.queries) - len(self.counted(chosen.name))
        if not left_out:
            return []
        without = self._settled[chosen.name].params.get("no_relevant")
        by_relevance = without is not None and without.left_out
        lacking = "relevant documents" if by_relevance else "a score"
        return [f"{chosen.name}: {left_out} queries without {lacking} are left out"]

    def summary(self, *, confidence: float = 0.95, digits: int = 4) -> ResultTable:
        """Mean, standard deviation over queries (n-1), quartiles and an interval of the mean."""
        from irmetrics_edu.runs.intervals import interval, interval_in_words

        checks.between("confidence", confidence, 0, 1, open_low=True, open_high=True)
        level = 1 - confidence
        lines: list[list[Any]] = []
        # Means that are not those of queries' values: their spread says nothing of the mean.
        untold = [m for m in self.measures if self.averaging(m) is not MACRO]
        self.refuse_together(self.mean, "its scores have no spread over queries")
        for m in self.measures:
            aggregation = self.aggregation(m.name)
            scores = aggregation.rows.value
            ends: tuple[float, float] | Array = (np.nan, np.nan)
            if m not in untold and m.aggregate == GEOMETRIC_MEAN:
                ends = np.exp(interval(aggregation["logarithm"], level))
            elif m not in untold:
                ends = interval(scores, level)
            low, high = np.clip(ends, *m.metric.range).tolist()  # a mean can't be beyond
            spread = float(np.std(scores, ddof=1)) if len(scores) > 1 else np.nan
            quartiles = [float(q) for q in np.quantile(scores, [0, 0.25, 0.5, 0.75, 1])]
            lines.append([m.name, len(scores), self.mean[m.name], spread, *quartiles, low, high])
        header = ("measure", "n", "mean", "sd", "min", "q1", "median", "q3", "max", "low", "high")
        lacking = sum(np.isnan(line[-1]) for line in lines) > len(untold)
        of_queries = ", not all of one score" if lacking else ""
        said = interval_in_words(level, "the mean", lacking=of_queries)
        without = [
            f"{m.name} has no interval, because it is not a mean of queries' values" for m in untold
        ]
        return ResultTable(header, lines, self.caption, (*self.notes(), *without, said), digits)

    # -- views

    @property
    def caption(self) -> str:
        """What was evaluated, in a line."""
        said = of_queries(len(self.queries), self.conventions)
        return f"{self.name}: {said}" if self.name else said

    def table(self, *, per_query: bool = False, digits: int = 4) -> ResultTable:
        """The means, or the scores of each query with the means below."""
        header = ("measure", "mean")
        lines = [[name, value] for name, value in self.mean.items()]
        if per_query:
            columns = [array.tolist() for array in self.scores.values()]
            lines = [[str(q), *values] for q, *values in zip(self.queries, *columns, strict=True)]
            header, lines = ("query", *self.mean), [*lines, ["all", *self.mean.values()]]
        return ResultTable(header, lines, self.caption, self.notes(), digits)

    def lowest(self, n: int = 10, name: Any = None) -> list[Hashable]:
        """The n queries with the lowest scores, by the first measure or by `name`, lowest first.

        A query without a score is left out. Queries that tie stay in the order of the judgments.
        """
        checks.whole("n", n, 1, why=" query")
        chosen = self.measure_named(name).name
        self.refuse_together([chosen], "no query has a score")
        score = self.scores[chosen]
        there = np.flatnonzero(~np.isnan(score)).tolist()
        return [self.queries[i] for i in in_order(there, lambda i: score[i], rising=True)[:n]]

    def worst(self, n: int = 10, name: Any = None, *, digits: int = 4) -> ResultTable:
        """The scores of the n lowest queries, lowest first by the first measure or by `name`."""
        queries = self.lowest(n, name)
        lines = [[str(q), *(of[q] for of in self.per_query.values())] for q in queries]
        caption = f"{self.caption}; the lowest {self.measure_named(name).name} first"
        return ResultTable(("query", *self.mean), lines, caption, self.notes(), digits)

    def long_table(self) -> ResultTable:
        """A line per measure and query, "all" being the mean."""
        lines: list[list[Any]] = []
        for name, by_query in self.per_query.items():
            lines += [[name, query, value] for query, value in by_query.items()]
            lines.append([name, "all", self.mean[name]])
        return ResultTable(("measure", "query", "score"), lines, notes=self.notes())

    def csv(self) -> str:
        """CSV: a line per query and measure, with every digit."""
        return self.long_table().csv()

    def frame(self) -> Any:
        """A pandas data frame: a row per query, a column per measure."""
        pd = extra("pandas", what="a data frame")
        return pd.DataFrame(dict(self.scores), index=pd.Index(list(self.queries), name="query"))

    def facts(self) -> dict[str, Any]:
        """Means, scores, counts and conventions, as JSON has them."""
        return {
            "name": self.name,
            "conventions": {"name": self.conventions.name, **self.conventions.facts()},
            "mean": dict(self.mean),
            "per_query": {name: dict(by_query) for name, by_query in self.per_query.items()},
            "counts": self.counts.facts(),
            "notes": list(self.notes()),
        }

    def trec(self, *, per_query: bool = False) -> str:
        """The text that trec_eval prints, with its names and its four digits.

        As in trec_eval, queries come in the order of their ids. A query that is missing from the
        run is only in the means. The geometric mean is not printed for single queries.
        """
        names = trec_format.in_trec_order(self.mean)
        line = trec_format.line
        counts = self.counts
        lines = list[str]()
        if per_query:
            missing = set(counts.missing)
            numbers = self.documents_per_query()
            each = [n for n in names if n != "GMAP" and n not in self.together]
            for query in sorted((q for q in self.queries if q not in missing), key=str):
                shown: list[tuple[str, float]] = [*numbers[query].items()]
                shown += [(trec_format.theirs(n)[2], self.per_query[n][query]) for n in each]
                lines += [line(label, str(query), value) for label, value in shown]
        totals: dict[str, int | str] = {
            "runid": self.name or "run",
            "num_q": counts.queries,
            "num_ret": counts.retrieved,
            "num_rel": counts.relevant,
            "num_rel_ret": counts.relevant_retrieved,
        }
        lines += [line(label, "all", total) for label, total in totals.items()]
        lines += [line(trec_format.theirs(n)[2], "all", self.mean[n]) for n in names]
        return "\n".join(lines)

    def plot(self, name: Any = None, *, ax: Any = None) -> Any:
        """A plot of the scores of each query, best first, with their mean (matplotlib)."""
        from irmetrics_edu.runs.evaluation_plots import plot_queries
        from irmetrics_edu.views import escaping

        name = self.measures[0].name if name is None else name
        self.refuse_together([name], "no query has a score, so there is nothing to plot")
        ax = plot_queries(self.per_query[name], self.mean[name], str(name), ax=ax)
        if self.name:
            ax.set_title(escaping.figure(self.name))
        return ax


def of_queries(n: int, conventions: Bundle) -> str:
    """How many queries there are, and by whose conventions they are scored."""
    return f"{n:,} {'query' if n == 1 else 'queries'}, conventions of {conventions}"


def evaluate(
    run: Any,
    qrels: Any = None,
    measures: Any = "nDCG@10 AP",
    conventions: Bundle | str = "trec_eval",
    *,
    name: str = "",
    skip_bad: bool = False,
    format: str | None = None,  # noqa: A002 -- what a file's format is called
    padding: int | None = None,
    columns: Mapping[str, str] | None = None,
    **options: Any,
) -> Evaluation:
    """An evaluation is the scores of a run's rankings, query by query, and their means.

    `run` maps queries to rankings (document -> score, or a list of ids). `qrels` maps queries to
    judgments (document -> grade, or a set of relevant ids). Either may be a file (TREC, JSON, CSV,
    Parquet) or a data frame. The run may also be an iterable of pieces, or a 2-D array of
    recommended ids with lists of held-out ids as `qrels`, of which `padding` fills short rows.
    `format` names the format of a file if its name does not. A file with malformed lines is an
    error that lists them, unless `skip_bad` leaves them out and counts them. Measures of novelty
    and intents (alpha-nDCG, ERR-IA) need judgments by subtopic: query -> document -> subtopics, or
    a file or frame of query, subtopic, document, grade. A grade can be the probability that the
    document covers the subtopic, for those measures that say so.

    Columns of tables are known by the names that TREC, PyTerrier, BEIR and MovieLens use, such as
    qid, docno, query-id, userId, movieId and rating. `columns` says what others are:
    columns={"reader": "query", "book": "document", "stars": "grade"}.

    Input that is far larger than usual is refused: a line without end, or a packed file that
    unpacks to hundreds of times its size. `limits` sets the limits.

    `measures` are names such as "nDCG@10 AP RR", or metrics. `conventions` is the bundle of a
    library, or its name. You can give each convention by itself, as in missing_queries="skip" or
    averaging="micro". reading="strict" refuses lines of TREC files that only trec_eval reads. Other
    keywords are further inputs of a measure, as in categories={...} (or a file with an item and a
    category on each line). A judged query that the run does not have scores 0. A query that is not
    judged is left out. The result says so.

    RBO, tau and tau_AP compare the run with `other`, a second run, query by query. Equal scores
    have the order that `ties` says, but tau and RBO(ties=...) count them as ties.
    catalogue_coverage (`catalogue`: all items) is of all queries together, and no query has a
    score.

    >>> run = {"q1": {"a": 0.9, "b": 0.5}, "q3": {"a": 1.0}}
    >>> evaluate(run, {"q1": {"b": 1, "c": 0}, "q2": {"a": 1}}, "RR nDCG@10")
    2 queries, conventions of trec_eval
    measure    mean
    RR       0.2500
    nDCG@10  0.3155
    note: 1 judged query is not in the run and scores 0: q2
    note: 1 query of the run is not judged and is left out: q3
    note: 1 of 2 documents retrieved is not judged (50%)
    """
    chosen, by, beside = asked(measures, conventions, options)
    reading = {"skip_bad": skip_bad, "format": format, "padding": padding}
    aligned = joined(
        run,
        qrels=qrels,
        chosen=chosen,
        by=by,
        beside=beside,
        reading=reading,
        columns=columns,
    )
    return Evaluation(aligned, chosen, by, name=name)


_measures = measures


def asked(
    measures: Any, conventions: Bundle | str, options: Mapping[str, Any]
) -> tuple[tuple[Measure, ...], Bundle, dict[str, Any]]:
    """The measures, the conventions and the inputs besides that a call asks for."""
    own = {*Bundle.choices(), "options"}  # what else a bundle has is said of a library
    by = bundle(conventions).using(**{n: v for n, v in options.items() if n in own})
    beside = {n: v for n, v in options.items() if n not in own}
    chosen = _measures(measures)
    inputs = {name for m in chosen for name in m.metric.inputs.arguments[1:]}
    takes = ["measures", *sorted(inputs - {*JUDGMENTS}), *Bundle.choices()]
    refuse_unknown(beside, takes, chosen, "evaluate")
    return chosen, by, beside
