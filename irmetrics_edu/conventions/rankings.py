"""How a ranking and its judgments are read, in alignment, and how much each query counts."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.conventions.base import Convention, applied, kind
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array


@kind
@dataclass(frozen=True, slots=True)
class Ties(Convention):
    """The order of documents of equal score."""

    by_grade: bool = False  # whether the order depends on the judgments
    shared: bool = False  # whether they share their ranks instead of having one each
    whole: bool = False  # whether it depends on all scores of the list, not on the tied alone

    @property
    def in_bulk(self) -> bool:
        """Whether the order needs no judgments and gives each document a rank."""
        return not self.by_grade and not self.shared

    def arranged(self, documents: Sequence[Hashable], grades: Sequence[Any] = ()) -> list[int]:
        """The order of documents of equal score, as positions among them as given."""
        if self.function is None:
            return list(range(len(documents)))
        order: list[int] = self.function(documents, grades)
        return order

    def order(self, score: Array) -> list[int]:
        """A whole list by falling score, as positions; equal scores as given or as a sort has them.

        A rule for the tied alone is not applied yet.
        """
        if self.whole and self.function is not None:
            found: list[int] = self.function((-score).tolist())
            return found
        return np.argsort(-score, kind="stable").tolist()  # type: ignore[no-any-return]


def _by_quicksort(worth: Sequence[float]) -> list[int]:
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
        if high - low < 15:  # by insertion, which keeps the order of equals
            order[low : high + 1] = sorted(order[low : high + 1], key=worth.__getitem__)
            continue
        middle = (low + high) // 2
        for a, b in ((low, middle), (middle, high), (low, middle)):
            if worth[order[b]] < worth[order[a]]:
                swap(a, b)
        pivot = worth[order[middle]]
        swap(middle, high)
        i, j = low, high - 1
        while True:
            while worth[order[i]] < pivot:
                i += 1
            while j >= low and pivot < worth[order[j]]:
                j -= 1
            if i >= j:
                break
            swap(i, j)
            i, j = i + 1, j - 1
        swap(i, high)
        parts += [(low, i - 1), (i + 1, high)]
    return order


def _by_id(documents: Sequence[Hashable], _: Sequence[Any]) -> list[int]:
    names = list(map(str, documents))
    if not "".join(names).isascii():  # the order of bytes, as strcmp has it; in UTF-8 that of text
        encoded = list(map(_as_bytes, names))
        return sorted(range(len(names)), key=encoded.__getitem__)
    return sorted(range(len(names)), key=names.__getitem__)


def _as_bytes(name: str) -> bytes:
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character, which no file holds
        return name.encode("utf-8", "surrogatepass")


def _worst_first(_: Sequence[Hashable], grades: Sequence[Any]) -> list[int]:
    return sorted(range(len(grades)), key=lambda i: grades[i])


def _best_first(_: Sequence[Hashable], grades: Sequence[Any]) -> list[int]:
    return sorted(range(len(grades)), key=lambda i: -grades[i])


AS_GIVEN = Ties("given", r"\text{as given}", "in the order of the ranking")
BY_ID = Ties(
    "docid",
    r"\text{by id}",
    "by document id, the larger first, as trec_eval does",
    lambda documents, _: _by_id(documents, _)[::-1],
)
BY_ID_ASCENDING = Ties(
    "docid_ascending", r"\text{by id}", "by document id, the smaller first", _by_id
)
REVERSED = Ties(
    "reversed",
    r"\text{last first}",
    "the document given last comes first, as if a stable sort were reversed",
    lambda documents, _: list(range(len(documents)))[::-1],
)
PESSIMISTIC = Ties(
    "pessimistic", r"\text{worst first}", "the lowest grade first", _worst_first, by_grade=True
)
OPTIMISTIC = Ties(
    "optimistic", r"\text{best first}", "the highest grade first", _best_first, by_grade=True
)
AVERAGED = Ties(
    "averaged",
    r"\text{averaged}",
    "in no order: they share the discounts of their ranks equally, which gives the mean over "
    "all orders",
    shared=True,
)
QUICKSORT = Ties(
    "quicksort",
    r"\text{by quicksort}",
    "in lists of up to 15 documents as given, in longer ones as the quicksort of numba's argsort "
    "leaves them, as in ranx",
    _by_quicksort,
    whole=True,
)
Ties.register(
    AS_GIVEN, BY_ID, BY_ID_ASCENDING, REVERSED, QUICKSORT, PESSIMISTIC, OPTIMISTIC, AVERAGED
)


@kind
class Scores(Convention):
    """How finely the scores of documents are compared."""

    def __call__(self, score: Array) -> Array:
        """The scores as they are compared."""
        return applied(self, score)


def _single(score: Array) -> Array:
    with np.errstate(over="ignore"):  # beyond the range of 32 bits scores are all alike
        return score.astype(np.float32)


FLOAT64 = Scores("float64", r"\text{64-bit}", "as 64-bit floats, as given", lambda score: score)
FLOAT32 = Scores("float32", r"\text{32-bit}", "as 32-bit floats, as trec_eval keeps them", _single)
NOT_READ = Scores(
    "order",
    r"\text{not read}",
    "scores are not compared: the ranking is taken in the order given",
    np.zeros_like,
)
Scores.register(FLOAT64, FLOAT32, NOT_READ)


@kind
@dataclass(frozen=True, slots=True)
class Reading(Convention):
    """Which lines of a TREC file are read, and how."""

    as_c: bool = False  # whether fields, bytes and numbers are those that trec_eval's C takes
    comments: bool = False  # whether a line that begins with # is left out


STRICT = Reading(
    "strict",
    r"\text{strictly}",
    "only the fields of the format, text in UTF-8 and finite decimal numbers; anything else "
    "is an error",
)
AS_TREC_EVAL = Reading(
    "trec_eval",
    r"\text{as trec\_eval 9}",
    "as trec_eval 9: text after the tag is ignored, ids may be any bytes, inf and nan are "
    "scores, and only the digits of a grade before the point count; a note counts each case",
    as_c=True,
)
AS_TREC_EVAL_10 = Reading(
    "trec_eval_10",
    r"\text{as trec\_eval 10}",
    "as trec_eval 10: as trec_eval 9, and a line that begins with # is a comment",
    as_c=True,
    comments=True,
)
Reading.register(STRICT, AS_TREC_EVAL, AS_TREC_EVAL_10)


@kind
class Unjudged(Convention):
    """What happens to a retrieved document that nobody judged."""


NO_GAIN = Unjudged("no_gain", r"\text{no gain}", "it keeps its rank and gains nothing")
REMOVED = Unjudged("removed", r"\text{removed}", "it is removed and the others move up")
Unjudged.register(NO_GAIN, REMOVED)


@kind
class Negative(Convention):
    """What a grade below zero means."""


REFUSED = Negative("refuse", r"\text{refused}", "nothing: it is refused as an error")
AS_ZERO = Negative("zero", "0", "not relevant, as grade 0")
AS_WRITTEN = Negative("keep", "#1", "a loss: the gain is negative")
AS_UNJUDGED = Negative(
    "unjudged", r"\text{unjudged}", "in the pool but not judged, as in trec_eval's infAP"
)
PADDING = Negative(
    "padding",
    r"\text{padding}",
    "padding: the document is removed, as if it were neither retrieved nor judged",
)
Negative.register(REFUSED, AS_ZERO, AS_WRITTEN, AS_UNJUDGED, PADDING)


@kind
class Pooled(Convention):
    """Which judgments count for R and for the ideal ranking."""

    def __call__(self, rows: Any) -> Any:
        """The rows with the pool that counts."""
        return rows if self.function is None else self.function(rows)


ALL_JUDGED = Pooled("judged", r"\text{all judged}", "all documents that are judged")
RETRIEVED_ALONE = Pooled(
    "retrieved",
    r"\text{the retrieved}",
    "only the retrieved documents, as in a library that gets one list and nothing else",
    lambda rows: rows.with_pool_of_retrieved(),
)
Pooled.register(ALL_JUDGED, RETRIEVED_ALONE)


@kind
class Unretrieved(Convention):
    """The ranks of judged documents that were not retrieved."""

    def of(self, judged: Iterable[Hashable]) -> Iterable[Hashable]:
        """The judged documents that the ranking has to hold."""
        return () if self.function is None else self.function(judged)


NOWHERE = Unretrieved("absent", r"\text{nowhere}", "nowhere: they have no rank")
AT_THE_END = Unretrieved(
    "last",
    r"\text{tied at the end}",
    "tied below all others, as if they had the lowest score",
    list,
)
Unretrieved.register(NOWHERE, AT_THE_END)


@kind
class Duplicates(Convention):
    """What happens to a document that is ranked twice."""

    def __call__(self, documents: list[Any]) -> list[Any]:
        """The documents that stay."""
        result: list[Any] = documents if self.function is None else self.function(documents)
        return result


NO_DUPLICATES = Duplicates("refuse", r"\text{refused}", "nothing: it is refused as an error")
FIRST_COUNTS = Duplicates(
    "first",
    r"\text{first}",
    "its first rank counts; the others are removed, and the documents below move up",
    lambda documents: list(dict.fromkeys(documents)),
)
LAST_COUNTS = Duplicates(
    "last",
    r"\text{last}",
    "its last rank counts; the others are removed, and the documents below move up",
    lambda documents: list(dict.fromkeys(documents[::-1]))[::-1],
)
EACH_COUNTS = Duplicates(
    "each", r"\text{each}", "each of its ranks counts, so a score may exceed 1", list
)
Duplicates.register(NO_DUPLICATES, FIRST_COUNTS, LAST_COUNTS, EACH_COUNTS)


@kind
class NoRelevant(Convention):
    """The score of a query without relevant documents."""

    @property
    def value(self) -> float:
        """The score of such a query."""
        return float(self.latex) if self.latex in ("0", "1") else np.nan


ZERO = NoRelevant("zero", "0", "a query without relevant documents scores 0")
ONE = NoRelevant("one", "1", "a query without relevant documents scores 1")
UNDEFINED = NoRelevant("nan", r"\mathrm{NaN}", "a query without relevant documents has no score")
SKIPPED = NoRelevant("skip", r"\text{skipped}", "such a query is left out of the mean")
NoRelevant.register(ZERO, ONE, UNDEFINED, SKIPPED)


@kind
class MissingQueries(Convention):
    """The score of a judged query that the run does not have."""


COUNTED = MissingQueries("zero", "0", "it counts as an empty ranking: nothing found, so 0")
LEFT_OUT = MissingQueries("skip", r"\text{skipped}", "it is left out of the mean")
FORBIDDEN = MissingQueries("refuse", r"\text{refused}", "nothing: it is refused as an error")
MissingQueries.register(COUNTED, LEFT_OUT, FORBIDDEN)


@kind
class UnjudgedQueries(Convention):
    """The score of a query of the run that has no judgments."""


NOT_EXPECTED = UnjudgedQueries("refuse", r"\text{refused}", "nothing: it is refused as an error")
IGNORED = UnjudgedQueries("ignore", r"\text{ignored}", "it is left out of the mean")
NOT_JUDGED_ZERO = UnjudgedQueries(
    "zero", "0", "it scores 0 if the judgments name it, with no document"
)
UnjudgedQueries.register(NOT_EXPECTED, IGNORED, NOT_JUDGED_ZERO)


@kind
class Averaging(Convention):
    """How the shares of many queries become one number."""

    def __call__(self, hits: Array, divisor: Array) -> tuple[Any, Any]:
        """Numerator and denominator of the share of all queries together."""
        if self.function is None:
            raise InputError(f"{self.name} has no function: it is the mean of the queries' values")
        pooled: tuple[Any, Any] = self.function(hits, divisor)
        return pooled


def _apart(hits: Array, divisor: Array) -> tuple[Any, Any]:
    rest = divisor - hits
    of_hits, of_rest = (c[c > 0].mean() if (c > 0).any() else 0.0 for c in (hits, rest))
    return of_hits, of_hits + of_rest


MACRO = Averaging(
    "macro",
    r"\frac{1}{n}\sum_q x_q",
    "macro-averaged: the mean of the queries' values",
)
MICRO = Averaging(
    "micro",
    r"\frac{\sum_q h_q}{\sum_q m_q}",
    "micro-averaged: the hits of all queries over the sum of their divisors",
    lambda hits, divisor: (hits.sum(), divisor.sum()),
)
APART = Averaging(
    "hits_and_misses",
    r"\frac{\bar h}{\bar h+\overline{m-h}}",
    "the mean number of hits, over the sum of the mean numbers of hits and of misses; each "
    "mean is over the queries that have any",
    _apart,
)
Averaging.register(MACRO, MICRO, APART)
