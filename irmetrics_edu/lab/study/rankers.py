"""The six rankers of the study: LightGCN, popularity, chance, and three that diversify."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.dgrec import DGRec
from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.lab.recommenders.lightgcn import LightGCN
from irmetrics_edu.lab.recommenders.many_users import unit_vectors
from irmetrics_edu.lab.recommenders.progress_bar import bar
from irmetrics_edu.lab.recommenders.recommender import Popularity, Random
from irmetrics_edu.lab.rerankers.dpp import dpp_of_many
from irmetrics_edu.lab.rerankers.mmr import mmr_of_many
from irmetrics_edu.lab.study.finished_steps import Kept, fingerprint
from irmetrics_edu.lab.study.scoring import Judged, Scores
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


def belongs(data: Interactions, settings: Settings) -> dict[str, Any]:
    """What the kept steps of a study depend on; more seeds and other coefficients go with them."""
    free = ("tau", "alpha", "beta", "seed", "seeds")
    own = {name: value for name, value in asdict(settings).items() if name not in free}
    return {"data": fingerprint(data), **own}


def trained(
    data: Interactions,
    settings: Settings,
    seed: int,
    kept: Kept,
    *,
    progress: bool | str | None = None,
) -> Trained:
    """The rankers under one seed, step by step; a kept step is not computed again."""
    users = data.users_with("test")
    if not len(users):
        raise InputError(f"{data.name}: no user has test items, so nothing can be evaluated")
    _enough_unseen(data, users, settings)
    longest = max(settings.cutoffs)
    options: dict[str, Any] = {"seed": seed, "progress": progress}

    def of_base() -> dict[str, Array]:
        base = LightGCN(**{"epochs": settings.epochs, **settings.lightgcn, **options}).fit(data)
        pool = base.top(users, settings.pool)
        scores = np.concatenate(
            [
                np.take_along_axis(base.scores(users[i : i + 500]), pool[i : i + 500], axis=1)
                for i in range(0, len(users), 500)
            ]
        )
        return {
            "pool": pool.astype(np.int32),
            "relevance": _scaled(scores, base.scale(users)),
            "unit": unit_vectors(base.item_embeddings, data.items),
            **_history(base),
        }

    def of_diverse() -> dict[str, Array]:
        model = DGRec(**{"epochs": settings.epochs, **settings.dgrec, **options}).fit(data)
        return {"items": model.top(users, longest).astype(np.int32), **_history(model)}

    base = kept.step(f"seed-{seed}-{BASE}", of_base)
    diverse = kept.step(f"seed-{seed}-DGRec", of_diverse)
    pool, unit, relevance = base["pool"], base["unit"], base["relevance"]
    makes: dict[str, Callable[[], Array]] = {
        BASE: lambda: pool[:, :longest],
        "Popularity": lambda: Popularity().fit(data).top(users, longest),
        "Random": lambda: Random(seed=seed).fit(data).top(users, longest),
        "MMR": lambda: mmr_lists(relevance, pool, unit, longest, settings.mmr_lambda),
        "DPP": lambda: dpp_lists(relevance, pool, unit, longest, settings.dpp_theta),
        "DGRec": lambda: diverse["items"],
    }
    judged = Judged(data, unit)
    lists, scores = {}, {}
    with bar("lists and scores", len(makes), progress=progress) as advance:
        for name, make in makes.items():

            def scored(make: Callable[[], Array] = make) -> dict[str, Array]:
                items = make().astype(np.int32)
                return {"items": items, **_packed(judged.scores(items, settings.cutoffs))}

            found = kept.step(f"seed-{seed}-scores-{name}", scored)
            lists[name], scores[name] = found.pop("items"), _unpacked(found)
            advance(name)
    histories = {BASE: _told(base), "DGRec": _told(diverse)}
    return Trained(users, lists, scores, histories)


def _history(model: LightGCN) -> dict[str, Array]:
    if model.history is None:
        return {}
    of = model.history
    return {"history": np.array([of.best, len(of.loss), of.stopped_early], dtype=np.int64)}


def _told(step: Mapping[str, Array]) -> dict[str, Any]:
    best, epochs, stopped = step["history"].tolist()
    return {"best epoch": best, "epochs": epochs, "stopped early": bool(stopped)}


def _packed(scores: Scores) -> dict[str, Array]:
    """Scores as arrays by name, as a step keeps them."""
    out = {
        f"{table}/{metric}/{k}": values
        for table in ("whole", "effective", "curves")
        for (metric, k), values in getattr(scores, table).items()
    }
    return {**out, **{f"hits//{k}": np.array(n) for k, n in scores.hits.items()}}


def _unpacked(arrays: Mapping[str, Array]) -> Scores:
    tables: dict[str, Any] = {"whole": {}, "effective": {}, "curves": {}, "hits": {}}
    for name, values in arrays.items():
        table, metric, k = name.split("/")
        if table == "hits":
            tables[table][int(k)] = int(values)
        else:
            tables[table][metric, int(k)] = values
    return Scores(**tables)


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
