"""A determinantal point process: sets of large volume, made of good and unlike documents."""

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.rerankers.candidate_pool import (
    Features,
    Relevance,
    length,
    scored_pool,
    similarities,
)
from irmetrics_edu.lab.rerankers.choices import Method, Reranking, Step
from irmetrics_edu.near_ties import best, scale_of_highest, sole
from irmetrics_edu.numbers import Array

_EPSILON = 1e-10  # a residual below this share of the document's own volume is rounding


def dpp(
    quality: Relevance,
    features: Features,
    *,
    k: int | None = None,
    theta: float | None = None,
    similarity: str = "cosine",
) -> Reranking:
    """Greedy DPP ranks next the document that raises the determinant of the chosen kernel most.

    The kernel is L_ij = q_i S_ij q_j. `quality` maps each document of the pool to q_i, a number
    above 0. If all are 1, the kernel is as `features` give it. With `theta` in [0, 1), `quality` is
    a relevance r_i of any sign and q_i = exp(theta r_i / (2 (1 - theta))). So theta weighs
    relevance against the log-determinant: log det L is log det S plus theta / (1 - theta) times the
    sum of the relevances. `features` are as for `mmr`. Similarities that you give must be positive
    semidefinite. The determinant is updated by an incremental Cholesky factorisation of S: O(k^2 n)
    in all.

    The ranking ends early if every document left is a linear combination of the chosen ones
    (determinant 0). The working says so. What the chosen documents leave of a document counts as 0
    below 1e-10 of its own volume. If documents are equal but for rounding (`near_ties`), the first
    of the pool is taken. The value is log det L_S.

    Sources: Kulesza & Taskar (2012), Determinantal point processes for machine learning,
    Foundations and Trends in Machine Learning 5; Chen, Zhang & Zhou (2018), Fast greedy MAP
    inference for determinantal point process to improve recommendation diversity, NeurIPS.

    >>> alike = {("a", "b"): 0.9, ("a", "c"): 0.1, ("b", "c"): 0.2}
    >>> import math
    >>> found = dpp({"a": 1.0, "b": 0.9, "c": 0.6}, alike, similarity="given", k=2)
    >>> list(found), round(math.exp(found.value), 4)
    (['a', 'c'], 0.3564)
    """
    documents, qualities = scored_pool("quality", quality)
    n = length(k, len(documents))
    alike = similarities(documents, features, similarity)
    if similarity == "given":
        _positive_semidefinite(alike)
    params: dict[str, Any] = {} if theta is None else {"theta": theta}
    weight = _weight(documents, qualities, theta)
    rounds = [r for r in _rounds(alike[None], weight[None], n) if r.place[0] >= 0]
    if not rounds:
        raise InputError(
            "no document has a diagonal entry above 0, so nothing can be chosen; give other "
            "similarities"
        )
    places = [int(each.place[0]) for each in rounds]

    def steps() -> list[Step]:
        squared = qualities**2 if theta is None else None
        return _steps(alike.diagonal(), weight, squared, rounds)

    notes = []
    if len(rounds) < n:
        notes.append(
            f"{len(rounds)} of {n} documents are ranked: every other document is a combination of "
            "those chosen: the determinant would be 0"
        )
    return Reranking(DPP, documents, places, steps, params, notes=notes)


def _weight(
    documents: list[Hashable],
    quality: Array,
    theta: float | None,
) -> Array:
    """What a document by itself adds to the log-determinant, beside its own volume."""
    if theta is not None:
        checks.between("theta", theta, 0, 1, open_high=True)
        weight: Array = theta / (1 - theta) * quality
        return weight
    for document, q in zip(documents, quality.tolist(), strict=True):
        if q <= 0:
            raise InputError(
                f"{at(None, document)}quality {q:g} is not above 0; give a positive quality, "
                "or a relevance together with theta"
            )
    return 2 * np.log(quality)


def dpp_of_many(weight: Array, alike: Array, k: int) -> Array:
    """The choices of `dpp` for many users at once: a line of k places in the pool for each.

    `weight` has a line for each user: what a document by itself adds to the log-determinant (theta
    / (1 - theta) times its relevance). `alike` has a square table of similarities for each user.
    Places are -1 from where the determinant would be 0.

    >>> alike = np.array([[[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]]])
    >>> dpp_of_many(np.array([[0.9, 0.8, 0.5]]), alike, 2).tolist()
    [[0, 2]]
    """
    places = np.full((len(weight), k), -1, dtype=np.intp)
    for t, each in enumerate(_rounds(alike, weight, k)):
        places[:, t] = each.place
    return places


