"""From one ranking and its judgments to rows."""

from collections.abc import Hashable, Mapping, Sequence
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
    Duplicates,
    Negative,
    Pooled,
    Scores,
    Ties,
    Unjudged,
    Unretrieved,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import (
    Array,
    all_true,
    of_query_0,
    picked,
    ranks_to,
    trues,
    zeros,
)
from irmetrics_edu.numbers import exact as as_exact
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.rows.ordering import in_order, listed, shared_by
from irmetrics_edu.rows.ranked_rows import Rows


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
    of_pool = AS_ZERO if negative is REFUSED and pool.seen_alone else negative
    if judgments is None:
        documents = None
        given = _grades_in_order(ranking, query)
        judged_grades: list[Any] = given
        pool_documents = None
        pooled_here = None
    else:
        known = _pool(judgments, query)
        wanted = unretrieved.of(known)
        worth = known
        if ties.by_grade:  # by what a grade counts as: a negative one may be worth 0
            settled, _ = _as_grades(
                list(known.values()),
                list(known),
                query,
                of_pool,
                exact=exact,
                ranked=False,
            )
            worth = dict(zip(known, settled.tolist(), strict=True))
        if isinstance(ranking, Mapping):
            documents, span = in_order(
                ranking,
                query=query,
                ties=ties,
                scores=scores,
                grades=worth,
                with_all_of=wanted,
            )
        else:
            documents, span = listed(
                ranking,
                query=query,
                ties=ties,
                duplicates=duplicates,
                grades=worth,
                with_all_of=wanted,
            )
        checks.same_kind_of_ids(documents, known, query)
        given = [known.get(d) for d in documents]
        judged_grades = list(known.values())
        pool_documents = list(known)
        pooled_here = [d in known for d in documents] if None in judged_grades else None
    if not judged_grades:
        raise InputError(f"{at(query)}nothing is judged, so there is no score; give judgments")

    grade, judged = _as_grades(given, documents, query, negative, exact=exact)
    if judgments is None:
        pool_grade, in_pool = grade, judged
    else:
        pool_grade, in_pool = _as_grades(
            judged_grades,
            pool_documents,
            query,
            of_pool,
            exact=exact,
            ranked=False,
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
        query=of_query_0(n),
        rank=ranks_to(grade, n),
        grade=grade,
        judged=judged,
        retrieved=np.array([n]),
        pool_query=of_query_0(len(pool_grade)),
        pool_grade=pool_grade,
        document=documents,
        pool_document=pool_documents,
        pooled=pooled,
        queries=None if query is None else [query],
        span=span,
    )
    counted: Rows = rows if pool is ALL_JUDGED else pool(rows)
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
    if isinstance(ranking, list):
        return ranking
    if isinstance(ranking, Mapping):
        raise InputError(f"{at(query)}a ranking given as scores needs judgments: document -> grade")
    checks.collection(ranking, "ranking", at(query), "give a list of grades or of document ids")
    return ranking.tolist() if isinstance(ranking, np.ndarray) else list(ranking)


def _pool(judgments: Any, query: Any) -> dict[Hashable, Any]:
    if isinstance(judgments, Mapping):
        return dict(judgments)
    remedy = "map documents to grades, or give a set of relevant documents"
    checks.collection(judgments, "judgments", at(query), remedy)
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
    values = _finite_numbers(grades)
    if values is not None:
        judged = trues(len(values))
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
    below = values < 0
    if exact:
        values = as_exact([0 if g is None else g for g in grades])
    if np.count_nonzero(below):
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
            judged = judged & ~below
    return values, judged


def _finite_numbers(grades: list[Any]) -> Array | None:
    """Grades as an array if they are finite numbers all.

    Text is no number, though it can be read as one.
    """
    try:
        values = np.array(grades)
    except ValueError:  # lists among the grades
        return None
    if values.dtype.kind not in "biuf" or values.ndim != 1:
        return None
    values = values.astype(np.float64)
    small = values.dot(values) <= checks.LARGEST_GRADE  # quick, for nearly all; NaN is not small
    if small or (np.abs(values) <= checks.LARGEST_GRADE).all():
        return values
    return None


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


RANKED = KindOfInput(
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
