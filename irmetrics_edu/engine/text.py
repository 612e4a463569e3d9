"""A column of texts, or of whole numbers, over one buffer of bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from irmetrics_edu.engine.keys import digest, mix
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, concatenated, largest, smallest

PADDING = 24  # bytes that may be read past the end of a text
BYTES = "surrogateescape"  # how bytes that are not UTF-8 stand in text: each by itself, for good
_THREE = np.uint64(3)
_WORD = np.uint64(64)
_UTF8_KIND = 0xC0  # the bits of a byte that say whether it stands within a character
_UTF8_INNER = 0x80
_AT_ONCE = 1 << 18  # texts, so that what is needed for a moment is small
_BYTES_AT_ONCE = 1 << 23  # bytes of texts, for the same reason
# A longer text is read whole, by itself: all columns together, eight bytes at a time, would be
# gone through once for each eight bytes of the longest text.
_LONG = 1 << 10


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
    def of(
        cls,
        texts: Sequence[Any],
        what: str = "id",
    ) -> Self:
        """The column that holds these texts; anything else than text is refused."""
        try:
            encoded = list(map(str.encode, texts))
        except TypeError:
            odd = next(t for t in texts if not isinstance(t, str))
            kind = type(odd).__name__
            raise InputError(
                f"{what} {odd!r} is of type {kind}, but the other ids are text; write {str(odd)!r}"
            ) from None
        except UnicodeEncodeError as error:
            raise InputError(f"{what} {error.object!r} can't be written as UTF-8") from None
        length = np.fromiter(map(len, encoded), np.intp, len(encoded))
        ends = np.cumsum(length)
        buffer = padded(b"".join(encoded))
        return cls(buffer, ends - length, length)

    def take(self, where: Array | slice) -> "Text":
        """Some of the texts, over the same buffer."""
        return Text(self.buffer, self.start[where], self.length[where])

    def __getitem__(self, i: int) -> Any:
        begin = int(self.start[i])
        end = begin + int(self.length[i])
        raw = self.buffer[begin:end].tobytes()
        return raw.decode("utf-8", errors="replace")

    def tolist(self, where: Array | None = None) -> list[Any]:
        """The texts as text; a byte that is not text becomes a lone surrogate, as in file names."""
        start = self.start
        length = self.length
        if where is not None:
            start = start[where]
            length = length[where]
        if not len(start):
            return []
        end = start + length
        first = int(start.min())
        last = int(end.max())
        raw = self.buffer[first:last].tobytes()
        start_in_raw = start - first
        end_in_raw = end - first
        begins = start_in_raw.tolist()
        ends = end_in_raw.tolist()
        spans = zip(begins, ends, strict=True)
        return [str(raw[b:e], "utf-8", BYTES) for b, e in spans]

    @cached_property
    def _aligned(self) -> Array:
        whole_words = len(self.buffer) & ~7
        return self.buffer[:whole_words].view("<u8")

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

    def _word(
        self,
        w: int,
        start: Array,
        length: Array,
    ) -> Array:
        """Eight bytes of each text, from byte `w` on; zeros stand for what is past its end."""
        words = self.words(start + w)
        more = w + 8 - length
        if more.max(initial=0) > 0:
            bits_of_others = np.maximum(more, 0) << 3
            words <<= bits_of_others.astype(np.uint64)  # what follows goes out
        return words

    def keys(self, salt: Array | None = None) -> Array:
        """A 64-bit number for each text; equal texts of equal salt have equal numbers in a process.

        Different texts may share a number, so compare the texts if their numbers are equal.
        """
        if len(self) > _AT_ONCE:
            return self._keys_in_parts(salt)
        key = self.length.astype(np.uint64)
        if salt is not None:
            key += salt
        longest = largest(self.length)
        shortest = int(self.length.min(initial=8))
        for w in range(0, min(longest, _LONG), 8):
            if w < shortest:
                key ^= self._word(w, self.start, self.length)
                mix(key)
            else:
                here = np.flatnonzero(self.length > w)
                word = self._word(w, self.start[here], self.length[here])
                mixed = key[here] ^ word
                mix(mixed)
                key[here] = mixed
        if longest > _LONG:
            self._add_rest(key)
        return key

    def _keys_in_parts(self, salt: Array | None) -> Array:
        """The keys of many texts, some at a time."""
        keys = np.empty(len(self), dtype=np.uint64)
        salt_of_each = isinstance(salt, np.ndarray) and salt.ndim > 0
        for begin in range(0, len(self), _AT_ONCE):
            part = slice(begin, begin + _AT_ONCE)
            salt_here = salt
            if salt is not None and salt_of_each:
                salt_here = salt[part]
            keys[part] = self.take(part).keys(salt_here)
        return keys

    def _add_rest(self, key: Array) -> None:
        """Mix what long texts have beyond their first bytes into their keys, in place."""
        is_long = self.length > _LONG
        long = np.flatnonzero(is_long)
        digests = []
        for i in long.tolist():
            rest = self._rest(i)
            digests.append(digest(rest))
        mixed = key[long] ^ np.array(digests, dtype=np.uint64)
        mix(mixed)
        key[long] = mixed

    def _rest(self, i: int) -> Array:
        """The bytes of a long text beyond its first ones."""
        begin = int(self.start[i])
        end = begin + int(self.length[i])
        part: Array = self.buffer[begin + _LONG : end]
        return part

    def compact(self) -> "Text":
        """The same texts in a buffer of their own, without what stood between them."""
        size = int(self.length.sum())
        kind = smallest(size + PADDING)
        ends = np.cumsum(self.length, dtype=kind)
        start = ends - self.length.astype(kind)
        buffer = np.zeros(size + PADDING, dtype=np.uint8)
        i = 0
        while i < len(self):
            first = int(start[i])
            full = int(np.searchsorted(ends, first + _BYTES_AT_ONCE))
            stop = min(full, i + _AT_ONCE)
            stop = max(i + 1, stop)
            last_text = min(stop, len(self)) - 1
            last = int(ends[last_text])
            if stop == i + 1:
                begin = int(self.start[i])
                end = begin + last - first
                buffer[first:last] = self.buffer[begin:end]
            else:
                here = slice(i, stop)
                moved_by = self.start[here] - start[here]
                shift: Array = np.repeat(moved_by, self.length[here])
                place = shift + np.arange(first, last)
                buffer[first:last] = self.buffer[place]
            i = stop
        return Text(
            buffer,
            start,
            self.length.astype(np.int32),
        )

    def equal(self, other: "Text") -> Array:
        """Which texts equal the texts beside them in the other column."""
        if self.kind != other.kind:
            return np.zeros(len(self), dtype=bool)
        same: Array = self.length == other.length
        longest = largest(self.length)
        for w in range(0, min(longest, _LONG), 8):
            goes_on = same & (self.length > w)
            here = np.flatnonzero(goes_on)
            word = self._word(w, self.start[here], self.length[here])
            beside = other._word(w, other.start[here], other.length[here])  # noqa: SLF001 -- its own class
            same[here] = word == beside
        is_long = same & (self.length > _LONG)
        for i in np.flatnonzero(is_long).tolist():
            rest = self._rest(i)
            same[i] = np.array_equal(rest, other._rest(i))  # noqa: SLF001 -- its own class
        return same

    def may_equal(self, other: "Text", beside: Array) -> Array:
        """The places of the texts that may equal the one named for each in another column.

        Lengths, last bytes and first bytes are compared. This is quick, and few are left.
        """
        places = np.flatnonzero(self.length == other.length[beside])
        for from_start in (False, True):
            if not len(places):
                return places
            byte = self._end_byte(places, from_start=from_start)
            named = other._end_byte(beside[places], from_start=from_start)  # noqa: SLF001 -- its own class
            places = places[byte == named]
        return places

    def _end_byte(self, places: Array, *, from_start: bool) -> Array:
        """The first or the last byte of some texts; of an empty one, any."""
        at = self.start[places]
        if not from_start:
            at = at + self.length[places] - 1
        byte: Array = self.buffer.take(at, mode="clip")
        return byte

    def new(self) -> Array:
        """Which texts differ from the text before them."""
        new = np.ones(len(self), dtype=bool)
        new[1:] = _changes(self.length)
        longest = largest(self.length)
        shortest = int(self.length.min(initial=8))
        for w in range(0, min(longest, _LONG), 8):
            if w < shortest:
                word = self._word(w, self.start, self.length)
            else:
                here = np.flatnonzero(self.length > w)
                word = np.zeros(len(self), dtype=np.uint64)
                word[here] = self._word(w, self.start[here], self.length[here])
            new[1:] |= _changes(word)
        is_long = ~new & (self.length > _LONG)
        for i in np.flatnonzero(is_long).tolist():
            rest = self._rest(i)
            new[i] = not np.array_equal(rest, self._rest(i - 1))
        return new

    def is_utf8(self) -> bool:
        """Whether all texts are UTF-8; no text begins within a character."""
        is_ascii = self.buffer < 128
        if is_ascii.all():
            return True
        starts = self.start[self.length > 0]
        first_bytes = self.buffer[starts]
        is_inner = (first_bytes & _UTF8_KIND) == _UTF8_INNER
        if is_inner.any():
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
        numbers = [part.values() for part in parts if isinstance(part, Numbers)]
        if numbers:
            if len(numbers) == len(parts):
                return Numbers.of(np.concatenate(numbers))
            raise InputError("ids are whole numbers in one part of the input and text in another")
        sizes = [len(p.buffer) for p in parts]
        kind = smallest(sum(sizes))
        buffer: list[Array] = []
        start: list[Array] = []
        length: list[Array] = []
        offset = 0
        for part in parts:
            buffer.append(part.buffer)
            moved: Array = part.start.astype(kind)
            moved += offset
            start.append(moved)
            length.append(part.length)
            offset += len(part.buffer)
        parts.clear()
        return Text(
            buffer=concatenated(buffer),
            start=concatenated(start),
            length=concatenated(length),
        )


@dataclass(eq=False)
class Numbers(Text):
    """A column of ids that are whole numbers, eight bytes each."""

    @classmethod
    def of(
        cls,
        texts: Any,
        what: str = "id",
    ) -> Self:
        """The column that holds these whole numbers."""
        numbers = np.asarray(texts)
        if numbers.dtype.kind not in "iu":
            raise InputError(f"{what}s are of type {numbers.dtype}; give whole numbers")
        if numbers.dtype == np.uint64:
            too_large = numbers > _LARGEST
            if too_large.any():
                raise InputError(_TOO_LARGE.format(what=what))
        values = np.ascontiguousarray(numbers.ravel(), dtype="<i8")
        n = len(values)
        return cls(
            buffer=values.view(np.uint8),
            start=np.arange(0, 8 * n, 8),
            length=np.full(n, 8),
        )

    @property
    def kind(self) -> str:
        """What an id of this column is."""
        return "whole number"

    def values(self, where: Array | None = None) -> Array:
        """The numbers."""
        start = self.start
        if where is not None:
            start = start[where]
        numbers: Array = self.buffer.view("<i8")[start >> 3]
        return numbers

    def compact(self) -> "Text":
        """The same numbers alone."""
        return Numbers.of(self.values())

    def take(self, where: Array | slice) -> "Text":
        """Some of the numbers."""
        return Numbers(self.buffer, self.start[where], self.length[where])

    def __getitem__(self, i: int) -> Any:
        place = int(self.start[i]) >> 3
        return int(self.buffer.view("<i8")[place])

    def tolist(self, where: Array | None = None) -> list[Any]:
        """The numbers as numbers."""
        return list(self.values(where).tolist())

    def _word(
        self,
        w: int,  # noqa: ARG002 -- all of one length
        start: Array,
        length: Array,  # noqa: ARG002 -- all of one length
    ) -> Array:
        words: Array = self.buffer.view("<u8")[start >> 3]
        return words


_LARGEST = np.uint64(2**63 - 1)
_TOO_LARGE = "{what}s are whole numbers too large for 64 bits (with their sign); write them as text"


def ids(
    values: Sequence[Any],
    what: str = "id",
) -> Text:
    """The column of these ids: text, or whole numbers throughout."""
    kinds = set(map(type, values)) or {str}
    if not all(map(_is_whole, kinds)):
        return Text.of(values, what)
    try:
        numbers = np.array(values, dtype=np.int64)
    except OverflowError:
        raise InputError(_TOO_LARGE.format(what=what)) from None
    return Numbers.of(numbers, what)


def _changes(values: Array) -> Array:
    """Where a value differs from the one before it."""
    changed: Array = values[1:] != values[:-1]
    return changed


def _is_whole(kind: type) -> bool:
    return issubclass(kind, (int, np.integer)) and kind is not bool


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
