r"""Which discount coefficient to choose for DCC and DILAD, under a binomial model of the lists.

A list of k items has n effective items with probability P(R_n) = C(k,n) p^n (1-p)^(k-n), where p is
the precision at k. The coefficient has to be so small that a group of lists with more effective
items contributes more to the mean: v(R_i) P(R_i) > v(R_j) P(R_j) for all i > j up to N_tau. N_tau
is the smallest N such that groups 0 to N hold a share tau of the lists.

All is computed in fractions, so rounding never decides whether a coefficient is feasible.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.tuning.positive_intervals import UNIT, Polynomial, Union, at, positive
from irmetrics_edu.numbers import Array, as_fraction
from irmetrics_edu.working import Table, Working

Share = float | str | Fraction  # read as written: 0.0075 and "3/400" are the same

_SHORT = 12  # so many signs of a fraction are read at a glance
_READABLE = 10**9  # whole numbers above it are given to six digits


@dataclass(frozen=True, slots=True)
class Group:
    """The lists R_n with n effective items: their probability, and the value of each.

    `value` is a polynomial in the coefficient x: (c0, c1, c2) stands for c0 + c1 x + c2 x^2.
    """

    n: int
    probability: Fraction
    cumulative: Fraction
    value: Polynomial


@dataclass(frozen=True, slots=True)
class Condition:
    """The demand that group R_i contributes more than group R_j, and where in [0, 1] it holds.

    It holds where `polynomial` is above 0, for the coefficients in `holds`.
    """

    i: int
    j: int
    polynomial: Polynomial
    holds: Union

    def __str__(self) -> str:
        return f"R_{self.i} over R_{self.j}"


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest N for which all conditions can hold together, and its result."""

    n: int
    share: Fraction  # of the lists, in groups 0 to n
    value: Fraction | float
    attained: bool


