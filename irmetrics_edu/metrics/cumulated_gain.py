"""Graded relevance: cumulated gain, with and without a discount, and divided by the ideal."""

from irmetrics_edu.conventions import (
    CUT_BOTH,
    JUDGED,
    LINEAR,
    LOG2,
    ZERO,
    Cut,
    Discount,
    Gain,
    Ideal,
    NoRelevant,
)
from irmetrics_edu.metrics.definition import UNBOUNDED, metric
from irmetrics_edu.numbers import Array, down_to_rank, ratio, starts_of
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.rows.shared_ranks import within
from irmetrics_edu.working import Columns, Working

JK_2002 = (
    "Järvelin & Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4)"
)


@metric(
    "CG",
    formula=r"\sum_{i=1}^{\k} \gain{g_i}",
    source=JK_2002,
    range=UNBOUNDED,
    units="gain",
    shares_ties=True,
)
def cg(rows: Rows, k: int | None = None, *, gain: Gain = LINEAR) -> Working:
    """Cumulated gain is the sum of the gains of the first k documents, whatever their order.

    It has no upper bound and is in units of gain. A ranking without gain scores 0.

    >>> cg([5, 2, 3])
    10.0
    """
    top = rows.top(k)
    gains = within(top, top.gains(gain), k)
    return Working(
        top.total(gains),
        how="{gain}",
        columns=Columns({"gain": gains, "cumulated gain": lambda: top.running(gains)}),
        table=top.table(),
    )


