"""From a recommended list to rows: its items, and which of them are effective."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import Undefined
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, as_fraction, is_exact, ranks_to
from irmetrics_edu.rows.aligned_ranking import QUERY, ROW, ByQuery, on
from irmetrics_edu.working import Table


@dataclass(eq=False)
class Recommended(ByQuery):
    """The items of recommended lists: rows (query, rank, item), sorted by query and rank.

    An item is effective if it is also among the relevant (test) items of its query.
    """

    query: Array = field(metadata=on(ROW, to=QUERY))
    rank: Array = field(metadata=on(ROW))
    item: Sequence[Hashable] = field(metadata=on(ROW))
    effective: Array = field(metadata=on(ROW))
    length: Array = field(metadata=on(QUERY))  # how many items each query was recommended
    queries: Sequence[Any] | None = field(metadata=on(QUERY))

    def depth(self, k: int | None) -> Array:
        """How many items each list has within the cut."""
        return self.length if k is None else np.minimum(self.length, k)

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


def one_list(
    items: Sequence[Hashable], hits: Iterable[Hashable], query: Any, *, exact: bool
) -> dict[str, Any]:
    """The fields that all rows of one recommended list have, by their names."""
    effective = frozenset(hits)
    return {
        "query": np.zeros(len(items), dtype=np.intp),
        "rank": ranks_of(items, exact=exact),
        "item": list(items),
        "effective": np.array([item in effective for item in items], dtype=bool),
        "length": np.array([len(items)]),
        "queries": None if query is None else [query],
    }


def ranks_of(items: Sequence[Hashable], *, exact: bool) -> Array:
    """The ranks 1, 2, ... of a list, in the kind of number that is computed with."""
    kind = np.empty(0, dtype=object if exact else np.float64)
    return ranks_to(kind, len(items))
