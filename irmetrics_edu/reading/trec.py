"""The files of TREC: runs (query Q0 document rank score tag), qrels (query 0 document grade).

Lines are cut into fields at blanks, a block at a time and without a loop over the lines.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO

import numpy as np

from irmetrics_edu.conventions import STRICT, Reading
from irmetrics_edu.engine.columns import RunColumns, columns, whole_queries
from irmetrics_edu.engine.decimals import decimals
from irmetrics_edu.engine.lines import Lines, lines_of
from irmetrics_edu.engine.numbers_of_c import grades_of_c, scores_of_c
from irmetrics_edu.engine.text import PADDING, Text, utf8
from irmetrics_edu.errors import LONGER_LINES, Avoidable
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading import files
from irmetrics_edu.reading.files import Problems

HASH = b"#"
NOT_UTF8 = "it is not text in UTF-8"


def not_text(raw: bytes) -> Iterator[tuple[int, str]]:
    """The numbers of lines that are not text in UTF-8, and why; usually none."""
    if b"\0" not in raw and (raw.isascii() or utf8(raw)):
        return
    for i, line in enumerate(raw.split(b"\n")):
        if b"\0" in line:
            yield i, "it holds a NUL byte; expected text in UTF-8 (not UTF-16)"
        elif not utf8(line):
            yield i, NOT_UTF8


_LAST_ASCII = 127
_AFTER = b"\n" + bytes(PADDING)  # the last line may lack its end
BLOCK = 1 << 20  # bytes at a time: the arrays over them stay in the processor's cache


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields of a kind of file, and the places of document and value among them.

    For trec_eval's readings: the `most` fields that a line may have, and how trec_eval reads values
    that are not plain decimals. `as_c` does so in place and reports them.
    """

    fields: tuple[str, ...]
    query: int
    document: int
    value: int
    most: float
    as_c: Callable[[Text, Array, Array], dict[str, Array]]

    def __str__(self) -> str:
        return " ".join(self.fields)


_RUN_FIELDS = ("query", "Q0", "document", "rank", "score", "tag")
RUN = Layout(
    fields=_RUN_FIELDS,
    query=0,
    document=2,
    value=4,
    most=math.inf,
    as_c=scores_of_c,
)
QRELS = Layout(
    fields=("query", "iteration", "document", "grade"),
    query=0,
    document=2,
    value=3,
    most=4,
    as_c=grades_of_c,
)


@dataclass(eq=False)
class _Parsed:
    items: RunColumns
    begin: Array  # the byte at which each item's line begins
    cut: Lines
    raw: bytes
    bad: Array  # the numbers of malformed lines, within the block
    not_text: dict[int, str]
    told: dict[str, Array]  # the numbers of lines that were taken as trec_eval takes them, by kind

    def but_last(self, first_line: int) -> tuple[RunColumns, int, int]:
        """All queries but the last, and how many bytes and lines stand before it."""
        last = int(self.items.starts[-2])
        used = int(self.begin[last])
        count = int(self.items.line[last]) - first_line
        return self.items.of_queries(0, len(self.items.queries) - 1), used, count


