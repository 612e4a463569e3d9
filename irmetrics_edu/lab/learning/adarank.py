"""Listwise learning: AdaRank, boosting with weights on queries and a metric as its loss."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.conventions import Convention, kind
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.losses import measured
from irmetrics_edu.lab.learning.ranker import LinearRanker, learnable, linear
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.lab.whole_numbers import whole
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.near_ties import TOLERANCE, best, falling, levelled
from irmetrics_edu.numbers import Array
from irmetrics_edu.working import Table, Working


@kind
class Reuse(Convention):
    """Whether a weak ranker may be chosen again."""


ALLOWED = Reuse(
    "allowed",
    r"\text{again}",
    "the best one is taken, even if it was chosen before, as published",
)
NEVER = Reuse("never", r"\text{once}", "the best one that was not chosen yet is taken")
Reuse.register(ALLOWED, NEVER)


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
    reuse: Reuse | str = ALLOWED,
) -> LinearRanker:
    """AdaRank boosts single features into a ranker, with more weight on queries ranked badly.

    `metric` is E, any of the registry's, with values in [-1, 1] (1 is best). Each round takes the
    feature of the highest E, weighted by P_t over the queries. It gives this feature the weight
    alpha_t = 1/2 ln(sum_i P_t(i) (1 + E_i) / sum_i P_t(i) (1 - E_i)). Then it sets P_{t+1}(i)
    proportional to exp(-E_i) of the ranker f_t so far. Features are added as they are: put them on
    one scale with `data.normalised()`. If a feature is perfect, its alpha is infinite. Then the
    ranker is this feature alone, and the rounds end.

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
    again = Reuse.named(reuse, "reuse")
    learnable(data, "AdaRank")
    most = whole("rounds", rounds, 1)
    names = list(data.feature_names)
    weak = np.array(
        [_performance(data, x, measure, n) for x, n in zip(data.features.T, names, strict=True)]
    )
    done = _boosted(data, measure, most, weak, again)
    weights = np.zeros(len(names))
    for r in done:
        if math.isinf(r.alpha):
            weights = np.zeros(len(names))
        weights[r.chosen] += 1.0 if math.isinf(r.alpha) else r.alpha

    def working() -> Working:
        return _working(data, measure, names, done)

    params: dict[str, Any] = {"E": measure, "rounds": most}
    if again is not ALLOWED:
        params["reuse"] = again
    return linear(ADARANK, data, weights, working, params)


def _performance(data: RankingData, scores: Array, metric: Metric, of: str) -> Array:
    """E of each query, if it lies where the formulas hold."""
    found = measured(data, scores, metric).score
    for q, e in enumerate(found.tolist()):
        if not -1 - 1e-9 <= e <= 1 + 1e-9:
            raise InputError(
                f"{at(data.queries[q])}{metric} of {of} is {e:.4g}; AdaRank needs a number in "
                "[-1, 1], such as nDCG or AP, for every query"
            )
    return np.clip(found, -1, 1)


def _boosted(
    data: RankingData, metric: Metric, rounds: int, weak: Array, reuse: Convention
) -> list[Round]:
    n = len(data.queries)
    weight = np.full(n, 1 / n)
    sum_so_far = size = np.zeros(len(data.grade))
    done: list[Round] = []
    free = np.ones(len(weak), dtype=bool)
    for _ in range(rounds if reuse is ALLOWED else min(rounds, len(weak))):
        candidates = np.where(free, weak @ weight, -np.inf)
        chosen = int(best(candidates, scale=(np.abs(weak) @ weight).max()))
        gained, lost = weight @ (1 + weak[chosen]), weight @ (1 - weak[chosen])
        if lost <= TOLERANCE:  # 0, but for rounding: the weights sum to 1
            alpha, sum_so_far, size = math.inf, data.features[:, chosen], np.zeros(len(data.grade))
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
        strong = _performance(data, scores, metric, f"the ranker after {len(done) + 1} rounds")
        unscaled = np.exp(-strong)
        following = unscaled / unscaled.sum()
        done.append(Round(weight, candidates, chosen, alpha, weak[chosen], strong, following))
        weight = following
        free[chosen] = reuse is ALLOWED
        if math.isinf(alpha):
            break
    return done


def _working(data: RankingData, metric: Metric, names: list[str], done: list[Round]) -> Working:
    n = len(done)
    parts = {f"round {t}": _round(data, names, t, r) for t, r in enumerate(done, 1)}
    return Working(
        np.array([done[-1].strong.mean()]),
        columns={
            "weighted E": np.array([r.candidates[r.chosen] for r in done]),
            "alpha": np.array([r.alpha for r in done]),
            "mean E of f": np.array([r.strong.mean() for r in done]),
        },
        table=Table(
            np.zeros(n, dtype=np.intp),
            {"round": np.arange(1, n + 1), "weak ranker": [names[r.chosen] for r in done]},
        ),
        parts=parts,
        notes=[f"E is {metric!r}; the score is its mean over the queries learnt from"],
    )


def _round(data: RankingData, names: list[str], t: int, r: Round) -> Working:
    gained, lost = r.weight * (1 + r.weak), r.weight * (1 - r.weak)
    order = falling(r.candidates)
    order = order[np.isfinite(r.candidates[order])]
    candidates = Working(
        np.array([r.candidates[r.chosen]]),
        columns={"weighted E": r.candidates[order]},
        table=Table(
            np.zeros(len(order), dtype=np.intp), {"weak ranker": [names[j] for j in order.tolist()]}
        ),
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
        table=Table(np.zeros(len(r.weight), dtype=np.intp), {"query": data.queries}),
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
    "Xu & Li (2007), AdaRank: a boosting algorithm for information retrieval, SIGIR",
)
