r"""What was retrieved against what is relevant: two sets, and how far they overlap.

                 retrieved   not retrieved
relevant            TP            FN           P = TP / (TP + FP)   R = TP / (TP + FN)
not relevant        FP            TN           accuracy = (TP + TN) / all
"""

from collections.abc import Collection
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.alignment import Rows, align
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import (
    BY_HITS,
    BY_K,
    BY_REACHABLE,
    BY_RELEVANT,
    BY_RETRIEVED,
    ZERO,
    Divisor,
    NoRelevant,
)
from irmetrics_edu.definition import metric
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, as_fraction, is_exact, like, zeros
from irmetrics_edu.working import Table, Working

RIJSBERGEN = "van Rijsbergen (1979), Information Retrieval, 2nd edition, chapter 7"
_HITS = r"|\{i\le\k\colon g_i\ge\rel\}|"


def divided_by(
    divisor: Divisor, allowed: Collection[Divisor], rows: Rows, k: int | None, hits: Array, R: Array
) -> Array:
    """The divisor that a convention names, query by query; one that makes no sense is refused."""
    if divisor not in allowed:
        raise InputError(
            f"divisor={divisor} is not one for this metric; use {' or '.join(map(str, allowed))}"
        )
    if divisor == BY_K and k is not None:
        return like(rows.grade, np.full(rows.n, k))
    if divisor in (BY_K, BY_RETRIEVED):
        return rows.depth(k)
    if divisor == BY_HITS:
        return hits
    return np.minimum(R, k) if divisor == BY_REACHABLE and k is not None else R


def without_relevant(score: Array, R: Array, no_relevant: NoRelevant) -> Array:
    """The scores, with what the convention says where a query has no relevant document."""
    none = (R == 0).astype(bool)
    if not none.any():
        return score
    settled = score.copy()
    value = no_relevant.value
    exact = is_exact(score) and not np.isnan(value)
    settled[none] = as_fraction(value) if exact else value
    return settled


@metric(
    "P",
    aliases=("SetP", "set_P", "P_cut"),
    formula=rf"\frac{{{_HITS}}}{{\divisor{{}}}}",
    source=RIJSBERGEN,
    rational={},
)
def precision(
    rows: Rows, k: int | None = None, *, rel: float = 1, divisor: Divisor = BY_K
) -> Working:
    """Precision is the share of the retrieved documents that are relevant.

    Between 0 and 1. Without a cut-off the retrieved set is divided by its size; precision at k
    divides by k however short the list, or with `divisor="retrieved"` by what was retrieved.
    Where fewer than k documents are relevant, its upper bound, min(k, R)/k, is below 1. Nothing
    retrieved scores 0; a document that nobody judged counts as not relevant.

    >>> precision(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"})
    0.5
    >>> (precision @ 5)(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"})
    0.4
    """
    top, R = rows.top(k), rows.relevant(rel)
    relevance = top.relevance(rel)
    hits = top.total(relevance)
    size = divided_by(divisor, (BY_K, BY_RETRIEVED), rows, k, hits, R)
    return Working(
        rows.ratio(hits, size),
        how="{relevant retrieved} / {divisor}",
        columns={"relevance": relevance},
        table=top.table(),
        quantities={
            "relevant retrieved": hits,
            "divisor": size,
            "R": R,
            "theoretical upper bound": rows.ratio(np.minimum(size, R), size),
        },
        rows=rows,
    )


