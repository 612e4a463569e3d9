"""Precision at every relevant document, averaged; and precision at given levels of recall."""

from fractions import Fraction

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import (
    BY_HITS,
    BY_RELEVANT,
    STANDARD,
    ZERO,
    Divisor,
    Interpolation,
    NoRelevant,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.forms import OneJudgments, OneRanking
from irmetrics_edu.metrics.set_based import BUCKLEY, divided_by, without_relevant
from irmetrics_edu.numbers import (
    Array,
    as_fraction,
    in_kind,
    largest,
    like,
    starts_of,
    total,
    zeros,
)
from irmetrics_edu.rows.aligned_ranking import align
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.rows.shared_ranks import precision_at, within
from irmetrics_edu.working import Columns, Table, Working

MOST_LEVELS = 10_001  # of recall: every hundredth of a percent
HARMAN = "Harman (1992), Evaluation issues in information retrieval, IP&M 28(4)"


@metric(
    "AP",
    aliases={"MAP": {}, "map_cut": {}, "context_precision": {"divisor": "hits"}},
    formula=r"\frac{1}{\divisor{}}\sum_{i\le \k\colon g_i\ge\rel} P@i"
    r"\quad(h\text{ hits},\ R=0\colon \norelevant{})",
    source=HARMAN,
    shares_ties=True,
)
def average_precision(
    rows: Rows,
    k: int | None = None,
    *,
    rel: float = 1,
    divisor: Divisor = BY_RELEVANT,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Average precision is the mean, over all relevant documents, of the precision at their ranks.

    Between 0 and 1. A relevant document that is not retrieved, or is ranked below k, adds 0.
    `divisor` says what the sum is divided by: all `relevant` documents, the `reachable` ones,
    min(k, R), only the `hits`, `k` itself, or all `retrieved`. The mean over queries is MAP. With
    `divisor="hits"` it is the context precision of retrieval-augmented generation (documentation of
    ragas; Es et al., 2024, RAGAs, EACL). There a missing relevant passage costs nothing.

    >>> average_precision([1, 0, 1], exact=True)
    Fraction(5, 6)
    >>> average_precision(["a", "b", "c"], {"a", "c", "x", "y"}, exact=True)
    Fraction(5, 12)
    """
    top = rows.top(k)
    R = rows.relevant(rel)
    relevance = top.relevance(rel)
    precision = precision_at(top, relevance, k)
    gathered = relevance * precision
    hits = top.total(within(top, relevance, k))
    if k is not None and divisor is BY_HITS and _a_tie_hides_the_hits(top, relevance, k):
        raise InputError(
            "AP with divisor=hits cannot average over ties (ties='averaged') if the cut-off goes "
            "through a tie, because the number of hits above it depends on the order; choose "
            "another order of ties, such as ties='docid'"
        )
    size = divided_by(
        divisor,
        allowed=tuple(Divisor.values.values()),
        rows=rows,
        k=k,
        hits=hits,
        R=R,
    )
    return Working(
        without_relevant(rows.ratio(top.total(gathered), size), R, no_relevant),
        how="({precision at relevant}) / {divisor}",
        columns={
            "relevance": relevance,
            "relevant so far": top.running(relevance),
            "precision": precision,
            "precision at relevant": gathered,
        },
        table=top.table(),
        quantities={"relevant retrieved": hits, "R": R, "divisor": size},
    )


def _a_tie_hides_the_hits(top: Rows, relevance: Array, k: int) -> bool:
    """Whether the cut goes through a tie of relevant and other documents that is averaged."""
    if top.span is None:
        return False
    first, size = top.span
    across = first + size - 1 > k
    query = top.query[across]
    hit = relevance[across] != 0
    hits = np.bincount(query, hit, minlength=top.n)[query]
    return bool(((hits > 0) & (hits < size[across])).any())


@metric(
    "simplified-AP",
    symbol=r"\mathrm{AP}_{\text{simplified}}",
    aliases=("AP_simplified",),
    formula=r"\frac{1}{h}\sum_{i\le \k\colon g_i\ge\rel} P@i"
    r"\quad(h\text{ hits},\ R=0\colon \norelevant{})",
    source="known from lectures; Baeza-Yates & Ribeiro-Neto (1999), Modern Information Retrieval, "
    "section 3.2.1, as average precision at seen relevant documents",
)
def simplified_average_precision(
    rows: Rows,
    k: int | None = None,
    *,
    rel: float = 1,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Simplified average precision is the mean of precision over the relevant documents retrieved.

    Between 0 and 1. Missing relevant documents cost nothing, because recall plays no part. It
    favours engines that return a few good documents early.

    >>> simplified_average_precision(["a", "b", "c"], {"a", "c", "x", "y"}, exact=True)
    Fraction(5, 6)
    """
    return average_precision.measured(rows, k, rel=rel, divisor=BY_HITS, no_relevant=no_relevant)


def precision_recall_curve(
    ranking: OneRanking,
    judgments: OneJudgments | None = None,
    *,
    k: int | None = None,
    rel: float = 1,
    exact: bool = False,
) -> Working:
    """The precision-recall curve of a ranking is precision against recall, rank by rank.

    The working has the columns precision, recall and interpolated precision. Interpolated precision
    is the best precision from this rank down, at this recall or a higher one. The score of the
    working is the AP. At a document that is not relevant, recall stays the same and precision
    falls, so the curve looks like a saw.

    >>> precision_recall_curve([1, 0, 1])["interpolated precision"].round(3)
    array([1.   , 0.667, 0.667])
    """
    return _curve(align(ranking, judgments, exact=exact), checks.cutoff(k), rel=rel)


def _curve(rows: Rows, k: int | None = None, *, rel: float = 1) -> Working:
    """The working of AP, with recall and interpolated precision beside precision."""
    working = average_precision.measured(rows, k, rel=rel)
    query, columns = working.table.query, working.columns
    R = working["R"]
    working.columns = Columns(
        {
            **columns,
            "recall": lambda: rows.ratio(columns["relevant so far"], R[query]),
            "interpolated precision": lambda: _best_from_here(columns["precision"], query),
        }
    )
    return working


def _best_from_here(values: Array, query: Array) -> Array:
    """The largest value from each row on to the end of its query, by doubling the reach."""
    best = values.copy()
    step = 1
    longest = largest(np.bincount(query))
    while step < longest:
        larger = np.maximum(best[:-step], best[step:])
        best[:-step] = np.where(query[:-step] == query[step:], larger, best[:-step])
        step *= 2
    return best


@metric(
    "interpolated-AP",
    symbol=r"\mathrm{AP}_{\text{interpolated}}",
    aliases={"11pt_avg": {"points": 11}, "interpolated_AP": {}, "iAP": {}},
    formula=r"\frac{1}{\points}\sum_{j=0}^{\points-1} \interpolation{r_j},"
    r"\quad r_j=\tfrac{j}{\points-1}\quad(\text{relevant: }g\ge\rel,\ R=0\colon \norelevant{})",
    source=BUCKLEY,
)
def interpolated_average_precision(
    rows: Rows,
    *,
    points: int = 11,
    interpolation: Interpolation = STANDARD,
    rel: float = 1,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Interpolated average precision is the mean of precision at equally spaced levels of recall.

    Between 0 and 1. With 11 points the levels are 0, 0.1, ..., 1. A level that the ranking never
    reaches adds 0. `interpolation="none"` takes the precision at the rank where a level is first
    reached. Some lectures do this, but it is not interpolation. Levels are compared as exact
    fractions: with 3 relevant documents, recall 0.7 needs 3 of them (2.1, rounded up).
    `interpolation="trec_eval"` takes 2, as trec_eval does in floats.

    >>> interpolated_average_precision([0, 1, 1], points=3, exact=True)
    Fraction(2, 3)
    >>> interpolated_average_precision([0, 1, 1], points=3, interpolation="none", exact=True)
    Fraction(7, 18)
    """
    why = ": how many levels of recall, such as 11"
    n = checks.whole("points", points, 2, MOST_LEVELS, why=why)
    levels = [Fraction(j, n - 1) for j in range(n)]
    curve = _curve(rows, rel=rel)
    at_level, rank = _at_recall(rows, curve, levels, interpolation)
    query = np.repeat(np.arange(rows.n), len(levels))
    size = like(rows.grade, np.full(rows.n, points))
    return Working(
        without_relevant(total(at_level, query, rows.n) / size, curve["R"], no_relevant),
        how="({precision at recall}) / {points}",
        columns={"rank of recall": rank, "precision at recall": at_level},
        table=Table(query, {"recall level": levels * rows.n}),
        quantities={"points": size},
        parts={"precision and recall": curve},
    )


@metric(
    "IPrec",
    aliases=("iprec_at_recall",),
    formula=(
        r"\interpolation{r},\ r=\recall\quad(\text{relevant: }g\ge\rel,\ R=0\colon \norelevant{})"
    ),
    source=BUCKLEY,
    cutoff="recall",
)
def interpolated_precision(
    rows: Rows,
    *,
    recall: float | None = None,
    interpolation: Interpolation = STANDARD,
    rel: float = 1,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Interpolated precision is the best precision at a given level of recall or a higher one.

    Between 0 and 1. It is 0 if the ranking never reaches that recall. You must give `recall`, from
    0 to 1. In the notation of the field it comes after the @: IPrec@0.5.

    >>> (interpolated_precision @ 0.5)([0, 1, 1], exact=True)
    Fraction(2, 3)
    """
    if recall is None:
        raise InputError("recall= is missing: give a level of recall, as in IPrec@0.5")
    level = as_fraction(checks.between("recall", recall, 0, 1))
    curve = _curve(rows, rel=rel)
    at_level, _ = _at_recall(rows, curve, [level], interpolation)
    return Working(
        without_relevant(at_level, curve["R"], no_relevant),
        how="the precision at {recall level}",
        quantities={"recall level": zeros(rows.grade, rows.n) + in_kind(rows.grade, level)},
        parts={"precision and recall": curve},
    )


def _at_recall(
    rows: Rows,
    curve: Working,
    levels: list[Fraction],
    interpolation: Interpolation,
) -> tuple[Array, Array]:
    """Precision at each level of recall, query by query, and the rank where it is reached or 0.

    Recall r is reached with the first rank that has r R relevant documents, rounded up; for r = 0
    that is rank 1, whatever stands there.
    """
    relevant_rows = np.flatnonzero((curve["relevance"] > 0).astype(bool))
    starts = starts_of(curve.table.query[relevant_rows], rows.n)
    counts, which = np.unique(curve["R"].astype(np.int64), return_inverse=True)
    wanted = np.array(
        [[interpolation(level, int(R)) for level in levels] for R in counts], dtype=np.intp
    )
    needed = wanted[which].ravel()
    query = np.repeat(np.arange(rows.n), len(levels))
    place = starts[:-1][query] + np.maximum(needed, 1) - 1
    reached = place < starts[1:][query]
    row = relevant_rows[place[reached]]
    values = curve["interpolated precision" if interpolation.highest else "precision"]
    at_level = zeros(rows.grade, len(query))
    rank = zeros(rows.grade, len(query))
    at_level[reached] = values[row]
    rank[reached] = rows.rank[row]
    at_once = reached & (needed == 0) & (rank > 1).astype(bool)
    rank[at_once] = zeros(rows.grade, 1) + 1
    if not interpolation.highest:
        at_level[at_once] = zeros(rows.grade, 1)
    return at_level, rank
