"""The gain of a grade, and the discount of a rank."""

import math
from typing import Any

import numpy as np

from irmetrics_edu.conventions.convention import Convention, kind
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.numbers import Array, in_kind, is_exact, like, of_ranks


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


def exponential_gain(least: str | float) -> Gain:
    """2 to the power of the grade, less 1, from a grade on, and 0 below it."""
    b = _least(str(least), "exp")
    return Gain(
        f"exp({b:g})",
        rf"(2^{{#1}}-1)\,[#1\ge {b:g}]",
        f"2 to the power of the grade, less 1, if the grade is at least {b:g}, else 0",
        lambda grade: _two_to_the(grade) * like(grade, grade >= in_kind(grade, b)),
    )


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
        least = float(text)
    except ValueError:
        least = math.nan
    if math.isnan(least):
        raise InputError(f"gain={gain}({text}): {text!r} is not a grade; give a number, such as 2")
    return least


def binary_gain(least: str | float) -> Gain:
    """A gain of 1 from a grade on, and of 0 below it."""
    b = _least(str(least), "binary")
    return Binary(
        f"binary({b:g})",
        rf"[#1\ge {b:g}]",
        f"1 for a grade of at least {b:g}, else 0",
        lambda grade: like(grade, grade >= in_kind(grade, b)),
    )


def linear_gain(least: str | float) -> Gain:
    """The grade itself from a grade on, and 0 below it."""
    b = _least(str(least), "linear")
    return Gain(
        f"linear({b:g})",
        rf"#1\,[#1\ge {b:g}]",
        f"the grade itself if it is at least {b:g}, else 0",
        lambda grade: grade * like(grade, grade >= in_kind(grade, b)),
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
        lambda grade: np.minimum(grade, in_kind(grade, h)) / in_kind(grade, h),
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
            is_it = grade == in_kind(grade, from_grade)
            gains[is_it.astype(bool)] = in_kind(grade, worth)
        return gains

    entries = ",".join(f"{g:g}:{w:g}" for g, w in table.items())
    meaning = f"by a table of grade:gain, {entries}; the grade itself if it is not in the table"
    return _Table(
        f"table({entries})",
        r"\mathit{table}(#1)",
        meaning,
        function,
    )


Gain.register(exponential=EXPONENTIAL)
Gain.makers.update(
    binary=binary_gain,
    exp=exponential_gain,
    linear=linear_gain,
    share=share_gain,
    table=table_gain,
)
Gain.forms = ("linear(1)", "binary(2)", "exp(1)", "share(4)", "table(1:3,2:9)")


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
Discount.forms = ("jk(3)", "log(10)")
