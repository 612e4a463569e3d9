r"""Shares of many queries as one number: queries count the same, or by their divisors.

macro-averaged: (x_1 + ... + x_n) / n
micro-averaged: (h_1 + ... + h_n) / (m_1 + ... + m_n), where x_q = h_q / m_q
"""

from dataclasses import dataclass, field

import numpy as np

from irmetrics_edu.conventions import BY_IMPRESSIONS, MACRO, MICRO, Averaging
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import BY_IMPRESSIONS as IMPRESSIONS_NAME
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, Measure
from irmetrics_edu.metrics.notation import MICRO as MICRO_NAME
from irmetrics_edu.metrics.over_queries import mean
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.query_values import VALUES, Values
from irmetrics_edu.runs.weighted import weighted
from irmetrics_edu.working import Working

# The measures that are a count over another, and what their workings call the other.
SHARES = {"P": "divisor", "R": "divisor", "Hole": "divisor", "pair_accuracy": "pairs"}
# The measures of scored documents, and what their workings call the kinds of these.
KINDS_OF_IMPRESSIONS = {"AUC": ("R", "N")}
_NAMED = {MICRO_NAME: MICRO, IMPRESSIONS_NAME: BY_IMPRESSIONS}


@dataclass(eq=False)
class Shares(Values):
    """The values of queries with the divisor of each."""

    divisor: Array = field(default_factory=lambda: np.zeros(0))


def _micro_average(rows: Shares, *, averaging: Averaging = MICRO) -> Working:
    """The share of all queries together; where nothing is divided by, the mean of their values."""
    hits = np.where(
        rows.divisor == 0,
        0.0,
        rows.value * rows.divisor,
    )
    numerator, denominator = averaging(hits, rows.divisor)
    score = numerator / denominator if denominator else rows.value.mean()
    return Working(
        np.array([score]),
        how="{numerator} / {denominator}",
        columns={
            "value": rows.value,
            "divisor": rows.divisor,
            "value x divisor": hits,
        },
        table=rows.table(),
        quantities={
            "numerator": np.array([numerator]),
            "denominator": np.array([denominator]),
        },
        rows=rows,
    )


micro_average = Metric(
    _micro_average,
    "micro-average",
    symbol=r"\bar{x}",
    formula=r"\averaging{}",
    source="van Rijsbergen (1979), Information Retrieval, 2nd edition, chapter 7 (as "
    "micro-evaluation and macro-evaluation, after Rocchio)",
    inputs=VALUES,
)


def pooled(values: Values, divisor: Array, how: Averaging) -> Working:
    """The working of the one number that is made of all shares and their divisors."""
    rows = Shares(
        values.query,
        values.value,
        values.label,
        values.labelled,
        divisor=divisor,
    )
    return micro_average.measured(rows, averaging=how)


def by_impressions(values: Values, impressions: Array) -> Working:
    """The working of the mean of values, each of which counts as often as documents were scored."""
    return weighted(values, impressions) if impressions.any() else mean.measured(values)


def averaging_of(chosen: Measure, asked: Averaging) -> Averaging:
    """How the queries of a measure are averaged; refused if there are no counts to pool."""
    if chosen.aggregate == GEOMETRIC_MEAN:
        return MACRO
    how = _NAMED.get(chosen.aggregate, asked)
    if how.by_impressions:
        _require_impressions(chosen)
    elif how is not MACRO and chosen.metric.name not in SHARES:
        raise InputError(
            f"{chosen.name}: averaging={how} pools counts, but {chosen.metric.name} is not a "
            f"count over a count; it is for {', '.join(SHARES)}. Give averaging='macro', the "
            "mean of the queries' values, or evaluate this measure by itself"
        )
    return how


def _require_impressions(chosen: Measure) -> None:
    """Refuse impressions as weights of a measure that does not score documents."""
    if chosen.metric.name not in KINDS_OF_IMPRESSIONS:
        raise InputError(
            f"{chosen.name}: averaging=impressions weighs queries by the documents that were "
            f"scored for them, and is for {', '.join(KINDS_OF_IMPRESSIONS)}. Give "
            "averaging='macro', or weights= for weights of your own"
        )


def divisor_of(metric: Metric, working: Working) -> Array:
    """What the values of queries are multiplied by before they are added up."""
    if metric.name not in KINDS_OF_IMPRESSIONS:
        divisor: Array = working.quantities[SHARES[metric.name]]
        return divisor
    relevant, other = KINDS_OF_IMPRESSIONS[metric.name]
    impressions: Array = working.quantities[relevant] + working.quantities[other]
    return impressions


def no_pairs(chosen: Measure, how: Averaging) -> str:
    """Why queries can't be compared in pairs; "" if they can."""
    if how is MACRO:
        return ""
    if chosen.aggregate in _NAMED:
        remedy = f"test {chosen.metric!r}, whose mean counts each query alike"
    else:
        remedy = "give averaging='macro' to test the mean"
    return (
        f"{chosen.name}: with averaging={how} the value of a run is not the mean of its queries' "
        f"values, so a paired test of the values would test another number; {remedy}"
    )
