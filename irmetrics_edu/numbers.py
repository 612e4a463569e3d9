"""Arrays of floats or of exact fractions, summed and accumulated query by query.

A kernel is written once. Fed floats it is fast; fed `fractions.Fraction` (arrays of dtype
object) the very same lines give the exact value.
"""

import functools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def _shared(values: Array) -> Array:
    """Values that many rankings show parts of, so nobody may write into them."""
    values.flags.writeable = False
    return values


# What every short ranking begins with: a part of it is had in a fifth of the time of a new array.
_SHORT = 256
_FIRST_RANKS = _shared(np.arange(1.0, _SHORT + 1))
_TRUE = _shared(np.ones(_SHORT, dtype=bool))
_QUERY_0 = _shared(np.zeros(_SHORT, dtype=np.intp))


def is_exact(values: Array) -> bool:
    """Whether the array holds fractions instead of floats."""
    return values.dtype == object


def all_true(mask: Array) -> bool:
    """Whether all truth values are true: counted, which for a few takes a fifth of `all`."""
    return mask.base is _TRUE or bool(np.count_nonzero(mask) == mask.size)


def exact(values: Any) -> Array:
    """The values as an array of fractions; decimals are read as written (0.1 is 1/10)."""
    return objects([as_fraction(v) for v in np.asarray(values, dtype=object).ravel().tolist()])


def objects(items: Sequence[Any]) -> Array:
    """The items as an array of objects, whatever they are: a list in it stays one item."""
    out = np.empty(len(items), dtype=object)
    out[:] = items
    return out


def as_fraction(value: Any) -> Fraction:
    """A number as the fraction that it is written as: 0.1 is 1/10, not its binary neighbour."""
    if isinstance(value, np.generic):
        value = value.item()
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


def in_kind(
    pattern: Array,
    value: Any,
) -> Any:
    """A parameter in the kind of number that `pattern` holds."""
    return as_fraction(value) if is_exact(pattern) else float(value)


def like(
    pattern: Array,
    values: Any,
) -> Array:
    """Whole numbers or truth values in the kind of number that `pattern` holds."""
    if not is_exact(pattern):
        return np.asarray(values, dtype=np.float64)
    return objects([Fraction(int(v)) for v in np.asarray(values).ravel().tolist()])


def ranks_to(
    pattern: Array,
    n: int,
) -> Array:
    """1 to `n` in the kind of number that `pattern` holds."""
    if is_exact(pattern):
        return like(pattern, np.arange(1, n + 1))
    return _FIRST_RANKS[:n] if n <= _SHORT else np.arange(1.0, n + 1)


def of_ranks(
    factor: Callable[[Array], Array],
    ranks: Array,
) -> Array:
    """What a function makes of each rank by itself; of ranks 1, 2, 3 ... it is looked up."""
    n = len(ranks)
    shown = ranks.base is _FIRST_RANKS and ranks.ndim == 1
    if shown and n and ranks.item(0) == 1 and ranks.item(-1) == n:
        return _of_first_ranks(factor)[:n].copy()  # a kernel may write into its discounts
    return factor(ranks)


@functools.cache
def _of_first_ranks(factor: Callable[[Array], Array]) -> Array:
    return _shared(factor(_FIRST_RANKS))


def trues(n: int) -> Array:
    """`n` times true."""
    return _TRUE[:n] if n <= _SHORT else np.ones(n, dtype=bool)


def of_query_0(n: int) -> Array:
    """The number of the query of each of `n` rows, where there is one query."""
    return _QUERY_0[:n] if n <= _SHORT else np.zeros(n, dtype=np.intp)


def zeros(
    pattern: Array,
    n: int,
) -> Array:
    """`n` zeros in the kind of number that `pattern` holds."""
    if is_exact(pattern):
        return np.full(n, Fraction(0), dtype=object)
    return np.zeros(n)


def total(
    values: Array,
    group: Array,
    n: int,
) -> Array:
    """The sum of the values of each of `n` groups."""
    if is_exact(values):
        out = zeros(values, n)
        np.add.at(out, group, values)
        return out
    if n == 1:
        return np.add.reduce(values, keepdims=True)
    return np.bincount(group, values, n)


