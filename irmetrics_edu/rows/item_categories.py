"""Recommended lists with the categories of their items, as rows."""

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.by_query import QUERY, ROW, on
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.rows.recommended import Recommended, items_of, one_list, relevant_among
from irmetrics_edu.working import Table


@dataclass(eq=False)
class Categorised(Recommended):
    """Recommended lists with the categories of their items.

    Beside the items there are category lines: the query, the category, how often it occurs among
    the relevant items, and how often it was counted elsewhere. Memberships are pairs of an item's
    row and a category's line, sorted by item.
    """

    categories: Sequence[AbstractSet[Any]] = field(metadata=on(ROW))
    category_query: Array = field(metadata=on("category", to=QUERY))
    category: Sequence[Hashable] = field(metadata=on("category"))
    frequency: Array = field(metadata=on("category"))
    counted: Array = field(metadata=on("category"))
    member_item: Array = field(metadata=on("member", to=ROW))
    member_category: Array = field(metadata=on("member", to="category"))
    catalogue: Sequence[Mapping[Any, Any] | int] = field(metadata=on(QUERY))
    # A relevant item of each query without categories.
    uncategorised: Sequence[Hashable | None] = field(metadata=on(QUERY))

    def top(self, k: int | None) -> Self:
        """The items down to rank k; the categories stay."""
        if k is not None and self.counted.any():
            raise InputError(
                f"k={k} can't be used with counts, because counts have no ranks; "
                "cut the lists instead"
            )
        return super().top(k)

    def table(self) -> Table:
        """The lines that columns over the items stand for."""
        return Table(
            self.query, {"rank": self.rank, "item": self.item, "categories": self.categories}
        )

    def covered(self, members: Array) -> Array:
        """Which category lines the marked memberships reach."""
        out = np.zeros(len(self.category), dtype=bool)
        out[self.member_category[members]] = True
        return out

    def first_seen(self, members: Array) -> Array:
        """How many categories each item is the first to have, among the marked memberships."""
        _, first = np.unique(self.member_category[members], return_index=True)
        return self.count(np.bincount(self.member_item[members][first], minlength=len(self.item)))

    def frequencies(self) -> Array:
        """How often each category line occurs among the recommended, or was counted."""
        here = np.bincount(self.member_category, minlength=len(self.category))
        return self.count(here + self.counted)

    def number_of_categories(self, number: Any, covered: Array) -> Array:
        """The number of all categories: as given, or all that the catalogue names."""
        here = np.bincount(self.category_query[covered], minlength=self.n)
        if number is None:
            sizes: dict[int, int] = {}
            for named in self.catalogue:
                if id(named) not in sizes:
                    sizes[id(named)] = named if isinstance(named, int) else _named_in(named)
            return self.count(np.array([sizes[id(named)] for named in self.catalogue]))
        checks.whole(
            "n_categories",
            number,
            1,
            why=": how many categories there are in all",
        )
        if (here > number).any():
            q = int(np.argmax(here > number))
            raise InputError(
                f"{self.at(q)}n_categories={number} is too small: {int(here[q])} categories "
                "occur; give the number of all categories"
            )
        return self.count(np.full(self.n, int(number)))


def _named_in(catalogue: Mapping[Any, Any]) -> int:
    return len(
        {c for item, categories in catalogue.items() for c in categories_of(item, categories)}
    )


def categories_of(item: Hashable, categories: Any, place: str = "") -> frozenset[Any]:
    """The categories of an item, as a set; a bare text is refused."""
    if isinstance(categories, (str, bytes)) or not hasattr(categories, "__iter__"):
        raise InputError(
            f"{place}the categories of item {item!r} are the text {categories!r}; "
            f"give a set, such as {{{categories!r}}}"
        )
    return frozenset(categories)


def _lines_of(of_each: Sequence[AbstractSet[Any]]) -> dict[Hashable, int]:
    """The number of each category: in order of appearance, and by name within an item.

    So a working reads the same always.
    """
    line: dict[Hashable, int] = {}
    for categories in of_each:
        for category in sorted(categories, key=str):
            line.setdefault(category, len(line))
    return line


