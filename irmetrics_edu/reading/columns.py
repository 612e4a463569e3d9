"""A run, judgments, or a part of them, as columns: whole queries, one after the other.

One file: a column of texts, the decimal numbers that it writes, a sequence of ids over it, and the
columns of a run that are made of these.
"""

import re
import secrets
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, Self

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, concatenated, smallest

PADDING = 24  # bytes that may be read past the end of a text
BYTES = "surrogateescape"  # how bytes that are not UTF-8 stand in text: each by itself, for good
_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)
_THREE = np.uint64(3)
_WORD = np.uint64(64)
_AT_ONCE = 1 << 18  # texts, so that what is needed for a moment is small
_BYTES_AT_ONCE = 1 << 23  # bytes of texts, for the same reason
# A longer text is read whole, by itself: all columns together, eight bytes at a time, would be
# gone through once for each eight bytes of the longest text.
_LONG = 1 << 10
# Keys differ from process to process, so that a file can't be made for one key to stand for many.
# No result hangs on them: where keys are equal, the texts are compared.
_SECRET = np.uint64(secrets.randbits(64))


@dataclass(eq=False)
class Text:
    """Text i is the `length[i]` bytes of `buffer` from `start[i]` on, in UTF-8.

    The buffer is longer than its texts by `PADDING` bytes.
    """

    buffer: Array
    start: Array
    length: Array

    def __len__(self) -> int:
        return len(self.start)

    @classmethod
    def of(cls, texts: Sequence[Any], what: str = "id") -> Self:
        """The column that holds these texts; anything else than text is refused."""
        try:
            encoded = list(map(str.encode, texts))
        except TypeError:
            odd = next(t for t in texts if not isinstance(t, str))
            raise InputError(
                f"{what} {odd!r} is of type {type(odd).__name__}, but the other ids are text; "
                f"write {str(odd)!r}"
            ) from None
        except UnicodeEncodeError as error:
            raise InputError(f"{what} {error.object!r} can't be written as UTF-8") from None
        ends = np.cumsum(np.fromiter(map(len, encoded), np.intp, len(encoded)))
        start = np.concatenate([[0], ends[:-1]]) if encoded else np.zeros(0, dtype=np.intp)
        return cls(padded(b"".join(encoded)), start, ends - start)

    def take(self, where: Array | slice) -> "Text":
        """Some of the texts, over the same buffer."""
        return Text(self.buffer, self.start[where], self.length[where])

    def __getitem__(self, i: int) -> Any:
        begin = int(self.start[i])
        raw = self.buffer[begin : begin + int(self.length[i])].tobytes()
        return raw.decode("utf-8", errors="replace")

    def tolist(self, where: Array | None = None) -> list[Any]:
        """The texts as text; a byte that is not text becomes a lone surrogate, as in file names."""
        start = self.start if where is None else self.start[where]
        length = self.length if where is None else self.length[where]
        if not len(start):
            return []
        first = int(start.min())
        raw = self.buffer[first : int((start + length).max())].tobytes()
        begins = (start - first).tolist()
        ends = (start - first + length).tolist()
        return [str(raw[b:e], "utf-8", BYTES) for b, e in zip(begins, ends, strict=True)]

    @cached_property
    def _aligned(self) -> Array:
        return self.buffer[: len(self.buffer) & ~7].view("<u8")

    def words(self, start: Array) -> Array:
        """The eight bytes from these places on, as one number each.

        It is put together from the two aligned words in which they stand: numpy is slow at others.
        """
        bits = (start & 7).astype(np.uint64)
        bits <<= _THREE
        place = start >> 3
        words: Array = self._aligned.take(place).astype(np.uint64, copy=False)
        words >>= bits
        place += 1
        following = self._aligned.take(place)
        following <<= np.subtract(_WORD, bits, out=bits)  # all of it goes out at 64
        words |= following
        return words

    def _word(self, w: int, start: Array, length: Array) -> Array:
        words = self.words(start + w)
        more = w + 8 - length
        if more.max(initial=0) > 0:
            words <<= (np.maximum(more, 0) << 3).astype(np.uint64)  # what follows goes out
        return words

    def keys(self, salt: Array | None = None) -> Array:
        """A 64-bit number for each text; equal texts of equal salt have equal numbers in a process.

        Different texts may share a number, so compare the texts if their numbers are equal.
        """
        if len(self) > _AT_ONCE:
            out = np.empty(len(self), dtype=np.uint64)
            for begin in range(0, len(self), _AT_ONCE):
                part = slice(begin, begin + _AT_ONCE)
                own = salt[part] if isinstance(salt, np.ndarray) and salt.ndim else salt
                out[part] = self.take(part).keys(own)
            return out
        key = self.length.astype(np.uint64)
        if salt is not None:
            key += salt
        longest = int(self.length.max(initial=0))
        shortest = int(self.length.min(initial=8))
        for w in range(0, min(longest, _LONG), 8):
            if w < shortest:
                key ^= self._word(w, self.start, self.length)
                _mix(key)
            else:
                here = np.flatnonzero(self.length > w)
                mixed = key[here] ^ self._word(w, self.start[here], self.length[here])
                _mix(mixed)
                key[here] = mixed
        if longest > _LONG:
            self._add_rest(key)
        return key

    def _add_rest(self, key: Array) -> None:
        """Mix what long texts have beyond their first bytes into their keys, in place."""
        long = np.flatnonzero(self.length > _LONG)
        rest = np.array([_digest(self._rest(i)) for i in long.tolist()], dtype=np.uint64)
        mixed = key[long] ^ rest
        _mix(mixed)
        key[long] = mixed

    def _rest(self, i: int) -> Array:
        """The bytes of a long text beyond its first ones."""
        begin = int(self.start[i])
        part: Array = self.buffer[begin + _LONG : begin + int(self.length[i])]
        return part

    def compact(self) -> "Text":
        """The same texts in a buffer of their own, without what stood between them."""
        size = int(self.length.sum())
        kind = np.int32 if size < 2**31 - PADDING else np.int64
        ends = np.cumsum(self.length, dtype=kind)
        start = ends - self.length.astype(kind)
        buffer = np.zeros(size + PADDING, dtype=np.uint8)
        i = 0
        while i < len(self):
            full = int(np.searchsorted(ends, int(start[i]) + _BYTES_AT_ONCE))
            here = slice(i, max(i + 1, min(full, i + _AT_ONCE)))
            first = int(start[i])
            last = int(ends[min(here.stop, len(self)) - 1])
            if here.stop == i + 1:
                begin = int(self.start[i])
                buffer[first:last] = self.buffer[begin : begin + last - first]
            else:
                place: Array = np.repeat(self.start[here] - start[here], self.length[here])
                buffer[first:last] = self.buffer[place + np.arange(first, last)]
            i = here.stop
        return Text(buffer, start, self.length.astype(np.int32))

    def equal(self, other: "Text") -> Array:
        """Which texts equal the texts beside them in the other column."""
        if self.kind != other.kind:
            return np.zeros(len(self), dtype=bool)
        same: Array = self.length == other.length
        for w in range(0, min(int(self.length.max(initial=0)), _LONG), 8):
            here = np.flatnonzero(same & (self.length > w))
            same[here] = self._word(w, self.start[here], self.length[here]) == other._word(  # noqa: SLF001 -- its own class
                w, other.start[here], other.length[here]
            )
        for i in np.flatnonzero(same & (self.length > _LONG)).tolist():
            same[i] = np.array_equal(self._rest(i), other._rest(i))  # noqa: SLF001 -- its own class
        return same

    def new(self) -> Array:
        """Which texts differ from the text before them."""
        new = np.ones(len(self), dtype=bool)
        new[1:] = self.length[1:] != self.length[:-1]
        longest = int(self.length.max(initial=0))
        shortest = int(self.length.min(initial=8))
        for w in range(0, min(longest, _LONG), 8):
            if w < shortest:
                word = self._word(w, self.start, self.length)
            else:
                here = np.flatnonzero(self.length > w)
                word = np.zeros(len(self), dtype=np.uint64)
                word[here] = self._word(w, self.start[here], self.length[here])
            new[1:] |= word[1:] != word[:-1]
        for i in np.flatnonzero(~new & (self.length > _LONG)).tolist():
            new[i] = not np.array_equal(self._rest(i), self._rest(i - 1))
        return new

    def is_utf8(self) -> bool:
        """Whether all texts are UTF-8; no text begins within a character."""
        if len(self) and (self.buffer < 128).all():
            return True
        starts = self.start[self.length > 0]
        if ((self.buffer[starts] & 0xC0) == 0x80).any():
            return False
        return utf8(self.buffer.tobytes())

    @property
    def kind(self) -> str:
        """What an id of this column is."""
        return "text"

    @staticmethod
    def joined(parts: list["Text"]) -> "Text":
        """Several columns as one; the list is emptied, so that they are not held twice."""
        if len(parts) == 1:
            return parts[0]
        if all(isinstance(p, Numbers) for p in parts):
            return Numbers.of(np.concatenate([p.values() for p in parts]))  # type: ignore[attr-defined]  # just asked
        if any(isinstance(p, Numbers) for p in parts):
            raise InputError("ids are whole numbers in one part of the input and text in another")
        offset = np.cumsum([0] + [len(p.buffer) for p in parts])
        kind = np.int32 if offset[-1] < 2**31 else np.int64
        start: list[Array] = [
            (p.start + o).astype(kind) for p, o in zip(parts, offset, strict=False)
        ]
        buffer = [p.buffer for p in parts]
        length = [p.length for p in parts]
        parts.clear()
        return Text(concatenated(buffer), concatenated(start), concatenated(length))


