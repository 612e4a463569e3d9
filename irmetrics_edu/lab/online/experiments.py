"""A/B tests: a difference between two groups of users, and how many users it takes to see it."""

import math
from collections.abc import Iterable
from statistics import NormalDist

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.significance import scipy_special
from irmetrics_edu.working import Working


def difference(control: Iterable[float], treatment: Iterable[float]) -> Working:
    """The difference is the mean of the treatment's users, less the mean of the control's users.

    Give one number for each **unit of randomisation**, usually a user: sessions of one user are
    alike and don't count as independent. The standard error is that of two independent means with
    their own variances; p is two-sided, by Student's t with Welch's degrees of freedom, so that few
    units don't reject too often. If neither group has any spread, p is 1 for equal means and 0
    otherwise. InputError for fewer than two units in a group. Needs scipy (extra `gate`).

    Sources: Kohavi, Tang & Xu (2020), Trustworthy online controlled experiments, Cambridge
    University Press, ch. 17; Welch (1947), The generalization of "Student's" problem when several
    different population variances are involved, Biometrika 34.

    >>> found = difference([0, 1, 0, 1], [1, 1, 0, 1])
    >>> found.value, round(found["standard error"], 4), round(found["p-value"], 4)
    (0.25, 0.3819, 0.5374)
    """
    a = _units("control", control)
    b = _units("treatment", treatment)
    mean_a, square_a = _mean_and_error(a)
    mean_b, square_b = _mean_and_error(b)
    apart = mean_b - mean_a
    error = math.sqrt(square_a + square_b)
    t = 0.0
    freedom = 1.0
    if error:
        parts = square_a**2 / (len(a) - 1) + square_b**2 / (len(b) - 1)
        t = apart / error
        freedom = (square_a + square_b) ** 2 / parts
    elif apart:
        t = math.inf
    return Working(
        np.array([apart]),
        how="{mean of treatment} - {mean of control}",
        quantities={
            "mean of treatment": mean_b,
            "mean of control": mean_a,
            "standard error": error,
            "degrees of freedom": freedom,
            "p-value": float(2 * scipy_special().stdtr(freedom, -abs(t))),
        },
        name="difference",
    )


def users_needed(
    rate: float,
    lift: float,
    *,
    level: float = 0.05,
    power: float = 0.8,
) -> int:
    """The users needed in each group so that a test finds a lift of a rate with the given power.

    `rate` is the share of the control's users who do something, such as click. `lift` is added to
    it. The test is two-sided at `level`, by the normal limit, and 0 < level < power < 1.

    Source: the textbook formula for two independent proportions, (z_(1-level/2) + z_power)^2 times
    the sum of both variances p(1-p), over lift^2.

    >>> users_needed(0.3, 0.02)
    8391
    """
    checks.between("rate", rate, 0, 1)
    checks.between(
        "rate + lift",
        rate + checks.number(lift, "lift ="),
        0,
        1,
    )
    if lift == 0:
        raise InputError("lift=0: no number of users shows a difference that isn't there")
    if not 0 < level < power < 1:
        raise InputError(
            f"level={level}, power={power} are out of range; give 0 < level < power < 1"
        )
    normal = NormalDist()
    z = normal.inv_cdf(1 - level / 2) + normal.inv_cdf(power)
    after = rate + lift
    variances = rate * (1 - rate) + after * (1 - after)
    users = math.ceil(z * z * variances / lift**2)
    return max(2, users)


def _units(name: str, values: Iterable[float]) -> Array:
    numbers = [checks.number(value, "value", f"{name}: ") for value in values]
    if len(numbers) < 2:
        raise InputError(f"{name} has {len(numbers)} units; a spread needs at least 2")
    return np.array(numbers, dtype=np.float64)


def _mean_and_error(values: Array) -> tuple[float, float]:
    """The mean and its squared standard error; equal values have none, not even by rounding."""
    if values.min() == values.max():
        return float(values[0]), 0.0
    return float(values.mean()), float(values.var(ddof=1)) / len(values)
