"""The choices on which libraries differ, as named values.

A convention is small, frozen and comparable. A metric takes it as a keyword argument, by value or
by name: `ndcg([5, 2, 3], gain="exp")`. Its LaTeX replaces the macro of the same name in the formula
of a metric. Its function says what it does: a kernel applies the function and never asks for the
name.

First stands what a convention is, then the choices on gains and discounts, on rankings and queries,
and on single metrics. Start with `__init__.py`.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from irmetrics_edu.checks import refuse_cutoff
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.numbers import Array, as_fraction, is_exact, like


@dataclass(frozen=True, slots=True)
class Convention:
    """One named way to settle a question that a metric's definition leaves open."""

    name: str
    latex: str
    meaning: str
    function: Callable[..., Any] | None = field(default=None, compare=False, repr=False)
    values: ClassVar[dict[str, Any]]
    makers: ClassVar[dict[str, Callable[[str], Any]]]

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> Any:
        """Pickled by its name, so that loading it gives the registered value itself."""
        return type(self).named, (self.name,)

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
                return cls.makers[called[1]](called[2])  # type: ignore[no-any-return]
        names = ", ".join(dict.fromkeys(v.name for v in cls.values.values()))
        raise InputError(
            f"{parameter or cls.__name__.lower()}={value!r} is not a known choice; "
            f"use one of {names}"
        )

    @classmethod
    def register(cls, *values: "Convention", **aliases: "Convention") -> None:
        """Enter values in the table, so that they are found by name."""
        cls.values.update({v.name: v for v in values}, **aliases)


def kind(cls: type[Convention]) -> type[Convention]:
    """Give a class of conventions its own table of values."""
    cls.values = {}
    cls.makers = {}
    return cls


def applied(convention: Convention, values: Array) -> Array:
    """The values under the convention's function."""
    if convention.function is None:
        raise InputError(f"{convention.name} has no function")
    result: Array = convention.function(values)
    return result


@kind
class Gain(Convention):
    """What a grade is worth."""

    def __call__(self, grade: Array) -> Array:
        """The gains of an array of grades."""
        return applied(self, grade)

    def of_relevant(self, grade: Array, relevance: Array) -> Array:
        """The gains of the relevant documents only."""
        return applied(self, grade) * relevance

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


LINEAR = Gain("linear", "#1", "the grade itself", lambda grade: grade)
EXPONENTIAL = Gain("exp", r"(2^{#1}-1)", "2 to the power of the grade, less 1", _two_to_the)


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


BINARY = Binary("binary", r"[#1\ge 1]", "1 for a grade of at least 1, else 0", _one_if_relevant)


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


Gain.register(LINEAR, EXPONENTIAL, BINARY, exponential=EXPONENTIAL)
Gain.makers.update(binary=binary_gain, linear=linear_gain, share=share_gain, table=table_gain)


@kind
class Discount(Convention):
    """The factor by which the gain at a rank is multiplied."""

    def __call__(self, rank: Array) -> Array:
        """The factors for an array of ranks."""
        return applied(self, rank)


def _log2_discount(rank: Array) -> Array:
    if is_exact(rank):
        raise NotRational(
            "the discount 1/log2(i+1) is irrational, so there is no exact value; "
            "drop exact=True or choose discount='none' or 'reciprocal'"
        )
    factors: Array = 1.0 / np.log2(rank + 1.0)
    return factors


def jk_discount(base: str | float) -> Discount:
    """The discount of Järvelin & Kekäläinen: none before rank b, then 1/log_b(i)."""
    try:
        b = float(base)
    except ValueError:
        b = np.nan
    if not (np.isfinite(b) and b > 1):
        raise InputError(f"discount=jk({base}): the base must be a number above 1, such as 2 or 10")

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
    try:
        b = np.e if base == "e" else float(base)
    except ValueError:
        b = np.nan
    if not (np.isfinite(b) and b > 1):
        raise InputError(f"discount=log({base}): the base must be a number above 1, or e")
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


LOG2 = Discount("log2", r"\tfrac{1}{\log_2(#1+1)}", "1/log2 of the rank plus 1", _log2_discount)
JK = jk_discount(2)
NO_DISCOUNT = Discount("none", "1", "every rank counts the same", lambda rank: rank / rank)
RECIPROCAL = Discount("reciprocal", r"\tfrac{1}{#1}", "1 over the rank", lambda rank: 1 / rank)
Discount.register(LOG2, JK, NO_DISCOUNT, RECIPROCAL, jk=JK)
Discount.makers.update(jk=jk_discount, log=log_discount)


