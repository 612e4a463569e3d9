"""The study itself: every metric of every user's list, for every ranker and cut-off."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.diversity import category_coverage, ilad, ilmd
from irmetrics_edu.metrics.recommendation import dcc, dilad, fdcc
from irmetrics_edu.metrics.set_based import recall
from irmetrics_edu.numbers import Array
from irmetrics_edu.recommenders.interactions import Interactions
from irmetrics_edu.recommenders.lists import Lists
from irmetrics_edu.rows.item_categories import Categorised, align_categories
from irmetrics_edu.rows.item_distances import Spaced, align_distances
from irmetrics_edu.study.coefficients import Coefficient, coefficients
from irmetrics_edu.study.rankers import BASE, Settings, rankings

ACCURACY = ("Recall", "nDCG")
DIVERSITY = ("CC", "ILAD", "ILMD")
AWARE = ("DCC", "FDCC", "DILAD")
METRICS = (*ACCURACY, *DIVERSITY, *AWARE)
# Each accuracy-aware metric and the one that it corrects.
CORRECTS = {"DCC": "CC", "FDCC": "CC", "DILAD": "ILAD"}


@dataclass(frozen=True, eq=False)
class Study:
    """All scores of the study: a score per user for every ranker, metric and cut-off.

    `scores[ranker, metric, k]` judges the whole list, `effective[ranker, metric, k]` only the
    items of it that are among the user's test items; users stand as in `users`.
    """

    data: Interactions
    settings: Settings
    lists: dict[str, Lists]
    scores: dict[tuple[str, str, int], Array]
    effective: dict[tuple[str, str, int], Array]
    coefficients: dict[int, tuple[Coefficient, Coefficient]]
    histories: dict[str, Any]

    @property
    def users(self) -> list[Any]:
        """The users who were evaluated: those with test items."""
        return [self.data.users[u] for u in self.lists[BASE].users.tolist()]

    def mean(self, ranker: str, metric: str, k: int, *, effective: bool = False) -> float:
        """The mean over users."""
        return float((self.effective if effective else self.scores)[ranker, metric, k].mean())

    def positive(self, ranker: str, k: int) -> Array:
        """Which users have Recall above 0: the positive group."""
        above: Array = self.scores[ranker, "Recall", k] > 0
        return above

    def gain(self, ranker: str, metric: str, k: int, *, effective: bool = False) -> Array:
        """By how much each user's list scores above LightGCN's."""
        table = self.effective if effective else self.scores
        difference: Array = table[ranker, metric, k] - table[BASE, metric, k]
        return difference


def study(
    data: Interactions, settings: Settings | None = None, *, progress: bool | None = None
) -> Study:
    """Train the rankers, make their lists, and measure each user's with every metric."""
    settings = settings or Settings()
    lists, unit, histories = rankings(data, settings, progress=progress)
    tuned = {k: coefficients(lists[BASE], k, settings.tau) for k in settings.cutoffs}
    scores: dict[tuple[str, str, int], Array] = {}
    effective: dict[tuple[str, str, int], Array] = {}
    for name, given in lists.items():
        ranked, categorised = given.ranked(), given.categorised()
        for k in settings.cutoffs:
            alpha, beta = (c.value for c in tuned[k])
            for metric, column in {
                "Recall": recall.measured(ranked, k).score,
                "nDCG": ndcg.measured(ranked, k).score,
                **_of_categories(categorised, k, data.n_categories, alpha),
                **_of_distances(given, unit, k, beta),
            }.items():
                scores[name, metric, k] = column
            for metric, column in _of_effective(given, unit, k).items():
                effective[name, metric, k] = column
    return Study(data, settings, lists, scores, effective, tuned, histories)


def _of_categories(rows: Categorised, k: int, n: int, alpha: float) -> dict[str, Array]:
    return {
        "CC": category_coverage.measured(rows, k, n_categories=n).score,
        "DCC": dcc.measured(rows, k, n_categories=n, alpha=alpha).score,
        "FDCC": fdcc.measured(rows, k, n_categories=n, alpha=alpha).score,
    }


def _of_distances(lists: Lists, unit: Array, k: int, beta: float) -> dict[str, Array]:
    parts = [
        (
            ilad.measured(rows).score,
            ilmd.measured(rows).score,
            dilad.measured(rows, beta=beta).score,
        )
        for rows in lists.spaced(unit, k)
    ]
    columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    return dict(zip(("ILAD", "ILMD", "DILAD"), columns, strict=True))


def _of_effective(lists: Lists, unit: Array, k: int) -> dict[str, Array]:
    """The old metrics over the effective items alone; fewer than two have no distance: 0."""
    data = lists.data
    vector = dict(zip(data.items, unit, strict=True))
    categorised, spaced = [], []
    for user, hits in lists.effective(k):
        categorised.append(align_categories(hits, data.categories, query=user))
        spaced.append(align_distances(hits, vector, query=user))
    apart = Spaced.joined(spaced)
    zero = {"undefined": ilad.using(undefined="zero").params["undefined"]}
    return {
        "CC": category_coverage.measured(
            Categorised.joined(categorised), n_categories=data.n_categories
        ).score,
        "ILAD": ilad.measured(apart, **zero).score,
        "ILMD": ilmd.measured(apart, **zero).score,
    }
