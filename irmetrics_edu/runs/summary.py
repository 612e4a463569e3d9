"""How the scores of queries spread, and how certain their mean is."""

from typing import TYPE_CHECKING, Any

import numpy as np

from irmetrics_edu.conventions import MACRO
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.measures import GEOMETRIC_MEAN
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.resampling import interval, interval_in_words
from irmetrics_edu.views.formatting import percent
from irmetrics_edu.views.tables import ResultTable

if TYPE_CHECKING:
    from irmetrics_edu.runs.evaluation import Evaluation


def bootstrap_interval(
    values: Array, *, confidence: float = 0.95, resamples: int = 9999, seed: int = 0
) -> tuple[float, float]:
    """The bootstrap interval holds the middle share of the means of resampled queries.

    Percentile method. It is seeded, so it gives the same numbers each time. For more than 5,000
    queries its normal limit is used, with a correction for skewness. NaN for a single query.

    >>> bootstrap_interval(np.array([0.5, 0.5]))
    (0.5, 0.5)
    """
    if not 0 < confidence < 1:
        raise InputError(
            f"confidence={confidence} is out of range; give a share between 0 and 1, such as 0.95"
        )
    return interval(values, (1 - confidence) / 2, resamples=resamples, seed=seed)


def summary(
    e: "Evaluation",
    *,
    confidence: float = 0.95,
    resamples: int = 9999,
    seed: int = 0,
    digits: int = 4,
) -> ResultTable:
    """Mean, standard deviation over queries (n-1), quartiles and the mean's bootstrap interval."""
    lines: list[list[Any]] = []
    e.refuse_together(e.mean, "its scores have no spread over queries")
    for m in e.measures:
        aggregation = e.aggregation(m.name)
        scores = aggregation.rows.value
        if e.averaging(m) is not MACRO:  # of which a mean of queries drawn anew says nothing
            low = high = np.nan
        elif m.aggregate == GEOMETRIC_MEAN:  # the mean of logarithms is drawn anew
            low, high = bootstrap_interval(
                aggregation["logarithm"], confidence=confidence, resamples=resamples, seed=seed
            )
            low, high = float(np.exp(low)), float(np.exp(high))
        else:
            low, high = bootstrap_interval(
                scores, confidence=confidence, resamples=resamples, seed=seed
            )
        spread = float(np.std(scores, ddof=1)) if len(scores) > 1 else np.nan
        quartiles = [float(q) for q in np.quantile(scores, [0, 0.25, 0.5, 0.75, 1])]
        lines.append([m.name, len(scores), e.mean[m.name], spread, *quartiles, low, high])
    header = ("measure", "n", "mean", "sd", "min", "q1", "median", "q3", "max", "low", "high")
    tail = (1 - confidence) / 2
    how = [interval_in_words(n, tail, seed=seed, resamples=resamples) for _, n, *_ in lines]
    said = (
        f"low and high bound the {percent(confidence)} bootstrap interval of the mean "
        f"({'; '.join(dict.fromkeys(how))})"
    )
    without = [
        f"{m.name} has no interval, because the bootstrap needs a mean of queries' values"
        for m in e.measures
        if e.averaging(m) is not MACRO
    ]
    from irmetrics_edu.runs.evaluation_views import caption

    return ResultTable(header, lines, caption(e), (*e.notes(), *without, said), digits)