@kind
class Ideal(Convention):
    """Which documents the ideal ranking is made of."""

    def __call__(self, rows: Any, k: int | None) -> Any:
        """The ideal ranking as rows."""
        if self.function is None:
            raise InputError(f"{self.name} has no function")
        return self.function(rows, k)


def _k_ones(rows: Any, k: int | None) -> Any:
    refuse_cutoff(k, "an ideal of k documents")
    return rows.all_of_grade_1(
        np.where(rows.relevant() > 0, rows.depth(None) if k is None else k, 0)
    )


JUDGED = Ideal(
    "judged",
    r"\text{all judged}",
    "all judged documents, best grades first",
    lambda rows, _: rows.ideal(),
)
RETRIEVED = Ideal(
    "retrieved",
    r"\text{the retrieved}",
    "only the documents of the ranking, sorted by grade",
    lambda rows, _: rows.ideal_of_retrieved,
)
K_ONES = Ideal(
    "k_ones",
    r"\k\text{ ones}",
    "k documents of grade 1, even if fewer are relevant (without a cut-off: as many as are "
    "retrieved)",
    _k_ones,
)
R_ONES = Ideal(
    "r_ones",
    r"\min(\k,R)\text{ ones}",
    "as many documents of grade 1 as are relevant, and at most k",
    lambda rows, _: rows.all_of_grade_1(rows.relevant()),
)
AS_LONG = Ideal(
    "as_long",
    r"\text{as many of the judged as are retrieved}",
    "judged documents, best grades first, as many as the ranking holds",
    lambda rows, _: rows.ideal().where(rows.ideal().rank <= rows.retrieved[rows.ideal().query]),
)
Ideal.register(JUDGED, RETRIEVED, K_ONES, R_ONES, AS_LONG)


@kind
class Cut(Convention):
    """Which rankings are cut at k: the measured ranking, and perhaps the ideal one."""

    def of_ideal(self, k: int | None) -> int | None:
        """The rank at which the ideal ranking is cut."""
        return k if self.function is None else None


CUT_BOTH = Cut("both", r"\k", "the ranking and the ideal, both at k")
CUT_RANKING = Cut(
    "ranking", r"|g^*|", "the ranking alone; the ideal keeps all its documents", lambda _: None
)
Cut.register(CUT_BOTH, CUT_RANKING)


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


@kind
class Divisor(Convention):
    """The number by which the number of hits is divided."""

    def __call__(self, rows: Any, k: int | None, hits: Array, R: Array) -> Array:
        """The divisor of each query, from the hits within the cut and all relevant documents."""
        if self.function is None:
            raise InputError(f"{self.name} has no function")
        size: Array = self.function(rows, k, hits, R)
        return size


def _by_k(rows: Any, k: int | None, hits: Array, R: Array) -> Array:  # noqa: ARG001
    size: Array = rows.depth(None) if k is None else like(rows.grade, np.full(rows.n, k))
    return size


BY_K = Divisor(
    "k",
    r"\k",
    "the cut-off, even if the list is shorter (without a cut-off: the length of the list)",
    _by_k,
)
BY_RETRIEVED = Divisor(
    "retrieved",
    r"\min(\k,n)",
    "the documents retrieved within the cut",
    lambda rows, k, _hits, _R: rows.depth(k),
)
BY_RELEVANT = Divisor("relevant", "R", "all relevant documents", lambda _rows, _k, _hits, R: R)
BY_REACHABLE = Divisor(
    "reachable",
    r"\min(\k,R)",
    "the relevant documents, and at most k",
    lambda _rows, k, _hits, R: R if k is None else np.minimum(R, k),
)
BY_HITS = Divisor(
    "hits",
    "h",
    "the relevant documents retrieved within the cut",
    lambda _rows, _k, hits, _R: hits,
)
Divisor.register(BY_K, BY_RETRIEVED, BY_RELEVANT, BY_REACHABLE, BY_HITS)


@kind
class MaxGrade(Convention):
    """The top of the scale of grades, if it is not given as a number."""

    def __call__(self, rows: Any) -> Array:
        """The highest grade of each query."""
        if self.function is None:
            raise InputError(f"{self.name} has no function")
        highest: Array = self.function(rows)
        return highest


def _highest(rows: Any) -> Array:
    out = like(rows.grade, np.zeros(rows.n))
    np.maximum.at(out, rows.pool_query, rows.pool_grade)
    return out


HIGHEST = MaxGrade(
    "highest", "g^*_1", "the highest grade among the judgments of the query", _highest
)
MaxGrade.register(HIGHEST)


