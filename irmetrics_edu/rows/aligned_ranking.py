"""From a ranking and its judgments to rows: one table that every ranking metric reads.

The rows of every kind of input have one base, `ByQuery`. A field has a value for each query, for
each row, for each judged document of the pool, and so on: this is its axis. Its values may be
numbers of things along another axis, such as the query of each row. From that follow the rows of
one query, many queries in one table, and a choice of rows.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import Field, dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import (
    ALL_JUDGED,
    AS_GIVEN,
    AS_ZERO,
    FLOAT64,
    JUDGED,
    NO_DUPLICATES,
    NO_GAIN,
    NOWHERE,
    PADDING,
    REFUSED,
    Duplicates,
    Ideal,
    Negative,
    Pooled,
    Scores,
    Ties,
    Undefined,
    Unjudged,
    Unretrieved,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import (
    Array,
    all_true,
    is_exact,
    like,
    of_query_0,
    picked,
    ranks_to,
    ratio,
    running_product_before,
    running_total,
    starts_of,
    total,
    trues,
    zeros,
)
from irmetrics_edu.numbers import exact as as_exact
from irmetrics_edu.rows.ordering import in_order, listed, shared_by
from irmetrics_edu.working import Table

QUERY, ROW = "query", "row"
NESTED = "nested"  # a field that is a table of rows itself, with the same queries
WHOLE = "whole"  # a field that is said of the whole table: true if it is of every part


class _Column(NamedTuple):
    """A field with what it says of itself."""

    name: str
    axis: str
    to: str | None
    absent: Callable[[Any], Any] | None


def on(
    axis: str, *, to: str | None = None, absent: Callable[[Any], Any] | None = None
) -> Mapping[str, Any]:
    """The metadata of a field along an axis; its values are numbers of things along the axis `to`.

    Where tables are joined and only some of them have the field, `absent` makes it for the others.
    Without `absent` the joined table has no such field.
    """
    return {"axis": axis, "to": to, "absent": absent}


class ByQuery:
    """Rows of queries; from the axes of its fields follow `of`, `top`, `joined`, `n` and `starts`.

    A class of rows has `query`, the number of each row's query, and a field for each query, or its
    own `n`. Rows are sorted by query. What stands along any other axis has a query, too, or belongs
    to rows or to things that have one.
    """

    query: Any
    rank: Any
    _columns: ClassVar[tuple[_Column, ...]] = ()
    _names: ClassVar[tuple[str, ...]] = ()  # of the fields, in the order of the constructor
    _lines: ClassVar[dict[str, str]] = {}  # of each axis the first field, to count its lines
    _along: ClassVar[dict[str, list[_Column]]] = {}  # the fields of each axis
    _of_queries: ClassVar[list[_Column]] = []  # numbers of queries
    _linked: ClassVar[dict[str, list[_Column]]] = {}  # of an axis, numbers along others

    def __init_subclass__(cls) -> None:
        cls._columns = (
            *cls._columns,
            *(
                _Column(name, **given.metadata)
                for name, given in vars(cls).items()
                if isinstance(given, Field) and given.metadata
            ),
        )
        cls._along = {}
        cls._linked = {}
        for column in cls._columns:
            cls._along.setdefault(column.axis, []).append(column)
            if column.to not in (None, QUERY):
                cls._linked.setdefault(column.axis, []).append(column)
        cls._of_queries = [column for column in cls._columns if column.to == QUERY]
        cls._names = tuple(column.name for column in cls._columns)
        cls._lines = {axis: along[0].name for axis, along in cls._along.items()}

    @property
    def n(self) -> int:
        """The number of queries."""
        return len(getattr(self, self._lines[QUERY]))

    @cached_property
    def starts(self) -> Array:
        """Where each query's rows begin."""
        return starts_of(self.query, self.n)

    def total(self, values: Array, query: Array | None = None) -> Array:
        """The sum of a column, query by query; `query` has the query of each value of no row."""
        return total(values, self.query if query is None else query, self.n)

    def running(self, values: Array) -> Array:
        """The sum of a column down to each row, within its query."""
        return running_total(values, self.starts)

    def count(self, truth: Any) -> Array:
        """Whole numbers or truth values as numbers that can be summed."""
        return like(self.rank, truth)

    def ratio(self, numerator: Array, denominator: Array, empty: float = 0) -> Array:
        """Quotient per query, `empty` if the divisor is 0."""
        return ratio(numerator, denominator, empty)

    def at(self, q: int, document: Any = None, rank: int | None = None) -> str:
        """A query, or a place in its ranking, as an error message names it."""
        queries = getattr(self, "queries", None)
        return at(None if queries is None else queries[q], document, rank)

    def refuse(self, lacking: Array, undefined: Undefined, why: str) -> None:
        """Raise InputError for the first query marked, unless a convention says its value."""
        if undefined.refused and lacking.any():
            q = int(np.flatnonzero(lacking)[0])
            raise InputError(
                f"{self.at(q)}{why}; choose its value: undefined='zero' or undefined='nan', or "
                "undefined='skip' to leave such a query out of the mean"
            )

    def top(self, k: int | None) -> Self:
        """The rows down to rank k; what stands along other axes stays."""
        return self if k is None else self._within(self.rank <= k)

    def _within(self, inside: Array) -> Self:
        """The rows that are inside a cut."""
        size = np.count_nonzero(inside)
        if size == inside.size:
            return self
        # The rows of one query are in order of rank, so the first ones are inside.
        first = self.n == 1 and not self._linked
        kept = slice(size) if first else inside.astype(bool)
        return type(self)(*self._fields({ROW: kept}).values())

    def of(self, q: int) -> Self:
        """The rows of query number `q` alone."""
        kept = {axis: getattr(self, name) == q for name, axis, _, _ in self._of_queries}
        if ROW not in kept:
            kept[ROW] = self.query == q
        fields = self._fields(kept)
        for name, *_ in self._of_queries:
            fields[name] = fields[name] - q
        for name, *_ in (*self._along[QUERY], *self._along.get(NESTED, ())):
            fields[name] = _of_query(fields[name], q)
        return type(self)(*fields.values())

    def of_queries(self, kept: Array) -> Self:
        """The rows of the marked queries, which are numbered from 0 on."""
        marks = {axis: kept[getattr(self, name)] for name, axis, _, _ in self._of_queries}
        return type(self)(*self._fields({QUERY: kept, **marks}).values())

    def _fields(self, kept: dict[str, Any]) -> dict[str, Any]:
        """The fields with what is kept along each axis, and with all that belongs to it."""
        for axis, columns in self._linked.items():
            marks = [kept[c.to][getattr(self, c.name)] for c in columns if c.to in kept]
            if marks:
                kept[axis] = np.logical_and.reduce(marks)
        held = self.__dict__
        fields = {name: held[name] for name in self._names}
        for axis, keep in kept.items():
            for name, _, to, _ in self._along[axis]:
                value = fields[name]
                if value is not None:
                    value = picked(value, keep)
                    fields[name] = (np.cumsum(kept[to]) - 1)[value] if to in kept else value
        return fields

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Many queries in one table."""
        before: dict[str, list[int]] = {}  # how many things of each part stand before its own
        fields = {}
        for name, axis, to, absent in cls._columns:
            values = [getattr(part, name) for part in parts]
            if absent is not None and any(value is not None for value in values):
                values = [
                    absent(part) if value is None else value
                    for part, value in zip(parts, values, strict=True)
                ]
            if to is not None:
                if to not in before:
                    sized = [p.n if to == QUERY else len(getattr(p, cls._lines[to])) for p in parts]
                    before[to] = np.cumsum([0, *sized]).tolist()
                values = [value + b for value, b in zip(values, before[to], strict=False)]
            fields[name] = _as_one(values, axis)
        return cls(**fields)


def _of_query(value: Any, q: int) -> Any:
    """What a field holds for one query."""
    if value is None:
        return None
    if isinstance(value, ByQuery):
        return value.of(q)
    if isinstance(value, int):  # the number of queries
        return 1
    return value[q : q + 1] if isinstance(value, np.ndarray) else [value[q]]


def _as_one(values: list[Any], axis: str) -> Any:
    """The values of several tables, one below the other; None if a table has none."""
    if axis == WHOLE:
        return all(values)
    if any(value is None for value in values):
        return None
    first = values[0]
    if isinstance(first, ByQuery):
        return type(first).joined(values)
    if isinstance(first, int):  # the number of queries
        return sum(values)
    if isinstance(first, np.ndarray):
        return np.concatenate(values, axis=-1)
    return [value for part in values for value in part]


@dataclass(eq=False)
class Rows(ByQuery):
    """A ranking aligned with its judgments: rows (query, rank, grade), and each query's pool.

    Rows are sorted by query and rank. A row of a document that was not judged has grade 0, and its
    `judged` is false. Such rows can be left out without any change to a score. The pool holds the
    grades of all judged documents, retrieved or not. Documents without a grade (`None` in the
    judgments) are rows with `pooled` true and `judged` false.
    """

    query: Array = field(metadata=on(ROW, to=QUERY))
    rank: Array = field(metadata=on(ROW))
    grade: Array = field(metadata=on(ROW))
    judged: Array = field(metadata=on(ROW))
    # How many documents each query retrieved, rows or not.
    retrieved: Array = field(metadata=on(QUERY))
    pool_query: Array = field(metadata=on("pool", to=QUERY))
    pool_grade: Array = field(metadata=on("pool"))
    document: Sequence[Hashable] | None = field(default=None, metadata=on(ROW))
    pool_document: Sequence[Hashable] | None = field(default=None, metadata=on("pool"))
    pooled: Array | None = field(default=None, metadata=on(ROW, absent=lambda rows: rows.judged))
    queries: Sequence[Any] | None = field(default=None, metadata=on(QUERY))
    # The first rank and the number of those that share it, if they do.
    span: Array | None = field(
        default=None,
        metadata=on(ROW, absent=lambda rows: np.stack([rows.rank, np.ones(len(rows.rank))])),
    )
    _best: "Rows | None" = field(default=None, init=False, repr=False)  # the ideal of the judged

    @property
    def n(self) -> int:
        """The number of queries."""
        return len(self.retrieved)  # a call asks for it many times, so not by a field's name

    def product_before(self, factors: Array) -> Array:
        """The product of the factors of all earlier rows of the query."""
        return running_product_before(factors, self.starts)

    def gains(self, gain: Callable[[Array], Array]) -> Array:
        """What each row's grade is worth; a document that nobody judged gains nothing."""
        worth = gain(self.grade)
        if all_true(self.judged):
            return worth
        return np.where(self.judged, worth, zeros(worth, 1)[0])

    def relevance(self, rel: float = 1) -> Array:
        """1 for a relevant row, else 0: relevant is a grade of at least `rel`."""
        self._no_grade_in_between(self.grade, self.query, rel)
        if rel > 0:
            return self.count(self.grade >= rel)
        return self.count((self.grade >= rel) & self.judged)

    def relevant(self, rel: float = 1) -> Array:
        """R: how many documents of each query's pool are relevant."""
        self._no_grade_in_between(self.pool_grade, self.pool_query, rel)
        return total(like(self.pool_grade, self.pool_grade >= rel), self.pool_query, self.n)

    def _no_grade_in_between(self, grades: Array, query: Array, rel: float) -> None:
        if rel == 1 and len(grades):
            between = (grades > 0) & (grades < 1)
            if between.any():
                raise InputError(
                    f"{self.at(int(query[between][0]))}grade {grades[between][0]} is neither 0 nor "
                    "at least 1; give the lowest grade of a relevant document: rel=0.5, in a "
                    "measure's name P(rel=0.5)@10"
                )

    def depth(self, k: int | None) -> Array:
        """How many documents of each query stand within the cut."""
        n = self.retrieved if k is None else np.minimum(self.retrieved, k)
        return like(self.grade, n)

    def top(self, k: int | None) -> Self:
        """The rows down to rank k; pool and number retrieved stay."""
        if k is None:
            return self
        return self._within((self.rank if self.span is None else self.span[0]) <= k)

    def where(self, keep: Array) -> Self:
        """The rows that are marked."""
        return type(self)(*self._fields({ROW: keep}).values())

    def at_rank(self, factor: Callable[[Array], Array], k: int | None = None) -> Array:
        """The factor for each row's rank; tied documents get the mean factor of their ranks.

        Ranks below k count 0 in the mean: with a cut at 1, two documents that share ranks 1 and 2
        get half of the factor each.
        """
        if self.span is None or not len(self.rank):
            return factor(self.rank)
        first, size = (column.astype(np.intp) for column in self.span)
        ranks = ranks_to(self.grade, int((first + size).max()) - 1)
        factors = factor(ranks)
        if k is not None:
            factors = np.where(ranks <= k, factors, zeros(self.grade, 1)[0])
        so_far = np.concatenate([zeros(self.grade, 1), factors.cumsum()])
        mean: Array = (so_far[first + size - 1] - so_far[first - 1]) / like(self.grade, size)
        return mean

    def with_pool_of_retrieved(self) -> "Rows":
        """The same rows with a pool of only the documents that were retrieved and judged."""
        kept = self.judged
        return replace(
            self,
            pool_query=self.query[kept],
            pool_grade=self.grade[kept],
            pool_document=picked(self.document, kept),
        )

    def ideal(self, of: Ideal = JUDGED, k: int | None = None) -> "Rows":
        """The ideal ranking: all judged documents, best grades first, or as `how` says."""
        if of is JUDGED:
            if self._best is None:
                self._best = self._sorted(self.pool_query, self.pool_grade, self.pool_document)
            return self._best
        best: Rows = of(self, k)
        return best

    @property
    def ideal_of_retrieved(self) -> "Rows":
        """The best order of the judged documents that the ranking holds.

        Documents that nobody judged gain nothing, so they are ranked above losses.
        """
        kept = self.judged
        if (self.grade < 0).any():
            more = np.repeat(
                np.arange(self.n), self.retrieved - np.bincount(self.query, minlength=self.n)
            )
            return self._sorted(
                np.concatenate([self.query, more]),
                np.concatenate([self.grade, zeros(self.grade, len(more))]),
                None if len(more) else self.document,
            )
        return self._sorted(self.query[kept], self.grade[kept], picked(self.document, kept))

    def in_order_of(self, worth: Array) -> "Rows":
        """The same documents ranked by what they are worth, best first."""
        by_query = sorted(range(len(worth)), key=lambda i: (self.query[i], -worth[i]))
        order = np.array(by_query, dtype=np.intp)
        return replace(self, grade=self.grade[order], document=picked(self.document, order))

    def all_of_grade_1(self, sizes: Any) -> "Rows":
        """Rankings of so many documents of grade 1, one for each query."""
        sizes = np.asarray(sizes, dtype=np.intp)
        query = np.repeat(np.arange(self.n), sizes)
        return self._sorted(query, like(self.grade, np.ones(len(query))), None)

    def _sorted(self, query: Array, grade: Array, document: Sequence[Hashable] | None) -> "Rows":
        if self.n == 1:
            if document is None:
                grade = -grade
                grade.sort()
                np.negative(grade, out=grade)
            else:
                order = (-grade).argsort(kind="stable")
                grade, document = grade[order], picked(document, order)
            ranks = ranks_to(grade, len(grade))
            sizes = np.array([len(grade)])
        else:
            order = _best_first(query, grade)
            query, grade, document = query[order], grade[order], picked(document, order)
            starts = starts_of(query, self.n)
            sizes = np.diff(starts)
            ranks = like(grade, np.arange(1, len(query) + 1) - np.repeat(starts[:-1], sizes))
        return Rows(
            query=query,
            rank=ranks,
            grade=grade,
            judged=trues(len(grade)),
            retrieved=sizes,
            pool_query=query,
            pool_grade=grade,
            document=document,
            queries=self.queries,
        )

    def table(self) -> Table:
        """The lines that columns over these rows stand for."""
        labels: dict[str, Any] = {"rank": self.rank}
        if self.document is not None:
            labels["document"] = self.document
        labels["grade"] = self.grade
        labels["judged"] = self.judged
        return Table(self.query, labels)


def _best_first(query: Array, grade: Array) -> Array:
    """The order by query, and within a query by falling grade; equal grades stay as they are."""
    if is_exact(grade):
        by_query = sorted(range(len(grade)), key=lambda i: (query[i], -grade[i]))
        return np.array(by_query, dtype=np.intp)
    least = grade.min(initial=0)
    most = grade.max(initial=0)
    if most - least < 1 << 20 and (grade == np.rint(grade)).all():  # one key: half of the time
        one_key = query * int(most - least + 1) - grade.astype(np.int64)
        return one_key.argsort(kind="stable")
    return np.lexsort((-grade, query))


__all__ = ["RANKED", "KindOfInput", "Rows", "align"]


@dataclass(frozen=True)
class KindOfInput:
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
