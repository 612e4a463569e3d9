"""Listwise learning: by a loss of the list (ListNet, ListMLE), or by a metric (AdaRank)."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.checks import at, one_of, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.losses import levels, listmle_loss, listnet_loss, measured
from irmetrics_edu.lab.learning.ranker import LinearRanker, learnable, positive
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.learning.solving import newton
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.near_ties import TOLERANCE, best, falling, levelled
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Table, Working


def listnet(data: RankingData, *, C: float = 1.0) -> LinearRanker:
    """ListNet learns weights with which scores rank each document first as probably as grades do.

    It minimises |w|^2 / 2 + C times the sum over queries of `listnet_loss`, by Newton's method. The
    published learner is a neural network without a hidden layer, which is w . x. It has no |w|^2,
    and a large C comes near it. The working has the loss of each query.

    Source: Cao, Qin, Liu, Tsai & Li (2007), Learning to rank: from pairwise approach to listwise
    approach, ICML.

    >>> data = RankingData([[0, 5], [1, 1], [2, 4]], [0, 1, 2], ["q"] * 3, ["a", "b", "c"])
    >>> a, b, c = listnet(data).score(data.features).tolist()
    >>> a < b < c
    True
    """
    learnable(data, "ListNet")
    first = listnet_loss(data, np.zeros(len(data.grade)))["P_y"]
    draws = [(rows, 1.0) for rows in data.rows_of_queries]
    return _learnt(
        LISTNET,
        data=data,
        C=C,
        loss=listnet_loss,
        draws=draws,
        target=first,
    )


def listmle(data: RankingData, *, C: float = 1.0) -> LinearRanker:
    """ListMLE learns the weights that make the order of the grades most likely to be drawn.

    It minimises |w|^2 / 2 + C times the sum over queries of `listmle_loss`, by Newton's method.
    `listmle_loss` says how documents of one grade are treated. The published learner has no |w|^2,
    and a large C comes near it. The working has the loss of each query.

    Source: Xia, Liu, Wang, Zhang & Li (2008), Listwise approach to learning to rank: theory and
    algorithm, ICML.

    >>> data = RankingData([[0, 5], [1, 1], [2, 4]], [0, 1, 2], ["q"] * 3, ["a", "b", "c"])
    >>> a, b, c = listmle(data).score(data.features).tolist()
    >>> a < b < c
    True
    """
    learnable(data, "ListMLE")
    draws = []
    target = np.zeros(len(data.grade))
    for drawn, no_better in levels(data):
        draws.append((no_better, float(len(drawn))))
        target[drawn] = 1.0
    return _learnt(
        LISTMLE,
        data=data,
        C=C,
        loss=listmle_loss,
        draws=draws,
        target=target,
    )


def _learnt(
    method: Method,
    data: RankingData,
    C: float,
    loss: Callable[[RankingData, Any], Working],
    draws: Sequence[tuple[Any, float]],
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
        gradient = w - C * wanted
        hessian = np.eye(m)
        for table, times in tables:
            score = table @ w
            share = np.exp(score - score.max())
            share /= share.sum()
            mean = share @ table
            gradient += C * times * mean
            apart = table - mean
            hessian += C * times * (apart.T * share @ apart)
        return gradient, hessian

    minimum = newton(value, slopes, np.zeros(m))
    minimum.require_end(data, method.name)

    def working() -> Working:
        losses = loss(data, data.features @ minimum.point)
        least = steady(minimum.value)
        losses.notes = [
            *losses.notes,
            f"of all queries together: |w|^2 / 2 + C times the losses = {least:.4f}",
        ]
        return losses

    return LinearRanker(
        method,
        data.feature_names,
        working,
        {"C": C},
        minimum.point,
    )


LISTNET = Method(
    "ListNet",
    listnet,
    r"\min_w\ \tfrac12\lVert w\rVert^2-C\sum_q\sum_j P_y(j)\ln P_f(j)"
    r"\quad\text{with}\ P_s(j)=\frac{\exp s_j}{\sum_k\exp s_k},\ f=w^{T}x",
)
LISTMLE = Method(
    "ListMLE",
    listmle,
    r"\min_w\ \tfrac12\lVert w\rVert^2+C\sum_q\sum_{i}"
    r"\left(\ln\sum_{k:\,y_k\le y_i}\exp(w^{T}x_k)-w^{T}x_i\right)",
)


@dataclass(frozen=True, eq=False)
class Round:
    """One round: the weights of the queries, the weak ranker chosen, its weight, and E after it."""

    weight: Array  # P_t
    candidates: Array  # the weighted E of each weak ranker
    chosen: int
    alpha: float
    weak: Array  # E of the weak ranker, query by query
    strong: Array  # E of the sum of all so far
    next_weight: Array  # P_{t+1}


def adarank(
    data: RankingData,
    metric: Metric | str = ndcg,
    *,
    rounds: int = 10,
    reuse: str = "allowed",
) -> LinearRanker:
    """AdaRank boosts single features into a ranker, with more weight on queries ranked badly.

    `metric` is E, any of the registry's, with values in [-1, 1] (1 is best). Each round takes the
    feature of the highest E, weighted by P_t over the queries. It gives this feature the weight
    alpha_t = 1/2 ln(sum_i P_t(i) (1 + E_i) / sum_i P_t(i) (1 - E_i)). In the next round query i
    weighs in proportion to exp(-E_i) of the ranker f_t so far. Features are added as they are: put
    them on one scale with `data.normalised()`. If a feature is perfect, its alpha is infinite. Then
    the ranker is this feature alone, and the rounds end.

    E is bounded, so the weights of the queries are bounded too, and one feature is often the best
    of every round. `reuse="never"` then takes the others too, each once. If features do equally
    well but for rounding (`near_ties`), the first is taken. Documents whose scores are equal in the
    same sense are in the order of the data. The working has every round. InputError if E leaves
    [-1, 1].

    Source: Xu & Li (2007), AdaRank: a boosting algorithm for information retrieval, SIGIR.

    >>> from irmetrics_edu.lab.learning.made_queries import made_queries
    >>> ranker = adarank(made_queries(noise=0), "nDCG@5", rounds=3)
    >>> max(ranker.weight_of, key=ranker.weight_of.get)
    'x1'
    """
    measure = parse(metric) if isinstance(metric, str) else metric
    if not isinstance(measure, Metric):
        raise InputError(
            f"metric={metric!r} is not a metric; give a metric or its name, such as ndcg @ 10"
        )
    one_of("reuse", reuse, ("allowed", "never"))
    learnable(data, "AdaRank")
    most = whole("rounds", rounds, 1)
    performances = []
    for column, name in zip(data.features.T, data.feature_names, strict=True):
        performances.append(_performance(data, column, measure, name))
    weak = np.array(performances)
    done = _boosted(
        data,
        measure,
        most,
        weak,
        again=reuse == "allowed",
    )

    def working() -> Working:
        return _working(data, measure, done)

    params: dict[str, Any] = {"E": measure, "rounds": most}
    if reuse == "never":
        params["reuse"] = reuse
    weights = _weights_of(done, len(weak))
    return LinearRanker(ADARANK, data.feature_names, working, params, weights)


def _weights_of(rounds: Sequence[Round], m: int) -> Array:
    """The weight of each of m features: the sum of its alphas, or 1 for one that is perfect."""
    weights = np.zeros(m)
    for each in rounds:
        if math.isinf(each.alpha):
            alone = np.zeros(m)
            alone[each.chosen] = 1.0
            return alone
        weights[each.chosen] += each.alpha
    return weights


def _performance(
    data: RankingData,
    scores: Array,
    metric: Metric,
    name: str,
) -> Array:
    """E of each query, if it lies where the formulas hold."""
    values = measured(data, scores, metric).score
    for q, e in enumerate(values.tolist()):
        if not -1 - 1e-9 <= e <= 1 + 1e-9:
            raise InputError(
                f"{at(data.queries[q])}{metric} of {name} is {e:.4g}; AdaRank needs a number in "
                "[-1, 1], such as nDCG or AP, for every query"
            )
    return np.clip(values, -1, 1)


def _boosted(
    data: RankingData,
    metric: Metric,
    rounds: int,
    weak: Array,
    *,
    again: bool,
) -> list[Round]:
    n = len(data.queries)
    weight = np.full(n, 1 / n)
    sum_so_far = size = np.zeros(len(data.grade))
    done: list[Round] = []
    free = np.ones(len(weak), dtype=bool)
    for _ in range(rounds if again else min(rounds, len(weak))):
        candidates = np.where(free, weak @ weight, -np.inf)
        chosen = int(best(candidates, scale=(np.abs(weak) @ weight).max()))
        gained = weight @ (1 + weak[chosen])
        lost = weight @ (1 - weak[chosen])
        if lost <= TOLERANCE:  # 0, but for rounding: the weights sum to 1
            alpha = math.inf
            sum_so_far = data.features[:, chosen]
            size = np.zeros(len(data.grade))
        elif gained <= TOLERANCE:
            raise InputError(
                f"the best feature has {metric} = -1 for every query, so alpha is minus infinity; "
                "turn features round whose low values are good"
            )
        else:
            alpha = math.log(gained / lost) / 2
            sum_so_far = sum_so_far + alpha * data.features[:, chosen]
            size = size + abs(alpha * data.features[:, chosen])
        scores = levelled(sum_so_far, data.number, size)
        strong = _performance(
            data,
            scores,
            metric,
            f"the ranker after {len(done) + 1} rounds",
        )
        unscaled = np.exp(-strong)
        following = unscaled / unscaled.sum()
        done.append(
            Round(
                weight=weight,
                candidates=candidates,
                chosen=chosen,
                alpha=alpha,
                weak=weak[chosen],
                strong=strong,
                next_weight=following,
            )
        )
        weight = following
        free[chosen] = again
        if math.isinf(alpha):
            break
    return done


def _working(
    data: RankingData,
    metric: Metric,
    done: list[Round],
) -> Working:
    n = len(done)
    names = data.feature_names
    parts = {f"round {t}": _round(data, t, r) for t, r in enumerate(done, 1)}
    return Working(
        np.array([done[-1].strong.mean()]),
        columns={
            "weighted E": np.array([r.candidates[r.chosen] for r in done]),
            "alpha": np.array([r.alpha for r in done]),
            "mean E of f": np.array([r.strong.mean() for r in done]),
        },
        table=Table.of_one(
            {"round": np.arange(1, n + 1), "weak ranker": [names[r.chosen] for r in done]}
        ),
        parts=parts,
        notes=[f"E is {metric!r}; the score is its mean over the queries learnt from"],
    )


def _round(data: RankingData, t: int, r: Round) -> Working:
    names = data.feature_names
    gained = r.weight * (1 + r.weak)
    lost = r.weight * (1 - r.weak)
    order = falling(r.candidates)
    order = order[np.isfinite(r.candidates[order])]
    candidates = Working(
        np.array([r.candidates[r.chosen]]),
        columns={"weighted E": r.candidates[order]},
        table=Table.of_one({"weak ranker": [names[j] for j in order.tolist()]}),
        name=f"weighted E of {names[r.chosen]}, the highest",
    )
    notes = ["P' is P of the next round: exp(-E of f), divided by its sum"]
    if math.isinf(r.alpha):
        notes.append(f"{names[r.chosen]} is perfect for every query, so it alone is the ranker")
    return Working(
        np.array([r.alpha]),
        how="1/2 * ln({P (1 + E)} / {P (1 - E)})",
        columns={
            "P": r.weight,
            "E": r.weak,
            "P (1 + E)": gained,
            "P (1 - E)": lost,
            "E of f": r.strong,
            "P'": r.next_weight,
        },
        table=Table.of_one({"query": data.queries}),
        parts={"candidates": candidates},
        notes=notes,
        name=f"alpha of round {t}, {names[r.chosen]}",
    )


ADARANK = Method(
    "AdaRank",
    adarank,
    r"f(\vec x)=\sum_{t=1}^{T}\alpha_t h_t(\vec x),\quad "
    r"\alpha_t=\tfrac12\ln\frac{\sum_i P_t(i)\{1+E(\pi(q_i,d_i,h_t),y_i)\}}"
    r"{\sum_i P_t(i)\{1-E(\pi(q_i,d_i,h_t),y_i)\}},\quad "
    r"P_{t+1}(i)=\frac{\exp\{-E(\pi(q_i,d_i,f_t),y_i)\}}"
    r"{\sum_j\exp\{-E(\pi(q_j,d_j,f_t),y_j)\}}",
)
