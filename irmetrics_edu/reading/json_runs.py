"""Large runs in JSON, query by query, so that no more than a part of the file is held."""

import codecs
import json
import re
from array import array
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import files
from irmetrics_edu.reading.columns import Columns, Ids, Text, ids, joined, may_repeat, whole_queries
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.tabular import EXPECTED, decoded

_LARGE = 1 << 24  # bytes, from which on a file is read in parts
_UNPACKED = 8  # times its size that a packed file may well be
_BLOCK = 1 << 22  # bytes at a time
_LONG = 1 << 23  # characters of a query's ranking that is not decoded at once
_DOCUMENTS = 1 << 16  # of a part that is handed on
_STRING = r'\s*("(?:[^"\\]|\\.)*")\s*'
_QUERY = re.compile(_STRING + ":" + r"\s*(?=[{\[])", re.DOTALL)
_SCORED = re.compile(_STRING + r":\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*([,}])", re.DOTALL)
_LISTED = re.compile(_STRING + r"()([,\]])", re.DOTALL)
_MORE = re.compile(r"\s*\S")
_SIGN = re.compile(r"\s*([{},])")


def is_large(file: File) -> bool:
    """Whether a file takes too much room for its whole object to be made."""
    return file.size * (_UNPACKED if file.packing else 1) > _LARGE


def pieces(file: File) -> Iterator[Columns]:
    """The queries of a run in JSON, whole, some at a time."""
    with files.opened(file) as stream:
        yield from whole_queries(_Reader(file, stream).parts())


class _Part:
    """Queries with their documents, to be made into columns."""

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.ends: list[int] = [0]
        self.documents: list[Any] = []
        self.scores = array("d")

    def add(self, query: str, ranking: Any) -> None:
        """One more query: document -> score, or documents in order."""
        if isinstance(ranking, dict):
            if not set(map(type, ranking.values())) <= {int, float}:
                for document, score in ranking.items():
                    checks.score(score, at(query, document))
            try:
                self.scores.extend(ranking.values())
            except OverflowError:
                raise InputError(f"{at(query)}a score is too large for a float") from None
        self.queries.append(query)
        self.documents.extend(ranking)
        self.ends.append(len(self.documents))

    def fits(self, ranking: Any) -> bool:
        """Whether a ranking is of the same kind: with scores, or in order."""
        return bool(self.scores) == isinstance(ranking, dict) or not self.documents or not ranking

    def columns(self, line: int) -> Columns:
        """What was added, as columns."""
        scores = np.array(self.scores)
        for i in np.flatnonzero(~np.isfinite(scores)).tolist():
            query = self.queries[int(np.searchsorted(self.ends, i, side="right")) - 1]
            checks.score(self.scores[i], at(query, self.documents[i]))
        return Columns(
            Ids(Text.of(self.queries, "query")),
            np.array(self.ends),
            ids(self.documents, "document"),
            scores if self.scores or not self.documents else None,
            np.full(len(self.documents), line),
        )