@dataclass(eq=False)
class Numbers(Text):
    """A column of ids that are whole numbers, eight bytes each."""

    @classmethod
    def of(cls, texts: Any, what: str = "id") -> Self:
        """The column that holds these whole numbers."""
        given = np.asarray(texts)
        if given.dtype.kind not in "iu":
            raise InputError(f"{what}s are of type {given.dtype}; give whole numbers")
        if given.dtype == np.uint64 and (given > np.uint64(2**63 - 1)).any():
            raise InputError(_TOO_LARGE.format(what=what))
        values = np.ascontiguousarray(given.ravel(), dtype="<i8")
        return cls(
            values.view(np.uint8),
            np.arange(0, 8 * len(values), 8),
            np.full(len(values), 8),
        )

    @property
    def kind(self) -> str:
        """What an id of this column is."""
        return "whole number"

    def values(self, where: Array | None = None) -> Array:
        """The numbers."""
        start = self.start if where is None else self.start[where]
        numbers: Array = self.buffer.view("<i8")[start >> 3]
        return numbers

    def compact(self) -> "Text":
        """The same numbers alone."""
        return Numbers.of(self.values())

    def take(self, where: Array | slice) -> "Text":
        """Some of the numbers."""
        return Numbers(self.buffer, self.start[where], self.length[where])

    def __getitem__(self, i: int) -> Any:
        return int(self.buffer.view("<i8")[int(self.start[i]) >> 3])

    def tolist(self, where: Array | None = None) -> list[Any]:
        """The numbers as numbers."""
        return list(self.values(where).tolist())

    def _word(self, w: int, start: Array, length: Array) -> Array:  # noqa: ARG002 -- all of one length
        words: Array = self.buffer.view("<u8")[start >> 3]
        return words


