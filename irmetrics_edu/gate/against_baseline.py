"""A run against its stored baseline: what can be compared, by which scores, and what changed."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from statistics import fmean
from typing import Any

from irmetrics_edu.gate.baseline import (
    DIGITS,
    Baseline,
    Outdated,
    conventions_of,
    digest,
    fingerprint,
    judgments_of,
)
from irmetrics_edu.gate.given import Run
from irmetrics_edu.gate.input_checks import Corpus, failed_calls
from irmetrics_edu.gate.paired import (
    PairedScores,
    PairNote,
    evaluated,
    moves_between,
    pair,
    without_answer,
    without_value,
)
from irmetrics_edu.gate.policy import Policy
from irmetrics_edu.gate.still_judged import grades_of, is_graded, lost_its_judgments
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.runs.moves import Moves
from irmetrics_edu.runs.run_scores import RunScores
from irmetrics_edu.runs.segments import some
from irmetrics_edu.runs.significance import scipy_special
from irmetrics_edu.views.formatting import steady

__tracebackhide__ = True
__unittest = True
CHANGED = "The judgments changed since the baseline"
ByQuery = dict[Hashable, float]


@dataclass
class _Sides:
    """The scores of the baseline and of the run, as they are collected for a comparison."""

    old: dict[str, ByQuery]
    new: dict[str, ByQuery]
    notes: list[PairNote] = field(default_factory=list)
    unjudged: list[Hashable] = field(default_factory=list)


class Gate:
    """A run and its stored baseline."""

    def __init__(
        self,
        run: Run,
        qrels: Any,
        measures: Any,
        options: Mapping[str, Any],
        corpus: Any = None,
    ) -> None:
        scipy_special()  # missing, it is missed at the first run and not at the first regression
        self.options = options
        self.after = evaluated(run, "run", qrels, measures, options)
        self.judged = judgments_of(self.after, qrels)
        self.corpus = "" if corpus is None else fingerprint(corpus)
        # Answers drawn anew have claims of their own each time, and judgments of those alone.
        self.judged_anew = bool(getattr(run, "judged_anew", False))
        failed = failed_calls(run)
        self._said = [failed] if failed else []
        self._said += without_value(self.after)
        self._now = {str(query): query for query in self.after.queries}

    def against(self, kept: Baseline) -> PairedScores:
        """Compare the run with the baseline. Raises Outdated if nothing can be compared.

        If the judgments changed, the rankings that the baseline keeps are scored by those of
        today. Where too few of their documents are judged for that, the query is not compared.
        Answers whose judgments are made from them are compared by the scores that are kept.
        """
        self._comparable(kept)
        if not kept.rankings.keys() & self._now.keys():
            raise Outdated("no query of the baseline is judged any more")
        replayed = cache(partial(self._replayed, kept))
        sides = self._sides(kept)
        if kept.judgments == digest(self.judged) or self.judged_anew:
            sides.new = {name: _as_kept(scores) for name, scores in sides.new.items()}
        else:
            refuse_too_few(kept, self.after.measures, "the judgments changed")
            self._score_anew(sides, kept, replayed())
        added = [m for m in self.after.measures if m.name not in sides.old]
        if added:
            names = ", ".join(m.name for m in added)
            refuse_too_few(kept, added, f"{names} is not in the baseline")
            self._add_measures(sides, added, kept, replayed())
            sides.notes.append(
                PairNote(f"Not in the baseline: {names}, scored from the rankings it keeps")
            )
        corpus = self._same_corpus(kept)
        if corpus is Corpus.OTHER:
            sides.notes.append(PairNote("The corpus changed since the baseline"))

        def moved(measure: str, query: Hashable) -> Moves | None:
            if kept.depth and query not in sides.unjudged:
                return moves_between(replayed(), self.after)(measure, query)
            return None

        paired = pair(
            self.after,
            before=sides.old,
            after=sides.new,
            had=self._had(kept),
            moves_of=moved,
            notes=sides.notes,
            unjudged=sides.unjudged,
            unanswered=self._newly_unanswered(kept),
        )
        return replace(paired, corpus=corpus)

    def _had(self, kept: Baseline) -> list[Hashable]:
        """The queries of the baseline, as the run writes their ids."""
        return [self._now.get(query, query) for query in kept.rankings]

    def _sides(self, kept: Baseline) -> _Sides:
        """The scores as they are, with what is to be said before they are compared."""
        asked = [m.name for m in self.after.measures]
        old: dict[str, ByQuery] = {}
        for name in asked:
            if name in kept.means:
                scores = kept.per_query(name)
                old[name] = {self._now.get(q, q): score for q, score in scores.items()}
        new = {name: dict(self.after.per_query[name]) for name in asked}
        notes = [PairNote(sentence) for sentence in (*self._said, *_written_without(kept))]
        dropped = [name for name in kept.means if name not in asked]
        if dropped:
            names = ", ".join(dropped)
            notes.append(PairNote(f"Not asked for any more: {names}, which the baseline has"))
        return _Sides(old, new, notes)

    def _score_anew(self, sides: _Sides, kept: Baseline, replayed: RunScores) -> None:
        """Take the scores of the kept rankings by the judgments of today."""
        sides.unjudged = self._unjudged(kept, replayed)
        left_out = set(sides.unjudged)
        had = set(self._had(kept)) - left_out
        compared = [query for query in self.after.queries if query in had]
        if not compared:  # then it fails, and these scores are only shown
            sides.notes.append(PairNote(CHANGED))
            return
        scored = {m.name: dict(replayed.per_query[m.name]) for m in self.after.measures}
        sides.notes.append(PairNote(CHANGED, _rescored(sides.old, scored, compared)))
        sides.old = scored

    def _add_measures(
        self, sides: _Sides, added: Sequence[Measure], kept: Baseline, replayed: RunScores
    ) -> None:
        """Score the kept rankings by measures that the baseline does not have."""
        had = self._had(kept)
        for m in added:
            scores = replayed.per_query[m.name]
            sides.old[m.name] = _as_kept({q: scores[q] for q in had if q in scores})

    def _same_corpus(self, kept: Baseline) -> Corpus:
        if not kept.corpus or not self.corpus:
            return Corpus.UNKNOWN
        return Corpus.SAME if kept.corpus == self.corpus else Corpus.OTHER

    def _newly_unanswered(self, kept: Baseline) -> list[Hashable]:
        """The queries for which the run finds nothing, and the baseline's run did."""
        empty = without_answer(self.after)
        return [query for query in self._had(kept) if query in empty and kept.answers(str(query))]

    def _unjudged(self, kept: Baseline, replayed: RunScores) -> list[Hashable]:
        """The queries whose kept rankings lost most of the judgments that made their scores."""
        if not is_graded(replayed):
            return []
        unjudged = []
        for name, ranking in kept.rankings.items():
            if name not in self._now:
                continue
            query = self._now[name]
            graded = grades_of(replayed, query).keys()
            if lost_its_judgments(ranking, kept.grades.get(name), kept.scores[name], graded):
                unjudged.append(query)
        return unjudged

    def _comparable(self, kept: Baseline) -> None:
        for name, value in conventions_of(self.after).items():
            # A convention that the baseline does not know is newer than it.
            if kept.conventions.get(name, value) != value:
                raise Outdated(
                    f"the baseline was made with {name}={kept.conventions[name]}, "
                    f"this run is evaluated with {name}={value}"
                )
        unscored = [q for q in kept.lacked if q not in kept.scores]
        if unscored and self.after.counts.missing_score_zero:
            raise Outdated(
                f"the baseline has no scores of the {len(unscored):,} queries that its run lacked "
                f"({some(unscored, {})})"
            )

    def _replayed(self, kept: Baseline) -> RunScores:
        """The baseline's rankings, evaluated by today's judgments."""
        by_name = {str(q): q for q in self.after.queries}
        run = {by_name[q]: r for q, r in kept.rankings.items() if q in by_name}
        judged = self.judged
        if self.judged_anew:
            judged = {query: _graded(kept, str(query)) for query in run}
        return evaluate(run, judged, list(self.after.measures), **self.options)


