"""Which queries are evaluated: those of the judgments; and whether the two look swapped."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from numbers import Integral, Real
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import (
    FORBIDDEN,
    IGNORED,
    LEFT_OUT,
    NAMED_ZERO,
    NOT_EXPECTED,
    NOT_JUDGED_ZERO,
)
from irmetrics_edu.engine.id_list import examples
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.runs.joining.swapped_levels import documents_come_first
from irmetrics_edu.views import escaping

_LOOKED_AT = 5  # queries, and documents of each
_SCORES = 50  # of a ranking
_GRADES = 6  # from 0 to 5: rankings have more scores that differ
_HIGHEST = 10  # of the scales that judges use
_STEPS = (20, 3)  # to one: halves, quarters, fifths and tenths, and the means of three judges
_CLOSE = 1e-6  # to a whole number


@dataclass(frozen=True)
class Matched:
    """The queries that are evaluated, and those that only the run or only the judgments have.

    Of queries that were asked for, `unknown` are those that neither the run nor the judgments have.
    """

    queries: Sequence[Any]
    missing: Sequence[Any]
    not_judged: Sequence[Any]
    left_out: bool  # whether the missing ones are left out of the means
    unknown: Sequence[Any] = ()


class AskedFor(Mapping[Any, int]):
    """The queries that a caller asked for, where these alone are evaluated; each with its place."""

    def __init__(self, queries: Sequence[Any]) -> None:
        self._place = {query: place for place, query in enumerate(queries)}

    def __getitem__(self, query: Any) -> int:
        return self._place[query]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._place)

    def __len__(self) -> int:
        return len(self._place)

    def among(self, queries: Iterable[Any]) -> list[Any]:
        """Those of the given queries that are asked for, in the given order."""
        return [query for query in queries if query in self._place]

    def not_among(self, queries: Iterable[Any]) -> list[Any]:
        """Those of the given queries that are not asked for."""
        return [query for query in queries if query not in self._place]

    def unmet(
        self,
        judged: Collection[Any],
        missing: Collection[Any],
        not_judged: Collection[Any],
    ) -> list[Any]:
        """Those that neither the judgments nor the run have; refused if the run has no judged one.

        `missing` are the judged queries that the run lacks.
        """
        if len(missing) == len(judged):
            raise InputError(
                "queries: no judged query of those asked for is in the run, such as "
                f"{_an_example(list(missing))}; ask for queries that the run has"
            )
        met = {*judged, *not_judged}
        return [query for query in self if query not in met]

    def refuse_none(self, there: Iterable[Any], kept: Collection[Any], what: str) -> None:
        """Refuse queries none of which is there, or of which one has another type or blanks."""
        there = list(there)
        met = set(there)
        strange = [query for query in self if query not in met]
        alike = checks.nearly_equal(strange, there)
        if alike is not None:
            query, other, how = alike
            raise InputError(
                f"queries: {query!r} differs from {other!r} of the {what} only in {how}; write "
                "ids the same way"
            )
        if not kept:
            raise InputError(
                f"queries: none of the queries asked for is among the {what}: asked for is "
                f"{_an_example(list(self))}, and there is {_an_example(there)}; give ids of queries"
            )


def match_queries(
    run: Mapping[Any, Any],
    qrels: Mapping[Any, Any] | None,
    by: Bundle,
    asked_for: AskedFor | None = None,
) -> Matched:
    """The judged queries, in the order of the judgments, split by whether the run has them."""
    if qrels is None:
        checks.one_kind(run, "query")
        if not run:
            raise InputError("the run has no queries, so there is no score; rank some")
        return Matched(list(run), [], [], left_out=False)
    missing = [q for q in qrels if q not in run]
    if len(missing) == len(qrels) and documents_come_first(run, qrels):
        raise InputError(
            "no query of the run is judged, but its ids are documents of the judgments: one of "
            "both is keyed by document first; map each query to its documents, "
            "{query: {document: score}} in the run and {query: {document: grade}} in the judgments"
        )
    not_judged = [q for q in run if q not in qrels]
    return matched(
        qrels,
        missing,
        not_judged,
        by,
        of_run=run,
        asked_for=asked_for,
    )


def matched(
    judged: Collection[Any],
    missing: Sequence[Any],
    not_judged: Sequence[Any],
    by: Bundle,
    of_run: Iterable[Any] | None = None,
    asked_for: AskedFor | None = None,
) -> Matched:
    """The queries that count, by the conventions for queries on one side only."""
    refuse_unlike(judged, missing, not_judged, of_run)
    unknown: list[Any] = []
    if asked_for is not None:
        not_judged = asked_for.among(not_judged)
        unknown = asked_for.unmet(judged, missing, not_judged)
    if missing and by.missing_queries is FORBIDDEN:
        raise InputError(
            f"query {missing[0]!r} is judged but not in the run; add it, or give "
            "missing_queries='zero' (it scores 0) or 'skip'"
        )
    if not_judged and by.unjudged_queries is NOT_EXPECTED:
        raise InputError(
            f"query {not_judged[0]!r} is in the run but not judged; judge it, or give "
            "unjudged_queries='ignore'"
        )
    if len(missing) == len(judged):
        raise _none_is_judged(not_judged, missing)
    left_out = bool(missing) and by.missing_queries is LEFT_OUT
    queries = judged if isinstance(judged, Sequence) else list(judged)
    if left_out:
        gone = set(missing)
        queries = [q for q in queries if q not in gone]
    return Matched(queries, missing, not_judged, left_out, unknown)


def _none_is_judged(not_judged: Sequence[Any], missing: Sequence[Any]) -> InputError:
    how = checks.written_otherwise(not_judged, missing)
    return InputError(
        "no query of the run is judged; compare the ids: "
        f"the run has {_an_example(not_judged)}, and the judgments have {_an_example(missing)}"
        f"{'; ' if how else ''}{how}"
    )


def _an_example(queries: Sequence[Any]) -> str:
    if not len(queries):
        return "none"
    first = queries[0]
    named = escaping.named(first)
    return repr(first) if named == str(first) else f"'{named}'"


def refuse_unlike(
    judged: Collection[Any],
    missing: Sequence[Any],
    not_judged: Sequence[Any],
    of_run: Iterable[Any] | None = None,
) -> None:
    """Refuse query ids of several kinds, or that match a judged one only after trimming.

    `of_run` are all queries of the run, where they are known: True is found among numbers as 1.
    """
    if alike := checks.nearly_equal(missing, not_judged):
        query, other, how = alike
        raise InputError(
            f"{at(other)}differs from the judged query {query!r} only in {how}; "
            "write ids the same way on both sides"
        )
    met = examples(not_judged) if of_run is None else of_run
    judged_examples = examples(judged) if isinstance(judged, Sequence) else judged
    checks.one_kind([*judged_examples, *met], "query")


def with_documents(run: Mapping[Any, Any], qrels: Mapping[Any, Any], by: Bundle) -> Any:
    """The judgments without the queries that have no judged document, or with these scoring 0.

    A query that is left out here is a query of the run that is not judged, and is counted so.
    """
    if by.unjudged_queries not in (IGNORED, NAMED_ZERO, NOT_JUDGED_ZERO):
        return qrels
    empty: set[Any] = set()
    for query, judged in qrels.items():
        is_empty = hasattr(judged, "__len__") and not len(judged)
        if is_empty and query in run:  # the run is asked last
            empty.add(query)
    if not empty:
        return qrels
    if by.unjudged_queries is not NAMED_ZERO:  # left out, or not judged like one without a name
        return {query: judged for query, judged in qrels.items() if query not in empty}
    a_document = _some_document(run)
    if a_document is None:  # nothing was retrieved for any query: no id is known to be one
        return qrels
    named = dict(qrels)
    for query in empty:
        named[query] = {a_document: None}
    return named


def _some_document(run: Mapping[Any, Any]) -> Any:
    for query in run:
        for document in run[query]:
            return document
    return None


def _looked_at(values: Mapping[Any, Any]) -> list[Any]:
    return list(islice(values.values(), _LOOKED_AT))


class Look(Enum):
    """Whether a run and judgments look as if each stood in the place of the other."""

    RIGHT = "nothing speaks for it"
    UNSURE = "as likely as not: whole scores that tie beside grades with a half"
    SWAPPED = "hardly anything else has these numbers"


def look_swapped(run: Mapping[Any, Any], qrels: Mapping[Any, Any]) -> Look:
    """How far the run's whole numbers look like grades, and the judgments like rankings or scores.

    Scores that count something are whole, and grades have halves where judges differ. So this alone
    proves nothing, but a 0 says "not relevant" and is no usual score, and no judge gives 12.37.
    """
    if not (run and _like_judgments(run) and _like_rankings(qrels, run)):
        return Look.RIGHT
    if any(isinstance(judged, (list, tuple)) for judged in qrels.values()):
        return Look.SWAPPED
    if any(0 in islice(ranking.values(), _SCORES) for ranking in _looked_at(run)):
        return Look.SWAPPED
    if all(map(_on_a_scale, _looked_at(qrels))):
        return Look.UNSURE
    return Look.SWAPPED


def _on_a_scale(judged: Any) -> bool:
    """Whether all values are steps of a scale that judges use: twentieths or thirds, up to 10."""
    if not isinstance(judged, Mapping):
        return True
    for grade in islice(judged.values(), _SCORES):
        if not isinstance(grade, Real):
            continue
        x = float(grade)
        if abs(x) > _HIGHEST or not any(_is_whole(x * step) for step in _STEPS):
            return False
    return True


def _is_whole(x: float) -> bool:
    return abs(x - round(x)) < _CLOSE


def _like_judgments(run: Mapping[Any, Any]) -> bool:
    """Whether the scores look like grades: whole numbers by type, or few whole values."""
    shown = _looked_at(run)
    if not all(isinstance(ranking, Mapping) for ranking in shown):
        return False
    scores: list[Any] = []
    for ranking in shown:
        scores.extend(islice(ranking.values(), _SCORES))
    if not scores or not all(map(_is_like_a_grade, scores)):
        return False
    return _are_integers(scores) or len(set(scores)) <= _GRADES


def _is_like_a_grade(score: Any) -> bool:
    return isinstance(score, Real) and float(score).is_integer() and float(score) >= 0


def _like_rankings(qrels: Mapping[Any, Any], run: Mapping[Any, Any]) -> bool:
    """Whether the judgments look like rankings: lists, or grades with a fraction.

    If the run has floats, lists may hold relevant documents; only longer ones look like rankings.
    """
    shown = _looked_at(qrels)
    lists = {q: judged for q, judged in qrels.items() if isinstance(judged, (list, tuple))}
    scores: list[Any] = []
    for ranking in _looked_at(run):
        scores.extend(_looked_at(ranking))
    if lists and not _are_integers(scores):
        return all(len(judged) > len(run[q]) for q, judged in lists.items() if q in run)
    return bool(lists) or any(map(_has_fractions, shown))


def _has_fractions(judged: Any) -> bool:
    """Whether a grade among the first ones has a fraction."""
    if not isinstance(judged, Mapping):
        return False
    return any(isinstance(grade, Real) and grade % 1 != 0 for grade in _looked_at(judged))


def _are_integers(scores: Iterable[Any]) -> bool:
    return all(isinstance(score, Integral) for score in scores)
