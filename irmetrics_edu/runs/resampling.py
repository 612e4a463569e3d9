"""How chance changes a mean: differences swapped at random.

Chance comes from the raw bits of PCG64, a stream that numpy keeps from version to version. Sums are
of whole numbers. So a seed gives the same result on every machine.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array

_SWAPPED = 20_000  # queries that differ, up to which the randomisation test draws all it should
_ALL_WAYS = 20  # queries, for which all ways to swap can be held
_MOST_RESAMPLES = 10_000_000
_AT_ONCE = 2_000_000  # numbers held at a time
_IN_ALL = 1_000_000_000  # swaps drawn at most where neither all ways nor the limit will do
_UNEVEN = 1e-3  # 1 over as many queries of one size: from here on the sum is not yet normal
_BYTES = 64  # columns of eight queries at a time: their table stays in the cache
_SIGNS = 1 - 2 * ((np.arange(256)[:, None] >> np.arange(8)) & 1).astype(np.int64)


@dataclass(frozen=True)
class Swapped:
    """A p-value of the randomisation test, how it was computed, and the least possible one."""

    p: float
    ways: str
    least: float


def swapped(d: Array, *, margin: float, seed: int = 0, resamples: int = 9999) -> Swapped:
    """The share of ways to swap two runs, query by query, whose sum is as far from 0 as d's.

    All ways are tried if there are no more than `resamples`. Otherwise that many are drawn at
    random. If more than 20,000 queries differ, the normal limit of the sum is used. If a few
    queries outweigh all others, there is no such limit, and fewer resamples are drawn. `margin` is
    how far the sum may be off by rounding.
    """
    d = d[d != 0]  # the others are alike whichever way they are swapped
    n = len(d)
    if not n:
        return Swapped(1.0, "no query differs", 1.0)
    bits = _bits(seed, resamples)
    whole, exponent = _whole(d)
    least_far = abs(int(whole.sum())) - n - math.ceil(math.ldexp(margin, exponent))
    if n <= _ALL_WAYS and 2**n <= resamples:
        sums: Array = np.zeros(1, dtype=np.int64)
        for value in whole:
            sums = np.concatenate([sums + value, sums - value])
        share = np.count_nonzero(np.abs(sums) >= least_far) / len(sums)
        return Swapped(float(share), f"all {2**n:,} ways to swap", 2 / 2**n)
    if n > _SWAPPED:
        square = whole.astype(np.float64) ** 2
        if float((square**2).sum()) <= _UNEVEN * float(square.sum()) ** 2:
            p = math.erfc(max(0, least_far) / math.sqrt(2 * float(square.sum())))
            return Swapped(p, "normal limit", 0.0)
        resamples = min(resamples, max(99, _IN_ALL // n))
    extreme = np.count_nonzero(np.abs(_sums(whole, resamples, bits)) >= least_far)
    return Swapped(
        (1 + int(extreme)) / (1 + resamples),
        f"{resamples:,} resamples, seed {seed}",
        1 / (1 + resamples),
    )


def _sums(whole: Array, resamples: int, bits: Any) -> Array:
    """The sums of the numbers under random signs: a byte is the signs of eight of them."""
    eights: Array = np.zeros(-(-len(whole) // 8) * 8, dtype=np.int64)
    eights[: len(whole)] = whole
    eights = eights.reshape(-1, 8)
    sums = np.zeros(resamples, dtype=np.int64)
    for begin in range(0, len(eights), _BYTES):
        table = (eights[begin : begin + _BYTES] @ _SIGNS.T).ravel()
        width = len(table) // 256
        place = 256 * np.arange(width)
        step = _AT_ONCE // width
        for first in range(0, resamples, step):
            part = sums[first : first + step]
            signs = _raw(bits, part.size * width, np.uint8).reshape(part.size, width)
            part += table[place + signs].sum(axis=1)
    return sums


def _whole(values: Array) -> tuple[Array, int]:
    """The values times a power of 2 as whole numbers, whose sum is exact; and the exponent."""
    exponent = 62 - len(values).bit_length() - int(np.frexp(np.abs(values).max())[1])
    return np.rint(np.ldexp(values, exponent)).astype(np.int64), exponent


def _bits(seed: int, resamples: int) -> Any:
    for name, given, least, most in (
        ("seed", seed, 0, 2**128 - 1),
        ("resamples", resamples, 1, _MOST_RESAMPLES),
    ):
        if not _is_whole(given) or not least <= given <= most:
            raise InputError(
                f"{name}={given!r} is out of range; give a whole number from {least} to {most:,}"
            )
    return np.random.PCG64(int(seed))


def _is_whole(given: Any) -> bool:
    return isinstance(given, (int, np.integer)) and not isinstance(given, bool)


def _raw(bits: Any, count: int, kind: Any) -> Array:
    """So many random numbers of a kind, from the bits of a generator."""
    words = bits.random_raw(-(-count * np.dtype(kind).itemsize // 8)).astype("<u8")
    found: Array = words.view(np.dtype(kind).newbyteorder("<"))[:count]
    return found
