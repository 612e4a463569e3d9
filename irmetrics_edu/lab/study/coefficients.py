"""The discount coefficients that the study uses: tuned to the precision observed, or given."""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context
from fractions import Fraction

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.tuning.positive_intervals import at
from irmetrics_edu.lab.tuning.tune import tune_alpha, tune_beta
from irmetrics_edu.lab.tuning.tuning_result import Tuning
from irmetrics_edu.views.formatting import steady


@dataclass(frozen=True)
class Coefficient:
    """A discount coefficient at a cut-off: the result of tuning, and the value used.

    `given` is the user's own value, which is used as it is. Without it the value is tuned. If no
    coefficient meets the conditions of all groups up to N_tau, there is none: it is infeasible.
    """

    tuning: Tuning
    given: float | None = None

    @property
    def symbol(self) -> str:
        """Alpha or beta."""
        return self.tuning.symbol

    @property
    def feasible(self) -> bool:
        """Whether the conditions of all groups up to N_tau can be met."""
        return self.tuning.feasible

    @property
    def value(self) -> float | None:
        """The value used: as given, or as tuned; None if it is infeasible."""
        if self.given is not None:
            return self.given
        return _settled(self.tuning) if self.feasible else None

    @property
    def n(self) -> int:
        """The last group whose conditions a tuned coefficient meets."""
        return self.tuning.n_tau if self.feasible else self.tuning.largest_feasible.n

    @property
    def covered(self) -> float:
        """The share of lists in the groups up to that one."""
        return float(self.tuning.groups[self.n].cumulative)

    def __str__(self) -> str:
        found, p = self.tuning, steady(float(self.tuning.p))
        name = f"{self.symbol}@{found.k}"
        if self.given is not None:
            return f"{name} = {self.given:g}, as given"
        if self.feasible:
            return (
                f"{name} = {self.value:.3g}, at precision {p:.4g}: "
                f"N_tau = {found.n_tau}, all conditions met"
            )
        return (
            f"{name} is infeasible: at precision {p:.4g} no value meets the conditions up to "
            f"N_tau = {found.n_tau} (tau = {float(found.tau):g}); those up to N = {self.n} can be "
            f"met, which hold {steady(self.covered):.1%} of the lists"
        )


def coefficients(
    hits: int,
    lists: int,
    k: int,
    tau: float,
    *,
    alpha: float | None = None,
    beta: float | None = None,
) -> tuple[Coefficient, Coefficient]:
    """Alpha and beta for lists of k items with this many hits in all; or those given."""
    if not 0 < hits < k * lists:
        raise InputError(
            f"precision at {k} is {hits}/{k * lists}: the binomial model needs some hits and some "
            "misses; take longer lists, more users or other data"
        )
    p, share = Fraction(hits, k * lists), Fraction(str(tau))
    return (
        Coefficient(tune_alpha(k, p, share), alpha),
        Coefficient(tune_beta(k, p, share), beta),
    )


def _settled(found: Tuning) -> float:
    """The largest feasible coefficient; of a supremum that is not attained, just below it."""
    value = found.value
    if value is None:  # asked for where it is feasible alone
        raise InputError(f"{found.symbol} is infeasible")
    used = value if found.attained else _just_below(value)
    if not all(at(c.polynomial, Fraction(used)) > 0 for c in found.conditions):
        raise InputError(
            f"{found.symbol}: {float(used):g} just below the supremum misses a condition; "
            "choose tau or the lists so that the feasible set is wider"
        )
    return float(used)


def _just_below(value: Fraction | float) -> Fraction:
    """The number rounded down to three significant digits, and below it."""
    exact = Fraction(value)
    three = Context(prec=3, rounding=ROUND_FLOOR)
    rounded = Fraction(three.create_decimal(repr(float(exact))))
    return rounded if rounded < exact else rounded * Fraction(999, 1000)
