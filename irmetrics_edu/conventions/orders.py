"""Which documents a ranking has, in which order: ties, scores, copies, what was not retrieved."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, ClassVar

import numpy as np

from irmetrics_edu.conventions.convention import Convention, kind
from irmetrics_edu.numbers import Array


@kind
@dataclass(frozen=True, slots=True)
class Ties(Convention):
    """The order of documents of equal score."""

    meant: ClassVar[dict[str, str]] = {
        "worst": "pessimistic",
        "last": "pessimistic",
        "best": "optimistic",
        "stable": "given",
        "first": "given",
        "random": "averaged",
        "average": "averaged",
        "mean": "averaged",
        "id": "docid_ascending",
        "alphabetical": "docid_ascending",
    }
    as_given: bool = False  # whether documents of equal score stay as they are given
    by_grade: bool = False  # whether the order depends on the judgments
    shared: bool = False  # whether they share their ranks instead of having one each
    whole: bool = False  # whether it depends on all scores of the list, not on the tied alone
    by_place: bool = False  # whether it depends on nothing but the places of the tied
    turned: bool = False  # whether the order of its function is turned round

    @property
    def in_bulk(self) -> bool:
        """Whether the order needs no judgments and gives each document a rank."""
        return not self.by_grade and not self.shared

    def arranged(self, documents: Sequence[Hashable], grades: Sequence[Any] = ()) -> list[int]:
        """The order of documents of equal score, as positions among them as given."""
        order = self.straight(documents, grades)
        return order[::-1] if self.turned else order

    def straight(self, documents: Sequence[Hashable], grades: Sequence[Any] = ()) -> list[int]:
        """The same order before it is turned round, if it is."""
        if self.function is None:
            return list(range(len(documents)))
        order: list[int] = self.function(documents, grades)
        return order

    def order(self, score: Array) -> list[int]:
        """A whole list by falling score, as positions; equal scores as given or as a sort has them.

        A rule for the tied alone is not applied yet.
        """
        if self.whole and self.function is not None:
            rising = (-score).tolist()
            positions: list[int] = self.function(rising)
            return positions
        return np.argsort(-score, kind="stable").tolist()  # type: ignore[no-any-return]  # numpy's and the makers' types end here


_BY_INSERTION = 15  # so few numbers are sorted by insertion, which keeps the order of equals


def _by_quicksort(worth: Sequence[float]) -> list[int]:
    """The order of `_quicksorted`, which for equal numbers depends on how many there are alone."""
    if len(set(worth)) == 1:
        return list(_quicksorted_equals(len(worth)))
    return _quicksorted(worth)


@lru_cache(maxsize=64)
def _quicksorted_equals(n: int) -> tuple[int, ...]:
    return tuple(_quicksorted([0.0] * n))


def _quicksorted(worth: Sequence[float]) -> list[int]:
    """The order in which numba's argsort puts numbers, the smallest first.

    A longer part is split at the median of its first, middle and last number, which waits at the
    end meanwhile. Both scans stop at numbers equal to it and swap them, so that equals change
    places.
    """
    order = list(range(len(worth)))

    def swap(a: int, b: int) -> None:
        order[a], order[b] = order[b], order[a]

    parts = [(0, len(worth) - 1)]
    while parts:
        low, high = parts.pop()
        if high - low < _BY_INSERTION:
            part = order[low : high + 1]
            order[low : high + 1] = sorted(part, key=worth.__getitem__)
            continue
        middle = (low + high) // 2
        for a, b in ((low, middle), (middle, high), (low, middle)):
            if worth[order[b]] < worth[order[a]]:
                swap(a, b)
        pivot = worth[order[middle]]
        swap(middle, high)
        i = low
        j = high - 1
        while True:
            while worth[order[i]] < pivot:
                i += 1
            while j >= low and pivot < worth[order[j]]:
                j -= 1
            if i >= j:
                break
            swap(i, j)
            i += 1
            j -= 1
        swap(i, high)
        parts.append((low, i - 1))
        parts.append((i + 1, high))
    return order


def _by_id(documents: Sequence[Hashable], _: Sequence[Any]) -> list[int]:
    names: Sequence[str] = documents  # type: ignore[assignment]  # as a rule all are text
    try:
        text = "".join(names)
    except TypeError:
        names = list(map(str, documents))
        text = "".join(names)
    if not text.isascii():  # the order of bytes, as strcmp has it; in UTF-8 that of text
        encoded = list(map(_as_bytes, names))
        return sorted(range(len(names)), key=encoded.__getitem__)
    return sorted(range(len(names)), key=names.__getitem__)


def _as_bytes(name: str) -> bytes:
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character, which no file holds
        return name.encode("utf-8", "surrogatepass")


def _worst_first(_: Sequence[Hashable], grades: Sequence[Any], sign: int = 1) -> list[int]:
    return sorted(range(len(grades)), key=lambda i: sign * grades[i])


AS_GIVEN = Ties.known("given", as_given=True, by_place=True)
BY_ID = Ties.known("docid", _by_id, turned=True)
BY_ID_ASCENDING = Ties.known("docid_ascending", _by_id)
REVERSED = Ties.known("reversed", turned=True, by_place=True)
QUICKSORT = Ties.known("quicksort", _by_quicksort, whole=True)
PESSIMISTIC = Ties.known("pessimistic", _worst_first, by_grade=True)
OPTIMISTIC = Ties.known("optimistic", partial(_worst_first, sign=-1), by_grade=True)
AVERAGED = Ties.known("averaged", shared=True)


@kind
@dataclass(frozen=True, slots=True)
class Scores(Convention):
    """How finely the scores of documents are compared."""

    as_given: bool = False  # whether in full, as doubles
    unread: bool = False  # whether not at all: documents stay in the order given


def _single(score: Array) -> Array:
    with np.errstate(over="ignore"):  # beyond the range of 32 bits scores are all alike
        return score.astype(np.float32)


FLOAT64 = Scores.known("float64", lambda score: score, as_given=True)
FLOAT32 = Scores.known("float32", _single)
NOT_READ = Scores.known("order", np.zeros_like, unread=True)


@kind
@dataclass(frozen=True, slots=True)
class Reading(Convention):
    """Which lines of a TREC file are read, and how."""

    as_c: bool = False  # whether fields, bytes and numbers are those that trec_eval's C takes
    comments: bool = False  # whether a line that begins with # is left out


STRICT = Reading.known("strict")
AS_TREC_EVAL = Reading.known("trec_eval", as_c=True)
AS_TREC_EVAL_10 = Reading.known("trec_eval_10", as_c=True, comments=True)


@kind
@dataclass(frozen=True, slots=True)
class Unretrieved(Convention):
    """The ranks of judged documents that were not retrieved."""

    @property
    def absent(self) -> bool:
        """Whether they have no rank."""
        return self.function is None

    def of(self, judged: Iterable[Hashable]) -> Iterable[Hashable]:
        """The judged documents that the ranking has to hold."""
        return () if self.function is None else self.function(judged)


NOWHERE = Unretrieved.known("absent")
AT_THE_END = Unretrieved.known("last", list)


@kind
@dataclass(frozen=True, slots=True)
class Duplicates(Convention):
    """What happens to a document that is ranked twice."""

    closed: ClassVar[bool] = True
    refused: bool = False  # whether it is an error


class TextCopy(str):
    """The id of a document that was ranked before: shown as it is, and equal to no other id."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class NumberCopy(int):
    """The same of an id that is a whole number."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def _first_of_each(documents: Sequence[Hashable]) -> list[Hashable]:
    return list(dict.fromkeys(documents))


def _last_of_each(documents: Sequence[Hashable]) -> list[Hashable]:
    from_the_end = _first_of_each(documents[::-1])
    return from_the_end[::-1]


def _copies_marked(documents: Sequence[Hashable]) -> list[Hashable]:
    met: set[Hashable] = set()
    marked: list[Hashable] = []
    for document in documents:
        copy: Hashable = document
        if document in met:
            copy = NumberCopy(document) if isinstance(document, int) else TextCopy(document)
        met.add(document)
        marked.append(copy)
    return marked


def are_copies(documents: Sequence[Hashable] | None, n: int) -> Array:
    """Which of n places hold a copy that gains nothing, of a document that was ranked before."""
    if documents is None:
        return np.zeros(n, dtype=bool)
    return np.array([isinstance(d, TextCopy | NumberCopy) for d in documents], dtype=bool)


NO_DUPLICATES = Duplicates.known("refuse", lambda documents: documents, refused=True)
FIRST_COUNTS = Duplicates.known("first", _first_of_each)
LAST_COUNTS = Duplicates.known("last", _last_of_each)
EACH_COUNTS = Duplicates.known("each", list)
COPIES_GAIN_NOTHING = Duplicates.known("no_gain", _copies_marked)


@kind
class IdenticalIds(Convention):
    """What happens to a retrieved document that has the id of its query."""


OWN_KEPT = IdenticalIds.known("kept")
OWN_REMOVED = IdenticalIds.known("removed")
