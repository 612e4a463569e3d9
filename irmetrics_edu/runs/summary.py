"""How the scores of queries spread, and how certain their mean is."""

from typing import TYPE_CHECKING, Any

import numpy as np

from irmetrics_edu.conventions import MACRO
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.parsed_measures import GEOMETRIC_MEAN
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.intervals import interval, interval_in_words
from irmetrics_edu.views.result_table import ResultTable

if TYPE_CHECKING:
    from irmetrics_edu.runs.evaluation import Evaluation


def summary(
    e: "Evaluation",
    *,
    confidence: float = 0.95,
    digits: int = 4,
) -> ResultTable:
    """Mean, standard deviation over queries (n-1), quartiles and an interval of the mean."""
    if not 0 < confidence < 1:
        raise InputError(
            f"confidence={confidence} is out of range; give a share between 0 and 1, such as 0.95"
        )
    level = 1 - confidence
    lines: list[list[Any]] = []
    # Means that are not those of queries' values: their spread says nothing of the mean.
    untold = [m for m in e.measures if e.averaging(m) is not MACRO]
    e.refuse_together(e.mean, "its scores have no spread over queries")
    for m in e.measures:
        aggregation = e.aggregation(m.name)
        scores = aggregation.rows.value
        ends: tuple[float, float] | Array = (np.nan, np.nan)
        if m not in untold and m.aggregate == GEOMETRIC_MEAN:
            ends = np.exp(interval(aggregation["logarithm"], level))
        elif m not in untold:
            ends = interval(scores, level)
        low, high = np.clip(ends, *m.metric.range).tolist()  # a mean can't be beyond
        spread = float(np.std(scores, ddof=1)) if len(scores) > 1 else np.nan
        quartiles = [float(q) for q in np.quantile(scores, [0, 0.25, 0.5, 0.75, 1])]
        lines.append([m.name, len(scores), e.mean[m.name], spread, *quartiles, low, high])
    header = ("measure", "n", "mean", "sd", "min", "q1", "median", "q3", "max", "low", "high")
    lacking = sum(np.isnan(line[-1]) for line in lines) > len(untold)
    said = interval_in_words(level, "the mean", lacking=", not all of one score" if lacking else "")
    without = [
        f"{m.name} has no interval, because it is not a mean of queries' values" for m in untold
    ]
    return ResultTable(header, lines, e.caption, (*e.notes(), *without, said), digits)
