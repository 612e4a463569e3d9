"""The judgments of many queries, as one table: what a run is joined with."""

from array import array
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import REFUSED, Negative
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.columns import Columns
from irmetrics_edu.reading.problems import Problems
from irmetrics_edu.reading.sources import Source
from irmetrics_edu.reading.text import Text, ids, spread


@dataclass(eq=False)
class _Index:
    """Keys to look up: a coarse table turns nearly all others away, a search finds the rest.

    Made for the queries of one piece, it stays in the processor's cache.
    """

    coarse: Array
    shift: np.uint64
    sorted: Array
    item: Array

    @classmethod
    def of(cls, keys: Array) -> "_Index":
        bits = min(22, max(10, (len(keys) * 32).bit_length()))
        shift = np.uint64(64 - bits)
        coarse = np.zeros(1 << bits, dtype=bool)
        coarse[(keys >> shift).view(np.int64)] = True
        item = np.argsort(keys, kind="stable")
        return cls(coarse, shift, keys[item], item)

    def find(self, keys: Array) -> tuple[Array, Array]:
        here = np.flatnonzero(self.coarse[(keys >> self.shift).view(np.int64)])
        wanted = keys[here]
        place = np.minimum(np.searchsorted(self.sorted, wanted), len(self.sorted) - 1)
        found = self.sorted[place] == wanted
        return here[found], self.item[place[found]]


def has_blanks(text: str) -> bool:
    """Whether there is white space anywhere in the text."""
    return text.split(None, 1) != [text] and bool(text)


