"""Which measures to compute, and how the values of the queries become one number."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics import trec_format
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import parse, pieces

MEAN, GEOMETRIC_MEAN, MICRO = "mean", "geometric mean", "micro"

# Names of aggregates: the metric of each query, and the mean over queries.
_AGGREGATES = {
    "map": ("MAP", "AP", MEAN),
    "mrr": ("MRR", "RR", MEAN),
    "gmap": ("GMAP", "AP", GEOMETRIC_MEAN),
    "gmbpref": ("GMbpref", "bpref", GEOMETRIC_MEAN),
    "merr": ("mERR", "ERR", MEAN),
    "micro-p": ("micro-P", "P", MICRO),
    "micro-r": ("micro-R", "R", MICRO),
}


@dataclass(frozen=True)
class Measure:
    """A metric, the name under which it is shown, and the mean over queries.

    `floor` is that of a geometric mean, where the measure itself says it.
    """

    name: str
    metric: Metric
    aggregate: str = MEAN
    floor: float | None = None

    @property
    def k(self) -> int | None:
        """The cut-off rank; None where the whole ranking counts."""
        return self.metric.k


def measure(value: Any) -> Measure:
    """The measure that a name, a metric or an aggregate stands for.

    Names are the field's (`nDCG@10`), those of aggregates (`MAP`, `GMAP`, `MRR`, `micro-P@5`) or
    trec_eval's (`ndcg_cut_10`, `gm_map`).

    >>> measure("ndcg_cut_10").name
    'nDCG@10'
    >>> measure("GMAP").aggregate
    'geometric mean'
    """
    if isinstance(value, Measure):
        return value
    if isinstance(value, Metric):
        return _of_metric(value)
    aggregation, metric = getattr(value, "aggregation", None), getattr(value, "metric", None)
    if isinstance(aggregation, Metric) and isinstance(metric, Metric):
        how = GEOMETRIC_MEAN if aggregation.name == "geometric_mean" else MEAN
        floor = aggregation.params.get("floor")
        name = metric.title(metric.k, metric.params, value.name) if floor is None else repr(value)
        return Measure(name, metric, how, floor)
    if not isinstance(value, str):
        raise InputError(f"{value!r} is not a measure; give a name such as 'nDCG@10' or a metric")
    text = trec_format.ours(value.strip()) or value.strip()
    found = re.match(r"[^\s(@]+", text)
    name, metric_name, how = _AGGREGATES.get(found[0].casefold() if found else "", ("", "", MEAN))
    if not name or found is None:
        return _of_metric(parse(text))
    metric = parse(metric_name + text[found.end() :])
    return Measure(metric.title(metric.k, metric.params, name), metric, how)


def _of_metric(metric: Metric) -> Measure:
    return Measure(repr(metric), metric)


def measures(given: Any) -> tuple[Measure, ...]:
    """The measures that are asked for: one, several in one text, or an iterable of them.

    >>> [m.name for m in measures("nDCG@10 AP RR")]
    ['nDCG@10', 'AP', 'RR']
    """
    if isinstance(given, str):
        items: Iterable[Any] = filter(None, pieces(given, str.isspace))
    elif isinstance(given, (Metric, Measure)) or hasattr(given, "aggregation"):
        items = [given]
    elif hasattr(given, "__iter__"):
        items = given
    else:
        raise InputError(
            f"measures={given!r} are not measures; give names such as 'nDCG@10 AP', or metrics"
        )
    chosen = tuple(dict.fromkeys(measure(item) for item in items))
    if not chosen:
        raise InputError("no measures are given; give at least one, such as 'nDCG@10'")
    names = [m.name for m in chosen]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two different measures are both named {name}")
    return chosen
