"""A stored baseline: scores, rankings and conventions, as a file of baselines holds them."""

import hashlib
import json
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.still_judged import Grades, grades_of
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.runs.evaluation import Evaluation
from irmetrics_edu.runs.printed_scores import PrintedScores
from irmetrics_edu.runs.run_scores import NO_RANKINGS, RunScores

__tracebackhide__ = True
__unittest = True
DIGITS = 6
_ROUNDED = 1.1e-6  # how far the mean of rounded scores lies from a rounded mean, at most
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
        top = _top(evaluation, chosen, depth)
        scores: dict[str, list[float]] = {}
        for query in evaluation.queries:
            of_query: list[float] = []
            for m in chosen:
                score = evaluation.per_query[m.name][query]
                of_query.append(_rounded(score, m.name, query))
            scores[str(query)] = of_query
        means = {}
        for place, m in enumerate(chosen):
            mean = fmean(of_query[place] for of_query in scores.values())
            means[m.name] = round(mean, DIGITS)
        return cls(
            conventions=conventions_of(evaluation),
            judgments=digest(judged),
            means=means,
            scores=scores,
            rankings=top.rankings,
            depth=top.depth,
            whole=top.whole,
            lacked=sorted(map(str, evaluation.counts.missing)),
            corpus=corpus,
            grades=top.grades,
        )

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> "Baseline":
        """The baseline that a file's entry holds."""
        try:
            _refuse_odd_parts(entry)
            queries = entry["queries"]
            sorted_means = sorted(entry["means"].items())
            means = {name: float(mean) for name, mean in sorted_means}
            scores = {query: line[0] for query, line in queries.items()}
            _refuse_other_means(means, scores)
            grades = {}
            for query, line in queries.items():
                if len(line) > 2:
                    grades[query] = _by_rank(line[2])
            return cls(
                conventions=dict(entry["conventions"]),
                judgments=entry["judgments"],
                means=means,
                scores=scores,
                rankings={query: line[1] for query, line in queries.items()},
                depth=entry["depth"],
                whole=entry["whole"],
                lacked=entry["lacked"],
                corpus=entry.get("corpus", ""),
                grades=grades,
            )
        except ValueError as error:
            raise Outdated(f"the baseline can't be read: {error}") from None
        except (AttributeError, KeyError, TypeError, OverflowError) as error:
            raise Outdated(f"the baseline can't be read ({error!r})") from None

    def entry(self) -> dict[str, Any]:
        """The entry for a file: the scores and the ranking of each query, side by side."""
        entry = {
            "conventions": dict(self.conventions),
            "judgments": self.judgments,
            "means": dict(self.means),
            "queries": {query: self._line(query) for query in self.scores},
            "depth": self.depth,
            "whole": self.whole,
            "lacked": list(self.lacked),
        }
        if self.corpus:
            entry["corpus"] = self.corpus
        return entry

    def _line(self, query: str) -> list[Any]:
        """What a file holds of a query: its scores, its ranking, and the grades by rank."""
        scores = list(self.scores[query])
        line: list[Any] = [scores, self.rankings[query]]
        if query in self.grades:
            grades = self.grades[query]
            line.append({str(rank): grade for rank, grade in grades.items()})
        return line

    def answers(self, query: str) -> bool:
        """Whether its run found something for a query.

        Scores of another program have no rankings: then a query with scores was answered.
        """
        if query not in self.scores or query in self.lacked:
            return False
        return bool(self.rankings[query]) or not self.depth

    def per_query(self, measure: str) -> dict[str, float]:
        """The score of each query by a measure."""
        place = self._places[measure]
        return {query: scores[place] for query, scores in self.scores.items()}

    @cached_property
    def _places(self) -> dict[str, int]:
        """Where the score of each measure stands in the scores of a query."""
        return {name: place for place, name in enumerate(self.means)}


@dataclass(frozen=True)
class _Top:
    """The top of each ranking: the part of a run that a baseline keeps beside its scores."""

    rankings: dict[str, list[Any]]
    grades: dict[str, Grades]
    depth: int
    whole: bool


def _top(evaluation: RunScores, chosen: Sequence[Measure], depth: int | None) -> _Top:
    """The first documents of each ranking, as many as the measures need, and their grades."""
    if isinstance(evaluation, PrintedScores):  # there is no ranking to keep
        none: dict[str, list[Any]] = {str(query): [] for query in evaluation.queries}
        return _Top(
            rankings=none,
            grades={},
            depth=0,
            whole=False,
        )
    if depth is None:
        cuts = [m.k for m in chosen if m.k is not None]
        if len(cuts) < len(chosen):  # a measure without a cut-off
            cuts.append(DEPTH)
        depth = max(cuts)
    rankings: dict[str, list[Any]] = {}
    grades: dict[str, Grades] = {}
    whole = True
    for query in evaluation.queries:
        working = evaluation.working(chosen[0].name, query)
        ranking = _ranking(working.rows, query)
        whole = whole and len(ranking) <= depth
        rankings[str(query)] = ranking[:depth]
        grades[str(query)] = grades_of(evaluation, query, depth)
    return _Top(rankings, grades, depth, whole)


def conventions_of(evaluation: RunScores) -> dict[str, str]:
    """The name and the conventions of a bundle; of scores by another program the name alone."""
    name = evaluation.conventions.name
    if isinstance(evaluation, PrintedScores):
        return {"name": name}
    return {"name": name, **evaluation.conventions.facts()}


