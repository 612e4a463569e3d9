"""The six rankers of the study: LightGCN, popularity, chance, and three that diversify."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.dgrec import DGRec
from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.lab.recommenders.lightgcn import LightGCN
from irmetrics_edu.lab.recommenders.recommender import Popularity, Random
from irmetrics_edu.lab.rerankers.dpp import dpp_of_many
from irmetrics_edu.lab.rerankers.mmr import mmr_of_many
from irmetrics_edu.lab.study.scoring import Judged, Scores, unit_vectors
from irmetrics_edu.lab.study.study_settings import Settings
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array

BASE = "LightGCN"
DIVERSIFIERS = ("MMR", "DPP", "DGRec")
RANKERS = (BASE, "Popularity", "Random", *DIVERSIFIERS)
# Embeddings of d dimensions span no volume beyond d items: a little of the identity lets the
# determinant go on.
_RIDGE = 0.1
_AT_ONCE = 32  # users who are re-ranked together, so that their tables stay in a processor's cache


@dataclass(frozen=True)
class Trained:
    """The rankers of one seed: their lists, as item numbers, their scores, and how they learnt."""

    users: Array
    lists: Mapping[str, Array]
    scores: Mapping[str, Scores]
    histories: Mapping[str, Mapping[str, Any]]


def trained(
    data: Interactions, settings: Settings, seed: int, said: Callable[[str], None]
) -> Trained:
    """The rankers under one seed, step by step; `said` gets each step that is done."""
    users = data.users_with("test")
    if not len(users):
        raise InputError(f"{data.name}: no user has test items, so nothing can be evaluated")
    _enough_unseen(data, users, settings)
    longest = max(settings.cutoffs)
    base = LightGCN(**{"epochs": settings.epochs, **settings.lightgcn, "seed": seed}).fit(data)
    said(BASE)
    diverse = DGRec(**{"epochs": settings.epochs, **settings.dgrec, "seed": seed}).fit(data)
    said("DGRec")
    pool = base.top(users, settings.pool)
    found = [
        np.take_along_axis(base.scores(users[i : i + 500]), pool[i : i + 500], axis=1)
        for i in range(0, len(users), 500)
    ]
    relevance = _scaled(np.concatenate(found), base.scale(users))
    unit = unit_vectors(base.item_embeddings, data.items)
    makes: dict[str, Callable[[], Array]] = {
        BASE: lambda: pool[:, :longest],
        "Popularity": lambda: Popularity().fit(data).top(users, longest),
        "Random": lambda: Random(seed=seed).fit(data).top(users, longest),
        "MMR": lambda: mmr_lists(relevance, pool, unit, longest, settings.mmr_lambda),
        "DPP": lambda: dpp_lists(relevance, pool, unit, longest, settings.dpp_theta),
        "DGRec": lambda: diverse.top(users, longest),
    }
    judged = Judged(data, unit)
    lists, scores = {}, {}
    for name, make in makes.items():
        lists[name] = make().astype(np.int32)
        scores[name] = judged.scores(lists[name], settings.cutoffs)
        said(f"lists of {name}")
    return Trained(users, lists, scores, {BASE: _told(base), "DGRec": _told(diverse)})


def _told(model: LightGCN) -> dict[str, Any]:
    of = model.history
    if of is None:
        return {}
    return {"best epoch": of.best, "epochs": len(of.loss), "stopped early": of.stopped_early}


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


def mmr_lists(relevance: Array, pool: Array, unit: Array, k: int, lambda_: float) -> Array:
    """MMR's choices from each user's pool, by the cosine of unit vectors: a line for each user."""
    found = [
        np.take_along_axis(
            pool[b], mmr_of_many(relevance[b], _cosines(unit[pool[b]]), k, lambda_), axis=1
        )
        for b in _blocks(relevance)
    ]
    return np.concatenate(found)


def dpp_lists(relevance: Array, pool: Array, unit: Array, k: int, theta: float) -> Array:
    """DPP's choices from each user's pool; the kernel has a little of the identity (`_RIDGE`)."""
    ridge, found = np.eye(relevance.shape[1]) * _RIDGE, []
    for b in _blocks(relevance):
        kernel = (1 - _RIDGE) * _cosines(unit[pool[b]]) + ridge
        chosen = dpp_of_many(theta / (1 - theta) * relevance[b], kernel, k)
        found.append(np.take_along_axis(pool[b], chosen, axis=1))
    return np.concatenate(found)


def _blocks(relevance: Array) -> list[slice]:
    return [slice(i, i + _AT_ONCE) for i in range(0, len(relevance), _AT_ONCE)]


def _cosines(unit: Array) -> Array:
    out: Array = unit @ unit.transpose(0, 2, 1)
    return out
