"""From one ranking and its judgments to rows."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import (
    ALL_JUDGED,
    AS_GIVEN,
    FLOAT64,
    NO_DUPLICATES,
    NO_GAIN,
    NOWHERE,
    REFUSED,
    Duplicates,
    Negative,
    Pooled,
    Scores,
    Ties,
    Unjudged,
    Unretrieved,
    are_copies,
    is_negative,
    negative_grade,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import (
    Array,
    all_true,
    of_query_0,
    picked,
    ranks_to,
    trues,
)
from irmetrics_edu.numbers import exact as as_exact
from irmetrics_edu.rows.all_retrieved import of_all_retrieved
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.rows.ordering import in_order, listed, shared_by
from irmetrics_edu.rows.ranked_rows import Rows


@dataclass(slots=True)
class Alignment:
    """How a ranking meets its judgments: the conventions that rows follow, before any metric.

    It is not changed once it is made. A frozen class would be slower to make, for each call.
    """

    ties: Ties = AS_GIVEN
    unjudged: Unjudged = NO_GAIN
    negative: Negative = REFUSED
    pool: Pooled = ALL_JUDGED
    scores: Scores = FLOAT64
    unretrieved: Unretrieved = NOWHERE
    duplicates: Duplicates = NO_DUPLICATES


PLAIN = Alignment()


@dataclass(slots=True)
class _Listing:
    """A ranking in order, and what was given beside it: ids where it has them, and grades.

    `grades` has what is judged of each place, `None` where nobody judged. `span` has the first rank
    and the number of those that share it, if they do. `pool` maps every judged document to what is
    judged of it; without judgments there is none, and the ranking's own grades are the pool.
    """

    grades: list[Any]
    documents: list[Hashable] | None = None
    span: Array | None = None
    pool: dict[Hashable, Any] | None = None

    def pooled(self) -> Array | None:
        """Which places hold a document of the pool; None if those are the judged ones."""
        if self.pool is None or None not in self.pool.values():
            return None
        return np.array([d in self.pool for d in self.documents or ()], dtype=bool)


def align(
    ranking: Any,
    judgments: Any = None,
    *,
    by: Alignment = PLAIN,
    exact: bool = False,
    query: Any = None,
) -> Rows:
    """One ranking and its judgments, as rows, by these conventions.

    `ranking` is a list of grades in ranked order (`None` where nobody judged). With `judgments` it
    is a list of document ids or a mapping from id to score. `judgments` maps ids to grades (`None`:
    in the pool, not judged), or is a set of relevant ids.

    >>> align(["d6", "d7"], {"d6": 1, "d3": 1}).grade
    array([1., 0.])
    """
    negative = by.negative
    if negative.padding:
        ranking, judgments = without_padding(ranking, judgments)
    of_pool = negative
    if judgments is None:
        listing = _Listing(_grades_in_order(ranking, query))
    else:
        of_pool = negative.of_pool(by.pool)
        listing = _listing(
            ranking,
            _pool(judgments, query),
            by,
            of_pool,
            exact=exact,
            query=query,
        )
    rows = _rows(
        listing,
        by,
        of_pool,
        exact=exact,
        query=query,
    )
    counted: Rows = by.pool.counted(rows)
    return counted


def _listing(
    ranking: Any,
    judged: dict[Hashable, Any],
    by: Alignment,
    of_pool: Negative,
    *,
    exact: bool,
    query: Any,
) -> _Listing:
    """A ranking of documents in order, with what is judged of each."""
    wanted = by.unretrieved.of(judged)
    worth: Mapping[Hashable, Any] = judged
    if by.ties.by_grade:
        worth = _worth(ranking, judged, query, of_pool, by.unjudged, exact=exact)
    if isinstance(ranking, Mapping):
        documents, span = in_order(
            ranking,
            query,
            ties=by.ties,
            scores=by.scores,
            grades=worth,
            with_all_of=wanted,
        )
    else:
        documents, span = listed(
            ranking,
            query,
            ties=by.ties,
            duplicates=by.duplicates,
            grades=worth,
            with_all_of=wanted,
        )
    checks.same_kind_of_ids(documents, judged, query)
    grades = [judged.get(d) for d in documents]
    return _Listing(grades, documents, span, judged)


def _worth(
    ranking: Any,
    judgments: Mapping[Hashable, Any],
    query: Any,
    negative: Negative,
    unjudged: Unjudged,
    *,
    exact: bool,
) -> Mapping[Hashable, Any]:
    """What each document's grade counts as: a negative one may be worth 0."""
    documents = list(judgments)
    grades_as_judged = list(judgments.values())
    grades, judged = _as_grades(
        grades_as_judged, documents, query, negative, exact=exact, ranked=False
    )
    grades = unjudged.filled(grades, judged)
    of_judged = dict(zip(documents, grades.tolist(), strict=True))
    if unjudged.grade is None:
        return of_judged
    return dict.fromkeys(checks.ids(ranking, query, repeated=True), unjudged.grade) | of_judged


