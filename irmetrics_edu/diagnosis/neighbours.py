"""Other measures that give a value, where no convention and no mistake of the named one does."""

from collections.abc import Iterator

import numpy as np

from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.diagnosis.search_tools import as_tools_have_it
from irmetrics_edu.diagnosis.several_runs import SeveralRuns
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.rows.aligned_ranking import RANKED

# What is computed in place of another, or called by its name, in code that people share.
_OTHERS = (
    "P",
    "R",
    "F",
    "Success",
    "RR",
    "AP",
    "nDCG",
    "CG(gain=binary)",
    "DCG",
    "Rprec",
)
# What metric learning and others cut at the number of relevant documents: MAP@R, nDCG@R.
_CUT_AT_R = ("AP", "nDCG", "RR", "Success", "DCG")
Neighbour = tuple[str, float]  # what it is, and its value


def neighbours(search: Search | SeveralRuns, target: Target) -> list[Neighbour]:
    """The other measures that give the value at the same cut-off, with our conventions."""
    if isinstance(search, SeveralRuns) or search.chosen.metric.inputs is not RANKED:
        return []
    return [
        (name, scores.mean)
        for name, scores in _others(search)
        if target.fits(scores.mean, scores.scores, scores.place)
    ]


def _others(search: Search) -> Iterator[tuple[str, SettingScores]]:
    """Every other measure with its scores; then numbers that are made of ranks."""
    mine = search.chosen.metric
    for name in _OTHERS:
        other = parse(name)
        if mine.k is not None and other.has_cutoff and other.cutoff == "k":
            other = other @ mine.k
        scores = search.of_another(other)
        if scores is not None and other.name != mine.name:
            yield repr(other), scores
        if scores is not None and other.name == "RR" and len(scores.scores):
            yield from _of_ranks(scores)
    if mine.name in _CUT_AT_R:
        cut = search.cut_at_the_relevant()
        if cut is not None:
            yield f"{mine.name}@R (of the first R documents, R relevant ones)", cut
    yield from as_tools_have_it(search)


def _of_ranks(of_reciprocals: SettingScores) -> Iterator[tuple[str, SettingScores]]:
    """The mean rank of the first relevant document, and 1 over it, if each query has a hit."""
    if not (of_reciprocals.scores > 0).all():
        return
    ranks = 1 / of_reciprocals.scores
    place = of_reciprocals.place
    mean = float(np.mean(ranks))
    yield "the mean rank of the first relevant document", SettingScores(mean, ranks, place)
    if len(ranks) > 1:
        inverted = SettingScores(1 / mean, of_reciprocals.scores, place)
        yield "1 over the mean rank of the first relevant document", inverted
