"""The facet model: choose the documents that together most probably cover every facet."""

import math
from collections.abc import Hashable, Iterable, Mapping
from itertools import combinations, islice
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.lab.efficiency.engines import texts_by_id
from irmetrics_edu.lab.rerankers.candidate_pool import Coverage, covered, length, pool_of
from irmetrics_edu.lab.rerankers.choices import Method, Reranking, Step
from irmetrics_edu.near_ties import leading
from irmetrics_edu.numbers import Array
from irmetrics_edu.working import Table, Working

_MOST_SETS = 200_000  # an exact search looks at no more sets than this
_AT_A_TIME = 4096
_ROUNDS = 20  # passes of LDA over the texts


def facet_likelihood(chosen: Iterable[Hashable], facets: Coverage) -> Working:
    """The facet objective is the probability that the chosen documents cover every facet.

    Between 0 and 1. The facets are taken as independent. For each facet take 1 - the product over
    chosen documents of 1 - p(f_j in d_i). The objective is the product of these over the facets.
    `facets` maps every document of the pool to its facets: a mapping from facet to probability, or
    a set. The working has a line per facet.

    Source: Carterette & Chandar (2009), Probabilistic models of ranking novel documents for faceted
    topic retrieval, CIKM.

    >>> facet_likelihood(["a", "c"], {"a": {"x": 0.5, "y": 0.5}, "c": {"x": 0.5}}).value
    0.375
    """
    documents, names, table = _pool(facets)
    place = {d: i for i, d in enumerate(documents)}
    ids = checks.ids(chosen, what="chosen")
    for document in ids:
        if document not in place:
            checks.same_kind_of_ids(ids, documents)
            raise InputError(
                f"document {document!r} is chosen, but it is not in the pool of facets"
            )
    return _likelihood(names, table[[place[d] for d in ids]])


def _pool(facets: Coverage) -> tuple[list[Hashable], list[Hashable], Array]:
    documents = pool_of(
        facets,
        "facets map each document to the probabilities of its facets, such as {'d1': {'f1': 0.7}}",
    )
    names, table = covered(documents, facets)
    return documents, names, table


def _likelihood(names: list[Hashable], chosen: Array) -> Working:
    cover, missed = _covered(chosen)
    return Working(
        np.array([np.prod(cover)]),
        columns={"missed by all": missed, "covered": cover},
        table=Table.of_one({"facet": names}),
        name="L, the product of the facets' probabilities of being covered",
    )


def facet_model(
    facets: Coverage,
    *,
    k: int,
    search: str = "greedy",
) -> Reranking:
    """The facet model chooses k documents that most probably cover every facet between them.

    It maximises L(y | F, D) = prod_j (1 - prod_i (1 - p(f_j in d_i))^y_i) with sum_i y_i <= k. More
    documents never lower L, so k are taken. `facets` are as for `facet_likelihood`, given or from
    `lda_facets`. `search="greedy"` takes the best next document. L is 0 while a facet has no
    document, so it first reaches as many facets as it can, then maximises the product over those
    reached. It may miss the best set. `search="exact"` looks at every set (at most 200,000, else
    InputError) and ranks the best one greedily. If documents or sets are equal but for rounding
    (`near_ties`), the first in the order of the pool is taken. The value is L.

    Source: Carterette & Chandar (2009), Probabilistic models of ranking novel documents for faceted
    topic retrieval, CIKM; the greedy search by facets reached is ours.

    >>> pool = {"both": (0.6, 0.6), "one": (1.0, 0.05), "two": (0.05, 1.0)}
    >>> pool = {document: dict(zip("xy", p)) for document, p in pool.items()}
    >>> list(facet_model(pool, k=2)), round(facet_model(pool, k=2).value, 2)
    (['both', 'one'], 0.62)
    >>> list(facet_model(pool, k=2, search="exact")), facet_model(pool, k=2, search="exact").value
    (['one', 'two'], 1.0)
    """
    checks.one_of("search", search, ("greedy", "exact"))
    documents, names, table = _pool(facets)
    n = length(k, len(documents))
    everything = np.arange(len(documents))
    steps = _greedy(table, everything, n)
    notes = []
    if search == "exact":
        greedy = _likelihood(names, table[[s.place for s in steps]]).value
        chosen, sets = _best_set(table, n)
        steps = _greedy(table, chosen, n)
        notes.append(
            f"exact: the best of all {sets} sets of {n}; the greedy choice has L = {greedy:.4g}"
        )
    places = [s.place for s in steps]
    parts = _likelihood(names, table[places])
    if any(parts["covered"] == 0):
        bare = [str(f) for f, c in zip(names, parts["covered"], strict=True) if c == 0]
        notes.append(f"L is 0: no chosen document has facet {', '.join(bare)}")
    return Reranking(
        FM_LDA,
        documents,
        places,
        lambda: steps,
        {"search": search},
        maximised=parts.value,
        how="{L}",
        parts={"L": parts},
        notes=notes,
    )


