"""The choices on which libraries differ, as named values.

A convention is small, frozen and comparable. A metric takes it as a keyword argument, by value or
by name: `ndcg([5, 2, 3], gain="exp")`. Its LaTeX replaces the macro of the same name in the formula
of a metric. Its function says what it does: a kernel applies the function and never asks for the
name.

Each value is its function; what it means is said in `conventions.toml`. First stands what a
convention is, then the choices on gains and discounts, on rankings and queries,
and on single metrics. Start with `__init__.py`.
"""

import re
import tomllib
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from irmetrics_edu.checks import refuse_cutoff
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.numbers import Array, as_fraction, is_exact, like, of_ranks

_TEXTS = tomllib.loads(Path(__file__).with_name("conventions.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Convention:
    """One named way to settle a question that a metric's definition leaves open."""

    name: str
    latex: str
    meaning: str
    function: Callable[..., Any] | None = field(default=None, compare=False, repr=False)
    closed: ClassVar[bool] = False  # whether all values are known, as each is settled elsewhere
    values: ClassVar[dict[str, Any]]
    makers: ClassVar[dict[str, Callable[[str], Any]]]

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> Any:
        """Pickled by its name, so that loading it gives the registered value itself."""
        return type(self).named, (self.name,)

    def __call__(self, first: Any, *rest: Any) -> Any:
        """What its function makes of what is given: gains of grades, say."""
        function = self.function
        if function is None:
            raise InputError(f"{self.name} has no function")
        return function(first, *rest) if rest else function(first)

    @classmethod
    def named(cls, value: Any, parameter: str = "") -> Self:
        """The convention of this kind that `value` is or names; an error lists the choices."""
        # A kind may have classes of its own for some values; they share one table.
        if isinstance(value, Convention) and value.values is cls.values:
            return value  # type: ignore[return-value]  # of this kind, by the table
        if isinstance(value, str):
            if value in cls.values:
                return cls.values[value]  # type: ignore[no-any-return]  # the class's own table
            called = re.fullmatch(r"(\w+)\((.+)\)", value)
            if called and called[1] in cls.makers:
                return cls.makers[called[1]](called[2])  # type: ignore[no-any-return]  # numpy's and the makers' types end here
        names = ", ".join(dict.fromkeys(v.name for v in cls.values.values()))
        raise InputError(
            f"{parameter or cls.__name__.lower()}={value!r} is not a known choice; "
            f"use one of {names}"
        )

    @classmethod
    def known(cls, name: str, function: Callable[..., Any] | None = None, **facts: Any) -> Self:
        """A value of this package, entered in the table; its words are in `conventions.toml`."""
        home = next(kind for kind in cls.__mro__ if "values" in vars(kind))
        made = cls(name, **_TEXTS[home.__name__][name], function=function, **facts)
        cls.register(made)
        return made

    @classmethod
    def register(cls, *values: "Convention", **aliases: "Convention") -> None:
        """Enter values in the table, so that they are found by name.

        InputError for a kind whose values are settled where rankings meet their judgments: another
        value would be taken for one of them in silence.
        """
        if cls.closed:
            raise InputError(
                f"{cls.__name__} has these values alone: {', '.join(cls.values)}; what each does "
                "is written where a ranking meets its judgments, so choose one of them"
            )
        cls.values.update({v.name: v for v in values}, **aliases)


def kind(cls: type[Convention]) -> type[Convention]:
    """Give a class of conventions its own table of values."""
    cls.values = {}
    cls.makers = {}
    return cls


@kind
class Gain(Convention):
    """What a grade is worth."""

    def of_relevant(self, grade: Array, relevance: Array) -> Array:
        """The gains of the relevant documents only."""
        gained: Array = self(grade) * relevance
        return gained

    def best_first(self, ideal: Any) -> Any:
        """The ideal ranking, best grades first, in the order of its gains: already sorted."""
        return ideal


class Binary(Gain):
    """The gain that distinguishes only relevant and not relevant."""

    __slots__ = ()

    def of_relevant(self, grade: Array, relevance: Array) -> Array:  # noqa: ARG002 -- as above
        """The relevance itself."""
        return relevance


_HIGHEST_POWER = 1000  # sums of 2 to the power of it are still floats


def _two_to_the(grade: Array) -> Array:
    if is_exact(grade) and any(g.denominator != 1 for g in grade):
        raise NotRational("2^g - 1 is rational only for whole grades; drop exact=True")
    if len(grade) and not is_exact(grade) and grade.max() > _HIGHEST_POWER:
        raise InputError(
            f"gain=exp: grade {grade.max():g} is worth 2^{grade.max():g} - 1, which is too large "
            f"for a float; give grades of at most {_HIGHEST_POWER}, or gain='linear'"
        )
    worth: Array = like(grade, np.ones(len(grade))) * 2**grade - 1
    return worth


LINEAR = Gain.known("linear", lambda grade: grade)
EXPONENTIAL = Gain.known("exp", _two_to_the)


class _Table(Gain):
    """A gain that need not grow with the grade."""

    __slots__ = ()

    def best_first(self, ideal: Any) -> Any:
        """The ideal ranking in the order of its gains."""
        return ideal.in_order_of(self(ideal.grade))


def _one_if_relevant(grade: Array) -> Array:
    between = (grade > 0) & (grade < 1)
    if between.any():
        raise InputError(
            f"gain=binary: grade {grade[between.astype(bool)][0]} is neither 0 nor at least "
            "1; give the lowest grade of a relevant document, as in gain='binary(0.5)'"
        )
    return like(grade, grade >= 1)


BINARY = Binary.known("binary", _one_if_relevant)


def _least(text: str, gain: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"gain={gain}({text}): {text!r} is not a grade; give a number, such as 2"
        ) from None


def binary_gain(least: str | float) -> Gain:
    """A gain of 1 from a grade on, and of 0 below it."""
    b = _least(str(least), "binary")
    return Binary(
        f"binary({b:g})",
        rf"[#1\ge {b:g}]",
        f"1 for a grade of at least {b:g}, else 0",
        lambda grade: like(grade, grade >= b),
    )


def linear_gain(least: str | float) -> Gain:
    """The grade itself from a grade on, and 0 below it."""
    b = _least(str(least), "linear")
    return Gain(
        f"linear({b:g})",
        rf"#1\,[#1\ge {b:g}]",
        f"the grade itself if it is at least {b:g}, else 0",
        lambda grade: grade * like(grade, grade >= b),
    )


def share_gain(highest: str | float) -> Gain:
    """The grade over the top of its scale, and 1 beyond it."""
    h = _least(str(highest), "share")
    if not h > 0:
        raise InputError(
            f"gain=share({highest}): {highest} is not the top of a scale; give a "
            "number above 0, as in share(3)"
        )
    return Gain(
        f"share({h:g})",
        rf"\tfrac{{\min(#1,{h:g})}}{{{h:g}}}",
        f"the grade over {h:g}, at most 1",
        lambda grade: (
            np.minimum(grade, like(grade, [1])[0] * as_fraction(h)) / as_fraction(h)
            if is_exact(grade)
            else np.minimum(grade, h) / h
        ),
    )


def table_gain(text: str) -> Gain:
    """A gain by a table of grades: "2:3,3:7" makes 2 worth 3 and 3 worth 7, others unchanged."""
    table: dict[float, float] = {}
    for entry in text.strip("{}").split(","):
        grade, colon, worth = entry.partition(":")
        if not colon:
            raise InputError(
                f"gain=table({text}): {text} is not a table; write "
                "grade:gain,... as in table(2:3,3:7)"
            )
        table[_least(grade, "table")] = _least(worth, "table")

    def function(grade: Array) -> Array:
        gains: Array = grade.copy()
        for from_grade, worth in table.items():
            gains[(grade == from_grade).astype(bool)] = like(grade, [worth])[0]
        return gains

    entries = ",".join(f"{g:g}:{w:g}" for g, w in table.items())
    meaning = f"by a table of grade:gain, {entries}; the grade itself if it is not in the table"
    return _Table(f"table({entries})", r"\mathit{table}(#1)", meaning, function)


Gain.register(exponential=EXPONENTIAL)
Gain.makers.update(binary=binary_gain, linear=linear_gain, share=share_gain, table=table_gain)


@kind
class Discount(Convention):
    """The factor by which the gain at a rank is multiplied."""


def _by_log2(rank: Array) -> Array:
    factors: Array = 1.0 / np.log2(rank + 1.0)
    return factors


def _log2_discount(rank: Array) -> Array:
    if is_exact(rank):
        raise NotRational(
            "the discount 1/log2(i+1) is irrational, so there is no exact value; "
            "drop exact=True or choose discount='none' or 'reciprocal'"
        )
    return of_ranks(_by_log2, rank)


def _base(base: str | float, discount: str, such: str) -> float:
    """The base of a logarithm."""
    try:
        b = float(base)
    except ValueError:
        b = np.nan
    if not (np.isfinite(b) and b > 1):
        raise InputError(f"discount={discount}({base}): the base must be a number above 1, {such}")
    return b


def jk_discount(base: str | float) -> Discount:
    """The discount of Järvelin & Kekäläinen: none before rank b, then 1/log_b(i)."""
    b = _base(base, "jk", "such as 2 or 10")

    def function(rank: Array) -> Array:
        if is_exact(rank):
            raise NotRational(f"the discount 1/log_{b:g}(i) is irrational; drop exact=True")
        factors: Array = np.log(b) / np.log(np.maximum(rank, b))
        return factors

    return Discount(
        f"jk({b:g})",
        rf"\tfrac{{1}}{{\max(1,\log_{{{b:g}}} #1)}}",
        f"1 up to rank {b:g}, then 1/log_{b:g} of the rank",
        function,
    )


def log_discount(base: str | float) -> Discount:
    """The reciprocal logarithm of the rank plus 1, to a base; e is the natural one."""
    b = np.e if base == "e" else _base(base, "log", "or e")
    shown = "e" if b == np.e else f"{b:g}"

    def function(rank: Array) -> Array:
        if is_exact(rank):
            raise NotRational(f"the discount 1/log_{shown}(i+1) is irrational; drop exact=True")
        factors: Array = np.log(b) / np.log(rank + 1.0)
        return factors

    return Discount(
        f"log({shown})",
        rf"\tfrac{{1}}{{\log_{{{shown}}}(#1+1)}}",
        f"1/log_{shown} of the rank plus 1; it only matters for DCG, because the base cancels "
        "in nDCG",
        function,
    )


LOG2 = Discount.known("log2", _log2_discount)
JK = jk_discount(2)
Discount.register(JK)
NO_DISCOUNT = Discount.known("none", lambda rank: rank / rank)
RECIPROCAL = Discount.known("reciprocal", lambda rank: 1 / rank)
Discount.register(jk=JK)
Discount.makers.update(jk=jk_discount, log=log_discount)


@kind
class Ideal(Convention):
    """Which documents the ideal ranking is made of."""


def _k_ones(rows: Any, k: int | None) -> Any:
    refuse_cutoff(k, "an ideal of k documents")
    return rows.all_of_grade_1(
        np.where(rows.relevant() > 0, rows.depth(None) if k is None else k, 0)
    )


JUDGED = Ideal.known("judged", lambda rows, _: rows.ideal())
RETRIEVED = Ideal.known("retrieved", lambda rows, _: rows.ideal_of_retrieved)
K_ONES = Ideal.known("k_ones", _k_ones)
R_ONES = Ideal.known("r_ones", lambda rows, _: rows.all_of_grade_1(rows.relevant()))
AS_LONG = Ideal.known(
    "as_long",
    lambda rows, _: rows.ideal().where(rows.ideal().rank <= rows.retrieved[rows.ideal().query]),
)


@kind
@dataclass(frozen=True, slots=True)
class Cut(Convention):
    """Which rankings are cut at k: the measured ranking, and perhaps the ideal one."""

    both: bool = True  # whether the ideal ranking is cut too

    def of_ideal(self, k: int | None) -> int | None:
        """The rank at which the ideal ranking is cut."""
        return k if self.both else None


CUT_BOTH = Cut.known("both")
CUT_RANKING = Cut.known("ranking", both=False)


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
        return np.argsort(-score, kind="stable").tolist()  # type: ignore[no-any-return]  # numpy's and the makers' types end here


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


def _worst_first(_: Sequence[Hashable], grades: Sequence[Any], sign: int = 1) -> list[int]:
    return sorted(range(len(grades)), key=lambda i: sign * grades[i])


AS_GIVEN = Ties.known("given")
BY_ID = Ties.known("docid", lambda documents, _: _by_id(documents, _)[::-1])
BY_ID_ASCENDING = Ties.known("docid_ascending", _by_id)
REVERSED = Ties.known("reversed", lambda documents, _: list(range(len(documents)))[::-1])
QUICKSORT = Ties.known("quicksort", _by_quicksort, whole=True)
PESSIMISTIC = Ties.known("pessimistic", _worst_first, by_grade=True)
OPTIMISTIC = Ties.known("optimistic", partial(_worst_first, sign=-1), by_grade=True)
AVERAGED = Ties.known("averaged", shared=True)


@kind
class Scores(Convention):
    """How finely the scores of documents are compared."""


def _single(score: Array) -> Array:
    with np.errstate(over="ignore"):  # beyond the range of 32 bits scores are all alike
        return score.astype(np.float32)


FLOAT64 = Scores.known("float64", lambda score: score)
FLOAT32 = Scores.known("float32", _single)
NOT_READ = Scores.known("order", np.zeros_like)


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
class Unjudged(Convention):
    """What happens to a retrieved document that nobody judged."""


NO_GAIN = Unjudged.known("no_gain")
REMOVED = Unjudged.known("removed")


@kind
class Negative(Convention):
    """What a grade below zero means."""


REFUSED = Negative.known("refuse")
AS_ZERO = Negative.known("zero")
AS_WRITTEN = Negative.known("keep")
AS_UNJUDGED = Negative.known("unjudged")
PADDING = Negative.known("padding")


@kind
@dataclass(frozen=True, slots=True)
class Pooled(Convention):
    """Which judgments count for R and for the ideal ranking."""

    seen_alone: bool = False  # whether grades of documents that were not retrieved are not read


ALL_JUDGED = Pooled.known("judged", lambda rows: rows)
RETRIEVED_ALONE = Pooled.known(
    "retrieved", lambda rows: rows.with_pool_of_retrieved(), seen_alone=True
)


@kind
class Unretrieved(Convention):
    """The ranks of judged documents that were not retrieved."""

    def of(self, judged: Iterable[Hashable]) -> Iterable[Hashable]:
        """The judged documents that the ranking has to hold."""
        return () if self.function is None else self.function(judged)


NOWHERE = Unretrieved.known("absent")
AT_THE_END = Unretrieved.known("last", list)


@kind
class Duplicates(Convention):
    """What happens to a document that is ranked twice."""


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


def _copies_marked(documents: Sequence[Hashable]) -> list[Hashable]:
    met: set[Hashable] = set()
    found: list[Hashable] = []
    for document in documents:
        copy: Hashable = document
        if document in met:
            copy = NumberCopy(document) if isinstance(document, int) else TextCopy(document)
        met.add(document)
        found.append(copy)
    return found


NO_DUPLICATES = Duplicates.known("refuse", lambda documents: documents)
FIRST_COUNTS = Duplicates.known("first", lambda documents: list(dict.fromkeys(documents)))
LAST_COUNTS = Duplicates.known("last", lambda documents: list(dict.fromkeys(documents[::-1]))[::-1])
EACH_COUNTS = Duplicates.known("each", list)
COPIES_GAIN_NOTHING = Duplicates.known("no_gain", _copies_marked)


def _take_value(worth: Any) -> None:
    """Take the number of a convention from its function; one without either is an error."""
    if worth.value is not None:
        return
    if worth.function is None:
        raise InputError(f"{type(worth).__name__} {worth.name!r} has no number; give value=0.5")
    object.__setattr__(worth, "value", float(worth.function()))


@kind
@dataclass(frozen=True, slots=True)
class NoRelevant(Convention):
    """The score of a query without relevant documents."""

    value: float = field(default=None, compare=False)  # type: ignore[assignment]  # then by function
    left_out: bool = False  # whether such a query is no part of the mean

    def __post_init__(self) -> None:
        """Have a number."""
        _take_value(self)


ZERO = NoRelevant.known("zero", value=0.0)
ONE = NoRelevant.known("one", value=1.0)
UNDEFINED = NoRelevant.known("nan", value=np.nan)
SKIPPED = NoRelevant.known("skip", value=np.nan, left_out=True)


@kind
class MissingQueries(Convention):
    """The score of a judged query that the run does not have."""


COUNTED = MissingQueries.known("zero")
LEFT_OUT = MissingQueries.known("skip")
FORBIDDEN = MissingQueries.known("refuse")


@kind
class IdenticalIds(Convention):
    """What happens to a retrieved document that has the id of its query."""


OWN_KEPT = IdenticalIds.known("kept")
OWN_REMOVED = IdenticalIds.known("removed")


@kind
class UnjudgedQueries(Convention):
    """The score of a query of the run that has no judgments."""


NOT_EXPECTED = UnjudgedQueries.known("refuse")
IGNORED = UnjudgedQueries.known("ignore")
NOT_JUDGED_ZERO = UnjudgedQueries.known("zero")
NAMED_ZERO = UnjudgedQueries.known("named_zero")


@kind
class Averaging(Convention):
    """How the shares of many queries become one number."""


def _apart(hits: Array, divisor: Array) -> tuple[Any, Any]:
    rest = divisor - hits
    of_hits, of_rest = (c[c > 0].mean() if (c > 0).any() else 0.0 for c in (hits, rest))
    return of_hits, of_hits + of_rest


MACRO = Averaging.known("macro")
MICRO = Averaging.known("micro", lambda hits, divisor: (hits.sum(), divisor.sum()))
APART = Averaging.known("hits_and_misses", _apart)


@kind
class Divisor(Convention):
    """The number by which the number of hits is divided."""


BY_K = Divisor.known(
    "k",
    lambda rows, k, _hits, _R: (
        rows.depth(None) if k is None else like(rows.grade, np.full(rows.n, k))
    ),
)
BY_RETRIEVED = Divisor.known("retrieved", lambda rows, k, _hits, _R: rows.depth(k))
BY_RELEVANT = Divisor.known("relevant", lambda _rows, _k, _hits, R: R)
BY_REACHABLE = Divisor.known(
    "reachable", lambda _rows, k, _hits, R: R if k is None else np.minimum(R, k)
)
BY_HITS = Divisor.known("hits", lambda _rows, _k, hits, _R: hits)


@kind
class MaxGrade(Convention):
    """The top of the scale of grades, if it is not given as a number."""


def _highest(rows: Any) -> Array:
    out = like(rows.grade, np.zeros(rows.n))
    np.maximum.at(out, rows.pool_query, rows.pool_grade)
    return out


HIGHEST = MaxGrade.known("highest", _highest)


@kind
class Satisfaction(Convention):
    """How a grade becomes the probability that a reader is satisfied and stops."""


BY_POWERS = Satisfaction.known("exp", lambda grade, highest: EXPONENTIAL(grade) / 2**highest)
BY_SHARE = Satisfaction.known("linear", lambda grade, highest: grade / highest)


@kind
class CollectionSize(Convention):
    """The number of documents in the collection, if it is not given as a number."""


KNOWN = CollectionSize.known("known", lambda known: known)


@kind
@dataclass(frozen=True, slots=True)
class Undefined(Convention):
    """The score of a list for which the metric is not defined."""

    value: float = field(default=None, compare=False)  # type: ignore[assignment]  # then by function
    refused: bool = False  # whether such a list is an error
    left_out: bool = False  # whether such a list is no part of the mean

    def __post_init__(self) -> None:
        """Have a number."""
        _take_value(self)


UNDEFINED_REFUSED = Undefined.known("refuse", value=np.nan, refused=True)
UNDEFINED_ZERO = Undefined.known("zero", value=0.0)
UNDEFINED_NAN = Undefined.known("nan", value=np.nan)
UNDEFINED_SKIPPED = Undefined.known("skip", value=np.nan, left_out=True)


@kind
@dataclass(frozen=True, slots=True)
class Paired(Convention):
    """Which documents of a ranking make pairs."""

    all_retrieved: bool = False  # whether those that nobody judged make pairs too


JUDGED_PAIRED = Paired.known("judged")
RETRIEVED_PAIRED = Paired.known("retrieved", all_retrieved=True)


@kind
class Overlap(Convention):
    """How often a category counts if effective and ineffective items share it."""


ON_BOTH_SIDES = Overlap.known("both", lambda _hits, rest: rest)
ONCE = Overlap.known("once", lambda hits, rest: rest & ~hits)


@kind
@dataclass(frozen=True, slots=True)
class Interpolation(Convention):
    """Which precision belongs to a level of recall that no rank may meet exactly.

    Its function gives the number of relevant documents that a level needs.
    """

    highest: bool = True  # whether it is the highest one from that level on


def _needed(level: Fraction, relevant: int) -> int:
    return ceil(level * relevant)


STANDARD = Interpolation.known("standard", _needed)
NOT_INTERPOLATED = Interpolation.known("none", _needed, highest=False)
STANDARD_IN_FLOATS = Interpolation.known("trec_eval", lambda level, R: int(float(level) * R + 0.9))
ROUNDED = Interpolation.known(
    "trec_eval_10", lambda level, R: int(float(level) * R) + (float(level) * R % 1 >= 0.5)
)


for _settled_elsewhere in (Duplicates, Unjudged, Negative, MissingQueries, UnjudgedQueries):
    _settled_elsewhere.closed = True
