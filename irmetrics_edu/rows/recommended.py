"""From a recommended list to rows: its items, and which of them are effective."""

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import Undefined
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, as_fraction, is_exact, like, ranks_to, ratio, total
from irmetrics_edu.working import Table


@dataclass(eq=False)
class Recommended:
    """The items of recommended lists: rows (query, rank, item), sorted by query and rank.

    An item is effective if it is also among the relevant (test) items of its query.
    """

    query: Array
    rank: Array
    item: Sequence[Hashable]
    effective: Array
    length: Array  # how many items each query was recommended
    queries: Sequence[Any] | None

    @property
    def n(self) -> int:
        """The number of queries (users)."""
        return len(self.length)

    def depth(self, k: int | None) -> Array:
        """How many items each list has within the cut."""
        return self.length if k is None else np.minimum(self.length, k)

    def count(self, truth: Array) -> Array:
        """Whole numbers or truth values as numbers that can be summed."""
        return like(self.rank, truth)

    def total(self, values: Array, query: Array | None = None) -> Array:
        """The sum of a column, query by query."""
        return total(values, self.query if query is None else query, self.n)

    def ratio(self, numerator: Array, denominator: Array, empty: float = 0) -> Array:
        """Quotient per query, `empty` if the divisor is 0."""
        return ratio(numerator, denominator, empty)

    def coefficient(self, name: str, value: Any) -> Any:
        """A discount coefficient in [0, 1], as the kind of number that these rows hold."""
        checks.between(name, value, 0, 1)
        return as_fraction(value) if is_exact(self.rank) else float(value)

    def refuse(self, lacking: Array, undefined: Undefined, why: str) -> None:
        """Raise InputError for the first query marked, unless a convention says its value."""
        if undefined.name == "refuse" and lacking.any():
            q = int(np.flatnonzero(lacking)[0])
            query = self.queries[q] if self.queries is not None else q if self.n > 1 else None
            raise InputError(
                f"{at(query)}{why}; choose its value: undefined='zero' or undefined='nan'"
            )

    def table(self) -> Table:
        """The lines that columns over these rows stand for."""
        return Table(self.query, {"rank": self.rank, "item": self.item})

    def _items(self, keep: Array, queries: slice = slice(None)) -> dict[str, Any]:
        """The fields of the items that are marked, for `top` and `of`."""
        return {
            "query": self.query[keep] - (queries.start or 0),
            "rank": self.rank[keep],
            "item": picked(self.item, keep),
            "effective": self.effective[keep],
            "length": self.length[queries],
            "queries": None if self.queries is None else self.queries[queries],
        }

    @staticmethod
    def joined_items(parts: Sequence["Recommended"]) -> dict[str, Any]:
        """The fields of the items of all the parts, for `joined`."""
        named = all(p.queries is not None for p in parts)
        return {
            "query": shifted([(p.query, p.n) for p in parts]),
            "rank": np.concatenate([p.rank for p in parts]),
            "item": [item for p in parts for item in p.item],
            "effective": np.concatenate([p.effective for p in parts]),
            "length": np.concatenate([p.length for p in parts]),
            "queries": [q for p in parts for q in p.queries or ()] if named else None,
        }


def picked(labels: Sequence[Any], keep: Array) -> list[Any]:
    """The labels that are marked."""
    return [labels[i] for i in np.flatnonzero(keep).tolist()]


def shifted(pointers: Sequence[tuple[Array, int]]) -> Array:
    """Pointers into several tables, as pointers into the tables put one below the other."""
    before = np.cumsum([0] + [size for _, size in pointers])
    return np.concatenate([p + b for (p, _), b in zip(pointers, before, strict=False)])


def renumbered(pointer: Array, keep: Array) -> Array:
    """Pointers into a table, as pointers into those of its lines that are marked."""
    return (np.cumsum(keep) - 1)[pointer]


def items_of(recommended: Any, query: Any) -> list[Hashable]:
    """The items of a recommended list, or of a mapping from item to score, in ranked order."""
    if isinstance(recommended, Mapping):
        return checks.by_score(recommended, query)
    if not hasattr(recommended, "__iter__") or isinstance(recommended, AbstractSet):
        raise InputError(
            f"{at(query)}recommended={recommended!r} is not a list; give the items in order"
        )
    return checks.ids(recommended, query, "recommended")


def relevant_among(items: Sequence[Hashable], relevant: Any, query: Any) -> list[Hashable]:
    """The relevant (test) items of a query: those given, or those of grade 1 and more."""
    if isinstance(relevant, Mapping):
        judged = list(relevant)
        for item, grade in relevant.items():
            if not checks.number(grade, "grade", at(query, item)) >= 0:
                raise InputError(
                    f"{at(query, item)}grade {grade} is negative; give 0 for an "
                    "item that is not relevant"
                )
            if 0 < grade < 1:
                raise InputError(
                    f"{at(query, item)}grade {grade} is neither 0 nor at least "
                    "1; give 0 (not relevant) or at least 1"
                )
        found = [item for item in judged if relevant[item] >= 1]
    elif isinstance(relevant, (str, bytes)) or not hasattr(relevant, "__iter__"):
        raise InputError(f"{at(query)}relevant={relevant!r} is not a set of items; give a set")
    else:
        judged = found = checks.ids(relevant, query, "relevant")
    if not judged:
        raise InputError(
            f"{at(query)}nothing is judged; give the relevant (test) items, or leave the "
            "query out of the evaluation"
        )
    checks.same_kind_of_ids(items, judged, query)
    return found


def ranks_of(items: Sequence[Hashable], *, exact: bool) -> Array:
    """The ranks 1, 2, ... of a list, in the kind of number that is computed with."""
    kind = np.empty(0, dtype=object if exact else np.float64)
    return ranks_to(kind, len(items))
