"""Learning to rank: how many pairs of documents are in the right order."""

from irmetrics_edu.conventions import (
    JUDGED_PAIRED,
    LINEAR,
    UNDEFINED_ZERO,
    Gain,
    Paired,
    Undefined,
)
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.numbers import Array, ratio, zeros
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Working

JOACHIMS_2002 = "Joachims (2002), Optimizing search engines using clickthrough data, KDD"


@metric(
    "pair_accuracy",
    aliases=("pairwise_accuracy",),
    formula=r"\frac{|\{(i,j) : i<j,\ G_i>G_j\}|}{|\{(i,j) : i<j,\ G_i\ne G_j\}|}"
    r"\quad(G_i=\gain{g_i},\ i,j\colon \paired{},\ \text{no pair}\colon \undefined{})",
    source=f"{JOACHIMS_2002} (the share that Kendall's tau is made of)",
)
def pair_accuracy(
    rows: Rows,
    *,
    gain: Gain = LINEAR,
    paired: Paired = JUDGED_PAIRED,
    undefined: Undefined = UNDEFINED_ZERO,
) -> Working:
    """Pair accuracy is the share of pairs of documents that are in the order of their grades.

    Between 0 and 1. A pair is two judged documents of the ranking whose grades differ. With
    `gain="binary"` two relevant documents do not make a pair. With `paired="retrieved"` a document
    that nobody judged makes pairs too, as one of grade 0. A query without a pair has no accuracy.
    It gets 0, or what `undefined` says. The mean over queries is the accuracy by query.

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
        lower = worth < level
        higher = worth > level
        concordant = concordant + above * judged.count(lower)
        discordant = discordant + above * judged.count(higher)
    if paired.all_retrieved:
        below_zero = judged.count(worth < 0)
        above_zero = judged.count(worth > 0)
        before, after = _unjudged_around(judged)
        concordant = concordant + above_zero * after + below_zero * before
        discordant = discordant + above_zero * before + below_zero * after
    right = judged.total(concordant)
    wrong = judged.total(discordant)
    why = "no two documents of the ranking differ in grade, so there is no pair"
    rows.refuse((right + wrong == 0).astype(bool), undefined, why)
    return Working(
        ratio(right, right + wrong, undefined.value),
        how="{concordant pairs} / ({concordant pairs} + {discordant pairs})",
        columns={"concordant pairs": concordant, "discordant pairs": discordant},
        table=judged.table(),
        quantities={"pairs": right + wrong},
    )


def _unjudged_around(judged: Rows) -> tuple[Array, Array]:
    """How many documents that nobody judged are ranked above each judged document, and below it."""
    ones = judged.count(judged.judged)
    before = judged.rank - judged.running(ones)
    without = judged.retrieved - judged.total(ones)
    return before, without[judged.query] - before