def align_categories(
    recommended: Any,
    categories: Any,
    *,
    relevant: Any = None,
    exact: bool = False,
    query: Any = None,
) -> Categorised:
    """One recommended list and the categories of items, as rows.

    `recommended` is a list of items in order (or a mapping from item to score). `categories` maps
    each item to the set of its categories. It may map the whole catalogue.

    >>> align_categories(["a", "b"], {"a": {"rock"}, "b": {"rock", "folk"}}).frequencies()
    array([2., 1.])
    """
    items = items_of(recommended, query)
    remedy = "map each item to the set of its categories"
    checks.mapping(categories, "categories", at(query), remedy)
    if not categories:
        raise InputError(f"{at(query)}no categories are given: map each item to its categories")
    lacking = "is not among the categories; map it to its categories, or to set() if it has none"
    each = checks.looked_up(items, categories, query, lacking, ranked=True)
    of_item = [categories_of(item, its_categories, place) for place, item, its_categories in each]
    hits = relevant_among(items, relevant, query) if relevant is not None else []
    of_hit = []
    uncategorised = []
    for item in hits:
        if item in categories:
            of_hit.append(categories_of(item, categories[item], at(query)))
        else:
            uncategorised.append(item)
    of_each = [*of_item, *of_hit]
    line = _lines_of(of_each)
    frequency = np.zeros(len(line), dtype=np.intp)
    for its_categories in of_hit:
        frequency[[line[c] for c in its_categories]] += 1
    member_item: list[int] = []
    member_category: list[int] = []
    for i, its_categories in enumerate(of_item):
        for category in sorted(its_categories, key=str):
            member_item.append(i)
            member_category.append(line[category])
    return Categorised(
        **one_list(items, hits, query, exact=exact),
        categories=of_item,
        category_query=np.zeros(len(line), dtype=np.intp),
        category=list(line),
        frequency=frequency,
        counted=np.zeros(len(line), dtype=np.intp),
        member_item=np.array(member_item, dtype=np.intp),
        member_category=np.array(member_category, dtype=np.intp),
        catalogue=[categories],
        uncategorised=[uncategorised[0] if uncategorised else None],
    )


def align_effective(
    recommended: Any,
    relevant: Any,
    categories: Any,
    *,
    exact: bool = False,
    query: Any = None,
) -> Categorised:
    """One recommended list, the relevant (test) items and the categories of items, as rows.

    `relevant` is a set of items, or a mapping from item to grade (relevant is a grade of at least
    1). The rest is as for `align_categories`.

    >>> rows = align_effective(["a", "b"], {"b"}, {"a": {"rock"}, "b": {"folk"}})
    >>> rows.effective.tolist()
    [False, True]
    """
    return align_categories(
        recommended,
        categories,
        relevant=relevant,
        exact=exact,
        query=query,
    )


def align_frequencies(
    recommended: Any,
    categories: Any = None,
    *,
    exact: bool = False,
    query: Any = None,
) -> Categorised:
    """One recommended list and its items' categories, or counts alone, as rows.

    Counts map a thing to how often it occurs, such as an item to how many lists hold it (see
    `exposure`). They come without `categories`.

    >>> align_frequencies({"a": 3, "b": 0}).frequencies()
    array([3., 0.])
    """
    if categories is not None:
        return align_categories(
            recommended,
            categories,
            exact=exact,
            query=query,
        )
    if not isinstance(recommended, Mapping):
        raise InputError(
            f"{at(query)}{recommended!r} comes without categories; give item -> set of "
            f"categories too, or a mapping of counts, such as {{'a': 3, 'b': 0}}"
        )
    counts = list(recommended.values())
    for thing, number in recommended.items():
        checks.whole(f"{at(query)}recommended[{thing!r}]", number, 0, checks.MOST_COUNTED)
    n = len(counts)
    none = np.zeros(0, dtype=np.intp)
    return Categorised(
        **one_list([], (), query, exact=exact),
        categories=[],
        category_query=np.zeros(n, dtype=np.intp),
        category=list(recommended),
        frequency=np.zeros(n, dtype=np.intp),
        counted=np.array(counts, dtype=np.intp),
        member_item=none,
        member_category=none,
        catalogue=[n],
        uncategorised=[None],
    )


CATEGORIES = KindOfInput(
    "recommended list with categories", ("recommended", "categories"), align_categories
)
EFFECTIVE_CATEGORIES = KindOfInput(
    "recommended list with relevant items and categories",
    ("recommended", "relevant", "categories"),
    align_effective,
)
FREQUENCIES = KindOfInput(
    "recommended list with categories, or counts", ("recommended", "categories"), align_frequencies
)
