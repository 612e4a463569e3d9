"""The search for a small input on which several candidates differ."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from irmetrics_edu.diagnosis.result import Candidate, Distinction
from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.diagnosis.small import Small, small_inputs
from irmetrics_edu.diagnosis.switches import Setting
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.parsed_measures import Measure
from irmetrics_edu.numbers import Array

_APART = 5e-4  # as printed with three digits
_COMPARED = 6


def told_apart(search: Search, candidates: Sequence[Candidate]) -> Distinction | None:
    """The smallest input on which most of the candidates give different values."""
    settings = [c.setting for c in candidates[:_COMPARED]]
    found = first_apart(search, settings)
    if found is None:
        return None
    ranking, judgments, values = found
    names = [c.written or "our default" for c in candidates[:_COMPARED]]
    return Distinction(ranking, judgments, list(zip(names, values, strict=True)))


def first_apart(search: Search, settings: Sequence[Setting]) -> tuple[Any, Any, list[float]] | None:
    """The smallest input on which as many settings as possible differ, and what each gives."""
    scored = scores_on_small_inputs(search, settings)
    if any(s is None for s in scored):
        return None
    small = _small(search, settings)
    if small is None:
        return None
    table = np.array(scored)
    rounded = np.round(np.nan_to_num(table, nan=-1.0) / (2 * _APART))
    different = np.array([len(np.unique(column)) for column in rounded.T])
    best = int(different.max())
    if best < 2:
        return None
    query = int(np.flatnonzero(different == best)[0])
    ranking, *rest = small.inputs(search.chosen.metric, query)
    return ranking, rest[0] if rest else None, table[:, query].tolist()


def scores_on_small_inputs(
    search: Search, settings: Sequence[Setting], k: int | None = None
) -> list[Array | None]:
    """The values of each setting on every small input of the metric's kind; None if refused.

    At the measure's own cut-off, or at `k`.
    """
    small = _small(search, settings)
    if small is None:
        return [None] * len(settings)
    key = (len(small.run), k)
    if key not in search.on_small_inputs:
        chosen = search.chosen
        if k is not None:
            metric = chosen.metric.using()
            metric.k = k
            chosen = Measure(chosen.name, metric, chosen.aggregate)
        search.on_small_inputs[key] = Search(
            chosen, small.run, small.qrels, search.base, small.beside
        )
    scored = [search.on_small_inputs[key].score(s) for s in settings]
    return [s.scores if s is not None and len(s.scores) == len(small.run) else None for s in scored]


def _small(search: Search, settings: Sequence[Setting]) -> Small | None:
    """The small inputs on which these settings may differ."""
    switched = {name for s in settings for name in s.changes(search.switches.base)}
    tied = bool(switched & {"ties", "scores"})
    try:
        return small_inputs(search.chosen.metric, tied=tied, negative="negative" in switched)
    except InputError:
        return None
