r"""A threshold moves down the scores: the curves, the areas under them, and where they meet.

A document is retrieved if its score is at least the threshold. TP retrieved documents are relevant
and FP are not. P = TP / (TP + FP), recall = true positive rate = TP / R, fall-out = FP / N.
"""

import numpy as np

from irmetrics_edu.conventions import UNDEFINED_REFUSED, ZERO, NoRelevant, Undefined
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.forms import Numbers
from irmetrics_edu.metrics.set_based import without_relevant
from irmetrics_edu.numbers import Array, ratio, starts_of, total, zeros
from irmetrics_edu.rows.scored import SCORED, Scored
from irmetrics_edu.working import Columns, Table, Working


def _at_thresholds(scored: Scored, rel: float) -> tuple[Table, Array, Array]:
    """A line per threshold, and TP and FP there; documents of equal score come in together."""
    rows, ends = scored.rows, scored.ends
    TP = rows.running(rows.relevance(rel))[ends]
    return (
        Table(rows.query[ends], scored.labels("threshold", ends)),
        TP,
        rows.rank[ends] - TP,
    )


def _line_before(values: Array, query: Array) -> Array:
    """The value at the threshold before; 0 for the first, before which nothing is retrieved."""
    before = zeros(values, len(values))
    same = query[1:] == query[:-1]
    before[1:][same] = values[:-1][same]
    return before


@metric(
    "AUC",
    aliases=("AUROC",),
    inputs=SCORED,
    formula=r"\frac{1}{R\,N}\sum_{i\le\k\colon g_i\ge\rel}\ \sum_{j\le\k\colon g_j<\rel}"
    r"\left([s_i>s_j]+\tfrac{1}{2}[s_i=s_j]\right)"
    r"\quad(R\,N=0\colon \undefined{})",
    source="Hanley & McNeil (1982), The meaning and use of the area under a ROC curve, "
    "Radiology 143(1)",
)
def roc_auc(
    scored: Scored,
    k: int | None = None,
    *,
    rel: float = 1,
    undefined: Undefined = UNDEFINED_REFUSED,
) -> Working:
    """The area under the ROC curve is how probably a relevant document outranks a non-relevant one.

    Between 0 and 1, with 1/2 for chance. A tie counts half. The curve shows the true positive rate
    against the fall-out, and the area under it counts the pairs of a relevant and a non-relevant
    document, strip by strip. With a cut-off k, the pairs are those of the first k documents.

    A list whose documents are all relevant, or none, has no pair. It is an error, or gets what
    `undefined` says: "skip" leaves such users out of the mean, "half" gives 0.5. A mean over users
    in which each counts as often as documents were scored for it is GAUC (Zhou et al., 2018).

    >>> roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    >>> roc_auc([1, 0], [0.5, 0.5])
    0.5
    >>> roc_auc([1, 1], [0.9, 0.8], undefined="half")
    0.5
    """
    top = scored.top(k)
    table, TP, FP = _at_thresholds(top, rel)
    query = table.query
    R = top.rows.total(top.rows.relevance(rel))
    N = top.rows.total(top.rows.count(top.rows.judged)) - R
    one_kind = (R * N == 0).astype(bool)
    if undefined.refused and one_kind.any():
        _refuse_one_kind(top, R, N, one_kind)
    strip = (FP - _line_before(FP, query)) * (TP + _line_before(TP, query)) / 2

    def notes_of(q: int) -> list[str]:
        if not one_kind[q]:
            return []
        return [f"no pair can be compared, so undefined={undefined} gives the score"]

    without_pairs = top.n == 1 and bool(one_kind[0])
    return Working(
        ratio(total(strip, query, top.n), R * N, undefined.value),
        how="" if without_pairs else "({pairs in order}) / ({R} * {N})",
        columns=Columns(
            {
                "TP": TP,
                "FP": FP,
                "true positive rate": lambda: ratio(TP, R[query], np.nan),
                "fall-out": lambda: ratio(FP, N[query], np.nan),
                "pairs in order": strip,
            }
        ),
        table=table,
        quantities={"R": R, "N": N},
        notes=notes_of(0) if top.n == 1 else (),
        notes_of=notes_of,
    )


def _refuse_one_kind(
    scored: Scored,
    R: Array,
    N: Array,
    one_kind: Array,
) -> None:
    """Refuse the first query whose documents are of one kind."""
    q = int(np.flatnonzero(one_kind)[0])
    what = "none is relevant" if R[q] == 0 else "all are relevant"
    raise InputError(
        f"{scored.at(q)}of {int(R[q] + N[q])} documents {what}, so no pair can be compared; "
        "AUC needs at least one document of each kind. Write AUC(undefined=skip) to leave such a "
        "query out of the mean, or AUC(undefined=half) to score it 0.5"
    )