@dataclass(
    frozen=True,
    slots=True,
    kw_only=True,
    repr=False,
)
class Tuning:
    """The result of tuning a discount coefficient.

    `feasible` says whether a coefficient in [0, 1] meets all `conditions`. `feasible_set` holds all
    such coefficients. `value` is their supremum: a fraction, a float if it is an irrational root,
    or None if no coefficient is feasible. `attained` says whether the supremum itself is feasible.
    `conflict` names conditions that cannot hold together.
    """

    k: int
    p: Fraction
    tau: Fraction
    n_tau: int
    groups: tuple[Group, ...]
    conditions: tuple[Condition, ...]
    feasible_set: Union
    conflict: tuple[Condition, ...]
    largest_feasible: Largest
    symbol: ClassVar[str]
    least: ClassVar[int]  # items that a value needs: 1, or 2 for a pair

    @property
    def feasible(self) -> bool:
        """Whether a coefficient in [0, 1] meets all the conditions."""
        return bool(self.feasible_set)

    def __repr__(self) -> str:
        setting = f"k={self.k}, p={_short(self.p)}, tau={_short(self.tau)}, N_tau={self.n_tau}"
        if self.value is None:
            clash = " against ".join(map(str, self.conflict))
            result = f"no {self.symbol} is feasible: {clash}"
        else:
            relation = "at most" if self.attained else "below"
            result = f"{self.symbol} {relation} {_short(self.value)}"
        return f"<{type(self).__name__} {setting}\n {result}; explain() shows all steps>"

    @property
    def attained(self) -> bool:
        """Whether the supremum of the feasible coefficients is feasible itself."""
        return self.feasible_set.attained

    @property
    def value(self) -> Fraction | float | None:
        """The supremum of the feasible coefficients; None if there are none."""
        supremum = self.feasible_set.supremum
        return None if supremum is None else supremum.value

    @property
    def binding(self) -> tuple[Condition, ...]:
        """The conditions that keep the coefficient from being larger."""
        if not self.feasible or self.attained:
            return ()
        supremum = self.feasible_set.supremum
        binding = []
        for condition in self.conditions:
            for interval in condition.holds.intervals:
                if interval.high == supremum and not interval.high_belongs:
                    binding.append(condition)
                    break
        return tuple(binding)

    def expected(self, coefficient: Any) -> Any:
        """The mean value of a list at a coefficient, over all groups 0 to k.

        For alpha it is DCC, not yet divided by the number of categories. For beta it is DILAD times
        k(k-1)/2, where all distances are 1.
        """
        share = self.p + coefficient * (1 - self.p)
        return math.comb(self.k, self.least) * share**self.least

    def polynomial_text(self, polynomial: Polynomial) -> str:
        """A polynomial as people write it: 3 - 370 alpha."""
        text = ""
        highest = max(map(abs, polynomial))
        for c, power in zip(
            polynomial,
            ("", self.symbol, f"{self.symbol}^2"),
            strict=True,
        ):
            if c:
                size = "" if abs(c) == 1 and power else str(abs(c))
                if highest > _READABLE:  # an inequality may be divided by a positive number
                    size = f"{float(abs(c) / highest):.6g}"
                if text:
                    sign = " - " if c < 0 else " + "
                elif c < 0:
                    sign = "-"
                else:
                    sign = ""
                text += sign + " ".join(filter(None, (size, power)))
        return text or "0"

    @property
    def working(self) -> Working:
        """The groups, the conditions and the result, as every view reads it."""
        value = self.value
        kind = object if isinstance(value, Fraction) else np.float64
        score = np.array([np.nan if value is None else value], dtype=kind)
        columns = {
            "probability": _floats([g.probability for g in self.groups]),
            "cumulative probability": _floats([g.cumulative for g in self.groups]),
        }
        quantities: dict[str, Any] = {"smallest N that covers tau": self.n_tau}
        if value is not None:
            contributions = [at(g.value, value) * g.probability for g in self.groups]
            columns["contribution of the group"] = _floats(contributions)
            quantities["expected value"] = self.expected(value)
        labels: dict[str, list[Any]] = {
            "effective items": [g.n for g in self.groups],
            "value of the group": [self.polynomial_text(g.value) for g in self.groups],
        }
        return Working(
            score,
            columns=columns,
            table=Table.of_one(labels),
            quantities=quantities,
            parts={"conditions": self._conditions(score)},
            notes=tuple(_notes(self)),
            name=self.symbol,
        )

    def _conditions(self, score: Array) -> Working:
        """Each condition, and for which coefficients it holds."""
        inequalities = [f"{self.polynomial_text(c.polynomial)} > 0" for c in self.conditions]
        labels = {
            "greater group": [f"R_{c.i}" for c in self.conditions],
            "lesser group": [f"R_{c.j}" for c in self.conditions],
            "condition": inequalities,
            "holds for": [str(c.holds) for c in self.conditions],
        }
        return Working(
            score,
            table=Table.of_one(labels),
            name=f"{self.symbol} under all conditions",
        )


class AlphaTuning(Tuning):
    """What was found out about alpha, the discount coefficient of DCC and FDCC."""

    __slots__ = ()
    symbol, least = "alpha", 1
    alpha = Tuning.value


class BetaTuning(Tuning):
    """What was found out about beta, the discount coefficient of DILAD."""

    __slots__ = ()
    symbol, least = "beta", 2
    beta = Tuning.value


def _short(number: Fraction | float) -> str:
    """A number in a line: a fraction as it is if it is short, else to six digits."""
    text = str(number)
    if isinstance(number, Fraction) and len(text) <= _SHORT:
        return text
    return f"{float(number):.6g}"


def _floats(values: list[Any]) -> Array:
    """Exact probabilities have hundreds of digits; a table shows them to a few."""
    return np.array(values, dtype=np.float64)


def _percent(share: Fraction) -> str:
    text = f"{float(100 * share):.4g} %"
    return f"nearly {text}" if text == "100 %" and share < 1 else text


