"""Listwise learning by a loss of lists that can be differentiated: ListNet and ListMLE."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.losses import levels, listmle_loss, listnet_loss
from irmetrics_edu.lab.learning.ranker import LinearRanker, learnable, linear, positive
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.learning.solving import newton
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Working


def listnet(data: RankingData, *, C: float = 1.0) -> LinearRanker:
    """ListNet learns weights with which scores rank each document first as probably as grades do.

    It minimises |w|^2 / 2 + C times the sum over queries of `listnet_loss`, by Newton's method. The
    published learner is a neural network without a hidden layer, which is w . x. It has no |w|^2,
    and a large C comes near it. Documents whose scores are equal but for rounding (`near_ties`) tie
    in its run. The working has the loss of each query.

    Source: Cao, Qin, Liu, Tsai & Li (2007), Learning to rank: from pairwise approach to listwise
    approach, ICML.

    >>> data = RankingData([[0, 5], [1, 1], [2, 4]], [0, 1, 2], ["q"] * 3, ["a", "b", "c"])
    >>> a, b, c = listnet(data).score(data.features).tolist()
    >>> a < b < c
    True
    """
    learnable(data, "ListNet")
    queries = [np.arange(a, b) for a, b in zip(data.starts[:-1], data.starts[1:], strict=True)]
    first = listnet_loss(data, np.zeros(len(data.grade)))["P_y"]
    return _learnt(LISTNET, data, C, listnet_loss, [(rows, 1.0) for rows in queries], first)


def listmle(data: RankingData, *, C: float = 1.0) -> LinearRanker:
    """ListMLE learns the weights that make the order of the grades most likely to be drawn.

    It minimises |w|^2 / 2 + C times the sum over queries of `listmle_loss`, by Newton's method.
    `listmle_loss` says how documents of one grade are treated. The published learner has no |w|^2,
    and a large C comes near it. Documents whose scores are equal but for rounding (`near_ties`) tie
    in its run. The working has the loss of each query.

    Source: Xia, Liu, Wang, Zhang & Li (2008), Listwise approach to learning to rank: theory and
    algorithm, ICML.

    >>> data = RankingData([[0, 5], [1, 1], [2, 4]], [0, 1, 2], ["q"] * 3, ["a", "b", "c"])
    >>> a, b, c = listmle(data).score(data.features).tolist()
    >>> a < b < c
    True
    """
    learnable(data, "ListMLE")
    draws, target = [], np.zeros(len(data.grade))
    for level in levels(data):
        draws.append((level.rest, float(len(level.drawn))))
        target[level.drawn] = 1.0
    return _learnt(LISTMLE, data, C, listmle_loss, draws, target)


def _learnt(
    method: Method,
    data: RankingData,
    C: float,
    loss: Callable[[RankingData, Any], Working],
    draws: list[tuple[Array, float]],
    target: Array,
) -> LinearRanker:
    """The weights of least loss, a sum of `times` ln(sum of exp(score) of rows) - target . score.

    `draws` are these rows, with how many times each.
    """
    positive("C", C)
    if next(levels(data), None) is None:
        raise InputError(
            f"{method.name}: no query has two documents of different grades, so there is no order "
            "to learn; give a query with at least two grades"
        )
    m = data.features.shape[1]
    tables = [(data.features[rows], times) for rows, times in draws]
    wanted = target @ data.features

    def value(w: Array) -> float:
        return float(w @ w / 2 + C * loss(data, data.features @ w).score.sum())

    def slopes(w: Array) -> tuple[Array, Array]:
        gradient, hessian = w - C * wanted, np.eye(m)
        for table, times in tables:
            score = table @ w
            share = np.exp(score - score.max())
            share /= share.sum()
            mean = share @ table
            gradient += C * times * mean
            apart = table - mean
            hessian += C * times * (apart.T * share @ apart)
        return gradient, hessian

    found = newton(value, slopes, np.zeros(m))
    early = found.notes(data, method.name, found.point)

    def working() -> Working:
        out = loss(data, data.features @ found.point)
        out.notes = [
            *out.notes,
            f"of all queries together: |w|^2 / 2 + C times the losses = {steady(found.value):.4f}",
            *early,
        ]
        return out

    return linear(method, data, found.point, working, {"C": C})


LISTNET = Method(
    "ListNet",
    listnet,
    r"\min_w\ \tfrac12\lVert w\rVert^2-C\sum_q\sum_j P_y(j)\ln P_f(j)"
    r"\quad\text{with}\ P_s(j)=\frac{\exp s_j}{\sum_k\exp s_k},\ f=w^{T}x",
    "Cao, Qin, Liu, Tsai & Li (2007), Learning to rank: from pairwise approach to listwise "
    "approach, ICML",
)
LISTMLE = Method(
    "ListMLE",
    listmle,
    r"\min_w\ \tfrac12\lVert w\rVert^2+C\sum_q\sum_{i}"
    r"\left(\ln\sum_{k:\,y_k\le y_i}\exp(w^{T}x_k)-w^{T}x_i\right)",
    "Xia, Liu, Wang, Zhang & Li (2008), Listwise approach to learning to rank: theory and "
    "algorithm, ICML",
)
