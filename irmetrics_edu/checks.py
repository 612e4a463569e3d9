"""Reading single inputs: ids, grades, scores, parameters; errors name the place and a remedy."""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError


def at(query: Any = None, document: Any = None, rank: int | None = None) -> str:
    """The place, as an error message names it: "query 'q1', document 'd3', rank 2: "."""
    parts = []
    if query is not None:
        parts.append(f"query {query!r}")
    if document is not None:
        parts.append(f"document {document!r}")
    if rank is not None:
        parts.append(f"rank {rank}")
    return f"{', '.join(parts)}: " if parts else ""


def number(value: Any, what: str, place: str = "", *, exact: bool = False) -> Any:
    """A finite number, as a float or a fraction; anything else is refused."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise InputError(f"{place}{what} {value!r} is not a number")
    try:
        finite = math.isfinite(value)
    except OverflowError:
        raise InputError(f"{place}{what} is a whole number too large for a float") from None
    if not finite:
        raise InputError(f"{place}{what} {value!r} is not finite; give a finite number")
    if exact:
        value = value.item() if isinstance(value, np.generic) else value
        return Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    return float(value)


def cutoff(k: Any) -> int | None:
    """A cut-off rank: a whole number, at least 1, or None for no cut."""
    if k is None:
        return None
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)):
        raise InputError(f"k={k!r}: a cut-off is a whole number of ranks, such as k=10")
    if k < 1:
        raise InputError(f"k={k}: a cut-off is at least 1")
    return int(k)


def between(
    name: str,
    value: Any,
    low: float,
    high: float,
    *,
    open_low: bool = False,
    open_high: bool = False,
) -> Any:
    """The parameter, if it is a number in its range."""
    number(value, f"{name} =")
    if not (low <= value <= high) or (open_low and value == low) or (open_high and value == high):
        left, right = "(" if open_low else "[", ")" if open_high else "]"
        raise InputError(f"{name}={value}: it must lie in {left}{low:g}, {high:g}{right}")
    return value


def ids(
    ranking: Iterable[Any], query: Any = None, what: str = "ranked", *, repeated: bool = False
) -> list[Hashable]:
    """The documents of a ranking; one that stands there twice is refused, or may be `repeated`."""
    if isinstance(ranking, (str, bytes)):
        raise InputError(
            f"{at(query)}a ranking is a list of document ids, not the text {ranking!r}"
        )
    documents = list(ranking.tolist() if isinstance(ranking, np.ndarray) else ranking)
    try:
        if len(set(documents)) == len(documents) or repeated:
            return documents
    except TypeError as error:
        raise InputError(
            f"{at(query)}a document id must be hashable, such as text: {error}"
        ) from None
    seen: dict[Hashable, int] = {}
    for rank, document in enumerate(documents, 1):
        if document in seen:
            raise InputError(
                f"{at(query, document, rank)}{what} twice, first at rank {seen[document]}; "
                "a document has one place: remove the repetition"
            )
        seen[document] = rank
    raise AssertionError("unreachable: a repetition was counted")  # pragma: no cover


def same_kind_of_ids(
    documents: Sequence[Hashable], judged: Iterable[Hashable], query: Any = None
) -> None:
    """Refuse ids that match a judged one only after a change of type or trimming."""
    judged = list(judged)
    known = set(judged)
    unknown = {_folded(d): (rank, d) for rank, d in enumerate(documents, 1) if d not in known}
    if not unknown:
        return
    ranked = set(documents)
    for other in judged:
        if other not in ranked and _folded(other) in unknown:
            rank, document = unknown[_folded(other)]
            how = "white space" if isinstance(document, str) and isinstance(other, str) else "type"
            raise InputError(
                f"{at(query, document, rank)}differs from the judged {other!r} only in {how}; "
                "write ids the same way on both sides"
            )


def _folded(identifier: Hashable) -> str:
    return str(identifier).strip()


def by_score(
    scores: Mapping[Any, Any], query: Any = None, *, ties: str = "given"
) -> list[Hashable]:
    """Documents by falling score; equal scores stand as the rule for ties says."""
    items = []
    for document, score in scores.items():
        items.append((document, number(score, "score", at(query, document))))
    if ties != "given":
        items.sort(key=lambda item: str(item[0]), reverse=ties == "docid")
    items.sort(key=lambda item: -item[1])
    return [document for document, _ in items]
