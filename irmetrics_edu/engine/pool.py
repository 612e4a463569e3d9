"""All judged documents of all queries as one pool, with which a run is joined."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.engine.id_list import Ids
from irmetrics_edu.engine.keys import salts
from irmetrics_edu.engine.noted import Noted
from irmetrics_edu.engine.slots import found_in
from irmetrics_edu.engine.text import Text, ids
from irmetrics_edu.numbers import Array, smallest

_DOC = "judged document"


@dataclass(eq=False)
class JudgedPool:
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
    noted: Noted = field(default_factory=Noted)
    graded: bool = True  # whether grades are given, and not the relevant documents alone

    @cached_property
    def number(self) -> dict[Any, int]:
        """The number of each query."""
        return {query: q for q, query in enumerate(self.queries)}

    @cached_property
    def kind(self) -> str:
        """The kind of ids of the judged documents; an error if they are of several kinds."""
        if self.text is not None:
            return self.text.kind
        if self.all_text and self.names:
            return "text"
        return checks.one_kind(self.names or (), _DOC)

    @cached_property
    def documents(self) -> list[Hashable]:
        """The id of every judged document."""
        return list(self.texts.tolist()) if self.names is None else self.names

    @cached_property
    def texts(self) -> Text:
        """The ids as a column of text, for a run that was read from a file."""
        return ids(self.names or [], _DOC) if self.text is None else self.text

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
        texts = queries.text
        n = len(queries)
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

    def part(self, begin: int, end: int) -> "JudgedPool":
        """The judgments of the queries with these numbers."""
        first = int(self.starts[begin])
        last = int(self.starts[end])
        here = slice(first, last)
        return JudgedPool(
            queries=self.queries[begin:end],
            starts=self.starts[begin : end + 1] - first,
            grade=self.grade[here],
            judged=self.judged[here],
            names=None if self.names is None else self.names[here],
            text=None if self.text is None else self.text.take(here),
        )

    def find(self, keys: Array, queries: Array) -> tuple[Array, Array]:
        """Which keys belong to documents judged for these queries, and to which documents.

        Two documents may share a key: the caller compares their queries and texts.
        """
        sizes = self.starts[queries + 1] - self.starts[queries]
        skipped = self.starts[queries] - (np.cumsum(sizes) - sizes)
        items = np.arange(sizes.sum()) + np.repeat(skipped, sizes)
        own = self.texts.take(items).keys(self.salts[np.repeat(queries, sizes)])
        here, place = found_in(keys, own)
        return here, items[place]

    @property
    def query(self) -> Array:
        """The query number of every judged document."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.starts))

    def of(self, q: int) -> dict[Hashable, Any]:
        """The judgments of query number `q`: document to grade, `None` where nobody judged."""
        here = slice(int(self.starts[q]), int(self.starts[q + 1]))
        if self.names is None:
            documents = self.texts.tolist(np.arange(here.start, here.stop))
        else:
            documents = self.names[here]
        graded = zip(self.grade[here].tolist(), self.judged[here].tolist(), strict=True)
        grades = (grade if judged else None for grade, judged in graded)
        return dict(zip(documents, grades, strict=True))
