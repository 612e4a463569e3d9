"""A stored baseline: scores, rankings and conventions, and whether a run can be compared to it."""

import hashlib
import json
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cache, partial
from statistics import fmean
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.input_checks import failed_calls
from irmetrics_edu.gate.paired import PairedScores, evaluated, moves_between, pair
from irmetrics_edu.gate.policy import Policy
from irmetrics_edu.gate.segments import some
from irmetrics_edu.gate.still_judged import Grades, grades_of, is_graded, lost_its_judgments
from irmetrics_edu.runs.evaluation import Evaluation, evaluate
from irmetrics_edu.runs.moves import Moves
from irmetrics_edu.runs.printed_scores import PrintedScores
from irmetrics_edu.runs.run_scores import NO_RANKINGS, RunScores
from irmetrics_edu.runs.significance import scipy_special
from irmetrics_edu.views.formatting import steady

__tracebackhide__ = True
__unittest = True
DIGITS = 6
_ROUNDED = 1.1e-6  # how far the mean of rounded scores lies from a rounded mean, at most
CHANGED = "The judgments changed since the baseline"
DEPTH = 100  # documents kept of a ranking where no measure has a cut-off


class Outdated(InputError):  # noqa: N818 -- the message reads "Outdated: ..."
    """The baseline can't be compared any more."""


@dataclass(frozen=True)
class Baseline:
    """The stored part of a run: the score of each query per measure, and the top of each ranking.

    Of scores that another program wrote there are no rankings, and `depth` is 0.

    A judged query that the run lacks is stored with an empty ranking and what its conventions make
    of it: 0, unless they leave it out.
    """

    conventions: Mapping[str, str]
    judgments: str
    means: Mapping[str, float]  # by measure, over the queries that are kept
    scores: Mapping[str, Sequence[float]]  # by query, in the order of the means
    rankings: Mapping[str, list[Any]]
    depth: int  # how many documents are kept of each ranking
    whole: bool  # whether these are the whole rankings
    lacked: Sequence[str] = ()  # the queries that were judged, and that the run did not have
    corpus: str = ""  # the fingerprint of the documents, if one was given
    # By query: the grades of the documents that were judged, by rank; not in an older file.
    grades: Mapping[str, Mapping[int, float]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        evaluation: RunScores,
        judged: Any,
        depth: int | None = None,
        corpus: str = "",
    ) -> "Baseline":
        """The baseline of an evaluation, with rankings as deep as its measures need."""
        chosen = sorted(evaluation.measures, key=lambda m: m.name)
        rankings: dict[str, list[Any]] = {}
        grades: dict[str, Grades] = {}
        if isinstance(evaluation, PrintedScores):  # there is no ranking to keep
            depth, whole = 0, False
            rankings |= {str(q): [] for q in evaluation.queries}
        else:
            cuts = [m.k for m in chosen if m.k is not None]
            whole = True
            if depth is None:
                depth = max(cuts) if len(cuts) == len(chosen) else DEPTH
            for query in evaluation.queries:
                kept = _ranking(evaluation.working(chosen[0].name, query).rows, query)
                whole &= len(kept) <= depth
                rankings[str(query)] = kept[:depth]
                grades[str(query)] = grades_of(evaluation, query, depth)
        scores = {m.name: evaluation.per_query[m.name] for m in chosen}
        by_query = {
            str(q): [_rounded(of_all[q]) for of_all in scores.values()] for q in evaluation.queries
        }
        means = {
            name: _rounded(fmean(row[i] for row in by_query.values()))
            for i, name in enumerate(scores)
        }
        return cls(
            conventions=_conventions(evaluation),
            judgments=digest(judged),
            means=means,
            scores=by_query,
            rankings=rankings,
            depth=depth,
            whole=whole,
            lacked=sorted(map(str, evaluation.counts.missing)),
            corpus=corpus,
            grades=grades,
        )

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> "Baseline":
        """The baseline that a file's entry holds."""
        try:
            _refuse_odd_parts(entry)
            queries = entry["queries"]
            means = {name: float(mean) for name, mean in sorted(entry["means"].items())}
            if any(len(scores) != len(means) for scores, *_ in queries.values()):
                raise ValueError(f"a query has not {len(means)} scores")
            for i, (name, mean) in enumerate(means.items()):
                if abs(fmean(scores[i] for scores, *_ in queries.values()) - mean) > _ROUNDED:
                    raise ValueError(
                        f"the mean of {name} is not the mean of its queries; did a merge mix two "
                        "versions?"
                    )
            return cls(
                conventions=dict(entry["conventions"]),
                judgments=entry["judgments"],
                means=means,
                scores={q: scores for q, (scores, *_) in queries.items()},
                rankings={q: ranking for q, (_, ranking, *_) in queries.items()},
                depth=entry["depth"],
                whole=entry["whole"],
                lacked=entry["lacked"],
                corpus=entry.get("corpus", ""),
                grades={q: _by_rank(one[2]) for q, one in queries.items() if len(one) > 2},
            )
        except ValueError as error:
            raise Outdated(f"the baseline can't be read: {error}") from None
        except (AttributeError, KeyError, TypeError, OverflowError) as error:
            raise Outdated(f"the baseline can't be read ({error!r})") from None

    def entry(self) -> dict[str, Any]:
        """The entry for a file: the scores and the ranking of each query, side by side."""
        return {
            "conventions": dict(self.conventions),
            "judgments": self.judgments,
            "means": dict(self.means),
            "queries": {q: self._line(q) for q in self.scores},
            "depth": self.depth,
            "whole": self.whole,
            "lacked": list(self.lacked),
            **({"corpus": self.corpus} if self.corpus else {}),
        }

    def _line(self, query: str) -> list[Any]:
        """What a file holds of a query: its scores, its ranking, and the grades by rank."""
        line: list[Any] = [list(self.scores[query]), self.rankings[query]]
        if query in self.grades:
            line.append({str(rank): grade for rank, grade in self.grades[query].items()})
        return line

    def per_query(self, measure: str) -> dict[str, float]:
        """The score of each query by a measure."""
        place = list(self.means).index(measure)
        return {query: scores[place] for query, scores in self.scores.items()}