@metric(
    "R",
    aliases=("SetR", "set_recall", "sensitivity"),
    formula=rf"\frac{{{_HITS}}}{{\divisor{{}}}}\quad(R=0\colon \norelevant{{}})",
    source=RIJSBERGEN,
    rational={},
)
def recall(
    rows: Rows,
    k: int | None = None,
    *,
    rel: float = 1,
    divisor: Divisor = BY_RELEVANT,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Recall is the share of the relevant documents that are retrieved.

    Between 0 and 1. Recall at k counts the first k documents; where more than k are relevant, its
    upper bound, k/R, is below 1, which `divisor="reachable"`, min(k, R), makes up for.

    >>> recall(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"})
    0.5
    >>> (recall @ 1)(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"})
    0.25
    """
    top, R = rows.top(k), rows.relevant(rel)
    relevance = top.relevance(rel)
    hits = top.total(relevance)
    size = divided_by(divisor, (BY_RELEVANT, BY_REACHABLE), rows, k, hits, R)
    within = rows.depth(None) if k is None else like(rows.grade, np.full(rows.n, k))
    return Working(
        without_relevant(rows.ratio(hits, size), R, no_relevant),
        how="{relevant retrieved} / {divisor}",
        columns={"relevance": relevance},
        table=top.table(),
        quantities={
            "relevant retrieved": hits,
            "divisor": size,
            "R": R,
            "theoretical upper bound": rows.ratio(np.minimum(within, R), size),
        },
        rows=rows,
    )


@metric(
    "F",
    aliases={"SetF": {}, "set_F": {}, "F1": {"beta": 1}, "F2": {"beta": 2}},
    formula=(
        r"\frac{1}{\alpha\frac{1}{P}+(1-\alpha)\frac{1}{R}}=\frac{(\beta^2+1)PR}{\beta^2P+R},"
        r"\quad\alpha=\frac{1}{\beta^2+1}\quad"
        rf"(P=\tfrac{{h}}{{\divisor{{}}}},\ h={_HITS},\ R=0\colon \norelevant{{}})"
    ),
    source=RIJSBERGEN + " (as E = 1 - F)",
    rational={},
    monotone=True,
)
def f_measure(
    rows: Rows,
    k: int | None = None,
    *,
    beta: float = 1,
    alpha: float | None = None,
    rel: float = 1,
    divisor: Divisor = BY_K,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """The F-measure is the weighted harmonic mean of precision and recall.

    Between 0 and 1. `beta` (0 or more) is how many times as important recall is as precision;
    `alpha` (0 to 1) is the weight of precision instead: alpha = 1/(beta^2 + 1). The harmonic mean
    is never above the geometric or the arithmetic one: an engine that returns everything has
    recall 1, an arithmetic mean above 1/2 and an F near 0.

    >>> round(f_measure(["d3", "d6", "d8", "d10", "d11"], {"d3", "d4", "d6", "d9"}), 4)
    0.4444
    >>> f_measure([1, 0, 1], alpha=1, exact=True)
    Fraction(2, 3)
    """
    weight = _weight_of_precision(beta, alpha, exact=is_exact(rows.grade))
    P = precision.measured(rows, k, rel=rel, divisor=divisor)
    R = recall.measured(rows, k, rel=rel)
    mean = rows.ratio(P.score * R.score, weight * R.score + (1 - weight) * P.score)
    return Working(
        without_relevant(mean, R["R"], no_relevant),
        how="{precision} * {recall} / ({alpha} * {recall} + (1 - {alpha}) * {precision})",
        parts={"precision": P, "recall": R},
        quantities={"alpha": zeros(rows.grade, rows.n) + weight},
        rows=rows,
    )


def _weight_of_precision(beta: Any, alpha: Any, *, exact: bool) -> Any:
    if alpha is None:
        checks.between("beta", beta, 0, float("inf"), open_high=True)
        beta = as_fraction(beta) if exact else float(beta)
        return 1 / (beta**2 + 1)
    checks.between("alpha", alpha, 0, 1)
    if beta != 1:
        raise InputError(
            f"beta={beta} and alpha={alpha}: give one of them; alpha = 1/(beta^2 + 1), "
            f"so beta={beta} stands for alpha={1 / (float(beta) ** 2 + 1):.4g}"
        )
    return as_fraction(alpha) if exact else float(alpha)


@metric(
    "Success",
    aliases=("Hit", "hit_rate"),
    formula=rf"[\,{_HITS}>0\,]",
    source="Buckley & Voorhees (2005), Retrieval system evaluation, in: TREC, MIT Press",
    rational={},
)
def success(rows: Rows, k: int | None = None, *, rel: float = 1) -> Working:
    """Success at k is 1 if a relevant document stands among the first k, else 0.

    >>> (success @ 2)([0, 0, 1]), (success @ 3)([0, 0, 1])
    (0.0, 1.0)
    """
    top = rows.top(k)
    relevance = top.relevance(rel)
    hits = top.total(relevance)
    return Working(
        rows.count(hits > 0),
        how="[{relevant retrieved} > 0]",
        columns={"relevance": relevance},
        table=top.table(),
        quantities={"relevant retrieved": hits},
        rows=rows,
    )


@metric(
    "Rprec",
    aliases=("R-Prec", "R-Precision"),
    formula=r"\frac{|\{i\le R\colon g_i\ge\rel\}|}{R}\quad(R=0\colon \norelevant{})",
    source="Buckley & Voorhees (2005), Retrieval system evaluation, in: TREC, MIT Press",
    rational={},
)
def r_precision(rows: Rows, *, rel: float = 1, no_relevant: NoRelevant = ZERO) -> Working:
    """R-precision is the precision after R documents, where R is how many are relevant in all.

    Between 0 and 1. At that rank precision and recall are equal, so it is their break-even point.

    >>> round(r_precision(["d1", "d2", "d4", "d13", "d14"], {"d1", "d2", "d13"}), 4)
    0.6667
    """
    R = rows.relevant(rel)
    top = rows.where((rows.rank <= R[rows.query]).astype(bool))
    relevance = top.relevance(rel)
    hits = top.total(relevance)
    return Working(
        without_relevant(rows.ratio(hits, R), R, no_relevant),
        how="{relevant retrieved} / {R}",
        columns={"relevance": relevance},
        table=top.table(),
        quantities={"relevant retrieved": hits, "R": R},
        rows=rows,
    )


def confusion(
    ranking: Any,
    judgments: Any = None,
    *,
    collection: int,
    k: int | None = None,
    rel: float = 1,
    exact: bool = False,
) -> Working:
    """The confusion table counts documents: relevant or not, against retrieved or not.

    `collection` is the number of documents in all; those that nobody judged count as not
    relevant. The working has the quantities TP, FP, FN, TN, and their table as its columns; its
    score is TP. Raises InputError where the collection is smaller than what is known of it.

    >>> table = confusion(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"}, collection=14)
    >>> [int(table[cell][0]) for cell in ("TP", "FP", "FN", "TN")]
    [2, 2, 2, 8]
    """
    return _confusion(
        align(ranking, judgments, exact=exact), checks.cutoff(k), rel=rel, collection=collection
    )


def _confusion(rows: Rows, k: int | None, *, rel: float, collection: int | None) -> Working:
    everything = _collection(rows, collection)
    top = rows.top(k)
    TP = top.total(top.relevance(rel))
    FP = rows.depth(k) - TP
    FN = rows.relevant(rel) - TP
    TN = everything - TP - FP - FN
    return Working(
        TP,
        columns={
            "retrieved": np.stack([TP, FP], axis=1).ravel(),
            "not retrieved": np.stack([FN, TN], axis=1).ravel(),
        },
        table=Table(
            np.repeat(np.arange(rows.n), 2), {"judged as": ["relevant", "not relevant"] * rows.n}
        ),
        quantities={"TP": TP, "FP": FP, "FN": FN, "TN": TN, "collection": everything},
        rows=rows,
        name="TP",
    )


def _collection(rows: Rows, collection: int | None) -> Array:
    """The number of documents in all, checked: what was retrieved or judged is part of it."""
    if collection is None:
        raise InputError(
            "collection= is missing: say how many documents there are in all, "
            "such as collection=1000"
        )
    if isinstance(collection, bool) or not isinstance(collection, (int, np.integer)):
        raise InputError(f"collection={collection!r}: it is a whole number of documents")
    known = rows.retrieved.copy()
    known += np.bincount(rows.pool_query, minlength=rows.n)
    known -= np.bincount(rows.query[rows.judged], minlength=rows.n)
    few = np.flatnonzero(known > collection)
    if len(few):
        q = int(few[0])
        place = at(None if rows.queries is None else rows.queries[q])
        raise InputError(
            f"{place}collection={collection} is too small: {int(known[q])} documents are "
            "retrieved or judged; give the number of documents in all"
        )
    return like(rows.grade, np.full(rows.n, collection))


@metric(
    "accuracy",
    formula=r"\frac{TP+TN}{\collection}\quad(TP,TN\text{ at }\k,\ \text{relevant: }g\ge\rel)",
    source="Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, section 8.3",
    rational={},
)
def accuracy(
    rows: Rows, k: int | None = None, *, collection: int | None = None, rel: float = 1
) -> Working:
    """Accuracy is the share of all documents on which retrieving and relevance agree.

    Between 0 and 1, and of no use here: nearly all documents of a collection are not relevant, so
    an engine that returns nothing comes out near 1, ahead of one that finds what there is.
    `collection` is the number of documents in all; it must be given. What ir_measures calls
    Accuracy is another thing: the share of pairs in the right order.

    >>> accuracy([], {"d3", "d4"}, collection=1000)
    0.998
    >>> accuracy(["d3", "d4", "d5", "d6", "d7"], {"d3", "d4"}, collection=1000)
    0.997
    """
    table = _confusion(rows, k, rel=rel, collection=collection)
    cells = table.quantities
    return Working(
        rows.ratio(cells["TP"] + cells["TN"], cells["collection"]),
        how="({TP} + {TN}) / {collection}",
        parts={"confusion table": table},
        quantities=cells,
        rows=rows,
    )


@metric(
    "fall-out",
    aliases=("fallout", "FPR"),
    formula=r"\frac{FP}{FP+TN},\ FP+TN=\collection-R\quad"
    r"(FP\text{ at }\k,\ \text{relevant: }g\ge\rel)",
    source=RIJSBERGEN,
    rational={},
    monotone=False,  # the fewer documents that are not relevant, the lower: lower is better
)
def fall_out(
    rows: Rows, k: int | None = None, *, collection: int | None = None, rel: float = 1
) -> Working:
    """Fall-out is the share of the documents that are not relevant which are retrieved.

    Between 0 and 1, and lower is better: it is the false positive rate, the other axis of the ROC
    curve. `collection` is the number of documents in all; it must be given. 0 where all
    documents are relevant.

    >>> fall_out(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"}, collection=14)
    0.2
    """
    table = _confusion(rows, k, rel=rel, collection=collection)
    cells = table.quantities
    return Working(
        rows.ratio(cells["FP"], cells["FP"] + cells["TN"]),
        how="{FP} / ({FP} + {TN})",
        parts={"confusion table": table},
        quantities=cells,
        rows=rows,
    )
