"""Scores of an input under every setting, computed once each for all queries together."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irmetrics_edu.conventions import AS_WRITTEN, FIRST_COUNTS, FLOAT32, FLOAT64, MACRO
from irmetrics_edu.diagnosis.diagnosis_inputs import InputShape
from irmetrics_edu.diagnosis.mistakes import MISTAKES, Mistake, mistakes_of
from irmetrics_edu.diagnosis.mistakes.diversity_mistakes import number_of_interactions
from irmetrics_edu.diagnosis.switches import MOST_LEVELS, Facts, Setting, Switches
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, Bundle
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, Measure
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.rows.scored import SCORED
from irmetrics_edu.runs.evaluation import Evaluation
from irmetrics_edu.runs.joining.held import HeldInput
from irmetrics_edu.runs.joining.inputs import OWN
from irmetrics_edu.runs.joining.join import joined

_LARGE = 200  # queries
_MANY = 10  # queries for each of which all sets of documents are gone through


@dataclass(frozen=True, eq=False)
class SettingScores:
    """The scores of one setting: the mean, and the score of each query."""

    mean: float
    scores: Array
    place: Mapping[Any, int]


class Search:
    """An input and its scores under one setting after another."""

    def __init__(
        self,
        chosen: Measure,
        run: Any,
        qrels: Any,
        base: Bundle,
        beside: Mapping[str, Any],
        *,
        shape: InputShape = InputShape.RUN,
        columns: Mapping[str, str] | None = None,
    ) -> None:
        # What the library says of this measure's alignment is a switch of the run, like the rest.
        self.base = base = base.alone(chosen.metric)
        self._held = HeldInput(run)
        self._qrels = qrels
        self._beside = dict(beside)
        self._columns = columns
        self._has_ranks = shape is not InputShape.COUNTS
        self.on_small_inputs: dict[Any, Search] = {}  # the same over generated inputs, if asked for
        self._aligned: dict[Any, Any] = {}
        self._under: dict[Any, tuple[Bundle, Any]] = {}  # the bundle and alignment of a setting
        self._scored: dict[Any, SettingScores | None] = {}
        # What a measure says of the alignment itself is a switch of the run here, like the rest.
        metric = chosen.metric.using()
        metric.params = {n: v for n, v in metric.params.items() if n not in metric.inputs.options}
        self.given = chosen.metric
        self.chosen = Measure(chosen.name, metric, chosen.aggregate)
        self.facts = self._facts()
        self.switches = Switches(
            chosen.metric,
            base,
            self.facts,
            single=shape is not InputShape.RUN,
            geometric=chosen.aggregate == GEOMETRIC_MEAN,
        )

    def _facts(self) -> Facts:
        """The facts of the input, read from one alignment that keeps everything."""
        met = self._align(self.base)
        of_queries: dict[str, Any] = {
            "several": len(met.queries) > 1,
            "missing": bool(met.matched.missing),
            "not_judged": bool(met.matched.not_judged),
            "own": bool(OWN.values() & met.noted.told.keys()),
        }
        if self.chosen.metric.inputs is not RANKED:
            return Facts(**of_queries)
        tied = {}
        repeated = False
        for precision in (FLOAT64, FLOAT32):
            by = replace(self.base, negative=AS_WRITTEN, scores=precision)
            try:
                rows = self._align(by).rows(cg)
            except InputError:
                by, repeated = replace(by, duplicates=FIRST_COUNTS), True
                rows = self._align(by).rows(cg)
            tied[precision] = self._align(by).tied()
        grades = np.unique(rows.pool_grade)
        above_0 = grades[grades > 0]
        judged = int(rows.judged.sum())
        return Facts(
            **of_queries,
            tied=tied[FLOAT64] > 0,
            tied_in_32_bits=tied[FLOAT32] > tied[FLOAT64],
            negative=bool((grades < 0).any()),
            unjudged=judged < int(rows.retrieved.sum()),
            without_relevant=bool((rows.relevant(rel=1e-9) == 0).any()),
            missed=judged < len(rows.pool_grade),
            repeated=repeated,
            largest_pool=int(np.max(np.bincount(rows.pool_query), initial=0)),
            longest=int(rows.retrieved.max(initial=0)),
            grades=tuple(above_0[:MOST_LEVELS].tolist()),
            levels_left_out=max(0, len(above_0) - MOST_LEVELS),
        )

    def of_order(self) -> list[str]:
        """What makes the order of documents another one than may be meant."""
        measure = Measure(self.chosen.name, self.chosen.metric, self.chosen.aggregate)
        try:
            return Evaluation(self._align(self.base), [measure], self.base).counts.of_order()
        except InputError:
            return []

    def unordered(self) -> list[str]:
        """The libraries that have this metric and promise no order of these ties."""
        if not self.facts.tied:
            return []
        mine = re.compile(rf"{re.escape(self.chosen.metric.name)}(?!\w)")
        return [
            library.name
            for library in BUNDLES.values()
            if any(0 < q.ties_from <= self.facts.longest for q in library.quirks)
            and any(map(mine.match, library.options))
        ]

    def _align(self, by: Bundle) -> Any:
        by = replace(by, averaging=MACRO)  # which is done when all is aligned
        key = tuple(by.facts().items())
        if key not in self._aligned:
            self._aligned[key] = joined(
                self._held,
                qrels=self._qrels,
                chosen=[self.chosen],
                by=by,
                beside=self._beside,
                reading={},
                columns=self._columns,
            )
        return self._aligned[key]

    def score(self, setting: Setting) -> SettingScores | None:
        """The scores under a setting; None if it refuses the input."""
        if setting not in self._scored:
            try:
                metric = self.chosen.metric.using(**dict(setting.metric))
                self._scored[setting] = self._measured(metric, setting)
            except InputError:
                self._scored[setting] = None
        return self._scored[setting]

    def _measured(self, metric: Metric, setting: Setting) -> SettingScores:
        measure = Measure(self.chosen.name, metric, self.chosen.aggregate)
        # Alignment is shared by all settings of the metric under the same ones of the run.
        if setting.run not in self._under:
            by = replace(self.base, **dict(setting.run))
            self._under[setting.run] = by, self._align(by)
        by, aligned = self._under[setting.run]
        evaluation = Evaluation(aligned, [measure], by)
        scores = np.asarray(evaluation.scores[measure.name], dtype=np.float64)
        # Where every query is left out there is no mean, which libraries print as NaN.
        mean = np.nan if len(scores) and np.isnan(scores).all() else evaluation.mean[measure.name]
        return SettingScores(float(mean), scores, aligned.place)

    def refused(self, setting: Setting) -> str:
        """Why a setting gives no score."""
        try:
            self._measured(self.chosen.metric.using(**dict(setting.metric)), setting)
        except InputError as error:
            return str(error)
        return ""

    @property
    def has_judgments(self) -> bool:
        """Whether documents are judged; orders and counts are not."""
        return self._qrels is not None

    def at_cutoff(self, setting: Setting, k: int | None) -> SettingScores | None:
        """The scores at another cut-off; None of counts, which stand in no order."""
        if not self._has_ranks:
            return None
        metric = self.chosen.metric.using(**dict(setting.metric))
        other = metric.using()
        other.k = k
        try:
            return self._measured(other, setting)
        except InputError:
            return None

    def of_another(self, metric: Metric) -> SettingScores | None:
        """The scores of another measure of rankings, on the same input and in the same order."""
        other = Measure(repr(metric), self.base.settle(metric))
        try:
            aligned = self._align(self.base)
            evaluation = Evaluation(aligned, [other], self.base)
            scores = np.asarray(evaluation.scores[other.name], dtype=np.float64)
            mean = float(evaluation.mean[other.name])
        except InputError:
            return None
        return SettingScores(mean, scores, aligned.place)

    def cut_at_the_relevant(self) -> SettingScores | None:
        """The scores of the measure where each ranking ends at R, its number of relevant ones."""
        metric = self.chosen.metric.uncut()
        rel = float(metric.params.get("rel", 1))
        try:
            rows = self.rows()
            most = rows.relevant(rel)
            above = replace(rows, span=None).where(rows.rank <= most[rows.query])
            short = replace(
                above,
                retrieved=np.minimum(rows.retrieved, most),
                pool_query=rows.pool_query,
                pool_grade=rows.pool_grade,
            )
            working = metric.measured(short, None, **metric.params)
        except InputError:
            return None
        scores = np.asarray(working.score, dtype=np.float64)
        if not len(scores):
            return None
        place = {query: number for number, query in enumerate(self.queries)}
        return SettingScores(float(np.mean(scores)), scores, place)

    def mistakes_under(self, setting: Setting) -> Iterator[tuple[Mistake, SettingScores]]:
        """The scores of each mistake of the catalogue, with all other choices as in a setting."""
        metric = self.chosen.metric.using(**dict(setting.metric))
        for mistake in mistakes_of(metric):
            for wrong in mistake.all_instead_of(metric):
                try:
                    # Some mistakes divide by 0: that is what they are.
                    with np.errstate(all="ignore"):
                        scores = self._measured(wrong, setting)
                except InputError:
                    continue
                yield mistake, scores

    def mistakes(self) -> Iterator[tuple[Mistake, SettingScores]]:
        """The scores of each mistake of the catalogue, and of those of several queries."""
        base = self.switches.base
        yield from self.mistakes_under(base)
        if self.facts.several and not self.is_large and (one := self._in_one_list()) is not None:
            yield MISTAKES["queries-in-one-list"], one
        if (of_all := self._over_interactions()) is not None:
            yield MISTAKES["popularity-over-interactions"], of_all
        means = mistakes_of("geometric_mean") if self.chosen.aggregate == GEOMETRIC_MEAN else []
        right = self.score(base)
        if right is None:
            return
        yield from self._of_short_queries(right)
        for mistake in means:
            value = mistake.wrong("geometric_mean")(right.scores.tolist())
            yield mistake, SettingScores(float(value), right.scores, right.place)

    def _of_short_queries(self, right: SettingScores) -> Iterator[tuple[Mistake, SettingScores]]:
        """The right scores, but for queries with fewer documents than the cut-off."""
        k = self.chosen.metric.k
        if k is None or self.chosen.metric.inputs is not RANKED:
            return
        rel = float(self.chosen.metric.params.get("rel", 1))
        try:
            rows = self.rows()
            few_relevant = rows.relevant(rel) < k
        except InputError:
            return
        if rows.n != len(right.scores):
            return
        short = rows.retrieved < k
        for what, few in (("short-lists", short), ("few-relevant", few_relevant)):
            zeroed = np.where(few, 0.0, right.scores)
            kept = np.where(few, np.nan, right.scores)
            of_zeroed = float(np.mean(zeroed))
            of_kept = np.nan if few.all() else float(np.nanmean(kept))
            yield (
                MISTAKES[f"{what}-score-0"],
                SettingScores(of_zeroed, zeroed, right.place),
            )
            yield (
                MISTAKES[f"{what}-left-out"],
                SettingScores(of_kept, kept, right.place),
            )

    def _in_one_list(self) -> SettingScores | None:
        """The score of one list of all documents, ordered by score; None if they have no scores."""
        met = self._align(self.base)
        scores = {q: met.scores(q) for q in met.queries}
        if self.chosen.metric.inputs not in (RANKED, SCORED) or not all(scores.values()):
            return None
        run: dict[str, float] = {}
        qrels: dict[str, Any] = {}
        for q, of_query in scores.items():
            judged = met.judgments(q)
            grades = judged if isinstance(judged, Mapping) else dict.fromkeys(judged, 1)
            run |= {f"{q} {d}": score for d, score in of_query.items()}
            qrels |= {f"{q} {d}": grade for d, grade in grades.items()}
        one = Search(self.chosen, {0: run}, {0: qrels}, self.base, {})
        return one.score(one.switches.base)

    def _over_interactions(self) -> SettingScores | None:
        """The scores with the number of interactions as that of users; None without counts."""
        whole = number_of_interactions(self._beside.get("popularity"))
        if whole is None or "users" not in self.chosen.metric.params:
            return None
        metric = self.chosen.metric.using(users=whole)
        try:
            return self._measured(metric, self.switches.base)
        except InputError:
            return None

    def rows(self) -> Any:
        """The rows of all queries, under the conventions that are tried first."""
        return self._align(self.base).rows(self.chosen.metric)

    @property
    def queries(self) -> Sequence[Any]:
        """The queries that are evaluated."""
        queries: Sequence[Any] = self._align(self.base).queries
        return queries

    @property
    def is_large(self) -> bool:
        """Whether there are so many queries that aligning each one alone is slow."""
        return len(self._align(self.base).queries) > _LARGE

    @property
    def has_many(self) -> bool:
        """Whether there are so many queries that their exact ideals take minutes."""
        return len(self._align(self.base).queries) > _MANY

    def has_query(self, query: Any) -> bool:
        """Whether the query is evaluated, or would be if queries without judgments were."""
        aligned = self._align(self.base)
        return query in {*aligned.queries, *aligned.matched.not_judged}