def _conventions(of: RunScores) -> dict[str, str]:
    """The name and the conventions of a bundle; of scores by another program the name alone."""
    facts = {} if isinstance(of, PrintedScores) else of.conventions.facts()
    return {"name": of.conventions.name, **facts}


def _refuse_odd_parts(entry: Mapping[str, Any]) -> None:
    """Refuse what no `Baseline.entry` holds; ValueError says what is odd."""
    kinds = {"judgments": str, "depth": int, "whole": bool, "lacked": list, "conventions": dict}
    for name, kind in kinds.items():
        if not isinstance(entry[name], kind):
            raise ValueError(f"{name} is {entry[name]!r:.40}")
    texts = [*entry["lacked"], *entry["conventions"].values(), entry.get("corpus", "")]
    if odd := [text for text in texts if not isinstance(text, str)]:
        raise ValueError(f"{odd[0]!r:.40} should be text")
    for query, (scores, ranking, *graded) in entry["queries"].items():
        if not (isinstance(scores, list) and all(map(_is_finite, scores))):
            raise ValueError(f"query {query!r}: its scores are {scores!r:.40}")
        if not (isinstance(ranking, list) and all(isinstance(d, (str, int)) for d in ranking)):
            raise ValueError(f"query {query!r}: its ranking is {ranking!r:.40}")
        if graded and not _are_grades(graded[0], len(ranking)):
            raise ValueError(f"query {query!r}: its grades by rank are {graded[0]!r:.40}")
    if not all(map(_is_finite, entry["means"].values())):
        raise ValueError("a mean is not a finite number")


