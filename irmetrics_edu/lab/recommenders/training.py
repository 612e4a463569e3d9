"""Training: Adam, stopped when the ranking of the validation items no longer improves."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.whole_numbers import whole
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array

Parameters = dict[str, Array]


@dataclass(frozen=True)
class History:
    """The course of training: the loss of every epoch, the checks on validation, the best epoch.

    `validation` maps the epochs checked (the first is 1) to the Recall of the validation items or,
    with `stop="loss"`, to their loss. The parameters of epoch `best` were kept. `stopped_early`
    says whether patience ran out.
    """

    loss: tuple[float, ...]
    validation: dict[int, float]
    best: int
    stopped_early: bool
    stop: str = "recall"


class Adam:
    """Adam steps by the mean gradient over the root of the mean square, both fading.

    Kingma & Ba (2015), Adam: a method for stochastic optimization, ICLR.
    """

    def __init__(
        self, rate: float, fading: tuple[float, float] = (0.9, 0.999), tiny: float = 1e-8
    ) -> None:
        self.rate, self.fading, self.tiny = rate, fading, tiny
        self.step = 0
        self.mean: Parameters = {}
        self.square: Parameters = {}

    def __call__(self, parameters: Parameters, gradient: Parameters) -> Parameters:
        """The parameters after one step."""
        b1, b2 = self.fading
        self.step += 1
        out = {}
        for name, g in gradient.items():
            m = self.mean[name] = b1 * self.mean.get(name, 0) + (1 - b1) * g
            v = self.square[name] = b2 * self.square.get(name, 0) + (1 - b2) * g * g
            m_hat, v_hat = m / (1 - b1**self.step), v / (1 - b2**self.step)
            out[name] = parameters[name] - self.rate * m_hat / (np.sqrt(v_hat) + self.tiny)
        return out


def train(
    loss: Callable[[Parameters, Any], Any],
    drawn: Callable[[], Any],
    parameters: Parameters,
    check: Callable[[Parameters], float] | None,
    *,
    epochs: int,
    rate: float,
    every: int,
    patience: int,
    label: str,
    stop: str = "recall",
) -> tuple[Parameters, History]:
    """Lower the loss by Adam, a step for the sample of each epoch; keep the best parameters.

    `check` gives the Recall of the validation items, or their loss with `stop="loss"`. It is called
    every `every` epochs. After `patience` checks without one that is better by more than rounding
    (`near_ties`), training stops. Without `check` all epochs are run.
    """
    from irmetrics_edu.lab.recommenders.autodiff import value_and_grad

    for name, value in (("epochs", epochs), ("every", every), ("patience", patience)):
        whole(name, value, 1)
    slope = value_and_grad(loss)
    adam = Adam(rate)
    losses: list[float] = []
    found: dict[int, float] = {}
    best, kept, stopped = 0, parameters, False
    for epoch in range(1, epochs + 1):
        value, gradient = slope(parameters, drawn())
        if not np.isfinite(value):
            raise InputError(
                f"{label}: the loss is {value} in epoch {epoch}; choose a smaller learning rate"
            )
        losses.append(float(value))
        parameters = adam(parameters, gradient)
        if check is None:
            best, kept = epoch, parameters
        elif epoch % every == 0 or epoch == epochs:
            found[epoch] = check(parameters)
            sign = 1 if stop == "recall" else -1
            if best == 0 or exceeds(sign * found[epoch], sign * found[best]):
                best, kept = epoch, parameters
            elif epoch - best >= patience * every:
                stopped = True
                break
    return kept, History(tuple(losses), found, best, stopped, stop)
