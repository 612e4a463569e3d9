"""The files of TREC: runs (query Q0 document rank score tag), qrels (query 0 document grade)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from irmetrics_edu.numbers import Array
from irmetrics_edu.reading import decimals, files
from irmetrics_edu.reading.columns import Columns, columns
from irmetrics_edu.reading.lines import Lines, lines_of, not_text, shown
from irmetrics_edu.reading.problems import Problems

BLOCK = 1 << 22  # bytes at a time: the arrays over them stay in the processor's cache


@dataclass(frozen=True, slots=True)
class Layout:
    """Which fields a kind of file has, and where document and value stand among them."""

    fields: tuple[str, ...]
    query: int
    document: int
    value: int

    def __str__(self) -> str:
        return " ".join(self.fields)


RUN = Layout(("query", "Q0", "document", "rank", "score", "tag"), 0, 2, 4)
QRELS = Layout(("query", "iteration", "document", "grade"), 0, 2, 3)


@dataclass(eq=False)
class _Parsed:
    items: Columns
    begin: Array  # the byte at which each item's line begins
    cut: Lines
    raw: bytes
    bad: Array  # the numbers of malformed lines, within the block
    not_text: dict[int, str]


@dataclass
class TrecFile:
    """A file of TREC, read in pieces of whole queries with bounded memory."""

    path: Path
    layout: Layout = RUN
    block: int = BLOCK

    def pieces(self, problems: Problems, origin: int = 0) -> Iterator[Columns]:
        """The file's queries, whole, some at a time; `origin` is a byte to begin at.

        A query that comes back later in the file comes in two pieces; only who puts them together
        can tell.
        """
        with files.opened(self.path) as stream:
            seekable = not files.compression(self.path)
            if origin and seekable:
                stream.seek(origin)
            place, line, size, rest = origin, 1, self.block, b""
            while True:
                fresh = files.read(stream, size, self.path, line)
                raw = rest + fresh
                if line == 1 and place == 0:
                    bare = files.without_mark(raw)
                    place, raw = len(raw) - len(bare), bare
                end = raw.rfind(b"\n") + 1 if fresh else len(raw)
                parsed = self._parsed(raw[:end], line)
                if fresh and len(parsed.items.queries) == 1:
                    used, count, items = 0, 0, None  # the one query may go on: read more
                    size = max(size, len(raw))
                elif fresh and parsed.items.queries:
                    last = int(parsed.items.starts[-2])
                    used = int(parsed.begin[last])
                    count = int(parsed.items.line[last]) - line
                    items = _without_last(parsed.items)
                else:
                    used, count, items = end, parsed.cut.total, parsed.items
                self._tell(parsed, line, count, problems)
                if items is not None and items.queries:
                    items.origin = place if seekable else None
                    yield items
                rest = raw[used:]
                place, line = place + used, line + count
                if not fresh:
                    return
                if used:
                    size = self.block

    def _parsed(self, raw: bytes, first: int) -> _Parsed:
        layout = self.layout
        cut = lines_of(raw, len(layout.fields))
        value, good = decimals.numbers(cut.field(layout.value))
        odd = dict(not_text(raw))
        if odd:
            good &= ~np.isin(cut.number, list(odd))
        query, document = cut.field(layout.query), cut.field(layout.document)
        begin, number, bad = cut.begin[0], cut.number, cut.bad
        if not good.all():
            bad = np.union1d(bad, number[~good])
            query, document = query.take(good), document.take(good)
            value, begin, number = value[good], begin[good], number[good]
        if odd:
            bad = np.union1d(bad, list(odd))
        items = columns(query, document, value, first + number)
        return _Parsed(items, begin, cut, raw, bad, odd)

    def _tell(self, parsed: _Parsed, first: int, count: int, problems: Problems) -> None:
        """Report the malformed among the first `count` lines of a block."""
        bad = parsed.bad[parsed.bad < count].tolist()
        layout = self.layout
        for i, number in enumerate(bad):
            if not problems.room:
                problems.more(len(bad) - i)
                return
            text = shown(parsed.raw, number)
            words = text.split()
            if number in parsed.not_text:
                wrong = parsed.not_text[number]
            elif len(words) != len(layout.fields):
                wrong = f"{len(words)} fields; expected {len(layout.fields)}: {layout}"
            else:
                wrong = (
                    f"{layout.fields[layout.value]} {words[layout.value]!r} is not a finite "
                    f"number; expected {layout}"
                )
            problems.add(first + number, text, wrong)


def _without_last(items: Columns) -> Columns:
    """All queries but the last, which may go on in the next block."""
    end = int(items.starts[-2])
    return Columns(
        items.queries[:-1],
        items.starts[:-1],
        items.document.take(slice(0, end)),
        None if items.value is None else items.value[:end],
        items.line[:end],
    )
