"""The judgments of many queries as one table, which a run is joined with.

One file: a Pool is made, settled and searched by what it holds.
"""

from array import array
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import REFUSED, Negative
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, smallest
from irmetrics_edu.reading.columns import Columns
from irmetrics_edu.reading.id_list import Ids
from irmetrics_edu.reading.tables import Source
from irmetrics_edu.reading.text import Text, ids, salts
from irmetrics_edu.runs.joining.repetitions import repeated, tell_repeated

_DOC = "judged document"


@dataclass(eq=False)
class _Index:
    """Keys to look up: a coarse table turns nearly all others away, a search finds the rest.

    Made for the queries of one piece, it stays in the processor's cache.
    """

    coarse: Array
    shift: np.uint64
    sorted: Array
    item: Array
    shared: bool  # whether two items have one key

    @classmethod
    def of(cls, keys: Array) -> "_Index":
        bits = min(22, max(10, (len(keys) * 32).bit_length()))
        shift = np.uint64(64 - bits)
        coarse = np.zeros(1 << bits, dtype=bool)
        coarse[(keys >> shift).view(np.int64)] = True
        item = np.argsort(keys, kind="stable")
        in_order = keys[item]
        return cls(coarse, shift, in_order, item, bool((in_order[1:] == in_order[:-1]).any()))

    def find(self, keys: Array) -> tuple[Array, Array]:
        """Which keys there are, each beside every item that has it."""
        here = np.flatnonzero(self.coarse[(keys >> self.shift).view(np.int64)])
        wanted = keys[here]
        first = np.searchsorted(self.sorted, wanted)
        place = np.minimum(first, len(self.sorted) - 1)
        found = self.sorted[place] == wanted
        here, place = here[found], place[found]
        if self.shared:
            count = np.searchsorted(self.sorted, wanted[found], side="right") - place
            within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
            here, place = np.repeat(here, count), np.repeat(place, count) + within
        return here, self.item[place]


def has_blanks(text: str) -> bool:
    """Whether there is white space anywhere in the text."""
    return text.split(None, 1) != [text] and bool(text)


@dataclass(eq=False)
class Pool:
    """What was judged: query q's documents are items starts[q] to starts[q+1].

    `grade` is 0 if `judged` is false: such a document is in the pool, but nobody judged it.
    """

    queries: Sequence[Any]
    starts: Array
    grade: Array
    judged: Array
    names: list[Hashable] | None = None
    text: Text | None = None
    all_text: bool = False  # whether the names are known to be text
    skipped: int = 0  # malformed lines that were left out
    told: Counter[str] = field(default_factory=Counter)  # lines taken as trec_eval does, by kind
    columns: dict[str, str] = field(default_factory=dict)  # of a table: which were read, as what

    @cached_property
    def number(self) -> dict[Any, int]:
        """The number of each query."""
        return {query: q for q, query in enumerate(self.queries)}

    @cached_property
    def kind(self) -> str:
        """The kind of ids of the judged documents; an error if they are of several kinds."""
        if self.text is not None:
            return self.text.kind
        return "text" if self.all_text and self.names else checks.one_kind(self.names or (), _DOC)

    @cached_property
    def documents(self) -> list[Hashable]:
        """The id of every judged document."""
        if self.names is not None:
            return self.names
        return list(self._text().tolist())

    def _text(self) -> Text:
        if self.text is None:  # pragma: no cover -- one of the two is always given
            raise InputError("the judgments have no documents")
        return self.text

    @cached_property
    def texts(self) -> Text:
        """The ids as a column of text, for a run that was read from a file."""
        if self.text is not None:
            return self.text
        return ids(self.documents, _DOC)

    @cached_property
    def salts(self) -> Array:
        """A number for each query, which makes the keys of its documents its own."""
        return salts(len(self.queries))

    @cached_property
    def _by_key(self) -> tuple[Array, Array] | None:
        """The keys of the queries in order, with their numbers; None if two share a key."""
        keys = self.queries.text.keys() if isinstance(self.queries, Ids) else np.zeros(2)
        order = np.argsort(keys, kind="stable").astype(smallest(len(keys)))
        keys = keys[order]
        return None if (keys[1:] == keys[:-1]).any() else (keys, order)

    def numbers_of(self, queries: Sequence[Any], guess: int = 0) -> Array:
        """The numbers of these queries, -1 for a query that is not judged.

        `guess` is the number of the first query if a run is in the order of the judgments. Then no
        table of all queries is needed.
        """
        known = self.queries
        if not (isinstance(known, Ids) and isinstance(queries, Ids) and len(queries)):
            return np.array([self.number.get(q, -1) for q in queries], dtype=np.intp)
        texts, n = queries.text, len(queries)
        if guess + n <= len(known) and known.text.take(slice(guess, guess + n)).equal(texts).all():
            return np.arange(guess, guess + n)
        if self._by_key is None:
            return np.array([self.number.get(q, -1) for q in queries], dtype=np.intp)
        in_order, number = self._by_key
        keys = texts.keys()
        place = np.minimum(np.searchsorted(in_order, keys), len(in_order) - 1)
        found = number[place].astype(np.intp)
        same = (in_order[place] == keys) & known.text.take(found).equal(texts)
        return np.where(same, found, -1)

    def part(self, begin: int, end: int) -> "Pool":
        """The judgments of the queries with these numbers."""
        first, last = int(self.starts[begin]), int(self.starts[end])
        here = slice(first, last)
        return Pool(
            self.queries[begin:end],
            self.starts[begin : end + 1] - first,
            self.grade[here],
            self.judged[here],
            None if self.names is None else self.names[here],
            None if self.text is None else self.text.take(here),
        )

    def find(self, keys: Array, queries: Array) -> tuple[Array, Array]:
        """Which keys belong to documents judged for these queries, and to which documents.

        Two documents may share a key: the caller compares their queries and texts.
        """
        sizes = self.starts[queries + 1] - self.starts[queries]
        skipped = self.starts[queries] - (np.cumsum(sizes) - sizes)
        items = np.arange(sizes.sum()) + np.repeat(skipped, sizes)
        own = self.texts.take(items).keys(self.salts[np.repeat(queries, sizes)])
        here, place = _Index.of(own).find(keys)
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
    all_text = True
    grades: list[Any] = []
    sizes = []
    for query, judgments in qrels.items():
        if isinstance(judgments, Mapping):
            names.extend(judgments)
            all_text = all_text and checks.all_text(judgments)
            grades.extend(judgments.values())
        else:
            relevant = _relevant(judgments, query)
            names.extend(relevant)
            all_text = all_text and checks.all_text(relevant)
            grades.extend([1] * len(relevant))
        sizes.append(len(judgments))
    starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.intp)])
    pool = Pool(
        list(qrels), starts, *_numbers(grades, names, starts, list(qrels)), names, all_text=all_text
    )
    return settled(pool, negative)


