"""How the scores of queries spread, and how sure their mean is."""

from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.measures import GEOMETRIC_MEAN
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.evaluation import Evaluation
from irmetrics_edu.views.tables import ResultTable

_AT_ONCE = 5_000_000  # numbers that the bootstrap holds at a time


def bootstrap_interval(
    values: Array, *, confidence: float = 0.95, resamples: int = 9999, seed: int = 0
) -> tuple[float, float]:
    """The bootstrap interval holds the middle share of the means of queries drawn anew.

    Percentile method, by scipy; seeded, so that it comes out the same. NaN for a single query.

    >>> bootstrap_interval(np.array([0.5, 0.5]))
    (0.5, 0.5)
    """
    if not 0 < confidence < 1:
        raise InputError(f"confidence={confidence}: give a share between 0 and 1, such as 0.95")
    if len(values) < 2 or np.isnan(values).any():
        return np.nan, np.nan
    if np.ptp(values) == 0:
        return float(values[0]), float(values[0])
    stats = scipy_stats()
    found = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=resamples,
        batch=max(1, _AT_ONCE // len(values)),
        vectorized=True,
        confidence_level=confidence,
        method="percentile",
        random_state=np.random.default_rng(seed),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def scipy_stats() -> Any:
    """scipy.stats, imported on use; without it the error says what to install."""
    try:
        from scipy import stats
    except ImportError as error:
        raise ImportError("this needs scipy: pip install 'irmetrics-edu[stats]'") from error
    return stats


def summary(
    e: Evaluation,
    *,
    confidence: float = 0.95,
    resamples: int = 9999,
    seed: int = 0,
    digits: int = 4,
) -> ResultTable:
    """Mean, standard deviation over queries (n-1), quartiles and the mean's bootstrap interval."""
    lines: list[list[Any]] = []
    for m in e.measures:
        aggregation = e.aggregation(m.name)
        scores = aggregation.rows.value
        if m.aggregate == GEOMETRIC_MEAN:  # the mean of logarithms is drawn anew
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
    said = (
        f"low and high bound the {confidence:.0%} bootstrap interval of the mean "
        f"(percentiles of {resamples:,} resamples, seed {seed})"
    )
    from irmetrics_edu.runs.evaluation_views import caption

    return ResultTable(header, lines, caption(e), (*e.notes(), said), digits)
