"""What a score could have been: the least, expected and greatest over all orders of ties.

Documents of equal score are in an order that the run did not choose. For many measures the spread
over all orders can be computed exactly, without trying them:

- least and greatest, if a better order never lowers the score: sort within each tie;
- expectation, if the measure can be computed with ties="averaged": the kernel's own, by
  the probabilities of McSherry & Najork (2008);
- anything else, novelty and lists of items too, by trying all orders, if they are few;
- curves over scores take tied documents together and have no spread.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np

from irmetrics_edu.conventions import BY_HITS
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import RANKED, Rows
from irmetrics_edu.rows.nuggets import INTENTS, NUGGETS
from irmetrics_edu.rows.scored import SCORED

MCSHERRY = (
    "McSherry & Najork (2008), Computing information retrieval performance measures efficiently "
    "in the presence of tied scores, ECIR"
)
MOST_ORDERS = 20_000
MOST_LISTS = 2_000  # orders that are aligned one by one
NO_TIES = "no document is tied"
TOO_MANY = "the expectation needs all orders, and there are too many"
_MOST_ROWS = 2_000_000


@dataclass(frozen=True)
class TieSpread:
    """The least, expected and greatest score of a query over all orders of its tied documents.

    `given` is the score in the order that the conventions chose. `tied` counts the documents in
    ties. `least`, `mean` or `greatest` is None if it can't be computed exactly. `how` says how the
    mean was computed, or why it was not.
    """

    least: float | None
    mean: float | None
    greatest: float | None
    given: float
    tied: int
    how: str


def tie_spread(metric: Metric, aligned: Any, query: Hashable) -> TieSpread:
    """The spread of one query's score over all orders of its tied documents."""
    if metric.inputs is SCORED:
        return _order_free(metric, aligned, query)
    if metric.inputs is not RANKED:
        return _over_lists(metric, aligned, query)
    rows = aligned.one(metric, query)
    return spread(metric, rows, _groups(aligned.levels(query, rows)))


def _order_free(metric: Metric, aligned: Any, query: Hashable) -> TieSpread:
    """A curve takes documents of one score together, so that their order is never read."""
    rows = aligned.one(metric, query)
    given = float(_scores(metric, [rows])[0])
    ties = [tie for tie in _groups(rows.score) if len(tie) > 1]
    how = "the measure takes documents of one score together"
    return TieSpread(given, given, given, given, sum(map(len, ties)), how if ties else NO_TIES)


def _over_lists(metric: Metric, aligned: Any, query: Hashable) -> TieSpread:
    """The spread of a measure of the listed documents themselves, by trying all orders."""
    documents = list(aligned.order(query))
    held = aligned.scores(query)
    level = np.array([held[d] for d in documents] if held else range(len(documents)))
    ties = [tie for tie in _groups(level) if len(tie) > 1]
    tied = sum(map(len, ties))
    given = float(_scores(metric, [aligned.one(metric, query)])[0])
    if not ties:
        return TieSpread(given, given, given, given, 0, NO_TIES)
    kinds = _kinds(metric, aligned.judgments(query), documents)
    orders = all_orders(len(documents), ties, kinds, min(MOST_ORDERS, MOST_LISTS))
    if orders is None:
        return TieSpread(None, None, None, given, tied, TOO_MANY)
    rankings = [[documents[i] for i in order.tolist()] for order in orders]
    rows = [aligned.one(metric, query, ranking=ranking) for ranking in rankings]
    scores = _scores(metric, rows)
    how = f"all {len(scores):,} orders that differ"
    return TieSpread(
        float(scores.min()), float(scores.mean()), float(scores.max()), given, tied, how
    )


def _kinds(metric: Metric, judged: Any, documents: Sequence[Hashable]) -> Sequence[Hashable]:
    """What of each document the measure sees: its nuggets, or which document it is."""
    if metric.inputs not in (NUGGETS, INTENTS):
        return documents

    def kind(document: Hashable) -> Hashable:
        held = judged.get(document) if document in judged else None
        return frozenset(held.items() if isinstance(held, Mapping) else held or ())

    return [(d in judged, kind(d)) for d in documents]


def _groups(level: Array) -> list[Array]:
    """The rows of each tie, in order, by the score or level of each row; one alone is a tie too."""
    cuts = np.flatnonzero(level[1:] != level[:-1]) + 1
    return np.split(np.arange(len(level)), cuts) if len(level) else []