def _rows(
    listing: _Listing,
    by: Alignment,
    of_pool: Negative,
    *,
    exact: bool,
    query: Any,
) -> Rows:
    """The rows of a ranking in order, with its pool."""
    documents = listing.documents
    if not (listing.grades if listing.pool is None else listing.pool):
        raise InputError(f"{at(query)}nothing is judged, so there is no score; give judgments")
    grade, judged = _as_grades(listing.grades, documents, query, by.negative, exact=exact)
    pool_documents: list[Hashable] | None = None
    pooled: Array | None = None
    pool_grade = grade
    in_pool = judged
    if listing.pool is not None:
        pool_documents = list(listing.pool)
        pool_grade, in_pool = _as_grades(
            list(listing.pool.values()),
            pool_documents,
            query,
            of_pool,
            exact=exact,
            ranked=False,
        )
        pooled = listing.pooled()
    if by.negative.not_judged and pooled is None:
        pooled = np.array([g is not None for g in listing.grades], dtype=bool)
    pool_grade, pool_documents = _of_pool(pool_grade, pool_documents, in_pool)
    span = listing.span
    kept = by.unjudged.kept(judged)
    if kept is not None:
        grade = grade[kept]
        documents = _as_list(picked(documents, kept))
        pooled = picked(pooled, kept)
        span = None if span is None else shared_by(kept, span)
        judged = judged[kept]
    if by.unjudged.grade is not None:
        grade, judged, pooled = _with_grades(by.unjudged, grade, judged, pooled, documents)
    n = len(grade)
    return Rows(
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


def _of_pool(
    grade: Array,
    documents: list[Hashable] | None,
    in_pool: Array,
) -> tuple[Array, list[Hashable] | None]:
    """The grades and the documents of the pool alone."""
    if all_true(in_pool):
        return grade, documents
    return grade[in_pool], _as_list(picked(documents, in_pool))


def _with_grades(
    unjudged: Unjudged,
    grade: Array,
    judged: Array,
    pooled: Array | None,
    documents: Sequence[Hashable] | None,
) -> tuple[Array, Array, Array]:
    """Grades, what counts as judged, and what is in the pool, where the unjudged have a grade."""
    counted = judged | are_copies(documents, len(judged))
    filled = unjudged.filled(grade, counted)
    in_pool = judged if pooled is None else judged & pooled  # without those of grade None
    return filled, judged | ~counted, in_pool


def without_padding(ranking: Any, judgments: Any) -> tuple[Any, Any]:
    """A ranking and its judgments without the documents whose grade is below 0.

    >>> without_padding(["a", "b", "c"], {"a": -1, "b": 2})
    (['b', 'c'], {'b': 2})
    """
    if judgments is None:
        return _grades_without_padding(ranking), None
    if not isinstance(judgments, Mapping):
        return ranking, judgments
    padding = {d for d, grade in judgments.items() if is_negative(grade)}
    if not padding:
        return ranking, judgments
    kept = {d: grade for d, grade in judgments.items() if d not in padding}
    documents = [d for d in ranking if d not in padding]
    if isinstance(ranking, Mapping):
        return {d: ranking[d] for d in documents}, kept
    return documents, kept


def _grades_without_padding(ranking: Any) -> Any:
    """A list of grades without those below 0; anything else as it is, to be refused later."""
    if isinstance(ranking, (str, bytes, Mapping)) or not hasattr(ranking, "__iter__"):
        return ranking
    return [grade for grade in ranking if not is_negative(grade)]


def _as_list(labels: Sequence[Hashable] | None) -> list[Hashable] | None:
    return None if labels is None else list(labels)


def _grades_in_order(ranking: Any, query: Any) -> list[Any]:
    if isinstance(ranking, list):
        return ranking
    if isinstance(ranking, Mapping):
        raise InputError(f"{at(query)}a ranking given as scores needs judgments: document -> grade")
    checks.ordered(ranking, query)
    checks.collection(
        ranking,
        "ranking",
        at(query),
        "give a list of grades or of document ids",
    )
    if isinstance(ranking, np.ndarray):
        return list(ranking.tolist())
    return list(ranking)


def _pool(judgments: Any, query: Any) -> dict[Hashable, Any]:
    if isinstance(judgments, Mapping):
        return dict(judgments)
    remedy = "map documents to grades, or give a set of relevant documents"
    checks.collection(judgments, "judgments", at(query), remedy)
    _refuse_scores(judgments, query)
    return dict.fromkeys(checks.ids(judgments, query, "judged"), 1)


def _refuse_scores(judgments: Any, query: Any) -> None:
    """Refuse numbers with a fraction as ids: they are scores, as scikit-learn takes them second."""
    for relevant in judgments:
        if isinstance(relevant, (float, np.floating)) and not float(relevant).is_integer():
            raise InputError(
                f"{at(query)}the judgments hold {relevant}, which is a score and no id of a "
                "document; give the grades in the order of the scores as the only list, as in "
                "ndcg([2, 1, 3, 0]), or document -> score and document -> grade"
            )


def _as_grades(
    grades: list[Any],
    documents: Sequence[Hashable] | None,
    query: Any,
    negative: Negative,
    *,
    exact: bool,
    ranked: bool = True,
) -> tuple[Array, Array]:
    """Grades as numbers (0 where not judged), and which of them count as judged."""
    values = _finite_numbers(grades)
    if values is not None:
        judged = trues(len(values))
    else:
        values, judged = _checked_grades(
            grades,
            documents,
            query,
            ranked=ranked,
        )
    below = values < 0
    if exact:
        values = as_exact([0 if g is None else g for g in grades])
    if not np.count_nonzero(below):
        return values, judged
    if negative.refused:
        first = int(np.flatnonzero(below)[0])
        place = _place(
            first,
            documents,
            query,
            ranked=ranked,
        )
        raise negative_grade(place, grades[first])
    return negative.settled(values, judged)


def _checked_grades(
    grades: list[Any],
    documents: Sequence[Hashable] | None,
    query: Any,
    *,
    ranked: bool,
) -> tuple[Array, Array]:
    """Grades of which some are missing, or no numbers, which is an error that names the first."""
    values = np.zeros(len(grades))
    judged = np.zeros(len(grades), dtype=bool)
    for i, grade in enumerate(grades):
        if documents is None and isinstance(grade, str):
            raise InputError(
                f"{at(query, grade, i + 1)}a ranking of documents needs judgments: "
                "document -> grade"
            )
        if grade is not None:
            checks.grade(grade, _place(i, documents, query, ranked=ranked))
            values[i] = grade
            judged[i] = True
    return values, judged


def _place(
    i: int,
    documents: Sequence[Hashable] | None,
    query: Any,
    *,
    ranked: bool,
) -> str:
    document = None if documents is None else documents[i]
    return at(query, document, i + 1 if ranked else None)


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


def goes_in_bulk(options: Mapping[str, Any]) -> bool:
    """Whether rows of the judged documents alone are enough under these conventions."""
    if not options["duplicates"].refused:
        return False
    ties = options["ties"]
    is_absent = options["unretrieved"].absent
    if options["unjudged"].grade is not None:  # their ranks are those where no judged one stands
        return bool(ties.in_bulk and is_absent)
    return bool(is_absent or not ties.whole)


class RankedRun(Protocol):
    """A whole run, or some of its queries, after it met its judgments."""

    def ranked(self, options: Mapping[str, Any], *, numbered: bool = False) -> Rows | None:
        """Rows of the judged documents alone, for all queries that count; None where it can't."""


def ranked_in_bulk(joined: RankedRun, options: Mapping[str, Any]) -> Rows | None:
    """Rows of the judged documents of a whole run, if these conventions allow it."""
    if not goes_in_bulk(options):
        return None
    rows: Rows | None = joined.ranked(options)
    if rows is None:
        return None
    grade_of_unjudged = options["unjudged"].grade
    if grade_of_unjudged is not None:
        rows = of_all_retrieved(rows, grade_of_unjudged)
    counted: Rows = options["pool"].counted(rows)
    return counted


def numbered_in_bulk(joined: RankedRun, options: Mapping[str, Any]) -> Rows | None:
    """The same where a number stands for each document, if these conventions allow it."""
    if not goes_in_bulk(options) or options["unjudged"].grade is not None:
        return None
    rows: Rows | None = joined.ranked(options, numbered=True)
    if rows is None:
        return None
    counted: Rows = options["pool"].counted(rows)
    return counted


RANKED = KindOfInput(
    "ranking",
    ("ranking", "judgments"),
    align,
    {field.name: getattr(PLAIN, field.name) for field in fields(Alignment)},
    ranked_in_bulk,
    grouped=Alignment,
)