@dataclass
class TrecFile:
    """A file of TREC, read in pieces of whole queries with bounded memory."""

    file: files.File
    layout: Layout = RUN
    block: int = BLOCK
    reading: Reading = STRICT

    def __post_init__(self) -> None:
        self.file = files.as_file(self.file)

    def pieces(self, problems: Problems, origin: int = 0) -> Iterator[RunColumns]:
        """The file's queries, whole, some at a time; `origin` is a byte to begin at."""
        return whole_queries(self._blocks(problems, origin))

    def _blocks(self, problems: Problems, origin: int) -> Iterator[tuple[RunColumns, bool]]:
        """The queries of each block, and whether it holds one alone, which may go on.

        The last of several queries may go on too: it is read again with the next block.
        """
        with files.opened(self.file) as stream:
            seekable = not self.file.packing
            place = self._begin_at(stream, origin)
            line = 1
            rest = b""
            while True:
                fresh = files.read(stream, self.block, self.file, line)
                raw = b"".join((rest, fresh, _AFTER))  # copied once
                if line == 1 and place == 0:
                    raw, place = self._without_mark(raw, problems)
                size = len(raw) - len(_AFTER)
                self._refuse_long(raw, size, line)
                end = raw.rfind(b"\n", 0, size) + 1
                if not fresh and end < size:
                    end = size + 1
                parsed = self._parsed(raw, end, line)
                items = parsed.items
                used = end
                count = parsed.cut.total
                if fresh and len(items.queries) > 1:
                    items, used, count = parsed.but_last(line)
                self._tell(parsed, line, count, problems)
                if len(items.queries):
                    items.origin = place if seekable else None
                    is_alone = len(parsed.items.queries) == 1
                    yield items, bool(fresh) and is_alone
                rest = raw[used:size]
                place += used
                line += count
                if not fresh:
                    return

    def _begin_at(self, stream: IO[bytes], origin: int) -> int:
        """Go to a byte of the file, if it can be read from there."""
        if origin and not self.file.packing:
            stream.seek(origin)
        return origin

    def _without_mark(self, raw: bytes, problems: Problems) -> tuple[bytes, int]:
        """The first bytes of a file without a mark of their order, and how long it was."""
        bare = files.without_mark(raw)
        size = len(raw) - len(bare)
        if size and self.reading.as_c:
            problems.told["mark"] += 1
        return bare, size

    def _refuse_long(
        self,
        raw: bytes,
        size: int,
        line: int,
    ) -> None:
        """Refuse a line of more than so many bytes: it covers a byte that the number divides."""
        most = self.file.limits.max_line
        for place in range(most, size, most):
            begin = raw.rfind(b"\n", 0, place) + 1
            if raw.find(b"\n", place) - begin > most:  # there is one after the last line
                number = line + raw.count(b"\n", 0, begin)
                wrong = (
                    f"{self.file}, line {number}: longer than {most:,} bytes; "
                    f"expected {self.layout}"
                )
                raise Avoidable(wrong, LONGER_LINES)

    def _parsed(
        self,
        raw: bytes,
        end: int,
        first: int,
    ) -> _Parsed:
        layout = self.layout
        as_c = self.reading.as_c
        most = layout.most if as_c else None
        mark = HASH if self.reading.comments else b""
        cut = lines_of(raw, end, len(layout.fields), most, mark)
        written = cut.field(layout.value)
        value, good = decimals(written)
        told = {"longer": cut.longer, "comments": cut.comments}
        if as_c:
            kinds = layout.as_c(written, value, good)
            for kind, which in kinds.items():
                told[kind] = cut.number[which]
        odd = _not_text_in(raw, end, cut)
        if as_c and odd:
            odd, told["not_utf8"] = _taken_as_c(odd)
        if odd:
            good &= ~np.isin(cut.number, list(odd))
        query = cut.field(layout.query)
        document = cut.field(layout.document)
        begin = query.start
        number = cut.number
        bad = cut.bad
        if not good.all():
            bad = np.union1d(bad, number[~good])
            query = query.take(good)
            document = document.take(good)
            value = value[good]
            begin = begin[good]
            number = number[good]
        if odd:
            bad = np.union1d(bad, list(odd))
        items = columns(query, document, value, first + number)
        return _Parsed(
            items=items,
            begin=begin,
            cut=cut,
            raw=raw,
            bad=bad,
            not_text=odd,
            told=told,
        )

    def _tell(
        self,
        parsed: _Parsed,
        first: int,
        count: int,
        problems: Problems,
    ) -> None:
        """Report what is malformed or specially taken among the first `count` lines of a block."""
        for kind, numbers in parsed.told.items():
            n = len(numbers) and int((np.setdiff1d(numbers, parsed.bad) < count).sum())
            if n:
                problems.told[kind] += n
        bad = parsed.bad[parsed.bad < count].tolist()
        layout = self.layout
        few = len(layout.fields)
        most = layout.most if self.reading.as_c else few
        for i, number in enumerate(bad):
            if not problems.room:
                problems.count += len(bad) - i
                return
            line = parsed.raw.split(b"\n", number + 1)[number]
            words = line.split()  # at the blanks of C
            if number in parsed.not_text:
                wrong = parsed.not_text[number]
            elif not few <= len(words) <= most:
                wrong = f"{len(words)} fields; expected {few}: {layout}{_rather(layout, words)}"
            else:
                wrong = (
                    f"{layout.fields[layout.value]} {_text(words[layout.value])!r} is not a "
                    f"finite number; expected {layout}{_comment(words)}"
                )
            problems.add(first + number, _text(line).strip(), wrong)


def _not_text_in(raw: bytes, end: int, cut: Lines) -> dict[int, str]:
    """The lines that are no text, and why; comments may be anything."""
    if raw.find(b"\0", 0, end) < 0 and cut.buffer.max() <= _LAST_ASCII:
        return {}
    odd = dict(not_text(raw[:end]))
    for comment in cut.comments.tolist():
        odd.pop(comment, None)
    return odd


def _taken_as_c(odd: dict[int, str]) -> tuple[dict[int, str], Array]:
    """The lines that C does not take either, and those that it takes though they are not UTF-8."""
    refused: dict[int, str] = {}
    taken: list[int] = []
    for number, why in odd.items():
        if why == NOT_UTF8:
            taken.append(number)
        else:
            refused[number] = why
    return refused, np.array(taken, np.intp)


def _comment(words: list[bytes]) -> str:
    """How a line is read that begins as comments of trec_eval 10 do."""
    if words and words[0].startswith(b"#"):
        return " (a comment? conventions='trec_eval_10' leaves out lines that begin with #)"
    return ""


def _rather(layout: Layout, words: list[bytes]) -> str:
    """What a line has the fields of, if it stands in a file of another kind."""
    if _comment(words):
        return _comment(words)
    if layout is QRELS and len(words) == len(RUN.fields):
        return " (a run has 6; is this the run? Judgments come first in commands)"
    if layout is RUN and len(words) == len(QRELS.fields):
        return " (judgments have 4; are these the judgments?)"
    if layout is QRELS and len(words) == 5:
        return " (an id with a blank in it? then write a table: CSV)"
    if len(words) == 1 and b"," in words[0]:
        return " (if this is a table, rename the file to end in .csv)"
    return ""


def _text(word: bytes) -> str:
    return word.decode("utf-8", errors="backslashreplace")