_TOO_LARGE = "{what}s are whole numbers too large for 64 bits (with their sign); write them as text"


def ids(values: Sequence[Any], what: str = "id") -> Text:
    """The column of these ids: text, or whole numbers throughout."""
    kinds = set(map(type, values)) or {str}
    if all(issubclass(k, (int, np.integer)) and k is not bool for k in kinds):
        try:
            return Numbers.of(np.array(values, dtype=np.int64), what)
        except OverflowError:
            raise InputError(_TOO_LARGE.format(what=what)) from None
    return Text.of(values, what)


def salts(n: int) -> Array:
    """A number for each of `n` groups of texts, other ones in each process."""
    salt = np.arange(1, n + 1, dtype=np.uint64)
    _mix(salt)
    salt ^= _SECRET
    _mix(salt)
    return salt


def _digest(rest: Array) -> int:
    """A 64-bit number for the bytes of a text, another one in each process."""
    return int.from_bytes(blake2b(rest.tobytes(), digest_size=8, key=_SECRET.tobytes()).digest())


def _mix(key: Array) -> None:
    """Spread every bit of the numbers over all bits, in place."""
    key *= _ODD
    key ^= key >> _SHIFT
    key *= _ODD


def utf8(raw: bytes) -> bool:
    """Whether bytes are text in UTF-8."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def padded(raw: bytes | Array) -> Array:
    """The bytes as an array that may be read a little past its end."""
    buffer = np.zeros(len(raw) + PADDING, dtype=np.uint8)
    buffer[: len(raw)] = np.frombuffer(raw, dtype=np.uint8)
    return buffer


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
        kind = written.lastgroup or "infinite"
        sign = -1.0 if word[0] == "-" else 1.0
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


_IDS_AT_ONCE = 1 << 16  # ids made at a time


class Ids(Sequence[Any]):
    """Ids that take their bytes and few more, where a list takes some 60 bytes for each."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def __len__(self) -> int:
        return len(self.text)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return Ids(self.text.take(i))
        place = range(len(self))[i]
        return self.text.take(slice(place, place + 1)).tolist()[0]

    def __iter__(self) -> Iterator[Any]:
        for begin in range(0, len(self), _IDS_AT_ONCE):
            yield from self.text.take(slice(begin, begin + _IDS_AT_ONCE)).tolist()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, (str, bytes)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as a list

    def __repr__(self) -> str:
        return repr(list(self))

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Where an id stands first."""
        return list(self).index(value, start, len(self) if stop is None else stop)

    def compact(self) -> "Ids":
        """The same ids without what stands between them in a file."""
        return Ids(self.text.compact())


def chosen(ids: Sequence[Any], where: Array) -> Sequence[Any]:
    """The ids that a mask marks, or those at some places."""
    if isinstance(ids, Ids):
        return Ids(ids.text.take(where))
    places = np.flatnonzero(where) if where.dtype == bool else where
    return [ids[i] for i in places.tolist()]


def examples(ids: Sequence[Any]) -> Sequence[Any]:
    """Ids of every kind that there is among them: those of a column are of one."""
    return ids[:1] if isinstance(ids, Ids) else ids


def joined(parts: list[Sequence[Any]]) -> Sequence[Any]:
    """Ids from several places; `parts` is emptied, so that they are not held twice."""
    if parts and all(isinstance(p, Ids) for p in parts):
        texts = [p.text for p in parts]  # type: ignore[attr-defined]  # just asked
        if len({isinstance(t, Numbers) for t in texts}) == 1:
            parts.clear()
            return Ids(Text.joined(texts))
    return [i for p in parts for i in p]


def may_repeat(ids: Sequence[Any]) -> bool:
    """Whether an id may stand in the sequence twice; where not, none does."""
    if not isinstance(ids, Ids):
        return len(set(ids)) < len(ids)
    keys = np.sort(ids.text.keys())
    return bool((keys[1:] == keys[:-1]).any())


@dataclass(eq=False)
class RunColumns:
    """Query q has the items starts[q] to starts[q+1]: a document and a value each.

    The value is a score in a run (None: the documents are in the order of their ranks) and a grade
    in judgments. `line` is the line of each item in its file. `origin` is the byte at which this
    part of the file begins, if it can be read from there. `rank` orders the items of each query, if
    a table has ranks beside the scores.
    """

    queries: Sequence[Any]
    starts: Array
    document: Text
    value: Array | None
    line: Array
    origin: int | None = None
    rank: Array | None = None

    @property
    def query(self) -> Array:
        """The number of each item's query."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.starts))

    def take(self, where: Array) -> "RunColumns":
        """Some of the items, in their order; queries stay, even without items."""
        starts = np.searchsorted(self.query[where], np.arange(len(self.queries) + 1))
        return self._items(where, self.queries, starts)

    def of(self, query: Any) -> "RunColumns":
        """The items of one query alone."""
        q = self.queries.index(query)
        return self.of_queries(q, q + 1)

    def of_queries(self, first: int, last: int) -> "RunColumns":
        """The queries from number `first` up to `last`, over the same buffers."""
        begin = int(self.starts[first])
        end = int(self.starts[last])
        starts = self.starts[first : last + 1] - begin
        return self._items(slice(begin, end), self.queries[first:last], starts)

    def _items(self, here: Array | slice, queries: Sequence[Any], starts: Array) -> "RunColumns":
        return RunColumns(
            queries=queries,
            starts=starts,
            document=self.document.take(here),
            value=None if self.value is None else self.value[here],
            line=self.line[here],
            origin=self.origin,
            rank=None if self.rank is None else self.rank[here],
        )

    def compact(self) -> "RunColumns":
        """The same without the rest of the file's bytes, to be held."""
        queries, line = self.queries, self.line
        return replace(
            self,
            queries=queries.compact() if isinstance(queries, Ids) else queries,
            document=self.document.compact(),
            line=line.astype(smallest(int(line.max(initial=0)))),
        )

    def by_rank(self) -> "RunColumns":
        """The same with the items of each query in the order of their ranks, if they have any."""
        if self.rank is None:
            return self
        query = self.query
        if not ((np.diff(self.rank) < 0) & (np.diff(query) == 0)).any():
            return self
        return self.take(np.lexsort((self.rank, query)))

    def grouped(self) -> "RunColumns":
        """The same with the items of each query together, in the order in which queries begin."""
        if not may_repeat(self.queries):
            return self.by_rank()
        number: dict[Any, int] = {}
        codes = np.array([number.setdefault(q, len(number)) for q in self.queries], dtype=np.intp)
        code = np.repeat(codes, np.diff(self.starts))
        order = np.argsort(code, kind="stable")
        starts = np.searchsorted(code[order], np.arange(len(number) + 1))
        return replace(self._items(order, list(number), starts), origin=None).by_rank()

    @staticmethod
    def joined(parts: list["RunColumns"]) -> "RunColumns":
        """Several parts as one, queries grouped; the list is emptied, so as not to hold both."""
        if len(parts) == 1:
            return parts[0].grouped()
        sizes = np.cumsum([0] + [len(p.line) for p in parts]).tolist()
        starts = [p.starts[:-1] + size for p, size in zip(parts, sizes, strict=False)]
        starts.append(np.array(sizes[-1:]))
        return _together(parts, [p.queries for p in parts], concatenated(starts)).grouped()

    @staticmethod
    def of_one_query(parts: list["RunColumns"]) -> "RunColumns":
        """Parts of one query as a whole; the list is emptied, so as not to hold both."""
        ends = np.array([0, sum(len(p.line) for p in parts)])
        return _together(parts, [parts[0].queries], ends).by_rank()


