r"""Which discount coefficient to choose for DCC and DILAD, under a binomial model of the lists.

A list of k items has n effective items with probability P(R_n) = C(k,n) p^n (1-p)^(k-n), where p is
the precision at k. The coefficient has to be so small that a group of lists with more effective
items contributes more to the mean: v(R_i) P(R_i) > v(R_j) P(R_j) for all i > j up to N_tau. N_tau
is the smallest N such that groups 0 to N hold a share tau of the lists.

All is computed in fractions, so rounding never decides whether a coefficient is feasible.
"""

import math
from fractions import Fraction
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.tuning.positive_intervals import UNIT, Polynomial, positive
from irmetrics_edu.lab.tuning.tuning_result import (
    AlphaTuning,
    BetaTuning,
    Condition,
    Group,
    Largest,
)
from irmetrics_edu.numbers import as_fraction


def tune_alpha(k: int, p: Any, tau: Any = Fraction(99, 100)) -> AlphaTuning:
    """The ideal alpha of DCC is the largest at which more effective lists contribute more.

    `k` is the length of the lists, `p` the precision at k, and `tau` the share of lists to cover.
    `p` and `tau` are above 0 and below 1 and are read as written: 0.0075 is 3/400, and you can also
    write "3/400". DCC(R_n) = n + alpha (k-n): each item has one category, as in the paper's model.
    If N_tau is 1 the result is p/(1-kp), a supremum that is not attained. If N_tau is 2 or more and
    kp < 1, no alpha is feasible. `tune_alpha(...).working` shows the steps.

    >>> found = tune_alpha(10, 0.0075)
    >>> found.alpha, found.attained, found.n_tau
    (Fraction(3, 370), False, 1)
    >>> tune_alpha(10, 0.05).alpha is None
    True
    """
    return AlphaTuning(
        **_tuned(k, p, tau, least=1, value=lambda k, n: (Fraction(n), Fraction(k - n), Fraction(0)))
    )


def tune_beta(k: int, p: Any, tau: Any = Fraction(99, 100)) -> BetaTuning:
    """The ideal beta of DILAD is the largest at which more effective lists contribute more.

    It is tuned as alpha is, but N_tau is at least 2, because DILAD needs two items. All distances
    are taken to be equal: DILAD(R_n) is proportional to C(n,2) + n(k-n) beta + C(k-n,2) beta^2. The
    result is the end of an interval. It is a root of a quadratic equation, and a float if it is
    irrational.

    >>> found = tune_beta(10, 0.0075)
    >>> round(found.beta, 6), found.attained, found.n_tau
    (0.003957, False, 2)
    """

    def value(k: int, n: int) -> Polynomial:
        return (
            Fraction(math.comb(n, 2)),
            Fraction(n * (k - n)),
            Fraction(math.comb(k - n, 2)),
        )

    return BetaTuning(**_tuned(k, p, tau, least=2, value=value))


def _tuned(k: Any, p: Any, tau: Any, *, least: int, value: Any) -> dict[str, Any]:
    length = checks.cutoff(k)
    if length is None or length < least:
        pairs = "" if least == 1 else ", because a pair needs two items"
        raise InputError(
            f"k={k} is not a length of lists; give a whole number of at least {least}{pairs}"
        )
    p, tau = _share("p", p), _share("tau", tau)
    groups = _groups(length, p, tau, least, value)
    conditions: list[Condition] = []
    together, largest = UNIT, None
    for i in range(1, len(groups)):
        for j in range(i):
            conditions.append(_condition(groups[i], groups[j]))
            together &= conditions[-1].holds
        supremum = together.supremum
        if supremum is not None:
            largest = Largest(i, groups[i].cumulative, supremum.value, together.attained)
    return {
        "k": length,
        "p": p,
        "tau": tau,
        "n_tau": len(groups) - 1,
        "groups": tuple(groups),
        "conditions": tuple(conditions),
        "feasible_set": together,
        "conflict": () if together else _conflict(conditions),
        "largest_feasible": largest,
    }


def _share(name: str, given: Any) -> Fraction:
    """A number strictly between 0 and 1, read as written."""
    try:
        if isinstance(given, bool):
            raise TypeError
        read = as_fraction(given)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise InputError(
            f"{name}={given!r} is not a finite number; write 0.0075, '3/400' or a Fraction"
        ) from None
    if not 0 < read < 1:
        raise InputError(f"{name}={given} is out of range; give a number above 0 and below 1")
    return read


def _groups(k: int, p: Fraction, tau: Fraction, least: int, value: Any) -> list[Group]:
    """The groups R_0 to R_N for the smallest N that covers tau."""
    groups: list[Group] = []
    cumulative = Fraction(0)
    while len(groups) <= least or groups[-1].cumulative < tau:
        n = len(groups)
        probability = math.comb(k, n) * p**n * (1 - p) ** (k - n)
        cumulative += probability
        groups.append(Group(n, probability, cumulative, value(k, n)))
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
    return Condition(more.n, fewer.n, polynomial, positive(polynomial))


def _conflict(conditions: list[Condition]) -> tuple[Condition, ...]:
    """The first condition that holds nowhere, else the first two that never hold together."""
    for c in conditions:
        if not c.holds:
            return (c,)
    for at, c in enumerate(conditions):
        for earlier in conditions[:at]:
            if not earlier.holds & c.holds:
                return (earlier, c)
    together = UNIT
    for at, c in enumerate(conditions):
        together &= c.holds
        if not together:
            return tuple(conditions[: at + 1])
    return ()
