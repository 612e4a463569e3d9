"""Lines of text cut into fields at blanks, without a loop over the lines."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.text import Text, padded

NEWLINE = 10
HASH = b"#"
NOT_UTF8 = "it is not text in UTF-8"


def _none() -> Array:
    return np.zeros(0, dtype=np.intp)


@dataclass(eq=False)
class Lines:
    """The lines of a block with the right number of fields, and the numbers of the others.

    Field f of good line i is the bytes begin[f][i] to end[f][i]. `number` counts the lines of the
    block from 0. `bad` has the numbers of lines with another number of fields. `longer` are the
    good lines that go on after their fields. `comments` are the lines that are comments.
    """

    buffer: Array
    begin: list[Array]
    end: list[Array]
    number: Array
    bad: Array
    total: int  # lines in the block, blank ones too
    longer: Array = field(default_factory=_none)
    comments: Array = field(default_factory=_none)

    def field(self, f: int) -> Text:
        """One field of all good lines."""
        return Text(self.buffer, self.begin[f], self.end[f] - self.begin[f])


def lines_of(raw: bytes, fields: int, most: float | None = None, comment: bytes = b"") -> Lines:
    """Cut a block of whole lines; blank lines are skipped.

    A line may have up to `most` fields, of which the first are taken. Lines whose first field
    begins with the byte `comment` are left out.
    """
    if raw and raw[-1] != NEWLINE:
        raw += b"\n"
    buffer = padded(raw)
    used = buffer[: len(raw)]
    blank = _blank(used)
    commented = comment and (raw.startswith(comment) or b"\n" + comment in raw)
    regular = None if commented else _regular(buffer, used, blank, fields)
    return regular or _any(buffer, used, blank, fields, fields if most is None else most, comment)


def _blank(used: Array) -> Array:
    """Which bytes part fields: space, tab, line feed, vertical tab, form feed, return."""
    blank: Array = used == 32
    blank |= (used - 9) < 5  # of unsigned bytes
    return blank


def _regular(buffer: Array, used: Array, blank: Array, fields: int) -> Lines | None:
    """The quick way for lines that all have single separators; None for others."""
    stops = np.flatnonzero(blank)
    n, over = divmod(len(stops), fields)
    if over or not n or stops[0] == 0 or np.count_nonzero(used == NEWLINE) != n:
        return None
    if (used[stops[fields - 1 :: fields]] != NEWLINE).any() or (np.diff(stops) < 2).any():
        return None
    end = [stops[f::fields] for f in range(fields)]
    first = np.concatenate([[0], end[-1][:-1] + 1])
    begin = [first, *(e + 1 for e in end[:-1])]
    return Lines(buffer, begin, end, np.arange(n), np.zeros(0, dtype=np.intp), n)


def _any(buffer: Array, used: Array, blank: Array, fields: int, most: float, mark: bytes) -> Lines:
    """Lines with repeated blanks, blanks at either end, or other numbers of fields."""
    edge = np.ones(len(used) + 1, dtype=bool)
    edge[1:] = blank
    begins = np.flatnonzero(edge[:-1] & ~blank)
    edge[:-1] = blank
    edge[-1] = True
    ends = np.flatnonzero(~blank & edge[1:]) + 1
    newlines = np.flatnonzero(used == NEWLINE)
    line = np.searchsorted(newlines, begins)
    count = np.bincount(line, minlength=len(newlines))
    first = np.cumsum(count) - count  # of each line, the first of its words
    comment = np.zeros(len(count), dtype=bool)
    if mark:
        some = np.flatnonzero(count)
        comment[some] = used[begins[first[some]]] == mark[0]
    good = (count >= fields) & (count <= most) & ~comment
    words = first[good]
    return Lines(
        buffer,
        [begins[words + f] for f in range(fields)],
        [ends[words + f] for f in range(fields)],
        np.flatnonzero(good),
        np.flatnonzero(~good & ~comment & (count > 0)),
        len(newlines),
        np.flatnonzero(good & (count > fields)),
        np.flatnonzero(comment),
    )


def not_text(raw: bytes) -> Iterator[tuple[int, str]]:
    """The numbers of lines that are not text in UTF-8, and why; usually none."""
    if raw.isascii() and b"\0" not in raw:
        return
    try:
        raw.decode("utf-8")
        if b"\0" not in raw:
            return
    except UnicodeDecodeError:
        pass
    for i, line in enumerate(raw.split(b"\n")):
        if b"\0" in line:
            yield i, "it holds a NUL byte; expected text in UTF-8 (not UTF-16)"
            continue
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            yield i, NOT_UTF8


def shown(raw: bytes, number: int) -> str:
    """A line of the block as a message quotes it."""
    return raw.split(b"\n", number + 1)[number].decode("utf-8", errors="backslashreplace").strip()
