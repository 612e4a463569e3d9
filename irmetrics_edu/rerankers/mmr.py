"""Maximal marginal relevance: relevant, and unlike what was chosen before."""

from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array
from irmetrics_edu.rerankers.choices import Method, Reranking, Step
from irmetrics_edu.rerankers.pool import COSINE, Similarity, length, scored_pool, similarities


def mmr(
    relevance: Any,
    features: Any,
    *,
    k: int | None = None,
    lambda_: float = 0.5,
    similarity: Similarity | str = COSINE,
) -> Reranking:
    """MMR ranks next the document that is most relevant and least like any one ranked before.

    `relevance` maps each document of the pool to its relevance to the query, a number on the
    scale of the similarities. `features` maps documents to vectors (`similarity="cosine"` or
    `"inner"`) or to texts (`"tf-idf"`, extra `learn`), or holds the similarities (`"given"`: by
    pair, or a square table in the pool's order). `lambda_` lies in [0, 1]: 1 is the order of
    relevance alone, 0 of unlikeness alone. The first document has nothing before it: its
    similarity is 0. Of candidates that are equal but for rounding (`near_ties`) the first of the
    pool is taken. InputError for an empty pool, lambda out of range, k beyond the pool, or a
    document without features.

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
    documents, relevant = scored_pool(relevance)
    n = length(k, len(documents))
    alike = similarities(documents, features, similarity)
    left, size = np.arange(len(documents)), np.abs(alike).max()
    highest = np.zeros(len(documents))
    nearest = np.full(len(documents), -1)
    steps = []
    for _ in range(n):
        plus, minus = lambda_ * relevant[left], (1 - lambda_) * highest[left]
        terms: dict[str, Array] = {
            "relevance": relevant[left],
            "highest similarity": highest[left],
            "MMR": plus - minus,
        }
        step = Step(
            left,
            terms,
            how="{lambda} * {relevance} - (1 - {lambda}) * {highest similarity}",
            quantities={"lambda": lambda_},
            labels={"nearest": [None if j < 0 else documents[j] for j in nearest[left].tolist()]},
            scale=max(np.abs(plus).max(), np.abs(minus).max()),
        )
        steps.append(step)
        taken = step.place
        left = left[left != taken]
        # A similarity may be negative: the first one counts, whatever it is.
        closer = (nearest < 0) | exceeds(alike[taken], highest, size)
        nearest = np.where(closer, taken, nearest)
        highest = np.maximum(highest, alike[taken]) if len(steps) > 1 else alike[taken]
    return Reranking(MMR, documents, steps, params={"lambda": lambda_})


MMR = Method(
    "MMR",
    mmr,
    r"\arg\max_{d_i\in R\setminus S}\left[\lambda P(d_i\mid q)"
    r"-(1-\lambda)\max_{d_j\in S}P(d_i\mid d_j)\right]",
    "Carbonell & Goldstein (1998), The use of MMR, diversity-based reranking for reordering "
    "documents and producing summaries, SIGIR",
)
