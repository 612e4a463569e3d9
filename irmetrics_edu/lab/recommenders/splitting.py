"""How each user's items are split: by shares, or one of them alone."""

from collections.abc import Callable, Hashable
from itertools import pairwise
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, as_fraction

Part = dict[Hashable, list[Any]]  # the items of each user in a split
ONE_LEFT_OUT = ("leave-last-out", "leave-random-out")
# The splits that need times, and what to give where there are none.
BY_TIME = {"time": "random", "leave-last-out": "leave-random-out"}
HeldOut = Callable[[int], tuple[int, int]]  # of a user's interactions: for validation, for test


def shares(validation: float, test: float) -> HeldOut:
    """The shares of each user's interactions, rounded down."""
    of_validation = as_fraction(validation)
    of_test = as_fraction(test)
    return lambda n: (int(of_validation * n), int(of_test * n))


def ones(validation: float, test: float) -> HeldOut:
    """One interaction of each user for each part that has a share, as long as one stays."""

    def held_out(n: int) -> tuple[int, int]:
        for_test = int(test > 0 and n > 1)
        for_validation = int(validation > 0 and n > 1 + for_test)
        return for_validation, for_test

    return held_out


def require_shares(validation: float, test: float) -> None:
    """InputError unless both are shares and leave something for training."""
    for name, share in (("validation", validation), ("test", test)):
        checks.between(name, share, 0, 1, open_high=True)
    if as_fraction(validation) + as_fraction(test) >= 1:
        raise InputError(
            f"validation={validation} and test={test} leave nothing for training; give a sum below "
            "1"
        )


def parts_of_users(
    users: Array,
    items: Array,
    held_out: HeldOut,
) -> tuple[Part, Part, Part]:
    """Each user's items in training, validation and test; the last ones go to test."""
    train: Part = {}
    validation_part: Part = {}
    test_part: Part = {}
    changes = np.flatnonzero(users[1:] != users[:-1]) + 1
    for start, end in pairwise([0, *changes, len(users)]):
        items_of_user = items[start:end].tolist()
        n = end - start
        for_validation, for_test = held_out(n)
        first_of_test = n - for_test
        first_of_validation = first_of_test - for_validation
        cuts = (
            (train, items_of_user[:first_of_validation]),
            (validation_part, items_of_user[first_of_validation:first_of_test]),
            (test_part, items_of_user[first_of_test:]),
        )
        for part, cut in cuts:
            if cut:
                part[str(users[start])] = cut
    return train, validation_part, test_part