def _notes(tuning: Tuning) -> list[str]:
    """What the tuning says: which lists are covered, and for which coefficients all holds."""
    name = tuning.symbol
    n = tuning.n_tau
    covered = tuning.groups[-1].cumulative
    notes = [f"N_tau = {n}: groups 0 to {n} hold {_percent(covered)} of the lists"]
    if tuning.feasible:
        notes.append(f"feasible: {name} in {tuning.feasible_set}")
        if not tuning.attained:
            pairs = ", ".join(map(str, tuning.binding))
            notes.append(
                f"the end {tuning.feasible_set.supremum} is a supremum that is not attained: "
                f"at it the two groups contribute the same ({pairs})"
            )
        if isinstance(tuning.value, float):
            equation = tuning.polynomial_text(tuning.binding[0].polynomial)
            notes.append(f"it is irrational: the root of {equation} = 0 near {tuning.value:.8g}")
        return notes
    if tuning.p in (0, 1):
        only, kind = (0, "no") if tuning.p == 0 else (tuning.k, "every")
        notes.append(
            f"at p = {tuning.p} {kind} item is effective, so every list is in R_{only}, and no "
            "other group contributes anything"
        )
    if len(tuning.conflict) == 1:
        notes.append(f"no {name} is feasible: {tuning.conflict[0]} holds for no {name} in [0, 1]")
    else:
        pairs = "; ".join(f"{c} for {c.holds}" for c in tuning.conflict)
        notes.append(f"no {name} is feasible, because these never hold together: {pairs}")
    largest = tuning.largest_feasible
    relation = "up to" if largest.attained else "below"
    end = f"{largest.value:.6g}" if isinstance(largest.value, float) else str(largest.value)
    notes.append(
        f"the largest feasible N is {largest.n}, which covers {_percent(largest.share)} of "
        f"the lists: {name} {relation} {end}"
    )
    return notes


_Kind = TypeVar("_Kind", bound=Tuning)


def tune_alpha(k: int, p: Share, tau: Share = Fraction(99, 100)) -> AlphaTuning:
    """The ideal alpha of DCC is the largest at which more effective lists contribute more.

    `k` is the length of the lists, `p` the precision at k, from 0 to 1, and `tau` the share of
    lists to cover, above 0 and at most 1. tau = 1 asks the condition of all groups, 0 to k. `p` and
    `tau` are read as written: 0.0075 is 3/400, and you can also write "3/400". DCC(R_n) = n + alpha
    (k-n): each item has one category, as on slide 20 of document 002. If N_tau is 1 the result is
    p/(1-kp), a supremum that is not attained. If N_tau is 2 or more and kp < 1, no alpha is
    feasible. None is where p is 0 or 1: there is one group of lists alone, and a group that no list
    is in never contributes more. `explain(tune_alpha(...))` shows the steps.

    >>> found = tune_alpha(10, 0.0075)
    >>> found.alpha, found.attained, found.n_tau
    (Fraction(3, 370), False, 1)
    >>> found
    <AlphaTuning k=10, p=3/400, tau=99/100, N_tau=1
     alpha below 3/370; explain() shows all steps>
    >>> tune_alpha(10, 0.05).alpha is None
    True
    """
    return _tuned(AlphaTuning, k, p, tau, lambda k, n: (n, k - n, 0))


def tune_beta(k: int, p: Share, tau: Share = Fraction(99, 100)) -> BetaTuning:
    """The ideal beta of DILAD is the largest at which more effective lists contribute more.

    It is tuned as alpha is, but N_tau is at least 2, because DILAD needs two items. All distances
    are taken to be equal: DILAD(R_n) is proportional to C(n,2) + n(k-n) beta + C(k-n,2) beta^2. The
    result is the end of an interval. It is a root of a quadratic equation, and a float if it is
    irrational.

    >>> found = tune_beta(10, 0.0075)
    >>> round(found.beta, 6), found.attained, found.n_tau
    (0.003957, False, 2)
    """
    return _tuned(
        BetaTuning,
        k,
        p,
        tau,
        lambda k, n: (math.comb(n, 2), n * (k - n), math.comb(k - n, 2)),
    )