def running_total(
    values: Array,
    starts: Array,
) -> Array:
    """The sum so far within each group, where group g holds items starts[g] to starts[g+1]."""
    if len(starts) <= 2 or not len(values):
        out: Array = values.cumsum() if len(values) else values
        return out
    sums: Array = values.cumsum()
    before = np.concatenate([zeros(values, 1), sums])[starts[:-1]]
    within: Array = sums - np.repeat(before, np.diff(starts))
    return within


def running_product_before(
    factors: Array,
    starts: Array,
) -> Array:
    """The product of the factors of all earlier items of the group (1 for its first item)."""
    out = like(factors, np.ones(len(factors)))
    if len(starts) <= 2:
        out[1:] = factors[:-1].cumprod()
        return out
    sizes = np.diff(starts)
    for step in range(1, int(sizes.max(initial=0))):
        here = starts[:-1][sizes > step] + step
        out[here] = out[here - 1] * factors[here - 1]
    return out


def down_to_rank(
    cumulated: Array,
    starts: Array,
    query: Array,
    rank: Array,
) -> Array:
    """Of each query's cumulated column the value at a rank; past its end the last, if none 0."""
    if not len(cumulated):
        return zeros(cumulated, len(query))
    sizes = np.diff(starts)[query]
    place = starts[:-1][query] + np.minimum(rank.astype(np.intp), sizes) - 1
    out: Array = cumulated[np.maximum(place, 0)]
    out[sizes == 0] = zeros(cumulated, 1)[0]
    return out


def starts_of(
    group: Array,
    n: int,
) -> Array:
    """Where each of `n` groups begins in a sorted array of group numbers, and the end."""
    if n == 1:
        return np.array([0, len(group)])
    return np.searchsorted(group, np.arange(n + 1))


def begin_anew(*columns: Array) -> Array:
    """Which lines differ from the line before them in one of the columns; the first does.

    >>> begin_anew(np.array([1, 1, 2, 2]), np.array([5, 6, 6, 6])).tolist()
    [True, True, True, False]
    """
    begins = np.ones(len(columns[0]), dtype=bool)
    begins[1:] = False
    for column in columns:
        begins[1:] |= column[1:] != column[:-1]
    return begins


def ratio(
    numerator: Array,
    denominator: Array,
    empty: Any,
) -> Array:
    """Quotient per query; `empty` where the denominator is zero."""
    if len(denominator) == 1:  # the case of one query, without the cost of masks
        if denominator[0] == 0:
            return _filled(numerator, 1, empty)
        return numerator / denominator
    bad = denominator == 0
    if not bad.any():
        return numerator / denominator
    out = _filled(numerator, len(denominator), empty)
    good = ~bad
    out[good] = numerator[good] / denominator[good]
    return out


def _filled(
    pattern: Array,
    n: int,
    value: Any,
) -> Array:
    if not is_exact(pattern):
        return np.full(n, float(value))
    fill = value if math.isnan(value) else as_fraction(value)  # NaN stays a float
    return np.full(n, fill, dtype=object)


def picked(
    values: Any,
    where: Array | slice,
) -> Any:
    """Some of the values: those marked, or those of these numbers; None if there are no values."""
    if values is None:
        return None
    if isinstance(values, np.ndarray):
        return values[where] if values.ndim == 1 else values[:, where]
    if isinstance(where, slice):
        return values[where]
    chosen = np.flatnonzero(where) if where.dtype == bool else where
    return [values[i] for i in chosen.tolist()]


def first_place(where: Array) -> list[int]:
    """The place of the first truth value that is true, in a list; an empty list if none is.

    A loop over it refuses the first that is wrong.
    """
    return np.flatnonzero(where)[:1].tolist()  # type: ignore[no-any-return]  # numpy's types end here


def largest(values: Array) -> int:
    """The largest of whole numbers, none of which is below 0; 0 if there are none."""
    return int(values.max(initial=0))


def small(values: Array) -> Array:
    """The same whole numbers in the smallest kind that holds them, to be kept."""
    return values.astype(smallest(largest(values)))


def smallest(most: int) -> Any:
    """The kind of whole number that takes the least room of those that hold up to `most`."""
    return np.int32 if most < 2**31 else np.int64


def plain(value: Any) -> Any:
    """A number as people read it: a Python float, int or Fraction, never a numpy scalar."""
    return value.item() if isinstance(value, np.generic) else value


def concatenated(parts: list[Array]) -> Array:
    """Arrays as one; the list is emptied, so that they are not held longer than needed."""
    out = np.concatenate(parts)
    parts.clear()
    return out
