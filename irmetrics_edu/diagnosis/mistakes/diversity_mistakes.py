"""Recommended lists with the wrong items discounted or the wrong pairs counted."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.metrics.diversity import gini, ilad
from irmetrics_edu.metrics.popularity import serendipity
from irmetrics_edu.metrics.recommendation import dcc, dilad
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.item_categories import Categorised
from irmetrics_edu.rows.item_distances import Spaced
from irmetrics_edu.rows.item_popularity import Known
from irmetrics_edu.working import Working

of_dcc = partial(
    mistake,
    read="the slides on diversity, DCC and FDCC; the code that the authors of the metrics released",
)
of_ild = partial(mistake, read="the slides on diversity, ILAD and ILMD; Ziegler et al. (2005)")


def _coverage(
    rows: Categorised,
    in_full: Array,
    discounted: Array,
    alpha: float,
    n: int | None,
) -> Array:
    of_all = rows.number_of_categories(n, in_full | discounted)
    query = rows.category_query
    whole = rows.total(rows.count(in_full), query) + alpha * rows.total(
        rows.count(discounted), query
    )
    return rows.ratio(whole, of_all)


def _by_category(rows: Categorised, k: int | None, alpha: float, n_categories: int | None) -> Array:
    """DCC of the categories that the list and the relevant items have in common."""
    top = rows.top(k)
    covered = top.covered(np.ones(len(top.member_item), dtype=bool))
    wanted = covered & (top.frequency > 0)
    return _coverage(top, wanted, covered & ~wanted, alpha, n_categories)


of_dcc(
    "dcc-hits-by-category",
    "hits counted by category: a category counts in full if any relevant item has it, even an "
    "item that was not recommended",
    why="An item is effective only if it is itself recommended and relevant. Sharing a category "
    "with a relevant item is not enough.",
).of_call(dcc, _by_category, "alpha", "n_categories")


def _on_effective(
    rows: Categorised,
    k: int | None,
    alpha: float,
    n_categories: int | None,
) -> Array:
    """DCC with its two sides exchanged."""
    top = rows.top(k)
    of_hit = top.effective[top.member_item]
    return _coverage(top, top.covered(~of_hit), top.covered(of_hit), alpha, n_categories)


of_dcc(
    "dcc-alpha-on-the-effective",
    "alpha applied to the effective items in place of the others",
    why="Alpha discounts the categories of items that are not effective. The categories of hits "
    "count in full.",
).of_call(dcc, _on_effective, "alpha", "n_categories")


of_ild(
    "ild-over-n-squared",
    "a sum of distances divided by n^2",
    why="A list of n items has n(n-1) ordered pairs. n^2 also counts each item's distance to "
    "itself, which is 0.",
).of_score(
    ilad, lambda found: found.score * (found.rows.depth(found.k) - 1) / found.rows.depth(found.k)
)

of_ild(
    "ild-pairs-counted-once",
    "each pair counted once, but divided by n(n-1)",
    why="n(n-1) is the number of ordered pairs. If you add each pair once, divide by n(n-1)/2.",
).of_score(ilad, lambda found: found.score / 2)

of_ild(
    "ild-over-items",
    "each pair counted once, but divided by n, the number of items",
    why="A list of n items has n(n-1)/2 pairs. Divided by n, the value grows with the length of "
    "the list, and can exceed the largest distance.",
).of_score(ilad, lambda found: found.score * (found.rows.depth(found.k) - 1) / 2)

of_ild(
    "ild-of-similarity",
    "similarity in place of distance",
    why="Diversity is the mean distance, 1 - cosine. The mean cosine is high for lists of similar "
    "items.",
).of_score(ilad, lambda found: 1 - found.score)


def _over_one_less(right: Working) -> Array:
    """The Gini coefficient times n / (n - 1); 0 of one category."""
    n = right["all categories"]
    value: Array = right.rows.ratio(right.score * n, n - 1)
    return value


mistake(
    "gini-over-n-minus-1",
    "the Gini coefficient divided by n - 1 in place of n, the number of categories",
    why="Divided by n - 1, it is 1 if one category has everything; divided by n it is 1 - 1/n. "
    "Both forms are in use: say which, and compare values of one form alone.",
    read="Castells, Hurley & Vargas (2015), Novelty and diversity in recommender systems",
).of_score(gini, _over_one_less, "n_categories", "undefined")


def _beta_once(rows: Spaced, k: int | None, beta: float) -> Array:
    """DILAD with the weight beta for every pair that is not wholly effective."""
    top = rows.top(k)
    both = top.effective[top.first] & top.effective[top.second]
    n = rows.depth(k)
    whole = top.total(np.where(both, 1.0, beta) * top.distance, top.pair_query)
    return rows.ratio(whole, n * (n - 1) / 2)


of_dcc(
    "dilad-beta-once",
    "beta taken once for a pair of two ineffective items",
    why="Each item that is not effective has its own factor beta, so two such items give beta "
    "squared.",
).of_call(dilad, _beta_once, "beta")


def _useless(rows: Known, k: int | None) -> Array:
    """The share of the list that was not expected."""
    top = rows.top(k)
    return rows.ratio(top.total(1 - top.counted), rows.count(rows.depth(k)))


mistake(
    "serendipity-without-use",
    "all items that were not expected counted, relevant or not",
    why="An item counts for serendipity only if it was not expected and is relevant.",
    read="Ge et al. (2010), Beyond accuracy",
).of_call(serendipity, _useless)

# Of all counts together, which no rows of a list have: the search makes this of a measure by users.
mistake(
    "popularity-over-interactions",
    "the number of all interactions in place of the number of users",
    why="The share of users who know an item is its count over the number of users. The counts of "
    "all items add up to more, since one user knows many items.",
    read="Vargas & Castells (2011); Zhou et al. (2010)",
)


def number_of_interactions(popularity: Any) -> int | None:
    """The sum of the counts of all items; None where they are no whole numbers."""
    if not isinstance(popularity, Mapping) or not popularity:
        return None
    counts = list(popularity.values())
    if not all(isinstance(count, (int, np.integer)) for count in counts):
        return None
    return int(sum(counts))
