"""A baseline that is kept: scores, rankings and conventions, and whether they still compare."""

import hashlib
import json
import math
import warnings
from collections.abc import Hashable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from irmetrics_edu.assertions.failure import RankingAssertionError
from irmetrics_edu.assertions.given import refuse_whole_range
from irmetrics_edu.assertions.regression import (
    MovesOf,
    means,
    moves_between,
    per_query,
    refuse_no_run,
    refuse_unknown,
    settled,
)
from irmetrics_edu.assertions.reveal import HINT
from irmetrics_edu.assertions.verdict import Verdict, regression, settings
from irmetrics_edu.errors import InputError
from irmetrics_edu.runs.evaluation import Evaluation, evaluate
from irmetrics_edu.runs.moves import Moves
from irmetrics_edu.runs.summary import scipy_stats

__tracebackhide__ = True
__unittest = True
DIGITS = 6
CHANGED = "The judgments changed since the baseline"
DEPTH = 100  # documents kept of a ranking where no measure has a cut-off


class BaselineWarning(UserWarning):
    """A baseline that should be made anew."""


class Outdated(InputError):  # noqa: N818 -- the message reads "Outdated: ..."
    """A baseline that can't be compared with any more."""


@dataclass(frozen=True)
class Baseline:
    """What is kept of a run: per measure the score of each query, and the rankings' tops."""

    conventions: Mapping[str, str]
    judgments: str
    measures: Mapping[str, Mapping[str, Any]]
    rankings: Mapping[str, list[Any]]
    whole: bool  # whether these are the whole rankings

    @classmethod
    def of(cls, evaluation: Evaluation, judged: Any) -> "Baseline":
        """What is kept of an evaluation by these judgments."""
        depths = [m.k for m in evaluation.measures]
        depth = DEPTH if None in depths else max(k or 0 for k in depths)
        rankings, whole = {}, True
        first = evaluation.measures[0].name
        for query in evaluation.queries:
            rows = evaluation.working(first, query).rows
            documents: Any = getattr(rows, "document", None)
            if documents is None:
                documents = getattr(rows, "item", ())
            kept = [_plain(d, query) for d in list(documents)]
            whole &= len(kept) <= depth
            rankings[str(query)] = kept[:depth]
        return cls(
            {"name": evaluation.conventions.name, **evaluation.conventions.facts()},
            digest(judged),
            {
                m.name: {
                    "k": m.k,
                    "mean": _rounded(evaluation.mean[m.name]),
                    "per_query": {
                        str(q): _rounded(s) for q, s in evaluation.per_query[m.name].items()
                    },
                }
                for m in evaluation.measures
            },
            rankings,
            whole,
        )

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> "Baseline":
        """The baseline that a file's entry holds."""
        try:
            return cls(**entry)
        except TypeError as error:
            raise Outdated(f"the baseline can't be read ({error})") from None

    def entry(self) -> dict[str, Any]:
        """What a file's entry holds."""
        return {
            "conventions": dict(self.conventions),
            "judgments": self.judgments,
            "measures": {name: dict(facts) for name, facts in self.measures.items()},
            "rankings": dict(self.rankings),
            "whole": self.whole,
        }


def _plain(document: Any, query: Hashable) -> Any:
    document = document.item() if hasattr(document, "item") else document
    if not isinstance(document, (str, int)):
        raise InputError(
            f"query {query!r}, document {document!r}: a baseline keeps ids that are text or whole "
            f"numbers, not {type(document).__name__}"
        )
    return document


def _rounded(score: float) -> float:
    if math.isnan(score):
        raise InputError("a query has no score (NaN), so it can't be kept in a baseline")
    return round(score, DIGITS)


def judgments_of(evaluation: Evaluation, qrels: Any) -> Any:
    """The judgments as a mapping, whatever they came as: a file, a frame, lists of held-out items.

    Of all judged queries: which of them the run has must not make a difference.
    """
    if qrels is None or isinstance(qrels, Mapping):
        return qrels
    queries = dict.fromkeys([*evaluation.queries, *evaluation.counts.missing])
    return {query: evaluation.aligned.judgments(query) for query in queries}