def _refuse_other_means(means: Mapping[str, float], scores: Mapping[str, Sequence[float]]) -> None:
    """Refuse means that are not those of the queries; ValueError says which."""
    if any(len(of_query) != len(means) for of_query in scores.values()):
        raise ValueError(f"a query has not {len(means)} scores")
    for place, (name, mean) in enumerate(means.items()):
        of_queries = fmean(of_query[place] for of_query in scores.values())
        if abs(of_queries - mean) > _ROUNDED:
            raise ValueError(
                f"the mean of {name} is not the mean of its queries; did a merge mix two versions?"
            )


_KINDS = {
    "judgments": str,
    "depth": int,
    "whole": bool,
    "lacked": list,
    "conventions": dict,
}


def _refuse_odd_parts(entry: Mapping[str, Any]) -> None:
    """Refuse what no `Baseline.entry` holds; ValueError says what is odd."""
    for name, kind in _KINDS.items():
        if not isinstance(entry[name], kind):
            raise ValueError(f"{name} is {entry[name]!r:.40}")
    texts = [
        *entry["lacked"],
        *entry["conventions"].values(),
        entry.get("corpus", ""),
    ]
    for text in texts:
        if not isinstance(text, str):
            raise ValueError(f"{text!r:.40} should be text")
    for query, (scores, ranking, *graded) in entry["queries"].items():
        _refuse_odd_scores(query, scores)
        _refuse_odd_ranking(query, ranking, graded)
    if not all(map(_is_finite, entry["means"].values())):
        raise ValueError("a mean is not a finite number")


def _refuse_odd_scores(query: str, scores: Any) -> None:
    """Refuse what is no list of scores."""
    if not _all_finite(scores):
        raise ValueError(f"query {query!r}: its scores are {scores!r:.40}")


def _refuse_odd_ranking(query: str, ranking: Any, graded: Sequence[Any]) -> None:
    """Refuse what is no list of ids, and what are no grades of it."""
    if not _are_ids(ranking):
        raise ValueError(f"query {query!r}: its ranking is {ranking!r:.40}")
    if graded and not _are_grades(graded[0], len(ranking)):
        raise ValueError(f"query {query!r}: its grades by rank are {graded[0]!r:.40}")


def _are_grades(stored: Any, ranks: int) -> bool:
    """Whether these are grades of the documents of a ranking, by rank."""
    if not isinstance(stored, dict):
        return False
    ranks_in_text = {str(rank) for rank in range(1, ranks + 1)}
    grades = list(stored.values())
    return stored.keys() <= ranks_in_text and _all_finite(grades)


def _are_ids(stored: Any) -> bool:
    """Whether this is a list of ids."""
    if not isinstance(stored, list):
        return False
    return all(isinstance(document, (str, int)) for document in stored)


def _all_finite(stored: Any) -> bool:
    """Whether this is a list of finite numbers."""
    return isinstance(stored, list) and all(map(_is_finite, stored))


def _by_rank(stored: Mapping[str, float]) -> Grades:
    """The grades that a file holds, by rank."""
    return {int(rank): grade for rank, grade in stored.items()}


def _is_finite(value: Any) -> bool:
    """Whether this is a finite number, as JSON has them."""
    return type(value) in (int, float) and math.isfinite(value)


def _ranking(rows: Any, query: Hashable) -> list[Any]:
    """The ids of a ranking, in its order."""
    documents: Any = getattr(rows, "document", None)
    if documents is None:
        documents = getattr(rows, "item", ())
    ids = [_plain(document) for document in list(documents)]
    for document in ids:
        if not isinstance(document, (str, int)):
            raise InputError(
                f"query {query!r}, document {document!r}: a baseline keeps ids that are text or "
                f"whole numbers, not {type(document).__name__}"
            )
    return ids


def _plain(value: Any) -> Any:
    """A value of NumPy as one of Python; others as they are."""
    return value.item() if hasattr(value, "item") else value


def _rounded(score: float, measure: str, query: Hashable) -> float:
    """A score as it is kept."""
    if math.isnan(score):
        raise InputError(
            f"query {query!r}: {measure} is NaN, and a baseline keeps numbers; leave the query "
            "out, or take a measure that scores it"
        )
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
    text = json.dumps(
        _sorted(judged),
        ensure_ascii=False,
        separators=(",", ":"),
    )
    hexadecimal = hashlib.sha256(text.encode()).hexdigest()
    return f"sha256:{hexadecimal[:32]}"


def fingerprint(corpus: Any) -> str:
    """What tells a corpus from another one: a version as it is, or a digest of the documents.

    >>> fingerprint("crawl of May"), fingerprint(["d1", "d2"]) == fingerprint({"d2", "d1"})
    ('crawl of May', True)
    """
    content = corpus.strip() if isinstance(corpus, str) else corpus
    if isinstance(content, Iterable) and not isinstance(content, (str, Mapping)):
        content = [*content]
    if not content or not isinstance(content, (str, Mapping, list)):
        raise InputError(f"corpus={corpus!r:.60}: give a version as text, ids, or id -> text")
    return str(corpus) if isinstance(content, str) else digest(content)


def _sorted(value: Any) -> Any:
    """Judgments as lists in an order of their own."""
    if isinstance(value, Mapping):
        pairs = [[str(key), _sorted(inner)] for key, inner in value.items()]
        return sorted(pairs)
    if isinstance(value, (AbstractSet, list, tuple)):
        return sorted(map(str, value))
    plain = _plain(value)
    return float(plain) if isinstance(plain, (int, float)) else str(plain)
