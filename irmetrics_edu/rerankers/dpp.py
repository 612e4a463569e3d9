"""A determinantal point process: the sets of large volume, of good and unlike documents."""

import math
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array
from irmetrics_edu.rerankers.choices import Method, Reranking, Step
from irmetrics_edu.rerankers.pool import (
    COSINE,
    GIVEN,
    Similarity,
    length,
    scored_pool,
    similarities,
)

_EPSILON = 1e-10  # a residual below this share of the document's own volume is rounding
_LARGEST_EXPONENT = 150  # its square is still a float


def dpp(
    quality: Any,
    features: Any,
    *,
    k: int | None = None,
    theta: float | None = None,
    similarity: Similarity | str = COSINE,
    least_gain: float = 0.0,
) -> Reranking:
    """Greedy DPP ranks next the document that raises the determinant of the chosen kernel most.

    The kernel is L_ij = q_i S_ij q_j. `quality` maps each document of the pool to q_i, a number
    above 0 (all 1 leaves the kernel as `features` give it); with `theta` in [0, 1) it is a
    relevance r_i of any sign and q_i = exp(theta r_i / (2 (1 - theta))), so that theta weighs
    relevance against the log-determinant. `features` are as for `mmr`; similarities that are
    given must be positive semidefinite. The determinant is updated by an incremental Cholesky
    factorisation: O(k^2 n) in all. The ranking ends early where every document left is a linear
    combination of those chosen (determinant 0), or would multiply the determinant by less than
    `least_gain` (1: the set of unlimited size); the working says so. What the chosen leave of a
    document counts as 0 below 1e-10 of its own volume, and of documents that are equal but for
    rounding (`near_ties`) the first of the pool is taken. Its value is log det L_S.

    Sources: Kulesza & Taskar (2012), Determinantal point processes for machine learning,
    Foundations and Trends in Machine Learning 5; Chen, Zhang & Zhou (2018), Fast greedy MAP
    inference for determinantal point process to improve recommendation diversity, NeurIPS.

    >>> alike = {("a", "b"): 0.9, ("a", "c"): 0.1, ("b", "c"): 0.2}
    >>> found = dpp({"a": 1.0, "b": 0.9, "c": 0.6}, alike, similarity="given", k=2)
    >>> list(found), round(math.exp(found.value), 4)
    (['a', 'c'], 0.3564)
    """
    documents, given = scored_pool(quality, "quality")
    n = length(k, len(documents))
    checks.between("least_gain", least_gain, 0, math.inf)
    alike = similarities(documents, features, similarity)
    if Similarity.named(similarity) is GIVEN:
        _positive_semidefinite(alike)
    params: dict[str, Any] = {}
    if theta is None:
        for document, q in zip(documents, given.tolist(), strict=True):
            if q <= 0:
                raise InputError(
                    f"{at(None, document)}quality {q:g} is not above 0; give a positive quality, "
                    "or a relevance together with theta"
                )
    else:
        checks.between("theta", theta, 0, 1, open_high=True)
        params["theta"] = theta
        given = theta / (2 * (1 - theta)) * given
        if np.abs(given).max() > _LARGEST_EXPONENT:
            worst = documents[int(np.argmax(np.abs(given)))]
            raise InputError(
                f"{at(None, worst)}theta={theta} makes its quality exp({given.max():.4g}), beyond "
                "what a float holds safely; lower theta or scale the relevance down"
            )
        given = np.exp(given)
    kernel = given[:, None] * alike * given[None, :]
    steps = _greedy(kernel, n, least_gain)
    if not steps:
        raise InputError(
            f"no document has a diagonal entry above least_gain={least_gain:g} and above 0, so "
            "nothing can be chosen; raise the qualities or lower least_gain"
        )
    notes = _ended(n, len(steps), least_gain)
    return Reranking(DPP, documents, steps, params=params, notes=notes)


def _greedy(kernel: Array, n: int, least_gain: float) -> list[Step]:
    """The steps of Chen, Zhang & Zhou (2018), algorithm 1: rows of the Cholesky factor grow."""
    size = len(kernel)
    factor = np.zeros((n, size))
    own = kernel.diagonal().copy()
    residual = own.copy()
    left = np.arange(size)
    steps: list[Step] = []
    for t in range(n):
        new = residual[left] > _EPSILON * own[left]
        if not new.any():
            break
        remaining = np.where(new, residual[left], 0.0)
        with np.errstate(divide="ignore"):
            gain = np.log(remaining)
        # What is left of a volume has the rounding of that volume; of logarithms that is a share.
        scale = float(own[left][new].max() / remaining.max())
        terms = {
            "own volume": own[left],
            "explained by the chosen": own[left] - remaining,
            "new volume": remaining,
            "gain in log det": gain,
        }
        how = "ln({own volume} - {explained by the chosen})"
        step = Step(left, terms, how, scale=scale)
        if least_gain > 0 and exceeds(math.log(least_gain), gain[step.chosen], scale):
            break
        steps.append(step)
        j = step.place
        left = left[left != j]
        row = (kernel[j] - factor[:t, j] @ factor[:t]) / math.sqrt(residual[j])
        factor[t] = row
        residual = residual - row**2
    return steps


def _ended(n: int, chosen: int, least_gain: float) -> list[str]:
    if chosen == n:
        return []
    why = (
        f"every other document would multiply the determinant by less than {least_gain:g}, or by 0"
        if least_gain
        else "every other document is a combination of those chosen: the determinant would be 0"
    )
    return [f"{chosen} of {n} documents are ranked: {why}"]


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
    r"\arg\max_{i\in R\setminus S}\left[\log\det L_{S\cup\{i\}}-\log\det L_S\right]"
    r"\quad(L_{ij}=q_i\,S_{ij}\,q_j)",
    "Chen, Zhang & Zhou (2018), Fast greedy MAP inference for determinantal point process to "
    "improve recommendation diversity, NeurIPS",
)
