"""Random numbers that are the same on every machine and with every version of numpy.

They come from the raw bits of PCG64, a stream that numpy keeps from version to version. numpy may
change what its Generator makes of these bits.
"""

from typing import Any

import numpy as np

from irmetrics_edu.checks import whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array


class Chance:
    """A seeded source of random numbers; each call goes on where the last one stopped.

    `seed` is a whole number from 0 up.

    >>> chance = Chance(0)
    >>> chance.uniform(2, 3).round(3).tolist()
    [[0.637, 0.27, 0.041], [0.017, 0.813, 0.913]]
    """

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(whole("seed", seed, 0))

    def uniform(self, *shape: int) -> Array:
        """Numbers from 0 up to, but not including, 1: an array of this shape."""
        size = int(np.prod(shape, dtype=np.int64))
        words = self._bits.random_raw(size).astype(np.uint64)
        upper_bits = (words >> np.uint64(11)).astype(np.float64)
        numbers: Array = upper_bits * 2.0**-53
        return numbers.reshape(shape)

    def coins(self, n: int) -> str:
        """The letters A and B, each as likely, for n tosses of a coin."""
        tosses = self.uniform(n).tolist()
        letters = ["B" if toss < 0.5 else "A" for toss in tosses]
        return "".join(letters)


def probabilities(name: str, values: Any) -> Array:
    """The values as an array, if all are probabilities; the error names the place from 1."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}={values!r} are no numbers; give probabilities") from None
    if numbers.ndim != 1 or not len(numbers):
        raise InputError(
            f"{name} has the shape {numbers.shape}; give a list with a probability each"
        )
    for place, value in enumerate(numbers.tolist(), 1):
        if not 0 <= value <= 1:
            raise InputError(f"{name}: number {place} is {value}; a probability is in [0, 1]")
    return numbers
