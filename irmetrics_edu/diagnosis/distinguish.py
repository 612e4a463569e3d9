"""A small input on which several candidates differ."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from irmetrics_edu.diagnosis.result import Candidate, Distinction
from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.diagnosis.small import small_inputs
from irmetrics_edu.diagnosis.switches import Setting
from irmetrics_edu.errors import InputError

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
    switched = {name for s in settings for name, _ in s.run}
    metric = search.chosen.metric
    try:
        small = small_inputs(
            metric, tied=bool(switched & {"ties", "scores"}), negative="negative" in switched
        )
        other = Search(search.chosen, small.run, small.qrels, search.base, small.beside)
    except InputError:
        return None
    scored = [other.score(s) for s in settings]
    if any(s is None for s in scored):
        return None
    table = np.array([s.scores for s in scored if s is not None])
    if table.ndim != 2 or table.shape[1] != len(small.run):
        return None
    rounded = np.round(np.nan_to_num(table, nan=-1.0) / (2 * _APART))
    different = np.array([len(np.unique(column)) for column in rounded.T])
    best = int(different.max())
    if best < 2:
        return None
    query = int(np.flatnonzero(different == best)[0])
    ranking, *rest = small.inputs(metric, query)
    return ranking, rest[0] if rest else None, table[:, query].tolist()
