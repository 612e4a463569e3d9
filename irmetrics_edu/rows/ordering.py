"""The order of a ranking: by falling score, and by convention among documents of equal score."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import AS_GIVEN, FLOAT64, Duplicates, Scores, Ties
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array


def in_order(
    ranking: Mapping[Any, Any],
    query: Any = None,
    ties: Ties = AS_GIVEN,
    scores: Scores = FLOAT64,
    grades: Mapping[Any, Any] | None = None,
    with_all_of: Iterable[Hashable] = (),
) -> tuple[list[Hashable], Array | None]:
    """Documents by falling score; if ties share their ranks, the first rank and the number too.

    `grades` are needed if the order depends on them. Documents of `with_all_of` without a score
    come last, tied.
    """
    ordered = checks.ids_by_falling_score(ranking, query)
    last = [d for d in with_all_of if d not in ranking]
    if ties.as_given and scores.as_given:
        return [*ordered, *last], None
    numbers = [float(score) for score in ranking.values()]
    kept = scores(np.array(numbers, dtype=np.float64))
    worth = np.append(kept, [-np.inf] * len(last))
    return arranged(
        [*ranking, *last],
        worth,
        ties,
        query,
        grades,
    )


def listed(
    ranking: Any,
    query: Any,
    ties: Ties,
    duplicates: Duplicates,
    grades: Mapping[Any, Any],
    with_all_of: Iterable[Hashable] = (),
) -> tuple[list[Hashable], Array | None]:
    """The documents of a list; documents of `with_all_of` that it does not have come last, tied."""
    checks.ordered(ranking, query)
    ids = checks.ids(ranking, query, repeated=not duplicates.refused)
    documents: list[Hashable] = duplicates(ids)
    there = set(documents)
    last = [d for d in with_all_of if d not in there]
    if not last:
        return documents, None
    falling = -np.arange(float(len(documents)))
    worth = np.append(falling, [-np.inf] * len(last))
    return arranged(
        [*documents, *last],
        worth,
        ties,
        query,
        grades,
    )


def arranged(
    documents: Sequence[Hashable],
    worth: Array,
    ties: Ties,
    query: Any = None,
    grades: Mapping[Any, Any] | None = None,
) -> tuple[list[Hashable], Array | None]:
    """The documents of one list by falling worth, each tie in its order."""
    order = ties.order(worth)
    documents = [documents[i] for i in order]
    worth = worth[order]
    if ties.as_given or ties.whole:
        return documents, None
    if ties.by_grade and grades is None:
        raise InputError(
            f"{at(query)}ties={str(ties)!r} orders ties by grade, but there are no grades "
            "here; choose other ties"
        )
    falls = np.flatnonzero(worth[1:] != worth[:-1]) + 1
    begins = np.concatenate([[0], falls])
    ends = np.concatenate([falls, [len(worth)]])
    if ties.shared:
        if not len(worth):
            return documents, None
        sizes = ends - begins
        first_rank = np.repeat(begins + 1.0, sizes)
        alike = np.repeat(sizes, sizes)
        return documents, np.stack([first_rank, alike])
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        if end - begin > 1:
            tied = documents[begin:end]
            grades_of_tied = _grades(tied, grades) if ties.by_grade else ()
            order = ties.arranged(tied, grades_of_tied)
            documents[begin:end] = [tied[i] for i in order]
    return documents, None


def _grades(
    documents: Sequence[Hashable],
    grades: Mapping[Any, Any] | None,
) -> list[Any]:
    """What is judged of documents; nothing is 0."""
    grade_of = grades or {}
    of_each = []
    for document in documents:
        grade = grade_of.get(document)
        of_each.append(0 if grade is None else grade)
    return of_each


def shared_by(
    kept: Array,
    span: Array,
) -> Array:
    """The ranks that tied documents share when only some documents are kept."""
    first, size = span[:, kept].astype(np.intp)
    before = np.concatenate([[0], kept.cumsum()])
    begin = first - 1
    kept_before = before[begin]
    new_first = kept_before + 1
    new_size = before[begin + size] - kept_before
    new_span = np.stack([new_first, new_size])
    return new_span.astype(np.float64)