def _are_grades(given: Any, ranks: int) -> bool:
    """Whether these are grades of the documents of a ranking, by rank."""
    known = {str(rank) for rank in range(1, ranks + 1)}
    return (
        isinstance(given, dict) and given.keys() <= known and all(map(_is_finite, given.values()))
    )


def _by_rank(given: Mapping[str, float]) -> Grades:
    return {int(rank): grade for rank, grade in given.items()}


def _is_finite(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _ranking(rows: Any, query: Hashable) -> list[Any]:
    documents: Any = getattr(rows, "document", None)
    documents = getattr(rows, "item", ()) if documents is None else documents
    found = [d.item() if hasattr(d, "item") else d for d in list(documents)]
    for document in found:
        if not isinstance(document, (str, int)):
            raise InputError(
                f"query {query!r}, document {document!r}: a baseline keeps ids that are text or "
                f"whole numbers, not {type(document).__name__}"
            )
    return found


def _rounded(score: float) -> float:
    if math.isnan(score):
        raise InputError("a query has no score (NaN), so it can't be kept in a baseline")
    return round(score, DIGITS)


def judgments_of(evaluation: RunScores, qrels: Any) -> Any:
    """The judgments as a mapping; they may come as a file, a frame or lists of held-out items.

    All judged queries are in it, whether or not the run has them.
    """
    if qrels is None or isinstance(qrels, Mapping):
        return qrels
    if not isinstance(evaluation, Evaluation):
        raise InputError(NO_RANKINGS)
    queries = dict.fromkeys([*evaluation.queries, *evaluation.counts.missing])
    return {query: evaluation.aligned.judgments(query) for query in queries}


def digest(judged: Any) -> str:
    """A digest of judgments; their order makes no difference."""
    text = json.dumps(_sorted(judged), ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()[:32]


def fingerprint(corpus: Any) -> str:
    """What tells a corpus from another one: a version as it is, or a digest of the documents.

    >>> fingerprint("crawl of May"), fingerprint(["d1", "d2"]) == fingerprint({"d2", "d1"})
    ('crawl of May', True)
    """
    given = corpus.strip() if isinstance(corpus, str) else corpus
    if isinstance(given, Iterable) and not isinstance(given, (str, Mapping)):
        given = [*given]
    if not given or not isinstance(given, (str, Mapping, list)):
        raise InputError(f"corpus={corpus!r:.60}: give a version as text, ids, or id -> text")
    return str(corpus) if isinstance(given, str) else digest(given)


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return sorted([str(k), _sorted(v)] for k, v in value.items())
    if isinstance(value, (AbstractSet, list, tuple)):
        return sorted(map(str, value))
    value = value.item() if hasattr(value, "item") else value
    return float(value) if isinstance(value, (int, float)) else str(value)


def refuse_too_few(kept: Baseline, measures: Sequence[Any], why: str) -> None:
    """Refuse to score stored rankings with measures that need more documents than are stored."""
    short = [m for m in measures if m.k is None or m.k > kept.depth]
    if not kept.depth:
        raise Outdated(f"{why}, and scores without rankings can't be computed again")
    if not kept.whole and short:
        need = f"by {short[0].name}" + (", which has no cut-off" if short[0].k is None else "")
        raise Outdated(
            f"{why}, and the {kept.depth} documents kept of each ranking are too few to score "
            f"them again {need}"
        )


class Gate:
    """A run and its stored baseline."""

    def __init__(
        self,
        run: Any,
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
        self._said = list(filter(None, [failed_calls(run)]))

    def against(self, kept: Baseline) -> PairedScores:
        """Compare the run with the baseline. Raises Outdated if nothing can be compared.

        If the judgments changed, the rankings that the baseline keeps are scored by those of
        today. Where too few of their documents are judged for that, the query is not compared.
        Answers whose judgments are made from them are compared by the scores that are kept.
        """
        self._comparable(kept)
        now = {str(q): q for q in self.after.queries}
        had: list[Hashable] = [now.get(q, q) for q in kept.rankings]
        if not any(q in now for q in kept.rankings):
            raise Outdated("no query of the baseline is judged any more")
        replayed = cache(partial(self._replayed, kept))
        measures = self.after.measures
        old: dict[str, dict[Hashable, float]] = {
            m.name: {now.get(q, q): s for q, s in kept.per_query(m.name).items()}
            for m in measures
            if m.name in kept.means
        }
        new = {m.name: self.after.per_query[m.name] for m in measures}
        notes = [*self._said, *_written_without(kept)]
        dropped = [name for name in kept.means if name not in {m.name for m in measures}]
        if dropped:
            notes.append(f"Not asked for any more: {', '.join(dropped)}, which the baseline has")
        unjudged: list[Hashable] = []
        if kept.judgments != digest(self.judged) and not self.judged_anew:
            refuse_too_few(kept, measures, "the judgments changed")
            unjudged = self._unjudged(kept, replayed(), now)
            rest = set(had) - set(unjudged)
            compared = [q for q in self.after.queries if q in rest]
            if compared:
                scored = {m.name: replayed().per_query[m.name] for m in measures}
                notes.append(f"{CHANGED}; {_rescored(old, scored, compared)}")
                old = scored
            else:  # then it fails, and these scores are only shown
                notes.append(CHANGED)
        else:
            new = {name: {q: round(s, DIGITS) for q, s in of.items()} for name, of in new.items()}
        if more := [m for m in measures if m.name not in old]:
            names = ", ".join(m.name for m in more)
            refuse_too_few(kept, more, f"{names} is not in the baseline")
            for m in more:
                scores = replayed().per_query[m.name]
                old[m.name] = {q: round(scores[q], DIGITS) for q in had if q in scores}
            notes.append(f"Not in the baseline: {names}, scored from the rankings that it keeps")
        same = kept.corpus == self.corpus if kept.corpus and self.corpus else None
        if same is False:
            notes.append("The corpus changed since the baseline")

        def moved(measure: str, query: Hashable) -> Moves | None:
            if kept.depth and query not in unjudged:
                return moves_between(replayed(), self.after)(measure, query)
            return None

        paired = pair(
            self.after,
            before=old,
            after=new,
            had=had,
            moves_of=moved,
            notes=notes,
            unjudged=unjudged,
        )
        return replace(paired, same_corpus=same)

    def _unjudged(
        self, kept: Baseline, replayed: Evaluation, now: Mapping[str, Hashable]
    ) -> list[Hashable]:
        """The queries whose kept rankings lost most of the judgments that made their scores."""
        if not is_graded(replayed):
            return []
        return [
            now[query]
            for query, ranking in kept.rankings.items()
            if query in now
            and lost_its_judgments(
                ranking,
                kept.grades.get(query),
                kept.scores[query],
                grades_of(replayed, now[query]).keys(),
            )
        ]

    def _comparable(self, kept: Baseline) -> None:
        for name, value in _conventions(self.after).items():
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

    def _replayed(self, kept: Baseline) -> Evaluation:
        """The baseline's rankings, evaluated by today's judgments."""
        by_name = {str(q): q for q in self.after.queries}
        run = {by_name[q]: r for q, r in kept.rankings.items() if q in by_name}
        judged = self.judged
        if self.judged_anew:
            judged = {query: _graded(kept, str(query)) for query in run}
        return evaluate(run, judged, list(self.after.measures), **self.options)


def _written_without(kept: Baseline) -> list[str]:
    """A note on many judged queries that a baseline has no scores of, since its run lacked them."""
    without = [query for query in kept.lacked if query not in kept.scores]
    judged = len(without) + len(kept.scores)
    if len(without) / judged <= float(Policy.max_gone.default):
        return []
    said = (
        f"The baseline was written without {len(without):,} of {judged:,} judged queries, which "
        f"its run did not answer ({some(without, {})})"
    )
    return [said]


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
        means.append(f"{name} {before} -> {after}")
    return f"its own rankings now score {', '.join(means)}"