def refuse_too_few(kept: Baseline, measures: Sequence[Measure], why: str) -> None:
    """Refuse to score stored rankings with measures that need more documents than are stored."""
    if not kept.depth:
        raise Outdated(f"{why}, and scores without rankings can't be computed again")
    short = [m for m in measures if m.k is None or m.k > kept.depth]
    if kept.whole or not short:
        return
    need = f"by {short[0].name}"
    if short[0].k is None:
        need += ", which has no cut-off"
    raise Outdated(
        f"{why}, and the {kept.depth} documents kept of each ranking are too few to score "
        f"them again {need}"
    )


def _as_kept(scores: Mapping[Hashable, float]) -> ByQuery:
    """The scores with as many digits as a file of baselines keeps."""
    return {query: round(score, DIGITS) for query, score in scores.items()}


def _written_without(kept: Baseline) -> list[str]:
    """A note on many judged queries that a baseline has no scores of, since its run lacked them."""
    without = [query for query in kept.lacked if query not in kept.scores]
    judged = len(without) + len(kept.scores)
    if len(without) / judged <= float(Policy.max_gone.default):
        return []
    note = (
        f"The baseline was written without {len(without):,} of {judged:,} judged queries, which "
        f"its run did not answer ({some(without, {})})"
    )
    return [note]


def _graded(kept: Baseline, query: str) -> dict[Any, float]:
    """The grades that the documents of a kept ranking had, by document."""
    if query not in kept.grades:
        raise Outdated(
            "the baseline was written by an earlier release, which kept no grades of answers"
        )
    ranking = kept.rankings[query]
    return {ranking[rank - 1]: grade for rank, grade in kept.grades[query].items()}


def _rescored(
    was: Mapping[str, Mapping[Hashable, float]],
    now: Mapping[str, Mapping[Hashable, float]],
    queries: Sequence[Hashable],
) -> str:
    """What the kept rankings score by the judgments of today, in words."""
    means = []
    for name, scores in was.items():
        before = f"{steady(fmean(scores[q] for q in queries)):.4f}"
        after = f"{steady(fmean(now[name][q] for q in queries)):.4f}"
        if before != after:
            means.append(f"{name} {before} -> {after}")
    if means:
        return f"its own rankings now score {', '.join(means)}"
    return "its own rankings score the same"
