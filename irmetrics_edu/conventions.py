"""The choices on which libraries differ, as named values.

A convention is small, frozen and comparable; a metric takes it as a keyword argument, by value
or by name: `ndcg([5, 2, 3], gain="exp")`. Its LaTeX takes the place of the macro of the same
name in a metric's formula.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.numbers import Array, is_exact, like


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

    @classmethod
    def named(cls, value: Any, parameter: str = "") -> Self:
        """The convention of this kind that `value` is or names; an error lists the choices."""
        if isinstance(value, cls):
            return value
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
        """Make values findable by name."""
        cls.values.update({v.name: v for v in values}, **aliases)


def kind(cls: type[Convention]) -> type[Convention]:
    """Give a class of conventions its own table of values."""
    cls.values = {}
    cls.makers = {}
    return cls


def _applied(convention: Convention, values: Array) -> Array:
    if convention.function is None:
        raise InputError(f"{convention.name} has no function")
    result: Array = convention.function(values)
    return result


@kind
class Gain(Convention):
    """What a grade is worth."""

    def __call__(self, grade: Array) -> Array:
        """The gains of an array of grades."""
        return _applied(self, grade)


def _two_to_the(grade: Array) -> Array:
    if is_exact(grade) and any(g.denominator != 1 for g in grade):
        raise NotRational("2^g - 1 is rational only for whole grades; drop exact=True")
    worth: Array = like(grade, np.ones(len(grade))) * 2**grade - 1
    return worth


LINEAR = Gain("linear", "#1", "the grade itself", lambda grade: grade)
EXPONENTIAL = Gain("exp", r"(2^{#1}-1)", "2 to the power of the grade, less 1", _two_to_the)
Gain.register(LINEAR, EXPONENTIAL, exponential=EXPONENTIAL)


@kind
class Discount(Convention):
    """The factor by which the gain at a rank is multiplied."""

    def __call__(self, rank: Array) -> Array:
        """The factors for an array of ranks."""
        return _applied(self, rank)


def _log2_discount(rank: Array) -> Array:
    if is_exact(rank):
        raise NotRational(
            "the discount 1/log2(i+1) is irrational, so there is no exact value; "
            "drop exact=True or choose discount='none' or 'reciprocal'"
        )
    factors: Array = 1.0 / np.log2(rank + 1.0)
    return factors


def jk_discount(base: str | float) -> Discount:
    """Järvelin & Kekäläinen's discount: none before rank b, then 1/log_b(i)."""
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


LOG2 = Discount("log2", r"\tfrac{1}{\log_2(#1+1)}", "1/log2 of the rank plus 1", _log2_discount)
JK = jk_discount(2)
NO_DISCOUNT = Discount("none", "1", "every rank counts alike", lambda rank: rank / rank)
RECIPROCAL = Discount("reciprocal", r"\tfrac{1}{#1}", "1 over the rank", lambda rank: 1 / rank)
Discount.register(LOG2, JK, NO_DISCOUNT, RECIPROCAL, jk=JK)
Discount.makers["jk"] = jk_discount


@kind
class Ideal(Convention):
    """Which documents the ideal ranking is made of."""


JUDGED = Ideal("judged", r"\text{all judged}", "all judged documents, best grades first")
RETRIEVED = Ideal(
    "retrieved", r"\text{the retrieved}", "only the documents that the ranking holds, re-ordered"
)
Ideal.register(JUDGED, RETRIEVED)


@kind
class NoRelevant(Convention):
    """What a query is worth for which nothing relevant is judged."""

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
class Ties(Convention):
    """In which order documents of equal score stand."""


AS_GIVEN = Ties("given", r"\text{as given}", "as the ranking has them")
BY_ID = Ties("docid", r"\text{by id}", "by document id, the larger first, as trec_eval does")
BY_ID_ASCENDING = Ties("docid_ascending", r"\text{by id}", "by document id, the smaller first")
Ties.register(AS_GIVEN, BY_ID, BY_ID_ASCENDING)


@kind
class Scores(Convention):
    """How finely the scores of documents are told apart."""

    def __call__(self, score: Array) -> Array:
        """The scores as they are compared."""
        return _applied(self, score)


def _single(score: Array) -> Array:
    with np.errstate(over="ignore"):  # beyond the range of 32 bits scores are all alike
        return score.astype(np.float32)


FLOAT64 = Scores("float64", r"\text{64-bit}", "as 64-bit floats, as given", lambda score: score)
FLOAT32 = Scores("float32", r"\text{32-bit}", "as 32-bit floats, as trec_eval keeps them", _single)
Scores.register(FLOAT64, FLOAT32)


@kind
class Unjudged(Convention):
    """What a retrieved document is worth that nobody judged."""


NO_GAIN = Unjudged("no_gain", r"\text{no gain}", "it keeps its rank and gains nothing")
REMOVED = Unjudged("removed", r"\text{removed}", "it is taken out and the others move up")
Unjudged.register(NO_GAIN, REMOVED)


