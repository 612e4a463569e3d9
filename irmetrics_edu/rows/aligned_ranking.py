"""From a ranking and its judgments to rows: one table that every ranking metric reads."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import (
    ALL_JUDGED,
    AS_GIVEN,
    AS_ZERO,
    FLOAT64,
    NO_DUPLICATES,
    NO_GAIN,
    NOWHERE,
    PADDING,
    REFUSED,
    RETRIEVED_ALONE,
    Duplicates,
    Negative,
    Pooled,
    Scores,
    Ties,
    Unjudged,
    Unretrieved,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, all_true, exact, ranks_to, zeros
from irmetrics_edu.rows.ordering import in_order, listed, shared_by
from irmetrics_edu.rows.rows import Rows, picked

__all__ = ["RANKED", "Inputs", "Rows", "align"]


@dataclass(frozen=True)
class Inputs:
    """A kind of input: the arguments of a metric, and how they become rows.

    `align` makes rows of one query. `in_bulk` makes them of a whole run that was joined with its
    judgments, with the options of the alignment. It gives None if the queries have to be taken one
    by one. A kind without `in_bulk` always takes them one by one.
    """

    name: str
    arguments: tuple[str, ...]
    align: Callable[..., Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    in_bulk: Callable[[Any, Mapping[str, Any]], Any] | None = None


def align(
    ranking: Any,
    judgments: Any = None,
    *,
    ties: Ties = AS_GIVEN,
    unjudged: Unjudged = NO_GAIN,
    negative: Negative = REFUSED,
    pool: Pooled = ALL_JUDGED,
    scores: Scores = FLOAT64,
    unretrieved: Unretrieved = NOWHERE,
    duplicates: Duplicates = NO_DUPLICATES,
    exact: bool = False,
    query: Any = None,
) -> Rows:
    """One ranking and its judgments, as rows.

    `ranking` is a list of grades in ranked order (`None` where nobody judged). With `judgments` it
    is a list of document ids or a mapping from id to score. `judgments` maps ids to grades (`None`:
    in the pool, not judged), or is a set of relevant ids.

    >>> align(["d6", "d7"], {"d6": 1, "d3": 1}).grade
    array([1., 0.])
    """
    documents: list[Hashable] | None
    span: Array | None = None
    if negative is PADDING:
        ranking, judgments = without_padding(ranking, judgments)
    # Who is given the retrieved alone never sees what was not, and so can't refuse it.
    of_pool = AS_ZERO if negative is REFUSED and pool is RETRIEVED_ALONE else negative
    if judgments is None:
        documents, given = None, _grades_in_order(ranking, query)
        judged_grades: list[Any] = given
        pool_documents = None
        pooled_here = None
    else:
        known = _pool(judgments, query)
        wanted = unretrieved.of(known)
        worth = known
        if ties.by_grade:  # by what a grade counts as: a negative one may be worth 0
            settled, _ = _as_grades(
                list(known.values()), list(known), query, of_pool, exact=exact, ranked=False
            )
            worth = dict(zip(known, settled.tolist(), strict=True))
        if isinstance(ranking, Mapping):
            documents, span = in_order(ranking, query, ties, scores, worth, wanted)
        else:
            documents, span = listed(ranking, query, ties, duplicates, worth, wanted)
        checks.same_kind_of_ids(documents, known, query)
        given = [known.get(d) for d in documents]
        judged_grades, pool_documents = list(known.values()), list(known)
        pooled_here = [d in known for d in documents] if None in judged_grades else None
    if not judged_grades:
        raise InputError(f"{at(query)}nothing is judged, so there is no score; give judgments")

    grade, judged = _as_grades(given, documents, query, negative, exact=exact)
    if judgments is None:
        pool_grade, in_pool = grade, judged
    else:
        pool_grade, in_pool = _as_grades(
            judged_grades, pool_documents, query, of_pool, exact=exact, ranked=False
        )
    pooled = np.array(pooled_here, dtype=bool) if pooled_here is not None else None
    if negative.name == "unjudged" and pooled is None:
        pooled = np.array([g is not None for g in given], dtype=bool)
    if not all_true(in_pool):
        pool_grade, pool_documents = pool_grade[in_pool], _as_list(picked(pool_documents, in_pool))
    if unjudged.name == "removed" and not all_true(judged):
        grade, documents = grade[judged], _as_list(picked(documents, judged))
        pooled = None if pooled is None else pooled[judged]
        span = None if span is None else shared_by(judged, span)
        judged = judged[judged]
    n = len(grade)
    rows = Rows(
        np.zeros(n, dtype=np.intp),
        ranks_to(grade, n),
        grade,
        judged,
        np.array([n]),
        np.zeros(len(pool_grade), dtype=np.intp),
        pool_grade,
        documents,
        pool_documents,
        pooled,
        None if query is None else [query],
        span,
    )
    counted: Rows = pool(rows)
    return counted


def without_padding(ranking: Any, judgments: Any) -> tuple[Any, Any]:
    """A ranking and its judgments without the documents whose grade is below 0.

    >>> without_padding(["a", "b", "c"], {"a": -1, "b": 2})
    (['b', 'c'], {'b': 2})
    """
    if judgments is None:
        listed = isinstance(ranking, (str, bytes, Mapping)) or not hasattr(ranking, "__iter__")
        return (ranking if listed else [g for g in ranking if not _is_below(g)]), None
    if not isinstance(judgments, Mapping):
        return ranking, judgments
    out = {d for d, grade in judgments.items() if _is_below(grade)}
    if not out:
        return ranking, judgments
    kept = {d: grade for d, grade in judgments.items() if d not in out}
    if isinstance(ranking, Mapping):
        return {d: score for d, score in ranking.items() if d not in out}, kept
    return [d for d in ranking if d not in out], kept


def _is_below(grade: Any) -> bool:
    return isinstance(grade, (int, float, np.number)) and bool(grade < 0)


def _as_list(labels: Sequence[Hashable] | None) -> list[Hashable] | None:
    return None if labels is None else list(labels)


def _grades_in_order(ranking: Any, query: Any) -> list[Any]:
    if isinstance(ranking, Mapping):
        raise InputError(f"{at(query)}a ranking given as scores needs judgments: document -> grade")
    if isinstance(ranking, (str, bytes)) or not hasattr(ranking, "__iter__"):
        raise InputError(
            f"{at(query)}{ranking!r} is not a ranking; give a list of grades or of document ids"
        )
    return ranking.tolist() if isinstance(ranking, np.ndarray) else list(ranking)


def _pool(judgments: Any, query: Any) -> dict[Hashable, Any]:
    if isinstance(judgments, Mapping):
        return dict(judgments)
    if isinstance(judgments, (str, bytes)) or not hasattr(judgments, "__iter__"):
        raise InputError(
            f"{at(query)}{judgments!r} are not judgments; map documents to grades, or give a "
            "set of relevant documents"
        )
    return dict.fromkeys(checks.ids(judgments, query, "judged"), 1)


def _as_grades(
    grades: list[Any],
    documents: Sequence[Hashable] | None,
    query: Any,
    negative: Negative,
    *,
    exact: bool,
    ranked: bool = True,
) -> tuple[Array, Array]:
    """Grades as numbers (0 where not judged), and which of them were judged."""
    values, least = _finite_numbers(grades)
    if values is not None:
        judged = values == values  # noqa: PLR0124 -- true for each, in a third of np.ones' time
    else:
        judged = np.array([g is not None for g in grades], dtype=bool)
        for i, g in enumerate(grades):
            if documents is None and isinstance(g, str):
                raise InputError(
                    f"{at(query, g, i + 1)}a ranking of documents needs judgments: "
                    "document -> grade"
                )
            if g is not None:
                checks.grade(g, _place(i, documents, query, ranked=ranked))
        values = np.array([0 if g is None else g for g in grades], dtype=np.float64)
        least = values.min(initial=0)
    if exact:
        values = _exact([0 if g is None else g for g in grades])
    if least < 0:
        below = values < 0
        if negative.name == "refuse":
            i = int(np.flatnonzero(below)[0])
            place = _place(i, documents, query, ranked=ranked)
            raise InputError(
                f"{place}grade {grades[i]} is negative; choose what it means: negative='zero' "
                "(not relevant), 'keep' (a loss) or 'unjudged'"
            )
        if negative.name in ("zero", "unjudged"):
            values = np.where(below, zeros(values, 1)[0], values)
        if negative.name == "unjudged":
            judged &= ~below.astype(bool)
    return values, judged


_exact = exact


def _finite_numbers(grades: list[Any]) -> tuple[Array | None, float]:
    """Grades as an array if they are finite numbers all, and the least, or 0 where none is below.

    Text is no number, though it can be read as one.
    """
    try:
        values = np.array(grades)
    except ValueError:  # lists among the grades
        return None, 0.0
    if values.dtype.kind not in "biuf" or values.ndim != 1:
        return None, 0.0
    values = values.astype(np.float64)
    least, most = np.minimum.reduce(values, initial=0), np.maximum.reduce(values, initial=0)
    finite = least >= -checks.LARGEST_GRADE and most <= checks.LARGEST_GRADE
    return (values if finite else None), least


def _place(i: int, documents: Sequence[Hashable] | None, query: Any, *, ranked: bool) -> str:
    document = None if documents is None else documents[i]
    return at(query, document, i + 1 if ranked else None)


def goes_in_bulk(options: Mapping[str, Any]) -> bool:
    """Whether rows of the judged documents alone are enough under these conventions."""
    return (
        (options["ties"].in_bulk or options["unjudged"].name != "removed")
        and options["unretrieved"] is NOWHERE
        and options["duplicates"] is NO_DUPLICATES
    )


def ranked_in_bulk(joined: Any, options: Mapping[str, Any]) -> Rows | None:
    """Rows of the judged documents of a whole run, if these conventions allow it."""
    if not goes_in_bulk(options):
        return None
    rows: Rows = options["pool"](joined.ranked(options))
    return rows


RANKED = Inputs(
    "ranking",
    ("ranking", "judgments"),
    align,
    {
        "ties": AS_GIVEN,
        "unjudged": NO_GAIN,
        "negative": REFUSED,
        "pool": ALL_JUDGED,
        "scores": FLOAT64,
        "unretrieved": NOWHERE,
        "duplicates": NO_DUPLICATES,
    },
    ranked_in_bulk,
)
