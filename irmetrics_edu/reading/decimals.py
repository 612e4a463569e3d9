"""Decimal numbers from text, a column at a time, each to the nearest double."""

import numpy as np

from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.text import Text

_LONGEST = 19  # characters: 18 digits fit in 64 bits
_TENS = 10.0 ** np.arange(23)  # exact in doubles
_EXACT = 1 << 53


def numbers(text: Text) -> tuple[Array, Array]:
    """The numbers that the texts write, and which texts write a finite number.

    Digits, read as one whole number that a double holds exactly, over a power of ten that a
    double holds exactly: IEEE division then gives the nearest double, as `float` does. What is
    longer, or has an exponent, is left to numpy's reader.
    """
    value = np.zeros(len(text))
    good = np.zeros(len(text), dtype=bool)
    done = np.zeros(len(text), dtype=bool)
    lengths = text.length
    counts = np.bincount(np.minimum(lengths, _LONGEST + 1), minlength=_LONGEST + 2)
    for size in np.flatnonzero(counts[1 : _LONGEST + 1]) + 1:
        whole = counts[size] == len(text)
        here = slice(None) if whole else np.flatnonzero(lengths == size)
        value[here], done[here] = _of_length(text.buffer, text.start[here], int(size))
    good |= done
    rest = np.flatnonzero(~done)
    if len(rest):
        value[rest], good[rest] = _others(text.take(rest))
    return value, good


def _of_length(buffer: Array, start: Array, size: int) -> tuple[Array, Array]:
    """Numbers of `size` characters each, and which of them could be read so."""
    whole = np.zeros(len(start), dtype=np.int64)
    digits = np.zeros(len(start), dtype=np.int8)
    points = np.zeros(len(start), dtype=np.int8)
    decimals = np.zeros(len(start), dtype=np.int8)
    fine = np.ones(len(start), dtype=bool)
    minus = None
    for j in range(size):
        character = buffer[start + j]
        digit = character - 48  # of unsigned bytes: what is no digit comes out above 9
        is_digit = digit < 10
        if is_digit.all():
            whole *= 10
            whole += digit
            digits += 1
            continue
        point = character == 46
        if j == 0:
            minus = character == 45
            fine &= is_digit | point | minus | (character == 43)
        else:
            fine &= is_digit | point
        if point.all():
            points += 1
            decimals += size - 1 - j
            continue
        whole = np.where(is_digit, whole * 10 + digit, whole)
        digits += is_digit
        points += point
        decimals += point * np.int8(size - 1 - j)
    fine &= (points <= 1) & (digits > 0) & (digits <= 18) & (whole < _EXACT)
    value = whole / _TENS[np.where(fine, decimals, 0)]
    if minus is not None and minus.any():
        value = np.where(minus, -value, value)
    return value, fine


def _others(text: Text) -> tuple[Array, Array]:
    """Numbers in any other notation: exponents, many digits."""
    width = int(text.length.max())
    good = (text.length > 0) & (text.length <= 400)
    if width <= 400 and good.all():
        characters = _matrix(text, width)
        # Python's reader takes 1_000 for a number; no such notation here.
        if not (characters == 95).any():
            try:
                value = characters.view(f"S{width}").ravel().astype(np.float64)
            except ValueError:
                pass
            else:
                return value, np.isfinite(value)
    value = np.zeros(len(text))
    for i in range(len(text)):
        word = text[i]
        try:
            value[i] = float("_" if "_" in word or not good[i] or not word.isascii() else word)
        except ValueError:
            value[i] = np.nan
    return value, np.isfinite(value)


def _matrix(text: Text, width: int) -> Array:
    place = np.arange(width)
    inside = place < text.length[:, None]
    characters: Array = text.buffer[np.where(inside, text.start[:, None] + place, 0)]
    return np.where(inside, characters, np.uint8(0))
