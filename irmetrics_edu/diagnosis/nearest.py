"""The nearest scores to a value that no convention and no mistake gives."""

import inspect

from irmetrics_edu.diagnosis.mistakes import Mistake
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.result import written
from irmetrics_edu.diagnosis.search import Scored, Search
from irmetrics_edu.diagnosis.switches import Setting
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.near_ties import in_order

_CUTOFFS = (None, 1, 2, 3, 5, 10, 20, 50, 100, 1000)
_NEAREST = 3


def nearest_to(
    search: Search,
    target: Target,
    scored: list[tuple[Setting, Scored]],
    wrong: list[tuple[Mistake, Scored]],
) -> list[tuple[str, float, float]]:
    """The nearest scores, of conventions, mistakes and other cut-offs."""
    base, found = search.switches.base, []
    for setting, f in scored:
        what = written(setting.changes(base)) or "our default"
        found.append((target.distance(f.mean, f.scores, f.place), what, f.mean))
    for m, f in wrong:
        off = target.distance(f.mean, f.scores, f.place)
        found.append((off, f"the mistake {m.label}: {m.says}", f.mean))
    metric = search.chosen.metric
    beside = () if metric.k is None else (metric.k - 1, metric.k + 1)
    cuts = dict.fromkeys(k for k in (*_CUTOFFS, *beside) if k is None or k > 0)
    for k in cuts if accepts_cutoff(metric) else ():
        other = search.at_cutoff(base, k) if k != metric.k else None
        if other is not None:
            what = "no cut-off" if k is None else f"the cut-off k={k}"
            off = target.distance(other.mean, other.scores, other.place)
            found.append((off, f"our default with {what}", other.mean))
    found = in_order(found, lambda item: item[0], rising=True)
    kept: dict[float, tuple[str, float, float]] = {}
    for off, what, score in found:
        kept.setdefault(round(score, 9), (what, score, off))
    return list(kept.values())[:_NEAREST]


def accepts_cutoff(metric: Metric) -> bool:
    """Whether the metric can be cut at another rank."""
    return metric.has_cutoff and "k" in inspect.signature(metric.kernel).parameters