def _greedy(table: Array, pool: Array, n: int) -> list[Step]:
    """Steps by facets reached, then by the product over those reached (as a logarithm)."""
    left = pool
    cover = np.zeros(table.shape[1])
    missed = np.ones(table.shape[1])
    steps = []
    for _ in range(n):
        reached, product = _log_likelihoods(cover + missed * table[left])
        terms = {
            "L": np.where(reached == len(missed), np.exp(product), 0.0),
            "facets reached": reached.astype(float),
            "log of the product over facets reached": product,
        }
        step = Step(
            left,
            terms,
            how="{log of the product over facets reached}",
            first_by="facets reached",
            scale=1.0,  # a logarithm has the share by which its number is off,
        )
        steps.append(step)
        cover = cover + missed * table[step.place]
        missed = missed * (1 - table[step.place])
        left = left[left != step.place]
    return steps


def _covered(chosen: Array) -> tuple[Array, Array]:
    """The probabilities that each facet (last axis) is covered by the documents, and missed.

    As a sum of what each document adds, so that a small probability keeps its digits.
    """
    shape = (*chosen.shape[:-2], chosen.shape[-1])
    cover = np.zeros(shape)
    missed = np.ones(shape)
    for i in range(chosen.shape[-2]):
        cover = cover + missed * chosen[..., i, :]
        missed = missed * (1 - chosen[..., i, :])
    return cover, missed


def _log_likelihoods(cover: Array) -> tuple[Array, Array]:
    """How many facets are reached, and the log of the product over these (facets come last)."""
    reached = (cover > 0).sum(axis=-1)
    product = np.log(np.where(cover > 0, cover, 1.0)).sum(axis=-1)
    return reached, product


def _best_set(table: Array, n: int) -> tuple[Array, int]:
    """The best set of n documents, by looking at them all; how many there were."""
    size = len(table)
    sets = math.comb(size, n)
    if sets > _MOST_SETS:
        raise InputError(
            f"{n} of {size} documents make {sets} sets, more than the {_MOST_SETS} that an exact "
            "search looks at; use search='greedy' or a smaller pool"
        )
    every = combinations(range(size), n)
    reached = np.empty(sets)
    product = np.empty(sets)
    for start in range(0, sets, _AT_A_TIME):
        members = np.array(list(islice(every, _AT_A_TIME)), dtype=np.intp)
        here = slice(start, start + len(members))
        reached[here], product[here] = _log_likelihoods(_covered(table[members])[0])
    likely = np.where(reached == np.max(reached), product, -np.inf)
    first = int(np.argmax(leading(likely, scale=1.0)))
    return np.array(next(islice(combinations(range(size), n), first, None))), sets


def lda_facets(
    texts: Mapping[Any, str], n_facets: int, *, seed: int = 0
) -> dict[Hashable, dict[int, float]]:
    """The facets of texts are the topics of latent Dirichlet allocation, by their shares.

    `texts` maps documents to texts. Each document gets `n_facets` probabilities that sum to 1. The
    topics are numbered from 1. The same seed gives the same facets, but for rounding, and equal
    texts have equal facets. It needs scikit-learn (extra `lab`): LatentDirichletAllocation over
    word counts, without English stop words, does the work in 20 passes over the texts.

    Source: Blei, Ng & Jordan (2003), Latent Dirichlet allocation, JMLR 3.

    >>> texts = {"a": "ship sea ship", "b": "sea ship", "c": "wine bread", "d": "bread wine wine"}
    >>> shares = lda_facets(texts, 2)
    >>> main = {d: max(held, key=held.get) for d, held in shares.items()}
    >>> main["a"] == main["b"] != main["c"] == main["d"]
    True
    """
    text_of = texts_by_id("texts", texts)
    facets = checks.whole("n_facets", n_facets, 2)
    LatentDirichletAllocation = extra("sklearn.decomposition").LatentDirichletAllocation
    CountVectorizer = extra("sklearn.feature_extraction.text").CountVectorizer

    counter = CountVectorizer(stop_words="english")
    try:
        counts = counter.fit_transform(list(text_of.values()))
    except ValueError as error:
        raise InputError(f"the texts have no words to find facets in: {error}") from None
    for document, words in zip(
        text_of,
        counts.sum(axis=1).ravel().tolist()[0],
        strict=True,
    ):
        if not words:
            raise InputError(
                f"document {document!r}: its text has only stop words; give "
                "other words, or leave it out"
            )
    lda = LatentDirichletAllocation(
        facets,
        random_state=seed,
        max_iter=_ROUNDS,
    )
    shares = lda.fit_transform(counts)
    return {d: dict(enumerate(row, 1)) for d, row in zip(text_of, shares.tolist(), strict=True)}


FM_LDA = Method(
    "FM-LDA",
    facet_model,
    r"\max_{y}\ \prod_{j=1}^{m}\left(1-\prod_{i=1}^{n}(1-p(f_j\in d_i))^{y_i}\right)"
    r"\quad\text{with}\ \sum_i y_i\le k",
)
