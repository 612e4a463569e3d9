"""Lines of text cut into fields at blanks, all of a block at once."""

from dataclasses import dataclass

import numpy as np

from irmetrics_edu.engine.text import Text
from irmetrics_edu.numbers import Array

NEWLINE = 10
SPACE = 32


@dataclass(eq=False)
class Lines:
    """The lines of a block with the right number of fields, and the numbers of the others.

    Field f of good line i stands between the bytes before[f][i] and end[f][i]. `number` counts the
    lines of the block from 0. `bad` has the numbers of lines with another number of fields.
    `longer` are the good lines that go on after their fields, `comments` those that are comments.
    """

    buffer: Array
    before: list[Array]
    end: list[Array]
    number: Array
    bad: Array
    total: int  # lines in the block, blank ones too
    longer: Array
    comments: Array

    def field(self, f: int) -> Text:
        """One field of all good lines."""
        begin = self.before[f] + 1
        return Text(self.buffer, begin, self.end[f] - begin)


def lines_of(
    raw: bytes,
    end: int,
    fields: int,
    most: float | None = None,
    comment: bytes = b"",
) -> Lines:
    """Cut the whole lines before `end`, which has padding after it; blank lines are skipped.

    A line may have up to `most` fields, of which the first are taken. Lines whose first field
    begins with the byte `comment` are left out.
    """
    buffer = np.frombuffer(raw, dtype=np.uint8)
    used = buffer[:end]
    commented = comment and (raw.startswith(comment) or b"\n" + comment in raw)
    if not commented:
        regular = _regular(buffer, used, fields)
        if regular is not None:
            return regular
    if most is None:
        most = fields
    return _any(buffer, used, fields, most, comment)


def _blank(byte: Array) -> Array:
    tab_to_return = (byte - 9) < 5  # as bytes are unsigned
    blank: Array = (byte == SPACE) | tab_to_return
    return blank


def _regular(buffer: Array, used: Array, fields: int) -> Lines | None:
    """The quick way for lines that all have single separators; None for others."""
    low = used <= SPACE
    stops = np.flatnonzero(low)
    n, over = divmod(len(stops), fields)
    if over or not n or stops[0] == 0:
        return None
    repeated = low[1:] & low[:-1]
    if repeated.any():
        return None
    last_stops = stops[fields - 1 :: fields]
    if (used[last_stops] != NEWLINE).any():
        return None
    spaces = np.count_nonzero(used == SPACE)
    if n + spaces != len(stops):  # other separators, or line ends between fields
        stop = used[stops]
        newlines = np.count_nonzero(stop == NEWLINE)
        if newlines != n or not _blank(stop).all():
            return None
    end = [stops[f::fields] for f in range(fields)]
    before_lines = np.concatenate([[-1], end[-1][:-1]])
    before = [before_lines, *end[:-1]]
    none = np.zeros(0, dtype=np.intp)
    return Lines(
        buffer=buffer,
        before=before,
        end=end,
        number=np.arange(n),
        bad=none,
        total=n,
        longer=none,
        comments=none,
    )


def _any(
    buffer: Array,
    used: Array,
    fields: int,
    most: float,
    mark: bytes,
) -> Lines:
    """Lines with repeated blanks, blanks at either end, or other numbers of fields."""
    blank = _blank(used)
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
        first_bytes = used[begins[first[some]]]
        comment[some] = first_bytes == mark[0]
    good = (count >= fields) & (count <= most) & ~comment
    words = first[good]
    return Lines(
        buffer=buffer,
        before=[begins[words + f] - 1 for f in range(fields)],
        end=[ends[words + f] for f in range(fields)],
        number=np.flatnonzero(good),
        bad=np.flatnonzero(~good & ~comment & (count > 0)),
        total=len(newlines),
        longer=np.flatnonzero(good & (count > fields)),
        comments=np.flatnonzero(comment),
    )
