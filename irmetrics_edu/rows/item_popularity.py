"""Recommended lists with how often each item occurs elsewhere, or whether it was expected."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, like, zeros
from irmetrics_edu.rows.by_query import QUERY, ROW, on
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.rows.recommended import Recommended, items_of, one_list, relevant_among


@dataclass(eq=False)
class Known(Recommended):
    """Recommended lists with a count for each item: how often it occurs, or 1 if expected.

    `chosen` is the mean count of the items that each user chose, if it is known.
    """

    counted: Array = field(metadata=on(ROW))
    chosen: Array = field(metadata=on(QUERY))

    def where(self, row: int) -> str:
        """A row's place, as an error message names it."""
        place = self.at(int(self.query[row]), rank=int(self.rank[row]))
        return f"{place}item {self.item[row]!r} "


def _known(
    items: Sequence[Any],
    counted: Sequence[int],
    hits: Any,
    query: Any,
    *,
    exact: bool,
) -> Known:
    fields = one_list(
        items,
        hits,
        query,
        exact=exact,
    )
    ranks = fields["rank"]
    counts = like(ranks, np.array(counted, dtype=np.intp))
    return Known(**fields, counted=counts, chosen=zeros(ranks, 1))


def _counts(
    items: Sequence[Any],
    counts: Any,
    name: str,
    query: Any,
    *,
    ranked: bool,
) -> list[int]:
    """The count of each item, checked."""
    checks.mapping(counts, name, at(query), "map each item to its count")
    lacking = f"is not in {name}; give the count of every item, 0 if it never occurs"
    each = checks.looked_up(
        items,
        counts,
        query,
        lacking,
        ranked=ranked,
    )
    return [
        checks.whole(f"{place}{name}[{item!r}]", count, 0, checks.MOST_COUNTED)
        for place, item, count in each
    ]


def align_popularity(
    recommended: Any,
    popularity: Any,
    *,
    name: str = "popularity",
    exact: bool = False,
    query: Any = None,
) -> Known:
    """One recommended list, and how many users know each item, as rows.

    >>> align_popularity(["a", "b"], {"a": 3, "b": 1}).counted
    array([3., 1.])
    """
    items = items_of(recommended, query)
    counts = _counts(
        items,
        popularity,
        name,
        query,
        ranked=True,
    )
    return _known(
        items,
        counts,
        (),
        query,
        exact=exact,
    )


def align_chosen(
    recommended: Any,
    relevant: Any,
    popularity: Any,
    *,
    exact: bool = False,
    query: Any = None,
) -> Known:
    """One recommended list, what the user chose, and how many users know each item, as rows.

    >>> align_chosen(["a"], {"b", "c"}, {"a": 9, "b": 1, "c": 2}).chosen
    array([1.5])
    """
    rows = align_popularity(
        recommended,
        popularity,
        exact=exact,
        query=query,
    )
    chosen = relevant_among(rows.item, relevant, query)
    if not chosen:
        raise InputError(f"{at(query)}the user chose nothing; leave the user out")
    counts = _counts(
        chosen,
        popularity,
        "popularity",
        query,
        ranked=False,
    )
    rows.chosen = like(rows.rank, [sum(counts)]) / len(counts)
    return rows


def align_hits(
    recommended: Any,
    relevant: Any,
    popularity: Any,
    *,
    exact: bool = False,
    query: Any = None,
) -> Known:
    """One recommended list with its relevant items, and how many users know each item, as rows.

    >>> align_hits(["a", "b"], {"b", "c"}, {"a": 3, "b": 1}).effective.astype(int).tolist()
    [0, 1]
    """
    items = items_of(recommended, query)
    hits = relevant_among(items, relevant, query)
    counts = _counts(
        items,
        popularity,
        "popularity",
        query,
        ranked=True,
    )
    return _known(
        items,
        counts,
        hits,
        query,
        exact=exact,
    )


def align_exposure(
    recommended: Any,
    exposure: Any,
    *,
    exact: bool = False,
    query: Any = None,
) -> Known:
    """One recommended list, and how many lists hold each item (see `exposure`), as rows.

    >>> align_exposure(["a", "b"], {"a": 3, "b": 1}).counted
    array([3., 1.])
    """
    return align_popularity(
        recommended,
        exposure,
        name="exposure",
        exact=exact,
        query=query,
    )


def align_expected(
    recommended: Any,
    relevant: Any,
    expected: Any,
    *,
    exact: bool = False,
    query: Any = None,
) -> Known:
    """One recommended list, the relevant (test) items and the expected ones, as rows.

    >>> align_expected(["a", "b"], {"b"}, ["a"]).counted
    array([1., 0.])
    """
    items = items_of(recommended, query)
    hits = relevant_among(items, relevant, query)
    checks.collection(
        expected,
        "expected",
        at(query),
        "give a list of items",
    )
    expected_items = checks.ids(expected, query, "expected")
    checks.same_kind_of_ids(items, expected_items, query)
    there = frozenset(expected_items)
    return _known(
        items,
        [item in there for item in items],
        hits,
        query,
        exact=exact,
    )


POPULARITY = KindOfInput(
    "recommended list with popularity", ("recommended", "popularity"), align_popularity
)
CHOSEN = KindOfInput(
    "recommended list with chosen items and popularity",
    ("recommended", "relevant", "popularity"),
    align_chosen,
)
HITS = KindOfInput(
    "recommended list with relevant items and popularity",
    ("recommended", "relevant", "popularity"),
    align_hits,
)
EXPOSURE = KindOfInput(
    "recommended list with exposure", ("recommended", "exposure"), align_exposure
)
EXPECTED = KindOfInput(
    "recommended list with relevant and expected items",
    ("recommended", "relevant", "expected"),
    align_expected,
)
