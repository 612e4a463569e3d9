r"""Parts and means of areas under ROC curves.

pAUC = the area up to a fall-out, on a scale where chance gets 1/2 and a perfect order 1
GAUC = the mean AUC of users, each weighted by how many items it was shown
"""

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.curves import roc_auc
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.numbers import Array, in_kind, ratio, total, zeros
from irmetrics_edu.rows.nested import BY_USER, Nested
from irmetrics_edu.rows.scored import SCORED, Scored
from irmetrics_edu.working import Table, Working


@metric(
    "pAUC",
    symbol=r"\mathrm{pAUC}",
    aliases=("partial_AUC",),
    inputs=SCORED,
    formula=(
        r"\tfrac{1}{2}\left(1+\frac{A_x-x^2/2}{x-x^2/2}\right),\quad A_x=\int_0^x "
        r"\text{true positive rate},\ x=\fallout\quad(\text{relevant: }g\ge\rel)"
    ),
    source="McClish (1989), Analyzing a portion of the ROC curve, Medical Decision Making 9(3)",
    rational={},
    monotone=False,  # an exchange to the right of the limit changes nothing
)
def partial_auc(scored: Scored, *, fallout: float = 0.1, rel: float = 1) -> Working:
    """The partial area under the ROC curve is the area up to a fall-out, on a scale from chance.

    Only the first part of the curve counts. It ends where the fall-out, the share of all other
    documents that are retrieved, is `fallout` (above 0, at most 1). The area is scaled: chance gets
    1/2 and a perfect order gets 1. With fallout=1 it is AUC. The value is between 0 and 1.
    scikit-learn calls the limit max_fpr. It raises InputError if all documents are relevant, or
    none.

    >>> partial_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fallout=0.5, exact=True)
    Fraction(2, 3)
    """
    checks.between("fallout", fallout, 0, 1, open_low=True)
    whole = roc_auc.measured(scored, rel=rel)
    table, query = whole.table, whole.table.query
    high, right = whole["true positive rate"], whole["fall-out"]
    limit = in_kind(high, fallout)
    low, left = _before(high, query), _before(right, query)
    until = np.minimum(right, limit)
    width = np.maximum(until - left, right * 0)
    reached = low + (high - low) * ratio(width, right - left, 0)
    strip = width * (low + reached) / 2
    area = total(strip, query, scored.n)
    chance = area * 0 + limit * limit / 2
    most = area * 0 + limit
    return Working(
        (1 + (area - chance) / (most - chance)) / 2,
        how="(1 + ({area} - {area of chance}) / ({largest area} - {area of chance})) / 2",
        columns={
            "true positive rate": high,
            "fall-out": right,
            "width within the limit": width,
            "area of the strip": strip,
        },
        table=table,
        quantities={"area": area, "area of chance": chance, "largest area": most},
        parts={"AUC": whole},
        rows=scored,
    )


def _before(values: Array, query: Array) -> Array:
    """The value on the line before; 0 on the first of each query."""
    before = zeros(values, len(values))
    same = query[1:] == query[:-1]
    before[1:][same] = values[:-1][same]
    return before


@metric(
    "GAUC",
    aliases=("group_AUC",),
    inputs=BY_USER,
    formula=r"\frac{\sum_u n_u\,\mathrm{AUC}_u}{\sum_u n_u}\quad(u\text{ with both kinds},\ "
    r"n_u\text{ items shown},\ \text{relevant: }g\ge\rel)",
    source="Zhu et al. (2017), Optimized cost per click in Taobao display advertising, KDD",
    rational={},
)
def group_auc(rows: Nested, *, rel: float = 1) -> Working:
    """Group AUC is the mean of the users' AUC, weighted by how many items each was shown.

    Between 0 and 1, with 1/2 for chance. Items of different users are never compared, because they
    never appear in the same list. A user has no AUC if all items are relevant, or none. Such users
    are left out. If no user has an AUC, it is an error.

    >>> group_auc([1, 0, 1, 0, 0], [0.9, 0.2, 0.5, 0.6, 0.1], ["u", "u", "v", "v", "v"])
    0.7
    """
    kept = []
    for i, user in enumerate(rows.parts):
        R = float(user.rows.relevant(rel)[0])
        if 0 < R < float(user.rows.retrieved[0]):
            kept.append(i)
    out = len(rows.parts) - len(kept)
    of_query = rows.query[kept]
    for q in np.flatnonzero(np.bincount(of_query, minlength=rows.n) == 0)[:1].tolist():
        raise InputError(
            f"{rows.at(q)}no user has both a relevant item and another, so no user has an AUC; "
            "give more items for each user"
        )
    users = Scored.joined([rows.parts[i] for i in kept])
    each = roc_auc.measured(users, rel=rel)
    shown = users.rows.depth(None)
    weighted = shown * each.score
    return Working(
        total(weighted, of_query, rows.n) / total(shown, of_query, rows.n),
        how="({AUC times items shown}) / ({items shown})",
        columns={"items shown": shown, "AUC": each.score, "AUC times items shown": weighted},
        table=Table(of_query, {"user": [rows.name[i] for i in kept]}),
        rows=rows,
        notes=(f"{out} of {len(rows.parts)} users have no AUC and are left out",)
        if out and rows.n == 1
        else (),
    )
