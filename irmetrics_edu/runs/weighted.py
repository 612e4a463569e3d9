r"""Means of queries that do not weigh the same, such as by how often each was asked.

weighted mean: (w_1 x_1 + ... + w_n x_n) / (w_1 + ... + w_n)
its variance, by linearisation: n / (n - 1) (e_1^2 + ... + e_n^2), e_q = w_q (x_q - mean) / sum of w
effective size: (w_1 + ... + w_n)^2 / (w_1^2 + ... + w_n^2)

With equal weights all of them are those of the plain mean. Sources: Cochran (1977), Sampling
techniques, 3rd edition, on the ratio of two means; Kish (1965), Survey sampling, on the effective
size.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from irmetrics_edu.metrics.definition import ANY, Metric
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.query_values import VALUES, Values
from irmetrics_edu.runs.intervals import enough, student
from irmetrics_edu.working import Working


@dataclass(eq=False)
class WeightedValues(Values):
    """The values of queries with the weight of each."""

    weight: Array = field(default_factory=lambda: np.zeros(0))


def _weighted_mean(rows: WeightedValues) -> Working:
    """The weighted mean is the sum of values times weights over the sum of weights."""
    products = rows.value * rows.weight
    total = math.fsum(rows.weight)
    return Working(
        np.array([math.fsum(products) / total]),
        how="({value x weight}) / {sum of weights}",
        columns={
            "value": rows.value,
            "weight": rows.weight,
            "value x weight": products,
        },
        table=rows.table(),
        quantities={"sum of weights": np.array([total])},
        rows=rows,
    )


weighted_mean = Metric(
    _weighted_mean,
    "weighted mean",
    symbol=r"\bar{x}_w",
    formula=r"\frac{\sum_{q=1}^{n} w_q x_q}{\sum_{q=1}^{n} w_q}",
    source="Cochran (1977), Sampling techniques, 3rd edition",
    inputs=VALUES,
    range=ANY,
)


def weighted(values: Values, weight: Array) -> Working:
    """The working of the weighted mean of values.

    >>> from irmetrics_edu.rows.query_values import align_values
    >>> weighted(align_values([0.5, 1.0]), np.array([3.0, 1.0])).value
    0.625
    """
    rows = WeightedValues(
        values.query,
        values.value,
        values.label,
        values.labelled,
        weight=weight,
    )
    return weighted_mean.measured(rows)


def effective_size(weight: Array) -> float:
    """How many queries of equal weight would give as precise a mean: from 1 to their number.

    >>> effective_size(np.array([2.0, 2.0, 2.0])), effective_size(np.array([1.0, 0.0]))
    (3.0, 1.0)
    """
    share = weight / weight.max()  # so that no square overflows
    return math.fsum(share) ** 2 / math.fsum(share**2)


@dataclass(frozen=True)
class WeightedSpread:
    """A weighted mean with its standard error, and how many queries it is worth.

    `deviation` is the standard deviation of the values, weighted; NaN for one query.
    """

    mean: float
    error: float
    deviation: float
    effective: float

    @property
    def freedom(self) -> float:
        """The degrees of freedom of Student's t: one less than the effective size."""
        return self.effective - 1


def spread_of(values: Array, weight: Array) -> WeightedSpread:
    """The weighted mean of values with its standard error; weights of 0 do not count.

    The error is NaN if fewer than two queries weigh anything.

    >>> equal = spread_of(np.array([1.0, 2.0, 3.0]), np.ones(3))
    >>> equal.mean, round(equal.error, 4), equal.deviation, equal.effective
    (2.0, 0.5774, 1.0, 3.0)
    """
    counts = weight > 0
    value = values[counts]
    share = weight[counts] / math.fsum(weight[counts])
    n = len(value)
    mean = math.fsum(share * value)
    effective = effective_size(share)
    if n < 2:
        return WeightedSpread(mean, math.nan, math.nan, effective)
    apart = value - mean
    moved = share * apart / (1 - share)  # how far the mean moves without a query
    error = math.sqrt((n - 1) / n * math.fsum(moved**2))
    variance = math.fsum(share * apart**2)
    deviation = math.sqrt(variance * effective / (effective - 1))
    return WeightedSpread(mean, error, deviation, effective)


def weighted_interval(
    values: Array,
    weight: Array,
    level: float,
    *,
    telling: Array | None = None,
) -> tuple[float, float]:
    """Student's t interval of a weighted mean: it misses the true mean with probability `level`.

    The true mean is that of all possible queries, each weighed as it would be. `telling` marks the
    values that tell something. NaN if their effective size is below `enough(level)`, if all values
    are equal, or if one is not finite.

    >>> weighted_interval(np.array([0.1, 0.2, 0.3, 0.3, 0.4, 0.5]), np.ones(6), 0.05)
    (0.1515..., 0.4484...)
    """
    counts = weight > 0
    if telling is not None:
        counts = counts & telling
    if not counts.any() or not np.isfinite(values).all():
        return math.nan, math.nan
    spread = spread_of(values, weight)
    few = effective_size(weight[counts]) < enough(level) - 1e-9
    if few or not spread.error > 0:
        return math.nan, math.nan
    critical = student(level / 2, spread.freedom)
    half = critical * spread.error
    return spread.mean - half, spread.mean + half