@kind
class Satisfaction(Convention):
    """How a grade becomes the probability that a reader is satisfied and stops."""

    def __call__(self, grade: Array, highest: Any) -> Array:
        """The probabilities, of grades and the top of their scale."""
        if self.function is None:
            raise InputError(f"{self.name} has no function")
        chance: Array = self.function(grade, highest)
        return chance


def _exponential(grade: Array, highest: Any) -> Array:
    chance: Array = EXPONENTIAL(grade) / 2**highest
    return chance


BY_POWERS = Satisfaction(
    "exp",
    r"\tfrac{2^{#1}-1}{2^{\maxgrade}}",
    "2^g - 1 over 2 to the top of the scale",
    _exponential,
)
BY_SHARE = Satisfaction(
    "linear",
    r"\tfrac{#1}{\maxgrade}",
    "the grade over the top of the scale",
    lambda grade, highest: grade / highest,
)
Satisfaction.register(BY_POWERS, BY_SHARE)


@kind
class CollectionSize(Convention):
    """The number of documents in the collection, if it is not given as a number."""

    def __call__(self, known: Array) -> Array:
        """The number of documents that the ranking or the judgments name."""
        return known if self.function is None else self.function(known)


KNOWN = CollectionSize("known", "n", "only the retrieved and judged documents")
CollectionSize.register(KNOWN)


@kind
class Undefined(Convention):
    """The score of a list for which the metric is not defined."""

    @property
    def value(self) -> float:
        """The score of such a list, if it is not refused."""
        return 0.0 if self.name == "zero" else np.nan


UNDEFINED_REFUSED = Undefined("refuse", r"\text{refused}", "nothing: it is refused as an error")
UNDEFINED_ZERO = Undefined("zero", "0", "it scores 0")
UNDEFINED_NAN = Undefined("nan", r"\mathrm{NaN}", "it has no score: NaN")
Undefined.register(UNDEFINED_REFUSED, UNDEFINED_ZERO, UNDEFINED_NAN)


@kind
class Overlap(Convention):
    """How often a category counts if effective and ineffective items share it."""

    def __call__(self, hits: Array, rest: Array) -> Array:
        """Which categories of ineffective items count, given those of the hits and theirs."""
        counted: Array = rest if self.function is None else self.function(hits, rest)
        return counted


ON_BOTH_SIDES = Overlap(
    "both",
    r"\mathcal{C}_{L_{\k}\setminus G}",
    "on both sides: in full for the hits, discounted for the ineffective items",
)
ONCE = Overlap(
    "once",
    r"\mathcal{C}_{L_{\k}\setminus G}\setminus\mathcal{C}_{L_{\k}\cap G}",
    "once, in full: a category of the hits is not counted again with the discount",
    lambda hits, rest: rest & ~hits,
)
Overlap.register(ON_BOTH_SIDES, ONCE)


@kind
class Interpolation(Convention):
    """Which precision belongs to a level of recall that no rank may meet exactly."""


STANDARD = Interpolation(
    "standard",
    r"\max_{i\colon \mathrm{Rec}_i\ge #1} P_i",
    "the best precision at this recall or a higher one",
)
NOT_INTERPOLATED = Interpolation(
    "none",
    r"P_{\min\{i\colon \mathrm{Rec}_i\ge #1\}}",
    "the precision at the first rank where this recall is reached, as lecture slides compute it",
)
STANDARD_IN_FLOATS = Interpolation(
    "trec_eval",
    r"\max_{i\colon \mathrm{Rec}_i\ge #1} P_i",
    "as standard, but counts the relevant documents that recall r needs as trec_eval does: r "
    "R + 0.9 in floats, rounded down, so that 0.7 of 3 needs 2",
    lambda level, R: int(float(level) * R + 0.9),
)
ROUNDED = Interpolation(
    "trec_eval_10",
    r"\max_{i\colon \mathrm{Rec}_i\ge #1} P_i",
    "as standard, but counts the relevant documents that recall r needs as trec_eval 10 does: "
    "r R to the nearest whole number, halves up, so that 0.1 of 3 needs none",
    lambda level, R: int(float(level) * R) + (float(level) * R % 1 >= 0.5),
)
Interpolation.register(STANDARD, NOT_INTERPOLATED, STANDARD_IN_FLOATS, ROUNDED)


@kind
class Crossing(Convention):
    """Where precision and recall are equal, if that is between two thresholds."""


ON_A_LINE = Crossing(
    "linear", r"\text{on a line}", "on the straight line between the two points of the PR curve"
)
IN_COUNTS = Crossing(
    "counts",
    r"\text{in counts}",
    "where R documents are retrieved, the tied ones in part: the mean R-precision over the "
    "orders of the ties",
)
Crossing.register(ON_A_LINE, IN_COUNTS)
