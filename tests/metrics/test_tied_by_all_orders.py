"""Shared ranks by brute force: a small list with ties scores as the mean over all its orders."""

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from irmetrics_edu.conventions import AVERAGED
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.rows.aligned_ranking import Alignment, align
from irmetrics_edu.rows.ranked_rows import Rows

import_all()
SHARING = [name for name, metric in METRICS.items() if metric.shares_ties]
NAMES = [
    *SHARING, "P(divisor=retrieved)", "P(divisor=reachable)", "R(divisor=reachable)", "F(beta=2)",
    "Rprec_mult@0.5", "Rprec_mult@2", "AP(divisor=reachable)", "AP(divisor=k)",
    "AP(divisor=retrieved)", "nDCG(gain=exp,discount=jk)", "RBP(gain=linear)",
]  # fmt: skip
DOCUMENTS = "abc"
ORDERS = list(permutations(DOCUMENTS))
SCORES = [dict(zip(DOCUMENTS, levels, strict=True)) for levels in product((1.0, 2.0), repeat=3)]
BINARY = list(product((0, 1), repeat=3))
JUDGED = [
    {
        d: grade
        for d, grade in {**dict(zip(DOCUMENTS, grades, strict=True)), **more}.items()
        if grade is not None
    }
    for grades in product((None, 0, 1, 2), repeat=3)
    for more in ({"x": 0}, {"x": 1})
]


@pytest.fixture(scope="module")
def rows() -> tuple[Rows, Rows]:
    """Every list of scores with every judgment, and every order with every judgment."""
    by = Alignment(ties=AVERAGED)
    tied = [align(scores, judged, by=by) for scores in SCORES for judged in JUDGED]
    ordered = [align(order, judged) for order in ORDERS for judged in JUDGED]
    return Rows.joined(tied), Rows.joined(ordered)


def _expected(each: Any) -> Any:
    """The mean of the scores of all orders that sort a list, for every list and judgment."""
    each = each.reshape(len(ORDERS), len(JUDGED))
    means = []
    for scores in SCORES:
        levels = [[scores[document] for document in order] for order in ORDERS]
        sorts = [found == sorted(found, reverse=True) for found in levels]
        means.append(each[sorts].mean(axis=0))
    return np.array(means).ravel()


@pytest.mark.parametrize("name", NAMES)
def test_a_list_with_ties_scores_as_the_mean_over_its_orders(
    name: str, rows: tuple[Rows, Rows]
) -> None:
    """At every cut, inside a tie, at its edge, and beyond the end."""
    metric = parse(name)
    tied, ordered = rows
    for k in (None, 1, 2, 3, 5) if metric.has_cutoff and metric.cutoff == "k" else (None,):
        shared = metric.measured(tied, k, **metric.params).score
        each = metric.measured(ordered, k, **metric.params).score
        np.testing.assert_allclose(shared, _expected(each), rtol=1e-12, atol=1e-12)


def test_precision_over_the_hits_is_refused_only_where_their_number_hangs_on_the_order() -> None:
    """A cut through documents that are all relevant, or none of which is, is no obstacle."""
    metric = parse("AP(divisor=hits)")
    judgments = [{**dict(zip(DOCUMENTS, grades, strict=True)), "x": 1} for grades in BINARY]
    for scores, judged, k in product(SCORES, judgments, (1, 2, 3)):
        top = [
            {d for d in order[:k] if judged.get(d, 0) >= 1}
            for order in ORDERS
            if [scores[d] for d in order] == sorted(scores.values(), reverse=True)
        ]
        asked: Callable[[], float] = lambda: _shared(metric, scores, judged, k)  # noqa: B023, E731
        if len({len(hits) for hits in top}) > 1:
            with pytest.raises(InputError, match="the number of hits above it depends"):
                asked()
        else:
            asked()


def _shared(metric: Metric, scores: dict[str, float], judged: dict[str, int], k: int) -> float:
    return float(metric(scores, judged, k=k, ties="averaged"))