def digest(judged: Any) -> str:
    """A name for judgments: the same for the same judgments, in whatever order they stand."""
    text = json.dumps(_sorted(judged), ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()[:32]


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return sorted([str(k), _sorted(v)] for k, v in value.items())
    if isinstance(value, (AbstractSet, list, tuple)):
        return sorted(map(str, value))
    value = value.item() if hasattr(value, "item") else value
    return float(value) if isinstance(value, (int, float)) else str(value)


class Gate:
    """A run beside the baseline that is kept of it."""

    def __init__(self, run: Any, qrels: Any, measures: Any, options: Mapping[str, Any]) -> None:
        scipy_stats()  # missing, it is missed at the first run and not at the first regression
        refuse_no_run(run, "run", qrels)
        self.options = options
        self.after = evaluate(run, qrels, measures, **options)
        self.judged = judgments_of(self.after, qrels)

    def check(
        self,
        kept: Baseline,
        *,
        max_drop: float,
        confidence: float,
        inconclusive: str,
        reveal: str,
    ) -> tuple[list[Verdict], RankingAssertionError | None]:
        """The verdicts, and the error to raise. Raises Outdated where nothing can be compared."""
        limit, confidence = settings(max_drop, confidence, "max_drop")
        refuse_unknown(inconclusive)
        for chosen in self.after.measures:
            refuse_whole_range("max_drop", limit, chosen)
        self._comparable(kept)
        queries = {str(q): q for q in self.after.queries}
        common = [q for name, q in queries.items() if name in kept.rankings]
        notes = self._strange_queries(kept, queries)
        if not common:
            raise Outdated("no query of the baseline is judged any more")
        before, after = (
            {n: {q: s[q] for q in common} for n, s in scores.items()}
            for scores in self._scores(kept, notes)
        )
        pairs = means(self._replayed(kept), self.after) if notes else self._means(kept)
        verdicts = regression(before, after, pairs, max_drop=limit, confidence=confidence)
        error = settled(
            verdicts,
            self.after,
            self._moves(kept),
            inconclusive,
            [] if reveal == HINT else notes,
            reveal=reveal,
            level=4,
        )
        if notes and error is None:
            note = CHANGED if reveal == HINT else notes[0]
            warnings.warn(f"{note}; make the baseline anew", BaselineWarning, stacklevel=3)
        return verdicts, error

    def _moves(self, kept: Baseline) -> MovesOf:
        """What moved in a query since the baseline, scored anew only if it is asked for."""

        def found(measure: str, query: Hashable) -> Moves | None:
            return moves_between(self._replayed(kept), self.after)(measure, query)

        return found

    def _means(self, kept: Baseline) -> dict[str, tuple[float, float]]:
        names = [m.name for m in self.after.measures]
        return {n: (kept.measures[n]["mean"], self.after.mean[n]) for n in names}

    def _comparable(self, kept: Baseline) -> None:
        now = {"name": self.after.conventions.name, **self.after.conventions.facts()}
        for name, value in now.items():
            # A convention that the baseline does not know is newer than it.
            if kept.conventions.get(name, value) != value:
                raise Outdated(
                    f"the baseline was made with {name}={kept.conventions[name]}, "
                    f"this run is evaluated with {name}={value}"
                )
        for m in self.after.measures:
            if m.name not in kept.measures:
                raise Outdated(
                    f"the baseline has no {m.name}; it has {', '.join(sorted(kept.measures))}"
                )

    def _strange_queries(self, kept: Baseline, queries: Mapping[str, Any]) -> list[str]:
        """What changed in the judgments, and what that alone does to the scores."""
        if kept.judgments == digest(self.judged):
            return []
        if not kept.whole and any(m.k is None for m in self.after.measures):
            raise Outdated(
                "the judgments changed, and the rankings kept are too short to score them anew "
                "without a cut-off"
            )
        replayed = self._replayed(kept)
        said = ", ".join(
            f"{m.name} {kept.measures[m.name]['mean']:.4f} -> {replayed.mean[m.name]:.4f}"
            for m in self.after.measures
        )
        note = f"{CHANGED}; its own rankings now score {said}"
        new = len(queries.keys() - kept.rankings.keys())
        gone = len(kept.rankings.keys() - queries.keys())
        counted = [f"{n} queries are {what}" for n, what in ((new, "new"), (gone, "gone")) if n]
        return ["; ".join([note, *counted])]

    def _scores(self, kept: Baseline, notes: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The scores of baseline and run by measure and query, rounded alike."""
        if notes:
            return per_query(self._replayed(kept), self.after)
        queries = {str(q): q for q in self.after.queries}
        names = [m.name for m in self.after.measures]
        before = {
            n: {queries[q]: s for q, s in kept.measures[n]["per_query"].items()} for n in names
        }
        after = {
            n: {q: round(s, DIGITS) for q, s in self.after.per_query[n].items()} for n in names
        }
        return before, after

    @cached_property
    def _replays(self) -> dict[int, Evaluation]:
        return {}

    def _replayed(self, kept: Baseline) -> Evaluation:
        """The baseline's rankings, evaluated by today's judgments."""
        if id(kept) not in self._replays:
            by_name = {str(q): q for q in self.after.queries}
            run = {by_name[q]: r for q, r in kept.rankings.items() if q in by_name}
            self._replays[id(kept)] = evaluate(
                run, self.judged, list(self.after.measures), **self.options
            )
        return self._replays[id(kept)]
