"""From the scores of many queries to one number: means and spread."""

import math

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.definition import ANY, UNBOUNDED, metric
from irmetrics_edu.numbers import Array, first_place, is_exact
from irmetrics_edu.rows.query_values import VALUES, Values
from irmetrics_edu.working import Columns, Working


@metric(
    "mean",
    symbol=r"\bar{x}",
    formula=r"\frac{1}{n} \sum_{q=1}^{n} x_q",
    source="Voorhees & Harman (2005), TREC: experiment and evaluation in information retrieval",
    inputs=VALUES,
    range=ANY,
    units="those of the values",
)
def mean(rows: Values) -> Working:
    """The arithmetic mean is the sum of the values over their number.

    >>> mean([0.02, 0.03, 0.29], exact=True)
    Fraction(17, 150)
    """
    return Working(
        rows.total(rows.value) / rows.size,
        how="({value}) / {number of values}",
        columns={"value": rows.value},
        table=rows.table(),
        quantities={"number of values": rows.size},
    )


@metric(
    "geometric_mean",
    symbol="G",
    formula=r"\sqrt[n]{\prod_{q=1}^{n} \max(x_q, \floor)}"
    r" = \exp\left(\frac{1}{n} \sum_{q=1}^{n} \ln \max(x_q, \floor)\right)",
    source="Robertson (2006), On GMAP: and other transformations, CIKM",
    inputs=VALUES,
    range=UNBOUNDED,
    units="those of the values",
)
def geometric_mean(rows: Values, *, floor: float = 0) -> Working:
    """The geometric mean is the n-th root of the product of n values: small values weigh heavily.

    No value may be negative. A value of 0 makes the mean 0, unless you give a `floor`, to which
    each smaller value is raised: trec_eval's GMAP has floor=1e-5. It is computed by logarithms,
    because the product of many small values is too small for a float.

    >>> round(geometric_mean([0.02, 0.03, 0.29]), 3)
    0.056
    >>> geometric_mean([0, 0.4])
    0.0
    >>> round(geometric_mean([0, 0.4], floor=1e-5), 3)
    0.002
    """
    checks.between("floor", floor, 0, math.inf, open_high=True)
    if is_exact(rows.value):
        raise NotRational(
            "the n-th root is irrational, so there is no exact value; drop exact=True"
        )
    for i in first_place(rows.value < 0):
        raise InputError(
            f"{rows.place(i)}value {rows.value[i]:g} is negative; a geometric mean is of "
            "values from 0 on"
        )
    floored = np.maximum(rows.value, float(floor))  # a whole number may be too large for numpy's
    positive = ~(floored <= 0)  # NaN stays NaN
    logarithm = np.full(len(floored), -np.inf)
    np.log(floored, out=logarithm, where=positive)
    mean_of_logarithms = rows.total(logarithm) / rows.size
    product = np.ones(rows.n)
    np.multiply.at(product, rows.query, floored)
    whole = rows.total((~positive).astype(np.float64)) == 0
    underflow = bool((whole & (product < np.finfo(np.float64).tiny)).any())
    # The mean of one value is that value; by its logarithm it might be off by a rounding.
    score = np.where(rows.size == 1, product, np.exp(mean_of_logarithms))
    return Working(
        score,
        how="exp {mean of logarithms}",
        columns={"value": rows.value, "value with floor": floored, "logarithm": logarithm},
        table=rows.table(),
        quantities={
            "number of values": rows.size,
            "mean of logarithms": mean_of_logarithms,
            "product": product,
            "root of the product": product ** (1 / rows.size),
        },
        notes=["the product is too small for a float; the logarithms are not"] if underflow else (),
    )


@metric(
    "variance",
    symbol="s^2",
    formula=r"\frac{1}{n-\ddof} \sum_{q=1}^{n} (x_q - \bar{x})^2",
    source="Fisher (1918), The correlation between relatives, Transactions of the RSE 52(2)",
    inputs=VALUES,
    range=UNBOUNDED,
    units="the square of those of the values",
)
def variance(rows: Values, *, ddof: int = 1) -> Working:
    """The variance is the sum of squared deviations from the mean, over the number less ddof.

    ddof=1 estimates the variance of all queries from a sample of them. ddof=0 is the variance of
    these values alone. You need more than `ddof` values.

    >>> variance([1, 2, 3])
    1.0
    >>> variance([1, 2, 3], ddof=0, exact=True)
    Fraction(2, 3)
    """
    checks.whole("ddof", ddof, 0, why=": 1 (a sample of queries) or 0 (these values alone)")
    size = rows.size
    for q in first_place(size <= ddof):
        raise InputError(
            f"{rows.at(q)}the variance of {int(size[q])} value(s) with ddof={ddof} is "
            f"not defined; give at least {ddof + 1} values" + (", or ddof=0" if size[q] else "")
        )
    average = mean.measured(rows)
    deviation: Array = rows.value - average.score[rows.query]
    squared = deviation * deviation
    return Working(
        rows.total(squared) / (size - ddof),
        how="({squared deviation}) / {degrees of freedom}",
        columns=Columns(
            {"value": rows.value, "deviation": deviation, "squared deviation": squared}
        ),
        table=rows.table(),
        quantities={"degrees of freedom": size - ddof},
        parts={"mean": average},
    )
