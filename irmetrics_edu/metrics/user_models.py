"""Measures that assume how a person reads: down the list, stopping sooner or later."""

import math
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import (
    BINARY,
    BY_POWERS,
    BY_REACHABLE,
    BY_RELEVANT,
    LINEAR,
    ZERO,
    Divisor,
    Gain,
    MaxGrade,
    NoRelevant,
    Satisfaction,
)
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.set_based import divided_by
from irmetrics_edu.numbers import Array, down_to_rank, in_kind, is_exact, zeros
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Working

HIGHEST_MAX_GRADE = 1000  # 2 to the power of it is still a float


@metric(
    "ERR",
    formula=r"\sum_{i=1}^{\k} \frac{1}{i}\,R_i \prod_{j=1}^{i-1} (1-R_j),"
    r"\quad R_i = \satisfaction{g_i},\ h=\maxgrade",
    source="Chapelle, Metzler, Zhang & Grinspan (2009), Expected reciprocal rank for graded "
    "relevance, CIKM",
)
def err(
    rows: Rows,
    k: int | None = None,
    *,
    max_grade: float | str = 4,
    satisfaction: Satisfaction = BY_POWERS,
) -> Working:
    """Expected reciprocal rank is the expectation of 1 over the rank at which a reader stops.

    The reader goes down the list. A document of grade g satisfies the reader with probability (2^g
    - 1) / 2^max_grade. `max_grade` is the top of the scale, not the highest grade in the data.
    `max_grade="highest"` takes the highest grade in the data, but then you can't compare queries.
    At least 0 and below 1. A grade below 0 or above `max_grade` is an error.
    `satisfaction="linear"` takes g / max_grade instead.

    >>> err([3, 2, 0], max_grade=3)
    0.8984375
    """
    top = rows.top(k)
    stop = satisfaction(top.grade, _top_of_scale(rows, max_grade)[top.query])
    reach = top.product_before(1 - stop)
    reciprocal = 1 / top.rank
    contribution = stop * reach * reciprocal
    return Working(
        top.total(contribution),
        how="{contribution}",
        columns={
            "stop probability": stop,
            "reach probability": reach,
            "1/rank": reciprocal,
            "contribution": contribution,
        },
        table=top.table(),
    )


def _top_of_scale(rows: Rows, max_grade: Any) -> Array:
    """The top of the scale, query by query; grades that are off it are refused."""
    if isinstance(max_grade, str):
        at_hand: Array = MaxGrade.named(max_grade, "max_grade")(rows)
        _refuse_off_scale(rows, float(at_hand.max(initial=0)))
        return np.where(at_hand > 0, at_hand, at_hand + 1)  # of 0 alone nobody is satisfied
    checks.between("max_grade", max_grade, 0, HIGHEST_MAX_GRADE, open_low=True)
    if is_exact(rows.grade) and max_grade != int(max_grade):
        raise NotRational(f"2^{float(max_grade):g} is not rational; drop exact=True")
    _refuse_off_scale(rows, max_grade)
    highest: Array = zeros(rows.grade, rows.n) + in_kind(rows.grade, max_grade)
    return highest


def _refuse_off_scale(rows: Rows, max_grade: float) -> None:
    """Grades from 0 to max_grade alone make probabilities; name the first that does not."""
    off = (rows.pool_grade < 0) | (rows.pool_grade > max_grade)
    if not off.any():
        return
    i = int(np.flatnonzero(off)[0])
    grade = rows.pool_grade[i]
    highest = rows.pool_grade.max()
    document = None if rows.pool_document is None else rows.pool_document[i]
    # Without judgments beside it, the ranking is the pool, and the rank says where the grade is.
    rank = i + 1 if rows.n == 1 and rows.pool_document is None else None
    if grade > max_grade:
        remedy = f"give max_grade={math.ceil(highest)} if that is the top of the scale"
    else:
        remedy = "no probability is negative; give negative='zero' or 'unjudged'"
    raise InputError(
        f"{rows.at(rows.pool_query[i], document, rank)}grade {float(grade):g} is not within 0 to "
        f"max_grade={float(max_grade):g}; {remedy}"
    )


@metric(
    "PFound",
    formula=r"\sum_{i=1}^{\k} R_i\,(1-\pbreak)^{i-1} \prod_{j=1}^{i-1} (1-R_j),"
    r"\quad R_i = \satisfaction{g_i},\ h=\maxgrade",
    source="Gulin, Karpovich, Raskovalov & Segalovich (2009), Yandex at ROMIP'2009: optimisation "
    "of ranking algorithms by machine learning methods, ROMIP (in Russian)",
)
def pfound(
    rows: Rows,
    k: int | None = None,
    *,
    p_break: float = 0.15,
    max_grade: float | str = 4,
    satisfaction: Satisfaction = BY_POWERS,
) -> Working:
    """PFound is the probability that a reader who may also give up finds an answer in the ranking.

    The reader goes down the list. A document of grade g answers the query with a probability, and
    the reader stops. Else the reader gives up with probability `p_break`, or looks at the next
    document. Between 0 and 1. `max_grade` and `satisfaction` make a probability of a grade as in
    ERR. If the judgments are probabilities themselves, as CatBoost reads them, give
    `max_grade=1` and `satisfaction="linear"`. A grade below 0 or above `max_grade` is an error.

    >>> round(pfound([0.41, 0.07, 0.61], max_grade=1, satisfaction="linear"), 4)
    0.6869
    """
    checks.between("p_break", p_break, 0, 1)
    top = rows.top(k)
    stop = satisfaction(top.grade, _top_of_scale(rows, max_grade)[top.query])
    patience = zeros(top.rank, len(top.rank)) + (1 - in_kind(rows.grade, p_break))
    reach = top.product_before(1 - stop) * patience ** (top.rank - 1)
    contribution = stop * reach
    return Working(
        top.total(contribution),
        how="{contribution}",
        columns={
            "stop probability": stop,
            "reach probability": reach,
            "contribution": contribution,
        },
        table=top.table(),
    )


