"""The decimal numbers that a column of texts writes, eight characters at a time.

The eight bytes of "1234.567" are one number of 64 bits. So all of its characters are looked at, and
moved, at once: `_eight` takes the point out, and puts neighbours together, first two digits, then
four, then eight. Constants below repeat a byte in each of the eight places.
"""

import numpy as np

from irmetrics_edu.engine.text import Text
from irmetrics_edu.numbers import Array

_LONGEST = 19  # characters: so many digits fit in 64 bits
_MOST_EXACT_DIGITS = 15  # so many digits always fit in the 53 bits of a double
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
_SEVEN_DIGITS = np.uint64(10**7)
_EIGHT_DIGITS = np.uint64(10**8)
_ZERO = np.uint8(ord("0"))
_UNDERSCORE = ord("_")
_LONGEST_READ = 400  # characters of a number in any notation


def decimals(text: Text) -> tuple[Array, Array]:
    """The numbers that the texts write, and which texts write a finite number.

    The digits are read as one whole number that a double holds exactly. It is divided by a power of
    ten that a double holds exactly. The IEEE division gives the nearest double, as `float` does.
    Longer texts, or those with an exponent, are left to numpy's reader.
    """
    if not len(text):
        none = np.zeros(0)
        return none, none.astype(bool)
    first = text.buffer[text.start]
    minus = first == ord("-")
    plus = first == ord("+")
    signed = minus | plus
    start = text.start
    length = text.length
    if signed.any():
        start = start + signed
        length = length - signed
    if length.max() > _LONGEST:
        length = np.where(length <= _LONGEST, length, 0)
    whole, after, good = _eight(Text(text.buffer, start, length))
    pointed = after < length
    good &= length > pointed
    if length.max() > _MOST_EXACT_DIGITS:
        good &= whole < _EXACT
    if not pointed.all():
        after = np.where(pointed, after, 0)
    value = whole.view(np.int64) / _TENS[after]
    if minus.any():
        value = np.where(minus, -value, value)
    rest = np.flatnonzero(~good)
    if len(rest):
        value_of_rest, good_rest = _others(text.take(rest))
        value[rest] = value_of_rest
        good[rest] = good_rest
    return value, good


def _eight(text: Text) -> tuple[Array, Array, Array]:
    """Of each text, the whole number of its digits, and how many stand after its point.

    That is at least its length if it has no point. The last says which texts are digits with one
    point at most. Their last eight characters are read at once, then those before.
    """
    length = text.length
    end = text.start + text.length
    longest = int(length.max())
    word = _last_eight(text, end)
    point = _points_in(word)
    _, bits_to_point = np.frexp(point.astype(np.float64))
    after = 8 - (bits_to_point >> 3)
    bit = point >> _SEVEN
    word ^= bit * _POINT
    before_it = bit - (bit > 0)  # the bits of the digits before the point
    word += (word & before_it) * _BYTE  # they go to its place
    above_9 = (word + _ABOVE_9) | word
    good = above_9 & _HIGHEST == 0
    _as_one_number(word)
    if len(point) == 1 and point[0]:  # only digits stand before: usually one or two
        for k in range(9, longest + 1):
            character = text.buffer[end - k]
            digit = (character - _ZERO) * (length >= k)
            good &= digit < 10
            # Wide first: numpy 1 multiplies bytes by a number below 2**32 in 32 bits.
            wide = digit.astype(np.uint64)
            tens = np.uint64(10 ** (k - 2))
            word += wide * tens
    elif longest > 8:
        after = np.broadcast_to(after, len(text)).copy()
        _add_front(
            text,
            word,
            after,
            good,
        )
    return word, after, good


def _last_eight(
    text: Text,
    end: Array,
) -> Array:
    """The last eight characters of each text, less the character 0; zeros stand before fewer."""
    length = text.length
    if length.min() >= 8:
        word = text.words(end - 8)
        word ^= _ZEROS
        return word
    n = np.minimum(length, 8)
    word = text.words(end - n)
    word ^= _ZEROS
    missing_bits = (8 - n) << 3
    word <<= missing_bits.astype(np.uint64)  # what follows goes out, zeros come in front
    return word


def _points_in(word: Array) -> Array:
    """The highest bit of the byte of each text's last point; one for all if it is the same."""
    point = word ^ _POINTS
    low_bits = (point & ~_HIGHEST) + ~_HIGHEST
    point = ~(low_bits | point | ~_HIGHEST)
    if (point == point[0]).all():
        point = point[:1]  # as in columns with so many decimals each
    point &= ~point + _ONE  # one point: a second is no digit
    return point


def _as_one_number(word: Array) -> None:
    """Make one number of eight digits, a byte each, in place.

    Two neighbours become one number, in the right one's place; then pairs, then fours.
    """
    word *= np.uint64((10 << 8) + 1)
    word >>= np.uint64(8)
    word &= np.uint64(0x00FF00FF00FF00FF)
    word *= np.uint64((100 << 16) + 1)
    word >>= np.uint64(16)
    word &= np.uint64(0x0000FFFF0000FFFF)
    word *= np.uint64((10_000 << 32) + 1)
    word >>= np.uint64(32)


def _add_front(
    text: Text,
    word: Array,
    after: Array,
    good: Array,
) -> None:
    """Add what stands before the last eight characters of longer texts, in place."""
    is_longer = text.length > 8
    longer = np.flatnonzero(is_longer)
    start = text.start[longer]
    length = text.length[longer] - 8
    left, after_left, good_left = _eight(Text(text.buffer, start, length))
    pointed = after[longer] < 8
    tens = np.where(pointed, _SEVEN_DIGITS, _EIGHT_DIGITS)
    word[longer] += left * tens
    after[longer] += np.where(pointed, 0, after_left)
    pointed_too = after_left < length
    second_point = pointed & pointed_too
    good[longer] &= good_left & ~second_point


def _others(text: Text) -> tuple[Array, Array]:
    """Numbers in any other notation: exponents, many digits."""
    width = int(text.length.max())
    good = (text.length > 0) & (text.length <= _LONGEST_READ)
    if width <= _LONGEST_READ and good.all():
        value = _read_by_numpy(text, width)
        if value is not None:
            return value, np.isfinite(value)
    value = np.zeros(len(text))
    for i in range(len(text)):
        word = text[i]
        plainly_written = "_" not in word and word.isascii()
        readable = good[i] and plainly_written
        try:
            value[i] = float(word) if readable else np.nan
        except ValueError:
            value[i] = np.nan
    return value, np.isfinite(value)


def _read_by_numpy(
    text: Text,
    width: int,
) -> Array | None:
    """The numbers, all at once; None if one is written as numpy reads none."""
    column = np.arange(width)
    inside = column < text.length[:, None]
    place = text.start[:, None] + column
    read = text.buffer[np.where(inside, place, 0)]
    characters = np.where(inside, read, np.uint8(0))
    # Python's reader takes 1_000 for a number; no such notation here.
    if (characters == _UNDERSCORE).any():
        return None
    words = characters.view(f"S{width}").ravel()
    try:
        with np.errstate(over="ignore"):  # beyond doubles it is infinite, and refused
            return words.astype(np.float64)
    except ValueError:
        return None