class _Reader:
    """The text of a file in a window that moves over it."""

    def __init__(self, file: File, stream: IO[bytes]) -> None:
        self._file, self._stream = file, stream
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._text, self._place, self._line, self._ended = "", 0, 1, False
        self._queries: list[Any] = []
        self._opened = ""  # the bracket of a long ranking

    def parts(self) -> Iterator[Columns]:
        """The queries in parts; one that is long may be in several."""
        part = _Part()
        if self._sign() != "{":
            raise self._wrong(EXPECTED)
        while True:
            query, ranking = self._query()
            if query is None:
                break
            if ranking is None or not part.fits(ranking) or len(part.documents) > _DOCUMENTS:
                yield from self._made(part)
                part = _Part()
            if ranking is None:
                yield from self._long(query)
            else:
                part.add(query, ranking)
            if self._sign() == "}":
                break
        yield from self._made(part)
        if found := self._match(_MORE):
            self._place = found.end()
            raise self._wrong("there is more after the closing bracket; expected one object")
        self._refuse_repeated()

    def _made(self, part: _Part) -> Iterator[Columns]:
        if part.queries:
            made = part.columns(self._line)
            self._queries.append(made.queries.compact())  # type: ignore[attr-defined]  # as made
            yield made

    def _refuse_repeated(self) -> None:
        every = joined(self._queries)
        if not may_repeat(every):
            return
        met = set()
        for query in every:
            if query in met:
                raise InputError(
                    f"{self._file}: {query!r} occurs twice in one object; give each id once"
                )
            met.add(query)

    def _query(self) -> tuple[str | None, Any]:
        """The next query with its ranking, which is None if it is long; (None, None) at the end."""
        found = self._match(_QUERY)
        if found is None:
            if self._sign() == "}" and not self._queries:
                return None, None  # an empty object
            raise self._wrong(EXPECTED)
        query, begin = json.loads(found[1]), found.end()
        while True:
            try:
                ranking, end = decoded(self._text, begin)
            except json.JSONDecodeError as error:
                self._line += self._text.count("\n", 0, begin)
                self._text, self._place, begin = self._text[begin:], 0, 0
                if len(self._text) > _LONG and not self._ended:
                    self._opened, self._place = self._text[0], 1  # after its bracket
                    return query, None
                if not self._more():
                    raise self._wrong(f"{error.msg}; expected JSON", error.lineno) from None
            except InputError as error:
                raise InputError(f"{self._file}: {at(query)}{error}") from None
            else:
                self._place = end
                return query, ranking

    def _long(self, query: str) -> Iterator[Columns]:
        """A ranking that is not decoded at once, in several parts."""
        pattern, scored = (_SCORED, True) if self._opened == "{" else (_LISTED, False)
        first, closing = True, ""
        while closing not in ("}", "]"):
            part = _Part()
            documents, scores = part.documents, part.scores
            while closing not in ("}", "]") and len(documents) < _DOCUMENTS:
                found = self._match(pattern)
                if found is None:
                    raise self._wrong(f"{at(query)}after {len(documents):,} documents: {EXPECTED}")
                document, score, closing = found.groups()
                documents.append(json.loads(document) if "\\" in document else document[1:-1])
                if scored:
                    scores.append(float(score))
                self._place = found.end()
            part.queries.append(query)
            part.ends.append(len(documents))
            made = part.columns(self._line)
            if first:
                self._queries.append(made.queries.compact())  # type: ignore[attr-defined]  # as made
            first = False
            yield made

    def _match(self, pattern: "re.Pattern[str]") -> "re.Match[str] | None":
        """The pattern from here on, with as much of the file as that takes."""
        while True:
            found = pattern.match(self._text, self._place)
            if found is not None or not self._more():
                return found

    def _sign(self) -> str:
        """The next bracket or comma."""
        found = self._match(_SIGN)
        if found is None:
            raise self._wrong(f"expected ',' or a bracket; {EXPECTED}")
        self._place = found.end()
        return found[1]

    def _more(self) -> bool:
        """Read on, unless the file is at its end."""
        if self._ended:
            return False
        first = not self._text and self._place == 0 and self._line == 1
        self._line += self._text.count("\n", 0, self._place)
        raw = files.read(self._stream, _BLOCK, self._file, self._line)
        try:
            more = self._utf8.decode(files.without_mark(raw) if first else raw, final=not raw)
        except UnicodeDecodeError:
            raise InputError(f"{self._file}, line {self._line} or soon after: not UTF-8") from None
        self._ended = not raw
        self._text, self._place = self._text[self._place :] + more, 0
        return True

    def _wrong(self, what: str, lines: int = 1) -> InputError:
        line = self._line + self._text.count("\n", 0, self._place) + lines - 1
        return InputError(f"{self._file}, line {line}: {what}")