def _together(parts: list[RunColumns], queries: list[Sequence[Any]], starts: Array) -> RunColumns:
    """Parts as one, of these queries; a column that one lacks none has."""
    origin = parts[0].origin if len(queries) == 1 else None
    document = [p.document for p in parts]
    line = [p.line for p in parts]
    value = [p.value for p in parts]
    rank = [p.rank for p in parts]
    parts.clear()

    def column(given: list[Array | None]) -> Array | None:
        there = [array for array in given if array is not None]
        whole = len(there) == len(given)
        given.clear()
        return concatenated(there) if whole else None

    held = joined(queries)
    return RunColumns(
        queries=held,
        starts=starts,
        document=Text.joined(document),
        value=column(value),
        line=concatenated(line),
        origin=origin,
        rank=column(rank),
    )


def columns(
    query: Text,
    document: Text,
    value: Array | None,
    line: Array,
    rank: Array | None = None,
) -> RunColumns:
    """Columns from a query id for each item: neighbours of equal id are one query."""
    starts = np.concatenate([np.flatnonzero(query.new()), [len(query)]])
    queries = Ids(query.take(starts[:-1]))
    return RunColumns(queries, starts, document, value, line, rank=rank).by_rank()


def whole_queries(parts: Iterable[tuple[RunColumns, bool]]) -> Iterator[RunColumns]:
    """Parts as parts of whole queries; beside each is whether its last query may go on.

    A query that comes back later comes in two parts. Only the caller that joins them can notice.
    """
    held: list[RunColumns] = []  # the parts of a query that goes on
    for part, goes_on in parts:
        rest = part
        if held and len(part.queries):
            if part.queries[0] == held[0].queries[0]:
                held.append(part.of_queries(0, 1).compact())
                rest = part.of_queries(1, len(part.queries))
                if not len(rest.queries):
                    continue
            yield RunColumns.of_one_query(held)
        n = len(rest.queries)
        whole = max(0, n - goes_on)
        if whole:
            yield rest if whole == n else rest.of_queries(0, whole)
        if whole < n:
            held.append(rest.of_queries(whole, n).compact())
    if held:
        yield RunColumns.of_one_query(held)
