"""The documents to re-rank: a pool, how alike they are, which aspects they cover."""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from typing import Any

import numpy as np
import numpy.typing as npt

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.lab.efficiency.engines import texts_by_id
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.item_distances import of_pairs, unit_of, vectors_of

# What a document of the pool is mapped to: its relevance or quality; its vector or text, or the
# similarity of a pair; its facets or aspects, with probabilities or as a set.
Relevance = Mapping[Any, float]
Features = Mapping[Any, npt.ArrayLike]
Coverage = Mapping[Any, Mapping[Any, float] | Set[Any]]

_WORD = r"(?u)\b\w+\b"  # words of one letter count too, so that "a b c" is a text


def pool_of(pool: Any, form: str) -> list[Hashable]:
    """The documents of a pool in the order given; `form` says what they are mapped to."""
    if not isinstance(pool, Mapping):
        raise InputError(f"{form}; got {pool!r}")
    if not pool:
        raise InputError("the pool is empty, so there is nothing to choose from; give documents")
    return list(pool)


def scored_pool(
    what: str,
    scores: Any,
    read: Callable[..., Any] = checks.number,
) -> tuple[list[Hashable], Array]:
    """The documents of a pool in the order given, and the number given for each."""
    form = f"{what} maps each document of the pool to a number, such as {{'d1': 0.9}}"
    documents = pool_of(scores, form)
    return documents, np.array([read(scores[d], what, at(None, d)) for d in documents])


def length(k: Any, n: int) -> int:
    """The number of documents to choose: k, or all; more than the pool has is refused."""
    wanted = checks.cutoff(k)
    if wanted is None:
        return n
    if wanted > n:
        raise InputError(f"k={k}: the pool holds {n} documents; choose k from 1 to {n}")
    return wanted


def probability(value: Any, what: str, place: str = "") -> float:
    """A number from 0 to 1."""
    read = float(checks.number(value, what, place))
    if not 0 <= read <= 1:
        raise InputError(f"{place}{what} {read:g} is not a probability; give a number from 0 to 1")
    return read


def _needed(
    documents: Sequence[Hashable],
    by_document: Any,
    what: str,
) -> list[Any]:
    """What is given of each document of the pool."""
    if not isinstance(by_document, Mapping):
        raise InputError(
            f"give the {what} of each document as a mapping; got {type(by_document)!r}"
        )
    lacking = f"has no {what}; give it, or remove the document from the pool"
    return [
        value
        for _, _, value in checks.looked_up(
            documents,
            by_document,
            None,
            lacking,
            ranked=False,
        )
    ]


def similarities(
    documents: Sequence[Hashable],
    features: Any,
    similarity: str,
) -> Array:
    """The table of similarities of the documents, in their order.

    `features` maps documents to vectors (cosine), to texts (tf-idf), or pairs of documents to a
    similarity (given).
    """
    checks.one_of(
        "similarity",
        similarity,
        ("cosine", "tf-idf", "given"),
    )
    if similarity == "tf-idf":
        return _of_texts(documents, _needed(documents, features, "text"))
    if similarity == "cosine":
        unit = unit_of(vectors_of(documents, features))
        return np.asarray(unit @ unit.T)
    n = len(documents)
    matrix = np.zeros((n, n))
    matrix[np.triu_indices(n, 1)] = of_pairs(documents, features, "similarity")
    matrix += matrix.T
    of_itself = [checks.number(features.get((d, d), 1), f"{d!r} and itself:") for d in documents]
    np.fill_diagonal(matrix, of_itself)
    return matrix


def _of_texts(documents: Sequence[Hashable], texts: list[Any]) -> Array:
    texts_by_id("texts", dict(zip(documents, texts, strict=True)))
    for document, text in zip(documents, texts, strict=True):
        if not re.search(_WORD, text):
            raise InputError(
                f"{at(None, document)}its text has no word, so it has no similarity; give words, "
                "or remove the document"
            )
    TfidfVectorizer = extra("sklearn.feature_extraction.text").TfidfVectorizer
    matrix = TfidfVectorizer(token_pattern=_WORD).fit_transform(texts)
    product: Array = (matrix @ matrix.T).toarray()
    return product


def covered(
    documents: Sequence[Hashable],
    coverage: Any,
    names: Sequence[Hashable] | None = None,
) -> tuple[list[Hashable], Array]:
    """The aspects (facets, intents), and the probability that a document covers each.

    `coverage` maps a document to its aspects: a mapping from aspect to probability (0 for an aspect
    that it does not name), or a set (1 for each).
    """
    aspects = _needed(documents, coverage, "aspects")
    covers = [_aspects(document, h) for document, h in zip(documents, aspects, strict=True)]
    if names is None:
        seen = dict.fromkeys(name for h in covers for name in h)
        names = sorted(seen, key=lambda name: (type(name).__name__, name))
    if not names:
        raise InputError("no document of the pool covers any aspect; there is nothing to cover")
    place = {name: j for j, name in enumerate(names)}
    table = np.zeros((len(documents), len(names)))
    for i, (document, h) in enumerate(zip(documents, covers, strict=True)):
        for name, p in h.items():
            if name not in place:
                raise InputError(f"{at(None, document)}aspect {name!r} has no weight; add one")
            table[i, place[name]] = probability(p, f"aspect {name!r}:", at(None, document))
    return list(names), table


def _aspects(document: Hashable, aspects: Any) -> Mapping[Any, Any]:
    if isinstance(aspects, Mapping):
        return aspects
    if isinstance(aspects, (set, frozenset)):
        return dict.fromkeys(aspects, 1)
    raise InputError(
        f"{at(None, document)}its aspects are {aspects!r}; give a mapping from aspect to "
        "probability, or a set"
    )


def weighted_coverage(
    documents: Sequence[Hashable],
    coverage: Any,
    intents: Any,
) -> tuple[list[Hashable], Array, Array]:
    """The aspects, their weights (equal if none are given), and the table of coverage."""
    if intents is None:
        names, table = covered(documents, coverage)
        return names, np.full(len(names), 1 / len(names)), table
    if not isinstance(intents, Mapping) or not intents:
        raise InputError(
            f"intents={intents!r} are not a mapping; map each aspect to its probability"
        )
    weights = {name: probability(p, f"aspect {name!r}: weight") for name, p in intents.items()}
    if abs(sum(weights.values()) - 1) > 1e-9:
        raise InputError(
            f"the weights of the aspects sum to {sum(weights.values()):g}, not 1; divide each by "
            "their sum"
        )
    names, table = covered(documents, coverage, list(weights))
    return names, np.array(list(weights.values())), table