def spread(metric: Metric, rows: Rows, groups: Sequence[Array]) -> TieSpread:
    """The spread over all orders of rows within each of the groups."""
    given = float(_scores(metric, [rows])[0])
    ties = [g for g in groups if len(g) > 1]
    tied = sum(len(g) for g in ties)
    if not ties:
        return TieSpread(given, given, given, given, 0, NO_TIES)
    low = high = mean = None
    if metric.monotone and not _by_hits(metric):
        worst, best = (
            _reordered(rows, _sorted(rows, ties, -1)),
            _reordered(rows, _sorted(rows, ties, 1)),
        )
        low, high = (float(s) for s in _scores(metric, [worst, best]))
    how = TOO_MANY
    if metric.shares_ties and not _by_hits(metric):
        mean, how = float(_scores(metric, [_shared(rows, groups)])[0]), MCSHERRY
    if mean is None or low is None:
        everything = _all_orders(metric, rows, ties)
        if everything is not None:
            low, mean, high = (
                float(everything.min()),
                float(everything.mean()),
                float(everything.max()),
            )
            how = f"all {len(everything):,} orders that differ"
    return TieSpread(low, mean, high, given, tied, how)


def _by_hits(metric: Metric) -> bool:
    """Whether the divisor depends on the order, so that a better order may score lower."""
    return metric.params.get("divisor", metric.defaults.get("divisor")) == BY_HITS


def _scores(metric: Metric, variants: Sequence[Any]) -> Array:
    params = {n: v for n, v in metric.params.items() if n in metric.defaults}
    return metric.measured(type(variants[0]).joined(variants), metric.k, **params).score


def _reordered(rows: Rows, order: Array) -> Rows:
    """The same ranks with other documents at them."""
    return replace(
        rows,
        grade=rows.grade[order],
        judged=rows.judged[order],
        pooled=None if rows.pooled is None else rows.pooled[order],
        document=None,
        span=None,  # an order of its own for each, even where the conventions share the ranks
    )


def _shared(rows: Rows, groups: Sequence[Array]) -> Rows:
    """The same rows, of which those of a tie share its ranks."""
    sizes = np.array([len(g) for g in groups])
    first = np.concatenate([[1], 1 + sizes.cumsum()[:-1]])
    return replace(rows, span=np.repeat(np.stack([first, sizes]), sizes, axis=1).astype(float))


def _sorted(rows: Rows, ties: Sequence[Array], sign: int) -> Array:
    """The best order within each tie (sign 1), or the worst (sign -1)."""
    order = np.arange(len(rows.rank))
    for tie in ties:
        order[tie] = tie[np.lexsort((-sign * rows.judged[tie], -sign * rows.grade[tie]))]
    return order


def _all_orders(metric: Metric, rows: Rows, ties: Sequence[Array]) -> Array | None:
    """The scores of all orders that differ, each as likely as the others; None if too many."""
    pooled = rows.judged if rows.pooled is None else rows.pooled
    kinds = list(zip(rows.grade.tolist(), rows.judged.tolist(), pooled.tolist(), strict=True))
    size = max(1, len(rows.rank))
    orders = all_orders(len(rows.rank), ties, kinds, min(MOST_ORDERS, _MOST_ROWS // size))
    return None if orders is None else _scores(metric, [_reordered(rows, o) for o in orders])


def all_orders(
    n: int, ties: Sequence[Array], kinds: Sequence[Hashable], most: int
) -> list[Array] | None:
    """The orders of `n` documents that differ, each equally likely; None if there are too many.

    `ties` holds the places of the documents of each tie. `kinds` is what a measure sees of each
    document: if two of one kind change places, nothing changes.

    >>> all_orders(3, [np.array([1, 2])], ["a", "b", "c"], 10)
    [array([0, 1, 2]), array([0, 2, 1])]
    >>> all_orders(3, [np.array([1, 2])], ["a", "b", "b"], 10)
    [array([0, 1, 2])]
    """
    alike = [_alike([kinds[i] for i in tie.tolist()]) for tie in ties]
    if prod(_arrangements([len(c) for c in classes.values()]) for classes in alike) > most:
        return None
    orders = []
    for places in product(*(list(_orders(tie, c)) for tie, c in zip(ties, alike, strict=True))):
        order = np.arange(n)
        for tie, chosen in zip(ties, places, strict=True):
            order[tie] = chosen
        orders.append(order)
    return orders


def _alike(kinds: Sequence[Hashable]) -> dict[Hashable, list[int]]:
    classes: dict[Hashable, list[int]] = {}
    for place, which in enumerate(kinds):
        classes.setdefault(which, []).append(place)
    return classes


def _arrangements(sizes: Sequence[int]) -> int:
    """How many orders there are of things of which some are alike."""
    n, left = 1, sum(sizes)
    for size in sizes:
        n *= comb(left, size)
        left -= size
    return n


def _orders(tie: Array, classes: Mapping[Hashable, list[int]]) -> Iterator[Array]:
    """The orders of a tie that differ: documents alike keep the order among themselves."""
    supply = [list(places) for places in classes.values()]

    def extend(done: list[int], used: list[int]) -> Iterator[list[int]]:
        if len(done) == len(tie):
            yield done
            return
        for c, places in enumerate(supply):
            if used[c] < len(places):
                more = used.copy()
                more[c] += 1
                yield from extend([*done, places[used[c]]], more)

    for order in extend([], [0] * len(supply)):
        yield tie[np.array(order)]