@metric(
    "NCG",
    formula=r"\frac{\sum_{i=1}^{\k} \gain{g_i}}{\sum_{i=1}^{\k} \gain{g^*_i}}"
    r"\quad(R=0\colon \norelevant{})",
    source=f"{JK_2002}; at one rank, as here: Craswell, Mitra, Yilmaz, Campos & Voorhees (2020), "
    "Overview of the TREC 2019 deep learning track, TREC",
    shares_ties=True,
)
def ncg(
    rows: Rows,
    k: int | None = None,
    *,
    gain: Gain = LINEAR,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Normalised cumulated gain is the CG of a ranking over that of the ideal ranking.

    Between 0 and 1 if no gain is negative. It says how much of the gain that fits into k documents
    was retrieved, in whatever order: it is nDCG without a discount. Without a cut-off it is the
    share of all gain that was retrieved, and with `gain="binary"` then recall. The ideal ranking
    holds all judged documents, best first. A query without gain scores as `no_relevant` says.

    >>> ncg(["d6", "d7", "d2"], {"d3": 3, "d6": 1, "d7": 2}, k=2)
    0.6
    """
    actual = cg.measured(rows, k, gain=gain)
    best = cg.measured(gain.best_first(rows.ideal(JUDGED, k)), k, gain=gain)
    best.name = "ideal cumulated gain"
    return Working(
        rows.ratio(actual.score, best.score, no_relevant.value),
        how="{cumulated gain} / {ideal cumulated gain}",
        table=actual.table,
        parts={"cumulated gain": actual, "ideal cumulated gain": best},
    )


@metric(
    "DCG",
    formula=r"\sum_{i=1}^{\k} \gain{g_i}\,\discount{i}",
    source=JK_2002,
    range=UNBOUNDED,
    units="gain",
    shares_ties=True,
)
def dcg(
    rows: Rows,
    k: int | None = None,
    *,
    gain: Gain = LINEAR,
    discount: Discount = LOG2,
) -> Working:
    """Discounted cumulated gain is the sum of gains, each multiplied by a discount for its rank.

    It has no upper bound and is in units of gain. `discount` is log2(i+1), as in Burges et al.
    (2005), or `jk(b)`, as in the original paper: the first b-1 ranks are not discounted, and later
    ones are divided by log_b of the rank. With `ties="averaged"`, documents of equal score share
    the discounts of their ranks (McSherry & Najork, 2008).

    >>> round(dcg([5, 2, 3]), 3)
    7.762
    >>> round(dcg([3, 2, 3], discount="jk"), 2)
    6.89
    """
    top = rows.top(k)
    gains = top.gains(gain)
    discounts = top.at_rank(discount, k)
    discounted = gains * discounts
    return Working(
        top.total(discounted),
        how="{discounted gain}",
        columns=Columns(
            {
                "gain": gains,
                "discount": discounts,
                "discounted gain": discounted,
                "cumulated": lambda: top.running(discounted),
            }
        ),
        table=top.table(),
    )


@metric(
    "IDCG",
    aliases=("ideal_DCG",),
    formula=r"\sum_{i=1}^{\k} \gain{g^*_i}\,\discount{i}\quad(g^*\colon \ideal{})",
    source=JK_2002,
    range=UNBOUNDED,
    units="gain",
    shares_ties=True,
)
def idcg(
    rows: Rows,
    k: int | None = None,
    *,
    gain: Gain = LINEAR,
    discount: Discount = LOG2,
    ideal: Ideal = JUDGED,
) -> Working:
    """The ideal DCG is the DCG of the ideal ranking: the highest that a ranking can have.

    It has no upper bound and is in units of gain. nDCG divides by it. It tells how much there was
    to find for a query, whatever was retrieved, and is 0 if nothing is relevant. The ideal ranking
    holds all judged documents, best first. `ideal` says otherwise, as in nDCG.

    >>> round(idcg([5, 2, 3]), 3)
    7.893
    >>> round(idcg(["d6"], {"d3": 3, "d6": 1, "d7": 2}, k=2), 3)
    4.262
    """
    best = gain.best_first(rows.ideal(ideal, k))
    return dcg.measured(
        best,
        k,
        gain=gain,
        discount=discount,
    )


@metric(
    "nDCG",
    aliases=("nDCG_cut",),
    formula=r"\frac{\sum_{i=1}^{\k} \gain{g_i}\,\discount{i}}"
    r"{\sum_{i=1}^{\cut{}} \gain{g^*_i}\,\discount{i}}"
    r"\quad(g^*\colon \ideal{},\ R=0\colon \norelevant{})",
    source=JK_2002,
    shares_ties=True,
)
def ndcg(
    rows: Rows,
    k: int | None = None,
    *,
    gain: Gain = LINEAR,
    discount: Discount = LOG2,
    ideal: Ideal = JUDGED,
    cut: Cut = CUT_BOTH,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Normalised discounted cumulated gain is the DCG of a ranking over that of the ideal ranking.

    Between 0 and 1 if no gain is negative. The ideal ranking holds all judged documents, best
    first, and is cut at the same k. `ideal="retrieved"` sorts only the documents of the ranking
    itself. `ideal="k_ones"` is k documents of grade 1, even if there are fewer relevant documents.

    >>> round(ndcg([5, 2, 3]), 3)
    0.983
    >>> round(ndcg(["d6", "d7", "d2"], {"d3": 1, "d6": 1}, k=3), 4)
    0.6131
    >>> ndcg.working([5, 2, 3])["nDCG"].round(3)
    array([1.   , 0.908, 0.983])
    """
    actual = dcg.measured(rows, k, gain=gain, discount=discount)
    best = dcg.measured(
        gain.best_first(rows.ideal(ideal, k)),
        cut.of_ideal(k),
        gain=gain,
        discount=discount,
    )
    best.name = "IDCG"

    def at_each_rank() -> Array:
        top = rows.top(k)
        ideal_so_far = down_to_rank(
            best["cumulated"],
            starts_of(best.table.query, rows.n),
            top.query,
            top.rank,
        )
        return ratio(actual["cumulated"], ideal_so_far, no_relevant.value)

    return Working(
        rows.ratio(actual.score, best.score, no_relevant.value),
        how="{DCG} / {IDCG}",
        columns=Columns({"nDCG": at_each_rank}),
        table=actual.table,
        parts={"DCG": actual, "IDCG": best},
    )
