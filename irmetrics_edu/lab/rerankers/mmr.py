"""Maximal marginal relevance: relevant, and unlike the documents chosen before."""

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.lab.rerankers.candidate_pool import (
    Features,
    Relevance,
    length,
    scored_pool,
    similarities,
)
from irmetrics_edu.lab.rerankers.choices import Method, Reranking, Step
from irmetrics_edu.near_ties import best, exceeds, sole
from irmetrics_edu.numbers import Array


def mmr(
    relevance: Relevance,
    features: Features,
    *,
    k: int | None = None,
    lambda_: float = 0.5,
    similarity: str = "cosine",
) -> Reranking:
    """MMR ranks next the document that is most relevant and least like those ranked before.

    `relevance` maps each document of the pool to its relevance to the query, a number on the scale
    of the similarities. `features` maps documents to vectors (`similarity="cosine"`) or to texts
    (`"tf-idf"`, extra `lab`). It can also map pairs of documents to their similarity (`"given"`).
    `lambda_` is in [0, 1]: 1 is the order of relevance alone, 0 of unlikeness alone. The first
    document has nothing before it, so its similarity is 0. If candidates are equal but for rounding
    (`near_ties`), the first of the pool is taken.

    Source: Carbonell & Goldstein (1998), The use of MMR, diversity-based reranking for reordering
    documents and producing summaries, SIGIR.

    >>> alike = {("a", "b"): 0.9, ("a", "c"): 0.1, ("b", "c"): 0.2}
    >>> found = mmr({"a": 0.9, "b": 0.8, "c": 0.5}, alike, similarity="given", k=2)
    >>> list(found)
    ['a', 'c']
    >>> from irmetrics_edu import explain
    >>> print(explain(found.working["step 2"]))
    step 2: c = lambda * its relevance - (1 - lambda) * its highest similarity = ... = 0.2000
      document  nearest  relevance  highest similarity      MMR
      c         a           0.5000              0.1000   0.2000
      b         a           0.8000              0.9000  -0.0500
      note: c is taken, not b, the next best: relevance 0.5000 against 0.8000; ...
    """
    checks.between("lambda_", lambda_, 0, 1)
    documents, relevant = scored_pool("relevance", relevance)
    n = length(k, len(documents))
    alike = similarities(documents, features, similarity)
    rounds = list(_rounds(relevant[None], alike[None], n, lambda_))
    places = [int(each.place[0]) for each in rounds]

    def steps() -> list[Step]:
        return _steps(documents, relevant, alike, rounds, lambda_)

    return Reranking(
        MMR,
        documents,
        places,
        steps,
        {"lambda": lambda_},
    )


def mmr_of_many(
    relevance: Array,
    alike: Array,
    k: int,
    lambda_: float,
) -> Array:
    """The choices of `mmr` for many users at once: a line of k places in the pool for each.

    `relevance` has a line for each user. `alike` has a square table of similarities for each user.

    >>> alike = np.array([[[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]]])
    >>> mmr_of_many(np.array([[0.9, 0.8, 0.5]]), alike, 2, 0.5).tolist()
    [[0, 2]]
    """
    return np.stack([each.place for each in _rounds(relevance, alike, k, lambda_)], axis=1)


class _MmrRound(NamedTuple):
    """A choice for every user: how alike each document was to those chosen, and who was taken."""

    highest: Array
    score: Array  # -inf for those chosen before
    place: Array


def _rounds(
    relevance: Array,
    alike: Array,
    k: int,
    lambda_: float,
) -> Iterator[_MmrRound]:
    """The choices for all users, one after another: each similarity is looked at once."""
    users = np.arange(len(relevance))
    plus = lambda_ * relevance
    highest = np.zeros_like(plus)
    size = np.abs(plus).max(axis=1)
    for t in range(k):
        score = plus - (1 - lambda_) * highest
        most = np.maximum(highest.max(axis=1), -highest.min(axis=1))
        place, alone = sole(score, np.maximum(size, (1 - lambda_) * most))
        for u in np.flatnonzero(~alone).tolist():  # it takes the scale of those left
            left = np.isfinite(plus[u])
            size_left = _scale(lambda_, relevance[u, left], highest[u, left])
            place[u] = best(score[u], size_left)
        yield _MmrRound(highest, score, place)
        plus[users, place] = -np.inf
        # A similarity may be negative: the first one counts, whatever it is.
        row = alike[users, place]
        highest = np.maximum(highest, row) if t else row


def _scale(lambda_: float, relevance: Array, highest: Array) -> float:
    """The size of the numbers that a score is the difference of."""
    of_relevance = lambda_ * np.abs(relevance).max()
    of_similarity = (1 - lambda_) * np.abs(highest).max()
    return float(max(of_relevance, of_similarity))


def _steps(
    documents: list[Hashable],
    relevant: Array,
    alike: Array,
    rounds: list[_MmrRound],
    lambda_: float,
) -> list[Step]:
    """The choices for one user with every candidate, and which chosen one each is most like."""
    left = np.arange(len(documents))
    size = np.abs(alike).max()
    nearest = np.full(len(documents), -1)
    similarity = np.zeros(len(documents))
    steps = []
    for each in rounds:
        highest = each.highest[0, left]
        chosen = int(each.place[0])
        terms = {
            "relevance": relevant[left],
            "highest similarity": highest,
            "MMR": each.score[0, left],
        }
        how = "{lambda} * {relevance} - (1 - {lambda}) * {highest similarity}"
        labels = {"nearest": [None if j < 0 else documents[j] for j in nearest[left].tolist()]}
        scale = _scale(lambda_, relevant[left], highest)
        steps.append(
            Step(
                left,
                terms,
                how,
                {"lambda": lambda_},
                labels,
                scale=scale,
            )
        )
        left = left[left != chosen]
        closer = (nearest < 0) | exceeds(alike[chosen], similarity, size)
        similarity = np.where(
            nearest < 0,
            alike[chosen],
            np.maximum(similarity, alike[chosen]),
        )
        nearest = np.where(closer, chosen, nearest)
    return steps


MMR = Method(
    "MMR",
    mmr,
    r"\arg\max_{d_i\notin S}\left[\lambda P(d_i\mid q)"
    r"-(1-\lambda)\max_{d_j\in S}P(d_i\mid d_j)\right]",
)
