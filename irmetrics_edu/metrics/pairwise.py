"""Learning to rank: how many pairs of documents are in the right order."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.conventions import LINEAR, UNDEFINED_ZERO, Gain, Undefined
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.numbers import Array, exact, ratio, zeros
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.working import Table, Working

JOACHIMS_2002 = "Joachims (2002), Optimizing search engines using clickthrough data, KDD"


@metric(
    "pair_accuracy",
    aliases=("pairwise_accuracy",),
    formula=r"\frac{|\{(i,j) : i<j,\ G_i>G_j\}|}{|\{(i,j) : i<j,\ G_i\ne G_j\}|}"
    r"\quad(G_i=\gain{g_i},\ \text{no pair}\colon \undefined{})",
    source=f"{JOACHIMS_2002} (the share that Kendall's tau is made of)",
)
def pair_accuracy(
    rows: Rows, *, gain: Gain = LINEAR, undefined: Undefined = UNDEFINED_ZERO
) -> Working:
    """Pair accuracy is the share of pairs of documents that are in the order of their grades.

    Between 0 and 1. A pair is two judged documents of the ranking whose grades differ. With
    `gain="binary"` two relevant documents do not make a pair. A query without a pair has no
    accuracy. It gets 0, or what `undefined` says. The mean over queries is the accuracy by query.
    `pair_accuracy_table` puts the pairs of all queries into one pool.

    >>> pair_accuracy([3, 1, 2])
    0.6666666666666666
    """
    judged = rows if rows.judged.all() else rows.where(rows.judged)
    worth = gain(judged.grade)
    concordant = zeros(judged.grade, len(judged.grade))
    discordant = concordant.copy()
    for level in set(worth.tolist()):
        of_level = judged.count(worth == level)
        above = judged.running(of_level) - of_level
        lower, higher = worth < level, worth > level
        concordant = concordant + above * judged.count(lower)
        discordant = discordant + above * judged.count(higher)
    right, wrong = judged.total(concordant), judged.total(discordant)
    lacking = (right + wrong == 0).astype(bool)
    if undefined.name == "refuse" and lacking.any():
        raise InputError(
            f"{rows.at(int(np.argmax(lacking)))}no two documents of the ranking differ in grade, "
            "so there is no pair; give undefined='nan' or undefined='zero' as its value"
        )
    return Working(
        _share(right, wrong, undefined.value),
        how="{concordant pairs} / ({concordant pairs} + {discordant pairs})",
        columns={"concordant pairs": concordant, "discordant pairs": discordant},
        table=judged.table(),
        quantities={"pairs": right + wrong},
    )


def _share(right: Array, wrong: Array, empty: float = 0) -> Array:
    """The share of the pairs that stand right."""
    return ratio(right, right + wrong, empty)


@dataclass(frozen=True)
class PairAccuracy:
    """The accuracies of several queries together, by document and by query."""

    by_document: Fraction
    by_query: Fraction
    working: Working


def pair_accuracy_table(counts: Any) -> PairAccuracy:
    """Pair accuracy over queries is taken by document (pairs pooled) or by query (a mean).

    `counts` maps a query to its numbers of pairs ranked right and wrong. They are whole numbers,
    not both 0. Both accuracies are exact fractions between 0 and 1. The working has a line per
    query.

    >>> table = pair_accuracy_table({"q1": (770, 10), "q2": (10, 0)})
    >>> f"{float(table.by_document):.2%} {float(table.by_query):.2%}"
    '98.73% 99.36%'
    """
    if not isinstance(counts, Mapping) or not counts:
        raise InputError(
            f"counts map a query to (pairs right, pairs wrong), such as {{'q1': (770, 10)}}; "
            f"got {counts!r}"
        )
    for query, given in counts.items():
        if not isinstance(given, (tuple, list)) or len(given) != 2:
            raise InputError(f"{at(query)}counts are (pairs right, pairs wrong), not {given!r}")
        for number in given:
            whole = isinstance(number, (int, np.integer)) and not isinstance(number, bool)
            if not whole or number < 0:
                raise InputError(f"{at(query)}{number!r} is no number of pairs: 0, 1, 2, ...")
        if not sum(given):
            raise InputError(
                f"{at(query)}it has no pair, so no accuracy; leave it out of the counts"
            )
    right, wrong = (exact([given[i] for given in counts.values()]) for i in (0, 1))
    lines = Table(np.zeros(len(counts), dtype=np.intp), {"query": list(counts)})
    pooled = Working(
        _share(right.sum(keepdims=True), wrong.sum(keepdims=True)),
        how="{concordant pairs} / ({concordant pairs} + {discordant pairs})",
        columns={"concordant pairs": right, "discordant pairs": wrong},
        table=lines,
        name="by document",
    )
    accuracy = _share(right, wrong)
    number_of_queries = exact([len(counts)])
    mean = Working(
        accuracy.sum(keepdims=True) / number_of_queries,
        how="{accuracy of the query} / {number of queries}",
        columns={"accuracy of the query": accuracy},
        table=lines,
        quantities={"number of queries": number_of_queries},
        name="by query",
    )
    whole_table = Working(
        mean.score,
        how="{by query}",
        parts={"by document": pooled, "by query": mean},
        name="pair accuracy",
        notes=("by document, a query with more pairs counts more; by query, all count the same",),
    )
    return PairAccuracy(pooled.value, mean.value, whole_table)
