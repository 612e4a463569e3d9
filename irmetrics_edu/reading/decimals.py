"""Decimal numbers from text, a column at a time, each to the nearest double."""

import re
import sys

import numpy as np

from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.text import Text

_LONGEST = 19  # characters: 18 digits fit in 64 bits
_TENS = 10.0 ** np.arange(23)  # exact in doubles
_EXACT = 1 << 53


def numbers(text: Text) -> tuple[Array, Array]:
    """The numbers that the texts write, and which texts write a finite number.

    The digits are read as one whole number that a double holds exactly. It is divided by a power of
    ten that a double holds exactly. The IEEE division gives the nearest double, as `float` does.
    Longer texts, or those with an exponent, are left to numpy's reader.
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


def _matrix(text: Text, width: int) -> Array:
    place = np.arange(width)
    inside = place < text.length[:, None]
    characters: Array = text.buffer[np.where(inside, text.start[:, None] + place, 0)]
    return np.where(inside, characters, np.uint8(0))


# What C takes for a number from its first character to its last, besides finite decimals.
_C = re.compile(
    r"[+-]?(?:(?P<infinite>inf(?:inity)?)|(?P<nan>nan(?:\([0-9a-z_]*\))?)"
    r"|(?P<hexadecimal>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)",
    re.IGNORECASE | re.ASCII,
)
_GREATEST = sys.float_info.max


def scores_of_c(text: Text, value: Array, good: Array) -> dict[str, Array]:
    """Read the scores that C reads and we don't, in place; which they are, by kind.

    An infinite score becomes the greatest (or the least) double, so that it ranks above (or below)
    all others. nan becomes the least: C's comparisons with nan are always false, so trec_eval's
    order then depends on how the machine's library sorts.
    """
    kinds: dict[str, list[int]] = {}
    for i in np.flatnonzero(~good).tolist():
        word = text[i]
        written = _C.fullmatch(word)
        if written is None:
            continue
        kind, sign = written.lastgroup or "infinite", -1.0 if word[0] == "-" else 1.0
        if kind == "hexadecimal":
            try:
                value[i] = float.fromhex(word)
            except OverflowError:
                kind = "infinite"
        else:
            value[i] = float(word.partition("(")[0])
            kind = "long" if np.isfinite(value[i]) else kind
        if kind == "infinite":
            value[i] = sign * _GREATEST
        elif kind == "nan":
            value[i] = -_GREATEST
        good[i] = True
        kinds.setdefault(kind, []).append(i)
    kinds.pop("long", None)  # a decimal like others, of very many digits
    return {kind: np.array(which, dtype=np.intp) for kind, which in kinds.items()}


def grades_of_c(text: Text, value: Array, good: Array) -> dict[str, Array]:
    """Read the whole number that each grade begins with, in place; which grades were cut."""
    cut = []
    for i in np.flatnonzero(good & (text.length > 1)).tolist():
        digits = _WHOLE.match(text[i])[0]  # type: ignore[index]  # it may match nothing
        whole = float(digits) if digits.strip("+-") else 0.0
        if whole != value[i]:
            value[i] = whole
            cut.append(i)
    return {"cut": np.array(cut, dtype=np.intp)} if cut else {}


_WHOLE = re.compile(r"[+-]?[0-9]*")
