"""xQuAD and PM-2: relevant documents, and aspects of the query in proportion."""

from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.lab.rerankers.choices import Method, Reranking, Step
from irmetrics_edu.lab.rerankers.pool import length, probabilities, scored_pool, weighted_coverage
from irmetrics_edu.near_ties import best
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Table, Working


def xquad(
    relevance: Any,
    coverage: Any,
    intents: Any = None,
    *,
    k: int | None = None,
    lambda_: float = 0.5,
) -> Reranking:
    """XQuAD ranks next the document that is relevant and covers aspects not yet covered.

    `relevance` maps each document of the pool to P(d|q), in [0, 1]. `coverage` maps documents to
    P(d|q_i) for the query's aspects q_i: a mapping from aspect to probability, a list, or a set.
    `intents` maps aspects to P(q_i|q), which sum to 1. Without `intents` all aspects weigh the
    same. `lambda_` in [0, 1] is the share of diversity: 0 is the order of relevance. If candidates
    are equal but for rounding (`near_ties`), the first of the pool is taken. InputError for an
    empty pool, lambda out of range, or numbers that are not probabilities.

    Source: Santos, Macdonald & Ounis (2010), Exploiting query reformulations for web search result
    diversification, WWW.

    >>> covers = {"a": {"jaguar: car": 0.8}, "b": {"jaguar: car": 0.7}, "c": {"jaguar: cat": 0.6}}
    >>> found = xquad({"a": 0.9, "b": 0.8, "c": 0.5}, covers, lambda_=0.7)
    >>> list(found)
    ['a', 'c', 'b']
    """
    checks.between("lambda_", lambda_, 0, 1)
    documents, relevant = scored_pool(relevance)
    probabilities("relevance", documents, relevant)
    n = length(k, len(documents))
    names, weight, table = weighted_coverage(documents, coverage, intents)
    left, missed = np.arange(len(documents)), np.ones(len(names))
    steps = []
    for _ in range(n):
        novel = (table[left] * missed) @ weight
        total = (1 - lambda_) * relevant[left] + lambda_ * novel
        # What is covered already has the rounding of what was there to cover.
        scale = ((1 - lambda_) * relevant[left] + lambda_ * (table[left] @ weight)).max()
        terms: dict[str, Array] = {
            "relevance": relevant[left],
            "diversity": novel,
            "xQuAD": total,
        }
        step = Step(
            left,
            terms,
            how="(1 - {lambda}) * {relevance} + {lambda} * {diversity}",
            quantities={"lambda": lambda_},
            scale=float(scale),
        )
        steps.append(step)
        missed = missed * (1 - table[step.place])
        left = left[left != step.place]
    aspects = Working(
        np.array([weight @ (1 - missed)]),
        how="{weighted}",
        columns={"weight": weight, "covered": 1 - missed, "weighted": weight * (1 - missed)},
        table=Table(np.zeros(len(names), dtype=np.intp), {"aspect": names}),
        name="aspects covered",
    )
    return Reranking(
        XQUAD, documents, steps, params={"lambda": lambda_}, parts={"aspects covered": aspects}
    )


XQUAD = Method(
    "xQuAD",
    xquad,
    r"\arg\max_{d\notin S}\left[(1-\lambda)P(d\mid q)+\lambda\sum_i P(q_i\mid q)\,"
    r"P(d\mid q_i)\prod_{d_j\in S}(1-P(d_j\mid q_i))\right]",
    "Santos, Macdonald & Ounis (2010), Exploiting query reformulations for web search result "
    "diversification, WWW",
)


def pm2(
    pool: Any,
    coverage: Any,
    intents: Any = None,
    *,
    k: int | None = None,
    lambda_: float = 0.5,
) -> Reranking:
    """PM-2 gives each rank to the aspect with the best claim to it, and to a document for it.

    It is the Sainte-Laguë method of elections: an aspect of weight w with s seats so far has the
    quotient w / (2s + 1). `lambda_` in [0, 1] weighs the aspect of highest quotient against all
    others. The document that is taken fills parts of a seat of every aspect, in proportion to
    P(d|q_i). `pool` holds the documents in the order of the first ranking: a list, or a mapping
    from document to score, of which only the order of the keys counts. If documents, or aspects,
    are equal but for rounding (`near_ties`), the first is taken. `coverage` and `intents` are as
    for `xquad`. InputError for an empty pool or lambda out of range.

    Source: Dang & Croft (2012), Diversity by proportionality: an election-based approach to search
    result diversification, SIGIR.

    >>> covers = {"a": {"car": 0.8}, "b": {"car": 0.7}, "c": {"car": 0.6}, "d": {"cat": 0.6}}
    >>> list(pm2(["a", "b", "c", "d"], covers, {"car": 0.7, "cat": 0.3}))
    ['a', 'd', 'b', 'c']
    """
    checks.between("lambda_", lambda_, 0, 1)
    documents, _ = scored_pool(dict.fromkeys(checks.ids(pool), 0))
    n = length(k, len(documents))
    names, votes, table = weighted_coverage(documents, coverage, intents)
    left, seats = np.arange(len(documents)), np.zeros(len(names))
    steps = []
    for _ in range(n):
        quotient = votes / (2 * seats + 1)
        winning = best(quotient)
        weighted = table[left] * quotient
        own = weighted[:, winning]
        others = np.delete(weighted, winning, axis=1).sum(axis=1)
        total = lambda_ * own + (1 - lambda_) * others
        terms: dict[str, Array] = {
            "worth to the aspect": own,
            "worth to the others": others,
            "PM-2": total,
        }
        quotients = ", ".join(f"{a} {steady(q):.4f}" for a, q in zip(names, quotient, strict=True))
        step = Step(
            left,
            terms,
            how="{lambda} * {worth to the aspect} + (1 - {lambda}) * {worth to the others}",
            quantities={"lambda": lambda_},
            notes=[f"the rank goes to aspect {names[winning]}; the quotients are {quotients}"],
        )
        steps.append(step)
        held = table[step.place]
        if held.any():  # a document that covers no aspect takes no seat
            seats = seats + held / held.sum()
        left = left[left != step.place]
    share = seats / seats.sum() if seats.any() else seats
    apart = np.abs(votes - share)
    result = Working(
        np.array([apart.sum()]),
        how="{apart}",
        columns={"weight": votes, "seats": seats, "share of seats": share, "apart": apart},
        table=Table(np.zeros(len(names), dtype=np.intp), {"aspect": names}),
        name="disproportion",
    )
    return Reranking(
        PM2, documents, steps, params={"lambda": lambda_}, parts={"disproportion": result}
    )


PM2 = Method(
    "PM-2",
    pm2,
    r"\arg\max_{d\notin S}\left[\lambda\,v_{i^*}P(d\mid q_{i^*})"
    r"+(1-\lambda)\sum_{i\ne i^*}v_i\,P(d\mid q_i)\right]"
    r"\quad\left(v_i=\frac{w_i}{2s_i+1},\ i^*=\arg\max_i v_i\right)",
    "Dang & Croft (2012), Diversity by proportionality: an election-based approach to search "
    "result diversification, SIGIR",
)
