"""Recommended lists with the distance of every pair of their items, as rows."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Self

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import Convention, kind
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.numbers import Array, objects
from irmetrics_edu.rows.by_query import ROW, on
from irmetrics_edu.rows.exact_roots import rational_root
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.rows.recommended import Recommended, items_of, one_list, relevant_among
from irmetrics_edu.working import Table


@kind
class Distance(Convention):
    """How far two items are from each other: a name, or a function of their two embeddings."""

    @classmethod
    def named(cls, value: Any, parameter: str = "") -> Self:
        """The distance that `value` is or names; a function becomes one of its own."""
        if not callable(value) or isinstance(value, Convention):
            return super().named(value, parameter)
        called = getattr(value, "__name__", type(value).__name__)
        meaning = f"by the function {called} of two embeddings"
        return cls(
            f"{called} {id(value):x}",
            "d(e_i,e_j)",
            meaning,
            function=value,
        )


COSINE = Distance.known("cosine")
GIVEN = Distance.known("given")
Distance.closed = True  # the rows are made by one of the two


@dataclass(eq=False)
class Spaced(Recommended):
    """Recommended lists with the distances of their items.

    Beside the items there is a line for each pair of a list: the rows of its two items, the higher
    ranked first, and their distance. The distance is the same both ways.
    """

    first: Array = field(metadata=on("pair", to=ROW))
    second: Array = field(metadata=on("pair", to=ROW))
    distance: Array = field(metadata=on("pair"))

    def top(self, k: int | None) -> Self:
        """The rows down to rank k, all of whose pairs have a distance."""
        cut = super().top(k)
        for pair, distance in enumerate(cut.distance.tolist()):
            if math.isnan(distance):  # the table has no such pair
                i, j = (cut.item[int(side[pair])] for side in (cut.first, cut.second))
                query = int(cut.query[cut.first[pair]])
                raise _missing(i, j, "distance", self.at(query))
        return cut

    @property
    def pair_query(self) -> Array:
        """The query of each pair."""
        out: Array = self.query[self.first]
        return out

    def pairs(self) -> Table:
        """The lines that columns over the pairs stand for."""
        items = np.fromiter(self.item, dtype=object, count=len(self.item))
        labels = {"item": items[self.first], "other item": items[self.second]}
        return Table(self.pair_query, labels)


def align_distances(
    recommended: Any,
    embeddings: Any,
    *,
    relevant: Any = None,
    distance: Distance = COSINE,
    exact: bool = False,
    query: Any = None,
) -> Spaced:
    """One recommended list and the distances of its items, as rows.

    `embeddings` maps each item to its vector. Vectors are normalised to length 1, so their lengths
    play no part. A vector of zeros has no direction and is refused. With `distance="given"`,
    `embeddings` holds the distances: a mapping from pairs (i, j), in either order. Distances are at
    least 0 and the same both ways; only those of pairs above a measure's cut-off are needed.
    Another `distance` is a function of two embeddings, of whatever kind these are.

    >>> align_distances(["a", "b"], {"a": [1, 0], "b": [0, 2]}).distance
    array([1.])
    """
    items = items_of(recommended, query)
    hits = () if relevant is None else relevant_among(items, relevant, query)
    first, second = np.triu_indices(len(items), 1)
    if distance is GIVEN:
        values = of_pairs(
            items,
            embeddings,
            "distance",
            query,
            least=0,
            exact=exact,
            lacking=math.nan,
        )
    elif distance.function is not None:
        values = _by_function(
            items,
            embeddings,
            distance.function,
            query,
            exact=exact,
        )
    else:
        values = _cosine(
            items,
            embeddings,
            query,
            exact=exact,
        )
    column = objects(values) if exact else np.array(values, dtype=np.float64)
    return Spaced(
        **one_list(items, hits, query, exact=exact),
        first=first,
        second=second,
        distance=column,
    )


def align_effective_distances(
    recommended: Any,
    relevant: Any,
    embeddings: Any,
    **options: Any,
) -> Spaced:
    """One recommended list, the relevant (test) items and the distances of items, as rows.

    `relevant` is a set of items, or a mapping from item to grade. The rest is as for
    `align_distances`.

    >>> rows = align_effective_distances(["a", "b"], {"b"}, {("b", "a"): 0.5}, distance=GIVEN)
    >>> rows.effective.tolist(), rows.distance.tolist()
    ([False, True], [0.5])
    """
    return align_distances(recommended, embeddings, relevant=relevant, **options)


def vectors_of(
    items: Sequence[Hashable],
    embeddings: Any,
    query: Any = None,
    *,
    ranked: bool = False,
    exact: bool = False,
) -> list[list[Any]]:
    """The vector of each item, as numbers: all of one length, and none of zeros alone."""
    if not isinstance(embeddings, Mapping):
        raise InputError(
            f"{at(query)}embeddings are not a mapping; map each item to its vector: for an "
            "array by item number, write dict(enumerate(array)); for a table of pairs, give "
            "'given' as the distance or the similarity"
        )
    vectors: list[list[Any]] = []
    lacking = "has no embedding; give one, or leave the item out of the list"
    for place, item, embedding in checks.looked_up(
        items, embeddings, query, lacking, ranked=ranked
    ):
        if isinstance(embedding, (str, bytes)) or not hasattr(embedding, "__iter__"):
            raise InputError(
                f"{place}the embedding of item {item!r} is {embedding!r}; give a vector of numbers"
            )
        values = embedding.tolist() if isinstance(embedding, np.ndarray) else embedding
        what = f"item {item!r}: coordinate"
        vector = [checks.number(v, what, place, exact=exact) for v in values]
        if len(vector) != len(vectors[0] if vectors else vector):
            raise InputError(
                f"{place}the embedding of item {item!r} has {len(vector)} coordinates, but "
                f"that of item {items[0]!r} has {len(vectors[0])}; give vectors of one length"
            )
        if not any(vector):
            raise InputError(
                f"{place}the embedding of item {item!r} is all zeros and has no direction, "
                "so no cosine; leave the item out or give it a vector"
            )
        vectors.append(vector)
    return vectors


def unit_of(vectors: Any) -> Array:
    """The vectors, none of which is all zeros, at length 1."""
    matrix = np.array(vectors, dtype=np.float64)
    matrix /= np.abs(matrix).max(axis=1, keepdims=True)  # so that no square overflows or vanishes
    unit: Array = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    return unit


def _cosine(
    items: list[Hashable],
    embeddings: Any,
    query: Any,
    *,
    exact: bool,
) -> Any:
    vectors = vectors_of(
        items,
        embeddings,
        query,
        ranked=True,
        exact=exact,
    )
    if exact:
        return [
            _exact_cosine(x, y, i, j)
            for (i, x), (j, y) in combinations(zip(items, vectors, strict=True), 2)
        ]
    if len(vectors) < 2:
        return []
    unit = unit_of(vectors)
    # Rounding may put a cosine a hair beyond 1.
    cosine = np.clip(unit @ unit.T, -1, 1)
    return 1 - cosine[np.triu_indices(len(items), 1)]


def _exact_cosine(
    x: list[Any],
    y: list[Any],
    i: Hashable,
    j: Hashable,
) -> Any:
    product = sum(a * b for a, b in zip(x, y, strict=True))
    if product == 0:
        return 1 - product
    lengths = rational_root(sum(a * a for a in x) * sum(b * b for b in y))
    if lengths is None:
        raise NotRational(
            f"the cosine distance of items {i!r} and {j!r} is irrational, because the lengths "
            "of their embeddings are; drop exact=True or give the distances (distance='given')"
        )
    return 1 - product / lengths


def _by_function(
    items: Sequence[Hashable],
    embeddings: Any,
    function: Callable[[Any, Any], Any],
    query: Any,
    *,
    exact: bool,
) -> list[Any]:
    """What a function gives for the embeddings of each pair of items."""
    lacking = "has no embedding; give one, or leave the item out of the list"
    embeddings_in_order = [
        embedding
        for _, _, embedding in checks.looked_up(items, embeddings, query, lacking, ranked=True)
    ]
    values = []
    for (i, x), (j, y) in combinations(zip(items, embeddings_in_order, strict=True), 2):
        pair = f"distance of items {i!r} and {j!r}"
        value = checks.number(
            function(x, y),
            f"{pair}:",
            at(query),
            exact=exact,
        )
        if value < 0:
            raise InputError(f"{at(query)}{pair} is {value}; the function has to give at least 0")
        values.append(value)
    return values


def _missing(
    i: Hashable,
    j: Hashable,
    what: str,
    place: str,
) -> InputError:
    return InputError(
        f"{place}the {what} of items {i!r} and {j!r} is missing; add ({i!r}, {j!r}) to the table"
    )


def of_pairs(
    items: Sequence[Hashable],
    table: Any,
    what: str,
    query: Any = None,
    *,
    least: float = -math.inf,
    exact: bool = False,
    lacking: Any = None,
) -> list[Any]:
    """The number that a mapping has for each pair of items, in either order; `what` it is.

    A pair that it does not have is an error, or gets the value `lacking`.
    """
    if not isinstance(table, Mapping):
        raise InputError(
            f"{at(query)}the table of pairs is not a mapping; give them by pair: {{(i, j): {what}}}"
        )
    values = []
    for i, j in combinations(items, 2):
        both_ways = []
        for a, b in ((i, j), (j, i)):
            if (a, b) in table:
                pair = f"{what} of items {a!r} and {b!r}"
                both_ways.append(checks.number(table[a, b], f"{pair}:", at(query), exact=exact))
                if both_ways[-1] < least:
                    raise InputError(f"{at(query)}{pair} is {table[a, b]}; give at least {least:g}")
        if not both_ways and lacking is None:
            raise _missing(i, j, what, at(query))
        if not both_ways:
            values.append(lacking)
            continue
        there = both_ways[0]
        back = both_ways[-1]
        if there != back and not math.isclose(there, back, rel_tol=1e-9, abs_tol=1e-12):
            raise InputError(
                f"{at(query)}the {what} from item {i!r} to {j!r} is {there}, but the {what} back "
                f"is {back}; give the same number both ways"
            )
        values.append(there)
    return values


DISTANCES = KindOfInput(
    "recommended list with embeddings",
    ("recommended", "embeddings"),
    align_distances,
    {"distance": COSINE},
)
EFFECTIVE_DISTANCES = KindOfInput(
    "recommended list with relevant items and embeddings",
    ("recommended", "relevant", "embeddings"),
    align_effective_distances,
    {"distance": COSINE},
)
