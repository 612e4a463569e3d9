r"""The whole collection in four counts, and what is made of them.

                 retrieved   not retrieved
relevant            TP            FN
not relevant        FP            TN
"""

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import UNDEFINED_ZERO, CollectionSize, Undefined
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.forms import OneJudgments, OneRanking
from irmetrics_edu.metrics.set_based import RIJSBERGEN
from irmetrics_edu.numbers import Array, like
from irmetrics_edu.rows.aligned_ranking import align
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Table, Working


def confusion(
    ranking: OneRanking,
    judgments: OneJudgments | None = None,
    *,
    collection: int | str,
    k: int | None = None,
    rel: float = 1,
    exact: bool = False,
) -> Working:
    """The confusion table counts documents: relevant or not, against retrieved or not.

    `collection` is the number of documents in the collection. A document that nobody judged counts
    as not relevant. The working has the quantities TP, FP, FN and TN, and its columns show them as
    a table. Its score is TP. It raises InputError if the collection is smaller than the number of
    documents that are retrieved or judged.

    >>> table = confusion(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"}, collection=14)
    >>> [int(table[cell][0]) for cell in ("TP", "FP", "FN", "TN")]
    [2, 2, 2, 8]
    """
    return _confusion(
        align(ranking, judgments, exact=exact),
        checks.cutoff(k),
        rel=rel,
        collection=collection,
    )


def _confusion(rows: Rows, k: int | None, *, rel: float, collection: int | str | None) -> Working:
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


def _collection(rows: Rows, collection: int | str | None) -> Array:
    """The number of documents in all, checked: what was retrieved or judged is part of it."""
    if collection is None:
        raise InputError(
            "collection= is missing; give the number of documents in the collection, such as "
            "collection=1000, or 'known' if it holds only the retrieved and judged documents"
        )
    least = rows.retrieved.copy()
    least += np.bincount(rows.pool_query, minlength=rows.n)
    least -= np.bincount(rows.query[rows.in_judgments], minlength=rows.n)
    if isinstance(collection, str):
        return like(rows.grade, CollectionSize.named(collection, "collection")(least))
    checks.whole("collection", collection, 0, why=": how many documents there are")
    few = np.flatnonzero(least > collection)
    if len(few):
        q = int(few[0])
        raise InputError(
            f"{rows.at(q)}collection={collection} is too small: {int(least[q])} documents are "
            "retrieved or judged; give the number of documents in all"
        )
    return like(rows.grade, np.full(rows.n, collection))


@metric(
    "accuracy",
    formula=r"\frac{TP+TN}{\collection}\quad(TP,TN\text{ at }\k,\ \text{relevant: }g\ge\rel)",
    source="Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, section 8.3",
)
def accuracy(
    rows: Rows,
    k: int | None = None,
    *,
    collection: int | str | None = None,
    rel: float = 1,
) -> Working:
    """Accuracy is the share of all documents that are classified correctly.

    A document is classified correctly if it is relevant and retrieved, or not relevant and not
    retrieved. Between 0 and 1. Accuracy is of no use in retrieval: nearly all documents of a
    collection are not relevant, so an engine that returns nothing scores nearly 1. It can even beat
    an engine that finds all relevant documents. You must give `collection`, the number of documents
    in the collection. ir_measures uses the name Accuracy for another measure: the share of pairs in
    the right order.

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
    )


@metric(
    "fall-out",
    symbol=r"\text{fall-out}",
    aliases=("fallout", "FPR"),
    formula=r"\frac{FP}{FP+TN},\ FP+TN=\collection-R\quad"
    r"(FP\text{ at }\k,\ \text{relevant: }g\ge\rel;\ \collection=R\colon \undefined{})",
    source=RIJSBERGEN,
)
def fall_out(
    rows: Rows,
    k: int | None = None,
    *,
    collection: int | str | None = None,
    rel: float = 1,
    undefined: Undefined = UNDEFINED_ZERO,
) -> Working:
    """Fall-out is the share of the non-relevant documents that are retrieved.

    Between 0 and 1, and lower is better. It is the false positive rate, the x-axis of the ROC
    curve. You must give `collection`, the number of documents in the collection. If all documents
    are relevant, it is 0, or what `undefined` says.

    >>> fall_out(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"}, collection=14)
    0.2
    """
    table = _confusion(rows, k, rel=rel, collection=collection)
    cells = table.quantities
    others = cells["FP"] + cells["TN"]
    rows.refuse(others == 0, undefined, "all documents are relevant, so none could be left out")
    return Working(
        rows.ratio(cells["FP"], others, undefined.value),
        how="{FP} / ({FP} + {TN})",
        parts={"confusion table": table},
        quantities=cells,
    )