def checked_columns(read: Source, negative: Negative = REFUSED) -> Pool:
    """The pool that a source holds; a document judged twice for a query is malformed."""
    items = read.all()
    again = repeated(items, items.document.keys(salts(len(items.queries))[items.query]))
    if len(again):
        tell_repeated(items, again, read.problems, "judged")
        read.problems.check()
        keep = np.ones(len(items.line), dtype=bool)
        keep[again] = False
        items = items.take(keep)
    pool = pool_of_columns(items, negative)
    met = read.problems
    pool.skipped, pool.told, pool.columns = met.count, met.told, met.columns
    return pool


def pool_of_columns(items: Columns, negative: Negative = REFUSED) -> Pool:
    """The pool that columns of judgments hold; without grades all documents are relevant."""
    n = len(items.line)
    grade = np.ones(n) if items.value is None else items.value
    judged = np.ones(n, dtype=bool)
    pool = Pool(items.queries, items.starts, grade, judged, text=items.document)
    return settled(pool, negative)


def _relevant(judgments: Any, query: Any) -> Sequence[Hashable]:
    if isinstance(judgments, (str, bytes)) or not hasattr(judgments, "__len__"):
        raise InputError(
            f"{at(query)}{judgments!r} are not judgments; map documents to grades, or give a "
            "set of relevant documents"
        )
    return checks.ids(judgments, query, "judged")


def _numbers(
    grades: list[Any], names: list[Hashable], starts: Array, queries: list[Any]
) -> tuple[Array, Array]:
    """Grades as floats (0 where not judged), and which were judged."""
    try:
        values = np.frombuffer(array("d", grades), dtype=np.float64)  # refuses text and None
    except (TypeError, OverflowError):  # no number, or one beyond doubles
        values = np.full(1, np.nan)
    if (np.abs(values) <= checks.LARGEST_GRADE).all():
        return values, np.ones(len(values), dtype=bool)
    judged = np.array([g is not None for g in grades], dtype=bool)
    for i in np.flatnonzero(judged).tolist():
        query = queries[int(np.searchsorted(starts, i, side="right")) - 1]
        checks.grade(grades[i], at(query, names[i]))
    return np.array([0 if g is None else g for g in grades], dtype=np.float64), judged


def settled(pool: Pool, negative: Negative) -> Pool:
    """The pool with its negative grades as the convention says; an empty pool is refused."""
    sizes = np.diff(pool.starts)
    if not len(sizes):
        raise InputError("the judgments have no query; give judgments: query -> document -> grade")
    if (sizes == 0).any():
        query = pool.queries[int(np.flatnonzero(sizes == 0)[0])]
        raise InputError(
            f"{at(query)}nothing is judged, so there is no score; give judgments, or leave "
            "the query out"
        )
    if (np.abs(pool.grade) > checks.LARGEST_GRADE).any():
        i = int(np.argmax(np.abs(pool.grade)))
        checks.grade(float(pool.grade[i]), at(pool.queries[int(pool.query[i])], pool.documents[i]))
    below = pool.grade < 0
    if not below.any() or negative.name in ("keep", "padding"):
        return pool
    if negative.name == "refuse":
        i = int(np.flatnonzero(below)[0])
        place = at(pool.queries[int(pool.query[i])], pool.documents[i])
        raise InputError(
            f"{place}grade {pool.grade[i]:g} is negative; choose what it means: "
            "negative='zero' (not relevant), 'keep' (a loss) or 'unjudged'"
        )
    judged = pool.judged & ~below if negative.name == "unjudged" else pool.judged
    grade = np.where(below, 0.0, pool.grade)
    return replace(pool, grade=grade, judged=judged)
