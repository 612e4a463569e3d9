"""The decimal numbers that a column of texts writes, eight characters at a time."""

import numpy as np

from irmetrics_edu.engine.text import Text
from irmetrics_edu.numbers import Array

_LONGEST = 19  # characters: so many digits fit in 64 bits
_TENS = 10.0 ** np.arange(23)  # exact in doubles
_EXACT = 1 << 53
_ZEROS = np.uint64(0x3030303030303030)
_POINT = np.uint64(ord(".") ^ ord("0"))
_POINTS = np.uint64(0x1E1E1E1E1E1E1E1E)
_ABOVE_9 = np.uint64(0x7676767676767676)  # added to more than 9, it sets the highest bit of a byte
_HIGHEST = np.uint64(0x8080808080808080)
_SEVEN = np.uint64(7)
_ONE = np.uint64(1)
_BYTE = np.uint64(255)


def decimals(text: Text) -> tuple[Array, Array]:
    """The numbers that the texts write, and which texts write a finite number.

    The digits are read as one whole number that a double holds exactly. It is divided by a power of
    ten that a double holds exactly. The IEEE division gives the nearest double, as `float` does.
    Longer texts, or those with an exponent, are left to numpy's reader.
    """
    if not len(text):
        return np.zeros(0), np.zeros(0, dtype=bool)
    first = text.buffer[text.start]
    minus = first == ord("-")
    signed = minus | (first == ord("+"))
    start, length = text.start, text.length
    if signed.any():
        start, length = start + signed, length - signed
    if length.max() > _LONGEST:
        length = np.where(length <= _LONGEST, length, 0)
    whole, after, good = _eight(Text(text.buffer, start, length))
    pointed = after < length
    good &= length > pointed
    if length.max() > 15:
        good &= whole < _EXACT
    if not pointed.all():
        after = np.where(pointed, after, 0)
    value = whole.view(np.int64) / _TENS[after]
    if minus.any():
        value = np.where(minus, -value, value)
    rest = np.flatnonzero(~good)
    if len(rest):
        value[rest], good[rest] = _others(text.take(rest))
    return value, good


def _eight(text: Text) -> tuple[Array, Array, Array]:
    """Of each text, the whole number of its digits, and how many stand after its point.

    That is at least its length if it has no point. The last says which texts are digits with one
    point at most. Their last eight characters are read at once, then those before.
    """
    length = text.length
    end = text.start + text.length
    longest = int(length.max())
    if length.min() >= 8:
        word = text.words(end - 8)
        word ^= _ZEROS
    else:
        n = np.minimum(length, 8)
        word = text.words(end - n)
        word ^= _ZEROS
        word <<= ((8 - n) << 3).astype(np.uint64)  # what follows goes out, zeros come in front
    point = word ^ _POINTS
    point = ~((point & ~_HIGHEST) + ~_HIGHEST | point | ~_HIGHEST)  # the highest bit of its byte
    if (point == point[0]).all():
        point = point[:1]  # as in columns with so many decimals each
    point &= ~point + _ONE  # one point: a second is no digit
    after = 8 - (np.frexp(point.astype(np.float64))[1] >> 3)
    bit = point >> _SEVEN
    word ^= bit * _POINT
    word += (word & (bit - (bit > 0))) * _BYTE  # digits before it go to its place
    good = ((word + _ABOVE_9) | word) & _HIGHEST == 0
    word *= np.uint64((10 << 8) + 1)  # two neighbours become one number, in the right one's place
    word >>= np.uint64(8)
    word &= np.uint64(0x00FF00FF00FF00FF)
    word *= np.uint64((100 << 16) + 1)
    word >>= np.uint64(16)
    word &= np.uint64(0x0000FFFF0000FFFF)
    word *= np.uint64((10_000 << 32) + 1)
    word >>= np.uint64(32)
    if len(point) == 1 and point[0]:  # only digits stand before: usually one or two
        for k in range(9, longest + 1):
            digit = (text.buffer[end - k] - np.uint8(ord("0"))) * (length >= k)
            good &= digit < 10
            # Wide first: numpy 1 multiplies bytes by a number below 2**32 in 32 bits.
            word += digit.astype(np.uint64) * np.uint64(10 ** (k - 2))
    elif longest > 8:
        longer = np.flatnonzero(length > 8)
        front = Text(text.buffer, text.start[longer], length[longer] - 8)
        left, after_left, good_left = _eight(front)
        after = np.broadcast_to(after, len(text)).copy()
        pointed = after[longer] < 8
        word[longer] += left * np.where(pointed, np.uint64(10**7), np.uint64(10**8))
        after[longer] += np.where(pointed, 0, after_left)
        good[longer] &= good_left & ~(pointed & (after_left < front.length))
    return word, after, good


def _others(text: Text) -> tuple[Array, Array]:
    """Numbers in any other notation: exponents, many digits."""
    width = int(text.length.max())
    good = (text.length > 0) & (text.length <= 400)
    if width <= 400 and good.all():
        place = np.arange(width)
        inside = place < text.length[:, None]
        read = text.buffer[np.where(inside, text.start[:, None] + place, 0)]
        characters = np.where(inside, read, np.uint8(0))
        # Python's reader takes 1_000 for a number; no such notation here.
        if not (characters == 95).any():
            try:
                with np.errstate(over="ignore"):  # beyond doubles it is infinite, and refused
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
