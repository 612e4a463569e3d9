"""Explaining a score by the name of its metric."""

from typing import Any

from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.working import Working


def explain(metric: Any, *inputs: Any, digits: int = 4, **options: Any) -> Explanation:
    """An explanation is a score with every step that led to it, written out.

    `metric` is a metric, its name ("nDCG@3") or a `Working`. The other arguments are those of the
    metric.

    >>> from irmetrics_edu import ndcg
    >>> print(explain(ndcg, [5, 2, 3]).text.splitlines()[0])
    nDCG = DCG / IDCG = 7.7619 / 7.8928 = 0.9834
    """
    if isinstance(metric, Working):
        return Explanation(metric, digits=digits)
    if isinstance(metric, str):
        metric = parse(metric)
    return Explanation(metric.working(*inputs, **options), digits=digits)