def _tuned(
    kind: type[_Kind],
    k: Any,
    p: Any,
    tau: Any,
    value: Callable[[int, int], tuple[int, int, int]],
) -> _Kind:
    length = checks.cutoff(k)
    least = kind.least
    if length is None or length < least:
        pairs = "" if least == 1 else ", because a pair needs two items"
        raise InputError(
            f"k={k} is not a length of lists; give a whole number of at least {least}{pairs}"
        )
    p = _share("p", p)
    tau = _share("tau", tau, of_some=True)
    groups = _groups(length, p, tau, least, value)
    conditions: list[Condition] = []
    together = UNIT
    largest = Largest(
        0,
        groups[0].cumulative,
        Fraction(1),
        attained=True,
    )
    for i in range(1, len(groups)):
        for j in range(i):
            conditions.append(_condition(groups[i], groups[j]))
            together &= conditions[-1].holds
        supremum = together.supremum
        if supremum is not None:
            largest = Largest(
                i,
                groups[i].cumulative,
                supremum.value,
                together.attained,
            )
    return kind(
        k=length,
        p=p,
        tau=tau,
        n_tau=len(groups) - 1,
        groups=tuple(groups),
        conditions=tuple(conditions),
        feasible_set=together,
        conflict=() if together else _conflict(conditions),
        largest_feasible=largest,
    )


def _share(name: str, number: Any, *, of_some: bool = False) -> Fraction:
    """A number from 0 to 1, read as written; above 0 if it is a share that has to be of some."""
    try:
        if isinstance(number, bool):
            raise TypeError
        read = as_fraction(number)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise InputError(
            f"{name}={number!r} is not a finite number; write 0.0075, '3/400' or a Fraction"
        ) from None
    if not 0 <= read <= 1 or (of_some and read == 0):
        least = "above 0 and at most 1" if of_some else "from 0 to 1"
        raise InputError(f"{name}={number} is out of range; give a number {least}")
    return read


def _groups(
    k: int,
    p: Fraction,
    tau: Fraction,
    least: int,
    value: Any,
) -> list[Group]:
    """The groups R_0 to R_N for the smallest N that covers tau."""
    groups: list[Group] = []
    cumulative = Fraction(0)
    while len(groups) <= least or groups[-1].cumulative < tau:
        n = len(groups)
        probability = math.comb(k, n) * p**n * (1 - p) ** (k - n)
        cumulative += probability
        c0, c1, c2 = map(Fraction, value(k, n))
        groups.append(Group(n, probability, cumulative, (c0, c1, c2)))
    return groups


def _condition(more: Group, fewer: Group) -> Condition:
    """The condition that `more` contributes more than `fewer`, in whole numbers."""
    difference = [
        a * more.probability - b * fewer.probability
        for a, b in zip(more.value, fewer.value, strict=True)
    ]
    # A positive factor changes no sign: whole numbers without a common divisor read best.
    whole = math.lcm(*(c.denominator for c in difference))
    scaled = [int(c * whole) for c in difference]
    divisor = math.gcd(*scaled) or 1
    c0, c1, c2 = (Fraction(c // divisor) for c in scaled)
    polynomial = (c0, c1, c2)
    return Condition(
        more.n,
        fewer.n,
        polynomial,
        positive(polynomial),
    )


def _conflict(conditions: list[Condition]) -> tuple[Condition, ...]:
    """The first condition that holds nowhere, else the first two that never hold together."""
    for c in conditions:
        if not c.holds:
            return (c,)
    for place, c in enumerate(conditions):
        for earlier in conditions[:place]:
            if not earlier.holds & c.holds:
                return (earlier, c)
    together = UNIT
    for place, c in enumerate(conditions):
        together &= c.holds
        if not together:
            return tuple(conditions[: place + 1])
    return ()