@metric(
    "PR-AUC",
    symbol=r"\text{PR-AUC}",
    aliases=("AUPRC", "average_precision_score"),
    inputs=SCORED,
    formula=r"\sum_t (\mathrm{Rec}_t-\mathrm{Rec}_{t-1})\,P_t\quad"
    r"(t\text{ thresholds},\ \text{relevant: }g\ge\rel,\ R=0\colon \norelevant{})",
    source="Davis & Goadrich (2006), The relationship between precision-recall and ROC curves, "
    "ICML; by steps, as scikit-learn has it",
)
def pr_auc(scored: Scored, *, rel: float = 1, no_relevant: NoRelevant = ZERO) -> Working:
    """The area under the precision-recall curve is the sum of each gain in recall times precision.

    Between 0 and 1. The area is made of steps, not of trapezia: a straight line between two points
    of a P-R curve is too optimistic. Documents of equal score are retrieved together. Without ties
    the area is the average precision of the ranking.

    >>> round(pr_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    """
    table, TP, FP = _at_thresholds(scored, rel)
    query = table.query
    R = scored.rows.relevant(rel)
    precision = TP / (TP + FP)
    recall = ratio(TP, R[query], 0)
    gained = recall - _line_before(recall, query)
    return Working(
        without_relevant(total(gained * precision, query, scored.n), R, no_relevant),
        how="{step area}",
        columns={
            "TP": TP,
            "FP": FP,
            "precision": precision,
            "recall": recall,
            "recall gained": gained,
            "step area": gained * precision,
        },
        table=table,
        quantities={"R": R},
    )


def roc_curve(
    relevance: Numbers,
    scores: Numbers | None = None,
    *,
    rel: float = 1,
    exact: bool = False,
) -> Working:
    """The ROC curve is the true positive rate against the fall-out, threshold by threshold.

    The score of the working is the AUC. It has a line per threshold, highest first. A plot of it
    starts at (0, 0). Above the diagonal, the scores separate relevant documents from others better
    than chance does.

    >>> roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])["true positive rate"]
    array([0.5, 0.5, 1. , 1. ])
    """
    return roc_auc.working(relevance, scores, rel=rel, exact=exact)


def pr_curve(
    relevance: Numbers,
    scores: Numbers | None = None,
    *,
    rel: float = 1,
    exact: bool = False,
) -> Working:
    """The precision-recall curve is precision against recall, threshold by threshold.

    The score of the working is the area under the curve. It has a line per threshold, highest
    first.

    >>> pr_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])["precision"].round(3)
    array([1.   , 0.5  , 0.667, 0.5  ])
    """
    return pr_auc.working(relevance, scores, rel=rel, exact=exact)


@metric(
    "break-even",
    symbol=r"\mathrm{BEP}",
    aliases=("BEP", "break_even_point"),
    inputs=SCORED,
    formula=r"P_t=\mathrm{Rec}_t\quad(\text{between thresholds: on a line},\ "
    r"\text{relevant: }g\ge\rel,\ R=0\colon \norelevant{})",
    source="Lewis (1992), An evaluation of phrasal and clustered representations on a text "
    "categorization task, SIGIR",
)
def break_even(scored: Scored, *, rel: float = 1, no_relevant: NoRelevant = ZERO) -> Working:
    """The break-even point is the value at which precision and recall are equal.

    Between 0 and 1. Precision and recall are equal when as many documents are retrieved as are
    relevant. So without ties it is the R-precision. Ties may jump over that point. It is then
    on the straight line between the two points of the curve. Before the first threshold, precision
    is taken to be that of the first threshold.

    >>> break_even([1, 0, 1, 0])
    0.5
    """
    table, TP, FP = _at_thresholds(scored, rel)
    query = table.query
    R = scored.rows.relevant(rel)
    retrieved = TP + FP
    precision = TP / retrieved
    recall = ratio(TP, R[query], 0)
    # The first threshold at which at least R are retrieved, and the line before it. The last
    # threshold retrieves everything, so there always is one, but in a list without documents.
    enough = (retrieved >= R[query]).astype(bool)
    starts = starts_of(query[enough], scored.n)
    answered = starts[1:] > starts[:-1]
    after = np.flatnonzero(enough)[starts[:-1][answered]]
    recall_after = zeros(recall, scored.n)
    recall_before = zeros(recall, scored.n)
    ahead = zeros(recall, scored.n)
    share = zeros(recall, scored.n)
    recall_after[answered] = recall[after]
    recall_before[answered] = _line_before(recall, query)[after]
    first = np.isin(after, starts_of(query, scored.n)[:-1])
    precision_before = np.where(first, precision[after], _line_before(precision, query)[after])
    ahead[answered] = precision_before - recall_before[answered]
    behind = recall_after[answered] - precision[after]
    share[answered] = ratio(ahead[answered], ahead[answered] + behind, 1)
    return Working(
        without_relevant(recall_before + share * (recall_after - recall_before), R, no_relevant),
        how="{recall before} + {share of the way} * ({recall after} - {recall before})",
        columns={"TP": TP, "FP": FP, "precision": precision, "recall": recall},
        table=table,
        quantities={
            "R": R,
            "recall before": recall_before,
            "recall after": recall_after,
            "share of the way": share,
        },
    )
