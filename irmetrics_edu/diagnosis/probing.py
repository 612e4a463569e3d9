"""The gains and discounts of a function of cumulated gain, read off from tiny inputs.

One document of grade 1 at each rank shows the discount. A document of each grade shows the gain:
alone in DCG, and beside one of grade 1 in nDCG, where a document alone has the value 1.
"""

import math
from collections.abc import Callable, Sequence

_RANKS, _GRADES = range(1, 7), range(1, 5)
_NEAR = 1e-6
_MEASURES = ("DCG", "nDCG")
# What a gain may be, in words, besides the conventions: of a grade, relative to that of grade 1.
_GAINS: tuple[tuple[str, Callable[[int], float]], ...] = (
    ("the grade itself", float),
    ("2 to the power of the grade, less 1", lambda g: 2.0**g - 1),
    ("the same for every grade", lambda _: 1.0),
    ("the square root of the grade", math.sqrt),
    ("the square of the grade", lambda g: float(g * g)),
    ("2 to the power of the grade", lambda g: 2.0 ** (g - 1)),
    ("log2 of the grade plus 1", lambda g: math.log2(g + 1)),
)
_DISCOUNTS: tuple[tuple[str, Callable[[int], float]], ...] = (
    ("1/log2 of the rank plus 1", lambda i: 1 / math.log2(i + 1)),
    ("the same at every rank", lambda _: 1.0),
    ("1/rank", lambda i: 1 / i),
    ("1/log2 of the rank plus 2", lambda i: math.log2(3) / math.log2(i + 2)),
    ("1 up to rank 2, then 1/log2 of the rank", lambda i: 1 / max(1.0, math.log2(i))),
    ("1/(1 + log2 of the rank)", lambda i: 1 / (1 + math.log2(i))),
)
_ROUNDED = range(1, 5)  # decimals to which a discount, or its logarithm, may be rounded


def probed(call: Callable[[list[int]], float], measure: str, usual: tuple[str, str]) -> list[str]:
    """What the discount and the gain of a function are, as sentences, where they are not usual.

    `call` gives the value of a list of grades in ranked order. The list is empty for a measure that
    is not one of cumulated gain, and where the values fit no gain and discount.
    """
    if measure not in _MEASURES:
        return []
    try:
        discount = [call([int(r == i) for r in _RANKS]) for i in _RANKS]
        if not discount[0] or not all(map(math.isfinite, discount)):
            return []
        discount = [d / discount[0] for d in discount]
        found = [("discount", "ranks", discount, _named_discount(discount), usual[1])]
        gains = _gains(call, measure, discount[1])
    except Exception:  # noqa: BLE001 -- whatever somebody's function may raise
        return []
    if gains:
        found.append(("gain", "grades", gains, _named(gains, _GAINS), usual[0]))
    return [
        f"Its {what} at {of} 1 to {len(values)} is {', '.join(f'{v:.4g}' for v in values)}"
        + (f": {name}." if name else ".")
        for what, of, values, name, expected in found
        if name != expected
    ]


def _gains(call: Callable[[list[int]], float], measure: str, second: float) -> list[float]:
    """The gain of each grade over that of grade 1; empty if the ideal order is not worth 1."""
    if measure == "DCG":
        alone = call([1])
        return [call([g]) / alone for g in _GRADES]
    if any(abs(call([g, 1]) - 1) > _NEAR for g in _GRADES):
        return []
    found = [1.0]
    for g in _GRADES[1:]:
        value = call([1, g])
        # (1 + second x) / (x + second) = value; where nothing depends on the order, x is 1.
        found.append(1.0 if abs(value - 1) < _NEAR else (1 - value * second) / (value - second))
    return found


def _named(values: Sequence[float], shapes: Sequence[tuple[str, Callable[[int], float]]]) -> str:
    """The first shape that has these values, which begin with 1; "" if none does."""
    for name, shape in shapes:
        first = shape(1)
        if all(abs(shape(i) / first - v) <= _NEAR for i, v in enumerate(values, 1)):
            return name
    return ""


def _named_discount(values: Sequence[float]) -> str:
    """The same for a discount, which may be rounded, or have a rounded logarithm."""
    if name := _named(values, _DISCOUNTS):
        return name
    for digits in _ROUNDED:
        rounded = (
            (f"1/log2 of the rank plus 1, the logarithm rounded to {10.0**-digits:g}",
             lambda i, d=digits: 1 / round(math.log2(i + 1), d)),
            (f"1/log2 of the rank plus 1, rounded to {10.0**-digits:g}",
             lambda i, d=digits: round(1 / math.log2(i + 1), d)),
        )  # fmt: skip
        if name := _named(values, rounded):
            return name
    return ""
