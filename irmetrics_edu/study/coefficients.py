"""The discount coefficients that the study uses, tuned to the precision that it observes."""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context
from fractions import Fraction

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.set_based import precision
from irmetrics_edu.recommenders.lists import Lists
from irmetrics_edu.tuning.intervals import at
from irmetrics_edu.tuning.result import Tuning
from irmetrics_edu.tuning.tune import tune_alpha, tune_beta
from irmetrics_edu.views.formatting import steady


@dataclass(frozen=True)
class Coefficient:
    """A discount coefficient at a cut-off: what was tuned, and the value used.

    Where no coefficient meets the conditions of all groups up to N_tau, the value is the one for
    the largest N that can be met, and `covered` the share of lists of those groups.
    """

    tuning: Tuning
    value: float
    n: int
    covered: float

    @property
    def symbol(self) -> str:
        """Alpha or beta."""
        return self.tuning.symbol

    @property
    def feasible(self) -> bool:
        """Whether the conditions of all groups up to N_tau can be met."""
        return self.tuning.feasible

    def __str__(self) -> str:
        found, p = self.tuning, float(self.tuning.p)
        least = f"{self.symbol}@{found.k} = {self.value:.3g}, at precision {steady(p):.4g}"
        if self.feasible:
            return f"{least}: N_tau = {found.n_tau}, all conditions met"
        return (
            f"{least}: no value meets the conditions up to N_tau = {found.n_tau} "
            f"(tau = {float(found.tau):g}), so those up to N = {self.n}, "
            f"which hold {steady(self.covered):.1%} of the lists"
        )


def coefficients(lists: Lists, k: int, tau: float) -> tuple[Coefficient, Coefficient]:
    """Alpha and beta for lists of k items at the precision of these lists."""
    hits = int(np.rint(precision.measured(lists.ranked(), k)["relevant retrieved"].sum()))
    of_all = k * len(lists.users)
    if not 0 < hits < of_all:
        raise InputError(
            f"precision at {k} is {hits}/{of_all}: the binomial model needs some hits and some "
            "misses; take longer lists, more users or other data"
        )
    p = Fraction(hits, of_all)
    share = Fraction(str(tau))
    return _settled(tune_alpha(k, p, share)), _settled(tune_beta(k, p, share))


def _settled(found: Tuning) -> Coefficient:
    largest = found.largest_feasible
    value, attained = largest.value, largest.attained
    # A supremum that is not attained is no coefficient: the number used lies just below it.
    used = value if attained else _just_below(value)
    binding = [c for c in found.conditions if c.i <= largest.n]
    if not all(at(c.polynomial, Fraction(used)) > 0 for c in binding):
        raise InputError(
            f"{found.symbol}: {float(used):g} just below the supremum misses a condition; "
            "give tau or the lists so that the feasible set is wider"
        )
    share = float(found.groups[largest.n].cumulative)
    return Coefficient(found, float(used), largest.n, share)


def _just_below(value: Fraction | float) -> Fraction:
    """The number rounded down to three significant digits, and below it."""
    exact = Fraction(value)
    three = Context(prec=3, rounding=ROUND_FLOOR)
    rounded = Fraction(three.create_decimal(repr(float(exact))))
    return rounded if rounded < exact else rounded * Fraction(999, 1000)
