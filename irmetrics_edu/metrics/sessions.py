r"""Whole search sessions: several queries, one after the other, for one need.

sDCG = DCG_1 + DCG_2 / (1 + log_b 2) + DCG_3 / (1 + log_b 3) + ...
"""

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import LINEAR, LOG2, Discount, Gain
from irmetrics_edu.errors import NotRational
from irmetrics_edu.metrics.cumulated_gain import dcg
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.numbers import is_exact, total
from irmetrics_edu.rows.nested import SESSION, Nested
from irmetrics_edu.working import Table, Working


@metric(
    "sDCG",
    aliases=("session_DCG",),
    formula=r"\sum_{q} \frac{1}{1+\log_{\base} q}\sum_{i=1}^{\k} \gain{g_{q,i}}\,\discount{i}",
    source="Järvelin, Price, Delcambre & Nielsen (2008), Discounted cumulated gain based "
    "evaluation of multiple-query IR sessions, ECIR",
    inputs=SESSION,
    range=(-float("inf"), float("inf")),
    units="gain",
)
def session_dcg(
    rows: Nested,
    k: int | None = None,
    *,
    base: float = 4,
    gain: Gain = LINEAR,
    discount: Discount = LOG2,
) -> Working:
    """Session DCG is the sum of the DCG of a session's queries, later queries counting less.

    `session` is a list of rankings, one for each query, in the order in which the user asked them.
    The DCG of query number q is divided by 1 + log q to the `base`, above 1. So a document is worth
    less if the user needs a second query to find it. At least 0 if no gain is negative. A document
    that is found again counts again. `gain` and `discount` are given as for DCG. The paper has
    `discount="jk"`.

    >>> session_dcg([[1, 0], [1, 0]])
    1.6666666666666665
    """
    checks.between("base", base, 1, float("inf"), open_low=True, open_high=True)
    whole = rows.whole()
    if is_exact(whole.grade):
        raise NotRational("the logarithm of a query's number is irrational; drop exact=True")
    each = dcg.measured(whole, k, gain=gain, discount=discount)
    number = np.array(rows.name, dtype=np.float64)
    factor = 1 / (1 + np.log2(number) / np.log2(float(base)))
    discounted = each.score * factor
    return Working(
        total(discounted, rows.query, rows.n),
        how="{discounted DCG}",
        columns={"DCG": each.score, "query discount": factor, "discounted DCG": discounted},
        table=Table(rows.query, {"number": list(rows.name)}),
        rows=rows,
    )
