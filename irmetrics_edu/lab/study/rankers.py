"""The six rankers of the study: LightGCN, popularity, chance, and three that diversify."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.dgrec import DGRec
from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.lab.recommenders.lightgcn import LightGCN
from irmetrics_edu.lab.recommenders.recommender import Popularity, Random
from irmetrics_edu.lab.rerankers.dpp import dpp_of_many
from irmetrics_edu.lab.rerankers.mmr import mmr_of_many
from irmetrics_edu.lab.study.scoring import ListJudgments, ListScores
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.item_distances import unit_of


@dataclass(frozen=True)
class Judging:
    """How lists are judged.

    `cutoffs` are the lengths judged. `tau` is the share of lists that the discount coefficients
    have to cover when they are tuned. `alpha` (of DCC and FDCC) and `beta` (of DILAD) set them
    instead.
    """

    cutoffs: tuple[int, ...] = (10, 20, 100)
    tau: float = 0.99
    alpha: float | None = None
    beta: float | None = None

    def __post_init__(self) -> None:
        cutoffs: Any = self.cutoffs
        lengths = cutoffs if isinstance(cutoffs, (tuple, list)) else ()
        if not lengths or not all(checks.is_whole(k) and k >= 2 for k in lengths):
            raise InputError(
                f"cutoffs={cutoffs!r} are not lengths of lists; give whole numbers of at "
                "least 2, such as (10, 20), because a pair needs two items"
            )
        checks.between(
            "tau",
            self.tau,
            0,
            1,
            open_low=True,
            open_high=True,
        )
        for name in ("alpha", "beta"):
            if getattr(self, name) is not None:
                checks.between(name, getattr(self, name), 0, 1)


@dataclass(frozen=True)
class Settings(Judging):
    """The settings of a study besides its data: how lists are judged, and how they are made.

    The longest of the `cutoffs` is the length of the lists. MMR and DPP choose from the `pool` best
    items of LightGCN. Its scores are scaled to 0..1 for each user (all 0 if they are equal but for
    rounding). `mmr_lambda` and `dpp_theta` weigh relevance (1 is relevance alone). `lightgcn` and
    `dgrec` hold hyperparameters of these two by name. `epochs` is for both if they don't say.
    Training is repeated for `seeds` seeds, from `seed` on.
    """

    pool: int = 200
    mmr_lambda: float = 0.5
    dpp_theta: float = 0.6
    epochs: int = 300
    seed: int = 0
    seeds: int = 1
    lightgcn: Mapping[str, Any] = field(default_factory=dict)
    dgrec: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        longest = max(self.cutoffs)
        checks.whole(
            "pool",
            self.pool,
            longest,
            why=f": MMR and DPP choose {longest} items of it",
        )
        checks.between("mmr_lambda", self.mmr_lambda, 0, 1)
        checks.between(
            "dpp_theta",
            self.dpp_theta,
            0,
            1,
            open_high=True,
        )
        for name, least in (("epochs", 1), ("seed", 0), ("seeds", 1)):
            checks.whole(name, getattr(self, name), least)
        for name, model in (("lightgcn", LightGCN), ("dgrec", DGRec)):
            names = [each.name for each in fields(model) if each.init and each.name != "seed"]
            if unknown := sorted(set(getattr(self, name)) - set(names)):
                raise InputError(
                    f"{name}: {unknown[0]!r} is not a hyperparameter; use one of {', '.join(names)}"
                )


BASE = "LightGCN"
DIVERSIFIERS = ("MMR", "DPP", "DGRec")
RANKERS = (BASE, "Popularity", "Random", *DIVERSIFIERS)
# Embeddings of d dimensions span no volume beyond d items: a little of the identity lets the
# determinant go on.
_RIDGE = 0.1
_AT_ONCE = 32  # users who are re-ranked together, so that their tables stay in a processor's cache


@dataclass(frozen=True)
class Trained:
    """The rankers of one seed: their lists, as item numbers, and their scores."""

    users: Array
    lists: Mapping[str, Array]
    scores: Mapping[str, ListScores]


def trained(
    data: Interactions,
    settings: Settings,
    seed: int,
    report: Callable[[str], None],
) -> Trained:
    """The rankers under one seed, step by step; `said` gets each step that is done."""
    users = data.users_with("test")
    if not len(users):
        raise InputError(f"{data.name}: no user has test items, so nothing can be evaluated")
    user, unseen = data.fewest_unseen(users)
    longest = max(settings.cutoffs)
    if unseen < settings.pool:
        raise InputError(
            f"pool={settings.pool}: user {user!r} has {unseen} unseen items; cut-offs and pool are "
            f"at most {unseen}"
        )
    base = LightGCN(**{"epochs": settings.epochs, **settings.lightgcn, "seed": seed}).fit(data)
    report(BASE)
    diverse = DGRec(**{"epochs": settings.epochs, **settings.dgrec, "seed": seed}).fit(data)
    report("DGRec")
    pool = base.top(users, settings.pool)
    parts = [
        np.take_along_axis(
            base.scores(users[i : i + 500]),
            pool[i : i + 500],
            axis=1,
        )
        for i in range(0, len(users), 500)
    ]
    relevance = _scaled(np.concatenate(parts), base.scale(users))
    unit = unit_of(base.item_embeddings)
    makes: dict[str, Callable[[], Array]] = {
        BASE: lambda: pool[:, :longest],
        "Popularity": lambda: Popularity().fit(data).top(users, longest),
        "Random": lambda: Random(seed=seed).fit(data).top(users, longest),
        "MMR": lambda: mmr_lists(
            relevance,
            pool,
            unit,
            longest,
            settings.mmr_lambda,
        ),
        "DPP": lambda: dpp_lists(
            relevance,
            pool,
            unit,
            longest,
            settings.dpp_theta,
        ),
        "DGRec": lambda: diverse.top(users, longest),
    }
    judged = ListJudgments(data, unit)
    lists = {}
    scores = {}
    for name, make in makes.items():
        lists[name] = make().astype(np.int32)
        scores[name] = judged.scores(lists[name], settings.cutoffs)
        report(f"lists of {name}")
    return Trained(users, lists, scores)


def _scaled(scores: Array, scale: Array) -> Array:
    """The scores from 0 to 1 in each line; all 0 where rounding alone tells them apart."""
    low = scores.min(axis=1, keepdims=True)
    high = scores.max(axis=1, keepdims=True)
    apart = exceeds(high, low, scale)
    return np.where(
        apart,
        (scores - low) / np.where(apart, high - low, 1),
        0.0,
    )


def mmr_lists(
    relevance: Array,
    pool: Array,
    unit: Array,
    k: int,
    lambda_: float,
) -> Array:
    """MMR's choices from each user's pool, by the cosine of unit vectors: a line for each user."""
    return _reranked(
        relevance,
        pool,
        unit,
        lambda r, alike: mmr_of_many(r, alike, k, lambda_),
    )


def dpp_lists(
    relevance: Array,
    pool: Array,
    unit: Array,
    k: int,
    theta: float,
) -> Array:
    """DPP's choices from each user's pool; the kernel has a little of the identity (`_RIDGE`)."""
    ridge = np.eye(relevance.shape[1]) * _RIDGE
    weight = theta / (1 - theta) * relevance
    return _reranked(
        weight,
        pool,
        unit,
        lambda w, alike: dpp_of_many(w, (1 - _RIDGE) * alike + ridge, k),
    )


def _reranked(
    relevance: Array,
    pool: Array,
    unit: Array,
    choose: Callable[[Array, Array], Array],
) -> Array:
    lists = []
    for start in range(0, len(pool), _AT_ONCE):
        here = slice(start, start + _AT_ONCE)
        vectors = unit[pool[here]]
        chosen = choose(relevance[here], vectors @ vectors.transpose(0, 2, 1))
        lists.append(np.take_along_axis(pool[here], chosen, axis=1))
    return np.concatenate(lists)
