"""The six rankers of the study: LightGCN, popularity, chance, and three that diversify."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array
from irmetrics_edu.recommenders.dgrec import DGRec
from irmetrics_edu.recommenders.interactions import Interactions
from irmetrics_edu.recommenders.lightgcn import LightGCN
from irmetrics_edu.recommenders.lists import Lists, unit_vectors
from irmetrics_edu.recommenders.popularity import Popularity
from irmetrics_edu.recommenders.progress import bar
from irmetrics_edu.recommenders.uniform import Random
from irmetrics_edu.rerankers.dpp import dpp_of_many
from irmetrics_edu.rerankers.mmr import mmr_of_many

BASE = "LightGCN"
DIVERSIFIERS = ("MMR", "DPP", "DGRec")
RANKERS = (BASE, "Popularity", "Random", *DIVERSIFIERS)
# Embeddings of d dimensions span no volume beyond d items: a little of the identity lets the
# determinant go on.
_RIDGE = 0.1
_AT_ONCE = 32  # users who are re-ranked together, so that their tables stay in a processor's cache


@dataclass(frozen=True)
class Settings:
    """What the study depends on beside its data.

    `cutoffs` are the lengths judged, the longest is the length of the lists. MMR and DPP choose
    from the `pool` best of LightGCN, whose scores are scaled to 0..1 for each user (all 0 if they
    are equal but for rounding); `mmr_lambda` and `dpp_theta` weigh relevance (1 is relevance
    alone). `tau` is the share of lists that the discount coefficients have to cover.
    """

    cutoffs: tuple[int, ...] = (10, 20, 100)
    pool: int = 200
    mmr_lambda: float = 0.5
    dpp_theta: float = 0.6
    tau: float = 0.99
    epochs: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        for k in self.cutoffs:
            checks.cutoff(k)
        if not self.cutoffs or min(self.cutoffs) < 2:
            raise InputError(f"cutoffs={self.cutoffs}: give some, each at least 2, as for a pair")
        if self.pool < max(self.cutoffs):
            raise InputError(
                f"pool={self.pool}: MMR and DPP choose {max(self.cutoffs)} items from it; "
                "make it larger"
            )
        checks.between("mmr_lambda", self.mmr_lambda, 0, 1)
        checks.between("dpp_theta", self.dpp_theta, 0, 1, open_high=True)
        checks.between("tau", self.tau, 0, 1, open_low=True, open_high=True)


def rankings(
    data: Interactions, settings: Settings, *, progress: bool | None = None
) -> tuple[dict[str, Lists], Array, dict[str, Any]]:
    """Each ranker's lists for the users with test items, LightGCN's unit vectors, how it learnt."""
    users = data.users_with("test")
    if not len(users):
        raise InputError(f"{data.name}: no user has test items, so nothing can be evaluated")
    _enough_unseen(data, users, settings)
    longest, seed = max(settings.cutoffs), settings.seed
    options: dict[str, Any] = {"epochs": settings.epochs, "seed": seed, "progress": progress}
    base = LightGCN(**options).fit(data)
    diverse = DGRec(**options).fit(data)
    pool = base.top(users, settings.pool)
    scores = np.concatenate(
        [
            np.take_along_axis(base.scores(users[i : i + 500]), pool[i : i + 500], axis=1)
            for i in range(0, len(users), 500)
        ]
    )
    relevance = _scaled(scores, base.scale(users))
    unit = unit_vectors(base.item_embeddings, data.items)
    found = {
        BASE: pool[:, :longest],
        "Popularity": Popularity().fit(data).top(users, longest),
        "Random": Random(seed=seed).fit(data).top(users, longest),
        "MMR": _chosen(pool, mmr_lists(relevance, unit[pool], longest, settings.mmr_lambda)),
        "DPP": _chosen(pool, dpp_lists(relevance, unit[pool], longest, settings.dpp_theta)),
        "DGRec": diverse.top(users, longest),
    }
    histories = {m.name: m.history for m in (base, diverse)}
    return {name: Lists(data, users, found[name]) for name in RANKERS}, unit, histories


def _enough_unseen(data: Interactions, users: Array, settings: Settings) -> None:
    """Refuse a pool or a cut-off that a user has too few unseen items for, before any training."""
    seen = np.bincount(data.pairs["train"][:, 0], minlength=len(data.users))[users]
    u = int(np.argmax(seen))
    unseen = len(data.items) - int(seen[u])
    if unseen < settings.pool:
        what = (
            f"cutoffs={settings.cutoffs}"
            if unseen < max(settings.cutoffs)
            else f"pool={settings.pool}"
        )
        raise InputError(
            f"{what}: user {data.users[users[u]]!r} has {unseen} unseen items; cut-offs and pool "
            f"are at most {unseen}"
        )


def _scaled(scores: Array, scale: Array) -> Array:
    """The scores from 0 to 1 in each line; all 0 where rounding alone tells them apart."""
    low, high = scores.min(axis=1, keepdims=True), scores.max(axis=1, keepdims=True)
    apart = exceeds(high, low, scale)
    return np.where(apart, (scores - low) / np.where(apart, high - low, 1), 0.0)


def mmr_lists(relevance: Array, vectors: Array, k: int, lambda_: float) -> Array:
    """MMR's choices from each user's pool, by the cosine of unit vectors: a line for each user."""
    return np.concatenate(
        [mmr_of_many(relevance[b], _cosines(vectors[b]), k, lambda_) for b in _blocks(relevance)]
    )


def dpp_lists(relevance: Array, vectors: Array, k: int, theta: float) -> Array:
    """DPP's choices from each user's pool; the kernel has a little of the identity (`_RIDGE`)."""
    ridge, found = np.eye(relevance.shape[1]) * _RIDGE, []
    for b in _blocks(relevance):
        kernel = (1 - _RIDGE) * _cosines(vectors[b]) + ridge
        found.append(dpp_of_many(theta / (1 - theta) * relevance[b], kernel, k))
    return np.concatenate(found)


def _blocks(relevance: Array) -> list[slice]:
    return [slice(i, i + _AT_ONCE) for i in range(0, len(relevance), _AT_ONCE)]


def _cosines(unit: Array) -> Array:
    out: Array = unit @ unit.transpose(0, 2, 1)
    return out