@metric(
    "RBP",
    formula=r"(1-\p) \sum_{i=1}^{\k} [g_i \ge \rel]\,\gain{g_i}\,\p^{i-1}",
    source="Moffat & Zobel (2008), Rank-biased precision for measurement of retrieval "
    "effectiveness, ACM TOIS 27(1)",
    units="relevant documents per document looked at",
    shares_ties=True,
)
def rbp(
    rows: Rows,
    k: int | None = None,
    *,
    p: float = 0.8,
    rel: float = 1,
    gain: Gain = BINARY,
) -> Working:
    """Rank-biased precision is the share of relevant documents among those that a reader looks at.

    The reader goes on from each document to the next with probability p, the persistence: at least
    0, below 1. Between 0 and 1. The residual is the weight of everything that nobody judged, also
    below the cut or the end of the list. If all of it were relevant, the score would be the upper
    bound. With a graded gain, such as `gain="linear"`, it is the mean gain of what the reader looks
    at. It can exceed 1 if gains do.

    >>> rbp([1, 0, 1], p=0.5)
    0.625
    >>> rbp.working([1, 0, 1], p=0.5)["residual"]
    array([0.125])
    """
    checks.between("p", p, 0, 1, open_high=True)
    top = rows.top(k)
    relevance = top.relevance(rel)
    persistence = in_kind(rows.grade, p)

    def weight_of(rank: Array) -> Array:
        weights: Array = (1 - persistence) * (zeros(rank, len(rank)) + persistence) ** (rank - 1)
        return weights

    weight = top.at_rank(weight_of, k)
    worth = gain.of_relevant(top.grade, relevance)
    weighted = worth * weight
    score = top.total(weighted)
    residual = 1 - top.total(weight * top.count(top.in_judgments))
    return Working(
        score,
        how="{weighted relevance}",
        columns={"relevance": relevance, "weight": weight, "weighted relevance": weighted},
        table=top.table(),
        quantities={"residual": residual, "upper bound": score + residual},
    )


@metric(
    "Q",
    formula=r"\frac{1}{\divisor{}} \sum_{i \le \k,\ g_i \ge \rel}"
    r"\frac{\beta \sum_{j \le i} \gain{g_j} + \sum_{j \le i} [g_j \ge \rel]}"
    r"{\beta \sum_{j \le i} \gain{g^*_j} + i}"
    r"\quad(R=0\colon \norelevant{})",
    source="Sakai (2004), New performance metrics based on multigrade relevance, NTCIR-4; "
    "beta: Sakai (2007), On the reliability of information retrieval metrics based on graded "
    "relevance, Information Processing & Management 43(2)",
)
def q_measure(
    rows: Rows,
    k: int | None = None,
    *,
    beta: float = 1,
    gain: Gain = LINEAR,
    rel: float = 1,
    divisor: Divisor = BY_RELEVANT,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """The Q-measure is the mean, over relevant documents, of the blended ratio of gain and count.

    The blended ratio at a rank is (beta cg + count of relevant) / (beta ideal cg + rank). With beta
    = 0 it is precision, and Q is average precision. For binary grades Q is also average precision
    if every relevant document found is within the first R ranks. A relevant document below rank R
    costs less than in average precision. Between 0 and 1. Only relevant documents have gain.
    `divisor` is "relevant" (R), or "reachable" (the smaller of k and R).

    >>> round(q_measure([1, 0, 3, 0, 2]), 4)
    0.6616
    >>> q_measure([1, 0, 1], exact=True, beta=0)
    Fraction(5, 6)
    """
    checks.between("beta", beta, 0, math.inf, open_high=True)
    beta = in_kind(rows.grade, beta)
    top = rows.top(k)
    relevance = top.relevance(rel)
    gains = gain.of_relevant(top.grade, relevance)
    cumulated = top.running(gains)
    count = top.running(relevance)
    best = rows.ideal()
    best_gains = gain.of_relevant(best.grade, best.relevance(rel))
    ideal = down_to_rank(best.running(best_gains), best.starts, top.query, top.rank)
    blended = relevance * (beta * cumulated + count) / (beta * ideal + top.rank)
    relevant = rows.relevant(rel)
    size = divided_by(
        divisor,
        allowed=(BY_RELEVANT, BY_REACHABLE),
        rows=rows,
        k=k,
        hits=top.total(relevance),
        R=relevant,
    )
    return Working(
        rows.ratio(top.total(blended), size, no_relevant.value),
        how="({blended ratio}) / {divisor}",
        columns={
            "relevance": relevance,
            "gain": gains,
            "cumulated gain": cumulated,
            "relevant so far": count,
            "ideal cumulated gain": ideal,
            "blended ratio": blended,
        },
        table=top.table(),
        quantities={"R": relevant, "divisor": size},
    )