class _DppRound(NamedTuple):
    """A choice for every user: the volume that each document would add, and who was taken."""

    volume: Array  # of the similarities alone; 0 or less for combinations of those chosen
    gain: Array  # in the log-determinant; -inf for those chosen before
    place: Array  # -1 where nothing is left to choose


def _rounds(alike: Array, weight: Array, k: int) -> Iterator[_DppRound]:
    """Chen, Zhang & Zhou (2018), algorithm 1, for all users: rows of the Cholesky factor grow.

    Of the similarities alone: the logarithm of a determinant is that of theirs and the sum of the
    weights, so that no quality is too large or too small for a float.
    """
    users = np.arange(len(alike))
    weight = weight.copy()
    diagonal = np.ascontiguousarray(alike.diagonal(axis1=1, axis2=2))
    whole = diagonal.max(axis=1)
    heaviest = np.abs(weight).max(axis=1)
    volume = diagonal.copy()
    factor = np.zeros((len(alike), k, alike.shape[2]))
    going = np.ones(len(alike), dtype=bool)
    for t in range(k):
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = np.log(volume) + weight
            place, alone = sole(gain, whole / volume.min(axis=1) + heaviest)
        # Equal but for rounding, or a combination of those chosen: it takes a closer look.
        rare = np.flatnonzero(~alone | (volume <= _EPSILON * diagonal).any(axis=1))
        if len(rare):
            gain[rare], scale = _exact(gain[rare], volume[rare], diagonal[rare], weight[rare])
            place[rare] = best(gain[rare], scale)
        going &= np.isfinite(gain[users, place])
        if not going.any():
            return
        yield _DppRound(volume, gain, np.where(going, place, -1))
        weight[users, place] = -np.inf
        before = factor[:, :t]
        of_chosen = before[users, :, place]
        explained = np.matmul(of_chosen[:, None], before)[:, 0]
        root = np.sqrt(np.where(going, volume[users, place], 1))
        row = (alike[users, place] - explained) / root[:, None]
        factor[:, t] = row
        volume = volume - row**2
        volume[users, place] = diagonal[users, place]  # chosen: of no more concern


def _exact(
    gain: Array,
    volume: Array,
    diagonal: Array,
    weight: Array,
) -> tuple[Array, Array]:
    """The gains, -inf where nothing but rounding is left, and the scale of the highest.

    What is left of a volume has the rounding of that volume; of logarithms that is a share.
    """
    real = np.isfinite(weight) & (volume > _EPSILON * diagonal)
    size = np.where(
        real,
        diagonal / np.where(real, volume, 1) + np.abs(weight),
        0,
    )
    gain = np.where(real, gain, -np.inf)
    return gain, scale_of_highest(gain, size)


def _steps(
    diagonal: Array,
    weight: Array,
    squared: Any,
    rounds: list[_DppRound],
) -> list[Step]:
    """The choices for one user with every candidate.

    Volumes are those of the kernel where qualities are given (`squared`), else of the
    similarities, beside which the weighted relevance stands.
    """
    left = np.arange(len(diagonal))
    steps = []
    times = np.ones(len(diagonal)) if squared is None else squared
    for each in rounds:
        gain = each.gain[0, left]
        volume = each.volume[0, left]
        size = times[left] * diagonal[left]
        remaining = np.where(np.isfinite(gain), times[left] * volume, 0.0)
        terms = {
            "own volume": size,
            "explained by the chosen": size - remaining,
            "new volume": remaining,
        }
        how = "ln({own volume} - {explained by the chosen})"
        if squared is None:
            terms["weighted relevance"] = weight[left]
            how += " + {weighted relevance}"
        terms["gain in log det"] = gain
        _, scale = _exact(
            gain[None],
            volume[None],
            diagonal[left][None],
            weight[left][None],
        )
        steps.append(Step(left, terms, how, scale=float(scale[0])))
        left = left[left != each.place[0]]
    return steps


def _positive_semidefinite(kernel: Array) -> None:
    values = np.linalg.eigvalsh(kernel)
    if values[0] < -1e-9 * max(1.0, float(values[-1])):
        raise InputError(
            f"the kernel is not positive semidefinite: its least eigenvalue is {values[0]:.4g}; "
            "give similarities that are inner products, such as cosines of vectors"
        )


DPP = Method(
    "DPP",
    dpp,
    r"\arg\max_{i\notin S}\left[\log\det L_{S\cup\{i\}}-\log\det L_S\right]"
    r"\quad(L_{ij}=q_i\,S_{ij}\,q_j)",
)
