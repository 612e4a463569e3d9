"""Queries whose documents have features, grades and facets."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array, starts_of

Run = dict[Hashable, dict[Hashable, float]]  # query, document, score or grade


def floats(name: str, values: Any) -> Array:
    """A table or a list as an array of floats, or an error."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} are not all numbers: {error}; give numbers") from None


@dataclass(frozen=True, eq=False, repr=False)
class RankingData:
    """Data for learning to rank are queries with documents, each with features and a grade.

    There is a row per document: `features` (n rows, m columns, finite), `grade` (n numbers, at
    least 0), `query` and `document` (n ids). The rows of a query are together, and each document
    occurs once in a query. `facets` is the set of facets of each document, or None. If a row
    breaks these rules, InputError names its query and document.

    >>> data = RankingData([[1, 0], [0, 1]], [2, 0], ["q1", "q1"], ["d1", "d2"])
    >>> data
    <RankingData of 1 queries, 2 documents, 2 features, grades 0 to 2>
    >>> data.qrels
    {'q1': {'d1': 2.0, 'd2': 0.0}}
    """

    features: Any
    grade: Any
    query: Sequence[Hashable]
    document: Sequence[Hashable]
    facets: Sequence[frozenset[Hashable]] | None = None
    feature_names: Sequence[str] = ()

    def __repr__(self) -> str:
        n, m = self.features.shape
        low = self.grade.min()
        high = self.grade.max()
        return (
            f"<RankingData of {len(self.queries)} queries, {n} documents, "
            f"{m} features, grades {low:g} to {high:g}>"
        )

    def __post_init__(self) -> None:
        features = floats("features", self.features)
        grade = floats("grades", self.grade)
        settle = object.__setattr__  # frozen: what is read is settled here, once
        settle(self, "features", features)
        settle(self, "grade", grade)
        settle(self, "query", list(self.query))
        settle(
            self,
            "document",
            list(self.document),
        )
        self._check()
        m = features.shape[1]
        names = tuple(self.feature_names)
        if not names:
            names = tuple(f"x{j + 1}" for j in range(m))
        if len(names) != m or len(set(names)) != m:
            raise InputError(
                f"{len(names)} names are given for {m} features; give each feature its own name"
            )
        settle(self, "feature_names", names)

    def _check(self) -> None:
        n = len(self.query)
        if not n:
            raise InputError("the data have no document; give at least one query with documents")
        is_table = self.features.ndim == 2 and len(self.features) == n
        if not is_table or self.grade.shape != (n,):
            raise InputError(
                f"{n} documents need a table of features with {n} rows and {n} grades; got "
                f"features {self.features.shape} and grades {self.grade.shape}"
            )
        columns = {"document": self.document, "facets": self.facets}
        for name, column in columns.items():
            if column is not None and len(column) != n:
                raise InputError(f"{n} rows need {n} entries of {name}; got {len(column)}")
        self._check_numbers()
        self._check_order()

    def _check_numbers(self) -> None:
        finite = np.isfinite(self.features).all(axis=1)
        for row in np.flatnonzero(~finite).tolist()[:1]:
            raise InputError(f"{self._at(row)}a feature is not finite; give finite numbers")
        possible = np.isfinite(self.grade) & (self.grade >= 0)
        for row in np.flatnonzero(~possible).tolist()[:1]:
            raise InputError(
                f"{self._at(row)}grade {self.grade[row]:g} is not possible; give a finite "
                "number of at least 0"
            )

    def _check_order(self) -> None:
        seen: set[Hashable] = set()
        documents: set[Hashable] = set()
        ids = zip(self.query, self.document, strict=True)
        for row, (query, document) in enumerate(ids):
            if not row or query != self.query[row - 1]:
                if query in seen:
                    raise InputError(
                        f"{self._at(row)}there are other rows between the rows of this query; "
                        "sort the rows by query"
                    )
                seen.add(query)
                documents = set()
            if document in documents:
                raise InputError(
                    f"{self._at(row)}the document occurs twice in the query; give it once"
                )
            documents.add(document)

    def _at(self, row: int) -> str:
        return at(self.query[row], self.document[row])

    @cached_property
    def queries(self) -> list[Hashable]:
        """The queries, in the order of the rows."""
        return list(dict.fromkeys(self.query))

    @cached_property
    def number(self) -> Array:
        """The number of each row's query, from 0."""
        place = {query: i for i, query in enumerate(self.queries)}
        numbers = [place[query] for query in self.query]
        return np.array(numbers, dtype=np.intp)

    @cached_property
    def starts(self) -> Array:
        """Where each query's rows begin, and the end."""
        return starts_of(self.number, len(self.queries))

    @property
    def rows_of_queries(self) -> list[slice]:
        """The rows of each query."""
        starts = self.starts.tolist()
        return [slice(start, end) for start, end in pairwise(starts)]

    @property
    def grades(self) -> list[float]:
        """The grades that occur, from low to high."""
        return [float(g) for g in np.unique(self.grade)]

    @cached_property
    def qrels(self) -> Run:
        """The judgments: query, document, grade."""
        return self._by_query(self.grade.tolist())

    @cached_property
    def nuggets(self) -> dict[Hashable, dict[Hashable, frozenset[Hashable]]]:
        """The facets of relevant documents: query, document, set, as metrics of novelty read."""
        if self.facets is None:
            raise InputError("the data have no facets; give the set of facets of each document")
        relevant = (self.grade > 0).tolist()
        nuggets: list[frozenset[Hashable]] = []
        for facets, is_relevant in zip(self.facets, relevant, strict=True):
            nuggets.append(facets if is_relevant else frozenset())
        return self._by_query(nuggets)

    def run(self, scores: npt.ArrayLike) -> Run:
        """The run that scores make: query, document, score."""
        return self._by_query(self.column(scores).tolist())

    def column(self, scores: npt.ArrayLike) -> Array:
        """A finite number for each row, or an error."""
        values = floats("scores", scores)
        if values.shape != self.grade.shape:
            raise InputError(f"{len(self.grade)} documents need one score each; got {values.shape}")
        finite = np.isfinite(values)
        for row in np.flatnonzero(~finite).tolist()[:1]:
            raise InputError(f"{self._at(row)}score {values[row]} is not finite")
        return values

    def _by_query(self, values: Sequence[Any]) -> dict[Hashable, dict[Hashable, Any]]:
        by_query: dict[Hashable, dict[Hashable, Any]] = {}
        for query in self.queries:
            by_query[query] = {}
        rows = zip(
            self.query,
            self.document,
            values,
            strict=True,
        )
        for query, document, value in rows:
            by_query[query][document] = value
        return by_query

    def take(self, queries: Sequence[Hashable]) -> Self:
        """The rows of some queries."""
        wanted = set(queries)
        of_data = set(self.queries)
        for query in queries:
            if query not in of_data:
                raise InputError(f"query {query!r} is not in the data")
        chosen = [query in wanted for query in self.query]
        return self._rows(np.flatnonzero(chosen))

    def _rows(self, rows: Array, features: Array | None = None) -> Self:
        """Some rows, with other features if they are given."""
        table = self.features if features is None else features
        chosen = rows.tolist()
        facets = None if self.facets is None else [self.facets[i] for i in chosen]
        return type(self)(
            features=table[rows],
            grade=self.grade[rows],
            query=[self.query[i] for i in chosen],
            document=[self.document[i] for i in chosen],
            facets=facets,
            feature_names=self.feature_names,
        )

    def split(self, share: float = 0.5, *, seed: int = 0) -> tuple[Self, Self]:
        """Two parts: a random share of the queries to learn from, and the others to test on."""
        checks.between(
            "share",
            share,
            0,
            1,
            open_low=True,
            open_high=True,
        )
        n = len(self.queries)
        wanted = max(round(share * n), 1)
        size = min(wanted, n - 1)
        if size < 1:
            raise InputError(f"{n} query can't be split; give at least 2")
        order = np.random.default_rng(seed).permutation(n)
        drawn = np.isin(self.number, order[:size])
        learnt = self._rows(np.flatnonzero(drawn))
        others = self._rows(np.flatnonzero(~drawn))
        return learnt, others

    def normalised(self) -> Self:
        """The same data with each feature scaled to [0, 1] within each query, as in LETOR.

        A feature that is the same throughout a query, but for rounding (`near_ties`), becomes 0
        there. Source: Qin, Liu, Xu & Li (2010), LETOR: a benchmark collection for research on
        learning to rank for information retrieval, Information Retrieval 13.
        """
        starts = self.starts[:-1]
        low = np.minimum.reduceat(self.features, starts)[self.number]
        high = np.maximum.reduceat(self.features, starts)[self.number]
        apart = exceeds(high, low, np.abs(low))
        width = np.where(apart, high - low, 1.0)
        scaled = (self.features - low) / width
        every_row = np.arange(len(self.grade))
        return self._rows(every_row, np.where(apart, scaled, 0.0))


def from_rankings(grades: Mapping[Hashable, Sequence[float]]) -> RankingData:
    """Rankings as data: the grades of each query's documents in ranked order, best rank first.

    The only feature, `score`, falls by 1 from rank to rank, so scores by it give the ranking back.

    >>> data = from_rankings({"A": [2, 3, 1]})
    >>> data.run(data.features[:, 0])
    {'A': {'d1': -1.0, 'd2': -2.0, 'd3': -3.0}}
    """
    scores: list[list[int]] = []
    grade: list[float] = []
    query_of: list[Hashable] = []
    document: list[str] = []
    for query, ranked in grades.items():
        for rank, grade_at_rank in enumerate(ranked, 1):
            scores.append([-rank])
            grade.append(grade_at_rank)
            query_of.append(query)
            document.append(f"d{rank}")
    return RankingData(
        scores,
        grade,
        query_of,
        document,
        feature_names=("score",),
    )