@kind
class Negative(Convention):
    """What a grade below zero means."""


REFUSED = Negative("refuse", r"\text{refused}", "nothing: it is refused as an error")
AS_ZERO = Negative("zero", "0", "not relevant, as grade 0")
AS_WRITTEN = Negative("keep", "#1", "a loss: the gain is negative")
AS_UNJUDGED = Negative(
    "unjudged", r"\text{unjudged}", "in the pool but not judged, as trec_eval's infAP has it"
)
Negative.register(REFUSED, AS_ZERO, AS_WRITTEN, AS_UNJUDGED)


@kind
class Divisor(Convention):
    """What the number of hits is divided by."""


BY_K = Divisor(
    "k", r"\k", "the cut-off, however short the list (the list's length where no cut is)"
)
BY_RETRIEVED = Divisor("retrieved", r"\min(\k,n)", "the documents retrieved within the cut")
BY_RELEVANT = Divisor("relevant", "R", "all relevant documents")
BY_REACHABLE = Divisor("reachable", r"\min(\k,R)", "the relevant documents that fit in the cut")
BY_HITS = Divisor("hits", "h", "the relevant documents retrieved within the cut")
Divisor.register(BY_K, BY_RETRIEVED, BY_RELEVANT, BY_REACHABLE, BY_HITS)


@kind
class Undefined(Convention):
    """What a list is worth for which the metric is not defined."""

    @property
    def value(self) -> float:
        """The score of such a list, where it is not refused."""
        return 0.0 if self.name == "zero" else np.nan


UNDEFINED_REFUSED = Undefined("refuse", r"\text{refused}", "nothing: it is refused as an error")
UNDEFINED_ZERO = Undefined("zero", "0", "it scores 0")
UNDEFINED_NAN = Undefined("nan", r"\mathrm{NaN}", "it has no score: NaN")
Undefined.register(UNDEFINED_REFUSED, UNDEFINED_ZERO, UNDEFINED_NAN)


@kind
class Overlap(Convention):
    """How often a category counts that effective and ineffective items share."""


ON_BOTH_SIDES = Overlap(
    "both",
    r"\mathcal{C}_{R_{\k}\setminus G}",
    "on both sides: in full for the hits, discounted for the ineffective items",
)
ONCE = Overlap(
    "once",
    r"\mathcal{C}_{R_{\k}\setminus G}\setminus\mathcal{C}_{R_{\k}\cap G}",
    "once, in full: what the hits cover already is not discounted on top",
)
Overlap.register(ON_BOTH_SIDES, ONCE)


@kind
class MissingQueries(Convention):
    """What a judged query is worth that the run does not have."""


COUNTED = MissingQueries("zero", "0", "it counts as an empty ranking: nothing found, so 0")
LEFT_OUT = MissingQueries("skip", r"\text{skipped}", "it is left out of the mean")
FORBIDDEN = MissingQueries("refuse", r"\text{refused}", "nothing: it is refused as an error")
MissingQueries.register(COUNTED, LEFT_OUT, FORBIDDEN)


@kind
class UnjudgedQueries(Convention):
    """What a query of the run is worth for which nothing is judged."""


NOT_EXPECTED = UnjudgedQueries("refuse", r"\text{refused}", "nothing: it is refused as an error")
IGNORED = UnjudgedQueries("ignore", r"\text{ignored}", "it is left out of the mean")
UnjudgedQueries.register(NOT_EXPECTED, IGNORED)


@kind
class Interpolation(Convention):
    """Which precision belongs to a level of recall that no rank need meet exactly."""


STANDARD = Interpolation(
    "standard", r"\max_{i\colon R_i\ge #1} P_i", "the best precision at this recall or a higher one"
)
NOT_INTERPOLATED = Interpolation(
    "none",
    r"P_{\min\{i\colon R_i\ge #1\}}",
    "the precision at the first rank where this recall is reached, as lecture slides compute it",
)
STANDARD_IN_FLOATS = Interpolation(
    "trec_eval",
    r"\max_{i\colon R_i\ge #1} P_i",
    "as standard, with the relevant documents that recall r needs reckoned as trec_eval does: "
    "r R + 0.9 in floats, rounded down, so that 0.7 of 3 needs 2",
    lambda level, R: int(float(level) * R + 0.9),
)
Interpolation.register(STANDARD, NOT_INTERPOLATED, STANDARD_IN_FLOATS)


@kind
class Crossing(Convention):
    """Where precision and recall meet if they do so between two thresholds."""


ON_A_LINE = Crossing(
    "linear", r"\text{on a line}", "on the straight line between the two points of the PR curve"
)
IN_COUNTS = Crossing(
    "counts",
    r"\text{in counts}",
    "where R documents are retrieved, the tied ones in part: what R-precision is on average "
    "over the orders of the ties",
)
Crossing.register(ON_A_LINE, IN_COUNTS)
