"""Counterfactual estimates: the value that a new policy would have had, from another one's log.

A **policy** chooses an action in each situation, such as a ranking for a query, with some
probability. The log holds, for each choice: its reward, such as a click, the probability with which
the logging policy made it, and the probability with which the new policy would have made it.
"""

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.online.random_numbers import probabilities
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import number
from irmetrics_edu.working import Table, Working

_FEW = 30  # effective choices, from which on the mean of usual rewards is about normal


def ips(
    rewards: Iterable[float],
    logged: npt.ArrayLike,
    new: npt.ArrayLike,
    *,
    clip: float | None = None,
) -> Working:
    """IPS (inverse propensity score) is the mean reward of a log, weighted for the new policy.

    A choice has the weight new / logged: it counts more if the new policy makes it more often.
    `rewards` has a number for each choice. `logged` and `new` are the probabilities of that choice
    under either policy. `clip` is the highest weight; it lowers the variance and adds a bias. The
    estimate is unbiased without `clip` if the logging policy has **support**: it makes every choice
    that the new policy can make. The working has the standard error of the mean, the mean weight
    and the effective number of choices, (sum of weights)^2 / sum of squared weights. If few heavy
    weights decide, an interval from the standard error holds the true value less often than it
    says, and a note warns of it. The expected mean weight is 1 if there is support; a value far
    below 1 is a sign that there is none.

    Source: Horvitz & Thompson (1952), A generalization of sampling without replacement from a
    finite universe, JASA 47.

    >>> found = ips([1, 0, 1, 0], [0.5, 0.5, 0.8, 0.2], [0.25, 0.5, 0.4, 0.8])
    >>> found["weight"].tolist(), found.value
    ([0.5, 1.0, 0.5, 4.0], 0.25)
    """
    reward, p0, p, weight = _log(rewards, logged, new, clip)
    n = len(reward)
    weighted = weight * reward
    value = float(weighted.mean())
    # Of one choice there is no spread.
    error = float(weighted.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return Working(
        np.array([value]),
        how="{weighted reward} / {choices}",
        columns={
            "reward": reward,
            "logged": p0,
            "new": p,
            "weight": weight,
            "weighted reward": weighted,
        },
        table=Table.of_one({"choice": range(1, n + 1)}),
        quantities={"choices": n, **_about(weight, error)},
        notes=_heavy(weight),
        name="IPS" if clip is None else f"IPS(clip={clip:g})",
    )


def snips(
    rewards: Iterable[float],
    logged: npt.ArrayLike,
    new: npt.ArrayLike,
    *,
    clip: float | None = None,
) -> Working:
    """SNIPS (self-normalised IPS) is the weighted reward of a log, divided by the sum of weights.

    Inputs and errors are those of `ips`. It is a weighted mean, so it stays in the range of the
    rewards, and adding a constant to all rewards adds this constant to the estimate. It is biased,
    and the bias goes to 0 with the number of choices. Its standard error is that of a ratio (delta
    method). InputError also if all weights are 0: the new policy makes no choice of the log.

    Source: Swaminathan & Joachims (2015), The self-normalized estimator for counterfactual
    learning, NIPS.

    >>> round(snips([1, 0, 1, 0], [0.5, 0.5, 0.8, 0.2], [0.25, 0.5, 0.4, 0.8]).value, 4)
    0.1667
    """
    estimate = ips(rewards, logged, new, clip=clip)
    weight = estimate["weight"]
    reward = estimate["reward"]
    total = float(weight.sum())
    if not total > 0:
        raise InputError("all weights are 0: the new policy makes no choice that the log holds")
    value = float(estimate["weighted reward"].sum()) / total
    error = math.sqrt(float(((weight * (reward - value)) ** 2).sum())) / total
    return Working(
        np.array([value]),
        how="{weighted reward} / {sum of weights}",
        columns=estimate.columns,
        table=estimate.table,
        quantities={"sum of weights": total, **_about(weight, error)},
        notes=estimate.notes,
        name=f"SN{estimate.name}",
    )


def _about(weight: Array, error: float) -> dict[str, float]:
    return {
        "standard error": error,
        "mean weight": float(weight.mean()),
        "effective choices": _effective(weight),
    }


def _effective(weight: Array) -> float:
    squares = float((weight**2).sum())
    return float(weight.sum()) ** 2 / squares if squares else 0.0


def _heavy(weight: Array) -> list[str]:
    """A warning where so few choices decide that their mean is far from normal."""
    effective = _effective(weight)
    if effective >= _FEW or weight.min() == weight.max():
        return []
    unevenness = (
        f"the weights are as uneven as if {number(effective, 1)} of {len(weight)} choices counted"
    )
    return [
        f"{unevenness}: an interval from this standard error is too narrow; clip them, or log more"
    ]


def _log(
    rewards: Iterable[float],
    logged: npt.ArrayLike,
    new: npt.ArrayLike,
    clip: float | None,
) -> tuple[Array, ...]:
    reward = np.array([checks.number(r, "reward") for r in rewards], dtype=np.float64)
    p0 = probabilities("logged", logged)
    p = probabilities("new", new)
    if not len(reward) == len(p0) == len(p):
        raise InputError(
            f"{len(reward)} rewards, {len(p0)} logged and {len(p)} new probabilities; "
            "give one of each for every choice"
        )
    if not (p0 > 0).all():
        place = 1 + int(np.flatnonzero(p0 == 0)[0])
        raise InputError(
            f"logged: number {place} is 0, but this choice was made; log the probability with "
            "which it was made"
        )
    weight = p / p0
    if clip is not None:
        weight = np.minimum(weight, checks.between("clip", clip, 0, math.inf, open_low=True))
    return reward, p0, p, weight
