"""What a grade is worth, how ranks are discounted, and which ranking is the ideal."""

from typing import Any

import numpy as np

from irmetrics_edu.conventions.base import Convention, applied, kind
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.input_limits import refuse_cutoff
from irmetrics_edu.numbers import Array, as_fraction, is_exact, like


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