@dataclass(eq=False)
class Pool:
    """What was judged: query q's documents are items starts[q] to starts[q+1].

    `grade` is 0 where `judged` is false: such a document is in the pool, and nobody judged it.
    """

    queries: list[Any]
    starts: Array
    grade: Array
    judged: Array
    names: list[Hashable] | None = None
    text: Text | None = None
    skipped: int = 0  # malformed lines that were left out

    @cached_property
    def number(self) -> dict[Any, int]:
        """The number of each query."""
        return {query: q for q, query in enumerate(self.queries)}

    @cached_property
    def documents(self) -> list[Hashable]:
        """The id of every judged document."""
        if self.names is not None:
            return self.names
        return list(self._text().tolist())

    def _text(self) -> Text:
        if self.text is None:  # pragma: no cover -- one of the two is always given
            raise InputError("the judgments hold no documents")
        return self.text

    @cached_property
    def texts(self) -> Text:
        """The ids as a column of text, for a run that was read from a file."""
        if self.text is not None:
            return self.text
        return ids(self.documents, "judged document")

    @cached_property
    def salts(self) -> Array:
        """A number for each query, which makes the keys of its documents its own."""
        return spread(np.arange(1, len(self.queries) + 1, dtype=np.uint64))

    @cached_property
    def _keys(self) -> Array:
        return self.texts.keys(self.salts[self.query])

    def find(self, keys: Array, queries: Array) -> tuple[Array, Array]:
        """Which keys are those of documents judged for these queries, and of which documents."""
        sizes = self.starts[queries + 1] - self.starts[queries]
        skipped = self.starts[queries] - (np.cumsum(sizes) - sizes)
        items = np.arange(sizes.sum()) + np.repeat(skipped, sizes)
        here, place = _Index.of(self._keys[items]).find(keys)
        return here, items[place]

    @property
    def query(self) -> Array:
        """The query number of every judged document."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.starts))

    def of(self, q: int) -> dict[Hashable, Any]:
        """The judgments of query number `q`: document to grade, `None` where nobody judged."""
        here = slice(int(self.starts[q]), int(self.starts[q + 1]))
        documents = (
            self.names[here]
            if self.names is not None
            else self._text().tolist(np.arange(here.start, here.stop))
        )
        grades = [
            grade if judged else None
            for grade, judged in zip(
                self.grade[here].tolist(), self.judged[here].tolist(), strict=True
            )
        ]
        return dict(zip(documents, grades, strict=True))


def pool_of(qrels: Mapping[Any, Any], negative: Negative = REFUSED) -> Pool:
    """The pool that a mapping holds: query to judgments, or to the set of relevant documents.

    Errors name query and document.
    """
    names: list[Hashable] = []
    grades: list[Any] = []
    sizes = []
    for query, judgments in qrels.items():
        if isinstance(judgments, Mapping):
            names.extend(judgments)
            grades.extend(judgments.values())
        else:
            relevant = _relevant(judgments, query)
            names.extend(relevant)
            grades.extend([1] * len(relevant))
        sizes.append(len(judgments))
    starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.intp)])
    pool = Pool(list(qrels), starts, *_numbers(grades, names, starts, list(qrels)), names)
    return settled(pool, negative)


def checked_columns(read: Source, negative: Negative = REFUSED) -> Pool:
    """The pool that a source holds; a document judged twice for a query is malformed."""
    items = read.all()
    again = repeated(items, items.document.keys(spread(items.query + 1)))
    if len(again):
        tell_repeated(items, again, read.problems, "judged")
        read.problems.check()
        keep = np.ones(len(items.line), dtype=bool)
        keep[again] = False
        items = items.take(keep)
    pool = pool_of_columns(items, negative)
    pool.skipped = read.problems.count
    return pool


def pool_of_columns(items: Columns, negative: Negative = REFUSED) -> Pool:
    """The pool that columns of judgments hold; without grades all documents are relevant."""
    n = len(items.line)
    grade = np.ones(n) if items.value is None else items.value
    judged = np.ones(n, dtype=bool)
    pool = Pool(list(items.queries), items.starts, grade, judged, text=items.document)
    return settled(pool, negative)


def _relevant(judgments: Any, query: Any) -> Sequence[Hashable]:
    if isinstance(judgments, (str, bytes)) or not hasattr(judgments, "__len__"):
        raise InputError(
            f"{at(query)}judgments map documents to grades, or are a set of relevant documents; "
            f"got {judgments!r}"
        )
    return checks.ids(judgments, query, "judged")


def _numbers(
    grades: list[Any], names: list[Hashable], starts: Array, queries: list[Any]
) -> tuple[Array, Array]:
    """Grades as floats (0 where not judged), and which were judged."""
    try:
        values = np.frombuffer(array("d", grades), dtype=np.float64)  # refuses text and None
    except TypeError:
        values = np.full(1, np.nan)
    if np.isfinite(values).all():
        return values, np.ones(len(values), dtype=bool)
    judged = np.array([g is not None for g in grades], dtype=bool)
    for i in np.flatnonzero(judged).tolist():
        query = queries[int(np.searchsorted(starts, i, side="right")) - 1]
        checks.number(grades[i], "grade", at(query, names[i]))
    return np.array([0 if g is None else g for g in grades], dtype=np.float64), judged


def settled(pool: Pool, negative: Negative) -> Pool:
    """The pool with its negative grades worth what the convention says; checked for emptiness."""
    sizes = np.diff(pool.starts)
    if not len(sizes):
        raise InputError("the judgments hold no query; give judgments: query -> document -> grade")
    if (sizes == 0).any():
        query = pool.queries[int(np.flatnonzero(sizes == 0)[0])]
        raise InputError(
            f"{at(query)}nothing is judged, so there is no score; give judgments or leave it out"
        )
    below = pool.grade < 0
    if not below.any() or negative.name == "keep":
        return pool
    if negative.name == "refuse":
        i = int(np.flatnonzero(below)[0])
        place = at(pool.queries[int(pool.query[i])], pool.documents[i])
        raise InputError(
            f"{place}grade {pool.grade[i]:g} is negative; say what it is worth: "
            "negative='zero' (not relevant), 'keep' (a loss) or 'unjudged'"
        )
    judged = pool.judged & ~below if negative.name == "unjudged" else pool.judged
    grade = np.where(below, 0.0, pool.grade)
    return Pool(pool.queries, pool.starts, grade, judged, pool.names, pool.text)


def repeated(items: Columns, keys: Array) -> Array:
    """The items whose document their query had before, by the key of each item."""
    in_rank = np.sort(keys)
    if not (in_rank[1:] == in_rank[:-1]).any():
        return np.zeros(0, dtype=np.intp)
    order = np.argsort(keys, kind="stable")
    alike = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
    first, second = order[alike], order[alike + 1]
    query = items.query
    same = items.document.take(first).equal(items.document.take(second))
    again: Array = np.sort(second[same & (query[first] == query[second])])
    return again


def tell_repeated(items: Columns, again: Array, problems: Problems, what: str) -> None:
    """Report the documents that a query ranks or judges twice."""
    query = items.query[again]
    for done, (i, q) in enumerate(zip(again.tolist(), query.tolist(), strict=True)):
        if not problems.room:
            problems.more(len(again) - done)
            return
        document = items.document[i]
        problems.add(
            int(items.line[i]),
            str(document),
            f"{at(items.queries[q], document)}{what} twice; a document has one place",
        )
