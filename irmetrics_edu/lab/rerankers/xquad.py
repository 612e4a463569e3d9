"""xQuAD: relevant documents that cover aspects of the query which are not covered yet."""

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.lab.rerankers.candidate_pool import (
    Coverage,
    Relevance,
    length,
    probability,
    scored_pool,
    weighted_coverage,
)
from irmetrics_edu.lab.rerankers.choices import Method, Reranking, Step
from irmetrics_edu.numbers import Array
from irmetrics_edu.working import Table, Working


def xquad(
    relevance: Relevance,
    coverage: Coverage,
    intents: Relevance | None = None,
    *,
    k: int | None = None,
    lambda_: float = 0.5,
) -> Reranking:
    """XQuAD ranks next the document that is relevant and covers aspects not yet covered.

    `relevance` maps each document of the pool to P(d|q), in [0, 1]. `coverage` maps documents to
    P(d|q_i) for the query's aspects q_i: a mapping from aspect to probability, or a set.
    `intents` maps aspects to P(q_i|q), which sum to 1. Without `intents` all aspects weigh the
    same. `lambda_` in [0, 1] is the share of diversity: 0 is the order of relevance. If candidates
    are equal but for rounding (`near_ties`), the first of the pool is taken.

    Source: Santos, Macdonald & Ounis (2010), Exploiting query reformulations for web search result
    diversification, WWW.

    >>> covers = {"a": {"jaguar: car": 0.8}, "b": {"jaguar: car": 0.7}, "c": {"jaguar: cat": 0.6}}
    >>> found = xquad({"a": 0.9, "b": 0.8, "c": 0.5}, covers, lambda_=0.7)
    >>> list(found)
    ['a', 'c', 'b']
    """
    checks.between("lambda_", lambda_, 0, 1)
    documents, relevant = scored_pool("relevance", relevance, read=probability)
    n = length(k, len(documents))
    names, weight, table = weighted_coverage(documents, coverage, intents)
    left = np.arange(len(documents))
    missed = np.ones(len(names))
    steps = []
    for _ in range(n):
        step = _step(left, relevant[left], table[left], missed, weight=weight, lambda_=lambda_)
        steps.append(step)
        missed = missed * (1 - table[step.place])
        left = left[left != step.place]
    aspects = Working(
        np.array([weight @ (1 - missed)]),
        how="{weighted}",
        columns={"weight": weight, "covered": 1 - missed, "weighted": weight * (1 - missed)},
        table=Table.of_one({"aspect": names}),
        name="aspects covered",
    )
    return Reranking(
        XQUAD,
        documents,
        [step.place for step in steps],
        lambda: steps,
        {"lambda": lambda_},
        parts={"aspects covered": aspects},
    )


def _step(
    left: Array,
    relevant: Array,
    coverage: Array,
    missed: Array,
    *,
    weight: Array,
    lambda_: float,
) -> Step:
    """The choice among the documents left, by how much each covers of what is missed so far."""
    novel = (coverage * missed) @ weight
    of_relevance = (1 - lambda_) * relevant
    total = of_relevance + lambda_ * novel
    # What is covered already has the rounding of what was there to cover.
    to_cover = coverage @ weight
    scale = np.max(of_relevance + lambda_ * to_cover)
    return Step(
        left,
        {"relevance": relevant, "diversity": novel, "xQuAD": total},
        how="(1 - {lambda}) * {relevance} + {lambda} * {diversity}",
        quantities={"lambda": lambda_},
        scale=float(scale),
    )


XQUAD = Method(
    "xQuAD",
    xquad,
    r"\arg\max_{d\notin S}\left[(1-\lambda)P(d\mid q)+\lambda\sum_i P(q_i\mid q)\,"
    r"P(d\mid q_i)\prod_{d_j\in S}(1-P(d_j\mid q_i))\right]",
)
